// Box against box.
// 1. Separating axes: s(n) = |n.d| - sum_i hA_i |n.a_i| - sum_j hB_j |n.b_j| over the 6 face normals
//    and the 9 a_i x b_j (unit). max s <= 0: the boxes overlap, and -max s is the exact depth; max s > 0: a
//    lower bound of the distance, equal to it where a face is closest.
// 2. The best face (a's before b's, lower axes first) stays unless an edge pair leads by more than the bias,
//    a millionth of the smaller box: faces that tie to round-off are common (every stack), and must not
//    flicker.
// 3. Face contact: clip the two faces (box_face.cpp). If some clipped point is as near as the separation
//    says, these points are the contact.
// 4. Otherwise two edges, or an edge or vertex near an edge: the exact closest points if apart
//    (box_closest.cpp), the closest points of the two supporting edges if overlapping. Where two faces are
//    within 18 degrees of parallel to it, their clipped points come along, so that the next touch is seen
//    ahead.
// a, b axes; d from centre to centre [m]; h half edges [m]; n from a to b.
// Gaps are exact to round-off (near a tie in step 2 the face's points are exact heights over that face). The
// normal jumps where the closest features change while overlapping; apart, gap and normal are continuous.
// Reference: Gottschalk, Lin, Manocha 1996 (OBBTree), section 5; Gregorius 2013 (The separating axis test).
#include "stiction/collision/narrow/box_box.h"

#include <limits>

