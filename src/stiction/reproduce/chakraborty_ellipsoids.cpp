// Ellipsoids of uniform density, which the paper names as what its method can do and a distance in closed
// form cannot. The scheme is like the backward Euler method: it loses energy and converges with order one.
#include <array>

#include "stiction/math/elementary.h"
#include "stiction/math/spatial.h"
#include "stiction/reproduce/chakraborty.h"
#include "stiction/reproduce/implicit_runs.h"

namespace stiction::reproduce {
namespace {

constexpr double g = 9.81;

Quat turned(double angle, const Vec3& axis) {
  const Vec3 a = elementary::sin(0.5 * angle) * normalized(axis);
  return {elementary::cos(0.5 * angle), a.x, a.y, a.z};
}

/// Of mass 1, under gravity.
step::ImplicitBody ellipsoid(const Vec3& radii, const Vec3& position, const Quat& orientation) {
  const Vec3 s = times(radii, radii);
  return {.mass = 1,
          .inertia = 0.2 * Vec3{s.y + s.z, s.x + s.z, s.x + s.y},
          .position = position,
          .orientation = orientation,
          .force = {0, 0, -g}};
}
double energy(ImplicitRun& run, int body) { return run.kinetic() + g * run.body(body).position.z; }

// ---- rocking -----------------------------------------------------------------------------------------

struct Rocking {
  double angle = 0;                  // [rad] at 1 s
  double half_period = 0;            // [s] between the first two times it is level
  double end = 0;                    // [J] at 4 s
  double rise = -1e300, across = 0;  // [J] largest change in a step; [m, rad] out of the plane
  double lowest_gap = 0, iterations = 0;
  Series angles;
};
Rocking rock(double h, const std::string& label) {
  const Vec3 radii{1, 0.8, 0.5};
  const double c = elementary::cos(0.4), s = elementary::sin(0.4);
  ImplicitRun run(h);
  const int plane = run.add(HalfSpace{{0, 0, 1}, 0}, {});
  const int body = run.add(Ellipsoid{radii},
                           ellipsoid(radii, {0, 0, std::sqrt(s * s + 0.25 * c * c)}, turned(0.4, {0, 1, 0})));
  run.touch(body, plane, 1, 0.4);
  Rocking out;
  out.angles.label = label;
  double before = energy(run, body), last = 0.4, first = -1;
  const int steps = int(4 / h + 0.5);
  for (int k = 1; k <= steps; ++k) {
    run.step();
    const step::ImplicitBody& b = run.body(body);
    const double angle = 2 * elementary::atan2(b.orientation.y, b.orientation.w), now = energy(run, body);
    out.rise = std::fmax(out.rise, now - before), before = now;
    out.across = std::fmax(out.across, std::fabs(b.position.y) + std::fabs(b.orientation.x));
    if (k == int(1 / h + 0.5)) out.angle = angle;
    if ((last > 0) != (angle > 0) && out.half_period <= 0) {
      const double t = h * (k - 1 + last / (last - angle));
      (first < 0 ? first : out.half_period) = first < 0 ? t : t - first;
    }
    last = angle;
    out.angles.x.push_back(k * h), out.angles.y.push_back(angle);
  }
  out.end = before, out.lowest_gap = run.lowest_gap(), out.iterations = run.mean_iterations();
  return out;
}

// ---- rolling -----------------------------------------------------------------------------------------

constexpr Vec3 rolling_radii{1, 0.8, 0.6};

/// An ellipsoid that rolls without slip and turns freely about the normal: (J - m [r]x[r]x) w' = -w x J w + m
/// r x (r' x w + g e), r from the centre to the contact. Runge-Kutta 4.
struct RollingBody {
  Vec3 x;
  Quat q;
  Vec3 w;

