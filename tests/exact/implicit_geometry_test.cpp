// The method implicit_geometry in worlds: its passes end at the step that Newton's method finds when
// velocities, impulses and closest points are unknowns of one problem (step/implicit_contact.h, which the
// examples of reproduce/chakraborty*.cpp hold against exact solutions).
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/reproduce/implicit_runs.h"
#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;

Quat turned(double angle, const Vec3& axis) {
  const Vec3 a = std::sin(0.5 * angle) * normalized(axis);
  return {std::cos(0.5 * angle), a.x, a.y, a.z};
}
Intersection dome() {
  return intersection({ball_face({0, 0, -0.375}, 1), HalfSpace{{0, 0, -1}, 0.375}}).or_exit();
}

/// A body of 1 kg that touches, or will touch, something fixed.
struct Case {
  const char* name;
  Convex below, body;
  Vec3 position;
  Quat orientation{};
  Vec3 velocity{}, spin{};
  double mu = 0.5;
  double lever = 0;  // [m] of friction against spin: e_r of the ellipsoid
};
std::vector<Case> cases() {
  const HalfSpace plane{{0, 0, 1}, 0};
  const double s = std::sin(0.4), c = std::cos(0.4), level = std::sqrt(s * s + 0.25 * c * c);
  return {
      {"rolling_sphere", plane, Sphere{1}, {0, 0, 1}, {}, {-3, 0, 0}, {0, -3, 0}},
      {"rocking_ellipsoid",
       plane,
       Ellipsoid{{1, 0.8, 0.5}},
       {0, 0, level},
       turned(0.4, {0, 1, 0}),
       {},
       {0.3, 1, 0.5},
       1},
      {"ellipsoid_on_ellipsoid",
       Ellipsoid{{3, 2, 1.5}},
       Ellipsoid{{0.8, 0.6, 0.4}},
       {0.15, 0.1, 1.90522183},
       turned(0.3, {1, 1, 2})},
      {"sphere_on_sphere", Sphere{10}, Sphere{1}, {1.1, 0, std::sqrt(121 - 1.21)}, {}, {1, 2, 0}},
      {"sliding_dome", plane, dome(), {0, 0, 0.375}, {}, {2, 0, 0}},
      {"rocking_dome",
       plane,
       dome(),
       {0, 0, 1 - 0.375 * std::cos(0.5)},
       turned(std::acos(-1.0) - 0.5, {0, 1, 0})},
      {"spinning_sphere", plane, Sphere{1}, {0, 0, 1}, {}, {0.5, 0, 0}, {0, 0, 2}, 0.3, 0.2},
      {"spinning_ellipsoid",
       plane,
       Ellipsoid{{1, 0.8, 0.5}},
       {0, 0, level},
       turned(0.4, {0, 1, 0}),
       {},
       {0.3, 1, 2},
       0.5,
       0.1},
      {"landing_dome", plane, dome(), {0, 0, 0.66074612}, turned(0.25, {1, 0.3, 0})},
  };
}
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

Shape shape_of(const Convex& c) {
  if (const auto* half = std::get_if<HalfSpace>(&c.core)) return *half;
  return ConvexShape(c);
}
struct Pair {
  World world;
  BodyId body;
};
Pair world_of(const Case& c, double h, double tolerance) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("both", {.friction = c.mu, .spin_length = c.lever});
  scene.add_body("below", {.kind = fixed, .shape = shape_of(c.below), .surface = "both"});
  const BodyId body = scene.add_body("body", {.shape = shape_of(c.body),
                                              .mass = 1,
                                              .position = c.position,
                                              .orientation = c.orientation,
                                              .velocity = c.velocity,
                                              .spin = c.spin,
                                              .surface = "both"});
  return {test::world_of(scene, {.step = h, .tolerance = tolerance, .method = Method::implicit_geometry}),
          body};
}
int add_to(reproduce::ImplicitRun& run, const Case& c) {
  const int below = run.add(c.below, {});
  const int body = run.add(c.body, {.mass = 1,
                                    .inertia = mass_properties(ConvexShape(c.body), 1).inertia,
                                    .position = c.position,
                                    .orientation = c.orientation,
                                    .velocity = c.velocity,
                                    .spin = c.spin,
                                    .force = {0, 0, -g}});
  run.touch(body, below, c.mu, c.lever);
  return body;
}

