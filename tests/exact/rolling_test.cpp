// Joints that bind velocities, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;       // [m/s^2]
constexpr double books = 1e-12;  // [-] imbalance of the ledger: some hundred steps of round-off

void run_converged(World& world, double end, double h) {
  run(world, steps_to(end, h),
      [](const World&, const StepReport& r) { ASSERT_TRUE(r.converged) << r.explain(); });
}

/// Errors over halvings of the step fall by at least a factor of 1.9, first order or better, and end below
/// `most`: 1.5 times what they are.
template <class Error>
void expect_order(double most, const Error& error) {
  double last = 0;
  for (const double h : {0.01, 0.005, 0.0025}) {
    const double now = error(h);
    if (last != 0) {
      EXPECT_GT(last / now, 1.9) << "h = " << h << ", error " << now;
    }
    last = now;
  }
  EXPECT_LT(last, most);
}

/// A homogeneous ball on a table that turns with `rate` about z through the origin.
Scene turntable(double rate, double end) {
  Scene s;
  s.gravity = {0, 0, -g};
  BodyDescription table{.kind = kinematic, .shape = Box{{4, 4, 0.1}}, .position = {0, 0, -0.05}};
  for (int i = 0; i <= int(400 * end) + 4; ++i) {
    const double t = i / 400.0;
    table.motion.time.push_back(t), table.motion.position.push_back({0, 0, -0.05});
    table.motion.orientation.push_back({std::cos(rate * t / 2), 0, 0, std::sin(rate * t / 2)});
  }
  s.add_body("table", table);
  const double r = 0.1;
  const Vec3 start{0.5, 0, r}, velocity{0.3, 0.2, 0};
  // rolls: v + w x (-r z) = Omega x p, with w_z = 0
  const Vec3 slide = velocity - cross(Vec3{0, 0, rate}, Vec3{0.5, 0, 0});
  s.add_body("ball", {.shape = Sphere{r},
                      .mass = 2,
                      .position = start,
                      .velocity = velocity,
                      .spin = {-slide.y / r, slide.x / r, 0}});
  s.add_joint("rolls", RollingJoint{.body = "ball", .parent = "table", .radius = r});
  return s;
}

// Seen from the world, the velocity of a ball that rolls on a turntable turns with 2/7 of the table's rate,
// wherever it is: its centre goes round in a circle.
TEST(Rolling, ABallOnATurntableGoesRoundInACircle) {
  const double rate = 3, end = 2, turn = 2.0 / 7 * rate;
  const Vec3 v0{0.3, 0.2, 0}, p0{0.5, 0, 0.1};
  const double c = std::cos(turn * end), s = std::sin(turn * end);
  const Vec3 exact = p0 + (1 / turn) * Vec3{s * v0.x - (1 - c) * v0.y, (1 - c) * v0.x + s * v0.y, 0};
  expect_order(8e-6, [&](double h) {
    World world = world_of(turntable(rate, end), {.step = h});
    run_converged(world, end, h);
    EXPECT_LT(world.ledger().relative_imbalance(), books);
    EXPECT_NEAR(world.position(world.body("ball")).z, 0.1, 1e-8);
    const std::vector<JointLaw> laws = world.joint_laws("rolls");
    EXPECT_EQ(laws.size(), 3u);
    EXPECT_NEAR(laws[2].force, 2 * g, 1e-6);  // across the plane: its weight
    return norm(world.position(world.body("ball")) - exact);
  });
}

// Down an incline of angle a: 5/7 g sin a for a ball, 2/3 g sin a for a disc on its rim.
TEST(Rolling, DownAnIncline) {
  const double slope = 0.4, h = 0.01, r = 0.1, m = 2;
  const Vec3 n{std::sin(slope), 0, std::cos(slope)}, down{std::cos(slope), 0, -std::sin(slope)};
  for (const bool disc : {false, true}) {
    Scene s;
    s.gravity = {0, 0, -g};
    const double I = (disc ? 0.5 : 0.4) * m * r * r;
    s.add_body("wheel",
               {.mass = m, .position = r * n, .inertia = disc ? Vec3{I / 2, I, I / 2} : Vec3{I, I, I}});
    s.add_joint("rolls", RollingJoint{.kind = disc ? RollingJoint::Kind::disc : RollingJoint::Kind::ball,
                                      .body = "wheel",
                                      .radius = r,
                                      .normal = n});
    World world = world_of(s, {.step = h});
    const double a = g * std::sin(slope) / (1 + I / (m * r * r));
    for (int i = 1; i <= 100; ++i) {
      const StepReport report = world.step();
      ASSERT_TRUE(report.converged) << report.explain();
      ASSERT_NEAR(dot(world.velocity(world.body("wheel")), down), a * h * i, 1e-9) << disc << " " << i;
    }
    EXPECT_NEAR(dot(world.position(world.body("wheel")), n), r, 1e-8);
    EXPECT_LT(world.ledger().relative_imbalance(), books);
  }
}

