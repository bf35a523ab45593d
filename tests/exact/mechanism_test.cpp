// Bodies joined by constraints: against the same bodies joined by coordinates, against closed forms, and
// under loads that joints usually break by.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/step/mechanisms.h"
#include "stiction/step/trees.h"
#include "support/laws.h"
#include "support/mechanism_scenes.h"
#include "support/run.h"

namespace stiction::test {
namespace {

using constraints::Kind;
using tree::JointKind;
constexpr double g = 9.81;  // [m/s^2]

/// n links of 0.1 m along x from the origin, ball joints, and a heavy ball at the end.
Scene heavy_chain(int n, bool constraint) {
  Scene s;
  s.gravity = {0, 0, -g};
  for (int i = 0; i <= n; ++i) {
    const std::string name = i == n ? "ball" : "link" + std::to_string(i);
    BodyDescription b{.shape = Box{{0.1, 0.02, 0.02}}, .mass = 0.1, .position = {0.1 * i + 0.05, 0, 0}};
    if (i == n) b.shape = Sphere{0.1}, b.mass = 100, b.position = {0.1 * n + 0.1, 0, 0};
    b.collides = false;
    s.add_body(name, b);
    s.add_joint("joint" + std::to_string(i),
                joint(constraint, Kind::ball, JointKind::spherical, name,
                      i == 0 ? "" : "link" + std::to_string(i - 1), {0.1 * i, 0, 0}));
  }
  return s;
}

struct ChainRun {
  double joint = 0, rise = 0, fall = 0;  // [m], [J], [J] worst
  Vec3 end;                              // [m] of the ball
  double imbalance = 0;                  // [-]
  int unconverged = 0;
};
ChainRun run_chain(bool constraint, double h, double until) {
  World world = world_of(heavy_chain(50, constraint), {.step = h});
  ChainRun out;
  const double start = world.ledger().now().energy();
  run(world, steps_to(until, h), [&](const World& w, const StepReport& r) {
    const double change = w.ledger().now().energy() - start;
    out.rise = std::fmax(out.rise, change), out.fall = std::fmax(out.fall, -change);
    out.joint = std::fmax(out.joint, r.certificate.joint);
    out.imbalance = std::fmax(out.imbalance, w.ledger().relative_imbalance());
    out.unconverged += !r.converged;
  });
  out.end = world.position(world.body("ball"));
  return out;
}

// 1000 times the mass of a link at the end of 50: transverse modes are so fast that h w is 6 to 11. Bars:
// joints within 1e-9 m, energy up by at most 1e-6 of the 5126 J that the fall may set free, down by 5 %; the
// end within 0.15 m of the converged place.
constexpr double fall_energy = 5126;  // [J]
const Vec3 converged_end{5.0665, 0, -0.5218};

TEST(Mechanism, AHeavyChainHolds) {
  const ChainRun r = run_chain(true, 0.01, 5);
  EXPECT_EQ(r.unconverged, 0);
  EXPECT_LE(r.joint, 1e-9);
  EXPECT_LE(r.rise, 1e-6 * fall_energy);
  EXPECT_LE(r.fall, 1e-9 * fall_energy);  // by the method: none but what Newton's iteration leaves
  EXPECT_LE(norm(r.end - converged_end), 0.15);
  EXPECT_LE(r.imbalance, books);
  RecordProperty("joint", std::to_string(r.joint));
  RecordProperty("off", std::to_string(norm(r.end - converged_end)));
}

TEST(Mechanism, AHeavyChainConverges) {
  const double until = full() ? 5 : 1;
  const ChainRun r = run_chain(true, 0.001, until);
  EXPECT_LE(r.joint, 1e-9);
  EXPECT_LE(r.rise + r.fall, 1e-9 * fall_energy);
  if (full()) {
    EXPECT_LE(norm(r.end - converged_end), 0.015);
  }
}

TEST(Mechanism, AHeavyChainOfCoordinatesHolds) {
  const double until = full() ? 5 : 1.5;
  const ChainRun r = run_chain(false, 0.01, until);
  EXPECT_EQ(r.unconverged, 0);
  EXPECT_LE(r.rise, 1e-6 * fall_energy);
  EXPECT_LE(r.fall, 0.05 * fall_energy);
  if (full()) {
    EXPECT_LE(norm(r.end - converged_end), 0.15);
  }
}

/// Crank and rocker of 1 m at x = 0 and x = 2, joined by a coupler of 2 m: all hinges about y, in space.
Scene parallelogram() {
  Scene s;
  s.gravity = {0, 0, -g};
  const auto bar = [&](const char* name, const Vec3& size, double mass, const Vec3& at) {
    s.add_body(name, {.shape = Box{size}, .mass = mass, .position = at, .collides = false});
  };
  bar("crank", {0.05, 0.05, 1}, 1, {0, 0, 0.5});
  bar("coupler", {2, 0.05, 0.05}, 2, {1, 0, 1});
  bar("rocker", {0.05, 0.05, 1}, 1, {2, 0, 0.5});
  s.bodies[0].value.spin = s.bodies[2].value.spin = {0, 2, 0};
  s.bodies[0].value.velocity = s.bodies[2].value.velocity = {1, 0, 0};
  s.bodies[1].value.velocity = {2, 0, 0};
  const auto hinge = [&](const char* name, const char* body, const char* parent, const Vec3& at) {
    s.add_joint(name, ConstraintJoint{
                          .kind = Kind::hinge, .body = body, .parent = parent, .at = at, .axis = {0, 1, 0}});
  };
  hinge("a", "crank", "", {0, 0, 0}), hinge("b", "coupler", "crank", {0, 0, 1});
  hinge("c", "rocker", "coupler", {2, 0, 1}), hinge("d", "rocker", "", {2, 0, 0});
  return s;
}

// A parallelogram of hinges in space: its loop says three things twice. The coupler stays level, so that the
// whole is a pendulum: (2 I + 2 m l^2/4 + m_c l^2) a'' = (2 m l/2 + m_c l) g sin a.
TEST(Mechanism, AParallelogramIsAPendulum) {
  const double until = 1;
  Vec3 at[2];
  double inertia = 0;
  for (int k = 0; k < 2; ++k) {
    const double h = 2e-3 / (1 << k);
    World world = world_of(parallelogram(), {.step = h});
    inertia = 2 * (world.model().inertia[0].y + 0.25) + 2;
    Worst worst(world);
    run(world, steps_to(until, h), [&](const World& w, const StepReport& r) { worst.look(w, r); });
    worst.expect_lawful(1e-8);
    at[k] = world.position(world.body("crank"));
    const Vec3 coupler = world.position(world.body("coupler"));
    EXPECT_NEAR(coupler.x - 1, 2 * at[k].x, 1e-12);
    EXPECT_NEAR(coupler.z, 2 * at[k].z, 1e-12);
  }
  double a = 0, rate = 2;
  const double dt = 1e-5, weight = (1 + 2) * g;
  for (int i = 0; i < steps_to(until, dt); ++i) {  // Runge-Kutta 4
    const auto f = [&](double x) { return weight * std::sin(x) / inertia; };
    const double k1 = f(a), k2 = f(a + dt / 2 * rate), k3 = f(a + dt / 2 * (rate + dt / 2 * k1)),
                 k4 = f(a + dt * (rate + dt / 2 * k2));
    a += dt * (rate + dt / 6 * (k1 + k2 + k3)), rate += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const Vec3 exact{0.5 * std::sin(a), 0, 0.5 * std::cos(a)};
  EXPECT_NEAR(norm(at[0] - exact) / norm(at[1] - exact), 4, 0.1);  // second order
  EXPECT_LT(norm(at[1] + (at[1] - at[0]) / 3 - exact), 1e-8);
}

// The piston of a slider-crank: x = r cos a + sqrt(l^2 - r^2 sin^2 a), wherever the crank is.
TEST(Mechanism, ASliderCrankKeepsItsClosedForm) {
  Scene s;
  s.gravity = {0, 0, -g};
  const double r = 0.3, l = 1;
  const auto bar = [&](const char* name, double length, const Vec3& at) {
    s.add_body(name, {.shape = Box{{length, 0.05, 0.05}}, .mass = 1, .position = at, .collides = false});
  };
  bar("crank", r, {r / 2, 0, 0}), bar("rod", l, {r + l / 2, 0, 0}), bar("piston", 0.1, {r + l, 0, 0});
  s.bodies[0].value.spin = {0, -9, 0}, s.bodies[0].value.velocity = {0, 0, 9 * r / 2};
  const auto add = [&](const char* name, Kind kind, const char* body, const char* parent, double x,
                       const Vec3& axis) {
    s.add_joint(name, ConstraintJoint{
                          .kind = kind, .body = body, .parent = parent, .at = Vec3{x, 0, 0}, .axis = axis});
  };
  add("main", Kind::hinge, "crank", "", 0, {0, 1, 0}), add("pin", Kind::hinge, "rod", "crank", r, {0, 1, 0});
  add("wrist", Kind::hinge, "piston", "rod", r + l, {0, 1, 0});
  add("bore", Kind::prismatic, "piston", "", r + l, {1, 0, 0});
  World world = world_of(s, {.step = 0.005});
  Worst worst(world);
  run(world, 400, [&](const World& w, const StepReport& report) {
    worst.look(w, report);
    const Vec3 c = w.position(w.body("crank")), p = w.position(w.body("piston"));
    const double cosine = 2 * c.x / r, sine = 2 * c.z / r;
    EXPECT_NEAR(p.x, r * cosine + std::sqrt(l * l - r * r * sine * sine), 1e-12);
    EXPECT_NEAR(p.z, 0, 1e-12);
  });
  worst.expect_lawful(1e-8);
}

// Three hinges on one line say the same thing three times: the smallest forces that hold the door share its
// weight equally, and joints that repeat others are named.
TEST(Mechanism, ADoorOnThreeHingesSharesItsWeight) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("door", {.shape = Box{{1, 0.04, 2}}, .mass = 20, .position = {0.5, 0, 1}, .collides = false});
  for (const double z : {0.2, 1.0, 1.8})
    s.add_joint("hinge" + std::to_string(int(10 * z)),
                ConstraintJoint{.kind = Kind::hinge, .body = "door", .at = Vec3{0, 0, z}});
  const double h = 0.01;
  World world = world_of(s, {.step = h});
  run(world, 10, [](const World&, const StepReport& r) { EXPECT_TRUE(r.converged); });
  ASSERT_GE(world.warnings().size(), 2u);
  EXPECT_NE(world.warnings()[0].find("repeat what other joints hold"), std::string::npos);
  Vec3 force, torque;  // of all hinges on the door about its centre: what bears its weight
  for (const char* name : {"hinge2", "hinge10", "hinge18"}) {
    const auto r = world.reaction(name);
    ASSERT_TRUE(r);
    force += r->force;
    torque += r->torque + cross(r->at - world.position(world.body("door")), r->force);
  }
  EXPECT_LT(norm(force - Vec3{0, 0, 20 * g}), 1e-9);
  EXPECT_LT(norm(torque), 1e-9);
  EXPECT_FALSE(world.reaction("nothing"));
  const std::vector<double>& impulse = world.state().joint_impulse;
  ASSERT_EQ(impulse.size(), 15u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(impulse[5 * k + 2] / h, 20 * g / 3, 1e-9);
  for (const double l : impulse)
    EXPECT_LT(std::fabs(l) / h, 20 * g);  // the lever: 98.1 N m over 1.6 m and tilts
}

// Frames that do not meet are pulled together; those that cannot are a mistake that names the joint.
TEST(Mechanism, IsAssembledAtTheStart) {
  Scene s = rods(3, true, true);
  std::get<ConstraintJoint>(s.joints[1].value).parent_at = Vec3{0.1, 0.05, 0.02};
  s.bodies[2].value.velocity = {1, 0, 0};  // along the chain: joints do not allow it
  World world = world_of(s, {.step = 0.01});
  step::Workspace w;
  double worst = 0;
  step::worst_joint(world.model(), step::motions_of(world.state()), w, worst);
  EXPECT_LT(worst, 1e-13);
  // the nearest in the metric of the mass matrix: what was taken away is orthogonal to what is left,
  // v.M (v0 - v) = 0 with v0 = 1 m/s along the chain for one rod
  const auto rod = std::size_t(world.model().find_body("rod2"));
  const double along = world.model().mass[rod] * world.velocity(world.body("rod2")).x;
  EXPECT_GT(along, 0);
  ASSERT_EQ(world.warnings().size(), 2u);  // both changes are told
  EXPECT_NE(world.warnings()[0].find("pulled together"), std::string::npos);
  EXPECT_NE(world.warnings()[1].find("velocities"), std::string::npos);
  EXPECT_NEAR(along, 2 * world.ledger().now().kinetic, 1e-12);
  EXPECT_TRUE(world.step().converged);

  Scene apart = rods(2, true, true);
  apart.add_joint(
      "far",
      ConstraintJoint{.kind = Kind::ball, .body = "rod1", .at = Vec3{0.2, 0, 0}, .parent_at = Vec3{1, 0, 0}});
  const Result<World> refused = build(apart, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.mistakes()[0].text().find("cannot all meet"), std::string::npos);
}

// A body that is put elsewhere comes back within a step, and gives no velocity for it.
TEST(Mechanism, ATeleportedLinkIsBroughtBack) {
  World world = world_of(rods(3, true, true), {.step = 0.01}),
        other = world_of(rods(3, true, true), {.step = 0.01});
  for (int i = 0; i < 20; ++i) world.step(), other.step();
  const BodyId rod = world.body("rod1");
  const double away = 0.03;
  ASSERT_TRUE(world.teleport(rod, world.position(rod) + Vec3{0, away, 0}, world.orientation(rod),
                             world.velocity(rod), world.spin(rod)));
  const StepReport r = world.step();
  other.step();
  EXPECT_TRUE(r.converged) << r.explain();
  EXPECT_LT(r.certificate.joint, 1e-9);
  // brought back by a velocity, it would have away / h = 3 m/s; what is left is gravity on another pose
  for (const char* name : {"rod0", "rod1", "rod2"})
    EXPECT_LT(norm(world.velocity(world.body(name)) - other.velocity(other.body(name))), 0.1) << name;
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

// A floating chain: nothing outside, so that both momenta and the energy stay.
TEST(Mechanism, AFloatingChainKeepsMomentumAndEnergy) {
  Scene s = rods(4, true, true);
  s.joints.erase(s.joints.begin());
  s.gravity = {};
  s.bodies[3].value.spin = {5, -3, 8}, s.bodies[0].value.velocity = {0, 1, 2};
  World world = world_of(s, {.step = 0.01});
  const Totals start = world.ledger().now();
  run(world, 1000, [](const World&, const StepReport& r) { EXPECT_TRUE(r.converged); });
  const Totals& now = world.ledger().now();
  EXPECT_NEAR(now.kinetic / start.kinetic, 1, 1e-10);
  EXPECT_LT(norm(now.momentum - start.momentum), 1e-12 * norm(start.momentum));
  EXPECT_LT(norm(now.angular_momentum - start.angular_momentum), 1e-10 * norm(start.angular_momentum));
}

// Springs and drag act in the middle of the step: of second order too, and the books close.
TEST(Mechanism, SpringsAndDragAreBooked) {
  const auto make = [](double h) {
    Scene s = rods(3, true, true);
    s.add_force(
        "spring",
        SpringDamper{
            .b = "rod2", .point_a = {0.2, 0.1, 0.1}, .stiffness = 20, .damping = 0.05, .rest_length = 0.05});
    s.add_force("air", Drag{.linear = 0.02, .angular = 1e-4});
    return world_of(s, {.step = h});
  };
  Vec3 at[3];
  for (int k = 0; k < 3; ++k) {
    const double h = 0.004 / (1 << k);
    World world = make(h);
    Worst worst(world);
    run(world, steps_to(0.4, h), [&](const World& w, const StepReport& r) { worst.look(w, r); });
    worst.expect_lawful(1e-8);
    at[k] = world.position(world.body("rod2"));
  }
  EXPECT_NEAR(norm(at[0] - at[1]) / norm(at[1] - at[2]), 4, 0.4);
}

// A short chain on the floor: contacts in the coordinates that its joints leave free.
TEST(Mechanism, AChainFallsOnTheFloor) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}});
  for (int i = 0; i < 3; ++i) {
    const std::string name = "link" + std::to_string(i);
    s.add_body(name, {.shape = Capsule{0.05, 0.1}, .mass = 0.5, .position = {0, 0, 0.4 + 0.2 * i}});
    if (i > 0)
      s.add_joint("joint" + std::to_string(i), ConstraintJoint{.kind = Kind::ball,
                                                               .body = name,
                                                               .parent = "link" + std::to_string(i - 1),
                                                               .at = Vec3{0, 0, 0.3 + 0.2 * i}});
  }
  s.bodies[3].value.velocity = {0.3, 0.1, 0};
  World world = world_of(s, {.step = 0.01});
  Worst worst(world);
  run(world, 100, [&](const World& w, const StepReport& r) {
    worst.look(w, r);
    EXPECT_LE(r.certificate.joint, 1e-8 * 0.2);
  });
  worst.expect_lawful(1e-8);
}

