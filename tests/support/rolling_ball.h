// A ball that rolls without slip over a floor: nothing about its velocity changes on a plane, whatever the
// plane is made of.
#pragma once

#include <gtest/gtest.h>

#include "support/run.h"

namespace stiction::test {

struct Rolled {
  Vec3 end;         // [m] after 1 s
  double jump = 0;  // [m/s] largest change of its velocity
};

/// `floor` has its surface at z = 0 when its body stands at `at`.
inline Rolled roll_ball(const Shape& floor, const Vec3& at = {}) {
  const Vec3 velocity{1.5, 0.1, 0};
  Scene scene{.gravity = {0, 0, -9.81}};
  scene.add_body("floor", {.kind = fixed, .shape = floor, .position = at});
  const BodyId ball = scene.add_body("ball", {.shape = Sphere{0.1},
                                              .density = 500,
                                              .position = {-1, 0.02, 0.1},
                                              .velocity = velocity,
                                              .spin = {-1, 15, 0}});
  World world = world_of(scene, {.step = 0.002});
  Rolled out;
  run(world, 500, [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged);
    out.jump = std::fmax(out.jump, norm(w.velocity(ball) - velocity));
  });
  out.end = world.position(ball);
  return out;
}

}  // namespace stiction::test
