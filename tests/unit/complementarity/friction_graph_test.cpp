// Global problems solved as graphs, without W: the same problem as the condensed one, at a cost that knows no
// squares.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/complementarity/friction/detail/block_system.h"
#include "stiction/complementarity/friction/detail/graph_system.h"
#include "stiction/complementarity/friction/prepare_graph.h"
#include "stiction/complementarity/friction/solve_friction.h"
#include "support/friction_cases.h"
#include "support/size.h"

namespace stiction::complementarity {
namespace {

using friction::Prepared;
using friction::Range;
using test::Random;

double norm_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

/// Both ways to hold the same problem.
struct Both {
  GlobalFriction global;
  LocalFriction local;
  MassFactors factors;
  Prepared graph, blocks;

  explicit Both(GlobalFriction p) : global(std::move(p)) {
    EXPECT_TRUE(validate(global).empty());
    EXPECT_TRUE(condense(global, factors, local));
    friction::prepare(global, factors, graph);
    friction::prepare(local, blocks);
  }
};

/// Contacts between few of many bodies: several islands, bodies that nothing touches.
GlobalFriction scattered(Random& random, int rows, FrictionLaw law) {
  GlobalFriction p = test::random_global(random, rows, law, 7, 6);
  for (int i = 0; i < p.H.rows; ++i)
    for (int k = p.H.start[std::size_t(i)]; k < p.H.start[std::size_t(i) + 1]; ++k)
      if (const int contact = p.H.column[std::size_t(k)] / rows; contact % 2 && i / 6 != contact)
        p.H.value[std::size_t(k)] = 0;
  return p;
}

TEST(FrictionGraph, IsTheSameProblemAsTheCondensedOne) {
  Random random(31);
  for (int rows = 2; rows <= 6; ++rows)
    for (const FrictionLaw law : {FrictionLaw::ellipsoid, FrictionLaw::discs})
      for (int round = 0; round < 4; ++round) {
        const Both both(scattered(random, rows, law));
        const Prepared &g = both.graph, &w = both.blocks;
        ASSERT_EQ(g.order, w.order);
        ASSERT_EQ(g.islands.size(), w.islands.size());
        EXPECT_EQ(g.mu, w.mu);
        EXPECT_EQ(g.column.size(), g.mu.size() / 2);  // of W the diagonal blocks only
        std::vector<double> r(g.b.size()), u(r.size()), expected(r.size());
        for (double& x : r) x = random.between(-1, 1);
        for (std::size_t k = 0; k < g.islands.size(); ++k) {
          ASSERT_EQ(g.islands[k].begin, w.islands[k].begin);
          friction::local_velocities(g, g.islands[k], r.data(), u.data());
          friction::local_velocities(w, w.islands[k], r.data(), expected.data());
        }
        for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i], expected[i], 1e-13 * (1 + norm_of(r)));
        for (std::size_t i = 0; i < g.w.size(); ++i) EXPECT_NEAR(g.w[i], w.w[i], 1e-13);
      }
}

TEST(FrictionGraph, SystemsOfBothFormsHaveTheSameSolution) {
  Random random(32);
  for (int rows = 2; rows <= 6; ++rows) {
    const Both both(test::random_global(random, rows, FrictionLaw::ellipsoid, 4, 7));
    for (const Range& island : both.graph.islands) {
      const auto count = std::size_t(island.size()), area = std::size_t(rows * rows);
      std::vector<double> B(count * area, 0.0), C(count * area, 0.0), x(count * std::size_t(rows));
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < area; ++k) {
          const bool diagonal = k % (std::size_t(rows) + 1) == 0;
          B[i * area + k] = (diagonal ? 0.5 : 0.0) + random.between(-0.1, 0.1);
          if (i != 1) C[i * area + k] = (diagonal ? 1.0 : 0.0) + random.between(-0.1, 0.1);  // one is open
        }
      for (double& v : x) v = random.between(-1, 1);
      std::vector<double> y = x;
      friction::GraphSystem graph;
      friction::BlockSystem blocks;
      graph.analyse(both.graph, island), blocks.analyse(both.blocks, island);
      ASSERT_TRUE(graph.factor(B.data(), C.data()));
      ASSERT_TRUE(blocks.factor(B.data(), C.data()));
      graph.solve(x.data()), blocks.solve(y.data());
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-12 * (1 + norm_of(y)));
    }
  }
}

TEST(FrictionGraph, EverySolverGivesTheVelocitiesOfTheCondensedForm) {
  Random random(33);
  FrictionMemory memory;
  for (int round = 0; round < 20; ++round) {
    const int rows = 2 + round % 5;
    const FrictionLaw law = round / 5 % 2 ? FrictionLaw::discs : FrictionLaw::ellipsoid;
    const GlobalFriction p = test::random_global(random, rows, law, 4, 3, 0.4);  // W has full rank
    std::vector<double> r, v, expected;
    ASSERT_EQ(solve(p, {.tolerance = 1e-10, .route = GlobalRoute::condensed}, r, expected, memory).status,
              FrictionStatus::solved);
    for (const FrictionSolver solver : friction_solvers()) {
      const FrictionReport report =
          solve(p, {.tolerance = 1e-10, .solver = solver, .route = GlobalRoute::graph}, r, v, memory);
      ASSERT_EQ(report.status, FrictionStatus::solved) << name_of(solver) << " in round " << round;
      EXPECT_LE(report.dynamics, 1e-13);
      for (std::size_t i = 0; i < v.size(); ++i)
        EXPECT_NEAR(v[i], expected[i], 1e-7 * (1 + norm_of(expected))) << name_of(solver);
      // the judge of the global form says what the one of the local form says
      MassFactors factors;
      LocalFriction local;
      ASSERT_TRUE(condense(p, factors, local));
      const FrictionResidual judged = friction_residual(local, r);
      EXPECT_NEAR(report.natural_map, judged.natural_map, 1e-14);
      EXPECT_NEAR(report.natural_map_scaled, judged.natural_map_scaled, 1e-14);
    }
  }
}

