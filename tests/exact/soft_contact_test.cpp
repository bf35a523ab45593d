// Contacts that give way, against closed forms: rest, oscillation, impact, friction.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81, pi = 3.14159265358979323846;

void expect_fine(const World& w, const StepReport& r) {
  EXPECT_TRUE(r.converged) << w.time() << ": " << r.explain();
  EXPECT_EQ(r.parts, 1) << w.time();
  const Ledger& l = w.ledger();
  EXPECT_LE(std::fabs(l.imbalance()), 1e-12 * l.scale());
  EXPECT_LE(norm(l.momentum_imbalance()), 1e-12 * l.momentum_scale());
}

struct OnFloor {
  World world;
  BodyId body;
};
/// A body on a floor with this surface; the body itself is rigid.
OnFloor on_floor(const SurfaceDescription& surface, const BodyDescription& body, double h,
                 const Vec3& gravity = {0, 0, -g}) {
  Scene scene{.gravity = gravity};
  scene.add_surface("floor", surface);
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "floor"});
  const BodyId id = scene.add_body("body", body);
  return {world_of(scene, {.step = h}), id};
}

constexpr double k = 1e4, m = 2, radius = 0.1;
const double omega = std::sqrt(k / m);
BodyDescription ball(double height, double speed = 0) {
  return {.shape = Sphere{radius}, .mass = m, .position = {0, 0, height}, .velocity = {0, 0, speed}};
}

// --- rest: load over stiffness

TEST(SoftContact, ABallSagsByItsWeight) {
  OnFloor s = on_floor({.stiffness = k, .damping_time = 2 / omega}, ball(radius), 1e-3);
  run(s.world, 2000, expect_fine);
  EXPECT_NEAR(radius - s.world.position(s.body).z, m * g / k, 1e-9 * m * g / k);
  EXPECT_LT(norm(s.world.velocity(s.body)), 1e-12);
  const Ledger& l = s.world.ledger();
  const double stored = 0.5 * m * g * m * g / k;
  EXPECT_NEAR(l.now().spring_potential, stored, 1e-9 * stored);
  EXPECT_EQ(l.booked(Cause::impact), 0);
  EXPECT_LT(l.booked(Cause::damping), 0);
  ASSERT_EQ(s.world.contacts(s.body).size(), 1u);
  EXPECT_NEAR(s.world.contacts(s.body)[0].force.z, m * g, 1e-8);
}

TEST(SoftContact, ABoxSagsOnFourPoints) {
  OnFloor s = on_floor({.stiffness = k, .damping_time = 2 / omega},
                       {.shape = Box{{0.2, 0.2, 0.1}}, .mass = m, .position = {0, 0, 0.06}}, 1e-3);
  run(s.world, 2000, expect_fine);
  EXPECT_EQ(s.world.contacts(s.body).size(), 4u);
  EXPECT_NEAR(0.05 - s.world.position(s.body).z, m * g / (4 * k), 1e-9 * m * g / k);
}

TEST(SoftContact, SurfacesAreSpringsInSeries) {
  for (const bool same : {false, true}) {
    Scene scene{.gravity = {0, 0, -g}};
    scene.add_surface("floor", {.stiffness = k, .damping_time = 2 / omega});
    scene.add_surface("skin", {.stiffness = 3 * k, .damping_time = 2 / omega});
    scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "floor"});
    BodyDescription body = ball(radius);
    body.surface = same ? "floor" : "skin";
    const BodyId id = scene.add_body("body", body);
    World world = world_of(scene, {.step = 1e-3});
    run(world, 3000, expect_fine);
    const double give = same ? 2 / k : 1 / k + 1 / (3 * k);
    EXPECT_NEAR(radius - world.position(id).z, m * g * give, 1e-9 * m * g * give);
  }
}

// The lowest contact, on rigid ground, has one spring; the others two in series.
TEST(SoftContact, AStackOfBallsCarriesTheSumOfLoads) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("rubber", {.stiffness = 2 * k, .damping_time = 2 / omega});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}});
  std::vector<BodyId> balls;
  for (int i = 0; i < 3; ++i) {
    BodyDescription body = ball((2 * i + 1) * radius);
    body.surface = "rubber";
    balls.push_back(scene.add_body("ball" + std::to_string(i), body));
  }
  World world = world_of(scene, {.step = 1e-3});
  run(world, 3000, expect_fine);
  const double unit = m * g / k;
  const double sag[3] = {3 * unit / 2, 3 * unit / 2 + 2 * unit, 3 * unit / 2 + 3 * unit};
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR((2 * i + 1) * radius - world.position(balls[std::size_t(i)]).z, sag[i], 1e-8 * unit) << i;
}

// --- oscillation about the rest, always in contact: implicit Euler on m x'' = -k (x + t x')

