// Wide blocks: a problem in which several blocks of six are written as one dense block has the same residual
// for any impulses, and the same solutions, as the problem it was made from. With velocities mixed by a
// matrix that is not diagonal, the rows of the wide block are full.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/complementarity/friction/condense.h"
#include "stiction/complementarity/friction/from_graph.h"
#include "stiction/complementarity/residual.h"
#include "stiction/complementarity/solve.h"
#include "support/friction_problem.h"

namespace stiction::complementarity {
namespace {

/// Blocks [first, first + count) of p as one, in coordinates v = T z with a lower triangular T of ones on the
/// diagonal: A -> T^T A T, G -> G T, v_free -> T^-1 v_free. Islands have to be the first one only.
FrictionProblem widened(const FrictionProblem& p, int first, int count, std::uint64_t seed) {
  test::Random random(seed);
  const auto n = std::size_t(6 * count), at = std::size_t(6 * first);
  std::vector<double> T(n * n, 0.0), A(n * n, 0.0), inverse(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    T[i * n + i] = 1;
    for (std::size_t j = 0; j < i; ++j) T[i * n + j] = random.between(-0.3, 0.3);
  }
  const auto block = [&](const std::vector<double>& a, std::size_t i, std::size_t j) {
    return i / 6 == j / 6 ? a[36 * (std::size_t(first) + i / 6) + 6 * (i % 6) + j % 6] : 0.0;
  };
  std::vector<double> AT(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) AT[i * n + j] += block(p.A, i, k) * T[k * n + j];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) A[i * n + j] += T[k * n + i] * AT[k * n + j];
  const auto solve_T = [&](std::vector<double> x) {  // T^-1 x
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) x[i] -= T[i * n + j] * x[j];
    return x;
  };
  FrictionProblem q = p;
  q.wide = {{first, count, 0}}, q.wide_A = A;
  q.islands[0].wide_begin = 0, q.islands[0].wide_end = 1;
  const std::vector<double> free =
      solve_T({p.v_free.begin() + std::ptrdiff_t(at), p.v_free.begin() + std::ptrdiff_t(at + n)});
  std::copy(free.begin(), free.end(), q.v_free.begin() + std::ptrdiff_t(at));
  for (std::size_t b = 0; b < std::size_t(count); ++b)
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) {
        const std::size_t to = 36 * (std::size_t(first) + b) + 6 * i + j;
        q.A[to] = A[(6 * b + i) * n + 6 * b + j], q.A_inverse[to] = 0;
      }
  for (ContactRows& c : q.contacts) {
    std::vector<double> g(3 * n, 0.0);
    bool any = false;
    for (int side = 0; side < 2; ++side) {
      const int k = c.block[side] - first;
      if (c.block[side] < first || k >= count) continue;
      any = true;
      for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t a = 0; a < 6; ++a) g[row * n + std::size_t(6 * k) + a] += c.G[side][row * 6 + a];
    }
    if (!any) continue;
    // Y = A^-1 G^T = T^-1 A0^-1 T^-T T^T G0^T
    std::vector<double> G(3 * n, 0.0), Y;
    for (std::size_t row = 0; row < 3; ++row) {
      std::vector<double> y(n, 0.0);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k) {
          G[row * n + i] += g[row * n + k] * T[k * n + i];
          y[i] += block(p.A_inverse, i, k) * g[row * n + k];
        }
      y = solve_T(y);
      Y.insert(Y.end(), y.begin(), y.end());
    }
    const bool both = c.block[0] >= first && c.block[0] < first + count && c.block[1] >= first &&
                      c.block[1] < first + count;
    const int side = c.block[0] >= first && c.block[0] < first + count ? 0 : 1;
    c.block[side] = first, c.wide[side] = int(q.wide_rows.size());
    if (both) c.block[1] = -1;
    q.wide_rows.push_back({int(n), q.wide_G.size()});
    q.wide_G.insert(q.wide_G.end(), G.begin(), G.end());
    q.wide_Y.insert(q.wide_Y.end(), Y.begin(), Y.end());
  }
  return q;
}

