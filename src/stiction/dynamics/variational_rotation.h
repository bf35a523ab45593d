// Free rotation of a rigid body over a step by a variational rule. See variational_rotation.cpp.
#pragma once

#include "stiction/dynamics/rotation.h"

namespace stiction {

/// As rotate_freely(): keeps the angular momentum vector to round-off; the energy oscillates and does not
/// drift. Not finite where the turn in the step is so large that no solution is found.
RotationStep rotate_variationally(const Vec3& inertia_diagonal, const Quat& orientation,
                                  const Vec3& spin_world, double h);

}  // namespace stiction
