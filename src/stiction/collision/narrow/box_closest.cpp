// Closest points of two boxes that do not overlap. The closest pair of two convex polyhedra lies on an edge
// of b and anything of a, or on a vertex of a and a face of b: so the least of 12 exact segment-box distances
// in a's frame and 8 point-box distances in b's frame (closest.h) is the distance, exact to round-off, with
// no iteration. Parallel edges (within 1e-3 rad, both across the normal) have a stretch of closest points:
// its two ends are given, and the inner crossing where it is nearer than both by more than the tolerance. The
// normal is the direction between the points; for two crossing edges e_a x e_b, which keeps its digits when
// they all but touch; nearer than the tolerance without such a pair, the caller's normal.
#include <limits>

#include "stiction/collision/narrow/box_box.h"
#include "stiction/collision/narrow/closest.h"

namespace stiction::collision::narrow {
namespace {

struct Features {
  Vec3 on_a, on_b;       // each in its own box's frame
  double distance2 = 0;  // [m^2]
};

/// The sides of a box on which p lies.
int code_of(const Vec3& p, const Vec3& half, double tolerance) {
  int code = 0;
  for (int i = 0; i < 3; ++i)
    if (std::fabs(p[i]) >= half[i] - tolerance) code += (p[i] > 0 ? 1 : -1) * power_of_three[i];
  return code;
}
int side_of(int code, int i) { return (code + 13) / power_of_three[i] % 3 - 1; }

/// The axis along which an edge extends, or -1 for faces and vertices.
int edge_axis(int code) {
  int axis = -1;
  for (int i = 0; i < 3; ++i) {
    if (side_of(code, i) != 0) continue;
    if (axis >= 0) return -1;
    axis = i;
  }
  return axis;
}

Segment edge_along(int axis, const Vec3& corner, const Vec3& half) {
  Vec3 start = corner, along;
  start[axis] = -half[axis];
  along[axis] = 2 * half[axis];
  return {start, along};
}
Vec3 corner_of(int code, const Vec3& half) {
  return {side_of(code, 0) * half.x, side_of(code, 1) * half.y, side_of(code, 2) * half.z};
}

Features search(const OrientedBox& a, const OrientedBox& b) {
  Features best;
  best.distance2 = std::numeric_limits<double>::infinity();
  const auto corner = [](unsigned bits, const Vec3& h) {
    return Vec3{bits & 1u ? h.x : -h.x, bits & 2u ? h.y : -h.y, bits & 4u ? h.z : -h.z};
  };
  // vertices of a against b
  for (unsigned bits = 0; bits < 8; ++bits) {
    const Vec3 own = corner(bits, a.half);
    const Vec3 p = b.frame.to_body(a.frame.to_world(own)), q = clamp_to_box(p, b.half);
    if (norm2(p - q) < best.distance2) best = {own, q, norm2(p - q)};
  }
  // edges of b against a
  const Mat3 b_in_a = transposed(a.frame.R) * b.frame.R;
  const Vec3 centre = a.frame.to_body(b.frame.centre);
  for (int axis = 0; axis < 3; ++axis) {
    for (unsigned bits = 0; bits < 8; ++bits) {
      if (bits >> axis & 1u) continue;
      const Segment own = edge_along(axis, corner(bits, b.half), b.half);
      const Segment edge{centre + b_in_a * own.start, b_in_a * own.along};
      // no point of the edge is farther from its middle than half its length
      const Vec3 middle = edge.at(0.5);
      if (norm(middle - clamp_to_box(middle, a.half)) - b.half[axis] > std::sqrt(best.distance2)) continue;
      const double t = closest_parameter_to_box(edge, a.half);
      const Vec3 p = edge.at(t), q = clamp_to_box(p, a.half);
      if (norm2(p - q) < best.distance2) best = {q, own.at(t), norm2(p - q)};
    }
  }
  return best;
}

Segment to_world(const Segment& s, const Frame& f) { return {f.to_world(s.start), f.R * s.along}; }

/// The point between p_a and p_b, along n where they are too near to give a direction.
Point between(const Vec3& p_a, const Vec3& p_b, const Vec3& fallback, double tolerance,
              std::uint64_t feature) {
  const Vec3 d = p_b - p_a;
  const double distance = norm(d);
  const Vec3 n = distance > tolerance ? d / distance : fallback;
  return {p_a, p_b, n, distance > tolerance ? distance : dot(n, d), feature};
}

/// Ends of the stretch of two parallel edges through the closest features, if there is one.
bool add_parallel_edges(const OrientedBox& a, const OrientedBox& b, int code_a, int code_b,
                        const Vec3& normal, double tolerance, PointList& out) {
  constexpr double across = 1e-2, parallel_sine = 1e-3;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (std::fabs(dot(a.frame.axis(i), normal)) > across ||
          std::fabs(dot(b.frame.axis(j), normal)) > across)
        continue;
      // the edges without their own axis: both other sides must be known
      const int edge_a = code_a - side_of(code_a, i) * power_of_three[i];
      const int edge_b = code_b - side_of(code_b, j) * power_of_three[j];
      if (edge_axis(edge_a) != i || edge_axis(edge_b) != j) continue;
      const Segment s_a = to_world(edge_along(i, corner_of(edge_a, a.half), a.half), a.frame);
      const Segment s_b = to_world(edge_along(j, corner_of(edge_b, b.half), b.half), b.frame);
      SpanEnd ends[2];
      if (!parallel_span(s_a, s_b, parallel_sine, ends)) continue;
      for (const SpanEnd& e : ends) {
        const int end_a = e.end < 2 ? edge_a + (e.end == 0 ? -1 : 1) * power_of_three[i] : edge_a;
        const int end_b = e.end >= 2 ? edge_b + (e.end == 2 ? -1 : 1) * power_of_three[j] : edge_b;
        out.add(between(s_a.at(e.s), s_b.at(e.t), normal, tolerance, feature_pair(end_a, end_b)));
      }
      return true;
    }
  }
  return false;
}

}  // namespace

void closest_features(const OrientedBox& a, const OrientedBox& b, const Vec3& fallback, double tolerance,
                      PointList& out) {
  constexpr double crossing_sine = 1e-3;
  const Features f = search(a, b);
  const int code_a = code_of(f.on_a, a.half, tolerance), code_b = code_of(f.on_b, b.half, tolerance);
  Point closest = between(a.frame.to_world(f.on_a), b.frame.to_world(f.on_b), fallback, tolerance,
                          feature_pair(code_a, code_b));
  const int i = edge_axis(code_a), j = edge_axis(code_b);
  if (i >= 0 && j >= 0) {
    const Vec3 c = cross(a.frame.axis(i), b.frame.axis(j));
    const double sine = norm(c), along = dot(c, closest.normal);
    if (sine > crossing_sine) {
      closest.normal = c / std::copysign(sine, along);
      closest.gap = dot(closest.normal, closest.point_b - closest.point_a);
    }
  }
  const int first = out.count();
  if (!add_parallel_edges(a, b, code_a, code_b, closest.normal, tolerance, out)) return out.add(closest);
  for (int e = first; e < out.count(); ++e)
    if (out[e].gap <= closest.gap + tolerance) return;
  out.add(closest);
}

}  // namespace stiction::collision::narrow
