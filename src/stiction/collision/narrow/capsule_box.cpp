// gap = (distance of the capsule's axis segment to the box) - r: exact closest points (closest.h), all in the
// box's frame. p(t) axis point [m], t in [0, 1]; h half edges [m]; r radius [m]; d = p(1) - p(0). Lying along
// a face or an edge (within 0.1 rad) the closest point wanders under the smallest turn; then both ends of the
// stretch over the face or beside the edge are given, each with the exact distance of that axis point to the
// box: any ball of the capsule against the box is a constraint that holds. Over a face the distance is linear
// in t, so an end is the closest point; beside an edge the crossing is added where it is nearer by more than
// 1e-9 r. Axis inside the box: least depth over the three face normals and the three e_i x d (all face
// normals of the Minkowski sum of box and segment, so the depth is exact), a face where it is within a
// millionth of an edge. Exact to round-off. Fails to be smooth where the axis passes through the box's
// surface (gap = -r). Feature: 1, 2 = start (-z), end of the stretch or of the axis; 0 = a point in between.
#include <limits>

#include "stiction/collision/narrow/closest.h"
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision::narrow {
namespace {

constexpr double parallel_sine = 0.1;
constexpr double face_cosine = 0.99;
constexpr double shortest_stretch = 1e-3;  // of the axis

struct CapsuleInBox {
  Segment axis;  // box frame
  Vec3 half;
  double radius;
  double length;
  const Frame& frame;
  Manifold& out;

  std::uint64_t feature_at(double t) const { return t == 0 ? 1 : t == 1 ? 2 : 0; }

  /// The ball at axis parameter t against the surface point q with outward normal n.
  void add(double t, double distance, const Vec3& n, const Vec3& q, std::uint64_t feature) const {
    const Vec3 normal = -(frame.R * n);
    out.add({frame.to_world(axis.at(t)) + radius * normal, frame.to_world(q), normal, distance - radius,
             feature});
  }
  void add_ball(double t, std::uint64_t feature) const {
    const BoxDistance d = distance_to_box(axis.at(t), half);
    add(t, d.distance, d.normal, d.point, feature);
  }

  /// The part of the axis above face k; slabs a little wider, so that an axis along an edge stays whole.
  bool stretch_over_face(int k, double& t0, double& t1) const {
    t0 = 0, t1 = 1;
    for (int i = 0; i < 3; ++i) {
      if (i == k) continue;
      const double wide = half[i] + 1e-3 * radius, d = axis.along[i], p = axis.start[i];
      if (std::fabs(p) <= wide && std::fabs(p + d) <= wide) continue;
      if (d == 0) return false;
      const double u = (-half[i] - p) / d, v = (half[i] - p) / d;
      t0 = std::fmax(t0, std::fmin(u, v));
      t1 = std::fmin(t1, std::fmax(u, v));
    }
    return t1 - t0 > shortest_stretch;
  }

  bool lies_on_face(double t, const Vec3& n) const;
  bool lies_along_edge(double t, const Vec3& n) const;
  void inside() const;
  Segment edge(int i, const Vec3& n) const {
    Vec3 start{std::copysign(half.x, n.x), std::copysign(half.y, n.y), std::copysign(half.z, n.z)}, along;
    start[i] = -half[i];
    along[i] = 2 * half[i];
    return {start, along};
  }
};

bool CapsuleInBox::lies_on_face(double t, const Vec3& n) const {
  for (int k = 0; k < 3; ++k) {
    if (std::fabs(n[k]) < face_cosine || std::fabs(axis.along[k]) > parallel_sine * length) continue;
    double t0, t1;
    if (!stretch_over_face(k, t0, t1)) return false;
    add_ball(std::fmin(t0, t), 1);
    add_ball(std::fmax(t1, t), 2);
    return true;
  }
  return false;
}

bool CapsuleInBox::lies_along_edge(double t, const Vec3& n) const {
  constexpr double nearer = 1e-9;
  for (int i = 0; i < 3; ++i) {
    SpanEnd ends[2];
    if (std::fabs(n[i]) > parallel_sine || !parallel_span(axis, edge(i, n), parallel_sine, ends)) continue;
    const double closest = distance_to_box(axis.at(t), half).distance;
    bool covered = false;
    for (int e = 0; e < 2; ++e) {
      covered = covered || distance_to_box(axis.at(ends[e].s), half).distance <= closest + nearer * radius;
      add_ball(ends[e].s, std::uint64_t(e + 1));
    }
    if (!covered) add_ball(t, 0);
    return true;
  }
  return false;
}

void CapsuleInBox::inside() const {
  constexpr double bias = 1e-6;
  const Vec3 centre = axis.at(0.5), reach = 0.5 * abs(axis.along);
  // least depth over the faces
  int face = 0, edge_axis = -1;
  double best = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const double s = std::fabs(centre[i]) - half[i] - reach[i];
    if (s > best) best = s, face = i;
  }
  Vec3 n;
  n[face] = std::copysign(1.0, centre[face]);
  // over the edge directions
  double limit = best + bias * (max_component(half) + std::fabs(best));
  for (int i = 0; i < 3; ++i) {
    Vec3 e;
    e[i] = 1;
    const Vec3 c = cross(e, axis.along);
    const double c_length = norm(c);
    if (c_length < bias * length || length == 0) continue;
    const Vec3 m = c / std::copysign(c_length, dot(c, centre));
    const double s = dot(m, centre) - dot(abs(m), half);
    if (s > limit) best = limit = s, edge_axis = i, n = m;
  }
  if (edge_axis >= 0) {
    const Segment e = edge(edge_axis, n);
    const SegmentPair pair = closest_points(axis, e);
    return add(pair.s, best, n, e.at(pair.t), feature_at(pair.s));
  }
  // a face: its plane against the stretch over it, or against the deepest end
  const auto add_to_plane = [&](double t, std::uint64_t feature) {
    const double height = n[face] * axis.at(t)[face] - half[face];
    add(t, height, n, axis.at(t) - height * n, feature);
  };
  double t0, t1;
  if (std::fabs(axis.along[face]) <= parallel_sine * length && stretch_over_face(face, t0, t1)) {
    add_to_plane(t0, 1);
    add_to_plane(t1, 2);
  } else {
    const double deepest = n[face] * axis.along[face] < 0 ? 1.0 : 0.0;
    add_to_plane(deepest, feature_at(deepest));
  }
}

}  // namespace

void capsule_box(const Capsule& a, const Frame& frame_a, const Box& b, const Frame& frame_b, Manifold& out) {
  const Segment world = axis_of(a, frame_a);
  const CapsuleInBox c{{frame_b.to_body(world.start), transposed_times(frame_b.R, world.along)},
                       0.5 * b.size,
                       a.radius,
                       a.length,
                       frame_b,
                       out};
  const double t = closest_parameter_to_box(c.axis, c.half);
  const Vec3 p = c.axis.at(t), excess = p - clamp_to_box(p, c.half);
  const double distance = norm(excess);
  if (distance - a.radius >= out.margin()) return;
  if (distance <= 1e-12 * (a.radius + max_component(c.half))) return c.inside();
  const Vec3 n = excess / distance;
  if (a.length > 0 && (c.lies_on_face(t, n) || c.lies_along_edge(t, n))) return;
  c.add_ball(t, c.feature_at(t));
}

}  // namespace stiction::collision::narrow
