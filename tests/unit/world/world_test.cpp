// The world as a program sees it: names and ids, inputs, contacts, editing between steps, interpolation,
// saving.
#include "stiction/world/world.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>
#include <thread>
#include <utility>

#include "stiction/base/log.h"
#include "support/recompute.h"
#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;
constexpr double books = 1e-12;  // [-] published imbalance of the ledger

Scene floor_scene() {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("s", {.friction = 0.5});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "s"});
  return s;
}
BodyDescription cube_at(const Vec3& x, double mass = 1) {
  return {.shape = Box{{0.2, 0.2, 0.2}}, .mass = mass, .position = x, .surface = "s"};
}

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
  const Result<World> r = build(s, {.step = -1, .solver = "magic"});
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

// Forces on a resting body add up to its weight, on the floor to that of everything above.
TEST(World, ContactForcesCarryTheWeight) {
  Scene s = floor_scene();
  const BodyId low = s.add_body("low", cube_at({0, 0, 0.1}, 3));
  const BodyId high = s.add_body("high", cube_at({0.02, 0.01, 0.3}, 5));
  World w = world_of(s);
  run(w, 20);
  const auto force_on = [&](BodyId id) {
    Vec3 sum;
    for (const Contact& c : w.contacts(id)) sum += c.b == id ? c.force : -c.force;
    return sum;
  };
  constexpr double error = 1e-6;  // [N] tolerance 1e-8 times 80 N
  EXPECT_LT(norm(force_on(low) - Vec3{0, 0, 3 * g}), error);
  EXPECT_LT(norm(force_on(high) - Vec3{0, 0, 5 * g}), error);
  EXPECT_LT(norm(force_on(w.body("floor")) - Vec3{0, 0, -8 * g}), error);
  // moments about the upper cube's centre vanish
  Vec3 moment;
  for (const Contact& c : w.contacts(high))
    moment += cross(c.point - w.position(high), c.b == high ? c.force : -c.force);
  EXPECT_LT(norm(moment), error);
  for (const Contact& c : w.contacts()) {
    EXPECT_NEAR(norm(c.normal), 1, 1e-14);
    EXPECT_EQ(c.friction, 0.5);
    EXPECT_LT(norm(c.force - c.impulse / 0.01), 1e-12);
    EXPECT_TRUE(c.state == ContactState::sticking || c.impulse == Vec3{});
    EXPECT_LT(c.key.a, c.key.b);
  }
  EXPECT_GE(w.contacts().size(), 7u);
}

TEST(World, ARollingContactSaysSo) {
  Scene s = floor_scene();
  const BodyId rolls = s.add_body("rolls", {.shape = Sphere{0.1},
                                            .mass = 1,
                                            .position = {0, 0, 0.1},
                                            .velocity = {1, 0, 0},
                                            .spin = {0, 10, 0},
                                            .surface = "s"});
  const BodyId rests =
      s.add_body("rests", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 1, 0.1}, .surface = "s"});
  const BodyId spins = s.add_body(
      "spins", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 2, 0.1}, .spin = {0, 0, 5}, .surface = "s"});
  World w = world_of(s);
  run(w, 3);
  EXPECT_EQ(w.contacts(rolls)[0].state, ContactState::rolling);
  EXPECT_EQ(w.contacts(rests)[0].state, ContactState::sticking);
  EXPECT_EQ(w.contacts(spins)[0].state, ContactState::sticking);  // about the normal: no point moves
}

TEST(World, ASlidingContactSaysSo) {
  Scene s = floor_scene();
  BodyDescription d = cube_at({0, 0, 0.1});
  d.velocity = {1, 0, 0};
  const BodyId cube = s.add_body("cube", d);
  World w = world_of(s);
  run(w, 3);
  Vec3 force;
  for (const Contact& c : w.contacts(cube)) {
    if (c.impulse == Vec3{}) continue;
    EXPECT_EQ(c.state, ContactState::sliding);
    EXPECT_NEAR(c.slip.x, w.velocity(cube).x, 1e-8);
    force += c.force;
  }
  EXPECT_NEAR(force.x, -0.5 * g, 1e-6);
}

