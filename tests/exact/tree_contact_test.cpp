// Trees in contact against closed forms: dampers of joints bear their part, trees at rest are in balance,
// links that are welded to the world are as good as static.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;  // [m/s^2]

Scene floor_and(double friction) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("s", {.friction = friction});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "s"});
  return scene;
}

/// [N] what contacts do to the floor's partners together.
Vec3 contact_force(const World& w) {
  Vec3 sum;
  for (const Contact& c : w.contacts()) sum += c.force;
  return sum;
}

// A trunk of 10 kg slides down a damped leg, whose foot stands: it sinks at m g / D, and the floor bears all.
TEST(TreeContact, ADamperBetweenTrunkAndFootSetsTheSpeed) {
  for (const double damping : {100.0, 1e3, 1e6}) {
    Scene scene = floor_and(0.8);
    scene.add_body("foot",
                   {.shape = Box{{0.4, 0.4, 0.1}}, .mass = 0.3, .position = {0, 0, 0.05}, .surface = "s"});
    const BodyId trunk = scene.add_body(
        "trunk", {.shape = Box{{0.3, 0.3, 0.3}}, .mass = 10, .position = {0, 0, 3}, .collides = false});
    scene.add_joint("leg", CoordinateJoint{.kind = tree::JointKind::prismatic,
                                           .body = "trunk",
                                           .parent = "foot",
                                           .axis = {0, 0, 1},
                                           .damping = {damping}});
    World world = world_of(scene, {.step = 0.0025});
    run(world, 600, [&](const World& w, const StepReport& r) {
      ASSERT_TRUE(r.converged) << r.explain();
      ASSERT_LT(w.ledger().relative_imbalance(), 1e-12);
    });
    // 1.5 s are 15 times m / D at least: exp(-15) is left of the transient; forces to the solver's 1e-8
    EXPECT_NEAR(world.velocity(trunk).z, -10 * g / damping, 1e-6 * 10 * g / damping) << damping;
    EXPECT_NEAR(contact_force(world).z, 10.3 * g, 1e-5 * 10.3 * g) << damping;
    EXPECT_LT(world.ledger().booked(Cause::damping), 0) << damping;
  }
}

// The floor bears the weight of a ball on a slider, however the slider is damped.
TEST(TreeContact, ADamperAtRestBearsNothing) {
  for (const double damping : {0.0, 40.0, 1e3}) {
    Scene scene = floor_and(0.5);
    scene.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 0.1}, .surface = "s"});
    scene.add_joint(
        "slider",
        CoordinateJoint{
            .kind = tree::JointKind::prismatic, .body = "ball", .axis = {0, 0, 1}, .damping = {damping}});
    World world = world_of(scene);
    run(world, 50);
    EXPECT_NEAR(contact_force(world).z, g, 1e-7 * g) << damping;
  }
}

// Legs on springs, at rest: the feet bear the weight and nothing sideways. What is left moves: 1e-6 of the
// weight.
TEST(TreeContact, AQuadrupedAtRestIsInBalance) {
  World world = world_of_file(STICTION_SOURCE_DIR "/scenes/quadruped.json");
  double weight = 0;
  for (const double mass : world.model().mass) weight += g * mass;
  run(world, steps_to(12, world.settings().step));
  double speed = 0;
  for (const Vec3& v : world.state().velocity) speed = std::fmax(speed, norm(v));
  EXPECT_LT(speed, 1e-6);
  EXPECT_LT(norm(contact_force(world) - Vec3{0, 0, weight}), 1e-6 * weight);
}

// What hangs on a base that is welded to the world moves in an island of its own, and what it gains or not is
// that island's: an arm that falls on the floor loses.
TEST(TreeContact, AnArmOnAWeldedBaseFalls) {
  Scene scene = floor_and(0.5);
  scene.add_body("base", {.shape = Box{{0.1, 0.1, 0.1}}, .mass = 1, .position = {0, 0, 0.5}, .surface = "s"});
  scene.add_body("arm",
                 {.shape = Box{{0.6, 0.05, 0.05}}, .mass = 1, .position = {0.3, 0.2, 0.5}, .surface = "s"});
  scene.add_joint("weld", CoordinateJoint{.kind = tree::JointKind::fixed, .body = "base"});
  scene.add_joint("hinge", CoordinateJoint{.kind = tree::JointKind::revolute,
                                           .body = "arm",
                                           .parent = "base",
                                           .at = Vec3{0, 0.2, 0.5},
                                           .axis = {0, 1, 0}});
  World world = world_of(scene);
  int touching = 0;
  run(world, 100, [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    ASSERT_LT(w.ledger().relative_imbalance(), 1e-12);
    ASSERT_LT(w.ledger().now().energy(), w.ledger().start().energy() + 1e-9 * w.ledger().scale());
    touching += r.contacts > 0;
  });
  EXPECT_GT(touching, 20);
}

// A base welded to the world, in touch with the floor or in it, carries a hinged arm and a stack of boxes:
// what it touches that does not move either is no contact of the problem.
TEST(TreeContact, AWeldedBaseIsAsGoodAsStatic) {
  for (const double height : {0.05, 0.049, 0.2}) {
    Scene scene = floor_and(0.5);
    scene.add_body("base",
                   {.shape = Box{{0.4, 0.4, 0.1}}, .mass = 1, .position = {0, 0, height}, .surface = "s"});
    scene.add_body(
        "arm", {.shape = Capsule{0.02, 0.1}, .mass = 0.1, .position = {0, 0.6, height}, .collides = false});
    for (int k = 0; k < 5; ++k)
      scene.add_body("box." + std::to_string(k), {.shape = Box{{0.1, 0.1, 0.1}},
                                                  .mass = 1,
                                                  .position = {0, 0, height + 0.1 + 0.1 * k},
                                                  .surface = "s"});
    scene.add_joint("weld", CoordinateJoint{.kind = tree::JointKind::fixed, .body = "base"});
    scene.add_joint("hinge", CoordinateJoint{.kind = tree::JointKind::revolute,
                                             .body = "arm",
                                             .parent = "base",
                                             .at = Vec3{0, 0.6, height + 0.1},
                                             .axis = {1, 0, 0},
                                             .velocity = {1}});
    World world = world_of(scene);
    run(world, 50, [&](const World& w, const StepReport& r) {
      ASSERT_TRUE(r.converged) << r.explain();
      ASSERT_EQ(r.parts, 1);
      ASSERT_EQ(r.contacts, 20);
      ASSERT_LT(w.ledger().relative_imbalance(), 1e-12);
    });
  }
}

}  // namespace
}  // namespace stiction::test
