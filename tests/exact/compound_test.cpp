// Bodies of several parts: mass properties by the parallel-axis theorem, contacts of the union only, and the
// motion of the whole beside that of one body.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/collision/collision.h"
#include "stiction/world/queries.h"
#include "support/laws.h"
#include "support/rolling_ball.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;

/// A floor of n x n tiles whose tops lie at z = 0.
CompoundShape tiles(int n, double edge) {
  std::vector<CompoundPart> parts;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      parts.push_back(
          {Box{{edge, edge, 0.2}}, {edge * (i - 0.5 * (n - 1)), edge * (j - 0.5 * (n - 1)), -0.1}, {}});
  return CompoundShape(std::move(parts));
}

/// The largest deviation of the normals from z of a body moved over a floor, [-]; every place touches.
double worst_normal(const Shape& floor, const Shape& body, double height, const Quat& turn) {
  double worst = 0;
  std::vector<ContactPoint> points;
  for (int k = 0; k <= 4000; ++k) {
    const double t = k / 4000.0;
    // over edges and corners of tiles, and every 400th place exactly on a seam
    const Vec3 at{-1.2 + 2.4 * t, k % 400 == 0 ? 0.0 : 0.3 - 0.7 * t, height};
    points.clear();
    collision::find_contacts(0, floor, {{}, {}}, 1, body, {at, turn}, 1e-3, points);
    EXPECT_GT(points.size(), 0u) << k;
    for (const ContactPoint& p : points) worst = std::fmax(worst, norm(p.normal - Vec3{0, 0, 1}));
  }
  return worst;
}

TEST(Compound, MassPropertiesAreThoseOfOneBody) {
  // two half boxes make one; a dumb-bell by hand: 2 (m 2/5 r^2 + m d^2) across, 2 m 2/5 r^2 along
  const CompoundShape halves(
      {{Box{{0.2, 0.3, 0.4}}, {0.1, 0, 0}, {}}, {Box{{0.2, 0.3, 0.4}}, {-0.1, 0, 0}, {}}});
  const MassProperties a = mass_properties(halves, 3), b = mass_properties(Box{{0.4, 0.3, 0.4}}, 3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.inertia[i], b.inertia[i], 1e-15);
  const double r = 0.1, d = 0.25, m = 1.5;
  const CompoundShape bell({{Sphere{r}, {0, d, 0}, {}}, {Sphere{r}, {0, -d, 0}, {}}});
  const Vec3 i = mass_properties(bell, 2 * m).inertia;
  EXPECT_NEAR(i.x, 2 * m * (0.4 * r * r + d * d), 1e-15);
  EXPECT_NEAR(i.y, 2 * m * 0.4 * r * r, 1e-15);
  EXPECT_NEAR(size_of(bell), 2 * (d + r), 1e-15);
}

TEST(Compound, IsBroughtToItsCentreAndPrincipalAxes) {
  // an L of two plates: centre by hand
  Scene scene;
  scene.add_body("l", {.shape = CompoundShape({{Box{{0.4, 0.1, 0.1}}, {0.2, 0, 0}, {}},
                                               {Box{{0.1, 0.3, 0.1}}, {0, 0.2, 0}, {}}}),
                       .density = 1000});
  const Model m = compile(scene).or_exit();
  const auto& shape = std::get<CompoundShape>(m.shape[0]);
  EXPECT_NEAR(norm(shape.solid().center), 0, 1e-16);
  EXPECT_NEAR(shape.solid().inertia.xy, 0, 1e-16);
  EXPECT_NEAR(m.mass[0], 4 + 3, 1e-12);
  EXPECT_NEAR(norm(shape.parts()[0].position - shape.parts()[1].position), std::sqrt(0.2 * 0.2 * 2), 1e-15);
}

TEST(Compound, SeamsShowOneNormal) {
  constexpr double bar = 1e-9;  // published; measured 0 but on the seams, 4e-10 there
  const CompoundShape floor = tiles(7, 0.37);
  EXPECT_LE(worst_normal(floor, Sphere{0.1}, 0.1, {}), bar);
  EXPECT_LE(worst_normal(floor, Capsule{0.05, 0.3}, 0.05, {std::sqrt(0.5), 0, std::sqrt(0.5), 0}), bar);
  EXPECT_LE(worst_normal(floor, Box{{0.5, 0.4, 0.2}}, 0.1, {std::cos(0.2), 0, 0, std::sin(0.2)}), bar);
  EXPECT_LE(worst_normal(floor, ConvexShape(Cylinder{0.2, 0.2}), 0.1, {}), bar);
}

TEST(Compound, BuriedEdgesTouchNothing) {
  // a plank through a larger one: its end lies inside
  const CompoundShape cross({{Box{{1, 0.2, 0.2}}, {}, {}}, {Box{{0.1, 0.1, 1}}, {0, 0, -0.45}, {}}});
  std::vector<ContactPoint> points;
  collision::find_contacts(0, cross, {}, 1, Sphere{0.1}, {{0, 0, 0.2}, {}}, 0.3, points);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].gap, 0, 1e-15);
}

