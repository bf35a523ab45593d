// What the second time derivative of a row holds besides its Jacobian times the accelerations, for methods
// that differentiate constraints twice (index-1 form):
//     g'' = G (a, dw/dt) + bias
// Vectors fixed in a body: v' = w x v, v'' = dw/dt x v + w x (w x v), and products by Leibniz' rule,
//     (u.v)'' = u''.v + 2 u'.v' + u.v''
//     theta = atan2(s, c):  theta'' = (c s'' - s c'' - 2 rho rho' theta')/rho^2,   rho^2 = c^2 + s^2
// Symbols as in rows.cpp; bias [m/s^2] or [rad/s^2].
// When it fails: as rows.cpp; curve rows leave out what vanishes with the distance from the curve.
#include "stiction/constraints/detail/row_geometry.h"

namespace stiction::constraints {
namespace {

using namespace detail;

/// A vector, its rate, and what its second derivative has besides accelerations.
struct Motion {
  Vec3 value, rate, bias;
};
Motion fixed(const Quat& q, const Vec3& v, const Vec3& w) {
  const Vec3 value = rotate(q, v), rate = cross(w, value);
  return {value, rate, cross(w, rate)};
}
Motion difference(const Motion& x, const Motion& y) {
  return {x.value - y.value, x.rate - y.rate, x.bias - y.bias};
}
struct Scalar {
  double value, rate, bias;
};
Scalar product(const Motion& u, const Motion& v) {
  return {dot(u.value, v.value), dot(u.rate, v.value) + dot(u.value, v.rate),
          dot(u.bias, v.value) + 2 * dot(u.rate, v.rate) + dot(u.value, v.bias)};
}

Scalar sum(const Scalar& x, const Scalar& y, double sign) {
  return {x.value + sign * y.value, x.rate + sign * y.rate, x.bias + sign * y.bias};
}

struct System {
  const Pose &a, &b;
  const Twist &va, &vb;
  Motion in_a(const Vec3& v) const { return fixed(a.orientation, v, va.angular); }
  Motion in_b(const Vec3& v) const { return fixed(b.orientation, v, vb.angular); }
  /// p_b - x_a
  Motion to_b(const Vec3& point_b) const {
    const Motion r = in_b(point_b);
    return {b.position - a.position + r.value, vb.linear - va.linear + r.rate, r.bias};
  }
};

double turn_bias(const Row& row, const System& x) {
  const Motion e = x.in_a(row.e), f = x.in_b(row.f), e2 = x.in_a(row.e2), f2 = x.in_b(row.f2);
  Scalar c = product(e, f), s = product(e2, f2);
  if (row.kind == RowKind::twist) c = sum(c, s, 1), s = sum(product(e2, f), product(e, f2), -1);
  const double size = c.value * c.value + s.value * s.value;
  const double rate = (c.value * s.rate - s.value * c.rate) / size;
  const double growth = c.value * c.rate + s.value * s.rate;  // rho rho'
  return (c.value * s.bias - s.value * c.bias - 2 * growth * rate) / size;
}

double curve_bias(const Row& row, const System& x) {
  const Motion q = x.to_b(row.point_b);
  const CurveSlope slope = curve_slope(row, seen_from(x.a, q.value));
  const Vec3 rate = seen_from(x.a, q.rate - cross(x.va.angular, q.value));  // of y
  return product(x.in_a(slope.gradient), q).bias + dot(rate, slope.hessian * rate);
}

}  // namespace

double acceleration_bias(const Row& row, const Pose& a, const Pose& b, const Twist& velocity_a,
                         const Twist& velocity_b) {
  const System x{a, b, velocity_a, velocity_b};
  const Motion d = difference(x.to_b(row.point_b), x.in_a(row.point_a));
  switch (row.kind) {
    case RowKind::point:
      return dot(row.e, d.bias);
    case RowKind::along:
      return product(x.in_a(row.e), d).bias;
    case RowKind::distance:
      return product(d, d).bias / (2 * row.size);
    case RowKind::angle:
      return product(x.in_a(row.e), x.in_b(row.f)).bias;
    case RowKind::turn:
    case RowKind::twist:
      return turn_bias(row, x);
    case RowKind::screw:
      return product(x.in_a(cross(row.e, row.e2)), d).bias - row.size * turn_bias(row, x);
    case RowKind::curve:
    case RowKind::place:
      return curve_bias(row, x);
  }
  return 0;
}

}  // namespace stiction::constraints
