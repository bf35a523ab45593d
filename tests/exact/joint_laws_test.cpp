// Limits, motors and friction of joints: against closed forms, as coordinates and as constraints.
#include <gtest/gtest.h>

#include <cmath>

#include "support/laws.h"
#include "support/run.h"

namespace stiction::test {
namespace {

using constraints::Kind;
using tree::JointKind;

constexpr double g = 9.81;       // [m/s^2]
constexpr double h = 0.01;       // [s]
constexpr double books = 1e-12;  // [-] imbalance of the ledger: some hundred steps of round-off
constexpr double inertia = 0.5;  // [kg m^2] of the rotor about its axis

struct Laws {
  JointLimits limits{};
  JointMotor motor{};
  std::vector<double> friction{};
};

/// A hinge or a slider between the world and `body`, as a constraint or as coordinates.
JointDescription joint(bool constraint, bool slides, const std::string& body, const Vec3& at,
                       const Vec3& axis, const Laws& l, const std::string& parent = "") {
  if (constraint)
    return ConstraintJoint{.kind = slides ? Kind::prismatic : Kind::hinge,
                           .body = body,
                           .parent = parent,
                           .at = at,
                           .axis = axis,
                           .limits = l.limits,
                           .motor = l.motor,
                           .friction = l.friction};
  return CoordinateJoint{.kind = slides ? JointKind::prismatic : JointKind::revolute,
                         .body = body,
                         .parent = parent,
                         .at = at,
                         .axis = axis,
                         .limits = l.limits,
                         .motor = l.motor,
                         .friction = l.friction};
}

/// A wheel about z through its centre of mass, turning with `spin`; nothing else acts.
Scene rotor(bool constraint, double spin, const Laws& l) {
  Scene s;
  s.add_body("wheel", {.shape = Sphere{0.2}, .mass = 1, .inertia = Vec3{0.4, 0.4, inertia}});
  if (constraint) s.bodies[0].value.spin = {0, 0, spin};
  s.add_joint("axle", joint(constraint, false, "wheel", {0, 0, 0}, {0, 0, 1}, l));
  if (!constraint) std::get<CoordinateJoint>(s.joints[0].value).velocity = {spin};
  return s;
}
/// A rod of 1 m and 2 kg that hangs on a hinge about y at its left end and starts level.
Scene level_rod(bool constraint, const Laws& l) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("rod", {.shape = Box{{1, 0.02, 0.02}}, .mass = 2, .position = {0.5, 0, 0}});
  s.add_joint("hinge", joint(constraint, false, "rod", {0, 0, 0}, {0, 1, 0}, l));
  return s;
}

const JointLaw& law_of(const std::vector<JointLaw>& list, JointLaw::Kind kind) {
  for (const JointLaw& l : list)
    if (l.kind == kind) return l;
  ADD_FAILURE() << "no such law";
  return list.front();
}
JointLaw law_of(const World& w, const std::string& joint, JointLaw::Kind kind) {
  return law_of(w.joint_laws(joint), kind);
}

class JointLaws : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(AsCoordinatesAndConstraints, JointLaws, testing::Bool(),
                         [](const auto& i) { return std::string(i.param ? "Constraint" : "Coordinate"); });

// Torque F on inertia I: w = w0 - F t/I, in every step exactly, and rest at t = I w0/F; the way is w0^2 I/(2
// F) less what the method's first order takes, h w0/2.
TEST_P(JointLaws, FrictionStopsAWheelWhenCoulombSays) {
  const double torque = 0.25, spin = 3, stop = inertia * spin / torque;  // 6 s
  World world = world_of(rotor(GetParam(), spin, {.friction = {torque}}), {.step = h});
  double way = 0, angle = 0;  // bodies turn by Cayley's map, coordinates by h w
  for (int i = 1; i <= 700; ++i) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    const double wanted = std::fmax(0.0, spin - torque * h * i / inertia);
    ASSERT_NEAR(world.spin(world.body("wheel")).z, wanted, 1e-11) << i;
    way += h * wanted, angle += GetParam() ? 2 * std::atan(0.5 * h * wanted) : h * wanted;
  }
  EXPECT_NEAR(way, 0.5 * spin * stop - 0.5 * h * spin, 1e-9);
  const JointLaw friction = law_of(world, "axle", JointLaw::Kind::friction);
  EXPECT_NEAR(friction.place, angle, GetParam() ? 1e-5 : 1e-9);  // two turns in a row are not their sum
  EXPECT_NEAR(friction.force, 0, 1e-12);                         // nothing is left to hold
  const Ledger& l = world.ledger();
  EXPECT_LT(l.relative_imbalance(), books);
  EXPECT_NEAR(l.booked(Cause::friction), -torque * way, 1e-9);  // force times way
}

