// From the description to dense arrays: names become indices, densities become masses.
//
// Prescribed motion: linear between the rows, constant outside of them. Surfaces: compile_surfaces.cpp.
#include <algorithm>
#include <cmath>
#include <map>

#include "stiction/base/hash.h"
#include "stiction/geometry/centred.h"
#include "stiction/model/detail/compile_surfaces.h"
#include "stiction/model/detail/compile_trees.h"
#include "stiction/model/model.h"

namespace stiction {
namespace {

/// Leaves a quaternion alone that is unit within round-off, so that compiling again changes no bit.
Quat unit(const Quat& q) { return std::fabs(norm2(q) - 1) <= 2e-15 ? q : normalized(q); }

/// Rows on the same side of the 4-sphere as the row before: the short way round, never through zero.
void align(std::vector<Quat>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Quat& q = rows[i] = unit(rows[i]);
    if (i == 0) continue;
    const Quat& p = rows[i - 1];
    if (p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0) q = {-q.w, -q.x, -q.y, -q.z};
  }
}

std::map<std::string, int> index_of(const std::vector<Named<SurfaceDescription>>& surfaces) {
  std::map<std::string, int> index;
  for (std::size_t i = 0; i < surfaces.size(); ++i) index.emplace(surfaces[i].name, int(i));
  return index;
}

void compile_mass(const BodyDescription& b, Model& m) {
  double mass = 0;
  Vec3 inertia;
  if (b.kind == dynamic) {
    mass = b.mass > 0 ? b.mass : b.density * volume(b.shape);
    if (!b.particle) inertia = b.inertia ? *b.inertia : mass_properties(b.shape, mass).inertia;
  }
  m.mass.push_back(mass);
  m.inertia.push_back(inertia);
}

/// What forces hold in coordinates of a body whose axes have been turned.
void turn_forces(const std::string& body, const Quat& turn, Scene& scene) {
  const auto back = [&](Vec3& v) { v = rotate_back(turn, v); };
  for (auto& force : scene.forces) {
    if (auto* spring = std::get_if<SpringDamper>(&force.value)) {
      if (spring->a == body) back(spring->point_a);
      if (spring->b == body) back(spring->point_b);
    } else if (auto* wrench = std::get_if<Wrench>(&force.value); wrench != nullptr && wrench->body == body) {
      back(wrench->point);
      if (!wrench->body_frame) continue;
      for (Vec3& f : wrench->force) back(f);
      for (Vec3& t : wrench->torque) back(t);
    } else if (auto* torsion = std::get_if<TorsionSpring>(&force.value);
               torsion != nullptr && torsion->a == body) {
      back(torsion->axis);
    }
  }
}

/// Polyhedra and compounds of dynamic bodies to their centre of mass and, unless their inertia is given, to
/// their principal axes: docs/theory/geometry.md.
void centre_shapes(Scene& scene) {
  for (auto& body : scene.bodies) {
    BodyDescription& b = body.value;
    if (b.kind != dynamic) continue;
    const CentredShape c = centred(b.shape, !b.inertia);
    if (!c.changed) continue;
    b.shape = c.shape;
    if (c.turn == Quat{}) continue;
    b.orientation = unit(b.orientation) * c.turn;
    turn_forces(body.name, c.turn, scene);
  }
}

void compile_body(Named<BodyDescription>& body, const std::map<std::string, int>& surfaces, Model& m) {
  BodyDescription& b = body.value;
  b.orientation = unit(b.orientation);
  align(b.motion.orientation);
  if (b.kind == kinematic) {
    b.position = position_at(b.motion, 0);
    if (!b.motion.orientation.empty()) b.orientation = orientation_at(b.motion, 0);
  }
  m.body_index.emplace(body.name, m.body_count());
  m.body_name.push_back(body.name);
  m.body_kind.push_back(b.kind);
  m.mobility.push_back(b.kind != dynamic ? Mobility::none : b.particle ? Mobility::particle : Mobility::free);
  m.shape.push_back(simplest(b.shape));
  m.collides.push_back(char(b.collides && !std::holds_alternative<NoShape>(b.shape)));
  if (m.collides.back()) m.colliding.push_back(int(m.collides.size()) - 1);
  m.group.push_back(
      b.group.empty() ? -1 : m.group_index.emplace(b.group, int(m.group_index.size())).first->second);
  m.surface.push_back(b.surface.empty() ? -1 : surfaces.at(b.surface));
  compile_mass(b, m);
  m.size.push_back(size_of(b.shape));
  m.radius.push_back(bounding_radius(b.shape));
  m.plane_normal.push_back({});
  m.motion.push_back(b.motion);
  m.start_position.push_back(b.position);
}

void compile_drag(const std::string& name, const Drag& d, Model& m) {
  for (int i = 0; i < m.body_count(); ++i) {
    const auto at = std::size_t(i);
    const bool meant = d.body.empty() ? m.body_kind[at] == dynamic : m.body_name[at] == d.body;
    if (!meant) continue;
    m.drags.push_back({i, d.linear, d.quadratic, m.mobility[at] == Mobility::particle ? 0 : d.angular,
                       d.coefficient, d.exponent});
    m.drag_name.push_back(name);
  }
}

void compile_magnus(const Magnus& d, Model& m) {
  for (int i = 0; i < m.body_count(); ++i) {
    const auto at = std::size_t(i);
    const bool turns = m.mobility[at] != Mobility::none && m.mobility[at] != Mobility::particle;
    if (turns && (d.body.empty() || m.body_name[at] == d.body)) m.magnus.push_back({i, d.coefficient});
  }
}

/// The dynamic bodies that a list means; all of them if it is empty.
std::vector<int> selected(const std::vector<std::string>& patterns, const Model& m) {
  std::vector<int> out;
  for (int i = 0; i < m.body_count(); ++i) {
    if (m.body_kind[std::size_t(i)] != dynamic) continue;
    const std::string& name = m.body_name[std::size_t(i)];
    if (patterns.empty() ||
        std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return means(p, name); }))
      out.push_back(i);
  }
  return out;
}

