// Same bits: after save and restore at any step, and for any number of threads. And what the hash sees.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";

struct Case {
  const char* scene;
  Overrides overrides;
  int steps, every;  // [-]
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.scene; }

class SameBits : public testing::TestWithParam<Case> {
 protected:
  SceneFile file() const {
    return read(scenes + std::string(GetParam().scene) + ".json", GetParam().overrides);
  }
};

TEST_P(SameBits, AfterSaveAndRestoreAtAnyStep) {
  const SceneFile scene = file();
  World world = world_of(scene.scene, scene.run);
  std::vector<std::uint64_t> hash{world.hash()};
  std::vector<std::vector<unsigned char>> saved{world.save()};
  run(world, GetParam().steps, [&](const World& w, const StepReport&) {
    hash.push_back(w.hash());
    saved.push_back(w.save());
  });
  for (std::size_t from = 0; from < saved.size(); from += std::size_t(GetParam().every)) {
    World other = world_of(scene.scene, scene.run);
    value_of(other.restore(saved[from]));
    ASSERT_EQ(other.hash(), hash[from]);
    // a few steps say as much as all of them: each depends on the whole state
    for (std::size_t k = from + 1; k < saved.size() && k <= from + 10; ++k) {
      other.step();
      ASSERT_EQ(other.hash(), hash[k]) << "saved at step " << from << ", differs at step " << k;
    }
  }
}

/// What a step knows of the last one is the State: every step is made by a world that has made no other.
TEST_P(SameBits, WithFreshScratchBeforeEveryStep) {
  const SceneFile scene = file();
  World world = world_of(scene.scene, scene.run);
  std::vector<unsigned char> saved = world.save();
  for (int i = 0; i < GetParam().steps; ++i) {
    World fresh = world_of(scene.scene, scene.run);
    value_of(fresh.restore(saved));
    world.step(), fresh.step();
    ASSERT_EQ(world.hash(), fresh.hash()) << "step " << i;
    saved = fresh.save();
  }
}

TEST_P(SameBits, WithOneAndTwoThreads) {
  SceneFile scene = file();
  World one = world_of(scene.scene, scene.run);
  scene.run.threads = 2;
  World two = world_of(scene.scene, scene.run);
  for (int i = 0; i < GetParam().steps; ++i) {
    one.step(), two.step();
    ASSERT_EQ(one.hash(), two.hash()) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, SameBits,
    testing::Values(
        Case{"rolling_sphere", {}, 100, 1}, Case{"tumbling", {}, 100, 1}, Case{"planar_rod", {}, 120, 1},
        Case{"marble_run", {}, 150, 10}, Case{"spring_mass", {}, 100, 1}, Case{"incline_slide", {}, 60, 1},
        Case{"heavy_stack", {}, 20, 5}, Case{"gyroscope", {}, 60, 1}, Case{"double_pendulum", {}, 60, 1},
        Case{"gripper", {}, 300, 7}, Case{"quadruped", {}, 150, 5}, Case{"heavy_chain", {{"$n", "8"}}, 60, 1},
        Case{"slider_crank", {}, 60, 1}, Case{"motor_stop", {}, 200, 1}, Case{"gear_train", {}, 200, 1},
        Case{"conveyor", {}, 100, 3}, Case{"bowls", {}, 100, 3}, Case{"ragdoll", {}, 120, 10},
        Case{"stewart_platform", {}, 30, 1}, Case{"breakable_bridge", {}, 140, 10},
        Case{"bead_on_wire", {}, 60, 1}, Case{"pyramid", {{"$base", "5"}}, 40, 5},
        Case{"spheres", {{"$n", "3"}}, 60, 12},
        Case{"spheres", {{"$n", "3"}, {"surfaces.glass.stiffness", "2e4"}}, 60, 12},
        Case{"spheres", {{"$n", "2"}, {"surfaces.glass.young", "1e6"}}, 60, 12}, Case{"first", {}, 50, 10},
        Case{"pyramid", {{"$base", "4"}, {"run.sleep", "true"}}, 60, 4},
        Case{"first", {{"run.sleep", "true"}}, 150, 10}, Case{"bouncing_ball", {}, 200, 7}));

TEST(SameBits, ASavedStateOfAnotherModelIsRefused) {
  World world = world_of_file(scenes + "rolling_sphere.json");
  World other = world_of_file(scenes + "spring_mass.json");
  const std::uint64_t before = other.hash();
  const auto result = other.restore(world.save());
  ASSERT_FALSE(result);
  EXPECT_NE(result.mistakes()[0].message.find("bodies"), std::string::npos);
  EXPECT_EQ(other.hash(), before);
}

TEST(Hash, SeesTheCoordinatesOfTrees) {
  World world = world_of_file(scenes + "gyroscope.json");
  run(world, 3);
  const State x = world.state();
  for (const auto member : {&State::joint_position, &State::joint_velocity})
    for (std::size_t i = 0; i < (x.*member).size(); ++i) {
      State y = x;
      (y.*member)[i] = std::nextafter((y.*member)[i], 10.0);
      EXPECT_NE(y.hash(), x.hash());
    }
}

// Every member of the State enters its hash: the smallest change of any of them changes it.
TEST(Hash, SeesTheSmallestChangeOfAnything) {
  World world = world_of_file(scenes + "incline_stick.json");
  run(world, 3);
  const State x = world.state();
  ASSERT_FALSE(x.contacts.empty());
  EXPECT_EQ(x.hash(), world.hash());
  const auto nudge = [](double& v) { v = std::nextafter(v, std::numeric_limits<double>::infinity()); };
  std::vector<State> changed;
  const auto change = [&](auto&& edit) {
    State y = x;
    edit(y);
    changed.push_back(y);
  };
  change([&](State& y) { nudge(y.time); });
  change([&](State& y) { ++y.step_count; });
  change([&](State& y) { nudge(y.step); });
  for (std::size_t body = 0; body < x.position.size(); ++body) {
    for (int k = 0; k < 3; ++k) {
      change([&](State& y) { nudge(y.position[body][k]); });
      change([&](State& y) { nudge(y.velocity[body][k]); });
      change([&](State& y) { nudge(y.spin[body][k]); });
    }
    change([&](State& y) { nudge(y.orientation[body].w); });
    change([&](State& y) { nudge(y.orientation[body].z); });
    change([&](State& y) { y.alive[body] = 0; });
  }
  change([&](State& y) { nudge(y.contacts[1].impulse.y); });
  change([&](State& y) { y.contacts[0].key.feature ^= 1; });
  change([&](State& y) { y.contacts[0].state = 0; });
  change([&](State& y) { y.contacts.pop_back(); });
  change([&](State& y) { std::swap(y.contacts[0], y.contacts[1]); });
  change([&](State& y) {
    Entries e;
    e.book(Cause::edit, 1e-300);
    y.ledger.post(e, y.ledger.now());
  });
  for (std::size_t i = 0; i < changed.size(); ++i) {
    EXPECT_NE(changed[i].hash(), x.hash()) << "change " << i;
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(changed[i].hash(), changed[k].hash()) << i << " and " << k;
  }
}

}  // namespace
}  // namespace stiction::test