// A motor of at most F: the speed grows by F t/I, is reached in the step that can, and kept to round-off.
TEST_P(JointLaws, AMotorReachesItsSpeedAndKeepsIt) {
  const double torque = 2, speed = 1.5;
  World world = world_of(rotor(GetParam(), 0, {.motor = {.force = {torque}, .speed = {speed}}}), {.step = h});
  for (int i = 1; i <= 100; ++i) {
    ASSERT_TRUE(world.step().converged);
    ASSERT_NEAR(world.spin(world.body("wheel")).z, std::fmin(speed, torque * h * i / inertia), 1e-11) << i;
  }
  EXPECT_NEAR(law_of(world, "axle", JointLaw::Kind::motor).force, 0, 1e-9);
  EXPECT_LT(world.ledger().relative_imbalance(), books);
  ASSERT_TRUE(world.set_motor("axle", -speed));
  run(world, 200);
  EXPECT_NEAR(world.spin(world.body("wheel")).z, -speed, 1e-11);
  EXPECT_FALSE(world.set_motor("axle", 1, 1));
  EXPECT_FALSE(world.set_motor("axle", NAN));
}

// A motor to a place, against gravity: with more torque than the rod's weight needs, m g l/2, it stands still
// where it should and gives just that torque; with less the rod falls.
TEST_P(JointLaws, AMotorHoldsAPlace) {
  const double needed = 2 * g * 0.5;
  World holds =
      world_of(level_rod(GetParam(), {.motor = {.force = {1.01 * needed}, .position = {0}}}), {.step = h});
  run(holds, 500, [](const World&, const StepReport& r) { ASSERT_TRUE(r.converged) << r.explain(); });
  const JointLaw motor = law_of(holds, "hinge", JointLaw::Kind::motor);
  EXPECT_NEAR(motor.place, 0, 1e-10);
  EXPECT_NEAR(motor.force, -needed, 1e-7 * needed);  // turning about y moves the rod down
  World falls =
      world_of(level_rod(GetParam(), {.motor = {.force = {0.99 * needed}, .position = {0}}}), {.step = h});
  run(falls, 100);
  EXPECT_GT(law_of(falls, "hinge", JointLaw::Kind::motor).place, 0.05);
  EXPECT_LT(falls.ledger().relative_imbalance(), books);
  // it goes to another place no faster than it may
  World turns = world_of(rotor(GetParam(), 0, {.motor = {.force = {100}, .speed = {0.5}, .position = {1}}}),
                         {.step = h});
  run(turns, 100);
  EXPECT_NEAR(law_of(turns, "axle", JointLaw::Kind::motor).place, 0.5, 1e-10);
  run(turns, 150);
  EXPECT_NEAR(law_of(turns, "axle", JointLaw::Kind::motor).place, 1, 1e-10);
}

// A rod that falls on a stop stays there; the stop bears m g l/2 cos(angle).
TEST_P(JointLaws, ALimitHoldsARod) {
  World world = world_of(level_rod(GetParam(), {.limits = {.upper = {0.6}}}), {.step = h});
  double beyond = 0;
  run(world, 300, [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    beyond = std::fmax(beyond, law_of(w, "hinge", JointLaw::Kind::upper).place - 0.6);
  });
  EXPECT_LT(beyond, 1e-9);
  const JointLaw limit = law_of(world, "hinge", JointLaw::Kind::upper);
  EXPECT_NEAR(limit.place, 0.6, 1e-9);
  EXPECT_NEAR(limit.force, -2 * g * 0.5 * std::cos(0.6), 1e-6);
  EXPECT_LT(world.ledger().relative_imbalance(), books);
  EXPECT_LT(world.ledger().booked(Cause::impact), -1);  // the blow took what the fall had given
}

