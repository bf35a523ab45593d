// Sections 5.2.4 and 9.4.2: impacts of many bodies and the two-stage projected Gauss-Seidel stepper. The
// document prints no numbers; scenes are our choice, reference values come from an independent program.
// Columns under the document's stepper (with its signs put right) are one-dimensional and written out here:
//     stage 1, impacts    G v' = -e G v where G v < 0, else 0,  impulses >= 0
//     stage 2, contacts   (G M^-1 G^T + Sigma) l = -(4/h) Ups g + Ups G v - G (v + h M^-1 f),  l >= 0
// each by a fixed number of sweeps from below. All else is worlds of this engine.
#include <algorithm>
#include <cstdio>
#include <string>

#include "stiction/reproduce/runs.h"
#include "stiction/reproduce/servin.h"

namespace stiction::reproduce {
namespace {

constexpr double g = 9.81;
constexpr int balls = 10;

// --- the document's stepper

/// Balls of 1 kg one on the other; contact k is below ball k.
struct Column {
  double place[balls] = {}, speed[balls] = {};  // [m] from where they touch, [m/s]
  double force[balls] = {};                     // [N] of the last step

  double rate(const double* v, int k) const { return v[k] - (k > 0 ? v[k - 1] : 0.0); }

  /// Impulses l >= 0 with G v + sigma l = target by `sweeps` sweeps from below; v follows.
  void sweep(int sweeps, double sigma, const double* target, double* v, double* l) const {
    std::fill(l, l + balls, 0.0);
    for (int it = 0; it < sweeps; ++it)
      for (int k = 0; k < balls; ++k) {
        const double diagonal = (k > 0 ? 2 : 1) + sigma, before = l[k];
        l[k] = std::max(0.0, l[k] + (target[k] - sigma * l[k] - rate(v, k)) / diagonal);
        v[k] += l[k] - before;
        if (k > 0) v[k - 1] -= l[k] - before;
      }
  }
  void impacts(int sweeps, double e) {
    double target[balls], l[balls];
    for (int k = 0; k < balls; ++k) target[k] = std::max(0.0, -e * rate(speed, k));
    sweep(sweeps, 0, target, speed, l);
  }
  void step(int sweeps, double h, double compliance, double tau) {
    const double share = 1 / (1 + 4 * tau / h), sigma = 4 * compliance / (h * h) * share;
    impacts(sweeps, 0);
    double target[balls], l[balls];
    for (int k = 0; k < balls; ++k)
      target[k] = share * (rate(speed, k) - 4 / h * (place[k] - (k > 0 ? place[k - 1] : 0.0)));
    for (double& v : speed) v -= h * g;
    sweep(sweeps, sigma, target, speed, l);
    for (int k = 0; k < balls; ++k) place[k] += h * speed[k], force[k] = l[k] / h;
  }
};

void claim_column_of_the_document(Outcome& out) {
  struct Row {
    int sweeps;
    double overlap;
  };
  for (const Row& r : {Row{10, 1.682e-3},
                       {20, 7.578e-4},
                       {50, 2.540e-4},
                       {100, 1.2694e-4},
                       {200, 9.951e-5},
                       {500, 9.81e-5}}) {
    Column c;
    for (int i = 0; i < 200; ++i) c.step(r.sweeps, 0.01, 1e-6, 0.02);
    const std::string name = "column of 10, two stages of " + std::to_string(r.sweeps) + " sweeps: ";
    out.claim(name + "overlap with the floor [m]", "", r.overlap, -c.place[0], Band::relative(0.01));
    if (r.sweeps < 20) continue;
    out.claim(name + "force of the floor [N]", "", balls * g, c.force[0], Band::relative(1e-8));
    out.claim(name + "force below the top ball [N]", "", g, c.force[balls - 1], Band::relative(1e-8));
  }
  Column falling;
  std::fill(falling.speed, falling.speed + balls, -1.0);
  falling.impacts(200, 0.5);
  const auto [slowest, fastest] = std::minmax_element(falling.speed, falling.speed + balls);
  out.claim("column of 10 falling at 1 m/s, e = 0.5, 200 sweeps: slowest rebound [m/s]", "", 0.4879, *slowest,
            Band::absolute(1e-4));
  out.claim("column of 10 falling at 1 m/s, e = 0.5, 200 sweeps: fastest rebound [m/s]", "", 0.4979, *fastest,
            Band::absolute(1e-4));
}

// --- worlds

/// Ten balls of 1 kg and 0.1 m one on the other.
Scene column(const Vec3& gravity, double speed, double e) {
  Scene s{.gravity = gravity};
  s.add_surface("s", {.friction = 0, .restitution = e});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, 0}, .surface = "s"});
  for (int i = 0; i < balls; ++i)
    s.add_body("ball." + std::to_string(i), {.shape = Sphere{0.05},
                                             .mass = 1,
                                             .position = {0, 0, 0.05 + 0.1 * i},
                                             .velocity = {0, 0, speed},
                                             .surface = "s"});
  return s;
}

