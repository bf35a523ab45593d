// Gears and racks between joints of every kind, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.h"

namespace stiction::test {
namespace {

using constraints::Kind;
using tree::JointKind;

constexpr double g = 9.81;       // [m/s^2]
constexpr double books = 1e-12;  // [-] imbalance of the ledger: some hundred steps of round-off

/// How the two joints of a gear are made.
struct Made {
  bool first = false, second = false;  // as constraints
};
std::string name_of(const testing::TestParamInfo<Made>& i) {
  return std::string(i.param.first ? "Constraint" : "Coordinate") +
         (i.param.second ? "Constraint" : "Coordinate");
}
constexpr Made all_ways[] = {{false, false}, {true, true}, {false, true}, {true, false}};

JointDescription joint(bool constraint, bool slides, const std::string& body, const Vec3& at,
                       const Vec3& axis, const std::string& parent = "") {
  if (constraint)
    return ConstraintJoint{.kind = slides ? Kind::prismatic : Kind::hinge,
                           .body = body,
                           .parent = parent,
                           .at = at,
                           .axis = axis};
  return CoordinateJoint{.kind = slides ? JointKind::prismatic : JointKind::revolute,
                         .body = body,
                         .parent = parent,
                         .at = at,
                         .axis = axis};
}

/// A wheel about z at x, with `inertia` about it.
void add_wheel(Scene& s, const std::string& name, double x, double inertia, bool constraint) {
  s.add_body(name, {.shape = Cylinder{0.1, 0.02},
                    .mass = 1,
                    .position = {x, 0, 0},
                    .inertia = Vec3{inertia, inertia, inertia}});
  s.add_joint(name + "_axle", joint(constraint, false, name, {x, 0, 0}, {0, 0, 1}));
}

class Gears : public testing::TestWithParam<Made> {};
INSTANTIATE_TEST_SUITE_P(InEveryMix, Gears, testing::ValuesIn(all_ways), name_of);

// Torque T on the second wheel: its acceleration is T/(J2 + n^2 J1), and the first turns n times as fast the
// other way. Coordinates have both to round-off. Bodies of constraints turn by Cayley's map, as without the
// joint and then by the rest: their angles, counted over several turns, have the ratio to round-off, and
// speeds differ by the square of the turn.
TEST_P(Gears, TwoWheelsTurnAsTheirTeethSay) {
  const double J1 = 0.02, J2 = 0.05, n = 2.5, torque = 0.3, h = 0.01;
  Scene s;
  add_wheel(s, "one", 0, J1, GetParam().first), add_wheel(s, "two", 0.2, J2, GetParam().second);
  s.add_joint("teeth", GearJoint{.first = "one_axle", .second = "two_axle", .ratio = n});
  s.add_force("drive", Wrench{.body = "two", .force = {{}}, .torque = {{0, 0, torque}}});
  World world = world_of(s, {.step = h, .tolerance = 1e-12});
  const double rate = torque / (J2 + n * n * J1);
  const bool exact = !GetParam().first && !GetParam().second;
  for (int i = 1; i <= 300; ++i) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    const double w1 = world.spin(world.body("one")).z, w2 = world.spin(world.body("two")).z;
    const double turn = h * (n * std::fabs(w2) + h * torque / J2), slack = exact ? 1e-12 : turn * turn / 6;
    ASSERT_NEAR(w1 / (n * w2), -1, 1e-12 + slack) << i;
    ASSERT_NEAR(w2, rate * h * i, (1e-12 + slack) * rate * h * i + 1e-13) << i;
    ASSERT_NEAR(r.certificate.joint, 0, 1e-9);
  }
  const std::vector<JointLaw> teeth = world.joint_laws("teeth");
  ASSERT_EQ(teeth.size(), 1u);
  EXPECT_EQ(teeth[0].kind, JointLaw::Kind::gear);
  EXPECT_NEAR(teeth[0].place, 0, 1e-11);  // after four turns of the first wheel
  const double turn = 3 * h * n * rate;
  EXPECT_NEAR(teeth[0].force, -J1 * n * rate, (exact ? 1e-11 : turn * turn / 4) * J1 * n * rate);
  const Ledger& l = world.ledger();
  EXPECT_LT(l.relative_imbalance(), books);
  EXPECT_NEAR(l.booked(Cause::joint), 0, 1e-9);  // ideal teeth do no work
}

// A rack of mass m falls and turns a pinion of radius r: a = m g/(m + J/r^2).
TEST_P(Gears, AFallingRackTurnsItsPinion) {
  const double m = 2, J = 0.03, r = 0.1, h = 0.01;
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("rack", {.shape = Box{{0.02, 0.02, 1}}, .mass = m, .position = {0.1, 0, 0}});
  s.add_body("pinion", {.shape = Sphere{r}, .mass = 1, .inertia = Vec3{J, J, J}});
  s.add_joint("guide", joint(GetParam().first, true, "rack", {0.1, 0, 0}, {0, 0, -1}));
  s.add_joint("axle", joint(GetParam().second, false, "pinion", {0, 0, 0}, {0, 1, 0}));
  s.add_joint("teeth", GearJoint{.first = "guide", .second = "axle", .ratio = -r});
  World world = world_of(s, {.step = h});
  const double a = m * g / (m + J / (r * r));
  for (int i = 1; i <= 50; ++i) {
    const StepReport report = world.step();
    ASSERT_TRUE(report.converged) << report.explain();
    const double v = -world.velocity(world.body("rack")).z, w = world.spin(world.body("pinion")).y;
    const double slack = GetParam().second ? h * h * w * w / 6 : 0.0;  // Cayley's map, as above
    ASSERT_NEAR(v, a * h * i, (1e-12 + slack) * v) << i;
    ASSERT_NEAR(r * w, v, (1e-12 + slack) * v) << i;
  }
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

/// A rod on a hinge about y, geared to a flywheel: (I + J/n^2) phi'' = -m g l sin phi.
struct Pendulum {
  static constexpr double m = 1.5, length = 1, J = 0.2, n = 0.5, start = 1;
  static Scene scene(const Made& made) {
    Scene s;
    s.gravity = {0, 0, -g};
    const Quat turned{std::cos(start / 2), 0, std::sin(start / 2), 0};
    s.add_body("rod", {.shape = Box{{0.02, 0.02, length}},
                       .mass = m,
                       .position = rotate(turned, {0, 0, -length / 2}),
                       .orientation = turned,
                       .inertia = Vec3{m * length * length / 12, m * length * length / 12, 0.001}});
    s.add_body("wheel", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 1, 0}, .inertia = Vec3{J, J, J}});
    s.add_joint("hinge", joint(made.first, false, "rod", {0, 0, 0}, {0, 1, 0}));
    s.add_joint("axle", joint(made.second, false, "wheel", {0, 1, 0}, {0, 1, 0}));
    s.add_joint("belt", GearJoint{.first = "hinge", .second = "axle", .ratio = -n});
    return s;
  }
  /// [rad/s] of the rod at a time, by Runge-Kutta 4 with steps that leave nothing to see.
  static double speed(double time) {
    const double inertia = m * length * length / 3 + J / (n * n);
    const auto pull = [&](double phi) { return -m * g * length / 2 * std::sin(phi) / inertia; };
    constexpr int count = 20000;
    const double h = time / count;
    double q = start, v = 0;
    for (int i = 0; i < count; ++i) {
      const double a1 = pull(q), a2 = pull(q + 0.5 * h * v), a3 = pull(q + 0.5 * h * (v + 0.5 * h * a1)),
                   a4 = pull(q + h * (v + 0.5 * h * a2));
      q += h * v + h * h * (a1 + a2 + a3) / 6, v += h * (a1 + 2 * a2 + 2 * a3 + a4) / 6;
    }
    return v;
  }
};
// Of first order in h with the rod on a constraint, of second with it on a coordinate.
TEST_P(Gears, APendulumWithAFlywheelSwingsAsItShould) {
  const double end = 1.5, exact = Pendulum::speed(end);
  double last = 0;
  for (const double h : {0.002, 0.001, 0.0005}) {
    World world = world_of(Pendulum::scene(GetParam()), {.step = h});
    run(world, steps_to(end, h),
        [](const World&, const StepReport& r) { ASSERT_TRUE(r.converged) << r.explain(); });
    const double error = world.spin(world.body("rod")).y - exact;
    if (last != 0) {
      EXPECT_GT(last / error, 1.9) << h;
    }
    last = error;
    EXPECT_LT(world.ledger().relative_imbalance(), books);
  }
}

