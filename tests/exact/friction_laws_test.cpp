// What surfaces say beyond one coefficient, against closed forms: friction at rest and in sliding, along and
// across a grain, with the slip, on belts.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81, edge = 0.2;
/// [-] of the velocities: steps are solved to 1e-8, and a box of four corners has no more to lose than that.
/// Measured 1e-12.
constexpr double exact = 1e-9;

/// A box of 1 kg on a plane that is tilted about y so that x leads down with this tangent.
struct Tilted {
  World world;
  BodyId box;
  Vec3 down, normal;
  double along() const { return dot(world.velocity(box), down); }
  double across() const { return dot(world.velocity(box), Vec3{0, 1, 0}); }
};
Tilted tilted(const SurfaceDescription& surface, double tangent, const Vec3& speed, double h) {
  const double c = 1 / std::sqrt(1 + tangent * tangent), s = c * tangent;
  const Vec3 down{c, 0, -s}, normal{s, 0, c};
  const double half = 0.5 * std::atan(tangent);
  const Quat turn{std::cos(half), 0, std::sin(half), 0};
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("plane", surface);
  scene.add_body("plane",
                 {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .orientation = turn, .surface = "plane"});
  const BodyId box = scene.add_body("box", {.shape = Box{{edge, edge, edge}},
                                            .mass = 1,
                                            .position = (0.5 * edge) * normal,
                                            .orientation = turn,
                                            .velocity = speed.x * down + Vec3{0, speed.y, 0}});
  return {world_of(scene, {.step = h}), box, down, normal};
}

void expect_fine(const World& w, const StepReport& r) {
  EXPECT_TRUE(r.converged) << w.time() << ": " << r.explain();
  EXPECT_LE(std::fabs(w.ledger().imbalance()), 1e-12 * w.ledger().scale());
}

double root_of(const std::function<double(double)>& f, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (f(low) * f(middle) <= 0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

// --- at rest and in sliding

constexpr double between = 0.4;  // [-] slope between friction in sliding, 0.3, and at rest, 0.5
const SurfaceDescription jumping{.friction = 0.5, .kinetic_friction = 0.3};

TEST(FrictionLaws, BetweenBothAnglesABoxAtRestStays) {
  Tilted t = tilted(jumping, between, {}, 0.01);
  const Vec3 start = t.world.position(t.box);
  run(t.world, 500, expect_fine);
  EXPECT_LT(norm(t.world.position(t.box) - start), 1e-9);  // [m] as the box of incline_test
  for (const Contact& c : t.world.contacts(t.box)) EXPECT_EQ(c.friction, 0.5);
}

TEST(FrictionLaws, BetweenBothAnglesABoxThatWasPushedSlides) {
  const double h = 0.01, v0 = 0.2, a = g * (between - 0.3) / std::sqrt(1 + between * between);
  Tilted t = tilted(jumping, between, {v0, 0, 0}, h);
  int k = 0;
  run(t.world, 200, [&](const World& w, const StepReport& r) {
    expect_fine(w, r);
    ++k;
    EXPECT_NEAR(t.along(), v0 + k * h * a, exact * (v0 + k * h * a));
  });
  for (const Contact& c : t.world.contacts(t.box)) EXPECT_EQ(c.friction, 0.3);
}

// On the flat it stops under the smaller coefficient, v0 = k h mu_k g with a rest, and then holds against a
// push that lies between both.
TEST(FrictionLaws, ABoxThatStoppedHoldsByTheLargerCoefficient) {
  Tilted t = tilted(jumping, 0, {0.5, 0, 0}, 0.01);
  run(t.world, 30, expect_fine);
  EXPECT_LT(norm(t.world.velocity(t.box)), 1e-12);
  for (int i = 0; i < 50; ++i) {
    t.world.input().force(t.box, {0.4 * g, 0, 0});
    expect_fine(t.world, t.world.step());
  }
  EXPECT_LT(norm(t.world.velocity(t.box)), 1e-9);
  t.world.input().force(t.box, {0.51 * g, 0, 0});
  t.world.step();
  EXPECT_NEAR(t.world.velocity(t.box).x, 0.01 * g * (0.51 - 0.3), exact);
}

/// [s] mean period of a block of 1 kg on a spring of k [N/m] whose end is drawn with V [m/s].
double stick_slip_period(double k, double V, double h, int cycles) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("floor", jumping);
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "floor"});
  const BodyId block =
      scene.add_body("block", {.shape = Box{{edge, edge, edge}}, .mass = 1, .position = {0, 0, 0.5 * edge}});
  scene.add_body("hand", {.kind = kinematic,
                          .motion = {.time = {0, 1000},
                                     .position = {{1, 0, 0.5 * edge}, {1 + 1000 * V, 0, 0.5 * edge}}}});
  scene.add_force("spring", SpringDamper{.a = "block", .b = "hand", .stiffness = k, .rest_length = 1});
  World world = world_of(scene, {.step = h});
  double first = -1, last = -1;
  bool sticks = true;
  for (int starts = 0; starts <= cycles;) {
    const StepReport r = world.step();
    if (!r.converged || world.time() > 100) ADD_FAILURE() << world.time() << ": " << r.explain();
    if (!r.converged || world.time() > 100) return 0;
    const bool rests = norm(world.velocity(block)) < 1e-9;
    if (sticks && !rests) {
      if (starts++ == 0) first = world.time();
      last = world.time();
    }
    sticks = rests;
  }
  return (last - first) / cycles;
}

