// Islands as boxed LCPs with polyhedral cones: the same numbers as the matrices of Stewart and Trinkle, the
// polygon's friction between that of the disc and cos(pi/k) of it, joints' rows in the same problem, units
// that drop out.
#include "stiction/complementarity/polyhedral.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/complementarity/linear/contact_lcp.h"
#include "stiction/complementarity/linear/natural_residual.h"
#include "stiction/complementarity/residual.h"
#include "support/friction_problem.h"

namespace stiction::complementarity {
namespace {

PolyhedralReport solved(const FrictionProblem& p, std::vector<double>& r, int directions = 8,
                        int threads = 1) {
  Team team(threads);
  std::vector<PolyhedralMemory> memory;
  r.assign(3 * p.contacts.size(), 0);
  return solve_polyhedral(p, {.directions = directions}, team, memory, r);
}
std::vector<double> velocity_of(const FrictionProblem& p, const std::vector<double>& r) {
  std::vector<double> v(p.v_free.size());
  for (const Island& island : p.islands) velocities_from(p, island, r.data(), v.data());
  return v;
}

/// A block on the ground that slides with (vx, vy) and falls with vz.
FrictionProblem sliding_block(double mu, double vx, double vy, double vz = -1, double mass = 2) {
  FrictionProblem p;
  test::add_block(p, mass, {0.1, 0.1, 0.1}, {vx, vy, vz}, {});
  p.contacts.push_back(test::contact_between(-1, {}, 0, {}, {0, 0, 1}, mu));
  test::close_island(p);
  return p;
}

/// The problem as the plain arrays of contact_lcp.h, whose directions are those of the rows.
PolyhedralContacts plain(const FrictionProblem& p, int k) {
  PolyhedralContacts out;
  const auto n = p.v_free.size();
  out.coordinates = int(n), out.contacts = int(p.contacts.size()), out.directions = k;
  out.inverse_mass.assign(n * n, 0), out.v_free = p.v_free;
  for (std::size_t b = 0; b < n / 6; ++b)
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        out.inverse_mass[(6 * b + i) * n + 6 * b + j] = p.A_inverse[36 * b + 6 * i + j];
  const auto row = [&](const ContactRows& c, double a, double b1, double b2) {
    std::vector<double> g(n, 0);
    for (int side = 0; side < 2; ++side)
      for (int k6 = 0; c.block[side] >= 0 && k6 < 6; ++k6)
        g[std::size_t(6 * c.block[side] + k6)] =
            a * c.G[side][k6] + b1 * c.G[side][6 + k6] + b2 * c.G[side][12 + k6];
    return g;
  };
  for (const ContactRows& c : p.contacts) {
    const std::vector<double> g = row(c, 1, 0, 0);
    out.normals.insert(out.normals.end(), g.begin(), g.end());
    for (const auto& d : direction_fan(k)) {
      const std::vector<double> t = row(c, 0, d.first, d.second);
      out.tangents.insert(out.tangents.end(), t.begin(), t.end());
    }
    out.friction.push_back(c.mu), out.bias.push_back(c.b[0]);
  }
  return out;
}

// Random blocks: both ways to write the problem have the same velocities (impulses need not be unique).
TEST(Polyhedral, AgreesWithThePlainMatrices) {
  test::Random random(7);
  for (int i = 0; i < 40; ++i) {
    const FrictionProblem p = test::random_problem(random, {.blocks = 3, .contacts = 4, .gaps = i % 2 == 0});
    for (const int k : {4, 8}) {
      std::vector<double> r, z;
      const PolyhedralReport report = solved(p, r, k);
      ASSERT_TRUE(report.converged) << i;
      const PolyhedralContacts other = plain(p, k);
      ASSERT_EQ(lemke(stewart_trinkle_lcp(other), {}, z).status, LinearStatus::solved);
      const std::vector<double> v = velocity_of(p, r), w = velocity_after(other, z);
      for (std::size_t c = 0; c < v.size(); ++c) EXPECT_NEAR(v[c], w[c], 1e-9) << i;  // two orders of pivots
    }
  }
}

// A block that slides far: friction is mu r_n along a corner of the polygon, mu cos(pi/k) r_n between two.
TEST(Polyhedral, FrictionIsThatOfThePolygon) {
  for (const int k : {4, 8, 16}) {
    std::vector<double> r;
    ASSERT_TRUE(solved(sliding_block(0.5, 10, 0), r, k).converged);
    EXPECT_NEAR(r[0], 2, 1e-12);
    EXPECT_NEAR(std::hypot(r[1], r[2]), 1, 1e-12);
    const double half = std::acos(-1.0) / k;
    ASSERT_TRUE(solved(sliding_block(0.5, 10 * std::cos(half), 10 * std::sin(half)), r, k).converged);
    EXPECT_LE(std::hypot(r[1], r[2]), 1 + 1e-12);
    EXPECT_GE(std::hypot(r[1], r[2]), std::cos(half) - 1e-12);
  }
}

// Where all sticks, polygon and disc agree; more unknowns than large_unknowns take the way over round cones.
TEST(Polyhedral, SticksAsRoundConesDo) {
  for (const int blocks : {1, 30}) {
    FrictionProblem p;
    for (int i = 0; i < blocks; ++i) {
      test::add_block(p, 1 + 0.1 * i, {0.1, 0.1, 0.1}, {0.01, 0.02, -1}, {});
      p.contacts.push_back(test::contact_between(i - 1, {0, 0, 0.1}, i, {0, 0, -0.1}, {0, 0, 1}, 0.5));
    }
    test::close_island(p);
    std::vector<double> r;
    const PolyhedralReport report = solved(p, r);
    ASSERT_TRUE(report.converged) << blocks;
    EXPECT_EQ(report.unknowns, 10 * blocks);
    EXPECT_EQ(report.pivots == 0, report.unknowns > large_unknowns);
    std::vector<double> v(p.v_free.size());
    EXPECT_LT(residual(p, p.islands[0], r.data(), v.data()).natural_map_scaled, 1e-9);
  }
}

// A slider on the ground that an equality holds along x and a motor of at most 0.3 N s drives along y to 1
// m/s: one problem, with the answers that each row has by itself.
TEST(Polyhedral, HoldsEqualitiesAndBoxes) {
  FrictionProblem p = sliding_block(0, 0.7, 0.2);
  ContactRows hold = p.contacts[0], motor = p.contacts[0];
  for (ContactRows* rows : {&hold, &motor}) std::fill(rows->G[1], rows->G[1] + 18, 0.0);
  hold.kind = RowKind::equality, hold.G[1][0] = 1;
  motor.kind = RowKind::box, motor.G[1][1] = 1, motor.b[0] = -1, motor.low = -0.3, motor.high = 0.3;
  p.contacts.push_back(hold), p.contacts.push_back(motor);
  p.islands[0].contact_end = 3;
  std::vector<double> r;
  const PolyhedralReport report = solved(p, r);
  ASSERT_TRUE(report.converged);
  EXPECT_EQ(report.unknowns, 3);  // without friction a contact has one
  const std::vector<double> v = velocity_of(p, r);
  EXPECT_NEAR(v[0], 0, 1e-13);
  EXPECT_NEAR(r[3], -1.4, 1e-13);
  EXPECT_DOUBLE_EQ(r[6], 0.3);  // at its limit: 2 kg from 0.2 to 1 m/s would take 1.6
  EXPECT_NEAR(v[1], 0.35, 1e-13);
  EXPECT_NEAR(v[2], 0, 1e-13);
}

// A contact whose second tangential row moves nothing has two directions.
TEST(Polyhedral, PlanesHaveTwoDirections) {
  FrictionProblem p = sliding_block(0.5, 3, 0);
  std::fill(p.contacts[0].G[1] + 12, p.contacts[0].G[1] + 18, 0.0);
  std::vector<double> r;
  EXPECT_EQ(solved(p, r).unknowns, 4);
  EXPECT_NEAR(r[1] * r[1], 1, 1e-12);
  EXPECT_EQ(r[2], 0);
}

// Kilograms or tonnes, metres or micrometres: the scaled problem has the same bits where units are powers
// of 2.
TEST(Polyhedral, UnitsDropOut) {
  test::Random random(11);
  const FrictionProblem p = test::random_problem(random, {.blocks = 3, .contacts = 6});
  FrictionProblem q = p;
  for (double& a : q.A) a *= 1024;
  for (double& a : q.A_inverse) a /= 1024;
  for (double& v : q.v_free) v /= 4096;
  for (ContactRows& c : q.contacts)
    for (double& b : c.b) b /= 4096;
  std::vector<double> r, s;
  EXPECT_EQ(solved(p, r).residual, solved(q, s).residual);
  for (std::size_t i = 0; i < r.size(); ++i) EXPECT_EQ(r[i] * 0.25, s[i]);
}

TEST(Polyhedral, SameBitsForAnyNumberOfThreads) {
  test::Random random(3);
  FrictionProblem p;
  for (int i = 0; i < 6; ++i) test::add_random_island(random, {.blocks = 2, .contacts = 4}, p);
  std::vector<double> one, two;
  EXPECT_TRUE(solved(p, one).converged);
  solved(p, two, 8, 2);
  EXPECT_EQ(one, two);
}

TEST(Polyhedral, RefusesWhatIsTooLarge) {
  FrictionProblem p;
  test::add_block(p, 1, {0.1, 0.1, 0.1}, {1, 0, -1}, {});
  for (int i = 0; i < most_unknowns / 10 + 1; ++i)
    p.contacts.push_back(test::contact_between(-1, {}, 0, {1e-4 * i, 0, 0}, {0, 0, 1}, 0.5));
  test::close_island(p);
  std::vector<double> r;
  const PolyhedralReport report = solved(p, r);
  EXPECT_TRUE(report.too_large);
  EXPECT_FALSE(report.converged);
}

}  // namespace
}  // namespace stiction::complementarity