  static Vec3 arm(const SymMat3& s) {
    const Vec3 se{s.xz, s.yz, s.zz};
    return -1.0 * se / std::sqrt(se.z);
  }
  SymMat3 form() const {
    const Vec3 d = times(rolling_radii, rolling_radii);
    return stiction::turned(rotation_matrix(q), {d.x, d.y, d.z, 0, 0, 0});
  }
  struct Rate {
    Vec3 x;
    Quat q;
    Vec3 w;
  };
  Rate rate() const {
    const Vec3 d = times(rolling_radii, rolling_radii), e{0, 0, 1};
    const SymMat3 s = form();
    const SymMat3 J = stiction::turned(rotation_matrix(q),
                                       {0.2 * (d.y + d.z), 0.2 * (d.x + d.z), 0.2 * (d.x + d.y), 0, 0, 0});
    const Vec3 se = s * e, r = arm(s), ds = cross(w, se) - s * cross(w, e);
    const double n = std::sqrt(se.z);
    const Vec3 dr = (0.5 * ds.z / (n * n * n)) * se - ds / n;
    const Vec3 torque = cross(r, cross(dr, w) + g * e) - cross(w, J * w);
    SymMat3 a = J;
    a += point_moments(1, r);
    const Vec3 c0{a.xx, a.xy, a.xz}, c1{a.xy, a.yy, a.yz}, c2{a.xz, a.yz, a.zz};
    const double det = dot(c0, cross(c1, c2));
    const Vec3 dw =
        Vec3{dot(torque, cross(c1, c2)), dot(c0, cross(torque, c2)), dot(c0, cross(c1, torque))} / det;
    const Quat dq = Quat{0, w.x, w.y, w.z} * q;
    return {-cross(w, r), {0.5 * dq.w, 0.5 * dq.x, 0.5 * dq.y, 0.5 * dq.z}, dw};
  }
  RollingBody moved(const Rate& k, double h) const {
    return {x + h * k.x, {q.w + h * k.q.w, q.x + h * k.q.x, q.y + h * k.q.y, q.z + h * k.q.z}, w + h * k.w};
  }
  void step(double h) {
    const Rate a = rate(), b = moved(a, h / 2).rate(), c = moved(b, h / 2).rate(), d = moved(c, h).rate();
    *this = moved(a, h / 6).moved(b, h / 3).moved(c, h / 3).moved(d, h / 6);
    q = normalized(q);
  }
};
RollingBody rolling_start() {
  RollingBody out{{}, turned(0.6, {1, 2, 0.5}), {1, 2, 0.3}};
  out.x.z = -RollingBody::arm(out.form()).z;
  return out;
}

struct RollingErrors {
  double place = 0, spin = 0, gap = 0;  // [m], [rad/s], [m]
  double end = 0;                       // [J]
  Series x, y;
};
RollingErrors roll(double h) {
  RollingBody exact = rolling_start();
  ImplicitRun run(h);
  const int plane = run.add(HalfSpace{{0, 0, 1}, 0}, {});
  const int body = run.add(Ellipsoid{rolling_radii}, ellipsoid(rolling_radii, exact.x, exact.q));
  run.body(body).spin = exact.w, run.body(body).velocity = exact.rate().x;
  run.touch(body, plane, 1.5);
  RollingErrors out;
  out.x.label = "x", out.y.label = "y";
  const int steps = int(1 / h + 0.5);
  for (int k = 1; k <= steps; ++k) {
    run.step();
    constexpr int parts = 10;
    for (int i = 0; i < parts; ++i) exact.step(h / parts);
    const step::ImplicitBody& b = run.body(body);
    out.place = std::fmax(out.place, max_component(abs(b.position - exact.x)));
    out.spin = std::fmax(out.spin, max_component(abs(b.spin - exact.w)));
    out.x.x.push_back(k * h), out.x.y.push_back(b.position.x - exact.x.x);
    out.y.x.push_back(k * h), out.y.y.push_back(b.position.y - exact.x.y);
  }
  out.end = energy(run, body), out.gap = -run.lowest_gap();
  return out;
}

const std::array<double, 3> steps{0.01, 0.005, 0.0025};
const std::array<std::string, 3> step_words{"h = 0.01", "h = 0.005", "h = 0.0025"};

}  // namespace

void chakraborty_rocking(Outcome& out) {
  struct Row {
    double angle, half_period, end;
  };
  constexpr Row rows[] = {
      {-0.16644, 0.72521, 5.27409}, {-0.19561, 0.73769, 5.52523}, {-0.21133, 0.74446, 5.70538}};
  constexpr double exact = -0.22778;  // [rad] at 1 s, by quadrature
  Figure figure{"chakraborty-rocking", "An ellipsoid that rocks on a plane", "time [s]", "angle [rad]", {}};
  double errors[3] = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const Rocking r = rock(steps[i], step_words[i]);
    const std::string& words = step_words[i];
    errors[i] = r.angle - exact;
    out.claim(words + ": angle at 1 s [rad]", "", rows[i].angle, r.angle, Band::absolute(1e-5));
    out.claim(words + ": first half period [s]", "", rows[i].half_period, r.half_period,
              Band::absolute(1e-4));
    out.claim(words + ": energy at 4 s [J]", "", rows[i].end, r.end, Band::absolute(1e-5));
    out.claim(words + ": largest change of the energy in a step [J]", "", r.rise, Band::at_most(0));
    out.claim(words + ": motion out of the plane [m, rad]", "", r.across, Band::at_most(1e-12));
    out.claim(words + ": largest overlap [m]", "", -r.lowest_gap, Band::at_most(1e-12));
    figure.series.push_back(r.angles);
  }
  out.claim("ratio of the errors at 1 s, h = 0.01 / 0.005", "", errors[0] / errors[1],
            Band::between(1.6, 2.1));
  out.claim("ratio of the errors at 1 s, h = 0.005 / 0.0025", "", errors[1] / errors[2],
            Band::between(1.6, 2.1));
  out.figure(std::move(figure));
}

