// The steppers of Stewart and Trinkle, Anitescu and Potra, Moreau and Jean in scenes with contacts, trees,
// mechanisms, laws of joints and prescribed motion: books close, steps hold what each method promises, the
// same bits after a restart and for one and two threads, no allocation is left to chance
// (allocation_test.cpp).
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/laws.h"
#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";

struct Variant {
  const char* name;
  Overrides run;
};
const std::vector<Variant> variants{
    {"stewart_trinkle", {{"run.method", "stewart_trinkle"}}},
    {"nonlinear", {{"run.method", "stewart_trinkle"}, {"run.nonlinear", "true"}}},
    {"unstabilised", {{"run.method", "stewart_trinkle"}, {"run.stabilisation", "none"}}},
    {"checked", {{"run.method", "anitescu_potra"}}},
    {"checked_nonlinear", {{"run.method", "anitescu_potra"}, {"run.nonlinear", "true"}}},
    {"predicted", {{"run.method", "anitescu_potra"}, {"run.activation", "predicted"}}},
    {"touching", {{"run.method", "anitescu_potra"}, {"run.activation", "touching"}}},
    {"moreau_jean", {{"run.method", "moreau_jean"}}},
    {"moreau_jean_euler", {{"run.method", "moreau_jean"}, {"run.theta", "1"}}},
};
struct SizedScene {
  const char* name;
  Overrides overrides;
  double until;         // [s]
  bool touches = true;  // by then
};
const std::vector<SizedScene> sized{
    {"first", {}, 0.2},
    {"incline_slide", {}, 0.5},
    {"incline_stick", {}, 0.5},
    {"falling_rod", {}, 1},
    {"four_balls", {}, 0.8},
    {"heavy_stack", {}, 0.2},
    {"pyramid", {{"$base", "3"}}, 0.3},
    {"spheres", {{"$n", "2"}}, 0.8},
    {"mixed_pile", {{"$side", "1"}, {"$layers", "1"}}, 0.6},
    {"tumbling", {}, 0.5, false},
    {"shapes", {}, 0.6},
    {"terrain", {}, 0.4},
    {"dome", {}, 0.1},
    {"marble_run", {}, 0.5},
    {"gripper", {}, 0.5},
    {"quadruped", {}, 0.4, false},
    {"ragdoll", {}, 0.3},
    {"motor_stop", {}, 0.5, false},
    {"breakable_bridge", {}, 0.4, false},
    {"slider_crank", {}, 0.2, false},
    {"bead_on_wire", {}, 0.3, false},
    {"planar_rod", {}, 1},
};

using Parameters = std::tuple<Variant, SizedScene>;
std::string name_of(const testing::TestParamInfo<Parameters>& p) {
  return std::string(std::get<0>(p.param).name) + "_" + std::get<1>(p.param).name;
}

class ImpulseMethods : public testing::TestWithParam<Parameters> {
 protected:
  SceneFile file() const {
    const auto& [variant, scene] = GetParam();
    Overrides all = scene.overrides;
    all.insert(all.end(), variant.run.begin(), variant.run.end());
    return read(scenes + std::string(scene.name) + ".json", all);
  }
  /// [-] of the steps: the fixed points of the nonlinear methods need not settle where touching features
  /// flip, which is among what falls in heaps; such steps are reported. Measured in `shapes`: 6 of 120 of
  /// stewart_trinkle, 5 of anitescu_potra, which other constants of the passes make up to 17; in `mixed_pile`
  /// 1 and 0 of 36.
  double may_miss() const {
    const auto& [variant, scene] = GetParam();
    const std::string name = scene.name;
    const bool heap = name == "shapes" || name == "mixed_pile";
    return variant.run.back().first == "run.nonlinear" && heap ? 0.1 : 0;
  }
  int steps(const SceneFile& f) const { return steps_to(std::get<1>(GetParam()).until, f.run.step); }
};
INSTANTIATE_TEST_SUITE_P(All, ImpulseMethods,
                         testing::Combine(testing::ValuesIn(variants), testing::ValuesIn(sized)), name_of);

TEST_P(ImpulseMethods, CloseTheBooksAndKeepTheirPromises) {
  const SceneFile f = file();
  World world = world_of(f.scene, f.run);
  Worst worst(world);
  int touched = 0;
  run(world, steps(f), [&](const World& w, const StepReport& r) {
    worst.look(w, r);
    touched += r.contacts > 0;
    if (!r.converged && may_miss() == 0) ADD_FAILURE() << "t = " << w.time() << ": " << r.explain();
  });
  EXPECT_LE(worst.unconverged, may_miss() * steps(f));
  worst.expect_books();
  if (std::get<1>(GetParam()).touches) {
    EXPECT_GT(touched, 0);
  }
}

// A State holds all that a step depends on, and no result depends on which thread solves an island.
TEST_P(ImpulseMethods, GiveTheSameBits) {
  SceneFile f = file();
  const int all = std::min(steps(f), 60), half = all / 2;
  World one = world_of(f.scene, f.run);
  f.run.threads = 2;
  World two = world_of(f.scene, f.run);
  std::vector<unsigned char> saved;
  for (int i = 0; i < all; ++i) {
    if (i == half) saved = one.save();
    one.step(), two.step();
    ASSERT_EQ(one.hash(), two.hash()) << "step " << i;
  }
  World again = world_of(f.scene, f.run);
  value_of(again.restore(saved));
  run(again, all - half);
  EXPECT_EQ(again.hash(), one.hash());
}

}  // namespace
}  // namespace stiction::test
