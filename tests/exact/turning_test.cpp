// Contacts that resist spin about their normal and rolling, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;

void expect_fine(const World& w, const StepReport& r) {
  EXPECT_TRUE(r.converged) << w.time() << ": " << r.explain();
  const Ledger& l = w.ledger();
  EXPECT_LE(std::fabs(l.imbalance()), 1e-12 * l.scale());
  EXPECT_LE(norm(l.angular_momentum_imbalance()), 1e-12 * l.angular_momentum_scale());
}

/// A body on a floor with these levers.
struct OnFloor {
  World world;
  BodyId body;
};
OnFloor on_floor(const SurfaceDescription& surface, const BodyDescription& body, double h) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("floor", surface);
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "floor"});
  const BodyId id = scene.add_body("body", body);
  return {world_of(scene, {.step = h}), id};
}

// --- spin: a unit sphere on its pole slows down by mu e_s m g / I = 1.962 rad/s^2 and stops in step 15

constexpr double e_s = 0.4, mu = 0.2, h_spin = 0.07, first_spin = 1.962;
const SurfaceDescription pivot{.friction = mu, .spin_length = e_s};
const BodyDescription unit_sphere{
    .shape = Sphere{1}, .mass = 1, .position = {0, 0, 1}, .spin = {0, 0, first_spin}};

/// [rad/s] after k steps.
double spin_after(int k) { return k < 15 ? first_spin - 0.13734 * k : 0.0; }

TEST(SpinResistance, ASphereOnItsPoleStops) {
  OnFloor s = on_floor(pivot, unit_sphere, h_spin);
  int k = 0;
  run(s.world, 25, [&](const World& w, const StepReport& r) {
    expect_fine(w, r);
    ++k;
    EXPECT_NEAR(w.spin(s.body).z, spin_after(k), 1e-8) << k;
    EXPECT_LT(norm(w.velocity(s.body)) + std::fabs(w.spin(s.body).x) + std::fabs(w.spin(s.body).y), 1e-10);
    ASSERT_EQ(w.contacts(s.body).size(), 1u);
    const Contact c = w.contacts(s.body)[0];
    // what is left of the last spin, over the step: I w / h
    const double moment = k < 15 ? -mu * e_s * g : k == 15 ? -0.4 * 0.03924 / h_spin : 0.0;
    EXPECT_NEAR(c.moment.z, moment, 1e-4);
    EXPECT_NEAR(c.force.z, g, 1e-8);
    EXPECT_EQ(c.state, k < 15 ? ContactState::sliding : ContactState::sticking) << k;
  });
  EXPECT_NEAR(s.world.ledger().booked(Cause::spin), -0.5 * 0.4 * first_spin * first_spin, 1e-9);
  EXPECT_NEAR(s.world.ledger().booked(Cause::rolling), 0, 1e-12);
}

// The same sphere on an axle that leaves it free to spin and to sink: as a joint's coordinates and as a
// constraint.
TEST(SpinResistance, ItIsTheSameOnAnAxle) {
  for (const bool constraint : {false, true}) {
    Scene scene{.gravity = {0, 0, -g}};
    scene.add_surface("floor", pivot);
    scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "floor"});
    BodyDescription sphere = unit_sphere;
    if (!constraint) sphere.spin = {};
    const BodyId body = scene.add_body("sphere", sphere);
    if (constraint)
      scene.add_joint("axle", ConstraintJoint{.kind = constraints::Kind::cylindrical, .body = "sphere"});
    else
      scene.add_joint(
          "axle", CoordinateJoint{
                      .kind = tree::JointKind::cylindrical, .body = "sphere", .velocity = {0, first_spin}});
    World world = world_of(scene, {.step = h_spin});
    int k = 0;
    run(world, 20, [&](const World& w, const StepReport& r) {
      expect_fine(w, r);
      EXPECT_NEAR(w.spin(body).z, spin_after(++k), 1e-8) << constraint << " " << k;
    });
    EXPECT_NEAR(world.ledger().booked(Cause::spin), -0.5 * 0.4 * first_spin * first_spin, 1e-9);
  }
}

