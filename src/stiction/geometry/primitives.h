// The primitive shapes as plain data. All lengths in metres, body coordinates. The origin is the centre of
// mass of a uniform body, except of HalfSpace, which has none.
#pragma once

#include "stiction/math/vec3.h"

namespace stiction {

struct NoShape {};  // a point that touches nothing
struct Sphere {
  double radius = 0;  // [m] > 0
};
struct Box {
  Vec3 size;  // [m] full edge lengths along x, y, z; > 0
};
struct Capsule {
  double radius = 0;  // [m] > 0
  double length = 0;  // [m] distance between the centres of the two caps, along the body's z axis; >= 0
};
struct HalfSpace {
  Vec3 normal{0, 0, 1};  // [-] outward; need not be unit length
  double offset = 0;     // [m] the boundary is normal.x = offset * |normal| in body coordinates
};

struct Cylinder {
  double radius = 0;  // [m] > 0
  double height = 0;  // [m] > 0, along the body's z axis
};
struct Cone {
  double radius = 0;  // [m] > 0, of the base at z = -height / 4
  double height = 0;  // [m] > 0, the apex is at z = 3/4 height
};
struct Ellipsoid {
  Vec3 radii;  // [m] > 0, along x, y, z
};
/// ((|x / a|^across + |y / b|^across)^(along / across) + |z / c|^along <= 1
struct Superellipsoid {
  Vec3 radii;         // [m] a, b, c > 0
  double across = 2;  // [-] exponent in the x-y plane, 2 to 20: 2 is an ellipse, 20 nearly a rectangle
  double along = 2;   // [-] exponent along z, 2 to 20
  friend bool operator==(const Superellipsoid&, const Superellipsoid&) = default;
};

/// A flat body without volume, the piece of meshes and heightfields; no shape of a body by itself.
struct Triangle {
  Vec3 corner[3];  // [m] not on a line
  Vec3 normal;     // [-] unit, counter-clockwise
};

}  // namespace stiction
