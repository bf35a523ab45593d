// Random bodies of convex inequalities, of every kind and of many shapes: stout, flat, needle-like, with
// faces that touch, that nearly coincide and that do not matter.
#pragma once

#include <random>

#include "stiction/geometry/intersection.h"

namespace stiction {

class RandomIntersection {
 public:
  explicit RandomIntersection(unsigned seed) : random_(seed) {}

  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  double log_uniform(double a, double b) { return std::exp(uniform(std::log(a), std::log(b))); }
  Vec3 direction() {
    std::normal_distribution<double> g;
    return normalized(Vec3{g(random_), g(random_), g(random_)});
  }
  Quat turn() {
    const Vec3 a = direction();
    return normalized(Quat{uniform(-1, 1), a.x, a.y, a.z});
  }
  Vec3 somewhere(double reach) { return uniform(0, reach) * direction(); }

  /// A face that holds the ball of radius 0.2 about the origin.
  Inequality face() {
    const int kind = int(uniform(0, 7));
    if (kind < 2) return HalfSpace{uniform(0.5, 2) * direction(), uniform(0.25, 1)};
    if (kind == 2) return ball_face(somewhere(0.5), uniform(0.8, 2));
    const Vec3 d = direction();
    if (kind == 3) return tube_face(somewhere(0.2), d, uniform(0.5, 1));
    if (kind == 4) return cone_face(uniform(0.8, 1.5) * d, d, uniform(0.4, 2));
    if (kind == 5) return paraboloid_face(uniform(0.5, 1) * d, d, uniform(0.5, 1.5));
    return CurvedFace{
        CurvedFace::Kind::superellipsoid,
        {{uniform(0.5, 1.2), uniform(0.5, 1.2), uniform(0.5, 1.2)}, uniform(2, 8), uniform(2, 8)},
        somewhere(0.1),
        turn()};
  }

  /// Stout: random faces around the origin, closed by a ball where they would not be bounded.
  Intersection stout(int faces) {
    std::vector<Inequality> list;
    for (int i = 0; i < faces; ++i) list.push_back(face());
    if (Result<Intersection> made = intersection(list)) return std::move(made).value();
    list.push_back(ball_face({}, 1.5));
    return intersection(list).or_exit();
  }

  /// Named bodies: dome, lens (down to a coin), cut tube (needle to disk), frustum, box with a cut corner,
  /// ellipsoid slice, a ball with a plane that touches it, a ball in a tube of the same radius, two balls
  /// that nearly coincide, a cone with its apex.
  static constexpr int named_kinds = 10;
  Intersection named(int kind) {
    const double r = log_uniform(0.3, 1);
    const Vec3 z = direction();
    const auto plane = [](const Vec3& n, double d) { return Inequality(HalfSpace{n, d}); };
    switch (kind) {
      case 0:
        return intersection({ball_face({}, r), plane(z, uniform(-0.5, 0.5) * r)}).or_exit();
      case 1: {
        const double thickness = log_uniform(1e-3, 1) * r;
        return intersection(
                   {ball_face((r - 0.5 * thickness) * z, r), ball_face(-(r - 0.5 * thickness) * z, r)})
            .or_exit();
      }
      case 2: {
        const double h = log_uniform(1e-3, 1e2) * r;
        return intersection({tube_face({}, z, r), plane(z, h), plane(-z, uniform(0.5, 1) * h)}).or_exit();
      }
      case 3:
        return intersection(
                   {cone_face(r * z, z, uniform(0.3, 2)), plane(z, uniform(0, 0.5) * r), plane(-z, r)})
            .or_exit();
      case 4: {
        std::vector<Inequality> list;
        for (int i = 0; i < 6; ++i) {
          Vec3 n;
          n[i / 2] = i % 2 ? -1 : 1;
          list.push_back(plane(n, log_uniform(0.05, 1)));
        }
        list.push_back(plane({1, 1, 1}, 0.05));
        return intersection(list).or_exit();
      }
      case 5:
        return intersection({CurvedFace{CurvedFace::Kind::ellipsoid,
                                        {{r, log_uniform(0.01, 1), log_uniform(0.01, 1)}},
                                        {},
                                        turn()},
                             plane(z, uniform(0.001, 0.01)), plane(-z, 0.005)})
            .or_exit();
      case 6:
        return intersection({ball_face({}, r), plane(z, r), plane(-z, 0.2 * r)}).or_exit();
      case 7:
        return intersection({ball_face({}, r), tube_face({}, z, r), plane(z, 0.4 * r)}).or_exit();
      case 8:
        return intersection({ball_face({}, r), ball_face(log_uniform(1e-9, 1e-2) * r * z, r)}).or_exit();
      default:
        return intersection({cone_face(r * z, z, uniform(0.3, 2)), plane(-z, uniform(0, 0.5)),
                             plane(direction(), 2 * r)})
            .or_exit();
    }
  }
  Intersection any() {
    const int kind = int(uniform(0, 2 * named_kinds));
    return kind < named_kinds ? named(kind) : stout(1 + int(uniform(0, 6)));
  }

 private:
  std::mt19937 random_;
};

}  // namespace stiction