// A turntable takes it along: kinetic energy and heat are I w^2/2 each, and the table's drive gives both.
TEST(SpinResistance, ATurntableTakesASphereAlong) {
  const double table_spin = 0.9, h = 0.01, rate = mu * e_s * g / 0.4;
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("table", pivot);
  Motion motion;
  for (int i = 0; i <= 40; ++i) {
    const double t = 0.05 * i;
    motion.time.push_back(t), motion.position.push_back({0, 0, -0.5});
    motion.orientation.push_back({std::cos(0.5 * table_spin * t), 0, 0, std::sin(0.5 * table_spin * t)});
  }
  scene.add_body("table", {.kind = kinematic, .shape = Box{{4, 4, 1}}, .surface = "table", .motion = motion});
  BodyDescription sphere = unit_sphere;
  sphere.spin = {};
  const BodyId body = scene.add_body("sphere", sphere);
  World world = world_of(scene, {.step = h});
  int k = 0;
  run(world, 100, [&](const World& w, const StepReport& r) {
    expect_fine(w, r);
    ++k;
    // the table turns by chords, 1e-5 of its rate off between rows
    EXPECT_NEAR(w.spin(body).z, std::fmin(table_spin, rate * h * k), 1e-4);
  });
  const double energy = 0.5 * 0.4 * table_spin * table_spin;
  EXPECT_NEAR(world.ledger().booked(Cause::spin), -energy, 1e-3 * energy);
  EXPECT_NEAR(world.ledger().booked(Cause::kinematic), 2 * energy, 1e-3 * energy);
}

// Sliding and spinning at once, friction's force and moment share one ellipsoid, against slip and spin.
TEST(SpinResistance, SlidingTakesItsShareOfTheLimit) {
  BodyDescription sphere = unit_sphere;
  sphere.velocity = {1, 0, 0};
  OnFloor s = on_floor(pivot, sphere, 0.01);
  run(s.world, 25, [&](const World& w, const StepReport& r) {
    expect_fine(w, r);
    const Contact c = w.contacts(s.body)[0];
    const double limit = mu * c.force.z, force = c.force.x / limit, moment = c.moment.z / (e_s * limit);
    EXPECT_NEAR(force * force + moment * moment, 1, 1e-8);
    EXPECT_NEAR(force * e_s * w.spin(s.body).z, moment * c.slip.x, 1e-8);
    EXPECT_GT(std::fabs(force), 0.2);
    EXPECT_GT(std::fabs(moment), 0.2);
  });
}

// A sphere spins on a plate that lies on ice: what one loses the other takes, and both end with one spin.
TEST(SpinResistance, BetweenTwoBodiesAngularMomentumStays) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("ice", {.friction = 0});
  scene.add_surface("felt", {.friction = 0.5, .spin_length = 0.1});
  scene.surface_pairs = {{.a = "ice", .b = "felt", .friction = 0, .spin_length = 0, .rolling_length = 0}};
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "ice"});
  const BodyId plate = scene.add_body(
      "plate", {.shape = Box{{1, 1, 0.1}}, .mass = 1, .position = {0, 0, 0.05}, .surface = "felt"});
  const BodyId ball = scene.add_body(
      "ball",
      {.shape = Sphere{0.2}, .mass = 1, .position = {0, 0, 0.3}, .spin = {0, 0, 5}, .surface = "felt"});
  World world = world_of(scene, {.step = 0.01});
  const double of_plate = 1.0 / 6, of_ball = 0.4 * 0.04, end = 5 * of_ball / (of_plate + of_ball);
  run(world, 30, [&](const World& w, const StepReport& r) {
    expect_fine(w, r);
    EXPECT_NEAR(of_plate * w.spin(plate).z + of_ball * w.spin(ball).z, 5 * of_ball, 1e-9);
  });
  EXPECT_NEAR(world.spin(plate).z, end, 1e-8);
  EXPECT_NEAR(world.spin(ball).z, end, 1e-8);
}