// A coin that leans and rolls: whatever it does, its rim stays on the plane and rolling takes no energy; what
// the step itself adds or takes falls with h.
TEST(Rolling, ACoinThatWobblesKeepsItsEnergy) {
  const double r = 0.2, m = 1, end = 1;
  expect_order(4e-3, [&](double h) {
    Scene s;
    s.gravity = {0, 0, -g};
    const double lean = 0.3;
    const Quat turned{std::cos(lean / 2), std::sin(lean / 2), 0, 0};
    const Vec3 axis = rotate(turned, {0, 1, 0}), up = rotate(turned, {0, 0, 1});
    const Vec3 spin = 12 * axis, centre = r * up;
    s.add_body("coin", {.mass = m,
                        .position = centre,
                        .orientation = turned,
                        .velocity = cross(spin, centre),
                        .spin = spin,
                        .inertia = Vec3{m * r * r / 4, m * r * r / 2, m * r * r / 4}});
    s.add_joint("rolls",
                RollingJoint{.kind = RollingJoint::Kind::disc, .body = "coin", .radius = r, .axis = axis});
    World world = world_of(s, {.step = h});
    const double energy = world.ledger().now().kinetic;
    run_converged(world, end, h);
    const Ledger& l = world.ledger();
    EXPECT_LT(l.relative_imbalance(), books);
    EXPECT_NEAR(l.booked(Cause::joint), 0, 1e-7 * energy);  // by the tolerance, 1e-8
    const Vec3 p = world.position(world.body("coin"));
    const Vec3 u = rotate(world.orientation(world.body("coin")), {0, 1, 0});
    EXPECT_NEAR(p.z, r * std::sqrt(1 - u.z * u.z), 1e-8 * r);  // on its rim
    return std::fabs(l.booked(Cause::numerics)) / energy;
  });
}

// A blade on an incline, pushed off with a spin W: the point runs through a cycloid,
//     x = a/(2 W^2) sin^2 W t,   y = a/(2 W^2) (W t - sin 2 W t/2),   a = g sin slope, x downhill:
// it does not slide down but drifts across.
TEST(Rolling, AKnifeEdgeOnAnInclineDrawsACycloid) {
  const double slope = 0.5, W = 2, end = 2, a = g * std::sin(slope);
  const Vec3 n{std::sin(slope), 0, std::cos(slope)}, down{std::cos(slope), 0, -std::sin(slope)},
      across = cross(n, down);
  const double x = a / (2 * W * W) * std::sin(W * end) * std::sin(W * end),
               y = a / (2 * W * W) * (W * end - 0.5 * std::sin(2 * W * end));
  expect_order(0.024, [&](double h) {
    Scene s;
    s.gravity = {0, 0, -g};
    s.add_body("skate", {.mass = 1.5, .spin = W * n, .inertia = Vec3{0.1, 0.1, 0.1}});
    s.add_joint("plane", PlanarJoint{.body = "skate", .normal = n});
    s.add_joint("blade", KnifeEdgeJoint{.body = "skate", .across = across});
    World world = world_of(s, {.step = h});
    run_converged(world, end, h);
    EXPECT_LT(world.ledger().relative_imbalance(), books);
    const Vec3 p = world.position(world.body("skate"));
    EXPECT_NEAR(dot(p, n), 0, 1e-12);
    return std::hypot(dot(p, down) - x, dot(p, across) - y);
  });
}

// One equation between velocities: with linear = (1, 2, 0)/sqrt 5 and a drift, a body that is pushed along x
// has that component of its velocity prescribed, and the other as without it.
TEST(Rolling, APfaffianRowWithADrift) {
  const double h = 0.01, drift = -0.3, push = 2, m = 0.5;
  const Vec3 e{1 / std::sqrt(5.0), 2 / std::sqrt(5.0), 0}, f{-e.y, e.x, 0};
  Scene s;
  s.add_body("sled", {.shape = Sphere{0.1}, .mass = m});
  s.add_joint("row", PfaffianJoint{.body = "sled", .linear = e, .drift = drift});
  s.add_force("push", Wrench{.body = "sled", .force = {{push, 0, 0}}, .torque = {{}}});
  World world = world_of(s, {.step = h});
  for (int i = 1; i <= 50; ++i) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    const Vec3 v = world.velocity(world.body("sled"));
    ASSERT_NEAR(dot(v, e), -drift, 1e-12) << i;
    ASSERT_NEAR(dot(v, f), push * f.x / m * h * i, 1e-11) << i;
  }
  EXPECT_NEAR(world.joint_laws("row")[0].force, -push * e.x, 1e-9);
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

// A row in the axes of a link: a rolling wheel on the arm of a tree. A cart on a slider carries a wheel on a
// hinge; it rolls on the floor: m_eff = M + m + I/r^2 is driven by a force F on the cart.
TEST(Rolling, AWheelOfATreeRolls) {
  const double h = 0.01, r = 0.1, M = 3, m = 1, I = 0.02, F = 5;
  Scene s;
  s.add_body("cart", {.mass = M, .position = {0, 0, 0.3}, .inertia = Vec3{0.1, 0.1, 0.1}});
  s.add_body("wheel", {.mass = m, .position = {0, 0, r}, .inertia = Vec3{I, I, I}});
  s.add_joint("slider",
              CoordinateJoint{.kind = tree::JointKind::prismatic, .body = "cart", .axis = {1, 0, 0}});
  s.add_joint("axle",
              CoordinateJoint{
                  .kind = tree::JointKind::revolute, .body = "wheel", .parent = "cart", .axis = {0, 1, 0}});
  s.add_joint("rolls", PfaffianJoint{.body = "wheel", .linear = {1, 0, 0}, .angular = {0, -r, 0}});
  s.add_force("push", Wrench{.body = "cart", .force = {{F, 0, 0}}, .torque = {{}}});
  World world = world_of(s, {.step = h});
  const double a = F / (M + m + I / (r * r));
  for (int i = 1; i <= 100; ++i) {
    const StepReport report = world.step();
    ASSERT_TRUE(report.converged) << report.explain();
    ASSERT_NEAR(world.velocity(world.body("cart")).x, a * h * i, 1e-10) << i;
    ASSERT_NEAR(world.spin(world.body("wheel")).y, a * h * i / r, 1e-9) << i;
  }
  EXPECT_LT(world.ledger().relative_imbalance(), books);
}

}  // namespace
}  // namespace stiction::test
