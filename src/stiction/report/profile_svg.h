// Performance profiles: how solvers compare over a set of problems (Dolan, More (2002), Math. Programming
// 91).
//
//   rho_s(tau) = share of the problems that solver s solves within tau times the best solver's time
//
// Shares are of the problems that the solver takes: one that cannot be asked (a linear solver, say, for a
// nonlinear problem) is no failure, and the picture says of how many the share is. Curves of solvers that
// take different problems are read one by one.
// rho_s(1) is how often s is the fastest, the right end how many it solves at all. With one solver there is
// no best to compare with: the axis is then its time itself.
#pragma once

#include <string>
#include <vector>

namespace stiction {

struct ProfileCurve {
  std::string solver{};
  std::vector<double>
      milliseconds{};  // one per problem, the same order for all; infinite = not solved, NaN = not taken
};

/// Shares of one solver: rises at `at` (tau, or milliseconds) to `share`.
struct ProfileStep {
  double at = 0, share = 0;
};
std::vector<ProfileStep> profile_steps(const std::vector<ProfileCurve>& curves, std::size_t solver);

/// A standalone picture.
std::string profile_svg(const std::vector<ProfileCurve>& curves, const std::string& title);

}  // namespace stiction