// The sum has the force and the moment of the contacts; friction's power on a sliding cube is -mu m g v.
TEST(World, ContactPairsSumUp) {
  Scene s = floor_scene();
  BodyDescription slider = cube_at({0, 0, 0.1});
  slider.velocity = {1, 0.5, 0};
  const BodyId sliding = s.add_body("sliding", slider);
  s.add_body("apart", cube_at({3, 0, 0.5}));
  s.add_body("low", cube_at({1, 2, 0.1}, 2)), s.add_body("high", cube_at({1.05, 2, 0.3}, 3));
  World w = world_of(s);
  w.step(), w.step();
  const std::vector<ContactPair> pairs = w.contact_pairs();
  ASSERT_EQ(pairs.size(), 3u);  // what is apart has none
  for (const ContactPair& p : pairs) {
    Vec3 force, moment;
    for (const Contact& c : w.contacts())
      if (c.a == p.a && c.b == p.b) force += c.force, moment += cross(c.point, c.force);
    EXPECT_LT(norm(p.force - force), 1e-12);
    EXPECT_LT(norm(cross(p.point, p.force) + p.torque - moment), 1e-12);
  }
  EXPECT_EQ(pairs[0].b, sliding);
  EXPECT_NEAR(pairs[0].power, -0.5 * g * norm(w.velocity(sliding)), 1e-6);
  EXPECT_NEAR(pairs[1].force.z, 5 * g, 1e-6);  // the floor carries both
  EXPECT_NEAR(pairs[2].force.z, 3 * g, 1e-6);
  EXPECT_NEAR(pairs[2].point.x, 1.05, 1e-6);  // below the centre of mass
  EXPECT_NEAR(pairs[2].power, 0, 1e-9);
}

TEST(World, ContactEventsBeginAndEnd) {
  Scene s = floor_scene();
  const BodyId cube = s.add_body("cube", cube_at({0, 0, 0.15}));
  World w = world_of(s);
  int begins = 0, ends = 0;
  double began = -1, ended = -1;
  for (int i = 0; i < 100; ++i) {
    if (w.time() > 0.5) w.input().force(cube, {0, 0, 3 * g});
    w.step();
    for (const ContactEvent& e : w.contact_events()) {
      EXPECT_EQ(e.b, cube);
      EXPECT_EQ(w.name_of(e.a), "floor");
      if (e.kind == ContactEvent::Kind::begin)
        ++begins, began = w.time();
      else
        ++ends, ended = w.time();
    }
  }
  EXPECT_EQ(begins, 1);
  EXPECT_EQ(ends, 1);
  EXPECT_NEAR(began, std::sqrt(2 * 0.05 / g), 0.011);  // falls 5 cm; a step late or early
  EXPECT_NEAR(ended, 0.51, 0.011);
}

TEST(World, SensorsSeeBodiesEnterAndLeave) {
  Scene s;
  const BodyId ball =
      s.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .position = {-1, 0, 0}, .velocity = {1, 0, 0}});
  s.add_sensor("gate", {.shape = Box{{0.2, 1, 1}}});
  World w = world_of(s, {.step = 0.01});
  const SensorId gate = w.sensor("gate");
  ASSERT_TRUE(gate);
  EXPECT_FALSE(w.sensor("no gate"));
  double entered = -1, left = -1;
  run(w, 200, [&](const World& now, const StepReport&) {
    for (const SensorEvent& e : now.sensor_events()) {
      EXPECT_EQ(e.sensor, gate);
      EXPECT_EQ(e.body, ball);
      (e.kind == SensorEvent::Kind::enter ? entered : left) = now.time();
    }
    const bool inside = std::fabs(now.position(ball).x) < 0.2 - 1e-9;
    if (std::fabs(std::fabs(now.position(ball).x) - 0.2) > 1e-9) {
      EXPECT_EQ(now.overlaps(gate), inside ? std::vector<BodyId>{ball} : std::vector<BodyId>{});
    }
  });
  EXPECT_NEAR(entered, 0.81, 0.0101);  // touches at x = -0.2
  EXPECT_NEAR(left, 1.2, 0.0101);
  EXPECT_EQ(w.velocity(ball), (Vec3{1, 0, 0}));  // sensors push nothing
}

