// Sleep: bodies whose rest a step proves are left alone, and nothing else changes. docs/step.md says how.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;

RunSettings sleeping(double tolerance = 1e-8) {
  return {.step = 0.01, .tolerance = tolerance, .sleep = true};
}

Scene with_floor() {
  Scene scene;
  scene.gravity = {0, 0, -g};
  scene.add_surface("wood", {.friction = 0.5});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "wood"});
  return scene;
}
/// Cubes of 0.2 m and 1 kg on top of each other.
void add_stack(Scene& scene, const std::string& name, double x, int count) {
  for (int i = 0; i < count; ++i)
    scene.add_body(
        name + std::to_string(i),
        {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 1, .position = {x, 0, 0.1 + 0.2 * i}, .surface = "wood"});
}

void expect_closed(const World& world) {
  EXPECT_LE(world.ledger().relative_imbalance(), 1e-12);
  // impulses of some 10 N s each step: round-off of their sums
  EXPECT_LE(norm(world.ledger().momentum_imbalance()), 1e-10);
  EXPECT_LE(norm(world.ledger().angular_momentum_imbalance()), 1e-10);
}

TEST(Sleep, AStackFallsAsleepAndItsForcesCanStillBeRead) {
  Scene scene = with_floor();
  add_stack(scene, "cube", 0, 5);
  World world = world_of(scene, sleeping());
  StepReport report;
  run(world, 20, [&](const World&, const StepReport& r) { report = r; });
  EXPECT_EQ(report.asleep, 5);
  EXPECT_TRUE(world.is_asleep(world.body("cube4")));
  const Vec3 before = world.position(world.body("cube4"));
  run(world, 100, [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged);
    ASSERT_EQ(r.contacts, 0);  // nothing was solved
    ASSERT_EQ(r.solver_iterations, 0);
    double load = 0;
    for (const Contact& c : w.contacts(w.body("floor"))) load += c.force.z;
    ASSERT_NEAR(load, 5 * g, 5 * g * 2e-8);  // twice the tolerance
  });
  const Vec3 after = world.position(world.body("cube4"));
  EXPECT_TRUE(before.x == after.x && before.y == after.y && before.z == after.z);
  EXPECT_TRUE(world.contact_events().empty());
  expect_closed(world);
}

// A ball is thrown at a cube that sleeps: as if it had not.
TEST(Sleep, WhatIsHitMovesAsIfItHadBeenAwake) {
  Scene scene = with_floor();
  add_stack(scene, "cube", 0, 2);
  scene.add_body("ball", {.shape = Sphere{0.1},
                          .mass = 2,
                          .position = {-3, 0.013, 0.25},
                          .velocity = {4, 0, 3},
                          .surface = "wood"});
  RunSettings awake = sleeping();
  awake.sleep = false;
  World one = world_of(scene, sleeping()), other = world_of(scene, awake);
  Scene aside = scene;  // cubes that begin 1e-9 m aside: what motion makes of a difference of that size
  for (auto& [name, body] : aside.bodies)
    if (name.starts_with("cube")) body.position += Vec3{1e-9, -1e-9, 0};
  World third = world_of(aside, awake);
  int slept = 0;
  for (int i = 0; i < 300; ++i) {
    slept += one.step().asleep > 0;
    other.step(), third.step();
  }
  EXPECT_GT(slept, 30);
  EXPECT_GT(norm(one.position(one.body("cube1")) - Vec3{0, 0, 0.3}), 0.1);  // it was hit
  // what velocities below the limit of 1e-9 m/s moved the cubes before the hit is all that may differ, and
  // what the motion after it makes of that
  for (const char* name : {"cube0", "cube1", "ball"}) {
    const Vec3 there = other.position(other.body(name));
    const double spread = norm(third.position(third.body(name)) - there);
    EXPECT_LE(spread, 1e-4) << name;
    EXPECT_LE(norm(one.position(one.body(name)) - there), std::fmax(1e-7, 10 * spread)) << name;
  }
  expect_closed(one);
}