// Sticking, the spring is drawn from -d to d around where it balances friction in sliding, d = (mu_s - mu_k)
// m g/k; sliding, the block swings back with omega = sqrt(k/m): T = 2 d/V + (pi + 2 atan(V/(omega d)))/omega.
TEST(FrictionLaws, StickSlipHasItsPeriod) {
  const double k = 40, V = 0.1, omega = std::sqrt(k), d = 0.2 * g / k;
  const double period = 2 * d / V + (std::numbers::pi + 2 * std::atan(V / (omega * d))) / omega;
  const double coarse = stick_slip_period(k, V, 0.004, 5) - period;
  const double fine = stick_slip_period(k, V, 0.001, 5) - period;
  // of order h: each end of a phase is late by up to a step
  EXPECT_LT(std::fabs(coarse), 2 * 0.004);
  EXPECT_LT(std::fabs(fine), 2 * 0.001);
}

// --- a grain

constexpr double mu_along = 0.2, mu_across = 0.6;
const SurfaceDescription grained{.friction = mu_across, .grain = {2, 0, 0}, .friction_along = mu_along};

/// Friction over load for a slip (x along the grain, y across): -mu E^2 u / |E u|, E = (mu_along/mu, 1).
Vec3 ellipse_friction(const Vec3& u) {
  const double e = mu_along / mu_across, length = std::hypot(e * u.x, u.y);
  return (-mu_across / length) * Vec3{e * e * u.x, u.y, 0};
}

Vec3 thrown_on_grain(double h, double until) {
  Tilted t = tilted(grained, 0, {1, 1, 0}, h);
  run(t.world, int(until / h + 0.5), expect_fine);
  return t.world.velocity(t.box);
}

