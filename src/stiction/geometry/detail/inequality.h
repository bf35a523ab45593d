// One convex inequality: its convex form for optimisation, its form as a distance, rays.
#pragma once

#include "stiction/geometry/convex.h"

namespace stiction::detail {

/// F <= 0 inside, convex. Half-spaces [m], others pure numbers.
struct ConvexForm {
  double value = 0;
  Vec3 gradient;
  SymMat3 hessian;
};
ConvexForm convex_form(const Intersection& body, int index, const Vec3& x);
/// The same scaled to a distance, with exact derivatives: F / |grad F|.
Implicit inequality_face(const Intersection& body, int index, const Vec3& x);
/// F / |grad F| alone [m].
double distance_to(const Intersection& body, int index, const Vec3& x);

/// A plane n.x <= offset, |n| = 1, that holds all points of the inequality and not x, where F(x) > 0.
struct Cut {
  Vec3 normal;
  double offset = 0;
};
Cut cut_at(const Intersection& body, int index, const Vec3& x);

/// The point of a single inequality farthest along n; false where there is none, or many.
bool own_farthest(const Intersection& body, int index, const Vec3& n, Vec3& x);

/// How far the ray x + t u, t > 0, |u| = 1, from inside or from the surface is within; infinite where it does
/// not leave.
double leaves(const Intersection& body, int index, const Vec3& x, const Vec3& u);
double leaves(const Intersection& body, const Vec3& x, const Vec3& u, int& face);  // the first of all

/// The straight line on the surface of a tube or cone through its point x; false for other faces.
bool ruling(const Intersection& body, int index, const Vec3& x, Vec3& along);

/// The apex of a cone that belongs to the body; false for other faces.
bool apex_of(const Intersection& body, int index, Vec3& apex);

enum class Farthest : unsigned char { found, on_the_box, empty };
/// The point of the body farthest along n (farthest.cpp), within the box of the body.
Farthest farthest(const Intersection& body, const Vec3& n, Vec3& x);
Vec3 farthest(const Intersection& body, const Vec3& n);

}  // namespace stiction::detail
