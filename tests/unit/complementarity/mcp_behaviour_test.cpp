// Mixed complementarity problems beyond the classic set: what happens without a solution, with bad input,
// with functions that are not defined everywhere, with warm starts; bounds of every kind; size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/complementarity/nonlinear/detail/sparse_lu.h"
#include "stiction/complementarity/nonlinear/mcp_residual.h"
#include "stiction/complementarity/nonlinear/solve_mcp.h"
#include "unit/complementarity/mcp_dual.h"
#include "unit/complementarity/mcp_set.h"

using namespace stiction::complementarity;
using mcp_set::ncp_of;
using mcp_set::problem_of;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool names(const std::vector<std::string>& faults, const std::string& beginning) {
  return std::any_of(faults.begin(), faults.end(),
                     [&](const std::string& f) { return f.rfind(beginning, 0) == 0; });
}

Mcp shifted_identity() {
  return ncp_of({0, 0}, [](const auto* x, auto* f) {
    f[0] = x[0] - 1;
    f[1] = x[1] + 1;
  });
}

// Every kind of bound with F = x - c: the solution is c moved into the box.
TEST(Mcp, BoundsOfEveryKind) {
  const std::vector<double> lower = {-infinity, 0, 0, -infinity, -infinity, -1, -1, -1, 2, 2};
  const std::vector<double> upper = {infinity, infinity, infinity, 0, 0, 1, 1, 1, 2, 2};
  const std::vector<double> c = {3, 3, -3, 3, -3, 3, 0.5, -3, 7, -7};
  const std::vector<double> expected = {3, 3, 0, 0, -3, 1, 0.5, -1, 2, 2};
  const Mcp p = problem_of(lower, upper, std::vector<double>(10, 0.25), [&c](const auto* x, auto* f) {
    for (std::size_t i = 0; i < 10; ++i) f[i] = x[i] - c[i];
  });
  EXPECT_EQ(natural_residual(p, expected), 0);
  std::vector<double> x, y;
  EXPECT_EQ(fischer_burmeister(p, {}, x).status, McpStatus::solved);
  EXPECT_EQ(josephy_newton(p, {}, y).status, McpStatus::solved);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(x[i], expected[i], 1e-9) << i;
    EXPECT_EQ(y[i], expected[i]) << i;  // linear: one LCP, exactly on the bounds
  }
}

TEST(Mcp, ResidualIsTheNaturalMap) {
  const Mcp p = shifted_identity();
  EXPECT_EQ(natural_residual(p, {1, 0}), 0);
  EXPECT_EQ(natural_residual(p, {1.5, 0}), 0.5);    // F = 0.5 off the bound
  EXPECT_EQ(natural_residual(p, {1, 0.25}), 0.25);  // F = 1.25, cut off at the distance to the bound
  EXPECT_EQ(natural_residual(p, {0.5, 0}), 0.5);    // F = -0.5, no upper bound
  EXPECT_EQ(natural_residual(p, {1}), infinity);
  EXPECT_EQ(natural_residual(p, {1, -1}), infinity);
  EXPECT_EQ(natural_residual(p, {nan, 0}), infinity);
}

// Without a solution the status is not solved, and the residual is that of the point returned.
void expect_honest_failure(const Mcp& p, double least) {
  for (int solver = 0; solver < 3; ++solver) {
    std::vector<double> x;
    const McpReport report = solver == 0   ? fischer_burmeister(p, {}, x)
                             : solver == 1 ? josephy_newton(p, {}, x)
                                           : solve(p, 1e-10, x);
    EXPECT_NE(report.status, McpStatus::solved) << solver;
    EXPECT_NE(report.status, McpStatus::bad_input) << solver;
    EXPECT_NE(report.status, McpStatus::not_run) << solver;
    EXPECT_GE(report.residual, least) << solver;
    EXPECT_EQ(report.residual, natural_residual(p, x)) << solver;
    if (solver == 2) {
      EXPECT_GT(report.attempts.size(), 10U);
      for (const McpAttempt& a : report.attempts) EXPECT_GE(a.residual, report.residual);
    }
  }
}

TEST(Mcp, WithoutSolutionConstant) {
  expect_honest_failure(ncp_of({1}, [](const auto* x, auto* f) { f[0] = 0 * x[0] - 1; }), 1);
}

TEST(Mcp, WithoutSolutionNoRoot) {
  expect_honest_failure(
      problem_of({-infinity}, {infinity}, {2}, [](const auto* x, auto* f) { f[0] = x[0] * x[0] + 1; }), 1);
}

