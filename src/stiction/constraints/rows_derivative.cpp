// Derivative of the discrete gradient times a multiplier, by the motion of the step.
//
// The end of the step varies: dx_a, dx_b, and turns phi of the end, dR1 = [phi] R1, [n] v = n x v. A mean
// varies by half of what its end does:
//     vector fixed in a body   d(mean) = phi x v1 / 2
//     d = p_b - p_a            d(mean) = (dx_b - dx_a + phi_b x r_b1 - phi_a x r_a1)/2
//     m x n                    d = m x dn - n x dm
// and n x (phi x t) = -[n][t] phi with [n][t] = t n^T - (n.t) 1. This gives 3x3 blocks for each row (below);
// columns of turns are then multiplied by W, phi = W dtheta (pose.h). The factor kappa of a turn row varies
// by
//     dkappa/kappa = (1/phi - cot phi) dphi - (s ds + c dc)/(s^2 + c^2)     phi: change of the angle
// Symbols as in rows.cpp; lambda [N] or [N m], or impulses.
// When it fails: as rows.cpp. Curve rows leave out the hessian's terms with the distance from the curve,
// which the middle of a step has: the square of its length.
#include <tuple>

#include "stiction/constraints/detail/row_geometry.h"

namespace stiction::constraints {
namespace {

using namespace detail;

enum Part { linear_a, angular_a, linear_b, angular_b };

/// m += scale [n][t]
void add_skews(double scale, const Vec3& n, const Vec3& t, Mat3& m) {
  const double trace = dot(n, t);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) m.m[r][c] += scale * (t[r] * n[c]);
    m.m[r][r] -= scale * trace;
  }
}

struct Blocks {
  Mat3 part[4][4];  // by (dx_a, phi_a, dx_b, phi_b)

  void add_skews(int i, int j, double scale, const Vec3& n, const Vec3& t) {
    constraints::add_skews(scale, n, t, part[i][j]);
  }
  /// scale [v]
  void add_skew(int i, int j, double scale, const Vec3& v) {
    Mat3& m = part[i][j];
    m.m[0][1] -= scale * v.z, m.m[0][2] += scale * v.y;
    m.m[1][0] += scale * v.z, m.m[1][2] -= scale * v.x;
    m.m[2][0] -= scale * v.y, m.m[2][1] += scale * v.x;
  }
  void add_identity(int i, int j, double scale) {
    for (int r = 0; r < 3; ++r) part[i][j].m[r][r] += scale;
  }
  /// u v^T
  void add_outer(int i, int j, const Vec3& u, const Vec3& v) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) part[i][j].m[r][c] += u[r] * v[c];
  }
};

void add_along(const Arms& r, const Moving& e, double lambda, Blocks& k) {
  const double h = 0.5 * lambda;
  k.add_skew(linear_b, angular_a, -h, e.end);
  k.add_skew(linear_a, angular_a, h, e.end);
  k.add_skews(angular_b, angular_b, h, e.mean, r.b.end);
  k.add_skews(angular_b, angular_a, -h, r.b.mean, e.end);
  k.add_skews(angular_a, angular_a, h, r.q.mean, e.end);
  k.add_skew(angular_a, linear_b, h, e.mean);
  k.add_skew(angular_a, linear_a, -h, e.mean);
  k.add_skews(angular_a, angular_b, -h, e.mean, r.b.end);
}

void add_distance(const Arms& r, double length, double lambda, Blocks& k) {
  const double h = 0.5 * lambda / length;
  for (const auto& [i, arm, sign] : {std::tuple{linear_a, &r.a, -h}, std::tuple{linear_b, &r.b, h}}) {
    const int turn = i + 1;
    k.add_identity(i, linear_b, sign), k.add_identity(i, linear_a, -sign);
    k.add_skew(i, angular_b, -sign, r.b.end), k.add_skew(i, angular_a, sign, r.a.end);
    k.add_skews(turn, turn, sign, r.d.mean, arm->end);
    k.add_skew(turn, linear_b, sign, arm->mean), k.add_skew(turn, linear_a, -sign, arm->mean);
    k.add_skews(turn, angular_b, -sign, arm->mean, r.b.end);
    k.add_skews(turn, angular_a, sign, arm->mean, r.a.end);
  }
}

