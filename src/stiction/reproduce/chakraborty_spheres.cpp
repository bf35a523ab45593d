// Sections V-B and V-C. The paper prints neither masses nor moments of inertia: those of a solid unit sphere
// of 1 kg follow from the printed slope of the spin and, for the two spheres, are the only ones that give the
// printed times of the first two events together.
#include <array>

#include "stiction/reproduce/chakraborty.h"
#include "stiction/reproduce/implicit_runs.h"

namespace stiction::reproduce {
namespace {

constexpr double g = 9.81;

step::ImplicitBody unit_sphere(const Vec3& position, const Vec3& force) {
  return {.mass = 1, .inertia = {0.4, 0.4, 0.4}, .position = position, .force = force};
}

/// The motion of the small sphere, and what its two contacts say, step by step.
struct OnTwo {
  std::array<double, 2> leaves{-1, -1};  // [s] end of the first step without a force
  double slides = -1;                    // [s] end of the first step in which the second contact slips
  std::vector<Vec3> velocity, spin;      // after each step
  std::array<Series, 6> speed{
      {{"v_x", {}, {}}, {"v_y", {}, {}}, {"v_z", {}, {}}, {"w_x", {}, {}}, {"w_y", {}, {}}, {"w_z", {}, {}}}};
  std::array<std::array<Series, 3>, 2> force{};
  double first[2] = {0, 0};  // [N] normal forces of the first step
  double lowest_gap = 0;
};

OnTwo run_two(double h, step::FrictionRows rows, double until) {
  ImplicitRun run(h, rows);
  const int large = run.add(Sphere{10}, {}), other = run.add(Sphere{9}, {.position = {0, 11.4, 0}});
  const int ball = run.add(Sphere{1}, unit_sphere({0, 6.62105263157895, 8.78417110772903}, {1, 2.6, -g}));
  run.touch(ball, large, 0.2, 0.3), run.touch(ball, other, 0.2, 0.3);
  OnTwo out;
  for (auto& of_contact : out.force)
    of_contact = {Series{"normal force [N]", {}, {}}, Series{"friction [N]", {}, {}},
                  Series{"sliding speed [m/s]", {}, {}}};
  const int steps = int(until / h + 0.5);
  for (int k = 1; k <= steps; ++k) {
    if (!run.step()) return out;
    const double t = k * h;
    const step::ImplicitBody& b = run.body(ball);
    out.velocity.push_back(b.velocity), out.spin.push_back(b.spin);
    for (int i = 0; i < 6; ++i) {
      Series& s = out.speed[std::size_t(i)];
      s.x.push_back(t), s.y.push_back(i < 3 ? b.velocity[i] : b.spin[i - 3]);
    }
    for (int i = 0; i < 2; ++i) {
      const step::ImplicitContact& c = run.contact(i);
      const bool presses = c.normal_impulse > 1e-9 * h;
      if (k == 1) out.first[i] = c.normal_impulse / h;
      if (!presses && out.leaves[std::size_t(i)] < 0) out.leaves[std::size_t(i)] = t;
      if (i == 1 && presses && norm(c.slip) > 1e-6 && out.slides < 0) out.slides = t;
      const double values[] = {c.normal_impulse / h, norm(c.friction) / h, presses ? norm(c.slip) : 0.0};
      for (std::size_t j = 0; j < 3; ++j) {
        Series& s = out.force[std::size_t(i)][j];
        s.x.push_back(t), s.y.push_back(values[j]);
      }
    }
  }
  out.lowest_gap = run.lowest_gap();
  return out;
}

void compare_velocities(const OnTwo& run, double h, const std::string& words, Outcome& out) {
  struct Row {
    double t;
    Vec3 velocity, spin;
  };
  constexpr Row rows[] = {{1.0, {0.538443593, 0, -0.0154611312}, {0.00738879324, 0.473172993, 0.257319359}},
                          {2.0, {1.53670006, 0, -0.21682285}, {0.103618499, 1.36323355, 0.73438087}},
                          {3.0, {3.56032181, 0, -1.64247014}, {0.780604816, 3.44063614, 1.69573682}},
                          {3.5, {4.89230627, 0.163571084, -4.16998654}, {1.34888335, 4.60249347, 2.07225051}},
                          {4.0, {5.5379786, 1.32564582, -8.84136062}, {1.41021755, 4.7345166, 2.11253439}}};
  for (const Row& r : rows) {
    const auto k = std::size_t(r.t / h + 0.5) - 1;
    const double error = k < run.velocity.size() ? std::fmax(max_component(abs(run.velocity[k] - r.velocity)),
                                                             max_component(abs(run.spin[k] - r.spin)))
                                                 : std::nan("");
    out.claim(words + ": velocities and spins at " + std::to_string(r.t).substr(0, 3) +
                  " s, largest distance from the reference [m/s, rad/s]",
              "", error, Band::at_most(1e-6));
  }
}

}  // namespace

void chakraborty_sphere(Outcome& out) {
  const double h = 0.07;
  ImplicitRun run(h);
  const int plane = run.add(HalfSpace{{0, 0, 1}, 0}, {});
  const int ball = run.add(Sphere{1}, unit_sphere({0, 0, 1}, {0, 0, -g}));
  run.body(ball).spin = {0, 0, 1.962};
  run.touch(ball, plane, 0.2, 0.4);
  double slope = 0, rest = 0, other = 0;
  std::vector<double> moment;
  Series spin{"spin about the normal", {0}, {1.962}}, torque{"moment about the normal", {}, {}};
  for (int k = 1; k <= 20; ++k) {
    run.step();
    const step::ImplicitBody& b = run.body(ball);
    if (k <= 14) slope = std::fmax(slope, std::fabs(b.spin.z - (1.962 - 0.13734 * k)));
    if (k >= 15) rest = std::fmax(rest, std::fabs(b.spin.z));
    other = std::fmax(other, std::fmax(norm(b.velocity), norm(Vec3{b.spin.x, b.spin.y, 0})));
    moment.push_back(run.contact(0).spin_impulse / h);
    spin.x.push_back(k * h), spin.y.push_back(b.spin.z);
    torque.x.push_back(k * h), torque.y.push_back(moment.back());
  }
  out.claim("spin up to 0.98 s, largest distance from 1.962 - 1.962 t [rad/s]", "slope -1.962", slope,
            Band::at_most(1e-8));
  out.claim("spin from 1.05 s on [rad/s]", "0 at 1.05 s", rest, Band::at_most(1e-8));
  out.claim("all other velocities [m/s, rad/s]", "0", other, Band::at_most(1e-10));
  out.claim("moment of friction in the first step [N m]", "", -0.7848, moment[0], Band::absolute(1e-8));
  out.claim("moment of friction in the step to 1.05 s [N m]", "not 0", -0.2242286, moment[14],
            Band::absolute(1e-4));
  out.claim("moment of friction after it [N m]", "0", std::fabs(moment[15]), Band::at_most(1e-8));
  out.figure({"chakraborty-figure-3", "A sphere that spins on a plane", "time [s]", "[rad/s]", {spin}});
  out.figure({"chakraborty-figure-4", "A sphere that spins on a plane", "time [s]", "[N m]", {torque}});
}

void chakraborty_two_spheres(Outcome& out) {
  const double h = 0.01;
  const OnTwo run = run_two(h, step::FrictionRows::projection, 5);
  out.claim("contact 1 ends [s]", "about 3.2", 3.21, run.leaves[0], Band::absolute(0.0101));
  out.claim("contact 2 begins to slide [s]", "about 3", 2.94, run.slides, Band::absolute(0.0101));
  // no moment of inertia, friction or step moves this to what is printed
  out.claim("contact 2 ends [s]", "about 3.6", 3.70, run.leaves[1], Band::absolute(0.0101));
  out.claim("first step: normal force of contact 1 [N]", "", 2.6410, run.first[0], Band::absolute(5e-5));
  out.claim("first step: normal force of contact 2 [N]", "", 8.7669, run.first[1], Band::absolute(5e-5));
  out.claim("largest overlap [m]", "", -run.lowest_gap, Band::at_most(1e-12));
  compare_velocities(run, h, "projection", out);
  compare_velocities(run_two(h, step::FrictionRows::multiplier, 4), h, "the paper's friction rows", out);
  out.figure({"chakraborty-figure-6",
              "A sphere on two spheres",
              "time [s]",
              "[m/s, rad/s]",
              {run.speed.begin(), run.speed.end()}});
  for (std::size_t i = 0; i < 2; ++i)
    out.figure({"chakraborty-figure-" + std::to_string(7 + i),
                "A sphere on two spheres, contact " + std::to_string(i + 1),
                "time [s]",
                "[N, m/s]",
                {run.force[i].begin(), run.force[i].end()}});
}

}  // namespace stiction::reproduce
