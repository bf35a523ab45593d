// The laws of every step where many contacts have the laws of surfaces at once: balls that fall into a box.
// Such contacts come and go, slide and stick by turns.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "support/laws.h"
#include "support/run.h"

namespace stiction::test {
namespace {

struct Case {
  const char* name;
  Overrides overrides;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// A pile of balls whose surfaces are of the case, under both methods that know all laws.
using Parameters = std::tuple<const char*, Case>;
SceneFile pile(const Parameters& p) {
  Overrides overrides = std::get<1>(p).overrides;
  overrides.push_back({"$n", "3"}), overrides.push_back({"run.method", std::get<0>(p)});
  return read(STICTION_SOURCE_DIR "/scenes/spheres.json", overrides);
}
const auto methods = testing::Values("coulomb", "implicit_geometry");

class SurfaceLaws : public testing::TestWithParam<Parameters> {};

TEST_P(SurfaceLaws, HoldInEveryStepOfAPile) {
  const SceneFile file = pile(GetParam());
  World world = world_of(file.scene, file.run);
  Worst worst(world);
  run(world, steps_to(1.2, file.run.step), [&](const World& w, const StepReport& r) { worst.look(w, r); });
  EXPECT_EQ(worst.unconverged, 0);
  worst.expect_lawful(file.run.tolerance);
  EXPECT_LE(worst.rise, energy_rise * worst.scale);
}

INSTANTIATE_TEST_SUITE_P(
    Laws, SurfaceLaws,
    testing::Combine(methods, testing::Values(Case{"kinetic", {{"surfaces.glass.kinetic_friction", "0.3"}}},
                                              Case{"stribeck",
                                                   {{"surfaces.glass.kinetic_friction", "0.3"},
                                                    {"surfaces.glass.stribeck_speed", "0.2"}}},
                                              Case{"viscous", {{"surfaces.glass.viscous_friction", "0.2"}}},
                                              Case{"grain",
                                                   {{"surfaces.glass.grain", "[1, 2, 3]"},
                                                    {"surfaces.glass.friction_along", "0.1"}}},
                                              Case{"spin", {{"surfaces.glass.spin_length", "0.01"}}},
                                              Case{"rolling", {{"surfaces.glass.rolling_length", "0.002"}}},
                                              Case{"all",
                                                   {{"surfaces.glass.kinetic_friction", "0.3"},
                                                    {"surfaces.glass.viscous_friction", "0.1"},
                                                    {"surfaces.glass.grain", "[1, 2, 3]"},
                                                    {"surfaces.glass.friction_along", "0.2"},
                                                    {"surfaces.glass.spin_length", "0.01"},
                                                    {"surfaces.glass.rolling_length", "0.002"}}})));

/// [J] stored in contacts that give way linearly: k d^2/2.
double stored(const World& w, double stiffness) {
  double sum = 0;
  for (const Contact& c : w.contacts()) {
    const double d = std::fmax(0.0, -c.gap);
    sum += 0.5 * stiffness * d * d;
  }
  return sum;
}

// Contacts that give way store energy and give it back: of what rigid ones promise, all but that holds.
class SoftPile : public testing::TestWithParam<Parameters> {};

TEST_P(SoftPile, KeepsItsBooksInEveryStep) {
  const SceneFile file = pile(GetParam());
  World world = world_of(file.scene, file.run);
  const double stiffness = 0.5 * file.scene.surfaces[0].value.stiffness;  // two in series
  Worst worst(world);
  int pressed = 0;
  run(world, steps_to(1.2, file.run.step), [&](const World& w, const StepReport& r) {
    worst.look(w, r);
    for (const Contact& c : w.contacts()) pressed += c.impulse != Vec3{};
    if (stiffness > 0) {
      EXPECT_NEAR(w.ledger().now().spring_potential, stored(w, stiffness), 1e-12 * w.ledger().scale());
    }
  });
  EXPECT_GT(pressed, 1000);
  EXPECT_EQ(worst.unconverged, 0);
  EXPECT_LT(worst.imbalance, books);
  EXPECT_LT(worst.momentum, books);
  EXPECT_LT(worst.angular_momentum, books);
  EXPECT_LE(worst.friction_power, 10 * file.run.tolerance);
  EXPECT_LE(worst.rise, energy_rise * worst.scale);
}

INSTANTIATE_TEST_SUITE_P(
    Laws, SoftPile,
    testing::Combine(
        methods,
        testing::Values(Case{"linear", {{"surfaces.glass.stiffness", "2e4"}}},
                        Case{"damped",
                             {{"surfaces.glass.stiffness", "2e4"}, {"surfaces.glass.damping_time", "0.003"}}},
                        Case{"stiff", {{"surfaces.glass.stiffness", "1e8"}}},
                        Case{"turning",
                             {{"surfaces.glass.stiffness", "2e4"},
                              {"surfaces.glass.spin_length", "0.01"},
                              {"surfaces.glass.rolling_length", "0.002"}}},
                        Case{"hertz", {{"surfaces.glass.young", "1e6"}}},
                        Case{"hertz, damped",
                             {{"surfaces.glass.young", "1e6"}, {"surfaces.glass.damping_time", "0.003"}}})));

}  // namespace
}  // namespace stiction::test
