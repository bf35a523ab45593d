// Constraint joints that give way, against closed forms of springs and dampers, and against coordinate
// joints with the same numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "support/laws.h"
#include "support/mechanism_scenes.h"
#include "support/run.h"

namespace stiction::test {
namespace {

using constraints::Kind;
constexpr double g = 9.81;  // [m/s^2]
const double pi = std::acos(-1.0);

/// A body at the origin, joined to the world there.
Scene one_body(double mass, const ConstraintJoint& joint, double gravity = g) {
  Scene s;
  s.gravity = {0, 0, -gravity};
  s.add_body("load", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = mass, .collides = false});
  s.add_joint("spring", joint);
  return s;
}

// At rest a joint has given way by compliance times force: to 1e-9 of it, from soft to hardly soft (h w from
// 0.02 to 7e5). In the last case what a step longer than the period leaves of the start is larger: by the
// midpoint rule the velocity that the sag brought, 2 e m g/h, goes on to and fro, for all damping.
TEST(SoftJoints, SagIsComplianceTimesForce) {
  const double mass = 2, h = 0.01;
  for (const Kind kind : {Kind::ball, Kind::lock, Kind::hinge, Kind::point_on_plane})
    for (const double e : {1e-1, 1e-3, 1e-6, 1e-12}) {
      const double critical = 2 * std::sqrt(mass * e);  // [s]
      World world = world_of(one_body(mass, {.kind = kind,
                                             .body = "load",
                                             .at = Vec3{0, 0, 0},
                                             .compliance = e,
                                             .damping_time = std::fmax(critical, h / 2)}),
                             {.step = h});
      Worst worst(world);
      run(world, steps_to(12, h), [&](const World& w, const StepReport& r) {
        worst.look(w, r);
        EXPECT_EQ(r.certificate.joint, 0) << "what gives way is no error";
      });
      worst.expect_lawful(1e-8);
      EXPECT_EQ(worst.unconverged, 0);
      const double sag = e * mass * g;
      const double part = e == 1e-12 ? 8.1 * mass * e / (h * h) : 1e-9;  // [-] twice its momentum in a step
      EXPECT_NEAR(-world.position(world.body("load")).z / sag, 1, part) << constraints::name_of(kind) << e;
      EXPECT_NEAR(world.reaction("spring")->force.z, mass * g, part * mass * g);
    }
}

// x'' = -x/(m e). The step turns the phase by 2 atan(h w/2) instead of h w: exactly so, hence of second
// order; energy stays to round-off, and `numerics` has nothing.
TEST(SoftJoints, AnOscillatorKeepsItsEnergy) {
  const double mass = 2, e = 5e-3, start = 0.1, w = 1 / std::sqrt(mass * e);
  double error[3];
  for (int k = 0; k < 3; ++k) {
    const double h = 0.004 / (1 << k), turn = 2 * std::atan(h * w / 2);
    ConstraintJoint joint{
        .kind = Kind::prismatic, .body = "load", .at = Vec3{start, 0, 0}, .axis = {0, 0, 1}};
    joint.parent_at = Vec3{0, 0, 0}, joint.compliance = e;  // stretched along x at the start
    World world = world_of(one_body(mass, joint, 0), {.step = h});
    const double energy = world.ledger().now().energy();
    EXPECT_NEAR(energy, 0.5 * start * start / e, 1e-15);
    Worst worst(world);
    int n = 0;
    run(world, steps_to(2, h), [&](const World& world_now, const StepReport& r) {
      worst.look(world_now, r);
      EXPECT_NEAR(world_now.ledger().now().energy() / energy, 1, 1e-12);
      EXPECT_NEAR(world_now.position(world_now.body("load")).x, start * (std::cos(++n * turn) - 1), 1e-12);
    });
    worst.expect_lawful(1e-8);
    EXPECT_NEAR(world.ledger().booked(Cause::numerics), 0, 1e-12 * energy);
    error[k] = std::fabs(world.position(world.body("load")).x - start * (std::cos(2 * w) - 1));
  }
  EXPECT_NEAR(error[0] / error[1], 4, 0.1);
  EXPECT_NEAR(error[1] / error[2], 4, 0.1);
}

// x'' + (tau/(m e)) x' + x/(m e) = 0 from rest: A e^(-c t) (cos(v t) + c/v sin(v t)).
TEST(SoftJoints, ADampedOscillatorDecays) {
  const double mass = 2, e = 5e-3, tau = 0.05, start = 0.1, until = 0.5;
  const double c = tau / (2 * mass * e), v = std::sqrt(1 / (mass * e) - c * c);
  const double exact = start * std::exp(-c * until) * (std::cos(v * until) + c / v * std::sin(v * until));
  double x[3];
  for (int k = 0; k < 3; ++k) {
    const double h = 0.005 / (1 << k);
    World world = world_of(one_body(mass,
                                    {.kind = Kind::ball,
                                     .body = "load",
                                     .at = Vec3{0, 0, 0},
                                     .parent_at = Vec3{0, -start, 0},
                                     .compliance = e,
                                     .damping_time = tau},
                                    0),
                           {.step = h});
    const double before = world.ledger().now().energy();
    Worst worst(world);
    run(world, steps_to(until, h), [&](const World& w, const StepReport& r) { worst.look(w, r); });
    worst.expect_lawful(1e-8);
    const Ledger& books = world.ledger();
    EXPECT_NEAR(books.booked(Cause::damping), books.now().energy() - before, 1e-12 * before);
    EXPECT_LT(books.booked(Cause::damping), -0.9 * before);
    x[k] = world.position(world.body("load")).y + start;
  }
  EXPECT_NEAR((x[0] - exact) / (x[1] - exact), 4, 0.1);
  EXPECT_NEAR(x[2] + (x[2] - x[1]) / 3, exact, 1e-8);
}

/// A rod on a hinge with a torsion spring, or a sleeve with both coordinates sprung, as either kind of joint.
Scene sprung(bool constraint, bool sleeve) {
  Scene s;
  s.gravity = {0.3, 0.5, -g};
  s.add_body("rod", {.shape = Box{{0.4, 0.05, 0.03}}, .mass = 1, .position = {0.2, 0, 0}, .collides = false});
  const Vec3 axis = sleeve ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
  std::vector<double> stiffness{3}, rest{-0.4}, damping{0.02};
  if (sleeve) stiffness = {200, 3}, rest = {0.05, 0.2}, damping = {1.5, 0.02};
  if (constraint)
    s.add_joint("pin", ConstraintJoint{.kind = sleeve ? Kind::cylindrical : Kind::hinge,
                                       .body = "rod",
                                       .at = Vec3{0, 0, 0},
                                       .axis = axis,
                                       .stiffness = stiffness,
                                       .rest = rest,
                                       .damping = damping});
  else
    s.add_joint("pin",
                CoordinateJoint{.kind = sleeve ? tree::JointKind::cylindrical : tree::JointKind::revolute,
                                .body = "rod",
                                .at = Vec3{0, 0, 0},
                                .axis = axis,
                                .stiffness = stiffness,
                                .rest = rest,
                                .damping = damping});
  return s;
}

TEST(SoftJoints, SpringsOnCoordinatesAgreeWithCoordinateJoints) {
  for (const bool sleeve : {false, true}) {
    const double until = 0.6;
    const auto end = [&](bool constraint, double h) {
      World world = world_of(sprung(constraint, sleeve), {.step = h});
      Worst worst(world);
      run(world, steps_to(until, h), [&](const World& w, const StepReport& r) { worst.look(w, r); });
      worst.expect_lawful(1e-8);
      if (constraint) {
        EXPECT_NEAR(world.ledger().booked(Cause::numerics), 0, 1e-11);
      }
      return world.position(world.body("rod"));
    };
    const Vec3 exact = end(false, 2.5e-4);
    Vec3 at[3];
    for (int k = 0; k < 3; ++k) at[k] = end(true, 0.004 / (1 << k));
    EXPECT_NEAR(norm(at[0] - exact) / norm(at[1] - exact), 4, 0.2);
    EXPECT_LT(norm(at[2] + (at[2] - at[1]) / 3 - exact), 1e-6);
  }
}

// A spring that is wound up by whole turns counts them: a flywheel on a hinge, started fast.
TEST(SoftJoints, ATorsionSpringCountsTurns) {
  const double stiffness = 0.002, rate = 40, h = 0.005;
  World world = world_of(
      [&] {
        Scene s = one_body(
            1, {.kind = Kind::hinge, .body = "load", .at = Vec3{0, 0, 0}, .stiffness = {stiffness}}, 0);
        s.bodies[0].value.spin = {0, 0, rate};
        return s;
      }(),
      {.step = h});
  const double inertia = world.model().inertia[0].z, w = std::sqrt(stiffness / inertia);
  const double energy = 0.5 * inertia * rate * rate;
  double largest = 0;
  run(world, steps_to(pi / w, h), [&](const World& now, const StepReport&) {
    largest = std::fmax(largest, now.ledger().now().spring_potential);
    EXPECT_NEAR(now.ledger().now().energy(), energy, 1e-11 * energy);
  });
  EXPECT_NEAR(largest, energy, 1e-4 * energy);           // all of it is in the spring at the turning point:
  EXPECT_GT(std::sqrt(2 * energy / stiffness), 8 * pi);  // [rad] more than four turns
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

/// A chain of rods whose joints give way along all rows.
Scene soft_chain(int n, bool floating, double damping_time) {
  Scene s;
  if (!floating) s.gravity = {0, 0, -g};
  for (int i = 0; i < n; ++i) {
    const std::string name = "rod" + std::to_string(i);
    s.add_body(name, {.shape = Box{{0.1, 0.02, 0.03}},
                      .mass = 0.1,
                      .position = {0.1 * i + 0.05, 0, 0},
                      .velocity = {0, 0.1 * i, -0.05 * i},
                      .spin = {3, -2, 5},
                      .collides = false});
    if (i == 0 && floating) continue;
    const Kind kinds[] = {Kind::hinge, Kind::prismatic, Kind::cylindrical, Kind::planar, Kind::universal};
    s.add_joint("joint" + std::to_string(i),
                ConstraintJoint{.kind = kinds[i % 5],
                                .body = name,
                                .parent = i == 0 ? "" : "rod" + std::to_string(i - 1),
                                .at = Vec3{0.1 * i, 0, 0},
                                .axis = {0, 1, 0},
                                .compliance = 2e-3,
                                .angular_compliance = 0.5,
                                .damping_time = damping_time,
                                .stiffness = {0.3}});
  }
  return s;
}

// In space, with every kind of row soft: energy and the books to round-off, second order.
TEST(SoftJoints, ASoftChainKeepsItsEnergy) {
  Vec3 at[3];
  for (int k = 0; k < 3; ++k) {
    const double h = 0.0005 / (1 << k);
    World world = world_of(soft_chain(6, false, 0), {.step = h});
    const double energy = world.ledger().now().energy(), scale = world.ledger().now().kinetic;
    Worst worst(world);
    run(world, steps_to(0.25, h), [&](const World& w, const StepReport& r) {
      worst.look(w, r);
      EXPECT_NEAR(w.ledger().now().energy(), energy, 1e-11 * scale);
    });
    worst.expect_lawful(1e-8);
    EXPECT_EQ(worst.unconverged, 0);
    at[k] = world.position(world.body("rod5"));
  }
  EXPECT_NEAR(norm(at[0] - at[1]) / norm(at[1] - at[2]), 4, 0.3);
}

TEST(SoftJoints, DampersOnlyTake) {
  World world = world_of(soft_chain(6, false, 0.01), {.step = 0.002});
  double last = world.ledger().now().energy();
  Worst worst(world);
  run(world, 500, [&](const World& w, const StepReport& r) {
    worst.look(w, r);
    const double energy = w.ledger().now().energy();
    EXPECT_LE(energy, last + 1e-13);
    last = energy;
  });
  worst.expect_lawful(1e-8);
}

// Nothing outside: momentum stays, and so does angular momentum (rows along axes of bodies; three points of
// equal compliance without damping).
TEST(SoftJoints, AFloatingSoftChainKeepsMomenta) {
  World world = world_of(soft_chain(6, true, 0), {.step = 0.005});
  const Totals start = world.ledger().now();
  run(world, 400, [](const World&, const StepReport& r) { EXPECT_TRUE(r.converged); });
  const Totals& now = world.ledger().now();
  EXPECT_LT(norm(now.momentum - start.momentum), 1e-12 * norm(start.momentum));
  EXPECT_LT(norm(now.angular_momentum - start.angular_momentum), 1e-11 * norm(start.angular_momentum));
  EXPECT_NEAR(now.energy() / start.energy(), 1, 1e-10);
}

// Springs side by side share a load by their stiffness: a door on three hinges, each with a compliance of its
// own, whose heights above each other make them bear its moment. Rigid ones would repeat each other; these do
// not, and nothing is warned of.
TEST(SoftJoints, HingesShareALoadByTheirStiffness) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("door", {.shape = Box{{1, 0.04, 2}}, .mass = 20, .position = {0.5, 0, 1}, .collides = false});
  const double e[3] = {1e-6, 2e-6, 4e-6}, z[3] = {0.2, 1, 1.8};
  for (int i = 0; i < 3; ++i)
    s.add_joint("hinge" + std::to_string(i), ConstraintJoint{.kind = Kind::hinge,
                                                             .body = "door",
                                                             .at = Vec3{0, 0, z[i]},
                                                             .axis = {0, 0, 1},
                                                             .compliance = e[i],
                                                             .angular_compliance = 1e-2,
                                                             .damping_time = 0.05});
  World world = world_of(s, {.step = 0.002});
  EXPECT_TRUE(world.warnings().empty());
  Worst worst(world);
  run(world, 5000, [&](const World& w, const StepReport& r) { worst.look(w, r); });
  worst.expect_lawful(1e-8);
  const double sum = 1 / e[0] + 1 / e[1] + 1 / e[2], weight = 20 * g;
  double up = 0, moment = 0, across = 0;
  for (int i = 0; i < 3; ++i) {
    const JointReaction r = *world.reaction("hinge" + std::to_string(i));
    EXPECT_NEAR(r.force.z, weight / e[i] / sum, 1e-4 * weight) << i;  // the door tilts by 1e-5 rad
    up += r.force.z, across += r.force.x;
    moment += z[i] * r.force.x + r.torque.y;
  }
  EXPECT_NEAR(up, weight, 1e-8 * weight);
  EXPECT_NEAR(across, 0, 1e-8 * weight);
  EXPECT_NEAR(std::fabs(moment), 0.5 * weight, 1e-4 * weight);
}

// A closed loop of hinges that give way: compliance in the equations that close it.
TEST(SoftJoints, ASoftLoopKeepsItsEnergy) {
  for (const bool all : {false, true}) {
    Scene s = four_bar();
    s.bodies.pop_back();  // the ball
    for (auto& b : s.bodies) b.value.collides = false;
    for (std::size_t j = 0; j < s.joints.size(); ++j)
      if (auto& joint = std::get<ConstraintJoint>(s.joints[j].value); all || j == 3)
        joint.compliance = 1e-5, joint.angular_compliance = 1e-3;
    World world = world_of(s, {.step = 0.002});
    const double energy = world.ledger().now().energy(), scale = world.ledger().now().kinetic;
    Worst worst(world);
    run(world, 500, [&](const World& w, const StepReport& r) {
      worst.look(w, r);
      EXPECT_NEAR(w.ledger().now().energy(), energy, 1e-9 * scale);
    });
    worst.expect_lawful(1e-8);
    EXPECT_EQ(worst.unconverged, 0);
  }
}

// A load on a spring whose other end is driven, up and down by a table: the drive's work is booked, and the
// motion is that of the forced oscillator, x'' = w^2 (s(t) - x), s linear in time: x = s - (s'/w) sin w t.
TEST(SoftJoints, ADrivenSpringTakesItsDrivesWork) {
  const double mass = 2, e = 5e-3, speed = 0.4, until = 1, w = 1 / std::sqrt(mass * e);
  double x[3];
  for (int k = 0; k < 3; ++k) {
    const double h = 0.005 / (1 << k);
    Scene s;
    s.add_body("hand", {.kind = kinematic,
                        .shape = Sphere{0.1},
                        .collides = false,
                        .motion = {{0, 10}, {{0, 0, 0}, {10 * speed, 0, 0}}, {}}});
    s.add_body("load", {.shape = Sphere{0.1}, .mass = mass, .collides = false});
    s.add_joint("spring", ConstraintJoint{.kind = Kind::lock,
                                          .body = "load",
                                          .parent = "hand",
                                          .at = Vec3{0, 0, 0},
                                          .compliance = e,
                                          .angular_compliance = 1});
    World world = world_of(s, {.step = h});
    Worst worst(world);
    run(world, steps_to(until, h),
        [&](const World& world_now, const StepReport& r) { worst.look(world_now, r); });
    worst.expect_lawful(1e-8);
    const Ledger& books = world.ledger();
    EXPECT_NEAR(books.booked(Cause::kinematic), books.now().energy(), 1e-12 * books.scale());
    x[k] = world.position(world.body("load")).x;
  }
  const double exact = speed * until - speed / w * std::sin(w * until);
  EXPECT_NEAR((x[0] - exact) / (x[1] - exact), 4, 0.1);
  EXPECT_NEAR(x[2] + (x[2] - x[1]) / 3, exact, 1e-7);
}

// Bodies in a plane and particles, on soft joints of the kinds that they take.
TEST(SoftJoints, PlanarBodiesAndParticles) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("plate", {.shape = Box{{0.3, 0.2, 0.1}}, .mass = 1, .spin = {0, 3, 0}, .collides = false});
  s.add_joint("plane", PlanarJoint{.body = "plate", .normal = {0, 1, 0}});
  s.add_joint("pin", ConstraintJoint{.kind = Kind::hinge,
                                     .body = "plate",
                                     .at = Vec3{0.2, 0, 0.1},
                                     .axis = {0, 1, 0},
                                     .compliance = 1e-3,
                                     .angular_compliance = 0.1,
                                     .stiffness = {2},
                                     .rest = {0.3}});
  s.add_body(
      "bead",
      {.shape = Sphere{0.02}, .mass = 0.3, .position = {1, 0, 0.2}, .particle = true, .collides = false});
  s.add_joint("thread", ConstraintJoint{.kind = Kind::distance,
                                        .body = "bead",
                                        .at = Vec3{1, 0, 0.2},
                                        .parent_at = Vec3{0.5, 0.1, 0.2},
                                        .compliance = 2e-3});
  World world = world_of(s, {.step = 0.004});
  const double energy = world.ledger().now().energy();
  Worst worst(world);
  run(world, 500, [&](const World& w, const StepReport& r) {
    worst.look(w, r);
    EXPECT_NEAR(w.ledger().now().energy(), energy, 1e-10);
  });
  worst.expect_lawful(1e-8);
  EXPECT_EQ(worst.unconverged, 0);
}

