// The laws that hold in every step of every scene in scenes/: the books close, energies and momenta are those
// of the state, contacts take energy and never give any, friction acts against slip.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "stiction/base/text.h"
#include "support/laws.h"
#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";

std::vector<std::string> all_scenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(scenes))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The scene at the size of a quick test: smaller piles, and the time in which the main thing happens. At
/// full size as the scene says, but for the 500 bodies of mixed_pile: they have begun to fall on each other
/// after 0.8 s and take seconds a step from then on, so that 1.2 of its 5 s are some minutes.
struct Sized {
  Overrides overrides;
  double until = 0;  // [s] 0 = as the scene says
};
Sized sized(const std::string& name) {
  if (name == "spheres") return full() ? Sized{{}, 0} : Sized{{{"$n", "3"}}, 1.2};
  if (name == "mixed_pile") return full() ? Sized{{}, 1.2} : Sized{{{"$side", "2"}, {"$layers", "1"}}, 1.0};
  if (full()) return {};
  if (name == "pyramid") return {{{"$base", "6"}}, 1};
  if (name == "heavy_stack") return {{}, 1};
  return {};
}

class SceneLaws : public testing::TestWithParam<std::string> {};

TEST_P(SceneLaws, HoldInEveryStep) {
  const Sized size = sized(GetParam());
  const SceneFile file = read(scenes + GetParam() + ".json", size.overrides);
  World world = world_of(file.scene, file.run);
  Worst worst(world);
  run(world, steps_to(size.until > 0 ? size.until : file.run.until, file.run.step),
      [&](const World& w, const StepReport& r) {
        if (!r.converged && worst.unconverged < 3) ADD_FAILURE() << "t = " << w.time() << ": " << r.explain();
        worst.look(w, r);
      });
  EXPECT_EQ(worst.unconverged, 0);
  if (file.run.method == Method::coulomb)
    worst.expect_lawful(file.run.tolerance);
  else
    worst.expect_books();  // friction acts in frames that the world does not show
  EXPECT_LE(worst.rise, energy_rise * worst.scale);
  RecordProperty("imbalance", number_text(worst.imbalance));
  RecordProperty("energy_rise", number_text(worst.rise / worst.scale));
}

INSTANTIATE_TEST_SUITE_P(Scenes, SceneLaws, testing::ValuesIn(all_scenes()),
                         [](const auto& scene) { return scene.param; });

}  // namespace
}  // namespace stiction::test
