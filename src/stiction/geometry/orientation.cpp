// sign of D = (b - a) x (c - a) . (d - a)
//
// First in double precision with a bound on the round-off; where the bound does not decide, in pairs of
// doubles with another; and where that does not, as the sum of the 24 products of three coordinates that D
// consists of, each an exact sum of four doubles (Dekker's product), all added without error into an
// expansion of doubles that do not overlap, whose last part has the sign. Symbols: coordinates [m].
// Reference: J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates, 1997 (bound: section 4.3; expansions: section 2). Fails when products of three coordinates
// over- or underflow: sizes beyond 1e-90 to 1e90 m.
#include "stiction/geometry/detail/orientation.h"

namespace stiction::detail {
namespace {

struct Pair {
  double high, low;
};
Pair two_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
Pair two_product(double a, double b) {
  const double split = 134217729.0;  // 2^27 + 1
  const double p = a * b, x = split * a, y = split * b;
  const double ah = x - (x - a), al = a - ah, bh = y - (y - b), bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/// [-] of the sum of the products' sizes: round-off of D in pairs is below 1e-30 of it.
constexpr double pair_bound = 1e-28;

Pair quick_sum(double a, double b) {  // |a| >= |b|
  const double s = a + b;
  return {s, b - (s - a)};
}
Pair sum(const Pair& a, const Pair& b) {
  const Pair s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
  const Pair u = quick_sum(s.high, s.low + t.high);
  return quick_sum(u.high, u.low + t.low);
}
Pair product(const Pair& a, const Pair& b) {
  const Pair p = two_product(a.high, b.high);
  return quick_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
struct PairVec3 {
  Pair x, y, z;
};
PairVec3 difference(const Vec3& a, const Vec3& b) {
  return {two_sum(a.x, -b.x), two_sum(a.y, -b.y), two_sum(a.z, -b.z)};
}
/// (u x v).w
double determinant(const PairVec3& u, const PairVec3& v, const PairVec3& w) {
  const auto minor = [](const Pair& a, const Pair& b, const Pair& c, const Pair& d) {  // a b - c d
    const Pair cd = product(c, d);
    return sum(product(a, b), {-cd.high, -cd.low});
  };
  return sum(sum(product(minor(u.y, v.z, u.z, v.y), w.x), product(minor(u.z, v.x, u.x, v.z), w.y)),
             product(minor(u.x, v.y, u.y, v.x), w.z))
      .high;
}

struct Expansion {  // parts from small to large
  double part[128];
  int count = 0;

  void add(double x) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const Pair s = two_sum(x, part[i]);
      x = s.high;
      if (s.low != 0) part[kept++] = s.low;
    }
    if (x != 0 || kept == 0) part[kept++] = x;
    count = kept;
  }
  void add_product(double sign, double x, double y, double z) {
    const Pair xy = two_product(sign * x, y);
    for (const double f : {xy.low, xy.high}) {
      const Pair p = two_product(f, z);
      add(p.low), add(p.high);
    }
  }
  // sign * (x x y) . z
  void add_determinant(double sign, const Vec3& x, const Vec3& y, const Vec3& z) {
    add_product(sign, x.y, y.z, z.x), add_product(-sign, x.z, y.y, z.x);
    add_product(sign, x.z, y.x, z.y), add_product(-sign, x.x, y.z, z.y);
    add_product(sign, x.x, y.y, z.z), add_product(-sign, x.y, y.x, z.z);
  }
};

int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a, n = cross(u, v);
  const double value = dot(n, w);
  const Vec3 p = abs(u), q = abs(v), r = abs(w);
  const double size =
      (p.y * q.z + p.z * q.y) * r.x + (p.z * q.x + p.x * q.z) * r.y + (p.x * q.y + p.y * q.x) * r.z;
  if (std::fabs(value) > 1e-15 * size) return sign_of(value);  // Shewchuk's bound is 7.8e-16 of this size
  if (size == 0) return 0;
  if (d == a || d == b || d == c) return 0;
  if (const double D = determinant(difference(b, a), difference(c, a), difference(d, a));
      std::fabs(D) > pair_bound * size)
    return sign_of(D);
  // D = [b c d] - [a c d] + [a b d] - [a b c], where [x y z] = (x x y).z
  Expansion sum;
  sum.add_determinant(1, b, c, d), sum.add_determinant(-1, a, c, d);
  sum.add_determinant(1, a, b, d), sum.add_determinant(-1, a, b, c);
  return sum.count == 0 ? 0 : sign_of(sum.part[sum.count - 1]);
}

}  // namespace stiction::detail
