// Hands in a world: a point of a body drawn to a target by a spring, and bodies pushed away from a line.
// Both are forces from outside (World::input), booked under Cause::input.
#pragma once

#include "stiction/world/world.h"

namespace stiction {

/// Holds `point` of a body and draws it to `target` with the force
///     F = m (w^2 (target - p) - 2 w dp/dt),   |F| <= most
/// at p, the point in world axes; m is the mass of the body, or of the tree that it is part of.
struct Grip {
  BodyId body{};
  Vec3 point{};     // [m] body coordinates
  Vec3 target{};    // [m] world
  double w = 0;     // [rad/s] of the critically damped spring
  double most = 0;  // [N]
};
/// A grip that any body bears at this step length: w = 8 rad/s, less for long steps (0.1/h, so that the
/// explicit damper is stable at corners too), and at most 50 m/s^2 times the mass.
Grip grip_of(const World& world, BodyId body, const Vec3& point);
/// For the next step. Nothing for bodies that do not move by forces, or are gone.
void apply(const Grip& grip, World& world);

/// Pushes every dynamic body away from a line with the acceleration  strength (1 - d/radius), d < radius
/// being the distance of its centre of mass from the line.
struct Push {
  Vec3 origin{}, direction{0, 0, -1};  // [m], [-] any length but 0
  double radius = 0;                   // [m] > 0
  double strength = 0;                 // [m/s^2]
};
void apply(const Push& push, World& world);

}  // namespace stiction
