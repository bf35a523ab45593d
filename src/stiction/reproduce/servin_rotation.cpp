// Chapter 6: free rotation of a rigid body, I = (1, 2, 3) kg m^2, started near its middle axis with
// w = (0.01, 1, 0.01) rad/s (our choice), where it flips over again and again. In body axes
//     w = (A1 cn, A2 sn, A3 dn)(lambda t + tau0 | m)
// with 2T = w.Iw, L^2 = |Iw|^2, A1^2 = (2T I3 - L^2)/(I1 (I3 - I1)), A2^2 = (2T I3 - L^2)/(I2 (I3 - I2)),
// A3^2 = (L^2 - 2T I1)/(I3 (I3 - I1)), lambda^2 = (I3 - I2)(L^2 - 2T I1)/(I1 I2 I3),
// m = (I2 - I1)(2T I3 - L^2)/((I3 - I2)(L^2 - 2T I1)), tau0 = F(atan2(w2/A2, w1/A1) | m).
// The document's stepper, (6.57) to (6.66), is semi_implicit_euler; its gyroscopic torque needs the minus
// sign that (6.63) leaves out.
#include "stiction/reproduce/elliptic.h"
#include "stiction/reproduce/runs.h"
#include "stiction/reproduce/servin.h"

namespace stiction::reproduce {
namespace {

const Vec3 inertia{1, 2, 3}, first{0.01, 1, 0.01};

World body(double step, Method method) {
  Scene s;
  s.add_body("body", {.mass = 1, .spin = first, .inertia = inertia});
  return world_of(s, step, method);
}
/// Angular velocity in body axes.
Vec3 spin_of(const World& world) { return rotate_back(world.state().orientation[0], world.state().spin[0]); }

class Exact {
 public:
  Exact() {
    const long double I1 = inertia.x, I2 = inertia.y, I3 = inertia.z;
    const long double w1 = first.x, w2 = first.y, w3 = first.z;
    const long double T2 = I1 * w1 * w1 + I2 * w2 * w2 + I3 * w3 * w3,
                      L2 = I1 * I1 * w1 * w1 + I2 * I2 * w2 * w2 + I3 * I3 * w3 * w3;
    const long double p = T2 * I3 - L2, r = L2 - T2 * I1;
    a1_ = std::sqrt(p / (I1 * (I3 - I1))), a2_ = std::sqrt(p / (I2 * (I3 - I2)));
    a3_ = std::sqrt(r / (I3 * (I3 - I1)));
    rate_ = std::sqrt((I3 - I2) * r / (I1 * I2 * I3)), m_ = (I2 - I1) * p / ((I3 - I2) * r);
    start_ = incomplete_f(std::atan2(w2 / a2_, w1 / a1_), m_);
  }
  Vec3 at(double t) const {
    const Jacobi j = jacobi(rate_ * t + start_, m_);
    return {double(a1_ * j.cn), double(a2_ * j.sn), double(a3_ * j.dn)};
  }

