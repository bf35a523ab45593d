// The classical Runge-Kutta method of order 4 for y = (x, v, q, L),
//     x' = v,  m v' = f,  q' = w q/2,  L' = tau,    w = I(q)^-1 L
//     y+ = y + h (k1 + 2 k2 + 2 k3 + k4)/6;   k2, k3 at y + h k1/2, y + h k2/2;   k4 at y + h k3
// with the angular momentum L in world axes, so that free rotation keeps it exactly. Quaternions are
// normalised where they are used and at the end of the step; the vector field is tangent to the sphere, so
// that this costs no order. Trees: y = (q, v) in joint coordinates, tree_stages.cpp. Symbols: smooth.cpp. An
// undamped oscillation of angular frequency w is stable for h w < 2.83 and loses (h w)^6/72 of its energy
// with every step. Reference: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I,
// 2nd ed., II.1.
#include "stiction/step/smooth.h"

namespace stiction::step {
namespace {

/// q + s w q/2, not normalised.
Quat moved(const Quat& q, const Vec3& spin, const Quat& at, double s) {
  const Quat rate = Quat{0, spin.x, spin.y, spin.z} * at;
  const double k = 0.5 * s;
  return {q.w + k * rate.w, q.x + k * rate.x, q.y + k * rate.y, q.z + k * rate.z};
}

}  // namespace

void place_rk4_stage(const Model& m, const State& x, double h, std::size_t k, Workspace& w) {
  const ForceStage& last = w.stage[k - 1];
  Motions& at = w.stage[k].at;
  const double reach = rk4_node[k] * h, part = rk4_node[k] / rk4_weight[k - 1];
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    at.position[i] = x.position[i] + reach * last.at.velocity[i];
    at.velocity[i] = x.velocity[i] + part * velocity_change(m, i, last.impulse[i]);
    if (m.mobility[i] == Mobility::particle) continue;
    at.orientation[i] = normalized(moved(x.orientation[i], last.at.spin[i], last.at.orientation[i], reach));
    at.spin[i] = spin_of(m, i, at.orientation[i], w.turning[i] + part * last.angular_impulse[i]);
  }
  place_prescribed(m, x, h, rk4_node[k], w, at);
  if (!m.trees.empty()) place_runge_kutta_trees(m, x, h, k, w);
}

void finish_rk4(const Model& m, const State& x, double h, Workspace& w) {
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    Vec3 shift, impulse, turn;
    Quat q = x.orientation[i];
    for (std::size_t k = 0; k < 4; ++k) {
      const ForceStage& s = w.stage[k];
      shift += (rk4_weight[k] * h) * s.at.velocity[i];
      impulse += s.impulse[i], turn += s.angular_impulse[i];
      q = moved(q, s.at.spin[i], s.at.orientation[i], rk4_weight[k] * h);
    }
    w.next.position[i] = x.position[i] + shift;
    w.next.velocity[i] = x.velocity[i] + velocity_change(m, i, impulse);
    if (m.mobility[i] == Mobility::particle) continue;
    w.next.orientation[i] = normalized(q);
    w.turning[i] += turn;
    w.next.spin[i] = spin_after(m, i, w.next.orientation[i], x.spin[i], turn, w.turning[i]);
  }
  if (!m.trees.empty()) finish_runge_kutta_trees(m, h, w);
}

void move_by_rk4(const Model& m, double h, const Input& in, const State& x, Workspace& w) {
  begin(m, x, in, h, 4, w);
  for (std::size_t k = 0; k < 4; ++k) {
    if (k > 0) place_rk4_stage(m, x, h, k, w);
    evaluate(m, x, in, x.time + rk4_node[k] * h, rk4_weight[k] * h, k, w);
  }
  finish_rk4(m, x, h, w);
}

StepReport rk4_step(const Model& m, const SmoothSettings& s, const Input& in, State& x, Workspace& w) {
  move_by_rk4(m, s.h, in, x, w);
  return conclude(m, s, x, w);
}

}  // namespace stiction::step
