// Curves in space for points that stay on them: polygons and cubic splines through given points. See
// curve.cpp.
#pragma once

#include <vector>

#include "stiction/base/result.h"
#include "stiction/math/vec3.h"

namespace stiction::constraints {

enum class CurveKind : unsigned char { polyline, spline };
/// What a spline does at its two ends.
enum class CurveEnds : unsigned char {
  natural,     // no curvature: what lies beyond goes on straight without a jump in it
  not_a_knot,  // one cubic over the first two pieces, and over the last two: closer to smooth data
  closed,      // the last point is joined to the first; so may a polyline
};

/// Through `point`, in the coordinates of the body that bears it. The parameter s [m] is the length of the
/// polygon through the points: nearly that of the curve. An open curve goes on straight beyond its ends.
struct Curve {
  CurveKind kind = CurveKind::spline;
  bool closed = false;
  std::vector<Vec3> point{};   // [m]
  std::vector<double> knot{};  // [m] s of each point; closed: one more, where the first point comes again
  std::vector<Vec3> bend{};    // [1/m] second derivative at the points; empty for a polyline

  int piece_count() const { return int(knot.size()) - 1; }
  double length() const { return knot.back(); }  // [m] the largest s
};

/// At least 2 points (closed: 3; not_a_knot: 4), finite, no two neighbours at one place.
Result<Curve> make_polyline(std::vector<Vec3> points, bool closed);
Result<Curve> make_spline(std::vector<Vec3> points, CurveEnds ends = CurveEnds::natural);

struct CurvePoint {
  Vec3 position;  // [m]
  Vec3 first;     // [-] dc/ds; its length is near 1
  Vec3 second;    // [1/m]
};
/// s in any order of magnitude: closed curves take it by whole rounds, open ones go on straight.
CurvePoint at(const Curve& curve, double s);
Vec3 tangent(const CurvePoint& p);    // unit length
Vec3 curvature(const CurvePoint& p);  // [1/m] towards the centre; its length is 1/radius

/// The parameter of the point next to y, looked for downhill from `start`, so that it follows a point that
/// moves less than a radius of curvature at a time. On a closed curve it may leave [0, length()], by rounds,
/// and so counts them.
double nearest(const Curve& curve, const Vec3& y, double start);
/// The same, over the whole curve.
double nearest(const Curve& curve, const Vec3& y);

}  // namespace stiction::constraints
