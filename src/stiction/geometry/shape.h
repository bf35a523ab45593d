// Convex shapes in body coordinates, their bounds and mass properties. All lengths in metres.
// A shape's origin is its centre of mass, except HalfSpace, which has no mass.
#pragma once

#include <variant>

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

using Shape = std::variant<NoShape, Sphere, Box, Capsule, HalfSpace>;
enum class ShapeKind : unsigned char { none, sphere, box, capsule, half_space };  // = Shape::index()
inline ShapeKind kind(const Shape& s) { return ShapeKind(s.index()); }
const char* name(ShapeKind kind);  // "sphere", "half_space", ...

/// Mass [kg] and the diagonal inertia [kg m^2] about the centre of mass, in body axes.
struct MassProperties {
  double mass = 0;
  Vec3 inertia;
};
double volume(const Shape& s);                                // [m^3]; 0 for NoShape and HalfSpace
MassProperties mass_properties(const Shape& s, double mass);  // uniform density

double bounding_radius(const Shape& s);  // [m] about the body's origin; 0 for NoShape, infinite for HalfSpace
/// Half extents [m] of the axis-aligned box, centred at the body's origin, that contains the shape turned by
/// R_WB.
Vec3 bounding_half_extents(const Shape& s, const Mat3& R_WB);
/// The length scale L of the certificate: the largest extent of the shape [m]; 0 for NoShape and HalfSpace.
double size_of(const Shape& s);

}  // namespace stiction