TEST(World, ABodyThatStartsInASensorIsNoNews) {
  Scene s;
  const BodyId ball = s.add_body("ball", {.shape = Sphere{0.1}, .mass = 1});
  s.add_sensor("here", {.shape = Sphere{0.5}});
  World w = world_of(s);
  EXPECT_EQ(w.overlaps(w.sensor("here")), std::vector<BodyId>{ball});
  w.step();
  EXPECT_TRUE(w.sensor_events().empty());
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

TEST(World, AddingABodyBooksItsEnergyAsEdit) {
  World w = world_of(floor_scene());
  run(w, 5);
  BodyDescription d = cube_at({0, 0, 2}, 3);
  d.velocity = {2, 0, 0};
  const BodyId cube = value_of(w.add_body("cube", d));
  EXPECT_TRUE(w.is_alive(cube));
  EXPECT_EQ(w.body("cube"), cube);
  EXPECT_EQ(w.model().revision, 1);
  EXPECT_NEAR(w.ledger().booked(Cause::edit), 0.5 * 3 * 4, 1e-12);
  EXPECT_EQ(w.ledger().booked_momentum(Cause::edit), (Vec3{6, 0, 0}));
  run(w, 100, [&](const World& now, const StepReport& r) {
    EXPECT_TRUE(r.converged) << r.explain();
    ASSERT_LT(now.ledger().relative_imbalance(), books);
  });
  EXPECT_NEAR(w.position(cube).z, 0.1, 1e-8);
}

TEST(World, ABadBodyIsNotAdded) {
  Scene s = floor_scene();
  s.add_body("cube", cube_at({0, 0, 0.1}));
  World w = world_of(s);
  run(w, 3);
  const std::uint64_t before = w.hash();
  EXPECT_FALSE(w.add_body("cube", cube_at({0, 0, 3})));                                   // the name is taken
  EXPECT_FALSE(w.add_body("other", {.shape = Sphere{-1}, .mass = 1}));                    // no such sphere
  EXPECT_FALSE(w.add_body("other", {.shape = Sphere{1}, .mass = 1, .surface = "none"}));  // no such surface
  EXPECT_EQ(w.hash(), before);
  EXPECT_EQ(w.model().body_count(), 2);
}

TEST(World, RemovingABodyLeavesTheOthers) {
  Scene s = floor_scene();
  const BodyId low = s.add_body("low", cube_at({0, 0, 0.1}));
  const BodyId high = s.add_body("high", cube_at({0, 0, 0.3}));
  World w = world_of(s);
  run(w, 10);
  value_of(w.remove_body(low));
  EXPECT_FALSE(w.is_alive(low));
  EXPECT_FALSE(w.body("low"));
  EXPECT_TRUE(w.contacts(low).empty());
  EXPECT_FALSE(w.remove_body(low));  // stale
  EXPECT_FALSE(w.teleport(low, {}, {}));
  run(w, 60, [](const World& now, const StepReport& r) {
    EXPECT_TRUE(r.converged) << r.explain();
    ASSERT_LT(now.ledger().relative_imbalance(), books);
    EXPECT_EQ(recompute(now.model(), now.state()).momentum.x, now.ledger().now().momentum.x);
  });
  EXPECT_NEAR(w.position(high).z, 0.1, 1e-8);  // it fell to the floor
  // the name is free again, and the new body is not the old one
  const BodyId again = value_of(w.add_body("low", cube_at({1, 0, 0.1})));
  EXPECT_TRUE(w.is_alive(again));
  EXPECT_FALSE(w.is_alive(low));
  EXPECT_NE(again, low);
  run(w, 20);
  EXPECT_NEAR(w.position(again).z, 0.1, 1e-8);
}

// The contacts of a removed body end and it leaves the sensors it was in, told with the next step.
TEST(World, RemovingABodyEndsItsContactsAndLeavesItsSensors) {
  Scene s = floor_scene();
  s.add_sensor("here", {.shape = Box{{1, 1, 1}}});
  s.add_sensor("above", {.shape = Box{{1, 1, 0.2}}, .position = {0, 0, 0.35}});
  const BodyId low = s.add_body("low", cube_at({0, 0, 0.1}));
  const BodyId high = s.add_body("high", cube_at({0, 0, 0.3}));
  World w = world_of(s);
  run(w, 10);
  const BodyId floor = w.body("floor");
  ASSERT_EQ(w.overlaps(w.sensor("here")), (std::vector<BodyId>{floor, low, high}));
  value_of(w.remove_body(low));
  EXPECT_EQ(w.overlaps(w.sensor("here")), (std::vector<BodyId>{floor, high}));
  w.step();
  std::vector<std::pair<BodyId, BodyId>> ended;
  for (const ContactEvent& e : w.contact_events()) {
    EXPECT_EQ(e.kind, ContactEvent::Kind::end);
    ended.emplace_back(e.a, e.b);
  }
  EXPECT_EQ(ended, (std::vector<std::pair<BodyId, BodyId>>{{floor, low}, {low, high}}));
  ASSERT_EQ(w.sensor_events().size(), 1u);  // it was in one of the two
  const SensorEvent& left = w.sensor_events().front();
  EXPECT_EQ(left.kind, SensorEvent::Kind::leave);
  EXPECT_EQ(left.sensor, w.sensor("here"));
  EXPECT_EQ(left.body, low);
  EXPECT_FALSE(w.is_alive(left.body));
  EXPECT_EQ(w.name_of(left.body), "low");  // whoever listens can say who it was
  w.step();
  EXPECT_TRUE(w.contact_events().empty());                                 // once
  for (const SensorEvent& e : w.sensor_events()) EXPECT_EQ(e.body, high);  // which falls
}

// Rows written into the State itself: the same as teleporting each body, to the bit, books included.
TEST(World, WrittenRowsAreTeleports) {
  Scene s = floor_scene();
  const BodyId a = s.add_body("a", cube_at({0, 0, 0.1}));
  const BodyId b = s.add_body("b", cube_at({1, 0, 0.1}));
  World written = world_of(s), moved = world_of(s);
  run(written, 5), run(moved, 5);
  const BodyArrays rows = written.begin_edit();
  EXPECT_EQ(rows.position.data(), written.state().position.data());  // no copy
  rows.velocity[std::size_t(a.index)] = {1, 0, 0};
  rows.position[std::size_t(b.index)] = {2, 0, 3};
  rows.orientation[std::size_t(b.index)] = {2, 0, 0, 2};
  EXPECT_EQ(written.position(b), (Vec3{2, 0, 3}));
  EXPECT_TRUE(written.is_open_for_edit());
  value_of(written.end_edit());
  EXPECT_FALSE(written.is_open_for_edit());
  value_of(moved.teleport(a, moved.position(a), moved.orientation(a), {1, 0, 0}, moved.spin(a)));
  value_of(moved.teleport(b, {2, 0, 3}, {2, 0, 0, 2}, moved.velocity(b), moved.spin(b)));
  EXPECT_EQ(written.state().position, moved.state().position);
  EXPECT_EQ(written.state().orientation, moved.state().orientation);
  EXPECT_EQ(written.state().velocity, moved.state().velocity);
  EXPECT_TRUE(written.state().contacts.empty());  // of both bodies, whose contacts are new now
  const double edit = written.ledger().booked(Cause::edit);
  EXPECT_NEAR(edit, moved.ledger().booked(Cause::edit), 1e-12 * std::fabs(edit));
  run(written, 20);
  EXPECT_LE(written.ledger().relative_imbalance(), 1e-12);
}

TEST(World, WrittenMistakesPutEverythingBack) {
  Scene s = floor_scene();
  const BodyId a = s.add_body("a", cube_at({0, 0, 0.1}));
  s.add_body("b", cube_at({1, 0, 0.1}));
  World w = world_of(s);
  run(w, 5);
  const StateHash before = w.hash();
  BodyArrays rows = w.begin_edit();
  rows.velocity[0] = {1, 0, 0};  // the floor
  rows.position[std::size_t(a.index)].x = NAN;
  rows.spin[2] = {0, 0, 1};  // b: nothing wrong with it
  const Result<bool> done = w.end_edit();
  ASSERT_FALSE(done);
  ASSERT_EQ(done.mistakes().size(), 2u);
  EXPECT_EQ(done.mistakes()[0].text(),
            "bodies.floor: edit: a static body does not move: leave its velocity and spin at 0");
  EXPECT_EQ(done.mistakes()[1].text(),
            "bodies.a: edit: position, orientation, velocity and spin must be finite");
  EXPECT_EQ(w.hash(), before);
  rows = w.begin_edit();
  rows.position[1] = {5, 5, 5};
  w.cancel_edit();
  EXPECT_EQ(w.hash(), before);
  w.begin_edit();
  value_of(w.end_edit());  // nothing written, nothing booked
  EXPECT_EQ(w.hash(), before);
}

// Pointers into the arrays from before a body was added read what they read then.
TEST(World, AddBodyHandsOverTheOldArrays) {
  Scene s = floor_scene();
  s.add_body("a", cube_at({0, 0, 0.5}));
  World w = world_of(s);
  const Vec3* position = w.state().position.data();
  State old;
  EXPECT_FALSE(w.add_body("a", cube_at({1, 0, 0.5}), &old));  // the name is taken
  EXPECT_EQ(w.state().position.data(), position);
  value_of(w.add_body("c", cube_at({1, 0, 0.5}), &old));
  EXPECT_EQ(old.position.data(), position);
  EXPECT_NE(w.state().position.data(), position);
  run(w, 3);
  EXPECT_EQ(position[1], (Vec3{0, 0, 0.5}));
  EXPECT_LT(w.position(w.body("a")).z, 0.5);
}

// A state saved before an edit does not go back onto the edited world, and leaves it as it was.
TEST(World, RestoreRefusesAStateOfOtherBodies) {
  Scene s = floor_scene();
  s.add_body("a", cube_at({0, 0, 0.1}));
  const BodyId b = s.add_body("b", cube_at({1, 0, 0.1}));
  World w = world_of(s);
  run(w, 5);
  const std::vector<unsigned char> whole = w.save();
  std::vector<unsigned char> bare;  // as recordings keep it
  stiction::save(w.state(), bare);
  value_of(w.restore(whole));
  value_of(w.restore(bare));

  value_of(w.remove_body(b));  // the arrays keep their size
  const Result<bool> of_bare = w.restore(bare);
  ASSERT_FALSE(of_bare);
  EXPECT_NE(of_bare.mistakes()[0].message.find("before \"b\" was removed"), std::string::npos);
  const StateHash removed = w.hash();
  const Result<bool> after_removal = w.restore(whole);
  ASSERT_FALSE(after_removal);
  EXPECT_NE(after_removal.mistakes()[0].message.find("revision 0 of its model; here it is revision 1"),
            std::string::npos);
  EXPECT_EQ(w.hash(), removed);
  EXPECT_FALSE(w.is_alive(b));
  const std::vector<unsigned char> without = w.save();
  run(w, 3);
  value_of(w.restore(without));  // of the same revision
  EXPECT_EQ(w.hash(), removed);

  World more = world_of(s), other = world_of(s);
  value_of(more.add_body("c", cube_at({2, 0, 0.1})));
  value_of(other.add_body("d", cube_at({2, 0, 0.1})));
  EXPECT_FALSE(more.restore(whole));
  EXPECT_FALSE(world_of(s).restore(more.save()));
  EXPECT_FALSE(other.restore(more.save()));  // as many bodies and as many edits, but not the same
  World same = world_of(s);
  value_of(same.add_body("c", cube_at({2, 0, 0.1})));
  value_of(same.restore(more.save()));
  EXPECT_EQ(same.hash(), more.hash());

  // Numbers may differ: the same bodies, made heavier.
  Scene heavier = s;
  heavier.bodies.back().value.mass = 7;
  World heavy = world_of(heavier);
  value_of(heavy.restore(whole));
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

TEST(World, RemovingABodyTakesItsForcesAndJointsAlong) {
  Scene s;
  const BodyId a = s.add_body("a", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 0}});
  const BodyId b = s.add_body("b", {.shape = Sphere{0.1}, .mass = 1, .position = {1, 0, 0}});
  s.add_force("spring", SpringDamper{.a = "a", .b = "b", .stiffness = 10, .rest_length = 0.5});
  s.add_force("air", Drag{.body = "a", .linear = 1});
  s.add_joint("plane", PlanarJoint{.body = "a"});
  World w = world_of(s);
  run(w, 10);
  const Vec3 v = w.velocity(b);
  EXPECT_LT(v.x, 0);
  value_of(w.remove_body(a));
  EXPECT_TRUE(w.model().springs.empty());
  EXPECT_TRUE(w.model().drags.empty());
  run(w, 10,
      [](const World& now, const StepReport&) { ASSERT_LT(now.ledger().relative_imbalance(), books); });
  EXPECT_EQ(w.velocity(b), v);
}

