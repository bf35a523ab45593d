// Two faces, or a face and a line, seen along the normal of the first: where they lie over each other, and
// how high.
#pragma once

#include "stiction/collision/convex/detail/patch.h"

namespace stiction::collision::detail {

/// A point of the overlap.
struct OverlayPoint {
  Vec3 base;               // [m] on the plane of the reference face
  double height = 0;       // [m] of the other patch above it, along the reference normal
  std::uint64_t name = 0;  // of the features that meet
};
inline constexpr int most_overlay_points = 240;

/// Corners of `other` over the face, corners of the face under `other`, crossings of their edges: of these
/// what tells the contact. `reference` is flat; `other` may be any patch. A corner within `tolerance` [m] of
/// an edge counts as lying on it. Returns their number.
int overlay(const Patch& reference, const Patch& other, double tolerance,
            OverlayPoint (&out)[most_overlay_points]);

}  // namespace stiction::collision::detail