TEST(SoftContact, OscillatesAsImplicitEulerSays) {
  const double h = 1e-3, rest = radius - m * g / k, start = 0.5 * m * g / k;
  OnFloor s = on_floor({.stiffness = k}, ball(rest + start), h);
  // y = x + i v / omega obeys y+ (1 + i h omega) = y
  std::complex<double> y = start;
  run(s.world, 300, [&](const World& w, const StepReport& r) {
    expect_fine(w, r);
    y /= std::complex<double>(1, h * omega);
    EXPECT_NEAR(w.position(s.body).z - rest, y.real(), 1e-9 * start) << w.time();
    EXPECT_NEAR(w.velocity(s.body).z, y.imag() * omega, 1e-9 * start * omega) << w.time();
  });
}

/// [m] how far the oscillation is off at time 0.1 s from x = x0 exp(-d t) (cos(w t) + d/w sin(w t)).
double error_of_oscillation(double h, double damping_time) {
  const double rest = radius - m * g / k, start = 0.5 * m * g / k, time = 0.1;
  OnFloor s = on_floor({.stiffness = k, .damping_time = damping_time}, ball(rest + start), h);
  run(s.world, steps_to(time, h), expect_fine);
  const double d = 0.5 * omega * omega * damping_time, w = std::sqrt(omega * omega - d * d);
  const double exact = start * std::exp(-d * time) * (std::cos(w * time) + d / w * std::sin(w * time));
  return (s.world.position(s.body).z - rest - exact) / start;
}

TEST(SoftContact, FrequencyAndDecayConvergeToThoseOfTheSpring) {
  for (const double t : {0.0, 0.1 / omega}) {
    const double coarse = error_of_oscillation(1e-4, t), fine = error_of_oscillation(0.5e-4, t);
    EXPECT_LT(std::fabs(fine), 0.02) << t;
    EXPECT_NEAR(coarse / fine, 2.0, 0.1) << t;  // first order
  }
}

// --- impact: a ball comes at speed v, without gravity

struct Bounce {
  double time = 0;      // [s] with a force
  double speed = 0;     // [m/s] after
  double deepest = 0;   // [m]
  double damping = 0;   // [J]
  double numerics = 0;  // [J]
};
Bounce bounce(const SurfaceDescription& surface, double v, double h) {
  OnFloor s = on_floor(surface, ball(radius + 0.3 * h * v, -v), h, {});
  Bounce out;
  double last = s.world.ledger().now().energy();
  for (int i = 0; i < 100000 && s.world.velocity(s.body).z < v; ++i) {
    run(s.world, 1, expect_fine);
    const auto contacts = s.world.contacts(s.body);
    const bool pressed = !contacts.empty() && contacts[0].force.z > 0;
    const double energy = s.world.ledger().now().energy();
    EXPECT_LE(energy, last + 1e-12);
    last = energy;
    if (pressed) out.time += h;
    if (!pressed && out.time > 0) break;
    out.deepest = std::fmax(out.deepest, radius - s.world.position(s.body).z);
  }
  out.speed = s.world.velocity(s.body).z;
  out.damping = s.world.ledger().booked(Cause::damping);
  out.numerics = s.world.ledger().booked(Cause::numerics);
  return out;
}

TEST(SoftContact, ABallLeavesAfterHalfAPeriod) {
  const double v = 0.5, h = 1e-5;
  const Bounce b = bounce({.stiffness = k}, v, h);
  EXPECT_NEAR(b.time, pi / omega, 0.01 * pi / omega);
  EXPECT_NEAR(b.deepest, v / omega, 0.01 * v / omega);
  EXPECT_NEAR(1 - b.speed / v, 0.5 * pi * h * omega, 0.01 * h * omega);  // 4.93 over the number of steps
  EXPECT_EQ(b.damping, 0);
}

TEST(SoftContact, ABounceThatIsShorterThanAStepIsPlastic) {
  OnFloor s = on_floor({.stiffness = 1e10}, ball(radius + 1e-3, -1), 1e-3, {});
  run(s.world, 20, expect_fine);
  EXPECT_LT(std::fabs(s.world.velocity(s.body).z), 1e-3);
}

// Damped by z = omega t/2, the force ends where x + t x' = 0, before the surface is back, with
// e = exp(-z/sqrt(1 - z^2) acos(2 z^2 - 1)) of the speed.
TEST(SoftContact, DampingTakesWhatTheClosedFormSays) {
  const double v = 0.5, z = 0.2;
  const Bounce b = bounce({.stiffness = k, .damping_time = 2 * z / omega}, v, 5e-6);
  const double root = std::sqrt(1 - z * z), e = std::exp(-z / root * std::acos(2 * z * z - 1));
  EXPECT_NEAR(b.speed / v, e, 0.01 * e);
}

// --- Hertz

constexpr double young = 1e7, nu = 0.4;
const double modulus = young / (1 - nu * nu);

TEST(HertzContact, ASphereSagsByItsWeight) {
  OnFloor s = on_floor({.young = young, .poisson = nu, .damping_time = 5e-3}, ball(radius), 1e-3);
  run(s.world, 3000, expect_fine);
  const double sag = std::pow(m * g / (4.0 / 3 * modulus * std::sqrt(radius)), 2.0 / 3);
  EXPECT_NEAR(radius - s.world.position(s.body).z, sag, 1e-8 * sag);
  const double stored = 0.4 * m * g * sag;
  EXPECT_NEAR(s.world.ledger().now().spring_potential, stored, 1e-8 * stored);
}

