// Trees in worlds: motions whose answer is known from elsewhere.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/dynamics/tree/forward_dynamics.h"
#include "support/laws.h"
#include "support/run.h"
#include "support/tree_scenes.h"

namespace stiction::test {
namespace {

using tree::JointKind;
constexpr double g = 9.81;  // [m/s^2]
const double pi = std::acos(-1.0);

BodyDescription rod(const Vec3& at, double mass, double length) {
  return {.shape = Capsule{0.02, length}, .mass = mass, .position = at, .collides = false};
}

/// A rod that hangs from the world by a hinge about y, at the origin, with its centre at depth l.
Scene pendulum(double angle, double l = 0.5, double mass = 2) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("rod", rod({0, 0, -l}, mass, 1.0));
  s.add_joint(
      "hinge",
      CoordinateJoint{
          .kind = JointKind::revolute, .body = "rod", .at = Vec3{}, .axis = {0, 1, 0}, .position = {angle}});
  return s;
}

double agm(double a, double b) {
  while (std::fabs(a - b) > 1e-15 * a) {
    const double m = 0.5 * (a + b);
    b = std::sqrt(a * b), a = m;
  }
  return a;
}

/// [s] between the first and the last crossing of the lowest point in the same direction, over the number of
/// swings between them; crossings are interpolated.
double measured_period(World& world, int steps) {
  double first = 0, last = 0, before = world.state().joint_position[0];
  int swings = -1;
  run(world, steps, [&](const World& w, const StepReport&) {
    const double now = w.state().joint_position[0];
    if (before < 0 && now >= 0) {
      last = w.time() - w.settings().step * now / (now - before);
      if (++swings == 0) first = last;
    }
    before = now;
  });
  return (last - first) / swings;
}

TEST(Trees, APendulumKeepsThePeriodOfTheEllipticIntegral) {
  const double l = 0.5, mass = 2, angle = 2.0;
  for (const double h : {4e-3, 2e-3}) {
    World world = world_of(pendulum(angle, l, mass), {.step = h});
    const double inertia = world.model().inertia[0].y + mass * l * l;
    const double period = 2 * pi * std::sqrt(inertia / (mass * g * l)) / agm(1, std::cos(angle / 2));
    // Runge-Kutta's error is below 1e-10; crossings are interpolated linearly, h^3 of the curve's bend
    EXPECT_NEAR(measured_period(world, steps_to(20, h)), period, 10 * h * h * h);
  }
}

TEST(Trees, TheBooksOfAPendulumClose) {
  World world = world_of(pendulum(1.0), {.step = 5e-3});
  Worst worst(world);
  run(world, 2000, [&](const World& w, const StepReport& r) { worst.look(w, r); });
  worst.expect_lawful(1e-8);
  EXPECT_LT(worst.rise / worst.scale, 1e-9);
  RecordProperty("rise", std::to_string(worst.rise / worst.scale));
}

TEST(Trees, TheBooksOfRandomTreesClose) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    World world = world_of(random_tree(seed, 12, seed % 2 == 0), {.step = 2e-3});
    Worst worst(world);
    run(world, 500, [&](const World& w, const StepReport& r) { worst.look(w, r); });
    worst.expect_lawful(1e-8);
  }
}

TEST(Trees, AFloatingTreeKeepsItsMomentumAndEnergy) {
  World world = world_of(random_tree(4, 8, true, false), {.step = 2e-3});
  const Totals start = world.ledger().now();
  run(world, 1000);
  const Totals now = world.ledger().now();
  // Runge-Kutta's error: seen 7e-10, 1e-9 and 2e-9; all three fall with the fourth power of the step
  EXPECT_NEAR(now.energy() / start.energy(), 1, 1e-8);
  EXPECT_LT(norm(now.momentum - start.momentum), 1e-8 * norm(start.momentum));
  EXPECT_LT(norm(now.angular_momentum - start.angular_momentum), 1e-8 * norm(start.angular_momentum));
}