void compile_forces(const Scene& scene, Model& m) {
  for (const auto& f : scene.forces) {
    if (const auto* s = std::get_if<SpringDamper>(&f.value)) {
      m.springs.push_back({s->a.empty() ? -1 : m.find_body(s->a), m.find_body(s->b), s->point_a, s->point_b,
                           s->stiffness, s->damping, s->rest_length});
      m.spring_name.push_back(f.name);
    } else if (const auto* d = std::get_if<Drag>(&f.value)) {
      compile_drag(f.name, *d, m);
    } else if (const auto* w = std::get_if<Wrench>(&f.value)) {
      const std::size_t rows = w->time.empty() ? 1 : w->time.size();
      ModelWrench out{m.find_body(w->body), w->time, w->force, w->torque, w->body_frame, w->point};
      out.force.resize(rows);
      out.torque.resize(rows);
      m.wrenches.push_back(std::move(out));
      m.wrench_name.push_back(f.name);
    } else if (const auto* t = std::get_if<TorsionSpring>(&f.value)) {
      m.torsions.push_back({t->a.empty() ? -1 : m.find_body(t->a), m.find_body(t->b), normalized(t->axis),
                            t->stiffness, t->damping, t->rest_angle});
      m.torsion_name.push_back(f.name);
    } else if (const auto* magnus = std::get_if<Magnus>(&f.value)) {
      compile_magnus(*magnus, m);
    } else if (const auto* g = std::get_if<Gravitation>(&f.value)) {
      m.gravitations.push_back({g->constant, selected(g->bodies, m)});
    } else if (const auto* l = std::get_if<LennardJones>(&f.value)) {
      m.lennard_jones.push_back({l->depth, l->diameter, l->cutoff, selected(l->bodies, m)});
    }
  }
}

/// The row r and the weight t in [0, 1] of row r + 1 at this time.
std::pair<std::size_t, double> locate(const std::vector<double>& time, double now) {
  if (time.size() < 2 || now <= time.front()) return {0, 0.0};
  if (now >= time.back()) return {time.size() - 1, 0.0};
  std::size_t low = 0, high = time.size() - 1;  // time[low] <= now < time[high]
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (time[middle] <= now ? low : high) = middle;
  }
  return {low, (now - time[low]) / (time[high] - time[low])};
}

}  // namespace

