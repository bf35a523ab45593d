// Distances of convex pairs beside FCL (libccd inside, and FCL's own solver, both asked for 1e-9) and Bullet
// (single precision, margins 0) where they have the shapes: sphere, box, capsule, cylinder, cone, hull, and
// ellipsoid (FCL only), all pairs, random poses apart by up to half their size. Ours comes with a proof: two
// points of the bodies as far apart as a pair of parallel planes between them. So where a peer differs by
// more than its tolerance, the proof tells who is right; a difference that it does not settle fails. One line
// per pair: the largest difference over the size for each peer, how many are beyond 1e-6 (FCL) or 1e-4
// (Bullet), how many of these the proof leaves open.
//   bench_distances [--quick]
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>

#include "../bench.h"
#include "unit/collision/convex_pairs.h"

namespace stiction::bench {
namespace {

using collision::ClosestPoints, collision::ConvexRandom, collision::Pose;

constexpr double proof = 1e-12;                                  // [-] of the size: what ours is proved to
constexpr double fcl_tolerance = 1e-6, bullet_tolerance = 1e-4;  // [-] of the size
constexpr std::array kinds{0, 1, 2, 3, 4, 5, 7};                 // of ConvexRandom

struct Peers {
  std::shared_ptr<fcl::CollisionGeometryd> fcl;
  std::unique_ptr<btConvexShape> bullet;  // null: it has no such shape
  double low = 0;                         // [m] their origin is this far above ours along z
};

btScalar single(double x) { return btScalar(x); }

struct Make {
  Peers operator()(const Sphere& s) const {
    return {std::make_shared<fcl::Sphered>(s.radius), std::make_unique<btSphereShape>(single(s.radius))};
  }
  Peers operator()(const Box& s) const {
    return {
        std::make_shared<fcl::Boxd>(s.size.x, s.size.y, s.size.z),
        std::make_unique<btBoxShape>(btVector3(single(s.size.x), single(s.size.y), single(s.size.z)) / 2)};
  }
  Peers operator()(const Capsule& s) const {
    return {std::make_shared<fcl::Capsuled>(s.radius, s.length),
            std::make_unique<btCapsuleShapeZ>(single(s.radius), single(s.length))};
  }
  Peers operator()(const Cylinder& s) const {
    return {std::make_shared<fcl::Cylinderd>(s.radius, s.height),
            std::make_unique<btCylinderShapeZ>(
                btVector3(single(s.radius), single(s.radius), single(0.5 * s.height)))};
  }
  Peers operator()(const Cone& s) const {  // ours about its centre of mass, theirs at half its height
    return {std::make_shared<fcl::Coned>(s.radius, s.height),
            std::make_unique<btConeShapeZ>(single(s.radius), single(s.height)), 0.25 * s.height};
  }
  Peers operator()(const Ellipsoid& s) const {
    return {std::make_shared<fcl::Ellipsoidd>(s.radii.x, s.radii.y, s.radii.z), nullptr};
  }
  Peers operator()(const Polyhedron& p) const {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    auto bullet = std::make_unique<btConvexHullShape>();
    for (const Vec3& v : p.vertices) {
      vertices->emplace_back(v.x, v.y, v.z);
      bullet->addPoint(btVector3(single(v.x), single(v.y), single(v.z)));
    }
    for (int f = 0; f < int(p.faces.size()); ++f) {
      faces->push_back(p.faces[std::size_t(f)].count);
      faces->insert(faces->end(), p.loop(f).begin(), p.loop(f).end());
    }
    return {std::make_shared<fcl::Convexd>(vertices, int(p.faces.size()), faces), std::move(bullet)};
  }
  template <class Other>
  Peers operator()(const Other&) const {
    return {};
  }
};

Peers peers_of(const Convex& c) {
  Peers out = std::visit(Make{}, c.core);
  if (out.bullet && !std::holds_alternative<Sphere>(c.core) && !std::holds_alternative<Capsule>(c.core))
    out.bullet->setMargin(0);  // margins round corners; a ball's and a rod's are its radius
  return out;
}

Vec3 place(const Peers& p, const Pose& pose) {
  return pose.position + rotate(pose.orientation, {0, 0, p.low});
}

double fcl_distance(const Peers& a, const Pose& pa, const Peers& b, const Pose& pb,
                    fcl::GJKSolverType solver) {
  const auto object = [](const Peers& p, const Pose& pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    const Quat& q = pose.orientation;
    const Vec3 at = place(p, pose);
    t.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    t.translation() = fcl::Vector3d(at.x, at.y, at.z);
    return fcl::CollisionObjectd(p.fcl, t);
  };
  const fcl::CollisionObjectd x = object(a, pa), y = object(b, pb);
  const fcl::DistanceRequestd request(true, false, 0, 0, 1e-9, solver);
  fcl::DistanceResultd result;
  return fcl::distance(&x, &y, request, result);
}

double bullet_distance(const Peers& a, const Pose& pa, const Peers& b, const Pose& pb) {
  const auto transform = [](const Peers& p, const Pose& pose) {
    const Quat& q = pose.orientation;
    const Vec3 at = place(p, pose);
    return btTransform(btQuaternion(single(q.x), single(q.y), single(q.z), single(q.w)),
                       btVector3(single(at.x), single(at.y), single(at.z)));
  };
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btGjkPairDetector detector(a.bullet.get(), b.bullet.get(), &simplex, &depth);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = transform(a, pa), input.m_transformB = transform(b, pb);
  btPointCollector found;
  detector.getClosestPoints(input, found, nullptr);
  return found.m_hasResult ? double(found.m_distance) : 1e9;
}

/// [m] at most: how far a point is outside of a body without rounding.
double outside(const Convex& c, const Pose& p, const Vec3& x) {
  double f = -1e300;
  for (int i = 0; i < face_count(c.core); ++i)
    f = std::max(f, face(c.core, i, rotate_back(p.orientation, x - p.position)).value);
  return f;
}

struct Difference {
  double worst = 0;  // [-] of the size
  int beyond = 0, open = 0;
  void see(double theirs, const ClosestPoints& ours, bool proved, double size, double tolerance) {
    const double difference = std::fabs(theirs - ours.gap) / size;
    worst = std::max(worst, difference);
    beyond += !(difference <= tolerance);
    open += !(difference <= tolerance) && !proved;
  }
};

bool measure(int i, int j, int poses) {
  ConvexRandom random(unsigned(4000 + 100 * i + j));
  Difference libccd, own, bullet;
  int done = 0, proofs = 0;
  bool has_bullet = false;
  while (done < poses) {
    const Convex a = random.body(i), b = random.body(j);
    Pose pa, pb;
    random.place(a, b, random.uniform(0.95, 1.5), pa, pb);
    const ClosestPoints c = closest_points(a, pa, b, pb);
    const double size = std::max(extent_of(a), extent_of(b));
    if (!(c.gap > 1e-3 * size)) continue;
    ++done;
    // planes along the normal are as far apart as the two points: no other pair of points is nearer
    const bool proved = std::fabs(separation(a, pa, b, pb, c.normal) - c.gap) <= proof * size &&
                        norm(c.point_b - c.point_a - c.gap * c.normal) <= proof * size &&
                        outside(a, pa, c.point_a) <= proof * size &&
                        outside(b, pb, c.point_b) <= proof * size;
    proofs += proved;
    const Peers x = peers_of(a), y = peers_of(b);
    libccd.see(fcl_distance(x, pa, y, pb, fcl::GST_LIBCCD), c, proved, size, fcl_tolerance);
    own.see(fcl_distance(x, pa, y, pb, fcl::GST_INDEP), c, proved, size, fcl_tolerance);
    has_bullet = x.bullet && y.bullet;
    if (has_bullet) bullet.see(bullet_distance(x, pa, y, pb), c, proved, size, bullet_tolerance);
  }
  const int open = libccd.open + own.open + bullet.open;
  Line line(std::string("distances/") + name(random.body(i).core) + "_" + name(random.body(j).core));
  line.whole("poses", poses).whole("proved", proofs);
  line.number("libccd", libccd.worst).whole("libccd_beyond", libccd.beyond);
  line.number("fcl", own.worst).whole("fcl_beyond", own.beyond);
  if (has_bullet) line.number("bullet", bullet.worst).whole("bullet_beyond", bullet.beyond);
  line.whole("open", open).flag("pass", open == 0 && proofs == poses).print();
  return open == 0 && proofs == poses;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  using namespace stiction::bench;
  const int poses = has_word(argc, argv, "--quick") ? 100 : 5000;
  bool good = true;
  for (const int i : kinds)
    for (const int j : kinds)
      if (j <= i) good = measure(i, j, poses) && good;
  return good ? 0 : 1;
}
