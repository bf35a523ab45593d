// The method event_driven against closed forms. Where nothing else is said a tolerance is some hundred times
// the round-off of the numbers compared.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;

RunSettings settings_of(double step = 0.01) { return {.step = step, .method = Method::event_driven}; }

Scene ball_over_floor(double e, double height, const Vec3& velocity = {}) {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("hard", {.friction = 0, .restitution = e});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "hard"});
  s.add_body("ball", {.shape = Sphere{0.1},
                      .mass = 2,
                      .position = {0, 0, 0.1 + height},
                      .velocity = velocity,
                      .surface = "hard"});
  return s;
}

// Dropped from H, the ball rises to e^2n H after the n-th impact, at t_n = sqrt(2H/g) (1 + 2 (e + ... +
// e^(n-1))), and rests after sqrt(2H/g) (1 + e)/(1 - e). Hops below the tolerated gap (1e-8 of the radius)
// are not made: rest comes that much sooner.
TEST(EventDriven, BallBouncesToRest) {
  const double e = 0.8, H = 1, fall = std::sqrt(2 * H / g);
  World world = world_of(ball_over_floor(e, H), settings_of());
  const BodyId ball = world.body("ball");
  int impacts = 0, lasting = 0;
  double given_up = 0, rest = -1, next = fall, hop = 2 * fall;
  run(world, steps_to(60, 0.01), [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    if (r.impacts == 1 && r.lasting == 0) {
      ++impacts, hop *= e;
      EXPECT_NEAR(r.impact_time, next, 1e-10) << impacts;
      next += hop;
      const double height = w.position(ball).z - 0.1 + std::pow(w.velocity(ball).z, 2) / (2 * g);
      EXPECT_NEAR(height, std::pow(e, 2 * impacts) * H, 1e-10) << impacts;
    } else {
      for (int i = 0; i < r.impacts; ++i) ++impacts, hop *= e, next += hop;
    }
    lasting += r.lasting, given_up += r.given_up;
    if (lasting > 0 && rest < 0) rest = r.impact_time;
    if (lasting > 0) {
      EXPECT_NEAR(norm(w.velocity(ball)), 0, 1e-12);
    }
  });
  EXPECT_EQ(lasting, 1);
  const double end = fall * (1 + e) / (1 - e);
  EXPECT_LT(rest, end);
  EXPECT_GT(rest, end - std::sqrt(8 * 1e-8 * 0.1 / g) / (1 - e) / e - 1e-5 / (1 - e));
  EXPECT_NEAR(world.position(ball).z, 0.1, 1e-9);
  EXPECT_GT(given_up, 0);
  EXPECT_LT(given_up, 1e-6);
  const Ledger& ledger = world.ledger();
  EXPECT_LT(ledger.relative_imbalance(), 1e-12);
  EXPECT_NEAR(ledger.booked(Cause::impact), -2 * g * H, 1e-8);
  EXPECT_NEAR(ledger.booked(Cause::numerics), 0, 1e-9);
}

// A coarse tolerance takes no rebound: dropped from 20 m with e = 0.09 a ball rises e^2 20 m = 0.162 m,
// though e^2 is below the tolerance.
TEST(EventDriven, FirstReboundIsMadeWhateverTheTolerance) {
  const double e = 0.09, H = 20;
  RunSettings settings = settings_of();
  settings.tolerance = 1e-2;
  World world = world_of(ball_over_floor(e, H), settings);
  const BodyId ball = world.body("ball");
  int impacts = 0;
  double top = 0;
  run(world, steps_to(2.5, 0.01), [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    if (impacts > 0) top = std::fmax(top, w.position(ball).z - 0.1);
    impacts += r.impacts;
  });
  EXPECT_NEAR(top, e * e * H, g * 0.01 * 0.01);  // seen once a step
}

