// Solvers of frictional contact in local and global form: agreement where the solution is unique, what they
// claim, limits.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stiction/complementarity/friction/detail/local_contact.h"
#include "stiction/complementarity/friction/solve_friction.h"
#include "support/dense.h"
#include "support/friction_cases.h"
#include "support/run.h"

namespace stiction::complementarity {
namespace {

using test::Random;

std::vector<double> velocities_of(const LocalFriction& p, const std::vector<double>& r) {
  std::vector<double> u = p.b;
  for (int i = 0; i < p.W.rows; ++i)
    for (int k = p.W.start[std::size_t(i)]; k < p.W.start[std::size_t(i) + 1]; ++k)
      u[std::size_t(i)] += p.W.value[std::size_t(k)] * r[std::size_t(p.W.column[std::size_t(k)])];
  return u;
}
double norm_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}
double work_of(const std::vector<double>& r, const std::vector<double>& u) {
  double sum = 0;
  for (std::size_t i = 0; i < r.size(); ++i) sum += r[i] * u[i];
  return sum;
}

/// More coordinates than contact rows, so that W has full rank.
LocalFriction well_posed(Random& random, int rows, FrictionLaw law) {
  const int contacts = 1 + random.below(6);
  const int bodies = (rows * contacts) / 6 + 2;
  const GlobalFriction global = test::random_global(random, rows, law, bodies, contacts, 0.4);
  EXPECT_TRUE(validate(global).empty());
  MassFactors factors;
  LocalFriction local;
  EXPECT_TRUE(condense(global, factors, local));
  return local;
}

TEST(FrictionLocal, OneContactIsSolvedExactly) {
  Random random(11);
  const auto check = [&](auto cone) {
    using C = decltype(cone);
    constexpr int d = C::rows;
    for (int round = 0; round < 400; ++round) {
      double root[d * d], W[d * d], b[d], r[d], u[d], e[d];
      double mu[2] = {random.below(8) ? random.unit() : 0.0, random.below(8) ? random.unit() : 0.0};
      for (double& x : root) x = random.between(-1, 1);
      for (double& x : b) x = random.between(-1, 1);
      for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) {
          W[i * d + j] = i == j ? 0.05 : 0.0;
          for (int k = 0; k < d; ++k) W[i * d + j] += root[i * d + k] * root[j * d + k];
        }
      friction::LocalContact<C> contact;
      contact.set(W);
      const double far = round % 4 == 0 ? 0.0 : round % 4 == 1 ? 1e6 : 1.0;  // starts near and far
      for (double& x : r) x = far * random.between(-1, 1);
      contact.solve(b, mu, round % 3 == 0 ? 0.0 : random.unit(), r);
      double size = 1;
      for (int i = 0; i < d; ++i) {
        u[i] = b[i];
        for (int j = 0; j < d; ++j) u[i] += W[i * d + j] * r[j];
        size += std::fabs(r[i]);
      }
      friction::natural_map<C>(mu, 1, r, u, e);
      // W's condition number is below 2 d^2 / 0.05, round-off of u as much times 1e-16 |r|
      EXPECT_LE(friction::length<d>(e), 2e-13 * size);
    }
  };
  for (const auto& [first, second] :
       {std::pair{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {2, 1}, {2, 2}, {2, 3}})
    friction::with_cone(first, second, check);
}

TEST(FrictionCondense, IsTheSchurComplement) {
  Random random(12);
  const GlobalFriction p = test::random_global(random, 3, FrictionLaw::ellipsoid, 3, 4);
  MassFactors factors;
  LocalFriction local;
  ASSERT_TRUE(condense(p, factors, local));
  EXPECT_EQ(factors.blocks(), 3);
  ASSERT_TRUE(validate(local).empty());
  const int n = p.M.rows, m = p.H.columns;
  std::vector<double> H(std::size_t(n * m), 0.0);
  for (int i = 0; i < n; ++i)
    for (int k = p.H.start[std::size_t(i)]; k < p.H.start[std::size_t(i) + 1]; ++k)
      H[std::size_t(i * m + p.H.column[std::size_t(k)])] = p.H.value[std::size_t(k)];
  const auto mass = [&] {
    test::Dense M(n);
    for (int i = 0; i < n; ++i)
      for (int k = p.M.start[std::size_t(i)]; k < p.M.start[std::size_t(i) + 1]; ++k)
        M(i, p.M.column[std::size_t(k)]) = p.M.value[std::size_t(k)];
    return M;
  };
  const std::vector<double> free = mass().solve(p.f);
  for (int j = 0; j < m; ++j) {
    std::vector<double> column(std::size_t(n), 0.0);
    double b = p.b[std::size_t(j)];
    for (int i = 0; i < n; ++i) {
      column[std::size_t(i)] = H[std::size_t(i * m + j)];
      b += H[std::size_t(i * m + j)] * free[std::size_t(i)];
    }
    EXPECT_NEAR(local.b[std::size_t(j)], b, 1e-14);
    const std::vector<double> x = mass().solve(column);
    for (int i = 0; i < m; ++i) {
      double expected = 0, found = 0;
      for (int k = 0; k < n; ++k) expected += H[std::size_t(k * m + i)] * x[std::size_t(k)];
      for (int k = local.W.start[std::size_t(i)]; k < local.W.start[std::size_t(i) + 1]; ++k)
        if (local.W.column[std::size_t(k)] == j) found = local.W.value[std::size_t(k)];
      EXPECT_NEAR(found, expected, 1e-14);
    }
  }
}

/// One block of M that is sparse and larger than what is factorised densely: a chain.
TEST(FrictionCondense, TakesSparseMasses) {
  const int n = 150;
  GlobalFriction p;
  p.laws.rows = 2, p.laws.mu = {0.3};
  p.M = {n, n, {0}, {}, {}}, p.H = {n, 2, {0}, {}, {}};
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j)
      p.M.column.push_back(j), p.M.value.push_back(i == j ? 3.0 : -1.0);
    p.M.start.push_back(int(p.M.column.size()));
    if (i == 40) p.H.column.push_back(0), p.H.value.push_back(1);
    if (i == 41) p.H.column.push_back(1), p.H.value.push_back(1);
    p.H.start.push_back(int(p.H.column.size()));
    p.f.push_back(i == 40 ? -1 : 0.1);
  }
  p.b = {-1, 0.5};
  ASSERT_TRUE(validate(p).empty());
  std::vector<double> r, v;
  const FrictionReport report = solve(p, 1e-10, r, v);
  EXPECT_EQ(report.status, FrictionStatus::solved);
  EXPECT_LE(report.dynamics, 1e-14);
  EXPECT_NEAR(v[40] + p.b[0], 0, 1e-9);  // closed: u_n = 0
}

