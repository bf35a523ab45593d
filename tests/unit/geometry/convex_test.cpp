// Convex bodies: supports against the implicit form and dense points of the surface, derivatives against
// finite differences, mass properties against closed forms of another kind.
#include "stiction/geometry/convex.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stiction/geometry/hull.h"
#include "support/size.h"

namespace stiction {
namespace {

constexpr double pi = 3.14159265358979323846;

Polyhedron random_hull(unsigned seed, int n) {
  std::mt19937 random(seed);
  std::normal_distribution<double> g;
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) points.push_back(normalized(Vec3{g(random), g(random), g(random)}));
  return convex_hull(points).or_exit();
}

std::vector<ConvexCore> cores() {
  return {
      Sphere{0.7},
      Box{{1, 0.5, 0.2}},
      Capsule{0.3, 0.9},
      Cylinder{0.4, 1.1},
      Cone{0.5, 0.8},
      Ellipsoid{{1, 0.6, 0.3}},
      Superellipsoid{{1, 0.7, 0.4}, 4, 3},
      Superellipsoid{{0.5, 0.7, 0.9}, 2, 8},
      Superellipsoid{{0.5, 0.5, 0.5}, 2.5, 2.2},
      random_hull(3, 30),
      intersection({ball_face({0, 0, -0.375}, 1), HalfSpace{{0, 0, -1}, 0.375}}).or_exit(),
      intersection({tube_face({0.1, 0, 0}, {0.1, 0.2, 1}, 0.4), cone_face({0, 0, 0.9}, {0, 0.1, 1}, 0.7),
                    HalfSpace{{0, 0.3, -1}, 0.5}})
          .or_exit(),
      intersection({CurvedFace{CurvedFace::Kind::superellipsoid,
                               {{0.8, 0.6, 0.7}, 4, 4},
                               {0.1, 0, 0},
                               normalized(Quat{1, 0.2, 0.1, 0.4})},
                    CurvedFace{CurvedFace::Kind::tube, {{0.7, 0.5, 1}}, {}, normalized(Quat{1, 0.5, 0.1, 0})},
                    paraboloid_face({0, 0, 0.5}, {0.2, 0.1, 1}, 0.8), HalfSpace{{1, 1, 1}, 0.5}})
          .or_exit()};
}

double inside(const ConvexCore& c, const Vec3& x) {
  double f = -1e300;
  for (int i = 0; i < face_count(c); ++i) f = std::fmax(f, face(c, i, x).value);
  return f;
}

TEST(Convex, SupportIsTheFarthestPointOfTheBody) {
  std::mt19937 random(1);
  std::normal_distribution<double> g;
  for (const ConvexCore& c : cores()) {
    std::vector<Vec3> body;  // points inside: from the origin to the surface along random rays, by bisection
    for (int i = 0; i < 2000; ++i) {
      const Vec3 u = normalized(Vec3{g(random), g(random), g(random)});
      double a = 0, b = 3;
      for (int k = 0; k < 60; ++k) (inside(c, 0.5 * (a + b) * u) <= 0 ? a : b) = 0.5 * (a + b);
      body.push_back(a * u);
    }
    for (int i = 0; i < test::cases(300, 300); ++i) {
      Vec3 n{g(random), g(random), g(random)};
      if (i % 10 == 1) n.x = 0;
      if (i % 10 == 2) n.y = 0, n.x = 0;
      const Vec3 s = support(c, n);
      EXPECT_LE(inside(c, s), 1e-13) << name(c);
      double most = -1e300;
      for (const Vec3& x : body) most = std::fmax(most, dot(n, x));
      EXPECT_GE(dot(n, s), most - 1e-13 * norm(n)) << name(c);
      EXPECT_LE(dot(n, s), most + 0.2 * norm(n)) << name(c);  // 2000 rays leave gaps of that order
    }
  }
}

TEST(Convex, BoundsAreTightAndIncludeRounding) {
  std::mt19937 random(2);
  std::normal_distribution<double> g;
  for (const ConvexCore& c : cores()) {
    const Convex plain = c, rounded{c, 0.1};
    const Mat3 R = rotation_matrix(normalized(Quat{g(random), g(random), g(random), g(random)}));
    const Bounds a = bounds(plain, R), b = bounds(rounded, R);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(b.high[i], a.high[i] + 0.1, 1e-14);
      EXPECT_NEAR(b.low[i], a.low[i] - 0.1, 1e-14);
      Vec3 e;
      e[i] = 1;
      EXPECT_NEAR(a.high[i], dot(e, R * support(c, transposed_times(R, e))), 1e-14);
    }
    EXPECT_NEAR(extent_of(rounded), extent_of(plain) + 0.2, 1e-14);
  }
}

