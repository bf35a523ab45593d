// Worlds with gears: edits, joints that break, contacts.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.h"

namespace stiction::test {
namespace {

using constraints::Kind;
using tree::JointKind;

/// Two wheels with the ratio 2, the first on a constraint; a stone beside them.
Scene geared() {
  Scene s;
  s.add_body("one", {.shape = Sphere{0.1}, .mass = 1, .spin = {0, 0, 6}});
  s.add_body("two", {.shape = Sphere{0.2}, .mass = 1, .position = {0.3, 0, 0}});
  s.add_body("stone", {.shape = Sphere{0.1}, .mass = 1, .position = {2, 0, 0}});
  s.add_joint("left", ConstraintJoint{.kind = Kind::hinge, .body = "one", .axis = {0, 0, 1}});
  s.add_joint("right", CoordinateJoint{.kind = JointKind::revolute, .body = "two", .velocity = {-3}});
  s.add_joint("teeth", GearJoint{.first = "left", .second = "right", .ratio = 2});
  return s;
}

// The angle that a gear follows over whole turns is kept when another body goes, and the gear goes with one
// of its own.
TEST(Gears, OutliveEdits) {
  World edited = world_of(geared(), {.step = 0.01}), plain = world_of(geared(), {.step = 0.01});
  run(edited, 200), run(plain, 200);  // 12 rad
  ASSERT_TRUE(edited.remove_body(edited.body("stone")));
  run(edited, 50), run(plain, 50);
  const auto spin = [](const World& w, const char* name) { return w.spin(w.body(name)).z; };
  EXPECT_EQ(spin(edited, "one"), spin(plain, "one"));
  EXPECT_EQ(spin(edited, "two"), spin(plain, "two"));
  EXPECT_NEAR(edited.joint_laws("teeth")[0].place, 0, 1e-9);
  ASSERT_TRUE(edited.remove_body(edited.body("two")));
  EXPECT_TRUE(edited.joint_laws("teeth").empty());
  EXPECT_TRUE(run(edited, 10));
  EXPECT_EQ(edited.model().laws.size(), 0u);
}

// A gear ends with a joint that breaks: the wheel that is left turns on.
TEST(Gears, EndWithAJointThatBreaks) {
  Scene s = geared();
  std::get<ConstraintJoint>(s.joints[0].value).break_force = 5;
  World world = world_of(s, {.step = 0.01});
  run(world, 10);
  EXPECT_NE(world.joint_laws("teeth")[0].force, 0);  // they start to mesh
  const double spin = world.spin(world.body("two")).z;
  for (int i = 0; i < 10; ++i) {
    world.input().force(world.body("one"), {20, 0, 0});
    world.input().torque(world.body("two"), {0, 0, 1});
    ASSERT_TRUE(world.step().converged);
  }
  EXPECT_TRUE(world.is_broken("left"));
  EXPECT_EQ(world.joint_laws("teeth")[0].force, 0);
  EXPECT_GT(world.spin(world.body("two")).z, spin + 1);
}

// A cart with two wheels on a floor, one driven, the other geared to it, is one problem with its contacts: no
// wheel slips, both turn alike, the cart goes as fast as they say.
TEST(Gears, AndContactsAreOneProblem) {
  const double r = 0.2, speed = 4;
  Scene s;
  s.gravity = {0, 0, -9.81};
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}});
  s.add_body("cart", {.shape = Box{{1, 0.2, 0.1}}, .mass = 5, .position = {0, 0, r}});
  for (const double x : {-0.4, 0.4}) {
    const std::string name = x < 0 ? "rear" : "front";
    s.add_body(name, {.shape = Sphere{r}, .mass = 1, .position = {x, 0, r}});
    s.add_joint(name + "_axle", CoordinateJoint{.kind = JointKind::revolute,
                                                .body = name,
                                                .parent = "cart",
                                                .at = Vec3{x, 0, r},
                                                .axis = {0, 1, 0}});
  }
  std::get<CoordinateJoint>(s.joints[0].value).motor = {.force = {2}, .speed = {speed}};
  s.add_joint("belt", GearJoint{.first = "rear_axle", .second = "front_axle", .ratio = -1});
  s.add_joint("upright", ConstraintJoint{.kind = Kind::planar, .body = "cart", .axis = {0, 1, 0}});
  World world = world_of(s, {.step = 0.01});
  run(world, 300,
      [](const World&, const StepReport& report) { ASSERT_TRUE(report.converged) << report.explain(); });
  EXPECT_NEAR(world.spin(world.body("rear")).y, speed, 1e-6);
  EXPECT_NEAR(world.spin(world.body("front")).y, speed, 1e-6);
  EXPECT_NEAR(world.velocity(world.body("cart")).x, r * speed, 1e-6);
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
}

}  // namespace
}  // namespace stiction::test
