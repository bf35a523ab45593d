// What the tests of the world stand on: a floor, and cubes for it.
#pragma once

#include "support/run.h"

namespace stiction::test {

inline constexpr double g = 9.81;       // [m/s^2]
inline constexpr double books = 1e-12;  // [-] published imbalance of the ledger

inline Scene floor_scene() {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("s", {.friction = 0.5});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "s"});
  return s;
}
inline BodyDescription cube_at(const Vec3& x, double mass = 1) {
  return {.shape = Box{{0.2, 0.2, 0.2}}, .mass = mass, .position = x, .surface = "s"};
}

}  // namespace stiction::test
