// Polygons and C2 cubic splines through points, and the nearest of their points.
//
// Spline, on a piece of length h from p0 to p1 (along the polygon), with second derivatives m0 and m1,
// B = t/h, A = 1 - B:
//     c   = A p0 + B p1 + ((A^3 - A) m0 + (B^3 - B) m1) h^2/6
//     c'  = (p1 - p0)/h + ((1 - 3 A^2) m0 + (3 B^2 - 1) m1) h/6          c'' = A m0 + B m1
//     continuity of c':  h_- m_- + 2 (h_- + h_+) m + h_+ m_+ = 6 ((p_+ - p)/h_+ - (p - p_-)/h_-)
// with m = 0 at natural ends, a continuous third derivative at the second and last but one point for
// not_a_knot, cyclic for closed curves (Sherman and Morrison). The matrix is dominated by its diagonal.
//
// Nearest point: Newton's method on (c - y).c' = 0, with steps of at most one piece; long ones are halved
// until the distance does not grow. Polygons: from piece to piece across the planes that halve their corners,
// so that the distance from the line of the piece is continuous there.
//
// Symbols: s, t, h [m]; c, p, y [m]; m [1/m].
// Reference: C. de Boor, A Practical Guide to Splines, 1978, chapter IV.
// When it fails: a point near the centre of curvature has no nearest point to speak of; the search then ends
// in a local minimum. Beyond the ends of an open spline with not_a_knot the curvature jumps to 0.
#include "stiction/constraints/curve.h"

#include <algorithm>
#include <string>

#include "stiction/constraints/detail/curve_pieces.h"
#include "stiction/math/vec3.h"

namespace stiction::constraints {

namespace detail {

Vec3 piece_point(const Curve& c, int piece) {
  return c.point[std::size_t(piece) < c.point.size() ? std::size_t(piece) : 0];
}

Vec3 piece_direction(const Curve& c, int piece) {
  return normalized(piece_point(c, piece + 1) - piece_point(c, piece));
}

Place place_of(const Curve& c, double s) {
  Place out{0, s, 0};
  if (c.closed) {
    out.round = c.length() * std::floor(s / c.length());
    out.s = s - out.round;
  }
  const auto after = std::upper_bound(c.knot.begin(), c.knot.end(), out.s);
  out.piece = std::clamp(int(after - c.knot.begin()) - 1, 0, c.piece_count() - 1);
  return out;
}

Place polyline_place(const Curve& c, const Vec3& y, double start) {
  Place at = place_of(c, start);
  const int n = c.piece_count();
  Vec3 u = piece_direction(c, at.piece);
  for (int step = 0; step < n; ++step) {  // at most one round, forwards or backwards
    const bool has_next = c.closed || at.piece + 1 < n, has_previous = c.closed || at.piece > 0;
    if (has_next) {
      const Vec3 next = piece_direction(c, (at.piece + 1) % n);
      if (dot(y - piece_point(c, at.piece + 1), u + next) > 0) {
        if (++at.piece == n) at.piece = 0, at.round += c.length();
        u = next;
        continue;
      }
    }
    if (has_previous) {
      const Vec3 previous = piece_direction(c, (at.piece + n - 1) % n);
      if (dot(y - piece_point(c, at.piece), u + previous) < 0) {
        if (--at.piece < 0) at.piece = n - 1, at.round -= c.length();
        u = previous;
        continue;
      }
    }
    break;
  }
  const auto i = std::size_t(at.piece);
  double along = dot(y - piece_point(c, at.piece), u);
  if (c.closed || at.piece > 0) along = std::fmax(along, 0);
  if (c.closed || at.piece + 1 < n) along = std::fmin(along, c.knot[i + 1] - c.knot[i]);
  at.s = c.knot[i] + along;
  return at;
}

}  // namespace detail

namespace {

using namespace detail;

Result<Curve> polygon(std::vector<Vec3> points, bool closed, std::size_t least) {
  std::vector<Mistake> mistakes;
  const auto add = [&](std::string message) { mistakes.push_back({"", 0, 0, "points", std::move(message)}); };
  if (points.size() < least)
    add("found " + std::to_string(points.size()) + " points, must be at least " + std::to_string(least));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool last = i + 1 == points.size();
    if (!is_finite(points[i])) add("point " + std::to_string(i) + " is not finite");
    if ((!last || closed) && points.size() > 1 && points[i] == points[last ? 0 : i + 1])
      add("points " + std::to_string(i) + " and " + std::to_string(last ? 0 : i + 1) +
          " are at one place; give neighbours two places" +
          (last ? " (a closed curve repeats no point)" : ""));
  }
  if (!mistakes.empty()) return mistakes;
  Curve c{CurveKind::polyline, closed, std::move(points), {0}, {}};
  const std::size_t pieces = c.point.size() - (closed ? 0 : 1);
  for (std::size_t i = 0; i < pieces; ++i)
    c.knot.push_back(c.knot.back() + norm(piece_point(c, int(i) + 1) - piece_point(c, int(i))));
  return c;
}

struct Tridiagonal {
  std::vector<double> lower, diagonal, upper;  // lower[i] in row i, column i - 1
};
// x: right-hand side in, solution out.
template <class T>
void solve(Tridiagonal a, std::vector<T>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double f = a.lower[i] / a.diagonal[i - 1];
    a.diagonal[i] -= f * a.upper[i - 1];
    x[i] = x[i] - f * x[i - 1];
  }
  x[n - 1] = x[n - 1] / a.diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) x[i] = (x[i] - a.upper[i] * x[i + 1]) / a.diagonal[i];
}