/// A floor, and a bar of length 2 a whose halves are one body, or two that a fixed joint holds together.
Scene bar(bool two, const Vec3& velocity, const Vec3& spin, double height) {
  const double a = 0.3, b = 0.1, mass = 1;
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_surface("wood", {.friction = 0.4});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, 0}, .surface = "wood"});
  if (!two) {
    s.add_body("bar", {.shape = Box{{2 * a, b, b}},
                       .mass = 2 * mass,
                       .position = {0, 0, height},
                       .velocity = velocity,
                       .spin = spin,
                       .surface = "wood"});
    return s;
  }
  for (const int side : {-1, 1})
    s.add_body(side < 0 ? "left" : "right", {.shape = Box{{a, b, b}},
                                             .mass = mass,
                                             .position = {0.5 * side * a, 0, height},
                                             .velocity = velocity + cross(spin, {0.5 * side * a, 0, 0}),
                                             .spin = spin,
                                             .surface = "wood"});
  s.add_joint("glue", CoordinateJoint{.kind = JointKind::fixed, .body = "right", .parent = "left"});
  return s;
}

TEST(Trees, TwoGluedBodiesSlideAsFarAsCoulombSays) {
  const double v = 2, mu = 0.4, h = 1e-3;
  World world = world_of(bar(true, {v, 0, 0}, {}, 0.05), {.step = h});
  const double start = world.state().position[1].x;
  run(world, 1000, [&](const World&, const StepReport& r) { EXPECT_TRUE(r.converged) << r.explain(); });
  // at the end of each step: v h / 2 less than the exact way
  EXPECT_NEAR(world.state().position[1].x - start, v * v / (2 * mu * g) - 0.5 * v * h, 1e-5);
  EXPECT_LT(norm(world.state().velocity[1]), 1e-9);
}

TEST(Trees, TwoGluedBodiesMoveAsOne) {
  // flies, turning, lands on an edge and slides to rest. The tree flies as it should, the body with the
  // forces of the end of each step: g h t / 2 lower; the step in which an edge lands is not the same, which
  // tells by a part of h times the speed.
  const Vec3 velocity{1, 0.4, 0}, spin{0.2, 0.3, 1};
  World one = world_of(bar(false, velocity, spin, 0.3), {.step = 1e-3}),
        two = world_of(bar(true, velocity, spin, 0.3), {.step = 1e-3});
  Worst laws(two);
  double apart = 0, in_flight = 0;
  for (int i = 0; i < 1500; ++i) {
    one.step();
    const StepReport r = two.step();
    EXPECT_TRUE(r.converged) << two.time() << " " << r.explain();
    laws.look(two, r);
    const Vec3 middle = 0.5 * (two.state().position[1] + two.state().position[2]);
    apart = std::fmax(apart, norm(middle - one.state().position[1]));
    const Vec3 lower{0, 0, 0.5 * g * 1e-3 * two.time()};
    if (i < 150) in_flight = std::fmax(in_flight, norm(middle - one.state().position[1] - lower));
  }
  laws.expect_lawful(1e-8);
  EXPECT_LT(in_flight, 1e-10);
  EXPECT_LT(apart, 3e-3);  // 2 h |velocity|: seen 1.2e-3
  EXPECT_LT(norm(two.state().velocity[1]), 1e-8);
}

