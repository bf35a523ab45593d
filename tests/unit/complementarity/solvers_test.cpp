// NSGS, Newton and the policy on small problems with known or checkable answers.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <optional>
#include <vector>

#include "stiction/complementarity/friction/from_graph.h"
#include "stiction/complementarity/friction/solve_friction.h"
#include "stiction/complementarity/linear/lemke.h"
#include "stiction/complementarity/newton.h"
#include "stiction/complementarity/nsgs.h"
#include "stiction/complementarity/residual.h"
#include "stiction/complementarity/solve.h"
#include "support/friction_problem.h"
#include "support/size.h"

namespace stiction::complementarity {
namespace {

using test::ProblemSize;
using test::Random;

std::vector<double> cold(const FrictionProblem& p) { return std::vector<double>(3 * p.contacts.size(), 0.0); }

double residual_of(const FrictionProblem& p, const std::vector<double>& r) {
  std::vector<double> v(p.v_free.size());
  double worst = 0;
  for (const Island& island : p.islands)
    worst = std::fmax(worst, residual(p, island, r.data(), v.data()).natural_map_scaled);
  return worst;
}

struct Kind {
  const char* name;
  ProblemSize size;
};
void PrintTo(const Kind& k, std::ostream* out) { *out << k.name; }

class RandomProblems : public testing::TestWithParam<Kind> {};

TEST_P(RandomProblems, NsgsReachesItsTolerance) {
  Random random(11);
  NsgsMemory memory;
  for (int i = 0; i < 20; ++i) {
    const FrictionProblem p = test::random_problem(random, GetParam().size);
    ASSERT_TRUE(validate(p).empty());
    std::vector<double> r = cold(p);
    const NsgsReport report =
        nsgs(p, p.islands[0], {.tolerance = 1e-9, .max_sweeps = 20000}, r.data(), memory);
    EXPECT_TRUE(report.converged) << "problem " << i << " residual " << report.residual;
    EXPECT_LE(residual_of(p, r), 1e-9);
    EXPECT_EQ(report.residual, residual_of(p, r));
  }
}

// Plain sweeps, and relaxed ones, have the same fixed points as accelerated ones, but are slower.
TEST_P(RandomProblems, PlainAndRelaxedSweepsReachItToo) {
  Random random(17);
  NsgsMemory memory;
  for (int i = 0; i < 6; ++i) {
    const FrictionProblem p = test::random_problem(random, GetParam().size);
    for (const double relaxation : {0.7, 1.0, 1.2}) {
      std::vector<double> r = cold(p);
      const NsgsReport report = nsgs(
          p, p.islands[0], {.tolerance = 1e-4, .max_sweeps = 50000, .relaxation = relaxation, .window = 0},
          r.data(), memory);
      EXPECT_TRUE(report.converged) << "problem " << i << " relaxation " << relaxation << " residual "
                                    << report.residual;
      EXPECT_LE(residual_of(p, r), 1e-4);
    }
  }
}

TEST_P(RandomProblems, ThePolicyReachesItsTolerance) {
  Random random(12);
  Team team;
  std::vector<SolverMemory> memory;
  for (int i = 0; i < 40; ++i) {
    const FrictionProblem p = test::random_problem(random, GetParam().size);
    std::vector<double> r = cold(p);
    const SolveReport report = solve(p, {.tolerance = 1e-10}, team, memory, r);
    EXPECT_TRUE(report.converged) << "problem " << i << " residual " << report.residual;
    EXPECT_LE(residual_of(p, r), 1e-10) << "problem " << i;
  }
}

// Contacts that give way: sweeps, the policy and the local form's solvers find solutions; without friction
// there is one.
TEST_P(RandomProblems, ContactsThatGiveWay) {
  Random random(21);
  Team team;
  std::vector<SolverMemory> memory;
  NsgsMemory sweeps;
  for (int i = 0; i < 20; ++i) {
    FrictionProblem p = test::random_problem(random, GetParam().size);
    for (ContactRows& c : p.contacts) {
      if (c.kind == RowKind::cone) c.give = (0.1 + i) * mean_diagonal(p, c), c.mu = i % 2 == 0 ? 0.0 : c.mu;
    }
    ASSERT_TRUE(validate(p).empty());
    std::vector<double> r = cold(p), other = cold(p);
    const SolveReport report = solve(p, {.tolerance = 1e-11}, team, memory, r);
    EXPECT_TRUE(report.converged) << "problem " << i << " residual " << report.residual;
    EXPECT_TRUE(
        nsgs(p, p.islands[0], {.tolerance = 1e-11, .max_sweeps = 20000}, other.data(), sweeps).converged);
    double size = 0, apart = 0;  // of the impulses along normals
    for (std::size_t k = 0; k < p.contacts.size(); ++k)
      if (p.contacts[k].give > 0)
        size = std::fmax(size, r[3 * k]), apart = std::fmax(apart, std::fabs(r[3 * k] - other[3 * k]));
    if (i % 2 == 0) {
      EXPECT_LE(apart, 1e-8 * size) << i;
    }
    EXPECT_FALSE(global_form(p));
    const std::optional<LocalFriction> local = local_form(p);
    if (!local) continue;  // other rows beside cones
    std::vector<double> third = cold(p);
    FrictionMemory work;
    solve(*local, {.tolerance = 1e-10}, third, work);
    EXPECT_LE(residual_of(p, third), 1e-7) << i;
  }
}

// One contact on one block: r_n = -b / (W + give).
TEST(GiveWay, OneContact) {
  FrictionProblem p;
  p.A.assign(36, 0), p.A_inverse.assign(36, 0), p.v_free.assign(6, 0);
  for (std::size_t k = 0; k < 36; k += 7) p.A[k] = 4, p.A_inverse[k] = 0.25;
  p.v_free[0] = -3;
  ContactRows c;
  c.block[1] = 0, c.give = 0.5, c.mu = 0.3;
  c.G[1][0] = c.G[1][width + 1] = c.G[1][2 * width + 2] = 1;
  p.contacts = {c}, p.islands = {{0, 1, 0, 1}};
  Team team;
  std::vector<SolverMemory> memory;
  std::vector<double> r(3, 0.0);
  EXPECT_TRUE(solve(p, {.tolerance = 1e-12}, team, memory, r).converged);
  EXPECT_NEAR(r[0], 3 / (0.25 + 0.5), 1e-11);
  p.contacts[0].give = -1;
  EXPECT_EQ(validate(p), (std::vector<std::string>{"contact 0: give must be finite and >= 0"}));
}

// From a start that NSGS made good, Newton goes to round-off.
TEST_P(RandomProblems, NewtonPolishes) {
  Random random(13);
  NsgsMemory sweeps;
  NewtonMemory memory;
  int polished = 0;
  for (int i = 0; i < 20; ++i) {
    const FrictionProblem p = test::random_problem(random, GetParam().size);
    std::vector<double> r = cold(p);
    nsgs(p, p.islands[0], {.tolerance = 1e-5, .max_sweeps = 20000}, r.data(), sweeps);
    const double before = residual_of(p, r);
    const NewtonReport report =
        newton(p, p.islands[0], {.goal = 1e-12, .tolerance = 1e-10}, r.data(), memory);
    EXPECT_LE(residual_of(p, r), before) << "never left worse than it came";
    EXPECT_EQ(report.residual, residual_of(p, r));
    polished += report.converged;
  }
  EXPECT_GE(polished, 19);  // kinks of the law may stop it: the policy then sweeps on
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RandomProblems,
    testing::Values(Kind{"one_block", {.blocks = 1, .contacts = 1}},
                    Kind{"small", {.blocks = 3, .contacts = 5}},
                    Kind{"many_contacts", {.blocks = 6, .contacts = 24}},
                    Kind{"frictionless", {.blocks = 5, .contacts = 12, .mu = 0}},
                    Kind{"redundant", {.blocks = 4, .contacts = 6, .redundant = true}},
                    Kind{"gaps", {.blocks = 5, .contacts = 12, .gaps = true}},
                    Kind{"equalities", {.blocks = 4, .contacts = 8, .equalities = 3}},
                    Kind{"redundant_equalities",
                         {.blocks = 4, .contacts = 6, .equalities = 2, .redundant = true}}));

/// A cube of 2 kg on four corners, sinking at h g: heavily redundant (12 rows, 6 velocities).
FrictionProblem cube(const Vec3& v, double mu) {
  FrictionProblem p;
  test::add_block(p, 2, {0.0133, 0.0133, 0.0133}, v, {});
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.1, 0.1})
      p.contacts.push_back(test::contact_between(-1, {}, 0, {x, y, -0.1}, {0, 0, 1}, mu));
  test::close_island(p);
  return p;
}

