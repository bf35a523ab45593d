// No allocation after warm-up: a run is made once, its start restored, and the same steps made again while
// every operator new of the program is counted.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "support/mechanism_scenes.h"
#include "support/run.h"

namespace {
std::atomic<long> allocations{0};

void* counted(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
void* counted(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto a = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, std::align_val_t a) { return counted(size, a); }
void* operator new[](std::size_t size, std::align_val_t a) { return counted(size, a); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";

TEST(Allocations, AreCounted) {
  const long before = allocations;
  std::vector<int> v(100);
  EXPECT_EQ(allocations, before + 1);
}

struct Case {
  const char* scene;
  Overrides overrides;
  int steps, threads;  // [-]
  int held = 0;  // [-] at most: steps that look for impulses which hold what rested (complementarity/hold.h):
                 // these allocate
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.scene << ", threads " << c.threads; }

class NoAllocation : public testing::TestWithParam<Case> {};

TEST_P(NoAllocation, AfterWarmUp) {
  const Case& c = GetParam();
  SceneFile file = read(scenes + std::string(c.scene) + ".json", c.overrides);
  file.run.threads = c.threads;
  World world = world_of(file.scene, file.run);
  const std::vector<unsigned char> start = world.save();
  run(world, c.steps);  // warm-up
  const std::uint64_t end = world.hash();
  value_of(world.restore(start));
  int held = 0;
  for (int i = 0; i < c.steps; ++i) {
    const long before = allocations;
    world.step();
    const long made = allocations - before;
    held += made > 0;
    ASSERT_LE(held, c.held) << "step " << i << ": " << made;
  }
  EXPECT_EQ(world.hash(), end);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, NoAllocation,
    testing::Values(
        Case{"incline_stick", {}, 100, 1}, Case{"tumbling", {}, 100, 1}, Case{"spring_mass", {}, 100, 1},
        Case{"planar_rod", {}, 200, 1}, Case{"marble_run", {}, 200, 1}, Case{"heavy_stack", {}, 30, 1},
        Case{"pyramid", {{"$base", "5"}}, 60, 1}, Case{"spheres", {{"$n", "3"}}, 80, 1},
        Case{"spheres", {{"$n", "3"}, {"surfaces.glass.stiffness", "2e4"}}, 80, 1},
        Case{"spheres", {{"$n", "2"}, {"surfaces.glass.young", "1e6"}}, 80, 1}, Case{"first", {}, 60, 1},
        Case{"first", {}, 60, 2}, Case{"first", {{"run.sleep", "true"}}, 200, 1, 20},
        Case{"pyramid", {{"$base", "5"}, {"run.sleep", "true"}}, 60, 1}, Case{"orbit", {}, 100, 1},
        Case{"double_pendulum", {}, 100, 1}, Case{"gyroscope", {}, 100, 1}, Case{"gripper", {}, 300, 1},
        Case{"quadruped", {}, 200, 1}, Case{"golf_ball", {}, 100, 1}, Case{"torsion_pendulum", {}, 100, 1},
        Case{"atoms", {}, 100, 1}, Case{"shapes", {}, 100, 1, 2}, Case{"rolling_cylinder", {}, 100, 1},
        Case{"dome", {}, 100, 1}, Case{"heavy_chain", {}, 60, 1}, Case{"slider_crank", {}, 100, 1},
        Case{"breakable_bridge", {}, 160, 1}, Case{"motor_stop", {}, 200, 1}, Case{"ragdoll", {}, 200, 1},
        Case{"gear_train", {}, 200, 1}, Case{"four_bar", {}, 100, 1}, Case{"stewart_platform", {}, 40, 1},
        Case{"bead_on_wire", {}, 100, 1}, Case{"conveyor", {}, 150, 1}, Case{"bowls", {}, 100, 1},
        Case{"spring_mass", {{"run.method", "implicit_euler"}, {"bodies.weight.collides", "false"}}, 100, 1},
        Case{"torsion_pendulum", {{"run.method", "implicit_euler"}}, 100, 1},
        Case{"torsion_pendulum", {{"run.method", "rk4"}}, 100, 1},
        Case{"double_pendulum", {{"run.method", "rk4"}}, 100, 1},
        Case{"double_pendulum", {{"run.method", "velocity_verlet"}}, 100, 1},
        Case{"gyroscope", {{"run.method", "variational"}}, 100, 1},
        Case{"slider_crank", {{"run.method", "spook"}, {"bodies.piston.collides", "false"}}, 100, 1},
        Case{"slider_crank", {{"run.method", "cline_pai"}, {"bodies.piston.collides", "false"}}, 100, 1},
        Case{"four_bar", {{"run.method", "rk4_projected"}}, 100, 1}, Case{"falling_rod", {}, 400, 1},
        Case{"bouncing_balls", {{"surfaces.floor.friction", "0"}}, 1500, 1},
        Case{"newtons_cradle", {}, 1500, 1}, Case{"four_balls", {}, 400, 1},
        Case{"four_balls", {{"run.nonlinear", "true"}}, 400, 1},
        Case{"first", {{"run.method", "moreau_jean"}}, 60, 1},
        Case{"heavy_stack", {{"run.method", "anitescu_potra"}}, 30, 1},
        Case{"four_balls", {{"run.method", "anitescu_potra"}, {"run.nonlinear", "true"}}, 400, 1},
        Case{"gripper", {{"run.method", "stewart_trinkle"}}, 200, 1},
        Case{"motor_stop", {{"run.method", "moreau_jean"}}, 200, 1},
        // hits at one contact at a time; several at once allocate
        Case{"bouncing_ball", {{"bodies.second.collides", "false"}}, 450, 1}));

// Steps made in parts (parts_test.cpp), and what they are restored from.
TEST(Allocations, StepsInPartsNeedNone) {
  World world = world_of_file(scenes + "terrain.json");
  const std::vector<unsigned char> start = world.save();
  const int steps = 500;
  run(world, steps);  // warm-up
  value_of(world.restore(start));
  int divided = 0;
  for (int i = 0; i < steps; ++i) {
    const long before = allocations;
    divided += world.step().parts > 1;
    const long made = allocations - before;
    ASSERT_EQ(made, 0) << "step " << i;
  }
  EXPECT_GT(divided, 0);  // else this test shows nothing
}

// Bodies joined by constraints that fall on things: linkages in the problem, and joints that are pulled
// together.
TEST(Allocations, MechanismsInContactNeedNone) {
  for (const Scene& scene : {rope(4), four_bar(), planar_loop()}) {
    World world = world_of(scene, {.step = 0.01});
    const std::vector<unsigned char> start = world.save();
    const int steps = 100;
    run(world, steps + 2);  // warm-up: arrays that change places get the same room in the steps that follow
    value_of(world.restore(start));
    int touched = 0;
    for (int i = 0; i < steps; ++i) {
      const long before = allocations;
      touched += world.step().contacts > 0;
      const long made = allocations - before;
      ASSERT_EQ(made, 0) << "step " << i;
    }
    EXPECT_GT(touched, 0);
  }
}

// A pile that rests: nothing is allocated from step to step, without any rehearsal.
TEST(Allocations, ARestingPileNeedsNone) {
  World world = world_of_file(scenes + "pyramid.json", {{"$base", "5"}});
  run(world, 100);
  const long before = allocations;
  for (int i = 0; i < 50; ++i) world.step();
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace stiction::test
