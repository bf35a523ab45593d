// The method implicit_geometry with joints, as coordinates and as constraints, and with a grain: closed
// forms, and the results of the method coulomb as the step goes to 0.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/mechanism_scenes.h"
#include "support/run.h"

namespace stiction::test {
namespace {

using constraints::Kind;
using tree::JointKind;

constexpr double g = 9.81;  // [m/s^2]
constexpr double tolerance = 1e-10;
/// [-] of velocities and forces: steps are solved to 1e-10 of the impulses, some 100 of them add up.
constexpr double exact = 1e-8;
constexpr double books = 1e-12;  // [-] published

World implicit_world(const Scene& s, double h) {
  return world_of(s, {.step = h, .tolerance = tolerance, .method = Method::implicit_geometry});
}

/// Every step is certified, gaps are closed to 1e-9 m, joints hold, books close.
void expect_fine(const World& w, const StepReport& r) {
  ASSERT_TRUE(r.converged) << w.time() << ": " << r.explain();
  ASSERT_LE(r.certificate.gap, 1e-9);  // [m] tolerance times sizes of up to 1 m, and 10 times more
  ASSERT_LE(r.certificate.joint, 1e-9);
  ASSERT_LE(w.ledger().relative_imbalance(), books);
}

class ImplicitJoints : public testing::TestWithParam<bool> {
 protected:
  bool constraint() const { return GetParam(); }
  JointDescription hinge(const std::string& body, const std::string& parent, const Vec3& at) const {
    return joint(constraint(), Kind::hinge, JointKind::revolute, body, parent, at, {0, 1, 0});
  }
  JointDescription slider(const std::string& body, const std::string& parent, const Vec3& at,
                          const Vec3& axis) const {
    return joint(constraint(), Kind::prismatic, JointKind::prismatic, body, parent, at, axis);
  }
  /// A start along x for all that hangs on the first joint.
  void give_speed(Scene& s, double speed) const {
    if (!constraint()) std::get<CoordinateJoint>(s.joints[0].value).velocity = {speed};
    for (auto& b : s.bodies)
      if (constraint() && b.value.kind == dynamic) b.value.velocity = {speed, 0, 0};
  }
};
INSTANTIATE_TEST_SUITE_P(All, ImplicitJoints, testing::Bool(),
                         [](const auto& i) { return std::string(i.param ? "Constraint" : "Coordinate"); });

// A carriage of 3 kg on a slider along x carries a block of 2 kg, free to move up and down, over the floor:
// friction of the block's weight stops both, v = v0 - k h mu m g/(M + m) in every step.
TEST_P(ImplicitJoints, ABlockOnASliderStopsByItsFriction) {
  const double h = 0.01, mu = 0.3, v0 = 1, rate = mu * 2 * g / 5;
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("rough", {.friction = mu});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "rough"});
  s.add_body("carriage",
             {.shape = Box{{0.3, 0.3, 0.1}}, .mass = 3, .position = {0, 0, 0.5}, .collides = false});
  s.add_body("block",
             {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 2, .position = {0, 0, 0.1}, .surface = "rough"});
  s.add_joint("rail", slider("carriage", "", {0, 0, 0.5}, {1, 0, 0}));
  s.add_joint("guide", slider("block", "carriage", {0, 0, 0.3}, {0, 0, 1}));
  give_speed(s, v0);
  World world = implicit_world(s, h);
  const BodyId block = world.body("block");
  for (int k = 1; k <= 120; ++k) {
    expect_fine(world, world.step());
    const double v = std::fmax(0.0, v0 - k * h * rate);
    ASSERT_NEAR(world.velocity(block).x, v, exact * v0) << k;
    ASSERT_NEAR(world.velocity(world.body("carriage")).x, v, exact * v0) << k;
    ASSERT_NEAR(world.position(block).z, 0.1, 1e-9) << k;
  }
  // what friction took: all of the kinetic energy, but for the last step's share of order h
  EXPECT_NEAR(world.ledger().booked(Cause::friction), -0.5 * 5 * v0 * v0, 1e-8);
}