TEST(Solvers, ACubeOnFourCornersIsCarriedByAllTogether) {
  Team team;
  for (const SolverChoice solver : {SolverChoice::automatic, SolverChoice::newton, SolverChoice::nsgs}) {
    const FrictionProblem p = cube({0, 0, -0.0981}, 0.5);
    std::vector<SolverMemory> memory;
    std::vector<double> r = cold(p), v(6);
    const SolveReport report = solve(p, {.tolerance = 1e-12, .solver = solver}, team, memory, r);
    EXPECT_TRUE(report.converged);
    EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], 2 * 0.0981, 1e-12);
    velocities_from(p, p.islands[0], r.data(), v.data());
    for (const double x : v) EXPECT_NEAR(x, 0, 1e-12);
  }
}

TEST(Solvers, ACubeThatSlidesIsBrakedByMuTimesItsWeight) {
  Team team;
  for (const SolverChoice solver : {SolverChoice::automatic, SolverChoice::newton, SolverChoice::nsgs}) {
    const FrictionProblem p = cube({0.8, 0.6, -0.0981}, 0.3);
    std::vector<SolverMemory> memory;
    std::vector<double> r = cold(p), v(6);
    EXPECT_TRUE(solve(p, {.tolerance = 1e-11, .solver = solver}, team, memory, r).converged);
    velocities_from(p, p.islands[0], r.data(), v.data());
    const double speed = 1 - 0.3 * 0.0981;
    EXPECT_NEAR(v[0], 0.8 * speed, 1e-10);
    EXPECT_NEAR(v[1], 0.6 * speed, 1e-10);
    EXPECT_NEAR(v[2], 0, 1e-10);
    for (int k = 3; k < 6; ++k) EXPECT_NEAR(v[std::size_t(k)], 0, 1e-9);
  }
}

