// Worlds of constraint joints: editing, saving, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.h"

namespace stiction {
namespace {

using constraints::Kind;
using test::run;
using test::value_of;
using test::world_of;

BodyDescription rod(double x) {
  return {.shape = Box{{0.1, 0.02, 0.03}}, .mass = 0.1, .position = {x, 0, 0}, .collides = false};
}
/// Rods along x on ball joints, the first on the world.
Scene chain(int n) {
  Scene s;
  s.gravity = {0, 0, -9.81};
  for (int i = 0; i < n; ++i) {
    const std::string name = "rod" + std::to_string(i);
    s.add_body(name, rod(0.1 * i + 0.05));
    s.add_joint("joint" + std::to_string(i),
                ConstraintJoint{.kind = Kind::ball,
                                .body = name,
                                .parent = i == 0 ? "" : "rod" + std::to_string(i - 1),
                                .at = Vec3{0.1 * i, 0, 0}});
  }
  return s;
}

TEST(WorldMechanisms, ARemovedLinkCutsAChainInTwo) {
  World world = world_of(chain(5), {.step = 0.01});
  run(world, 10);
  value_of(world.remove_body(world.body("rod2")));
  ASSERT_EQ(world.model().mechanisms.mechanism.size(), 2u);
  EXPECT_EQ(world.state().joint_impulse.size(), 9u);  // of three joints
  EXPECT_EQ(world.state().joint_rough.size(), 2u);
  const std::vector<unsigned char> saved = world.save();
  run(world, 20, [](const World&, const StepReport& r) {
    EXPECT_TRUE(r.converged) << r.explain();
    EXPECT_LT(r.certificate.joint, 1e-12);
  });
  const std::uint64_t end = world.hash();
  value_of(world.restore(saved));
  run(world, 20);
  EXPECT_EQ(world.hash(), end);
}

// A nut with a pitch of 0.1 m/rad after more than three whole turns: they are counted over edits and
// restarts.
TEST(WorldMechanisms, AScrewKeepsItsTurns) {
  Scene s;
  s.add_body(
      "nut",
      {.shape = Cylinder{0.1, 0.1}, .mass = 1, .velocity = {0, 0, 1}, .spin = {0, 0, 10}, .collides = false});
  s.add_body("other", {.shape = Sphere{0.1}, .mass = 1, .position = {5, 0, 0}, .collides = false});
  s.add_joint("thread", ConstraintJoint{.kind = Kind::screw, .body = "nut", .at = Vec3{}, .pitch = 0.1});
  World world = world_of(s, {.step = 0.01});
  run(world, 200);
  EXPECT_NEAR(world.position(world.body("nut")).z, 2, 0.01);  // turns by the Cayley map: (h w)^2/12
  value_of(world.remove_body(world.body("other")));
  value_of(
      world.add_body("third", {.shape = Sphere{0.1}, .mass = 1, .position = {5, 0, 0}, .collides = false}));
  const double before = world.position(world.body("nut")).z;
  const StepReport r = world.step();
  EXPECT_TRUE(r.converged) << r.explain();
  EXPECT_NEAR(world.position(world.body("nut")).z - before, 0.01, 1e-3);
}

// Constraints on links are for the default method; with a body, the world or another link on the other side.
TEST(WorldMechanisms, LinksOfTreesAreForTheDefaultMethod) {
  Scene s = chain(1);
  s.add_body("arm", rod(0.3));
  s.add_joint("hinge", CoordinateJoint{.kind = tree::JointKind::revolute, .body = "arm"});
  for (const auto& [body, parent] :
       {std::pair{"arm", ""}, std::pair{"rod0", "arm"}, std::pair{"arm", "rod0"}}) {
    Scene tied = s;
    tied.add_joint("tie", ConstraintJoint{.kind = Kind::ball, .body = body, .parent = parent});
    for (BodyDescription* b : {&tied.bodies[0].value, &tied.bodies[1].value}) b->collides = false;
    const Result<World> made = build(tied, {.method = Method::spook});
    ASSERT_FALSE(made) << body << " " << parent;
    EXPECT_NE(made.mistakes()[0].text().find("links of trees"), std::string::npos);
    World world = world_of(tied, {.step = 0.01});
    for (int i = 0; i < 20; ++i) {
      const StepReport r = world.step();
      ASSERT_TRUE(r.converged) << body << " " << parent << ": " << r.explain();
      ASSERT_LT(world.ledger().relative_imbalance(), 1e-12);
    }
  }
}

// Sizes are those of the inertia where a body has no shape: joints are held, and pulled together.
TEST(WorldMechanisms, BodiesWithoutAShapeAreHeld) {
  Scene s;
  s.gravity = {0, 0, -9.81};
  s.add_body("top",
             {.mass = 1, .position = {0, 0, 0.5}, .spin = {1, 2, 30}, .inertia = Vec3{0.1, 0.12, 0.15}});
  s.add_joint(
      "tip",
      ConstraintJoint{.kind = Kind::ball, .body = "top", .at = Vec3{0, 0, 0}, .parent_at = Vec3{0, 0, 0.05}});
  World world = world_of(s, {.step = 0.01});
  run(world, 200, [](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged);
    EXPECT_LT(w.ledger().relative_imbalance(), 1e-12);
  });
}

// A body in a plane that is turned out of its own axes: joints across the plane are round-off, and not asked.
TEST(WorldMechanisms, APlanarBodyMayBeTurned) {
  Scene s;
  s.gravity = {0, 0, -9.81};
  s.add_body(
      "plate",
      {.shape = Box{{0.3, 0.2, 0.1}}, .mass = 1, .orientation = {0.8, 0.36, 0.48, 0}, .collides = false});
  s.add_joint("plane", PlanarJoint{.body = "plate", .normal = {0, 1, 0}});
  s.add_joint("pin", ConstraintJoint{.kind = Kind::ball, .body = "plate", .at = Vec3{0.3, 0, 0.1}});
  World world = world_of(s, {.step = 0.01});
  const double start = world.ledger().now().energy();
  run(world, 300, [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    EXPECT_NEAR(w.ledger().now().energy(), start, 1e-9);
    EXPECT_LT(w.ledger().relative_imbalance(), 1e-12);
  });
}

// The last body of a tree goes, with its motor: what is left moves on.
TEST(WorldMechanisms, TheLastLinkMayBeRemoved) {
  Scene s;
  s.gravity = {0, 0, -9.81};
  s.add_body("arm", rod(0.3));
  s.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 3, 0}});
  s.add_joint("hinge",
              CoordinateJoint{
                  .kind = tree::JointKind::revolute, .body = "arm", .motor = {.force = {1}, .speed = {2}}});
  World world = world_of(s, {.step = 0.01});
  run(world, 5);
  value_of(world.remove_body(world.body("arm")));
  run(world, 5);
  EXPECT_NEAR(world.velocity(world.body("ball")).z, -0.981, 1e-12);
  EXPECT_TRUE(world.joint_laws("hinge").empty());
}

// Contacts of a step that has none are none, whatever the step before had.
TEST(WorldMechanisms, AReportCountsItsOwnContacts) {
  Scene s;
  s.gravity = {0, 0, -9.81};
  s.add_body("table", {.kind = fixed, .shape = Box{{1, 1, 0.2}}, .position = {0, 0, -0.1}});
  s.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .position = {0.4, 0, 0.1}, .velocity = {3, 0, 0}});
  World world = world_of(s, {.step = 0.01});
  EXPECT_EQ(world.step().contacts, 1);
  run(world, 60);
  EXPECT_EQ(world.step().contacts, 0);
}

}  // namespace
}  // namespace stiction
