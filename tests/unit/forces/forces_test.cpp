// Springs, drags and wrenches: the impulses they give over a step, and their energy.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/random.h"
#include "unit/forces/fixture.h"

namespace stiction::forces {
namespace {

constexpr double round_off = 1e-15;  // numbers near 1, a few operations each

Scene two_bodies(const SpringDamper& spring) {
  Scene s;
  s.add_body("a", {.shape = Box{{0.2, 0.2, 0.2}},
                   .mass = 1,
                   .position = {0, 0, 0},
                   .velocity = {0.5, 0, 0},
                   .spin = {0, 0, 1}});
  s.add_body("b", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 2, .position = {3, 4, 0}, .velocity = {-1, 2, 3}});
  s.add_force("spring", spring);
  return s;
}

TEST(Spring, PullsAlongItsLineWithStiffnessTimesStretch) {
  const Fixture f(two_bodies({.a = "a", .b = "b", .stiffness = 10, .rest_length = 2}));
  const auto out = f.impulses();
  ASSERT_EQ(out.size(), 2u);
  // length 5, stretch 3: 30 N along (0.6, 0.8, 0)
  const Vec3 pull = (30 * h) * Vec3{0.6, 0.8, 0};
  for (const AppliedImpulse& a : out) {
    EXPECT_EQ(a.cause, Cause::spring);
    EXPECT_LT(norm(a.linear - (a.body == 0 ? pull : -pull)), round_off * 4);
    EXPECT_EQ(a.angular, Vec3{});
  }
  EXPECT_NEAR(f.potential(), 0.5 * 10 * 9, 1e-13);
}

TEST(Spring, DampsTheRateOfItsLength) {
  const Fixture f(two_bodies({.a = "a", .b = "b", .damping = 5}));
  const auto out = f.impulses();
  ASSERT_EQ(out.size(), 2u);
  const double rate = 0.6 * (-1.5) + 0.8 * 2;  // e.(v_b - v_a)
  EXPECT_EQ(out[0].cause, Cause::damping);
  EXPECT_EQ(out[0].body, 1);
  EXPECT_LT(norm(out[0].linear + (5 * rate * h) * Vec3{0.6, 0.8, 0}), round_off);
  EXPECT_EQ(f.potential(), 0);
}

// Action and reaction: momentum and angular momentum of the pair do not change, whatever the points.
TEST(Spring, ConservesMomentumAndAngularMomentum) {
  test::Random random(1);
  for (int i = 0; i < 100; ++i) {
    Scene s = two_bodies({.a = "a",
                          .b = "b",
                          .point_a = random.vector(0.3),
                          .point_b = random.vector(0.3),
                          .stiffness = 20,
                          .damping = 3,
                          .rest_length = 1});
    for (Named<BodyDescription>& b : s.bodies) {
      b.value.position += random.vector(1), b.value.orientation = random.rotation();
      b.value.velocity = random.vector(1), b.value.spin = random.vector(2);
    }
    const Fixture f(s);
    Vec3 momentum, turning;
    for (const AppliedImpulse& a : f.impulses()) {
      momentum += a.linear;
      turning += cross(f.position[std::size_t(a.body)], a.linear) + a.angular;
    }
    EXPECT_LT(norm(momentum), 1e-14);
    EXPECT_LT(norm(turning), 1e-13);
  }
}

// The force is minus the gradient of the potential, in translation and rotation, by central differences.
TEST(Spring, IsTheGradientOfItsPotential) {
  test::Random random(2);
  Scene s = two_bodies({.a = "a",
                        .b = "b",
                        .point_a = {0.1, 0.2, -0.1},
                        .point_b = {-0.2, 0.1, 0.3},
                        .stiffness = 20,
                        .rest_length = 1});
  s.bodies[0].value.orientation = random.rotation();
  s.bodies[1].value.orientation = random.rotation();
  Fixture f(s);
  const auto out = f.impulses();
  const double d = 1e-6;
  for (const AppliedImpulse& a : out) {
    const auto i = std::size_t(a.body);
    for (int k = 0; k < 3; ++k) {
      Vec3 way;
      way[k] = d;
      const Vec3 x = f.position[i];
      const Quat q = f.orientation[i];
      f.position[i] = x + way;
      const double up = f.potential();
      f.position[i] = x - way;
      EXPECT_NEAR(-(up - f.potential()) / (2 * d), a.linear[k] / h, 1e-6);  // d^2 and round-off / d
      f.position[i] = x;
      f.orientation[i] = cayley(way) * q;
      const double turned = f.potential();
      f.orientation[i] = cayley(-way) * q;
      EXPECT_NEAR(-(turned - f.potential()) / (2 * d), a.angular[k] / h, 1e-6);
      f.orientation[i] = q;
    }
  }
}

TEST(Spring, OfZeroLengthAndOnRemovedBodiesGivesNothing) {
  Scene s;
  s.add_body("b", {.shape = Sphere{0.1}, .mass = 1, .position = {1, 0, 0}});
  s.add_force("spring", SpringDamper{.b = "b", .stiffness = 10, .damping = 1, .rest_length = 0.5});
  Fixture f(s);
  EXPECT_EQ(f.impulses().size(), 2u);
  f.position[0] = {};  // both ends at the origin: no direction
  EXPECT_TRUE(f.impulses().empty());
  EXPECT_NEAR(f.potential(), 0.5 * 10 * 0.25, 1e-15);
  f.alive[0] = 0;
  EXPECT_EQ(f.potential(), 0);
  f.position[0] = {1, 0, 0};
  EXPECT_TRUE(f.impulses().empty());
}

TEST(Drag, BrakesWithLinearAndQuadraticPart) {
  Scene s;
  s.add_body("b", {.shape = Sphere{0.1}, .mass = 1, .velocity = {3, 0, 4}, .spin = {0, 2, 0}});
  s.add_force("air", Drag{.body = "b", .linear = 0.5, .quadratic = 0.1, .angular = 0.3});
  const auto out = Fixture(s).impulses();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].cause, Cause::drag);
  EXPECT_LT(norm(out[0].linear + h * (0.5 + 0.1 * 5) * Vec3{3, 0, 4}), round_off);
  EXPECT_LT(norm(out[0].angular - Vec3{0, -0.6 * h, 0}), round_off);
}

