// The laws of every step where many contacts have the laws of surfaces at once: balls that fall into a box.
// Such contacts come and go, slide and stick by turns.
#include <gtest/gtest.h>

#include <string>

#include "support/laws.h"
#include "support/run.h"

namespace stiction::test {
namespace {

struct Case {
  const char* name;
  Overrides overrides;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class SurfaceLaws : public testing::TestWithParam<Case> {};

TEST_P(SurfaceLaws, HoldInEveryStepOfAPile) {
  Overrides overrides = GetParam().overrides;
  overrides.push_back({"$n", "3"});
  const SceneFile file = read(STICTION_SOURCE_DIR "/scenes/spheres.json", overrides);
  World world = world_of(file.scene, file.run);
  Worst worst(world);
  run(world, steps_to(1.2, file.run.step), [&](const World& w, const StepReport& r) { worst.look(w, r); });
  EXPECT_EQ(worst.unconverged, 0);
  worst.expect_lawful(file.run.tolerance);
  EXPECT_LE(worst.rise, energy_rise * worst.scale);
}

INSTANTIATE_TEST_SUITE_P(Laws, SurfaceLaws,
                         testing::Values(Case{"kinetic", {{"surfaces.glass.kinetic_friction", "0.3"}}},
                                         Case{"stribeck",
                                              {{"surfaces.glass.kinetic_friction", "0.3"},
                                               {"surfaces.glass.stribeck_speed", "0.2"}}},
                                         Case{"viscous", {{"surfaces.glass.viscous_friction", "0.2"}}},
                                         Case{"grain",
                                              {{"surfaces.glass.grain", "[1, 2, 3]"},
                                               {"surfaces.glass.friction_along", "0.1"}}},
                                         Case{"spin", {{"surfaces.glass.spin_length", "0.01"}}},
                                         Case{"rolling", {{"surfaces.glass.rolling_length", "0.002"}}},
                                         Case{"soft",
                                              {{"surfaces.glass.stiffness", "2e4"},
                                               {"surfaces.glass.damping_time", "0.003"}}},
                                         Case{"hertz",
                                              {{"surfaces.glass.young", "1e6"},
                                               {"surfaces.glass.damping_time", "0.003"},
                                               {"surfaces.glass.rolling_length", "0.002"}}},
                                         Case{"all",
                                              {{"surfaces.glass.kinetic_friction", "0.3"},
                                               {"surfaces.glass.viscous_friction", "0.1"},
                                               {"surfaces.glass.grain", "[1, 2, 3]"},
                                               {"surfaces.glass.friction_along", "0.2"},
                                               {"surfaces.glass.spin_length", "0.01"},
                                               {"surfaces.glass.rolling_length", "0.002"}}}));

}  // namespace
}  // namespace stiction::test