void claim_column(Outcome& out) {
  World standing = world_of(column({0, 0, -g}, 0, 0), 0.01, Method::coulomb);
  run(standing, 200);
  double worst = 0;
  for (const Contact& c : standing.contacts()) {
    const auto above =
        double(balls - std::max(c.key.a, c.key.b) + 1);  // balls that it bears; the floor is body 0
    worst = std::fmax(worst, std::fabs(norm(c.impulse) / 0.01 - above * g));
  }
  out.claim("column of 10 in a world: contacts", "", balls, double(standing.contacts().size()),
            Band::absolute(0));
  out.claim("column of 10 in a world: largest error of (10, 9, .., 1) m g [N]", "", worst,
            Band::at_most(1e-6));
  World falling = world_of(column({}, -1, 0.5), 0.01, Method::coulomb);
  falling.step();
  worst = 0;
  for (const Vec3& v : std::span(falling.state().velocity).subspan(1))
    worst = std::fmax(worst, std::fabs(v.z - 0.5));
  out.claim("falling column in a world, e = 0.5: largest error of the rebound 0.5 m/s", "", worst,
            Band::at_most(1e-12));
  out.claim("falling column in a world: impulse of the floor [N s]", "", 15,
            falling.ledger().booked_momentum(Cause::impact).z, Band::absolute(1e-11));
}

/// Five balls that touch, hit by those that move.
std::vector<double> cradle(const std::vector<double>& speeds, double e, ImpactLaw law) {
  Scene s;
  s.add_surface("s", {.friction = 0, .restitution = e, .impact_law = law});
  for (std::size_t i = 0; i < speeds.size(); ++i)
    s.add_body("ball." + std::to_string(i), {.shape = Sphere{0.05},
                                             .mass = 1,
                                             .position = {0.1 * double(i), 0, 0},
                                             .velocity = {speeds[i], 0, 0},
                                             .surface = "s"});
  World world = world_of(s, 0.001, Method::coulomb);
  world.step();
  std::vector<double> out;
  for (const Vec3& v : world.state().velocity) out.push_back(v.x);
  return out;
}

void claim_cradle(Outcome& out) {
  struct Row {
    const char* words;
    std::vector<double> before;
    double e;
    ImpactLaw law;
    std::vector<double> after;
    double digits;
  };
  using enum ImpactLaw;
  const Row rows[] = {
      {"one ball, sequential", {1, 0, 0, 0, 0}, 1, sequential, {0, 0, 0, 0, 1}, 1e-12},
      {"two balls, sequential", {1, 1, 0, 0, 0}, 1, sequential, {0, 0, 0, 1, 1}, 1e-12},
      {"three balls, sequential", {1, 1, 1, 0, 0}, 1, sequential, {0, 0, 1, 1, 1}, 1e-12},
      {"one from each side, sequential", {1, 0, 0, 0, -1}, 1, sequential, {-1, 0, 0, 0, 1}, 1e-12},
      {"one ball, newton", {1, 0, 0, 0, 0}, 1, newton, {-0.6, 0.4, 0.4, 0.4, 0.4}, 1e-12},
      {"two balls, newton", {1, 1, 0, 0, 0}, 1, newton, {-0.2, -0.2, 0.8, 0.8, 0.8}, 1e-12},
      {"three balls, newton", {1, 1, 1, 0, 0}, 1, newton, {0.2, 0.2, 0.2, 1.2, 1.2}, 1e-12},
      {"one ball, e = 0.9, sequential",
       {1, 0, 0, 0, 0},
       0.9,
       sequential,
       {0.04352508, 0.04537296, 0.04729664, 0.04929906, 0.81450625},
       1e-8}};
  for (const Row& r : rows) {
    const std::vector<double> found = cradle(r.before, r.e, r.law);
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) worst = std::fmax(worst, std::fabs(found[i] - r.after[i]));
    out.claim(std::string("cradle, ") + r.words + ": largest error of a speed [m/s]", "", worst,
              Band::at_most(r.digits));
  }
}

