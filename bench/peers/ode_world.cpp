#include "ode_world.h"

#include <ode/ode.h>

#include <array>
#include <cstdint>

namespace stiction::bench {
namespace {

constexpr int most_points = 8;  // of a pair

struct Body {
  dBodyID body = nullptr;  // none: it never moves
  dGeomID shape = nullptr;
  Vec3 start;
};

void* as_data(std::size_t i) { return reinterpret_cast<void*>(std::uintptr_t(i)); }
int index_of(dGeomID shape) { return int(std::uintptr_t(dGeomGetData(shape))); }

dGeomID shape_of(const Model& m, std::size_t i, dSpaceID space) {
  if (const auto* sphere = std::get_if<Sphere>(&m.shape[i])) return dCreateSphere(space, sphere->radius);
  if (const auto* box = std::get_if<Box>(&m.shape[i]))
    return dCreateBox(space, box->size.x, box->size.y, box->size.z);
  const auto* half = std::get_if<HalfSpace>(&m.shape[i]);
  STICTION_ASSERT(half != nullptr && "a shape that these scenes do not have");
  const Vec3 n = normalized(half->normal);
  return dCreatePlane(space, n.x, n.y, n.z, dot(n, m.start_position[i]) + half->offset);
}

}  // namespace

struct OdeWorld::Inside {
  const Model& model;
  dWorldID world = dWorldCreate();
  dSpaceID space = dHashSpaceCreate(nullptr);
  dJointGroupID contacts = dJointGroupCreate(0);
  std::vector<Body> bodies{};

  void touch(dGeomID a, dGeomID b) const {
    if (dGeomGetBody(a) == nullptr && dGeomGetBody(b) == nullptr) return;
    std::array<dContact, most_points> points{};
    const int count = dCollide(a, b, most_points, &points[0].geom, sizeof(dContact));
    for (std::size_t k = 0; k < std::size_t(count); ++k) {
      points[k].surface.mode = dContactApprox1;
      points[k].surface.mu = model.friction(index_of(a), index_of(b));
      dJointAttach(dJointCreateContact(world, contacts, &points[k]), dGeomGetBody(a), dGeomGetBody(b));
    }
  }
};

OdeWorld::OdeWorld(const Model& m, int iterations) {
  dInitODE2(0);
  inside_ = std::make_unique<Inside>(m);
  dWorldSetGravity(inside_->world, m.gravity.x, m.gravity.y, m.gravity.z);
  dWorldSetQuickStepNumIterations(inside_->world, iterations);
  for (std::size_t i = 0; i < std::size_t(m.body_count()); ++i) {
    Body b{.shape = shape_of(m, i, inside_->space), .start = m.start_position[i]};
    dGeomSetData(b.shape, as_data(i));
    if (m.body_kind[i] == dynamic) {
      b.body = dBodyCreate(inside_->world);
      dMass mass;
      dMassSetParameters(&mass, m.mass[i], 0, 0, 0, m.inertia[i].x, m.inertia[i].y, m.inertia[i].z, 0, 0, 0);
      dBodySetMass(b.body, &mass);
      dBodySetPosition(b.body, b.start.x, b.start.y, b.start.z);
      dGeomSetBody(b.shape, b.body);
    }
    inside_->bodies.push_back(b);
  }
}

OdeWorld::~OdeWorld() {
  dJointGroupDestroy(inside_->contacts);
  dSpaceDestroy(inside_->space);
  dWorldDestroy(inside_->world);
  dCloseODE();
}

void OdeWorld::step(double h) {
  dSpaceCollide(inside_->space, inside_.get(),
                [](void* data, dGeomID a, dGeomID b) { static_cast<const Inside*>(data)->touch(a, b); });
  dWorldQuickStep(inside_->world, h);
  dJointGroupEmpty(inside_->contacts);
}

std::vector<Vec3> OdeWorld::positions() const {
  std::vector<Vec3> out;
  for (const Body& b : inside_->bodies) {
    const dReal* p = b.body != nullptr ? dBodyGetPosition(b.body) : nullptr;
    out.push_back(p != nullptr ? Vec3{p[0], p[1], p[2]} : b.start);
  }
  return out;
}

}  // namespace stiction::bench
