// Stability of explicit steps with springs. A spring s pulls along a row J_s of velocity coordinates (the
// rate of its length or twist is J_s u); with W = J M^-1 J^T the vibrations of all springs have
//     w^2 <= max over s of  sum over t of sqrt(k_s k_t) |W_st|          (Gershgorin, for k^1/2 W k^1/2)
// and the same bound holds for the rates of damping with c for k. Row s gives the frequency and the damping
// that spring s is judged by: exact for a spring alone, for springs side by side and for chains of equal
// ones; too careful at most by the factor by which the bound is. Then, for x'' = -w^2 x - g x':
//     explicit Euler       g < 2 w:  h < g/w^2;   else  h < 2 / (g/2 + sqrt(g^2/4 - w^2))
//     semi-implicit Euler  h < (sqrt(g^2 + 4 w^2) - g) / w^2   (g = 0: 2/w; w = 0: 2/g); coulomb likewise
//     implicit Euler       every h
//     Verlet, variational, Runge-Kutta   the first h at which an eigenvalue of one step leaves the unit
//     circle
// Symbols: k [N/m] or [N m/rad], c [N s/m] or [N m s/rad], w [rad/s], g [1/s]. Positions are those of the
// present state. When it fails: springs that turn far from where they were; stiffness across a stretched
// spring is not looked at (it is below k, but may find less inertia).
#include "stiction/step/stability.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t most_named = 8;

using Pair = std::array<double, 2>;  // x, v

/// One step of an oscillator.
Pair verlet(const Pair& y, double w2, double g, double h) {
  const double a = -w2 * y[0] - g * y[1], middle = y[1] + 0.5 * h * a, x = y[0] + h * middle;
  return {x, middle + 0.5 * h * (-w2 * x - g * (middle + 0.5 * h * a))};
}
Pair runge_kutta(const Pair& y, double w2, double g, double h) {
  Pair out = y, term = y;
  for (int k = 1; k <= 4; ++k) {
    term = {h / k * term[1], h / k * (-w2 * term[0] - g * term[1])};
    out = {out[0] + term[0], out[1] + term[1]};
  }
  return out;
}

/// The larger absolute value of the eigenvalues of one step.
double radius(Method method, double w2, double g, double h) {
  const auto step = method == Method::rk4 ? runge_kutta : verlet;
  const Pair a = step({1, 0}, w2, g, h), b = step({0, 1}, w2, g, h);
  const double half = 0.5 * (a[0] + b[1]), product = a[0] * b[1] - a[1] * b[0];
  const double d = half * half - product;
  return d < 0 ? std::sqrt(product) : std::fabs(half) + std::sqrt(d);
}

/// The first step at which the radius exceeds 1, in steps of a thousandth of the shortest time of the motion.
double first_unstable(Method method, double w2, double g) {
  const double time = 1 / std::fmax(std::sqrt(w2), g);
  const auto stable = [&](double h) { return radius(method, w2, g, h) <= 1 + 1e-9; };
  double low = 0, high = 0;
  for (int i = 1; i <= 4000 && high == 0; ++i) {
    const double h = 1e-3 * i * time;
    (stable(h) ? low : high) = h;
  }
  if (high == 0) return low;
  for (int i = 0; i < 50; ++i) {
    const double h = 0.5 * (low + high);
    (stable(h) ? low : high) = h;
  }
  return low;
}

/// A spring as a row of velocity coordinates.
struct Row {
  std::array<int, 2> body{-1, -1};
  std::array<Vec3, 2> force, torque;
  double stiffness = 0, damping = 0;
  StepLimit limit;
};

/// What a unit impulse along row s changes the rate of row t by, through one body.
double coupling(const Model& m, const State& x, const Row& s, std::size_t side, const Row& t,
                std::size_t other) {
  const auto i = std::size_t(s.body[side]);
  Vec3 force = s.force[side];
  double out = 0;
  if (m.mobility[i] == Mobility::planar) {
    const Vec3& n = m.plane_normal[i];
    force -= dot(n, force) * n;
    const double inertia = dot(n, world_inertia(m.inertia[i], x.orientation[i]) * n);
    out = dot(n, s.torque[side]) * dot(n, t.torque[other]) / inertia;
  } else if (m.mobility[i] == Mobility::free) {
    const Vec3& d = m.inertia[i];
    const Vec3 a = rotate_back(x.orientation[i], s.torque[side]),
               b = rotate_back(x.orientation[i], t.torque[other]);
    out = a.x * b.x / d.x + a.y * b.y / d.y + a.z * b.z / d.z;
  }
  return out + dot(force, t.force[other]) / m.mass[i];
}

