// Energies, momentum and centre of mass of trees. See energy.cpp.
#pragma once

#include <span>

#include "stiction/dynamics/tree/kinematics.h"

namespace stiction::tree {

/// [J] armature included; after update_velocities(). `v` as given there.
double kinetic_energy(const Forest& f, const Parameters& p, const Kinematics& k, std::span<const double> v);
/// [J] -sum m g.c, c from the world's origin.
double gravity_energy(const Forest& f, const Parameters& p, const Kinematics& k);
/// [J] of the springs of joints.
double spring_energy(const Forest& f, const Parameters& p, std::span<const double> q);
/// [W] that the dampers of joints take.
double damping_power(const Parameters& p, std::span<const double> v);

struct Momentum {
  double mass = 0;  // [kg]
  Vec3 centre{};    // [m] of mass
  Vec3 linear{};    // [kg m/s]
  Vec3 angular{};   // [kg m^2/s] about the world's origin
};
/// Of the links [begin, end), a tree's for instance; armature is not part of it (a rotor's other half is
/// not modelled).
Momentum momentum(const Kinematics& k, int link_begin, int link_end);

}  // namespace stiction::tree
