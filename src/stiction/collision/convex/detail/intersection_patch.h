// What an intersection of inequalities turns towards a direction.
#pragma once

#include "stiction/collision/convex/detail/patch.h"

namespace stiction::collision::detail {

/// Names within a body, beside those of patch.h: corners of flat faces, ends of lines.
namespace patch_name {
inline constexpr int flat_corner = 0;    // + most_face_vertices flat + corner
inline constexpr int line_end = 0x2000;  // + 2 face + which
}  // namespace patch_name

/// The flat face whose normal is nearest to d; false where there is none.
bool best_flat(const Side& s, const Intersection& body, const Vec3& d, Patch& out);

/// A straight line on the surface through the point x, across n: of a tube or cone, or the edge of two
/// planes, among the faces given.
struct SurfaceLine {
  Vec3 end[2];   // [m] world axes, from the origin of the pair
  int face = 0;  // whose line it is
};
bool surface_line(const Side& s, const Intersection& body, const ActiveFaces& faces, const Vec3& x,
                  const Vec3& n, SurfaceLine& out);
/// The line at the point that is farthest along d, if the surface there looks along d.
bool facing_line(const Side& s, const Intersection& body, const Vec3& d, SurfaceLine& out);

}  // namespace stiction::collision::detail
