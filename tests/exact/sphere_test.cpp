// A sphere that slides, then rolls. Angular momentum about the contact point is conserved, whatever the
// friction: it ends rolling at (5 v0 - 2 r w0) / 7 (w0: backspin), and from then on nothing brakes it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";
constexpr double h = 0.01, g = 9.81, mu = 0.3, r = 0.1;

/// [m/s] published for v0 = 1 m/s. Measured 1e-15.
constexpr double speed_error = 1e-9;
/// [-] published: relative loss of energy over 10 s of rolling. Measured 0.
constexpr double energy_error = 1e-12;

TEST(Sphere, SlidesThenRollsAtFiveSevenths) {
  World world = world_of_file(scenes + "rolling_sphere.json");
  const BodyId ball = world.body("ball");
  const double v0 = 1, rolling = 5.0 / 7 * v0;
  double x = 0;
  int k = 0;
  run(world, 200, [&](const World& w, const StepReport& report) {
    EXPECT_TRUE(report.converged) << report.explain();
    const double v = std::fmax(rolling, v0 - ++k * h * mu * g);  // the discrete exact answer
    x += h * v;
    EXPECT_NEAR(w.velocity(ball).x, v, speed_error);
    EXPECT_NEAR(w.position(ball).x, x, speed_error);
  });
  EXPECT_NEAR(world.velocity(ball).x, rolling, speed_error);
  EXPECT_NEAR(world.spin(ball).y, rolling / r, speed_error / r);
  EXPECT_NEAR(world.position(ball).z, r, 1e-8 * 2 * r);  // the tolerance of the scene times the ball's size

  const double before = world.ledger().now().kinetic;
  double loss = 0;
  run(world, 1000, [&](const World& w, const StepReport&) {
    loss = std::fmax(loss, std::fabs(w.ledger().now().kinetic - before) / before);
  });
  EXPECT_LT(loss, energy_error);
  // heat = m v0^2 / 7
  EXPECT_NEAR(world.ledger().booked(Cause::friction), -1.0 / 7, speed_error);
}

TEST(Sphere, RollsTheSameInEveryDirection) {
  for (const double heading : {0.4, 0.785398, 2.0, 4.5}) {
    const Vec3 way{std::cos(heading), std::sin(heading), 0};
    Scene scene{.gravity = {0, 0, -g}};
    scene.add_surface("cloth", {.friction = mu});
    scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "cloth"});
    const BodyId ball = scene.add_body(
        "ball", {.shape = Sphere{r}, .mass = 1, .position = {0, 0, r}, .velocity = way, .surface = "cloth"});
    World world = world_of(scene);
    run(world, 200);
    EXPECT_LT(norm(world.velocity(ball) - 5.0 / 7 * way), speed_error);
    const Vec3 x = world.position(ball);
    EXPECT_LT(std::fabs(x.x * way.y - x.y * way.x), speed_error);  // no drift to the side
  }
}

TEST(Sphere, ComesBackWithBackspin) {
  World world = world_of_file(scenes + "sliding_sphere.json");
  const BodyId ball = world.body("ball");
  run(world, 200);
  const double rolling = (5 * 1.0 - 2 * r * 30) / 7;
  EXPECT_LT(rolling, 0);
  EXPECT_NEAR(world.velocity(ball).x, rolling, speed_error);
  EXPECT_NEAR(world.spin(ball).y, rolling / r, speed_error / r);
}

// Rolling down a slope without slip: a = 5/7 g sin, as long as mu > 2/7 tan.
TEST(Sphere, RollsDownASlope) {
  const double tangent = 0.5, c = 1 / std::sqrt(1 + tangent * tangent), a = 5.0 / 7 * g * tangent * c;
  const Vec3 normal{c * tangent, 0, c}, down{c, 0, -c * tangent};
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("cloth", {.friction = mu});
  scene.add_body("slope", {.kind = fixed, .shape = HalfSpace{normal}, .surface = "cloth"});
  const BodyId ball =
      scene.add_body("ball", {.shape = Sphere{r}, .mass = 1, .position = r * normal, .surface = "cloth"});
  World world = world_of(scene);
  int k = 0;
  double worst = 0;
  run(world, 200, [&](const World& w, const StepReport&) {
    ++k;
    worst = std::fmax(worst, std::fabs(dot(w.position(ball), down) - h * h * a * k * (k + 1) / 2));
  });
  EXPECT_LT(worst, 1e-8);  // [m] over 7 m: ten times what the contact's tolerance times 0.1 m allows
  EXPECT_NEAR(world.spin(ball).y, 200 * h * a / r, 1e-7);
}

}  // namespace
}  // namespace stiction::test