// --- with contacts

// A box on the floor, pulled up by a joint that is stretched: the floor bears what is left of the weight, to
// round-off, from the first step on.
TEST(SoftJoints, AFloorBearsWhatASpringLeaves) {
  const double mass = 3, e = 1e-3, stretch = 0.02;  // pull: 20 N of 29.4 N
  Scene s = on_a_floor();
  s.add_body("box", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = mass, .position = {0, 0, 0.1}});
  s.add_joint("spring", ConstraintJoint{.kind = Kind::ball,
                                        .body = "box",
                                        .at = Vec3{0, 0, 0.1},
                                        .parent_at = Vec3{0, 0, 0.1 + stretch},
                                        .compliance = e,
                                        .damping_time = 0.01});
  World world = world_of(s, {.step = 0.01});
  Worst worst(world);
  run(world, 50, [&](const World& w, const StepReport& r) {
    worst.look(w, r);
    EXPECT_TRUE(r.converged) << r.explain();
    EXPECT_EQ(r.parts, 1);
    double bears = 0;
    for (const Contact& c : w.contacts()) bears += c.force.z;
    EXPECT_NEAR(std::fabs(bears), mass * g - stretch / e, 1e-8);
  });
  worst.expect_lawful(1e-8);
  EXPECT_NEAR(world.position(world.body("box")).z, 0.1, 1e-12);
  EXPECT_NEAR(world.reaction("spring")->force.z, stretch / e, 1e-9);
}