// Torque scale e x f on a, and the opposite on b.
void add_angle(const Moving& e, const Moving& f, double scale, Blocks& k) {
  const double h = 0.5 * scale;
  k.add_skews(angular_a, angular_a, h, f.mean, e.end), k.add_skews(angular_b, angular_a, -h, f.mean, e.end);
  k.add_skews(angular_a, angular_b, -h, e.mean, f.end), k.add_skews(angular_b, angular_b, h, e.mean, f.end);
}

// 1/x - cot x
double reciprocal_minus_cotangent(double x, double sine, double cosine) {
  if (std::fabs(x) < 0.1) {
    const double y = x * x;  // the next term is below 1e-14 of the first
    return x * (1.0 / 3 + y * (1.0 / 45 + y * (2.0 / 945 + y * (1.0 / 4725 + y * (2.0 / 93555)))));
  }
  return 1 / x - cosine / sine;
}

void add_turn(const TurnGeometry& g, double lambda, Blocks& k) {
  const double by_s = lambda * g.kappa * g.c_mean, by_c = -lambda * g.kappa * g.s_mean;
  add_angle(g.e, g.f, by_c, k);
  if (g.twist)
    add_angle(g.e2, g.f2, by_c, k), add_angle(g.e2, g.f, by_s, k), add_angle(g.e, g.f2, -by_s, k);
  else
    add_angle(g.e2, g.f2, by_s, k);
  // dc = c_end.(phi_a - phi_b), ds likewise
  const Vec3 c_end = cosine_gradient(g.twist, g.e.end, g.f.end, g.e2.end, g.f2.end);
  const Vec3 s_end = sine_gradient(g.twist, g.e.end, g.f.end, g.e2.end, g.f2.end);
  const double S = g.c_start * g.s_end - g.s_start * g.c_end;
  const double C = g.c_start * g.c_end + g.s_start * g.s_end;
  const double eta = reciprocal_minus_cotangent(g.change, S, C);
  const Vec3 by_angle = g.c_end * s_end - g.s_end * c_end, by_size = g.s_end * s_end + g.c_end * c_end;
  const Vec3 log_kappa = (eta * by_angle - by_size) / (g.c_end * g.c_end + g.s_end * g.s_end);
  const Vec3 u[3] = {lambda * g.torque, (0.5 * lambda * g.kappa) * g.by_s,
                     (-0.5 * lambda * g.kappa) * g.by_c};
  const Vec3 v[3] = {log_kappa, c_end, s_end};
  for (int i = 0; i < 3; ++i) {
    k.add_outer(angular_a, angular_a, u[i], v[i]), k.add_outer(angular_b, angular_b, u[i], v[i]);
    k.add_outer(angular_a, angular_b, -u[i], v[i]), k.add_outer(angular_b, angular_a, -u[i], v[i]);
  }
}

void add_curve(const Row& row, const Arms& r, const Ends& x, double lambda, Blocks& k) {
  const Vec3 y0 = seen_from(x.a0, r.q.start), y1 = seen_from(x.a1, r.q.end);
  const MeanCurveSlope mean = mean_curve_slope(row, y0, y1);
  add_along(r, in_a(x, mean.slope), lambda, k);
  // d(slope) = by_end dy1; the components of y are rows of kind along, one for each axis of a.
  for (int j = 0; j < 3; ++j) {
    Vec3 axis;
    axis[j] = 1;
    const Moving e = in_a(x, axis), slope = in_a(x, mean.by_end.row(j));
    const Vec3 u[4] = {-e.mean, cross(e.mean, r.q.mean), e.mean, cross(r.b.mean, e.mean)};
    const Vec3 v[4] = {-slope.end, cross(slope.end, r.q.end), slope.end, cross(r.b.end, slope.end)};
    for (int p = 0; p < 4; ++p)
      for (int s = 0; s < 4; ++s) k.add_outer(p, s, lambda * u[p], v[s]);
  }
}

