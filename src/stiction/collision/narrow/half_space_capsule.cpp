// The two caps, each as a sphere: gap = n.(c - o) - w - r (symbols as in half_space_sphere.cpp). The gap is
// linear along the axis, so the two ends bound it. Exact to round-off. Feature = cap: 0 at -z, 1 at +z of the
// body; a capsule of length 0 gives one point.
#include "stiction/collision/narrow/half_space.h"
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision::narrow {

void half_space_capsule(const HalfSpace& a, const Frame& frame_a, const Capsule& b, const Frame& frame_b,
                        Manifold& out) {
  const Boundary plane = boundary_of(a, frame_a);
  const double middle = plane.height(frame_b.centre) - b.radius;
  const Vec3 half = (0.5 * b.length) * frame_b.axis(2);
  const double rise = dot(plane.normal, half);
  const Vec3 lowest = frame_b.centre - b.radius * plane.normal;
  out.add(plane.against(lowest - half, middle - rise, 0));
  if (b.length > 0) out.add(plane.against(lowest + half, middle + rise, 1));
}

}  // namespace stiction::collision::narrow
