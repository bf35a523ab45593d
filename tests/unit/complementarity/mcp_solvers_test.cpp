// Solvers of mixed complementarity problems on the classic set (mcp_set.h).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/complementarity/nonlinear/mcp_residual.h"
#include "stiction/complementarity/nonlinear/solve_mcp.h"
#include "unit/complementarity/mcp_dual.h"
#include "unit/complementarity/mcp_set.h"

using namespace stiction::complementarity;
using mcp_set::Classic;

namespace {

constexpr double tolerance = 1e-10;

struct Solver {
  const char* name;
  McpReport (*run)(const Mcp&, std::vector<double>&);
};

McpReport by_fischer_burmeister(const Mcp& p, std::vector<double>& x) {
  return fischer_burmeister(p, {.tolerance = tolerance}, x);
}
McpReport by_josephy_newton(const Mcp& p, std::vector<double>& x) {
  return josephy_newton(p, {.tolerance = tolerance}, x);
}
McpReport by_policy(const Mcp& p, std::vector<double>& x) { return solve(p, tolerance, x); }

const Solver solvers[] = {{"fischer_burmeister", by_fischer_burmeister},
                          {"josephy_newton", by_josephy_newton}};

std::vector<std::vector<double>> starts_of(const Classic& c) {
  std::vector<std::vector<double>> starts = {c.problem.start};
  starts.insert(starts.end(), c.more_starts.begin(), c.more_starts.end());
  return starts;
}

double distance(const std::vector<double>& known, const std::vector<double>& x) {
  double worst = 0;
  for (std::size_t i = 0; i < known.size(); ++i)
    worst = std::fmax(worst, std::fabs(known[i] - x[i]) / (1 + std::fabs(known[i])));
  return worst;
}

// x is one of the known solutions, and has the further property.
void expect_known(const Classic& c, const std::vector<double>& x) {
  if (!c.solutions.empty()) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& s : c.solutions) nearest = std::fmin(nearest, distance(s, x));
    EXPECT_LE(nearest, c.digits);
  }
  if (c.check) {
    EXPECT_EQ(c.check(x), "");
  }
}

TEST(McpSet, JacobiansAreRight) {
  for (const Classic& c : mcp_set::classics()) {
    EXPECT_EQ(validate(c.problem), std::vector<std::string>{}) << c.name;
    // Inside the box, where differences are central.
    std::vector<double> x(c.problem.start);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double room = c.problem.upper[i] - x[i];
      x[i] += room > 0.5 ? 0.125 : -0.25 * (x[i] - c.problem.lower[i]);
    }
    EXPECT_LT(jacobian_error(c.problem, x), 2e-8) << c.name;
  }
}

TEST(McpSet, HasTheSizeItClaims) { EXPECT_GE(mcp_set::classics().size(), 15U); }

// The printed solutions are solutions of the equations as typed here, to the digits printed (where all
// unknowns are printed).
TEST(McpSet, PrintedSolutionsSatisfyTheEquations) {
  for (const Classic& c : mcp_set::classics())
    for (const std::vector<double>& s : c.solutions)
      if (s.size() == c.problem.start.size()) {
        EXPECT_LT(natural_residual(c.problem, s), 30 * std::fmax(c.digits, 1e-14)) << c.name;
      }
}

TEST(McpPolicy, SolvesEveryClassicFromEveryStandardStart) {
  for (const Classic& c : mcp_set::classics())
    for (const std::vector<double>& start : starts_of(c)) {
      SCOPED_TRACE(c.name + " from x[0] = " + std::to_string(start[0]));
      Mcp p = c.problem;
      p.start = start;
      std::vector<double> x;
      const McpReport report = by_policy(p, x);
      EXPECT_EQ(report.status, McpStatus::solved) << name_of(report.status) << " " << report.residual;
      EXPECT_LE(natural_residual(p, x), tolerance);
      EXPECT_EQ(report.residual, natural_residual(p, x));
      expect_known(c, x);
    }
}

// Each solver alone, from the first start of each problem. Billups's example is built to stop both; only the
// policy gets past it.
TEST(McpSolvers, EachSolvesTheClassicsAlone) {
  for (const Classic& c : mcp_set::classics()) {
    std::vector<std::vector<double>> found;
    for (const Solver& solver : solvers) {
      SCOPED_TRACE(c.name + std::string(" by ") + solver.name);
      std::vector<double> x;
      const McpReport report = solver.run(c.problem, x);
      const double independent = natural_residual(c.problem, x);
      // A claim is never better than what the independent measure says.
      EXPECT_GE(report.residual, independent * (1 - 1e-15));
      ASSERT_EQ(report.residual_history.size(), std::size_t(report.iterations) + 1);
      if (c.name == "billups") {
        EXPECT_EQ(report.status, McpStatus::stationary);
        EXPECT_GT(report.residual, 1e-3);
        continue;
      }
      EXPECT_EQ(report.status, McpStatus::solved) << report.residual;
      EXPECT_LE(independent, tolerance);
      expect_known(c, x);
      found.push_back(x);
    }
    // Where there is one solution only, they meet: the inverse of the Jacobian magnifies 1e-10 by the
    // condition of the problem, below 1e4 here.
    if (c.unique && found.size() == 2) {
      EXPECT_LE(distance(found[0], found[1]), 1e-6) << c.name;
    }
  }
}

}  // namespace
