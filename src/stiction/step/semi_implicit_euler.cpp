// Semi-implicit (symplectic) Euler: forces of the start of the step, velocities and spins of its end.
//     v+ = v + h f(x, v)/m,  x+ = x + h v+;    w+ = w + h I^-1 (tau - w x I w),  q+ = cay(h w+) q
// Symbols: smooth.cpp. First order; an undamped oscillation of angular frequency w is stable for h w < 2 and
// keeps its energy within h w/2. The explicit gyroscopic term lets free rotation gain energy and lose angular
// momentum, both in proportion to h; `coulomb` and `velocity_verlet` do not.
// Reference: M. Servin, Notes on Discrete Mechanics (2015), (4.15), (4.16) and (6.57) to (6.66), with the
// gyroscopic torque -w x I w (printed without its sign). q + h T(q) w, normalised, is the Cayley map. Tables
// are read at the middle of the step.
#include "stiction/step/smooth.h"

namespace stiction::step {

StepReport semi_implicit_euler_step(const Model& m, const SmoothSettings& s, const Input& in, State& x,
                                    Workspace& w) {
  begin(m, x, s.h, 1, w);
  evaluate(m, x, in, x.time + 0.5 * s.h, s.h, w, w.stage[0]);
  push_euler(m, x, s.h, w.stage[0], w);
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    w.next.position[i] = x.position[i] + s.h * w.next.velocity[i];
    if (m.mobility[i] != Mobility::particle)
      w.next.orientation[i] = turned(x.orientation[i], w.next.spin[i], s.h);
  }
  book_euler_defect(m, x, s.h, w);
  return conclude(m, s, x, w);
}

}  // namespace stiction::step
