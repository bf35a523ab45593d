// Joints as coordinates: every mistake by path and text, and what compile() makes of them.
#include <gtest/gtest.h>

#include <limits>

#include "stiction/model/model.h"
#include "stiction/model/run_settings.h"

namespace stiction {
namespace {

using tree::JointKind;
const double nan = std::numeric_limits<double>::quiet_NaN();

/// A trunk that is free, an arm on it and a hand on the arm; a post on a static base; a kinematic pusher.
Scene good() {
  Scene s{.gravity = {0, 0, -9.81}};
  const auto box = [&](const char* name, const Vec3& at) {
    s.add_body(name, {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 1, .position = at});
  };
  s.add_body("base", {.kind = fixed, .shape = Box{{1, 1, 0.1}}, .position = {5, 0, 0}});
  s.add_body("pusher", {.kind = kinematic, .shape = Sphere{0.1}, .motion = {{0}, {{9, 0, 0}}}});
  s.add_body("dust", {.shape = Sphere{0.01}, .mass = 0.1, .position = {0, 9, 0}, .particle = true});
  box("hand", {2, 0, 0}), box("arm", {1, 0, 0}), box("trunk", {0, 0, 0}), box("post", {5, 0, 1});
  s.add_joint(
      "wrist",
      CoordinateJoint{.kind = JointKind::revolute, .body = "hand", .parent = "arm", .at = Vec3{1.5, 0, 0}});
  s.add_joint(
      "shoulder",
      CoordinateJoint{.kind = JointKind::spherical, .body = "arm", .parent = "trunk", .at = Vec3{0.5, 0, 0}});
  s.add_joint("slider", CoordinateJoint{.kind = JointKind::prismatic, .body = "post", .parent = "base"});
  return s;
}
CoordinateJoint& joint(Scene& s, std::size_t i) { return std::get<CoordinateJoint>(s.joints[i].value); }

void expect_only(const Scene& s, const std::string& expected) {
  std::vector<std::string> found;
  for (const Mistake& m : validate(s)) found.push_back(m.text());
  ASSERT_EQ(found.size(), 1u) << testing::PrintToString(found);
  EXPECT_EQ(found[0], expected);
}
template <class Spoil>
void expect_mistake(const Spoil& spoil, const std::string& expected) {
  Scene s = good();
  spoil(s);
  expect_only(s, expected);
}

TEST(Joints, AGoodSceneHasNoMistake) { EXPECT_TRUE(validate(good()).empty()); }

TEST(Joints, BodiesThatCannotHaveThem) {
  expect_mistake([](Scene& s) { joint(s, 0).body = "hend"; },
                 "joints.wrist.revolute.body: there is no body \"hend\"; did you mean \"hand\"?");
  expect_mistake([](Scene& s) { joint(s, 0).parent = "arn"; },
                 "joints.wrist.revolute.parent: there is no body \"arn\"; did you mean \"arm\"?");
  expect_mistake(
      [](Scene& s) { joint(s, 2).body = "base", joint(s, 2).parent = ""; },
      "joints.slider.prismatic.body: the body \"base\" is static, a prismatic joint takes a body that "
      "moves freely");
  expect_mistake(
      [](Scene& s) { joint(s, 2).body = "dust"; },
      "joints.slider.prismatic.body: the body \"dust\" is a particle, a prismatic joint takes a body "
      "that turns");
  expect_mistake([](Scene& s) { joint(s, 2).parent = "dust"; },
                 "joints.slider.prismatic.parent: the body \"dust\" is a particle: a link of a tree turns");
  expect_mistake(
      [](Scene& s) { joint(s, 2).parent = "pusher"; },
      "joints.slider.prismatic.parent: the body \"pusher\" is kinematic: a tree hangs on the world, a "
      "static body or one that moves freely");
  expect_mistake([](Scene& s) { joint(s, 2).parent = "post"; },
                 "joints.slider.prismatic.parent: the body \"post\" cannot hang on itself");
}

TEST(Joints, TwoParentsAndCycles) {
  expect_mistake(
      [](Scene& s) { joint(s, 2).body = "hand"; },
      "joints.slider.prismatic.body: the body \"hand\" already has the joint \"wrist\": a body hangs "
      "on one joint, others may hang on it");
  expect_mistake(
      [](Scene& s) {
        s.add_joint("knot", CoordinateJoint{.kind = JointKind::fixed, .body = "trunk", .parent = "hand"});
      },
      "joints.wrist.revolute.parent: the bodies hang on themselves: hand -> arm -> trunk -> hand; a tree has "
      "no "
      "cycle");
}

TEST(Joints, AxesAndNumbers) {
  expect_mistake([](Scene& s) { joint(s, 0).axis = {}; },
                 "joints.wrist.revolute.axis: found [0, 0, 0], a direction needs a length above 0");
  expect_mistake(
      [](Scene& s) {
        joint(s, 0).at = Vec3{nan, 0, 0};
      },
      "joints.wrist.revolute.at: found [nan, 0, 0], must be three finite numbers");
  expect_mistake([](Scene& s) { joint(s, 0).pitch = 1; },
                 "joints.wrist.revolute.pitch: only a screw joint has a pitch");
  expect_mistake(
      [](Scene& s) {
        joint(s, 0).kind = JointKind::universal, joint(s, 0).second_axis = {1, 0, 1};
      },
      "joints.wrist.universal.second_axis: found [1, 0, 1], must be at right angles to the axis [0, 0, 1]");
  expect_mistake(
      [](Scene& s) {
        joint(s, 0).position = {1, 2};
      },
      "joints.wrist.revolute.position: found 2 numbers, a revolute joint has 1 coordinate");
  expect_mistake([](Scene& s) { joint(s, 1).position = {1}; },
                 "joints.shoulder.spherical.position: found 1 number, a spherical joint has 4 coordinates: a "
                 "quaternion [w, x, y, z]");
  expect_mistake([](Scene& s) { joint(s, 1).velocity = {1}; },
                 "joints.shoulder.spherical.velocity: found 1 number, a spherical joint has 3 velocities");
  expect_mistake(
      [](Scene& s) {
        joint(s, 1).stiffness = {1, 2, 1};
      },
      "joints.shoulder.spherical.stiffness: the three values of a spherical joint must be equal");
  expect_mistake([](Scene& s) { joint(s, 0).damping = {-1}; },
                 "joints.wrist.revolute.damping: found -1, must be 0 or more");
  expect_mistake(
      [](Scene& s) {
        joint(s, 1).rest = {1, 0, 0, 0.1};
      },
      "joints.shoulder.spherical.rest: found [1, 0, 0, 0.1] of length 1.004987562112089, must be a unit "
      "quaternion [w, x, y, z] (length 1 within 1e-6)");
  expect_mistake([](Scene& s) { joint(s, 0).kind = JointKind::free; },
                 "joints.wrist: a body without a joint is free: leave this one out");
}

TEST(Joints, TablesOfForces) {
  expect_mistake(
      [](Scene& s) {
        joint(s, 0).time = {0, 1};
      },
      "joints.wrist.revolute.time: a table of times without `force`");
  expect_mistake(
      [](Scene& s) {
        joint(s, 0).force = {{1}, {2}};
      },
      "joints.wrist.revolute.force: found 2 rows without `time`, must be one");
  expect_mistake(
      [](Scene& s) {
        joint(s, 0).time = {0, 1}, joint(s, 0).force = {{1}};
      },
      "joints.wrist.revolute.force: found 1 row, must be as many as `time` has (2)");
  expect_mistake(
      [](Scene& s) {
        joint(s, 1).force = {{1, 2}};
      },
      "joints.shoulder.spherical.force: found 2 numbers, a spherical joint takes 3");
  expect_mistake(
      [](Scene& s) {
        joint(s, 0).time = {1, 0}, joint(s, 0).force = {{1}, {2}};
      },
      "joints.wrist.revolute.time.1: found 0 after 1, times must increase from row to row");
}

TEST(Joints, StartsThatContradictTheJoint) {
  expect_mistake(
      [](Scene& s) {
        s.bodies[6].value.velocity = {1, 0, 0};
      },
      "bodies.post.velocity: found [1, 0, 0] m/s, but the joint \"slider\" gives it [0, 0, 0]: say how "
      "the joint starts instead (initial.slider.joint_velocity)");
  expect_mistake(
      [](Scene& s) {
        s.bodies[3].value.spin = {1, 0, 0};
      },
      "bodies.hand.spin: found [1, 0, 0] rad/s, but the joint \"wrist\" gives it [0, 0, 0]: say how the "
      "joint starts instead (initial.wrist.joint_velocity)");
  // one that fits is fine
  Scene s = good();
  joint(s, 2).velocity = {2};
  s.bodies[6].value.velocity = {0, 0, 2};
  EXPECT_TRUE(validate(s).empty());
}

TEST(Joints, TheMethodThatDoesNotKnowTreesSaysSo) {
  Scene s = good();
  for (auto& b : s.bodies) b.value.collides = false;
  for (const MethodTraits& t : method_traits()) {
    const std::vector<Mistake> found = validate(s, {.method = t.method});
    if (t.trees) {
      EXPECT_TRUE(found.empty());
      continue;
    }
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].text(),
              "run.method: found \"" + std::string(t.word) +
                  "\", which does not know trees, but the revolute joint \"wrist\" makes one: use "
                  "\"coulomb\", \"rk4\" or \"variational\"");
  }
}

