// The step of Anitescu and Potra: as that of Stewart and Trinkle, with normal velocities in place of gaps.
//     M (v+ - v) = h f + sum_j n_j c_j + D_j beta_j,      q+ = q + h v+
//     0 <= c     _|_  n'v+ >= 0
//     0 <= beta  _|_  lambda e + D'v+ >= 0,      0 <= lambda  _|_  mu c - e'beta >= 0
// n and D at the start q, forces at the start. The problem always has a solution, which Lemke's method finds:
// configurations without one at the level of forces (Painleve) included. The law knows no gap, so that which
// contacts are part of it is all:
//   predicted  those that are closed at q + h v: a body is stopped up to h |v| above the surface and falls on
//              from there; overlap is of order h^2 a step and adds up
//   touching   those that are closed at q: a body goes up to h |v| into the surface before it is stopped
// predicted is the default: what is to be stabilised is small. A body that is clear of another at both ends
// of a step passes through it.
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

void choose(const Model& m, const State& x, const CoulombSettings& s, Workspace& w) {
  orient(m, law, w);
  if (!s.predicted) {
    for (WorkContact& c : w.contacts) c.in_problem = c.point.gap <= closed(s, c);
    return;
  }
  predict(m, x, s.h, w.carry, w.next);
  detect_end_contacts(m, w);
  for (const WorkContact& c : w.end_contacts)
    if (c.point.gap <= closed(s, c)) take_in(m, c, w.next, s.h, law, w);
}

}  // namespace

StepReport anitescu_potra_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                               Workspace& w) {
  StepReport report = started();
  const bool post = s.stabilisation == Stabilisation::post;
  w.carry = {.theta = 1, .angles = true};
  w.promises = {.gap = post, .joint = post, .dissipation = false};
  w.may_touch = true;
  if (const Obstacle found = begin_step(m, s, in, x, w); found.reason != nullptr)
    return refused(found.reason, found.body, report);
  double residual = 0;
  int restarts = 0;
  do {
    choose(m, x, s, w);
    w.next = w.free;
    residual = solve_polygons(m, x, s, w, report);
    if (std::isinf(residual)) return refused(not_for_pivoting, -1, report);
  } while (!move_on(m, x, s, restarts, w));
  report.geometry_passes = 1;
  certify_polyhedral(m, s.h, s.tolerance, residual, w);
  return finish(m, s, x, w, report);
}

}  // namespace stiction::step