TEST(FrictionSolvers, AgreeOnWellPosedProblems) {
  Random random(13);
  const int count = test::at_size(100, 1000);
  FrictionMemory memory;
  for (int round = 0; round < count; ++round) {
    const int rows = 2 + round % 5;
    const FrictionLaw law = (round / 5) % 2 ? FrictionLaw::discs : FrictionLaw::ellipsoid;
    const LocalFriction p = well_posed(random, rows, law);
    std::vector<double> first_u;
    double first_work = 0;
    for (const FrictionSolver solver : friction_solvers()) {
      std::vector<double> r;
      const FrictionReport report = solve(p, {.tolerance = 1e-9, .solver = solver}, r, memory);
      ASSERT_EQ(report.status, FrictionStatus::solved) << name_of(solver) << " in round " << round;
      EXPECT_EQ(report.natural_map, friction_residual(p, r).natural_map);
      // the solver's own claim is that of the judge, but for round-off
      if (!report.residual_history.empty()) {
        EXPECT_GE(report.residual_history.back(), report.natural_map - 1e-13) << name_of(solver);
      }
      const std::vector<double> u = velocities_of(p, r);
      if (first_u.empty()) first_u = u, first_work = work_of(r, u);
      double difference = 0;
      for (std::size_t i = 0; i < u.size(); ++i) difference += (u[i] - first_u[i]) * (u[i] - first_u[i]);
      EXPECT_LE(std::sqrt(difference), 1e-6 * norm_of(p.b)) << name_of(solver) << " in round " << round;
      EXPECT_NEAR(work_of(r, u), first_work, 1e-6 * norm_of(p.b) * (norm_of(r) + 1)) << name_of(solver);
    }
    for (int start = 0; start < 3; ++start) {
      std::vector<double> r(p.b.size());
      for (double& x : r) x = random.between(-1, 1);
      const FrictionReport report = solve(p, {.tolerance = 1e-9, .warm_start = true}, r, memory);
      ASSERT_EQ(report.status, FrictionStatus::solved);
      const std::vector<double> u = velocities_of(p, r);
      for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i], first_u[i], 1e-6 * norm_of(p.b));
    }
  }
}