TEST(Trees, AHingedArmRestsOnTheFloor) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_surface("rubber", {.friction = 0.8});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, 0}, .surface = "rubber"});
  s.add_body("arm", {.shape = Box{{1, 0.1, 0.1}}, .mass = 2, .position = {0.5, 0, 0.5}});
  s.add_body("foot",
             {.shape = Box{{0.2, 0.1, 0.1}}, .mass = 1, .position = {1, 0, 0.5}, .surface = "rubber"});
  s.add_joint(
      "shoulder",
      CoordinateJoint{.kind = JointKind::revolute, .body = "arm", .at = Vec3{0, 0, 0.5}, .axis = {0, 1, 0}});
  s.add_joint("ankle", CoordinateJoint{.kind = JointKind::revolute,
                                       .body = "foot",
                                       .parent = "arm",
                                       .at = Vec3{1, 0, 0.5},
                                       .axis = {0, 1, 0},
                                       .damping = {0.1}});
  World world = world_of(s, {.step = 2e-3});
  Worst laws(world);
  run(world, 2000, [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged) << w.time() << " " << r.explain();
    laws.look(w, r);
  });
  laws.expect_lawful(1e-8);
  // flat on the floor: the ankle is at 0.05 m, 0.45 m below the shoulder
  EXPECT_NEAR(world.joint_position(world.joint("shoulder"))[0], std::asin(0.45), 1e-8);
  EXPECT_NEAR(world.joint_position(world.joint("ankle"))[0], -std::asin(0.45), 1e-8);
  EXPECT_LT(std::fabs(world.joint_velocity(world.joint("shoulder"))[0]), 1e-8);
  // moments about the shoulder: the foot bears itself and, without friction, half of the arm; friction acts
  // 0.5 m below it, and shares the load in a way that redundant contacts leave open
  double moment = 0;
  for (const Contact& c : world.contacts()) moment += cross(c.point - Vec3{0, 0, 0.5}, c.force).y;
  EXPECT_NEAR(moment, -g * (2 * 0.5 + 1) * std::sqrt(1 - 0.45 * 0.45), 1e-6);
}

// A foot that sticks stays where it is, whatever the rest of the machine does: an arm turns round and round
// on it.
TEST(Trees, AFootThatSticksDoesNotCreep) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_surface("rubber", {.friction = 0.9});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, 0}, .surface = "rubber"});
  s.add_body("foot",
             {.shape = Box{{0.5, 0.5, 0.1}}, .mass = 5, .position = {0, 0, 0.05}, .surface = "rubber"});
  s.add_body("arm", {.shape = Box{{0.4, 0.05, 0.05}}, .mass = 0.5, .position = {0.2, 0, 0.5}});
  s.add_joint("shoulder", CoordinateJoint{.kind = JointKind::revolute,
                                          .body = "arm",
                                          .parent = "foot",
                                          .at = Vec3{0, 0, 0.5},
                                          .axis = {0.3, 1, 0.2},
                                          .velocity = {8}});
  World world = world_of(s, {.step = 5e-3});
  Worst laws(world);
  run(world, 1000, [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged) << w.time() << " " << r.explain();
    laws.look(w, r);
  });
  laws.expect_lawful(1e-8);
  // the certificate lets it slip by 1e-8 of its size in a step at most: 2.5e-6 m in all
  EXPECT_LT(norm(world.state().position[1] - Vec3{0, 0, 0.05}), 2.5e-6);
}

TEST(Trees, ATreeOnAPlanarJointMovesAsAPlanarBody) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_surface("wood", {.friction = 0.3});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, 0}, .surface = "wood"});
  s.add_body("frame", {.kind = fixed});
  s.add_body("rod", {.shape = Box{{0.6, 0.1, 0.1}},
                     .mass = 1,
                     .position = {0, 0, 0.8},
                     .velocity = {1, 0, 0.5},
                     .spin = {0, 2, 0},
                     .surface = "wood"});
  Scene as_tree = s;
  s.add_joint("plane", PlanarJoint{.body = "rod"});
  as_tree.bodies[2].value.velocity = as_tree.bodies[2].value.spin = {};
  as_tree.add_joint("plane", CoordinateJoint{.kind = JointKind::planar,
                                             .body = "rod",
                                             .parent = "frame",
                                             .axis = {0, 1, 0},
                                             .second_axis = {1, 0, 0},
                                             .velocity = {1, -0.5, 2}});  // x, and y x x = -z
  const double h = 5e-4;
  World body = world_of(s, {.step = h}), tree = world_of(as_tree, {.step = h});
  Worst laws(tree);
  for (int i = 0; i < 3000; ++i) {
    const StepReport b = body.step(), t = tree.step();
    EXPECT_TRUE(b.converged && t.converged) << tree.time() << " " << b.explain() << " " << t.explain();
    laws.look(tree, t);
    const double apart = norm(body.state().position[2] - tree.state().position[2]);
    // in flight: the tree as it should, the body g h t / 2 lower
    const Vec3 lower{0, 0, 0.5 * g * h * tree.time()};
    if (i < 600) {
      EXPECT_LT(norm(tree.state().position[2] - body.state().position[2] - lower), 1e-12);
    }
    EXPECT_LT(apart, 2e-3);  // an edge lands one step earlier or later: h times 3 m/s, and a second time
  }
  laws.expect_lawful(1e-8);
}

