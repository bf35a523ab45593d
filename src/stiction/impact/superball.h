// Impact with restitution along the tangent too, as a ball of rubber shows it:
//
//   u_n+ = -e u_n,   u_t+ = -e_t u_t       e_t = -1: smooth, 0: grips, 1: slip turned round (superball)
//
// with the impulse p = W^-1 (u+ - u), if it lies in the friction cone |p_t| <= mu p_n, mu = friction_static.
// Outside of it:
// - e_t > 0: e_t is lowered to where the cone is met (Walton's law for spheres);
// - even e_t = 0 is outside, or e_t < 0: the contact slips along Coulomb's path (spatial.h, energetic).
//
// Where W couples normal and tangent, u+ may have more energy than u; then e and e_t are lowered by the one
// factor that keeps it, sqrt(u W^-1 u / u+ W^-1 u+). Energy never grows. With W diagonal, the loss is
// (1 - e^2) u_n^2 / (2 W_nn) + (1 - e_t^2) u_t^2 / (2 W_tt).
//
// References: R. Garwin (1969), Kinematics of an ultraelastic rough ball; O. Walton (1993).
#pragma once

#include "stiction/impact/spatial.h"

namespace stiction::impact {

struct SuperballOutcome {
  /// stored, released, friction: of an impulse that grows in proportion; events: begin and end; lowered: e or
  /// e_t was, or slip along Coulomb's path took their place.
  Outcome impact;
  double tangential_restitution = 0;  // [-] e_t, or what it was lowered to
  bool slips = false;                 // Coulomb's path was taken; tangential_restitution is then not a number
};

/// tangential_restitution: -1 to 1, else bad_input. The law of the coefficients is not looked at.
SuperballOutcome solve_superball(const SpatialImpact& in, double tangential_restitution);

}  // namespace stiction::impact