class ImplicitGeometry : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, ImplicitGeometry, testing::ValuesIn(cases()),
                         [](const auto& c) { return c.param.name; });

// Both solve the same equations: to 1e-10 of the impulses here, to 1e-11 there. Over a hundred steps of
// contact that adds up to 1e-6 m/s at most (measured: 4e-7, of the ellipsoid whose start overlaps by 1e-9).
TEST_P(ImplicitGeometry, PassesEndWhereNewtonsMethodDoes) {
  const double h = 0.01;
  reproduce::ImplicitRun run(h);
  const int other = add_to(run, GetParam());
  auto [world, body] = world_of(GetParam(), h, 1e-10);
  for (int k = 0; k < 100; ++k) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    EXPECT_EQ(r.parts, 1);
    EXPECT_LT(r.certificate.gap, 1e-9);  // [m] tolerance times the largest size, 2 m; 3e-12 measured
    ASSERT_TRUE(run.step());
    EXPECT_LT(norm(world.velocity(body) - run.body(other).velocity), 1e-6) << k;
    EXPECT_LT(norm(world.spin(body) - run.body(other).spin), 1e-6) << k;
  }
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
  EXPECT_LT(norm(world.ledger().momentum_imbalance()), 1e-11);
  EXPECT_LT(norm(world.ledger().angular_momentum_imbalance()), 1e-11);
}

// A rolling sphere on a plane: the end frame is that of the start, and nothing is lost.
TEST(ImplicitGeometry, RollingKeepsItsEnergy) {
  auto [world, body] = world_of(cases().front(), 0.01, 1e-10);
  const double start = world.ledger().now().energy();
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(world.step().converged);
  EXPECT_NEAR(world.ledger().now().energy(), start, 1e-10);
  EXPECT_NEAR(world.position(body).x, -30, 1e-6);
}

// An impact at h V of the order of the body: passes alone diverge, Newton's method helps.
TEST(ImplicitGeometry, FastImpactsSettle) {
  const double h = 0.01;
  for (const double speed : {20.0, 50.0, 100.0, 200.0}) {
    const Case c{"impact",
                 HalfSpace{{0, 0, 1}, 0},
                 Ellipsoid{{1, 0.8, 0.5}},
                 {0, 0, 0.75 + 0.3 * h * speed},
                 turned(0.5, {1, 2, 0.5}),
                 {0.3 * speed, 0, -speed}};
    reproduce::ImplicitRun run(h);
    const int other = add_to(run, c);
    auto [world, body] = world_of(c, h, 1e-10);
    const StepReport r = world.step();
    EXPECT_TRUE(r.converged) << r.explain();
    EXPECT_EQ(r.parts, 1) << speed;
    EXPECT_LT(r.certificate.gap, 1e-9);
    ASSERT_TRUE(run.step());
    EXPECT_LT(norm(world.velocity(body) - run.body(other).velocity), 1e-8 * speed);
  }
}

// What the fall of a box ends in: at rest on the face, with the weight as the force.
TEST(ImplicitGeometry, BoxesComeToRest) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}});
  const BodyId box = scene.add_body("box", {.shape = Box{{0.2, 0.3, 0.1}},
                                            .mass = 1,
                                            .position = {0, 0, 0.3},
                                            .orientation = turned(0.3, {1, 0.4, 0}),
                                            .velocity = {0.5, 0, 0}});
  World world = test::world_of(scene, {.step = 0.01, .method = Method::implicit_geometry});
  for (int k = 0; k < 200; ++k) ASSERT_NE(world.step().status, StepReport::Status::refused);
  EXPECT_LT(norm(world.velocity(box)), 1e-7);
  EXPECT_NEAR(world.position(box).z, 0.05, 1e-8);
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
  double force = 0;
  for (const Contact& c : world.contacts(box)) force += c.force.z;
  EXPECT_NEAR(force, g, 1e-6);
}

