// Bodies that lie on each other and fly together press with nothing but round-off: that is no miss.
#include <gtest/gtest.h>

#include "support/run.h"

namespace stiction::test {
namespace {

class Flight : public testing::TestWithParam<double> {};

TEST_P(Flight, OfASettledStackIsCertified) {
  Scene scene{.gravity = {0, 0, -9.81}};
  scene.add_surface("wood", {.friction = 0.5});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "wood"});
  for (int i = 0; i < 3; ++i)
    scene.add_body(
        "cube" + std::to_string(i),
        {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 1, .position = {0, 0, 0.1 + 0.2 * i}, .surface = "wood"});
  World world = world_of(scene, {.step = 0.01});
  run(world, 10);
  for (int i = 0; i < 3; ++i) {
    const BodyId cube = world.body("cube" + std::to_string(i));
    value_of(world.teleport(cube, world.position(cube), world.orientation(cube), {0.3, 0, GetParam()}, {}));
  }
  int missed = 0;
  run(world, 150, [&](const World&, const StepReport& r) { missed += !r.converged; });
  EXPECT_EQ(missed, 0);
}

INSTANTIATE_TEST_SUITE_P(Speeds, Flight, testing::Values(0.6, 2.0, 5.0));  // [m/s]

}  // namespace
}  // namespace stiction::test