/// A row of boxes on each other, four points per face, mass ratio 1000: W has rank 6 per box, 12 rows a face.
GlobalFriction global_stack(int boxes, double mu, double push) {
  const int n = 6 * boxes, m = 12 * boxes;
  std::vector<double> M(std::size_t(n * n), 0.0), H(std::size_t(n * m), 0.0);
  GlobalFriction p;
  for (int k = 0; k < boxes; ++k) {
    const double mass = k % 2 ? 1000.0 : 1.0;
    for (int i = 0; i < 6; ++i) M[std::size_t((6 * k + i) * n + 6 * k + i)] = i < 3 ? mass : mass / 6;
    for (int point = 0; point < 4; ++point) {
      const double x = point % 2 ? 0.5 : -0.5, y = point / 2 ? 0.5 : -0.5;
      for (int side = 0; side < 2; ++side) {
        const int body = k - side;
        if (body < 0) continue;
        const double sign = side == 0 ? 1 : -1, z = side == 0 ? -0.5 : 0.5;
        // rows: normal z, tangents x and y; turn = arm x direction
        const double rows[3][6] = {{0, 0, 1, y, -x, 0}, {1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}};
        for (int row = 0; row < 3; ++row)
          for (int i = 0; i < 6; ++i)
            H[std::size_t((6 * body + i) * m + 12 * k + 3 * point + row)] = sign * rows[row][i];
      }
      p.laws.mu.push_back(mu);
    }
    for (int i = 0; i < 6; ++i)
      p.f.push_back(mass * (i == 2 ? -0.0981 : i == 0 && k == boxes - 1 ? push : 0.0));
  }
  p.M = test::sparse(n, n, M), p.H = test::sparse(n, m, H), p.b.assign(std::size_t(m), 0.0);
  EXPECT_TRUE(validate(p).empty());
  return p;
}
LocalFriction stack(int boxes, double mu, double push) {
  MassFactors factors;
  LocalFriction local;
  EXPECT_TRUE(condense(global_stack(boxes, mu, push), factors, local));
  return local;
}

TEST(FrictionPolicy, SolvesRedundantStacks) {
  FrictionMemory memory;
  for (const int boxes : {1, 3, 10, 25})
    for (const double push : {0.0, 0.05, 0.5}) {
      const LocalFriction p = stack(boxes, 0.5, push);
      for (const double tolerance : {1e-4, 1e-8, 1e-10}) {
        std::vector<double> r;
        const FrictionReport report = solve(p, {.tolerance = tolerance}, r, memory);
        EXPECT_EQ(report.status, FrictionStatus::solved) << boxes << " boxes pushed by " << push;
        EXPECT_LE(report.natural_map, tolerance);
      }
    }
}

TEST(FrictionPolicy, SolvesRedundantStacksAsGraphs) {
  FrictionMemory memory;
  for (const int boxes : {1, 3, 10, 25})
    for (const double push : {0.0, 0.05, 0.5})
      for (const double tolerance : {1e-4, 1e-8}) {
        std::vector<double> r, v;
        const FrictionReport report =
            solve(global_stack(boxes, 0.5, push), {.tolerance = tolerance, .route = GlobalRoute::graph}, r, v,
                  memory);
        EXPECT_EQ(report.status, FrictionStatus::solved)
            << boxes << " boxes pushed by " << push << ": " << report.natural_map;
      }
}

TEST(FrictionPolicy, SolvesUnsymmetricMatrices) {
  Random random(14);
  for (int round = 0; round < 20; ++round) {
    LocalFriction p = well_posed(random, 3, FrictionLaw::ellipsoid);
    for (double& x : p.W.value) x *= 1 + 1e-3 * random.between(-1, 1);
    for (const FrictionSolver solver :
         {FrictionSolver::automatic, FrictionSolver::nsgs, FrictionSolver::newton, FrictionSolver::admm}) {
      std::vector<double> r;
      FrictionMemory memory;
      const FrictionReport report = solve(p, {.tolerance = 1e-9, .solver = solver}, r, memory);
      EXPECT_EQ(report.status, FrictionStatus::solved) << name_of(solver);
    }
  }
}

TEST(FrictionPolicy, LeavesAGoodStartAlone) {
  const LocalFriction p = stack(5, 0.5, 0.2);
  std::vector<double> r;
  FrictionMemory memory;
  ASSERT_EQ(solve(p, {.tolerance = 1e-10}, r, memory).status, FrictionStatus::solved);
  const std::vector<double> before = r;
  const FrictionReport again = solve(p, {.tolerance = 1e-9, .warm_start = true}, r, memory);
  EXPECT_EQ(again.status, FrictionStatus::solved);
  EXPECT_EQ(again.iterations, 0);
  EXPECT_EQ(r, before);
}

/// Two planar contacts without friction, W_nn = (1, -c; -c, 1), W_tt = 1, b_n = -1. c = 1: walls that squeeze
/// a body, u_1 + u_2 = -2 whatever r is. c > 1: pushing one presses the other the more; no r solves it
/// either.
LocalFriction squeezed(double c) {
  LocalFriction p;
  p.laws.rows = 2;
  p.laws.mu = {0, 0};
  p.W = test::sparse(4, 4, {1, 0, -c, 0, 0, 1, 0, 0, -c, 0, 1, 0, 0, 0, 0, 1});
  p.b = {-1, 0, -1, 0};
  return p;
}

