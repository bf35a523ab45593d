// The convex hull: triangles (triangle_hull.cpp), then faces.
//
// A face is grown from the largest triangle that has none yet: neighbours whose corners all lie within
// `flat` times the size of its plane join it. So slivers between nearly coplanar or collinear points vanish
// in the faces beside them. The plane of a face has Newell's normal of its border and touches the vertex that
// lies farthest out. Vertices that only two faces share lie within an edge and are left out.
// Symbols: coordinates [m]. Fails for: points in a plane, or thinner than `thin` times their size; both are
// refused.
#include "stiction/geometry/hull.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "stiction/geometry/detail/triangle_hull.h"

namespace stiction {
namespace {

using detail::Triangle;

Mistake bad_points(const char* message) { return {"", 0, 0, "points", message}; }

double largest_extent(std::span<const Vec3> points) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) low[k] = std::fmin(low[k], p[k]), high[k] = std::fmax(high[k], p[k]);
  return max_component(high - low);
}

class Merge {
 public:
  Merge(std::span<const Vec3> points, const std::vector<Triangle>& triangles, double tolerance)
      : points_(points), triangles_(triangles), tolerance_(tolerance), group_(triangles.size(), -1) {}

  // A loop of point indices for each face.
  std::vector<std::vector<int>> loops() {
    std::vector<Vec3> normal(triangles_.size());
    std::vector<double> area2(triangles_.size());
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      const auto& v = triangles_[i].vertex;
      normal[i] = cross(at(v[1]) - at(v[0]), at(v[2]) - at(v[0]));
      area2[i] = norm2(normal[i]);
    }
    std::vector<int> order(triangles_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      const double x = area2[std::size_t(a)], y = area2[std::size_t(b)];
      return x != y ? x > y : a < b;
    });
    std::vector<std::vector<int>> out;
    for (const int seed : order)
      if (group_[std::size_t(seed)] < 0) {
        grow(seed, normalized(normal[std::size_t(seed)]), int(out.size()));
        out.push_back(border(int(out.size())));
      }
    return out;
  }

 private:
  const Vec3& at(int i) const { return points_[std::size_t(i)]; }

  void grow(int seed, const Vec3& normal, int name) {
    const Vec3 origin = at(triangles_[std::size_t(seed)].vertex[0]);
    members_.assign(1, seed);
    group_[std::size_t(seed)] = name;
    for (std::size_t i = 0; i < members_.size(); ++i)
      for (const int next : triangles_[std::size_t(members_[i])].neighbour) {
        if (group_[std::size_t(next)] >= 0) continue;
        const auto& v = triangles_[std::size_t(next)].vertex;
        const bool flat = std::all_of(
            v.begin(), v.end(), [&](int p) { return std::fabs(dot(normal, at(p) - origin)) <= tolerance_; });
        if (flat) group_[std::size_t(next)] = name, members_.push_back(next);
      }
  }

  // The border of the group just grown, from edge to edge: at the end of a border edge turn around the vertex
  // until the group ends again.
  std::vector<int> border(int name) const {
    const auto inside = [&](int t) { return group_[std::size_t(t)] == name; };
    int triangle = -1;
    std::size_t edge = 0;
    for (const int t : members_)
      for (std::size_t k = 0; k < 3 && triangle < 0; ++k)
        if (!inside(triangles_[std::size_t(t)].neighbour[k])) triangle = t, edge = k;
    std::vector<int> loop;
    if (triangle < 0) return loop;  // a flat set: one face all around
    const int first_triangle = triangle;
    const std::size_t first_edge = edge;
    do {
      loop.push_back(triangles_[std::size_t(triangle)].vertex[edge]);
      const int end = triangles_[std::size_t(triangle)].vertex[(edge + 1) % 3];
      edge = (edge + 1) % 3;
      while (inside(triangles_[std::size_t(triangle)].neighbour[edge])) {
        triangle = triangles_[std::size_t(triangle)].neighbour[edge];
        const auto& v = triangles_[std::size_t(triangle)].vertex;
        edge = v[0] == end ? 0 : v[1] == end ? 1 : 2;
      }
    } while (triangle != first_triangle || edge != first_edge);
    return loop;
  }

  std::span<const Vec3> points_;
  const std::vector<Triangle>& triangles_;
  double tolerance_;
  std::vector<int> group_, members_;
};

// Newell's normal, about the loop's first vertex.
Vec3 loop_normal(std::span<const Vec3> points, const std::vector<int>& loop) {
  Vec3 n;
  for (std::size_t i = 1; i + 1 < loop.size(); ++i)
    n += cross(points[std::size_t(loop[i])] - points[std::size_t(loop[0])],
               points[std::size_t(loop[i + 1])] - points[std::size_t(loop[0])]);
  return normalized(n);
}

void add_edges(Polyhedron& out) {
  struct Half {
    int low, high, face;
    bool forward;
  };
  std::vector<Half> halves;
  for (int f = 0; f < int(out.faces.size()); ++f) {
    const std::span<const int> loop = out.loop(f);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int a = loop[i], b = loop[(i + 1) % loop.size()];
      halves.push_back({std::min(a, b), std::max(a, b), f, a < b});
    }
  }
  std::sort(halves.begin(), halves.end(), [](const Half& a, const Half& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.forward > b.forward;
  });
  for (std::size_t i = 0; i + 1 < halves.size(); i += 2)
    out.edges.push_back({halves[i].low, halves[i].high, halves[i].face, halves[i + 1].face});
}

Polyhedron build(std::span<const Vec3> points, std::vector<std::vector<int>> loops) {
  // vertices of three faces and more
  std::vector<int> uses(points.size(), 0), name(points.size(), -1);
  for (const auto& loop : loops)
    for (const int v : loop) ++uses[std::size_t(v)];
  Polyhedron out;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (uses[i] >= 3) name[i] = int(out.vertices.size()), out.vertices.push_back(points[i]);
  for (auto& loop : loops) {
    std::erase_if(loop, [&](int v) { return uses[std::size_t(v)] < 3; });
    if (loop.size() < 3) continue;
    Polyhedron::Face face{loop_normal(points, loop), 0, int(out.loops.size()), int(loop.size())};
    face.offset = dot(face.normal, points[std::size_t(loop[0])]);
    for (const int v : loop) face.offset = std::fmax(face.offset, dot(face.normal, points[std::size_t(v)]));
    out.faces.push_back(face);
    for (const int v : loop) out.loops.push_back(name[std::size_t(v)]);
  }
  add_edges(out);
  return out;
}

// The least extent along a face normal: the width of the hull is at least a half of it for flat sets.
double thinnest(const Polyhedron& p) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& f : p.faces) {
    double depth = 0;
    for (const Vec3& v : p.vertices) depth = std::fmax(depth, f.offset - dot(f.normal, v));
    least = std::fmin(least, depth);
  }
  return least;
}

}  // namespace

Result<Polyhedron> convex_hull(std::span<const Vec3> points, const HullSettings& settings) {
  if (points.size() < 4) return bad_points("a hull needs four points at least");
  for (const Vec3& p : points)
    if (!is_finite(p)) return bad_points("a coordinate is not a finite number");
  const double size = largest_extent(points);
  const std::vector<Triangle> triangles = detail::triangle_hull(points);
  if (triangles.empty()) return bad_points("the points lie in one plane; a hull needs a volume");
  Polyhedron hull = build(points, Merge(points, triangles, settings.flat * size).loops());
  if (hull.faces.size() < 4 || !(thinnest(hull) > settings.thin * size))
    return bad_points("the points lie nearly in one plane; a hull needs a volume");
  return hull;
}

}  // namespace stiction