// Three equal balls without gravity collapse for e < 7 - 4 sqrt(3) = 0.0718: infinitely many blows in a
// finite time, no hop of which is small by itself, as nothing presses. They end in the step that they begin
// in; all balls go on with their mean velocity. With e = 0.9 they are few, and part.
TEST(EventDriven, CollapseWithoutGravityEnds) {
  for (const double e : {0.07, 0.9}) {
    Scene s{};
    s.add_surface("hard", {.friction = 0, .restitution = e});
    const double place[] = {-0.31, 0, 0.3}, speed[] = {1, 0.2, -1};
    for (int i = 0; i < 3; ++i)
      s.add_body("ball" + std::to_string(i), {.shape = Sphere{0.1},
                                              .mass = 1,
                                              .position = {place[i], 0, 0},
                                              .velocity = {speed[i], 0, 0},
                                              .surface = "hard"});
    World world = world_of(s, settings_of(1));
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    const double spread = world.velocity(world.body("ball2")).x - world.velocity(world.body("ball0")).x;
    EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
    if (e > 0.5) {
      EXPECT_EQ(r.lasting, 0);
      EXPECT_EQ(r.given_up, 0);
      EXPECT_GT(spread, 0.5);
      continue;
    }
    EXPECT_GT(r.impacts, 4);
    EXPECT_LT(r.impacts, 100);
    EXPECT_GE(r.lasting, 1);
    EXPECT_GT(r.given_up, 0);
    EXPECT_LT(r.given_up, 1e-8);  // the tolerance, of a first blow of about 1 J
    EXPECT_NEAR(spread, 0, 1e-12);
    EXPECT_NEAR(world.velocity(world.body("ball1")).x, 0.2 / 3, 1e-12);
  }
}

// e = 1: every hop is as high as the first one.
TEST(EventDriven, ElasticBallKeepsItsEnergy) {
  const int bounces = at_size(1000, 100000);
  World world = world_of(ball_over_floor(1, 1), settings_of(0.1));
  const double energy = 2 * g * 1;
  int impacts = 0;
  double worst = 0;
  while (impacts < bounces) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    impacts += r.impacts;
    EXPECT_EQ(r.lasting, 0);
    worst = std::fmax(worst, std::fabs(world.ledger().now().energy() - world.ledger().start().energy()));
  }
  EXPECT_LT(worst, 1e-9 * energy);
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
}

/// n^3 balls on a grid in a box of six half-spaces, with velocities that no symmetry keeps.
Scene gas(int n, double gravity) {
  Scene s{.gravity = {0, 0, -gravity}};
  s.add_surface("hard", {.friction = 0, .restitution = 1});
  const double a = 0.15 * n;  // [m] half the box
  const Vec3 normals[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int i = 0; i < 6; ++i)
    s.add_body("wall" + std::to_string(i),
               {.kind = fixed, .shape = HalfSpace{normals[i], -a}, .surface = "hard"});
  std::uint64_t random = 1;
  const auto next = [&] {  // in -1 to 1
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    return double(random >> 11) / double(1ull << 52) - 1;
  };
  for (int i = 0; i < n * n * n; ++i) {
    const Vec3 place{0.3 * (i % n) - a + 0.15, 0.3 * (i / n % n) - a + 0.15, 0.3 * (i / n / n) - a + 0.15};
    const double u = next(), v = next(), w = next();
    s.add_body(
        "ball" + std::to_string(i),
        {.shape = Sphere{0.1}, .density = 1000, .position = place, .velocity = {u, v, w}, .surface = "hard"});
  }
  return s;
}

TEST(EventDriven, ElasticSpheresInABoxKeepTheirEnergy) {
  const int n = at_size(3, 6);
  for (const double gravity : {0.0, g}) {
    World world = world_of(gas(n, gravity), settings_of());
    const double energy = world.ledger().start().kinetic;
    double worst = 0, gap = 0;
    int impacts = 0;
    run(world, steps_to(10, 0.01), [&](const World& w, const StepReport& r) {
      EXPECT_TRUE(r.converged) << r.explain();
      worst = std::fmax(worst, std::fabs(w.ledger().now().energy() - w.ledger().start().energy()));
      gap = std::fmax(gap, r.certificate.gap), impacts += r.impacts;
    });
    std::printf("%d spheres, gravity %g: %d impacts, energy to %.1e, overlap up to %.1e m\n", n * n * n,
                gravity, impacts, worst / energy, gap);
    EXPECT_LT(worst, 1e-9 * energy) << gravity;
    EXPECT_LT(gap, 1e-9);
    EXPECT_GT(impacts, 10 * n * n * n);
    EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
  }
}

