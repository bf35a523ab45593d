// The boundary plane of a half-space in world axes.
#pragma once

#include "stiction/collision/narrow/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction::collision::narrow {

struct Boundary {
  Vec3 normal;    // unit, out of the solid
  Vec3 origin;    // [m]
  double offset;  // [m] the plane is normal.(x - origin) = offset

  double height(const Vec3& p) const { return dot(normal, p - origin) - offset; }
  Point against(const Vec3& p, double gap, std::uint64_t feature) const {
    return {p - gap * normal, p, normal, gap, feature};
  }
};

inline Boundary boundary_of(const HalfSpace& s, const Frame& f) {
  const double length = norm(s.normal);
  return {f.R * (length == 1.0 ? s.normal : s.normal / length), f.centre, s.offset};
}

}  // namespace stiction::collision::narrow
