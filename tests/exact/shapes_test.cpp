// Cylinders, cones and hulls with exact answers.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stiction/geometry/hull.h"
#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";
constexpr double g = 9.81;

// A cylinder that rolls down a slope without slipping: a = 2/3 g sin. The step adds h a to the speed in every
// step.
TEST(Cylinder, RollsDownASlope) {
  World world = world_of_file(scenes + "rolling_cylinder.json");
  const BodyId roller = world.body("roller");
  const double a = 2.0 / 3.0 * g * 0.5;
  run(world, 200, [&](const World& w, const StepReport& report) {
    EXPECT_TRUE(report.converged) << report.explain();
    EXPECT_NEAR(norm(w.velocity(roller)), a * w.time(), 1e-9 * (1 + w.time()));
    EXPECT_NEAR(norm(w.spin(roller)), a * w.time() / 0.1, 1e-8 * (1 + w.time()));
  });
  EXPECT_LT(std::fabs(world.position(roller).y), 1e-10);  // straight on
}

// On a steeper slope it slides too: a = g (sin - mu cos).
TEST(Cylinder, SlidesWhereFrictionDoesNotHold) {
  World world = world_of_file(scenes + "rolling_cylinder.json", {{"surfaces.wood.friction", "0.1"}});
  const BodyId roller = world.body("roller");
  const double c = std::sqrt(0.75), a = g * (0.5 - 0.1 * c), alpha = 2 * 0.1 * g * c / 0.1;
  run(world, 100, [&](const World& w, const StepReport& report) {
    EXPECT_TRUE(report.converged) << report.explain();
    EXPECT_NEAR(norm(w.velocity(roller)), a * w.time(), 1e-8);
    EXPECT_NEAR(norm(w.spin(roller)), alpha * w.time(), 1e-7);
  });
}

/// The mean time of three swings to and fro, from zeros of the tilt.
double rocking_period(double step) {
  World world = world_of_file(scenes + "dome.json", {{"$tilt", "0.02"}, {"run.step", std::to_string(step)}});
  const BodyId dome = world.body("rocker");
  double before = world.orientation(dome).y, first = 0, last = 0;
  int zeros = 0;
  while (zeros < 7) {
    const StepReport report = world.step();
    EXPECT_TRUE(report.converged) << report.explain();
    const double now = world.orientation(dome).y;
    if (now * before < 0)
      last = world.time() - step * now / (now - before), first = zeros++ == 0 ? last : first;
    before = now;
  }
  return (last - first) / 3;
}

// A half ball rocks without slipping: omega^2 = m g a / I_contact = g (3/8 r) / (83/320 r^2 + (5/8 r)^2).
// At a swing of 0.02 rad the closed form is good to 1e-4; the step's error is of first order in h.
TEST(Dome, RocksWithItsPeriod) {
  const double r = 0.1, period = 2 * 3.14159265358979323846 * std::sqrt(26 * r / (15 * g));
  const double coarse = rocking_period(0.004) - period, fine = rocking_period(0.002) - period;
  EXPECT_LT(std::fabs(fine), 2e-3 * period);
  EXPECT_LT(std::fabs(fine), 0.7 * std::fabs(coarse) + 2e-4 * period);
}

TEST(Dome, StandsOnItsPlane) {
  World world = world_of_file(scenes + "dome.json");
  const BodyId dome = world.body("stander");
  const Vec3 start = world.position(dome);
  run(world, 100,
      [&](const World&, const StepReport& report) { EXPECT_TRUE(report.converged) << report.explain(); });
  EXPECT_LT(norm(world.position(dome) - start), 1e-9);
  EXPECT_LT(norm(world.spin(dome)), 1e-9);
}

struct Upright {
  const char* name;
  Shape shape;
  double height;  // [m] of the centre of mass
};

/// A slope of 0.3 rad under a body that stands on its base.
World on_slope(const Upright& body, double mu, BodyId& id) {
  const double slope = 0.3, s = std::sin(slope), c = std::cos(slope);
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("wood", {.friction = mu});
  scene.add_body("slope", {.kind = fixed, .shape = HalfSpace{{s, 0, c}}, .surface = "wood"});
  id = scene.add_body("body", {.shape = body.shape,
                               .density = 500,
                               .position = {body.height * s, 0, body.height * c},
                               .orientation = {std::cos(slope / 2), 0, std::sin(slope / 2), 0},
                               .surface = "wood"});
  return world_of(scene);
}

// Of the cone of radius 0.1 and height 0.2 without its last 0.025 m: whole minus tip, V ~ h^3, centres h / 4
// above their bases.
double frustum_height() {
  const double tip = 0.025 * 0.025 * 0.025, whole = 0.2 * 0.2 * 0.2;
  return (whole * 0.05 - tip * (0.175 + 0.025 / 4)) / (whole - tip);
}