#include "stiction/collision/narrow/closest.h"
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision::narrow {
namespace {

// Lengths as parts of the smaller box's largest half edge.
constexpr double bias_ratio = 1e-6;       // lead that another axis needs over the face in force
constexpr double near_ratio = 1e-2;       // gaps this near to the least one come first
constexpr double parallel_cosine = 0.95;  // faces this parallel to the normal send points along

struct Separation {
  double face = -std::numeric_limits<double>::infinity();  // [m] along the best face
  ReferenceFace reference;
  double edge = -std::numeric_limits<double>::infinity();  // [m] along the best edge pair
  int edge_a = -1, edge_b = -1;
};

Relative relative(const OrientedBox& a, const OrientedBox& b) {
  const Vec3 d = b.frame.centre - a.frame.centre;
  Relative r{
      transposed_times(a.frame.R, d), transposed_times(b.frame.R, d), transposed(a.frame.R) * b.frame.R, {}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.abs_C.m[i][j] = std::fabs(r.C.m[i][j]);
  return r;
}

void separate_faces(const OrientedBox& a, const OrientedBox& b, const Relative& r, double scale,
                    Separation& out) {
  const auto consider = [&](double s, const ReferenceFace& face) {
    if (s > out.face + bias_ratio * (scale + std::fabs(s))) out.face = s, out.reference = face;
  };
  for (int i = 0; i < 3; ++i)
    consider(std::fabs(r.d_a[i]) - a.half[i] - dot(r.abs_C.row(i), b.half),
             {true, i, std::copysign(1.0, r.d_a[i])});
  for (int j = 0; j < 3; ++j)
    consider(std::fabs(r.d_b[j]) - b.half[j] - dot(r.abs_C.column(j), a.half),
             {false, j, -std::copysign(1.0, r.d_b[j])});
}

/// Most pairs lose without a root or a quotient: s / sine > t where s |s| > t |t| sine^2.
void separate_edges(const OrientedBox& a, const OrientedBox& b, const Relative& r, double scale,
                    Separation& out) {
  constexpr double least_sine2 = 1e-12;
  const double half_a[3] = {a.half.x, a.half.y, a.half.z}, half_b[3] = {b.half.x, b.half.y, b.half.z};
  const double d[3] = {r.d_a.x, r.d_a.y, r.d_a.z};
  double s_sine[9], sine2[9];
  for (int i = 0; i < 3; ++i) {
    const int i1 = next_axis[i], i2 = next_axis[i1];
    for (int j = 0; j < 3; ++j) {
      const int j1 = next_axis[j], j2 = next_axis[j1];
      const double reach_a = half_a[i1] * r.abs_C(i2, j) + half_a[i2] * r.abs_C(i1, j);
      const double reach_b = half_b[j1] * r.abs_C(i, j2) + half_b[j2] * r.abs_C(i, j1);
      s_sine[3 * i + j] = std::fabs(d[i2] * r.C(i1, j) - d[i1] * r.C(i2, j)) - reach_a - reach_b;
      sine2[3 * i + j] = r.C(i1, j) * r.C(i1, j) + r.C(i2, j) * r.C(i2, j);
    }
  }
  double to_beat = out.face + bias_ratio * scale;
  for (int pair = 0; pair < 9; ++pair) {
    if (!(s_sine[pair] * std::fabs(s_sine[pair]) > to_beat * std::fabs(to_beat) * sine2[pair])) continue;
    if (sine2[pair] < least_sine2) continue;
    const double s = s_sine[pair] / std::sqrt(sine2[pair]);
    if (!(s > to_beat)) continue;
    out.edge = s, out.edge_a = pair / 3, out.edge_b = pair % 3;
    to_beat = s + bias_ratio * scale;
  }
}

Vec3 face_normal(const OrientedBox& a, const OrientedBox& b, const ReferenceFace& f) {
  return f.of_a ? f.side * a.frame.axis(f.axis) : -f.side * b.frame.axis(f.axis);
}

Vec3 edge_normal(const OrientedBox& a, const OrientedBox& b, const Separation& s) {
  const Vec3 c = cross(a.frame.axis(s.edge_a), b.frame.axis(s.edge_b));
  return c / std::copysign(norm(c), dot(c, b.frame.centre - a.frame.centre));
}

/// The edge along `axis` that reaches farthest along n, and its feature number.
Segment supporting_edge(const OrientedBox& box, int axis, const Vec3& n, int& code) {
  Vec3 corner;
  code = 0;
  for (int i = 0; i < 3; ++i) {
    if (i == axis) continue;
    const double side = std::copysign(1.0, dot(box.frame.axis(i), n));
    corner[i] = side * box.half[i];
    code += int(side) * power_of_three[i];
  }
  const Vec3 reach = box.half[axis] * box.frame.axis(axis);
  return {box.frame.to_world(corner) - reach, 2 * reach};
}

/// Two edges that overlap: the closest points of their segments.
Point overlapping_edges(const OrientedBox& a, const OrientedBox& b, const Separation& s) {
  const Vec3 n = edge_normal(a, b, s);
  int code_a, code_b;
  const Segment edge_a = supporting_edge(a, s.edge_a, n, code_a),
                edge_b = supporting_edge(b, s.edge_b, -n, code_b);
  const SegmentPair p = closest_points(edge_a, edge_b);
  return {edge_a.at(p.s), edge_b.at(p.t), n, s.edge, feature_pair(code_a, code_b)};
}

/// The box's point farthest along n: the last resort of an overlap in which neither faces nor edges give a
/// point.
Vec3 supporting_vertex(const OrientedBox& box, const Vec3& n, int& code) {
  Vec3 corner;
  code = 0;
  for (int i = 0; i < 3; ++i) {
    const double side = std::copysign(1.0, dot(box.frame.axis(i), n));
    corner[i] = side * box.half[i];
    code += int(side) * power_of_three[i];
  }
  return box.frame.to_world(corner);
}

Point overlapping_vertex(const OrientedBox& a, const OrientedBox& b, const Separation& s) {
  const Vec3 n = face_normal(a, b, s.reference);
  const int face = int(s.reference.side) * power_of_three[s.reference.axis];
  int code;
  if (s.reference.of_a) {
    const Vec3 p = supporting_vertex(b, -n, code);
    return {p - s.face * n, p, n, s.face, feature_pair(face, code)};
  }
  const Vec3 p = supporting_vertex(a, n, code);
  return {p, p + s.face * n, n, s.face, feature_pair(code, face)};
}

double least_gap(const PointList& points) {
  double least = std::numeric_limits<double>::infinity();
  for (const Point& p : points) least = std::fmin(least, p.gap);
  return least;
}

/// Adds the clipped points whose features are not in the list yet. A point deeper than the overlap itself
/// leaves sideways, over the edges that touch, before it leaves through the face: it is not a contact of the
/// face.
void add_new(const PointList& clipped, PointList& out) {
  const int known = out.count();
  const double least = least_gap(out);
  for (const Point& p : clipped) {
    bool found = p.gap < least;
    for (int i = 0; i < known; ++i) found = found || out[i].feature == p.feature;
    if (!found) out.add(p);
  }
}

}  // namespace

void box_box(const Box& shape_a, const Frame& frame_a, const Box& shape_b, const Frame& frame_b,
             Manifold& out) {
  const OrientedBox a{frame_a, 0.5 * shape_a.size}, b{frame_b, 0.5 * shape_b.size};
  const double scale = std::fmin(max_component(a.half), max_component(b.half)), bias = bias_ratio * scale;
  Separation s;
  const Relative r = relative(a, b);
  separate_faces(a, b, r, scale, s);
  if (!std::isfinite(s.face) || s.face >= out.margin()) return;  // poses that are not numbers touch nothing
  separate_edges(a, b, r, scale, s);
  if (s.edge >= out.margin()) return;

  // faces, if they carry the least gap
  PointList clipped;
  const bool edges = s.edge_a >= 0;
  const double separation = edges ? s.edge : s.face;
  const IncidentFace incident = incident_face(r, s.reference);
  if (!edges) {
    clip_faces(a, b, r, s.reference, incident, bias, clipped);
    if (least_gap(clipped) <= separation + 2 * bias)
      return add_reduced(clipped.span(), 0, near_ratio * scale, bias, out);
  }

  // one pair of features, and the faces' points where these are all but parallel
  PointList points;
  if (separation > 0)
    closest_features(a, b, edges ? edge_normal(a, b, s) : face_normal(a, b, s.reference), bias, points);
  else
    points.add(edges ? overlapping_edges(a, b, s) : overlapping_vertex(a, b, s));
  const int fixed = points.count();
  const double along = std::fabs(dot(points[0].normal, face_normal(a, b, s.reference)));
  if (along > parallel_cosine && incident.cosine > parallel_cosine) {
    if (edges) clip_faces(a, b, r, s.reference, incident, bias, clipped);
    add_new(clipped, points);
  }
  add_reduced(points.span(), fixed, near_ratio * scale, bias, out);
}

}  // namespace stiction::collision::narrow