TEST(Solvers, AnEqualityPullsAsWellAsItPushes) {
  // two points of 1 and 3 kg tied along x, moving apart
  FrictionProblem p;
  test::add_block(p, 1, {1, 1, 1}, {-1, 2, 0}, {});
  test::add_block(p, 3, {1, 1, 1}, {1, 0, 5}, {});
  p.contacts.push_back(test::contact_between(0, {}, 1, {}, {1, 0, 0}, 0.7));
  p.contacts[0].kind = RowKind::equality;
  test::close_island(p);
  Team team;
  for (const SolverChoice solver : {SolverChoice::automatic, SolverChoice::newton, SolverChoice::nsgs}) {
    std::vector<SolverMemory> memory;
    std::vector<double> r = cold(p), v(12);
    EXPECT_TRUE(solve(p, {.tolerance = 1e-12, .solver = solver}, team, memory, r).converged);
    EXPECT_NEAR(r[0], -1.5, 1e-12);
    EXPECT_EQ(r[1], 0);
    EXPECT_EQ(r[2], 0);
    velocities_from(p, p.islands[0], r.data(), v.data());
    EXPECT_NEAR(v[0], 0.5, 1e-12);
    EXPECT_NEAR(v[6], 0.5, 1e-12);
    EXPECT_EQ(v[1], 2);
    EXPECT_EQ(v[8], 5);
  }
}