std::vector<Upright> uprights() {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? 0.2 : 0.0, i & 2 ? 0.2 : 0.0, i & 4 ? 0.1 : 0.0});
  return {{"cylinder", Cylinder{0.1, 0.1}, 0.05},
          {"cone", Cone{0.1, 0.2}, 0.05},
          {"hull", convex_hull(corners).or_exit(), 0.05},
          {"dome", intersection({ball_face({0, 0, -0.0375}, 0.1), HalfSpace{{0, 0, -1}, 0.0375}}).or_exit(),
           0.0375},
          {"frustum",
           intersection({cone_face({0, 0, 0.15}, {0, 0, 1}, 0.5), HalfSpace{{0, 0, 1}, 0.125},
                         HalfSpace{{0, 0, -1}, 0.05}})
               .or_exit(),
           frustum_height()},
          {"rounded box", ConvexShape(Box{{0.2, 0.2, 0.06}}, 0.02), 0.05},
          {"rounded cylinder", ConvexShape(Cylinder{0.1, 0.06}, 0.02), 0.05}};
}

// tan 0.3 = 0.309: it stays with mu = 0.4, and slides with mu = 0.2 by a = g (sin - mu cos).
TEST(Uprights, StickOnASlope) {
  for (const Upright& body : uprights()) {
    SCOPED_TRACE(body.name);
    BodyId id;
    World world = on_slope(body, 0.4, id);
    const Vec3 start = world.position(id);
    run(world, 100, [&](const World&, const StepReport& report) { EXPECT_TRUE(report.converged); });
    EXPECT_LT(norm(world.position(id) - start), 1e-9);
    EXPECT_LT(norm(world.spin(id)), 1e-9);
  }
}

TEST(Uprights, SlideDownASlope) {
  for (const Upright& body : uprights()) {
    SCOPED_TRACE(body.name);
    BodyId id;
    World world = on_slope(body, 0.2, id);
    const double a = g * (std::sin(0.3) - 0.2 * std::cos(0.3));
    run(world, 100, [&](const World& w, const StepReport& report) {
      EXPECT_TRUE(report.converged) << report.explain();
      EXPECT_NEAR(norm(w.velocity(id)), a * w.time(), 1e-7);
      EXPECT_LT(norm(w.spin(id)), 1e-6);
    });
  }
}

// A hull with axes of its own turns as a body of that inertia does: free of forces, about an axis that is not
// principal, its angular momentum and energy stay.
TEST(Hull, TurnsAboutItsOwnAxes) {
  const Polyhedron wedge =
      convex_hull(
          std::vector<Vec3>{{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {0.3, 0.2, 0}, {0, 0, 0.15}, {0, 0.2, 0.15}})
          .or_exit();
  Scene scene;
  const Quat turn = normalized(Quat{0.8, 0.3, -0.2, 0.4});
  const BodyId id = scene.add_body(
      "wedge",
      {.shape = wedge, .density = 1000, .position = {1, 2, 3}, .orientation = turn, .spin = {1, 2, 3}});
  World world = world_of(scene);
  // the energy of the first step, from the inertia in the axes of the points
  const Solid s = solid(wedge);
  const Vec3 w = rotate_back(turn, {1, 2, 3});
  EXPECT_NEAR(world.ledger().now().kinetic, 0.5 * 1000 * dot(w, s.inertia * w), 1e-12);
  EXPECT_NEAR(world.model().mass[0], 1000 * 0.5 * 0.3 * 0.15 * 0.2, 1e-12);
  run(world, 500);
  EXPECT_NEAR(world.ledger().now().kinetic, 0.5 * 1000 * dot(w, s.inertia * w), 1e-9);
  EXPECT_EQ(world.position(id), (Vec3{1, 2, 3}));
}

// A point of a spring on a hull stays where it was said to be, whatever the axes.
TEST(Hull, KeepsThePointsOfForces) {
  const Polyhedron wedge =
      convex_hull(
          std::vector<Vec3>{{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {0.3, 0.2, 0}, {0, 0, 0.15}, {0, 0.2, 0.15}})
          .or_exit();
  Scene scene;
  scene.add_body("wedge", {.shape = wedge, .density = 1000, .position = {1, 2, 3}});
  scene.add_force("spring", SpringDamper{.b = "wedge", .point_b = {0.1, 0.05, -0.02}, .stiffness = 10});
  const World world = world_of(scene);
  const Model& m = world.model();
  const Vec3 at = world.position(world.body("wedge")) +
                  rotate(world.orientation(world.body("wedge")), m.springs[0].point_b);
  EXPECT_LT(norm(at - Vec3{1.1, 2.05, 2.98}), 1e-14);
}

}  // namespace
}  // namespace stiction::test
