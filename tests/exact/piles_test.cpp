// Standing piles: a stack with a heavy top, a pyramid of bricks, spheres in a box. At full size these are the
// published scenes; the bounds are the same at every size.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "stiction/base/text.h"
#include "support/recompute.h"
#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";

// 20 cubes of 1 kg, the top one of 1000 kg. They start touching; the exact answer is that nothing moves.
TEST(Piles, AStackWithAHeavyTopStands) {
  constexpr double most_sag = 1e-9;  // [m] published; the forces would sink a spring of 1e13 N/m that far
  World world = world_of_file(scenes + "heavy_stack.json");
  const std::vector<Vec3> start = world.state().position;
  double sag = 0;
  int unconverged = 0;
  run(world, at_size(200, 6000), [&](const World& w, const StepReport& r) {
    for (std::size_t i = 0; i < start.size(); ++i)
      sag = std::fmax(sag, norm(w.state().position[i] - start[i]));
    unconverged += !r.converged;
  });
  EXPECT_LT(sag, most_sag);
  EXPECT_EQ(unconverged, 0);
  RecordProperty("sag_m", number_text(sag));
}

// Rows start 0.5 mm apart and settle to z = 0.1 + 0.2 k, x and y as started.
TEST(Piles, APyramidOfBricksStands) {
  constexpr double most = 1e-6;  // [m], [rad] published
  const int base = at_size(10, 40);
  World world = world_of_file(scenes + "pyramid.json", {{"$base", std::to_string(base)}});
  const std::vector<Vec3> start = world.state().position;
  int unconverged = 0;
  run(world, 500, [&](const World&, const StepReport& r) { unconverged += !r.converged; });
  double drift = 0, height = 0, turn = 0;
  for (int row = 0; row < base; ++row)
    for (int k = 0; k < base - row; ++k) {
      const BodyId brick = world.body("brick." + std::to_string(row) + "." + std::to_string(k));
      ASSERT_TRUE(brick);
      const Vec3 x = world.position(brick), x0 = start[std::size_t(brick.index)];
      drift = std::fmax(drift, std::hypot(x.x - x0.x, x.y - x0.y));
      height = std::fmax(height, std::fabs(x.z - (0.1 + 0.2 * row)));
      turn = std::fmax(turn, angle_between({}, world.orientation(brick)));
    }
  EXPECT_LT(drift, most);
  EXPECT_LT(height, most);
  EXPECT_LT(turn, most);
  EXPECT_EQ(unconverged, 0);
  RecordProperty("drift_m", number_text(drift));
  RecordProperty("height_m", number_text(height));
}

// Spheres fall into a box. Every pair is looked at by brute force: none overlaps by more than the tolerance,
// and every pair that touches is among the contacts. Ends with the first step that misses the tolerance: at
// full size a step costs seconds.
TEST(Piles, SpheresInABoxNoContactIsDropped) {
  constexpr double most_overlap = 1e-8;  // [m] published, at a tolerance of 1e-7 or better
  const int n = at_size(4, 10);
  // 5e-8 of a sphere's size of 0.2 m is the overlap above
  World world =
      world_of_file(scenes + "spheres.json", {{"$n", std::to_string(n)}, {"run.tolerance", "5e-8"}});
  int missing = 0, most_contacts = 0;
  double overlap = 0;
  for (int step = 1; step <= at_size(200, 500); ++step) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << "step " << step << ": " << r.explain();
    most_contacts = std::max(most_contacts, r.contacts);
    std::set<std::pair<int, int>> known;
    for (const Contact& c : world.contacts()) known.insert({c.key.a, c.key.b});
    for_all_pairs(world.model(), world.state(), [&](int a, int b, double gap) {
      overlap = std::fmax(overlap, -gap);
      if (gap <= 0 && !known.contains({a, b})) ++missing;
    });
  }
  EXPECT_LE(overlap, most_overlap);
  EXPECT_EQ(missing, 0);
  EXPECT_GT(most_contacts, 2 * n * n);  // they did pile up
  RecordProperty("overlap_m", number_text(overlap));
}

}  // namespace
}  // namespace stiction::test
