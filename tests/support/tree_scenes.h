// Scenes of trees with every kind of joint, drawn by lot.
#pragma once

#include <string>

#include "stiction/model/scene.h"
#include "support/random.h"

namespace stiction::test {

/// `count` boxes, each joined to one before it; the first is free, or on the world. Joints have springs,
/// dampers and forces, bodies wrenches and drag.
inline Scene random_tree(std::uint64_t seed, int count, bool floating, bool forces = true) {
  Random random(seed);
  const auto vec = [&](double size) {
    return Vec3{random.between(-size, size), random.between(-size, size), random.between(-size, size)};
  };
  const auto quat = [&] {
    return normalized(
        Quat{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), random.between(0.1, 1)});
  };
  using tree::JointKind;
  Scene s;
  s.gravity = forces ? Vec3{0.3, -0.2, -9.81} : Vec3{};
  for (int i = 0; i < count; ++i) {
    const std::string name = "b" + std::to_string(i);
    s.add_body(name,
               {.shape = Box{{random.between(0.1, 0.3), random.between(0.1, 0.3), random.between(0.1, 0.3)}},
                .mass = random.between(0.5, 2),
                .position = vec(1),
                .orientation = quat(),
                .collides = false});
    if (i == 0 && floating) {
      s.bodies[0].value.velocity = vec(1), s.bodies[0].value.spin = vec(3);
      continue;
    }
    CoordinateJoint j;
    j.kind = JointKind(random.below(8));
    if (i == 0) j.kind = JointKind::universal;
    const auto dofs = std::size_t(tree::dof_count(j.kind));
    j.body = name;
    if (i > 0) j.parent = "b" + std::to_string(random.below(i));
    j.at = s.bodies.back().value.position + vec(0.3);
    j.axis = normalized(vec(1));
    if (j.kind == JointKind::screw) j.pitch = 0.1;
    if (j.kind == JointKind::spherical) {
      const Quat q = quat();
      j.position = {q.w, q.x, q.y, q.z};
    } else {
      for (int k = 0; k < tree::coordinate_count(j.kind); ++k) j.position.push_back(random.between(-1, 1));
    }
    for (std::size_t k = 0; k < dofs; ++k) j.velocity.push_back(random.between(-2, 2));
    if (forces && dofs > 0) {
      j.stiffness = {random.between(0, 20)}, j.damping = {random.between(0, 0.2)};
      j.time = {0, 0.3, 0.8};
      for (int row = 0; row < 3; ++row) {
        j.force.emplace_back();
        for (std::size_t k = 0; k < dofs; ++k) j.force.back().push_back(random.between(-1, 1));
      }
    }
    s.add_joint("j" + std::to_string(i), j);
  }
  if (!forces) return s;
  s.add_force("air", Drag{.linear = 0.1, .angular = 0.01});
  s.add_force("lift", Magnus{.body = "b0", .coefficient = 0.05});
  s.add_force(
      "push",
      Wrench{.body = "b1", .force = {vec(3)}, .torque = {vec(1)}, .body_frame = true, .point = vec(0.1)});
  s.add_force("pull", SpringDamper{.a = "b0",
                                   .b = "b" + std::to_string(count - 1),
                                   .point_a = vec(0.1),
                                   .stiffness = 10,
                                   .damping = 0.1,
                                   .rest_length = 0.3});
  return s;
}

}  // namespace stiction::test