// Three wheels, a motor on the first and a brake on the last: the motor's speed, over both ratios, at the
// brake, torques the other way round, and what the motor gives the brake takes, but for the kinetic energy.
TEST(Gears, ATrainPassesItsPowerOn) {
  for (const bool constraint : {false, true}) {
    const double h = 0.01, n1 = 2, n2 = 3, speed = 1.2, brake = 0.4;
    Scene s;
    add_wheel(s, "a", 0, 0.02, constraint), add_wheel(s, "b", 0.2, 0.04, constraint),
        add_wheel(s, "c", 0.4, 0.08, constraint);
    std::visit(
        [&](auto& j) {
          if constexpr (requires { j.motor; }) j.motor = {.force = {10}, .speed = {speed}};
        },
        s.joints[0].value);
    std::visit(
        [&](auto& j) {
          if constexpr (requires { j.friction; }) j.friction = {brake};
        },
        s.joints[2].value);
    s.add_joint("ab", GearJoint{.first = "a_axle", .second = "b_axle", .ratio = n1});
    s.add_joint("bc", GearJoint{.first = "b_axle", .second = "c_axle", .ratio = n2});
    World world = world_of(s, {.step = h});
    run(world, 200, [](const World&, const StepReport& r) { ASSERT_TRUE(r.converged) << r.explain(); });
    const double slack = constraint ? h * h * speed * speed / 6 : 1e-11;
    EXPECT_NEAR(world.spin(world.body("a")).z, speed, 1e-10);
    EXPECT_NEAR(world.spin(world.body("c")).z, speed / (n1 * n2), slack * speed);
    EXPECT_NEAR(world.joint_laws("a_axle")[0].force, brake / (n1 * n2), 1e-4);
    EXPECT_NEAR(world.joint_laws("ab")[0].force, -brake / (n1 * n2), 1e-4);
    EXPECT_NEAR(world.joint_laws("bc")[0].force, brake / n2, 1e-4);
    const Ledger& l = world.ledger();
    EXPECT_LT(l.relative_imbalance(), books);
    const double kinetic = l.now().kinetic;
    EXPECT_NEAR(l.booked(Cause::motor) + l.booked(Cause::friction) + l.booked(Cause::joint) +
                    l.booked(Cause::numerics),
                kinetic, 1e-12 * l.booked(Cause::motor));
    // way times force, both of them, in every step of steady running
    const double in = l.booked(Cause::motor), out = l.booked(Cause::friction);
    run(world, 100);
    EXPECT_NEAR(world.ledger().booked(Cause::motor) - in, -(world.ledger().booked(Cause::friction) - out),
                (constraint ? 1e-4 : 1e-10) * in);
  }
}

