// One body of a pair as the algorithms see it: a core without radius, placed relative to the first body.
#pragma once

#include "stiction/collision/convex/closest_points.h"

namespace stiction::collision::detail {

struct Side {
  const ConvexCore* core = nullptr;
  Mat3 R;             // body to world
  Vec3 p;             // [m] origin, from the origin of body a
  double radius = 0;  // [m] what is added around the core: rounding, a sphere's or capsule's radius
  double size = 0;    // [m] largest extent with the radius
};
Side make_side(const Convex& body, const Pose& pose, const Vec3& origin);
/// A point of the core (a sphere's centre, a capsule's segment) farthest along n.
Vec3 core_support(const Side& s, const Vec3& n);
bool is_polyhedral(const Side& s);  // the core has finitely many support points

/// Faces by index; from face_count() on, planes through what has no face of its own:
///   sphere   3: through the centre          capsule  2 through the segment, 2 at its ends
///   cone     3: through the apex            polyhedron 3 for each vertex
///   intersection 3 for each face: through the apex of a cone
Implicit side_face(const Side& s, int index, const Vec3& x);
bool is_equality(const Side& s, int index);  // its multiplier may have either sign
/// The faces, at most three, whose gradients near x combine to the outward direction n.
ActiveFaces choose_faces(const Side& s, const Vec3& x, const Vec3& n, double tolerance);
/// The face that x violates most by more than `tolerance` [m], or -1.
int violated_face(const Side& s, const Vec3& x, double tolerance);

/// One support point of the difference B - A.
struct Difference {
  Vec3 w, a, b;  // w = b - a
};
/// The point of B - A least along n: n.w is how far n separates the bodies.
Difference least_along(const Side& a, const Side& b, const Vec3& n);

/// A direction from a to b with points of the cores.
struct Candidate {
  Vec3 normal, a, b;
  double separation = 0;  // [m] normal.w, the true separation along `normal`
  double error = 0;       // [m] no direction separates by more than separation + error
};
enum class GjkStatus : unsigned char { apart, overlapping };
/// Distance of the cores; `overlapping` where they touch or overlap (candidate: the last direction tried).
GjkStatus gjk(const Side& a, const Side& b, double size, const Vec3& start, Candidate& out);
/// The direction of greatest separation of cores that touch or overlap.
Candidate expand(const Side& a, const Side& b, double size, const Vec3& start);
/// Newton's method from a candidate; false where it does not end in a better or equal separation.
bool polish(const Side& a, const Side& b, double size, Candidate& c, ActiveFaces& faces_a,
            ActiveFaces& faces_b);

}  // namespace stiction::collision::detail
