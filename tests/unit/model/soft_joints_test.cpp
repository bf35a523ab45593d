// Constraint joints that give way or break: every mistake by path and text, and what compile() makes of them.
#include <gtest/gtest.h>

#include "stiction/model/model.h"
#include "stiction/model/run_settings.h"

namespace stiction {
namespace {

using constraints::Kind;

Scene with(const ConstraintJoint& joint) {
  Scene s;
  s.add_body("load", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 1});
  s.add_joint("rod", joint);
  return s;
}

void expect_only(const ConstraintJoint& joint, const std::string& expected) {
  std::vector<std::string> found;
  for (const Mistake& m : validate(with(joint))) found.push_back(m.text());
  ASSERT_EQ(found.size(), 1u) << testing::PrintToString(found);
  EXPECT_EQ(found[0], expected);
}

TEST(SoftJointMistakes, AreNamed) {
  const std::string path = "joints.rod.constraint.";
  expect_only({.kind = Kind::ball, .body = "load", .compliance = -1},
              path + "compliance: found -1, must be 0 m/N or more");
  expect_only({.kind = Kind::ball, .body = "load", .angular_compliance = 1},
              path + "angular_compliance: a ball holds no angle: only `compliance` acts on it");
  expect_only({.kind = Kind::hinge, .body = "load", .damping_time = 0.1},
              path + "damping_time: nothing to damp in a rigid joint: give a `compliance` as well");
  expect_only({.kind = Kind::ball, .body = "load", .stiffness = {3}},
              path + "stiffness: a ball has no coordinates that a spring or damper could act on");
  expect_only({.kind = Kind::lock, .body = "load", .damping = {3}},
              path + "damping: a lock has no coordinates that a spring or damper could act on");
  expect_only({.kind = Kind::cylindrical, .body = "load", .stiffness = {1, 2, 3}},
              path + "stiffness: found 3 numbers, a cylindrical has 2 coordinates");
  expect_only({.kind = Kind::cylindrical, .body = "load", .stiffness = {1}, .rest = {0.1}},
              path + "rest: found 1 number, a cylindrical has 2 coordinates");
  expect_only({.kind = Kind::hinge, .body = "load", .stiffness = {-1}},
              path + "stiffness: found -1, must be 0 or more");
  expect_only({.kind = Kind::ball, .body = "load", .break_force = -1},
              path + "break_force: found -1, must be 0 N or more");
  expect_only({.kind = Kind::ball, .body = "load", .break_torque = HUGE_VAL},
              path + "break_torque: found inf, must be 0 N m or more");
}

TEST(SoftJointMistakes, OtherMethodsRefuse) {
  for (const ConstraintJoint& joint : {ConstraintJoint{.kind = Kind::ball, .body = "load", .compliance = 1},
                                       ConstraintJoint{.kind = Kind::hinge, .body = "load", .damping = {1}},
                                       ConstraintJoint{.kind = Kind::ball, .body = "load", .break_force = 1}})
    for (const Method method : {Method::spook, Method::cline_pai}) {
      const std::vector<Mistake> found = validate(with(joint), RunSettings{.method = method});
      ASSERT_EQ(found.size(), 1u);
      EXPECT_NE(found[0].text().find("neither give way nor break"), std::string::npos);
    }
}

// 300 velocities at most where contact is possible.
TEST(SoftJointMistakes, LargeLinkagesAreRefused) {
  for (const int links : {50, 51})
    for (const bool collides : {true, false}) {
      Scene s;
      for (int i = 0; i < links; ++i) {
        const std::string name = "link" + std::to_string(i);
        s.add_body(name,
                   {.shape = Sphere{0.1}, .mass = 1, .position = {0.3 * i, 0, 0}, .collides = collides});
        if (i > 0)
          s.add_joint("joint" + std::to_string(i), ConstraintJoint{.kind = Kind::ball,
                                                                   .body = name,
                                                                   .parent = "link" + std::to_string(i - 1),
                                                                   .compliance = i == 7 ? 1e-3 : 0.0});
      }
      const Result<Model> made = compile(s);
      EXPECT_EQ(bool(made), links == 50 || !collides);
      if (made) continue;
      EXPECT_NE(made.mistakes()[0].text().find("joints.joint7.constraint"), std::string::npos);
      EXPECT_NE(made.mistakes()[0].text().find("306 velocities"), std::string::npos);
    }
}

// Rows: those that hold, with the softness of their kind; then coordinates that have a spring or a damper.
TEST(SoftJoints, BecomeRows) {
  const Result<Model> made = compile(with({.kind = Kind::cylindrical,
                                           .body = "load",
                                           .axis = {0, 0, 1},
                                           .compliance = 1e-3,
                                           .angular_compliance = 0.5,
                                           .damping_time = 0.1,
                                           .stiffness = {0, 7},
                                           .rest = {1, 2},
                                           .break_force = 9}));
  ASSERT_TRUE(made);
  const ModelMechanisms& m = made.value().mechanisms;
  ASSERT_EQ(m.row.size(), 5u);  // two lengths, two tilts, and the angle: no spring acts along the axis
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_DOUBLE_EQ(m.softness[r].stiffness, r < 2 ? 1000.0 : 2.0);
    EXPECT_DOUBLE_EQ(m.softness[r].damping, r < 2 ? 100.0 : 0.2);
  }
  EXPECT_EQ(m.row[4].kind, constraints::RowKind::turn);
  EXPECT_EQ(m.row[4].offset, 2);
  EXPECT_EQ(m.softness[4].stiffness, 7);
  EXPECT_TRUE(m.springs && m.tracked && m.breakable);
  EXPECT_EQ(m.constraint[0].break_force, 9);
}

}  // namespace
}  // namespace stiction