TEST(Sleep, EndsWhenTheSupportIsTakenAwayAForceActsOrAPusherStarts) {
  Scene scene = with_floor();
  add_stack(scene, "a", 0, 2), add_stack(scene, "b", 1, 1), add_stack(scene, "c", 2, 1);
  scene.add_body("pusher", {.kind = kinematic,
                            .shape = Box{{0.2, 0.2, 0.2}},
                            .position = {1.7, 0, 0.1},
                            .surface = "wood",
                            .motion = {{0, 1, 2}, {{1.7, 0, 0.1}, {1.7, 0, 0.1}, {2.2, 0, 0.1}}}});
  World world = world_of(scene, sleeping());
  run(world, 50);
  for (const char* name : {"a0", "a1", "b0", "c0"}) EXPECT_TRUE(world.is_asleep(world.body(name))) << name;
  world.input().force(world.body("b0"), {20, 0, 0});
  world.step();
  EXPECT_FALSE(world.is_asleep(world.body("b0")));
  EXPECT_TRUE(world.is_asleep(world.body("a0")));
  EXPECT_GT(world.velocity(world.body("b0")).x, 0);
  run(world, 100);  // until 1.51 s: the pusher has met c
  EXPECT_GT(world.position(world.body("c0")).x, 2.05);
  ASSERT_TRUE(world.is_asleep(world.body("a1")));
  value_of(world.remove_body(world.body("a0")));
  EXPECT_FALSE(world.is_asleep(world.body("a1")));
  run(world, 10);
  EXPECT_LT(world.position(world.body("a1")).z, 0.3 - 0.5 * g * 0.01);
  expect_closed(world);
}

// At the top of its way a body has no velocity, but no rest either; and slow is not still.
TEST(Sleep, TurningPointsAndSlowMotionAreNoRest) {
  Scene scene = with_floor();
  scene.add_body("slow", {.shape = Sphere{0.1},
                          .mass = 1,
                          .position = {-5, 0, 0.1},
                          .velocity = {1e-3, 0, 0},
                          .spin = {0, 1e-2, 0},
                          .surface = "wood"});
  const double tilt = 0.1;
  scene.add_surface("ice", {.friction = 0});
  scene.add_body("slope",
                 {.kind = fixed, .shape = HalfSpace{{-std::sin(tilt), 0, std::cos(tilt)}}, .surface = "ice"});
  scene.add_body("up", {.shape = Box{{0.2, 0.2, 0.2}},
                        .mass = 1,
                        .position = {3, 0, 3 * std::tan(tilt) + 0.1 / std::cos(tilt)},
                        .orientation = {std::cos(tilt / 2), 0, -std::sin(tilt / 2), 0},
                        .velocity = {std::cos(tilt), 0, std::sin(tilt)},
                        .surface = "ice"});
  World world = world_of(scene, sleeping());
  double slowest = 1;
  run(world, 200, [&](const World& w, const StepReport& r) {
    ASSERT_EQ(r.asleep, 0);
    slowest = std::fmin(slowest, norm(w.velocity(w.body("up"))));
  });
  EXPECT_LT(slowest, g * std::sin(tilt) * 0.01);  // it passed its turning point
  EXPECT_NEAR(world.velocity(world.body("slow")).x, 1e-3, 1e-12);
}

// What a joint holds may be moved by it: a box on a row of velocities to a body that starts to move, and one
// that hangs on a link.
TEST(Sleep, WhatJointsHoldStaysAwake) {
  Scene scene = with_floor();
  add_stack(scene, "cube", 0, 1);
  scene.add_body(
      "drive",
      {.kind = kinematic, .position = {0, 1, 1}, .motion = {{0, 1, 2}, {{0, 1, 1}, {0, 1, 1}, {1, 1, 1}}}});
  scene.add_joint(
      "row",
      PfaffianJoint{.body = "cube0", .parent = "drive", .linear = {1, 0, 0}, .parent_linear = {-1, 0, 0}});
  World world = world_of(scene, sleeping());
  run(world, 180, [](const World&, const StepReport& r) {
    ASSERT_TRUE(r.converged);
    ASSERT_EQ(r.asleep, 0);
  });
  EXPECT_NEAR(world.position(world.body("cube0")).x, 0.8, 1e-6);
  expect_closed(world);
}

TEST(Sleep, OnlyTheDefaultMethodProvesRest) {
  RunSettings settings = sleeping();
  settings.method = Method::moreau_jean;
  const Result<World> built = build(with_floor(), settings);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.mistakes().front().path, "run.sleep");
}

}  // namespace
}  // namespace stiction::test
