#include "stiction/complementarity/linear/sweeps.h"

#include <cmath>
#include <limits>

#include "stiction/complementarity/linear/detail/dense.h"
#include "stiction/complementarity/linear/detail/entry.h"
#include "stiction/complementarity/linear/detail/scaled_problem.h"

namespace stiction::complementarity {
namespace {

using detail::BoxedView;
constexpr double infinity = std::numeric_limits<double>::infinity();

const char* name_of_sweep(bool newest) { return newest ? "gauss_seidel" : "jacobi"; }

double clamp(const BoxedView& p, std::size_t i, double x) {
  return std::fmin(std::fmax(x, p.lower ? p.lower[i] : 0), p.upper ? p.upper[i] : infinity);
}

// One sweep; for Jacobi `old` keeps the z before it.
void sweep(const BoxedView& p, bool newest, double omega, const std::vector<double>& divisor,
           std::vector<double>& old, std::vector<double>& z) {
  if (!newest) old = z;
  const double* from = newest ? z.data() : old.data();
  for (std::size_t i = 0; i < p.n; ++i) {
    const double w = p.q[i] + detail::dot(p.n, p.M + i * p.n, from);
    z[i] = clamp(p, i, z[i] - omega * w / divisor[i]);
  }
}

LinearReport run(const BoxedView& p, bool newest, const SweepSettings& s, std::vector<double>& z) {
  LinearReport report = detail::report_of(name_of_sweep(newest), LinearStatus::not_run);
  std::vector<double> divisor(p.n), old;
  for (std::size_t i = 0; i < p.n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < p.n; ++j) sum += std::fabs(p.M[i * p.n + j]);
    divisor[i] = newest ? p.M[i * p.n + i] : sum;
    if (!(divisor[i] > 0)) report.status = LinearStatus::unsuitable;
  }
  if (!s.warm_start) z.assign(p.n, 0);
  for (std::size_t i = 0; i < p.n; ++i) z[i] = clamp(p, i, z[i]);
  report.residual = plain_residual(p, z.data());
  report.residual_history.push_back(report.residual);
  if (report.residual <= s.tolerance) report.status = LinearStatus::solved;
  if (report.status != LinearStatus::not_run) return report;

  std::vector<double> best(z);
  report.status = LinearStatus::iteration_limit;
  while (report.sweeps < s.max_sweeps) {
    for (int k = 0; k < s.check_every && report.sweeps < s.max_sweeps; ++k, ++report.sweeps)
      sweep(p, newest, s.relaxation, divisor, old, z);
    const double residual = plain_residual(p, z.data());
    report.residual_history.push_back(residual);
    if (residual < report.residual) report.residual = residual, best = z;
    if (residual <= s.tolerance) {
      report.status = LinearStatus::solved;
      return report;
    }
    if (!std::isfinite(residual)) break;
  }
  z = best;
  return report;
}

template <class Problem>
LinearReport start(const Problem& p, bool newest, const SweepSettings& s, std::vector<double>& z,
                   const double* lower, const double* upper) {
  const bool good = detail::usable(p, s.warm_start, z) && s.tolerance > 0 && s.max_sweeps > 0 &&
                    s.check_every > 0 && s.relaxation > 0 && s.relaxation < (newest ? 2 : 1 + 1e-15);
  if (!good) return detail::report_of(name_of_sweep(newest), LinearStatus::bad_input);
  return run({std::size_t(p.n), p.M.data(), p.q.data(), lower, upper}, newest, s, z);
}

std::vector<double> lower_of(const MixedLcp& p) {
  std::vector<double> lower(std::size_t(p.n > 0 ? p.n : 0), 0);
  for (std::size_t i = 0; i < lower.size() && int(i) < p.free; ++i) lower[i] = -infinity;
  return lower;
}

}  // namespace

LinearReport gauss_seidel(const Lcp& p, const SweepSettings& s, std::vector<double>& z) {
  return start(p, true, s, z, nullptr, nullptr);
}
LinearReport gauss_seidel(const MixedLcp& p, const SweepSettings& s, std::vector<double>& z) {
  return start(p, true, s, z, lower_of(p).data(), nullptr);
}
LinearReport gauss_seidel(const BoxedLcp& p, const SweepSettings& s, std::vector<double>& z) {
  return start(p, true, s, z, p.lower.data(), p.upper.data());
}
LinearReport jacobi(const Lcp& p, const SweepSettings& s, std::vector<double>& z) {
  return start(p, false, s, z, nullptr, nullptr);
}
LinearReport jacobi(const MixedLcp& p, const SweepSettings& s, std::vector<double>& z) {
  return start(p, false, s, z, lower_of(p).data(), nullptr);
}
LinearReport jacobi(const BoxedLcp& p, const SweepSettings& s, std::vector<double>& z) {
  return start(p, false, s, z, p.lower.data(), p.upper.data());
}

}  // namespace stiction::complementarity
