// A ball slides without friction from the top of a fixed ball, started with speed v0. With R the distance of
// the centres, it leaves where the normal force vanishes: cos(angle) = 2/3 + v0^2 / (3 g R).
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81, R = 1.1, v0 = 0.5;  // [m/s^2], [m], [m/s]

struct Slide {
  double cosine = 0;  // [-] of the angle where contact ends
  double rise = 0;    // [J] of the total energy (mass 1 kg)
  double lift = 0;    // [J] what stabilisation put in
};

Slide slide(double h) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("ice", {.friction = 0});
  scene.add_body("dome", {.kind = fixed, .shape = Sphere{1.0}, .surface = "ice"});
  const BodyId ball = scene.add_body(
      "ball",
      {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, R}, .velocity = {v0, 0, 0}, .surface = "ice"});
  World world = world_of(scene, {.step = h, .tolerance = 1e-10});
  Slide out;
  double lowest = 0;
  for (bool touches = true; touches;) {
    const StepReport r = world.step();
    EXPECT_TRUE(r.converged) << r.explain();
    const Ledger& l = world.ledger();
    const double energy = l.now().energy() - l.start().energy();
    out.rise = std::fmax(out.rise, energy - lowest), lowest = std::fmin(lowest, energy);
    touches = world.time() < 0.05;
    for (const Contact& c : world.contacts(ball)) touches |= c.impulse != Vec3{};
    out.cosine = world.position(ball).z / norm(world.position(ball));
  }
  out.lift = world.ledger().booked(Cause::stabilisation);
  return out;
}

TEST(Dome, TheBallLeavesWhereTheNormalForceVanishes) {
  const double exact = 2.0 / 3 + v0 * v0 / (3 * g * R);
  const Slide coarse = slide(at_size(0.004, 0.002)), fine = slide(at_size(0.002, 0.001));
  const double h = at_size(0.002, 0.001);
  // Semi-implicit Euler: velocities are off by g h at most, contact ends within a step of h: of order h, with
  // the speed sqrt(2 g R / 3) and the force's slope as the constants; 10 h / s is above both.
  EXPECT_LT(std::fabs(fine.cosine - exact), 10 * h);
  EXPECT_LT(std::fabs(fine.cosine - exact), 0.75 * std::fabs(coarse.cosine - exact));
  EXPECT_LT(fine.rise, 1e-12 * g * R);  // round-off: in the middle frame the impulse is across the velocity
  EXPECT_LT(std::fabs(fine.lift), 1e-9 * g * R);
  RecordProperty("cosine_error", std::to_string(fine.cosine - exact));
}

}  // namespace
}  // namespace stiction::test
