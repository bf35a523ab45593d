#include "stiction/complementarity/linear/lemke.h"

#include <cmath>
#include <limits>

#include "stiction/complementarity/linear/detail/entry.h"
#include "stiction/complementarity/linear/detail/lemke_path.h"
#include "stiction/complementarity/linear/detail/unchecked.h"

namespace stiction::complementarity {

struct LemkeMemory::Contents {
  detail::ScaledProblem scaled;
  detail::LemkePath path;
  std::vector<double> lower, upper;  // bounds of a mixed problem
  std::vector<double> point, best, covering, ray;
};

LemkeMemory::LemkeMemory() : contents_(std::make_unique<Contents>()) {}
LemkeMemory::~LemkeMemory() = default;
LemkeMemory::LemkeMemory(LemkeMemory&&) noexcept = default;
LemkeMemory& LemkeMemory::operator=(LemkeMemory&&) noexcept = default;

namespace {

using detail::BoxedView;
using detail::PathEnd;
using detail::PathSettings;
constexpr const char* method = "lemke";
constexpr double infinity = std::numeric_limits<double>::infinity();

double lower_of(const BoxedView& p, std::size_t i) { return p.lower ? p.lower[i] : 0; }
double upper_of(const BoxedView& p, std::size_t i) { return p.upper ? p.upper[i] : infinity; }

// Is y >= 0, M^T y <= 0, q.y < 0, but for round-off? Then y.(M z + q) < 0 for every z >= 0. LCPs only.
bool proves_infeasible(const BoxedView& p, const std::vector<double>& y) {
  if (p.lower || p.upper) return false;
  double q_y = 0, q_size = 0;
  for (std::size_t i = 0; i < p.n; ++i) {
    if (y[i] < 0) return false;
    q_y += p.q[i] * y[i], q_size += std::fabs(p.q[i]) * y[i];
  }
  if (!(q_y < -1e-10 * q_size)) return false;
  for (std::size_t j = 0; j < p.n; ++j) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < p.n; ++i) {
      const double term = p.M[i * p.n + j] * y[i];
      sum += term, size += std::fabs(term);
    }
    if (sum > 1e-10 * size) return false;
  }
  return true;
}

// Covering vectors of later tries: 1 for the first, then numbers in [1, 2) that no structure of M resembles.
void cover(const LemkeSettings& s, std::size_t n, int attempt, std::vector<double>& covering) {
  covering = s.covering;
  if (covering.empty()) covering.assign(n, 1);
  if (attempt == 0) return;
  double x = 0.5 + 0.125 * attempt;
  for (double& c : covering) {
    x += 0.6180339887498949;  // golden ratio: spreads evenly
    x -= std::floor(x);
    c *= 1 + x;
  }
}

// z in the problem's own scale, inside its bounds.
void unscale(const BoxedView& p, const detail::ScaledProblem& scaled, const std::vector<double>& from,
             std::vector<double>& z) {
  z.resize(p.n);
  for (std::size_t i = 0; i < p.n; ++i) {
    const double value = scaled.from_scaled(i, from[i]);
    z[i] = std::fmin(std::fmax(value, lower_of(p, i)), upper_of(p, i));
  }
}

LinearReport run(const BoxedView& p, const LemkeSettings& s, std::vector<double>& z,
                 LemkeMemory::Contents& m);

// Free unknowns that depend on each other cannot all start in the basis: each such z_f becomes a difference
// of two that are >= 0, with the slacks w_f and -w_f, which forces w_f = 0. Keeps M positive semidefinite if
// it was.
LinearReport run_split(const BoxedView& p, const LemkeSettings& s, const std::vector<std::size_t>& split,
                       std::vector<double>& z) {
  const std::size_t n = p.n, size = n + split.size();
  std::vector<double> M(size * size), q(size), low(size, 0), high(size, infinity);
  const auto source = [&](std::size_t i) { return i < n ? i : split[i - n]; };
  for (std::size_t i = 0; i < size; ++i) {
    const double row_sign = i < n ? 1 : -1;
    q[i] = row_sign * p.q[source(i)];
    for (std::size_t j = 0; j < size; ++j)
      M[i * size + j] = row_sign * (j < n ? 1 : -1) * p.M[source(i) * n + source(j)];
    if (i < n) low[i] = lower_of(p, i), high[i] = upper_of(p, i);
  }
  for (const std::size_t f : split) low[f] = 0;
  LemkeSettings wide = s;
  wide.warm_start = false;
  for (std::size_t f : split)
    if (!wide.covering.empty()) wide.covering.push_back(wide.covering[f]);
  std::vector<double> wide_z;
  LemkeMemory memory;
  LinearReport report =
      run({size, M.data(), q.data(), low.data(), high.data()}, wide, wide_z, memory.contents());
  for (std::size_t k = 0; k < split.size(); ++k) {
    wide_z[split[k]] -= wide_z[n + k];
    if (!report.ray.empty()) report.ray[split[k]] -= report.ray[n + k];
  }
  wide_z.resize(n);
  if (!report.ray.empty()) report.ray.resize(n);
  z = wide_z;
  return report;
}

// Takes m.point (scaled, the solution of the final basis) into z. Where basic values are negative by
// round-off, and clamping them costs more than the tolerance, a few Newton steps move them to their bound.
// True: within tolerance.
bool polish(const BoxedView& p, const LemkeSettings& s, LemkeMemory::Contents& m, std::vector<double>& z,
            LinearReport& report) {
  double last = infinity;
  for (int round = 0, stalled = 0; round <= 12 && stalled < 4; ++round) {
    if (round > 0) {
      for (std::size_t i = 0; i < p.n; ++i) m.point[i] = m.scaled.to_scaled(i, z[i]);
      m.path.newton_step(m.scaled, round % 2 == 1 ? 1e-11 : 1e-13, m.point);
      report.factorisations += m.path.factorisations();
    }
    unscale(p, m.scaled, m.point, z);
    const double residual = plain_residual(p, z.data());
    stalled = residual < 0.5 * last ? 0 : stalled + 1;
    last = std::fmin(last, residual);
    if (residual < report.residual) report.residual = residual, m.best = z;
    if (residual <= s.tolerance) return true;
  }
  return false;
}

