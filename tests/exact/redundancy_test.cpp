// Constraints on links of trees, and gears, that say what others hold already: they are named, what they bear
// is finite and in balance, and the books close.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.h"

namespace stiction::test {
namespace {

using constraints::Kind;
using tree::JointKind;

constexpr double g = 9.81;       // [m/s^2]
constexpr double h = 0.01;       // [s]
constexpr double books = 1e-12;  // [-] imbalance of the ledger: some hundred steps of round-off

/// The warning that begins so, or nothing.
std::string warning(const World& w, const std::string& begin) {
  for (const std::string& line : w.warnings())
    if (line.starts_with(begin)) return line;
  return "";
}

void run_well(World& world, int steps) {
  run(world, steps, [](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    ASSERT_LT(w.ledger().relative_imbalance(), books);
  });
}

// A door on a hinge with coordinates, and on two more of constraints on the same line: they leave no motion
// that the first does not, and bear nothing.
TEST(RedundantOnLinks, ADoorOnThreeHingesHangsOnThatOfTheTree) {
  constexpr double mass = 20;
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("door", {.shape = Box{{1, 0.04, 2}}, .mass = mass, .position = {0.5, 0, 1}, .collides = false});
  s.add_joint("low", CoordinateJoint{.body = "door", .at = Vec3{0, 0, 0.2}, .velocity = {1}});
  for (const char* name : {"middle", "high"})
    s.add_joint(name, ConstraintJoint{.kind = Kind::hinge,
                                      .body = "door",
                                      .at = Vec3{0, 0, std::string(name) == "high" ? 1.8 : 1.0}});
  World world = world_of(s, {.step = h});
  for (const char* name : {"middle", "high"})
    EXPECT_NE(warning(world, std::string("joint '") + name + "'").find("5 of its 5 rows"), std::string::npos)
        << name;
  run_well(world, 100);
  EXPECT_NEAR(world.joint_velocity(world.joint("low"))[0], 1, 1e-9);
  EXPECT_NEAR(world.reaction("low")->force.z, mass * g, 1e-9);
  EXPECT_EQ(norm(world.reaction("high")->force) + norm(world.reaction("high")->torque), 0);
}

/// A parallel crank that turns: upright arms of coordinates and a beam on the first, which constraints of
/// this kind join to the others.
Scene parallel_crank(Kind kind, int arms) {
  Scene s;
  s.gravity = {0, 0, -g};
  const auto arm = [&](int i) {
    const std::string name = "arm" + std::to_string(i);
    s.add_body(name, {.shape = Box{{0.02, 0.02, 1}}, .mass = 1, .position = {double(i), 0, 0.5}});
    s.add_joint(
        "foot" + std::to_string(i),
        CoordinateJoint{.body = name, .at = Vec3{double(i), 0, 0}, .axis = {0, 1, 0}, .velocity = {1}});
  };
  arm(0);
  s.add_body("beam", {.shape = Box{{1, 0.02, 0.02}}, .mass = 2, .position = {0.5, 0, 1}});
  s.add_joint(
      "pin0",
      CoordinateJoint{
          .body = "beam", .parent = "arm0", .at = Vec3{0, 0, 1}, .axis = {0, 1, 0}, .velocity = {-1}});
  for (int i = 1; i < arms; ++i) {
    arm(i);
    s.add_joint("pin" + std::to_string(i), ConstraintJoint{.kind = kind,
                                                           .body = "beam",
                                                           .parent = "arm" + std::to_string(i),
                                                           .at = Vec3{double(i), 0, 1},
                                                           .axis = {0, 1, 0}});
  }
  for (auto& b : s.bodies) b.value.collides = false;
  return s;
}

// A loop in a plane that a hinge closes: it says three things that the plane of the other hinges says. A ball
// joint says one of them.
TEST(RedundantOnLinks, ALoopInAPlane) {
  for (const bool ball : {false, true}) {
    World world = world_of(parallel_crank(ball ? Kind::ball : Kind::hinge, 2), {.step = h});
    const std::string line = warning(world, "joint 'pin1'");
    EXPECT_NE(line.find(ball ? "1 of its 3 rows" : "3 of its 5 rows"), std::string::npos) << line;
    EXPECT_NE(line.find("they bear all"), std::string::npos) << line;
    run_well(world, 20);
    // all that acts on the beam is what its momentum changes by
    const Vec3 before = world.velocity(world.body("beam"));
    run_well(world, 1);
    const Vec3 rate = (2 / h) * (world.velocity(world.body("beam")) - before);
    const Vec3 all = world.reaction("pin0")->force + world.reaction("pin1")->force - Vec3{0, 0, 2 * g};
    EXPECT_LT(norm(all - rate), 1e-9 * g);
  }
  // a third arm beside two says one thing more: that the beam stays level
  World world = world_of(parallel_crank(Kind::ball, 3), {.step = h});
  EXPECT_NE(warning(world, "joint 'pin1'").find("1 of its 3 rows"), std::string::npos);
  EXPECT_NE(warning(world, "joint 'pin2'").find("2 of its 3 rows"), std::string::npos)
      << warning(world, "joint 'pin2'");
}

// A carriage on a slide hangs on two ropes side by side: both bear it, however they share it.
TEST(RedundantOnLinks, TwoRopesBearACarriage) {
  constexpr double mass = 4;
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("carriage", {.shape = Box{{1, 1, 0.1}}, .mass = mass});
  s.add_joint("slide", CoordinateJoint{.kind = JointKind::prismatic, .body = "carriage", .axis = {0, 0, 1}});
  for (const double x : {-0.4, 0.4})
    s.add_joint(
        x < 0 ? "left" : "right",
        ConstraintJoint{
            .kind = Kind::distance, .body = "carriage", .at = Vec3{x, 0, 0}, .parent_at = Vec3{x, 0, 1}});
  World world = world_of(s, {.step = h, .tolerance = 1e-12});
  EXPECT_EQ(warning(world, "joint 'left'"), "");
  EXPECT_NE(warning(world, "joint 'right'").find("1 of its 1 rows"), std::string::npos);
  run_well(world, 50);
  const double left = world.reaction("left")->force.z, right = world.reaction("right")->force.z;
  EXPECT_NEAR(left + right, mass * g, 1e-9 * mass * g);
  EXPECT_GE(std::fmin(left, right), 0);
  // the slide has the moment of what they do not share alike
  EXPECT_LT(norm(world.reaction("slide")->torque - Vec3{0, 0.4 * (right - left), 0}), 1e-9 * mass * g);
}

// Gears that repeat others: two wheels in mesh twice, and a ring with a belt. T/(J2 + n^2 J1) as with one.
TEST(RedundantGears, TurnAsOneGearDoes) {
  const double J = 0.02, T = 0.3, n = 2;
  for (const bool constraint : {false, true}) {
    Scene s;
    for (const char* name : {"one", "two", "three"}) {
      s.add_body(name, {.mass = 1, .position = {double(s.bodies.size()), 0, 0}, .inertia = Vec3{J, J, J}});
      if (constraint)
        s.add_joint(std::string(name) + "_axle", ConstraintJoint{.kind = Kind::hinge, .body = name});
      else
        s.add_joint(std::string(name) + "_axle", CoordinateJoint{.body = name});
    }
    s.add_joint("teeth", GearJoint{.first = "one_axle", .second = "two_axle", .ratio = n});
    s.add_joint("again", GearJoint{.first = "two_axle", .second = "one_axle", .ratio = 1 / n});
    s.add_joint("next", GearJoint{.first = "two_axle", .second = "three_axle", .ratio = 1});
    s.add_joint("belt", GearJoint{.first = "one_axle", .second = "three_axle", .ratio = -n});
    s.add_force("drive", Wrench{.body = "two", .force = {{}}, .torque = {{0, 0, T}}});
    World world = world_of(s, {.step = 1e-3, .tolerance = 1e-10});
    EXPECT_EQ(warning(world, "gear 'teeth'") + warning(world, "gear 'next'"), "");
    EXPECT_NE(warning(world, "gear 'again'"), "");
    EXPECT_NE(warning(world, "gear 'belt'"), "");
    run_well(world, 100);
    const double rate = T / (J + n * n * J + J), w = world.spin(world.body("two")).z;
    const double slack = constraint ? 1e-3 : 1e-9;  // Cayley's map: the square of the turn in a step
    EXPECT_NEAR(w, rate * 0.1, slack * rate * 0.1);
    EXPECT_NEAR(world.spin(world.body("one")).z, -n * w, slack * n * w);
    // what all of them give the first wheel
    const double all = world.reaction("teeth")->torque.z + world.reaction("again.second")->torque.z +
                       world.reaction("belt")->torque.z;
    EXPECT_NEAR(all, -J * n * rate, 1e-3 * J * n * rate);
  }
}

// Two wheels on constraints that locks hold too: the gear between them says nothing new, and bears nothing
// that it would have to.
TEST(RedundantGears, BetweenWheelsThatAreLocked) {
  for (const bool both : {false, true}) {
    Scene s;
    for (const char* name : {"one", "two"}) {
      s.add_body(name, {.mass = 1, .position = {double(s.bodies.size()), 0, 0}, .inertia = Vec3{1, 1, 1}});
      s.add_joint(std::string(name) + "_axle", ConstraintJoint{.kind = Kind::hinge, .body = name});
      if (both || s.bodies.size() == 1)
        s.add_joint(std::string(name) + "_lock", ConstraintJoint{.kind = Kind::lock, .body = name});
    }
    s.add_joint("teeth", GearJoint{.first = "one_axle", .second = "two_axle", .ratio = 2});
    s.add_force("drive", Wrench{.body = "two", .force = {{}}, .torque = {{0, 0, 3}}});
    World world = world_of(s, {.step = h});
    EXPECT_EQ(warning(world, "gear 'teeth'") != "", both);
    run_well(world, 50);
    EXPECT_LT(norm(world.spin(world.body("two"))), 1e-9);
    EXPECT_TRUE(std::isfinite(world.reaction("teeth")->torque.z));
    if (!both) EXPECT_NEAR(world.reaction("teeth.second")->torque.z, -3, 1e-6);
  }
}

// The same said of a velocity twice, with one more that follows from two.
TEST(RedundantVelocities, AreNamedAndShareTheirLoad) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("lift", {.mass = 2, .inertia = Vec3{1, 1, 1}});
  s.add_joint("rise", PfaffianJoint{.body = "lift", .linear = {0, 0, 1}, .drift = -0.5});
  s.add_joint("drift", PfaffianJoint{.body = "lift", .linear = {1, 0, 0}, .drift = -0.25});
  s.add_joint("again", PfaffianJoint{.body = "lift", .linear = {0, 0, -4}, .drift = 2});
  s.add_joint("sum", PfaffianJoint{.body = "lift", .linear = {1, 0, 1}, .drift = -0.75});
  World world = world_of(s, {.step = h});
  EXPECT_EQ(warning(world, "joint 'rise'") + warning(world, "joint 'drift'"), "");
  EXPECT_NE(warning(world, "joint 'again'"), "");
  EXPECT_NE(warning(world, "joint 'sum'"), "");
  run_well(world, 50);
  EXPECT_LT(norm(world.velocity(world.body("lift")) - Vec3{0.25, 0, 0.5}), 1e-9);
  Vec3 all{};
  for (const char* name : {"rise", "drift", "again", "sum"}) all += world.reaction(name)->force;
  EXPECT_LT(norm(all - Vec3{0, 0, 2 * g}), 1e-6 * g);
}

// Two speeds along one direction, or a speed along what a joint holds: refused, by name.
TEST(RedundantVelocities, ThatContradictAreRefused) {
  for (const bool locked : {false, true}) {
    Scene s;
    s.add_body("sled", {.mass = 2, .inertia = Vec3{1, 1, 1}});
    if (locked)
      s.add_joint("first", ConstraintJoint{.kind = Kind::lock, .body = "sled"});
    else
      s.add_joint("first", PfaffianJoint{.body = "sled", .linear = {0, 0, 1}, .drift = 1});
    s.add_joint("second", PfaffianJoint{.body = "sled", .linear = {0, 0, 2}, .drift = 4});
    const Result<World> world = build(s, {.step = h});
    ASSERT_FALSE(world);
    EXPECT_EQ(world.mistakes()[0].path, "joints.second");
    EXPECT_NE(world.mistakes()[0].text().find(locked ? "-4 m/s" : "-2 m/s"), std::string::npos)
        << world.mistakes()[0].text();
  }
}

// A train of 2000 gears of ratio 0.1 (1e-2000 in all) with one tooth too many at its end.
TEST(RedundantGears, ALongTrain) {
  constexpr int n = 2000;
  Scene s;
  for (int i = 0; i <= n; ++i) {
    const std::string name = "wheel" + std::to_string(i);
    s.add_body(name, {.mass = 1, .position = {double(i), 0, 0}, .inertia = Vec3{1, 1, 1}});
    s.add_joint("axle" + std::to_string(i), CoordinateJoint{.body = name});
    if (i > 0)
      s.add_joint("gear" + std::to_string(i), GearJoint{.first = "axle" + std::to_string(i - 1),
                                                        .second = "axle" + std::to_string(i),
                                                        .ratio = 0.1});
  }
  s.add_joint("skip", GearJoint{.first = "axle1997", .second = "axle2000", .ratio = 1e-3});
  World world = world_of(s, {.step = h});
  EXPECT_NE(warning(world, "gear 'skip'"), "");
  EXPECT_EQ(world.warnings().size(), 1u);
}

}  // namespace
}  // namespace stiction::test
