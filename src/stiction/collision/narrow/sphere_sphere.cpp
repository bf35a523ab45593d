// gap = |c_b - c_a| - r_a - r_b, normal along c_b - c_a (c centres [m], r radii [m]). Exact to round-off.
// Where the centres coincide there is no normal: z is taken. One point, feature 0.
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision::narrow {

void sphere_sphere(const Sphere& a, const Frame& frame_a, const Sphere& b, const Frame& frame_b,
                   Manifold& out) {
  add_round(
      frame_a.centre, a.radius, frame_b.centre, b.radius,
      [] {
        return Vec3{0, 0, 1};
      },
      0, out);
}

}  // namespace stiction::collision::narrow
