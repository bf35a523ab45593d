// Bodies with prescribed motion: what they push, and the work they put in.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double h = 0.01, g = 9.81;

struct Push {
  World world;
  BodyId cube;
};
/// A wall moves at v against a resting cube of mass m on a floor with friction mu; no friction at the wall.
Push push_scene(double m, double mu, double v, double until) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("floor", {.friction = mu});
  scene.add_surface("wall", {.friction = 0});
  scene.surface_pairs.push_back({"floor", "wall", 0});
  scene.add_body("ground", {.kind = fixed, .shape = HalfSpace{}, .surface = "floor"});
  const BodyId cube = scene.add_body(
      "cube", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = m, .position = {0, 0, 0.1}, .surface = "floor"});
  scene.add_body(
      "pusher", {.kind = kinematic,
                 .shape = Box{{0.1, 0.5, 0.1}},
                 .surface = "wall",
                 .motion = {.time = {0, until}, .position = {{-0.15, 0, 0.1}, {-0.15 + v * until, 0, 0.1}}}});
  return {world_of(scene, {.step = h}), cube};
}

// In n steps the cube takes the momentum m v and gives n h mu m g to the floor, so the wall, always at speed
// v, works v (m v + n h mu m g): kinetic energy, as much again lost in the plastic impact, and friction heat.
// Work is impulse times mean velocity, so the first step heats half: (n - 1/2) h v mu m g.
TEST(Kinematic, TheWorkOfAPusherIsKineticEnergyImpactAndHeat) {
  const double m = 2, mu = 0.4, v = 0.5, n = 200;
  Push p = push_scene(m, mu, v, 10);
  run(p.world, int(n), [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged) << w.time() << ": " << r.explain();
    EXPECT_LT(std::fabs(w.ledger().imbalance()), 1e-12 * w.ledger().scale());
  });
  const Ledger& l = p.world.ledger();
  const double heat = (n - 0.5) * h * v * mu * m * g;
  constexpr double error = 1e-7;  // [-] tolerance of the contacts, 1e-8, times forces of up to 20 N over 1 m
  EXPECT_NEAR(l.booked(Cause::kinematic), v * (m * v + n * h * mu * m * g), error * heat);
  EXPECT_NEAR(l.booked(Cause::friction), -heat, error * heat);
  EXPECT_NEAR(l.now().kinetic, 0.5 * m * v * v, error);
  EXPECT_NEAR(l.booked(Cause::impact) + l.booked(Cause::contact), -0.5 * m * v * v - 0.5 * h * v * mu * m * g,
              error);
  EXPECT_NEAR(p.world.position(p.cube).x, n * h * v, 1e-7);
}

// A conveyor: a kinematic slab moves below a box. The box slips until it moves with the slab; heat equals the
// kinetic energy it gained, so that the drive gives twice that (minus half a step of mean velocities).
TEST(Kinematic, ASlabCarriesABoxAlong) {
  const double mu = 0.3, v = 1;
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("belt", {.friction = mu});
  scene.add_body("slab", {.kind = kinematic,
                          .shape = Box{{20, 2, 0.2}},
                          .surface = "belt",
                          .motion = {.time = {0, 10}, .position = {{0, 0, -0.1}, {10 * v, 0, -0.1}}}});
  const BodyId box = scene.add_body(
      "box", {.shape = Box{{0.4, 0.4, 0.1}}, .mass = 3, .position = {0, 0, 0.05}, .surface = "belt"});
  World world = world_of(scene, {.step = h});
  int k = 0;
  run(world, 100, [&](const World& w, const StepReport&) {
    EXPECT_NEAR(w.velocity(box).x, std::fmin(v, ++k * h * mu * g), 1e-8);
  });
  const Ledger& l = world.ledger();
  const double kinetic = 0.5 * 3 * v * v;
  EXPECT_NEAR(l.now().kinetic, kinetic, 1e-7);
  EXPECT_NEAR(l.booked(Cause::kinematic), 3 * v * v, 1e-6);  // impulse m v at the slab's speed
  EXPECT_NEAR(l.booked(Cause::friction), -kinetic, 1e-6);
}

// An elevator: weight times way; the platform never parts from the box.
TEST(Kinematic, APlatformLiftsABox) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("s", {.friction = 0.5});
  scene.add_body("platform", {.kind = kinematic,
                              .shape = Box{{1, 1, 0.1}},
                              .surface = "s",
                              .motion = {.time = {0.5, 2.5}, .position = {{0, 0, -0.05}, {0, 0, 0.95}}}});
  const BodyId box = scene.add_body(
      "box", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 1, .position = {0, 0, 0.1}, .surface = "s"});
  World world = world_of(scene, {.step = h});
  run(world, 250);
  EXPECT_NEAR(world.position(box).z, 1.1, 1e-8);
  EXPECT_NEAR(world.ledger().now().gravity_potential, g, 1e-7);
  // lifting 9.81 J, and starting: momentum 0.5 kg m/s at 0.5 m/s, half of it lost in the plastic start
  EXPECT_NEAR(world.ledger().booked(Cause::kinematic), g + 0.25, 1e-6);
  // at its last row the platform stops, the box flies on and falls back: up to v^2 / 2g = 1.3 cm
  run(world, 100);
  EXPECT_NEAR(world.position(box).z, 1.1, 1e-8);
  EXPECT_NEAR(world.ledger().now().kinetic, 0, 1e-12);
}

}  // namespace
}  // namespace stiction::test
