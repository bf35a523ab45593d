// Energy comes from nowhere in no run that is called good, and runs where it does are not called good:
// springs, dampers and drag that a step is too large for, and 200 random scenes without sources (10,000 at
// full size). docs/theory/ledger.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/step/rises.h"
#include "support/random.h"
#include "support/run.h"

namespace stiction::test {
namespace {

/// Without gravity: 1 kg, 1 m off and moving, on what `force` says of it.
World one_mass(const SpringDamper& force, const std::string& method, double h, const Vec3& velocity) {
  Scene s;
  s.add_body("mass", {.mass = 1, .position = {1, 0, 0}, .velocity = velocity, .particle = true});
  s.add_force("only", force);
  return world_of(s, {.step = h, .method = method});
}

/// Of semi-implicit Euler: (v^2 + w^2 q^2 - h w^2 q v)/2 is constant, so that with r = h w/2 the energy runs
/// from E/(1 + r) to E/(1 - r), the kinetic one up to E/(1 - r^2), the other likewise: it rises by r times
/// their sum.
TEST(EnergyOfRuns, RisesByHalfOfHwForASpring) {
  for (const double hw : {0.01, 0.1, 0.4}) {
    World world = one_mass({.b = "mass", .stiffness = 1}, "semi_implicit_euler", hw, {0, 1, 0});
    run(world, int(40 / hw));
    EXPECT_NEAR(world.ledger().unexplained_rise(), 0.5 * hw, 0.1 * 0.5 * hw) << hw;
    EXPECT_EQ(step::rise_in_words(world.model(), world.state(), world.settings()), "");
  }
}

TEST(EnergyOfRuns, ASpringThatSwingsTooFarIsNamed) {
  World world = one_mass({.b = "mass", .stiffness = 1}, "semi_implicit_euler", 1.975, {});
  run(world, 400);
  EXPECT_GT(world.ledger().unexplained_rise(), 0.9);
  const std::string found = step::rise_in_words(world.model(), world.state(), world.settings());
  EXPECT_NE(found.find("numerics"), std::string::npos) << found;
  EXPECT_NE(found.find("spring 'only'"), std::string::npos) << found;
}

TEST(EnergyOfRuns, ADamperThatDivergesIsNamed) {
  for (const char* method : {"coulomb", "semi_implicit_euler", "explicit_euler"}) {
    World world = one_mass({.b = "mass", .damping = 5}, method, 1, {1, 0, 0});
    run(world, 30);
    EXPECT_GT(world.ledger().now().kinetic, 1e20);
    EXPECT_GT(world.ledger().unexplained_rise(), 0.5) << method;
    const std::string found = step::rise_in_words(world.model(), world.state(), world.settings());
    EXPECT_NE(found.find("by damping"), std::string::npos) << found;
    EXPECT_NE(found.find("spring 'only'"), std::string::npos) << found;
  }
}

TEST(EnergyOfRuns, DragThatDivergesIsNamed) {
  Scene s;
  s.add_body("mass", {.mass = 1, .velocity = {1, 0, 0}, .particle = true});
  s.add_force("air", Drag{.body = "mass", .linear = 5});
  World world = world_of(s, {.step = 1});
  run(world, 30);
  const std::string found = step::rise_in_words(world.model(), world.state(), world.settings());
  EXPECT_NE(found.find("by drag on 'mass'"), std::string::npos) << found;
}

// Dampers and drag that a step is not too large for take energy only.
TEST(EnergyOfRuns, RightDampersOnlyTake) {
  World world = one_mass({.b = "mass", .damping = 1}, "coulomb", 0.5, {1, 0, 0});
  run(world, 100);
  EXPECT_LE(world.ledger().unexplained_rise(), 1e-9);
}

Shape random_shape(Random& random) {
  const double a = random.between(0.04, 0.12), b = random.between(0.04, 0.12), c = random.between(0.04, 0.12);
  switch (random.below(5)) {
    case 0:
      return Sphere{a};
    case 1:
      return Box{{2 * a, 2 * b, 2 * c}};
    case 2:
      return Capsule{0.5 * a, b};
    case 3:
      return ConvexShape(Cylinder{a, 2 * b});
    default:
      return ConvexShape(Ellipsoid{{a, b, c}});
  }
}

Scene random_scene(Random& random) {
  Scene s{.gravity = {random.between(-2, 2), random.between(-2, 2), -9.81}};
  for (const char* name : {"a", "b"})
    s.add_surface(name, {.friction = random.below(3) == 0 ? 0 : random.between(0, 1)});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "a"});
  const int bodies = 2 + random.below(5);
  for (int i = 0; i < bodies; ++i)
    s.add_body("body." + std::to_string(i),
               {.shape = random_shape(random),
                .mass = 0.1 * std::exp(random.between(0, std::log(100.0))),
                .position = {0.3 * (i % 2), 0.3 * (i / 2 % 2), 0.25 + 0.3 * (i / 4)},
                .orientation = random.rotation(),
                .velocity = random.vector(2),
                .spin = random.vector(5),
                .surface = random.below(2) == 0 ? "a" : "b"});
  return s;
}

// Bodies under gravity, in contact, without anything that could give energy: no step adds more than 1e-6 of
// the energy of the run, nor does the run; and the energy less what rotation's steps make of it never rises.
TEST(EnergyOfRuns, NothingIsGainedInRandomScenes) {
  const int scenes = cases(200, 10000), steps = 60;
  int missed = 0, all = 0, over = 0;
  double worst = 0, rise = 0, unexplained = 0;
  for (int i = 0; i < scenes; ++i) {
    Random random(std::uint64_t(7000 + i));
    World world = world_of(random_scene(random), {.step = 0.01});
    run(world, steps, [&](const World&, const StepReport& r) {
      ++all, missed += !r.converged;
      if (r.converged) worst = std::max(worst, r.certificate.energy);
    });
    over += world.ledger().contact_rise() > energy_limit;
    rise = std::max(rise, world.ledger().contact_rise());
    unexplained = std::max(unexplained, world.ledger().unexplained_rise());
  }
  std::printf("[ %d scenes, %d steps: %d missed; worst step %.1e, worst run %.1e (%d beyond), all %.1e ]\n",
              scenes, all, missed, worst, rise, over, unexplained);
  EXPECT_EQ(missed, 0);
  EXPECT_LE(worst, energy_limit);
  EXPECT_EQ(over, 0);
  EXPECT_LE(unexplained, unexplained_limit);
}

}  // namespace
}  // namespace stiction::test