// A box that hangs on a soft joint above the floor and is too heavy for it: it sinks onto the floor, which
// takes the rest; equilibrium is where the floor is.
TEST(SoftJoints, AHangingBoxComesToRestOnTheFloor) {
  const double mass = 3, e = 5e-3, h = 0.005;
  Scene s = on_a_floor();
  s.add_body("box", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = mass, .position = {0, 0, 0.16}});
  s.add_joint("spring", ConstraintJoint{.kind = Kind::lock,
                                        .body = "box",
                                        .at = Vec3{0, 0, 0.16},
                                        .compliance = e,
                                        .angular_compliance = 0.2,
                                        .damping_time = 0.05});
  World world = world_of(s, {.step = h});
  Worst worst(world);
  run(world, 600, [&](const World& w, const StepReport& r) { worst.look(w, r); });
  worst.expect_lawful(1e-8);
  EXPECT_EQ(worst.unconverged, 0);
  EXPECT_NEAR(world.position(world.body("box")).z, 0.1, 1e-9);
  EXPECT_NEAR(world.reaction("spring")->force.z, 0.06 / e, 1e-6);
  double bears = 0;
  for (const Contact& c : world.contacts()) bears += c.force.z;
  EXPECT_NEAR(std::fabs(bears), mass * g - 0.06 / e, 1e-6);
}

