// Solvers of constraint systems: against dense solutions, against each other, on redundant systems, and how
// their work grows.
#include <gtest/gtest.h>

#include "bilateral_systems.h"
#include "stiction/complementarity/bilateral/constraint_residual.h"
#include "stiction/complementarity/bilateral/solve_bilateral.h"

namespace stiction::complementarity::bilateral {
namespace {

using namespace testing;

struct Solved {
  std::vector<double> lambda;
  Report report;
};
Solved solved(const ConstraintSystem& p, Method method, double tolerance = 1e-10) {
  Solved out;
  Memory memory;
  Settings s{.method = method, .tolerance = tolerance};
  s.iterative.max_iterations = 400000;
  solve(p, s, memory, out.lambda, out.report);
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most_of = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most_of = std::fmax(most_of, std::fabs(a[i] - b[i]));
  return most_of;
}
double size(const std::vector<double>& a) { return distance(a, std::vector<double>(a.size(), 0.0)); }

class Methods : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(All, Methods,
                         ::testing::Values(Method::ldlt, Method::pairwise, Method::jacobi, Method::pgs,
                                           Method::cg),
                         [](const auto& m) { return std::string(name_of(m.param)); });

TEST_P(Methods, RandomSystemsAsTheDenseSolution) {
  Random random(1);
  for (int k = 0; k < 40; ++k) {
    const ConstraintSystem p = random_system(random, 3 + k % 7, 2 + k % 6);
    ASSERT_TRUE(validate(p).empty());
    const Pseudo exact = pseudo_solution(p);
    if (exact.rank < p.rows) continue;
    const Solved s = solved(p, GetParam(), 1e-11);
    ASSERT_EQ(s.report.status, Status::solved) << k << " residual " << s.report.residual;
    EXPECT_LE(constraint_residual(p, s.lambda), 1.1e-11);
    // error <= condition number (here up to 1e5) x residual
    EXPECT_LE(distance(s.lambda, exact.lambda), 1e-6 * size(exact.lambda)) << k;
  }
}

TEST_P(Methods, AgreeOnAHeavyChain) {
  const ConstraintSystem p = chain(12, 1);
  const Solved s = solved(p, GetParam(), 1e-12), direct = solved(p, Method::ldlt, 1e-13);
  ASSERT_EQ(s.report.status, Status::solved);
  EXPECT_LE(distance(s.lambda, direct.lambda), 1e-8 * size(direct.lambda));
  EXPECT_LE(constraint_residual(p, direct.lambda), 1e-13);
}

TEST_P(Methods, RedundantDoor) {
  const ConstraintSystem p = door(3);
  const Solved s = solved(p, GetParam(), 1e-11);
  ASSERT_EQ(s.report.status, Status::solved) << s.report.residual;
  EXPECT_LE(constraint_residual(p, s.lambda), 1e-10);
  // the motion is unique: that of a door on one hinge
  const ConstraintSystem one = door(1);
  const Solved t = solved(one, Method::ldlt);
  std::vector<double> u, w;
  velocity_change(p, s.lambda, u), velocity_change(one, t.lambda, w);
  EXPECT_LE(distance(u, w), 1e-9 * size(w));
}

TEST_P(Methods, ReportHasAHistoryThatEndsWithItsResidual) {
  Random random(2);
  const ConstraintSystem p = hub(4, random);
  const Solved s = solved(p, GetParam());
  ASSERT_FALSE(s.report.residual_history.empty());
  EXPECT_STREQ(s.report.method, name_of(GetParam()));
  EXPECT_DOUBLE_EQ(s.report.residual, s.report.residual_history.back());
  EXPECT_NEAR(s.report.residual, constraint_residual(p, s.lambda), 1e-14);
}

TEST_P(Methods, NothingToDo) {
  ConstraintSystem p = chain(3);
  for (JointRows& j : p.joints)
    for (double& r : j.rhs) r = 0;
  for (const ConstraintSystem& q : {p, ConstraintSystem{}}) {
    const Solved s = solved(q, GetParam());
    EXPECT_EQ(s.report.status, Status::solved);
    EXPECT_EQ(size(s.lambda), 0);
  }
}

TEST(Ldlt, DoorOnThreeHingesIsNamedAndHasLeastNorm) {
  const ConstraintSystem p = door(3);
  const Solved s = solved(p, Method::ldlt);
  EXPECT_EQ(s.report.rank, 5);
  ASSERT_EQ(s.report.redundant.size(), 10u);
  const Pseudo exact = pseudo_solution(p);
  EXPECT_EQ(exact.rank, 5);
  EXPECT_LE(distance(s.lambda, exact.lambda), 1e-10 * size(exact.lambda));
  // without the rows that are named nothing is redundant, and the motion is the same
  ConstraintSystem rest = p;
  rest.joints.clear(), rest.rows = 0;
  for (int i = 0; i < 3; ++i)
    for (int r = 0; r < 5; ++r) {
      if (std::find(s.report.redundant.begin(), s.report.redundant.end(), RowPlace{i, r}) !=
          s.report.redundant.end())
        continue;
      JointRows& j = rest.add(-1, 0, 1);
      std::copy_n(p.joints[std::size_t(i)].G[1] + r * width, width, j.G[1]);
      j.rhs[0] = p.joints[std::size_t(i)].rhs[r];
    }
  const Solved t = solved(rest, Method::ldlt);
  EXPECT_EQ(t.report.rank, 5);
  EXPECT_TRUE(t.report.redundant.empty());
  std::vector<double> u, w;
  velocity_change(p, s.lambda, u), velocity_change(rest, t.lambda, w);
  EXPECT_LE(distance(u, w), 1e-9 * size(w));
}

TEST(Ldlt, ContradictingRowsGiveTheLeastSquaresSolution) {
  ConstraintSystem p = door(2);
  p.joints[1].rhs[2] += 0.3;  // two hinges that want different speeds along their common axis
  const Solved s = solved(p, Method::ldlt);
  EXPECT_EQ(s.report.status, Status::inconsistent);
  const Pseudo exact = pseudo_solution(p);
  EXPECT_LE(distance(s.lambda, exact.lambda), 1e-10 * size(exact.lambda));
  EXPECT_NEAR(s.report.residual, constraint_residual(p, s.lambda), 1e-9);
  EXPECT_NEAR(s.report.inconsistency, s.report.residual, 1e-9);
  EXPECT_LT(size(s.lambda), 100);  // loads stay finite
}

TEST(Ldlt, RowsThatNothingCanMove) {
  ConstraintSystem p = chain(2);
  for (std::size_t b = 0; b < 2; ++b)
    for (const std::size_t k : {2u, 3u, 4u}) p.A_inverse[36 * b + 7 * k] = 0;  // bodies in the plane z = 0
  p.joints[0].rhs[2] = 0, p.joints[0].rhs[1] = 0.1;
  Solved s = solved(p, Method::ldlt);
  EXPECT_EQ(s.report.status, Status::solved);
  EXPECT_EQ(s.report.rank, 4);
  EXPECT_EQ(s.report.redundant, (std::vector<RowPlace>{{0, 2}, {1, 2}}));
  EXPECT_LE(constraint_residual(p, s.lambda), 1e-14);
  p.joints[0].rhs[2] = 0.05;
  s = solved(p, Method::ldlt);
  EXPECT_EQ(s.report.status, Status::inconsistent);
  EXPECT_NEAR(s.report.residual, constraint_residual(p, s.lambda), 1e-14);
}

/// A ring of n bodies with hinges about z (five rows each): planar motion, so that 3 of 5n rows repeat what
/// the others say.
TEST(Ldlt, ClosedLoopOfHinges) {
  for (const int n : {3, 4, 5, 9}) {
    ConstraintSystem p;
    Random random(3);
    for (int i = 0; i < n; ++i) add_body(p, 1, 0.1, 0.1, 0.1);
    for (int i = 0; i < n; ++i) {
      const int next = (i + 1) % n;
      JointRows& j = p.add(i, next, 5);
      const double angle = 2 * 3.141592653589793 * i / n, further = 2 * 3.141592653589793 * (i + 1) / n;
      // bodies sit at the corners of a polygon, hinges at the middles of its sides
      const double to_next[3] = {0.5 * (std::cos(further) - std::cos(angle)),
                                 0.5 * (std::sin(further) - std::sin(angle)), 0};
      const double back[3] = {-to_next[0], -to_next[1], 0};
      ball_rows(j, to_next, back);
      turn_row(j, 3, 0), turn_row(j, 4, 1);
    }
    // a consistent right-hand side: -G v of random velocities
    std::vector<double> v;
    for (int k = 0; k < n * width; ++k) v.push_back(between(random, -1, 1));
    for (JointRows& j : p.joints)
      for (int r = 0; r < 5; ++r)
        for (int side = 0; side < 2; ++side)
          for (int c = 0; c < width; ++c)
            j.rhs[r] -= j.G[side][r * width + c] * v[std::size_t(j.block[side] * width + c)];
    const Pseudo exact = pseudo_solution(p);
    EXPECT_EQ(exact.rank, 5 * n - 3);
    const Solved s = solved(p, Method::ldlt);
    EXPECT_EQ(s.report.status, Status::solved) << n << ": " << s.report.residual;
    EXPECT_EQ(s.report.rank, exact.rank) << n;
    EXPECT_LE(distance(s.lambda, exact.lambda), 1e-10 * size(exact.lambda)) << n;
  }
}

TEST(Ldlt, HubsAreSplitAndSolvedAsAWhole) {
  Random random(4);
  const ConstraintSystem p = hub(30, random);
  const Pseudo exact = pseudo_solution(p);
  ASSERT_EQ(exact.rank, 90);
  const Solved s = solved(p, Method::ldlt, 1e-13);
  EXPECT_EQ(s.report.status, Status::solved);
  EXPECT_EQ(s.report.rank, 90);
  EXPECT_LE(distance(s.lambda, exact.lambda), 1e-9 * size(exact.lambda));
}

TEST(Ldlt, RedundantRowsAtASplitHubAreRowsOfJoints) {
  Random random(5);
  ConstraintSystem p = hub(12, random);
  for (int i = 0; i < 2; ++i) {  // two arms held twice, at the same points, consistently
    const JointRows copy = p.joints[std::size_t(3 + i)];
    JointRows& j = p.add(copy.block[0], copy.block[1], 3);
    for (int side = 0; side < 2; ++side) std::copy_n(copy.G[side], most * width, j.G[side]);
    std::copy_n(copy.rhs, 3, j.rhs);
  }
  const Pseudo exact = pseudo_solution(p);
  ASSERT_EQ(exact.rank, 36);
  const Solved s = solved(p, Method::ldlt);
  EXPECT_EQ(s.report.status, Status::solved) << s.report.residual;
  EXPECT_EQ(s.report.rank, 36);
  ASSERT_EQ(s.report.redundant.size(), 6u);
  for (const RowPlace& r : s.report.redundant)
    EXPECT_TRUE(r.joint == 3 || r.joint == 4 || r.joint >= 12) << r.joint;
  EXPECT_LE(distance(s.lambda, exact.lambda), 1e-10 * size(exact.lambda));
}

TEST(Ldlt, WorkGrowsLinearlyWithChainsTreesAndHubs) {
  Random random(6);
  const auto tree = [](int bodies) {  // every body but the first hangs on body (i - 1)/2
    ConstraintSystem p;
    for (int i = 0; i < bodies; ++i) add_body(p, 1, 0.1, 0.2, 0.3);
    const double arm[3] = {0.1, 0.2, 0.3}, back[3] = {-0.2, 0, 0.1};
    for (int i = 0; i < bodies; ++i) {
      JointRows& j = p.add(i == 0 ? -1 : (i - 1) / 2, i, 3);
      ball_rows(j, arm, back);
      j.rhs[0] = 1;
    }
    return p;
  };
  const auto work_per_joint = [](const ConstraintSystem& p) {
    const Solved s = solved(p, Method::ldlt);
    EXPECT_EQ(s.report.status, Status::solved) << s.report.residual;
    EXPECT_LE(constraint_residual(p, s.lambda), 1e-9);
    return s.report.work / double(p.joints.size());
  };
  const double chain50 = work_per_joint(chain(50));
  for (const int n : {500, 5000, 10000}) EXPECT_LE(work_per_joint(chain(n)), 1.1 * chain50) << n;
  EXPECT_LE(chain50, 200);  // 27 + 27 + 18 per pivot of three rows with one below, 9 + 18 to solve
  const double tree63 = work_per_joint(tree(63));
  EXPECT_LE(work_per_joint(tree(8191)), 1.2 * tree63);
  const double hub50 = work_per_joint(hub(50, random));
  EXPECT_LE(work_per_joint(hub(2000, random)), 1.2 * hub50);
}

TEST(Ldlt, OrderIsKeptWhileThePatternStays) {
  Memory memory;
  Report report;
  std::vector<double> lambda;
  ConstraintSystem p = chain(20);
  solve(p, {}, memory, lambda, report);
  EXPECT_TRUE(report.analysed);
  p.joints[3].rhs[0] = 1;
  solve(p, {}, memory, lambda, report);
  EXPECT_FALSE(report.analysed);
  EXPECT_EQ(report.status, Status::solved);
  p = chain(21);
  solve(p, {}, memory, lambda, report);
  EXPECT_TRUE(report.analysed);
  EXPECT_LE(constraint_residual(p, lambda), 1e-10);
}

TEST(Ldlt, ComplianceIsPartOfTheMatrix) {
  ConstraintSystem p;  // one body of 2 kg on one row with compliance: (1/2 + 0.3) lambda = 1
  add_body(p, 2, 1, 1, 1);
  JointRows& j = p.add(-1, 0, 1);
  j.G[1][0] = 1, j.sigma[0] = 0.3, j.rhs[0] = 1;
  for (const Method m : {Method::ldlt, Method::pairwise, Method::jacobi, Method::pgs, Method::cg})
    EXPECT_NEAR(solved(p, m).lambda[0], 1 / 0.8, 1e-9) << name_of(m);
}

TEST(Ldlt, AnyRatioOfMasses) {
  for (const double ratio : {1e-6, 1e3, 1e6, 1e9}) {
    const ConstraintSystem p = chain(50, 0.1 * ratio);
    const Solved s = solved(p, Method::ldlt);
    EXPECT_EQ(s.report.status, Status::solved) << ratio;
    EXPECT_EQ(s.report.rank, 150) << ratio;
  }
}

TEST(Iterative, SaysSoWhenItIsNotDone) {
  const ConstraintSystem p = chain(200);
  Memory memory;
  Report report;
  std::vector<double> lambda;
  Settings s{.method = Method::pgs};
  s.iterative.max_iterations = 100;
  solve(p, s, memory, lambda, report);
  EXPECT_EQ(report.status, Status::iteration_limit);
  EXPECT_EQ(report.iterations, 100);
  EXPECT_GT(report.residual, 1e-6);
  EXPECT_NEAR(report.residual, constraint_residual(p, lambda), 1e-12);
  // and goes on from there
  s.iterative.warm_start = true;
  const double before = report.residual;
  solve(p, s, memory, lambda, report);
  EXPECT_LT(report.residual, before);
}

TEST(Bilateral, ValidateNamesWhatIsWrong) {
  ConstraintSystem p = chain(2);
  EXPECT_TRUE(validate(p).empty());
  p.joints[0].sigma[1] = -1, p.joints[1].block[0] = 7, p.rows = 5;
  const std::vector<std::string> faults = validate(p);
  ASSERT_EQ(faults.size(), 3u);
  EXPECT_NE(faults[0].find("joints[0].sigma[1]"), std::string::npos);
  EXPECT_NE(faults[1].find("joints[1].block"), std::string::npos);
  EXPECT_NE(faults[2].find("rows"), std::string::npos);
  EXPECT_TRUE(std::isinf(constraint_residual(chain(2), {1, 2})));
}

TEST(Bilateral, NumbersThatAreNotFiniteAreReported) {
  ConstraintSystem p = chain(3);
  p.joints[1].rhs[0] = std::nan("");
  for (const Method m : {Method::ldlt, Method::pairwise, Method::jacobi, Method::pgs, Method::cg})
    EXPECT_EQ(solved(p, m).report.status, Status::not_finite) << name_of(m);
}

}  // namespace
}  // namespace stiction::complementarity::bilateral
