// Convex bodies and poses for tests, and a second way to the separation of a pair.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "stiction/collision/convex/closest_points.h"
#include "stiction/geometry/hull.h"
#include "unit/geometry/random_intersection.h"

namespace stiction::collision {

class ConvexRandom {
 public:
  explicit ConvexRandom(unsigned seed) : random_(seed) {}
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  double length() { return uniform(0.2, 1.2); }
  Vec3 gauss() {
    std::normal_distribution<double> g;
    const double x = g(random_), y = g(random_), z = g(random_);
    return {x, y, z};
  }
  Quat turn() {
    const Vec3 a = gauss();
    return normalized(Quat{gauss().x, a.x, a.y, a.z});
  }
  static constexpr int kinds = 12;
  Convex body(int kind) {
    switch (kind) {
      case 0:
        return Sphere{length()};
      case 1:
        return Box{{length(), length(), length()}};
      case 2:
        return Capsule{0.5 * length(), length()};
      case 3:
        return Cylinder{0.5 * length(), length()};
      case 4:
        return Cone{0.5 * length(), length()};
      case 5:
        return Ellipsoid{{length(), length(), length()}};
      case 6:
        return Superellipsoid{{length(), length(), length()}, uniform(2, 8), uniform(2, 8)};
      case 7:
        return hull(int(uniform(4, 40)));
      case 8:
        return {Box{{length(), length(), length()}}, 0.1 * length()};
      case 9:
        return {Cylinder{0.5 * length(), length()}, 0.1 * length()};
      case 10:
        return cut();
      default:
        return {intersection({ball_face({}, length()), HalfSpace{gauss(), uniform(-0.1, 0.1)}}).or_exit(),
                0.1 * length()};
    }
  }
  // dome, lens, cut tube, frustum, box with a cut corner, ..., cone with apex; random faces of every kind
  Intersection cut() {
    RandomIntersection other{unsigned(uniform(0, 1e9))};
    const int kind = int(uniform(0, 12));
    switch (kind) {
      case 0:
        return other.named(0);
      case 1:
        return intersection({ball_face({0, 0, 0.5}, length() + 0.5), ball_face({0, 0, -0.5}, length() + 0.5)})
            .or_exit();
      case 2:
        return intersection({tube_face({}, gauss(), length()), ball_face({0.1, 0, 0}, 1.3)}).or_exit();
      case 3:
        return other.named(3);
      case 4:
        return other.named(6);
      case 5:
        return other.named(9);
      default:
        for (;;)
          if (Intersection body = other.stout(kind - 4); body.size < 4) return body;
    }
  }
  Polyhedron hull(int points) {
    std::vector<Vec3> p;
    const Vec3 size{length(), length(), length()};
    for (int i = 0; i < points; ++i) p.push_back(times(size, normalized(gauss())));
    return convex_hull(p).or_exit();
  }
  // b beside a: their extents along a random line meet at `apart` = 1, overlap below.
  void place(const Convex& a, const Convex& b, double apart, Pose& pa, Pose& pb) {
    pa = {gauss(), turn()}, pb = {{}, turn()};
    const Vec3 u = normalized(gauss());
    const auto reach = [&](const Convex& c, const Pose& p, const Vec3& n) {
      if (std::holds_alternative<HalfSpace>(c.core)) return 0.5;
      const Vec3 local = rotate_back(p.orientation, n);
      return dot(local, support(c, local));
    };
    pb.position = pa.position + apart * (reach(a, pa, u) + reach(b, pb, -u)) * u;
  }

 private:
  std::mt19937_64 random_;
};

// The separation along n, by the support functions of the whole bodies.
inline double separation(const Convex& a, const Pose& pa, const Convex& b, const Pose& pb, const Vec3& n) {
  const Vec3 na = rotate_back(pa.orientation, n), nb = rotate_back(pb.orientation, -n);
  return dot(n, pb.position - pa.position) - dot(nb, support(b, nb)) - dot(na, support(a, na));
}

// The greatest separation found by sampling the sphere and climbing from the best samples: a lower bound of
// the gap that shares nothing with closest_points() but the support functions.
inline double sampled_gap(const Convex& a, const Pose& pa, const Convex& b, const Pose& pb, int samples,
                          const Vec3* hint) {
  const double golden = 2.399963229728653;
  std::vector<std::pair<double, Vec3>> best;
  const auto keep = [&](const Vec3& n) {
    best.emplace_back(separation(a, pa, b, pb, n), n);
    for (std::size_t i = best.size() - 1; i > 0 && best[i].first > best[i - 1].first; --i)
      std::swap(best[i], best[i - 1]);
    if (best.size() > 3) best.pop_back();
  };
  for (int i = 0; i < samples; ++i) {
    const double z = 1 - (2 * i + 1.0) / samples, r = std::sqrt(1 - z * z);
    keep({r * std::cos(golden * i), r * std::sin(golden * i), z});
  }
  if (hint) keep(*hint);
  double top = -1e300;
  for (auto& [value, n] : best) {
    double step = 2.0 / std::sqrt(double(samples));
    for (int turn = 0; turn < 60 && step > 1e-10; ++turn) {
      Vec3 t, o;
      tangents(n, t, o);
      bool better = false;
      for (int k = 0; k < 6; ++k) {
        const double angle = 1.0471975511965976 * k + 0.7 * turn;
        const Vec3 m = normalized(n + step * (std::cos(angle) * t + std::sin(angle) * o));
        if (const double s = separation(a, pa, b, pb, m); s > value) value = s, n = m, better = true;
      }
      if (!better) step *= 0.6;
    }
    top = std::fmax(top, value);
  }
  return top;
}

}  // namespace stiction::collision
