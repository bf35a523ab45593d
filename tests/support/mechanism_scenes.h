// Bodies joined by constraints that meet other things.
#pragma once

#include <string>

#include "stiction/model/scene.h"

namespace stiction::test {

inline Scene on_a_floor() {
  Scene s;
  s.gravity = {0, 0, -9.81};
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}});
  return s;
}

inline void add_constraint(Scene& s, constraints::Kind kind, const std::string& body,
                           const std::string& parent, const Vec3& at, const Vec3& axis = {0, 1, 0}) {
  s.add_joint("joint" + std::to_string(s.joints.size()),
              ConstraintJoint{.kind = kind, .body = body, .parent = parent, .at = at, .axis = axis});
}

/// The same joint, as a constraint or as coordinates.
inline JointDescription joint(bool constraint, constraints::Kind kind, tree::JointKind twin,
                              const std::string& body, const std::string& parent, const Vec3& at,
                              const Vec3& axis = {0, 1, 0}) {
  if (constraint)
    return ConstraintJoint{.kind = kind, .body = body, .parent = parent, .at = at, .axis = axis};
  return CoordinateJoint{.kind = twin, .body = body, .parent = parent, .at = at, .axis = axis};
}

/// Rods on hinges about y (or balls), the first pinned at the origin; starts along x with some spin.
inline Scene rods(int n, bool ball, bool constraint) {
  Scene s;
  s.gravity = {0, 0, -9.81};
  for (int i = 0; i < n; ++i) {
    const std::string name = "rod" + std::to_string(i);
    s.add_body(name, {.shape = Box{{0.1, 0.02, 0.03}},
                      .mass = 0.1,
                      .position = {0.1 * i + 0.05, 0, 0},
                      .collides = false});
    s.add_joint("joint" + std::to_string(i),
                joint(constraint, ball ? constraints::Kind::ball : constraints::Kind::hinge,
                      ball ? tree::JointKind::spherical : tree::JointKind::revolute, name,
                      i == 0 ? "" : "rod" + std::to_string(i - 1), {0.1 * i, 0, 0}));
  }
  return s;
}
/// Spin about z of the whole, which a chain of balls has.
inline void spin(Scene& s, bool constraint, double rate) {
  for (auto& b : s.bodies)
    if (constraint) b.value.spin = {0, 0, rate}, b.value.velocity = cross({0, 0, rate}, b.value.position);
  if (!constraint) std::get<CoordinateJoint>(s.joints[0].value).velocity = {0, 0, rate};
}

/// n capsules one above the other that fall on the floor in a heap.
inline Scene rope(int n) {
  Scene s = on_a_floor();
  for (int i = 0; i < n; ++i) {
    const std::string name = "link" + std::to_string(i);
    s.add_body(name, {.shape = Capsule{0.05, 0.1}, .mass = 0.5, .position = {0, 0, 0.4 + 0.2 * i}});
    if (i > 0)
      add_constraint(s, constraints::Kind::ball, name, "link" + std::to_string(i - 1), {0, 0, 0.3 + 0.2 * i});
  }
  s.bodies.back().value.velocity = {0.3, 0.1, 0};
  return s;
}

/// Trunk, head, arms and legs of capsules, shoulders and hips balls, elbows and knees hinges, on two boxes.
inline Scene ragdoll() {
  using constraints::Kind;
  Scene s = on_a_floor();
  s.add_body("step", {.shape = Box{{0.6, 0.8, 0.3}}, .mass = 20, .position = {0.25, 0, 0.15}});
  s.add_body("box", {.shape = Box{{0.3, 0.3, 0.2}}, .mass = 5, .position = {0.2, 0.1, 0.4}});
  const Vec3 fall{0.5, 0, -1};
  const auto limb = [&](const std::string& name, double radius, double length, double mass, const Vec3& at) {
    s.add_body(name, {.shape = Capsule{radius, length}, .mass = mass, .position = at, .velocity = fall});
  };
  const double top = 1.3;  // [m] of the hips
  limb("trunk", 0.12, 0.3, 30, {0, 0, top + 0.3});
  limb("head", 0.1, 0.04, 5, {0, 0, top + 0.72});
  add_constraint(s, Kind::ball, "head", "trunk", {0, 0, top + 0.58});
  for (const double side : {-1.0, 1.0}) {
    const std::string n = side < 0 ? "right" : "left";
    limb("arm_" + n, 0.045, 0.2, 2, {0, 0.22 * side, top + 0.35});
    limb("hand_" + n, 0.04, 0.2, 1.5, {0, 0.22 * side, top + 0.04});
    limb("thigh_" + n, 0.07, 0.25, 8, {0, 0.1 * side, top - 0.25});
    limb("shin_" + n, 0.05, 0.3, 4, {0, 0.1 * side, top - 0.7});
    add_constraint(s, Kind::ball, "arm_" + n, "trunk", {0, 0.19 * side, top + 0.5});
    add_constraint(s, Kind::hinge, "hand_" + n, "arm_" + n, {0, 0.22 * side, top + 0.19});
    add_constraint(s, Kind::ball, "thigh_" + n, "trunk", {0, 0.1 * side, top});
    add_constraint(s, Kind::hinge, "shin_" + n, "thigh_" + n, {0, 0.1 * side, top - 0.48});
  }
  return s;
}