// Central differences of value and gradient, Richardson-extrapolated: error about 1e-9 of the derivatives.
TEST(Implicit, DerivativesMatchDifferencesInBodyAndWorld) {
  std::mt19937 random(3);
  std::normal_distribution<double> g;
  for (const ConvexCore& c : cores())
    for (int k = 0; k < face_count(c); ++k)
      for (int trial = 0; trial < 50; ++trial) {
        const Mat3 R = rotation_matrix(normalized(Quat{g(random), g(random), g(random), g(random)}));
        const Vec3 p{g(random), g(random), g(random)};
        const Vec3 x = p + R * (support(c, {g(random), g(random), g(random)}) +
                                0.05 * Vec3{g(random), g(random), g(random)});
        const Implicit f = face(c, k, R, p, x);
        const Mat3 H = full(f.hessian);
        for (int i = 0; i < 3; ++i) {
          Vec3 e;
          e[i] = 1;
          const auto at = [&](double h) { return face(c, k, R, p, x + h * e); };
          const auto slope = [&](double h) { return (at(h).value - at(-h).value) / (2 * h); };
          const auto bend = [&](double h) { return (at(h).gradient - at(-h).gradient) / (2 * h); };
          const double h = 1e-4;
          EXPECT_NEAR(f.gradient[i], (4 * slope(h / 2) - slope(h)) / 3, 2e-7) << name(c) << " face " << k;
          const Vec3 b = (4.0 * bend(h / 2) - bend(h)) / 3.0;
          const Vec3 column = H.column(i);
          // superellipsoids of broken exponents have no fourth derivative at the planes: looser near them
          const double tolerance =
              c.index() == 7 || c.index() == 9 ? 1e-4 * (1 + norm(column)) : 1e-6 * (1 + norm(column));
          EXPECT_LE(norm(column - b), tolerance) << name(c) << " face " << k;
        }
      }
}

TEST(Implicit, IsADistanceToFirstOrder) {
  std::mt19937 random(4);
  std::normal_distribution<double> g;
  std::vector<ConvexCore> all = cores();
  all.push_back(Ellipsoid{{1000, 1, 0.5}});
  for (const ConvexCore& c : all) {
    if (face_count(c) > 1) continue;
    for (int trial = 0; trial < 200; ++trial) {
      const Vec3 n = normalized(Vec3{g(random), g(random), g(random)}), s = support(c, n);
      const Implicit f = face(c, 0, s);
      EXPECT_NEAR(f.value, 0, 1e-13 * extent_of(Convex{c}));
      EXPECT_LE(norm(f.gradient - n), 1e-9) << name(c);  // unit, and the normal the support was asked for
    }
  }
}

void expect_same(const Solid& a, const Solid& b, double tolerance) {
  const double v = b.volume, i = b.inertia.xx + b.inertia.yy + b.inertia.zz;
  EXPECT_NEAR(a.volume, v, tolerance * v);
  EXPECT_LE(norm(a.center - b.center), tolerance * std::cbrt(v));
  for (const auto& [x, y] : {std::pair{a.inertia.xx, b.inertia.xx},
                             {a.inertia.yy, b.inertia.yy},
                             {a.inertia.zz, b.inertia.zz},
                             {a.inertia.xy, b.inertia.xy},
                             {a.inertia.xz, b.inertia.xz},
                             {a.inertia.yz, b.inertia.yz}})
    EXPECT_NEAR(x, y, tolerance * i);
}

