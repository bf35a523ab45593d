// Volume, centre and inertia of convex bodies of density 1.
//   cylinder   V = pi r^2 h        I_z = V r^2 / 2       I_x = V (3 r^2 + h^2) / 12
//   cone       V = pi r^2 h / 3    I_z = 3/10 V r^2      I_x = V (3/20 r^2 + 3/80 h^2)
//   ellipsoid  V = 4/3 pi a b c    I_x = V (b^2 + c^2) / 5, cyclic
//   superellipsoid  V = 8 a b c S_0 W_2,  int x^2 = 8 a^3 b c S_2 W_4,  int z^2 = 8 a b c^3 S_0 Z_2, where
//              S_k = int_0^1 x^k (1 - x^p)^(1/p) dx,  W_m = int_0^1 (1 - z^q)^(m/q) dz,  Z_2 = int z^2
//              (..)^(2/q)
// Polyhedra and rounded bodies: rounded_solid.cpp; intersections: intersection_solid.cpp, revolution.cpp.
// Sphere, box, capsule: shape.cpp, with the radius enlarged where rounded. The integrals of the
// superellipsoid have algebraic ends; the double exponential rule (Takahasi and Mori, 1974) converges on them
// for every exponent. p = across, q = along [-]; lengths [m]; I [m^5]. Fails for: HalfSpace and rounded
// cones, ellipsoids and superellipsoids (volume 0).
#include "stiction/base/cases.h"
#include "stiction/geometry/detail/intersection_solid.h"
#include "stiction/geometry/detail/rounded_solid.h"
#include "stiction/geometry/shape.h"
#include "stiction/math/elementary.h"

namespace stiction {
namespace {

constexpr double pi = 3.14159265358979323846;

Solid from_shape(const Shape& s) {
  const double v = volume(s);
  const Vec3 i = mass_properties(s, v).inertia;
  return {v, {}, {i.x, i.y, i.z, 0, 0, 0}};
}

Solid diagonal(double volume, const Vec3& i) {
  return {volume, {}, {volume * i.x, volume * i.y, volume * i.z, 0, 0, 0}};
}

// int_0^1 x^k (1 - x^p)^(m/p) dx by the double exponential rule: x = 1 / (1 + exp(-pi sinh t)); both x and
// 1 - x are formed without cancellation.
double beta_integral(double k, double p, double m) {
  const double step = 1.0 / 64;
  double sum = 0;
  for (int i = -64 * 5; i <= 64 * 5; ++i) {
    const double t = step * i, e = elementary::exp(t), sinh = 0.5 * (e - 1 / e), cosh = 0.5 * (e + 1 / e);
    const double y = elementary::exp(-pi * std::fabs(sinh));
    const double small = y / (1 + y), large = 1 / (1 + y);
    const double x = sinh > 0 ? large : small, rest = sinh > 0 ? small : large;  // rest = 1 - x
    if (!(small > 0)) continue;
    // 1 - x^p, where x is near 1 by 1 - (1 - r)^p = -expm1(p log1p(-r)), by series for small r
    double left = 1 - elementary::pow(x, p);
    if (rest < 1e-3)
      left = p * rest * (1 - 0.5 * (p - 1) * rest * (1 - (p - 2) / 3 * rest * (1 - (p - 3) / 4 * rest)));
    sum += step * pi * cosh * x * rest * elementary::pow(x, k) * elementary::pow(left, m / p);
  }
  return sum;
}

Solid superellipsoid_solid(const Superellipsoid& s) {
  const double p = s.across, q = s.along;
  const Vec3 r = s.radii;
  // quarter section |x|^p + |y|^p <= 1: area and int x^2
  const double s0 = beta_integral(0, p, 1), s2 = beta_integral(2, p, 1);
  // along z: w = (1 - z^q)^(1/q)
  const double w2 = beta_integral(0, q, 2), w4 = beta_integral(0, q, 4), z2w2 = beta_integral(2, q, 2);
  const double abc = 8 * r.x * r.y * r.z, volume = abc * s0 * w2;
  const double xx = abc * r.x * r.x * s2 * w4, yy = abc * r.y * r.y * s2 * w4,
               zz = abc * r.z * r.z * s0 * z2w2;
  return {volume, {}, {yy + zz, xx + zz, xx + yy, 0, 0, 0}};
}

}  // namespace

Solid solid(const Convex& body) {
  const double rounding = body.rounding;
  if (const auto* s = std::get_if<Sphere>(&body.core)) return from_shape(Sphere{s->radius + rounding});
  if (const auto* c = std::get_if<Capsule>(&body.core))
    return from_shape(Capsule{c->radius + rounding, c->length});
  if (const auto* p = std::get_if<Polyhedron>(&body.core)) return detail::rounded_solid(*p, rounding);
  if (const auto* i = std::get_if<Intersection>(&body.core)) return detail::intersection_solid(*i, rounding);
  if (rounding > 0) {
    if (const auto* b = std::get_if<Box>(&body.core)) return detail::rounded_solid(*b, rounding);
    if (const auto* c = std::get_if<Cylinder>(&body.core)) return detail::rounded_solid(*c, rounding);
    return {};
  }
  return std::visit(
      Cases{[](const Sphere&) { return Solid{}; }, [](const Capsule&) { return Solid{}; },
            [](const HalfSpace&) { return Solid{}; }, [](const Box& b) { return from_shape(b); },
            [](const Cylinder& c) {
              const double r2 = c.radius * c.radius, x = (3 * r2 + c.height * c.height) / 12;
              return diagonal(pi * r2 * c.height, {x, x, 0.5 * r2});
            },
            [](const Cone& c) {
              const double r2 = c.radius * c.radius, x = 0.15 * r2 + 0.0375 * c.height * c.height;
              return diagonal(pi * r2 * c.height / 3, {x, x, 0.3 * r2});
            },
            [](const Ellipsoid& e) {
              const Vec3 q = 0.2 * times(e.radii, e.radii);
              return diagonal(4.0 / 3.0 * pi * e.radii.x * e.radii.y * e.radii.z,
                              {q.y + q.z, q.z + q.x, q.x + q.y});
            },
            [](const Superellipsoid& s) { return superellipsoid_solid(s); },
            [](const Polyhedron&) { return Solid{}; }, [](const Intersection&) { return Solid{}; },
            [](const Triangle&) { return Solid{}; }},
      body.core);
}

}  // namespace stiction