/// Energy of a run of double pendulum, sampled; the reference solution by Runge-Kutta 4 with steps of 1e-5 s.
TEST(Trees, ADoublePendulumFollowsItsEquations) {
  const SceneFile file = read(STICTION_SOURCE_DIR "/scenes/double_pendulum.json");
  const double end = 0.5;
  const auto at_end = [&](double h) {
    RunSettings settings = file.run;
    settings.step = h;
    World world = world_of(file.scene, settings);
    run(world, steps_to(end, h));
    return world.state().joint_position;
  };
  // reference: M(q) v' = tau, gravity included, through the tree library alone
  const Model m = value_of(compile(file.scene));
  tree::Parameters p = m.trees.parameters;
  p.gravity = m.gravity;
  tree::ForwardDynamics work;
  std::vector<double> q = m.trees.start_position, v = m.trees.start_velocity, k[4], a[4], x(2), u(2);
  const double dt = 1e-4;
  for (int i = 0; i < steps_to(end, dt); ++i) {
    for (int stage = 0; stage < 4; ++stage) {
      const double part = stage == 0 ? 0 : stage == 3 ? dt : 0.5 * dt;
      for (std::size_t d = 0; d < 2; ++d) {
        x[d] = q[d] + (stage > 0 ? part * k[stage - 1][d] : 0.0);
        u[d] = v[d] + (stage > 0 ? part * a[stage - 1][d] : 0.0);
      }
      k[stage] = u, a[stage].resize(2);
      tree::forward_dynamics(m.trees.forest, p, x, u, {}, {}, work, a[stage]);
    }
    for (std::size_t d = 0; d < 2; ++d) {
      q[d] += dt / 6 * (k[0][d] + 2 * k[1][d] + 2 * k[2][d] + k[3][d]);
      v[d] += dt / 6 * (a[0][d] + 2 * a[1][d] + 2 * a[2][d] + a[3][d]);
    }
  }
  const auto error = [&](double h) {
    const std::vector<double> found = at_end(h);
    return std::hypot(found[0] - q[0], found[1] - q[1]);
  };
  const double coarse = error(1e-3), fine = error(5e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.1);
  EXPECT_LT(fine, 1e-9);  // seen 4e-11
}

TEST(Trees, TheEnergyOfADoublePendulumHasNoTrend) {
  const SceneFile file = read(STICTION_SOURCE_DIR "/scenes/double_pendulum.json");
  RunSettings settings = file.run;
  settings.step = 2e-3, settings.method = Method::variational;
  World world = world_of(file.scene, settings);
  const int third = at_size(10000, 100000);
  double mean[3] = {}, most = 0, scale = 0;
  for (double& m : mean)
    run(world, third, [&](const World& w, const StepReport&) {
      const double e = w.ledger().now().energy();
      m += e / third, most = std::fmax(most, std::fabs(e)),
                      scale = std::fmax(scale, w.ledger().now().kinetic);
    });
  // it oscillates by a part (h w)^2 / 4 of what gravity and motion exchange, w up to 15 rad/s
  EXPECT_LT(most, 0.25 * std::pow(settings.step * 15, 2) * 4 * scale);
  EXPECT_LT(std::fabs(mean[2] - mean[0]), 0.1 * most);
}

