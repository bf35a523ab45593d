// What friction holds, the default method holds: a capsule between two walls at 0.99 of what friction can
// carry, at h = 1/100 s and tolerance 1e-8. Other bars of the method: incline_test.cpp, sphere_test.cpp,
// piles_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81, mu = 0.5, r = 0.05, length = 0.2;  // [m/s^2], [-], [m], [m]
constexpr double most_creep = 1e-9;                           // [m/s] published

/// [m/s] the largest speed of the body against `carried`, from the second step on: the first lets it settle
/// on its contacts.
double creep_speed(World& world, BodyId body, const Vec3& carried, int steps) {
  double worst = 0;
  int k = 0;
  run(world, steps, [&](const World& w, const StepReport& report) {
    EXPECT_TRUE(report.converged) << report.explain();
    if (++k > 1) worst = std::fmax(worst, norm(w.velocity(body) - carried));
  });
  return worst;
}

/// A groove along x of two walls at `half` rad from its middle plane, falling by `slope` rad; a capsule lies
/// in it. Each wall carries m g cos(slope) / (2 sin(half)), so that friction holds the capsule up to
/// tan(slope) = mu / sin(half). The groove is turned by `heading` about z and moves with `velocity`.
Scene groove(double half, double slope, double heading, const Vec3& velocity) {
  const Quat q = turn_about({0, 0, 1}, heading) * turn_about({0, 1, 0}, slope);
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("rubber", {.friction = mu});
  for (const double side : {-1.0, 1.0})
    scene.add_body(side < 0 ? "left" : "right",
                   {.kind = kinematic,
                    .shape = HalfSpace{{0, side * std::cos(half), std::sin(half)}},
                    .orientation = q,
                    .surface = "rubber",
                    .motion = {.time = {0, 100}, .position = {{}, 100 * velocity}}});
  scene.add_body("capsule", {.shape = Capsule{r, length},
                             .mass = 1,
                             .position = rotate(q, {0, 0, r / std::sin(half)}),
                             .orientation = q * turn_about({0, 1, 0}, std::numbers::pi / 2),
                             .velocity = velocity,
                             .surface = "rubber"});
  return scene;
}

TEST(DefaultMethod, ACapsuleInAGrooveIsHeldByFriction) {
  for (const double half : {0.2, 0.8})
    for (const double heading : {0.0, 0.6})
      for (const Vec3& velocity : {Vec3{}, Vec3{0.1, -0.05, 0.2}}) {
        const double slope = std::atan(0.99 * mu / std::sin(half));
        World world = world_of(groove(half, slope, heading, velocity));
        EXPECT_LT(creep_speed(world, world.body("capsule"), velocity, at_size(300, 1000)), most_creep)
            << "half " << half << ", heading " << heading << ", velocity " << velocity.z;
      }
}

// Above it slides: v_k = k h g (sin(slope) - mu cos(slope) / sin(half)).
TEST(DefaultMethod, ACapsuleInASteeperGrooveSlidesAsCoulombSays) {
  const double half = 0.4, slope = std::atan(1.01 * mu / std::sin(half)), h = 0.01;
  World world = world_of(groove(half, slope, 0, {}));
  const BodyId capsule = world.body("capsule");
  run(world, 100);
  const double exact = 100 * h * g * (std::sin(slope) - mu * std::cos(slope) / std::sin(half));
  EXPECT_NEAR(norm(world.velocity(capsule)), exact, 1e-6 * exact);  // tolerance 1e-8 of h g each step
}

// A finger presses the capsule against a fixed wall with the force F, and friction carries up to 2 mu F. How
// the ends of the capsule share F is not determined, and where they share it unevenly turning downwards is a
// solution too: at rest it is the one that holds which is taken.
struct Finger {
  World world;
  BodyId capsule;
};
Finger finger(double tilt, double load) {  // [rad] from upright, [-] weight over 2 mu F
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("rubber", {.friction = mu});
  scene.add_body("wall", {.kind = fixed, .shape = HalfSpace{{1, 0, 0}}, .surface = "rubber"});
  scene.add_body(
      "finger",
      {.shape = Box{{0.02, 0.4, 0.4}}, .mass = 0.3, .position = {2 * r + 0.01, 0, 0}, .surface = "rubber"});
  scene.add_joint("slider", CoordinateJoint{.kind = tree::JointKind::prismatic,
                                            .body = "finger",
                                            .axis = {-1, 0, 0},
                                            .force = {{g / (2 * mu) / load}}});
  const BodyId capsule = scene.add_body("capsule", {.shape = Capsule{r, length},
                                                    .mass = 1,
                                                    .position = {r, 0, 0},
                                                    .orientation = turn_about({1, 0, 0}, tilt),
                                                    .surface = "rubber"});
  return {world_of(scene), capsule};
}

constexpr double tilts[] = {0, 0.5, 1, 1.3, 0.5 * std::numbers::pi};

TEST(DefaultMethod, ACapsuleBetweenFingerAndWallIsHeldByFriction) {
  for (const double tilt : tilts)
    for (const double load : {0.7, 0.99, 0.999}) {
      Finger f = finger(tilt, load);
      EXPECT_LT(creep_speed(f.world, f.capsule, {}, at_size(300, 1000)), most_creep)
          << "tilt " << tilt << ", load " << load;
    }
}

// Above the limit nothing holds it: a step of 0.01 s gives it at least h g (1 - 1/load).
TEST(DefaultMethod, ACapsuleThatIsTooHeavyFalls) {
  for (const double tilt : tilts) {
    Finger f = finger(tilt, 1.01);
    f.world.step();
    EXPECT_GT(-f.world.velocity(f.capsule).z, 0.999 * 0.01 * g * (1 - 1 / 1.01)) << "tilt " << tilt;
  }
}

}  // namespace
}  // namespace stiction::test
