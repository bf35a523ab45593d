// One impact allocates nothing, in the plane and in space.
#include <gtest/gtest.h>

#include <array>

#include "stiction/impact/generalised.h"
#include "stiction/impact/superball.h"
#include "unit/dynamics/allocation_count.h"

namespace stiction::impact {
namespace {

TEST(Allocation, NoneForOneContact) {
  const std::array<double, 4> M{2, 0.5, 0.5, 1};
  const std::array<double, 2> normal{0, 1}, tangent{1, 0.2}, u{0.3, -1};
  std::array<double, 2> after{};
  std::array<double, scratch_of(2)> room{};
  const Mat3 W{{{1, 0.3, 0.2}, {0.3, 1.5, 0.4}, {0.2, 0.4, 2}}};
  const SpatialImpact in{W, {-1, 0.5, 0.7}, {0.5, 0.4, 0.3}};
  const long before = test::allocation_count();
  const Outcome planar = solve(PlanarContact{M, normal, tangent, u}, in.coefficients, after, room);
  const Outcome spatial = solve(in);
  const SuperballOutcome ball = solve_superball(in, 0.5);
  const long allocated = test::allocation_count() - before;
  EXPECT_EQ(allocated, 0);
  EXPECT_EQ(planar.status, Status::done);
  EXPECT_EQ(spatial.status, Status::done);
  EXPECT_GT(spatial.steps, 0);
  EXPECT_EQ(ball.impact.status, Status::done);
}

}  // namespace
}  // namespace stiction::impact
