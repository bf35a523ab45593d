// Chapter 3: forces. All numbers are our choice, since the document prints none; reference values were
// computed independently of this engine.
//   ball    drag kappa_L |v|^gamma and Magnus force kappa_M w x v, kappa = rho A C/2 (3.11), (3.12); C_M is a
//           length. m = 0.0459 kg, r = 0.02135 m, rho = 1.3 kg/m^3, C_L = 0.25, C_M = 0.02 m
//   orbit   gravitation (3.4), read as the attraction that it is; G = 1, masses 1 and 0.5, a = 1, e = 0.5
//   atoms   Lennard-Jones with depth, diameter and masses 1, released at rest at r = 1.5
#include <array>
#include <cstdio>

#include "stiction/reproduce/runs.h"
#include "stiction/reproduce/servin.h"

namespace stiction::reproduce {
namespace {

const double pi = std::acos(-1.0);

// --- ball
constexpr double ball_mass = 0.0459, ball_radius = 0.02135, g = 9.81;
const double half_air = 0.5 * 1.3 * pi * ball_radius * ball_radius;
const double drag = half_air * 0.25, lift = half_air * 0.02;

struct BallScene {
  double gravity = g;
  Vec3 velocity{}, spin{};
  Drag air{};
  double lift = 0;
};
World ball(const BallScene& b, double step) {
  Scene s{.gravity = {0, 0, -b.gravity}};
  s.add_body("ball",
             {.shape = Sphere{ball_radius}, .mass = ball_mass, .velocity = b.velocity, .spin = b.spin});
  if (b.air.coefficient > 0) s.add_force("air", b.air);
  if (b.lift > 0) s.add_force("lift", Magnus{.coefficient = b.lift});
  return world_of(s, step, Method::rk4);
}

Vec3 drive(double speed) {
  const double angle = 12 * pi / 180;
  return {speed * std::cos(angle), 0, speed * std::sin(angle)};
}

void claim_flight(Outcome& out) {
  const double h = 1e-3;
  World world = ball({.velocity = drive(60),
                      .spin = {0, -250, -40},
                      .air = {.coefficient = drag, .exponent = 2},
                      .lift = lift},
                     h);
  Series side{"height", {0}, {0}}, above{"drift", {0}, {0}};
  Vec3 x, v = drive(60), landing;
  double apex = -1, apex_time = -1, time = -1, speed = -1;
  while (time < 0 && world.time() < 10) {
    run(world, 1);
    const Vec3 x1 = world.state().position[0], v1 = world.state().velocity[0];
    // the rate of the vertical velocity at both ends, from its difference: the parabola that fits is enough
    if (v.z > 0 && v1.z <= 0) {
      const double s = v.z / (v.z - v1.z);
      apex = Cubic{x.z, v.z, x1.z, v1.z, h}.at(s), apex_time = world.time() - h + s * h;
    }
    if (x.z > 0 && x1.z <= 0) {
      const double s = Cubic{x.z, v.z, x1.z, v1.z, h}.zero();
      time = world.time() - h + s * h;
      landing = {Cubic{x.x, v.x, x1.x, v1.x, h}.at(s), Cubic{x.y, v.y, x1.y, v1.y, h}.at(s), 0};
      speed = norm((1 - s) * v + s * v1);
    }
    x = x1, v = v1;
    side.x.push_back(x.x), side.y.push_back(x.z), above.x.push_back(x.x), above.y.push_back(x.y);
  }
  const Band band = Band::relative(1e-6);
  out.claim("flight time [s]", "", 3.83110429, time, band);
  out.claim("range [m]", "", 148.1264792, landing.x, band);
  out.claim("drift to the side [m]", "", -4.0257594, landing.y, band);
  out.claim("highest point [m]", "", 11.2075770, apex, band);
  out.claim("time of the highest point [s]", "", 1.8674112, apex_time, band);
  out.claim("speed at landing [m/s]", "", 29.9288081, speed, band);
  out.figure({"servin-ball", "A ball with drag and Magnus force", "x [m]", "z, y [m]", {side, above}});
}

void claim_special(Outcome& out) {
  const Band band = Band::relative(1e-6);
  World falling = ball({.air = {.coefficient = drag, .exponent = 2}}, 0.01);
  run(falling, 10000);
  out.claim("terminal speed [m/s]", "", std::sqrt(ball_mass * g / drag), norm(falling.state().velocity[0]),
            band);
  World turning = ball({.gravity = 0, .velocity = {60, 0, 0}, .spin = {0, 0, 250}, .lift = lift}, 0.01);
  run(turning, 1000);
  const Vec3 v = turning.state().velocity[0];
  out.claim("no gravity, no drag: period of the circle [s]", "", 61.96744094,
            2 * pi * turning.time() / std::atan2(v.y, v.x), band);
  World slow = ball({.velocity = drive(60), .air = {.coefficient = 0.01, .exponent = 1}}, 1e-3);
  run(slow, 2000);
  out.claim("exponent 1, kappa = 0.01 kg/s: x after 2 s [m]", "", 95.1477070443, slow.state().position[0].x,
            band);
  out.claim("exponent 1, kappa = 0.01 kg/s: z after 2 s [m]", "", 3.1687241389, slow.state().position[0].z,
            band);
}

// --- orbit
constexpr double m1 = 1, m2 = 0.5, a = 1, e = 0.5;
const double period = 2 * pi / std::sqrt(m1 + m2);

World orbit(long steps_per_period, Method method) {
  const double r = a * (1 - e), v = std::sqrt((m1 + m2) * (1 + e) / r), total = m1 + m2;
  Scene s;
  s.add_body(
      "one",
      {.mass = m1, .position = {r * m2 / total, 0, 0}, .velocity = {0, v * m2 / total, 0}, .particle = true});
  s.add_body("two", {.mass = m2,
                     .position = {-r * m1 / total, 0, 0},
                     .velocity = {0, -v * m1 / total, 0},
                     .particle = true});
  s.add_force("gravitation", Gravitation{.constant = 1});
  return world_of(s, period / double(steps_per_period), method);
}
Vec3 apart(const World& w) { return w.state().position[0] - w.state().position[1]; }

struct OrbitErrors {
  double place = 0, energy = 0, momentum = 0;
};
OrbitErrors orbit_errors(long steps_per_period, Method method) {
  World world = orbit(steps_per_period, method);
  const double start = world.ledger().now().energy();
  OrbitErrors out;
  run(world, 5 * steps_per_period, [&] {
    out.energy = std::fmax(out.energy, std::fabs(world.ledger().now().energy() / start - 1));
    out.momentum = std::fmax(out.momentum, norm(world.ledger().now().momentum));
  });
  out.place = norm(world.state().position[1] - Vec3{-a * (1 - e) * m1 / (m1 + m2), 0, 0});
  return out;
}

void claim_orbit(Outcome& out) {
  World world = orbit(8000, Method::rk4);
  out.claim("energy", "", -0.25, world.ledger().now().energy(), Band::relative(1e-12));
  out.claim("angular momentum", "", 0.353553390593, world.ledger().now().angular_momentum.z,
            Band::relative(1e-11));
  Series path{"x1 - x2", {}, {}};
  const auto add = [&] { path.x.push_back(apart(world).x), path.y.push_back(apart(world).y); };
  add();
  run(world, 2000, add);
  out.claim("Runge-Kutta 4, 8000 steps a period: x1 - x2 after P/4, x", "", -0.935130859037, apart(world).x,
            Band::absolute(1e-9));
  out.claim("Runge-Kutta 4, 8000 steps a period: x1 - x2 after P/4, y", "", 0.779740887498, apart(world).y,
            Band::absolute(1e-9));
  run(world, 6000, add);
  struct Row {
    Method method;
    const char* words;
    long steps;
    double place, energy;
  };
  double momentum = 0;
  for (const Row& row :
       {Row{Method::semi_implicit_euler, "semi-implicit Euler", 2000, 3.62267561e-3, 4.45790771e-3},
        {Method::velocity_verlet, "velocity Verlet", 500, 2.35993743e-2, 4.29337303e-4},
        {Method::velocity_verlet, "velocity Verlet", 1000, 5.90e-3, 1.073e-4},
        {Method::rk4, "Runge-Kutta 4", 500, 2.85e-6, 7.2e-8},
        {Method::rk4, "Runge-Kutta 4", 1000, 1.37e-7, 3.1e-9}}) {
    const OrbitErrors now = orbit_errors(row.steps, row.method);
    const std::string words = std::string(row.words) + ", " + std::to_string(row.steps) + " steps a period: ";
    out.claim(words + "|dx| of the lighter body after 5 periods", "", row.place, now.place,
              Band::relative(0.05));
    out.claim(words + "largest |dE/E|", "", row.energy, now.energy, Band::relative(0.05));
    momentum = std::fmax(momentum, now.momentum);
  }
  out.claim("all of these: largest total momentum", "is preserved", momentum, Band::at_most(1e-14));
  Figure figure{"servin-orbit", "Two bodies, eccentricity 0.5", "x", "y", {path}};
  figure.equal_axes = true;
  out.figure(figure);
}

void claim_satellite(Outcome& out) {
  const double G = 6.673e-11, M = 5.972e24, r = 6.771e6, v = std::sqrt(G * M / r);
  Scene s;
  s.add_body("earth", {.mass = M, .particle = true});
  s.add_body("satellite", {.mass = 1000, .position = {r, 0, 0}, .velocity = {0, v, 0}, .particle = true});
  s.add_force("gravitation", Gravitation{.constant = G});
  World world = world_of(s, 1, Method::rk4);
  run(world, 1000);
  const Vec3 x = world.state().position[1] - world.state().position[0];
  out.claim("satellite in SI units: speed on the circle [m/s]", "G = 6.673e11", 7671.7432,
            norm(world.state().velocity[1] - world.state().velocity[0]), Band::relative(1e-8));
  out.claim("satellite in SI units: period [s]", "G = 6.673e11", 5545.4734,
            2 * pi * world.time() / std::atan2(x.y, x.x), Band::relative(1e-8));
}

// --- atoms
World atoms(double h, Method method, double distance) {
  Scene s;
  s.add_body("a", {.mass = 1, .position = {-0.5 * distance, 0, 0}, .particle = true});
  s.add_body("b", {.mass = 1, .position = {0.5 * distance, 0, 0}, .particle = true});
  s.add_force("bond", LennardJones{.depth = 1, .diameter = 1});
  return world_of(s, h, method);
}
double distance_of(const World& w) { return w.state().position[1].x - w.state().position[0].x; }
double rate_of(const World& w) { return w.state().velocity[1].x - w.state().velocity[0].x; }

void claim_atoms(Outcome& out) {
  const double h = 2e-4;
  World world = atoms(h, Method::rk4, 1.5);
  out.claim("potential at r = 1.5", "", -0.320336594279, world.ledger().now().pair_potential,
            Band::absolute(1e-11));
  Series curve{"r", {0}, {1.5}};
  double r = 1.5, v = 0, inner = -1, first_outer = -1, returns = 0, last_outer = 0;
  run(world, 100000, [&] {
    const double r1 = distance_of(world), v1 = rate_of(world);
    const double s = v / (v - v1);
    if (inner < 0 && v < 0 && v1 >= 0) inner = Cubic{r, v, r1, v1, h}.at(s);
    if (v > 0 && v1 <= 0) {
      last_outer = world.time() - h + s * h, ++returns;
      if (first_outer < 0) first_outer = last_outer;
    }
    r = r1, v = v1;
    if (world.state().step_count % 20 == 0 && world.time() < 5)
      curve.x.push_back(world.time()), curve.y.push_back(r);
  });
  out.claim("Runge-Kutta 4, h = 0.0002: nearest distance", "", 1.015432315647, inner, Band::absolute(1e-8));
  out.claim("Runge-Kutta 4: period", "", 1.2149778, last_outer / returns, Band::absolute(1e-7));
  out.claim("Runge-Kutta 4: r at t = 20", "", 1.0505100988, r, Band::absolute(1e-8));
  out.claim("Runge-Kutta 4: dr/dt at t = 20", "", -1.3288093031, v, Band::absolute(1e-8));
  World small = atoms(h, Method::rk4, std::pow(2.0, 1.0 / 6) + 1e-4);
  double before = rate_of(small), turn = -1;
  run(small, 5000, [&] {
    const double now = rate_of(small);
    if (turn < 0 && before < 0 && now >= 0) turn = small.time() - h + h * before / (before - now);
    before = now;
  });
  out.claim("small oscillation: angular frequency", "", 10.6907846177, pi / turn, Band::relative(1e-6));
  for (const auto& [step, energy, error] :
       {std::array{0.005, 6.566e-4, 1.827e-3}, {0.0025, 1.640e-4, 4.59e-4}, {0.00125, 4.10e-5, 1.149e-4}}) {
    World verlet = atoms(step, Method::velocity_verlet, 1.5);
    const double start = verlet.ledger().now().energy();
    double worst = 0;
    run(verlet, std::lround(20 / step),
        [&] { worst = std::fmax(worst, std::fabs(verlet.ledger().now().energy() - start)); });
    char words[60];
    std::snprintf(words, sizeof words, "velocity Verlet, h = %g: ", step);
    out.claim(words + std::string("largest |dE|"), "", energy, worst, Band::relative(0.03));
    out.claim(words + std::string("error of r at t = 20"), "", error,
              std::fabs(distance_of(verlet) - 1.0505100988), Band::relative(0.03));
  }
  out.figure({"servin-atoms", "Two atoms released at r = 1.5", "t", "r", {curve}});
}

}  // namespace

void servin_ball(Outcome& out) {
  claim_flight(out);
  claim_special(out);
}

void servin_orbit(Outcome& out) {
  claim_orbit(out);
  claim_satellite(out);
}

void servin_atoms(Outcome& out) { claim_atoms(out); }

}  // namespace stiction::reproduce
