// Convex bodies for closest points: plain data, support points, bounds, implicit form, mass properties.
// All lengths in metres, body coordinates. The origin is the centre of mass of a uniform body, except of
// HalfSpace, which has none, and of Polyhedron and Intersection, which stand where they were given.
#pragma once

#include <concepts>
#include <utility>
#include <variant>

#include "stiction/geometry/intersection.h"
#include "stiction/geometry/polyhedron.h"
#include "stiction/geometry/primitives.h"
#include "stiction/math/spatial.h"

namespace stiction {

using ConvexCore = std::variant<Sphere, Box, Capsule, HalfSpace, Cylinder, Cone, Ellipsoid, Superellipsoid,
                                Polyhedron, Intersection, Triangle>;

template <class T>
concept IsCore = std::constructible_from<ConvexCore, T>;

/// The largest side of a core's box in body axes [m]; 0 for HalfSpace.
double extent_of(const ConvexCore& core);

/// A core and all points within `rounding` of it. Made anew rather than changed: it keeps what follows from
/// its core.
struct Convex {
  ConvexCore core;
  double rounding = 0;     // [m] >= 0
  double core_extent = 0;  // [m] extent_of(core), kept because every pair asks for it

  template <IsCore T>
  Convex(T c, double r = 0) : core(std::move(c)), rounding(r), core_extent(extent_of(core)) {}
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
inline double extent_of(const Convex& body) { return body.core_extent + 2 * body.rounding; }
/// The radius of a ball about the origin that contains the body [m]: the smallest one, except of
/// superellipsoids; infinite for HalfSpace.
double reach_of(const Convex& body);

/// A body of density 1.
struct Solid {
  double volume = 0;  // [m^3]
  Vec3 center;        // [m]
  SymMat3 inertia;    // [m^5] about the centre, body axes
};
/// Exact for primitives and polyhedra, rounded ones too (a cylinder's rounding by quadrature to round-off);
/// by quadrature to 1e-12 for superellipsoids. Not defined, and volume 0, for HalfSpace, Triangle and for
/// rounded cones, ellipsoids and superellipsoids.
Solid solid(const Convex& body);

/// f(x) with its derivatives; f = 0 on the surface, < 0 inside, |gradient| = 1 on the surface.
struct Implicit {
  double value = 0;  // [m]
  Vec3 gradient;     // [-]
  SymMat3 hessian;   // [1/m]
};
/// The body, without its rounding, is where every face has f <= 0. Faces: Box 6 (x+, x-, y+, ...); Cylinder
/// side, top, bottom; Cone side, base; Polyhedron its faces; Intersection its inequalities; Triangle front,
/// back, and a plane through each edge; one for each of the others.
int face_count(const ConvexCore& core);
Implicit face(const ConvexCore& core, int index, const Vec3& x);
/// The same in world coordinates, for a body at p_WB turned by R_WB.
Implicit face(const ConvexCore& core, int index, const Mat3& R_WB, const Vec3& p_WB, const Vec3& x_W);

}  // namespace stiction