// A wheel of radius R on the end of a level arm that hangs on a carriage, which a force F pulls: it rolls,
// a = F/(sum of masses + I/R^2), R w = v, and bears its weight and half of the arm's.
TEST_P(ImplicitJoints, AWheelOnAHingeRolls) {
  const double h = 0.01, R = 0.1, force = 4, inertia = 0.4 * 1 * R * R;
  const double rate = force / (3 + 2 + 1 + inertia / (R * R));
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("rough", {.friction = 0.5});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "rough"});
  s.add_body("carriage",
             {.shape = Box{{0.2, 0.2, 0.1}}, .mass = 3, .position = {0, 0, R}, .collides = false});
  s.add_body("arm",
             {.shape = Box{{0.5, 0.05, 0.05}}, .mass = 2, .position = {-0.25, 0, R}, .collides = false});
  s.add_body("wheel", {.shape = Sphere{R}, .mass = 1, .position = {-0.5, 0, R}, .surface = "rough"});
  s.add_joint("rail", slider("carriage", "", {0, 0, R}, {1, 0, 0}));
  s.add_joint("elbow", hinge("arm", "carriage", {0, 0, R}));
  s.add_joint("axle", hinge("wheel", "arm", {-0.5, 0, R}));
  s.add_force("pull", Wrench{.body = "carriage", .force = {{force, 0, 0}}});
  World world = implicit_world(s, h);
  const BodyId wheel = world.body("wheel");
  for (int k = 1; k <= 100; ++k) {
    expect_fine(world, world.step());
    const double v = k * h * rate;
    ASSERT_NEAR(world.velocity(wheel).x, v, exact) << k;
    ASSERT_NEAR(R * world.spin(wheel).y, v, exact) << k;
    ASSERT_EQ(world.contacts(wheel).size(), 1u);
    ASSERT_NEAR(std::fabs(world.contacts(wheel)[0].force.z), 2 * g, 1e-6 * g) << k;
  }
  EXPECT_NEAR(world.ledger().booked(Cause::friction), 0, 1e-9);  // rolling takes nothing
}

/// Two links from a pivot above the floor; the second is a ball on an arm, which slides over it.
Scene dragging_arm(bool constraint) {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("rough", {.friction = 0.2});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "rough"});
  const Vec3 pivot{0, 0, 0.5}, elbow{0.3 * std::sin(1.0), 0, 0.5 - 0.3 * std::cos(1.0)};
  const double drop = elbow.z - 0.05;
  const Vec3 tip{elbow.x + std::sqrt(0.25 - drop * drop), 0, 0.05};
  const double tilt = std::atan2(0.3 * std::cos(1.0), 0.3 * std::sin(1.0));
  s.add_body("link", {.shape = Box{{0.3, 0.04, 0.04}},
                      .mass = 1,
                      .position = 0.5 * (pivot + elbow),
                      .orientation = turn_about({0, 1, 0}, tilt),
                      .collides = false});
  s.add_body("ball", {.shape = Sphere{0.05}, .mass = 0.5, .position = tip, .surface = "rough"});
  s.add_joint("shoulder", joint(constraint, Kind::hinge, JointKind::revolute, "link", "", pivot));
  s.add_joint("elbow", joint(constraint, Kind::hinge, JointKind::revolute, "ball", "link", elbow));
  return s;
}
/// [m] where the ball is at 0.2 s.
Vec3 dragged_to(bool constraint, Method method, double h) {
  World world = world_of(dragging_arm(constraint), {.step = h, .tolerance = tolerance, .method = method});
  run(world, steps_to(0.2, h), [](const World& w, const StepReport& r) {
    expect_fine(w, r);
    EXPECT_GT(r.contacts, 0);
  });
  return world.position(world.body("ball"));
}

// Coordinates, constraints and both methods go to the same place, with first order: the limit is that of the
// method coulomb with coordinates, extrapolated from small steps (its own second order is left: 1e-6 m). The
// ball moves by 0.1 m.
TEST_P(ImplicitJoints, AgreeWithCoulombAsTheStepGoesToZero) {
  const double fine = 0.00025;
  const Vec3 limit =
      2 * dragged_to(false, Method::coulomb, fine) - dragged_to(false, Method::coulomb, 2 * fine);
  double last = 0;
  for (const double h : {0.004, 0.002, 0.001}) {
    const double error = norm(dragged_to(constraint(), Method::implicit_geometry, h) - limit);
    EXPECT_LT(error, 0.6 * h);  // measured 0.5 h with coordinates, 0.2 h with constraints
    if (last > 0) {
      EXPECT_NEAR(last / error, 2, 0.1) << h;
    }
    last = error;
  }
}