/// A rope of capsules with soft joints that falls in a heap.
Scene soft_rope(double compliance, double damping_time) {
  Scene s = rope(6);
  for (auto& j : s.joints) {
    auto& joint = std::get<ConstraintJoint>(j.value);
    joint.compliance = compliance, joint.damping_time = damping_time;
  }
  return s;
}

TEST(SoftJoints, ASoftRopeFallsOnTheFloor) {
  for (const double e : {1e-3, 1e-6, 1e-12}) {
    World world = world_of(soft_rope(e, 0.01), {.step = 0.005});
    Worst worst(world);
    run(world, 250, [&](const World& w, const StepReport& r) { worst.look(w, r); });
    worst.expect_lawful(1e-8);
    EXPECT_EQ(worst.unconverged, 0) << e;
    EXPECT_LT(worst.rise, 1e-6 * worst.scale);
  }
}

// The same scenes as rigid joints have (ragdoll, planar loop, door, four-bar), with joints that give way:
// some of their rows, or all.
TEST(SoftJoints, MechanismsMeetOtherThings) {
  struct Case {
    const char* name;
    Scene scene;
    int steps;
  };
  for (Case& c : std::vector<Case>{{"ragdoll", ragdoll(), 150},
                                   {"planar loop", planar_loop(), 150},
                                   {"door", door(), 150},
                                   {"four-bar", four_bar(), 250}})
    for (const bool all : {false, true}) {
      for (std::size_t j = 0; j < c.scene.joints.size(); ++j)
        if (auto* joint = std::get_if<ConstraintJoint>(&c.scene.joints[j].value);
            joint && (all || j % 2 == 0)) {
          joint->compliance = 1e-5, joint->damping_time = 0.005;
          if (joint->kind == Kind::hinge) joint->stiffness = {5}, joint->damping = {0.1};
        }
      World world = world_of(c.scene, {.step = 0.005});
      Worst worst(world);
      run(world, c.steps, [&](const World& w, const StepReport& r) { worst.look(w, r); });
      SCOPED_TRACE(std::string(c.name) + (all ? ", all" : ", some"));
      worst.expect_lawful(1e-8);
      EXPECT_EQ(worst.unconverged, 0);
      EXPECT_LT(worst.rise, 1e-6 * worst.scale);
    }
}

}  // namespace
}  // namespace stiction::test
