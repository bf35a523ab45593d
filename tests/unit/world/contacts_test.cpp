// What a world says of contacts and sensors: forces, states, sums per pair of bodies, events.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "stiction/world/world.h"
#include "unit/world/floor_scene.h"

namespace stiction::test {
namespace {

// Forces on a resting body add up to its weight, on the floor to that of everything above.
TEST(WorldContacts, ContactForcesCarryTheWeight) {
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

TEST(WorldContacts, ARollingContactSaysSo) {
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

TEST(WorldContacts, ASlidingContactSaysSo) {
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
TEST(WorldContacts, ContactPairsSumUp) {
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

TEST(WorldContacts, ContactEventsBeginAndEnd) {
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

TEST(WorldContacts, SensorsSeeBodiesEnterAndLeave) {
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

TEST(WorldContacts, ABodyThatStartsInASensorIsNoNews) {
  Scene s;
  const BodyId ball = s.add_body("ball", {.shape = Sphere{0.1}, .mass = 1});
  s.add_sensor("here", {.shape = Sphere{0.5}});
  World w = world_of(s);
  EXPECT_EQ(w.overlaps(w.sensor("here")), std::vector<BodyId>{ball});
  w.step();
  EXPECT_TRUE(w.sensor_events().empty());
}

// The contacts of a removed body end and it leaves the sensors it was in, told with the next step.
TEST(WorldContacts, RemovingABodyEndsItsContactsAndLeavesItsSensors) {
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

TEST(WorldContacts, EventsGoOnWhereASavedStateLeftOff) {
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

}  // namespace
}  // namespace stiction::test
