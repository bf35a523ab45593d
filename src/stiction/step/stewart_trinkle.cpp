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
#include <cmath>

#include "stiction/step/impulse_step.h"

namespace stiction::step {
namespace {

constexpr auto law = NormalLaw::gap;

void choose(const Model& m, Workspace& w) {
  orient(m, law, w);
  for (WorkContact& c : w.contacts) c.in_problem = c.impulse != Vec3{} || c.point.gap < 0;
}

}  // namespace

StepReport stewart_trinkle_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                                Workspace& w) {
  StepReport report = started();
  const bool post = s.stabilisation == Stabilisation::post;
  w.carry = {.theta = 1, .angles = true};
  w.promises = {
      .gap = post || s.nonlinear, .joint = post, .dissipation = false, .energy = false, .body = false};
  w.may_touch = true;
  if (const Obstacle found = begin_step(m, s, in, x, w); found.reason != nullptr)
    return refused(found.reason, found.body, report);

  double residual = -1;
  for (int restarts = 0; residual < 0;) {
    if (w.stop.asked()) return refused(asked_to_stop, -1, report);
    predict(m, x, s.h, w.carry, w.next);  // q + h v, and the contacts there
    look_there(m, w), choose(m, w);
    residual = solve_passes(m, x, s, {.joins = law, .choose_again = choose}, restarts, w, report);
  }
  if (std::isinf(residual)) return refused(not_for_pivoting, -1, report);
  certify_polyhedral(m, s.h, s.tolerance, residual, w);
  return finish(m, s, x, w, report);
}

}  // namespace stiction::step