// A start that solves the problem exactly comes back to the bit, for nothing.
TEST(Solvers, AnExactStartIsLeftAlone) {
  FrictionProblem p;
  test::add_block(p, 1, {1, 1, 1}, {2, 0, -1}, {});
  p.contacts.push_back(test::contact_between(-1, {}, 0, {}, {0, 0, 1}, 0.5));
  test::close_island(p);
  const std::vector<double> exact{1, -0.5, 0};
  ASSERT_EQ(residual_of(p, exact), 0);
  NsgsMemory sweeps;
  NewtonMemory newton_memory;
  std::vector<double> r = exact;
  const NsgsReport swept = nsgs(p, p.islands[0], {}, r.data(), sweeps);
  EXPECT_TRUE(swept.converged);
  EXPECT_EQ(swept.sweeps, 0);
  EXPECT_EQ(r, exact);
  const NewtonReport stepped = newton(p, p.islands[0], {}, r.data(), newton_memory);
  EXPECT_TRUE(stepped.converged);
  EXPECT_EQ(stepped.iterations, 0);
  EXPECT_EQ(stepped.factorisations, 0);
  EXPECT_EQ(r, exact);
  Team team;
  std::vector<SolverMemory> memory;
  const SolveReport solved = solve(p, {}, team, memory, r);
  EXPECT_TRUE(solved.converged);
  EXPECT_EQ(solved.iterations, 0);
  EXPECT_EQ(r, exact);
}

TEST(Solvers, AWarmStartSavesSweeps) {
  Random random(14);
  int first = 0, second = 0;
  NsgsMemory memory;
  for (int i = 0; i < 10; ++i) {
    FrictionProblem p = test::random_problem(random, {.blocks = 6, .contacts = 18});
    std::vector<double> r = cold(p);
    first += nsgs(p, p.islands[0], {.tolerance = 1e-8, .max_sweeps = 20000}, r.data(), memory).sweeps;
    for (double& v : p.v_free) v *= 1.001;
    second += nsgs(p, p.islands[0], {.tolerance = 1e-8, .max_sweeps = 20000}, r.data(), memory).sweeps;
  }
  EXPECT_LT(second, first);
}

TEST(Solvers, WhoIsAskedToStopDoesNothingMore) {
  Random random(15);
  const FrictionProblem p = test::random_problem(random, {.blocks = 8, .contacts = 30});
  const std::atomic<bool> asked = true;
  std::vector<double> r = cold(p);
  NsgsMemory memory;
  EXPECT_EQ(nsgs(p, p.islands[0], {.tolerance = 1e-14, .stop = {&asked}}, r.data(), memory).sweeps, 0);
  NewtonMemory newton_memory;
  EXPECT_EQ(newton(p, p.islands[0], {.goal = 0, .stop = {&asked}}, r.data(), newton_memory).iterations, 0);
  SolverMemory all;
  const SolveReport report = solve_island(
      p, p.islands[0], {.tolerance = 1e-14, .last_resort = true, .stop = {&asked}}, r.data(), all);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.escalations, 0);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(r, cold(p));
}

TEST(Solvers, TheIterationLimitIsReported) {
  Random random(15);
  const FrictionProblem p = test::random_problem(random, {.blocks = 8, .contacts = 30});
  std::vector<double> r = cold(p);
  NsgsMemory memory;
  NsgsReport report = nsgs(p, p.islands[0], {.tolerance = 1e-14, .max_sweeps = 4}, r.data(), memory);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.sweeps, 4);
  EXPECT_GT(report.residual, 1e-14);
  report = nsgs(p, p.islands[0], {.tolerance = 1e-14, .max_sweeps = 0}, r.data(), memory);
  EXPECT_EQ(report.sweeps, 0);
  EXPECT_FALSE(report.converged);
  NewtonMemory newton_memory;
  r = cold(p);
  const NewtonReport stopped =
      newton(p, p.islands[0], {.goal = 0, .max_iterations = 0}, r.data(), newton_memory);
  EXPECT_FALSE(stopped.converged);
  EXPECT_EQ(stopped.iterations, 0);
  EXPECT_EQ(r, cold(p));
}

