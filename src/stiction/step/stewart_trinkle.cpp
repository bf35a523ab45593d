// The step of Stewart and Trinkle: impulses, velocities and positions from one complementarity problem with
// polyhedral cones.
//     M (v+ - v) = h f + sum_j n_j c_j + D_j beta_j,      q+ = q + h v+
//     0 <= c     _|_  n'v+ + (gap(qb) + n'(q - qb))/h >= 0
//     0 <= beta  _|_  lambda e + D'v+ >= 0,      0 <= lambda  _|_  mu c - e'beta >= 0
// n, D and gap at the predicted pose qb = q + h v, forces at the start (semi-implicit Euler). Planar bodies
// turn by the angle h w+. A body that would arrive in the step ends it at the surface, with what velocity
// that takes; in the next it moves along it. No time of impact is looked for and nothing bounces.
//   linear     one problem. Gaps hold to second order in h; what is missing of one is given back in the next
//              step, by velocity: overlap that was there at the start (an edit) is thrown out so
//   nonlinear  qb := q+, with M of there, until q+ changes no more: gaps and frames are those of the end
// Active set, as in section 4 of the reference: contacts with an impulse in the last step and those that qb
// violates; then those that q+ violates, until there are none.
// First order. Reference: D. Stewart, J. Trinkle, IEEE ICRA 2000; Int. J. Numer. Methods Eng. 39 (1996).
// When it fails: a solution need not exist where normals depend on each other (complementarity/polyhedral.h);
// passes need not settle where features flip or steps are long against curvature. The report says both.
#include <algorithm>
#include <cmath>

#include "stiction/step/impulse_step.h"
#include "stiction/step/joint_laws.h"

namespace stiction::step {
namespace {

constexpr int most_passes = 40;    // [-] of the nonlinear method
constexpr double settled = 1e-13;  // [-] change of a pose, in sizes and radians, that ends them
constexpr int most_rounds = 20;    // [-] of the active set
constexpr double violated = 0.1;   // [-] of the tolerated overlap
constexpr auto law = NormalLaw::gap;

void choose(const Model& m, Workspace& w) {
  orient(m, law, w);
  for (WorkContact& c : w.contacts) c.in_problem = c.impulse != Vec3{} || c.point.gap < 0;
}

/// The candidate becomes the pose of the problem: its contacts, its M.
void linearise_there(Workspace& w) {
  swap_alike(w.contacts, w.end_contacts);
  w.trees.carried.swap(w.trees.carried_next);
  w.base = w.next, w.mass_pose = w.next.orientation;
}

/// [-] the deepest overlap at q+ among contacts that are not part of the problem, which they join.
double add_violated(const Model& m, const CoulombSettings& s, Workspace& w) {
  double worst = 0;
  for (const WorkContact& c : w.end_contacts)
    if (c.point.gap < -violated * s.tolerance * c.size && take_in(m, c, w.next, s.h, law, w))
      worst = std::fmax(worst, -c.point.gap / c.size);
  return worst;
}

/// [-] how far apart two candidates are, over all bodies.
double change_of(const Model& m, const Motions& a, const Motions& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    if (m.mobility[i] == Mobility::none) continue;
    const double size = m.size[i] > 0 ? m.size[i] : 1.0;
    const Quat turn = a.orientation[i] * conjugate(b.orientation[i]);
    const double chord = 2 * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    most = std::fmax(most, std::fmax(norm(a.position[i] - b.position[i]) / size, chord));
  }
  return most;
}

/// The problem at the present w.base, with all contacts that its solution violates. What it is solved to [-];
/// less than 0: a body went beyond its reach.
double solve_here(const Model& m, const State& x, const CoulombSettings& s, int& restarts, Workspace& w,
                  StepReport& report) {
  double residual = 0, left = 0;
  for (int round = 0; round < most_rounds && !w.stop.asked(); ++round) {
    residual = solve_polygons(m, x, s, w, report);
    if (std::isinf(residual)) return residual;
    if (!move_on(m, x, s, restarts, w)) return -1;
    left = add_violated(m, s, w);
    if (left == 0) return residual;
  }
  return std::fmax(residual, left);
}

}  // namespace

StepReport stewart_trinkle_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                                Workspace& w) {
  StepReport report = started();
  const bool post = s.stabilisation == Stabilisation::post;
  w.carry = {.theta = 1, .angles = true};
  w.promises = {.gap = post || s.nonlinear, .joint = post, .dissipation = false};
  w.may_touch = true;
  if (const Obstacle found = begin_step(m, s, in, x, w); found.reason != nullptr)
    return refused(found.reason, found.body, report);

  double residual = -1;
  for (int restarts = 0; residual < 0;) {
    if (w.stop.asked()) return refused(asked_to_stop, -1, report);
    predict(m, x, s.h, w.carry, w.next);  // q + h v, and the contacts there
    look_there(m, w), choose(m, w);
    report.geometry_passes = 1;
    residual = solve_here(m, x, s, restarts, w, report);
    while (s.nonlinear && residual >= 0 && !std::isinf(residual)) {
      const double trees = m.trees.empty() ? 0.0 : carry_trees(m, x, s.h, w);
      const double change = std::fmax(trees, change_of(m, w.next, w.base));
      if (change <= settled) break;
      if (report.geometry_passes == most_passes) {
        residual = std::fmax(residual, change);
        break;
      }
      ++report.geometry_passes;
      linearise_there(w), choose(m, w);
      residual = solve_here(m, x, s, restarts, w, report);
    }
  }
  if (std::isinf(residual)) return refused(not_for_pivoting, -1, report);
  certify_polyhedral(m, s.h, s.tolerance, residual, w);
  return finish(m, s, x, w, report);
}

}  // namespace stiction::step
