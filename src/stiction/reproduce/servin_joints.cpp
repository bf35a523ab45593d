// Chapters 9 and 13: joints under the stepper SPOOK, (13.1) to (13.5), as the method `spook` has it. The
// document prints no example with numbers; scenes, compliance 1e-8 m/N and damping time 2 h are our choice.
// Reference values of the stepper come from an independent program; those of the motion are exact:
//     pendulum released at theta0:  theta = 2 asin(k cd(w0 t | k^2)),  k = sin(theta0/2)
// with w0^2 = g/l for a point, m g l/I for a body with moment of inertia I about its axis at the distance l.
#include <cstdio>

#include "stiction/reproduce/elliptic.h"
#include "stiction/reproduce/joint_runs.h"
#include "stiction/reproduce/servin.h"

namespace stiction::reproduce {
namespace {

constexpr double g = 9.81, compliance = 1e-8;

double pendulum_at(double theta0, double w0, double t) {
  const long double k = std::sin(theta0 / 2);
  const Jacobi j = jacobi(static_cast<long double>(w0) * t, k * k);
  return double(2 * std::asin(k * (j.cn / j.dn)));
}
std::string with_step(const char* what, double h) {
  char text[120];
  std::snprintf(text, sizeof text, "%s, h = %g s: ", what, h);
  return text;
}

// --- a particle on a rod of length 1

Mechanism particle(double theta0, double eps, double tau) {
  Scene s{.gravity = {0, -g, 0}};
  s.add_body("mass", {.mass = 1, .position = {std::sin(theta0), -std::cos(theta0), 0}, .particle = true});
  Mechanism m(s);
  m.join(-1, 0, {constraints::Row{.kind = constraints::RowKind::distance, .size = 1}}, eps, tau);
  return m;
}

void claim_sag(Outcome& out) {
  for (const double h : {0.01, 0.002})
    for (const double tau : {0.5, 2.0, 5.0}) {
      Mechanism m = particle(0, 1e-3, tau * h);
      for (long i = 0; i < std::lround(60 / h); ++i) m.spook(h);
      char what[120];
      std::snprintf(what, sizeof what, "rod of 1e-3 m/N, 1 kg hanging, h = %g s, tau = %g h: stretch [m]", h,
                    tau);
      out.claim(what, "", 1e-3 * g, -m.state().position[0].y - 1, Band::absolute(1e-10));
    }
}

struct Swing {
  double angle = 0;              // at the end
  double error = 0, turned = 0;  // largest |g| of a point [m], of an axis [rad]
  double least = 0, most = 0;    // energy against the start [J]
  double torque = 0;             // [N m] largest of the rows behind the first three
  std::vector<double> time, angles;
};

/// Runs until `until`; angle(state) is read off after each step.
template <class Angle>
Swing swing(Mechanism& m, double h, double until, const Angle& angle) {
  Swing out;
  const double start = m.totals().energy();
  const long count = std::lround(until / h);
  for (long i = 1; i <= count && m.spook(h); ++i) {
    const auto& values = m.values();
    const std::size_t points = std::min<std::size_t>(values.size(), 3);
    double square = 0;
    for (std::size_t k = 0; k < points; ++k) square += values[k].value * values[k].value;
    out.error = std::fmax(out.error, std::sqrt(square));
    for (std::size_t k = points; k < values.size(); ++k) {
      out.turned = std::fmax(out.turned, std::fabs(values[k].value));
      out.torque = std::fmax(out.torque, std::fabs(m.impulses()[k]) / h);
    }
    const double energy = m.totals().energy() - start;
    out.least = std::fmin(out.least, energy), out.most = std::fmax(out.most, energy);
    out.angle = angle(m.state());
    out.time.push_back(double(i) * h), out.angles.push_back(out.angle);
  }
  return out;
}

Swing swing_particle(double h, double tau) {
  Mechanism m = particle(1, compliance, tau);
  return swing(m, h, 5, [](const State& x) { return std::atan2(x.position[0].x, -x.position[0].y); });
}

void claim_particle(Outcome& out) {
  const double w0 = std::sqrt(g), exact = pendulum_at(1, w0, 5);
  out.claim("point pendulum, exact: angle at 5 s, against independent digits [rad]", "", -0.5303474545, exact,
            Band::absolute(1e-9));
  struct Row {
    double h, angle, error, least, most;
  };
  Figure figure{
      "servin-pendulum", "A point on a rod: SPOOK against the exact swing", "t [s]", "angle [rad]", {}};
  std::vector<double> away, errors;
  for (const Row& r : {Row{0.01, -0.53534102, 1.1241e-3, -0.0752, 0.0612},
                       {0.005, -0.53470124, 2.818e-4, -0.0349, 0.0321},
                       {0.0025, -0.53300239, 7.06e-5, -0.0170, 0.0164},
                       {0.00125, -0.53179551, 1.78e-5, -0.0084, 0.0083}}) {
    const Swing s = swing_particle(r.h, 2 * r.h);
    const std::string name = with_step("point pendulum", r.h);
    out.claim(name + "angle at 5 s [rad]", "", r.angle, s.angle, Band::absolute(1e-6));
    out.claim(name + "largest change of length [m]", "", r.error, s.error, Band::relative(5e-3));
    out.claim(name + "least energy against the start [J]", "", r.least, s.least, Band::absolute(1e-4));
    out.claim(name + "most energy against the start [J]", "", r.most, s.most, Band::absolute(1e-4));
    away.push_back(std::fabs(s.angle - exact)), errors.push_back(s.error);
    if (r.h == 0.01) figure.series.push_back({"spook, h = 0.01 s", s.time, s.angles});
    if (r.h == 0.00125) {
      Series curve{"exact", s.time, {}};
      for (const double t : s.time) curve.y.push_back(pendulum_at(1, w0, t));
      figure.series.push_back(curve);
    }
  }
  out.claim("point pendulum: order of the angle at the last halving", "", 0.88, std::log2(away[2] / away[3]),
            Band::absolute(0.01));
  out.claim("point pendulum: order of the length at the last halving", "", 2,
            std::log2(errors[2] / errors[3]), Band::absolute(0.03));
  struct Tau {
    double steps, error;
  };
  for (const Tau& t : {Tau{0.5, 4.512e-4}, {1, 6.763e-4}, {5, 2.4266e-3}, {10, 4.3789e-3}}) {
    char what[100];
    std::snprintf(what, sizeof what, "point pendulum, h = 0.01 s, tau = %g h: largest change of length [m]",
                  t.steps);
    out.claim(what, "", t.error, swing_particle(0.01, t.steps * 0.01).error, Band::relative(5e-4));
  }
  out.figure(figure);
}

// --- bodies on a ball joint or a hinge

struct Hung {
  double mass = 2;
  Vec3 inertia, pivot;  // pivot in body coordinates; it is held at the origin
  Quat orientation;
  Vec3 spin{};  // [rad/s] world axes
};

Mechanism hung(const Hung& b, const std::vector<constraints::Row>& more, double h) {
  Scene s{.gravity = {0, 0, -g}};
  const Vec3 centre = -rotate(b.orientation, b.pivot);
  s.add_body("body", {.mass = b.mass,
                      .position = centre,
                      .orientation = b.orientation,
                      .velocity = cross(b.spin, centre),
                      .spin = b.spin,
                      .inertia = Vec3{1, 1, 1}});
  Mechanism m(s, b.inertia);
  std::vector<constraints::Row> rows = point_rows({}, b.pivot);
  rows.insert(rows.end(), more.begin(), more.end());
  m.join(-1, 0, rows, compliance, 2 * h);
  return m;
}
/// Rows of a hinge about the world's y axis, which is `axis` in the body.
std::vector<constraints::Row> hinge_rows(const Vec3& pivot, const Vec3& axis) {
  return {angle_row({}, pivot, {1, 0, 0}, axis), angle_row({}, pivot, {0, 0, 1}, axis)};
}
/// How far a body is turned from where it would hang still, by its orientation.
auto hanging_angle(const Hung& b) {
  return [pivot = b.pivot](const State& x) {
    const Vec3 arm = rotate(x.orientation[0], pivot);
    return std::atan2(-arm.x, arm.z);
  };
}

Quat about_y(double angle) { return {std::cos(angle / 2), 0, std::sin(angle / 2), 0}; }
const Hung rod{2, {1.0 / 6, 1.0 / 6, 0.01}, {0, 0, 0.5}, about_y(-1)};

void claim_rod(Outcome& out) {
  const double w0 = std::sqrt(2 * g * 0.5 / (1.0 / 6 + 2 * 0.25)), exact = std::fabs(pendulum_at(1, w0, 2));
  out.claim("rod, exact: angle at 2 s, against independent digits [rad]", "", 0.6209627077, exact,
            Band::absolute(1e-9));
  struct Row {
    double h, angle, error;
  };
  for (const Row& r :
       {Row{0.01, 0.60956459, 8.41e-4}, {0.005, 0.61467493, 2.11e-4}, {0.0025, 0.61763273, 5.32e-5}}) {
    Mechanism ball = hung(rod, {}, r.h), hinge = hung(rod, hinge_rows(rod.pivot, {0, 1, 0}), r.h);
    const Swing a = swing(ball, r.h, 2, hanging_angle(rod)), b = swing(hinge, r.h, 2, hanging_angle(rod));
    out.claim(with_step("rod on a ball joint", r.h) + "|angle| at 2 s [rad]", "", r.angle, std::fabs(a.angle),
              Band::absolute(1e-6));
    out.claim(with_step("rod on a hinge", r.h) + "|angle| at 2 s [rad]", "", r.angle, std::fabs(b.angle),
              Band::absolute(1e-6));
    out.claim(with_step("rod on a ball joint", r.h) + "largest error of the point [m]", "", r.error, a.error,
              Band::relative(5e-3));
    out.claim(with_step("rod on a hinge", r.h) + "largest error of the axis [rad]", "", b.turned,
              Band::at_most(1e-15));
  }
}

void claim_skew_hinge(Outcome& out) {
  const Vec3 axis{0, std::cos(0.3), std::sin(0.3)};
  // moments of inertia that no rigid body has (0.3 > 0.2 + 0.05): the equations do not mind
  const Hung body{2, {0.3, 0.2, 0.05}, {0.3, 0.1, 0.4}, {std::cos(0.15), -std::sin(0.15), 0, 0}};
  const double exact = pendulum_at(-0.7049957429, 3.8413871210, 2);
  out.claim("skew hinge, exact: angle at 2 s, against independent digits [rad]", "", -0.2830772431, exact,
            Band::absolute(1e-9));
  struct Row {
    double h, angle, error, turned, torque;
  };
  std::vector<double> away;
  for (const Row& r : {Row{0.01, -0.27219406, 4.05683961e-4, 5.815237e-8, 5.82758585},
                       {0.005, -0.2773539825, 1.019314305e-4, 5.8224553e-8, 5.82556786},
                       {0.0025, -0.280136725, 2.569990856e-5, 5.8241172e-8, 5.82489711},
                       {0.00125, -0.2815865715, 6.622177024e-6, 5.8244728e-8, 5.824667889}}) {
    Mechanism m = hung(body, hinge_rows(body.pivot, axis), r.h);
    const Swing s = swing(m, r.h, 2, hanging_angle(body));
    const std::string name = with_step("skew hinge", r.h);
    out.claim(name + "angle at 2 s [rad]", "", r.angle, s.angle, Band::absolute(1e-6));
    out.claim(name + "largest error of the point [m]", "", r.error, s.error, Band::relative(1e-4));
    out.claim(name + "largest error of the axis [rad]", "", r.turned, s.turned, Band::relative(1e-4));
    out.claim(name + "largest torque across the axis [N m]", "", r.torque, s.torque, Band::relative(1e-4));
    away.push_back(std::fabs(s.angle - exact));
  }
  out.claim("skew hinge: order of the angle at the last halving", "", 0.98, std::log2(away[2] / away[3]),
            Band::absolute(0.02));
}

void claim_top(Outcome& out) {
  Hung top = rod;
  top.spin = rotate(top.orientation, {1, 0.5, 20});
  const Vec3 exact{-0.31343217, -0.20099549, -0.33370809};
  struct Row {
    double h, away, error, turning, energy;
  };
  for (const Row& r : {Row{0.002, 2.08e-2, 1.96e-4, 2.78e-2, 0.39},
                       {0.001, 1.02e-2, 4.86e-5, 1.37e-2, 0.19},
                       {0.0005, 5.03e-3, 1.21e-5, 6.8e-3, 0.09}}) {
    Mechanism m = hung(top, {}, r.h);
    const double before = m.totals().angular_momentum.z;
    double turning = 0;
    const Swing s = swing(m, r.h, 1, [&](const State& x) {
      turning = std::fmax(turning, std::fabs(x.ledger.now().angular_momentum.z - before));
      return 0.0;
    });
    const std::string name = with_step("top", r.h);
    out.claim(name + "distance of the centre from the exact place at 1 s [m]", "", r.away,
              norm(m.state().position[0] - exact), Band::relative(0.01));
    out.claim(name + "largest error of the point [m]", "", r.error, s.error, Band::relative(0.01));
    out.claim(name + "largest change of L about the vertical [kg m^2/s]", "", r.turning, turning,
              Band::relative(0.01));
    out.claim(name + "energy gained at most [J]", "", r.energy, s.most, Band::absolute(0.01));
  }
}

}  // namespace

void servin_joints(Outcome& out) {
  claim_sag(out);
  claim_particle(out);
  claim_rod(out);
  claim_skew_hinge(out);
  claim_top(out);
}

}  // namespace stiction::reproduce
