// The same frictional problem in graph, global and local form: the same local velocities for any impulses,
// and the same solution.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/complementarity/friction/from_graph.h"
#include "stiction/complementarity/friction/residual.h"
#include "stiction/complementarity/solve.h"
#include "support/friction_problem.h"

namespace stiction::complementarity {
namespace {

std::vector<double> times(const SparseRows& A, const std::vector<double>& x) {
  std::vector<double> y(std::size_t(A.rows), 0);
  for (std::size_t i = 0; i < y.size(); ++i)
    for (auto k = std::size_t(A.start[i]); k < std::size_t(A.start[i + 1]); ++k)
      y[i] += A.value[k] * x[std::size_t(A.column[k])];
  return y;
}
std::vector<double> transposed_times(const SparseRows& A, const std::vector<double>& x) {
  std::vector<double> y(std::size_t(A.columns), 0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (auto k = std::size_t(A.start[i]); k < std::size_t(A.start[i + 1]); ++k)
      y[std::size_t(A.column[k])] += A.value[k] * x[i];
  return y;
}

FrictionProblem problem(int k) {
  test::Random random(std::uint64_t(100 + k));
  FrictionProblem p;
  test::add_random_island(
      random, {.blocks = 1 + k % 4, .contacts = 3 + k, .redundant = k % 3 == 0, .gaps = k % 2 == 0}, p);
  test::add_random_island(random, {.blocks = 2, .contacts = 5}, p);
  return p;
}

TEST(FrictionFromGraph, AllFormsGiveTheSameVelocities) {
  for (int k = 0; k < 12; ++k) {
    const FrictionProblem p = problem(k);
    const LocalFriction local = local_form(p).value();
    const GlobalFriction global = global_form(p).value();
    EXPECT_EQ(validate(local), std::vector<std::string>{});
    EXPECT_EQ(validate(global), std::vector<std::string>{});
    test::Random random(std::uint64_t(k + 1));
    std::vector<double> r(3 * p.contacts.size()), v(p.v_free.size());
    for (double& x : r) x = random.between(-1, 1);
    for (const Island& island : p.islands) velocities_from(p, island, r.data(), v.data());
    const std::vector<double> Wr = times(local.W, r), Hv = transposed_times(global.H, v);
    const std::vector<double> Mv = times(global.M, v), Hr = times(global.H, r);
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      double u[3];
      local_velocity(p, p.contacts[i], v.data(), u);
      for (std::size_t a = 0; a < 3; ++a) {  // sums of some 100 terms near 1
        EXPECT_NEAR(Wr[3 * i + a] + local.b[3 * i + a], u[a], 1e-12);
        EXPECT_NEAR(Hv[3 * i + a] + global.b[3 * i + a], u[a], 1e-12);
      }
    }
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(Mv[i], Hr[i] + global.f[i], 1e-12);
  }
}

TEST(FrictionFromGraph, SymmetricToTheBit) {
  const LocalFriction p = local_form(problem(7)).value();
  std::vector<double> dense(std::size_t(p.W.rows) * std::size_t(p.W.rows), 0);
  const auto n = std::size_t(p.W.rows);
  for (std::size_t i = 0; i < n; ++i)
    for (auto k = std::size_t(p.W.start[i]); k < std::size_t(p.W.start[i + 1]); ++k)
      dense[i * n + std::size_t(p.W.column[k])] = p.W.value[k];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(dense[i * n + j], dense[j * n + i]);
}

TEST(FrictionFromGraph, ASolutionStaysOne) {
  FrictionProblem p = problem(5);
  Team team(1);
  std::vector<SolverMemory> memory;
  std::vector<double> r(3 * p.contacts.size(), 0);
  ASSERT_TRUE(solve(p, {.tolerance = 1e-10}, team, memory, r).converged);
  EXPECT_LT(friction_residual(local_form(p).value(), r).natural_map_scaled, 1e-9);
}

TEST(FrictionFromGraph, EqualitiesHaveNoPlace) {
  FrictionProblem p = problem(1);
  p.contacts[2].kind = RowKind::equality;
  EXPECT_FALSE(local_form(p));
  EXPECT_FALSE(global_form(p));
}

// A row that pushes one way is a contact without friction; one that pushes both ways has no place.
TEST(FrictionFromGraph, LimitsAreContactsWithoutFriction) {
  FrictionProblem p = problem(5), smooth = p;
  ContactRows &limit = p.contacts[2], &contact = smooth.contacts[2];
  contact.mu = 0, limit = contact;
  limit.kind = RowKind::box, limit.low = 0, limit.high = HUGE_VAL;
  const LocalFriction a = local_form(p).value(), b = local_form(smooth).value();
  EXPECT_EQ(a.W.value, b.W.value);
  EXPECT_EQ(a.b, b.b);
  EXPECT_EQ(a.laws.mu, b.laws.mu);
  for (double* row : {limit.G[0], limit.G[1]}) std::fill(row + width, row + 3 * width, 0.0);
  EXPECT_TRUE(validate(local_form(p).value()).empty());  // no tangents: W is regular all the same
  limit.low = -1;
  EXPECT_FALSE(local_form(p));
}

}  // namespace
}  // namespace stiction::complementarity
