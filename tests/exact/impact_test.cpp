// Plastic impacts (restitution 0) of free bodies. The step in which a gap closes ends with the gap at zero;
// the step after it takes away what is left of the approach.
#include <gtest/gtest.h>

#include <cmath>

#include "support/recompute.h"
#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double round_off = 1e-12;

TEST(Impact, TwoSpheresStickTogetherAlongTheirLine) {
  const double ma = 1, mb = 3, va = 2, vb = -0.5;
  Scene scene;
  const BodyId a = scene.add_body("a", {.shape = Sphere{0.1}, .mass = ma, .velocity = {va, 0, 0}});
  const BodyId b = scene.add_body(
      "b", {.shape = Sphere{0.2}, .mass = mb, .position = {1.003, 0, 0}, .velocity = {vb, 0, 0}});
  World world = world_of(scene);
  run(world, 100, [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged) << r.explain();
    EXPECT_NEAR(ma * w.velocity(a).x + mb * w.velocity(b).x, ma * va + mb * vb, round_off);
    EXPECT_GE(w.position(b).x - w.position(a).x,
              0.3 - 1e-8 * 0.2);  // tolerance times the smaller sphere's size
  });
  const double common = (ma * va + mb * vb) / (ma + mb);
  EXPECT_NEAR(world.velocity(a).x, common, 1e-9);
  EXPECT_NEAR(world.velocity(b).x, common, 1e-9);
  const double lost = 0.5 * ma * mb / (ma + mb) * (va - vb) * (va - vb);
  EXPECT_NEAR(world.ledger().booked(Cause::impact) + world.ledger().booked(Cause::contact), -lost, 1e-8);
}

// Off-centre and rough: momentum stays to round-off; angular momentum changes only by what the ledger books
// as `numerics`, h (v_b - v_a) x p, which vanishes with the step.
TEST(Impact, AnObliqueImpactKeepsMomentum) {
  double change[2];
  for (int i = 0; i < 2; ++i) {
    Scene scene;
    scene.add_surface("s", {.friction = 0.3});
    scene.add_body(
        "a", {.shape = Sphere{0.1}, .mass = 1, .velocity = {2, 0, 0}, .spin = {1, 0, 4}, .surface = "s"});
    scene.add_body("b", {.shape = Sphere{0.1}, .mass = 2, .position = {1.004, 0.08, 0.03}, .surface = "s"});
    const double h = 0.01 / (1 << (4 * i));
    World world = world_of(scene, {.step = h});
    const Recomputed start = recompute(world.model(), world.state());
    run(world, steps_to(1, h));
    const Recomputed end = recompute(world.model(), world.state());
    EXPECT_LT(norm(end.momentum - start.momentum), round_off);
    EXPECT_LT(end.kinetic, 0.9 * start.kinetic);
    EXPECT_GT(end.kinetic, 0.3 * start.kinetic);
    change[i] = norm(end.angular_momentum - start.angular_momentum);
    const Vec3 booked = world.ledger().booked_angular_momentum(Cause::numerics) +
                        world.ledger().booked_angular_momentum(Cause::stabilisation);
    EXPECT_LT(norm(end.angular_momentum - start.angular_momentum - booked), round_off);
  }
  EXPECT_LT(change[0], 0.02);  // h |v| |p| = 0.01 * 2 * 1
  EXPECT_LT(change[1],
            change[0] / 4);  // the step is 16 times smaller; how far the gap is from closing varies
}

// Newton's cradle without restitution: the ball that hits takes the row along.
TEST(Impact, ARowOfBallsMovesOnTogether) {
  Scene scene;
  BodyId ball[5];
  for (int i = 0; i < 5; ++i)
    ball[i] = scene.add_body("ball." + std::to_string(i), {.shape = Sphere{0.1},
                                                           .mass = 1,
                                                           .position = {i == 0 ? -0.5 : 0.2 * i, 0, 0},
                                                           .velocity = {i == 0 ? 5.0 : 0, 0, 0}});
  World world = world_of(scene);
  run(world, 50, [](const World&, const StepReport& r) { EXPECT_TRUE(r.converged) << r.explain(); });
  for (const BodyId b : ball) EXPECT_NEAR(world.velocity(b).x, 1, 1e-9);
}

// A cube dropped flat ends flat, at rest, where the floor is; its energy is booked as impact.
TEST(Impact, ACubeDroppedFlatComesToRest) {
  Scene scene{.gravity = {0, 0, -9.81}};
  scene.add_surface("s", {.friction = 0.5});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "s"});
  const BodyId cube = scene.add_body(
      "cube", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 1, .position = {0, 0, 0.6}, .surface = "s"});
  World world = world_of(scene);
  run(world, 100);
  EXPECT_NEAR(world.position(cube).z, 0.1, 1e-9);
  EXPECT_LT(norm(world.velocity(cube)), round_off);
  EXPECT_LT(angle_between(world.orientation(cube), {}), 1e-9);
  EXPECT_NEAR(world.ledger().now().gravity_potential, -0.5 * 9.81, 1e-8);
}

}  // namespace
}  // namespace stiction::test