TEST(Joints, AreCompiledToTrees) {
  Scene s = good();
  joint(s, 0).position = {0.5};
  const Model m = compile(s).value();
  ASSERT_EQ(m.trees.forest.trees.size(), 2u);
  EXPECT_EQ(m.trees.forest.v_count(), 6 + 3 + 1 + 1);
  for (const char* name : {"hand", "arm", "trunk", "post"})
    EXPECT_EQ(m.mobility[std::size_t(m.find_body(name))], Mobility::link);
  EXPECT_EQ(m.mobility[std::size_t(m.find_body("dust"))], Mobility::particle);
  // the hand is turned about the wrist: its centre is 0.5 m from there
  const Vec3 hand = m.start_position[std::size_t(m.find_body("hand"))];
  EXPECT_NEAR(hand.x, 1.5 + 0.5 * std::cos(0.5), 1e-15);
  EXPECT_NEAR(hand.y, 0.5 * std::sin(0.5), 1e-15);
  const auto joined = [&](const char* a, const char* b) { return m.joined(m.find_body(a), m.find_body(b)); };
  EXPECT_TRUE(joined("hand", "arm") && joined("arm", "trunk") && joined("base", "post"));
  EXPECT_FALSE(joined("hand", "trunk") || joined("hand", "post") || joined("hand", "base"));
}