// Flat cones and steep ones: Newton alone, from a start of a hundred sweeps, for friction from almost none to
// much.
TEST(Solvers, NewtonWorksForSmallAndLargeFriction) {
  for (const double mu : {1e-8, 1e-4, 1e-2, 0.1, 0.5, 1.0, 3.0}) {
    Random random(23);
    NsgsMemory sweeps;
    NewtonMemory memory;
    for (int i = 0; i < 10; ++i) {
      FrictionProblem p = test::random_problem(random, {.blocks = 6, .contacts = 12});
      for (ContactRows& c : p.contacts) c.mu = mu;
      std::vector<double> r = cold(p);
      nsgs(p, p.islands[0], {.tolerance = 1e-10, .max_sweeps = 100}, r.data(), sweeps);
      const NewtonReport report =
          newton(p, p.islands[0], {.goal = 1e-11, .tolerance = 1e-9}, r.data(), memory);
      EXPECT_TRUE(report.converged) << "mu " << mu << " problem " << i << " residual " << report.residual;
    }
  }
}

// Jammed: a point between two walls that move into each other has no solution, and nobody claims one.
TEST(Solvers, AnInsolubleProblemIsNotCalledSolved) {
  FrictionProblem p;
  test::add_block(p, 1, {1, 1, 1}, {}, {});
  p.contacts.push_back(test::contact_between(-1, {}, 0, {}, {0, 0, 1}, 0));
  p.contacts.push_back(test::contact_between(-1, {}, 0, {}, {0, 0, -1}, 0));
  p.contacts[0].b[0] = p.contacts[1].b[0] = -1;
  test::close_island(p);
  Team team;
  for (const SolverChoice solver : {SolverChoice::automatic, SolverChoice::newton, SolverChoice::nsgs}) {
    std::vector<SolverMemory> memory;
    std::vector<double> r = cold(p);
    const SolveReport report = solve(p, {.tolerance = 1e-8, .solver = solver}, team, memory, r);
    std::vector<double> v(6);
    double u[3];
    velocities_from(p, p.islands[0], r.data(), v.data());
    local_velocity(p, p.contacts[0], v.data(), u);
    EXPECT_TRUE(!report.converged || report.residual <= 1e-8);
    // one of the walls is violated by 1 m/s at least; impulses that grow without bound may hide that from a
    // measure relative to them, but then they are huge
    if (report.converged) {
      EXPECT_GT(r[0], 1e7);
    }
  }
}

// A row that no velocity can satisfy keeps its start; it takes nothing from the island solved before.
TEST(Solvers, AHopelessIslandTakesNothingFromItsNeighbours) {
  Random random(17);
  FrictionProblem p;
  test::add_random_island(random, {.blocks = 4, .contacts = 10}, p);
  const int block = test::add_block(p, 1, {1, 1, 1}, {}, {});
  ContactRows still;
  still.block[1] = block, still.b[0] = -1, still.kind = RowKind::equality;  // G = 0: u_n = -1 whatever r
  p.contacts.push_back(still);
  test::close_island(p);
  Team team;
  std::vector<SolverMemory> memory;
  std::vector<double> r = cold(p);
  const SolveReport report = solve(p, {}, team, memory, r);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(std::vector<double>(r.end() - 3, r.end()), std::vector<double>(3, 0.0));
}

// Four redundant points a face and friction up to 2: no round of sweeps and Newton steps solves all of these.
TEST(Solvers, TheLastResortSolvesWhatOneRoundDoesNot) {
  int left = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    if (test::under_sanitizer && left > 0) break;  // memory: one will do
    Random random(seed);
    FrictionProblem p = random_problem(random, {.blocks = 30, .contacts = 60, .mu = 2, .redundant = true});
    SolverMemory memory;
    const SolveSettings once{.tolerance = 1e-8, .tries = 0};
    std::vector<double> r(3 * p.contacts.size(), 0.0);
    if (solve_island(p, p.islands[0], once, r.data(), memory).converged) continue;
    ++left;
    std::fill(r.begin(), r.end(), 0.0);
    SolveSettings last = once;
    last.last_resort = true;
    const SolveReport report = solve_island(p, p.islands[0], last, r.data(), memory);
    EXPECT_TRUE(report.converged) << "seed " << seed << ": " << report.residual;
    EXPECT_GT(report.escalations, 0);
    std::vector<double> v(p.v_free.size());
    EXPECT_LE(residual(p, p.islands[0], r.data(), v.data()).natural_map_scaled, once.tolerance);
  }
  EXPECT_GT(left, 0);  // else this test shows nothing
}

