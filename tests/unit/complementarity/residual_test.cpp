// The residual on cases with known answers, and the checks of a problem from outside.
#include "stiction/complementarity/residual.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/friction_problem.h"

namespace stiction::complementarity {
namespace {

using test::Random;

TEST(Projection, IsTheNearestPointOfTheCone) {
  Random random(1);
  for (int i = 0; i < 5000; ++i) {
    const double mu = i % 10 == 0 ? 0 : random.between(0, 2);
    const double x[3] = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    double p[3], d[3];
    project_on_cone(mu, x, p);
    for (int k = 0; k < 3; ++k) d[k] = x[k] - p[k];
    // p in the cone, x - p in its polar cone, and orthogonal: Moreau's decomposition
    ASSERT_LE(std::hypot(p[1], p[2]), mu * p[0] + 1e-15);
    ASSERT_LE(mu * std::hypot(d[1], d[2]), -d[0] + 1e-15);
    ASSERT_NEAR(p[0] * d[0] + p[1] * d[1] + p[2] * d[2], 0, 1e-15);
    double again[3];
    project_on_cone(mu, p, again);
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(again[k], p[k], 1e-15);
  }
}

/// A point of 1 kg moving at v on a floor: W = I.
FrictionProblem point_on_floor(const Vec3& v, double mu) {
  FrictionProblem p;
  test::add_block(p, 1, {1, 1, 1}, v, {});
  p.contacts.push_back(test::contact_between(-1, {}, 0, {}, {0, 0, 1}, mu));
  test::close_island(p);
  return p;
}

TEST(Residual, IsZeroAtTheSolution) {
  double v[6];
  // falls at 1 m/s: sticks
  FrictionProblem p = point_on_floor({0, 0, -1}, 0.5);
  const double stops[3] = {1, 0, 0};
  EXPECT_EQ(residual(p, p.islands[0], stops, v).natural_map_scaled, 0);
  EXPECT_EQ(residual(p, p.islands[0], stops, v).natural_map, 0);
  EXPECT_EQ(v[2], 0);
  // slides along t1 = x
  p = point_on_floor({2, 0, -1}, 0.5);
  const double slides[3] = {1, -0.5, 0};
  EXPECT_NEAR(residual(p, p.islands[0], slides, v).natural_map_scaled, 0, 1e-16);
  EXPECT_EQ(v[0], 1.5);
  // flies off
  p = point_on_floor({1, 0, 1}, 0.5);
  const double nothing[3] = {0, 0, 0};
  EXPECT_EQ(residual(p, p.islands[0], nothing, v).natural_map_scaled, 0);
}

TEST(Residual, HasTheValueOfTheFormula) {
  double v[6];
  const FrictionProblem p = point_on_floor({0, 0, -2}, 0.5);
  // r = 1/2: u_n = -3/2, r - P(r - u) = 1/2 - 2 = -3/2; over |r| = 1/2, over |b'| = 2
  const double half[3] = {0.5, 0, 0};
  EXPECT_DOUBLE_EQ(residual(p, p.islands[0], half, v).natural_map_scaled, 3);
  EXPECT_DOUBLE_EQ(residual(p, p.islands[0], half, v).natural_map, 0.75);
  // r = 0 is no solution and has no size: infinite in its own measure
  const double none[3] = {0, 0, 0};
  EXPECT_EQ(residual(p, p.islands[0], none, v).natural_map_scaled, std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(residual(p, p.islands[0], none, v).natural_map, 1);
}

TEST(Residual, ScaledByMassKnowsNoUnits) {
  Random random(2);
  const FrictionProblem p = test::random_problem(random, {.blocks = 3, .contacts = 6});
  std::vector<double> r(18), v(18), r2(18), v2(18);
  for (double& x : r) x = random.unit();
  FrictionProblem heavy = p;  // masses times 1000, speeds times 1/10
  for (double& a : heavy.A) a *= 1000;
  for (double& a : heavy.A_inverse) a /= 1000;
  for (double& x : heavy.v_free) x /= 10;
  for (std::size_t k = 0; k < r.size(); ++k) r2[k] = 100 * r[k];
  const double a = residual(p, p.islands[0], r.data(), v.data()).natural_map_scaled;
  const double b = residual(heavy, heavy.islands[0], r2.data(), v2.data()).natural_map_scaled;
  EXPECT_GT(a, 0.01);
  EXPECT_NEAR(a, b, 1e-13 * a);
}

// An open contact with a slip beside which its normal velocity is round-off (seen in a pile of spheres).
TEST(Residual, AnOpenContactIsSolvedHoweverSlowlyItOpens) {
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    ContactRows c;
    c.mu = random.between(0.1, 1);
    const double r[3] = {0, 0, 0};
    const double u[3] = {random.between(0, 1e-17), random.between(-1, 1), random.between(-1, 1)};
    double error[3];
    natural_map_error(c, random.between(0.1, 10), r, u, error);
    for (const double e : error) EXPECT_EQ(e, 0);
  }
}

TEST(Residual, EqualityRowsWantNoNormalVelocityAndNoFriction) {
  ContactRows c;
  c.kind = RowKind::equality;
  const double r[3] = {-3, 0.25, 0.5}, u[3] = {0.5, 7, 8};
  double e[3];
  natural_map_error(c, 2, r, u, e);
  EXPECT_DOUBLE_EQ(e[0], 0.25);  // u_n / w
  EXPECT_DOUBLE_EQ(e[1], 0.25);
  EXPECT_DOUBLE_EQ(e[2], 0.5);
}

TEST(Problem, LocalVelocityAndImpulsesAreAdjoint) {
  // r.(G v) = (G^T r).v: power is the same on both sides
  Random random(3);
  const FrictionProblem p = test::random_problem(random, {.blocks = 4, .contacts = 9});
  std::vector<double> r(27), v(24);
  for (double& x : r) x = random.between(-1, 1);
  velocities_from(p, p.islands[0], r.data(), v.data());
  double power = 0, other = 0;
  std::vector<double> x(24);
  for (double& e : x) e = random.between(-1, 1);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    double u[3];
    local_velocity(p, p.contacts[i], x.data(), u);
    for (int k = 0; k < 3; ++k) power += r[3 * i + std::size_t(k)] * (u[k] - p.contacts[i].b[k]);
  }
  for (int block = 0; block < 4; ++block)
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < 6; ++k)
        other += x[std::size_t(6 * block + i)] * p.A[std::size_t(36 * block + 6 * i + k)] *
                 (v[std::size_t(6 * block + k)] - p.v_free[std::size_t(6 * block + k)]);
  EXPECT_NEAR(power, other, 1e-13 * (1 + std::fabs(power)));
}

