// The step of Anitescu and Potra: as that of Stewart and Trinkle, with normal velocities in place of gaps.
//     M (v+ - v) = h f + sum_j n_j c_j + D_j beta_j,      q+ = q + h v+
//     0 <= c     _|_  n'v+ >= 0
//     0 <= beta  _|_  lambda e + D'v+ >= 0,      0 <= lambda  _|_  mu c - e'beta >= 0
// n and D at the start q, forces at the start; nonlinear: n, D and M at q+ of the pass before, until q+
// changes no more. The problem always has a solution, which Lemke's method finds: configurations without one
// at the level of forces (Painleve) included. The law knows no gap, so that which contacts are part of it is
// all:
//   checked    those that are all but closed at q, among them what rests, and those that are closed at
//              q + h v, which stops a body up to h |v| above the surface; then those that q+ violates, until
//              there are none. Of the first and the last the open ones have n'v+ + gap(q)/h >= 0: the body
//              falls on from where it was stopped and ends at the surface; with n'v+ >= 0 it would hang above
//              it, of those that q+ violates by up to h^2 g. Overlap comes of curvature alone. A solution
//              exists still (gap(q) >= 0)
//   predicted  those that are closed at q + h v: overlap is of order h^2 a step and adds up
//   touching   those that are closed at q: a body goes up to h |v| into the surface before it is stopped
// Contacts with an impulse in the last step are not kept wherever they are, as Stewart and Trinkle do:
// without a gap in its law a body would be held where it was stopped, above the surface. Nor can a row on
// velocities remove an overlap that is there. A body that is clear of another at both ends of a step passes
// through it.
// First order. Stabilisation post removes the overlap. Reference: M. Anitescu, F. Potra, Nonlinear Dynamics
// 14 (1997). When it fails: bodies approach each other fast and obliquely, so that the contact of the start
// is not the one they would meet.
#include <cmath>

#include "stiction/step/impulse_step.h"

namespace stiction::step {
namespace {

constexpr auto law = NormalLaw::velocity;

/// [m] below it a contact is closed.
double closed(const CoulombSettings& s, const WorkContact& c) { return s.tolerance * c.size; }

/// [-] of the gap at which a contact is closed: up to it `checked` has those of the start, with their gap in
/// the law where they are open. They would join anyway; at once it takes fewer rounds.
constexpr double near = 100;

void choose(const Model& m, const State& x, const CoulombSettings& s, Workspace& w) {
  orient(m, law, w);
  if (s.activation == Activation::touching) {
    for (WorkContact& c : w.contacts) c.in_problem = c.point.gap <= closed(s, c);
    return;
  }
  if (s.activation == Activation::checked)
    for (WorkContact& c : w.contacts)
      if (c.point.gap <= near * closed(s, c)) take_in(m, c, w.base, 0, NormalLaw::arrival, w);
  predict(m, x, s.h, w.carry, w.next);
  detect_end_contacts(m, w);
  for (const WorkContact& c : w.end_contacts)
    if (c.point.gap <= closed(s, c)) take_in(m, c, w.next, s.h, law, w);
}

/// The contacts of the last pass stay in the problem, each with its law, in the frames that they have now.
/// Closed ones whose features do not meet any more stay as they were found.
void keep(const Model& m, Workspace& w) {
  orient(m, law, w);
  for (const WorkContact& c : w.end_contacts) {
    if (!c.in_problem) continue;
    if (c.touches)
      take_in(m, c, w.base, 0, law, w);
    else if (WorkContact* same = same_of(c, w); same != nullptr)
      same->in_problem = true, same->touches = false;
  }
}

}  // namespace

StepReport anitescu_potra_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                               Workspace& w) {
  StepReport report = started();
  const bool post = s.stabilisation == Stabilisation::post;
  w.carry = {.theta = 1, .angles = true};
  w.promises = {.gap = post, .joint = post, .dissipation = false, .energy = false, .body = false};
  w.may_touch = true;
  if (const Obstacle found = begin_step(m, s, in, x, w); found.reason != nullptr)
    return refused(found.reason, found.body, report);
  const Passes how{
      .joins = NormalLaw::arrival, .checks = s.activation == Activation::checked, .choose_again = keep};
  double residual = -1;
  for (int restarts = 0; residual < 0;) {
    if (w.stop.asked()) return refused(asked_to_stop, -1, report);
    choose(m, x, s, w);
    w.next = w.free;
    residual = solve_passes(m, x, s, how, restarts, w, report);
  }
  if (std::isinf(residual)) return refused(not_for_pivoting, -1, report);
  certify_polyhedral(m, s.h, s.tolerance, residual, w);
  return finish(m, s, x, w, report);
}

}  // namespace stiction::step
