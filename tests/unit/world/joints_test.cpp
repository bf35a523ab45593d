// Joints of trees in a world: reading, setting, and what edits of bodies do to them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "stiction/world/world.h"
#include "support/recompute.h"
#include "support/run.h"

namespace stiction::test {
namespace {

using tree::JointKind;
constexpr double g = 9.81;
constexpr double books = 1e-12;  // [-] published imbalance of the ledger

/// A floating chain a - b - c of boxes, and a pendulum d on a static post.
Scene chain() {
  Scene s{.gravity = {0, 0, -g}};
  for (int i = 0; i < 3; ++i)
    s.add_body(std::string(1, char('a' + i)),
               {.shape = Box{{0.4, 0.2, 0.2}}, .mass = 1.0 + i, .position = {0.5 * i, 0, 0}});
  s.add_body("d", {.shape = Box{{0.1, 0.1, 0.6}}, .mass = 1, .position = {5, 0, -0.5}});
  s.add_body("post", {.kind = fixed, .shape = Box{{0.2, 0.2, 0.2}}, .position = {5, 0, 0}});
  s.add_joint("ab", CoordinateJoint{.kind = JointKind::revolute,
                                    .body = "b",
                                    .parent = "a",
                                    .at = Vec3{0.25, 0, 0},
                                    .axis = {0, 1, 0},
                                    .velocity = {1}});
  s.add_joint("bc", CoordinateJoint{
                        .kind = JointKind::spherical, .body = "c", .parent = "b", .at = Vec3{0.75, 0, 0}});
  s.add_joint("hinge", CoordinateJoint{.kind = JointKind::revolute,
                                       .body = "d",
                                       .parent = "post",
                                       .at = Vec3{5, 0, 0},
                                       .axis = {0, 1, 0},
                                       .position = {0.3}});
  return s;
}

void expect_true_books(const World& w) {
  const Recomputed now = recompute(w.model(), w.state());
  EXPECT_LT(w.ledger().relative_imbalance(), books);
  EXPECT_NEAR(now.energy(), w.ledger().now().energy(), 1e-12 * w.ledger().scale());
}

TEST(WorldJoints, AreFoundByNameAndRead) {
  World w = world_of(chain());
  ASSERT_TRUE(w.joint("bc"));
  EXPECT_FALSE(w.joint("nobody"));
  EXPECT_EQ(w.joint_position(w.joint("bc")).size(), 4u);
  EXPECT_EQ(w.joint_velocity(w.joint("bc")).size(), 3u);
  EXPECT_EQ(w.joint_velocity(w.joint("ab"))[0], 1.0);
  EXPECT_EQ(w.joint_position(w.joint("hinge"))[0], 0.3);
  const Vec3 d = w.position(w.body("d"));
  EXPECT_NEAR(d.x, 5 - 0.5 * std::sin(0.3), 1e-15);
  EXPECT_NEAR(d.z, -0.5 * std::cos(0.3), 1e-15);
}

TEST(WorldJoints, AreSetAndBooked) {
  World w = world_of(chain());
  run(w, 20);
  const double position[] = {1.2}, velocity[] = {-0.5};
  value_of(w.set_joint(w.joint("hinge"), position, velocity));
  EXPECT_EQ(w.joint_position(w.joint("hinge"))[0], 1.2);
  EXPECT_NEAR(w.position(w.body("d")).z, -0.5 * std::cos(1.2), 1e-15);
  EXPECT_NEAR(w.spin(w.body("d")).y, -0.5, 1e-15);
  EXPECT_NE(w.ledger().booked(Cause::edit), 0);
  expect_true_books(w);
  run(w, 20);
  expect_true_books(w);
}

TEST(WorldJoints, MistakesOfSetJoint) {
  World w = world_of(chain());
  const auto text = [](const Result<bool>& r) { return r ? std::string() : r.mistakes()[0].text(); };
  const double one[] = {1}, zero[] = {0, 0, 0, 0}, three[] = {0, 0, 0}, wrong[] = {std::nan("")};
  EXPECT_EQ(text(w.set_joint({}, one, one)), "set_joint: this joint does not exist (any more)");
  EXPECT_EQ(text(w.set_joint(w.joint("bc"), one, one)),
            "set_joint: a spherical joint has 4 coordinates and 3 velocities; found 1 and 1");
  EXPECT_EQ(text(w.set_joint(w.joint("bc"), zero, three)), "set_joint: the quaternion must not be zero");
  EXPECT_EQ(text(w.set_joint(w.joint("hinge"), wrong, one)),
            "set_joint: coordinates and velocities must be finite");
}

TEST(WorldJoints, LinksAreNotTeleportedButFreeRootsAreWithTheirTree) {
  World w = world_of(chain());
  const Result<bool> refused = w.teleport(w.body("b"), {}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.mistakes()[0].text(),
      "teleport: the body hangs on the joint \"ab\": give the joint new coordinates instead (set_joint)");
  EXPECT_FALSE(w.teleport(w.body("post"), {}, {}));
  const Vec3 c = w.position(w.body("c"));
  value_of(w.teleport(w.body("a"), {0, 3, 0}, {}, {0, 0, 1}));
  EXPECT_NEAR(norm(w.position(w.body("c")) - (c + Vec3{0, 3, 0})), 0, 1e-15);
  EXPECT_EQ(w.velocity(w.body("a")), (Vec3{0, 0, 1}));
  expect_true_books(w);
  run(w, 20);
  expect_true_books(w);
}

TEST(WorldJoints, AreLeftAloneByBodiesThatAreAdded) {
  World w = world_of(chain()), same = world_of(chain());
  run(w, 10), run(same, 10);
  value_of(w.add_body("pebble", {.shape = Sphere{0.01}, .mass = 0.1, .position = {0, 20, 0}}));
  EXPECT_EQ(w.state().joint_position, same.state().joint_position);
  run(w, 10), run(same, 10);
  EXPECT_EQ(w.state().joint_position, same.state().joint_position);
  expect_true_books(w);
}

TEST(WorldJoints, GoWithARemovedBody) {
  World w = world_of(chain());
  run(w, 30);
  const JointId old = w.joint("hinge");
  const BodyId c = w.body("c");
  const Vec3 position = w.position(c), velocity = w.velocity(c), spin = w.spin(c);
  const double angle = w.joint_position(old)[0];
  value_of(w.remove_body(w.body("b")));
  EXPECT_FALSE(w.joint("ab") || w.joint("bc"));
  EXPECT_FALSE(w.set_joint(old, {}, {}));  // ids of joints are stale now
  EXPECT_EQ(w.joint_position(w.joint("hinge"))[0], angle);
  // what hung on it is free and goes on
  EXPECT_EQ(w.position(c), position);
  EXPECT_EQ(w.velocity(c), velocity);
  EXPECT_EQ(w.spin(c), spin);
  expect_true_books(w);
  run(w, 30);
  expect_true_books(w);
  EXPECT_NEAR(w.velocity(c).z, velocity.z - 0.3 * g, 1e-12);
}

TEST(WorldJoints, ACutLeavesATreeBehind) {
  World w = world_of(chain());
  run(w, 30);
  const BodyId b = w.body("b");
  const Vec3 position = w.position(b), velocity = w.velocity(b);
  value_of(w.remove_body(w.body("a")));  // b is the free root of b - c now
  EXPECT_TRUE(w.joint("bc"));
  EXPECT_NEAR(norm(w.position(b) - position), 0, 1e-15);
  EXPECT_NEAR(norm(w.velocity(b) - velocity), 0, 1e-14);
  expect_true_books(w);
  run(w, 30);
  expect_true_books(w);
}

TEST(WorldJoints, AreSavedAndRestored) {
  World w = world_of(chain());
  run(w, 10);
  const std::vector<unsigned char> saved = w.save();
  const std::uint64_t hash = w.hash();
  run(w, 10);
  const std::uint64_t later = w.hash();
  value_of(w.restore(saved));
  EXPECT_EQ(w.hash(), hash);
  run(w, 10);
  EXPECT_EQ(w.hash(), later);
  // a world with other joints is another structure
  Scene other = chain();
  std::get<CoordinateJoint>(other.joints[1].value).kind = JointKind::universal;
  EXPECT_FALSE(world_of(other).restore(saved));
  // and so is one whose joints are elsewhere: the same coordinates would put its links elsewhere
  other = chain();
  std::get<CoordinateJoint>(other.joints[0].value).axis = {1, 0, 0};
  EXPECT_FALSE(world_of(other).restore(saved));
  other = chain();
  other.bodies[0].value.mass *= 2;  // numbers that State does not hang on may change
  EXPECT_TRUE(world_of(other).restore(saved));
}

TEST(WorldJoints, DamagedCoordinatesAreRefused) {
  World w = world_of(chain());
  run(w, 3);
  const double bad = std::nan("");
  const auto restored_with_bad = [&](std::size_t from_end) {
    std::vector<unsigned char> saved = w.save();
    std::memcpy(saved.data() + saved.size() - from_end - sizeof bad, &bad, sizeof bad);
    return w.restore(saved);
  };
  // the last velocity, that of the hinge: reactions of all joints follow
  const Result<bool> result = restored_with_bad(w.state().link_reaction.size() * sizeof(SpatialForce));
  ASSERT_FALSE(result);
  EXPECT_NE(result.mistakes()[0].text().find("the joint of \"d\""), std::string::npos);
  ASSERT_FALSE(restored_with_bad(0));
  EXPECT_NE(restored_with_bad(0).mistakes()[0].text().find("reaction of a joint"), std::string::npos);
}

TEST(WorldJoints, MotionBeyondAllNumbersIsRefused) {
  Scene s = chain();
  std::get<CoordinateJoint>(s.joints[2].value).velocity = {1e200};
  World w = world_of(s);
  const std::uint64_t before = w.hash();
  EXPECT_EQ(w.step().status, StepReport::Status::refused);
  EXPECT_EQ(w.hash(), before);
}

// Removing "c" takes the joint "bc" away, and "hinge" comes to its index.
TEST(WorldJoints, InputGivenBeforeARemovalGoesToTheSameJoints) {
  World w = world_of(chain()), same = world_of(chain());
  run(w, 5), run(same, 5);
  w.input().torque(w.joint("hinge"), 2.5);
  w.input().torque(w.joint("bc"), 100, 2);
  w.input().torque(w.joint("ab"), 0.5);
  value_of(w.remove_body(w.body("c"))), value_of(same.remove_body(same.body("c")));
  ASSERT_EQ(w.input().joints.size(), 2u);  // what was for "bc" went with it
  EXPECT_TRUE(w.mistakes_of_input().empty());
  same.input().torque(same.joint("hinge"), 2.5);
  same.input().torque(same.joint("ab"), 0.5);
  EXPECT_TRUE(w.step().converged);
  EXPECT_TRUE(same.step().converged);
  EXPECT_EQ(w.hash(), same.hash());
}

TEST(WorldJoints, InputByAStaleIdIsRefused) {
  World w = world_of(chain()), same = world_of(chain());
  const JointId old = w.joint("bc");
  value_of(w.remove_body(w.body("c"))), value_of(same.remove_body(same.body("c")));
  ASSERT_EQ(w.joint("hinge").index, old.index);
  w.input().torque(old, 1);
  ASSERT_EQ(w.mistakes_of_input().size(), 1u);
  EXPECT_NE(w.mistakes_of_input()[0].text().find("from before a body was removed"), std::string::npos);
  const std::uint64_t before = w.hash();
  const StepReport report = w.step();
  EXPECT_EQ(report.status, StepReport::Status::refused);
  EXPECT_EQ(report.explain(),
            "step refused, state untouched: the input is for a body, joint or coordinate that is not there");
  EXPECT_EQ(w.hash(), before);
  // it is gone with the step, and another removal does not make it good again
  run(w, 5), run(same, 5);
  EXPECT_EQ(w.hash(), same.hash());
  w.input().torque(old, 1);
  value_of(w.remove_body(w.body("a")));
  EXPECT_EQ(w.step().status, StepReport::Status::refused);
}

TEST(WorldJoints, InputForNobodyIsRefusedByName) {
  World w = world_of(chain());
  const std::uint64_t before = w.hash();
  const auto refused = [&](const std::string& why) {
    const std::vector<Mistake> found = w.mistakes_of_input();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].text(), why);
    EXPECT_EQ(w.step().status, StepReport::Status::refused);
    EXPECT_EQ(w.hash(), before);
    EXPECT_TRUE(w.input().empty());
  };
  w.input().torque(w.joint("nobody"), 1);
  refused("input: there is no joint -1 (-1 is the null id)");
  w.input().torque(w.joint("bc"), 1, 3);
  refused("input: the joint \"bc\" has 3 velocities, counted from 0; found 3");
  w.input().force(w.joint("ab"), 1, -1);
  refused("input: the joint \"ab\" has 1 velocity, counted from 0; found -1");
  w.input().force(w.body("nobody"), {1, 0, 0});
  refused("input: there is no body -1 (-1 is the null id)");
  w.input().torque(w.joint("bc"), 1, 2);
  EXPECT_TRUE(w.step().converged);
}

}  // namespace
}  // namespace stiction::test