// Between two stops with restitution e a wheel loses the factor e of its speed at every blow, and its energy
// is booked as impact.
TEST_P(JointLaws, LimitsGiveBackWhatRestitutionSays) {
  const double e = 0.7, spin = 3;
  World world = world_of(
      rotor(GetParam(), spin, {.limits = {.lower = {-0.5}, .upper = {0.8}, .restitution = e}}), {.step = h});
  double last = spin;
  int blows = 0;
  run(world, 400, [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    const double now = w.spin(w.body("wheel")).z;
    if (now * last < 0) {
      ++blows;
      ASSERT_NEAR(now, -e * last, 1e-10);
    } else {
      ASSERT_NEAR(now, last, 1e-10);
    }
    last = now;
  });
  EXPECT_GE(blows, 4);
  const Ledger& l = world.ledger();
  EXPECT_NEAR(l.booked(Cause::impact), 0.5 * inertia * (last * last - spin * spin), 1e-9);
  EXPECT_LT(l.relative_imbalance(), books);
}

// A motor drives a slider against a stop: at rest there the stop bears what the motor gives.
TEST_P(JointLaws, AMotorAgainstAStop) {
  Scene s;
  s.add_body("slide", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 3});
  s.add_joint("rail", joint(GetParam(), true, "slide", {0, 0, 0}, {1, 0, 0},
                            {.limits = {.upper = {0.25}}, .motor = {.force = {6}, .speed = {1}}}));
  World world = world_of(s, {.step = h});
  run(world, 200, [&](const World&, const StepReport& r) { ASSERT_TRUE(r.converged) << r.explain(); });
  EXPECT_NEAR(world.position(world.body("slide")).x, 0.25, 1e-10);
  EXPECT_NEAR(law_of(world, "rail", JointLaw::Kind::upper).force, -6, 1e-7);
  EXPECT_NEAR(law_of(world, "rail", JointLaw::Kind::motor).force, 6, 1e-7);
  EXPECT_NEAR(world.ledger().booked(Cause::motor), 6 * 0.25, 0.1);  // until it had its speed, or hit the stop
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

// Friction in the hinges of a double pendulum: both forms come to rest at the same place, which friction
// holds, within the first order of the method.
TEST(JointLaws, BothFormsComeToTheSameRest) {
  double angle[2][2];
  for (const bool constraint : {false, true}) {
    Scene s = level_rod(constraint, {.friction = {2}});
    s.add_body("second", {.shape = Box{{1, 0.02, 0.02}}, .mass = 1, .position = {1.5, 0, 0}});
    s.add_joint("elbow", joint(constraint, false, "second", {1, 0, 0}, {0, 1, 0}, {.friction = {1}}, "rod"));
    World world = world_of(s, {.step = 0.002});
    run(world, 5000, [&](const World&, const StepReport& r) { ASSERT_TRUE(r.converged) << r.explain(); });
    EXPECT_LT(norm(world.spin(world.body("rod"))) + norm(world.spin(world.body("second"))), 1e-9);
    angle[constraint][0] = law_of(world, "hinge", JointLaw::Kind::friction).place;
    angle[constraint][1] = law_of(world, "elbow", JointLaw::Kind::friction).place;
    EXPECT_LT(std::fabs(law_of(world, "hinge", JointLaw::Kind::friction).force), 2 * (1 + 1e-6));
    EXPECT_LT(world.ledger().relative_imbalance(), books);
    EXPECT_LT(world.ledger().booked(Cause::friction), -1);
  }
  EXPECT_NEAR(angle[0][0], angle[1][0], 0.02);
  EXPECT_NEAR(angle[0][1], angle[1][1], 0.04);
}

// A rod on a ball joint with its axis along it: the cone of the swing holds it up, the twist is held as well.
TEST(JointLaws, ABallKeepsItsConeAndItsTwist) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("arm",
             {.shape = Box{{1, 0.1, 0.05}}, .mass = 1, .position = {0.5, 0, 0}, .spin = {4, 0.5, 0.7}});
  s.add_joint("shoulder", ConstraintJoint{
                              .kind = Kind::ball,
                              .body = "arm",
                              .at = Vec3{0, 0, 0},
                              .axis = {1, 0, 0},
                              .limits = {.lower = {-0.3}, .upper = {0.3}, .swing = 0.5},
                          });
  World world = world_of(s, {.step = h});
  double lowest = 1, twist = 0;
  run(world, 300, [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    lowest = std::fmin(lowest, dot(rotate(w.orientation(w.body("arm")), {1, 0, 0}), {1, 0, 0}));
    twist = std::fmax(twist, std::fabs(law_of(w, "shoulder", JointLaw::Kind::upper).place));
  });
  EXPECT_NEAR(lowest, std::cos(0.5), 1e-8);
  EXPECT_NEAR(twist, 0.3, 1e-8);
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