TEST(FrictionPolicy, NeverReturnsWorseThanTheStart) {
  for (const double c : {1.0, 1000.0})  // with 1000 sweeps overflow
    for (const FrictionSolver solver : friction_solvers()) {
      const LocalFriction p = squeezed(c);
      std::vector<double> r = {1, 0, 1, 0};
      const double before = friction_residual(p, r).natural_map;
      FrictionMemory memory;
      const FrictionReport report = solve(p, {.solver = solver, .warm_start = true}, r, memory);
      for (const double x : r) EXPECT_TRUE(std::isfinite(x)) << name_of(solver) << ", c = " << c;
      EXPECT_LE(report.natural_map, before * (1 + 1e-12)) << name_of(solver) << ", c = " << c;
    }
}

TEST(FrictionPolicy, BeginsAtZeroWhereTheStartOverflows) {
  const LocalFriction p = test::one_mass(1e10, 0.5, {-1, 0, 0});
  std::vector<double> r = {1e300, 0, 0};  // W r = 1e310
  FrictionMemory memory;
  const FrictionReport report = solve(p, {.solver = FrictionSolver::nsgs, .warm_start = true}, r, memory);
  EXPECT_EQ(report.status, FrictionStatus::solved);
  EXPECT_NEAR(r[0], 1e-10, 1e-18);
}

TEST(FrictionPolicy, SaysWhatIsWrongAndWhatIsLeft) {
  std::vector<double> r, v;
  LocalFriction p = test::one_mass(1, 0.5, {-1, 0, 0});
  p.laws.mu[0] = -1;
  const FrictionReport bad = solve(p, 1e-8, r);
  EXPECT_EQ(bad.status, FrictionStatus::bad_input);
  ASSERT_EQ(bad.faults.size(), 1u);
  EXPECT_EQ(bad.faults[0], "mu[0] must be finite and >= 0");
  Random random(15);
  GlobalFriction g = test::random_global(random, 2, FrictionLaw::ellipsoid, 1, 1);
  for (double& x : g.M.value) x = 1;  // rank one
  EXPECT_EQ(solve(g, 1e-8, r, v).status, FrictionStatus::singular_mass);
  FrictionMemory memory;
  r = {1};
  p.laws.mu[0] = 0.5;
  EXPECT_EQ(solve(p, {.warm_start = true}, r, memory).faults.at(0),
            "r: the start must hold 3 finite entries");
  // no impulse opens this contact: u_n = 2e-16 r_n - 1 with r_n bounded by round-off only; a tolerance below
  // round-off
  const LocalFriction hard = stack(10, 0.5, 0.3);
  const FrictionReport limit = solve(hard, {.tolerance = 1e-18, .solver = FrictionSolver::newton}, r, memory);
  EXPECT_EQ(limit.status, FrictionStatus::iteration_limit);
  EXPECT_GT(limit.natural_map, 1e-18);
  EXPECT_EQ(limit.natural_map, friction_residual(hard, r).natural_map);
}

TEST(FrictionPolicy, KnowsItsSolversByName) {
  for (const FrictionSolver solver : friction_solvers())
    EXPECT_EQ(friction_solver_named(name_of(solver)), solver);
  EXPECT_FALSE(friction_solver_named("quartic"));
}

// Pressed and slipping at once: W = 1, b = (-1, 1, 0), mu = 1/2. Coulomb: r = (1, -1/2, 0), u = (0, 1/2, 0).
// Associated: min 1/2 |r + b|^2 over K is the projection of (1, -1, 0): r_n = (1 + 1/2) / (5/4) = 1.2, u =
// (0.2, 0.4, 0): u_n = mu |u_t|, the contact lifts.
TEST(InteriorPoint, TheConvexSolutionLiftsSlidingContacts) {
  const LocalFriction p = test::one_mass(1, 0.5, {-1, 1, 0});
  friction::Prepared q;
  friction::prepare(p, q);
  friction::InteriorPointMemory memory;
  std::vector<double> r(3, 0.0);
  friction::interior_point(q, q.islands[0], {1e-10}, {.convex = true}, r.data(), memory);
  // on the boundary the path ends at the root of round-off: 1.5e-8, with a factor of 5
  EXPECT_NEAR(r[0], 1.2, 7e-8);
  EXPECT_NEAR(r[1], -0.6, 7e-8);
  const std::vector<double> u = velocities_of(p, r);
  EXPECT_NEAR(u[0], 0.5 * std::fabs(u[1]), 7e-8);
  std::vector<double> exact;
  FrictionMemory own;
  ASSERT_EQ(solve(p, {.tolerance = 1e-10, .solver = FrictionSolver::interior_point}, exact, own).status,
            FrictionStatus::solved);
  EXPECT_NEAR(exact[0], 1, 1e-9);
  EXPECT_NEAR(exact[1], -0.5, 1e-9);
}

}  // namespace
}  // namespace stiction::complementarity
