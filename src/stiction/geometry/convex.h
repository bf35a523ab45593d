// Convex bodies for closest points: plain data, support points, bounds, implicit form, mass properties.
// All lengths in metres, body coordinates. The origin is the centre of mass of a uniform body, except of
// HalfSpace, which has none, and Polyhedron, whose vertices stand where they were given.
#pragma once

#include <variant>

#include "stiction/geometry/polyhedron.h"
#include "stiction/geometry/shape.h"
#include "stiction/math/spatial.h"

namespace stiction {

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
};

using ConvexCore =
    std::variant<Sphere, Box, Capsule, HalfSpace, Cylinder, Cone, Ellipsoid, Superellipsoid, Polyhedron>;

/// A core and all points within `rounding` of it.
struct Convex {
  ConvexCore core;
  double rounding = 0;  // [m] >= 0

  template <class T>
  Convex(T c, double r = 0) : core(std::move(c)), rounding(r) {}
};
const char* name(const ConvexCore& core);  // "cylinder", ...

/// A point of the core farthest along n (any length but zero). Not for HalfSpace.
Vec3 support(const ConvexCore& core, const Vec3& n);
/// The same of the rounded body.
Vec3 support(const Convex& body, const Vec3& n);

struct Bounds {
  Vec3 low, high;
};
/// The tight axis-aligned box of the body turned by R_WB about its origin; infinite for HalfSpace.
Bounds bounds(const Convex& body, const Mat3& R_WB);
/// The largest side of the box in body axes [m]: the length that tolerances are relative to; 0 for HalfSpace.
double size_of(const Convex& body);

/// A body of density 1.
struct Solid {
  double volume = 0;  // [m^3]
  Vec3 center;        // [m]
  SymMat3 inertia;    // [m^5] about the centre, body axes
};
/// Exact for primitives and polyhedra, by quadrature to 1e-12 for superellipsoids. Not defined, and volume 0,
/// for HalfSpace and for rounded bodies other than spheres and capsules.
Solid solid(const Convex& body);

/// f(x) with its derivatives; f = 0 on the surface, < 0 inside, |gradient| = 1 on the surface.
struct Implicit {
  double value = 0;  // [m]
  Vec3 gradient;     // [-]
  SymMat3 hessian;   // [1/m]
};
/// The body, without its rounding, is where every face has f <= 0. Faces: Box 6 (x+, x-, y+, ...); Cylinder
/// side, top, bottom; Cone side, base; Polyhedron its faces; one for each of the others.
int face_count(const ConvexCore& core);
Implicit face(const ConvexCore& core, int index, const Vec3& x);
/// The same in world coordinates, for a body at p_WB turned by R_WB.
Implicit face(const ConvexCore& core, int index, const Mat3& R_WB, const Vec3& p_WB, const Vec3& x_W);

}  // namespace stiction
