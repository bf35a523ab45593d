// The narrow phase without keys and without memory of its own: what find_contacts and overlaps share.
#pragma once

#include "stiction/collision/collision.h"
#include "stiction/collision/narrow/manifold.h"

namespace stiction::collision {

/// Fills `out` (its margin set) with the contact points of the pair, counted from pose_a.position.
void collide(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b,
             narrow::Manifold& out);

}  // namespace stiction::collision
