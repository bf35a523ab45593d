// On which side of a plane a point lies, without error.
#pragma once

#include "stiction/math/vec3.h"

namespace stiction::detail {

/// The sign of (b - a) x (c - a) . (d - a): +1 when d is on the side from which a, b, c run
/// counter-clockwise, 0 when the four points lie in a plane exactly.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace stiction::detail
