// Explicit Euler: forces, velocities and spins of the start of the step carry bodies through it.
//     v+ = v + h f(x, v)/m,  x+ = x + h v;    w+ = w + h I^-1 (tau - w x I w),  q+ = cay(h w) q
// Symbols: smooth.cpp. First order; unstable: an undamped oscillation of angular frequency w grows by the
// factor 1 + (h w)^2 in energy with every step. Reference: M. Servin, Notes on Discrete Mechanics (2015),
// (4.7), (4.8). Tables are read at the middle of the step.
#include "stiction/step/smooth.h"

namespace stiction::step {

StepReport explicit_euler_step(const Model& m, const SmoothSettings& s, const Input& in, State& x,
                               Workspace& w) {
  begin(m, x, s.h, 1, w);
  evaluate(m, x, in, x.time + 0.5 * s.h, s.h, w, w.stage[0]);
  push_euler(m, x, s.h, w.stage[0], w);
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    w.next.position[i] = x.position[i] + s.h * x.velocity[i];
    if (m.mobility[i] != Mobility::particle) w.next.orientation[i] = turned(x.orientation[i], x.spin[i], s.h);
  }
  book_euler_defect(m, x, s.h, w);
  return conclude(m, s, x, w);
}

}  // namespace stiction::step