/// A four-bar of hinges in space, its loop says three things twice; the coupler hits a ball that flies by.
inline Scene four_bar() {
  using constraints::Kind;
  Scene s;
  s.gravity = {0, 0, -9.81};
  const auto bar = [&](const char* name, const Vec3& size, double mass, const Vec3& at) {
    s.add_body(name, {.shape = Box{size}, .mass = mass, .position = at});
  };
  bar("crank", {0.05, 0.05, 0.9}, 1, {0, 0, 0.5});
  bar("coupler", {1.9, 0.05, 0.05}, 2, {1, 0, 1});
  bar("rocker", {0.05, 0.05, 0.9}, 1, {2, 0, 0.5});
  s.bodies[0].value.spin = s.bodies[2].value.spin = {0, 2, 0};
  s.bodies[0].value.velocity = s.bodies[2].value.velocity = {1, 0, 0};
  s.bodies[1].value.velocity = {2, 0, 0};
  add_constraint(s, Kind::hinge, "crank", "", {0, 0, 0});
  add_constraint(s, Kind::hinge, "coupler", "crank", {0, 0, 1});
  add_constraint(s, Kind::hinge, "rocker", "coupler", {2, 0, 1});
  add_constraint(s, Kind::hinge, "rocker", "", {2, 0, 0});
  s.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .position = {1.2, 0, 1.4}, .velocity = {0, 0, -2}});
  return s;
}

/// A door on three hinges on one line, which say the same three times, hit by a ball at its edge.
inline Scene door() {
  Scene s = on_a_floor();
  s.add_body("door", {.shape = Box{{1, 0.04, 2}}, .mass = 20, .position = {0.5, 0, 1.1}});
  for (const double z : {0.3, 1.1, 1.9})
    add_constraint(s, constraints::Kind::hinge, "door", "", {0, 0, z}, {0, 0, 1});
  s.add_body("ball", {.shape = Sphere{0.1}, .mass = 2, .position = {0.8, 0.5, 1}, .velocity = {0, -4, 0}});
  return s;
}

/// A closed loop of four planar bars with a weight, on the floor.
inline Scene planar_loop() {
  using constraints::Kind;
  Scene s = on_a_floor();
  const auto bar = [&](const char* name, const Vec3& size, const Vec3& at, double mass) {
    s.add_body(name, {.shape = Box{size}, .mass = mass, .position = at, .spin = {0, 0, 0}});
    s.add_joint(std::string("plane_") + name, PlanarJoint{.body = name, .normal = {0, 1, 0}});
  };
  bar("low", {0.7, 0.1, 0.06}, {0, 0, 0.5}, 1), bar("high", {0.7, 0.1, 0.06}, {0.1, 0, 1.1}, 3);
  bar("left", {0.06, 0.1, 0.45}, {-0.3, 0, 0.8}, 1), bar("right", {0.06, 0.1, 0.45}, {0.45, 0, 0.8}, 1);
  add_constraint(s, Kind::ball, "left", "low", {-0.3, 0, 0.53});
  add_constraint(s, Kind::ball, "high", "left", {-0.3, 0, 1.07});
  add_constraint(s, Kind::ball, "right", "high", {0.45, 0, 1.07});
  add_constraint(s, Kind::ball, "right", "low", {0.4, 0, 0.53});
  return s;
}

}  // namespace stiction::test