double piece_length(const Curve& c, std::size_t i) { return c.knot[i + 1] - c.knot[i]; }

// The equation of continuity at point i; `before` and `after`: the pieces there.
Vec3 jump(const Curve& c, std::size_t before, std::size_t i, std::size_t after) {
  const Vec3 in = (c.point[i] - c.point[before]) / piece_length(c, before);
  return 6.0 * ((piece_point(c, int(after) + 1) - c.point[i]) / piece_length(c, after) - in);
}

void bend_open(Curve& c, bool not_a_knot) {
  const std::size_t n = c.point.size(), inner = n - 2;
  c.bend.assign(n, Vec3{});
  if (inner == 0) return;
  Tridiagonal a{std::vector<double>(inner), std::vector<double>(inner), std::vector<double>(inner)};
  std::vector<Vec3> x(inner);
  for (std::size_t k = 0; k < inner; ++k) {
    const double before = piece_length(c, k), after = piece_length(c, k + 1);
    a.lower[k] = before, a.diagonal[k] = 2 * (before + after), a.upper[k] = after;
    x[k] = jump(c, k, k + 1, k + 1);
  }
  const double f = piece_length(c, 0) / piece_length(c, 1);
  const double g = piece_length(c, n - 2) / piece_length(c, n - 3);
  if (not_a_knot) {  // m0 = (1 + f) m1 - f m2, and likewise at the other end
    a.diagonal[0] += a.lower[0] * (1 + f), a.upper[0] -= a.lower[0] * f;
    a.diagonal[inner - 1] += a.upper[inner - 1] * (1 + g), a.lower[inner - 1] -= a.upper[inner - 1] * g;
  }
  solve(a, x);
  std::copy(x.begin(), x.end(), c.bend.begin() + 1);
  if (!not_a_knot) return;
  c.bend[0] = (1 + f) * c.bend[1] - f * c.bend[2];
  c.bend[n - 1] = (1 + g) * c.bend[n - 2] - g * c.bend[n - 3];
}