// A cylinder of radius 0.5 m and half length 1 m on a plane, as an intersection of three inequalities.
std::pair<World, BodyId> cylinder(const Vec3& at, const Quat& turn, const Vec3& velocity, const Vec3& spin) {
  Scene s{.gravity = {0, 0, -9.81}};
  s.add_surface("rough", {.friction = 0.5});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "rough"});
  const BodyId body = s.add_body("cylinder", {.shape = Cylinder{0.5, 2},
                                              .mass = 1,
                                              .position = at,
                                              .orientation = turn,
                                              .velocity = velocity,
                                              .spin = spin,
                                              .surface = "rough"});
  return {test::world_of(s, {.step = 0.01, .tolerance = 1e-9, .method = Method::implicit_geometry}), body};
}

// The disc of the paper, as a body with an edge: it rolls for 10 s, 30 m, and loses nothing.
TEST(ImplicitGeometry, ACylinderRollsWithoutLoss) {
  auto [world, body] = cylinder({0, 0, 0.5}, turned(std::acos(-1.0) / 2, {1, 0, 0}), {-3, 0, 0}, {0, -6, 0});
  const double start = world.ledger().now().kinetic;
  for (int i = 0; i < 1000; ++i) {
    const StepReport report = world.step();
    ASSERT_TRUE(report.converged) << report.explain();
    ASSERT_LE(report.certificate.gap, 1e-9);
    ASSERT_NEAR(world.ledger().now().kinetic, start, 1e-10);  // published
  }
  EXPECT_NEAR(world.position(body).x, -30, 1e-6);
}

// Dropped on its rim, it rocks down to its face and rests there; energy never rises.
TEST(ImplicitGeometry, ACylinderLandsOnItsFace) {
  auto [world, body] = cylinder({0, 0, 1.25}, turned(0.25, (1 / std::sqrt(1.09)) * Vec3{1, 0.3, 0}), {}, {});
  double energy = world.ledger().now().energy();
  for (int i = 0; i < 300; ++i) {
    const StepReport report = world.step();
    ASSERT_TRUE(report.converged) << report.explain();
    ASSERT_LE(report.certificate.gap, 1e-9);
    ASSERT_LE(world.ledger().now().energy(), energy + 1e-12) << world.time();
    energy = world.ledger().now().energy();
  }
  EXPECT_NEAR(world.position(body).z, 1, 1e-8);
  EXPECT_NEAR(rotate(world.orientation(body), {0, 0, 1}).z, 1, 1e-8);
  EXPECT_LT(norm(world.velocity(body)) + norm(world.spin(body)), 1e-8);
}

// From rim to face: Newton's method, which knows faces, finds the end that passes alone do not settle at, so
// that no step is halved (without it one or two are, in four of these six runs).
TEST(ImplicitGeometry, CylindersLandInWholeSteps) {
  for (const double h : {0.005, 0.01, 0.02})
    for (const Cylinder& shape : {Cylinder{0.5, 2}, Cylinder{0.2, 0.6}}) {
      Scene s{.gravity = {0, 0, -g}};
      s.add_surface("rough", {.friction = 0.5});
      s.add_body("table",
                 {.kind = fixed, .shape = Box{{6, 6, 1}}, .position = {0, 0, -0.5}, .surface = "rough"});
      const BodyId body = s.add_body("cylinder", {.shape = shape,
                                                  .mass = 1,
                                                  .position = {0, 0, shape.height > 1 ? 1.25 : 0.5},
                                                  .orientation = turned(0.25, {1, 0.3, 0}),
                                                  .surface = "rough"});
      World world = test::world_of(s, {.step = h, .method = Method::implicit_geometry});
      for (int k = 0; k < steps_to(3, h); ++k) {
        const StepReport r = world.step();
        ASSERT_TRUE(r.converged) << r.explain();
        EXPECT_EQ(r.parts, 1) << h << ' ' << k;
      }
      EXPECT_NEAR(world.position(body).z, 0.5 * shape.height, 1e-8);
    }
}

}  // namespace
}  // namespace stiction::test