Vec3 position_at(const Motion& motion, double time) {
  const auto [row, t] = locate(motion.time, time);
  if (t == 0) return motion.position[row];
  return (1 - t) * motion.position[row] + t * motion.position[row + 1];
}

Quat orientation_at(const Motion& motion, double time) {
  const auto [row, t] = locate(motion.time, time);
  if (t == 0) return motion.orientation[row];
  const Quat &p = motion.orientation[row], &q = motion.orientation[row + 1];
  return normalized(Quat{(1 - t) * p.w + t * q.w, (1 - t) * p.x + t * q.x, (1 - t) * p.y + t * q.y,
                         (1 - t) * p.z + t * q.z});
}

int Model::find_body(const std::string& name) const {
  const auto found = body_index.find(name);
  return found == body_index.end() ? -1 : found->second;
}

std::uint64_t structure_hash(const Model& m) {
  Hash h;
  for (std::size_t i = 0; i < m.body_name.size(); ++i) {
    h.value(std::uint64_t(m.body_name[i].size()));
    h.bytes(m.body_name[i].data(), m.body_name[i].size());
    h.value(m.body_kind[i]), h.value(m.mobility[i]), h.value(kind(m.shape[i]));
  }
  // links follow from the coordinates of their joints: where and along which axes these are is part of it
  for (std::size_t i = 0; i < m.trees.body.size(); ++i) {
    h.value(m.trees.body[i]), h.value(m.trees.forest.parent[i]), h.value(m.trees.forest.joint[i]);
    const tree::Parameters& p = m.trees.parameters;
    const auto vector = [&](const Vec3& v) { h.number(v.x), h.number(v.y), h.number(v.z); };
    for (int k = 0; k < 3; ++k) vector(p.placement[i].turn.row(k)), vector(p.to_engine[i].row(k));
    vector(p.placement[i].position), vector(m.trees.centre[i]);
    h.number(p.pitch[i]);
  }
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    h.value(c.a), h.value(c.b), h.value(c.row_end - c.row_begin);
    for (int r = c.row_begin; r < c.row_end; ++r) h.value(m.mechanisms.row[std::size_t(r)].kind);
  }
  for (const ModelLaw& law : m.laws) h.value(law.kind), h.value(law.joint), h.value(law.coordinate);
  if (m.mechanisms.breakable) h.value(m.mechanisms.breakable);
  return h.result();
}

Model detail::compiled(const Scene& scene, int revision) {
  Model m;
  m.revision = revision;
  m.scene = scene;
  centre_shapes(m.scene);
  m.gravity = scene.gravity;
  const std::map<std::string, int> surfaces = index_of(scene.surfaces);
  compile_surfaces(scene, surfaces, m);
  for (auto& body : m.scene.bodies) compile_body(body, surfaces, m);
  for (const auto& joint : scene.joints) {
    const auto* planar = std::get_if<PlanarJoint>(&joint.value);
    if (planar == nullptr) continue;
    const auto body = std::size_t(m.find_body(planar->body));
    m.mobility[body] = Mobility::planar;
    m.plane_normal[body] = normalized(planar->normal);
  }
  compile_trees(scene, m);
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (const auto* planar = std::get_if<PlanarJoint>(&scene.joints[j].value))
      if (const int body = m.find_body(planar->body); m.mobility[std::size_t(body)] == Mobility::planar)
        m.planes.push_back({body, int(j)});
  compile_forces(m.scene, m);
  compile_mechanisms(m.scene, m);
  compile_laws(m.scene, m);
  for (const auto& s : scene.sensors) {
    m.sensors.push_back({simplest(s.value.shape), s.value.position, unit(s.value.orientation)});
    m.sensor_name.push_back(s.name);
  }
  return m;
}

Result<Model> compile(const Scene& scene, int revision) {
  std::vector<Mistake> mistakes = validate(scene);
  if (!mistakes.empty()) return mistakes;
  Model m = detail::compiled(scene, revision);
  if (mistakes = detail::check_linkages(m); !mistakes.empty()) return mistakes;
  if (mistakes = detail::check_hertz(m); !mistakes.empty()) return mistakes;
  if (mistakes = detail::check_gears(m); !mistakes.empty()) return mistakes;
  return m;
}

}  // namespace stiction
