// One contact, judged by Coulomb's law itself: r in the cone, u_n >= 0, r_n u_n = 0, and either no slip or
// friction on the cone against the slip.
#include "stiction/complementarity/local_solver.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace stiction::complementarity {
namespace {

using test::Random;

struct Contact {
  double W[9], b[3], mu;
};

/// [-] how far r is from fulfilling the law, relative to |b| and the r it takes.
double violation(const Contact& c, const double r[3], LocalCase found) {
  double u[3], scale_u = 0;
  for (int i = 0; i < 3; ++i) {
    u[i] = c.b[i];
    for (int k = 0; k < 3; ++k) u[i] += c.W[3 * i + k] * r[k];
    scale_u = std::fmax(scale_u, std::fabs(c.b[i]));
  }
  const double scale_r = scale_u / c.W[0];
  const double r_t = std::hypot(r[1], r[2]), u_t = std::hypot(u[1], u[2]);
  double worst = std::fmax(0.0, -r[0]) / scale_r;
  worst = std::fmax(worst, std::fmax(0.0, r_t - c.mu * r[0]) / scale_r);
  worst = std::fmax(worst, std::fmax(0.0, -u[0]) / scale_u);
  worst = std::fmax(worst, std::fabs(r[0] * u[0]) / (scale_r * scale_u));
  switch (found) {
    case LocalCase::open:
      worst = std::fmax(worst, r[0] + r_t);
      break;
    case LocalCase::sticking:
      worst = std::fmax(worst, u_t / scale_u);
      break;
    case LocalCase::sliding:
      worst = std::fmax(worst, std::fabs(r_t - c.mu * r[0]) / scale_r);
      worst = std::fmax(worst, std::fabs(r[1] * u[2] - r[2] * u[1]) / (scale_r * scale_u));  // parallel
      worst =
          std::fmax(worst, std::fmax(0.0, r[1] * u[1] + r[2] * u[2]) / (scale_r * scale_u));  // and opposed
      break;
  }
  return worst;
}

/// W = B B^T + a little: symmetric positive definite, with normal-tangential coupling of any strength.
Contact random_contact(Random& random) {
  Contact c;
  double B[9];
  for (double& x : B) x = random.between(-1, 1);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      c.W[3 * i + k] = i == k ? 0.02 : 0;
      for (int j = 0; j < 3; ++j) c.W[3 * i + k] += B[3 * i + j] * B[3 * k + j];
    }
  for (double& x : c.b) x = random.between(-1, 1);
  c.mu = random.between(0, 1.5);
  return c;
}

TEST(LocalSolver, FulfilsTheLawOnRandomContacts) {
  Random random(1);
  int count[3] = {0, 0, 0};
  for (int i = 0; i < 20000; ++i) {
    const Contact c = random_contact(random);
    double r[3];
    const LocalCase found = solve_one_contact(c.W, c.b, c.mu, r);
    ++count[int(found)];
    // round-off, grown by the condition of W: at most 3 / 0.02 = 150, twice
    ASSERT_LT(violation(c, r, found), 1e-11) << "contact " << i << ", case " << int(found);
  }
  for (const int n : count) EXPECT_GT(n, 1000);  // all three cases were met
}

// W = w I: the projection of -b / w on the cone along the law's own lines, in closed form.
TEST(LocalSolver, IsotropicContactInClosedForm) {
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const double w = random.between(0.1, 10), mu = random.between(0, 1),
                 b[3] = {-random.unit(), random.between(-1, 1), random.between(-1, 1)};
    const double W[9] = {w, 0, 0, 0, w, 0, 0, 0, w};
    double r[3];
    solve_one_contact(W, b, mu, r);
    const double n = -b[0] / w, t = std::hypot(b[1], b[2]) / w, cut = std::fmin(1.0, mu * n / t);
    EXPECT_NEAR(r[0], n, 1e-14 * n);
    EXPECT_NEAR(r[1], -cut * b[1] / w, 1e-13 / w);
    EXPECT_NEAR(r[2], -cut * b[2] / w, 1e-13 / w);
  }
}

