// Gears, and joints that bind velocities, in scene files.
#include "support.h"

namespace stiction {
namespace {

using test::good;
using test::mistakes_in;
using test::Texts;

std::string scene(const std::string& joint) {
  return R"({"stiction": 1, "bodies": {
    "a": {"shape": {"box": [1, 1, 1]}, "mass": 1},
    "b": {"shape": {"box": [1, 1, 1]}, "mass": 1, "at": [2, 0, 0]}},
  "joints": {"p": {"revolute": {"body": "a"}}, "q": {"cylindrical": {"body": "b"}}, "j": )" +
         joint + "}}";
}
template <class Joint>
Joint only(const std::string& joint) {
  return std::get<Joint>(good(scene(joint)).scene.joints.at(2).value);
}

TEST(CouplingFiles, Gear) {
  const auto j =
      only<GearJoint>(R"({"gear": {"first": "p", "second": "q", "second_coordinate": 1, "ratio": -0.5}})");
  EXPECT_EQ(j.first, "p");
  EXPECT_EQ(j.second, "q");
  EXPECT_EQ(j.first_coordinate, 0);
  EXPECT_EQ(j.second_coordinate, 1);
  EXPECT_EQ(j.ratio, -0.5);
}

TEST(CouplingFiles, Rolling) {
  const auto j = only<RollingJoint>(R"({"rolling": {"body": "b", "parent": "a", "kind": "disc", "radius": 0.5,
    "normal": [0, 0, 2], "at": [1, 2, 3], "axis": [1, 0, 0]}})");
  EXPECT_EQ(j.kind, RollingJoint::Kind::disc);
  EXPECT_EQ(j.body, "b");
  EXPECT_EQ(j.parent, "a");
  EXPECT_EQ(j.radius, 0.5);
  EXPECT_EQ(j.normal, (Vec3{0, 0, 2}));
  EXPECT_EQ(j.at, (Vec3{1, 2, 3}));
  EXPECT_EQ(j.axis, (Vec3{1, 0, 0}));
  EXPECT_EQ(only<RollingJoint>(R"({"rolling": {"body": "b", "radius": 1}})").kind, RollingJoint::Kind::ball);
}

TEST(CouplingFiles, KnifeEdge) {
  const auto j = only<KnifeEdgeJoint>(
      R"({"knife_edge": {"body": "b", "parent": "a", "at": [1, 0, 0], "across": [0, 0, 3]}})");
  EXPECT_EQ(j.body, "b");
  EXPECT_EQ(j.parent, "a");
  EXPECT_EQ(j.at, (Vec3{1, 0, 0}));
  EXPECT_EQ(j.across, (Vec3{0, 0, 3}));
}

TEST(CouplingFiles, Pfaffian) {
  const auto j = only<PfaffianJoint>(R"({"pfaffian": {"body": "b", "parent": "a", "linear": [1, 2, 3],
    "angular": [4, 5, 6], "parent_linear": [7, 8, 9], "parent_angular": [10, 11, 12], "axes": "parent", "drift": 0.1}})");
  EXPECT_EQ(j.linear, (Vec3{1, 2, 3}));
  EXPECT_EQ(j.angular, (Vec3{4, 5, 6}));
  EXPECT_EQ(j.parent_linear, (Vec3{7, 8, 9}));
  EXPECT_EQ(j.parent_angular, (Vec3{10, 11, 12}));
  EXPECT_EQ(j.axes, constraints::Pfaffian::Axes::a);
  EXPECT_EQ(j.drift, 0.1);
}

TEST(CouplingFiles, MistakesHaveTheirPlace) {
  const auto says = [](const std::string& joint, const std::string& text) {
    const Texts said = mistakes_in(scene(joint));
    ASSERT_EQ(said.size(), 1u) << joint;
    EXPECT_NE(said[0].find(text), std::string::npos) << said[0];
  };
  says(R"({"gear": {"first": "p", "second": "qq", "ratio": 1}})",
       "joints.j.gear.second: there is no joint \"qq\"");
  says(R"({"gear": {"first": "p", "second": "q"}})", "ratio");
  says(R"({"gear": {"first": "p", "second": "q", "ratio": 0}})", "joints.j.gear.ratio: found 0");
  says(R"({"gear": {"first": "p", "second": "q", "second_coordinate": 2, "ratio": 1}})",
       "second_coordinate: found 2, the joint \"q\" has coordinates 0 to 1");
  says(R"({"rack": {"first": "p", "second": "q", "ratio": 1}})", "did you mean \"gear\"?");
  says(R"({"rolling": {"body": "b"}})", "radius");
  says(R"({"pfaffian": {"body": "b", "axes": "wheel", "linear": [1, 0, 0]}})", "axes");
}

}  // namespace
}  // namespace stiction
