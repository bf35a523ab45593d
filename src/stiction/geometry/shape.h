// The shapes of bodies, their bounds and mass properties. All lengths in metres, body coordinates.
// A shape's origin is its centre of mass and its axes are principal; HalfSpace has no mass, and a polyhedron
// is brought there when a scene is compiled (centred.h).
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "stiction/geometry/compound.h"
#include "stiction/geometry/convex.h"
#include "stiction/geometry/surface.h"

namespace stiction {

/// Any convex body (convex.h) as the shape of a body: ConvexShape(Cylinder{0.1, 0.3}), ConvexShape(Box{size},
/// 0.01) with rounded edges. What it holds never changes, and copies share it: a thousand bodies of one hull
/// hold it once.
class ConvexShape {
 public:
  template <IsCore T>
  ConvexShape(T core, double rounding = 0) : ConvexShape(Convex(std::move(core), rounding)) {}
  explicit ConvexShape(Convex body);

  const Convex& body() const { return data_->body; }
  const Solid& solid() const { return data_->solid; }  // of density 1
  double size() const { return data_->size; }          // [m] extent_of() the body
  double radius() const { return data_->radius; }      // [m] reach_of() the body

 private:
  struct Data {
    Convex body;
    Solid solid;
    double size, radius;
  };
  std::shared_ptr<const Data> data_;
};

using Shape =
    std::variant<NoShape, Sphere, Box, Capsule, HalfSpace, ConvexShape, CompoundShape, SurfaceShape>;
enum class ShapeKind : unsigned char {  // = Shape::index()
  none,
  sphere,
  box,
  capsule,
  half_space,
  convex,
  compound,
  surface
};
inline ShapeKind kind(const Shape& s) { return ShapeKind(s.index()); }
/// A part of a CompoundShape: Sphere, Box, Capsule or ConvexShape.
struct CompoundPart {
  Shape shape = NoShape{};
  Vec3 position{};     // [m] of the part's origin in the body
  Quat orientation{};  // from the part's axes to the body's
};

const char* name(ShapeKind kind);  // "sphere", "half_space", ...
/// "sphere", ...; of a ConvexShape the name of its core: "cylinder", "polyhedron", ...; "mesh", "heightfield"
const char* name_of(const Shape& s);
/// A convex shape that one of the plain ones can take the place of, as that; half-spaces with a unit normal.
Shape simplest(const Shape& s);
/// What is wrong with its numbers, in words that follow a path ("radius: found -1, must be above 0 m"); empty
/// if nothing is.
std::string fault_of(const Convex& body);

/// Mass [kg] and the diagonal inertia [kg m^2] about the centre of mass, in body axes.
struct MassProperties {
  double mass = 0;
  Vec3 inertia;
};
double volume(const Shape& s);                                // [m^3]; 0 for NoShape, HalfSpace, SurfaceShape
MassProperties mass_properties(const Shape& s, double mass);  // uniform density

double bounding_radius(const Shape& s);  // [m] about the body's origin; 0 for NoShape, infinite for HalfSpace
/// Half extents [m] of the axis-aligned box, centred at the body's origin, that contains the shape turned by
/// R_WB: the smallest one, except of compounds and surfaces, where it contains
/// their box in body axes.
Vec3 bounding_half_extents(const Shape& s, const Mat3& R_WB);
/// The length scale L of the certificate: the largest extent of the shape [m]; 0 for NoShape and HalfSpace.
double size_of(const Shape& s);

}  // namespace stiction