TEST(World, TeleportIsBookedAsEdit) {
  Scene s = floor_scene();
  const BodyId cube = s.add_body("cube", cube_at({0, 0, 0.1}, 2));
  World w = world_of(s);
  run(w, 10);
  const double before = w.ledger().now().energy();
  value_of(w.teleport(cube, {5, 0, 1.1}, {2, 0, 0, 0}, {0, 3, 0}));  // the orientation is normalised
  EXPECT_EQ(w.position(cube), (Vec3{5, 0, 1.1}));
  EXPECT_EQ(w.orientation(cube), Quat{});
  EXPECT_EQ(w.velocity(cube), (Vec3{0, 3, 0}));
  EXPECT_EQ(w.interpolated(cube, 0).position, (Vec3{5, 0, 1.1}));  // no streak across the scene
  EXPECT_NEAR(w.ledger().booked(Cause::edit), 2 * g * 1 + 0.5 * 2 * 9, 1e-6);
  EXPECT_NEAR(w.ledger().now().energy() - before, w.ledger().booked(Cause::edit), 1e-12);
  run(w, 100, [&](const World& now, const StepReport& r) {
    EXPECT_TRUE(r.converged) << r.explain();
    ASSERT_LT(now.ledger().relative_imbalance(), books);
  });
  EXPECT_NEAR(w.position(cube).z, 0.1, 1e-8);
}

