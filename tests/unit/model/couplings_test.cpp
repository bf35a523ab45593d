// Gears, and joints that bind velocities: what scenes may not say, and what becomes of them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "stiction/model/model.h"
#include "stiction/model/run_settings.h"

namespace stiction {
namespace {

using constraints::Kind;
using tree::JointKind;

/// Wheels on a hinge, a slider and a ball joint; a particle.
Scene wheels() {
  Scene s;
  for (const char* name : {"one", "two", "three"})
    s.add_body(name, {.shape = Sphere{0.1}, .mass = 1, .position = {double(s.bodies.size()), 0, 0}});
  s.add_body("dust", {.mass = 1, .particle = true});
  s.add_body("wall", {.kind = fixed, .shape = Box{{1, 1, 1}}, .position = {0, 5, 0}});
  s.add_joint("hinge", CoordinateJoint{.kind = JointKind::revolute, .body = "one"});
  s.add_joint("sleeve", ConstraintJoint{.kind = Kind::cylindrical, .body = "two"});
  s.add_joint("socket", CoordinateJoint{.kind = JointKind::spherical, .body = "three"});
  return s;
}

void expect_mistake(const JointDescription& joint, const std::string& path, const std::string& text) {
  Scene s = wheels();
  s.add_joint("j", joint);
  const std::vector<Mistake> found = validate(s);
  ASSERT_EQ(found.size(), 1u) << path;
  EXPECT_EQ(found[0].path, "joints.j." + path);
  EXPECT_NE(found[0].message.find(text), std::string::npos) << found[0].message;
}

TEST(Couplings, MistakesOfGears) {
  const GearJoint fine{.first = "hinge", .second = "sleeve", .second_coordinate = 1};
  const auto with = [&](const std::function<void(GearJoint&)>& change) {
    GearJoint out = fine;
    change(out);
    return out;
  };
  expect_mistake(with([](GearJoint& j) { j.first = "hinged"; }), "gear.first", "did you mean \"hinge\"?");
  expect_mistake(with([](GearJoint& j) { j.first = ""; }), "gear.first", "one is needed");
  expect_mistake(with([](GearJoint& j) { j.second_coordinate = 2; }), "gear.second_coordinate", "0 to 1");
  expect_mistake(with([](GearJoint& j) { j.first_coordinate = -1; }), "gear.first_coordinate", "0 only");
  expect_mistake(with([](GearJoint& j) { j.first = "socket"; }), "gear.first", "no coordinate");
  expect_mistake(with([](GearJoint& j) { j.first = "j"; }), "gear.first", "no coordinate");
  expect_mistake(with([](GearJoint& j) { j.ratio = 0; }), "gear.ratio", "other than 0");
  expect_mistake(with([](GearJoint& j) { j.ratio = NAN; }), "gear.ratio", "other than 0");
  expect_mistake(with([](GearJoint& j) { j.second = "hinge", j.second_coordinate = 0; }), "gear.second",
                 "a gear joins two");
  Scene s = wheels();
  s.add_joint("j", fine);
  EXPECT_TRUE(validate(s).empty());
}

TEST(Couplings, MistakesOfVelocityJoints) {
  expect_mistake(RollingJoint{.body = "one", .radius = 0}, "rolling.radius", "above 0");
  expect_mistake(RollingJoint{.body = "dust", .radius = 1}, "rolling.body", "particle");
  expect_mistake(RollingJoint{.body = "one", .radius = 1, .normal = {}}, "rolling.normal", "direction");
  expect_mistake(
      RollingJoint{.kind = RollingJoint::Kind::disc, .body = "one", .radius = 1, .axis = {0, 0, -2}},
      "rolling.axis", "lies flat");
  expect_mistake(KnifeEdgeJoint{.body = "none"}, "knife_edge.body", "there is no body");
  expect_mistake(KnifeEdgeJoint{.body = "one", .parent = "one"}, "knife_edge.parent", "itself");
  expect_mistake(KnifeEdgeJoint{.body = "one", .across = {}}, "knife_edge.across", "direction");
  expect_mistake(KnifeEdgeJoint{.body = "wall"}, "knife_edge.body", "neither");
  expect_mistake(PfaffianJoint{.body = "one"}, "pfaffian.linear", "no coefficient");
  expect_mistake(PfaffianJoint{.body = "one", .linear = {1, 0, 0}, .drift = INFINITY}, "pfaffian.drift",
                 "finite");
}

// Coefficients that nothing would come of.
TEST(Couplings, UnusedFieldsOfPfaffianJointsAreMistakes) {
  using Axes = constraints::Pfaffian::Axes;
  const Vec3 e{1, 0, 0};
  expect_mistake(PfaffianJoint{.body = "one", .linear = e, .parent_linear = e}, "pfaffian.parent_linear",
                 "no parent");
  expect_mistake(PfaffianJoint{.body = "one", .linear = e, .parent_angular = e}, "pfaffian.parent_angular",
                 "no parent");
  expect_mistake(PfaffianJoint{.body = "one", .parent = "wall", .linear = e, .parent_linear = e},
                 "pfaffian.parent_linear", "\"wall\" is static");
  expect_mistake(PfaffianJoint{.body = "one", .linear = e, .axes = Axes::a}, "pfaffian.axes",
                 "must be world or body");
  expect_mistake(PfaffianJoint{.body = "dust", .linear = e, .angular = e}, "pfaffian.angular",
                 "does not turn");
  expect_mistake(PfaffianJoint{.body = "one", .parent = "dust", .linear = e, .parent_angular = e},
                 "pfaffian.parent_angular", "does not turn");
  Scene s = wheels();
  s.add_joint("j", PfaffianJoint{.body = "one",
                                 .parent = "two",
                                 .linear = e,
                                 .parent_linear = e,
                                 .parent_angular = e,
                                 .axes = Axes::a});
  s.add_joint("k", PfaffianJoint{.body = "dust", .linear = e});
  EXPECT_TRUE(validate(s).empty());
}

// Gears in a loop say the same twice, or lock.
TEST(Couplings, GearsThatContradictEachOtherAreMistakes) {
  Scene s;
  for (const char* name : {"a", "b", "c"}) {
    s.add_body(name, {.shape = Sphere{0.1}, .mass = 1, .position = {double(s.bodies.size()), 0, 0}});
    s.add_joint(std::string(name) + "_axle", CoordinateJoint{.kind = JointKind::revolute, .body = name});
  }
  s.add_joint("one", GearJoint{.first = "a_axle", .second = "b_axle", .ratio = 2});
  const auto with = [&](const std::vector<GearJoint>& more) {
    Scene out = s;
    for (const GearJoint& gear : more) out.add_joint("more" + std::to_string(out.joints.size()), gear);
    return out;
  };
  const GearJoint again{.first = "a_axle", .second = "b_axle", .ratio = 2.0000001};
  const std::vector<Mistake> found = validate(with({again}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].path, "joints.more4.gear.ratio");
  EXPECT_NE(found[0].message.find("found 2.0000001"), std::string::npos) << found[0].message;
  EXPECT_NE(found[0].message.find("at a ratio of 2 already"), std::string::npos) << found[0].message;
  // three wheels in a ring turn against each other, each with each: they lock
  const GearJoint ac{.first = "a_axle", .second = "c_axle", .ratio = 0.5},
      bc{.first = "b_axle", .second = "c_axle", .ratio = 0.25};
  ASSERT_EQ(validate(with({ac, bc})).size(), 1u);
  EXPECT_NE(validate(with({ac, bc}))[0].message.find("at a ratio of -0.25 already"), std::string::npos);
  // with a belt between two of them, or the same gear from the other side, they fit
  EXPECT_TRUE(validate(with({ac, {.first = "b_axle", .second = "c_axle", .ratio = -0.25}})).empty());
  EXPECT_TRUE(validate(with({{.first = "b_axle", .second = "a_axle", .ratio = 0.5}})).empty());
}

TEST(Couplings, OtherMethodsRefuseThem) {
  Scene s = wheels();
  s.joints[1].value = CoordinateJoint{.kind = JointKind::revolute, .body = "two"};
  s.add_joint("j", GearJoint{.first = "hinge", .second = "sleeve"});
  for (const Method method : {Method::rk4, Method::cline_pai, Method::variational}) {
    const std::vector<Mistake> found = validate(s, {.method = method});
    ASSERT_EQ(found.size(), 1u) << word_of(method);
    EXPECT_NE(found[0].message.find("\"j\""), std::string::npos) << found[0].message;
  }
  EXPECT_TRUE(validate(s, {}).empty());
}

// A gear counts from where the scene puts its joints, and its bodies do not touch each other.
TEST(Couplings, AGearHoldsWhereItStarts) {
  Scene s = wheels();
  std::get<CoordinateJoint>(s.joints[0].value).position = {0.3};
  std::get<ConstraintJoint>(s.joints[1].value).parent_at = Vec3{1, 0, -0.2};  // 0.2 m along the axis
  s.add_joint("j", GearJoint{.first = "hinge", .second = "sleeve", .ratio = 2});
  const Result<Model> made = compile(s);
  ASSERT_TRUE(made);
  const Model& m = made.value();
  ASSERT_EQ(m.laws.size(), 2u);
  EXPECT_EQ(m.laws[0].kind, ModelLaw::Kind::gear);
  EXPECT_NEAR(m.laws[0].bound, 0.3 + 2 * 0.2, 1e-15);
  EXPECT_EQ(m.laws[0].partner, 1);
  EXPECT_EQ(m.laws[1].kind, ModelLaw::Kind::follow);
  EXPECT_TRUE(m.joined(m.find_body("one"), m.find_body("two")));
  EXPECT_FALSE(m.joined(m.find_body("one"), m.find_body("three")));
}

// A constraint between a tree and a body beside it, geared to a third: more than a row can take.
TEST(Couplings, GearsOfTooManyGroupsAreRefused) {
  Scene s = wheels();
  s.add_body("four", {.shape = Sphere{0.1}, .mass = 1, .position = {4, 0, 0}});
  s.add_body("five", {.shape = Sphere{0.1}, .mass = 1, .position = {5, 0, 0}});
  s.add_joint("mixed", ConstraintJoint{.kind = Kind::hinge, .body = "four", .parent = "one"});
  s.add_joint("far", ConstraintJoint{.kind = Kind::hinge, .body = "five"});
  s.add_joint("j", GearJoint{.first = "mixed", .second = "far"});
  const Result<Model> made = compile(s);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.mistakes()[0].path, "joints.j.gear");
}

TEST(Couplings, GearsGoWithTheirJoints) {
  Scene s = wheels();
  s.add_joint("j", GearJoint{.first = "hinge", .second = "sleeve"});
  s.add_joint("k", KnifeEdgeJoint{.body = "three"});
  forget_body(s, "two");
  std::vector<std::string> left;
  for (const auto& j : s.joints) left.push_back(j.name);
  EXPECT_EQ(left, (std::vector<std::string>{"hinge", "socket", "k"}));
}

}  // namespace
}  // namespace stiction