LinearReport run(const BoxedView& p, const LemkeSettings& s, std::vector<double>& z,
                 LemkeMemory::Contents& m) {
  LinearReport report = detail::report_of(method, LinearStatus::iteration_limit);
  m.scaled.load(p);
  PathSettings path;
  path.max_pivots = long(s.pivots_per_row) * long(p.n) + 100;
  path.change_limit = s.refactor_after;
  path.stop = s.stop;
  bool warm = s.warm_start;
  m.point.resize(p.n);
  if (warm)
    for (std::size_t i = 0; i < p.n; ++i) m.point[i] = m.scaled.to_scaled(i, z[i]);
  m.best.assign(p.n, 0);
  for (std::size_t i = 0; i < p.n; ++i) m.best[i] = std::fmin(std::fmax(0, lower_of(p, i)), upper_of(p, i));
  report.residual = plain_residual(p, m.best.data());

  int cold_walks = 0;
  for (int attempt = 0; attempt <= s.restarts && !s.stop.asked(); ++attempt) {
    report.restarts = attempt;
    PathEnd end;
    if (warm) {
      end = m.path.walk_warm(m.scaled, path, m.point);
    } else {
      cover(s, p.n, cold_walks++, m.covering);
      end = m.path.walk_cold(m.scaled, path, m.covering);
    }
    report.pivots += int(m.path.pivots());
    if (end == PathEnd::dependent_free) {
      const std::vector<std::size_t> split = m.path.dependent();
      return run_split(p, s, split, z);
    }
    if (end == PathEnd::solution) {
      report.status = LinearStatus::inaccurate;
      m.path.refined(m.point);
      report.factorisations += m.path.factorisations();
      if (polish(p, s, m, z, report)) {
        report.status = LinearStatus::solved;
        report.ray.clear(), report.proves_infeasible = false;
        return report;
      }
      warm = false;
      continue;
    }
    report.factorisations += m.path.factorisations();
    if (end == PathEnd::ray && !warm && report.ray.empty()) {
      m.path.ray(m.ray);
      report.ray.resize(p.n);
      double largest = 0;
      for (std::size_t i = 0; i < p.n; ++i) {
        report.ray[i] = m.scaled.column_scale(i) * m.ray[i];
        largest = std::fmax(largest, std::fabs(report.ray[i]));
      }
      for (double& x : report.ray) x /= largest > 0 ? largest : 1;
      if (report.status != LinearStatus::inaccurate) report.status = LinearStatus::ray;
      report.proves_infeasible = proves_infeasible(p, report.ray);
      if (report.proves_infeasible) break;
    }
    warm = false;
  }
  z = m.best;
  return report;
}

template <class Problem>
bool usable(const Problem& p, const LemkeSettings& s, const std::vector<double>& z) {
  if (!detail::usable(p, s.warm_start, z)) return false;
  if (!s.covering.empty() && s.covering.size() != std::size_t(p.n)) return false;
  for (const double x : s.covering)
    if (!(x > 0) || !std::isfinite(x)) return false;
  return s.tolerance > 0 && s.pivots_per_row > 0 && s.refactor_after > 0 && s.restarts >= 0;
}

LinearReport refused() { return detail::report_of(method, LinearStatus::bad_input); }

}  // namespace

LinearReport detail::lemke_unchecked(const BoxedView& p, const LemkeSettings& s, std::vector<double>& z,
                                     LemkeMemory::Contents& memory) {
  return run(p, s, z, memory);
}

LinearReport lemke(const Lcp& p, const LemkeSettings& s, std::vector<double>& z, LemkeMemory& memory) {
  if (!usable(p, s, z)) return refused();
  return run({std::size_t(p.n), p.M.data(), p.q.data(), nullptr, nullptr}, s, z, memory.contents());
}

LinearReport lemke(const MixedLcp& p, const LemkeSettings& s, std::vector<double>& z, LemkeMemory& memory) {
  if (!usable(p, s, z)) return refused();
  LemkeMemory::Contents& m = memory.contents();
  m.lower.assign(std::size_t(p.n), 0);
  for (int i = 0; i < p.free; ++i) m.lower[std::size_t(i)] = -infinity;
  return run({std::size_t(p.n), p.M.data(), p.q.data(), m.lower.data(), nullptr}, s, z, m);
}

LinearReport lemke(const BoxedLcp& p, const LemkeSettings& s, std::vector<double>& z, LemkeMemory& memory) {
  if (!usable(p, s, z)) return refused();
  return run({std::size_t(p.n), p.M.data(), p.q.data(), p.lower.data(), p.upper.data()}, s, z,
             memory.contents());
}

LinearReport lemke(const Lcp& p, const LemkeSettings& s, std::vector<double>& z) {
  LemkeMemory memory;
  return lemke(p, s, z, memory);
}
LinearReport lemke(const MixedLcp& p, const LemkeSettings& s, std::vector<double>& z) {
  LemkeMemory memory;
  return lemke(p, s, z, memory);
}
LinearReport lemke(const BoxedLcp& p, const LemkeSettings& s, std::vector<double>& z) {
  LemkeMemory memory;
  return lemke(p, s, z, memory);
}

}  // namespace stiction::complementarity
