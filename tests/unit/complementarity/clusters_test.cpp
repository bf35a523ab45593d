// Newton's steps in turn with solutions of clusters, on jams: balls that touch each other and the walls of a
// box, pushed and spun at random, so that few can roll and many wedge each other.
#include "stiction/complementarity/clusters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stiction/complementarity/nsgs.h"
#include "stiction/complementarity/residual.h"
#include "stiction/complementarity/solve.h"
#include "support/friction_problem.h"

namespace stiction::complementarity {
namespace {

using test::Random;

/// n x n x n balls of radius 0.1 m and 4.2 kg in an open box; normals are turned by up to 0.2 rad or so, as
/// in a shaken pile.
FrictionProblem jam(int n, std::uint64_t seed) {
  Random random(seed);
  const auto shaken = [&](Vec3 normal) { return normalized(normal + random.vector(0.2)); };
  const double radius = 0.1, mass = 4.2, inertia = 0.4 * mass * radius * radius;
  FrictionProblem p;
  for (int i = 0; i < n * n * n; ++i) {
    const Vec3 velocity = random.vector(0.3) + Vec3{0, 0, -0.3}, spin = random.vector(3);
    test::add_block(p, mass, {inertia, inertia, inertia}, velocity, spin);
  }
  const auto block = [&](int x, int y, int z) { return (x * n + y) * n + z; };
  const auto touch = [&](int a, int b, Vec3 normal) {
    p.contacts.push_back(test::contact_between(a, radius * normal, b, -radius * normal, normal, 0.5));
  };
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z) {
        const int me = block(x, y, z);
        if (x + 1 < n) touch(me, block(x + 1, y, z), shaken({1, 0, 0}));
        if (y + 1 < n) touch(me, block(x, y + 1, z), shaken({0, 1, 0}));
        if (z + 1 < n) touch(me, block(x, y, z + 1), shaken({0, 0, 1}));
        if (x == 0) touch(-1, me, {1, 0, 0});
        if (x == n - 1) touch(-1, me, {-1, 0, 0});
        if (y == 0) touch(-1, me, {0, 1, 0});
        if (y == n - 1) touch(-1, me, {0, -1, 0});
        if (z == 0) touch(-1, me, {0, 0, 1});
      }
  test::close_island(p);
  return p;
}

double residual_of(const FrictionProblem& p, const std::vector<double>& r) {
  std::vector<double> v(p.v_free.size());
  return residual(p, p.islands[0], r.data(), v.data()).natural_map_scaled;
}

std::vector<double> swept(const FrictionProblem& p) {
  NsgsMemory sweeps;
  std::vector<double> r(3 * p.contacts.size(), 0.0);
  nsgs(p, p.islands[0], {.tolerance = 1e-8, .max_sweeps = 50}, r.data(), sweeps);
  return r;
}

// 125 balls, 425 contacts; sweeps leave 1e-5 to 1e-3.
TEST(Clusters, JamsAreSolved) {
  NewtonMemory newton;
  ClusterMemory memory;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const FrictionProblem p = jam(5, seed);
    ASSERT_TRUE(validate(p).empty());
    std::vector<double> r = swept(p);
    const double before = residual_of(p, r);
    EXPECT_GT(before, 1e-6);
    const ClusterReport report = newton_with_clusters(
        p, p.islands[0], {.tolerance = 1e-8, .share = 0.99, .rings = 2, .max_rounds = 40}, r.data(), newton,
        memory);
    EXPECT_TRUE(report.converged) << "seed " << seed << ": " << before << " -> " << report.residual;
    EXPECT_LE(report.residual, 1e-8);
    EXPECT_NEAR(residual_of(p, r), report.residual, 1e-12);
  }
}

// What was solved before leaves no trace, and few rounds leave r no worse than it came.
TEST(Clusters, MemoryChangesNoBitAndTheBestCounts) {
  const FrictionProblem p = jam(4, 7), other = jam(3, 8);
  const ClusterSettings s{.tolerance = 1e-10, .share = 0.9, .rings = 1, .max_rounds = 3};
  std::vector<double> fresh = swept(p), used = fresh, scratch = swept(other);
  const double before = residual_of(p, fresh);
  NewtonMemory newton_a, newton_b;
  ClusterMemory memory_a, memory_b;
  newton_with_clusters(p, p.islands[0], s, fresh.data(), newton_a, memory_a);
  newton_with_clusters(other, other.islands[0], s, scratch.data(), newton_b, memory_b);
  newton_with_clusters(p, p.islands[0], s, used.data(), newton_b, memory_b);
  EXPECT_EQ(fresh, used);
  EXPECT_LE(residual_of(p, fresh), before);
}

// The policy finds its way from nothing, however the first Newton steps fare.
TEST(Clusters, ThePolicySolvesJamsColdly) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const FrictionProblem p = jam(5, 20 + seed);
    std::vector<double> r(3 * p.contacts.size(), 0.0);
    SolverMemory memory;
    const SolveReport report =
        solve_island(p, p.islands[0], {.tolerance = 1e-8, .tries = 0}, r.data(), memory);
    EXPECT_TRUE(report.converged) << "seed " << seed << ": " << report.residual;
    EXPECT_LE(residual_of(p, r), 1e-8);
  }
}

}  // namespace
}  // namespace stiction::complementarity
