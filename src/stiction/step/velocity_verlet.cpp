// Velocity Verlet: half the impulse, motion without forces, half the impulse of the new place.
//     v' = v + h f/(2 m),  x+ = x + h v',  v+ = v' + h f+/(2 m);   rotation likewise, with the angular
//     momentum kicked in world axes and the implicit midpoint rule in between (dynamics/rotation.h)
// Second order, symmetric in time; an undamped oscillation of angular frequency w is stable for h w < 2 and
// keeps its energy within (h w)^2/4. Free rotation keeps energy and angular momentum. Forces are evaluated
// twice a step. Symbols and details: smooth.cpp. Reference: L. Verlet, Phys. Rev. 159 (1967) 98; W. C. Swope
// et al., J. Chem. Phys. 76 (1982) 637.
#include "stiction/step/smooth.h"

namespace stiction::step {

StepReport velocity_verlet_step(const Model& m, const SmoothSettings& s, const Input& in, State& x,
                                Workspace& w) {
  return kick_drift_kick(m, s, in, x, w, rotate_freely, false);
}

}  // namespace stiction::step