std::vector<Row> rows_of(const Model& m, const State& x) {
  std::vector<Row> rows;
  const forces::Bodies bodies{x.position, x.orientation, x.velocity, x.spin, x.alive};
  for (std::size_t k = 0; k < m.springs.size(); ++k) {
    const ModelSpring& s = m.springs[k];
    if (!forces::acts(x.alive, s.a, s.b)) continue;
    const forces::Point a = forces::point_of(bodies, s.a, s.point_a),
                        b = forces::point_of(bodies, s.b, s.point_b);
    const Vec3 d = b.position - a.position;
    const Vec3 e = norm(d) > 0 ? normalized(d) : Vec3{0, 0, 1};
    rows.push_back({{s.a, s.b},
                    {-e, e},
                    {-cross(a.arm, e), cross(b.arm, e)},
                    s.stiffness,
                    s.damping,
                    {m.spring_name[k], false, 0}});
  }
  for (std::size_t k = 0; k < m.torsions.size(); ++k) {
    const ModelTorsion& t = m.torsions[k];
    if (!forces::acts(x.alive, t.a, t.b)) continue;
    const Vec3 g = forces::twist_of(t, bodies).gradient;
    rows.push_back({{t.a, t.b}, {}, {-g, g}, t.stiffness, t.damping, {m.torsion_name[k], true, 0}});
  }
  return rows;
}

}  // namespace

double stable_step(Method method, double frequency2, double damping) {
  const double w2 = frequency2, g = damping;
  if (method == Method::implicit_euler || (w2 == 0 && g == 0)) return infinite;
  if (method == Method::explicit_euler) {
    const double d = 0.25 * g * g - w2;
    return d < 0 ? g / w2 : 2 / (0.5 * g + std::sqrt(d));
  }
  if (method == Method::coulomb || method == Method::semi_implicit_euler)
    return 4 / (std::sqrt(g * g + 4 * w2) + g);  // = (sqrt(g^2 + 4 w^2) - g) / w^2
  return first_unstable(method, w2, g);
}

std::vector<StepLimit> unstable_springs(const Model& m, const State& x, Method method, double h) {
  std::vector<Row> rows = rows_of(m, x);
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> ends(x.position.size());  // row, side
  for (std::size_t s = 0; s < rows.size(); ++s)
    for (std::size_t side = 0; side < 2; ++side)
      if (const int body = rows[s].body[side]; body >= 0 && m.mobility[std::size_t(body)] != Mobility::none)
        ends[std::size_t(body)].emplace_back(s, side);
  std::vector<StepLimit> out;
  std::vector<double> w(rows.size(), 0.0);
  std::vector<std::size_t> met;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    met.clear();
    for (std::size_t side = 0; side < 2; ++side) {
      if (rows[s].body[side] < 0) continue;
      for (const auto& [t, other] : ends[std::size_t(rows[s].body[side])]) {
        if (w[t] == 0) met.push_back(t);
        w[t] += coupling(m, x, rows[s], side, rows[t], other);
      }
    }
    double frequency2 = 0, damping = 0;
    for (const std::size_t t : met) {
      frequency2 += std::sqrt(rows[s].stiffness * rows[t].stiffness) * std::fabs(w[t]);
      damping += std::sqrt(rows[s].damping * rows[t].damping) * std::fabs(w[t]);
      w[t] = 0;
    }
    rows[s].limit.limit = stable_step(method, frequency2, damping);
    if (h >= rows[s].limit.limit) out.push_back(rows[s].limit);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const StepLimit& a, const StepLimit& b) { return a.limit < b.limit; });
  return out;
}

std::vector<std::string> step_warnings(const Model& m, const State& x, const std::string& method, double h) {
  const std::vector<StepLimit> found = unstable_springs(m, x, method_of(method), h);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(found.size(), most_named); ++i) {
    const std::string noun = std::string(found[i].torsion ? "torsion spring '" : "spring '") + found[i].force;
    char text[120];
    if (found[i].limit > 0)
      std::snprintf(text, sizeof text, "step %.3g s, stable below %.3g s for ", h, found[i].limit);
    else
      std::snprintf(text, sizeof text, "step %.3g s, but %s is stable at no step for the undamped ", h,
                    method.c_str());
    out.push_back(text + noun + "'");
  }
  if (found.size() > most_named)
    out.push_back("... and for " + std::to_string(found.size() - most_named) + " more springs");
  return out;
}

}  // namespace stiction::step
