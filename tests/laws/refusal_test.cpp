// A step that cannot be made is refused: the State stays as it was to the bit, and the report says why.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(Refusal, LeavesTheStateUntouched) {
  for (const double poison : {nan, infinite, -infinite, 1e308}) {
    for (const bool turning : {false, true}) {
      World world = world_of_file(scenes + "incline_slide.json");
      World twin = world_of_file(scenes + "incline_slide.json");
      run(world, 20), run(twin, 20);
      const std::vector<unsigned char> before = world.save();
      const std::uint64_t hash = world.hash();
      const BodyId box = world.body("box");
      if (turning)
        world.input().torque(box, {0, poison, 0});
      else
        world.input().force(box, {poison, 0, 0});
      const StepReport report = world.step();
      if (poison == 1e308 && report.status != StepReport::Status::refused) {  // finite: it may be made
        EXPECT_TRUE(is_finite(world.position(box)) && is_finite(world.velocity(box)) &&
                    is_finite(world.spin(box)));
        continue;
      }
      ASSERT_EQ(report.status, StepReport::Status::refused) << poison << (turning ? " torque" : " force");
      EXPECT_FALSE(report.converged);
      EXPECT_EQ(report.worst_body_a, box.index);
      EXPECT_NE(report.explain().find("refused"), std::string::npos);
      EXPECT_NE(report.explain().find("finite"), std::string::npos);
      EXPECT_EQ(world.save(), before);
      EXPECT_EQ(world.hash(), hash);
      EXPECT_EQ(world.last_report().status, StepReport::Status::refused);

      // the poison is gone with the input: the run goes on as if nothing had been
      run(world, 20), run(twin, 20);
      EXPECT_EQ(world.hash(), twin.hash());
    }
  }
}

// A motion may be finite while its energy is not: 1e200 m/s. No book could be kept of it.
TEST(Refusal, WhatHasNoFiniteEnergy) {
  for (const Method method : {Method::coulomb, Method::semi_implicit_euler, Method::velocity_verlet,
                              Method::rk4, Method::variational}) {
    Scene scene;
    for (const char* name : {"slow", "fast"})
      scene.add_body(
          name, {.shape = Sphere{0.1}, .mass = 1, .collides = method == Method::coulomb && name[0] == 's'});
    World world = world_of(scene, {.step = 0.01, .method = method});
    run(world, 3);
    const std::vector<unsigned char> before = world.save();
    world.input().force(world.body("fast"), {0, 1e203, 0});
    const StepReport report = world.step();
    ASSERT_EQ(report.status, StepReport::Status::refused) << word_of(method);
    EXPECT_EQ(std::string(report.reason), "the energy is not finite") << word_of(method);
    EXPECT_EQ(report.worst_body_a, world.body("fast").index) << word_of(method);
    EXPECT_EQ(world.save(), before) << word_of(method);
    run(world, 3);
    EXPECT_LT(world.ledger().relative_imbalance(), 1e-12) << word_of(method);
  }
}

// An unstable spring grows until its energy is too large for a number; the run ends there, with books that
// close, instead of going on without them.
TEST(Refusal, AnUnstableSpringStopsBeforeItsEnergyIsInfinite) {
  for (const std::string method : {"coulomb", "semi_implicit_euler", "explicit_euler"}) {
    World world =
        world_of_file(scenes + "spring_mass.json",
                      {{"run.step", "0.3"}, {"run.method", method}, {"bodies.weight.collides", "false"}});
    StepReport report;
    int steps = 0;
    while ((report = world.step()).status != StepReport::Status::refused) {
      ASSERT_LT(++steps, 100000) << method;
      ASSERT_TRUE(std::isfinite(world.ledger().now().energy())) << method;
      ASSERT_TRUE(std::isfinite(world.ledger().scale())) << method;
      ASSERT_LT(world.ledger().relative_imbalance(), 1e-12) << method;
    }
    EXPECT_NE(report.explain().find("finite"), std::string::npos) << method;
    EXPECT_GT(world.ledger().scale(), 1e100) << method;
  }
}

TEST(Refusal, KeepsContactsAndEventsOfTheLastGoodStep) {
  World world = world_of_file(scenes + "incline_stick.json");
  run(world, 5);
  const std::size_t contacts = world.contacts().size();
  ASSERT_GT(contacts, 0u);
  const double time = world.time();
  world.input().force(world.body("box"), {nan, nan, nan});
  world.step();
  EXPECT_EQ(world.contacts().size(), contacts);
  EXPECT_EQ(world.time(), time);
  EXPECT_EQ(world.interpolated(world.body("box"), 1).position, world.position(world.body("box")));
}

}  // namespace
}  // namespace stiction::test