TEST(Solid, PolyhedronOfABoxAnywhere) {
  std::vector<Vec3> corners;
  const Vec3 center{3, -1, 2};
  const Quat q = normalized(Quat{1, 2, -0.5, 0.3});
  for (int i = 0; i < 8; ++i)
    corners.push_back(center + rotate(q, {i & 1 ? 0.5 : -0.5, i & 2 ? 1.0 : -1.0, i & 4 ? 0.2 : -0.2}));
  Solid box = solid(Box{{1, 2, 0.4}});
  box.center = center;
  box.inertia = turned(rotation_matrix(q), box.inertia);
  expect_same(solid(convex_hull(corners).or_exit()), box, 1e-14);
}

TEST(Solid, ConeAndCylinderAsLimitsOfPolyhedra) {
  // n-gons inscribed: the error falls as 1/n^2; extrapolated from n and 2 n it falls as 1/n^4.
  for (const double top : {0.0, 0.5}) {
    const auto prism = [&](int n) {
      std::vector<Vec3> points;
      const double low = top > 0 ? -0.5 : -0.25;
      for (int i = 0; i < n; ++i) {
        const double c = std::cos(2 * pi * i / n), s = std::sin(2 * pi * i / n);
        points.push_back({0.5 * c, 0.5 * s, low});
        if (top > 0) points.push_back({0.5 * c, 0.5 * s, 0.5});
      }
      if (top == 0) points.push_back({0, 0, 0.75});
      return solid(convex_hull(points).or_exit());
    };
    const Solid a = prism(100), b = prism(200);
    const auto limit = [](double x, double y) { return (4 * y - x) / 3; };
    const Solid got = top > 0 ? solid(Cylinder{0.5, 1}) : solid(Cone{0.5, 1});
    EXPECT_NEAR(got.volume, limit(a.volume, b.volume), 1e-6 * got.volume);
    EXPECT_NEAR(got.inertia.xx, limit(a.inertia.xx, b.inertia.xx), 1e-6 * got.inertia.xx);
    EXPECT_NEAR(got.inertia.zz, limit(a.inertia.zz, b.inertia.zz), 1e-6 * got.inertia.zz);
    EXPECT_LE(norm(a.center), 1e-4);
  }
}

TEST(Solid, SuperellipsoidAgainstGammaFunctions) {
  const auto beta = [](double x, double y) {
    return std::exp(std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y));
  };
  for (const auto& [p, q] : {std::pair{2.0, 2.0}, {4.0, 3.0}, {2.5, 20.0}, {20.0, 20.0}, {2.0, 7.3}}) {
    const double a = 0.5, b = 0.7, c = 1.3, e1 = 2 / q, e2 = 2 / p;
    // int_0^1 x^k (1 - x^p)^(m/p) dx = B((k + 1) / p, m / p + 1) / p, with B by the C library's lgamma
    const double volume = 2 * a * b * c * e1 * e2 * beta(e1 / 2 + 1, e1) * beta(e2 / 2, e2 / 2);
    const double xx =
        0.5 * a * a * a * b * c * e1 * e2 * beta(1.5 * e2, 0.5 * e2) * beta(0.5 * e1, 2 * e1 + 1);
    const double zz = 2 * a * b * c * c * c * e1 * e2 * beta(0.5 * e2, 0.5 * e2 + 1) * beta(1.5 * e1, e1 + 1);
    const double yy = xx * b * b / (a * a);
    const Solid s = solid(Superellipsoid{{a, b, c}, p, q});
    EXPECT_NEAR(s.volume, volume, 1e-12 * volume) << p << " " << q;
    EXPECT_NEAR(s.inertia.xx, yy + zz, 1e-12 * (yy + zz)) << p << " " << q;
    EXPECT_NEAR(s.inertia.zz, xx + yy, 1e-12 * (xx + yy)) << p << " " << q;
  }
  expect_same(solid(Superellipsoid{{1, 2, 3}}), solid(Ellipsoid{{1, 2, 3}}), 1e-13);
  expect_same(solid(Ellipsoid{{2, 2, 2}}), solid(Sphere{2}), 1e-15);
  expect_same(solid(Convex{Sphere{1.5}, 0.5}), solid(Sphere{2}), 1e-15);
}

}  // namespace
}  // namespace stiction
