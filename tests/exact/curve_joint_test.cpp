// Points on curves in worlds: closed forms of beads on wires, what the wire bears, and wires that move.
#include <gtest/gtest.h>

#include <cmath>

#include "support/laws.h"
#include "support/run.h"

namespace stiction::test {
namespace {

using constraints::CurveKind;
using constraints::Kind;
constexpr double g = 9.81;  // [m/s^2]

/// A cycloid with its lowest point at the origin; the way along it from there is s = 4 r sin(a/2).
constexpr double r = 0.25;  // [m]
Vec3 cycloid(double a) { return {r * (a + std::sin(a)), 0, r * (1 - std::cos(a))}; }
double angle_at(double s) { return 2 * std::asin(s / (4 * r)); }

Scene on_a_cycloid(double start) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("bead", {.shape = Sphere{0.02}, .mass = 0.3, .position = cycloid(start), .collides = false});
  ConstraintJoint wire{.kind = Kind::point_on_curve, .body = "bead"};
  const int n = 200;
  for (int i = 0; i <= n; ++i) wire.points.push_back(cycloid(-2.8 + 5.6 * i / n));
  s.add_joint("wire", wire);
  return s;
}

// Huygens: on a cycloid s = s0 cos(w t), w^2 = g/(4 r), whatever s0. The step is of second order, the spline
// through points 0.028 rad apart of fourth.
TEST(PointOnCurve, ACycloidIsATautochrone) {
  const double w = std::sqrt(g / (4 * r)), until = 1.2;
  for (const double start : {0.4, 1.2, 2.2}) {
    const double s0 = 4 * r * std::sin(start / 2);
    const Vec3 exact = cycloid(angle_at(s0 * std::cos(w * until)));
    Vec3 at[2];
    for (int k = 0; k < 2; ++k) {
      const double h = 0.004 / (1 << k);
      World world = world_of(on_a_cycloid(start), {.step = h});
      Worst worst(world);
      run(world, steps_to(until, h), [&](const World& x, const StepReport& report) {
        worst.look(x, report);
        EXPECT_TRUE(report.converged) << report.explain();
        EXPECT_LT(report.certificate.joint, 1e-9);
      });
      worst.expect_lawful(1e-8);
      EXPECT_LT(worst.rise, 1e-11 * worst.scale);
      at[k] = world.position(world.body("bead"));
    }
    EXPECT_NEAR(norm(at[0] - exact) / norm(at[1] - exact), 4, 0.1) << start;
    EXPECT_LT(norm(at[1] + (at[1] - at[0]) / 3 - exact), 1e-7) << start;
  }
}

std::vector<Vec3> circle(double radius, int n) {
  std::vector<Vec3> out;
  for (int i = 0; i < n; ++i)
    out.push_back({radius * std::cos(2 * M_PI * i / n), radius * std::sin(2 * M_PI * i / n), 0});
  return out;
}

// Round and round without gravity: the wire bears m v^2/R towards the middle, wherever the bead is.
TEST(PointOnCurve, ARingBearsTheCentripetalForce) {
  const double radius = 0.5, mass = 0.2, speed = 3, h = 0.002;
  Scene s;
  s.add_body("bead", {.shape = Sphere{0.02},
                      .mass = mass,
                      .position = {radius, 0, 0},
                      .velocity = {0, speed, 0},
                      .collides = false});
  s.add_joint(
      "ring",
      ConstraintJoint{
          .kind = Kind::point_on_curve, .body = "bead", .points = circle(radius, 60), .closed = true});
  World world = world_of(s, {.step = h});
  const BodyId bead = world.body("bead");
  run(world, 3000, [&](const World& w, const StepReport& report) {
    ASSERT_TRUE(report.converged);
    const auto reaction = w.reaction("ring");
    ASSERT_TRUE(reaction);
    const Vec3 inwards = -normalized(w.position(bead));
    // its mean over the step is that of half a step before: turned by h v/(2 R) = 0.006
    EXPECT_LT(norm(reaction->force - mass * speed * speed / radius * inwards),
              0.01 * mass * speed * speed / radius);
  });
  // three times round and more, at the same speed
  EXPECT_NEAR(norm(world.velocity(bead)), speed, 1e-12);
  EXPECT_NEAR(world.state().joint_memory[0], 3000 * h * speed, 0.01 * 3000 * h * speed);
}

// A ring that floats, and a bead on it: nothing outside, so that both momenta and the energy stay; a polyline
// does as well, forces jump at its corners.
TEST(PointOnCurve, AFloatingRingKeepsMomentaAndEnergy) {
  for (const CurveKind kind : {CurveKind::spline, CurveKind::polyline}) {
    Scene s;
    s.add_body("ring", {.mass = 0.5,
                        .position = {0.1, 0, 0},
                        .orientation = {0.8, 0, 0.6, 0},
                        .spin = {1, 2, 0.5},
                        .inertia = Vec3{0.05, 0.05, 0.1}});
    s.add_body("bead", {.mass = 0.2, .position = {0.6, 0, 0}, .velocity = {0, 2, 0.3}, .particle = true});
    std::vector<Vec3> points = circle(0.5, 40);
    for (Vec3& p : points) p += Vec3{0.1, 0, 0};
    s.add_joint("wire", ConstraintJoint{.kind = Kind::point_on_curve,
                                        .body = "bead",
                                        .parent = "ring",
                                        .points = points,
                                        .curve = kind,
                                        .closed = true});
    World world = world_of(s, {.step = 0.004});
    const Totals start = world.ledger().now();
    Worst worst(world);
    run(world, 500, [&](const World& w, const StepReport& report) {
      worst.look(w, report);
      EXPECT_TRUE(report.converged) << report.explain();
    });
    worst.expect_lawful(1e-8);
    const Totals& end = world.ledger().now();
    EXPECT_LT(norm(end.momentum - start.momentum), 1e-12);
    EXPECT_LT(norm(end.angular_momentum - start.angular_momentum), 1e-12);
    if (kind == CurveKind::spline) {
      EXPECT_NEAR(end.kinetic, start.kinetic, 1e-10 * start.kinetic);
    }
  }
}

TEST(PointOnCurve, MistakesAreNamed) {
  Scene s = on_a_cycloid(1);
  ConstraintJoint& wire = std::get<ConstraintJoint>(s.joints[0].value);
  const auto mistake = [&] {
    const std::vector<Mistake> found = validate(s);
    return found.empty() ? std::string() : found[0].text();
  };
  EXPECT_EQ(mistake(), "");
  wire.points.resize(1);
  EXPECT_NE(mistake().find("joints.wire.constraint.points"), std::string::npos) << mistake();
  wire.points = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
  EXPECT_NE(mistake().find("joints.wire.constraint.points"), std::string::npos) << mistake();
  wire.kind = Kind::ball;
  EXPECT_NE(mistake().find("only point_on_curve has points"), std::string::npos) << mistake();
}

}  // namespace
}  // namespace stiction::test
