// The parts of the box-box narrow phase (see box_box.cpp for the whole).
#pragma once

#include "stiction/collision/narrow/reduce.h"

namespace stiction::collision::narrow {

struct OrientedBox {
  const Frame& frame;
  Vec3 half;  // [m] half edges
};

/// Vertices, edges and faces of a box by one number each: the sum of s_i 3^i, with s_i = -1 or +1 where the
/// feature lies on that side of axis i and 0 where it extends along axis i.
inline constexpr int power_of_three[3] = {1, 3, 9}, next_axis[3] = {1, 2, 0};
/// The contact feature of two such numbers; the same whichever box is the reference.
inline std::uint64_t feature_pair(int code_a, int code_b) {
  return std::uint64_t((code_a + 13) * 27 + code_b + 13);
}

/// Candidate points, reduced before they go into a manifold.
using PointList = FixedList<Point, 12>;

/// The centre of b from that of a, d, in both frames; b's axes in a's frame, C, and their absolute values.
struct Relative {
  Vec3 d_a, d_b;
  Mat3 C, abs_C;
};

/// A face of one of the two boxes as reference: outward normal = side * axis.
struct ReferenceFace {
  bool of_a = true;
  int axis = 0;
  double side = 1;  // +-1, towards the other box
};

/// The face of the other box that looks most at the reference face.
struct IncidentFace {
  int axis = 0;
  double side = 1;
  double cosine = 0;  // between the two faces
};
IncidentFace incident_face(const Relative& r, const ReferenceFace& face);

/// Clips the incident face against the four sides of the reference face. `tolerance` [m]: a vertex this near
/// to a side plane counts as lying on it.
void clip_faces(const OrientedBox& a, const OrientedBox& b, const Relative& r, const ReferenceFace& face,
                const IncidentFace& incident, double tolerance, PointList& out);

/// Closest features of two boxes that do not overlap: one pair of points, or two or three where edges are
/// parallel. `fallback` is the normal where the points are nearer than `tolerance`, too near to give a
/// direction.
void closest_features(const OrientedBox& a, const OrientedBox& b, const Vec3& fallback, double tolerance,
                      PointList& out);

}  // namespace stiction::collision::narrow
