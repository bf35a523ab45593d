// Contacts of shapes that are made of many convex pieces.
#pragma once

#include "stiction/collision/collision.h"

namespace stiction::collision {

inline bool is_composite(const Shape& s) { return kind(s) >= ShapeKind::compound; }

/// find_contacts() where at least one of the shapes is composite: appends the points of all pieces that the
/// surface of the whole has, each once.
void composite_contacts(int a, const Shape& shape_a, const Pose& pose_a, int b, const Shape& shape_b,
                        const Pose& pose_b, double margin, std::vector<ContactPoint>& out);
/// overlaps() of them.
bool composite_overlap(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b);

/// Where a part is when its body is at `pose`.
inline Pose part_pose(const Pose& pose, const CompoundPart& part) {
  return {pose.position + rotate(pose.orientation, part.position),
          normalized(pose.orientation * part.orientation)};
}

}  // namespace stiction::collision