void add_row(const Row& row, double lambda, const Arms& r, const Ends& x, Blocks& k) {
  switch (row.kind) {
    case RowKind::point:  // add_points
      return;
    case RowKind::along:
      return add_along(r, in_a(x, row.e), lambda, k);
    case RowKind::distance:
      return add_distance(r, row.size, lambda, k);
    case RowKind::angle:
      return add_angle(in_a(x, row.e), in_b(x, row.f), lambda, k);
    case RowKind::turn:
    case RowKind::twist:
      return add_turn(turn_geometry(row, x), lambda, k);
    case RowKind::screw:
      add_along(r, in_a(x, cross(row.e, row.e2)), lambda, k);
      return add_turn(turn_geometry(row, x), -row.size * lambda, k);
    case RowKind::curve:
    case RowKind::place:
      return add_curve(row, r, x, lambda, k);
  }
}

// M W: each row of M, as a torque, against changes of the Cayley vector.
Mat3 by_cayley_vector(const Mat3& m, const Vec3& theta) {
  Mat3 out;
  for (int r = 0; r < 3; ++r) {
    const Vec3 row = end_turn_transposed(theta, m.row(r));
    out.m[r][0] = row.x, out.m[r][1] = row.y, out.m[r][2] = row.z;
  }
  return out;
}

void add_block(const Mat3& m, int i, int j, double K[12][12]) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) K[3 * i + r][3 * j + c] += m.m[r][c];
}

// Force f on b at its point, -f on a: constant, but for their arms.
void add_points(const Arms& r, const Vec3& f, const Vec3& theta_a, const Vec3& theta_b, double K[12][12]) {
  Mat3 a, b;
  add_skews(-0.5, f, r.a.end, a), add_skews(0.5, f, r.b.end, b);
  add_block(by_cayley_vector(a, theta_a), angular_a, angular_a, K);
  add_block(by_cayley_vector(b, theta_b), angular_b, angular_b, K);
}

}  // namespace

void mean_force_derivative(std::span<const Row> rows, const double* lambda, const Pose& a0, const Pose& b0,
                           const Pose& a1, const Pose& b1, double K[12][12]) {
  if (rows.empty()) return;
  const Ends x{a0, b0, a1, b1, false};
  const Arms r = arms_of(rows[0], x);
  const Vec3 theta_a = turn_between(a0.orientation, a1.orientation);
  const Vec3 theta_b = turn_between(b0.orientation, b1.orientation);
  Vec3 force;  // of all rows of kind point together
  bool others = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].kind == RowKind::point)
      force += lambda[i] * rows[i].e;
    else
      others = true;
  }
  add_points(r, force, theta_a, theta_b, K);
  if (!others) return;
  Blocks k;
  bool torques_only = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].kind == RowKind::point) continue;
    add_row(rows[i], lambda[i], r, x, k);
    torques_only = torques_only && is_angular(rows[i]);
  }
  for (int i = 0; i < 4; ++i) {
    if (torques_only && i % 2 == 0) continue;
    if (!torques_only) {
      add_block(k.part[i][linear_a], i, linear_a, K);
      add_block(k.part[i][linear_b], i, linear_b, K);
    }
    add_block(by_cayley_vector(k.part[i][angular_a], theta_a), i, angular_a, K);
    add_block(by_cayley_vector(k.part[i][angular_b], theta_b), i, angular_b, K);
  }
}

void mean_force_derivative(const Row& row, double lambda, const Pose& a0, const Pose& b0, const Pose& a1,
                           const Pose& b1, double K[12][12]) {
  mean_force_derivative({&row, 1}, &lambda, a0, b0, a1, b1, K);
}

}  // namespace stiction::constraints
