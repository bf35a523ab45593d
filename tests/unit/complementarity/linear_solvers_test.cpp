// Block pivoting, sweeps and the policy; agreement of all solvers where the solution is unique.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/complementarity/linear/natural_residual.h"
#include "stiction/complementarity/linear/reformulate.h"
#include "stiction/complementarity/linear/solve_linear.h"
#include "support/lcp_suite.h"

namespace stiction::complementarity {
namespace {

using test::Random;
constexpr double infinity = std::numeric_limits<double>::infinity();

// A matrix whose condition number stays near 5, so that sweeps converge.
Lcp well_conditioned(Random& random, int n) {
  Lcp p = test::random_spd(random, n);
  for (double& x : p.M) x /= n;
  for (std::size_t i = 0; i < std::size_t(n); ++i) p.M[i * std::size_t(n) + i] += 0.4;
  return p;
}

// No solver may claim more than the independent residual shows, but for the round-off of its sums.
void expect_claim(const LinearReport& report, const Lcp& p, const std::vector<double>& z) {
  EXPECT_GE(report.residual, natural_residual(p, z) - test::round_off(p, z)) << report.method;
}

TEST(LinearSolvers, AgreeOnPositiveDefiniteProblems) {
  Random random(21);
  for (int n = 1; n <= 80; n += n < 20 ? 1 : 9) {
    const Lcp p = well_conditioned(random, n);
    std::vector<double> pivots, blocks, sweeps, jumps, policy;
    ASSERT_EQ(lemke(p, {}, pivots).status, LinearStatus::solved);
    ASSERT_EQ(block_pivoting(p, {}, blocks).status, LinearStatus::solved);
    const LinearReport first = gauss_seidel(p, {.tolerance = 1e-11}, sweeps);
    const LinearReport second = jacobi(p, {.tolerance = 1e-11}, jumps);
    ASSERT_EQ(first.status, LinearStatus::solved);
    ASSERT_EQ(second.status, LinearStatus::solved);
    ASSERT_EQ(solve(p, 1e-12, policy).status, LinearStatus::solved);
    expect_claim(first, p, sweeps);
    expect_claim(second, p, jumps);
    // the error of z is at most (1 + |M|) / 0.4 times the residual
    for (std::size_t i = 0; i < pivots.size(); ++i) {
      EXPECT_NEAR(blocks[i], pivots[i], 1e-12);
      EXPECT_NEAR(policy[i], pivots[i], 1e-12);
      EXPECT_NEAR(sweeps[i], pivots[i], 1e-10);
      EXPECT_NEAR(jumps[i], pivots[i], 1e-10);
    }
    for (std::size_t k = 1; k < first.residual_history.size(); ++k)
      EXPECT_LT(first.residual_history[k], first.residual_history[k - 1]);
  }
}

TEST(LinearSolvers, AgreeOnBoxes) {
  Random random(22);
  for (int n = 1; n <= 60; n += 4) {
    BoxedLcp p = as_boxed(well_conditioned(random, n));
    for (std::size_t i = 0; i < p.lower.size(); ++i) {
      p.lower[i] = random.below(3) ? random.between(-0.5, 0) : -infinity;
      p.upper[i] = random.below(3) ? random.between(0, 0.5) : infinity;
      if (random.below(8) == 0 && !std::isinf(p.lower[i])) p.upper[i] = p.lower[i];
    }
    ASSERT_TRUE(validate(p).empty());
    std::vector<double> pivots, blocks, sweeps, jumps, policy;
    ASSERT_EQ(lemke(p, {}, pivots).status, LinearStatus::solved);
    ASSERT_EQ(block_pivoting(p, {}, blocks).status, LinearStatus::solved);
    ASSERT_EQ(gauss_seidel(p, {.tolerance = 1e-11}, sweeps).status, LinearStatus::solved);
    ASSERT_EQ(jacobi(p, {.tolerance = 1e-11}, jumps).status, LinearStatus::solved);
    ASSERT_EQ(solve(p, 1e-12, policy).status, LinearStatus::solved);
    for (std::size_t i = 0; i < pivots.size(); ++i) {
      EXPECT_NEAR(blocks[i], pivots[i], 1e-12);
      EXPECT_NEAR(policy[i], pivots[i], 1e-12);
      EXPECT_NEAR(sweeps[i], pivots[i], 1e-10);
      EXPECT_NEAR(jumps[i], pivots[i], 1e-10);
    }
  }
}

TEST(LinearSolvers, AgreeOnMixedProblems) {
  Random random(23);
  for (int n = 2; n <= 40; n += 3) {
    const Lcp base = well_conditioned(random, n);
    const MixedLcp p{n, n / 3, base.M, base.q};
    std::vector<double> pivots, sweeps, jumps, policy, reduced;
    ASSERT_EQ(lemke(p, {}, pivots).status, LinearStatus::solved);
    ASSERT_EQ(gauss_seidel(p, {.tolerance = 1e-11}, sweeps).status, LinearStatus::solved);
    ASSERT_EQ(jacobi(p, {.tolerance = 1e-11}, jumps).status, LinearStatus::solved);
    ASSERT_EQ(solve(p, 1e-12, policy).status, LinearStatus::solved);
    const std::optional<Elimination> elimination = eliminate_free(p);
    ASSERT_TRUE(elimination);
    ASSERT_EQ(solve(elimination->reduced, 1e-12, reduced).status, LinearStatus::solved);
    const std::vector<double> eliminated = elimination->recover(reduced);
    EXPECT_LE(natural_residual(p, eliminated), 1e-12);
    for (std::size_t i = 0; i < pivots.size(); ++i) {
      EXPECT_NEAR(policy[i], pivots[i], 1e-12);
      EXPECT_NEAR(eliminated[i], pivots[i], 1e-11);
      EXPECT_NEAR(sweeps[i], pivots[i], 1e-10);
      EXPECT_NEAR(jumps[i], pivots[i], 1e-10);
    }
  }
}

TEST(BlockPivoting, NeedsFewSolvesWhereDefinite) {
  Random random(24);
  for (const int n : {10, 50, 150, 300}) {
    const Lcp p = test::random_spd(random, n);
    std::vector<double> z;
    const LinearReport report = block_pivoting(p, {}, z);
    EXPECT_EQ(report.status, LinearStatus::solved) << n;
    EXPECT_LE(report.factorisations, 12) << n;
    EXPECT_LE(natural_residual(p, z), 1e-12);
    expect_claim(report, p, z);
    const LinearReport again = block_pivoting(p, {.warm_start = true}, z);
    EXPECT_EQ(again.status, LinearStatus::solved);
    EXPECT_LE(again.factorisations, 1);
  }
}

// Murty's rule alone has to end too: patience 1 on matrices whose block moves do not settle at once.
TEST(BlockPivoting, EndsByMurtysRule) {
  Random random(25);
  for (int n = 2; n <= 40; ++n) {
    const Lcp p = test::random_spd(random, n);
    std::vector<double> z;
    EXPECT_EQ(block_pivoting(p, {.patience = 1}, z).status, LinearStatus::solved);
    EXPECT_LE(natural_residual(p, z), 1e-12);
  }
}

TEST(BlockPivoting, SolvesSemidefiniteProblems) {
  Random random(26);
  for (int n = 1; n <= 120; n += n < 20 ? 1 : 20)
    for (const double degenerate : {0.0, 0.4}) {
      const Lcp p = test::random_psd(random, n, degenerate);
      std::vector<double> z;
      EXPECT_EQ(block_pivoting(p, {.tolerance = 1e-10}, z).status, LinearStatus::solved) << n;
      EXPECT_LE(natural_residual(p, z), 1.01e-10);
    }
  for (const int boxes : {1, 2, 5, 12}) {
    const Lcp p = test::frictionless(test::box_stack(boxes, 4, 0, 0));
    std::vector<double> z;
    EXPECT_EQ(block_pivoting(p, {.tolerance = 1e-10}, z).status, LinearStatus::solved) << boxes;
  }
}

TEST(BlockPivoting, SaysWhereItDoesNotApply) {
  std::vector<double> z;
  EXPECT_EQ(block_pivoting(Lcp{2, {1, 1, 0, 1}, {-1, -1}}, {}, z).status, LinearStatus::unsuitable);
  EXPECT_EQ(block_pivoting(Lcp{2, {-1, 0, 0, 1}, {-1, -1}}, {}, z).status, LinearStatus::unsuitable);
  // passes the quick look at 2 x 2 minors, but has the eigenvalue -0.8
  const Lcp indefinite{3, {1, -0.9, -0.9, -0.9, 1, -0.9, -0.9, -0.9, 1}, {-1, -1, -1}};
  EXPECT_NE(block_pivoting(indefinite, {}, z).status, LinearStatus::solved);
  EXPECT_EQ(block_pivoting(Lcp{}, {}, z).status, LinearStatus::bad_input);
}

TEST(Sweeps, SayWhereTheyDoNotApplyOrEnd) {
  std::vector<double> z;
  EXPECT_EQ(gauss_seidel(Lcp{2, {0, 1, 1, 0}, {-1, -1}}, {}, z).status, LinearStatus::unsuitable);
  EXPECT_EQ(gauss_seidel(Lcp{}, {}, z).status, LinearStatus::bad_input);
  EXPECT_EQ(jacobi(Lcp{1, {1}, {-1}}, {.relaxation = 2}, z).status, LinearStatus::bad_input);
  Random random(27);
  const Lcp p = test::random_spd(random, 50);
  const LinearReport report = gauss_seidel(p, {.tolerance = 1e-14, .max_sweeps = 30}, z);
  EXPECT_EQ(report.status, LinearStatus::iteration_limit);
  EXPECT_EQ(report.sweeps, 30);
  EXPECT_EQ(report.residual_history.size(), 4u);
  EXPECT_NEAR(report.residual, natural_residual(p, z), 1e-14);
}

TEST(Sweeps, OverRelaxationAndWarmStartWork) {
  Random random(28);
  const Lcp p = well_conditioned(random, 40);
  std::vector<double> z;
  ASSERT_EQ(gauss_seidel(p, {.tolerance = 1e-10, .relaxation = 1.3}, z).status, LinearStatus::solved);
  EXPECT_EQ(gauss_seidel(p, {.tolerance = 1e-10, .warm_start = true}, z).sweeps, 0);
}

TEST(LinearPolicy, SolvesEveryClass) {
  Random random(29);
  LinearSolveMemory memory;
  for (const int n : {1, 4, 17, 60, 130}) {
    for (const Lcp& p : {test::random_spd(random, n), test::random_psd(random, n, 0.3),
                         test::random_monotone(random, n, 0.3), test::random_copositive(random, n),
                         test::random_p(random, n)}) {
      std::vector<double> z;
      const LinearReport report = solve(p, {.tolerance = 1e-11}, z, memory);
      EXPECT_EQ(report.status, LinearStatus::solved) << n;
      EXPECT_EQ(report.residual, natural_residual(p, z));
      EXPECT_LE(report.residual, 1e-11);
      std::vector<double> warm = z;
      EXPECT_EQ(solve(p, {.tolerance = 1e-11, .warm_start = true}, warm, memory).status,
                LinearStatus::solved);
    }
  }
}

TEST(LinearPolicy, PicksByStructure) {
  Random random(30);
  std::vector<double> z;
  EXPECT_STREQ(solve(test::random_spd(random, 30), 1e-10, z).method, "block_pivoting");
  EXPECT_STREQ(solve(test::random_monotone(random, 30, 0), 1e-10, z).method, "lemke");
}

TEST(LinearPolicy, SaysHonestlyWhatIsLeft) {
  std::vector<double> z;
  const LinearReport infeasible = solve(Lcp{2, {1, -1, -1, 1}, {-1, -1}}, 1e-10, z);
  EXPECT_EQ(infeasible.status, LinearStatus::ray);
  EXPECT_TRUE(infeasible.proves_infeasible);
  EXPECT_GT(infeasible.residual, 0.1);
  EXPECT_EQ(solve(Lcp{1, {1}, {}}, 1e-10, z).status, LinearStatus::bad_input);
  EXPECT_EQ(solve(BoxedLcp{1, {1}, {1}, {2}, {1}}, 1e-10, z).status, LinearStatus::bad_input);
  EXPECT_EQ(solve(Lcp{1, {1}, {-1}}, 0, z).status, LinearStatus::bad_input);
}

}  // namespace
}  // namespace stiction::complementarity
