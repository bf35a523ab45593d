#include "stiction/collision/overlap.h"

#include "stiction/collision/composite.h"
#include "stiction/collision/detail/collide.h"

namespace stiction::collision {

bool overlaps(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b) {
  if (is_composite(shape_a) || is_composite(shape_b))
    return composite_overlap(shape_a, pose_a, shape_b, pose_b);
  narrow::Manifold touching(0.0);
  collide(shape_a, pose_a, shape_b, pose_b, touching);
  return touching.count() > 0;
}

}  // namespace stiction::collision