// min x^2 with x >= 1 and x <= -1: no feasible point; unknowns x and two multipliers. The rows x - 1 and -1 -
// x cannot both be above -1.
TEST(Mcp, WithoutSolutionContradictingConstraints) {
  expect_honest_failure(problem_of({-infinity, 0, 0}, {infinity, infinity, infinity}, {0.3, 0, 0},
                                   [](const auto* x, auto* f) {
                                     f[0] = 2 * x[0] - x[1] + x[2];
                                     f[1] = x[0] - 1;
                                     f[2] = -1 - x[0];
                                   }),
                        1 - 1e-9);
}

TEST(Mcp, BadInputIsNamed) {
  const auto refused = [](const Mcp& p, const std::string& field) {
    EXPECT_TRUE(names(validate(p), field)) << field;
    std::vector<double> x;
    for (const McpReport& report :
         {fischer_burmeister(p, {}, x), josephy_newton(p, {}, x), solve(p, 1e-8, x)}) {
      EXPECT_EQ(report.status, McpStatus::bad_input);
      EXPECT_TRUE(names(report.faults, field)) << field;
    }
  };
  Mcp p;
  refused(p, "n: the problem is empty");
  p.n = -3;
  refused(p, "n: is negative");
  p = shifted_identity();
  p.lower.push_back(0);
  refused(p, "lower: has 3 entries, needs 2");
  p = shifted_identity();
  p.upper.clear();
  refused(p, "upper: has 0 entries, needs 2");
  p = shifted_identity();
  p.start = {1};
  refused(p, "start: has 1 entries, needs 2");
  p = shifted_identity();
  p.start[1] = nan;
  refused(p, "start[1] must be finite");
  p = shifted_identity();
  p.lower[0] = nan;
  refused(p, "lower[0] must be finite or -infinity");
  p = shifted_identity();
  p.lower[1] = 2, p.upper[1] = 1;
  refused(p, "lower[1] is above upper[1]");
  p = shifted_identity();
  p.function = nullptr;
  refused(p, "function: is missing");
  p = shifted_identity();
  p.jacobian = nullptr;
  refused(p, "jacobian: is missing");
  p = shifted_identity();
  p.function = [](std::span<const double>, std::span<double> f) { f[0] = nan, f[1] = 0; };
  refused(p, "function[0] is not finite at the start");
  p = shifted_identity();
  p.function = [](std::span<const double>, std::span<double> f) { f[0] = 0; };
  refused(p, "function[1] is not finite at the start");  // never written
  p = shifted_identity();
  p.jacobian = [](std::span<const double>, std::vector<Triplet>& e) { e.push_back({0, 2, 1}); };
  refused(p, "jacobian[0][2] is outside");
  p = shifted_identity();
  p.jacobian = [](std::span<const double>, std::vector<Triplet>& e) { e.push_back({1, 1, nan}); };
  refused(p, "jacobian[1][1] is not finite");
}

TEST(Mcp, BadSettingsAndGuessesAreNamed) {
  const Mcp p = shifted_identity();
  std::vector<double> x = {1, 2, 3};
  EXPECT_TRUE(names(fischer_burmeister(p, {.tolerance = 0}, x).faults, "tolerance"));
  EXPECT_TRUE(names(fischer_burmeister(p, {.max_iterations = 0}, x).faults, "max_iterations"));
  EXPECT_TRUE(names(fischer_burmeister(p, {.memory = 0}, x).faults, "memory"));
  EXPECT_TRUE(names(josephy_newton(p, {.tolerance = nan}, x).faults, "tolerance"));
  EXPECT_TRUE(names(josephy_newton(p, {.path_halvings = -1}, x).faults, "path_halvings"));
  EXPECT_TRUE(names(solve(p, -1.0, x).faults, "tolerance"));
  EXPECT_TRUE(names(solve(p, McpSolveSettings{.perturbed_starts = -1}, x).faults, "perturbed_starts"));
  EXPECT_TRUE(names(solve(p, McpSolveSettings{.warm_start = true}, x).faults, "x: has 3 entries, needs 2"));
  x = {1, nan};
  EXPECT_TRUE(names(josephy_newton(p, {.warm_start = true}, x).faults, "x[1] must be finite"));
}

