// Groups: bodies of one group go through each other, and touch all others.
#include <gtest/gtest.h>

#include "support/run.h"

namespace stiction::test {
namespace {

struct Row {
  Scene scene{.gravity = {0, 0, -10}};
  BodyId first, middle, last;
};

/// Three balls on a floor without friction: the first moves towards the middle one and the last.
Row row_of_balls(const char* group_of_middle) {
  Row row;
  row.scene.add_surface("ice", {.friction = 0});
  row.scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "ice"});
  const auto ball = [&](const char* name, double x, double v, const char* group) {
    BodyDescription b{.shape = Sphere{0.5}, .mass = 1, .position = {x, 0, 0.5}, .velocity = {v, 0, 0}};
    b.surface = "ice", b.group = group;
    return row.scene.add_body(name, b);
  };
  row.first = ball("first", 0, 2, "pair");
  row.middle = ball("middle", 2, 0, group_of_middle);
  row.last = ball("last", 5, 0, "");
  return row;
}

TEST(Groups, GoThroughEachOtherAndTouchAllOthers) {
  const Row row = row_of_balls("pair"), other = row_of_balls("other");
  World together = world_of(row.scene), apart = world_of(other.scene);
  run(together, 300), run(apart, 300);
  // of two groups: the first hits the middle one; of one group: it goes through it and hits the last
  EXPECT_GT(apart.position(other.middle).x, 2.1);
  EXPECT_NEAR(together.position(row.middle).x, 2, 1e-12);
  EXPECT_GT(together.position(row.first).x, 3);
  EXPECT_GT(together.position(row.last).x, 5.1);
  for (const BodyId id : {row.first, row.middle, row.last}) EXPECT_NEAR(together.position(id).z, 0.5, 1e-9);
}

}  // namespace
}  // namespace stiction::test
