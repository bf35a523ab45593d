// Trees that tests and benchmarks share.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "stiction/dynamics/tree/forest.h"
#include "support/random.h"

namespace stiction::test {

inline const Vec3 earth{0, 0, -9.81};

/// Diagonal inertia of a box of edges e [m].
inline Mat3 box_inertia(double mass, const Vec3& e) {
  const double x = e.x * e.x, y = e.y * e.y, z = e.z * e.z;
  return Mat3::diagonal(mass / 12 * Vec3{y + z, x + z, x + y});
}

/// A rod that swings about y, hanging down at q = 0.
inline tree::Description pendulum(double mass = 2, double length = 0.7) {
  return {.gravity = earth,
          .links = {{.name = "rod",
                     .joint = tree::JointKind::revolute,
                     .position = {0.3, -0.2, 1},
                     .axis = {0, 1, 0},
                     .mass = mass,
                     .centre = {0, 0, -length / 2},
                     .inertia = Mat3::diagonal(mass * length * length / 12 * Vec3{1, 1, 0})}}};
}

/// Two equal slender bars in the x-y plane, gravity along -y, angles from the x axis (the second relative):
/// the mechanism of D. Morgan 2011, chapter 2.
inline tree::Description double_pendulum(double m = 1, double r = 1) {
  tree::Link bar{.name = "upper",
                 .joint = tree::JointKind::revolute,
                 .mass = m,
                 .centre = {r / 2, 0, 0},
                 .inertia = Mat3::diagonal(m * r * r / 12 * Vec3{0, 1, 1})};
  tree::Link lower = bar;
  lower.name = "lower", lower.parent = 0, lower.position = {r, 0, 0};
  return {.gravity = {0, -9.81, 0}, .links = {bar, lower}};
}

/// A heavy top: symmetric, its tip held by a spherical joint.
inline tree::Description top(double mass = 0.5, double height = 0.1) {
  return {.gravity = earth,
          .links = {{.name = "top",
                     .joint = tree::JointKind::spherical,
                     .position = {0.1, 0.2, 0.3},
                     .mass = mass,
                     .centre = {0, 0, height},
                     .inertia = Mat3::diagonal({8e-4, 8e-4, 1.2e-3})}}};
}

/// Any inertia that a body can have: positive second moments, turned at random.
inline Mat3 random_inertia(Random& random, double mass) {
  const Vec3 s{random.between(0.01, 0.1), random.between(0.01, 0.1), random.between(0.01, 0.1)};
  const Mat3 R = rotation_matrix(random.rotation());
  return R * (Mat3::diagonal(mass * Vec3{s.y + s.z, s.x + s.z, s.x + s.y}) * transposed(R));
}

/// `count` links, every kind of joint, each on a random earlier one; some start trees of their own.
inline tree::Description random_tree(std::uint64_t seed, int count, double new_tree = 0) {
  Random random(seed);
  tree::Description d{.gravity = {0.5, -1, -9.81}, .links = {}};
  for (int i = 0; i < count; ++i) {
    tree::Link l;
    l.name = "link" + std::to_string(i);
    l.parent = i == 0 || random.unit() < new_tree ? -1 : std::max(0, i - 1 - random.below(4));
    // Every kind comes up within nine links; a fixed first link would leave a tree without motion.
    l.joint = static_cast<tree::JointKind>((i + 8) % tree::joint_kind_count);
    l.position = random.vector(0.5), l.orientation = random.rotation();
    do {
      l.axis = random.vector(1);
    } while (norm2(l.axis) < 0.01);
    if (random.unit() < 0.5) l.second_axis = normalized(cross(l.axis, Vec3{0.3, -0.5, 0.8}));
    l.pitch = random.between(-0.2, 0.2);
    l.mass = random.between(0.5, 2), l.centre = random.vector(0.2);
    l.inertia = random_inertia(random, l.mass);
    d.links.push_back(l);
  }
  return d;
}

/// Torso (free), waist, pelvis, two legs, two arms: 13 bodies, 27 velocity coordinates.
inline tree::Description humanoid() {
  using tree::JointKind;
  tree::Description d{.gravity = earth, .links = {}};
  const auto add = [&](const std::string& name, int parent, JointKind joint, const Vec3& at, const Vec3& axis,
                       const Vec3& second, double mass, const Vec3& centre, const Vec3& edges) {
    d.links.push_back({.name = name,
                       .parent = parent,
                       .joint = joint,
                       .position = at,
                       .axis = axis,
                       .second_axis = second,
                       .mass = mass,
                       .centre = centre,
                       .inertia = box_inertia(mass, edges)});
    return int(d.links.size()) - 1;
  };
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const int torso = add("torso", -1, JointKind::free, {}, z, {}, 12, {0.01, 0, 0.05}, {0.2, 0.35, 0.4});
  const int waist = add("waist", torso, JointKind::universal, {-0.01, 0, -0.26}, z, y, 2.5, {0, 0, -0.05},
                        {0.15, 0.3, 0.1});
  const int pelvis = add("pelvis", waist, JointKind::revolute, {0, 0, -0.1}, x, {}, 6.5, {-0.02, 0, -0.07},
                         {0.18, 0.3, 0.15});
  for (const double side : {-1.0, 1.0}) {
    const std::string which = side < 0 ? "right " : "left ";
    const int thigh = add(which + "thigh", pelvis, JointKind::spherical, {0, 0.1 * side, -0.1}, z, {}, 4.7,
                          {0, 0.005 * side, -0.17}, {0.12, 0.12, 0.36});
    const int shin = add(which + "shin", thigh, JointKind::revolute, {0, 0.01 * side, -0.4}, -y, {}, 2.7,
                         {0, 0, -0.15}, {0.09, 0.09, 0.33});
    add(which + "foot", shin, JointKind::universal, {0, 0, -0.39}, y, x, 1.6, {0.04, 0, -0.02},
        {0.22, 0.08, 0.05});
  }
  for (const double side : {-1.0, 1.0}) {
    const std::string which = side < 0 ? "right " : "left ";
    const int arm = add(which + "upper arm", torso, JointKind::universal, {0, 0.19 * side, 0.16},
                        {2, side, 1}, {0, -1, side}, 1.6, {0.08, 0.08 * side, -0.08}, {0.09, 0.2, 0.09});
    add(which + "lower arm", arm, JointKind::revolute, {0.18, 0.18 * side, -0.18}, {0, -1, side}, {}, 1.2,
        {0.09, -0.09 * side, 0.09}, {0.18, 0.07, 0.07});
  }
  return d;
}

/// A chain of `count` equal rods, revolute joints about x and y in turn.
inline tree::Description chain(int count) {
  tree::Description d{.gravity = earth, .links = {}};
  for (int i = 0; i < count; ++i)
    d.links.push_back({.name = {},
                       .parent = i - 1,
                       .joint = tree::JointKind::revolute,
                       .position = {0, 0, i == 0 ? 0.0 : -0.1},
                       .axis = i % 2 == 0 ? Vec3{1, 0, 0} : Vec3{0, 1, 0},
                       .mass = 0.1,
                       .centre = {0, 0, -0.05},
                       .inertia = box_inertia(0.1, {0.02, 0.02, 0.1})});
  return d;
}

}  // namespace stiction::test