void chakraborty_rolling(Outcome& out) {
  struct Row {
    double place, spin, end;
  };
  constexpr Row rows[] = {
      {6.87e-3, 1.24e-2, 9.42599}, {3.46e-3, 6.17e-3, 9.43982}, {1.74e-3, 3.08e-3, 9.44675}};
  RollingErrors errors[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const RollingErrors e = errors[i] = roll(steps[i]);
    const std::string& words = step_words[i];
    out.claim(words + ": largest error of the place in 1 s [m]", "", rows[i].place, e.place,
              Band::relative(0.05));
    out.claim(words + ": largest error of the spin in 1 s [rad/s]", "", rows[i].spin, e.spin,
              Band::relative(0.05));
    out.claim(words + ": energy at 1 s [J]", "", rows[i].end, e.end, Band::absolute(1e-5));
    out.claim(words + ": largest overlap [m]", "", e.gap, Band::at_most(1e-12));
  }
  out.claim("ratio of the errors, h = 0.01 / 0.005", "", errors[0].place / errors[1].place,
            Band::between(1.9, 2.1));
  out.claim("ratio of the errors, h = 0.005 / 0.0025", "", errors[1].place / errors[2].place,
            Band::between(1.9, 2.1));
  out.figure({"chakraborty-rolling",
              "An ellipsoid that rolls on a plane, h = 0.01",
              "time [s]",
              "distance from rolling without slip [m]",
              {errors[0].x, errors[0].y}});
}

void chakraborty_ellipsoids(Outcome& out) {
  struct Row {
    double h;
    Vec3 place;
    double end;
  };
  constexpr Row rows[] = {{0.02, {0.09165, 0.29072, 1.90113}, 18.665784},
                          {0.01, {0.09187, 0.29595, 1.90185}, 18.677065},
                          {0.005, {0.09193, 0.29867, 1.90224}, 18.683391}};
  const char* const words[] = {"h = 0.02", "h = 0.01", "h = 0.005"};
  Figure figure{"chakraborty-ellipsoids", "An ellipsoid on an ellipsoid", "time [s]", "energy [J]", {}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Row& r = rows[i];
    const Vec3 radii{0.8, 0.6, 0.4};
    ImplicitRun run(r.h);
    const int lower = run.add(Ellipsoid{{3, 2, 1.5}}, {});
    const int upper =
        run.add(Ellipsoid{radii}, ellipsoid(radii, {0.15, 0.1, 1.90522183}, turned(0.3, {1, 1, 2})));
    run.touch(upper, lower, 0.5, 0.3);
    Series series{words[i], {0}, {energy(run, upper)}};
    Vec3 place;
    const int one = int(1 / r.h + 0.5);
    for (int k = 1; k <= 3 * one / 2; ++k) {
      run.step();
      series.x.push_back(k * r.h), series.y.push_back(energy(run, upper));
      if (k == one) place = run.body(upper).position;
    }
    const std::string h = words[i];
    for (int j = 0; j < 3; ++j)
      out.claim(h + ": " + "xyz"[j] + " at 1 s [m]", "", r.place[j], place[j], Band::absolute(1e-5));
    out.claim(h + ": energy at 1 s [J]", "", r.end, series.y[std::size_t(one)], Band::absolute(1e-6));
    out.claim(h + ": largest overlap [m]", "", -run.lowest_gap(), Band::at_most(1e-9));
    out.claim(h + ": iterations per step", "", run.mean_iterations(), Band::at_most(6));
    figure.series.push_back(std::move(series));
  }
  out.figure(std::move(figure));
}

}  // namespace stiction::reproduce