/// Five balls on rods of 1 m, the first let go at 0.5 rad.
void claim_hanging_cradle(Outcome& out) {
  const double theta = 0.5;
  Figure figure{"servin-cradle", "Newton's cradle, h = 0.001 s", "t [s]", "angle [rad]", {}};
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    Scene s{.gravity = {0, 0, -g}};
    s.add_surface("s", {.friction = 0, .restitution = 1, .impact_law = ImpactLaw::sequential});
    for (int i = 0; i < 5; ++i) {
      const std::string name = "ball." + std::to_string(i);
      s.add_body(name, {.shape = Sphere{0.05},
                        .mass = 1,
                        .position = {0.1 * i, 0, -1},
                        .surface = "s",
                        .inertia = Vec3{1e-9, 1e-9, 1e-9}});
      s.add_joint("rod." + std::to_string(i), CoordinateJoint{.kind = tree::JointKind::revolute,
                                                              .body = name,
                                                              .at = Vec3{0.1 * i, 0, 0},
                                                              .axis = {0, -1, 0},
                                                              .position = {i == 0 ? -theta : 0.0}});
    }
    World world = world_of(s, h, Method::coulomb);
    const auto angle = [&](int i) {
      return world.joint_position(world.joint("rod." + std::to_string(i)))[0];
    };
    double top = 0, when = 0;
    Series first{"first ball", {}, {}}, last{"last ball", {}, {}};
    const double energy = world.ledger().now().energy() + 5 * g;
    run(world, std::lround(2.2 / h), [&] {
      if (world.time() < 1.5 && angle(4) > top) top = angle(4), when = world.time();
      first.x.push_back(world.time()), first.y.push_back(angle(0));
      last.x.push_back(world.time()), last.y.push_back(angle(4));
    });
    char name[60];
    std::snprintf(name, sizeof name, "hanging cradle, h = %g s: ", h);
    out.claim(name + std::string("top of the last ball [rad]"), "", theta, top, Band::absolute(1e-3));
    out.claim(name + std::string("when it is there [s]"), "", 1.01893396, when, Band::absolute(2 * h));
    out.claim(name + std::string("energy at 2.2 s less that of the start [J]"), "", 0,
              world.ledger().now().energy() + 5 * g - energy, Band::absolute(1e-3));
    if (h == 1e-3) figure.series = {first, last};
  }
  out.figure(figure);
}

/// A point of 1 kg on a plane, gravity turned by `slope` [rad].
World point_on_plane(double slope, double speed) {
  Scene s{.gravity = {g * std::sin(slope), 0, -g * std::cos(slope)}};
  s.add_surface("s", {.friction = 0.5});
  s.add_body("plane", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, 0}, .surface = "s"});
  s.add_body("point", {.shape = Sphere{0.05},
                       .mass = 1,
                       .position = {0, 0, 0.05},
                       .velocity = {speed, 0, 0},
                       .surface = "s",
                       .particle = true});
  return world_of(s, 0.01, Method::coulomb);
}

void claim_friction(Outcome& out) {
  const double degree = 3.14159265358979323846 / 180;
  World sliding = point_on_plane(0, 2);
  while (sliding.time() < 1 && sliding.state().velocity[1].x > 1e-9) sliding.step();
  out.claim("point at 2 m/s, mu = 0.5: the step in which it stops ends at [s]", "", 0.41, sliding.time(),
            Band::absolute(1e-12));
  // h sum over 40 steps of (2 - k mu g h); with the compliance of the published scheme 0.39779005
  out.claim("point at 2 m/s, mu = 0.5: way [m]", "", 0.01 * (40 * 2.0 - 820 * 0.5 * g * 0.01),
            sliding.state().position[1].x, Band::absolute(1e-10));
  World resting = point_on_plane(20 * degree, 0);
  run(resting, 100);
  out.claim("point on 20 degrees: speed after 1 s [m/s]", "", norm(resting.state().velocity[1]),
            Band::at_most(1e-9));
  World slipping = point_on_plane(35 * degree, 0);
  run(slipping, 100);
  out.claim("point on 35 degrees: speed after 1 s [m/s]", "", 1.60884406, slipping.state().velocity[1].x,
            Band::absolute(1e-8));
}

}  // namespace

void servin_impacts(Outcome& out) {
  claim_column_of_the_document(out);
  claim_column(out);
  claim_cradle(out);
  claim_hanging_cradle(out);
  claim_friction(out);
}

}  // namespace stiction::reproduce
