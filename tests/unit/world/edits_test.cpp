// Bodies added, removed and moved between steps.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "stiction/world/world.h"
#include "support/recompute.h"
#include "unit/world/floor_scene.h"

namespace stiction::test {
namespace {

TEST(WorldEdits, AddingABodyBooksItsEnergyAsEdit) {
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

TEST(WorldEdits, ABadBodyIsNotAdded) {
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

TEST(WorldEdits, RemovingABodyLeavesTheOthers) {
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

// Rows written into the State itself: the same as teleporting each body, to the bit, books included.
TEST(WorldEdits, WrittenRowsAreTeleports) {
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

TEST(WorldEdits, WrittenMistakesPutEverythingBack) {
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
TEST(WorldEdits, AddBodyHandsOverTheOldArrays) {
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
TEST(WorldEdits, RestoreRefusesAStateOfOtherBodies) {
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

TEST(WorldEdits, RemovingABodyTakesItsForcesAndJointsAlong) {
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

TEST(WorldEdits, TeleportIsBookedAsEdit) {
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

TEST(WorldEdits, TeleportIntoAnotherBodyIsPushedOut) {
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

TEST(WorldEdits, TeleportRefusesWhatIsNoPose) {
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
TEST(WorldEdits, TeleportKeepsJoints) {
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
TEST(WorldEdits, TeleportKeepsAPlanarBodyInItsPlane) {
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

}  // namespace
}  // namespace stiction::test