// Thrown at 45 degrees the box loses its speed across the grain first: dv/dt = g f(v), here by Runge-Kutta 4.
TEST(FrictionLaws, AcrossTheGrainABoxLosesItsSpeedFirst) {
  const double until = 0.2;
  Vec3 v{1, 1, 0};
  for (int i = 0; i < 2000; ++i) {
    const double dt = until / 2000;
    const Vec3 k1 = g * ellipse_friction(v), k2 = g * ellipse_friction(v + 0.5 * dt * k1),
               k3 = g * ellipse_friction(v + 0.5 * dt * k2), k4 = g * ellipse_friction(v + dt * k3);
    v += (dt / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const double coarse = norm(thrown_on_grain(0.002, until) - v),
               fine = norm(thrown_on_grain(0.001, until) - v);
  EXPECT_LT(fine, 1e-3);  // the step is of first order; measured 3e-4
  EXPECT_NEAR(coarse / fine, 2, 0.1);
  EXPECT_LT(v.y, 0.5 * v.x);
}

// The step itself is implicit Euler for that equation, to the tolerance.
TEST(FrictionLaws, OnAGrainEachStepHasTheEllipseAtItsEnd) {
  const double h = 0.01;
  Tilted t = tilted(grained, 0, {1, 1, 0}, h);
  Vec3 before = t.world.velocity(t.box);
  run(t.world, 15, [&](const World& w, const StepReport& r) {
    expect_fine(w, r);
    const Vec3 v = w.velocity(t.box);
    EXPECT_LT(norm(v - before - h * g * ellipse_friction(v)), exact);
    before = v;
  });
}

// From rest on a slope v = k h a d with a d = g_t + g_n f(d): the direction d where both sides are parallel,
// which lies between downhill and the grain. The grain is turned by 40 degrees against the slope.
TEST(FrictionLaws, OnASlopeABoxSlidesTowardsTheGrain) {
  const double h = 0.01, tangent = 0.8, turn = 40 * std::numbers::pi / 180;
  SurfaceDescription surface = grained;
  surface.grain = {std::cos(turn), std::sin(turn), 0};
  const double c = 1 / std::sqrt(1 + tangent * tangent), s = c * tangent;
  const auto rate = [&](double angle) {  // in the axes of the grain, for a slip in this direction
    const Vec3 pull = g * s * Vec3{std::cos(turn), -std::sin(turn), 0};
    return pull + g * c * ellipse_friction({std::cos(angle), std::sin(angle), 0});
  };
  const double angle = root_of(
      [&](double x) {
        return cross(rate(x), Vec3{std::cos(x), std::sin(x), 0}).z;
      },
      -turn, 0);
  const Vec3 a = rate(angle);
  const Vec3 expected{a.x * std::cos(turn) - a.y * std::sin(turn),
                      a.x * std::sin(turn) + a.y * std::cos(turn), 0};
  Tilted t = tilted(surface, tangent, {}, h);
  int k = 0;
  run(t.world, 100, [&](const World& w, const StepReport& r) {
    expect_fine(w, r);
    ++k;
    EXPECT_NEAR(t.along(), k * h * expected.x, 1e-7 * k * h);
    EXPECT_NEAR(t.across(), k * h * expected.y, 1e-7 * k * h);
  });
  EXPECT_GT(expected.y, 0.1 * expected.x);  // it does leave the way downhill
}

// --- with the slip

/// A box slides down a slope of 0.5 until its speed does not change any more.
double terminal_speed(const SurfaceDescription& surface, double v0) {
  Tilted t = tilted(surface, 0.5, {v0, 0, 0}, 0.01);
  run(t.world, 800, expect_fine);
  return t.along();
}

TEST(FrictionLaws, ViscousFrictionHasATerminalSpeed) {
  // mu + c s = 0.5
  EXPECT_NEAR(terminal_speed({.friction = 0.3, .viscous_friction = 1}, 0), 0.2, exact);
}

TEST(FrictionLaws, StribeckFrictionHasATerminalSpeed) {
  const auto excess = [](double s) { return 0.3 + 0.4 * std::exp(-s * s / (0.1 * 0.1)) + 0.5 * s - 0.5; };
  const double stable = root_of(excess, 0.2, 1);
  const SurfaceDescription surface{
      .friction = 0.7, .kinetic_friction = 0.3, .stribeck_speed = 0.1, .viscous_friction = 0.5};
  EXPECT_NEAR(terminal_speed(surface, 0.3), stable, exact);
  EXPECT_LT(terminal_speed(surface, 0.02), 1e-9);  // below the other root it comes to rest
}

// --- belts

// A box set down on a belt of speed V: v = k h mu g up to V, and no more; heat and kinetic energy are m V^2/2
// each, and the belt gives both.
TEST(FrictionLaws, ABeltTakesABoxAlong) {
  const double h = 0.01, V = 1.03, mu = 0.5;
  Tilted t = tilted({.friction = mu, .surface_velocity = {V, 0, 0}}, 0, {}, h);
  int k = 0;
  double way = 0;
  run(t.world, 100, [&](const World& w, const StepReport& r) {
    expect_fine(w, r);
    ++k;
    const double v = std::fmin(V, k * h * mu * g);
    way += h * v;
    EXPECT_NEAR(w.velocity(t.box).x, v, exact);
    EXPECT_NEAR(w.position(t.box).x, way, exact);
  });
  const Ledger& l = t.world.ledger();
  EXPECT_NEAR(l.now().kinetic, 0.5 * V * V, exact);
  EXPECT_NEAR(l.booked(Cause::friction), -0.5 * V * V, exact);
  EXPECT_NEAR(l.booked(Cause::surface), V * V, exact);
  for (const Contact& c : t.world.contacts(t.box)) {
    EXPECT_EQ(c.state, ContactState::sticking);
    EXPECT_LT(norm(c.slip), exact);
  }
}

// The belt is the box's own: it drives itself along, as a track does, with the same numbers.
TEST(FrictionLaws, ABoxWithABeltDrivesItself) {
  const double h = 0.01, V = 0.7, mu = 0.5;
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("track", {.friction = mu, .surface_velocity = {-V, 0, 0}});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}});
  const BodyId box = scene.add_body(
      "box",
      {.shape = Box{{edge, edge, edge}}, .mass = 2, .position = {0, 0, 0.5 * edge}, .surface = "track"});
  World world = world_of(scene, {.step = h});
  int k = 0;
  run(world, 50, [&](const World& w, const StepReport& r) {
    expect_fine(w, r);
    ++k;
    EXPECT_NEAR(w.velocity(box).x, std::fmin(V, k * h * mu * g), exact);
  });
  EXPECT_NEAR(world.ledger().booked(Cause::surface), 2 * V * V, exact);
}

}  // namespace
}  // namespace stiction::test
