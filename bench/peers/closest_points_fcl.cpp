// Closest points of single pairs beside FCL (with libccd inside, and with its own solver): hulls of 32 points
// and ellipsoids, apart by up to half their size. Ours starts from the result of the pose before (the body
// has moved by 1 % of its size and turned by 0.01 rad since), FCL from cold. FCL is asked for the tolerances
// 1e-6 (its default) and 1e-9, and its own error, against ours, stands beside the time; ours goes to
// round-off. Bar: 0.5 of FCL's faster solver, for each kind, at 1e-9.
//   bench_closest_points_fcl [--quick]
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <random>

#include "../bench.h"
#include "stiction/collision/convex/closest_points.h"
#include "stiction/geometry/hull.h"

namespace stiction::bench {
namespace {

constexpr double bar = 0.5, moved = 0.01;  // [-], of the size and in rad
constexpr int pairs = 500;

using collision::ClosestPoints, collision::Pose;
using PeerShape = std::shared_ptr<fcl::CollisionGeometryd>;

struct Body {
  Convex ours;
  PeerShape peer;
};
struct Pair {
  Body a, b;
  Pose pose_a, pose_b;
  ClosestPoints before;  // at the pose before
};

Vec3 direction(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return normalized(Vec3{normal(random), normal(random), normal(random)});
}
Quat turned(std::mt19937_64& random, double angle) {
  const Vec3 axis = direction(random);
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

Body ellipsoid(std::mt19937_64& random) {
  std::uniform_real_distribution<double> u(0.4, 1);
  const Vec3 r{u(random), u(random), u(random)};
  return {Ellipsoid{r}, std::make_shared<fcl::Ellipsoidd>(r.x, r.y, r.z)};
}

Body hull(std::mt19937_64& random) {
  std::vector<Vec3> points(32);
  for (Vec3& p : points) p = direction(random);
  Polyhedron p = convex_hull(points).or_exit();
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  auto faces = std::make_shared<std::vector<int>>();
  for (const Vec3& v : p.vertices) vertices->emplace_back(v.x, v.y, v.z);
  for (int f = 0; f < int(p.faces.size()); ++f) {
    faces->push_back(p.faces[std::size_t(f)].count);
    faces->insert(faces->end(), p.loop(f).begin(), p.loop(f).end());
  }
  const int count = int(p.faces.size());
  return {std::move(p), std::make_shared<fcl::Convexd>(vertices, count, faces)};
}

template <class Make>
std::vector<Pair> make_pairs(const Make& make) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> u(0, 1);
  std::vector<Pair> out;
  while (int(out.size()) < pairs) {
    Pair p{make(random), make(random), {}, {}, {}};
    p.pose_a = {direction(random), turned(random, 3 * u(random))};
    p.pose_b = {p.pose_a.position + (1 + 2 * u(random)) * direction(random), turned(random, 3 * u(random))};
    p.before = closest_points(p.a.ours, p.pose_a, p.b.ours, p.pose_b);
    p.pose_b.position += 2 * moved * direction(random);
    p.pose_b.orientation = normalized(turned(random, moved) * p.pose_b.orientation);
    const double gap = closest_points(p.a.ours, p.pose_a, p.b.ours, p.pose_b).gap;
    if (p.before.gap > 1e-3 && gap > 1e-3 && gap < 1) out.push_back(std::move(p));
  }
  return out;
}

fcl::Transform3d of(const Pose& p) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  t.linear() =
      fcl::Quaterniond(p.orientation.w, p.orientation.x, p.orientation.y, p.orientation.z).toRotationMatrix();
  t.translation() = fcl::Vector3d(p.position.x, p.position.y, p.position.z);
  return t;
}

struct Times {
  double best = 1e300, error = 0;  // [s] of a round, [m]
};

class Comparison {
 public:
  Comparison(const char* name, std::vector<Pair> list) : name_(name), pairs_(std::move(list)) {
    for (const Pair& p : pairs_) {
      objects_.emplace_back(p.a.peer, of(p.pose_a)), objects_.emplace_back(p.b.peer, of(p.pose_b));
      gaps_.push_back(closest_points(p.a.ours, p.pose_a, p.b.ours, p.pose_b).gap);
    }
  }
  double run(int rounds) {
    Times warm, cold, peers[2][2];
    const double tolerances[2] = {1e-6, 1e-9};
    const fcl::GJKSolverType solvers[2] = {fcl::GST_LIBCCD, fcl::GST_INDEP};
    for (int i = 0; i < rounds; ++i) {
      ours(true, warm), ours(false, cold);
      for (int k = 0; k < 2; ++k)
        for (int s = 0; s < 2; ++s) theirs(tolerances[k], solvers[s], peers[k][s]);
    }
    const double ratio = warm.best / std::min(peers[1][0].best, peers[1][1].best);
    const auto ns = [](const Times& t) { return 1e9 * t.best / pairs; };
    Line(std::string("closest_points_fcl/") + name_)
        .number("warm_ns", ns(warm))
        .number("cold_ns", ns(cold))
        .number("warm_to_cold_difference", warm.error)
        .number("libccd_1e-6_ns", ns(peers[0][0]))
        .number("libccd_1e-6_error", peers[0][0].error)
        .number("libccd_1e-9_ns", ns(peers[1][0]))
        .number("libccd_1e-9_error", peers[1][0].error)
        .number("fcl_1e-6_ns", ns(peers[0][1]))
        .number("fcl_1e-6_error", peers[0][1].error)
        .number("fcl_1e-9_ns", ns(peers[1][1]))
        .number("fcl_1e-9_error", peers[1][1].error)
        .number("ratio_at_1e-6", warm.best / std::min(peers[0][0].best, peers[0][1].best))
        .number("ratio", ratio)
        .number("bar", bar)
        .flag("pass", ratio <= bar)
        .print();
    return ratio;
  }

 private:
  void ours(bool warm, Times& t) {
    t.best = std::min(
        t.best, seconds_of([&] {
          for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const Pair& p = pairs_[i];
            const double gap =
                closest_points(p.a.ours, p.pose_a, p.b.ours, p.pose_b, warm ? &p.before : nullptr).gap;
            t.error = std::max(t.error, std::fabs(gap - gaps_[i]));
          }
        }));
  }
  void theirs(double tolerance, fcl::GJKSolverType solver, Times& t) {
    t.best = std::min(t.best, seconds_of([&] {
                        for (std::size_t i = 0; i < pairs_.size(); ++i) {
                          fcl::DistanceRequestd request(true, false, 0, 0, tolerance, solver);
                          fcl::DistanceResultd result;
                          const double d =
                              fcl::distance(&objects_[2 * i], &objects_[2 * i + 1], request, result);
                          t.error = std::max(t.error, std::fabs(d - gaps_[i]));
                        }
                      }));
  }

  const char* name_;
  std::vector<Pair> pairs_;
  std::vector<fcl::CollisionObjectd> objects_;
  std::vector<double> gaps_;
};

bool measure(bool quick) {
  const int rounds = quick ? 3 : 60;
  const double hulls = Comparison("hull_32", make_pairs(hull)).run(rounds);
  const double round = Comparison("ellipsoid", make_pairs(ellipsoid)).run(rounds);
  return std::max(hulls, round) <= bar;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  return stiction::bench::measure(stiction::bench::has_word(argc, argv, "--quick")) ? 0 : 1;
}
