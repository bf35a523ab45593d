#include "stiction/complementarity/linear/solve_linear.h"

#include <limits>

#include "stiction/complementarity/linear/detail/entry.h"
#include "stiction/complementarity/linear/detail/unchecked.h"
#include "stiction/complementarity/linear/natural_residual.h"

namespace stiction::complementarity {
namespace {

// Adds up what the tries cost, keeps the best z, and judges it by the residual that no solver shares.
template <class Problem>
class Tries {
 public:
  Tries(const Problem& p, double tolerance) : p_(p), tolerance_(tolerance) {}

  /// True: solved.
  bool see(const LinearReport& report, const std::vector<double>& z) {
    if (report.status == LinearStatus::bad_input) return best_ = report, true;
    pivots_ += report.pivots, sweeps_ += report.sweeps, factorisations_ += report.factorisations;
    restarts_ += report.restarts;
    // an answer that the solver itself does not believe in is not worth the judge's time
    const double residual = report.residual > 10 * tolerance_ ? report.residual : natural_residual(p_, z);
    const bool solved = residual <= tolerance_;
    // a ray says more than a poor point
    const bool better = best_.status == LinearStatus::not_run || solved || residual < best_.residual ||
                        report.status == LinearStatus::ray;
    if (better && (solved || best_.status != LinearStatus::ray)) {
      best_ = report;
      best_.residual = residual;
      if (solved) best_.status = LinearStatus::solved;
      if (!solved && report.status == LinearStatus::solved) best_.status = LinearStatus::inaccurate;
      z_ = z;
    }
    return solved;
  }
  const LinearReport& best() const { return best_; }
  LinearReport finish(std::vector<double>& z) {
    if (best_.status != LinearStatus::bad_input) {
      z = z_;
      best_.pivots = pivots_, best_.sweeps = sweeps_, best_.factorisations = factorisations_;
      best_.restarts = restarts_;
    }
    return best_;
  }

 private:
  const Problem& p_;
  double tolerance_;
  LinearReport best_;
  std::vector<double> z_;
  int pivots_ = 0, sweeps_ = 0, factorisations_ = 0, restarts_ = 0;
};

template <class Problem>
LinearReport run(const Problem& p, const detail::BoxedView& view, const LinearSolveSettings& s,
                 std::vector<double>& z, LinearSolveMemory& memory) {
  Tries<Problem> tries(p, s.tolerance);
  // solvers aim a little lower: their own account differs from the judge's by round-off
  const double aim = 0.5 * s.tolerance;
  std::vector<double> guess = z;
  const bool symmetric = may_be_semidefinite(p.n, p.M);
  if (symmetric) {  // definite: done after a few factorisations, or not at all
    const BlockPivotingSettings few{.tolerance = aim,
                                    .patience = 2,
                                    .max_solves = 30,
                                    .proximal_rounds = 0,
                                    .single_moves = false,
                                    .warm_start = s.warm_start};
    if (tries.see(detail::block_pivoting_unchecked(view, few, guess, memory.block_pivoting.contents()),
                  guess))
      return tries.finish(z);
    guess = z;
  }
  LemkeSettings pivots{.tolerance = aim, .warm_start = s.warm_start};
  if (tries.see(detail::lemke_unchecked(view, pivots, guess, memory.lemke.contents()), guess))
    return tries.finish(z);
  if (tries.best().proves_infeasible) return tries.finish(z);
  if (symmetric) {
    const BlockPivotingSettings proximal{.tolerance = aim, .max_solves = 30};
    if (tries.see(detail::block_pivoting_unchecked(view, proximal, guess, memory.block_pivoting.contents()),
                  guess))
      return tries.finish(z);
  }
  const LinearReport rough = gauss_seidel(p, {.tolerance = 1e-6, .max_sweeps = 1000}, guess);
  if (rough.status == LinearStatus::solved) {
    pivots.warm_start = true;
    tries.see(detail::lemke_unchecked(view, pivots, guess, memory.lemke.contents()), guess);
  }
  return tries.finish(z);
}

template <class Problem>
LinearReport check_and_run(const Problem& p, const double* lower, const double* upper,
                           const LinearSolveSettings& s, std::vector<double>& z, LinearSolveMemory& memory) {
  if (!detail::usable(p, s.warm_start, z) || !(s.tolerance > 0))
    return detail::report_of("", LinearStatus::bad_input);
  return run(p, {std::size_t(p.n), p.M.data(), p.q.data(), lower, upper}, s, z, memory);
}

}  // namespace

LinearReport solve(const Lcp& p, const LinearSolveSettings& s, std::vector<double>& z,
                   LinearSolveMemory& memory) {
  return check_and_run(p, nullptr, nullptr, s, z, memory);
}
LinearReport solve(const MixedLcp& p, const LinearSolveSettings& s, std::vector<double>& z,
                   LinearSolveMemory& memory) {
  std::vector<double> lower(std::size_t(p.n > 0 ? p.n : 0), 0);
  for (std::size_t i = 0; i < lower.size() && int(i) < p.free; ++i)
    lower[i] = -std::numeric_limits<double>::infinity();
  return check_and_run(p, lower.data(), nullptr, s, z, memory);
}
LinearReport solve(const BoxedLcp& p, const LinearSolveSettings& s, std::vector<double>& z,
                   LinearSolveMemory& memory) {
  return check_and_run(p, p.lower.data(), p.upper.data(), s, z, memory);
}

LinearReport solve(const Lcp& p, double tolerance, std::vector<double>& z) {
  LinearSolveMemory memory;
  return solve(p, {.tolerance = tolerance}, z, memory);
}
LinearReport solve(const MixedLcp& p, double tolerance, std::vector<double>& z) {
  LinearSolveMemory memory;
  return solve(p, {.tolerance = tolerance}, z, memory);
}
LinearReport solve(const BoxedLcp& p, double tolerance, std::vector<double>& z) {
  LinearSolveMemory memory;
  return solve(p, {.tolerance = tolerance}, z, memory);
}

}  // namespace stiction::complementarity
