// A scene with every force and every kind of body, in which nothing can touch.
#pragma once

#include "stiction/model/scene.h"

namespace stiction::test {

inline Scene smooth_scene() {
  Scene s{.gravity = {0.3, -0.2, -9.81}};
  s.add_body("box", {.shape = Box{{0.4, 0.3, 0.2}},
                     .mass = 2,
                     .position = {0.2, 0, 0.1},
                     .velocity = {0.3, -0.5, 1},
                     .spin = {1, 2, -1.5},
                     .collides = false});
  s.add_body("ball", {.shape = Sphere{0.1},
                      .mass = 0.7,
                      .position = {1, 0.5, 0},
                      .velocity = {3, 1, 2},
                      .spin = {5, -20, 3},
                      .collides = false});
  s.add_body("plate", {.shape = Box{{0.5, 0.4, 0.05}},
                       .mass = 1.5,
                       .position = {-1, 0, 0},
                       .orientation = cayley({0.3, 0.4, -0.5}),
                       .velocity = {0.4, 0, 0.2},
                       .spin = {0, 1.2, 0},
                       .collides = false});
  for (int i = 0; i < 4; ++i)
    s.add_body("atom." + std::to_string(i), {.mass = 0.2 + 0.1 * i,
                                             .position = {0.35 * i, 2, 0.1 * i * i},
                                             .velocity = {0, 0.1 * i, 0},
                                             .particle = true});
  s.add_body("shaker", {.kind = kinematic,
                        .shape = Box{{0.1, 0.1, 0.1}},
                        .collides = false,
                        .motion = {{0, 0.4, 0.9},
                                   {{0, 0, 1}, {0.2, 0, 1.1}, {-0.1, 0.1, 1}},
                                   {Quat{}, cayley({0, 0, 0.5}), cayley({0.2, 0, 0.3})}}});
  s.add_joint("flat", PlanarJoint{"plate", {0, 1, 0}});
  s.add_force("hanger", SpringDamper{.a = "shaker",
                                     .b = "box",
                                     .point_a = {0.05, 0, 0},
                                     .point_b = {0.2, 0.1, 0.05},
                                     .stiffness = 60,
                                     .damping = 0.8,
                                     .rest_length = 0.6});
  s.add_force(
      "link",
      SpringDamper{.a = "box", .b = "plate", .point_b = {0.2, 0, 0}, .stiffness = 30, .rest_length = 1});
  s.add_force("rod",
              TorsionSpring{.a = "box", .b = "ball", .axis = {1, 1, 0}, .stiffness = 0.02, .damping = 1e-3});
  s.add_force("wire", TorsionSpring{
                          .a = "shaker", .b = "plate", .axis = {0, 1, 0}, .stiffness = 0.7, .damping = 0.1});
  s.add_force("air", Drag{.linear = 0.05, .quadratic = 0.02, .angular = 1e-3});
  s.add_force("wind", Drag{.body = "ball", .coefficient = 0.01, .exponent = 1.6});
  s.add_force("lift", Magnus{.coefficient = 2e-3});
  s.add_force("gravitation", Gravitation{.constant = 0.05});
  s.add_force("bonds", LennardJones{.depth = 0.3, .diameter = 0.3, .cutoff = 0.9, .bodies = {"atom.*"}});
  s.add_force("thrust", Wrench{.body = "box",
                               .time = {0.1, 0.5, 2},
                               .force = {{1, 0, 0}, {2, 1, 0}, {0, 0, 3}},
                               .torque = {{0, 0.02, 0}, {0, 0, 0.05}, {0.03, 0, 0}},
                               .body_frame = true,
                               .point = {0.1, 0, 0.1}});
  s.add_force("push", Wrench{.body = "plate", .force = {{0.5, 0.2, 0.1}}, .point = {0.1, 0.1, 0}});
  return s;
}

}  // namespace stiction::test
