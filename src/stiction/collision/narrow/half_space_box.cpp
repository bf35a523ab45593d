// The box's vertices: gap_s = n.(c - o) - w + sum_i s_i h_i (n.e_i), s_i = +-1 (n, o, w as in
// half_space_sphere.cpp; h half edges [m], e_i the box's axes). Exact to round-off, and linear in any
// translation. Which vertices: when one axis is within 26 degrees of the normal (|n.e_k| > 0.9), the four of
// the lower face, so that a plate thinner than the margin rests on four points too; the other four cannot
// come first before the box has turned much further. Otherwise every vertex below the margin, so that a
// tumbling box misses none. Feature = vertex: bit i set where s_i = +1.
#include "stiction/collision/narrow/half_space.h"
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision::narrow {

void half_space_box(const HalfSpace& a, const Frame& frame_a, const Box& b, const Frame& frame_b,
                    Manifold& out) {
  constexpr double face_cosine = 0.9;
  const Boundary plane = boundary_of(a, frame_a);
  const Vec3 half = 0.5 * b.size;
  const Vec3 cosine = transposed_times(frame_b.R, plane.normal);
  const Vec3 rise = times(half, cosine);
  const double middle = plane.height(frame_b.centre);
  for (unsigned vertex = 0; vertex < 8; ++vertex) {
    double gap = middle;
    Vec3 p;
    bool upper = false;
    for (int i = 0; i < 3; ++i) {
      const double s = (vertex >> i & 1u) ? 1.0 : -1.0;
      gap += s * rise[i];
      p[i] = s * half[i];
      upper = upper || (s * cosine[i] > face_cosine);
    }
    if (!upper) out.add(plane.against(frame_b.to_world(p), gap, vertex));
  }
}

}  // namespace stiction::collision::narrow
