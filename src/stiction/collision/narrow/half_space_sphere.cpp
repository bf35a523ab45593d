// gap = n.(c - o) - w - r: n outward unit normal, o the half-space's origin, w its offset, c the sphere's
// centre, r its radius [m]. Exact to round-off. One point, feature 0.
#include "stiction/collision/narrow/half_space.h"
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision::narrow {

void half_space_sphere(const HalfSpace& a, const Frame& frame_a, const Sphere& b, const Frame& frame_b,
                       Manifold& out) {
  const Boundary plane = boundary_of(a, frame_a);
  out.add(
      plane.against(frame_b.centre - b.radius * plane.normal, plane.height(frame_b.centre) - b.radius, 0));
}

}  // namespace stiction::collision::narrow
