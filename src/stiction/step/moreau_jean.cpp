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
#include "stiction/step/impulse_step.h"

namespace stiction::step {

StepReport moreau_jean_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                            Workspace& w) {
  StepReport report = started();
  const bool post = s.stabilisation == Stabilisation::post;
  w.carry = {.theta = s.theta, .angles = true};
  w.promises = {.gap = post, .joint = post, .dissipation = true};
  w.may_touch = true;
  if (const Obstacle found = begin_step(m, s, in, x, w); found.reason != nullptr)
    return refused(found.reason, found.body, report);
  int restarts = 0;
  do {
    predict(m, x, 0.5 * s.h, w.carry, w.next);
    look_there(m, w);
    orient(m, NormalLaw::velocity, w);
    for (WorkContact& c : w.contacts) c.in_problem = c.point.gap <= s.tolerance * c.size;
    solve_cones(m, x, s, w, report);
  } while (!move_on(m, x, s, restarts, w));
  report.geometry_passes = 1;
  certify_at_start(m, s.h, s.tolerance, w, Judged::chosen);
  return finish(m, s, x, w, report);
}

}  // namespace stiction::step
