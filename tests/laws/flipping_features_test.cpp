// A box falls, turning, on the corners and edges of another. The features that touch flip within a step, and
// from pass to pass: passes.cpp keeps those that flip as planes of the problem, and holds frames that do not
// settle. Without that one step in twenty would have to be made in parts (568 of 12,000, 24 with it).
#include <gtest/gtest.h>

#include "support/laws.h"
#include "support/random.h"
#include "support/run.h"

namespace stiction::test {
namespace {

Scene box_on_corner(std::uint64_t seed) {
  Random random(seed);
  Scene s{.gravity = {0, 0, -9.81}};
  s.add_body("block", {.kind = fixed, .shape = Box{{0.3, 0.3, 0.3}}, .orientation = random.rotation()});
  const double x = random.between(-0.1, 0.1), y = random.between(-0.1, 0.1);
  s.add_body("box", {.shape = Box{{0.2, 0.3, 0.1}},
                     .mass = 1,
                     .position = {x, y, 0.45},
                     .orientation = random.rotation(),
                     .velocity = {0, 0, -2},
                     .spin = random.vector(10)});
  return s;
}

TEST(FlippingFeatures, AreKeptAndSettle) {
  // [-] of the steps: 0.047 without frames that are kept; measured 0.013, most of them to find contacts anew
  constexpr double most_in_parts = 0.02;
  constexpr double least_kept =
      0.002;  // [-] of the steps, at the end: enough for the above to say something; 0.004
  const RunSettings settings;
  int steps = 0, in_parts = 0, kept = 0;
  for (int seed = 1; seed <= cases(100, 400); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world = world_of(box_on_corner(std::uint64_t(seed)), settings);
    Worst worst(world);
    run(world, 30, [&](const World& w, const StepReport& r) {
      EXPECT_TRUE(r.converged) << r.explain();
      worst.look(w, r);
      ++steps, in_parts += r.parts > 1, kept += r.start_frames;
    });
    worst.expect_lawful(settings.tolerance);
  }
  EXPECT_LE(in_parts, most_in_parts * steps);
  EXPECT_GE(kept, least_kept * steps);
  RecordProperty("in_parts", in_parts);
  RecordProperty("kept", kept);
}

}  // namespace
}  // namespace stiction::test
