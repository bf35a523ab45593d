// The method implicit_geometry in scenes with joints of all kinds, laws of joints and laws of surfaces: every
// step is certified, gaps and joints are closed at its end, books close, the same bits for one and two
// threads.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/laws.h"
#include "support/run.h"

namespace stiction::test {
namespace {

struct SceneOfFile {
  const char* name;
  double until;             // [s]
  bool touches = true;      // by then
  double tolerance = 1e-9;  // motors and friction of joints are solved to 1e-8, by the method coulomb as well
};
void PrintTo(const SceneOfFile& s, std::ostream* out) { *out << s.name; }

/// Trees: gripper, quadruped, motor_stop; mechanisms: ragdoll, breakable_bridge (joints that give way and
/// break), slider_crank, four_bar, bead_on_wire; gears: gear_train; surfaces: conveyor (belts), bowls (spin
/// and rolling), marble_run.
const std::vector<SceneOfFile> scenes{
    {"gripper", 1},
    {"quadruped", 0.6},
    {"motor_stop", 1, false, 1e-8},
    {"ragdoll", 1, true, 1e-8},
    {"breakable_bridge", 1},
    {"slider_crank", 0.5, false},
    {"four_bar", 0.5, false},
    {"bead_on_wire", 0.5, false},
    {"gear_train", 0.5, false, 1e-8},
    {"conveyor", 1},
    {"bowls", 1},
    {"marble_run", 1},
};

class ImplicitScenes : public testing::TestWithParam<SceneOfFile> {};
INSTANTIATE_TEST_SUITE_P(All, ImplicitScenes, testing::ValuesIn(scenes),
                         [](const auto& s) { return std::string(s.param.name); });

TEST_P(ImplicitScenes, CloseGapsJointsAndBooks) {
  SceneFile f = read(STICTION_SOURCE_DIR "/scenes/" + std::string(GetParam().name) + ".json",
                     {{"run.method", "implicit_geometry"}});
  f.run.tolerance = GetParam().tolerance;
  World world = world_of(f.scene, f.run);
  f.run.threads = 2;
  World twin = world_of(f.scene, f.run);
  Worst worst(world);
  int touched = 0;
  run(world, steps_to(GetParam().until, f.run.step), [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << "t = " << w.time() << ": " << r.explain();
    // [m], [m, rad]: the tolerance times the bodies' sizes, at most 1 m
    ASSERT_LE(r.certificate.gap, f.run.tolerance) << w.time();
    ASSERT_LE(r.certificate.joint, f.run.tolerance) << w.time();
    worst.look(w, r);
    touched += r.contacts > 0;
    twin.step();
    ASSERT_EQ(w.hash(), twin.hash()) << w.time();
  });
  worst.expect_books();
  EXPECT_EQ(touched > 0, GetParam().touches);
}

}  // namespace
}  // namespace stiction::test
