// gap = (distance of the sphere's centre to the capsule's axis segment) - r_a - r_b. Exact to round-off.
// Where the centre lies on the axis any perpendicular is a normal: one is taken. One point, feature 0.
#include "stiction/collision/narrow/closest.h"
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision::narrow {

void sphere_capsule(const Sphere& a, const Frame& frame_a, const Capsule& b, const Frame& frame_b,
                    Manifold& out) {
  const Segment axis = axis_of(b, frame_b);
  const Vec3 c = axis.at(closest_parameter(axis, frame_a.centre));
  add_round(
      frame_a.centre, a.radius, c, b.radius, [&] { return frame_b.axis(0); }, 0, out);
}

}  // namespace stiction::collision::narrow
