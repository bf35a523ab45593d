// The time stepping of Moreau and Jean: velocities that jump, with Coulomb's exact cone, and a theta method
// for positions.
//     M (v+ - v) = h f(qm) + G(qc)^T r,     q+ = q + h (theta v+ + (1 - theta) v),     qm = q + (1 - theta) h
//     v K* contains (u_n + mu |u_t|, u_t),  r in K,  orthogonal           for contacts that are closed at qc
// with u = G v+ and the predicted pose qc = q + h v/2. theta in [1/2, 1]. theta = 1/2, the default, is
// Moreau's midpoint scheme: gravity's work is that of the motion (a body that falls has the exact parabola),
// and springs neither gain nor lose in the mean up to h w = 2. theta = 1 is semi-implicit Euler, with forces
// at the start. Trees and mechanisms move with v+ whatever theta is. Contacts know velocities alone: they
// overlap by up to h |v|/2 at an impact (theta = 1/2: h |v+ + v|/2 less what was open), which stabilisation
// post removes. First order at impacts, second between them. Reference: J. J. Moreau, CISM 302 (1988); M.
// Jean, Comput. Methods Appl. Mech. Eng. 177 (1999); V. Acary, B. Brogliato (2008), chapter 10. When it
// fails: as anitescu_potra.cpp; friction problems that no solver finishes are reported as unconverged.
// Contacts with restitution that are closed at qc and approach are hit before the step (impacts.cpp); at
// theta = 1/2 nothing else changes the energy of bodies that fly.
#include "stiction/step/impacts.h"
#include "stiction/step/impulse_step.h"

namespace stiction::step {
namespace {

/// Contacts at the predicted pose; those that are closed there are in the problem.
void predict_contacts(const Model& m, const State& x, const CoulombSettings& s, Workspace& w) {
  predict(m, x, 0.5 * s.h, w.carry, w.next);
  look_there(m, w);
  orient(m, NormalLaw::velocity, w);
  for (WorkContact& c : w.contacts) c.in_problem = c.point.gap <= s.tolerance * c.size;
}

/// Closed contacts that rebound, at once.
Obstacle hit_closed(const Model& m, const CoulombSettings& s, const Input& in, State& x, Workspace& w) {
  if (begin_step(m, s, in, x, w).reason != nullptr) return {};  // the step will say so
  predict_contacts(m, x, s, w);
  bool any = false;
  for (WorkContact& c : w.contacts) {
    c.due = c.in_problem && rebounds(m, x, s, c, w);
    any = any || c.due;
  }
  return any ? hit(m, x, s.h, w) : Obstacle{};
}

StepReport step_after_impacts(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                              Workspace& w) {
  StepReport report = started();
  if (const Obstacle found = begin_step(m, s, in, x, w); found.reason != nullptr)
    return refused(found.reason, found.body, report);
  int restarts = 0;
  do {
    predict_contacts(m, x, s, w);
    if (m.bounces && w.impacts.count.stopped == 0)  // what impacts threw at others rebounds in the next step
      for (WorkContact& c : w.contacts) c.in_problem = c.in_problem && !rebounds(m, x, s, c, w);
    solve_cones(m, x, s, w, report);
  } while (!move_on(m, x, s, restarts, w));
  report.geometry_passes = 1;
  certify_at_start(m, s.h, s.tolerance, w, Judged::chosen);
  return finish(m, s, x, w, report);
}

}  // namespace

StepReport moreau_jean_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                            Workspace& w) {
  const bool post = s.stabilisation == Stabilisation::post;
  w.carry = {.theta = s.theta, .angles = true};
  w.promises = {.gap = post, .joint = post, .dissipation = true, .energy = false};
  w.may_touch = true;
  start_impacts(w);
  const Obstacle found = m.bounces ? hit_closed(m, s, in, x, w) : Obstacle{};
  StepReport report = found.reason != nullptr ? refused(found.reason, found.body, started())
                                              : step_after_impacts(m, s, in, x, w);
  end_impacts(w, x, report);
  return report;
}

}  // namespace stiction::step