// Two slender bars of 1 m and 1 kg on a pin over a floor at y = -1.5 m, mu = 0.3, e = 0.7, from q = (0.2,
// -0.9) at rest: Morgan (2011), chapter 3. References: an independent program with two integrators that agree
// to 2e-11 s. The tip is the end of a capsule of radius 1e-9 m, in which the friction's lever is wrong by
// 1e-9.
TEST(EventDriven, DoublePendulumOnTheFloor) {
  const double radius = 1e-9;
  Scene s{.gravity = {0, -g, 0}};
  s.add_surface("rough", {.friction = 0.3, .restitution = 0.7});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 1, 0}, -1.5 - radius}, .surface = "rough"});
  const Quat along_x = turn_about({0, 1, 0}, std::acos(0.0));
  const auto bar = [&](const std::string& name, const std::string& parent, double at, double angle) {
    s.add_body(name, {.shape = Capsule{radius, 1},
                      .mass = 1,
                      .position = {at + 0.5, 0, 0},
                      .orientation = along_x,
                      .surface = "rough",
                      .inertia = Vec3{1.0 / 12, 1.0 / 12, 1e-3}});
    s.add_joint(name + "_pin", CoordinateJoint{.kind = tree::JointKind::revolute,
                                               .body = name,
                                               .parent = parent,
                                               .at = Vec3{at, 0, 0},
                                               .axis = {0, 0, 1},
                                               .position = {angle}});
  };
  bar("upper", "", 0, 0.2), bar("lower", "upper", 1, -0.9);
  struct Reference {
    double time, u1, u2;
  };
  const std::vector<Reference> references{
      {0.547381756076, -4.8760901702, 9.23685712541},    {0.88826378204, -2.08836316066, -0.730353300679},
      {1.78629166757, 1.87410020178, -4.6252149268},     {2.25316386386, 0.312441377373, -2.77200919425},
      {2.55747442591, -0.542199552267, -1.53422589491},  {2.77518359575, -0.840355945812, -0.569414416841},
      {2.93359485414, -0.84159121741, -0.00980956520154}};
  World world = world_of(s, settings_of(0.001));
  std::vector<double> times;
  run(world, 3000, [&](const World&, const StepReport& r) {
    EXPECT_TRUE(r.converged) << r.explain();
    EXPECT_LE(r.impacts, 1);
    if (r.impacts > 0) times.push_back(r.impact_time);
  });
  ASSERT_EQ(times.size(), references.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], references[i].time, 1e-7) << i + 1;
  EXPECT_NEAR(world.joint_position(world.joint("upper_pin"))[0], -1.65293562, 1e-6);
  EXPECT_NEAR(world.joint_position(world.joint("lower_pin"))[0], -.98587512, 1e-6);
  EXPECT_NEAR(world.joint_velocity(world.joint("upper_pin"))[0], -1.02147597, 1e-6);
  EXPECT_NEAR(world.joint_velocity(world.joint("lower_pin"))[0], 1.24074995, 1e-6);
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
  EXPECT_NEAR(world.ledger().booked(Cause::numerics), 0, 1e-8);
}

// A slender rod falls without turning and hits the floor with one end, which slides all the way: p_n = -(1 +
// e) u_n/(W_nn - mu W_nt sign(u_t)), p_t = -mu p_n sign(u_t), with W of the end of a rod at this angle.
TEST(EventDriven, TumblingRodWithFriction) {
  const double e = 0.6, mu = 0.1, length = 1, mass = 0.7, radius = 0.01, angle = 0.6, side = 12;
  const double inertia = mass * length * length / 12;
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("rough", {.friction = mu, .restitution = e});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "rough"});
  s.add_body("rod", {.shape = Capsule{radius, length},
                     .mass = mass,
                     .position = {0, 0, 2},
                     .orientation = turn_about({0, 1, 0}, angle),
                     .velocity = {side, 0, 0},
                     .surface = "rough",
                     .inertia = Vec3{inertia, inertia, 1e-3}});
  World world = world_of(s, settings_of());
  const BodyId rod = world.body("rod");
  StepReport r;
  do r = world.step();
  while (r.impacts == 0);
  // the lower end, from the centre
  const double x = -length / 2 * std::sin(angle), z = -length / 2 * std::cos(angle) - radius;
  const double nn = 1 / mass + x * x / inertia, nt = -x * z / inertia;
  const double fall = 2 + z, down = -std::sqrt(2 * g * fall), pn = -(1 + e) * down / (nn - mu * nt),
               pt = -mu * pn;
  EXPECT_NEAR(r.impact_time, std::sqrt(2 * fall / g), 1e-12);
  const double later = world.time() - r.impact_time;
  EXPECT_NEAR(world.velocity(rod).x, side + pt / mass, 1e-11);
  EXPECT_NEAR(world.velocity(rod).z, down + pn / mass - g * later, 1e-11);
  EXPECT_NEAR(world.spin(rod).y, (z * pt - x * pn) / inertia, 1e-10);
  const double slip = side + (1 / mass + z * z / inertia) * pt + nt * pn;
  EXPECT_GT(slip, 0);  // it slides to the end
  EXPECT_NEAR(world.ledger().booked(Cause::friction), pt * (side + slip) / 2, 1e-10);
  EXPECT_NEAR(world.ledger().booked(Cause::impact) + world.ledger().booked(Cause::friction),
              pn * (1 - e) * down / 2 + pt * (side + slip) / 2, 1e-10);
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
}