// Sliding contacts by brute force: of all impulses on the cone with u_n = 0, the one whose slip opposes it.
TEST(LocalSolver, AgreesWithAScanOverAllDirections) {
  Random random(3);
  int compared = 0;
  for (int i = 0; i < 200; ++i) {
    Contact c = random_contact(random);
    c.mu = random.between(0.05, 0.4);
    double r[3];
    if (solve_one_contact(c.W, c.b, c.mu, r) != LocalCase::sliding) continue;
    double best = 1e9, nearest = 1e9;
    for (int k = 0; k < 20000; ++k) {
      const double angle = 2 * 3.14159265358979 * k / 20000, d[2] = {std::cos(angle), std::sin(angle)};
      const double along = c.W[0] + c.mu * (c.W[1] * d[0] + c.W[2] * d[1]);
      if (!(along > 0)) continue;
      const double n = -c.b[0] / along;
      double u[2];
      for (int row = 0; row < 2; ++row)
        u[row] = c.b[1 + row] + c.W[3 * (row + 1)] * n +
                 c.mu * n * (c.W[3 * (row + 1) + 1] * d[0] + c.W[3 * (row + 1) + 2] * d[1]);
      if (u[0] * d[0] + u[1] * d[1] > 0) continue;
      const double across = std::fabs(u[0] * d[1] - u[1] * d[0]);
      const double distance =
          std::hypot(r[0] - n, std::hypot(r[1] - c.mu * n * d[0], r[2] - c.mu * n * d[1]));
      if (across < best) best = across;
      nearest = std::fmin(nearest, distance / n);
    }
    ASSERT_LT(best, 1e-2);  // the scan finds a solution, to the width of its steps
    ASSERT_LT(nearest,
              1e-3);  // and ours is on the scanned curve: mu * pi / 20000 apart at most, with coupling
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST(LocalSolver, WithoutFrictionThereIsNone) {
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    Contact c = random_contact(random);
    c.mu = 0;
    double r[3];
    const LocalCase found = solve_one_contact(c.W, c.b, c.mu, r);
    EXPECT_EQ(r[1], 0);
    EXPECT_EQ(r[2], 0);
    if (c.b[0] < 0) {
      EXPECT_NEAR(r[0], -c.b[0] / c.W[0], 1e-14 * r[0]);
    } else {
      EXPECT_EQ(found, LocalCase::open);
    }
  }
}

// A body in a plane does not move across it: W has no row in that direction, and neither has b.
TEST(LocalSolver, ADirectionThatNothingMovesInGetsNoImpulse) {
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const double angle = random.between(0, 6), d[2] = {std::cos(angle), std::sin(angle)};
    const double nn = random.between(0.5, 2), nt = random.between(-0.4, 0.4), tt = random.between(0.5, 2);
    Contact c;
    const double W[9] = {nn,        nt * d[0],        nt * d[1],
                         nt * d[0], tt * d[0] * d[0], tt * d[0] * d[1],
                         nt * d[1], tt * d[0] * d[1], tt * d[1] * d[1]};
    std::copy(W, W + 9, c.W);
    const double slip = random.between(-1, 1);
    c.b[0] = -random.unit(), c.b[1] = slip * d[0], c.b[2] = slip * d[1];
    c.mu = random.between(0, 1);
    double r[3];
    const LocalCase found = solve_one_contact(c.W, c.b, c.mu, r);
    EXPECT_NEAR(r[1] * d[1] - r[2] * d[0], 0, 1e-12);
    EXPECT_LT(violation(c, r, found), 1e-11) << "contact " << i;
  }
}

TEST(LocalSolver, PartsWhenNothingPresses) {
  const double W[9] = {1, 0.3, 0, 0.3, 2, 0, 0, 0, 2};
  for (const double normal : {0.0, 1e-300, 1.0}) {
    const double b[3] = {normal, 3, -4};
    double r[3] = {9, 9, 9};
    EXPECT_EQ(solve_one_contact(W, b, 0.5, r), LocalCase::open);
    EXPECT_EQ(r[0], 0);
    EXPECT_EQ(r[1], 0);
    EXPECT_EQ(r[2], 0);
  }
}

// Masses of 1e-12 to 1e12 kg: the law has no scale of its own.
TEST(LocalSolver, KnowsNoUnits) {
  Random random(6);
  for (int i = 0; i < 500; ++i) {
    Contact c = random_contact(random);
    const double mass = std::pow(10, random.between(-12, 12)), speed = std::pow(10, random.between(-9, 9));
    double plain[3], scaled[3];
    const LocalCase expected = solve_one_contact(c.W, c.b, c.mu, plain);
    Contact s = c;
    for (double& x : s.W) x /= mass;
    for (double& x : s.b) x *= speed;
    EXPECT_EQ(solve_one_contact(s.W, s.b, s.mu, scaled), expected);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(scaled[k] / (mass * speed), plain[k], 1e-9 * (1 + std::fabs(plain[k])));
  }
}

}  // namespace
}  // namespace stiction::complementarity
