#include "stiction/complementarity/bilateral/iterative.h"

#include <cmath>
#include <cstddef>

#include "stiction/complementarity/bilateral/detail/semidefinite.h"

namespace stiction::complementarity::bilateral {
namespace {

constexpr double rank_tolerance = 1e-12;  // of rows of one joint, over their S_ii

/// g A_b^-1 g' of two rows of a joint at one block.
double through(const ConstraintSystem& p, const JointRows& j, int side, int r, int q) {
  const double* W = p.A_inverse.data() + std::size_t(j.block[side]) * (width * width);
  const double *g = j.G[side] + r * width, *f = j.G[side] + q * width;
  double sum = 0;
  for (int a = 0; a < width; ++a) {
    double row = 0;
    for (int b = 0; b < width; ++b) row += W[a * width + b] * f[b];
    sum += g[a] * row;
  }
  return sum;
}

/// Inverse of a joint's block, with the masses divided by `degree` of the blocks or whole.
void invert_block(const ConstraintSystem& p, const JointRows& j, const int* degree, double* inverse) {
  const int n = j.count;
  double S[36] = {}, unit[most];
  for (int r = 0; r < n; ++r) {
    for (int q = 0; q <= r; ++q)
      for (int side = 0; side < 2; ++side)
        if (j.block[side] >= 0)
          S[r * n + q] += (degree ? degree[j.block[side]] : 1) * through(p, j, side, r, q);
    S[r * n + r] += j.sigma[r];
    unit[r] = S[r * n + r] > 0 ? 1 / std::sqrt(S[r * n + r]) : 0;
  }
  for (int r = 0; r < n; ++r)
    for (int q = 0; q <= r; ++q) S[r * n + q] *= unit[r] * unit[q];
  detail::SmallInverse small;
  detail::invert_semidefinite(n, S, rank_tolerance, small);
  for (int r = 0; r < n; ++r)
    for (int q = 0; q < n; ++q) inverse[r * n + q] = unit[r] * small.inverse[r * n + q] * unit[q];
}

void prepare(const ConstraintSystem& p, const IterativeSettings& s, bool divided, IterativeMemory& m,
             std::vector<double>& lambda, Report& report) {
  const auto rows = std::size_t(p.rows);
  if (!s.warm_start) lambda.assign(rows, 0.0);
  lambda.resize(rows, 0.0);
  m.inverse.resize(p.joints.size() * 36), m.unit.resize(rows), m.inverse_diagonal.resize(rows);
  m.degree.assign(std::size_t(p.block_count()), 0);
  for (const JointRows& j : p.joints)
    for (const int b : j.block)
      if (b >= 0) ++m.degree[std::size_t(b)];
  for (std::size_t i = 0; i < p.joints.size(); ++i) {
    const JointRows& j = p.joints[i];
    invert_block(p, j, divided ? m.degree.data() : nullptr, m.inverse.data() + i * 36);
    for (int r = 0; r < j.count; ++r) {
      double diagonal = j.sigma[r];
      for (int side = 0; side < 2; ++side)
        if (j.block[side] >= 0) diagonal += through(p, j, side, r, r);
      m.unit[std::size_t(j.row + r)] = diagonal > 0 ? 1 / std::sqrt(diagonal) : 1;
      m.inverse_diagonal[std::size_t(j.row + r)] = diagonal > 0 ? 1 / diagonal : 0;
    }
  }
  velocity_change(p, lambda, m.u);
  m.best = lambda;
  report.status = Status::iteration_limit;
}

/// (G u + Sigma lambda)_r, with u = A^-1 G^T lambda.
double left_side(const JointRows& j, int r, const std::vector<double>& lambda, const std::vector<double>& u) {
  double left = j.sigma[r] * lambda[std::size_t(j.row + r)];
  for (int side = 0; side < 2; ++side)
    if (j.block[side] >= 0) {
      const double *g = j.G[side] + r * width, *mine = u.data() + std::size_t(j.block[side]) * width;
      for (int c = 0; c < width; ++c) left += g[c] * mine[c];
    }
  return left;
}
double row_residual(const JointRows& j, int r, const std::vector<double>& lambda,
                    const std::vector<double>& u) {
  return j.rhs[r] - left_side(j, r, lambda, u);
}

/// u += A^-1 G_k^T x of one joint.
void push(const ConstraintSystem& p, const JointRows& j, const double* x, std::vector<double>& u) {
  for (int side = 0; side < 2; ++side) {
    if (j.block[side] < 0) continue;
    double f[width] = {};
    for (int r = 0; r < j.count; ++r)
      for (int c = 0; c < width; ++c) f[c] += j.G[side][r * width + c] * x[r];
    const double* W = p.A_inverse.data() + std::size_t(j.block[side]) * (width * width);
    double* mine = u.data() + std::size_t(j.block[side]) * width;
    for (int a = 0; a < width; ++a) {
      double sum = 0;
      for (int b = 0; b < width; ++b) sum += W[a * width + b] * f[b];
      mine[a] += sum;
    }
  }
}

void times(int n, const double* a, const double* x, double* y) {
  for (int r = 0; r < n; ++r) {
    double sum = 0;
    for (int q = 0; q < n; ++q) sum += a[r * n + q] * x[q];
    y[r] = sum;
  }
}

/// r of all rows, and its largest entry over that of the rhs.
double residual(const ConstraintSystem& p, IterativeMemory& m, const std::vector<double>& lambda) {
  m.r.resize(std::size_t(p.rows));
  double worst = 0, scale = 0;
  for (const JointRows& j : p.joints)
    for (int r = 0; r < j.count; ++r) {
      const auto i = std::size_t(j.row + r);
      m.r[i] = row_residual(j, r, lambda, m.u);
      const double error = m.unit[i] * std::fabs(m.r[i]);
      if (!std::isfinite(error)) return error;
      worst = std::fmax(worst, error);
      scale = std::fmax(scale, m.unit[i] * std::fabs(j.rhs[r]));
    }
  return worst == 0 ? 0 : worst / scale;
}

/// Records a residual; false: stop.
bool note(double now, const IterativeSettings& s, const std::vector<double>& lambda, IterativeMemory& m,
          Report& report) {
  report.residual_history.push_back(now);
  if (report.residual < 0 || now < report.residual) report.residual = now, m.best = lambda;
  if (now <= s.tolerance) report.status = Status::solved;
  if (!std::isfinite(now)) report.status = Status::not_finite;
  return report.status == Status::iteration_limit && report.iterations < s.max_iterations;
}

template <class Sweep>
void iterate(const ConstraintSystem& p, const IterativeSettings& s, IterativeMemory& m,
             std::vector<double>& lambda, Report& report, const Sweep& sweep) {
  while (note(residual(p, m, lambda), s, lambda, m, report)) {
    for (int k = 0; k < s.check_every && report.iterations < s.max_iterations; ++k, ++report.iterations)
      sweep();
    velocity_change(p, lambda, m.u);  // afresh, so that round-off does not add up
  }
  lambda = m.best;
}

}  // namespace

void pairwise(const ConstraintSystem& p, const IterativeSettings& s, IterativeMemory& m,
              std::vector<double>& lambda, Report& report) {
  report.method = "pairwise";
  prepare(p, s, false, m, lambda, report);
  iterate(p, s, m, lambda, report, [&] {
    for (std::size_t i = 0; i < p.joints.size(); ++i) {
      const JointRows& j = p.joints[i];
      double r[most], x[most];
      for (int k = 0; k < j.count; ++k) r[k] = row_residual(j, k, lambda, m.u);
      times(j.count, m.inverse.data() + i * 36, r, x);
      for (int k = 0; k < j.count; ++k) lambda[std::size_t(j.row + k)] += x[k];
      push(p, j, x, m.u);
    }
  });
}

void pgs(const ConstraintSystem& p, const IterativeSettings& s, IterativeMemory& m,
         std::vector<double>& lambda, Report& report) {
  report.method = "pgs";
  prepare(p, s, false, m, lambda, report);
  iterate(p, s, m, lambda, report, [&] {
    for (const JointRows& j : p.joints)
      for (int k = 0; k < j.count; ++k) {
        const auto i = std::size_t(j.row + k);
        double x[most] = {};
        x[k] = s.relaxation * m.inverse_diagonal[i] * row_residual(j, k, lambda, m.u);
        lambda[i] += x[k];
        push(p, j, x, m.u);
      }
  });
}

void jacobi(const ConstraintSystem& p, const IterativeSettings& s, IterativeMemory& m,
            std::vector<double>& lambda, Report& report) {
  report.method = "jacobi";
  prepare(p, s, true, m, lambda, report);
  iterate(p, s, m, lambda, report, [&] {
    residual(p, m, lambda);
    for (std::size_t i = 0; i < p.joints.size(); ++i) {
      const JointRows& j = p.joints[i];
      double x[most];
      times(j.count, m.inverse.data() + i * 36, m.r.data() + j.row, x);
      for (int k = 0; k < j.count; ++k) lambda[std::size_t(j.row + k)] += s.relaxation * x[k];
    }
    velocity_change(p, lambda, m.u);
  });
}

void conjugate_gradient(const ConstraintSystem& p, const IterativeSettings& s, IterativeMemory& m,
                        std::vector<double>& lambda, Report& report) {
  report.method = "cg";
  prepare(p, s, false, m, lambda, report);
  const auto rows = std::size_t(p.rows);
  m.z.resize(rows), m.d.assign(rows, 0.0), m.q.resize(rows);
  double last = 0;
  while (note(residual(p, m, lambda), s, lambda, m, report)) {
    ++report.iterations;
    double rz = 0, dq = 0;
    for (std::size_t i = 0; i < p.joints.size(); ++i)
      times(p.joints[i].count, m.inverse.data() + i * 36, m.r.data() + p.joints[i].row,
            m.z.data() + p.joints[i].row);
    for (std::size_t i = 0; i < rows; ++i) rz += m.r[i] * m.z[i];
    const double beta = last > 0 ? rz / last : 0;
    for (std::size_t i = 0; i < rows; ++i) m.d[i] = m.z[i] + beta * m.d[i];
    velocity_change(p, m.d, m.u);
    for (const JointRows& j : p.joints)
      for (int r = 0; r < j.count; ++r) {
        const auto i = std::size_t(j.row + r);
        m.q[i] = left_side(j, r, m.d, m.u);
        dq += m.d[i] * m.q[i];
      }
    if (!(dq > 0)) break;  // nothing is left but what no lambda meets
    const double step = rz / dq;
    for (std::size_t i = 0; i < rows; ++i) lambda[i] += step * m.d[i];
    velocity_change(p, lambda, m.u);
    last = rz;
  }
  lambda = m.best;
}

}  // namespace stiction::complementarity::bilateral
