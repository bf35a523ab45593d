// Support points and bounds of convex bodies.
//   s(n) = argmax { n.x : x in the body };  h(n) = n.s(n);  box: [-h(-e_i), h(e_i)] along each axis e_i
// Closed forms but for a polyhedron, searched vertex by vertex, and an intersection (farthest.cpp). Ties are
// broken by the sign bits of n or the lower vertex, so that the same bits come out everywhere. Rounding adds
// r n / |n|. Symbols: n direction [-]; s, x [m]. Fails for: n = 0; HalfSpace, which has no farthest point.
#include "stiction/geometry/convex.h"

#include <limits>
#include <span>

#include "stiction/base/assert.h"
#include "stiction/base/cases.h"
#include "stiction/geometry/detail/gauge.h"
#include "stiction/geometry/detail/inequality.h"

namespace stiction {
namespace {

Vec3 on_circle(double radius, const Vec3& n) {
  const double rho = std::sqrt(n.x * n.x + n.y * n.y);
  if (!(rho > 0)) return {};
  return {radius * (n.x / rho), radius * (n.y / rho), 0};
}

Vec3 cone_support(const Cone& c, const Vec3& n) {
  const Vec3 apex{0, 0, 0.75 * c.height}, rim = on_circle(c.radius, n) + Vec3{0, 0, -0.25 * c.height};
  return dot(n, apex) >= dot(n, rim) ? apex : rim;
}

Vec3 farthest_vertex(const Polyhedron& p, const Vec3& n) {
  std::size_t best = 0;
  double most = dot(n, p.vertices[0]);
  for (std::size_t i = 1; i < p.vertices.size(); ++i)
    if (const double d = dot(n, p.vertices[i]); d > most) most = d, best = i;
  return p.vertices[best];
}

const Vec3& farthest_corner(const Triangle& t, const Vec3& n) {
  const double a = dot(n, t.corner[0]), b = dot(n, t.corner[1]), c = dot(n, t.corner[2]);
  return a >= b ? (a >= c ? t.corner[0] : t.corner[2]) : (b >= c ? t.corner[1] : t.corner[2]);
}

}  // namespace

const char* name(const ConvexCore& core) {
  static constexpr const char* names[] = {"sphere",     "box",          "capsule",   "half_space",
                                          "cylinder",   "cone",         "ellipsoid", "superellipsoid",
                                          "polyhedron", "intersection", "triangle"};
  return names[core.index()];
}

Vec3 support(const ConvexCore& core, const Vec3& n) {
  return std::visit(Cases{[&](const Sphere& s) { return (s.radius / norm(n)) * n; },
                          [&](const Box& b) {
                            return Vec3{std::copysign(0.5 * b.size.x, n.x),
                                        std::copysign(0.5 * b.size.y, n.y),
                                        std::copysign(0.5 * b.size.z, n.z)};
                          },
                          [&](const Capsule& c) {
                            return (c.radius / norm(n)) * n + Vec3{0, 0, std::copysign(0.5 * c.length, n.z)};
                          },
                          [&](const HalfSpace&) {
                            STICTION_ASSERT(false && "a half-space has no farthest point");
                            return Vec3{};
                          },
                          [&](const Cylinder& c) {
                            return on_circle(c.radius, n) + Vec3{0, 0, std::copysign(0.5 * c.height, n.z)};
                          },
                          [&](const Cone& c) { return cone_support(c, n); },
                          [&](const Ellipsoid& e) {
                            const Vec3 k = times(e.radii, n);
                            return times(e.radii, k) / norm(k);
                          },
                          [&](const Superellipsoid& s) { return detail::gauge_support(s, n); },
                          [&](const Polyhedron& p) { return farthest_vertex(p, n); },
                          [&](const Intersection& i) { return detail::farthest(i, n); },
                          [&](const Triangle& t) { return farthest_corner(t, n); }},
                    core);
}

Vec3 support(const Convex& body, const Vec3& n) {
  const Vec3 s = support(body.core, n);
  return body.rounding > 0 ? s + (body.rounding / norm(n)) * n : s;
}

Bounds bounds(const Convex& body, const Mat3& R_WB) {
  Bounds b;
  for (int i = 0; i < 3; ++i) {
    if (std::holds_alternative<HalfSpace>(body.core)) {
      b.high[i] = std::numeric_limits<double>::infinity(), b.low[i] = -b.high[i];
      continue;
    }
    const Vec3 n = R_WB.row(i);  // the world's axis in body coordinates
    b.high[i] = dot(n, support(body, n));
    b.low[i] = dot(n, support(body, -n));
  }
  return b;
}

double extent_of(const ConvexCore& core) {
  const auto spread = [](std::span<const Vec3> points) {
    if (points.empty()) return 0.0;
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points)
      for (int i = 0; i < 3; ++i) low[i] = std::fmin(low[i], p[i]), high[i] = std::fmax(high[i], p[i]);
    return max_component(high - low);
  };
  return std::visit(Cases{[](const HalfSpace&) { return 0.0; }, [](const Sphere& s) { return 2 * s.radius; },
                          [](const Box& b) { return max_component(b.size); },
                          [](const Capsule& c) { return c.length + 2 * c.radius; },
                          [](const Cylinder& c) { return std::fmax(2 * c.radius, c.height); },
                          [](const Cone& c) { return std::fmax(2 * c.radius, c.height); },
                          [](const Ellipsoid& e) { return 2 * max_component(e.radii); },
                          [](const Superellipsoid& s) { return 2 * max_component(s.radii); },
                          [&](const Polyhedron& p) { return spread(p.vertices); },
                          [](const Intersection& i) { return max_component(i.high - i.low); },
                          [&](const Triangle& t) { return spread(t.corner); }},
                    core);
}

double reach_of(const Convex& body) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double core = std::visit(
      Cases{[](const Sphere& s) { return s.radius; }, [](const Box& b) { return 0.5 * norm(b.size); },
            [](const Capsule& c) { return c.radius + 0.5 * c.length; },
            [](const HalfSpace&) { return infinity; },
            [](const Cylinder& c) {
              return norm(Vec3{c.radius, 0, 0.5 * c.height});
            },
            [](const Cone& c) {
              return std::fmax(0.75 * c.height, norm(Vec3{c.radius, 0, 0.25 * c.height}));
            },
            [](const Ellipsoid& e) { return max_component(e.radii); },
            [](const Superellipsoid& s) { return norm(s.radii); },
            [](const Polyhedron& p) {
              double farthest = 0;
              for (const Vec3& v : p.vertices) farthest = std::fmax(farthest, norm(v));
              return farthest;
            },
            [](const Intersection& i) {
              return norm(Vec3{std::fmax(-i.low.x, i.high.x), std::fmax(-i.low.y, i.high.y),
                               std::fmax(-i.low.z, i.high.z)});
            },
            [](const Triangle& t) {
              return std::fmax(norm(t.corner[0]), std::fmax(norm(t.corner[1]), norm(t.corner[2])));
            }},
      body.core);
  return core + body.rounding;
}

}  // namespace stiction