struct Rocking {
  std::vector<double> times, ratios;  // [s] of impacts; [-] angular velocity after over before
  double gained = 0;                  // [J] largest energy over that of the start, before the first impact
};
/// A block of half height 0.5 m and slope alpha, released at the tilt theta about the lower edge at the
/// origin.
Rocking rock(double alpha, double theta, double h, double until) {
  const double half_height = 0.5, half_width = half_height * std::tan(alpha);
  const double R = std::hypot(half_width, half_height);
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("rough", {.friction = 2});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "rough"});
  s.add_body("block", {.shape = Box{{2 * half_width, 0.3, 2 * half_height}},
                       .mass = 3,
                       .position = {-R * std::sin(alpha - theta), 0, R * std::cos(alpha - theta)},
                       .orientation = turn_about({0, 1, 0}, theta),
                       .surface = "rough"});
  s.add_joint("plane", PlanarJoint{.body = "block", .normal = {0, 1, 0}});
  RunSettings settings = settings_of(h);
  settings.tolerance = 1e-10;  // overlap that is left alone changes the energy too
  World world = world_of(s, settings);
  const BodyId block = world.body("block");
  const double energy = world.ledger().now().energy();
  Rocking out;
  double before = 0;
  run(world, steps_to(until, h), [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged) << r.explain();
    const double spin = w.spin(block).y;
    if (r.impacts > 0) out.times.push_back(r.impact_time), out.ratios.push_back(spin / before);
    if (out.times.empty()) out.gained = std::fmax(out.gained, std::fabs(w.ledger().now().energy() - energy));
    before = spin;
  });
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
  return out;
}

// Housner (1963): a slender block on a rigid floor rocks about its lower edges in turn. Each impact leaves 1
// - 3/2 sin^2 alpha of the angular velocity; released at the tilt theta it takes a quarter of the period,
// acosh(1/(1 - theta/alpha))/p, to stand upright, p^2 = 3 g/(4 R), to the order alpha^2 of the linear
// equation. The equation itself, theta'^2 = 2 p^2 (cos(alpha - theta_0) - cos(alpha - theta)), gives that
// time by a sum. What is held while the block turns is of second order in h: the trapezoidal rule for
// theta'' = -p^2 (alpha - theta) has the rate p (1 + (p h)^2/12), midpoint frames half of that the other way,
// so that times and energies are off by (p h)^2/6 at most.
TEST(EventDriven, RockingBlock) {
  const double alpha = 0.1, theta = 0.04, R = 0.5 / std::cos(alpha), p = std::sqrt(3 * g / (4 * R));
  double exact = 0;  // theta = theta_0 (1 - s^2), midpoints in s
  const int parts = 100000;
  for (int i = 0; i < parts; ++i) {
    const double u = (i + 0.5) / parts, at = theta * (1 - u * u);
    exact += 2 * theta * u / std::sqrt(2 * p * p * (std::cos(alpha - theta) - std::cos(alpha - at))) / parts;
  }
  EXPECT_NEAR(exact, std::acosh(1 / (1 - theta / alpha)) / p, alpha * alpha * exact);
  const double ratio = 1 - 1.5 * std::pow(std::sin(alpha), 2);
  // the angular velocity is seen at the ends of steps: p^2 alpha h of it may be the acceleration's
  const double spin = p * std::sqrt(2 * (std::cos(alpha - theta) - std::cos(alpha)));
  const double swing = 3 * g * R * alpha * theta;
  double before = 0;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const Rocking r = rock(alpha, theta, h, 1);
    ASSERT_EQ(r.times.size(), 2u);
    const double error = r.times[0] - exact, bound = std::pow(p * h, 2) / 6;
    std::printf("h %g: time off by %.2e s, energy by %.2e J of %.2e\n", h, error, r.gained, swing);
    EXPECT_NEAR(error, 0, bound * exact);
    EXPECT_LT(r.gained, bound * swing);
    if (before != 0) {
      EXPECT_NEAR(before / error, 4, 0.4);
    }
    before = error;
    for (const double one : r.ratios) EXPECT_NEAR(one, ratio, 2 * p * p * alpha * h / spin);
  }
}

