// Springs, drag and wrench tables against the exact map of the semi-implicit Euler step,
//     v+ = v + h f(x, v) / m,   x+ = x + h v+,
// written out here in one dimension; and against closed forms that hold at any step.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";
constexpr double h = 0.01, g = 9.81;
constexpr double round_off = 1e-12;  // 500 steps of numbers near 1, each some 1e-16 wrong, in a stable map

TEST(Forces, WeightsOnSpringsFollowTheDiscreteMap) {
  World world = world_of_file(scenes + "spring_mass.json", {{"run.method", "coulomb"}});
  const double m = 1, k = 100, l0 = 0.5, top = 1.5;
  const double damping[3] = {0, 2, 0}, linear[3] = {0, 0, 0.2}, quadratic[3] = {0, 0, 0.5};
  double z[3] = {1, 1, 1}, v[3] = {0, 0, 0}, lowest = 1;
  const BodyId body[3] = {world.body("weight.0"), world.body("weight.1"), world.body("weight.2")};
  run(world, 500, [&](const World& w, const StepReport&) {
    for (int i = 0; i < 3; ++i) {
      const double length = top - z[i];
      const double force =
          k * (length - l0) - damping[i] * v[i] - (linear[i] + quadratic[i] * std::fabs(v[i])) * v[i];
      v[i] += h * (force / m - g);
      z[i] += h * v[i];
      ASSERT_NEAR(w.position(body[i]).z, z[i], round_off) << "weight " << i << " at " << w.time();
      ASSERT_NEAR(w.velocity(body[i]).z, v[i], 10 * round_off);
    }
    lowest = std::fmin(lowest, z[0]);
  });
  EXPECT_NEAR(lowest, 1 - 2 * m * g / k, 1e-3);  // swings to twice the static sag
  EXPECT_LT(world.ledger().booked(Cause::damping), -0.1);
  EXPECT_LT(world.ledger().booked(Cause::drag), -0.1);
}

// Energy is exchanged with the step, h omega / 2 of it to and fro, but does not drift: the method is
// symplectic. The quantity it keeps is E - h v k x / 2 (x from the rest position).
TEST(Forces, ASwingingWeightKeepsItsShadowEnergy) {
  Scene scene;
  const double m = 1, k = 100, start = 0.1;
  const BodyId ball = scene.add_body("ball", {.mass = m, .position = {0.5 + start, 0, 0}, .particle = true});
  scene.add_force("spring", SpringDamper{.b = "ball", .stiffness = k, .rest_length = 0.5});
  World world = world_of(scene, {.step = h});
  const double energy = 0.5 * k * start * start;
  double shadow = 0, plain = 0;
  run(world, 20000, [&](const World& w, const StepReport&) {
    const double x = w.position(ball).x - 0.5, v = w.velocity(ball).x, e = 0.5 * m * v * v + 0.5 * k * x * x;
    shadow = std::fmax(shadow, std::fabs(e - 0.5 * h * v * k * x - energy) / energy);
    plain = std::fmax(plain, std::fabs(e - energy) / energy);
  });
  EXPECT_LT(shadow, 1e-11);        // 20000 roundings of 1e-16, in phase at worst: 2e-12
  EXPECT_NEAR(plain, 0.05, 0.01);  // h omega / 2
}

// Two bodies and a spring in free space: the centre of mass stays, the distance follows the reduced mass.
TEST(Forces, ASpringBetweenTwoBodiesKeepsTheirCentre) {
  const double ma = 1, mb = 3, k = 50, l0 = 1, reduced = ma * mb / (ma + mb);
  Scene scene;
  const BodyId a = scene.add_body("a", {.shape = Sphere{0.1}, .mass = ma, .position = {0, 0, 0}});
  const BodyId b = scene.add_body("b", {.shape = Sphere{0.1}, .mass = mb, .position = {1.2, 0, 0}});
  scene.add_force("spring",
                  SpringDamper{.a = "a", .b = "b", .stiffness = k, .damping = 0.4, .rest_length = l0});
  World world = world_of(scene, {.step = h});
  double d = 1.2, rate = 0;
  run(world, 300, [&](const World& w, const StepReport&) {
    rate += h * (-k * (d - l0) - 0.4 * rate) / reduced;
    d += h * rate;
    ASSERT_NEAR(w.position(b).x - w.position(a).x, d, round_off);
    ASSERT_NEAR((ma * w.position(a).x + mb * w.position(b).x) / (ma + mb), mb * 1.2 / (ma + mb), round_off);
  });
}

