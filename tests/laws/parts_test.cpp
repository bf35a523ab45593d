// Steps that miss their tolerance are made again in shorter parts. The scene: bodies of many shapes that
// tumble onto a floor, two of whose steps are.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/run.h"

namespace stiction::test {
namespace {

const std::string shapes = STICTION_SOURCE_DIR "/scenes/shapes.json";

World hard_world() { return world_of_file(shapes); }

/// [m/s] the most that contacts and gravity leave unexplained of what a body's velocity changed by.
double unexplained(const World& world, const State& from, const State& to, double h,
                   std::span<const Contact> contacts) {
  const Model& m = world.model();
  std::vector<Vec3> left(from.velocity.size());
  for (std::size_t i = 0; i < left.size(); ++i)
    if (m.mobility[i] != Mobility::none)
      left[i] = m.mass[i] * (to.velocity[i] - from.velocity[i] - h * m.gravity);
  for (const Contact& c : contacts)
    left[std::size_t(c.key.a)] += c.impulse, left[std::size_t(c.key.b)] -= c.impulse;
  double worst = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (m.mobility[i] != Mobility::none) worst = std::fmax(worst, norm(left[i]) / m.mass[i]);
  return worst;
}

TEST(StepsInParts, AreCertifiedAndTellTheirPartsAndKeepTheClockAndTheBooks) {
  World world = hard_world();
  const double h = world.settings().step;
  std::vector<unsigned char> before;
  int divided = 0, told = 0;
  double worst = 0;
  State last = world.state();
  const auto look = [&](const State& x, std::span<const Contact> contacts) {
    EXPECT_NEAR(x.time - last.time, x.step, 1e-14);  // one after the other
    worst = std::fmax(worst, unexplained(world, last, x, x.step, contacts));
    last = x;
  };
  world.follow_parts([&](const State& x, std::span<const Contact> contacts) { ++told, look(x, contacts); });
  for (int i = 1; i <= 200; ++i) {
    before = world.save();
    told = 0;
    const StepReport r = world.step();
    EXPECT_EQ(told, r.parts - 1);
    look(world.state(), world.contacts());
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

    World again = hard_world();  // a step that follows from the State alone, whoever looks on
    value_of(again.restore(before));
    again.step();
    EXPECT_EQ(again.hash(), world.hash());
  }
  EXPECT_LT(worst, 1e-12);  // [m/s] contacts of all parts are all that pushed
  EXPECT_GT(divided, 0);    // else this test shows nothing
  RecordProperty("divided", divided);
}

}  // namespace
}  // namespace stiction::test
