// Free rotation of rigid bodies over a step: implicit midpoint rule in body axes. See rotation.cpp.
#pragma once

#include <span>

#include "stiction/math/vec3.h"

namespace stiction {

struct RotationStep {
  Quat orientation;
  Vec3 spin;  // [rad/s] world axes, at the end
};

/// Turns a body that no torque acts on for `h` [s]. `inertia_diagonal` [kg m^2] in body axes, each > 0;
/// `orientation` unit length; `spin_world` [rad/s] in world axes. Kinetic energy and the angular momentum
/// vector stay as they were, to round-off; the spin of a body with three equal inertias to the bit. Not
/// finite when the rotation cannot be resolved: see rotation.cpp.
RotationStep rotate_freely(const Vec3& inertia_diagonal, const Quat& orientation, const Vec3& spin_world,
                           double h);

/// The same, to the bit, for many bodies at several times the speed. All spans have one length; the results
/// may be written over `orientation` and `spin_world`.
void rotate_freely(std::span<const Vec3> inertia_diagonal, std::span<const Quat> orientation,
                   std::span<const Vec3> spin_world, double h, std::span<Quat> orientation_end,
                   std::span<Vec3> spin_end);

}  // namespace stiction