// log(x) is not defined at its bound 0, where Newton's step from 5 ends: shorter steps are taken. Root 1.
TEST(Mcp, FunctionsThatAreNotDefinedEverywhere) {
  Mcp p = ncp_of({5}, [](const auto* x, auto* f) { f[0] = x[0]; });
  p.function = [](std::span<const double> x, std::span<double> f) { f[0] = mcp_set::el::log(x[0]); };
  p.jacobian = [](std::span<const double> x, std::vector<Triplet>& e) { e.push_back({0, 0, 1 / x[0]}); };
  std::vector<double> x, y;
  EXPECT_EQ(fischer_burmeister(p, {}, x).status, McpStatus::solved);
  EXPECT_EQ(josephy_newton(p, {}, y).status, McpStatus::solved);
  EXPECT_NEAR(x[0], 1, 1e-9);
  EXPECT_NEAR(y[0], 1, 1e-9);
  x = {0};
  EXPECT_EQ(fischer_burmeister(p, {.warm_start = true}, x).status, McpStatus::undefined);
  EXPECT_EQ(solve(p, McpSolveSettings{.warm_start = true}, x).status, McpStatus::undefined);
}

TEST(Mcp, WarmStartFromASolutionCostsNothing) {
  for (const mcp_set::Classic& c : mcp_set::classics()) {
    std::vector<double> x;
    ASSERT_EQ(solve(c.problem, 1e-10, x).status, McpStatus::solved) << c.name;
    const std::vector<double> solution(x);
    const McpReport again = solve(c.problem, McpSolveSettings{.warm_start = true}, x);
    EXPECT_EQ(again.status, McpStatus::solved) << c.name;
    EXPECT_EQ(again.iterations, 0) << c.name;
    EXPECT_EQ(x, solution) << c.name;
  }
}

TEST(Mcp, SameProblemSameBits) {
  for (const mcp_set::Classic& c : mcp_set::classics()) {
    std::vector<double> x, y;
    const McpReport first = solve(c.problem, 1e-10, x), second = solve(c.problem, 1e-10, y);
    EXPECT_EQ(x, y) << c.name;
    EXPECT_EQ(first.residual_history, second.residual_history) << c.name;
    EXPECT_EQ(first.evaluations, second.evaluations) << c.name;
  }
}

// The policy says how it got past Billups's example: two solvers stop at the start, the next does not.
TEST(Mcp, EscalationIsReported) {
  const std::vector<mcp_set::Classic> all = mcp_set::classics();
  const auto billups =
      std::find_if(all.begin(), all.end(), [](const auto& c) { return c.name == "billups"; });
  ASSERT_NE(billups, all.end());
  std::vector<double> x;
  const McpReport report = solve(billups->problem, 1e-10, x);
  ASSERT_GE(report.attempts.size(), 3U);
  EXPECT_EQ(std::string(report.attempts[0].method), "fischer_burmeister");
  EXPECT_EQ(report.attempts[0].status, McpStatus::stationary);
  EXPECT_EQ(std::string(report.attempts[1].method), "josephy_newton");
  EXPECT_EQ(report.attempts[1].status, McpStatus::stationary);
  EXPECT_EQ(std::string(report.attempts[2].method), "proximal");
  EXPECT_EQ(report.attempts.back().status, McpStatus::solved);
  // Without escalation the residual that remains is told.
  const McpReport cut =
      solve(billups->problem, McpSolveSettings{.proximal_steps = 0, .perturbed_starts = 0}, x);
  EXPECT_EQ(cut.status, McpStatus::stationary);
  EXPECT_NEAR(cut.residual, 0.01, 1e-12);
}

TEST(Mcp, IterationLimitKeepsTheBestPoint) {
  const std::vector<mcp_set::Classic> all = mcp_set::classics();
  for (const mcp_set::Classic& c : all) {
    if (c.name != "scarf") continue;
    std::vector<double> x;
    const McpReport report = fischer_burmeister(c.problem, {.max_iterations = 3}, x);
    EXPECT_EQ(report.status, McpStatus::iteration_limit);
    EXPECT_EQ(report.residual, natural_residual(c.problem, x));
    EXPECT_EQ(report.residual,
              *std::min_element(report.residual_history.begin(), report.residual_history.end()));
  }
}

