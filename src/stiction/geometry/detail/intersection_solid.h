// Mass properties of intersections.
#pragma once

#include "stiction/geometry/convex.h"

namespace stiction::detail {

/// All points within r [m] >= 0 of the body. r > 0 where can_be_rounded(), else volume 0.
Solid intersection_solid(const Intersection& body, double r);
/// Bodies of half-spaces alone and bodies of revolution.
bool can_be_rounded(const Intersection& body);

/// The axis of a body of revolution (revolution.cpp).
struct Axis {
  Vec3 point, along;  // along: unit
};
bool find_axis(const Intersection& body, Axis& axis);
Solid revolution_solid(const Intersection& body, const Axis& axis, double r);

}  // namespace stiction::detail