TEST(World, TeleportIntoAnotherBodyIsPushedOut) {
  Scene s = floor_scene();
  const BodyId low = s.add_body("low", cube_at({0, 0, 0.1}));
  const BodyId high = s.add_body("high", cube_at({3, 0, 0.1}));
  World w = world_of(s);
  run(w, 5);
  value_of(w.teleport(high, {0, 0, 0.29}, {}));  // 1 cm deep
  run(w, 50, [](const World& now, const StepReport& r) {
    EXPECT_TRUE(r.converged) << r.explain();
    ASSERT_LT(now.ledger().relative_imbalance(), books);
  });
  EXPECT_NEAR(w.position(high).z, 0.3, 1e-7);
  EXPECT_NEAR(w.position(low).z, 0.1, 1e-7);
  EXPECT_GT(w.ledger().booked(Cause::stabilisation), 0.5 * g * 0.01);  // it was lifted
  EXPECT_LT(norm(w.velocity(high)), 1e-7);                             // and not thrown
}

TEST(World, TeleportRefusesWhatIsNoPose) {
  Scene s = floor_scene();
  const BodyId cube = s.add_body("cube", cube_at({0, 0, 0.1}));
  s.add_body("belt",
             {.kind = kinematic, .shape = Sphere{0.1}, .motion = {.time = {0}, .position = {{9, 9, 9}}}});
  World w = world_of(s);
  const std::uint64_t before = w.hash();
  EXPECT_FALSE(w.teleport(cube, {NAN, 0, 0}, {}));
  EXPECT_FALSE(w.teleport(cube, {}, {0, 0, 0, 0}));
  EXPECT_FALSE(w.teleport(cube, {}, {}, {INFINITY, 0, 0}));
  EXPECT_FALSE(w.teleport(w.body("belt"), {}, {}));
  EXPECT_EQ(w.hash(), before);
}

