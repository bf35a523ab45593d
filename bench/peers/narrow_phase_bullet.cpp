// Contact points of single pairs beside Bullet's narrow phase: spheres, boxes, capsules that overlap by up to
// 1 % of their size, half of the boxes and capsules flat against each other but for a milliradian. Ours is
// find_contacts(), which keeps nothing between calls. Bullet's is processCollision() of the algorithm it
// chooses, one for each pair with its own persistent manifold, as its dispatcher keeps them; it computes in
// single precision. Bar: 0.7 of Bullet's time, for each kind. The same for pairs apart by less than the
// margin stands beside it without a bar: there Bullet finds nothing for spheres and boxes, we the contacts of
// the next step.
//   bench_narrow_phase_bullet [--quick]
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <memory>
#include <random>

#include "../bench.h"
#include "stiction/collision/collision.h"

namespace stiction::bench {
namespace {

constexpr double bar = 0.7, margin = 0.02;  // [-], [m]
constexpr int pairs = 1000;

using collision::Pose;

struct Kind {
  const char* name;
  Shape shape;
  std::unique_ptr<btCollisionShape> peer;
};

struct Pair {
  Pose a, b;
};

Quat turned(std::mt19937_64& random, double angle) {
  std::normal_distribution<double> normal;
  const Vec3 axis = normalized(Vec3{normal(random), normal(random), normal(random)});
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

/// How far apart the centres are along `d` when the shapes touch: by bisection on our own gap.
double touching_distance(const Shape& s, Pair p, const Vec3& d) {
  double low = 0, high = 4;
  std::vector<ContactPoint> points;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    p.b.position = p.a.position + middle * d;
    points.clear();
    collision::find_contacts(0, s, p.a, 1, s, p.b, 1e-9, points);
    (points.empty() ? high : low) = middle;
  }
  return high;
}

std::vector<Pair> poses(const Shape& s, bool apart) {
  std::mt19937_64 random(21);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> u(0, 1);
  std::vector<Pair> out(pairs);
  for (int i = 0; i < pairs; ++i) {
    Pair& p = out[std::size_t(i)];
    p.a.position = {u(random), u(random), u(random)};
    const bool flat = i % 2 == 0;
    p.a.orientation = turned(random, flat ? 1e-3 : 3 * u(random));
    p.b.orientation = flat ? turned(random, 1e-3) : turned(random, 3 * u(random));
    const Vec3 d = flat ? normalized(Vec3{0.3 * u(random), 1, 0.3 * u(random)})
                        : normalized(Vec3{normal(random), normal(random), normal(random)});
    const double gap = apart ? 0.9 * margin * u(random) : -0.01 * u(random);
    p.b.position = p.a.position + (touching_distance(s, p, d) + gap) * d;
  }
  return out;
}

btTransform of(const Pose& p) {
  return btTransform(btQuaternion(btScalar(p.orientation.x), btScalar(p.orientation.y),
                                  btScalar(p.orientation.z), btScalar(p.orientation.w)),
                     btVector3(btScalar(p.position.x), btScalar(p.position.y), btScalar(p.position.z)));
}

class Peer {
 public:
  Peer(btCollisionShape& shape, const std::vector<Pair>& poses) {
    for (const Pair& p : poses) {
      for (const Pose* pose : {&p.a, &p.b}) {
        objects_.push_back(std::make_unique<btCollisionObject>());
        objects_.back()->setCollisionShape(&shape);
        objects_.back()->setWorldTransform(of(*pose));
      }
      btCollisionObject &a = *objects_[objects_.size() - 2], &b = *objects_.back();
      const btCollisionObjectWrapper wa(nullptr, &shape, &a, a.getWorldTransform(), -1, -1);
      const btCollisionObjectWrapper wb(nullptr, &shape, &b, b.getWorldTransform(), -1, -1);
      algorithms_.push_back(dispatcher_.findAlgorithm(&wa, &wb, nullptr, BT_CONTACT_POINT_ALGORITHMS));
    }
  }
  ~Peer() {
    for (btCollisionAlgorithm* x : algorithms_) {
      x->~btCollisionAlgorithm();
      dispatcher_.freeCollisionAlgorithm(x);
    }
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  long long run() {
    long long points = 0;
    for (std::size_t i = 0; i < algorithms_.size(); ++i) {
      btCollisionObject &a = *objects_[2 * i], &b = *objects_[2 * i + 1];
      const btCollisionObjectWrapper wa(nullptr, a.getCollisionShape(), &a, a.getWorldTransform(), -1, -1);
      const btCollisionObjectWrapper wb(nullptr, b.getCollisionShape(), &b, b.getWorldTransform(), -1, -1);
      btManifoldResult result(&wa, &wb);
      algorithms_[i]->processCollision(&wa, &wb, info_, &result);
      if (const btPersistentManifold* m = result.getPersistentManifold()) points += m->getNumContacts();
    }
    return points;
  }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDispatcherInfo info_;
  std::vector<std::unique_ptr<btCollisionObject>> objects_;
  std::vector<btCollisionAlgorithm*> algorithms_;
};

double compare(const Kind& kind, bool apart, int rounds) {
  const std::vector<Pair> list = poses(kind.shape, apart);
  Peer peer(*kind.peer, list);
  std::vector<ContactPoint> points;
  double ours = 1e300, theirs = 1e300;  // [s] the best round: what else the machine does only adds
  long long count = 0, peer_count = 0;
  for (int i = 0; i < rounds; ++i) {
    ours = std::min(ours, seconds_of([&] {
                      count = 0;
                      for (const Pair& p : list) {
                        points.clear();
                        collision::find_contacts(0, kind.shape, p.a, 1, kind.shape, p.b, margin, points);
                        count += (long long)(points.size());
                      }
                    }));
    theirs = std::min(theirs, seconds_of([&] { peer_count = peer.run(); }));
  }
  const double ratio = ours / theirs;
  Line(std::string("narrow_phase_bullet/") + kind.name + (apart ? "/apart" : ""))
      .number("ns_per_pair", 1e9 * ours / pairs)
      .number("bullet_ns_per_pair", 1e9 * theirs / pairs)
      .number("ratio", ratio)
      .number("points_per_pair", double(count) / pairs)
      .number("bullet_points_per_pair", double(peer_count) / pairs)
      .print();
  return ratio;
}

bool measure(bool quick) {
  Kind kinds[] = {
      {"sphere_sphere", Sphere{0.5}, std::make_unique<btSphereShape>(btScalar(0.5))},
      {"box_box", Box{{1, 1, 1}}, std::make_unique<btBoxShape>(btVector3(0.5f, 0.5f, 0.5f))},
      {"capsule_capsule", Capsule{0.25, 1}, std::make_unique<btCapsuleShapeZ>(btScalar(0.25), btScalar(1))}};
  const int rounds = quick ? 20 : 400;
  double worst = 0;
  for (const Kind& k : kinds) {
    worst = std::max(worst, compare(k, false, rounds));
    compare(k, true, rounds);
  }
  const bool pass = worst <= bar;
  Line("narrow_phase_bullet").number("worst_ratio", worst).number("bar", bar).flag("pass", pass).print();
  return pass;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  return stiction::bench::measure(stiction::bench::has_word(argc, argv, "--quick")) ? 0 : 1;
}