// 3600 unknowns, five entries a row: above the limit of the dense solver, so the sparse one must do it alone.
TEST(Mcp, LargeSparseProblem) {
  constexpr int m = 60;
  const auto at = [](int i, int j) { return i * m + j; };
  Mcp p = ncp(
      std::vector<double>(m * m, 0),
      [at](std::span<const double> u, std::span<double> f) {
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < m; ++j) {
            const auto value = [&](int a, int b) {
              return a < 0 || b < 0 || a >= m || b >= m ? 0.02 : u[std::size_t(at(a, b))];
            };
            f[std::size_t(at(i, j))] = 4 * value(i, j) - value(i - 1, j) - value(i + 1, j) - value(i, j - 1) -
                                       value(i, j + 1) + 1.0 / ((m + 1) * (m + 1));
          }
      },
      [at](std::span<const double>, std::vector<Triplet>& entries) {
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < m; ++j) {
            entries.push_back({at(i, j), at(i, j), 4});
            if (i > 0) entries.push_back({at(i, j), at(i - 1, j), -1});
            if (i + 1 < m) entries.push_back({at(i, j), at(i + 1, j), -1});
            if (j > 0) entries.push_back({at(i, j), at(i, j - 1), -1});
            if (j + 1 < m) entries.push_back({at(i, j), at(i, j + 1), -1});
          }
      });
  std::vector<double> u;
  const McpReport report = solve(p, 1e-12, u);
  EXPECT_EQ(report.status, McpStatus::solved) << report.residual;
  EXPECT_EQ(report.attempts.size(), 1U);
  EXPECT_LT(report.iterations, 30);
  // The membrane touches the floor in the middle and is symmetric.
  EXPECT_LT(u[std::size_t(at(m / 2, m / 2))], 1e-12);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < i; ++j) EXPECT_NEAR(u[std::size_t(at(i, j))], u[std::size_t(at(j, i))], 1e-10);
}

// Random sparse matrices, unsymmetric in pattern and value: A x = b to round-off, and again with new values.
TEST(SparseLu, SolvesRandomMatrices) {
  unsigned state = 1;
  const auto random = [&state] { return double((state = state * 1664525U + 1013904223U) >> 8) / (1 << 24); };
  detail::SparseLu lu;
  for (int n = 1; n <= 120; n += 7) {
    detail::SparseColumns a;
    a.n = n;
    a.start = {0};
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        // A cyclic shift makes it regular; the diagonal is often empty, so rows must be exchanged.
        if (i == (j + 1) % n || random() < 0.05)
          a.row.push_back(i), a.value.push_back(i == (j + 1) % n ? 3 + random() : random() - 0.5);
      a.start.push_back(int(a.row.size()));
    }
    for (int round = 0; round < 2; ++round) {
      ASSERT_TRUE(lu.factor(a, 1e-13)) << n;
      std::vector<double> x, b(std::size_t(n), 0);
      for (int j = 0; j < n; ++j) x.push_back(random() - 0.5);
      for (std::size_t j = 0; j < std::size_t(n); ++j)
        for (auto k = std::size_t(a.start[j]); k < std::size_t(a.start[j + 1]); ++k)
          b[std::size_t(a.row[k])] += a.value[k] * x[j];
      lu.solve(b);
      for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(b[j], x[j], 1e-11) << n;
      for (double& v : a.value) v *= 1 + 0.1 * random();
    }
  }
}

// A 60 x 60 grid by rows would fill two bands of 60 times 3600 entries, 432,000. The order must do better:
// nested dissection, the best known, needs 31/4 n log2 n / 2 = 165,000 for each factor of large grids, less
// for small ones.
TEST(SparseLu, OrderKeepsTheFillLow) {
  constexpr int m = 60;
  detail::SparseColumns a;
  a.n = m * m;
  a.start = {0};
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const auto entry = [&](int r, int c, double value) {
        if (r >= 0 && c >= 0 && r < m && c < m) a.row.push_back(r * m + c), a.value.push_back(value);
      };
      entry(i - 1, j, -1), entry(i, j - 1, -1), entry(i, j, 4), entry(i, j + 1, -1), entry(i + 1, j, -1);
      a.start.push_back(int(a.row.size()));
    }
  detail::SparseLu lu;
  ASSERT_TRUE(lu.factor(a, 1e-13));
  EXPECT_LT(lu.entries(), 200000);
}

TEST(SparseLu, SaysSingular) {
  detail::SparseLu lu;
  // (1 2; 2 4) and a matrix with an empty row
  EXPECT_FALSE(lu.factor({.n = 2, .start = {0, 2, 4}, .row = {0, 1, 0, 1}, .value = {1, 2, 2, 4}}, 1e-13));
  EXPECT_FALSE(lu.factor({.n = 2, .start = {0, 1, 2}, .row = {0, 0}, .value = {1, 1}}, 1e-13));
  EXPECT_TRUE(lu.factor({.n = 2, .start = {0, 2, 4}, .row = {0, 1, 0, 1}, .value = {1, 2, 2, 3}}, 1e-13));
}

}  // namespace
