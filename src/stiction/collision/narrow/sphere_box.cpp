// gap = (signed distance of the sphere's centre to the box) - r. Outside, the normal runs along the line to
// the closest point; inside, to the nearest face (distance_to_box in closest.h). Exact to round-off; on the
// box's medial planes, deep inside, the normal jumps. One point, feature 0.
#include "stiction/collision/narrow/closest.h"
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision::narrow {

void sphere_box(const Sphere& a, const Frame& frame_a, const Box& b, const Frame& frame_b, Manifold& out) {
  const BoxDistance d = distance_to_box(frame_b.to_body(frame_a.centre), 0.5 * b.size);
  const Vec3 n = -(frame_b.R * d.normal);
  out.add({frame_a.centre + a.radius * n, frame_b.to_world(d.point), n, d.distance - a.radius, 0});
}

}  // namespace stiction::collision::narrow
