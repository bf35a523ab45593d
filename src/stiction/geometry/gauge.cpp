// N(x) = |(|(x/a, y/b)|_p, z/c)|_q: the norm of two nested norms of two numbers,
//   M(s, t) = (s^p + t^p)^(1/p),  A = s/M, B = t/M:   M_s = A^(p-1),  M_ss = (p-1) A^(p-2) B^p / M,
//   M_st = -(p-1) (A B)^(p-1) / M,
// with the chain rule. Third derivatives by the same formulas with numbers that carry a derivative. The point
// farthest along n is the gradient of the dual norm, which has exponents p/(p-1), q/(q-1) and radii 1/a, ...
// Symbols: a, b, c radii [m]; p = across, q = along [-]. Reference: Barr, Superquadrics and angle-preserving
// transformations, 1981; dual norms: Rockafellar, Convex Analysis, section 15.
// Fails: undefined at the centre; second derivatives jump at the poles when q = 2 and p > 2 (there taken as
// 0), third ones are infinite on the planes x = 0, ... for exponents between 2 and 3 (there taken as 0).
#include "stiction/geometry/detail/gauge.h"

#include "stiction/math/elementary.h"

namespace stiction::detail {
namespace {

struct Dual {  // a number and its derivative along a direction
  double v = 0, d = 0;
};
Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
Dual operator*(double a, Dual b) { return {a * b.v, a * b.d}; }
Dual operator/(Dual a, Dual b) { return {a.v / b.v, (a.d - a.v / b.v * b.d) / b.v}; }

double power(double x, double p) {  // x >= 0
  if (p == 0) return 1;
  if (p == 1) return x;
  if (p == 2) return x * x;
  if (x == 0) return 0;
  return elementary::pow(x, p);
}
Dual power(Dual x, double p) { return {power(x.v, p), p == 0 ? 0.0 : p * power(x.v, p - 1) * x.d}; }
double value_of(double x) { return x; }
double value_of(Dual x) { return x.v; }

template <class S>
struct Norm2 {
  S m{}, s{}, t{}, ss{}, st{}, tt{};
};
// Both zero: all derivatives zero.
template <class S>
Norm2<S> norm_of_two(S s, S t, double p) {
  Norm2<S> n;
  const double large = std::fmax(value_of(s), value_of(t));
  if (!(large > 0)) return n;
  const S a = (1 / large) * s, b = (1 / large) * t;
  n.m = large * power(power(a, p) + power(b, p), 1 / p);
  const S A = s / n.m, B = t / n.m;
  const S a1 = power(A, p - 1), b1 = power(B, p - 1);
  n.s = a1, n.t = b1;
  n.ss = (p - 1) * (power(A, p - 2) * (b1 * B) / n.m);
  n.tt = (p - 1) * (power(B, p - 2) * (a1 * A) / n.m);
  n.st = -(p - 1) * (a1 * b1 / n.m);
  return n;
}

template <class S>
struct Derivatives {
  S value{}, g[3]{}, xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
};
template <class S>
Derivatives<S> nested(const S (&y)[3], double p, double q) {  // y >= 0, scaled by the radii
  const Norm2<S> u = norm_of_two(y[0], y[1], p);
  const Norm2<S> n = norm_of_two(u.m, y[2], q);
  Derivatives<S> d;
  d.value = n.m;
  d.g[0] = n.s * u.s, d.g[1] = n.s * u.t, d.g[2] = n.t;
  d.zz = n.tt;
  if (value_of(u.m) > 0) {
    d.xx = n.ss * u.s * u.s + n.s * u.ss, d.yy = n.ss * u.t * u.t + n.s * u.tt;
    d.xy = n.ss * u.s * u.t + n.s * u.st;
    d.xz = n.st * u.s, d.yz = n.st * u.t;
  } else if (p == 2) {
    d.xx = n.ss, d.yy = n.ss;  // on the axis of a body of elliptic sections
  }
  return d;
}

Vec3 signs(const Vec3& x) {
  return {std::copysign(1.0, x.x), std::copysign(1.0, x.y), std::copysign(1.0, x.z)};
}

}  // namespace

Gauge gauge(const Superellipsoid& s, const Vec3& x) {
  const Vec3 k = times(signs(x), {1 / s.radii.x, 1 / s.radii.y, 1 / s.radii.z});
  const double y[3] = {x.x * k.x, x.y * k.y, x.z * k.z};
  const Derivatives<double> d = nested(y, s.across, s.along);
  return {d.value,
          {d.g[0] * k.x, d.g[1] * k.y, d.g[2] * k.z},
          {d.xx * k.x * k.x, d.yy * k.y * k.y, d.zz * k.z * k.z, d.xy * k.x * k.y, d.xz * k.x * k.z,
           d.yz * k.y * k.z}};
}

SymMat3 gauge_third(const Superellipsoid& s, const Vec3& x, const Vec3& v) {
  const Vec3 k = times(signs(x), {1 / s.radii.x, 1 / s.radii.y, 1 / s.radii.z});
  const Dual y[3] = {{x.x * k.x, v.x * k.x}, {x.y * k.y, v.y * k.y}, {x.z * k.z, v.z * k.z}};
  const Derivatives<Dual> d = nested(y, s.across, s.along);
  return {d.xx.d * k.x * k.x, d.yy.d * k.y * k.y, d.zz.d * k.z * k.z,
          d.xy.d * k.x * k.y, d.xz.d * k.x * k.z, d.yz.d * k.y * k.z};
}

Vec3 gauge_support(const Superellipsoid& s, const Vec3& n) {
  const Vec3 k = times(signs(n), s.radii);
  const double y[3] = {n.x * k.x, n.y * k.y, n.z * k.z};
  const double p = s.across / (s.across - 1), q = s.along / (s.along - 1);
  const Norm2<double> u = norm_of_two(y[0], y[1], p), m = norm_of_two(u.m, y[2], q);
  return {m.s * u.s * k.x, m.s * u.t * k.y, m.t * k.z};
}

}  // namespace stiction::detail
