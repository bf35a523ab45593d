#include "stiction/complementarity/nonlinear/solve_mcp.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/complementarity/nonlinear/detail/begin.h"
#include "stiction/complementarity/nonlinear/mcp_residual.h"

namespace stiction::complementarity {
namespace {

// The policy's state: the best point so far and the report that adds up.
class Policy {
 public:
  Policy(const Mcp& p, const McpSolveSettings& s, const std::vector<double>& start, McpReport& total)
      : p_(p), s_(s), start_(start), total_(total) {}

  bool run();
  std::vector<double>& best() { return best_; }

 private:
  bool book(const McpReport& one, int start, std::vector<double>& x);
  bool newton(int start, const std::vector<double>& from);
  bool josephy(int start, const std::vector<double>& from);
  bool proximal();
  double first_lambda() const;
  void perturb(int k, std::vector<double>& x) const;

  const Mcp& p_;
  const McpSolveSettings& s_;
  std::vector<double> start_, best_;
  McpReport& total_;
};

void add_counts(const McpReport& one, McpReport& total) {
  total.iterations += one.iterations;
  total.evaluations += one.evaluations;
  total.jacobians += one.jacobians;
  total.factorisations += one.factorisations;
  total.pivots += one.pivots;
  total.short_steps += one.short_steps;
  total.gradient_steps += one.gradient_steps;
}

// Adds one attempt up; true where the problem is solved.
bool Policy::book(const McpReport& one, int start, std::vector<double>& x) {
  add_counts(one, total_);
  total_.residual_history.insert(total_.residual_history.end(), one.residual_history.begin(),
                                 one.residual_history.end());
  total_.attempts.push_back({one.method, start, one.status, one.residual, one.iterations});
  if (one.status == McpStatus::undefined) {
    if (total_.status == McpStatus::not_run) total_.status = one.status;
    return false;
  }
  const double residual = natural_residual(p_, x);
  ++total_.evaluations;
  if (total_.residual < 0 || residual < total_.residual) {
    total_.residual = residual;
    total_.method = one.method;
    total_.status = one.status == McpStatus::solved ? McpStatus::stationary : one.status;
    best_.swap(x);
  }
  if (!(total_.residual <= s_.tolerance)) return false;
  total_.status = McpStatus::solved;
  return true;
}

bool Policy::newton(int start, const std::vector<double>& from) {
  std::vector<double> x(from);
  const FischerBurmeisterSettings settings{.tolerance = s_.tolerance, .warm_start = true};
  const McpReport one = fischer_burmeister(p_, settings, x);
  return book(one, start, x);
}

bool Policy::josephy(int start, const std::vector<double>& from) {
  if (p_.n > s_.dense_limit) return false;
  std::vector<double> x(from);
  const JosephyNewtonSettings settings{.tolerance = s_.tolerance, .warm_start = true};
  const McpReport one = josephy_newton(p_, settings, x);
  return book(one, start, x);
}

// The mean size of J's diagonal, which lambda should be comparable with; 1 where that is 0.
double Policy::first_lambda() const {
  std::vector<Triplet> entries;
  p_.jacobian(start_, entries);
  double sum = 0;
  for (const Triplet& t : entries)
    if (t.row == t.column) sum += std::fabs(t.value);
  const double mean = sum / p_.n;
  return mean > 0 && std::isfinite(mean) ? mean : 1;
}

bool Policy::proximal() {
  if (s_.proximal_steps == 0) return false;
  std::vector<double> centre(start_), y;
  double lambda = first_lambda();
  Mcp step = p_;
  step.function = [&](std::span<const double> x, std::span<double> f) {
    p_.function(x, f);
    for (std::size_t i = 0; i < x.size(); ++i) f[i] += lambda * (x[i] - centre[i]);
  };
  step.jacobian = [&](std::span<const double> x, std::vector<Triplet>& entries) {
    p_.jacobian(x, entries);
    for (int i = 0; i < p_.n; ++i) entries.push_back({i, i, lambda});
  };
  McpReport all;
  all.method = "proximal";
  all.residual = natural_residual(p_, centre);
  all.residual_history.push_back(all.residual);
  all.status = McpStatus::iteration_limit;
  double residual = all.residual;
  for (int k = 0; k < s_.proximal_steps && residual > s_.tolerance; ++k) {
    // A tenth of the way is enough for a centre that moves again.
    const FischerBurmeisterSettings inner{
        .tolerance = std::fmax(s_.tolerance, 0.1 * residual), .max_iterations = 30, .warm_start = true};
    y = centre;
    const McpReport one = fischer_burmeister(step, inner, y);
    add_counts(one, all);
    if (one.status != McpStatus::solved) {
      lambda *= 4;
      continue;
    }
    centre.swap(y);
    const double now = natural_residual(p_, centre);
    ++all.evaluations;
    all.residual_history.push_back(now);
    lambda *= std::fmax(0.1, std::fmin(1, now / residual));
    residual = now;
    if (lambda < 1e-3 * first_lambda()) break;  // fischer_burmeister takes it from here
  }
  all.residual = residual;
  if (residual <= s_.tolerance) all.status = McpStatus::solved;
  std::vector<double> end(centre);
  return book(all, 0, end) || newton(0, centre);
}

// The k-th perturbed start: each unknown moves by up to 0.1, 0.2, 0.4, ... of 1 + |x|, by the fractional
// parts of multiples of the golden ratio (k even: the other way), and stays in the box.
void Policy::perturb(int k, std::vector<double>& x) const {
  const double golden = 0.6180339887498949;
  const int pair = (k - 1) / 2;  // both signs of the same offsets
  const double reach = 0.1 * double(1 << std::min(pair, 20));
  x = start_;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double multiple = golden * double(int(i) + 1 + 7 * pair);
    const double offset = 2 * (multiple - std::floor(multiple)) - 1;
    x[i] += (k % 2 == 0 ? -reach : reach) * offset * (1 + std::fabs(x[i]));
    x[i] = std::fmin(std::fmax(x[i], p_.lower[i]), p_.upper[i]);
  }
}

bool Policy::run() {
  if (newton(0, start_) || josephy(0, start_) || proximal()) return true;
  std::vector<double> x;
  for (int k = 1; k <= s_.perturbed_starts; ++k) {
    perturb(k, x);
    if (newton(k, x) || josephy(k, x)) return true;
  }
  return false;
}

}  // namespace

McpReport solve(const Mcp& p, const McpSolveSettings& s, std::vector<double>& x) {
  McpReport report;
  detail::require(s.tolerance > 0, "tolerance: is not positive", report);
  detail::require(s.dense_limit >= 0, "dense_limit: is negative", report);
  detail::require(s.proximal_steps >= 0, "proximal_steps: is negative", report);
  detail::require(s.perturbed_starts >= 0, "perturbed_starts: is negative", report);
  detail::McpForm form(p, report);
  detail::McpPoint start;
  if (!detail::begin(p, s.warm_start, x, form, start, report)) return report;
  Policy policy(p, s, start.x, report);
  policy.run();
  if (!policy.best().empty()) x.swap(policy.best());
  return report;
}

McpReport solve(const Mcp& p, double tolerance, std::vector<double>& x) {
  return solve(p, McpSolveSettings{.tolerance = tolerance}, x);
}

}  // namespace stiction::complementarity
