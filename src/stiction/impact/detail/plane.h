// Vectors and symmetric matrices of the tangent plane.
#pragma once

#include <algorithm>
#include <cmath>

namespace stiction::impact::detail {

struct Vec2 {
  double x = 0, y = 0;
};
inline Vec2 operator*(double s, const Vec2& a) { return {s * a.x, s * a.y}; }
inline double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
inline double length(const Vec2& a) { return std::sqrt(dot(a, a)); }

/// [xx xy; xy yy]
struct Sym2 {
  double xx = 0, xy = 0, yy = 0;

  Vec2 operator*(const Vec2& v) const { return {xx * v.x + xy * v.y, xy * v.x + yy * v.y}; }
  /// (A + s)^-1 v
  Vec2 solve(const Vec2& v, double s = 0) const {
    const double a = xx + s, c = yy + s, det = a * c - xy * xy;
    return {(c * v.x - xy * v.y) / det, (a * v.y - xy * v.x) / det};
  }
};

/// The x of length R with (A + s) x = b, s > 0; A positive semidefinite, and longer than R at s = 0. Newton's
/// method on 1/|x(s)| = 1/R, which is concave, from below.
inline Vec2 solve_on_circle(const Sym2& A, const Vec2& b, double R) {
  double s = std::max(0.0, length(b) / R - A.xx - A.yy);
  Vec2 x = A.solve(b, s);
  for (int i = 0; i < 100; ++i) {
    const double size = length(x), slope = dot(x, A.solve(x, s)) / (size * size * size);
    const double step = (1 / R - 1 / size) / slope;
    if (!(step > 1e-16 * s)) break;
    s += step, x = A.solve(b, s);
  }
  return (R / length(x)) * x;
}

}  // namespace stiction::impact::detail
