// Closest points of points, segments and boxes. Lengths [m]; a box is centred at the origin of its own frame,
// with half edges `half`.
#pragma once

#include "stiction/collision/narrow/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction::collision::narrow {

/// The points start + t along, t in [0, 1].
struct Segment {
  Vec3 start, along;

  Vec3 at(double t) const { return start + t * along; }
};
inline Segment axis_of(const Capsule& c, const Frame& f) {
  const Vec3 along = c.length * f.axis(2);
  return {f.centre - 0.5 * along, along};
}

/// Signed distance of a point to the surface of a box (negative inside), its gradient and the closest surface
/// point.
struct BoxDistance {
  double distance = 0;
  Vec3 normal;  // unit, out of the box
  Vec3 point;
};
BoxDistance distance_to_box(const Vec3& p, const Vec3& half);
Vec3 clamp_to_box(const Vec3& p, const Vec3& half);

double closest_parameter(const Segment& s, const Vec3& p);
/// The parameter at which the segment is closest to the solid box (the smallest one where the segment enters
/// it).
double closest_parameter_to_box(const Segment& s, const Vec3& half);

struct SegmentPair {
  double s = 0, t = 0;   // parameters on the two segments
  double distance2 = 0;  // [m^2]
};
SegmentPair closest_points(const Segment& a, const Segment& b);

/// One end of the stretch over which two nearly parallel segments lie beside each other.
struct SpanEnd {
  double s = 0, t = 0;  // an end of one segment and the closest point on the other
  int end = 0;          // which end: 0, 1 = start, end of a; 2, 3 = start, end of b
};
/// The two ends of that stretch, or false where the sine of the angle is above `sine` or the stretch has
/// (almost) no length. Where ends of a and b lie beside each other to a millionth of the length, a's is
/// taken.
bool parallel_span(const Segment& a, const Segment& b, double sine, SpanEnd (&ends)[2]);

}  // namespace stiction::collision::narrow
