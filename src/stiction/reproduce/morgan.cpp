// D. Morgan, Algebraic solution to the planar rigid body impact problem, M.S. thesis, University of Texas at
// Arlington (2011). The document prints a method and pictures without numbers: masses, states and
// coefficients are chosen here, and references come from independent programs (brute-force marching in p_n, a
// second integrator). Two of its conditions are read as |m| <= mu_s, and its coefficient of restitution as
// e^2 = work given back / work stored.
#include "stiction/reproduce/morgan.h"

#include "stiction/impact/generalised.h"
#include "stiction/math/elementary.h"
#include "stiction/reproduce/documents.h"

namespace stiction::reproduce {

std::array<double, 4> DoublePendulum::mass_matrix() const {
  const double c = elementary::cos(q[1]), k = m * r * r;
  const double coupling = k * (0.5 * c + 1.0 / 3);
  return {k * (c + 5.0 / 3), coupling, coupling, k / 3};
}

DoublePendulum::Pair DoublePendulum::tangent() const {
  const double s = elementary::sin(q[0] + q[1]);
  return {-r * (elementary::sin(q[0]) + s), -r * s};
}

DoublePendulum::Pair DoublePendulum::normal() const {
  const double c = elementary::cos(q[0] + q[1]);
  return {r * (elementary::cos(q[0]) + c), r * c};
}

DoublePendulum::Pair DoublePendulum::elbow() const {
  return {r * elementary::cos(q[0]), r * elementary::sin(q[0])};
}

DoublePendulum::Pair DoublePendulum::tip() const {
  const Pair e = elbow();
  return {e[0] + r * elementary::cos(q[0] + q[1]), e[1] + r * elementary::sin(q[0] + q[1])};
}

DoublePendulum::Pair DoublePendulum::acceleration() const {
  const std::array<double, 4> M = mass_matrix();
  const double s = 0.5 * m * r * r * elementary::sin(q[1]), w = m * g * r;
  const double c1 = elementary::cos(q[0]), c12 = elementary::cos(q[0] + q[1]);
  const double f1 = s * (2 * u[0] * u[1] + u[1] * u[1]) - w * (1.5 * c1 + 0.5 * c12);
  const double f2 = -s * u[0] * u[0] - 0.5 * w * c12;
  const double det = M[0] * M[3] - M[1] * M[2];
  return {(M[3] * f1 - M[1] * f2) / det, (M[0] * f2 - M[2] * f1) / det};
}

double DoublePendulum::energy() const {
  const std::array<double, 4> M = mass_matrix();
  const double kinetic = 0.5 * (M[0] * u[0] * u[0] + M[3] * u[1] * u[1]) + M[1] * u[0] * u[1];
  return kinetic + m * g * r * (1.5 * elementary::sin(q[0]) + 0.5 * elementary::sin(q[0] + q[1]));
}

impact::Outcome DoublePendulum::hit(const impact::Coefficients& c) {
  const std::array<double, 4> M = mass_matrix();
  const Pair n = normal(), t = tangent(), before = u;
  std::array<double, impact::scratch_of(2)> room{};
  return impact::solve(impact::PlanarContact{M, n, t, before}, c, u, room);
}

Document morgan() {
  static constexpr std::array<Example, 3> examples{{
      {"branches", "every order of events in closed form; Figures 2.2 to 2.7 and 2.9", morgan_branches},
      {"pendulum", "a double pendulum that hits a floor; Figure 3.1", morgan_pendulum},
      {"space", "slip that turns, sticks, reverses; chapter 4", morgan_space},
  }};
  return {"morgan", "D. Morgan, Algebraic solution to the planar rigid body impact problem (2011)", examples};
}

}  // namespace stiction::reproduce
