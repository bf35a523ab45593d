// A half ball of radius 1, as the intersection of a ball and a half-space: on its round side, dropped on its
// rim, sliding on its face. Which inequalities carry the contact is part of the problem.
#include <array>

#include "stiction/math/elementary.h"
#include "stiction/reproduce/chakraborty.h"
#include "stiction/reproduce/implicit_runs.h"

namespace stiction::reproduce {
namespace {

constexpr double g = 9.81, pi = 3.14159265358979323846;

/// Adds a plane and the dome, its centre of mass at its origin, its face below.
int add_dome(ImplicitRun& run, const step::ImplicitBody& start, double mu) {
  Result<Intersection> dome = intersection({ball_face({0, 0, -0.375}, 1), HalfSpace{{0, 0, -1}, 0.375}});
  STICTION_ASSERT(dome);  // the example is ours
  const int plane = run.add(HalfSpace{{0, 0, 1}, 0}, {});
  step::ImplicitBody body = start;
  body.mass = 1, body.inertia = {83.0 / 320, 83.0 / 320, 0.4}, body.force = {0, 0, -g};
  const int out = run.add(std::move(dome).value(), body);
  run.touch(out, plane, mu, 0.4);
  return out;
}
Quat turned(double angle, const Vec3& axis) {
  const Vec3 a = elementary::sin(0.5 * angle) * normalized(axis);
  return {elementary::cos(0.5 * angle), a.x, a.y, a.z};
}
double energy(ImplicitRun& run, int body) { return run.kinetic() + g * run.body(body).position.z; }

/// On the round side.
void rocks(Outcome& out, Figure& figure) {
  struct Row {
    double h;
    const char* words;
    double half_period, end;
  };
  constexpr Row rows[] = {{0.01, "rocking, h = 0.01", 1.38348, 6.52543},
                          {0.005, "rocking, h = 0.005", 1.38565, 6.55261},
                          {0.0025, "rocking, h = 0.0025", 1.38682, 6.56687}};
  double errors[3] = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const Row& r = rows[i];
    ImplicitRun run(r.h);
    const int dome = add_dome(
        run,
        {.position = {0, 0, 1 - 0.375 * elementary::cos(0.5)}, .orientation = turned(pi - 0.5, {0, 1, 0})},
        0.8);
    double before = energy(run, dome), rise = -1e300, last = -0.5, first = -1, half = -1;
    Series angles{r.words, {}, {}};
    const int steps = int(2.5 / r.h + 0.5);
    for (int k = 1; k <= steps; ++k) {
      run.step();
      const double now = energy(run, dome);
      rise = std::fmax(rise, now - before), before = now;
      const Quat& q = run.body(dome).orientation;
      const double angle = 2 * elementary::atan2(q.y, q.w) - pi;
      if ((last > 0) != (angle > 0) && half < 0) {
        const double t = r.h * (k - 1 + last / (last - angle));
        (first < 0 ? first : half) = first < 0 ? t : t - first;
      }
      last = angle;
      angles.x.push_back(k * r.h), angles.y.push_back(angle);
    }
    errors[i] = half - 1.38804;  // exact, by quadrature
    const std::string words = r.words;
    out.claim(words + ": half period [s]", "", r.half_period, half, Band::absolute(1e-3));
    out.claim(words + ": energy at 2.5 s [J]", "", r.end, before, Band::absolute(1e-4));
    out.claim(words + ": largest change of the energy in a step [J]", "", rise, Band::at_most(0));
    out.claim(words + ": largest overlap [m]", "", -run.lowest_gap(), Band::at_most(1e-8));
    figure.series.push_back(std::move(angles));
  }
  out.claim("rocking: ratio of the errors, h = 0.01 / 0.005", "", errors[0] / errors[1],
            Band::between(1.6, 2.2));
  out.claim("rocking: ratio of the errors, h = 0.005 / 0.0025", "", errors[1] / errors[2],
            Band::between(1.6, 2.2));
}

/// On the rim, then flat.
void lands(Outcome& out) {
  for (const step::FrictionRows rows : {step::FrictionRows::projection, step::FrictionRows::multiplier}) {
    ImplicitRun run(0.01, rows);
    const int dome =
        add_dome(run, {.position = {0, 0, 0.66074612}, .orientation = turned(0.25, {1, 0.3, 0})}, 0.5);
    double before = energy(run, dome), rise = -1e300;
    bool solved = true;
    for (int k = 1; k <= 150; ++k) {
      solved = run.step() && solved;
      const double now = energy(run, dome);
      rise = std::fmax(rise, now - before), before = now;
    }
    const step::ImplicitBody& b = run.body(dome);
    const std::string words =
        rows == step::FrictionRows::projection ? "dropped" : "dropped, the paper's friction rows";
    const double nan = std::nan("");
    out.claim(words + ": x at rest [m]", "", -0.01614, solved ? b.position.x : nan, Band::absolute(1e-5));
    out.claim(words + ": y at rest [m]", "", 0.05380, solved ? b.position.y : nan, Band::absolute(1e-5));
    out.claim(words + ": z at rest [m]", "", 0.375, b.position.z, Band::absolute(1e-8));
    out.claim(words + ": tilt at rest [rad]", "", 2 * norm(Vec3{b.orientation.x, b.orientation.y, 0}),
              Band::at_most(1e-8));
    out.claim(words + ": energy at rest [J]", "", 0.375 * g, before, Band::absolute(1e-8));
    out.claim(words + ": normal force at rest [N]", "", g, run.contact(0).normal_impulse / run.h(),
              Band::relative(1e-8));
    const Vec3 offset = run.contact(0).point_f - b.position;
    out.claim(words + ": centre of pressure from the centre of mass [m]", "",
              norm(Vec3{offset.x, offset.y, 0}), Band::at_most(1e-8));
    out.claim(words + ": largest change of the energy in a step [J]", "", rise, Band::at_most(1e-12));
    out.claim(words + ": largest overlap [m]", "", -run.lowest_gap(), Band::at_most(1e-8));
  }
}

/// On the face: v = v0 - mu g t, the pressure ahead of the centre of mass by mu times its height.
void slides(Outcome& out) {
  const double mu = 0.5, h = 0.01;
  ImplicitRun run(h);
  const int dome = add_dome(run, {.position = {0, 0, 0.375}, .velocity = {2, 0, 0}}, mu);
  double speed = 0, place = 0, tilt = 0, stops = -1;
  for (int k = 1; k <= 60; ++k) {
    run.step();
    const step::ImplicitBody& b = run.body(dome);
    const double exact = 2 - mu * g * h * k, ahead = run.contact(0).point_f.x - b.position.x;
    if (exact > 0) {
      speed = std::fmax(speed, std::fabs(b.velocity.x - exact));
      place = std::fmax(place, std::fabs(ahead - 0.375 * mu));
    } else if (stops < 0 && std::fabs(b.velocity.x) < 1e-9) {
      stops = k * h;
    }
    tilt = std::fmax(tilt, norm(Vec3{b.orientation.x, b.orientation.y, b.orientation.z}));
  }
  out.claim("sliding: largest error of the speed [m/s]", "", speed, Band::at_most(1e-9));
  out.claim("sliding: largest error of the centre of pressure [m]", "", place, Band::at_most(1e-9));
  out.claim("sliding: the step that stops it ends at [s]", "", 0.41, stops, Band::absolute(1e-9));
  out.claim("sliding: largest tilt [-]", "", tilt, Band::at_most(1e-9));
  out.claim("sliding: centre of pressure at rest [m]", "",
            std::fabs(run.contact(0).point_f.x - run.body(dome).position.x), Band::at_most(1e-9));
}

}  // namespace

void chakraborty_dome(Outcome& out) {
  Figure figure{
      "chakraborty-dome", "A half ball that rocks on its round side", "time [s]", "angle [rad]", {}};
  rocks(out, figure);
  lands(out);
  slides(out);
  out.figure(std::move(figure));
}

}  // namespace stiction::reproduce