// Joints with laws in contact: an arm that a motor presses on the floor; the floor bears the torque over the
// arm's length, with the weight.
TEST_P(JointLaws, AMotorPressesAnArmOnTheFloor) {
  Scene s = level_rod(GetParam(), {.motor = {.force = {5}, .speed = {2}}});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, 0}, .position = {0, 0, -0.3}});
  World world = world_of(s, {.step = h});
  run(world, 300, [&](const World&, const StepReport& r) { ASSERT_TRUE(r.converged) << r.explain(); });
  double moment = 0;  // of the floor about the hinge
  for (const Contact& c : world.contacts())
    moment += c.point.x * c.force.z * (c.b == world.body("rod") ? 1 : -1);
  const JointLaw motor = law_of(world, "hinge", JointLaw::Kind::motor);
  const Vec3 centre = world.position(world.body("rod"));
  EXPECT_NEAR(motor.force, 5, 1e-7);
  EXPECT_NEAR(std::fabs(moment), 5 + 2 * g * centre.x, 1e-5);
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

// A slider that falls on a stop and bounces, with and without loss: never higher than it began, at any step.
TEST_P(JointLaws, BouncesNeverGainHeight) {
  for (const double e : {0.5, 0.9, 1.0})
    for (const double step : {0.005, 0.02, 0.05}) {
      Scene s;
      s.gravity = {0, 0, -g};
      s.add_body("slide", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 1});
      s.add_joint("rail", joint(GetParam(), true, "slide", {0, 0, 0}, {0, 0, 1},
                                {.limits = {.lower = {-1}, .restitution = e}}));
      World world = world_of(s, {.step = step});
      double highest = -1;
      run(world, int(8 / step), [&](const World& w, const StepReport& r) {
        ASSERT_TRUE(r.converged) << r.explain();
        const double z = w.position(w.body("slide")).z, v = w.velocity(w.body("slide")).z;
        highest = std::fmax(highest, z + 0.5 * v * v / g);
        ASSERT_GT(z, -1 - 1e-9);
      });
      EXPECT_LT(highest, 0.5 * g * step * step + 1e-9) << e << " " << step;  // the first step's own error
      EXPECT_LT(world.ledger().relative_imbalance(), books);
    }
}

// A motor to a place brakes in time: it goes there once, and stays.
TEST_P(JointLaws, AMotorStopsAtItsPlace) {
  World world = world_of(rotor(GetParam(), 0, {.motor = {.force = {0.5}, .position = {1}}}), {.step = h});
  double farthest = 0;
  run(world, 400, [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    farthest = std::fmax(farthest, law_of(w, "axle", JointLaw::Kind::motor).place);
  });
  EXPECT_NEAR(law_of(world, "axle", JointLaw::Kind::motor).place, 1, 1e-9);
  EXPECT_LT(farthest, 1 + 1e-6);
  EXPECT_LT(norm(world.spin(world.body("wheel"))), 1e-9);
  // the target is part of the state
  ASSERT_TRUE(world.set_motor("axle", -1));
  const std::vector<unsigned char> saved = world.save();
  World other = world_of(rotor(GetParam(), 0, {.motor = {.force = {0.5}, .position = {1}}}), {.step = h});
  ASSERT_TRUE(other.restore(saved));
  run(world, 50), run(other, 50);
  EXPECT_EQ(world.state().hash(), other.state().hash());
}

