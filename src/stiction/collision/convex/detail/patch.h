// The part of a body's core that looks a given way: a face, a line, or a point. What manifolds are made of.
#pragma once

#include "stiction/collision/convex/detail/side.h"

namespace stiction::collision::detail {

/// Names of vertices, edges and rims within a body; an edge of a polygon has the name of the vertex it starts
/// from.
namespace patch_name {
inline constexpr int lowest = 0xfff00;    // + rim: the point of a rim that lies deepest
inline constexpr int rim = 0xfff10;       // + 4 rim + quarter: points of a rim fixed to the body
inline constexpr int crossing = 0xfff20;  // + 2 rim + which: where a line crosses a rim
inline constexpr int end = 0xfff30;       // + which: ends of an axis
inline constexpr int apex = 0xfff40;
inline constexpr int smooth = 0xfff50;  // the one point of a strictly convex surface
}  // namespace patch_name

struct Patch {
  enum class Kind : unsigned char { point, line, polygon, disk };
  Kind kind = Kind::point;
  int face = 0;   // polygon, disk: which face of the body
  Vec3 normal;    // polygon, disk: outward unit normal
  int count = 0;  // point 1, line 2, polygon: its corners, counter-clockwise seen from outside
  Vec3 vertex[most_face_vertices];  // [m] world axes, from the origin of the pair
  int name[most_face_vertices];
  Vec3 centre, u, v;  // disk: centre and unit vectors in its plane, fixed to the body
  double radius = 0;  // [m] disk

  void add(const Vec3& x, int its_name) { vertex[count] = x, name[count++] = its_name; }
  bool is_flat() const { return kind == Kind::polygon || kind == Kind::disk; }
};

/// The face whose normal is nearest to d; false for cores that have none.
bool best_face(const Side& s, const Vec3& d, Patch& out);
/// What the core turns towards d: its best face if that looks along d by more than `least_cosine`, or if the
/// core is a polyhedron; else a line of its side, or the support point.
void facing_patch(const Side& s, const Vec3& d, double least_cosine, Patch& out);
/// The points that can touch a plane first, d being the direction against its normal: corners, ends, lowest
/// points of rims, and four fixed points of a rim that lies all but flat. Not for polyhedra.
inline constexpr int most_touching = most_face_vertices + 5;
int touching_points(const Side& s, const Vec3& d, Vec3 (&points)[most_touching], int (&names)[most_touching]);

}  // namespace stiction::collision::detail