 private:
  long double a1_, a2_, a3_, rate_, m_, start_;
};

void claim_exact(const Exact& exact, Outcome& out) {
  const Vec3 at20 = exact.at(20);
  out.claim("elliptic solution: w2 at t = 20 s, against independent digits [rad/s]", "", -1.000033099, at20.y,
            Band::absolute(1e-9));
  const double h = 1e-3;
  World world = body(h, Method::rk4);
  Figure figure{
      "servin-rotation", "Free rotation near the middle axis", "t [s]", "w in body axes [rad/s]", {}};
  for (const char* name : {"w1", "w2", "w3"}) figure.series.push_back({name, {0}, {}});
  for (int k = 0; k < 3; ++k) figure.series[std::size_t(k)].y.push_back(first[k]);
  double worst = 0, crossing = -1, flip = -1;
  Quat q20;
  Vec3 last = first;
  run(world, 40000, [&] {
    const Vec3 w = spin_of(world);
    if (world.state().step_count <= 20000) worst = std::fmax(worst, norm(w - exact.at(world.time())));
    if (world.state().step_count == 20000) q20 = world.state().orientation[0];
    if ((w.y > 0) != (last.y > 0)) {  // dw2/dt = (I3 - I1)/I2 w3 w1 = w3 w1
      const Cubic c{last.y, last.z * last.x, w.y, w.z * w.x, h};
      const double time = world.time() - h + h * c.zero();
      if (crossing >= 0 && flip < 0) flip = time - crossing;
      if (crossing < 0) crossing = time;
    }
    last = w;
    if (world.state().step_count % 50 == 0)
      for (int k = 0; k < 3; ++k) {
        figure.series[std::size_t(k)].x.push_back(world.time());
        figure.series[std::size_t(k)].y.push_back(w[k]);
      }
  });
  out.claim("Runge-Kutta 4, h = 0.001 s: largest |w - elliptic| in 20 s [rad/s]", "", worst,
            Band::at_most(1e-8));
  const Quat r{-0.0141547450, 0.9985069357, -0.0039012434, -0.0526148535};
  const double sign = q20.x * r.x < 0 ? -1 : 1;
  out.claim(
      "Runge-Kutta 4: orientation at 20 s, distance from independent digits", "",
      std::sqrt(norm2(Quat{q20.w - sign * r.w, q20.x - sign * r.x, q20.y - sign * r.y, q20.z - sign * r.z})),
      Band::at_most(1e-8));
  out.claim("Runge-Kutta 4: time of a flip [s]", "", 19.5528670986, flip, Band::relative(1e-8));
  out.figure(figure);
}

/// Error of w at 20 s, and the largest relative change of the angular momentum.
struct Errors {
  double spin = 0, momentum = 0, energy = 0;
};
Errors errors_of(Method method, double h, const Exact& exact) {
  World world = body(h, method);
  const Totals start = world.ledger().now();
  Errors e;
  run(world, std::lround(20 / h), [&] {
    const Totals& now = world.ledger().now();
    e.momentum = std::fmax(
        e.momentum, norm(now.angular_momentum - start.angular_momentum) / norm(start.angular_momentum));
    e.energy = std::fmax(e.energy, std::fabs(now.kinetic / start.kinetic - 1));
  });
  e.spin = norm(spin_of(world) - exact.at(20));
  return e;
}

void claim_stepper(const Exact& exact, Outcome& out) {
  struct Row {
    double h, spin, momentum;
  };
  for (const Row& row :
       {Row{0.01, 5.812e-3, 6.40e-3}, {0.005, 2.897e-3, 3.19e-3}, {0.0025, 1.447e-3, 1.59e-3}}) {
    const Errors e = errors_of(Method::semi_implicit_euler, row.h, exact);
    char step[40];
    std::snprintf(step, sizeof step, "stepper (6.57), h = %g s: ", row.h);
    out.claim(step + std::string("|w - elliptic| at 20 s [rad/s]"), "", row.spin, e.spin,
              Band::relative(0.02));
    out.claim(step + std::string("largest |dL|/L"), "", row.momentum, e.momentum, Band::relative(0.02));
  }
  const Errors midpoint = errors_of(Method::velocity_verlet, 0.01, exact);
  out.claim("velocity Verlet (implicit midpoint), h = 0.01 s: largest |dL|/L", "", midpoint.momentum,
            Band::at_most(1e-12));
  out.claim("velocity Verlet (implicit midpoint), h = 0.01 s: largest |dT|/T", "", midpoint.energy,
            Band::at_most(1e-12));
}

/// "Preserves the invariants": the energy of the variational rule oscillates, without a trend.
void claim_variational(Outcome& out) {
  World world = body(0.05, Method::variational);
  const Totals start = world.ledger().now();
  double least = start.kinetic, most = start.kinetic, momentum = 0;
  LineFit fit;
  run(world, 1000000, [&] {
    const Totals& now = world.ledger().now();
    least = std::fmin(least, now.kinetic), most = std::fmax(most, now.kinetic);
    momentum = std::fmax(momentum,
                         norm(now.angular_momentum - start.angular_momentum) / norm(start.angular_momentum));
    fit.add(now.kinetic);
  });
  out.claim("variational, h = 0.05 s: fitted energy drift in 10^6 steps / oscillation",
            "preserves system invariants", std::fabs(fit.slope()) * fit.count() / (most - least),
            Band::at_most(0.1));
  out.claim("variational: oscillation of the energy, relative", "", (most - least) / start.kinetic,
            Band::between(1e-6, 1e-2));
  out.claim("variational: largest |dL|/L in 10^6 steps", "preserves system invariants", momentum,
            Band::at_most(1e-11));
}

}  // namespace

void servin_rotation(Outcome& out) {
  const Exact exact;
  claim_exact(exact, out);
  claim_stepper(exact, out);
  claim_variational(out);
}

}  // namespace stiction::reproduce