TEST(Drag, WithoutABodyActsOnEveryDynamicOne) {
  Scene s;
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}});
  s.add_body("a", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 5}, .velocity = {1, 0, 0}});
  s.add_body("b", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 9}, .velocity = {0, 1, 0}});
  s.add_force("air", Drag{.linear = 2});
  const auto out = Fixture(s).impulses();
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].body, 1);
  EXPECT_EQ(out[1].body, 2);
}

TEST(Wrench, ActsAtItsPoint) {
  Scene s;
  s.add_body("b",
             {.shape = Box{{1, 1, 1}}, .mass = 1, .orientation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}});
  s.add_force("push", Wrench{.body = "b", .force = {{0, 0, 2}}, .torque = {{1, 0, 0}}, .point = {0.5, 0, 0}});
  const auto out = Fixture(s).impulses();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].cause, Cause::wrench);
  // the point is turned by 90 degrees about z to (0, 0.5, 0): moment (1, 0, 0) besides the torque
  EXPECT_LT(norm(out[0].linear - Vec3{0, 0, 2 * h}), round_off);
  EXPECT_LT(norm(out[0].angular - Vec3{2 * h, 0, 0}), round_off);
}

TEST(Wrench, TablesAreLinearBetweenRowsAndZeroOutside) {
  Scene s;
  s.add_body("b", {.shape = Sphere{0.1}, .mass = 1});
  s.add_force("push", Wrench{.body = "b",
                             .time = {1, 2, 4},
                             .force = {{0, 0, 0}, {2, 0, 0}, {6, 0, 0}},
                             .torque = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}});
  const Fixture f(s);
  const auto force_at = [&](double middle) {  // of the step
    const auto out = f.impulses(middle - h / 2);
    return out.empty() ? 0.0 : out[0].linear.x / h;
  };
  EXPECT_EQ(force_at(0.9), 0);
  EXPECT_NEAR(force_at(1.5), 1, 1e-13);
  EXPECT_NEAR(force_at(2), 2, 1e-13);
  EXPECT_NEAR(force_at(3), 4, 1e-13);
  EXPECT_NEAR(force_at(3.999), 5.998, 1e-12);
  EXPECT_EQ(force_at(4.1), 0);
}

}  // namespace
}  // namespace stiction::forces