// A planetary gear with its ring held: sun, planet and ring of radii Rs, Rp, Rr = Rs + 2 Rp; joints of sun
// and planet are on the carrier. The sun turns 1 + Rr/Rs times as fast as the carrier, the planet Rr/Rp times
// as fast against it; a torque T on the sun drives the carrier with k T over the inertia that it sees.
TEST(Gears, APlanetaryGear) {
  for (const bool constraint : {false, true}) {
    const double Rs = 0.1, Rp = 0.15, Rr = Rs + 2 * Rp, d = Rs + Rp, h = 0.005, torque = 0.2;
    const double Jc = 0.03, Js = 0.01, Jp = 0.02, mass = 0.5;
    Scene s;
    const auto wheel = [&](const std::string& name, double x, double inertia, double m,
                           const std::string& parent) {
      s.add_body(name, {.mass = m, .position = {x, 0, 0}, .inertia = Vec3{inertia, inertia, inertia}});
      s.add_joint(name + "_axle", joint(constraint, false, name, {x, 0, 0}, {0, 0, 1}, parent));
    };
    wheel("carrier", 0, Jc, 1, ""), wheel("sun", 0, Js, 1, "carrier"),
        wheel("planet", d, Jp, mass, "carrier");
    s.add_joint("inner", GearJoint{.first = "sun_axle", .second = "planet_axle", .ratio = Rp / Rs});
    s.add_joint("outer", GearJoint{.first = "carrier_axle", .second = "planet_axle", .ratio = Rp / Rr});
    s.add_force("drive", Wrench{.body = "sun", .force = {{}}, .torque = {{0, 0, torque}}});
    World world = world_of(s, {.step = h, .tolerance = 1e-12});
    const double k = 1 + Rr / Rs, p = 1 - Rr / Rp;
    const double inertia = Jc + mass * d * d + Js * k * k + Jp * p * p, rate = k * torque / inertia;
    for (int i = 1; i <= 200; ++i) {
      const StepReport r = world.step();
      ASSERT_TRUE(r.converged) << r.explain();
      const double w = world.spin(world.body("carrier")).z;
      const double turn = h * (k * w + h * torque / Js), slack = constraint ? 1e-12 + turn * turn / 6 : 1e-11;
      ASSERT_NEAR(w, rate * h * i, (slack + (constraint ? 0 : 1e-9)) * w) << i;
      ASSERT_NEAR(world.spin(world.body("sun")).z, k * w, slack * k * w) << i;
      ASSERT_NEAR(world.spin(world.body("planet")).z, p * w, slack * k * w) << i;
    }
    EXPECT_LT(world.ledger().relative_imbalance(), books);
  }
}

