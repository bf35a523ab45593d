// Forces with their derivatives by positions and velocities, element by element, for implicit methods. See
// linearise.cpp.
#pragma once

#include <array>
#include <vector>

#include "stiction/forces/forces.h"

namespace stiction::forces {

/// Small change of place and orientation [m], [rad], or of velocity and spin [m/s], [rad/s]; world axes.
struct Move {
  Vec3 linear, angular;
};
/// Force [N] and torque about the centre of mass [N m].
struct Effort {
  Vec3 force, torque;
};

/// One force on body b, and the opposite on body a.
struct Element {
  Cause cause = Cause::wrench;
  int a = -1, b = -1;    // body indices; -1 = none
  Vec3 arm_a, arm_b;     // [m] where the force acts, from the centres of mass
  Vec3 force;            // [N] on b
  Vec3 torque;           // [N m] on b, besides arm_b x force
  Mat3 by_place;         // [N/m] d force / d (x_B - x_A), points
  Mat3 by_velocity;      // [N s/m] d force / d (u_B - u_A)
  Mat3 by_spin;          // [N s/rad] d force / d spin of b
  Mat3 by_turn;          // [N m/rad] d torque / d (turn of b - turn of a)
  Mat3 by_turn_rate;     // [N m s/rad]
  bool follows = false;  // force and torque turn with b
};

/// Appends all forces of the model but uniform gravity. Tables are read at `time` [s].
void linearise(const Model& m, const Bodies& x, double time, Scratch& scratch, std::vector<Element>& out);

/// What the element does to its bodies (0: a, 1: b).
std::array<Effort, 2> effort(const Element& e);
/// What that changes by, to first order, when a and b move by `place` and their velocities by `velocity`.
std::array<Effort, 2> change(const Element& e, const std::array<Move, 2>& place,
                             const std::array<Move, 2>& velocity);

}  // namespace stiction::forces
