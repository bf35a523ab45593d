// When two moving convex bodies touch first.
#pragma once

#include "stiction/collision/convex/closest_points.h"

namespace stiction::collision {

struct FirstContact {
  bool touches = false;  // within the duration
  double time = 0;       // [s] 0 where they touch or overlap at the start; never after the true time
  ClosestPoints points;  // at that time
  int evaluations = 0;   // [-] of closest_points()
};

/// The bodies move with constant velocity and spin from their poses, for `duration` [s]. They touch where
/// their gap is below `tolerance` [m], at least 1e-12 of the larger one's size. Every pair but two
/// half-spaces; a half-space must not spin.
FirstContact first_contact(const Convex& a, const Pose& pose_a, const BodyRate& rate_a, const Convex& b,
                           const Pose& pose_b, const BodyRate& rate_b, double duration, double tolerance);

}  // namespace stiction::collision