// A velocity that the body's joint forbids is refused; one that it allows is kept, in the plane.
TEST(World, TeleportKeepsJoints) {
  Scene s;
  const BodyId flat = s.add_body("flat", {.shape = Sphere{0.1}, .mass = 1});
  const BodyId point = s.add_body("point", {.mass = 1, .position = {5, 0, 0}, .particle = true});
  s.add_joint("plane", PlanarJoint{.body = "flat"});
  World w = world_of(s);
  EXPECT_FALSE(w.teleport(flat, {1, 0, 1}, {}, {1, 2, 3}));
  EXPECT_FALSE(w.teleport(flat, {1, 0, 1}, {}, {1, 0, 3}, {4, 5, 6}));
  EXPECT_FALSE(w.teleport(point, {5, 0, 1}, {}, {1, 2, 3}, {4, 5, 6}));
  value_of(w.teleport(flat, {1, 0, 1}, {}, {1, 0, 3}, {0, 5, 0}));
  value_of(w.teleport(point, {5, 0, 1}, {}, {1, 2, 3}));
  run(w, 10,
      [&](const World& now, const StepReport&) { EXPECT_LT(now.ledger().relative_imbalance(), books); });
  EXPECT_EQ(w.position(flat).y, 0);
  EXPECT_NEAR(w.position(flat).z, 1 + 0.1 * 3, 1e-14);
  EXPECT_EQ(w.spin(flat), (Vec3{0, 5, 0}));
  EXPECT_EQ(w.spin(point), Vec3{});
}

