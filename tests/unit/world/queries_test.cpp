#include "stiction/world/queries.h"

#include <gtest/gtest.h>

#include <string>

#include "support/run.h"

namespace stiction::test {
namespace {

TEST(WorldQueries, SeeTheWorldAsItWasLookedAt) {
  Scene scene{.gravity = {0, 0, -9.81}};
  const BodyId floor = scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}});
  const BodyId ball = scene.add_body("ball", {.shape = Sphere{0.5}, .mass = 1, .position = {0, 0, 10}});
  const BodyId drum = scene.add_body("drum", {.shape = Cylinder{0.5, 1}, .mass = 1, .position = {3, 0, 0.5}});
  scene.add_body("ghost", {.shape = Sphere{0.5}, .mass = 1, .position = {0, 0, 5}, .collides = false});
  World world = world_of(scene);
  WorldQueries ask(world);
  const BodyHit down = ask.ray({0, 0, 20}, {0, 0, -1}, 30);
  EXPECT_EQ(down.body, ball);
  EXPECT_NEAR(down.distance, 9.5, 1e-8);
  EXPECT_EQ(ask.ray({0, 0, 20}, {0, 0, -1}, 30, [&](BodyId id) { return id != ball; }).body, floor);
  EXPECT_EQ(ask.cast(Box{{0.2, 0.2, 0.2}}, {10, 0, 0.5}, {}, {-20, 0, 0}).body, drum);
  EXPECT_NEAR(ask.cast(Box{{0.2, 0.2, 0.2}}, {10, 0, 0.5}, {}, {-20, 0, 0}).distance, 6.4, 1e-8);
  EXPECT_EQ(ask.closest({3, 0, 2}, 5).body, drum);
  EXPECT_EQ(ask.overlapping(Sphere{0.5}, {2.6, 0, 0.2}), (std::vector<BodyId>{floor, drum}));
  EXPECT_FALSE(ask.ray({100, 0, 20}, {0, 0, 1}, 30).body);

  run(world, 50);
  EXPECT_NEAR(ask.ray({0, 0, 20}, {0, 0, -1}, 30).distance, 9.5, 1e-8);  // as before
  ask.look();
  EXPECT_NEAR(ask.ray({0, 0, 20}, {0, 0, -1}, 30).distance, 19.5 - world.position(ball).z, 1e-8);
  value_of(world.remove_body(ball));
  ask.look();
  EXPECT_EQ(ask.ray({0, 0, 20}, {0, 0, -1}, 30).body, floor);
}

// An edit makes a new model, and the shapes of the old one go: until the next look() the answers are still
// those of the last one.
TEST(WorldQueries, AnswerAfterAnEditAsBeforeIt) {
  Scene scene;
  const BodyId ball = scene.add_body("ball", {.shape = Sphere{0.5}, .mass = 1, .position = {0, 0, 10}});
  World world = world_of(scene);
  WorldQueries ask(world);
  for (int i = 0; i < 20; ++i)
    value_of(world.add_body("box" + std::to_string(i),
                            {.shape = Box{{1, 1, 1}}, .mass = 1, .position = {0, 2.0 * i, 15}}));
  const BodyHit old = ask.ray({0, 0, 20}, {0, 0, -1}, 30);
  EXPECT_EQ(old.body, ball);
  EXPECT_NEAR(old.distance, 9.5, 1e-8);
  ask.look();
  EXPECT_EQ(ask.ray({0, 0, 20}, {0, 0, -1}, 30).body, world.body("box0"));
}

}  // namespace
}  // namespace stiction::test
