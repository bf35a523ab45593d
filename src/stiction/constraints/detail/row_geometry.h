// What all rows of a joint are computed from: vectors fixed in bodies, at both ends of a step.
#pragma once

#include "stiction/constraints/rows.h"

namespace stiction::constraints::detail {

/// Both ends of a step; the same poses twice for a single state.
struct Ends {
  const Pose &a0, &b0, &a1, &b1;
  bool still;  // a single state
};
inline Ends still(const Pose& a, const Pose& b) { return {a, b, a, b, true}; }

/// A vector in world axes. Its change over the step is theta x mean, if it is fixed in a body.
struct Moving {
  Vec3 start, end, mean;
};
inline Moving moving(const Quat& q0, const Quat& q1, bool one, const Vec3& v) {
  const Vec3 start = rotate(q0, v);
  if (one) return {start, start, start};
  const Vec3 end = rotate(q1, v);
  return {start, end, 0.5 * (start + end)};
}
inline Moving in_a(const Ends& x, const Vec3& v) {
  return moving(x.a0.orientation, x.a1.orientation, x.still, v);
}
inline Moving in_b(const Ends& x, const Vec3& v) {
  return moving(x.b0.orientation, x.b1.orientation, x.still, v);
}

/// a, b: from centre of mass to point [m]; d = p_b - p_a; q = a + d, from the centre of mass of a to p_b.
struct Arms {
  Moving a, b, d, q;
};
inline Arms arms_of(const Row& row, const Ends& x) {
  Arms out{in_a(x, row.point_a), in_b(x, row.point_b), {}, {}};
  const Vec3 start = x.b0.position - x.a0.position, end = x.b1.position - x.a1.position;
  const Vec3 mean = x.still ? start : 0.5 * (start + end);
  out.q = {start + out.b.start, end + out.b.end, mean + out.b.mean};
  out.d = {out.q.start - out.a.start, out.q.end - out.a.end, out.q.mean - out.a.mean};
  return out;
}

/// The angle atan2(s, c) of a turn, screw or twist row. Its change over the step is atan2(S, C) with
///     S = c0 s1 - s0 c1 = (c mean) ds - (s mean) dc,   C = c0 c1 + s0 s1
/// so that kappa (c_mean ds - s_mean dc) is that change exactly, with kappa = atan2(S, C)/S.
struct TurnGeometry {
  Moving e, f, e2, f2;
  bool twist;
  double s_start, c_start, s_end, c_end, s_mean, c_mean;
  double change;    // [rad] phi, in [-pi, pi]
  double kappa;     // 1/(c^2 + s^2) in the limit of no turn
  Vec3 by_c, by_s;  // gradients of c and s by turns of a, with the means; of b the opposite
  Vec3 torque;      // on a, of a unit multiplier; on b the opposite
};
TurnGeometry turn_geometry(const Row& row, const Ends& x);
/// Gradients of c and s by turns of a, from vectors of one time.
inline Vec3 cosine_gradient(bool twist, const Vec3& e, const Vec3& f, const Vec3& e2, const Vec3& f2) {
  return twist ? cross(e, f) + cross(e2, f2) : cross(e, f);
}
inline Vec3 sine_gradient(bool twist, const Vec3& e, const Vec3& f, const Vec3& e2, const Vec3& f2) {
  return twist ? cross(e2, f) - cross(e, f2) : cross(e2, f2);
}

/// A row of kind curve or place as a function gamma of y, the point of b in coordinates of a. The hessian is
/// that on the curve: terms that vanish with the distance from it are left out.
struct CurveSlope {
  double value;
  Vec3 gradient;
  Mat3 hessian;
};
CurveSlope curve_slope(const Row& row, const Vec3& y);
/// Gonzalez' discrete gradient in the three coordinates of y: slope.(y1 - y0) = gamma(y1) - gamma(y0).
struct MeanCurveSlope {
  Vec3 slope;
  Mat3 by_end;  // d slope / d y1, with the hessian as above
};
MeanCurveSlope mean_curve_slope(const Row& row, const Vec3& y0, const Vec3& y1);
inline Vec3 seen_from(const Pose& a, const Vec3& q) { return rotate_back(a.orientation, q); }

}  // namespace stiction::constraints::detail
