// The convex hull of points.
#pragma once

#include <span>

#include "stiction/base/result.h"
#include "stiction/geometry/polyhedron.h"

namespace stiction {

struct HullSettings {
  double flat = 1e-12;  // [-] of the largest extent: triangles this near to a plane make one face with it;
                        // >= 0; well above round-off of turned coordinates, well below what can be measured
  double thin = 1e-9;   // [-] of the largest extent: thinner sets of points are refused
};

/// The hull of any points, with duplicates, in any order; vertices keep the order of the points. A mistake
/// for coordinates that are not finite and for points that lie in a plane.
Result<Polyhedron> convex_hull(std::span<const Vec3> points, const HullSettings& settings = {});

}  // namespace stiction