TEST(Trees, AGyroscopeGoesRoundAsItShould) {
  const SceneFile file = read(STICTION_SOURCE_DIR "/scenes/gyroscope.json");
  World world = world_of(file.scene, file.run);
  // axle level: m g l = I w rate, exactly
  const double inertia = 0.5 * 0.15 * 0.15 / 6, rate = 0.5 * g * 0.1 / (inertia * 200);
  double turned = 0, before = 0, lowest = 0;
  run(world, 4000, [&](const World& w, const StepReport&) {
    const Vec3 x = w.state().position[0];
    const double now = std::atan2(x.y, x.x);
    turned += std::remainder(now - before, 2 * pi), before = now;
    lowest = std::fmax(lowest, std::fabs(x.z));
  });
  EXPECT_NEAR(turned / (rate * world.time()), 1, 1e-4);
  // each step's impulse makes it nod by rate h / 2 in the angle
  EXPECT_LT(lowest, 0.1 * rate * 1e-3);
}

TEST(Trees, AGripperLiftsByFriction) {
  const SceneFile file = read(STICTION_SOURCE_DIR "/scenes/gripper.json");
  World world = world_of(file.scene, file.run);
  const BodyId block = world.body("block"), hand = world.body("hand");
  double between = 0;
  run(world, steps_to(3, file.run.step), [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged) << w.time() << " " << r.explain();
    if (w.time() < 0.45) {
      EXPECT_NEAR(w.position(block).z, 0.05, 1e-6);  // not lifted yet
    }
    if (std::fabs(w.time() - 1.2) < 1e-9) between = w.position(hand).z - w.position(block).z;
    if (w.time() > 1.2 && w.time() < 2.4) {
      EXPECT_GT(w.position(block).z, 0.1);                                   // in the air
      EXPECT_NEAR(w.position(hand).z - w.position(block).z, between, 1e-6);  // and does not slip
    }
  });
  EXPECT_NEAR(world.position(block).z, 0.05, 1e-6);  // let go: on the floor again
}

// An arm of three links folds up: its ends, which no joint holds together, touch each other.
TEST(Trees, LinksOfOneTreeTouchEachOther) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_surface("wood", {.friction = 0.4});
  for (int i = 0; i < 3; ++i)
    s.add_body(
        "link." + std::to_string(i),
        {.shape = Box{{0.3, 0.1, 0.06}}, .mass = 1, .position = {0.3 * i + 0.15, 0, 0}, .surface = "wood"});
  for (int i = 0; i < 3; ++i)
    s.add_joint("hinge." + std::to_string(i),
                CoordinateJoint{.kind = JointKind::revolute,
                                .body = "link." + std::to_string(i),
                                .parent = i > 0 ? "link." + std::to_string(i - 1) : "",
                                .at = Vec3{0.3 * i, 0, 0},
                                .axis = {0, 1, 0},
                                .damping = {0.05},
                                .force = i == 2 ? std::vector<std::vector<double>>{{-3}}
                                                : std::vector<std::vector<double>>{}});
  std::get<CoordinateJoint>(s.joints[1].value).force = {{-6}};
  World world = world_of(s, {.step = 1e-3});
  Worst laws(world);
  int touching = 0;
  run(world, 3000, [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged) << w.time() << " " << r.explain();
    laws.look(w, r);
    for (const Contact& c : w.contacts()) touching += c.state != ContactState::open;
    EXPECT_LT(r.certificate.gap_relative, 1e-8);
  });
  laws.expect_lawful(1e-8);
  EXPECT_GT(touching, 1000);
}

}  // namespace
}  // namespace stiction::test