// Islands share nothing: solved together or alone, by one thread or two, the bits are the same.
TEST(Solvers, ThreadsAndNeighboursChangeNoBit) {
  Random random(16);
  FrictionProblem all;
  for (int i = 0; i < 9; ++i) test::add_random_island(random, {.blocks = 2 + i % 3, .contacts = 4 + i}, all);
  ASSERT_TRUE(validate(all).empty());
  std::vector<double> one = cold(all), two = cold(all), alone = cold(all);
  Team single(1), pair(2);
  std::vector<SolverMemory> memory_one, memory_two;
  const SolveReport a = solve(all, {}, single, memory_one, one);
  const SolveReport b = solve(all, {}, pair, memory_two, two);
  EXPECT_TRUE(a.converged);
  EXPECT_EQ(one, two);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.residual, b.residual);
  for (const Island& island : all.islands) {
    SolverMemory memory;
    solve_island(all, island, {}, alone.data(), memory);
  }
  EXPECT_EQ(one, alone);
}

// Rows whose impulse lies between two bounds (one of them infinite in part): the boxed linear problem with M
// the normal rows of W, which Lemke's method solves by pivots. Velocities are unique, impulses need not be.
TEST(BoxRows, AgreeWithLemke) {
  Random random(31);
  Team team;
  std::vector<SolverMemory> memory;
  for (int i = 0; i < 40; ++i) {
    FrictionProblem p = test::random_problem(random, {.blocks = 4, .contacts = 10});
    const std::size_t n = p.contacts.size();
    BoxedLcp boxed{int(n), std::vector<double>(n * n), std::vector<double>(n), {}, {}};
    for (ContactRows& c : p.contacts) {
      const double most = random.between(0.1, 2);
      c.kind = RowKind::box, c.low = random.between(0, 1) < 0.5 ? 0 : -most;
      c.high = c.low == 0 ? HUGE_VAL : most;
      boxed.lower.push_back(c.low), boxed.upper.push_back(c.high);
    }
    std::vector<double> v(p.v_free.size()), unit = cold(p), zero = cold(p);
    const auto speed = [&](const std::vector<double>& r, std::size_t row) {
      for (const Island& island : p.islands) velocities_from(p, island, r.data(), v.data());
      double u[3];
      local_velocity(p, p.contacts[row], v.data(), u);
      return u[0];
    };
    for (std::size_t row = 0; row < n; ++row) boxed.q[row] = speed(zero, row);
    for (std::size_t column = 0; column < n; ++column) {
      unit[3 * column] = 1;
      for (std::size_t row = 0; row < n; ++row) boxed.M[row * n + column] = speed(unit, row) - boxed.q[row];
      unit[3 * column] = 0;
    }
    std::vector<double> z(n, 0.0);
    LemkeMemory pivots;
    ASSERT_EQ(lemke(boxed, {}, z, pivots).status, LinearStatus::solved) << i;
    for (const SolverChoice solver : {SolverChoice::automatic, SolverChoice::newton, SolverChoice::nsgs}) {
      std::vector<double> r = cold(p), exact = cold(p);
      const SolveReport report = solve(p, {.tolerance = 1e-10, .solver = solver}, team, memory, r);
      ASSERT_TRUE(report.converged) << i << " residual " << report.residual;
      for (std::size_t row = 0; row < n; ++row) exact[3 * row] = z[row];
      for (std::size_t row = 0; row < n; ++row) {
        EXPECT_NEAR(speed(r, row), speed(exact, row), 1e-7) << i;
        EXPECT_GE(r[3 * row], p.contacts[row].low);
        EXPECT_LE(r[3 * row], p.contacts[row].high);
        EXPECT_EQ(std::fabs(r[3 * row + 1]) + std::fabs(r[3 * row + 2]), 0);
      }
    }
  }
}

}  // namespace
}  // namespace stiction::complementarity