// --- rolling: m a = F, I a / r = M - F r, M = rho m g, so a = g rho r / (I/m + r^2); constant, hence exact
// steps

struct Roller {
  const char* name;
  Shape shape;
  Quat orientation;
  double shape_factor;  // I / (m r^2)
};
void PrintTo(const Roller& r, std::ostream* out) { *out << r.name; }
class RollingResistance : public testing::TestWithParam<Roller> {};

TEST_P(RollingResistance, ItStopsWhereItsEnergyIsSpentAndRests) {
  const double r = 0.2, v0 = 1, rho = 0.01, h = 0.01;
  const double a = g * rho / (r * (1 + GetParam().shape_factor));
  OnFloor s = on_floor({.friction = 0.5, .rolling_length = rho},
                       {.shape = GetParam().shape,
                        .mass = 3,
                        .position = {0, 0, r},
                        .orientation = GetParam().orientation,
                        .velocity = {v0, 0, 0},
                        .spin = {0, v0 / r, 0}},
                       h);
  const int steps = int(std::ceil(v0 / (a * h)));
  int k = 0;
  double way = 0;
  run(s.world, steps + 50, [&](const World& w, const StepReport& report) {
    expect_fine(w, report);
    const double v = std::fmax(0.0, v0 - ++k * h * a);
    way += h * v;
    EXPECT_NEAR(w.velocity(s.body).x, v, 1e-8) << k;
    EXPECT_NEAR(w.spin(s.body).y, v / r, 1e-7) << k;
  });
  EXPECT_NEAR(s.world.position(s.body).x, way, 1e-7);
  EXPECT_NEAR(way, v0 * v0 / (2 * a), 0.5 * v0 * h);  // the sum of steps, and the integral
  EXPECT_LT(norm(s.world.velocity(s.body)) + norm(s.world.spin(s.body)), 1e-10);
  const double energy = 0.5 * 3 * (1 + GetParam().shape_factor) * v0 * v0;
  EXPECT_NEAR(s.world.ledger().booked(Cause::rolling), -energy, 1e-7 * energy);
  EXPECT_NEAR(s.world.ledger().booked(Cause::friction), 0, 1e-7 * energy);
}

const double half = std::sqrt(0.5);
INSTANTIATE_TEST_SUITE_P(Rollers, RollingResistance,
                         testing::Values(Roller{"sphere", Sphere{0.2}, {}, 0.4},
                                         Roller{"cylinder", Cylinder{0.2, 0.5}, {half, half, 0, 0}, 0.5}));

// On a slope below rho/r it stays where it is, above it rolls with a = (g sin - g cos rho/r) 5/7.
TEST(RollingResistanceOnASlope, HoldsASphereBelowRhoOverR) {
  const double r = 0.2, rho = 0.02, h = 0.01;
  for (const double tangent : {0.09, 0.15}) {
    const double c = 1 / std::sqrt(1 + tangent * tangent), s = c * tangent;
    Scene scene{.gravity = {g * s, 0, -g * c}};
    scene.add_surface("slope", {.friction = 0.5, .rolling_length = rho});
    scene.add_body("slope", {.kind = fixed, .shape = HalfSpace{}, .surface = "slope"});
    const BodyId ball = scene.add_body("ball", {.shape = Sphere{r}, .mass = 1, .position = {0, 0, r}});
    World world = world_of(scene, {.step = h});
    run(world, 100, expect_fine);
    const double a = std::fmax(0.0, 5.0 / 7 * (g * s - g * c * rho / r));
    EXPECT_NEAR(world.velocity(ball).x, 100 * h * a, 1e-8);
    if (a == 0) {
      EXPECT_LT(norm(world.position(ball) - Vec3{0, 0, r}), 1e-9);
    }
  }
}

}  // namespace
}  // namespace stiction::test