TEST(Problem, MeanDiagonalIsThatOfW) {
  // a point of 1 kg: W = I; a body of 2 kg with arm (0, 0, -1) and inertia 1: W = diag(1/2, 3/2, 3/2)
  FrictionProblem p = point_on_floor({}, 0.3);
  EXPECT_DOUBLE_EQ(mean_diagonal(p, p.contacts[0]), 1);
  FrictionProblem q;
  test::add_block(q, 2, {1, 1, 1}, {}, {});
  q.contacts.push_back(test::contact_between(-1, {}, 0, {0, 0, -1}, {0, 0, 1}, 0.3));
  EXPECT_DOUBLE_EQ(mean_diagonal(q, q.contacts[0]), (0.5 + 1.5 + 1.5) / 3);
}

TEST(Problem, ValidateNamesEveryMistake) {
  Random random(4);
  FrictionProblem p = test::random_problem(random, {.blocks = 3, .contacts = 5});
  EXPECT_TRUE(validate(p).empty());
  p.contacts[1].mu = -0.1;
  p.contacts[2].block[1] = 3;
  p.contacts[3].b[2] = std::nan("");
  p.contacts[4].block[0] = p.contacts[4].block[1];
  const std::vector<std::string> wrong = validate(p);
  ASSERT_EQ(wrong.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(wrong[i].rfind("contact " + std::to_string(i + 1) + ":", 0), 0u) << wrong[i];
  FrictionProblem q = test::random_problem(random, {.blocks = 3, .contacts = 5});
  q.A.pop_back();
  q.v_free[4] = INFINITY;
  q.contacts[2].G[0][7] = q.contacts[2].G[1][7] = std::nan("");
  const std::vector<std::string> more = validate(q);
  ASSERT_GE(more.size(), 3u);
  EXPECT_EQ(more[0], "A: has 107 entries, needs 108");
  EXPECT_EQ(more[1], "v_free[4] must be finite");
  EXPECT_EQ(more[2], "contact 2: G must be finite");
}

}  // namespace
}  // namespace stiction::complementarity
