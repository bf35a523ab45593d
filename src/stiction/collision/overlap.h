// Do two shapes overlap: the question sensors ask.
#pragma once

#include "stiction/collision/collision.h"

namespace stiction::collision {

/// True where some contact point of the pair has gap < 0; false for pairs that find_contacts does not know.
bool overlaps(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b);

}  // namespace stiction::collision