// A wheel on a constraint that would turn by 5 rad in a step, more than its angle can be followed: the step
// is made in parts.
TEST(Gears, WheelsThatTurnTooFarAreFollowedInParts) {
  Scene s;
  add_wheel(s, "one", 0, 0.02, true), add_wheel(s, "two", 0.2, 0.05, true);
  s.bodies[0].value.spin = {0, 0, 500}, s.bodies[1].value.spin = {0, 0, -250};
  s.add_joint("teeth", GearJoint{.first = "one_axle", .second = "two_axle", .ratio = 2});
  World world = world_of(s, {.step = 0.01});
  for (int i = 0; i < 20; ++i) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    EXPECT_GE(r.parts, 2);
    EXPECT_LT(std::fabs(world.joint_laws("teeth")[0].place), 1e-8);
  }
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

// A wheel of a constraint that would turn by 7 rad in a step could follow its teeth by Cayley's map at speeds
// that have little to do with the ratio n = 1/2 (half of it after three steps): with x = h w2/2 in a part of
// the step, w1/(n w2) = 1 - tan(atan(x)/2)^2, which is 0.699 where it turns by pi.
TEST(Gears, WheelsThatTurnTooFarKeepTheirSpeeds) {
  const double n = 0.5, h = 0.01, turn = 7;
  Scene s;
  add_wheel(s, "one", 0, 0.02, true), add_wheel(s, "two", 0.2, 0.05, true);
  s.bodies[0].value.spin = {0, 0, n * turn / h}, s.bodies[1].value.spin = {0, 0, -turn / h};
  s.add_joint("teeth", GearJoint{.first = "one_axle", .second = "two_axle", .ratio = n});
  World world = world_of(s, {.step = h});
  for (int i = 0; i < 20; ++i) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    const double w1 = world.spin(world.body("one")).z, w2 = world.spin(world.body("two")).z;
    EXPECT_GT(w1 / (-n * w2), 0.699) << i;
    EXPECT_LT(w1 / (-n * w2), 1 + 1e-9) << i;
  }
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

// Wheels that turn past each other when they mesh: as in an impact without rebound the angular impulse at the
// teeth, P on the first and n P on the second, leaves w1 + n w2 = 0.
TEST_P(Gears, WheelsThatDoNotFitMeshAtOnce) {
  const double J1 = 0.02, J2 = 0.05, n = 2, w1 = 3;
  Scene s;
  add_wheel(s, "one", 0, J1, GetParam().first), add_wheel(s, "two", 0.2, J2, GetParam().second);
  s.add_joint("teeth", GearJoint{.first = "one_axle", .second = "two_axle", .ratio = n});
  if (GetParam().first)
    s.bodies[0].value.spin = {0, 0, w1};
  else
    std::get<CoordinateJoint>(s.joints[0].value).velocity = {w1};
  World world = world_of(s, {.step = 0.001});
  ASSERT_TRUE(world.step().converged);
  const double impulse = -w1 / (1 / J1 + n * n / J2), after = w1 + impulse / J1;
  EXPECT_NEAR(world.spin(world.body("one")).z, after, 1e-5);  // (h w)^2/12
  EXPECT_NEAR(world.spin(world.body("two")).z, n * impulse / J2, 1e-5);
  const double lost = 0.5 * J1 * w1 * w1 - 0.5 * (J1 + J2 / (n * n)) * after * after;
  EXPECT_NEAR(world.ledger().booked(Cause::joint), -lost, 1e-5 * lost);
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

}  // namespace
}  // namespace stiction::test