// Garwin (1969): a superball (e = 1, slip thrown back) thrown under a table comes back: floor, table and
// floor leave 3/7, -31/49 and -333/343 of its velocity along them, and no energy is lost.
TEST(EventDriven, SuperballUnderATable) {
  World world = world_of_file(STICTION_SOURCE_DIR "/scenes/superball.json", {{"run.method", "event_driven"}});
  const BodyId ball = world.body("ball");
  const double along = world.velocity(ball).x, energy = world.ledger().now().energy();
  std::vector<double> seen;  // velocities after each impact
  while (seen.size() < 3 && world.time() < 2) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    EXPECT_LT(r.certificate.impact, 1e-13);
    if (r.impacts > 0) seen.push_back(world.velocity(ball).x / along);
  }
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_NEAR(seen[0], 3.0 / 7, 1e-12);
  EXPECT_NEAR(seen[1], -31.0 / 49, 1e-12);
  EXPECT_NEAR(seen[2], -333.0 / 343, 1e-12);
  EXPECT_NEAR(world.ledger().now().energy(), energy, 1e-12 * energy);
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
}

// Fifteen balls that touch, hit by one along the axis of their triangle, e = 1: energy and momentum stay in
// every law, and the simultaneous ones keep the symmetry.
TEST(EventDriven, BilliardBreak) {
  using enum ImpactLaw;
  for (const ImpactLaw law : {newton, poisson, sequential, superball}) {
    Scene s;
    s.add_surface("hard", {.friction = 0, .restitution = 1, .impact_law = law});
    const double d = 0.06;
    const auto ball = [&](const std::string& name, const Vec3& at, const Vec3& v) {
      s.add_body(name,
                 {.shape = Sphere{d / 2}, .mass = 0.2, .position = at, .velocity = v, .surface = "hard"});
    };
    ball("cue", {-0.1, 0, 0}, {3, 0, 0});
    for (int row = 0; row < 5; ++row)
      for (int k = 0; k <= row; ++k)
        ball("ball." + std::to_string(row) + "." + std::to_string(k),
             {0.5 * std::sqrt(3.0) * d * row, d * (k - 0.5 * row), 0}, {});
    World world = world_of(s, settings_of(0.002));
    int impacts = 0;
    run(world, 40, [&](const World&, const StepReport& r) {
      EXPECT_TRUE(r.converged) << r.explain();
      EXPECT_LT(r.certificate.impact, 1e-12);
      impacts += r.impacts;
    });
    EXPECT_GE(impacts, 1);
    const Totals& now = world.ledger().now();
    EXPECT_NEAR(now.kinetic, 0.9, 0.9e-12);
    EXPECT_LT(norm(now.momentum - Vec3{0.6, 0, 0}), 0.6e-12);
    EXPECT_LT(world.velocity(world.body("ball.4.0")).y, -0.2);  // the corners fly off
    for (int row = 0; row < 5 && law <= poisson; ++row)
      for (int k = 0; k <= row; ++k) {
        const auto of = [&](int at) {
          return world.velocity(world.body("ball." + std::to_string(row) + "." + std::to_string(at)));
        };
        EXPECT_NEAR(of(k).x, of(row - k).x, 1e-9);
        EXPECT_NEAR(of(k).y, -of(row - k).y, 1e-9);
      }
  }
}

// What rests stays: a stack of boxes on the floor, a ball on it, all with restitution, 10^4 steps.
TEST(EventDriven, RestIsRest) {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("hard", {.friction = 0.5, .restitution = 0.9});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "hard"});
  for (int i = 0; i < 3; ++i)
    s.add_body("box" + std::to_string(i), {.shape = Box{{0.4, 0.4, 0.2}},
                                           .mass = 1.0 + i,
                                           .position = {0, 0, 0.1 + 0.2 * i},
                                           .surface = "hard"});
  s.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 0.7}, .surface = "hard"});
  World world = world_of(s, settings_of());
  double fastest = 0;
  run(world, at_size(1000, 10000), [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged) << r.explain();
    EXPECT_EQ(r.impacts, 0);
    for (const Vec3& v : w.state().velocity) fastest = std::fmax(fastest, norm(v));
  });
  EXPECT_LT(fastest, 1e-10);
  EXPECT_NEAR(world.position(world.body("ball")).z, 0.7, 1e-9);
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
}

