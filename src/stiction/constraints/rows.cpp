// Values, Jacobians and discrete gradients of rows.
//
//   d = p_b - p_a,   p = x + r,   r = R point;   q = r_a + d = p_b - x_a
//   row        g                       gradient by (v_a, w_a) and (v_b, w_b)
//   point      e.d                     (-e, -r_a x e)        (e, r_b x e)
//   along      e.d                     (-e, e x q)           (e, r_b x e)       since e turns with a
//   distance   (d.d - L^2)/(2 L)       (-n, -r_a x n)        (n, r_b x n)       n = d/L
//   angle      e.f                     (0, e x f)            (0, -e x f)
//   turn       atan2(s, c)             (0, T)                (0, -T)            s = e2.f2, c = e.f,
//                                          T = (c e2 x f2 - s e x f)/(c^2 + s^2)
//   twist      atan2(s, c)             the same, with s = e2.f - e.f2, c = e.f + e2.f2
//   screw      along - size turn
//   curve      gamma(y), y = R_a^T q   as along, with e = R_a dgamma/dy
//   place      s(y)                    the same
//
// Discrete gradient. The first four are polynomials of degree two in x and in vectors that are fixed in
// bodies, and these change by  v1 - v0 = theta x (v0 + v1)/2.  So
//     (u.v)_1 - (u.v)_0 = mean u . (v1 - v0) + mean v . (u1 - u0)
// makes the table above exact for finite steps, with every vector replaced by the mean of both ends. For turn
// see detail/row_geometry.h: such means times one scalar factor. For curve: Gonzalez' formula in the three
// coordinates of y, then the chain rule through y, whose components are rows of kind along.
//
// The forces on a and b are opposite, and their moments about any point, with the mean places as arms, add up
// to 0: momentum and angular momentum are kept. Rows of kind point do so where the mean of d is 0, or where
// the force of three of them is along it (equal compliance).
//
// Symbols: g [m] or [rad]; x, r, d, q, L [m]; e, f [-]; theta [rad] Cayley vector of a turn (pose.h);
// v [m/s]; w [rad/s].
// References: J. C. Simo, N. Tarnow, K. K. Wong, Comput. Methods Appl. Mech. Eng. 100 (1992) 63-116 (means
// that keep energy and momentum); O. Gonzalez, J. Nonlinear Sci. 6 (1996) 449-467 (discrete gradients), and
// Physica D 132 (1999) 165-174 (constraints); P. Betsch, Comput. Methods Appl. Mech. Eng. 194 (2005)
// 5159-5190.
//
// When it fails: a body that turns by half a revolution in a step, or a turn row whose angle changes by that
// much; a turn row with c = s = 0 (axes at right angles to where they should be), a twist row with it (axes
// that point against each other); a distance of zero has no direction.
#include "stiction/constraints/rows.h"

#include "stiction/base/assert.h"
#include "stiction/constraints/curve.h"
#include "stiction/constraints/detail/row_geometry.h"
#include "stiction/math/elementary.h"