struct Pair {
  FrictionProblem narrow, wide;
};
Pair problems(int k) {
  test::Random random(std::uint64_t(500 + k));
  Pair out;
  test::add_random_island(random, {.blocks = 4 + k % 3, .contacts = 8 + k, .equalities = k % 3}, out.narrow);
  out.wide = widened(out.narrow, k % 2, 2 + k % 2, std::uint64_t(k));
  return out;
}

TEST(WideBlocks, AreValid) {
  for (int k = 0; k < 8; ++k) EXPECT_EQ(validate(problems(k).wide), std::vector<std::string>{});
  FrictionProblem p = problems(0).wide;
  p.wide_rows[0].size = 6;
  EXPECT_EQ(validate(p).size(), 1u);
}

TEST(WideBlocks, HaveTheSameResidualForAnyImpulses) {
  for (int k = 0; k < 12; ++k) {
    const Pair p = problems(k);
    test::Random random(std::uint64_t(k + 1));
    std::vector<double> r(3 * p.narrow.contacts.size()), v(p.narrow.v_free.size());
    for (double& x : r) x = random.between(-0.2, 1);
    const Residual a = residual(p.narrow, p.narrow.islands[0], r.data(), v.data());
    const double energy = kinetic_energy(p.narrow, v.data());
    const Residual b = residual(p.wide, p.wide.islands[0], r.data(), v.data());
    EXPECT_NEAR(a.natural_map, b.natural_map, 1e-12 * a.natural_map);  // some 100 terms of either sign
    EXPECT_NEAR(a.natural_map_scaled, b.natural_map_scaled, 1e-12 * a.natural_map_scaled);
    EXPECT_NEAR(kinetic_energy(p.wide, v.data()), energy, 1e-12 * energy);
  }
}

TEST(WideBlocks, AreSolvedByBothSolvers) {
  for (int k = 0; k < 12; ++k) {
    const Pair p = problems(k);
    for (const SolverChoice solver : {SolverChoice::newton, SolverChoice::nsgs, SolverChoice::automatic}) {
      SolverMemory memory;
      std::vector<double> r(3 * p.wide.contacts.size(), 0.0), v(p.narrow.v_free.size());
      const SolveReport report =
          solve_island(p.wide, p.wide.islands[0], {.tolerance = 1e-9, .solver = solver}, r.data(), memory);
      EXPECT_TRUE(report.converged) << k << " " << int(solver) << " " << report.residual;
      // judged by the problem it was made from
      EXPECT_LT(residual(p.narrow, p.narrow.islands[0], r.data(), v.data()).natural_map_scaled, 1.1e-9);
    }
  }
}

TEST(WideBlocks, HaveTheSameLocalForm) {
  for (int k = 0; k < 12; k += 3) {  // those without equalities
    const Pair p = problems(k);
    const LocalFriction a = local_form(p.narrow).value(), b = local_form(p.wide).value();
    const GlobalFriction global = global_form(p.wide).value();
    EXPECT_EQ(validate(global), std::vector<std::string>{});
    MassFactors factors;
    LocalFriction c;
    ASSERT_TRUE(condense(global, factors, c));
    const auto dense = [](const LocalFriction& l) {
      std::vector<double> out(std::size_t(l.W.rows * l.W.columns), 0.0);
      for (int i = 0; i < l.W.rows; ++i)
        for (int e = l.W.start[std::size_t(i)]; e < l.W.start[std::size_t(i) + 1]; ++e)
          out[std::size_t(i * l.W.columns + l.W.column[std::size_t(e)])] = l.W.value[std::size_t(e)];
      return out;
    };
    const std::vector<double> x = dense(a), y = dense(b), z = dense(c);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(x[i], y[i], 1e-12 * (1 + std::fabs(x[i])));
      EXPECT_NEAR(x[i], z[i], 1e-11 * (1 + std::fabs(x[i])));  // the condition of A's factors
    }
    for (std::size_t i = 0; i < a.b.size(); ++i) EXPECT_NEAR(a.b[i], b.b[i], 1e-12);
  }
}

}  // namespace
}  // namespace stiction::complementarity