// A spring that pulls at a corner turns the body: torque = arm x force, booked with the rest of its work.
TEST(Forces, AnEccentricSpringConservesEnergyToTheOrderOfTheStep) {
  double change[2];
  for (int i = 0; i < 2; ++i) {
    const double step = 1e-3 / (1 << i);
    Scene scene;
    scene.add_body("box", {.shape = Box{{0.4, 0.2, 0.1}}, .mass = 2});
    scene.add_force("spring", SpringDamper{.b = "box",
                                           .point_a = {0.5, 0.6, 0.3},
                                           .point_b = {0.2, 0.1, 0.05},
                                           .stiffness = 80,
                                           .rest_length = 0.2});
    World world = world_of(scene, {.step = step});
    const double start = world.ledger().now().energy();
    double worst = 0;
    run(world, steps_to(1, step), [&](const World& w, const StepReport&) {
      worst = std::fmax(worst, std::fabs(w.ledger().now().energy() - start) / start);
    });
    change[i] = worst;
  }
  EXPECT_LT(change[0], 0.02);                  // h omega / 2 with omega = 10/s or so
  EXPECT_NEAR(change[0] / change[1], 2, 0.2);  // first order
}

// v+ = v - h (c1 + c2 |v|) v / m; falling, it ends at the speed where drag carries the weight.
TEST(Forces, DragBrakesToTheTerminalSpeed) {
  const double m = 2, c1 = 0.3, c2 = 0.8;
  Scene scene{.gravity = {0, 0, -g}};
  const BodyId ball = scene.add_body("ball", {.shape = Sphere{0.1}, .mass = m, .spin = {0, 0, 5}});
  scene.add_force("air", Drag{.body = "ball", .linear = c1, .quadratic = c2, .angular = 0.01});
  World world = world_of(scene, {.step = h});
  const double inertia = 0.4 * m * 0.01;
  double v = 0, w = 5;
  run(world, 1500, [&](const World& now, const StepReport&) {
    v += h * (-g - (c1 + c2 * std::fabs(v)) * v / m);
    w -= h * 0.01 * w / inertia;
    ASSERT_NEAR(now.velocity(ball).z, v, round_off);
    ASSERT_NEAR(now.spin(ball).z, w, round_off);
  });
  const double terminal = (-c1 + std::sqrt(c1 * c1 + 4 * c2 * m * g)) / (2 * c2);
  EXPECT_NEAR(world.velocity(ball).z, -terminal, 1e-9);  // the rest decays as exp(-8 t): gone after 15 s
}

// A table whose rows lie on steps: its integral is exact by the midpoint rule, h sum F(t + h/2) = sum of
// trapezia.
TEST(Forces, AWrenchTableGivesItsIntegral) {
  Scene scene;
  const double m = 2, side = 0.3;
  const BodyId box = scene.add_body("box", {.shape = Box{{side, side, side}}, .mass = m});
  scene.add_force("push", Wrench{.body = "box",
                                 .time = {0.1, 0.3, 0.6},
                                 .force = {{0, 0, 0}, {4, 1, 0}, {2, 0, -3}},
                                 .torque = {{0, 0, 0.2}, {0, 0, 0.1}, {0, 0, 0.4}}});
  World world = world_of(scene, {.step = h});
  run(world, 10);
  EXPECT_EQ(world.velocity(box), Vec3{});  // nothing before the first row
  run(world, 90);                          // and nothing after the last
  const Vec3 impulse = 0.5 * 0.2 * Vec3{4, 1, 0} + 0.5 * 0.3 * Vec3{6, 1, -3};
  const double turn = 0.5 * 0.2 * 0.3 + 0.5 * 0.3 * 0.5, inertia = m * side * side / 6;
  EXPECT_LT(norm(world.velocity(box) - impulse / m), round_off);
  EXPECT_NEAR(world.spin(box).z, turn / inertia, round_off);
  EXPECT_NEAR(world.ledger().booked(Cause::wrench), world.ledger().now().kinetic, round_off);
}

// A thruster that turns with the body: with constant spin w the force turns by the same angle each step.
TEST(Forces, AWrenchInBodyAxesTurnsWithTheBody) {
  Scene scene;
  const double w = 2;
  const BodyId ball = scene.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .spin = {0, 0, w}});
  scene.add_force("thrust",
                  Wrench{.body = "ball", .force = {{3, 0, 0}}, .torque = {{0, 0, 0}}, .body_frame = true});
  World world = world_of(scene, {.step = h});
  const double turn = 2 * std::atan(h * w / 2);  // the Cayley map's angle of one step
  Vec3 v;
  int k = 0;
  run(world, 400, [&](const World& now, const StepReport&) {
    v += (3 * h) * Vec3{std::cos(k * turn), std::sin(k * turn), 0};
    ++k;
    ASSERT_LT(norm(now.velocity(ball) - v), round_off * 10);
  });
}

}  // namespace
}  // namespace stiction::test
