// Impulses that hold what could also slide.
#include "stiction/complementarity/hold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stiction::complementarity {
namespace {

constexpr double mu = 0.5;

/// A body of 1 kg and 1 kg m^2 between two plates that press on it along y with `squeeze` [N s], each at two
/// points, x = -1 and 1, and that is pulled down by `pull` [N s]. The plates are blocks of their own that
/// move along y alone.
FrictionProblem pinched(double squeeze, double pull) {
  FrictionProblem p;
  for (int block = 0; block < 3; ++block) {
    for (int i = 0; i < 36; ++i) {
      p.A.push_back(i % 7 == 0 ? 1.0 : 0.0);
      p.A_inverse.push_back(i % 7 == 0 ? 1.0 : 0.0);
    }
    for (int i = 0; i < 6; ++i) p.v_free.push_back(0);
  }
  p.v_free[2] = -pull, p.v_free[6 + 1] = squeeze, p.v_free[12 + 1] = -squeeze;
  for (const int plate : {1, 2})
    for (const double x : {-1.0, 1.0}) {
      const double side = plate == 1 ? 1 : -1;  // the normal, from the plate to the body, is side y
      ContactRows c;
      c.block[0] = plate, c.block[1] = 0, c.mu = mu;
      c.G[0][1] = -side;  // the plate: along y only
      // the body at (x, -side, 0): rows n = side y, z, x; linear, then arm cross row
      double* g = c.G[1];
      g[1] = side, g[5] = x * side;
      g[width + 2] = 1, g[width + 3] = -side, g[width + 4] = -x;
      g[2 * width + 0] = 1, g[2 * width + 5] = side;
      p.contacts.push_back(c);
    }
  p.islands.push_back({0, 3, 0, 4});
  return p;
}

double speed(const FrictionProblem& p, const std::vector<double>& r) {
  std::vector<double> v(p.v_free.size());
  velocities_from(p, p.islands[0], r.data(), v.data());
  double worst = 0;
  for (int i = 0; i < 6; ++i) worst = std::fmax(worst, std::fabs(v[std::size_t(i)]));
  return worst;
}

/// All pressure at one end: friction carries as much in all, and the body turns.
std::vector<double> uneven(double squeeze) {
  std::vector<double> r(12, 0.0);
  r[0] = r[6] = squeeze;
  r[1] = r[7] = mu * squeeze;
  return r;
}

TEST(Hold, SharesTheLoadSoThatNothingMoves) {
  const double squeeze = 1;
  for (const double part : {0.2, 0.99, 0.999}) {
    const FrictionProblem p = pinched(squeeze, part * 2 * mu * squeeze);
    ASSERT_TRUE(validate(p).empty());
    std::vector<double> r = uneven(squeeze);
    EXPECT_GT(speed(p, r), 0.01);
    SolverMemory memory;
    EXPECT_TRUE(hold(p, p.islands[0], {.tolerance = 1e-10}, 1e-9, r.data(), memory)) << part;
    EXPECT_LT(speed(p, r), 1e-9) << part;
    for (int i = 0; i < 4; ++i)
      EXPECT_LE(std::hypot(r[std::size_t(3 * i + 1)], r[std::size_t(3 * i + 2)]),
                (1 + 1e-9) * mu * r[std::size_t(3 * i)]);
  }
}

TEST(Hold, LeavesAloneWhatNothingHolds) {
  const double squeeze = 1;
  const FrictionProblem p = pinched(squeeze, 1.001 * 2 * mu * squeeze);
  std::vector<double> r = uneven(squeeze);
  const std::vector<double> before = r;
  SolverMemory memory;
  EXPECT_FALSE(hold(p, p.islands[0], {.tolerance = 1e-10}, 1e-9, r.data(), memory));
  EXPECT_EQ(r, before);
}

// Plates that do not move could press as hard as they like; nothing makes them.
TEST(Hold, MakesNoPressureOfItsOwn) {
  FrictionProblem p = pinched(0, 1);
  for (ContactRows& c : p.contacts) {
    c.block[0] = -1;
    for (double& g : c.G[0]) g = 0;
  }
  p.contacts[0].b[0] = -1e-3, p.contacts[1].b[0] = -1e-3;  // one plate comes nearer a little
  p.contacts[2].b[0] = p.contacts[3].b[0] = 1e-3;
  std::vector<double> r(12, 0.0);
  SolverMemory memory;
  ASSERT_TRUE(solve_island(p, p.islands[0], {.tolerance = 1e-10}, r.data(), memory).converged);
  const std::vector<double> before = r;
  EXPECT_FALSE(hold(p, p.islands[0], {.tolerance = 1e-10}, 1e-9, r.data(), memory));
  EXPECT_EQ(r, before);
}

}  // namespace
}  // namespace stiction::complementarity
