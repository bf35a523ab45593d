// Pieces of curves, between neighbouring points.
#pragma once

#include "stiction/constraints/curve.h"

namespace stiction::constraints::detail {

/// Start of a piece, and of the one after the last.
Vec3 piece_point(const Curve& c, int piece);
Vec3 piece_direction(const Curve& c, int piece);  // unit length, along the polygon

struct Place {
  int piece;
  double s;      // [m] on the first round
  double round;  // [m] whole rounds, of a closed curve: parameter = round + s
};
Place place_of(const Curve& c, double s);
/// The piece of a polyline next to y, and the nearest point on it, looked for from `start`.
Place polyline_place(const Curve& c, const Vec3& y, double start);

}  // namespace stiction::constraints::detail
