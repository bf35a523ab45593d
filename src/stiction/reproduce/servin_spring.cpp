// Chapter 4: a particle of mass m on a spring (stiffness k, length L) that hangs from the origin, released at
// z = -L, with each of the methods. With x = z - z_eq, z_eq = -L - m g/k, w = sqrt(k/m), the energy above
// that of rest is e = m v^2/2 + k x^2/2, and per step of h
//     explicit Euler     e grows by the factor 1 + (h w)^2 exactly, implicit Euler: shrinks by it
//     semi-implicit      v^2/2 + w^2 x^2/2 - h w^2 x v/2 is kept; e/e0 stays in [1/(1 + hw/2), 1/(1 - hw/2)]
//     velocity Verlet    e/e0 stays in [1 - (hw)^2/4, 1]
// m = 20 kg, L = 1 m, k = 3000 N/m, g = 9.81 m/s^2, h = 0.01 s are the document's; the start is ours, since
// it prints none. Reference values of semi-implicit Euler, Verlet and Runge-Kutta were computed
// independently.
#include <array>

#include "stiction/reproduce/runs.h"
#include "stiction/reproduce/servin.h"

namespace stiction::reproduce {
namespace {

constexpr double m = 20, L = 1, k = 3000, g = 9.81, h = 0.01;
constexpr double rest = -L - m * g / k;
const double w = std::sqrt(k / m);

Scene scene() {
  Scene s{.gravity = {0, 0, -g}};
  s.add_body("mass", {.mass = m, .position = {0, 0, -L}, .particle = true});
  s.add_force("spring", SpringDamper{.b = "mass", .stiffness = k, .rest_length = L});
  return s;
}
/// The same force -k (z + L) at any amplitude: a spring of no length, held where the other is at rest.
/// Explicit Euler swings past the hook after 4 s.
Scene linear_scene() {
  Scene s = scene();
  s.forces.clear();
  s.add_force("spring", SpringDamper{.b = "mass", .point_a = {0, 0, -L}, .stiffness = k});
  return s;
}

struct Motion1 {
  double x = 0, v = 0;  // from rest [m], [m/s]
  double energy() const { return 0.5 * m * v * v + 0.5 * k * x * x; }
};
Motion1 motion_of(const World& world) {
  return {world.state().position[0].z - rest, world.state().velocity[0].z};
}
const double start_energy = Motion1{-L - rest, 0}.energy();

struct Growth {
  double after_1s = 0, after_10s = 0, least = 1, most = 1;  // e / e0
};
Growth growth_of(Method method, const Scene& spring) {
  World world = world_of(spring, h, method);
  Growth out;
  run(world, 1000, [&] {
    const double part = motion_of(world).energy() / start_energy;
    out.least = std::fmin(out.least, part), out.most = std::fmax(out.most, part);
    if (world.state().step_count == 100) out.after_1s = part;
    out.after_10s = part;
  });
  return out;
}

/// hypot(w dz, dv) at t = 1 s against the exact solution.
double error_of(Method method, double step) {
  World world = world_of(scene(), step, method);
  run(world, std::lround(1 / step));
  const Motion1 now = motion_of(world);
  const double a = -L - rest;
  return std::hypot(w * (now.x - a * std::cos(w)), now.v + a * w * std::sin(w));
}

void claim_growth(Outcome& out) {
  const char* const grows = "grows indefinitely";
  const Growth explicit_euler = growth_of(Method::explicit_euler, scene()),
               explicit_linear = growth_of(Method::explicit_euler, linear_scene()),
               implicit_euler = growth_of(Method::implicit_euler, scene()),
               semi = growth_of(Method::semi_implicit_euler, scene()),
               verlet = growth_of(Method::velocity_verlet, scene()), rk4 = growth_of(Method::rk4, scene());
  const Band tight = Band::relative(1e-9);
  const auto power = [](double steps) { return std::pow(1 + w * w * h * h, steps); };
  out.claim("explicit Euler: energy after 1 s / at the start", grows, power(100), explicit_euler.after_1s,
            tight);
  out.claim("explicit Euler: after 10 s, spring of no length (any amplitude)", grows, power(1000),
            explicit_linear.after_10s, tight);
  out.claim("implicit Euler: after 1 s", "decreases", power(-100), implicit_euler.after_1s, tight);
  out.claim("implicit Euler: after 10 s", "decreases", power(-1000), implicit_euler.after_10s, tight);
  out.claim("semi-implicit Euler: after 1 s", "roughly constant", 1.036479124, semi.after_1s, tight);
  out.claim("semi-implicit Euler: after 10 s", "roughly constant", 0.9964438236, semi.after_10s, tight);
  out.claim("semi-implicit Euler: least in 10 s", "bounded", semi.least,
            Band::between(1 / (1 + w * h / 2), 1));
  out.claim("semi-implicit Euler: most in 10 s", "bounded", semi.most, Band::between(1, 1 / (1 - w * h / 2)));
  out.claim("velocity Verlet: after 1 s", "", 0.9996482843, verlet.after_1s, tight);
  out.claim("velocity Verlet: after 10 s", "", 0.9999968363, verlet.after_10s, tight);
  out.claim("velocity Verlet: least in 10 s", "", verlet.least, Band::between(1 - w * w * h * h / 4, 1));
  out.claim("Runge-Kutta 4: after 1 s", "", 0.9999953213, rk4.after_1s, tight);
  out.claim("Runge-Kutta 4: after 10 s", "", 0.9999532140, rk4.after_10s, tight);
}

void claim_orders(Outcome& out) {
  struct Row {
    Method method;
    const char* words;
    double order, coarse;  // [-]; [m/s] the error at h = 0.01
  };
  for (const Row& row : {Row{Method::explicit_euler, "explicit Euler", 1, 8.8809e-1},
                         {Method::implicit_euler, "implicit Euler", 1, 4.2184e-1},
                         {Method::semi_implicit_euler, "semi-implicit Euler", 1, 1.7786e-2},
                         {Method::velocity_verlet, "velocity Verlet", 2, 6.5809e-3},
                         {Method::rk4, "Runge-Kutta 4", 4, 1.8391e-5}}) {
    const std::string words = row.words;
    out.claim(words + ": error at t = 1 s [m/s]", "", row.coarse, error_of(row.method, h),
              Band::relative(1e-4));
    const double order = std::log2(error_of(row.method, h / 8) / error_of(row.method, h / 16));
    out.claim(words + ": order, h = 0.00125 to 0.000625 s", row.order == 1 ? "1" : "", row.order, order,
              Band::absolute(0.05));
  }
}

/// Largest |x| in 1000 steps of semi-implicit Euler at this h w.
double largest(double hw) {
  World world = world_of(scene(), hw / w, Method::semi_implicit_euler);
  double x = 0;
  run(world, 1000, [&] { x = std::fmax(x, std::fabs(motion_of(world).x)); });
  return x;
}

void claim_stability(Outcome& out) {
  World world = world_of(scene(), h, Method::semi_implicit_euler);
  const auto shadow = [&] {
    const Motion1 y = motion_of(world);
    return 0.5 * y.v * y.v + 0.5 * w * w * y.x * y.x - 0.5 * h * w * w * y.x * y.v;
  };
  const double start = shadow();
  double drift = 0;
  run(world, 100000, [&] { drift = std::fmax(drift, std::fabs(shadow() / start - 1)); });
  out.claim("semi-implicit Euler: drift of its invariant in 1000 s", "", drift, Band::at_most(1e-12));
  out.claim("semi-implicit Euler: largest |x| at h w = 1.99 [m]", "h w < 1", 0.6548, largest(1.99),
            Band::relative(1e-3));
  out.claim("semi-implicit Euler: largest |x| at h w = 2.01 [m]", "h w < 1", largest(2.01),
            Band::between(1e3, 1e300));
}

void draw(Method method, const char* words, const std::string& position, const std::string& energies,
          Outcome& out) {
  World world = world_of(scene(), h, method);
  Series z{"z", {}, {}}, kinetic{"K", {}, {}}, gravity{"U gravity", {}, {}}, spring{"U spring", {}, {}},
      total{"E total", {}, {}};
  const auto add = [&] {
    const Totals& now = world.ledger().now();
    const double at = -m * g * L;  // potential of gravity at the start, counted from z = 0
    const std::array<std::pair<Series*, double>, 5> values{{{&z, world.state().position[0].z},
                                                            {&kinetic, now.kinetic},
                                                            {&gravity, at + now.gravity_potential},
                                                            {&spring, now.spring_potential},
                                                            {&total, at + now.energy()}}};
    for (const auto& [series, value] : values) series->x.push_back(world.time()), series->y.push_back(value);
  };
  add();
  run(world, 200, add);
  out.figure(
      {"servin-figure-" + position, std::string(words) + ": position of the mass", "t [s]", "z [m]", {z}});
  out.figure({"servin-figure-" + energies,
              std::string(words) + ": energies",
              "t [s]",
              "energy [J]",
              {kinetic, gravity, spring, total}});
}

void draw_all(Outcome& out) {
  Figure figure{"servin-spring-energies", "Energy above that of rest, over its start", "t [s]", "e / e0", {}};
  for (const auto& [method, words] :
       {std::pair{Method::explicit_euler, "explicit Euler"},
        std::pair{Method::implicit_euler, "implicit Euler"},
        std::pair{Method::semi_implicit_euler, "semi-implicit Euler"},
        std::pair{Method::velocity_verlet, "velocity Verlet"}, std::pair{Method::rk4, "Runge-Kutta 4"}}) {
    World world = world_of(scene(), h, method);
    Series s{words, {0}, {1}};
    run(world, 100,
        [&] { s.x.push_back(world.time()), s.y.push_back(motion_of(world).energy() / start_energy); });
    figure.series.push_back(s);
  }
  out.figure(figure);
}

}  // namespace

void servin_spring(Outcome& out) {
  claim_growth(out);
  claim_orders(out);
  claim_stability(out);
  draw(Method::explicit_euler, "Explicit Euler", "4-2", "4-3", out);
  draw(Method::semi_implicit_euler, "Semi-implicit Euler", "4-4", "4-5", out);
  draw_all(out);
}

}  // namespace stiction::reproduce
