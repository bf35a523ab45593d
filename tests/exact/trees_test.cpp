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
  s.add_joint(
      "hinge",
      CoordinateJoint{
          .kind = JointKind::revolute, .body = "rod", .at = Vec3{}, .axis = {0, 1, 0}, .position = {angle}});
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
    // the energy of semi-implicit Euler oscillates with the phase of the swing; its period is of second
    // order: (h w)^2 / 24 of it for small swings
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

/// A floor, and a bar of length 2 a whose halves are one body, or two that a fixed joint holds together.
Scene bar(bool two, const Vec3& velocity, const Vec3& spin, double height) {
  const double a = 0.3, b = 0.1, mass = 1;
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_surface("wood", {.friction = 0.4});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, 0}, .surface = "wood"});
  if (!two) {
    s.add_body("bar", {.shape = Box{{2 * a, b, b}},
                       .mass = 2 * mass,
                       .position = {0, 0, height},
                       .velocity = velocity,
                       .spin = spin,
                       .surface = "wood"});
    return s;
  }
  for (const int side : {-1, 1})
    s.add_body(side < 0 ? "left" : "right", {.shape = Box{{a, b, b}},
                                             .mass = mass,
                                             .position = {0.5 * side * a, 0, height},
                                             .velocity = velocity + cross(spin, {0.5 * side * a, 0, 0}),
                                             .spin = spin,
                                             .surface = "wood"});
  s.add_joint("glue", CoordinateJoint{.kind = JointKind::fixed, .body = "right", .parent = "left"});
  return s;
}

TEST(Trees, TwoGluedBodiesMoveAsOne) {
  // flies, lands and slides to rest: the free motions differ by the order of the method, h^2 per unit of time
  const Vec3 velocity{1, 0.4, 0}, spin{0.2, 0.3, 1};
  for (const double h : {2e-3, 1e-3}) {
    World one = world_of(bar(false, velocity, spin, 0.3), {.step = h}),
          two = world_of(bar(true, velocity, spin, 0.3), {.step = h});
    Worst laws(two);
    double apart = 0;
    for (int i = 0; i < steps_to(1.5, h); ++i) {
      one.step();
      const StepReport r = two.step();
      if (!r.converged) ADD_FAILURE() << two.time() << " " << r.explain();
      laws.look(two, r);
      const Vec3 middle = 0.5 * (two.state().position[1] + two.state().position[2]);
      apart = std::fmax(apart, norm(middle - one.state().position[1]));
    }
    laws.expect_lawful(1e-8);
    std::printf("apart %g end %g %g\n", apart, norm(two.state().velocity[1]), norm(one.state().velocity[1]));
  }
}

TEST(Trees, AHingedArmRestsOnTheFloor) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_surface("rubber", {.friction = 0.8});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, 0}, .surface = "rubber"});
  s.add_body("arm", {.shape = Box{{1, 0.1, 0.1}}, .mass = 2, .position = {0.5, 0, 0.5}});
  s.add_body("foot",
             {.shape = Box{{0.2, 0.1, 0.1}}, .mass = 1, .position = {1, 0, 0.5}, .surface = "rubber"});
  s.add_joint(
      "shoulder",
      CoordinateJoint{.kind = JointKind::revolute, .body = "arm", .at = Vec3{0, 0, 0.5}, .axis = {0, 1, 0}});
  s.add_joint("ankle", CoordinateJoint{.kind = JointKind::revolute,
                                       .body = "foot",
                                       .parent = "arm",
                                       .at = Vec3{1, 0, 0.5},
                                       .axis = {0, 1, 0},
                                       .damping = {0.1}});
  World world = world_of(s, {.step = 2e-3});
  Worst laws(world);
  run(world, 2000, [&](const World& w, const StepReport& r) {
    if (!r.converged) ADD_FAILURE() << w.time() << " " << r.explain();
    laws.look(w, r);
  });
  laws.expect_lawful(1e-8);
  std::printf("q %.12g %.12g v %g %g\n", world.state().joint_position[0], world.state().joint_position[1],
              world.state().joint_velocity[0], world.state().joint_velocity[1]);
  for (const Contact& c : world.contacts()) std::printf("gap %g force %g\n", c.gap, norm(c.force));
}

}  // namespace
}  // namespace stiction::test
