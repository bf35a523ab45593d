#include "stiction/complementarity/nonlinear/josephy_newton.h"

#include <cmath>

#include "stiction/complementarity/linear/lemke.h"
#include "stiction/complementarity/nonlinear/detail/drive.h"

namespace stiction::complementarity {
namespace {

using detail::McpForm;
using detail::McpPoint;

constexpr double sufficient = 1e-4;  // share of the decrease (1 - t) Psi that must come true
constexpr int lemke_restarts = 2;    // a ray at t = 1 is common far from a solution; the path search follows

class Linearisation {
 public:
  Linearisation(McpForm& form, McpReport& report) : form_(form), report_(report) {}

  /// The path from `at`, whose Jacobian the form holds.
  void set(const McpPoint& at) {
    const Mcp& p = form_.problem();
    const detail::SparseColumns& j = form_.jacobian();
    const auto n = std::size_t(p.n);
    lcp_.n = p.n;
    lcp_.M.assign(n * n, 0);
    for (std::size_t column = 0; column < n; ++column)
      for (auto k = std::size_t(j.start[column]); k < std::size_t(j.start[column + 1]); ++k)
        lcp_.M[std::size_t(j.row[k]) * n + column] = j.value[k];
    lcp_.lower.resize(n), lcp_.upper.resize(n), shift_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      lcp_.lower[i] = p.lower[i] - at.x[i];
      lcp_.upper[i] = p.upper[i] - at.x[i];
      double carried = 0;
      if (lcp_.lower[i] == 0) carried = std::fmax(at.f[i], 0);
      if (lcp_.upper[i] == 0) carried = lcp_.lower[i] == 0 ? at.f[i] : std::fmin(at.f[i], 0);
      shift_[i] = at.f[i] - carried;
    }
    d_.assign(n, 0);
  }

  /// The point of the path at t into y; false where Lemke's method finds none.
  bool point(const McpPoint& at, double t, std::vector<double>& y) {
    lcp_.q = at.f;
    for (std::size_t i = 0; i < lcp_.q.size(); ++i) lcp_.q[i] -= (1 - t) * shift_[i];
    const LemkeSettings settings{.restarts = lemke_restarts, .warm_start = true, .covering = {}};
    const LinearReport solved = lemke(lcp_, settings, d_, memory_);
    report_.pivots += solved.pivots;
    if (solved.status != LinearStatus::solved && solved.status != LinearStatus::inaccurate) {
      d_.assign(d_.size(), 0);
      return false;
    }
    const Mcp& p = form_.problem();
    y.resize(at.x.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] = at.x[i] + d_[i];
      if (d_[i] == lcp_.lower[i]) y[i] = p.lower[i];  // exactly on the bound
      if (d_[i] == lcp_.upper[i]) y[i] = p.upper[i];
    }
    return true;
  }

 private:
  McpForm& form_;
  McpReport& report_;
  LemkeMemory memory_;
  BoxedLcp lcp_;
  std::vector<double> shift_, d_;
};

// Along the path; true: `next` is taken and the form holds its Jacobian.
bool path_step(McpForm& form, Linearisation& line, const McpPoint& at, double reference, int halvings,
               McpPoint& next, McpReport& report) {
  line.set(at);
  double t = 1;
  for (int k = 0; k <= halvings; ++k, t *= 0.5) {
    if (!line.point(at, t, next.x) || !form.evaluate(next)) continue;
    if (!(next.merit <= reference - sufficient * t * at.merit)) continue;
    if (!form.evaluate_jacobian(next)) continue;
    ++report.iterations;
    if (k > 0) ++report.short_steps;
    return true;
  }
  return false;
}

}  // namespace

McpReport josephy_newton(const Mcp& p, const JosephyNewtonSettings& s, std::vector<double>& x) {
  McpReport report;
  report.method = "josephy_newton";
  detail::require(s.tolerance > 0, "tolerance: is not positive", report);
  detail::require(s.max_iterations > 0, "max_iterations: is not positive", report);
  detail::require(s.path_halvings >= 0, "path_halvings: is negative", report);
  detail::require(s.memory > 0, "memory: is not positive", report);
  McpForm form(p, report);
  McpPoint at;
  if (!detail::begin(p, s.warm_start, x, form, at, report)) return report;
  Linearisation line(form, report);
  detail::Descent descent(form, report);
  detail::drive(s, at, x, report, [&](const McpPoint& from, double reference, McpPoint& to) {
    if (path_step(form, line, from, reference, s.path_halvings, to, report)) return true;
    // A trial point may have replaced the Jacobian.
    const bool defined = form.evaluate_jacobian(from);
    const detail::DescentStep step = defined ? descent.take(from, reference, to) : detail::DescentStep::none;
    if (step == detail::DescentStep::none) return false;
    detail::count_step(step == detail::DescentStep::full ? detail::DescentStep::shortened : step, report);
    return true;
  });
  return report;
}

}  // namespace stiction::complementarity
