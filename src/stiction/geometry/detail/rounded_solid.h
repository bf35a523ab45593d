// Mass properties of rounded bodies (rounded_solid.cpp).
#pragma once

#include "stiction/geometry/convex.h"

namespace stiction::detail {

/// All points within r [m] >= 0 of a polyhedron; r = 0: the polyhedron itself.
Solid rounded_solid(const Polyhedron& p, double r);
Solid rounded_solid(const Box& b, double r);
Solid rounded_solid(const Cylinder& c, double r);

}  // namespace stiction::detail