namespace stiction::constraints {

double unwrapped(double angle, double previous) {
  constexpr double turn = 0x1.921fb54442d18p+2;  // 2 pi
  return angle + turn * std::floor((previous - angle) / turn + 0.5);
}

namespace detail {

TurnGeometry turn_geometry(const Row& row, const Ends& x) {
  TurnGeometry g{};
  g.e = in_a(x, row.e), g.f = in_b(x, row.f), g.e2 = in_a(x, row.e2), g.f2 = in_b(x, row.f2);
  g.twist = row.kind == RowKind::twist;
  g.c_start = dot(g.e.start, g.f.start), g.c_end = dot(g.e.end, g.f.end);
  if (g.twist) {
    g.c_start += dot(g.e2.start, g.f2.start), g.c_end += dot(g.e2.end, g.f2.end);
    g.s_start = dot(g.e2.start, g.f.start) - dot(g.e.start, g.f2.start);
    g.s_end = dot(g.e2.end, g.f.end) - dot(g.e.end, g.f2.end);
  } else {
    g.s_start = dot(g.e2.start, g.f2.start), g.s_end = dot(g.e2.end, g.f2.end);
  }
  g.c_mean = 0.5 * (g.c_start + g.c_end), g.s_mean = 0.5 * (g.s_start + g.s_end);
  const double S = g.c_start * g.s_end - g.s_start * g.c_end;
  const double C = g.c_start * g.c_end + g.s_start * g.s_end;
  constexpr double small = 1e-8;  // atan(t)/t = 1 - t^2/3: below it 1 to the last bit
  if (C > 0 && std::fabs(S) < small * C) {
    g.change = S / C, g.kappa = 1.0 / C;
  } else {
    g.change = elementary::atan2(S, C), g.kappa = g.change / S;
  }
  g.by_c = cosine_gradient(g.twist, g.e.mean, g.f.mean, g.e2.mean, g.f2.mean);
  g.by_s = sine_gradient(g.twist, g.e.mean, g.f.mean, g.e2.mean, g.f2.mean);
  g.torque = g.kappa * (g.c_mean * g.by_s - g.s_mean * g.by_c);
  return g;
}

}  // namespace detail

namespace {

using namespace detail;

Jacobian along_jacobian(const Arms& r, const Vec3& e) {
  return {{-e, cross(e, r.q.mean)}, {e, cross(r.b.mean, e)}};
}
Jacobian force_jacobian(const Arms& r, const Vec3& n) {  // equal and opposite at both points
  return {{-n, cross(n, r.a.mean)}, {n, cross(r.b.mean, n)}};
}
Jacobian torque_jacobian(const Vec3& t) { return {{{}, t}, {{}, -t}}; }

Vec3 screw_axis(const Row& row) { return cross(row.e, row.e2); }

/// e of a curve row seen as one of kind along, in coordinates of a.
Vec3 curve_direction(const Row& row, const Arms& r, const Ends& x) {
  const Vec3 y0 = seen_from(x.a0, r.q.start);
  return x.still ? curve_slope(row, y0).gradient : mean_curve_slope(row, y0, seen_from(x.a1, r.q.end)).slope;
}

Jacobian jacobian_of(const Row& row, const Arms& r, const Ends& x) {
  switch (row.kind) {
    case RowKind::point:
      return force_jacobian(r, row.e);
    case RowKind::along:
      return along_jacobian(r, in_a(x, row.e).mean);
    case RowKind::distance:
      return force_jacobian(r, r.d.mean / row.size);
    case RowKind::angle:
      return torque_jacobian(cross(in_a(x, row.e).mean, in_b(x, row.f).mean));
    case RowKind::turn:
    case RowKind::twist:
      return torque_jacobian(turn_geometry(row, x).torque);
    case RowKind::screw: {
      Jacobian g = along_jacobian(r, in_a(x, screw_axis(row)).mean);
      return g += torque_jacobian(-row.size * turn_geometry(row, x).torque);
    }
    case RowKind::curve:
    case RowKind::place:
      return along_jacobian(r, in_a(x, curve_direction(row, r, x)).mean);
  }
  return {};
}

double turn_value(const Row& row, const TurnGeometry& g) {
  return unwrapped(elementary::atan2(g.s_end, g.c_end), row.last);
}

/// At the end of `x`.
double value_of(const Row& row, const Arms& r, const Ends& x) {
  const Vec3& d = r.d.end;
  const Ends end = still(x.a1, x.b1);
  switch (row.kind) {
    case RowKind::point:
      return dot(row.e, d) - row.offset;
    case RowKind::along:
      return dot(rotate(x.a1.orientation, row.e), d) - row.offset;
    case RowKind::distance: {
      const double length = norm(d);  // (l^2 - L^2)/(2 L), without losing digits near l = L
      return (length - row.size) * (length + row.size) / (2 * row.size) - row.offset;
    }
    case RowKind::angle:
      return dot(rotate(x.a1.orientation, row.e), rotate(x.b1.orientation, row.f)) - row.offset;
    case RowKind::turn:
    case RowKind::twist:
      return turn_value(row, turn_geometry(row, end)) - row.offset;
    case RowKind::screw:
      return dot(rotate(x.a1.orientation, screw_axis(row)), d) -
             row.size * turn_value(row, turn_geometry(row, end)) - row.offset;
    case RowKind::curve:
    case RowKind::place:
      return curve_slope(row, seen_from(x.a1, r.q.end)).value - row.offset;
  }
  return 0;
}

Jacobian with_cayley_vectors(const Jacobian& g, const Vec3& theta_a, const Vec3& theta_b) {
  return {{g.a.linear, end_turn_transposed(theta_a, g.a.angular)},
          {g.b.linear, end_turn_transposed(theta_b, g.b.angular)}};
}

bool share_points(std::span<const Row> rows) {
  for (const Row& row : rows)
    if (!(row.point_a == rows[0].point_a && row.point_b == rows[0].point_b)) return false;
  return true;
}

}  // namespace

RowValue evaluate(const Row& row, const Pose& a, const Pose& b) {
  const Ends x = still(a, b);
  const Arms r = arms_of(row, x);
  return {value_of(row, r, x), jacobian_of(row, r, x)};
}

void evaluate(std::span<const Row> rows, const Pose& a, const Pose& b, RowValue* out) {
  if (rows.empty()) return;
  STICTION_ASSERT(share_points(rows));
  const Ends x = still(a, b);
  const Arms r = arms_of(rows[0], x);
  for (std::size_t i = 0; i < rows.size(); ++i)
    out[i] = {value_of(rows[i], r, x), jacobian_of(rows[i], r, x)};
}

Jacobian mean_jacobian(const Row& row, const Pose& a0, const Pose& b0, const Pose& a1, const Pose& b1) {
  const Ends x{a0, b0, a1, b1, false};
  return jacobian_of(row, arms_of(row, x), x);
}

void mean_jacobian(std::span<const Row> rows, const Pose& a0, const Pose& b0, const Pose& a1, const Pose& b1,
                   Jacobian* out) {
  if (rows.empty()) return;
  STICTION_ASSERT(share_points(rows));
  const Ends x{a0, b0, a1, b1, false};
  const Arms r = arms_of(rows[0], x);
  for (std::size_t i = 0; i < rows.size(); ++i) out[i] = jacobian_of(rows[i], r, x);
}

Jacobian end_jacobian(const Row& row, const Pose& a0, const Pose& b0, const Pose& a1, const Pose& b1) {
  return with_cayley_vectors(evaluate(row, a1, b1).jacobian, turn_between(a0.orientation, a1.orientation),
                             turn_between(b0.orientation, b1.orientation));
}

void end_jacobian(std::span<const Row> rows, const Pose& a0, const Pose& b0, const Pose& a1, const Pose& b1,
                  RowValue* out) {
  if (rows.empty()) return;
  evaluate(rows, a1, b1, out);
  const Vec3 theta_a = turn_between(a0.orientation, a1.orientation);
  const Vec3 theta_b = turn_between(b0.orientation, b1.orientation);
  for (std::size_t i = 0; i < rows.size(); ++i)
    out[i].jacobian = with_cayley_vectors(out[i].jacobian, theta_a, theta_b);
}

void track(Row& row, const Pose& a, const Pose& b) {
  if (row.kind == RowKind::turn || row.kind == RowKind::twist || row.kind == RowKind::screw)
    row.last = turn_value(row, turn_geometry(row, still(a, b)));
  if (row.kind == RowKind::curve || row.kind == RowKind::place)
    row.last = nearest(*row.curve, seen_from(a, point_of(b, row.point_b) - a.position), row.last);
}

}  // namespace stiction::constraints
