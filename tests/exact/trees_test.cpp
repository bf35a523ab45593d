// Trees in worlds: motions whose answer is known from elsewhere.
#include <gtest/gtest.h>

#include <cmath>

#include "support/laws.h"
#include "support/run.h"
#include "support/tree_scenes.h"

namespace stiction::test {
namespace {

using tree::JointKind;
constexpr double g = 9.81;  // [m/s^2]
const double pi = std::acos(-1.0);

BodyDescription rod(const Vec3& at, double mass, double length) {
  return {.shape = Capsule{0.02, length}, .mass = mass, .position = at, .collides = false};
}

/// A rod that hangs from the world by a hinge about y, at the origin, with its centre at depth l.
Scene pendulum(double angle, double l = 0.5, double mass = 2) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("rod", rod({0, 0, -l}, mass, 1.0));
  s.add_joint("hinge", CoordinateJoint{.kind = JointKind::revolute,
                                       .body = "rod",
                                       .at = Vec3{},
                                       .axis = {0, 1, 0},
                                       .position = {angle}});
  return s;
}

double agm(double a, double b) {
  while (std::fabs(a - b) > 1e-15 * a) {
    const double m = 0.5 * (a + b);
    b = std::sqrt(a * b), a = m;
  }
  return a;
}

/// [s] between the first and the last crossing of the lowest point in the same direction, over the number of
/// swings between them; crossings are interpolated.
double measured_period(World& world, int steps) {
  double first = 0, last = 0, before = world.state().joint_position[0];
  int swings = -1;
  run(world, steps, [&](const World& w, const StepReport&) {
    const double now = w.state().joint_position[0];
    if (before < 0 && now >= 0) {
      last = w.time() - w.settings().step * now / (now - before);
      if (++swings == 0) first = last;
    }
    before = now;
  });
  return (last - first) / swings;
}

TEST(Trees, APendulumKeepsThePeriodOfTheEllipticIntegral) {
  const double l = 0.5, mass = 2, angle = 2.0;
  for (const double h : {4e-3, 2e-3}) {
    World world = world_of(pendulum(angle, l, mass), {.step = h});
    const double inertia = world.model().inertia[0].y + mass * l * l;
    const double period = 2 * pi * std::sqrt(inertia / (mass * g * l)) / agm(1, std::cos(angle / 2));
    // the energy of semi-implicit Euler oscillates with the phase of the swing; its period is of second order:
    // (h w)^2 / 24 of it for small swings
    EXPECT_NEAR(measured_period(world, steps_to(20, h)), period, 20 * h * h);
  }
}

TEST(Trees, TheBooksOfAPendulumClose) {
  World world = world_of(pendulum(1.0), {.step = 5e-3});
  Worst worst(world);
  run(world, 2000, [&](const World& w, const StepReport& r) { worst.look(w, r); });
  worst.expect_lawful(1e-8);
  EXPECT_LT(worst.rise / worst.scale, 0.02);
  RecordProperty("rise", std::to_string(worst.rise / worst.scale));
}

TEST(Trees, TheBooksOfRandomTreesClose) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    World world = world_of(random_tree(seed, 12, seed % 2 == 0), {.step = 2e-3});
    Worst worst(world);
    run(world, 500, [&](const World& w, const StepReport& r) { worst.look(w, r); });
    worst.expect_lawful(1e-8);
  }
}

TEST(Trees, AFloatingTreeKeepsItsMomentumAndEnergy) {
  World world = world_of(random_tree(4, 8, true, false), {.step = 2e-3});
  const Totals start = world.ledger().now();
  run(world, 1000);
  const Totals now = world.ledger().now();
  // Runge-Kutta's error: seen 7e-10, 1e-9 and 2e-9; all three fall with the fourth power of the step
  EXPECT_NEAR(now.energy() / start.energy(), 1, 1e-8);
  EXPECT_LT(norm(now.momentum - start.momentum), 1e-8 * norm(start.momentum));
  EXPECT_LT(norm(now.angular_momentum - start.angular_momentum), 1e-8 * norm(start.angular_momentum));
}

}  // namespace
}  // namespace stiction::test