// A door of inertia I about its hinges, at rest, hit without friction by a ball of mass m at the distance r:
// the impact has no restitution, so that both leave with m v r = (I + m r^2) w, joints bearing what they
// must.
TEST(Mechanism, ABallTakesADoorAlong) {
  Scene s = door();
  s.gravity = {};
  s.add_surface("smooth", {.friction = 0});
  for (auto& b : s.bodies) b.value.surface = "smooth";
  World world = world_of(s, {.step = 1e-3});
  const BodyId door = world.body("door"), ball = world.body("ball");
  const double inertia = world.model().inertia[std::size_t(1)].z + 20 * 0.25;
  const double before = 2 * 4, r = 0.8;
  double spin = 0;
  run(world, 200, [&](const World& w, const StepReport& report) {
    EXPECT_TRUE(report.converged);
    if (spin == 0 && norm(w.spin(door)) > 1e-6) spin = -w.spin(door).z;
  });
  // the ball meets it within a step, while it turns by 1e-3 w: first order in h
  EXPECT_NEAR(spin, before * r / (inertia + 2 * r * r), 1e-3 * spin);
  EXPECT_LT(world.velocity(ball).y, 0);
}

// What joints do not let move against the floor does not press on it: they bear it alone, and friction has
// nothing to act with.
TEST(Mechanism, ASliderJustAboveTheFloorSlides) {
  Scene s = on_a_floor();
  s.add_body("slider",
             {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 2, .position = {0, 0, 0.1}, .velocity = {1, 0, 0}});
  add_constraint(s, Kind::prismatic, "slider", "", {0, 0, 0.1}, {1, 0, 0});
  World world = world_of(s, {.step = 0.01});
  Worst worst(world);
  run(world, 100, [&](const World& w, const StepReport& r) { worst.look(w, r); });
  worst.expect_lawful(1e-8);
  EXPECT_EQ(worst.unconverged, 0);
  EXPECT_NEAR(world.position(world.body("slider")).x, 1, 1e-12);
}

// A body that is locked to the world bears what falls on it, and the lock the weight of both.
TEST(Mechanism, ALockedBodyBearsABall) {
  Scene s = on_a_floor();
  s.add_body("shelf", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 2, .position = {0, 0, 0.5}});
  s.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 0.75}});
  add_constraint(s, Kind::lock, "shelf", "", {0, 0, 0.5});
  World world = world_of(s, {.step = 0.01});
  run(world, 50, [](const World&, const StepReport& r) { EXPECT_TRUE(r.converged) << r.explain(); });
  EXPECT_NEAR(world.position(world.body("shelf")).z, 0.5, 1e-12);
  EXPECT_NEAR(world.position(world.body("ball")).z, 0.7, 1e-9);
  EXPECT_NEAR(world.state().joint_impulse[2] / 0.01, 3 * g, 1e-6);
}

}  // namespace
}  // namespace stiction::test
