// Steps that miss their tolerance are made again in shorter parts. The scene: 125 spheres that pile up in a
// box, and jam on the way.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/run.h"

namespace stiction::test {
namespace {

const std::string spheres = STICTION_SOURCE_DIR "/scenes/spheres.json";

World hard_world() { return world_of_file(spheres, {{"$n", "5"}}); }

TEST(StepsInParts, AreCertifiedAndKeepTheClockAndTheBooks) {
  World world = hard_world();
  const double h = world.settings().step;
  std::vector<unsigned char> before;
  int divided = 0;
  for (int i = 1; i <= 200; ++i) {
    before = world.save();
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << "step " << i << ": " << r.explain();
    EXPECT_EQ(world.state().step_count, i);
    EXPECT_EQ(world.time(), i * h);
    EXPECT_LE(r.kinetic_end, (1 + 1e-12) * r.kinetic_free);
    EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
    if (r.parts == 1) {
      EXPECT_EQ(world.state().step, h);
      continue;
    }
    ++divided;
    EXPECT_NE(r.explain().find("in " + std::to_string(r.parts) + " parts"), std::string::npos);
    const double shortest = h / world.state().step;  // a power of two
    EXPECT_EQ(std::exp2(std::round(std::log2(shortest))), shortest);
    EXPECT_GE(r.parts, 1 + std::lround(std::log2(shortest)));  // 1/2, 1/4, ..., 1/s, 1/s at least
    for (const Contact& c : world.contacts()) EXPECT_EQ(c.force, c.impulse / world.state().step);

    World again = hard_world();  // a step that follows from the State alone
    value_of(again.restore(before));
    again.step();
    EXPECT_EQ(again.hash(), world.hash());
  }
  EXPECT_GT(divided, 0);  // else this test shows nothing
  RecordProperty("divided", divided);
}

}  // namespace
}  // namespace stiction::test