/// A 4-bar in the plane y = 0: crank of 0.3 m, coupler of 0.8 m, rocker of 0.6 m, ground of 0.7 m. As a tree
/// that a constraint closes, or of constraints alone.
Scene four_bar(bool tree) {
  Scene s;
  s.gravity = {0, 0, -g};
  // crank upright; the joint between coupler and rocker where circles about its end and the ground's meet
  const Vec3 A{0, 0, 0}, B{0, 0, 0.3}, D{0.7, 0, 0};
  const double base = norm(D - B), along = (base * base + 0.8 * 0.8 - 0.6 * 0.6) / (2 * base);
  const Vec3 e = (1 / base) * (D - B), up{-e.z, 0, e.x};
  const Vec3 C = B + along * e + std::sqrt(0.8 * 0.8 - along * along) * up;
  const auto bar = [&](const char* name, const Vec3& from, const Vec3& to, double mass) {
    const Vec3 d = to - from;
    const double half = 0.5 * std::atan2(-d.z, d.x);
    s.add_body(name, {.shape = Box{{norm(d), 0.02, 0.02}},
                      .mass = mass,
                      .position = 0.5 * (from + to),
                      .orientation = {std::cos(half), 0, std::sin(half), 0},
                      .collides = false});
  };
  bar("crank", A, B, 1), bar("coupler", B, C, 2), bar("rocker", D, C, 1.5);
  s.add_joint("A", joint(!tree, false, "crank", A, {0, 1, 0}, {}));
  s.add_joint("B", joint(!tree, false, "coupler", B, {0, 1, 0}, {}, "crank"));
  s.add_joint("D", joint(!tree, false, "rocker", D, {0, 1, 0}, {}));
  s.add_joint("C", joint(true, false, "coupler", C, {0, 1, 0}, {}, "rocker"));
  return s;
}

// A loop of coordinates that a constraint closes: it stays closed, and moves as the same loop of constraints
// does, to the first order of the former.
TEST(HeldLinks, AFourBarMovesAsItsConstraintsDo) {
  World exact = world_of(four_bar(false), {.step = 0.001});
  run(exact, 500);
  const Vec3 end = exact.position(exact.body("coupler"));
  double error[2];
  for (const int half : {0, 1}) {
    const double step = half ? 0.0025 : 0.005;
    World world = world_of(four_bar(true), {.step = step});
    double apart = 0;
    run(world, steps_to(0.5, step), [&](const World& w, const StepReport& r) {
      ASSERT_TRUE(r.converged) << r.explain();
      apart = std::fmax(apart, r.certificate.joint);
      ASSERT_LT(w.ledger().relative_imbalance(), books);
    });
    EXPECT_LT(apart, 1e-8);
    EXPECT_LT(norm(world.ledger().momentum_imbalance()), 1e-11);
    EXPECT_LT(norm(world.ledger().angular_momentum_imbalance()), 1e-11);
    error[half] = norm(world.position(world.body("coupler")) - end);
    ASSERT_TRUE(world.reaction("C"));
    EXPECT_LT(norm(world.reaction("C")->force - exact.reaction("C")->force),
              0.1 * norm(exact.reaction("C")->force) + 1);
  }
  EXPECT_LT(error[1], 0.03);
  EXPECT_NEAR(error[0] / error[1], 2, 0.3);
}

// A ball on a rod that hangs on a link, and a weight on it: at rest the joint bears the weight.
TEST(HeldLinks, ABodyHangsOnALink) {
  Scene s = level_rod(false, {});
  std::get<CoordinateJoint>(s.joints[0].value).damping = {1};
  s.add_body("weight", {.shape = Sphere{0.1}, .mass = 3, .position = {1, 0, -0.5}});
  s.add_joint(
      "rope",
      ConstraintJoint{.kind = Kind::distance, .body = "weight", .parent = "rod", .parent_at = Vec3{1, 0, 0}});
  World world = world_of(s, {.step = h});
  run(world, 6000, [](const World&, const StepReport& r) { ASSERT_TRUE(r.converged) << r.explain(); });
  const Vec3 rod = world.position(world.body("rod")), weight = world.position(world.body("weight"));
  EXPECT_NEAR(rod.z, -0.5, 1e-4);
  EXPECT_NEAR(weight.z, -1.5, 1e-4);
  EXPECT_NEAR(world.reaction("rope")->force.z, 3 * g, 0.01);
  EXPECT_LT(world.ledger().relative_imbalance(), books);

  Scene apart = level_rod(false, {.limits = {.lower = {0.2}}});
  const Result<World> refused = build(apart, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.mistakes()[0].text().find("beyond this limit"), std::string::npos);
}

}  // namespace
}  // namespace stiction::test