TEST(Compound, BallRollsOverSeamsAsOnOneFloor) {
  const Rolled seams = roll_ball(tiles(9, 0.31)), plane = roll_ball(HalfSpace{});
  EXPECT_LE(seams.jump, 1e-9);  // [m/s] it rolls without slip: nothing changes. Measured 2e-12
  EXPECT_LE(plane.jump, 1e-9);
  EXPECT_LE(norm(seams.end - plane.end), 1e-9);
}

TEST(Compound, BoxSlidesOverSeamsAsOnAHalfSpace) {
  const double mu = 0.3, v0 = 2, h = 0.002;
  Scene scene;
  scene.gravity = {0, 0, -g};
  scene.add_surface("wood", {.friction = mu});
  scene.add_body("floor", {.kind = fixed, .shape = tiles(9, 0.31), .surface = "wood"});
  const BodyId box = scene.add_body("box", {.shape = Box{{0.25, 0.2, 0.1}},
                                            .density = 500,
                                            .position = {-1, 0.03, 0.05},
                                            .velocity = {v0, 0, 0},
                                            .surface = "wood"});
  World world = world_of(scene, {.step = h});
  run(world, 200, [&](const World&, const StepReport& r) { EXPECT_TRUE(r.converged); });
  EXPECT_NEAR(world.velocity(box).x, v0 - mu * g * 200 * h, 1e-7);  // measured 3e-9
}

TEST(Compound, HammerFallsAndRestsLawfully) {
  Scene scene;
  scene.gravity = {0, 0, -g};
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}});
  const CompoundShape hammer({{ConvexShape(Cylinder{0.02, 0.4}), {}, {}},
                              {ConvexShape(Box{{0.16, 0.06, 0.06}}, 0.005), {0, 0, 0.2}, {}}});
  for (int i = 0; i < 3; ++i)
    scene.add_body("hammer." + std::to_string(i), {.shape = hammer,
                                                   .density = 2000,
                                                   .position = {0.05 * i, 0.02 * i, 0.3 + 0.35 * i},
                                                   .orientation = {0.8, 0.6, 0, 0},
                                                   .spin = {0, 1, 2}});
  World world = world_of(scene, {.step = 0.004});
  Worst worst(world);
  run(world, 500, [&](const World& w, const StepReport& r) { worst.look(w, r); });
  EXPECT_EQ(worst.unconverged, 0);
  worst.expect_lawful(1e-8);
  EXPECT_LE(worst.rise, energy_rise * worst.scale);
  for (int i = 0; i < 3; ++i) EXPECT_LT(norm(world.velocity(world.body("hammer." + std::to_string(i)))), 2.0);
}

TEST(Compound, QueriesSeeTheParts) {
  Scene scene;
  const BodyId bell = scene.add_body(
      "bell",
      {.kind = fixed,
       .shape = CompoundShape({{Sphere{0.1}, {0, 0, 1}, {}}, {Box{{0.2, 0.2, 0.2}}, {1, 0, 0}, {}}})});
  const World world = world_of(scene);
  const WorldQueries q(world);
  const BodyHit hit = q.ray({1, 0, 5}, {0, 0, -1}, 10);
  EXPECT_EQ(hit.body, bell);
  EXPECT_NEAR(hit.distance, 4.9, 1e-8);
  EXPECT_NEAR(q.closest({0, 0, 2}, 3).distance, 0.9, 1e-9);
  EXPECT_EQ(q.overlapping(Sphere{2}, {0, 0, 0}).size(), 1u);
  EXPECT_TRUE(q.overlapping(Sphere{0.1}, {0.5, 0, 0.5}).empty());
  const CompoundShape fork({{Sphere{0.1}, {0, 0, 0}, {}}, {Sphere{0.1}, {1, 0, 0}, {}}});
  EXPECT_NEAR(q.cast(fork, {0, 0, -5}, {}, {0, 0, 10}).distance, 4.8, 1e-8);
}

TEST(Compound, FaultsAreNamed) {
  Scene scene;
  scene.add_body("a", {.shape = CompoundShape({}), .mass = 1});
  scene.add_body("b", {.shape = CompoundShape({{Sphere{0.1}, {}, {}}, {HalfSpace{}, {}, {}}}), .mass = 1});
  scene.add_body("c", {.shape = CompoundShape({{Sphere{-1}, {}, {}}}), .mass = 1});
  std::string all;
  for (const Mistake& m : validate(scene)) all += m.text() + "\n";
  EXPECT_NE(all.find("bodies.a.shape.compound: found no part"), std::string::npos) << all;
  EXPECT_NE(all.find("bodies.b.shape.compound.1.shape: found half_space"), std::string::npos) << all;
  EXPECT_NE(all.find("bodies.c.shape.compound.0.shape.sphere: found -1"), std::string::npos) << all;
}

}  // namespace
}  // namespace stiction::test
