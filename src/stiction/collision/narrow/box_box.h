// The parts of the box-box narrow phase (see box_box.cpp for the whole).
#pragma once

#include <span>

#include "stiction/collision/narrow/reduce.h"

namespace stiction::collision::narrow {

struct OrientedBox {
  Frame frame;
  Vec3 half;  // [m] half edges
};

/// Vertices, edges and faces of a box by one number each: the sum of s_i 3^i, with s_i = -1 or +1 where the
/// feature lies on that side of axis i and 0 where it extends along axis i.
inline constexpr int power_of_three[3] = {1, 3, 9};
/// The contact feature of two such numbers; the same whichever box is the reference.
inline std::uint64_t feature_pair(int code_a, int code_b) {
  return std::uint64_t((code_a + 13) * 27 + code_b + 13);
}

/// A fixed list of candidate points, reduced before they go into a manifold.
struct PointList {
  static constexpr int capacity = 12;
  int count = 0;
  Point points[capacity];

  void add(const Point& p) {
    STICTION_ASSERT(count < capacity);
    points[count++] = p;
  }
  const Point* begin() const { return points; }
  const Point* end() const { return points + count; }
  std::span<const Point> span() const { return {points, std::size_t(count)}; }
};

/// A face of one of the two boxes as reference: outward normal = side * axis.
struct ReferenceFace {
  bool of_a = true;
  int axis = 0;
  double side = 1;  // +-1, towards the other box
};

/// Clips the face of the other box that looks at the reference face against its four sides. `tolerance` [m]:
/// a vertex this near to a side plane counts as lying on it. Returns the cosine between the two faces.
double clip_faces(const OrientedBox& a, const OrientedBox& b, const ReferenceFace& face, double tolerance,
                  PointList& out);

/// Closest features of two boxes that do not overlap: one pair of points, or two or three where edges are
/// parallel. `fallback` is the normal where the points are nearer than `tolerance`, too near to give a
/// direction.
void closest_features(const OrientedBox& a, const OrientedBox& b, const Vec3& fallback, double tolerance,
                      PointList& out);

}  // namespace stiction::collision::narrow
