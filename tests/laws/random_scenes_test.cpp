// The laws on scenes that nobody arranged: bodies of every shape and kind thrown together, with springs,
// drag, planar joints, particles, a pusher and forces from outside.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stiction/base/text.h"
#include "support/laws.h"
#include "support/random.h"
#include "support/run.h"

namespace stiction::test {
namespace {

Shape random_shape(Random& random) {
  switch (random.below(3)) {
    case 0:
      return Sphere{random.between(0.05, 0.12)};
    case 1:
      return Box{{random.between(0.05, 0.25), random.between(0.05, 0.25), random.between(0.05, 0.25)}};
    default:
      return Capsule{random.between(0.03, 0.08), random.between(0.05, 0.2)};
  }
}

/// Bodies on a loose grid above a floor, so that they start apart.
Scene random_scene(Random& random, int bodies) {
  Scene s{.gravity = {0, 0, -9.81}};
  s.add_surface("rough", {.friction = random.between(0.3, 1)});
  s.add_surface("smooth", {.friction = random.between(0, 0.3)});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "rough"});
  s.add_body("step",
             {.kind = fixed, .shape = Box{{0.3, 2, 0.2}}, .position = {1.4, 0, 0.05}, .surface = "smooth"});
  for (int i = 0; i < bodies; ++i) {
    BodyDescription b{
        .shape = random_shape(random),
        .density = std::exp(random.between(5, 9)),
        .position = Vec3{0.45 * (i % 2), 0.45 * (i / 2 % 2), 0.5 + 0.45 * (i / 4)} + random.vector(0.02),
        .orientation = random.rotation(),
        .velocity = random.vector(1),
        .spin = random.vector(5),
        .surface = i % 2 == 0 ? "rough" : "smooth"};
    const std::string name = "body." + std::to_string(i);
    const int kind = random.below(8);
    if (kind == 0) b.particle = true, b.shape = Sphere{0.06}, b.spin = {}, b.orientation = {};
    if (kind == 1) b.velocity.y = 0, b.spin = {0, b.spin.y, 0};
    s.add_body(name, b);
    if (kind == 1) s.add_joint("joint." + std::to_string(i), PlanarJoint{.body = name});
    if (kind == 2)
      s.add_force("drag." + std::to_string(i), Drag{.body = name, .linear = 0.1, .angular = 1e-4});
  }
  s.add_force("spring", SpringDamper{.a = "body.0",
                                     .b = "body.1",

                                     .stiffness = 200,
                                     .damping = 2,
                                     .rest_length = 0.4});
  s.add_body("pusher", {.kind = kinematic,
                        .shape = Box{{0.1, 2, 0.3}},
                        .surface = "rough",
                        .motion = {.time = {0.2, 0.9}, .position = {{-0.6, 0, 0.155}, {0, 0, 0.155}}}});
  return s;
}

class RandomScenes : public testing::TestWithParam<int> {};

TEST_P(RandomScenes, ObeyTheLaws) {
  Random random(std::uint64_t(100 + GetParam()));
  const RunSettings settings;
  World world = world_of(random_scene(random, 8), settings);
  const BodyId pulled = world.body("body.2");
  Worst worst(world);
  std::string missed;
  for (int i = 0; i < 100; ++i) {
    world.input().force(pulled, random.vector(5));
    const StepReport r = world.step();
    ASSERT_NE(r.status, StepReport::Status::refused) << r.explain();
    if (!r.converged) missed += "t = " + number_text(world.time()) + ": " + r.explain() + "\n";
    worst.look(world, r);
  }
  worst.expect_lawful(settings.tolerance);
  EXPECT_EQ(worst.unconverged, 0) << missed;
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomScenes, testing::Range(0, at_size(12, 200)));

}  // namespace
}  // namespace stiction::test