// A ball that goes 100 times its size in a step is thrown back by a wall of a tenth of its size, and by a
// second ball that it hits off its centre: the closed form of two equal smooth spheres.
TEST(EventDriven, FastBodiesPassThroughNothing) {
  Scene s{};
  s.add_surface("hard", {.friction = 0, .restitution = 1});
  s.add_body("wall",
             {.kind = fixed, .shape = Box{{0.02, 10, 10}}, .position = {2.03, 0, 0}, .surface = "hard"});
  const auto ball = [&](const std::string& name, const Vec3& at, const Vec3& v) {
    s.add_body(name, {.shape = Sphere{0.1}, .mass = 1, .position = at, .velocity = v, .surface = "hard"});
  };
  ball("fast", {-3, 0, 0}, {2000, 0, 0});
  ball("still", {0, -0.19, 5}, {}), ball("shot", {-3, 0, 5}, {2000, 0, 0});
  World world = world_of(s, settings_of());
  const StepReport r = world.step();
  ASSERT_TRUE(r.converged) << r.explain();
  EXPECT_NEAR(world.velocity(world.body("fast")).x, -2000, 1e-9);
  EXPECT_NEAR(world.position(world.body("fast")).x, 1.92 - (0.01 * 2000 - 4.92), 1e-9);
  const double down = 0.19 / 0.2, along = std::sqrt(1 - down * down);  // of the line of centres
  EXPECT_NEAR(world.velocity(world.body("still")).y, -2000 * along * down, 1e-8);
  EXPECT_NEAR(world.velocity(world.body("shot")).y, 2000 * along * down, 1e-8);
}

// A ball dropped on a box that rests: both contacts are solved at once, the box does not leave the floor with
// e = 0 of its own, and the energy of the ball alone changes.
TEST(EventDriven, BallBouncesOnWhatRests) {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("dull", {.friction = 0.3}), s.add_surface("hard", {.friction = 0.3, .restitution = 0.8});
  s.surface_pairs.push_back({.a = "dull", .b = "hard", .friction = 0.3, .restitution = 0.8});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "dull"});
  s.add_body("box", {.shape = Box{{1, 1, 0.2}}, .mass = 5, .position = {0, 0, 0.1}, .surface = "dull"});
  s.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 0.8}, .surface = "hard"});
  World world = world_of(s, settings_of());
  double height = 0.5;  // [m] of the hop
  int impacts = 0;
  run(world, steps_to(1.0, 0.01), [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged) << r.explain();
    if (r.impact_time >= 0) height *= 0.64, ++impacts;
    const BodyId ball = w.body("ball");
    EXPECT_NEAR(w.position(ball).z - 0.3 + std::pow(w.velocity(ball).z, 2) / (2 * g), height, 1e-9);
    EXPECT_NEAR(w.position(w.body("box")).z, 0.1, 1e-9);
  });
  EXPECT_EQ(impacts, 2);
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
}

// Same bits after a restart at any step and with two threads, through impacts, hops and rest.
TEST(EventDriven, SameBits) {
  Scene s = ball_over_floor(0.6, 0.3, {1, 0, 0});
  s.add_body("box", {.shape = Box{{0.3, 0.2, 0.1}},
                     .mass = 1,
                     .position = {2, 0, 0.5},
                     .orientation = turn_about({0, 1, 0}, 0.5),
                     .spin = {1, 2, 3},
                     .surface = "hard"});
  RunSettings settings = settings_of();
  World one = world_of(s, settings);
  settings.threads = 2;
  World two = world_of(s, settings);
  for (int i = 0; i < 100; ++i) {
    World other = world_of(s, settings);
    value_of(other.restore(one.save()));
    one.step(), two.step(), other.step();
    ASSERT_EQ(one.hash(), two.hash()) << i;
    ASSERT_EQ(one.hash(), other.hash()) << i;
  }
}

}  // namespace
}  // namespace stiction::test
