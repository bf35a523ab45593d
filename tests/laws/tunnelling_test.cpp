// Nothing tunnels: however fast a body is and however thin the wall, it ends on the side where it started.
#include <gtest/gtest.h>

#include <cmath>

#include "support/recompute.h"
#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double tolerance = 1e-8;

class Speed : public testing::TestWithParam<double> {};

// A ball of 1 cm against a static plate of 1 mm; at 1000 m/s it flies 10 m in a step.
TEST_P(Speed, ABallStopsAtAThinPlate) {
  for (const double distance : {0.02, 0.5, 3.33, 9.99}) {
    Scene scene;
    scene.add_body("plate", {.kind = fixed, .shape = Box{{0.001, 30, 30}}});
    const BodyId ball = scene.add_body("ball", {.shape = Sphere{0.01},
                                                .mass = 1,
                                                .position = {-distance, 0.1, 0.2},
                                                .velocity = {GetParam(), 0.3 * GetParam(), 0}});
    World world = world_of(scene);
    run(world, 30, [&](const World& w, const StepReport& r) {
      EXPECT_TRUE(r.converged) << r.explain();
      ASSERT_LE(w.position(ball).x, -0.0105 + 0.02 * tolerance)
          << "distance " << distance << " at " << w.time();
    });
  }
}

// The plate moves too, and is lighter than the ball.
TEST_P(Speed, ABallTakesAFreePlateAlong) {
  Scene scene;
  const BodyId plate = scene.add_body(
      "plate", {.shape = Box{{0.002, 1, 1}}, .mass = 0.5, .velocity = {-0.5 * GetParam(), 0, 0}});
  const BodyId ball = scene.add_body(
      "ball", {.shape = Sphere{0.01}, .mass = 1, .position = {-0.7, 0, 0}, .velocity = {GetParam(), 0, 0}});
  World world = world_of(scene);
  run(world, 200, [&](const World& w, const StepReport&) {
    ASSERT_GE(w.position(plate).x - w.position(ball).x, 0.011 - 1e-6) << w.time();
  });
  EXPECT_NEAR(world.velocity(ball).x, (1 - 0.25) * GetParam() / 1.5, 1e-6 * GetParam());
}

// Two pellets that would pass through each other within one step.
TEST_P(Speed, TwoPelletsMeet) {
  Scene scene;
  const BodyId a = scene.add_body(
      "a", {.shape = Sphere{0.005}, .mass = 1, .position = {-0.4, 0, 0}, .velocity = {GetParam(), 0, 0}});
  const BodyId b = scene.add_body(
      "b", {.shape = Sphere{0.005}, .mass = 1, .position = {0.3, 0, 0}, .velocity = {-GetParam(), 0, 0}});
  World world = world_of(scene);
  run(world, 100, [&](const World& w, const StepReport&) {
    ASSERT_GE(w.position(b).x - w.position(a).x, 0.01 - 0.01 * tolerance);
  });
  EXPECT_NEAR(world.velocity(a).x, 0, 1e-6 * GetParam());
}

// The ball that rests near the thin wall is not fast at all until it is hit: the wall must hold it in the
// same step.
TEST_P(Speed, ABallThatIsHitStaysBeforeTheWall) {
  for (const double gap : {0.0, 1e-6, 0.01, 0.3}) {
    Scene scene;
    scene.add_body("wall", {.kind = fixed, .shape = Box{{0.002, 4, 4}}, .position = {0.001, 0, 0}});
    const BodyId resting =
        scene.add_body("resting", {.shape = Sphere{0.05}, .mass = 0.1, .position = {-0.05 - gap, 0, 0}});
    const BodyId fast = scene.add_body("fast", {.shape = Sphere{0.05},
                                                .mass = 10,
                                                .position = {-0.15 - gap - 0.2, 0.01, 0},
                                                .velocity = {GetParam(), 0, 0}});
    World world = world_of(scene);
    run(world, 60, [&](const World& w, const StepReport&) {
      ASSERT_LE(w.position(resting).x, -0.05 + 1e-6) << "gap " << gap << " at " << w.time();
      ASSERT_LE(w.position(fast).x, -0.05 + 1e-6);
    });
  }
}

// Down the line: three balls at rest, the last one near the wall, and a hit at the far end.
TEST_P(Speed, AHitTravelsDownARowWithinTheStep) {
  Scene scene;
  scene.add_body("wall", {.kind = fixed, .shape = Box{{0.002, 4, 4}}, .position = {0.001, 0, 0}});
  BodyId ball[4];
  for (int i = 0; i < 4; ++i)
    ball[i] = scene.add_body("ball." + std::to_string(i),
                             {.shape = Sphere{0.05},
                              .mass = i == 3 ? 5.0 : 0.5,
                              .position = {-0.06 - 0.11 * i - (i == 3 ? 0.3 : 0), 0, 0},
                              .velocity = {i == 3 ? GetParam() : 0, 0, 0}});
  World world = world_of(scene);
  run(world, 60, [&](const World& w, const StepReport&) {
    for (int i = 0; i < 4; ++i) {
      ASSERT_LE(w.position(ball[i]).x, -0.05 - 0.1 * i + 1e-6) << "ball " << i << " at " << w.time();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Tunnelling, Speed, testing::Values(1.0, 10.0, 100.0, 1000.0));

// A rod that spins so fast that its tip passes the wall's thickness many times over in a step.
TEST(Tunnelling, ASpinningRodDoesNotReachThroughAWall) {
  for (const double spin : {5.0, 20.0, 60.0}) {
    Scene scene;
    scene.add_body("wall", {.kind = fixed, .shape = HalfSpace{{-1, 0, 0}}});
    const BodyId rod = scene.add_body("rod", {.shape = Capsule{0.01, 0.8},
                                              .mass = 1,
                                              .position = {-0.3, 0, 0},
                                              .velocity = {1, 0, 0},
                                              .spin = {0, spin, 0}});
    World world = world_of(scene);
    run(world, 100, [&](const World& w, const StepReport& r) {
      const Vec3 axis = rotate(w.orientation(rod), {0, 0, 0.4});
      const double reach = w.position(rod).x + std::fabs(axis.x) + 0.01;
      ASSERT_LE(reach, 1e-6) << "spin " << spin << " at " << w.time() << ": " << r.explain();
    });
  }
}

TEST(Tunnelling, AFallingBoxDoesNotPassAThinShelf) {
  for (const double height : {1.0, 50.0, 5000.0}) {
    Scene scene{.gravity = {0, 0, -9.81}};
    scene.add_surface("s", {.friction = 0.5});
    // so wide that a box that tumbles away after the impact stays on it
    scene.add_body("shelf", {.kind = fixed, .shape = Box{{200, 200, 0.001}}, .surface = "s"});
    const double v = std::sqrt(2 * 9.81 * height);
    const BodyId box = scene.add_body("box", {.shape = Box{{0.1, 0.1, 0.1}},
                                              .mass = 1,
                                              .position = {0.02, 0.01, 1.234},
                                              .orientation = normalized(Quat{0.9, 0.3, 0.2, 0.1}),
                                              .velocity = {0, 0, -v},
                                              .surface = "s"});
    World world = world_of(scene);
    run(world, 1000,
        [&](const World& w, const StepReport&) { ASSERT_GT(w.position(box).z, 0.05) << height; });
    EXPECT_NEAR(world.position(box).z, 0.0505, 1e-6);
  }
}

}  // namespace
}  // namespace stiction::test
