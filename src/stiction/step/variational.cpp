// Variational Lie-group integrator: the step that makes the discrete action stationary,
//     sum over steps of  h (m |x+ - x|^2/h^2 + xi.I xi)/2 - h (V(q) + V(q+))/2,    R+ = R cay(h xi)
// For positions this is velocity Verlet. For rotations the momenta at both ends of a step are those of
// dynamics/variational_rotation.h, for trees those of dynamics/tree/variational.h. So it is symplectic and
// keeps linear and angular momentum: the energy of a conservative system oscillates by (h w)^2 and does not
// drift. Forces without a potential act as in velocity Verlet. Second order. Symbols and details: smooth.cpp.
// Reference: J. E. Marsden, M. West, Acta Numerica 10 (2001) 357; N. Bou-Rabee, J. E. Marsden, Found. Comput.
// Math. 9 (2009) 197. When it fails: for turns of many radians in one step no solution may be found; the step
// is then refused.
#include "stiction/dynamics/variational_rotation.h"
#include "stiction/step/smooth.h"

namespace stiction::step {

StepReport variational_step(const Model& m, const SmoothSettings& s, const Input& in, State& x,
                            Workspace& w) {
  return kick_drift_kick(m, s, in, x, w, rotate_variationally, true);
}

}  // namespace stiction::step