void bend_closed(Curve& c) {
  const std::size_t n = c.point.size();
  Tridiagonal a{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  std::vector<Vec3> x(n);
  std::vector<double> z(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i == 0 ? n - 1 : i - 1;
    a.lower[i] = piece_length(c, before), a.upper[i] = piece_length(c, i);
    a.diagonal[i] = 2 * (a.lower[i] + a.upper[i]);
    x[i] = jump(c, before, i, i);
  }
  // Corners as a matrix of rank one: a + u v^T, u = (shift, 0, ..., corner), v = (1, 0, ..., corner/shift).
  const double corner = a.lower[0], shift = -a.diagonal[0];
  a.diagonal[0] -= shift, a.diagonal[n - 1] -= corner * corner / shift;
  z[0] = shift, z[n - 1] = corner;
  solve(a, x), solve(a, z);
  const double r = corner / shift;
  const Vec3 factor = (x[0] + r * x[n - 1]) / (1 + z[0] + r * z[n - 1]);
  for (std::size_t i = 0; i < n; ++i) x[i] -= z[i] * factor;
  c.bend = std::move(x);
}

double nearest_on_spline(const Curve& c, const Vec3& y, double s) {
  constexpr int most = 60;
  constexpr double eps = 0x1p-52;
  for (int i = 0; i < most; ++i) {
    const CurvePoint p = at(c, s);
    const Vec3 w = p.position - y;
    const double slope = dot(w, p.first), speed2 = norm2(p.first), growth = speed2 + dot(w, p.second);
    double step = -slope / (growth > 0.25 * speed2 ? growth : speed2);
    const double most_step = piece_length(c, std::size_t(place_of(c, s).piece));
    step = std::fmax(-most_step, std::fmin(most_step, step));
    if (std::fabs(step) <= 2 * eps * (std::fabs(s) + c.length())) return s + step;
    // Long steps only: near the end the distance changes by less than its round-off.
    const double distance = norm2(w);
    while (std::fabs(step) > 1e-3 * most_step && norm2(at(c, s + step).position - y) > distance) step *= 0.5;
    s += step;
  }
  return s;
}

}  // namespace

Result<Curve> make_polyline(std::vector<Vec3> points, bool closed) {
  return polygon(std::move(points), closed, closed ? 3 : 2);
}

Result<Curve> make_spline(std::vector<Vec3> points, CurveEnds ends) {
  const bool closed = ends == CurveEnds::closed, not_a_knot = ends == CurveEnds::not_a_knot;
  Result<Curve> made = polygon(std::move(points), closed, closed ? 3 : not_a_knot ? 4 : 2);
  if (!made) return made;
  Curve& c = made.value();
  c.kind = CurveKind::spline;
  if (closed)
    bend_closed(c);
  else
    bend_open(c, not_a_knot);
  return made;
}

CurvePoint at(const Curve& c, double s) {
  const Place here = place_of(c, s);
  const auto i = std::size_t(here.piece);
  const double h = piece_length(c, i), t = here.s - c.knot[i];
  const Vec3 p0 = piece_point(c, here.piece), chord = (piece_point(c, here.piece + 1) - p0) / h;
  if (c.kind == CurveKind::polyline) return {p0 + t * chord, chord, {}};
  const Vec3 &m0 = c.bend[i], &m1 = c.bend[i + 1 < c.bend.size() ? i + 1 : 0];
  const double inside = std::fmax(0.0, std::fmin(h, t)), B = inside / h, A = 1 - B;
  const Vec3 first = chord + (h / 6) * ((1 - 3 * A * A) * m0 + (3 * B * B - 1) * m1);
  const Vec3 position = p0 + inside * chord + (h * h / 6) * ((A * A * A - A) * m0 + (B * B * B - B) * m1);
  if (t < 0 || t > h) return {position + (t - inside) * first, first, {}};  // beyond the end of an open curve
  return {position, first, A * m0 + B * m1};
}

Vec3 tangent(const CurvePoint& p) { return normalized(p.first); }

Vec3 curvature(const CurvePoint& p) {
  const double speed2 = norm2(p.first);
  return (p.second - (dot(p.second, p.first) / speed2) * p.first) / speed2;
}

double nearest(const Curve& c, const Vec3& y, double start) {
  if (c.kind == CurveKind::spline) return nearest_on_spline(c, y, start);
  const Place here = polyline_place(c, y, start);
  return here.round + here.s;
}

double nearest(const Curve& c, const Vec3& y) {
  double best = 0, least = norm2(at(c, 0).position - y);
  for (int i = 0; i < c.piece_count(); ++i) {
    const auto k = std::size_t(i);
    const double s = nearest(c, y, 0.5 * (c.knot[k] + c.knot[k + 1])),
                 distance = norm2(at(c, s).position - y);
    if (distance < least) best = s, least = distance;
  }
  return c.closed ? best - c.length() * std::floor(best / c.length()) : best;
}

}  // namespace stiction::constraints
