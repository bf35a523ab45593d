// 10,000 free bodies under gravity, certificate and ledger on, one thread: the time of a step over that of
// copying their state (position, orientation, velocity, spin, alive: 105 bytes a body, 1 MB), both measured
// in the same run, in turn. Bar: 10. How warm the copy is: it is made twice, right after the step (which has
// just written the source; the target was touched one round ago) and once more at once (both just touched).
// Both buffers together are about twice the second-level cache of the machines we have. The faster of the two
// medians counts. The step meets caches that hold what the last round left: it reads and writes three times
// as much as the copy. A bare loop (v += h g, x += h v, orientation turned, nothing else) is measured beside
// them.
//   tumbling  no shape, three different inertias, all spinning
//   spheres   spheres a metre apart, spinning
#include <algorithm>
#include <cstring>

#include "bench.h"

namespace stiction::bench {
namespace {

constexpr int side = 25, layers = 16;  // 25 * 25 * 16 = 10,000
constexpr double bar = 10;

Scene scene_of(bool spheres) {
  Scene scene;
  scene.gravity = {0, 0, -9.81};
  for (int i = 0; i < side * side * layers; ++i) {
    const int x = i % side, y = i / side % side, z = i / (side * side);
    BodyDescription body;
    body.mass = 1 + 0.1 * (i % 7);
    if (spheres) {
      body.shape = Sphere{0.1};
    } else {
      body.inertia = Vec3{0.01 + 0.001 * (i % 3), 0.02, 0.025};
    }
    body.position = {double(x), double(y), double(z)};
    body.velocity = {0, 0, 0.1};
    body.spin = {1, 0.5 * (i % 5), -2};
    scene.add_body("body." + std::to_string(i), body);
  }
  return scene;
}

struct Copy {
  std::vector<Vec3> position, velocity, spin;
  std::vector<Quat> orientation;
  std::vector<unsigned char> alive;

  explicit Copy(const State& x)
      : position(x.position),
        velocity(x.velocity),
        spin(x.spin),
        orientation(x.orientation),
        alive(x.alive) {}
  void copy(const State& x) {
    const auto one = [](const auto& from, auto& to) {
      std::memcpy(static_cast<void*>(to.data()), from.data(), from.size() * sizeof from[0]);
    };
    one(x.position, position);
    one(x.orientation, orientation);
    one(x.velocity, velocity);
    one(x.spin, spin);
    one(x.alive, alive);
    keep();
  }
  void bare_loop(const Vec3& gravity, double h) {
    for (std::size_t i = 0; i < position.size(); ++i) {
      velocity[i] += h * gravity;
      position[i] += h * velocity[i];
      orientation[i] = normalized(cayley(h * spin[i]) * orientation[i]);
    }
    keep();
  }
  // The compiler must not drop what nobody reads.
  void keep() {
    asm volatile(""
                 :
                 : "r"(position.data()), "r"(orientation.data()), "r"(velocity.data()), "r"(spin.data()),
                   "r"(alive.data())
                 : "memory");
  }
};

bool measure(bool spheres, int rounds) {
  World world = build(scene_of(spheres), {.step = 0.01, .threads = 1}).or_exit();
  Copy copy(world.state());
  Quality quality;
  std::vector<double> step, after_step, again, bare;
  for (int i = 0; i < 10; ++i) quality.see(world.step(), world);
  for (int i = 0; i < rounds; ++i) {
    step.push_back(seconds_of([&] { world.step(); }));
    after_step.push_back(seconds_of([&] { copy.copy(world.state()); }));
    again.push_back(seconds_of([&] { copy.copy(world.state()); }));
    bare.push_back(seconds_of([&] { copy.bare_loop({0, 0, -9.81}, 0.01); }));
    quality.see(world.last_report(), world);
  }
  const double memory = std::min(median(after_step), median(again));
  const double ratio = median(step) / memory, n = double(copy.position.size());
  Line line(spheres ? "free_bodies/spheres" : "free_bodies/tumbling");
  line.whole("bodies", (long long)(n)).number("ratio", ratio).number("bar", bar);
  line.number("bare_loop_ratio", median(bare) / memory);
  line.number("ns_per_body", 1e9 * median(step) / n).number("memcpy_ns_per_body", 1e9 * memory / n);
  line.number("memcpy_after_step_ns_per_body", 1e9 * median(after_step) / n);
  quality.write(line);
  const bool pass = ratio <= bar && quality.unconverged == 0 && quality.imbalance <= 1e-12;
  line.hash(world.hash()).flag("pass", pass).print();
  return pass;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  const int rounds = stiction::bench::has_word(argc, argv, "--quick") ? 50 : 500;
  const bool tumbling = stiction::bench::measure(false, rounds);
  const bool spheres = stiction::bench::measure(true, rounds);
  return tumbling && spheres ? 0 : 1;
}