/// A plate that slides over the ground on four feet, with blocks of 1 kg on it that the wind pushes: all
/// contacts but the feet are on one body.
GlobalFriction tray(int load) {
  GlobalFriction p;
  const int bodies = load + 1, contacts = load + 4;
  p.M = {3 * bodies, 3 * bodies, {0}, {}, {}};
  p.H = {3 * bodies, 3 * contacts, {0}, {}, {}};
  p.laws.mu.assign(std::size_t(contacts), 0.5), p.b.assign(std::size_t(3 * contacts), 0.0);
  for (int row = 0; row < 3 * bodies; ++row) {
    const int body = row / 3, axis = row % 3;
    const double mass = body == 0 ? 0.1 * load : 1.0;
    p.M.column.push_back(row), p.M.value.push_back(mass);
    p.M.start.push_back(int(p.M.column.size()));
    for (int c = body == 0 ? 0 : body + 3; c < (body == 0 ? contacts : body + 4); ++c) {
      p.H.column.push_back(3 * c + axis);
      p.H.value.push_back(body == 0 && c >= 4 ? -1.0 : 1.0);
    }
    p.H.start.push_back(int(p.H.column.size()));
    // g h = 0.0981 m/s downwards; the plate moves at 1 m/s, blocks are pushed sideways, every third beyond mu
    p.f.push_back(axis == 0 ? -0.0981 * mass : axis == 1 ? (body == 0 ? mass : 0.0) : body % 3 ? 0.02 : 0.08);
  }
  return p;
}

TEST(FrictionGraph, ABodyWithTenThousandContactsCostsTenThousand) {
  FrictionMemory memory;
  std::size_t numbers[2] = {0, 0};
  int sweeps[2] = {0, 0};
  const int most = test::under_sanitizer ? 1000 : 10000;
  for (const int load : {most / 10, most}) {
    const GlobalFriction p = tray(load);
    std::vector<double> r, v;
    const FrictionReport report = solve(p, {.tolerance = 1e-8}, r, v, memory);
    ASSERT_EQ(report.status, FrictionStatus::solved) << load << ": " << report.natural_map;
    EXPECT_LE(report.natural_map, 1e-8);
    EXPECT_TRUE(memory.prepared.graph.used());  // the policy's own choice: W would have load^2 blocks
    EXPECT_TRUE(memory.local.W.value.empty());
    const friction::Graph& g = memory.prepared.graph;
    const int k = load == most;
    numbers[k] = g.G.size() + g.Y.size() + g.mass.size() + memory.prepared.block.size();
    sweeps[k] = report.iterations;
    // every block slides on the plate: its friction is mu times its weight, and it does not lift off
    for (const std::size_t block : {std::size_t(1), std::size_t(3), std::size_t(load)}) {
      const double *mine = v.data() + 3 * block, push = p.f[3 * block + 2];
      EXPECT_NEAR(std::hypot(mine[1], mine[2] - push), 0.5 * 0.0981, 1e-6);
      EXPECT_NEAR(mine[0], 0, 1e-6);
    }
  }
  EXPECT_LE(double(numbers[1]), 10.1 * double(numbers[0]));
  EXPECT_LE(sweeps[1], 4 * sweeps[0] + 100);
}

TEST(FrictionGraph, RefusesBlocksOfMThatAreNoBodies) {
  const int n = 80;
  GlobalFriction p;
  p.laws.rows = 2, p.laws.mu = {0.3}, p.b = {0, 0};
  p.M = {n, n, {0}, {}, {}}, p.H = {n, 2, {0}, {}, {}};
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j)
      p.M.column.push_back(j), p.M.value.push_back(i == j ? 3.0 : -1.0);
    p.M.start.push_back(int(p.M.column.size()));
    if (i < 2) p.H.column.push_back(i), p.H.value.push_back(1);
    p.H.start.push_back(int(p.H.column.size()));
    p.f.push_back(-1);
  }
  FrictionMemory memory;
  std::vector<double> r, v;
  const FrictionReport report = solve(p, {.route = GlobalRoute::graph}, r, v, memory);
  EXPECT_EQ(report.status, FrictionStatus::bad_input);
  EXPECT_EQ(report.faults, std::vector<std::string>{"route: M has a block of 80 rows, a graph takes 64"});
  EXPECT_EQ(solve(p, 1e-8, r, v).status, FrictionStatus::solved);
}

}  // namespace
}  // namespace stiction::complementarity
