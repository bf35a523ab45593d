// Bodies given as a list of convex inequalities: a dome is a ball and a half-space. All lengths in metres,
// body coordinates.
#pragma once

#include <variant>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/geometry/primitives.h"
#include "stiction/math/vec3.h"

namespace stiction {

/// A curved inequality in its own coordinates y = R^T (x - center), with a, b, c = radii and
/// rho = sqrt((y_x / a)^2 + (y_y / b)^2):
struct CurvedFace {
  enum class Kind : unsigned char {
    ellipsoid,   // rho^2 + (y_z / c)^2 <= 1
    tube,        // rho <= 1: a cylinder without ends along y_z; c does not matter
    cone,        // rho <= -y_z / c: the apex at the center, a and b are its radii at the depth c below it
    paraboloid,  // rho^2 <= -y_z / c: the top at the center, a and b are its radii at the depth c below it
    superellipsoid,  // (|y_x / a|^across + |y_y / b|^across)^(along / across) + |y_z / c|^along <= 1
  };
  Kind kind = Kind::ellipsoid;
  Superellipsoid body;  // radii [m] > 0; across and along count for superellipsoids only
  Vec3 center;          // [m]
  Quat orientation{};   // R, from its axes to those of the body
  friend bool operator==(const CurvedFace&, const CurvedFace&) = default;
};
using Inequality = std::variant<HalfSpace, CurvedFace>;

CurvedFace ball_face(const Vec3& center, double radius);
/// Around the line through `point` along `axis` (of any length but zero).
CurvedFace tube_face(const Vec3& point, const Vec3& axis, double radius);
/// `axis` points from the body out of the apex; the radius grows by `slope` metres for each metre below it.
CurvedFace cone_face(const Vec3& apex, const Vec3& axis, double slope);
/// `axis` points from the body out of the top, where the radius of curvature is `curvature_radius` [m].
CurvedFace paraboloid_face(const Vec3& top, const Vec3& axis, double curvature_radius);

/// At most so many inequalities for a body.
inline constexpr int most_inequalities = 64;

/// Made by intersection(): bounded, with a volume. Coordinates are those of the inequalities.
struct Intersection {
  std::vector<Inequality> faces;

  /// What follows is found by intersection().
  struct Placed {
    Mat3 axes;         // of a curved face
    Vec3 normal;       // of a half-space, unit
    double slack = 0;  // [m] round-off of its value within the body
  };
  std::vector<Placed> placed;  // one for each of `faces`
  Vec3 low, high;              // [m] the box around it
  Vec3 inside;                 // [m] a point well inside
  double size = 0;             // [m] the largest side of the box

  /// A half-space that bounds the body along a piece of its plane.
  struct Flat {
    int face = 0;              // index in `faces`
    bool is_disk = false;      // else a polygon: straight edges, and chords of 48 or fewer to the turn
    Vec3 centre, u, v;         // disk: centre and unit vectors in its plane
    double radius = 0;         // [m] disk
    std::vector<Vec3> corner;  // polygon: counter-clockwise seen from outside, at most most_face_vertices
  };
  std::vector<Flat> flats;
};

/// A mistake, with `path` the inequality it is about, for a set that is empty, flat (thinner than 1e-9 of its
/// extent) or not bounded, and for numbers out of range.
Result<Intersection> intersection(std::vector<Inequality> faces);

}  // namespace stiction
