// Contact points of two convex bodies: one where surfaces bend, two along lines, up to eight where faces
// meet.
#pragma once

#include "stiction/collision/convex/closest_points.h"
#include "stiction/collision/narrow/manifold.h"

namespace stiction::collision {

/// Every pair but two half-spaces. Points count from the position of a. The least gap is that of
/// closest_points(), or, where that along a face is within 3e-9 of the smaller body's size of it, that one.
void convex_manifold(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                     narrow::Manifold& out);

}  // namespace stiction::collision
