// Velocity rows: motions that roll, steer and slip; the normal row against the height.
#include "stiction/constraints/velocity_rows.h"

#include <gtest/gtest.h>

#include "unit/constraints/fixture.h"

namespace stiction::constraints {
namespace {

double rate(const VelocityRow& row, const Twist& a, const Twist& b) {
  return dot(row.jacobian, a, b) + row.drift;
}

/// The velocity of a body that moves with a: that of a at its place.
Twist carried(const Pose& a, const Twist& va, const Vec3& place) {
  return {va.linear + cross(va.angular, place - a.position), va.angular};
}

TEST(VelocityRows, BallRollsWithoutSlip) {
  test::Random random{1};
  for (int n = 0; n < 50; ++n) {
    const Pose a{random.vector(1), random.rotation()}, b{random.vector(1), random.rotation()};
    const RollingBall ball{{random.vector(1), rotate(random.rotation(), {0, 0, 1})}, {}, 0.4};
    const Vec3 normal = rotate(a.orientation, ball.plane.normal);
    const Twist va{random.vector(1), random.vector(1)};
    // On top of what a does, any spin, and the velocity that belongs to it.
    const Vec3 spin = random.vector(3);
    Twist vb = carried(a, va, b.position);
    vb.linear += cross(spin, ball.radius * normal), vb.angular += spin;
    VelocityRow rows[3];
    rolling_rows(ball, a, b, rows);
    for (const VelocityRow& row : rows) EXPECT_NEAR(rate(row, va, vb), 0, 1e-14);
    // Slip along the plane is what the first two see, and all of it.
    const Vec3 slip = cross(normal, random.vector(1));
    vb.linear += slip;
    EXPECT_NEAR(std::hypot(rate(rows[0], va, vb), rate(rows[1], va, vb)), norm(slip), 1e-14);
    EXPECT_NEAR(rate(rows[2], va, vb), 0, 1e-14);
  }
}

// A disc that rolls in a straight line, upright; and one that leans by 0.5 rad and rolls in a circle: its
// centre moves in a circle of radius R at height r cos(lean), and the lowest point of its rim rests.
TEST(VelocityRows, DiscRollsInALineAndInACircle) {
  const double radius = 0.3;
  const RollingDisc disc{{}, {}, {0, 1, 0}, radius};
  VelocityRow rows[3];
  const Pose upright{{2, 1, radius}, {}};
  rolling_rows(disc, {}, upright, rows);
  for (const VelocityRow& row : rows) EXPECT_NEAR(rate(row, {}, {{radius * 4, 0, 0}, {0, 4, 0}}), 0, 1e-15);
  EXPECT_NEAR(height(disc, {}, upright), 0, 1e-15);

  const double lean = 0.5, R = 1.5, round = 0.7;  // [rad], [m], [rad/s]
  const Pose leaning{{0, R, radius * std::cos(lean)}, exponential({lean, 0, 0})};
  EXPECT_NEAR(height(disc, {}, leaning), 0, 1e-15);
  const Vec3 lowest = touching_point(disc, {}, leaning), arm = lowest - leaning.position;
  EXPECT_NEAR(lowest.y, R + radius * std::sin(lean), 1e-15);
  const Vec3 axis = rotate(leaning.orientation, disc.axis);
  const Vec3 velocity{-round * R, 0, 0};  // of the centre, about the z axis
  // spin = round z + s axis with velocity + spin x arm = 0, all along x.
  const double s = -(velocity.x + cross(round * Vec3{0, 0, 1}, arm).x) / cross(axis, arm).x;
  rolling_rows(disc, {}, leaning, rows);
  for (const VelocityRow& row : rows)
    EXPECT_NEAR(rate(row, {}, {velocity, round * Vec3{0, 0, 1} + s * axis}), 0, 1e-15);
}

TEST(VelocityRows, NormalRowIsTheRateOfTheHeight) {
  test::Random random{2};
  for (int n = 0; n < 50; ++n) {
    const Pose a{random.vector(1), random.rotation()}, b{random.vector(1), random.rotation()};
    const Plane plane{random.vector(1), rotate(random.rotation(), {0, 0, 1})};
    const RollingDisc disc{plane, random.vector(0.5), rotate(random.rotation(), {0, 0, 1}), 0.4};
    const RollingBall ball{plane, random.vector(0.5), 0.4};
    const Vec3 n_world = rotate(a.orientation, plane.normal), u = rotate(b.orientation, disc.axis);
    if (std::fabs(dot(n_world, u)) > 0.95) continue;  // nearly flat: differences lose their digits
    const Twist va{random.vector(1), random.vector(1)}, vb{random.vector(1), random.vector(1)};
    constexpr double h = 1e-5;
    const auto moved = [&](const Pose& p, const Twist& v, double t) {
      return displaced(p, {t * v.linear, t * v.angular});
    };
    const auto check = [&](const auto& body) {
      VelocityRow rows[3];
      rolling_rows(body, a, b, rows);
      const double up = height(body, moved(a, va, h), moved(b, vb, h)),
                   down = height(body, moved(a, va, -h), moved(b, vb, -h));
      EXPECT_NEAR(rate(rows[2], va, vb), (up - down) / (2 * h), 1e-7);
    };
    check(disc), check(ball);
  }
}

TEST(VelocityRows, KnifeEdgeLetsItsPointMoveAlongTheBlade) {
  test::Random random{3};
  const Pose a{random.vector(1), random.rotation()}, b{random.vector(1), random.rotation()};
  const KnifeEdge edge{{0.2, 0.1, -0.3}, {0, 1, 0}};
  const VelocityRow row = velocity_row(edge, a, b);
  const Twist va{random.vector(1), random.vector(1)};
  const Vec3 p = point_of(b, edge.point), ahead = rotate(b.orientation, {1, 0, 0});
  const Vec3 across = rotate(b.orientation, edge.across), spin = random.vector(2);
  // The point goes ahead at 3 m/s against a; b spins about the point.
  Twist vb = carried(a, va, b.position);
  vb.linear += 3.0 * ahead + cross(spin, b.position - p), vb.angular += spin;
  EXPECT_NEAR(rate(row, va, vb), 0, 1e-14);
  vb.linear += 0.4 * across;
  EXPECT_NEAR(rate(row, va, vb), 0.4, 1e-14);
}

TEST(VelocityRows, PfaffianCoefficientsTurnWithTheirBody) {
  test::Random random{4};
  const Pose a{random.vector(1), random.rotation()}, b{random.vector(1), random.rotation()};
  const Twist va{random.vector(1), random.vector(1)}, vb{random.vector(1), random.vector(1)};
  const KnifeEdge edge{{0.2, 0.1, -0.3}, {0, 1, 0}};
  // The same blade on the world, as coefficients in axes of b; and a drift.
  Pfaffian blade{Pfaffian::Axes::b, {{}, {edge.across, cross(edge.point, edge.across)}}, 0.25};
  EXPECT_NEAR(rate(velocity_row(blade, {}, b), {}, vb), rate(velocity_row(edge, {}, b), {}, vb) + 0.25,
              1e-14);
  Pfaffian plain{Pfaffian::Axes::world, {{{1, 0, 0}, {}}, {{0, 2, 0}, {0, 0, 3}}}, -1};
  EXPECT_EQ(rate(velocity_row(plain, a, b), va, vb), va.linear.x + (2 * vb.linear.y + 3 * vb.angular.z) - 1);
  plain.axes = Pfaffian::Axes::a;
  const auto seen = [&](const Vec3& v) { return rotate_back(a.orientation, v); };
  EXPECT_NEAR(rate(velocity_row(plain, a, b), va, vb),
              seen(va.linear).x + 2 * seen(vb.linear).y + 3 * seen(vb.angular).z - 1, 1e-14);
  EXPECT_NEAR(rate(spin_row({0, 0, 1}), va, vb), vb.angular.z - va.angular.z, 1e-16);
}

}  // namespace
}  // namespace stiction::constraints
