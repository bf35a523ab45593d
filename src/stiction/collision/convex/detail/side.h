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
/// The same with the number of the corner, or -1 for a curved core.
Vec3 core_support(const Side& s, const Vec3& n, int& corner);
Vec3 corner_of(const Side& s, int corner);
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
  Vec3 w, a, b;          // w = b - a
  int ia = -1, ib = -1;  // corners of cores that have finitely many: is_polyhedral()
};
/// The point of B - A least along n: n.w is how far n separates the bodies.
Difference least_along(const Side& a, const Side& b, const Vec3& n);

/// A direction from a to b with points of the cores.
struct Candidate {
  Vec3 normal, a, b;
  double separation = 0;  // [m] normal.w, the true separation along `normal`
  double error = 0;       // [m] no direction separates by more than separation + error
  Witness witness;        // by GJK, where it ended on corners
};
inline constexpr double shallow_ratio = 1e-8;  // [-] of the size: overlaps this deep have one direction
enum class GjkStatus : unsigned char { apart, overlapping };
/// Distance of the cores; `overlapping` where they touch or overlap (candidate: the last direction tried).
GjkStatus gjk(const Side& a, const Side& b, double size, const Vec3& start, Candidate& out,
              const Witness& witness = {});
/// The face or pair of edges on which the corners of `witness` lie now, if they still carry the closest
/// points: apart, or overlapping by so little that any other direction is as good to 1e-8 of the size.
/// `normal`: that of a nearby pose.
bool try_witness(const Side& a, const Side& b, double size, const Witness& witness, const Vec3& normal,
                 Candidate& out);
/// Newton's method on the direction alone, by support points and their rates of change (climb.cpp). True
/// where it has found closest points to round-off: of cores apart, of overlapping ones less deep than their
/// surfaces bend, or (`shallow`) less deep than 1e-8 of the size.
bool climb(const Side& a, const Side& b, double size, const Vec3& start, bool shallow, Candidate& out);
/// The direction of greatest separation of cores that touch or overlap.
Candidate expand(const Side& a, const Side& b, double size, const Vec3& start);
/// Newton's method from a candidate; false where it does not end in a better or equal separation.
bool polish(const Side& a, const Side& b, double size, Candidate& c, ActiveFaces& faces_a,
            ActiveFaces& faces_b);

}  // namespace stiction::collision::detail
