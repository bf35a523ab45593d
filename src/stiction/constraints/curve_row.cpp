// A point on a curve: two components of its distance from the nearest point of the curve, as functions of y,
// the point in the coordinates of the curve.
//
//     s(y): (y - c).c' = 0          gamma = n(s).(y - c(s))
//     dgamma/dy = n + (n'.w) s_y,   w = y - c,  s_y = c'/(c'.c' - w.c'')
//     d2gamma/dy2 = n' s_y^T + s_y n'^T - (n'.c') s_y s_y^T + terms with w
// n(s) is n0, one of two normals at `last`, turned the shortest way from the tangent t0 there to t:
//     n = n0 - k (t0 + t),   k = n0.t/(1 + t0.t)
// so that it is as smooth as the tangent: C1 for a spline, and no force jumps where the point passes a knot.
// A polyline's normals jump at its corners.
//
// The place itself as a coordinate: s(y), with gradient s_y and hessian
//     (c'' - 2 (c'.c'') c'/k) s_y^T/k + c' (c'' - (c'.c'') s_y)^T/k^2 + terms with w,   k = c'.c'
//
// Discrete gradient (O. Gonzalez, J. Nonlinear Sci. 6 (1996) 449-467):
//     slope = dgamma((y0 + y1)/2) + (gamma(y1) - gamma(y0) - dgamma.(y1 - y0)) (y1 - y0)/|y1 - y0|^2
// Where the second part is no more than round-off it is left out: divided by a short move it would be noise.
//
// Symbols: y, c, s [m]; n, t, dgamma [-].
// When it fails: the tangent turns by half a revolution between `last` and s; y at the centre of curvature.
#include "stiction/constraints/curve.h"
#include "stiction/constraints/detail/curve_pieces.h"
#include "stiction/constraints/detail/row_geometry.h"

namespace stiction::constraints::detail {
namespace {

struct Normal {
  Vec3 n, rate;  // [-], [1/m] by s
};
Normal carried(const Vec3& t0, bool second, const Vec3& t, const Vec3& rate) {
  Vec3 first_normal, second_normal;
  tangents(t0, first_normal, second_normal);
  const Vec3& n0 = second ? second_normal : first_normal;
  const double c = 1 + dot(t0, t), k = dot(n0, t) / c;
  const double k_rate = (dot(n0, rate) - k * dot(t0, rate)) / c;
  return {n0 - k * (t0 + t), -k_rate * (t0 + t) - k * rate};
}

CurveSlope place_slope(const CurvePoint& p, double s, const Vec3& s_y) {
  const double k = norm2(p.first), bend = dot(p.first, p.second);
  const Vec3 left = (p.second - (2 * bend / k) * p.first) / k, right = (p.second - bend * s_y) / (k * k);
  CurveSlope out{s, s_y, {}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.hessian.m[i][j] = left[i] * s_y[j] + p.first[i] * right[j];
  return out;
}

CurveSlope polyline_slope(const Row& row, const Vec3& t0, const Vec3& y) {
  const Curve& c = *row.curve;
  const Place here = polyline_place(c, y, row.last);
  const Vec3 u = piece_direction(c, here.piece), w = y - piece_point(c, here.piece);
  if (row.kind == RowKind::place) return {here.round + c.knot[std::size_t(here.piece)] + dot(u, w), u, {}};
  const Vec3 n = carried(t0, row.second_normal, u, {}).n;
  return {dot(n, w), n, {}};
}

}  // namespace

CurveSlope curve_slope(const Row& row, const Vec3& y) {
  const Curve& c = *row.curve;
  const Vec3 t0 = tangent(at(c, row.last));
  if (c.kind == CurveKind::polyline) return polyline_slope(row, t0, y);
  const double s = nearest(c, y, row.last);
  const CurvePoint p = at(c, s);
  const Vec3 t = tangent(p), w = y - p.position;
  const Vec3 s_y = p.first / (norm2(p.first) - dot(w, p.second));
  if (row.kind == RowKind::place) return place_slope(p, s, s_y);
  const Normal n = carried(t0, row.second_normal, t, (p.second - dot(p.second, t) * t) / norm(p.first));
  CurveSlope out{dot(n.n, w), n.n + dot(n.rate, w) * s_y, {}};
  const Vec3 left = n.rate - dot(n.rate, p.first) * s_y;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.hessian.m[i][j] = left[i] * s_y[j] + s_y[i] * n.rate[j];
  return out;
}

MeanCurveSlope mean_curve_slope(const Row& row, const Vec3& y0, const Vec3& y1) {
  const Vec3 move = y1 - y0;
  const CurveSlope mean = curve_slope(row, 0.5 * (y0 + y1)), end = curve_slope(row, y1);
  MeanCurveSlope out{mean.gradient, {}};
  const double missing = end.value - curve_slope(row, y0).value - dot(mean.gradient, move);
  constexpr double round_off = 4 * 0x1p-52;
  const bool corrected = std::fabs(missing) > round_off * (norm(y0) + norm(y1));
  const double per_square = corrected ? 1 / norm2(move) : 0, part = missing * per_square;
  out.slope += part * move;
  // d missing / d y1, and m m^T by which the correction turns with the move.
  const Vec3 rate = per_square * (end.gradient - mean.gradient - 0.5 * (mean.hessian * move));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      out.by_end.m[i][j] =
          0.5 * mean.hessian.m[i][j] + move[i] * rate[j] - 2 * part * per_square * (move[i] * move[j]);
    out.by_end.m[i][i] += part;
  }
  return out;
}

}  // namespace stiction::constraints::detail
