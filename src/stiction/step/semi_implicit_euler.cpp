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
  return euler_step(m, s, in, x, w, Carrying::end);
}

}  // namespace stiction::step
