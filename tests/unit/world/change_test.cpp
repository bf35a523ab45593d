// Other numbers while a world runs, and hands in it.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/world/grip.h"
#include "stiction/world/world.h"

namespace stiction::test {
namespace {

constexpr double books = 1e-12;  // [-] published imbalance of the ledger

Scene box_on_floor(double friction) {
  Scene s{.gravity = {0, 0, -10}};
  s.add_surface("s", {.friction = friction});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "s"});
  s.add_body(
      "box",
      {.shape = Box{{.2, .2, .2}}, .mass = 2, .position = {0, 0, .1}, .velocity = {3, 0, 0}, .surface = "s"});
  return s;
}

TEST(Change, FrictionFromTheNextStepOn) {
  World world = build(box_on_floor(0), {.step = 0.01}).or_exit();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.step().converged);
  const BodyId box = world.body("box");
  EXPECT_NEAR(world.velocity(box).x, 3, 1e-9);
  ASSERT_TRUE(world.change(box_on_floor(0.5), {.step = 0.01}));
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(world.step().converged);
  EXPECT_NEAR(world.velocity(box).x, 3 - 0.5 * 10 * 0.2, 1e-7);  // v - mu g t
  EXPECT_LE(world.ledger().relative_imbalance(), books);
}

TEST(Change, GravityIsBookedAsAnEdit) {
  Scene s = box_on_floor(0.5);
  s.bodies[1].value.position.z = 4;
  World world = build(s, {.step = 0.01}).or_exit();
  for (int i = 0; i < 50; ++i) world.step();
  const double fallen = 4 - world.position(world.body("box")).z;
  s.gravity = {0, 0, -1};
  ASSERT_TRUE(world.change(s, {.step = 0.02}));
  EXPECT_NEAR(world.ledger().booked(Cause::edit), 2 * 9 * fallen, 1e-9);  // m dg times the way down
  const double time = world.time();
  world.step();
  EXPECT_NEAR(world.time(), time + 0.02, 1e-12);
  EXPECT_LE(world.ledger().relative_imbalance(), books);
}

TEST(Change, OtherBodiesAndWrongSettingsAreRefused) {
  World world = build(box_on_floor(0.5), {.step = 0.01}).or_exit();
  const auto before = world.hash();
  Scene more = box_on_floor(0.5);
  more.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .position = {1, 0, 1}});
  EXPECT_FALSE(world.change(more, {.step = 0.01}));
  EXPECT_FALSE(world.change(box_on_floor(0.5), {.step = -1}));
  EXPECT_FALSE(world.change(box_on_floor(0.5), {.step = 0.01, .method = Method::rk4}));  // bodies can touch
  EXPECT_EQ(world.hash(), before);
}

TEST(Grip, DrawsAPointToItsTargetWithABoundedForce) {
  Scene s;
  const BodyId box = s.add_body("box", {.shape = Box{{.2, .2, .2}}, .mass = 2});
  World world = build(s, {.step = 0.01}).or_exit();
  Grip grip = grip_of(world, box, {.1, .1, .1});  // a corner
  grip.target = {1, 2, 3};
  apply(grip, world);
  world.step();
  EXPECT_NEAR(norm(world.velocity(box)), 50 * 0.01, 1e-12);  // the bound: 50 m/s^2
  for (int i = 0; i < 1000; ++i) apply(grip, world), world.step();
  // what is left turns about the corner with w: the spring holds m w^2 r, so err = w^2 r / (8 rad/s)^2
  const Vec3 arm = rotate(world.orientation(box), grip.point);
  const double spin = norm(world.spin(box)), left = norm(world.position(box) + arm - grip.target);
  EXPECT_LT(left, 1.1 * spin * spin * norm(arm) / 64 + 1e-6);
  EXPECT_LT(left, 0.02);
  EXPECT_NEAR(world.ledger().booked(Cause::input) + world.ledger().booked(Cause::numerics),
              world.ledger().now().kinetic, 1e-9);
  EXPECT_NE(world.ledger().booked(Cause::input), 0);
  EXPECT_LE(world.ledger().relative_imbalance(), books);
}

TEST(Push, FallsOffWithTheDistanceFromTheLine) {
  Scene s;
  for (const double x : {0.5, 0.9, 1.5})
    s.add_body("b" + std::to_string(int(10 * x)), {.shape = Sphere{0.1}, .mass = 3, .position = {x, 0, 7}});
  World world = build(s, {.step = 0.01}).or_exit();
  apply(Push{.origin = {0, 0, 100}, .direction = {0, 0, -5}, .radius = 1, .strength = 40}, world);
  world.step();
  EXPECT_NEAR(world.velocity(world.body("b5")).x, 40 * 0.5 * 0.01, 1e-12);
  EXPECT_NEAR(world.velocity(world.body("b9")).x, 40 * 0.1 * 0.01, 1e-12);
  EXPECT_EQ(world.velocity(world.body("b15")).x, 0);
}

}  // namespace
}  // namespace stiction::test
