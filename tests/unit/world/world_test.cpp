// The world as a program sees it: names and ids, inputs, interpolation, saving, threads.
#include "stiction/world/world.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "stiction/base/log.h"
#include "unit/world/floor_scene.h"

namespace stiction::test {
namespace {

TEST(World, FindsBodiesByName) {
  Scene s = floor_scene();
  const BodyId cube = s.add_body("cube", cube_at({0, 0, 0.1}));
  World w = world_of(s);
  EXPECT_EQ(w.body("cube"), cube);
  EXPECT_EQ(w.name_of(cube), "cube");
  EXPECT_TRUE(w.is_alive(cube));
  EXPECT_FALSE(w.body("nobody"));
  EXPECT_FALSE(w.is_alive({}));
  EXPECT_FALSE(w.is_alive({77, 0}));
  EXPECT_EQ(w.last_report().status, StepReport::Status::not_run);
}

TEST(World, BuildListsTheMistakesOfSceneAndSettingsTogether) {
  Scene s = floor_scene();
  s.add_body("cube", {.shape = Box{{0.2, -0.2, 0.2}}, .mass = -1});
  const Result<World> r = build(s, {.step = -1, .tolerance = 1});
  ASSERT_FALSE(r);
  EXPECT_GE(r.mistakes().size(), 4u);
}

TEST(World, InputActsForOneStep) {
  Scene s;
  const BodyId ball = s.add_body("ball", {.shape = Sphere{0.1}, .mass = 2});
  World w = world_of(s, {.step = 0.01});
  w.input().force(ball, {4, 0, 0});
  w.input().force(ball, {0, 2, 0});  // several add up
  w.input().torque(ball, {0, 0, 0.008});
  w.step();
  EXPECT_LT(norm(w.velocity(ball) - Vec3{0.02, 0.01, 0}), 1e-16);
  EXPECT_NEAR(w.spin(ball).z, 0.01, 1e-15);  // inertia 2/5 m r^2 = 0.008
  EXPECT_TRUE(w.input().wrenches.empty());
  const Vec3 v = w.velocity(ball);
  w.step();
  EXPECT_EQ(w.velocity(ball), v);
  EXPECT_NEAR(w.ledger().booked(Cause::input), w.ledger().now().kinetic, 1e-18);
}

TEST(World, InputOnBodiesThatDoNotMoveDoesNothing) {
  Scene s = floor_scene();
  World w = world_of(s);
  w.input().force(w.body("floor"), {1, 1, 1});
  EXPECT_TRUE(w.step().converged);
  EXPECT_EQ(w.position(w.body("floor")), Vec3{});
}

TEST(World, InterpolatesBetweenTheLastTwoStates) {
  Scene s;
  const BodyId ball = s.add_body(
      "ball", {.shape = Box{{0.1, 0.1, 0.1}}, .mass = 1, .velocity = {1, 2, 3}, .spin = {0, 0, 4}});
  World w = world_of(s, {.step = 0.01});
  EXPECT_EQ(w.interpolated(ball, 0).position, w.interpolated(ball, 1).position);  // no step yet
  run(w, 7);
  const Vec3 before = w.position(ball);
  const Quat turned = w.orientation(ball);
  w.step();
  EXPECT_EQ(w.interpolated(ball, 0).position, before);
  EXPECT_LT(angle_between(w.interpolated(ball, 0).orientation, turned), 1e-15);
  EXPECT_EQ(w.interpolated(ball, 1).position, w.position(ball));
  EXPECT_LT(norm(w.interpolated(ball, 0.25).position - (0.75 * before + 0.25 * w.position(ball))), 1e-15);
  EXPECT_NEAR(angle_between(turned, w.interpolated(ball, 0.5).orientation), 0.02,
              1e-5);  // half of 4 rad/s x 10 ms
}

TEST(World, HashPrintsAsTheProgramPrintsIt) {
  World w = world_of(floor_scene());
  const StateHash hash = w.hash();
  testing::internal::CaptureStdout();
  log("hash", hash);
  std::cout << hash << '\n';
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hash " + hex(hash) + "\n" + hex(hash) + "\n");
  EXPECT_EQ(hash, w.hash());
  EXPECT_EQ(std::uint64_t(hash), w.state().hash());
  w.step();
  EXPECT_FALSE(hash == w.hash());
}

// Views of the state stay valid: its arrays do not move while the model's revision stays.
TEST(World, StateKeepsItsAddressesAlsoWhenRestored) {
  Scene s = floor_scene();
  s.add_body("cube", cube_at({0, 0, 0.5}));
  World w = world_of(s);
  const std::vector<unsigned char> start = w.save();
  const void* position = w.state().position.data();
  const void* spin = w.state().spin.data();
  run(w, 50);
  value_of(w.restore(start));
  run(w, 5);
  EXPECT_EQ(w.state().position.data(), position);
  EXPECT_EQ(w.state().spin.data(), spin);
}

TEST(World, ThreadsGiveTheSameWorld) {
  Scene s = floor_scene();
  for (int i = 0; i < 20; ++i) s.add_body("cube." + std::to_string(i), cube_at({0.5 * i, 0, 0.3 + 0.01 * i}));
  World one = world_of(s, {.threads = 1}), two = world_of(s, {.threads = 2});
  for (int i = 0; i < 60; ++i) {
    one.step(), two.step();
    ASSERT_EQ(one.hash(), two.hash()) << i;
  }
}

// Two layers of rods that all cross each other are one dense problem, whose factors have columns that are
// worth sharing (worth_sharing of block_lu.cpp); beside it stand small ones that are dealt out.
TEST(World, ThreadsShareALargeHeap) {
  constexpr int rods = 30;  // in a layer
  constexpr double r = 0.02, apart = 0.05, half = 0.5 * rods * apart;
  const double c = std::sqrt(0.5);
  Scene s = floor_scene();
  for (int i = 0; i < rods; ++i) {
    const double at = (i + 0.5) * apart - half;
    const std::string n = std::to_string(i);
    s.add_body(
        "below." + n,
        {.shape = Capsule{r, 2 * half}, .mass = 1, .position = {0, at, r}, .orientation = {c, 0, c, 0}});
    s.add_body("above." + n, {.shape = Capsule{r, 2 * half},
                              .mass = 1,
                              .position = {at, 0, 3 * r},
                              .orientation = {c, c, 0, 0},
                              .velocity = {0, 0.1 * (i % 3), 0}});
  }
  for (int i = 0; i < 5; ++i)
    s.add_body("alone." + std::to_string(i), cube_at({3 + 0.5 * i, 0, 0.1 + 0.01 * i}));
  World one = world_of(s, {.threads = 1}), three = world_of(s, {.threads = 3});
  int contacts = 0, factorisations = 0;
  for (int i = 0; i < 4; ++i) {
    const StepReport report = one.step();
    contacts = std::max(contacts, report.contacts), factorisations += report.factorisations;
    three.step();
    ASSERT_EQ(one.hash(), three.hash()) << i;
  }
  EXPECT_GT(contacts, rods * rods);
  EXPECT_GT(factorisations, 4);
}

/// Balls all but in one place, `spread` apart.
Scene crowd_of(int balls, double spread) {
  Scene s = floor_scene();
  for (int i = 0; i < balls; ++i)
    s.add_body("ball." + std::to_string(i),
               {.shape = Sphere{0.1}, .mass = 1, .position = {spread * i, 0, 1}, .surface = "s"});
  return s;
}

// More pairs than memory is given for: every method with contact says so at once, and the state stays.
TEST(World, ACrowdIsRefused) {
  for (const Method method : {Method::coulomb, Method::implicit_geometry, Method::moreau_jean,
                              Method::stewart_trinkle, Method::anitescu_potra, Method::event_driven}) {
    World w = world_of(crowd_of(3000, 1e-6), {.method = method});  // 4.5e6 pairs
    const StateHash before = w.hash();
    const StepReport report = w.step();
    EXPECT_EQ(report.status, StepReport::Status::refused) << word_of(method);
    EXPECT_EQ(report.reason, std::string(too_crowded)) << word_of(method);
    EXPECT_EQ(report.crowd, 2999) << word_of(method);
    EXPECT_NE(report.explain().find("2999 bodies or more crowd round body "), std::string::npos)
        << report.explain();
    EXPECT_EQ(w.hash(), before) << word_of(method);
  }
}

// What is large but no crowd is not refused: a heap whose floor touches all of it, and a cloud so fast that
// whole steps reach over all of it; shorter ones do not.
TEST(World, AHeapAndAFastCloudAreNoCrowds) {
  Scene heap{.gravity = {0, 0, -g}};
  heap.add_body("floor", {.kind = fixed, .shape = Box{{200, 200, 1}}, .position = {0, 0, -0.5}});
  for (int i = 0; i < 8000; ++i)
    heap.add_body(
        "ball." + std::to_string(i),
        {.shape = Sphere{0.1}, .mass = 1, .position = {0.2 * (i % 90) - 9, 0.2 * (i / 90) - 9, 0.1}});
  World resting = world_of(heap, {.tolerance = 1e-4});
  EXPECT_NE(resting.step().status, StepReport::Status::refused);

  Scene cloud;
  for (int i = 0; i < 1000; ++i)
    cloud.add_body("ball." + std::to_string(i),
                   {.shape = Sphere{0.1},
                    .mass = 1,
                    .position = {0.3 * (i % 10), 0.3 * (i / 10 % 10), 0.3 * (i / 100)},
                    .velocity = {100, 0, 0}});
  World fast = world_of(cloud, {.step = 0.01});  // each reaches 1 m: 5e5 pairs
  EXPECT_EQ(fast.step().status, StepReport::Status::converged);
}

TEST(World, BodiesThatCoincideAreNamed) {
  Scene s = crowd_of(3, 0);
  s.add_body("cube.a", cube_at({2, 0, 1}));
  s.add_body("cube.b", cube_at({2, 0, 1}));
  BodyDescription turned = cube_at({2, 0, 1});
  turned.orientation = {std::cos(0.3), 0, 0, std::sin(0.3)};
  s.add_body("turned", turned);
  s.add_body("sphere", {.shape = Sphere{0.1}, .mass = 1, .position = {2, 0, 1}});
  const World w = world_of(s);
  ASSERT_EQ(w.warnings().size(), 2u);
  EXPECT_EQ(
      w.warnings()[0],
      "3 bodies of the same shape are in the same place: \"ball.0\", \"ball.1\" and \"ball.2\"; they will "
      "be pushed apart");
  EXPECT_EQ(
      w.warnings()[1],
      "2 bodies of the same shape are in the same place: \"cube.a\" and \"cube.b\"; they will be pushed "
      "apart");
}

TEST(World, MoreThreadsThanOfUseAreSaid) {
  World w = world_of(crowd_of(2, 1), {.threads = most_threads});
  ASSERT_EQ(w.warnings().size(), 1u);
  EXPECT_EQ(w.warnings()[0].find("1024 threads were asked for, "), 0u);
  EXPECT_TRUE(w.step().converged);
}

// A step that is stopped did not happen, wherever it was: the bits that follow are those of a run that nobody
// stopped.
TEST(World, AStoppedStepDidNotHappen) {
  for (const Method method : {Method::coulomb, Method::implicit_geometry, Method::moreau_jean,
                              Method::stewart_trinkle, Method::anitescu_potra, Method::event_driven}) {
    Scene s = floor_scene();
    for (int i = 0; i < 8; ++i)
      s.add_body("cube." + std::to_string(i), cube_at({0.02 * (i % 3), 0.01 * (i % 2), 0.101 + 0.201 * i}));
    World reference = world_of(s, {.method = method}), w = world_of(s, {.method = method});
    std::atomic<bool> stop = false;
    w.stop_when(&stop);
    for (int step = 0; step < 30; ++step) {
      const StateHash before = w.hash();
      const auto expect_given_up = [&] {
        EXPECT_EQ(w.last_report().status, StepReport::Status::refused);
        EXPECT_NE(w.last_report().explain().find("asked to stop"), std::string::npos);
        EXPECT_EQ(w.hash(), before) << word_of(method) << ", step " << step;
        EXPECT_EQ(w.time(), reference.time());
      };
      stop = true;  // every loop of the step ends at its first turn
      w.step();
      expect_given_up();
      stop = false;
      std::thread other([&] {  // at any place in the step, or after it
        std::this_thread::sleep_for(std::chrono::microseconds(10 * step));
        stop = true;
      });
      w.step();
      other.join();
      stop = false;
      if (w.state().step_count == step) {
        expect_given_up();
        w.step();
      }
      reference.step();
      ASSERT_EQ(w.hash(), reference.hash()) << word_of(method) << ", step " << step;
    }
  }
}

TEST(World, CanBeMoved) {
  Scene s = floor_scene();
  const BodyId cube = s.add_body("cube", cube_at({0, 0, 0.1}));
  World w = world_of(s);
  run(w, 3);
  const std::uint64_t hash = w.hash();
  World other = std::move(w);
  EXPECT_EQ(other.hash(), hash);
  EXPECT_TRUE(other.step().converged);
  EXPECT_TRUE(other.is_alive(cube));
}

}  // namespace
}  // namespace stiction::test
