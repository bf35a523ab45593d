// Joints that break: at what load, what becomes of their energy, and what is the same after a restart.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/record/recorder.h"
#include "stiction/record/recording.h"
#include "support/laws.h"
#include "support/mechanism_scenes.h"
#include "support/run.h"

namespace stiction::test {
namespace {

using constraints::Kind;
constexpr double g = 9.81;  // [m/s^2]

/// A load on a joint to the world, pulled along x by a force that grows by `rate` [N/s].
Scene pulled(const ConstraintJoint& joint, double rate) {
  Scene s;
  s.add_body("load", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 0.5, .collides = false});
  s.add_joint("rod", joint);
  s.add_force("pull", Wrench{.body = "load", .time = {0, 100}, .force = {{}, {100 * rate, 0, 0}}});
  return s;
}

// F(t) = rate t, taken by the step at its middle: broken at the end of the first step whose middle has more
// than the joint bears. Rigid joints feel the force itself.
TEST(Breaking, AtTheThreshold) {
  const double rate = 7, bears = 5.123, h = 0.01;
  World world = world_of(
      pulled({.kind = Kind::ball, .body = "load", .at = Vec3{}, .break_force = bears}, rate), {.step = h});
  double broke = -1;
  run(world, 120, [&](const World& w, const StepReport& r) {
    if (r.broken_joints > 0) {
      EXPECT_EQ(r.broken_joints, 1);
      EXPECT_EQ(r.first_broken_joint, 0);
      ASSERT_EQ(w.broken_joints().size(), 1u);
      EXPECT_EQ(w.broken_joints()[0], "rod");
      EXPECT_GT(norm(w.reaction("rod")->force), bears);  // of the step that broke it
      broke = w.time();
    }
    EXPECT_EQ(w.is_broken("rod"), broke >= 0);
    EXPECT_LT(w.ledger().relative_imbalance(), books);
  });
  const double crossing = bears / rate;  // [s]
  EXPECT_GE(broke, crossing);
  EXPECT_LE(broke, crossing + 1.5 * h);
  EXPECT_TRUE(world.broken_joints().empty());
  EXPECT_EQ(norm(world.reaction("rod")->force), 0);
  // free since then: dp = integral of the force
  const double t = world.time();
  EXPECT_NEAR(world.velocity(world.body("load")).x, 0.5 * rate * (t * t - broke * broke) / 0.5, 1e-9);
}

// A torque breaks a lock, not its force; the arm counts from the joint's point.
TEST(Breaking, ByTorque) {
  const double rate = 7, arm = 0.3, bears = 1.234, h = 0.01;
  ConstraintJoint lock{.kind = Kind::lock, .body = "load", .at = Vec3{0, 0, -arm}, .break_torque = bears};
  World world = world_of(pulled(lock, rate), {.step = h});
  double broke = -1;
  run(world, 120, [&](const World& w, const StepReport& r) {
    if (r.broken_joints > 0) broke = w.time();
  });
  EXPECT_GE(broke, bears / (arm * rate));
  EXPECT_LE(broke, bears / (arm * rate) + 1.5 * h);
}

// What was stored in a joint, e F^2/2 with the force that it had at the end, leaves the books under
// `breaking`.
TEST(Breaking, BooksTheEnergyThatWasStored) {
  const double rate = 2, bears = 5, e = 1e-3, h = 0.005;
  World world = world_of(pulled({.kind = Kind::ball,
                                 .body = "load",
                                 .at = Vec3{},
                                 .compliance = e,
                                 .damping_time = 0.05,
                                 .break_force = bears},
                                rate),
                         {.step = h});
  Worst worst(world);
  double stored = 0, stretch = 0;
  run(world, steps_to(4, h), [&](const World& w, const StepReport& r) {
    worst.look(w, r);
    const double x = w.position(w.body("load")).x;
    if (r.broken_joints > 0) stretch = x, stored = 0.5 * x * x / e;
    EXPECT_NEAR(w.ledger().booked(Cause::breaking), -stored, 1e-9 * stored);
    if (w.is_broken("rod")) {
      EXPECT_EQ(w.ledger().now().spring_potential, 0);
    }
  });
  worst.expect_lawful(1e-8);
  // the force grows by 2 N/s, the stretch of the damped joint lags by tau: e (F - rate tau), to the rest that
  // starting leaves
  EXPECT_NEAR(stretch, e * (bears - rate * 0.05), 1.5 * e * rate * h + 1e-6);
}

// At rest under its weight the joint holds m g; what it bears is then made less than that, and it breaks in
// the next step: e (m g)^2/2.
TEST(Breaking, UnderItsWeight) {
  const double mass = 2, e = 1e-3, h = 0.005;
  const auto hung = [&](double bears) {
    Scene s;
    s.gravity = {0, 0, -g};
    s.add_body("load", {.shape = Sphere{0.1}, .mass = mass, .collides = false});
    s.add_joint("rod", ConstraintJoint{.kind = Kind::ball,
                                       .body = "load",
                                       .at = Vec3{},
                                       .compliance = e,
                                       .damping_time = 0.05,
                                       .break_force = bears});
    return s;
  };
  World world = world_of(hung(1000), {.step = h});
  run(world, steps_to(10, h));
  value_of(world.change(hung((1 + 1e-9) * mass * g), {.step = h}));
  run(world, 10);
  EXPECT_FALSE(world.is_broken("rod"));
  value_of(world.change(hung((1 - 1e-9) * mass * g), {.step = h}));
  EXPECT_EQ(world.step().broken_joints, 1);
  const double energy = 0.5 * e * mass * g * mass * g;
  EXPECT_NEAR(world.ledger().booked(Cause::breaking), -energy, 1e-9 * energy);
  EXPECT_LT(world.ledger().relative_imbalance(), books);
  run(world, 100);
  EXPECT_NEAR(world.velocity(world.body("load")).z, -g * 100 * h, 1e-9);
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

/// Planks between two posts, hinged to each other with some give, and a weight that falls on the middle.
Scene bridge(double bears) {
  Scene s = on_a_floor();
  const int n = 6;
  const double length = 0.4, thick = 0.05, height = 1.2;
  for (const double side : {-1.0, 1.0})
    s.add_body(side < 0 ? "left" : "right", {.kind = fixed,
                                             .shape = Box{{0.4, 0.6, height}},
                                             .position = {side * (0.5 * n * length + 0.2), 0, 0.5 * height}});
  for (int i = 0; i < n; ++i)
    s.add_body("plank" + std::to_string(i), {.shape = Box{{length - 0.01, 0.5, thick}},
                                             .mass = 4,
                                             .position = {(i + 0.5 - 0.5 * n) * length, 0, height - 0.1}});
  for (int i = 0; i <= n; ++i) {
    const std::string body = i == n ? "plank" + std::to_string(n - 1) : "plank" + std::to_string(i),
                      parent = i == 0   ? "left"
                               : i == n ? "right"
                                        : "plank" + std::to_string(i - 1);
    s.add_joint("hinge" + std::to_string(i),
                ConstraintJoint{.kind = Kind::hinge,
                                .body = body,
                                .parent = parent,
                                .at = Vec3{(i - 0.5 * n) * length, 0, height - 0.1},
                                .axis = {0, 1, 0},
                                .compliance = 2e-5,
                                .angular_compliance = 1e-4,
                                .damping_time = 2e-3,
                                .break_force = bears});
  }
  s.add_body("weight", {.shape = Sphere{0.2}, .mass = 80, .position = {0.1, 0.05, 2.6}});
  return s;
}

TEST(Breaking, ABridgeUnderAFallingWeight) {
  World world = world_of(bridge(3000), {.step = 0.005});
  World two = world_of(bridge(3000), {.step = 0.005, .threads = 2});
  World spare = world_of(bridge(3000), {.step = 0.005});
  Worst worst(world);
  int broken = 0, left_whole = 0;
  std::vector<unsigned char> saved;
  run(world, 400, [&](const World& w, const StepReport& r) {
    worst.look(w, r);
    broken += r.broken_joints;
    two.step();
    ASSERT_EQ(two.hash(), w.hash());
    if (saved.empty() && broken > 0)
      saved = w.save(), value_of(spare.restore(saved));
    else if (!saved.empty())
      spare.step();
    if (!saved.empty()) {
      ASSERT_EQ(spare.hash(), w.hash());
    }
  });
  for (int i = 0; i <= 6; ++i) left_whole += !world.is_broken("hinge" + std::to_string(i));
  EXPECT_GT(broken, 0);
  EXPECT_GT(left_whole, 0);
  EXPECT_EQ(broken + left_whole, 7);
  EXPECT_LT(world.ledger().booked(Cause::breaking), 0);
  EXPECT_LE(worst.imbalance, 1e-11);
  worst.expect_lawful(1e-8);
  EXPECT_EQ(worst.unconverged, 0);
  EXPECT_LT(world.position(world.body("weight")).z, 0.5);  // it went through
  RecordProperty("broken", broken);
}

/// Steps a world on, and tells a recorder of it.
void record(World& world, Recorder& recorder, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepReport report = world.step();
    value_of(recorder.on_step(world.model(), world.state(), report, world.contacts()));
  }
}

// A recording names what broke and when; cut short after that and resumed, it comes out the same.
TEST(Breaking, IsRecordedAndResumed) {
  const auto settings = [](const std::string& name) {
    return RecorderSettings{.folder = testing::TempDir() + "breaking",
                            .name = name,
                            .setup = {.every = 0.02},
                            .scene_text = "{}"};
  };
  const RunSettings run{.step = 0.005};
  World whole = world_of(bridge(3000), run);
  Recorder recorder = value_of(Recorder::open(settings("whole")));
  value_of(recorder.on_start(whole.model(), whole.state()));
  record(whole, recorder, 180);
  const RecordedFiles files =
      value_of(recorder.finish(whole.model(), whole.state(), whole.contacts(), 1, "reached the end"));
  const std::vector<BrokenJoint> expected = files.summary.broken;
  ASSERT_FALSE(expected.empty());
  for (const BrokenJoint& b : expected) EXPECT_TRUE(whole.is_broken(b.joint));
  const Recording read = value_of(load_recording(files.hdf5));
  ASSERT_TRUE(read.summary);
  ASSERT_EQ(read.summary->broken.size(), expected.size());
  EXPECT_EQ(in_words(read.summary->broken[0]), in_words(expected[0]));

  {
    World cut = world_of(bridge(3000), run);
    Recorder first = value_of(Recorder::open(settings("cut")));
    value_of(first.on_start(cut.model(), cut.state()));
    record(cut, first, 170);  // no finish()
  }
  const std::string journal = Recorder::journal_path(settings("cut"));
  const ResumePoint point = value_of(find_resume_point(journal));
  World again = world_of(bridge(3000), run);
  value_of(again.restore(point.state.bytes));
  ASSERT_EQ(again.hash(), point.state.hash);
  Recorder second = value_of(Recorder::resume(settings("cut"), point));
  record(again, second, 180 - int(point.state.step));
  EXPECT_EQ(again.hash(), whole.hash());
  const RunSummary end =
      value_of(second.finish(again.model(), again.state(), again.contacts(), 1, "reached the end")).summary;
  ASSERT_EQ(end.broken.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(in_words(end.broken[i]), in_words(expected[i]));
}

// Part of the State: in its hash and its bytes, kept over edits by name, and mended in a world that starts
// anew.
TEST(Breaking, IsPartOfTheState) {
  const auto make = [] {
    return world_of(pulled({.kind = Kind::ball, .body = "load", .at = Vec3{}, .break_force = 1}, 10),
                    {.step = 0.01});
  };
  World world = make();
  run(world, 20);
  ASSERT_TRUE(world.is_broken("rod"));
  State mended = world.state();
  mended.joint_broken[0] = 0;
  EXPECT_NE(mended.hash(), world.state().hash());
  std::vector<unsigned char> bytes = world.save();
  value_of(
      world.add_body("other", {.shape = Sphere{0.1}, .mass = 1, .position = {9, 0, 0}, .collides = false}));
  EXPECT_TRUE(world.is_broken("rod"));
  World fresh = make();
  EXPECT_FALSE(fresh.is_broken("rod"));
  value_of(fresh.restore(bytes));
  EXPECT_TRUE(fresh.is_broken("rod"));
  bytes.back() = 2;
  EXPECT_FALSE(fresh.restore(bytes));
}

// Limits, motors and friction of a joint go with it.
TEST(Breaking, TakesTheLawsOfTheJointAlong) {
  ConstraintJoint hinge{.kind = Kind::hinge, .body = "load", .at = Vec3{}, .break_force = 2};
  hinge.motor = {.force = {0.05}, .speed = {3}};
  hinge.limits = {.lower = {-20}, .upper = {0.4}};
  World world = world_of(pulled(hinge, 10), {.step = 0.01});
  Worst worst(world);
  Vec3 spin;
  run(world, 100, [&](const World& w, const StepReport& r) {
    worst.look(w, r);
    if (r.broken_joints > 0) spin = w.spin(w.body("load"));
    if (w.is_broken("rod") && r.broken_joints == 0) {
      EXPECT_LT(norm(w.spin(w.body("load")) - spin), 1e-12);  // nothing turns it any more, nor stops it
      for (const JointLaw& law : w.joint_laws("rod")) EXPECT_EQ(law.force, 0);
    }
  });
  worst.expect_lawful(1e-8);
  EXPECT_TRUE(world.is_broken("rod"));
  EXPECT_GT(spin.z, 0.1);
}

// Two boxes side by side that a joint held: once it is broken they touch.
TEST(Breaking, LetsItsBodiesTouch) {
  for (const bool breaks : {false, true}) {
    Scene s = on_a_floor();
    s.add_body("low", {.shape = Box{{0.4, 0.4, 0.2}}, .mass = 5, .position = {0, 0, 0.1}});
    s.add_body("high", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 1, .position = {0, 0, 0.32}});
    s.add_joint("peg", ConstraintJoint{.kind = Kind::prismatic,
                                       .body = "high",
                                       .parent = "low",
                                       .at = Vec3{0, 0, 0.3},
                                       .axis = {0, 0, 1},
                                       .break_force = breaks ? 1e-3 : 0});
    s.add_force("push", Wrench{.body = "high", .force = {{0.1, 0, 0}}});
    World world = world_of(s, {.step = 0.005});
    Worst worst(world);
    run(world, 60, [&](const World& w, const StepReport& r) { worst.look(w, r); });
    worst.expect_lawful(1e-8);
    EXPECT_EQ(world.is_broken("peg"), breaks);
    const double z = world.position(world.body("high")).z;
    if (breaks)
      EXPECT_NEAR(z, 0.3, 1e-8);  // it fell by the gap of 2 cm and lies there
    else
      EXPECT_LT(z, 0.2);  // it sinks into the other, along the peg
  }
}

TEST(Breaking, AStrongBridgeHolds) {
  World world = world_of(bridge(0), {.step = 0.005});
  Worst worst(world);
  run(world, 300, [&](const World& w, const StepReport& r) { worst.look(w, r); });
  worst.expect_lawful(1e-8);
  EXPECT_EQ(worst.unconverged, 0);
  EXPECT_GT(world.position(world.body("weight")).z, 0.8);
}

}  // namespace
}  // namespace stiction::test