// A planar body stays in the plane through its first position, turned about the normal only.
TEST(World, TeleportKeepsAPlanarBodyInItsPlane) {
  Scene s;
  const Vec3 n = normalized(Vec3{1, 2, 3});
  const Vec3 along = normalized(cross(n, Vec3{1, 0, 0})), first{0.5, -0.2, 1};
  const Quat tilted = normalized(Quat{1, 0.3, -0.2, 0.1});
  const BodyId flat = s.add_body(
      "flat", {.shape = Box{{0.1, 0.2, 0.3}}, .mass = 1, .position = first, .orientation = tilted});
  s.add_joint("plane", PlanarJoint{.body = "flat", .normal = {2, 4, 6}});
  World w = world_of(s);
  const StateHash before = w.hash();
  const auto message = [](const Result<bool>& r) { return r ? std::string() : r.mistakes()[0].message; };
  EXPECT_NE(message(w.teleport(flat, first + 1e-6 * n, tilted)).find("off the plane"), std::string::npos);
  EXPECT_NE(message(w.teleport(flat, {}, tilted)).find("off the plane"), std::string::npos);
  EXPECT_NE(message(w.teleport(flat, first, {})).find("tilts"), std::string::npos);
  const Quat sideways = normalized(Quat{1, 1e-6 * along.x, 1e-6 * along.y, 1e-6 * along.z});
  EXPECT_NE(message(w.teleport(flat, first, sideways * tilted)).find("tilts"), std::string::npos);
  EXPECT_EQ(w.hash(), before);
  // Anywhere in the plane, turned about its normal by any angle, also by half a turn and with q or -q.
  for (const double c : {1.0, 0.6, 0.0, -0.8}) {
    const double h = std::sqrt(1 - c * c);
    value_of(w.teleport(flat, first + 1000.0 * along, Quat{c, h * n.x, h * n.y, h * n.z} * tilted, along));
  }
  run(w, 5);
  EXPECT_NEAR(dot(w.position(flat) - first, n), 0, 1e-9);
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

TEST(World, EventsGoOnWhereASavedStateLeftOff) {
  Scene s = floor_scene();
  s.add_body("cube", cube_at({0, 0, 0.1}));
  World w = world_of(s);
  run(w, 5);
  const std::vector<unsigned char> resting = w.save();
  World other = world_of(s);
  value_of(other.restore(resting));
  EXPECT_TRUE(other.contact_events().empty());
  other.step();
  EXPECT_TRUE(other.contact_events().empty());  // it rested before: nothing began
  EXPECT_EQ(other.contacts().size(), w.contacts().size());
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

// A step that is stopped did not happen, wherever it was: the bits that follow are those of a run that nobody
// stopped.
TEST(World, AStoppedStepDidNotHappen) {
  for (const char* method :
       {"coulomb", "implicit_geometry", "moreau_jean", "stewart_trinkle", "anitescu_potra", "event_driven"}) {
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
        EXPECT_EQ(w.hash(), before) << method << ", step " << step;
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
      ASSERT_EQ(w.hash(), reference.hash()) << method << ", step " << step;
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
