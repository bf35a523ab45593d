// Inverse dynamics of trees: from motion to forces. See inverse_dynamics.cpp.
#pragma once

#include <span>
#include <vector>

#include "stiction/dynamics/tree/kinematics.h"

namespace stiction::tree {

struct InverseDynamics {  // scratch
  std::vector<SpatialMotion> acceleration{};
  std::vector<SpatialForce> wrench{};
};

/// tau = M dv + bias(q, v) - J^T external: the forces [N, N m] of the velocity coordinates that go with dv.
/// `external`: per link, about its origin, world axes; empty = none. Springs and dampers of joints are not
/// part of it (see joint_forces), armature is.
void inverse_dynamics(const Forest& f, const Parameters& p, const Kinematics& k, std::span<const double> dv,
                      std::span<const SpatialForce> external, InverseDynamics& scratch,
                      std::span<double> tau);

/// out = M x, after update_positions(): the momenta of the velocity coordinates for velocities x. O(n).
void multiply_mass(const Forest& f, const Parameters& p, const Kinematics& k, std::span<const double> x,
                   InverseDynamics& scratch, std::span<double> out);

/// What each link's own mass needs to follow its drift against gravity, less `external`: the wrenches that
/// inverse and forward dynamics start from.
void bias_wrenches(const Forest& f, const Parameters& p, const Kinematics& k,
                   std::span<const SpatialForce> external, std::span<SpatialForce> out);

/// tau += what the springs and dampers of the joints do: -k (q - rest) - d v.
void add_joint_forces(const Forest& f, const Parameters& p, std::span<const double> q,
                      std::span<const double> v, std::span<double> tau);

/// generalised += J^T (wrench about the origin of the link): O(depth of the link).
void add_link_wrench(const Forest& f, const Kinematics& k, int link, SpatialForce wrench,
                     std::span<double> generalised);

}  // namespace stiction::tree