// What joints do not let move against the floor does not press on it.
TEST(ImplicitJoints, ASliderJustAboveTheFloorSlides) {
  Scene s = on_a_floor();
  s.add_body("slider",
             {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 2, .position = {0, 0, 0.1}, .velocity = {1, 0, 0}});
  add_constraint(s, Kind::prismatic, "slider", "", {0, 0, 0.1}, {1, 0, 0});
  World world = implicit_world(s, 0.01);
  for (int i = 0; i < 100; ++i) expect_fine(world, world.step());
  EXPECT_NEAR(world.position(world.body("slider")).x, 1, 1e-11);
}

// A ball that hits a door near its edge takes it along.
TEST(ImplicitJoints, ABallHitsADoor) {
  World world = implicit_world(door(), 0.01);
  for (int i = 0; i < 50; ++i) expect_fine(world, world.step());
  EXPECT_LT(world.spin(world.body("door")).z, -0.1);
}

// --- a grain

constexpr double mu_along = 0.2, mu_across = 0.6;

/// Friction over load for a slip, of a surface whose grain points this way.
Vec3 ellipse_friction(const Vec3& grain, const Vec3& slip) {
  const double e = mu_along / mu_across;
  const Vec3 across = cross({0, 0, 1}, grain);
  const double x = dot(grain, slip), y = dot(across, slip), length = std::hypot(e * x, y);
  return (-mu_across / length) * ((e * e * x) * grain + y * across);
}

// A particle on a turning table with a grain: in every step friction is that of the ellipse whose axes, slip
// and place are those of its end. (With axes of the start it would be off by the turn of 0.03 rad.)
TEST(ImplicitGrain, HasTheAxesOfTheEndOfTheStep) {
  const double h = 0.01, rate = 3;  // [rad/s]
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("grained", {.friction = mu_across, .grain = {1, 0, 0}, .friction_along = mu_along});
  Motion turning;
  for (int k = 0; k <= 100; ++k) {
    turning.time.push_back(k * h), turning.position.push_back({});
    turning.orientation.push_back(turn_about({0, 0, 1}, rate * h * k));
  }
  s.add_body("table", {.kind = kinematic, .shape = HalfSpace{}, .surface = "grained", .motion = turning});
  const BodyId ball = s.add_body("ball", {.shape = Sphere{0.05},
                                          .mass = 1,
                                          .position = {0.3, 0.1, 0.05},
                                          .velocity = {1, 0.5, 0},
                                          .particle = true});
  World world = implicit_world(s, h);
  for (int k = 1; k <= 30; ++k) {
    const Vec3 before = world.velocity(ball);
    expect_fine(world, world.step());
    const Vec3 v = world.velocity(ball), at = world.position(ball) - Vec3{0, 0, 0.05};
    const Vec3 slip = v - cross(world.spin(world.body("table")), at);
    const Vec3 grain{std::cos(rate * h * k), std::sin(rate * h * k), 0};
    ASSERT_LT(norm(v - before - (h * g) * ellipse_friction(grain, slip)), exact) << k;
  }
}

/// [m/s] of a box with a grain of its own, thrown flat at 45 degrees to it, with a little turn.
Vec3 thrown_box(Method method, double h) {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("grained", {.friction = mu_across, .grain = {1, 0, 0}, .friction_along = mu_along});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}});
  const BodyId box = s.add_body("box", {.shape = Box{{0.2, 0.3, 0.05}},
                                        .mass = 1,
                                        .position = {0, 0, 0.025},
                                        .velocity = {1, 1, 0},
                                        .spin = {0, 0, 2},
                                        .surface = "grained"});
  World world = world_of(s, {.step = h, .tolerance = tolerance, .method = method});
  run(world, steps_to(0.16, h), expect_fine);
  return world.velocity(box);
}

// The box turns its grain with it, by 0.2 rad; what the method differs from coulomb by halves with the step.
TEST(ImplicitGrain, OfATurningBoxAgreesWithCoulomb) {
  const double fine = 0.0005;
  const Vec3 limit = 2 * thrown_box(Method::coulomb, fine) - thrown_box(Method::coulomb, 2 * fine);
  const double coarse = norm(thrown_box(Method::implicit_geometry, 0.004) - limit),
               half = norm(thrown_box(Method::implicit_geometry, 0.002) - limit);
  EXPECT_LT(half, 3e-3);  // [m/s] of 1.4
  EXPECT_NEAR(coarse / half, 2, 0.2);
  EXPECT_LT(limit.y, 0.5 * limit.x);  // across the grain it loses its speed first
}

}  // namespace
}  // namespace stiction::test
