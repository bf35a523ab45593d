// Closest points.
// Segment against box: f(t) = dist(p(t), box)^2 = sum_i max(|p_i(t)| - h_i, 0)^2 is convex, once
//   differentiable and quadratic between the (at most six) parameters at which some |p_i(t)| = h_i; f' is
//   monotone and piecewise linear there, so its zero is found by one pass over the sorted breaks and one
//   linear interpolation: exact to round-off.
// Segment against segment: the least of the pair of inner points, where the lines are not parallel, and the
//   four ends against the other segment. The ends are exact always; the inner pair loses digits as 1/sine^2,
//   and below a sine of 1e-7 it is left out, which costs at most 1e-14 l^2 / distance (l length [m]).
// Reference: Ericson, Real-Time Collision Detection, section 5.1.9; Eberly, Geometric Tools, distance
// segment-box.
#include "stiction/collision/narrow/closest.h"

#include "stiction/collision/narrow/insertion_sort.h"

namespace stiction::collision::narrow {
namespace {

double clamp(double x, double half) { return x < -half ? -half : x > half ? half : x; }
double clamp_unit(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

/// f'(t) / 2 of the segment-box distance.
double slope(const Segment& s, const Vec3& half, double t) {
  const Vec3 p = s.at(t);
  return dot(p - clamp_to_box(p, half), s.along);
}

void keep_closer(const Segment& a, const Segment& b, double s, double t, SegmentPair& best) {
  const double distance2 = norm2(b.at(t) - a.at(s));
  if (distance2 < best.distance2) best = {s, t, distance2};
}

}  // namespace

Vec3 clamp_to_box(const Vec3& p, const Vec3& half) {
  return {clamp(p.x, half.x), clamp(p.y, half.y), clamp(p.z, half.z)};
}

BoxDistance distance_to_box(const Vec3& p, const Vec3& half) {
  const Vec3 q = clamp_to_box(p, half);
  const Vec3 d = p - q;
  const double distance = norm(d);
  if (distance > 0) return {distance, d / distance, q};
  // inside: the nearest face
  const Vec3 depth = abs(p) - half;
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (depth[i] > depth[k]) k = i;
  BoxDistance out{depth[k], {}, p};
  out.normal[k] = std::copysign(1.0, p[k]);
  out.point[k] = std::copysign(half[k], p[k]);
  return out;
}

double closest_parameter(const Segment& s, const Vec3& p) {
  const double length2 = norm2(s.along);
  return length2 > 0 ? clamp_unit(dot(p - s.start, s.along) / length2) : 0.0;
}

double closest_parameter_to_box(const Segment& s, const Vec3& half) {
  double low = 0, slope_low = slope(s, half, 0);
  if (slope_low >= 0) return 0;
  if (slope(s, half, 1) <= 0) return 1;
  // the breaks of f', in order
  double breaks[7];
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    if (s.along[i] == 0) continue;
    for (const double side : {-half[i], half[i]}) {
      const double t = (side - s.start[i]) / s.along[i];
      if (t > 0 && t < 1) breaks[count++] = t;
    }
  }
  breaks[count++] = 1;
  insertion_sort(breaks, count, [](double x, double y) { return x < y; });
  // the first stretch over which the slope changes sign
  for (int i = 0; i < count; ++i) {
    const double high = breaks[i], slope_high = slope(s, half, high);
    if (slope_high >= 0) return low + (high - low) * (slope_low / (slope_low - slope_high));
    low = high, slope_low = slope_high;
  }
  return 1;
}

SegmentPair closest_points(const Segment& a, const Segment& b) {
  constexpr double parallel_sine2 = 1e-14, crossing_sine2 = 1e-2;
  // inner points: normal equations of |b(t) - a(s)|^2, by cross products
  const Vec3 c = cross(a.along, b.along), r = b.start - a.start;
  const double c2 = norm2(c), scale = norm2(a.along) * norm2(b.along);
  SegmentPair inner{-1, -1, 0};
  if (c2 > parallel_sine2 * scale)
    inner.s = dot(cross(r, b.along), c) / c2, inner.t = dot(cross(r, a.along), c) / c2;
  const bool crossing = inner.s > 0 && inner.s < 1 && inner.t > 0 && inner.t < 1;
  if (crossing && c2 > crossing_sine2 * scale)  // the ends are farther
    return {inner.s, inner.t, norm2(b.at(inner.t) - a.at(inner.s))};
  const double t0 = closest_parameter(b, a.start), t1 = closest_parameter(b, a.at(1));
  SegmentPair best{0, t0, norm2(b.at(t0) - a.start)};
  keep_closer(a, b, 1, t1, best);
  keep_closer(a, b, closest_parameter(a, b.start), 0, best);
  keep_closer(a, b, closest_parameter(a, b.at(1)), 1, best);
  if (crossing) keep_closer(a, b, inner.s, inner.t, best);
  return best;
}

bool parallel_span(const Segment& a, const Segment& b, double sine, SpanEnd (&ends)[2]) {
  constexpr double shortest = 1e-3, tie = 1e-6;
  const double a2 = norm2(a.along), b2 = norm2(b.along);
  if (!(a2 > 0 && b2 > 0) || norm2(cross(a.along, b.along)) > sine * sine * a2 * b2) return false;
  const double length_a = std::sqrt(a2), length = a2 < b2 ? length_a : std::sqrt(b2);
  // b's ends along a's direction
  const Vec3 u = a.along / length_a;
  const double start_b = dot(b.start - a.start, u), end_b = start_b + dot(b.along, u);
  const bool same_way = start_b <= end_b;
  const double low_b = std::fmin(start_b, end_b), high_b = std::fmax(start_b, end_b);
  if (std::fmin(length_a, high_b) - std::fmax(0.0, low_b) < shortest * length) return false;
  const auto end_of_a = [&](double s) { return SpanEnd{s, closest_parameter(b, a.at(s)), s == 0 ? 0 : 1}; };
  const auto end_of_b = [&](double t) { return SpanEnd{closest_parameter(a, b.at(t)), t, t == 0 ? 2 : 3}; };
  ends[0] = low_b <= tie * length ? end_of_a(0) : end_of_b(same_way ? 0 : 1);
  ends[1] = high_b >= length_a - tie * length ? end_of_a(1) : end_of_b(same_way ? 1 : 0);
  return true;
}

}  // namespace stiction::collision::narrow