TEST(HertzContact, TwoSpheresHaveTheSumOfTheirCurvatures) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("rubber", {.young = young, .poisson = nu, .damping_time = 5e-3});
  scene.add_body("below", {.kind = fixed, .shape = Sphere{0.3}, .surface = "rubber"});
  BodyDescription body = ball(0.3 + radius);
  body.surface = "rubber";
  const BodyId id = scene.add_body("body", body);
  World world = world_of(scene, {.step = 1e-3});
  run(world, 3000, expect_fine);
  const double r = 1 / (1 / 0.3 + 1 / radius);
  const double sag = std::pow(m * g / (4.0 / 3 * 0.5 * modulus * std::sqrt(r)), 2.0 / 3);
  EXPECT_NEAR(0.3 + radius - world.position(id).z, sag, 1e-8 * sag);
}

// Energy gives the depth d = (15 m v^2 / (16 E* sqrt(R)))^(2/5); the time is 2.9432 d / v.
TEST(HertzContact, ASphereLeavesAfterHertzsTime) {
  const double v = 0.5, deepest = std::pow(15 * m * v * v / (16 * modulus * std::sqrt(radius)), 0.4);
  const double time = 2.9432 * deepest / v;
  const Bounce b = bounce({.young = young, .poisson = nu}, v, time / 2000);
  EXPECT_NEAR(b.time, time, 0.01 * time);
  EXPECT_NEAR(b.deepest, deepest, 0.01 * deepest);
  EXPECT_NEAR(b.speed, v, 0.01 * v);
}

// --- friction: the cone on the load that the soft contact carries

double speed_on_incline(double ratio) {
  const double mu = 0.5, slope = std::atan(ratio * mu);
  OnFloor s = on_floor({.friction = mu, .stiffness = k, .damping_time = 2 / omega},
                       {.shape = Box{{0.2, 0.2, 0.04}},
                        .mass = m,
                        .position = {0, 0, 0.02 - m * g * std::cos(slope) / (4 * k)}},
                       1e-3, {g * std::sin(slope), 0, -g * std::cos(slope)});
  run(s.world, 2000, expect_fine);
  return s.world.velocity(s.body).x;
}

TEST(SoftContact, FrictionHoldsBelowItsLimitAndSlidesAboveIt) {
  EXPECT_LT(std::fabs(speed_on_incline(0.99)), 1e-10);
  const double slope = std::atan(1.01 * 0.5), a = g * (std::sin(slope) - 0.5 * std::cos(slope));
  EXPECT_NEAR(speed_on_incline(1.01), 2 * a, 0.02 * 2 * a);  // but for what it slides while it settles
}

// --- beside rigid contacts, and in trees

TEST(SoftContact, RigidContactsBesideItStayExact) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("rubber", {.stiffness = k, .damping_time = 2 / omega});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}});
  scene.add_body("pad", {.shape = Box{{0.4, 0.4, 0.1}}, .mass = 1, .position = {0, 0, 0.05}});
  BodyDescription body = ball(0.1 + radius);
  body.surface = "rubber";
  const BodyId id = scene.add_body("ball", body);
  World world = world_of(scene, {.step = 1e-3});
  run(world, 1500, expect_fine);
  EXPECT_NEAR(0.1 + radius - world.position(id).z, m * g / k, 1e-8 * m * g / k);
}

TEST(SoftContact, HoldsALinkOfATree) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("rubber", {.stiffness = k, .damping_time = 2 / omega});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "rubber"});
  const BodyId id = scene.add_body("ball", ball(radius));
  scene.add_joint("rail", CoordinateJoint{.kind = tree::JointKind::prismatic, .body = "ball"});
  World world = world_of(scene, {.step = 1e-3});
  run(world, 2000, expect_fine);
  EXPECT_NEAR(radius - world.position(id).z, m * g / k, 1e-9 * m * g / k);
}

TEST(SoftContact, BodiesOnItDoNotSleep) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("rubber", {.stiffness = k, .damping_time = 2 / omega});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}});
  BodyDescription body = ball(radius);
  scene.add_body("rigid", body);
  body.surface = "rubber", body.position.x = 1;
  scene.add_body("soft", body);
  World world = world_of(scene, {.step = 1e-3, .sleep = true});
  StepReport last;
  run(world, 2000, [&](const World& w, const StepReport& r) { expect_fine(w, r), last = r; });
  EXPECT_EQ(last.asleep, 1);
}

// --- edits book what they change of the energy stored

TEST(SoftContact, BooksCloseOverAnEdit) {
  OnFloor s = on_floor({.stiffness = k, .damping_time = 2 / omega}, ball(radius), 1e-3);
  run(s.world, 500, expect_fine);
  value_of(s.world.teleport(s.body, {0, 0, radius - 0.01}, {}));
  EXPECT_NEAR(s.world.ledger().now().spring_potential, 0.5 * k * 1e-4, 1e-12);
  run(s.world, 500, expect_fine);
}

}  // namespace
}  // namespace stiction::test
