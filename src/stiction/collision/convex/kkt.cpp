// Closest points on given faces:
//   b - a - d n = 0                         3 rows
//   sum_i l_i grad f_i(a) - n = 0           3
//   sum_j m_j grad g_j(b) + n = 0           3
//   (n.n - 1) / 2 = 0                       1
//   f_i(a) = 0,  g_j(b) = 0                 one for each face
// for a, b, n, d, l, m. The unit normal is an unknown of its own, so that touching (d = 0) is no special case
// and d < 0 is overlap. Lengths are divided by the size of the pair. A motion (v, w) of a body changes its
// faces at a fixed point x by  df/dt = -grad f.(v + w x r),  d(grad f)/dt = w x grad f - H (v + w x r), r = x
// - p. Symbols: f, g faces; H Hessian; l, m multipliers; p origin of the body. Reference: Chakraborty, Peng,
// Akella, Mitchell, Proximity queries between convex objects: an interior point approach for implicit
// surfaces, 2008 (the optimality conditions, there for bodies apart). Singular where closest points are not
// unique.
#include "stiction/collision/convex/detail/kkt.h"

#include "stiction/geometry/detail/dense.h"

namespace stiction::collision::detail {
namespace {

// Least squares: sum_i l_i g_i = n.
void least_squares(const Vec3 (&g)[3], int count, const Vec3& n, double (&l)[3]) {
  double A[3][3], r[3];
  for (int i = 0; i < count; ++i) {
    r[i] = dot(g[i], n);
    for (int j = 0; j < count; ++j) A[i][j] = dot(g[i], g[j]);
  }
  stiction::detail::solve_dense<3>(A, r, count, 1e-14);
  for (int i = 0; i < count; ++i) l[i] = r[i];
}

}  // namespace

Implicit KktSystem::scaled_face(const Side& s, int index, const Vec3& x) const {
  Implicit f = side_face(s, index, size_ * x);
  f.value /= size_;
  SymMat3& h = f.hessian;
  h = {size_ * h.xx, size_ * h.yy, size_ * h.zz, size_ * h.xy, size_ * h.xz, size_ * h.yz};
  return f;
}

void KktSystem::set_multipliers(Kkt& z) const {
  Vec3 g[3];
  for (int i = 0; i < faces_a_.count; ++i)
    g[i] = scaled_face(side_a_, faces_a_.face[std::size_t(i)], z.a).gradient;
  least_squares(g, faces_a_.count, z.n, z.multiplier_a);
  for (int i = 0; i < faces_b_.count; ++i)
    g[i] = scaled_face(side_b_, faces_b_.face[std::size_t(i)], z.b).gradient;
  least_squares(g, faces_b_.count, -z.n, z.multiplier_b);
}

// Unknowns: a 0, b 3, n 6, d 9, multipliers 10. Rows: points 0, normals 3 and 6, unit 9, faces 10.
void KktSystem::evaluate(const Kkt& z, double (&r)[most_unknowns],
                         double (&J)[most_unknowns][most_unknowns]) const {
  const int n = unknowns();
  for (int i = 0; i < n; ++i) {
    r[i] = 0;
    for (int j = 0; j < n; ++j) J[i][j] = 0;
  }
  const Vec3 e = z.b - z.a - z.d * z.n;
  for (int k = 0; k < 3; ++k) {
    r[k] = e[k], r[3 + k] = -z.n[k], r[6 + k] = z.n[k];
    J[k][k] = -1, J[k][3 + k] = 1, J[k][6 + k] = -z.d, J[k][9] = -z.n[k];
    J[3 + k][6 + k] = -1, J[6 + k][6 + k] = 1;
    J[9][6 + k] = z.n[k];
  }
  r[9] = 0.5 * (norm2(z.n) - 1);
  const auto add = [&](const Side& s, const ActiveFaces& faces, const Vec3& x, const double* multiplier,
                       int column, int row, int first) {
    for (int i = 0; i < faces.count; ++i) {
      const Implicit f = scaled_face(s, faces.face[std::size_t(i)], x);
      const Mat3 H = full(f.hessian);
      r[first + i] = f.value;
      for (int k = 0; k < 3; ++k) {
        r[row + k] += multiplier[i] * f.gradient[k];
        J[row + k][first + i] = f.gradient[k];
        J[first + i][column + k] = f.gradient[k];
        for (int m = 0; m < 3; ++m) J[row + k][column + m] += multiplier[i] * H(k, m);
      }
    }
  };
  add(side_a_, faces_a_, z.a, z.multiplier_a, 0, 3, 10);
  add(side_b_, faces_b_, z.b, z.multiplier_b, 3, 6, 10 + faces_a_.count);
}

void KktSystem::subtract(const double (&step)[most_unknowns], Kkt& z) const {
  for (int k = 0; k < 3; ++k) z.a[k] -= step[k], z.b[k] -= step[3 + k], z.n[k] -= step[6 + k];
  z.d -= step[9];
  for (int i = 0; i < faces_a_.count; ++i) z.multiplier_a[i] -= step[10 + i];
  for (int i = 0; i < faces_b_.count; ++i) z.multiplier_b[i] -= step[10 + faces_a_.count + i];
}

void KktSystem::moved(const Kkt& z, const BodyRate& rate_a, const BodyRate& rate_b,
                      double (&r)[most_unknowns]) const {
  for (int i = 0; i < unknowns(); ++i) r[i] = 0;
  const auto add = [&](const Side& s, const ActiveFaces& faces, const Vec3& x, const double* multiplier,
                       const BodyRate& rate, int row, int first) {
    const Vec3 u = rate.velocity / size_ + cross(rate.spin, x - s.p / size_);
    for (int i = 0; i < faces.count; ++i) {
      const Implicit f = scaled_face(s, faces.face[std::size_t(i)], x);
      const Vec3 g = multiplier[i] * (cross(rate.spin, f.gradient) - f.hessian * u);
      for (int k = 0; k < 3; ++k) r[row + k] += g[k];
      r[first + i] = -dot(f.gradient, u);
    }
  };
  add(side_a_, faces_a_, z.a, z.multiplier_a, rate_a, 3, 10);
  add(side_b_, faces_b_, z.b, z.multiplier_b, rate_b, 6, 10 + faces_a_.count);
}

}  // namespace stiction::collision::detail
