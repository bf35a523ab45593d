// Explicit Euler: forces, velocities and spins of the start of the step carry bodies through it.
//     v+ = v + h f(x, v)/m,  x+ = x + h v;    w+ = w + h I^-1 (tau - w x I w),  q+ = cay(h w) q
// Symbols: smooth.cpp. First order; unstable: an undamped oscillation of angular frequency w grows by the
// factor 1 + (h w)^2 in energy with every step. Reference: M. Servin, Notes on Discrete Mechanics (2015),
// (4.7), (4.8). Tables are read at the middle of the step.
#include "stiction/step/smooth.h"

namespace stiction::step {

StepReport explicit_euler_step(const Model& m, const SmoothSettings& s, const Input& in, State& x,
                               Workspace& w) {
  return euler_step(m, s, in, x, w, Carrying::start);
}

}  // namespace stiction::step
