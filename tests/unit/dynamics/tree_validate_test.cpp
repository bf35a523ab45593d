// Every mistake in a description is found and named.
#include <gtest/gtest.h>

#include <functional>

#include "support/tree_state.h"
#include "support/trees.h"

namespace stiction::test {
namespace {

using tree::JointKind;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Wrong {
  const char* name;
  std::function<void(tree::Description&)> spoil;
  const char* path;
  const char* words;
};

TEST(TreeValidate, EveryMistakeIsNamed) {
  const std::vector<Wrong> all = {
      {"unknown parent", [](auto& d) { d.links[2].parent = 9; }, "links.link2.parent", "no such link"},
      {"negative parent", [](auto& d) { d.links[2].parent = -2; }, "links.link2.parent", "no such link"},
      {"own parent", [](auto& d) { d.links[2].parent = 2; }, "links.link2.parent", "link2 -> link2"},
      {"cycle", [](auto& d) { d.links[1].parent = 3, d.links[2].parent = 1, d.links[3].parent = 2; },
       "links.link1.parent", "link1 -> link3 -> link2 -> link1"},
      {"no mass", [](auto& d) { d.links[1].mass = 0; }, "links.link1.mass", "above 0"},
      {"negative mass", [](auto& d) { d.links[1].mass = -3; }, "links.link1.mass", "found -3"},
      {"mass nan", [](auto& d) { d.links[1].mass = nan; }, "links.link1.mass", "above 0"},
      {"triangle",
       [](auto& d) {
         d.links[1].inertia = Mat3::diagonal({1, 1, 2.1});
       },
       "links.link1.inertia", "sum of the other two"},
      {"triangle, turned",
       [](auto& d) {
         const Mat3 R = rotation_matrix(normalized(Quat{1, 2, 3, 4}));
         d.links[1].inertia = R * (Mat3::diagonal({1, 1, 2.1}) * transposed(R));
       },
       "links.link1.inertia", "no mass distribution"},
      {"negative moment",
       [](auto& d) {
         d.links[1].inertia = Mat3::diagonal({-1, 1, 1});
       },
       "links.link1.inertia", "no mass distribution"},
      {"only products",
       [](auto& d) {
         d.links[1].inertia = {{{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}};
       },
       "links.link1.inertia", "no mass distribution"},
      {"not symmetric", [](auto& d) { d.links[1].inertia(0, 1) += 0.1; }, "links.link1.inertia", "symmetric"},
      {"inertia nan", [](auto& d) { d.links[1].inertia(1, 1) = nan; }, "links.link1.inertia", "finite"},
      {"centre", [](auto& d) { d.links[1].centre.x = nan; }, "links.link1.centre", "finite"},
      {"position", [](auto& d) { d.links[1].position.x = nan; }, "links.link1.position", "finite"},
      {"quaternion",
       [](auto& d) {
         d.links[1].orientation = {2, 0, 0, 0};
       },
       "links.link1.orientation", "its length is 2"},
      {"no axis", [](auto& d) { d.links[1].joint = JointKind::revolute, d.links[1].axis = {}; },
       "links.link1.axis", "length above 0"},
      {"second axis",
       [](auto& d) {
         d.links[1].joint = JointKind::universal, d.links[1].axis = {1, 0, 0};
         d.links[1].second_axis = {1, 1, 0};
       },
       "links.link1.second_axis", "right angles"},
      {"pitch", [](auto& d) { d.links[1].joint = JointKind::screw, d.links[1].pitch = nan; },
       "links.link1.pitch", "finite"},
      {"stiffness count", [](auto& d) { d.links[1].joint = JointKind::planar, d.links[1].stiffness = {1}; },
       "links.link1.stiffness", "none or 3"},
      {"negative damping", [](auto& d) { d.links[1].joint = JointKind::revolute, d.links[1].damping = {-1}; },
       "links.link1.damping", "0 or more"},
      {"uneven armature",
       [](auto& d) {
         d.links[1].joint = JointKind::spherical, d.links[1].armature = {1, 2, 1};
       },
       "links.link1.armature", "must be equal"},
      {"rest",
       [](auto& d) {
         d.links[1].joint = JointKind::spherical, d.links[1].rest = {1, 1, 0, 0};
       },
       "links.link1.rest", "length"},
      {"rest count", [](auto& d) { d.links[1].joint = JointKind::free, d.links[1].rest = {1}; },
       "links.link1.rest", "none or 7"},
      {"two names", [](auto& d) { d.links[1].name = "link0"; }, "links.link0.name", "two links"},
      {"gravity", [](auto& d) { d.gravity.z = nan; }, "gravity", "finite"},
  };
  for (const Wrong& w : all) {
    tree::Description d = random_tree(1, 5);
    ASSERT_TRUE(tree::validate(d).empty());
    w.spoil(d);
    const std::vector<Mistake> found = tree::validate(d);
    ASSERT_EQ(found.size(), 1u) << w.name;
    EXPECT_EQ(found[0].path, w.path) << w.name;
    EXPECT_NE(found[0].message.find(w.words), std::string::npos) << w.name << ": " << found[0].message;
    EXPECT_FALSE(tree::compile(d)) << w.name;
  }
}

TEST(TreeValidate, AllMistakesAtOnce) {
  tree::Description d = random_tree(1, 6);
  d.links[1].mass = 0, d.links[3].parent = 77, d.links[4].inertia = Mat3::diagonal({1, 2, 4});
  EXPECT_EQ(tree::validate(d).size(), 3u);
}

// Flat plates and rods are at the edge of what is possible, and allowed; so is a point mass.
TEST(TreeValidate, EdgesAreAllowed) {
  tree::Description d = pendulum();
  for (const Vec3& I : {Vec3{1, 1, 2}, Vec3{1, 1, 0}, Vec3{0.1, 0.2, 0.1 + 0.2}, Vec3{}}) {
    d.links[0].inertia = Mat3::diagonal(I);
    EXPECT_TRUE(tree::validate(d).empty());
  }
}

TEST(TreeValidate, NewNumbersForTheSameStructure) {
  tree::Description d = humanoid();
  TreeState s(d);
  d.links[3].mass *= 2;
  const tree::Parameters changed = tree::parameters_of(s.f(), d).or_exit();
  EXPECT_EQ(changed.inertia[std::size_t(s.f().index[3])].mass, d.links[3].mass);
  d.links[3].joint = JointKind::revolute;
  const auto refused = tree::parameters_of(s.f(), d);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.mistakes()[0].message.find("compile it anew"), std::string::npos);
}

// A coordinate that moves no mass is named, not divided by.
TEST(TreeValidate, CoordinateWithoutInertia) {
  tree::Description d = pendulum();
  d.links[0].centre = {}, d.links[0].inertia = {};
  TreeState s(d);
  EXPECT_EQ(s.forward(), 0);
  tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
  EXPECT_FALSE(tree::factorise(s.f(), s.m.rows));
  d.links[0].joint = JointKind::spherical;
  EXPECT_EQ(TreeState(d).forward(), 0);
}

}  // namespace
}  // namespace stiction::test