TEST(Joints, GluedBodiesAreJoinedToWhatTheirPartnerIsJoinedTo) {
  Scene s = good();
  joint(s, 0).kind = JointKind::fixed;
  const Model m = compile(s).value();
  EXPECT_TRUE(m.joined(m.find_body("hand"), m.find_body("trunk")));
}

TEST(Joints, APlanarBodyThatOthersHangOnIsARoot) {
  Scene s = good();
  s.add_joint("flat", PlanarJoint{"trunk", {0, 2, 0}});
  s.bodies[5].value.velocity = {1, 0, 3}, s.bodies[5].value.spin = {0, 2, 0};
  const Model m = compile(s).value();
  const int link = m.link[std::size_t(m.find_body("trunk"))];
  EXPECT_EQ(m.trees.forest.joint[std::size_t(link)], JointKind::planar);
  tree::Kinematics k;
  tree::update_positions(m.trees.forest, m.trees.parameters, m.trees.start_position, k);
  tree::update_velocities(m.trees.forest, m.trees.start_velocity, k);
  Vec3 velocity, spin;
  move_link(k, std::size_t(link), velocity, spin);
  EXPECT_NEAR(norm(velocity - Vec3{1, 0, 3}), 0, 1e-15);
  EXPECT_NEAR(norm(spin - Vec3{0, 2, 0}), 0, 1e-15);
}

TEST(Joints, GoWithTheBodiesTheyHold) {
  Scene s = good();
  forget_body(s, "arm");
  ASSERT_EQ(s.joints.size(), 1u);
  EXPECT_EQ(s.joints[0].name, "slider");
}

}  // namespace
}  // namespace stiction
