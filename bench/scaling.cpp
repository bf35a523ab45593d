// Falling spheres and boxes that do not touch, 1,000 to 16,000 of them above a floor: time per step and body.
// The sizes take turns, so that a slow moment of the machine hits all of them. Bar: largest over smallest at
// most 2.
#include <algorithm>

#include "bench.h"

namespace stiction::bench {
namespace {

constexpr double bar = 2;

Scene scene_of(int count) {
  Scene scene;
  scene.gravity = {0, 0, -9.81};
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}});
  constexpr int side = 20;
  for (int i = 0; i < count; ++i) {
    const int x = i % side, y = i / side % side, z = i / (side * side);
    BodyDescription body;
    if (i % 2 == 0) {
      body.shape = Sphere{0.1};
    } else {
      body.shape = Box{{0.2, 0.15, 0.1}};
    }
    body.density = 1000;
    body.position = {0.5 * x, 0.5 * y, 1000 + 0.5 * z};
    body.spin = {1, -0.5 * (i % 4), 2};
    scene.add_body("body." + std::to_string(i), body);
  }
  return scene;
}

struct Size {
  int count;
  World world;
  Quality quality{};
  std::vector<double> seconds{};
};

bool measure(int rounds) {
  std::vector<Size> sizes;
  for (const int count : {1000, 2000, 4000, 8000, 16000})
    sizes.push_back({count, build(scene_of(count), {.step = 0.01, .threads = 1}).or_exit()});
  for (Size& s : sizes)
    for (int i = 0; i < 5; ++i) s.quality.see(s.world.step(), s.world);
  for (int i = 0; i < rounds; ++i) {
    for (Size& s : sizes) {
      s.seconds.push_back(seconds_of([&] { s.world.step(); }));
      s.quality.see(s.world.last_report(), s.world);
    }
  }
  double least = 1e300, most = 0;
  bool sound = true;
  for (const Size& s : sizes) {
    const double each = 1e9 * median(s.seconds) / s.count;
    least = std::min(least, each), most = std::max(most, each);
    sound = sound && s.quality.unconverged == 0 && s.quality.imbalance <= 1e-12;
    Line line("scaling/" + std::to_string(s.count));
    line.whole("bodies", s.count).number("ns_per_body", each);
    s.quality.write(line);
    line.hash(s.world.hash()).print();
  }
  const bool pass = sound && most / least <= bar;
  Line("scaling").number("ratio", most / least).number("bar", bar).flag("pass", pass).print();
  return pass;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  return stiction::bench::measure(stiction::bench::has_word(argc, argv, "--quick") ? 30 : 200) ? 0 : 1;
}
