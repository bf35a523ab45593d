// gap = (distance of the two axis segments) - r_a - r_b at their closest points.
// Within 0.1 rad of parallel the closest point wanders along the axes under the smallest turn, so the two
// ends of the stretch where the axes lie beside each other are given instead, each with its own exact closest
// point: any ball of one capsule against the other capsule is a constraint that holds. If the axes cross in
// between, and the crossing is nearer than both ends by more than 1e-9 of the radii, it is given as a third
// point. Exact to round-off. Where the axes meet (gap = -r_a - r_b) the normal is perpendicular to both.
// Feature: 1, 2 = start (-z), end of a; 3, 4 = start, end of b; 0 = inner points.
#include "stiction/collision/narrow/closest.h"
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision::narrow {
namespace {

/// A unit vector perpendicular to both axes.
Vec3 common_normal(const Frame& a, const Frame& b) {
  const Vec3 c = cross(a.axis(2), b.axis(2));
  const double length = norm(c);
  return length > 1e-6 ? c / length : a.axis(0);
}

std::uint64_t feature_of(const SegmentPair& p) {
  if (p.s == 0) return 1;
  if (p.s == 1) return 2;
  if (p.t == 0) return 3;
  if (p.t == 1) return 4;
  return 0;
}

}  // namespace

void capsule_capsule(const Capsule& a, const Frame& frame_a, const Capsule& b, const Frame& frame_b,
                     Manifold& out) {
  constexpr double parallel_sine = 0.1, nearer = 1e-9;
  const Segment axis_a = axis_of(a, frame_a), axis_b = axis_of(b, frame_b);
  const SegmentPair closest = closest_points(axis_a, axis_b);
  const double radii = a.radius + b.radius;
  const auto point = [&](double s, double t, std::uint64_t feature) {
    return between_round(axis_a.at(s), a.radius, axis_b.at(t), b.radius, common_normal(frame_a, frame_b),
                         feature);
  };
  const Point single = point(closest.s, closest.t, feature_of(closest));
  SpanEnd ends[2];
  if (!parallel_span(axis_a, axis_b, parallel_sine, ends)) return out.add(single);
  const double least = single.gap + nearer * radii;
  bool covered = false;
  for (const SpanEnd& e : ends) {
    const Point p = point(e.s, e.t, std::uint64_t(e.end + 1));
    covered = covered || p.gap <= least || p.feature == single.feature;
    out.add(p);
  }
  if (!covered) out.add(single);
}

}  // namespace stiction::collision::narrow
