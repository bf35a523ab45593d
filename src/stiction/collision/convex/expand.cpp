// The direction that separates two touching or overlapping cores most: the face of the difference D = B - A
// nearest to the origin.
//   gap = max_n min_{w in D} n.w = -min_m h(m),  h(m) = max_{w in D} m.w,  m = -n, |m| = 1
// A polytope P of support points, P within D, grows at its face nearest to the origin: face distance d <=
// least h <= h(m) of that face. The loop ends when both agree. Which faces a new point sees is decided
// exactly, so P stays convex. D of lower dimension (points, segments, plane sets) has the normals of its line
// or plane.
// Symbols: D, P, w, d, h [m]; m, n [-]. Reference: van den Bergen, Proximity Queries and Penetration Depth
// Computation on 3D Game Objects, 2001. Fails: the store holds 200 points; where it ends before the bounds
// meet, their difference is the error, and the best of Newton's results from the nearest faces is taken.
#include <limits>
#include <utility>

#include "stiction/collision/convex/detail/side.h"
#include "stiction/geometry/detail/orientation.h"

namespace stiction::collision::detail {
namespace {

constexpr int most_points = 200, most_faces = 2 * most_points;

struct Facet {
  int v[3];
  Vec3 normal;
  double distance;
};

struct Polytope {
  Difference point[most_points];
  int points = 0;
  Facet facet[most_faces];
  int facets = 0;

  void add_facet(int a, int b, int c) {
    Facet& f = facet[facets++];
    f = {{a, b, c}, cross(point[b].w - point[a].w, point[c].w - point[a].w), 0};
    const double length = norm(f.normal);
    f.normal = length > 0 ? f.normal / length : Vec3{0, 0, 1};
    f.distance = length > 0 ? dot(f.normal, point[a].w) : std::numeric_limits<double>::infinity();
  }
  bool sees(const Facet& f, const Vec3& p) const {
    return stiction::detail::orientation(point[f.v[0]].w, point[f.v[1]].w, point[f.v[2]].w, p) > 0;
  }
  /// False when the point is inside.
  bool add(const Difference& d) {
    int edge[3 * most_faces][2], edges = 0, kept = 0;
    bool visible[most_faces], any = false;
    for (int i = 0; i < facets; ++i) visible[i] = sees(facet[i], d.w), any = any || visible[i];
    if (!any) return false;
    for (int i = 0; i < facets; ++i) {
      if (!visible[i]) {
        facet[kept++] = facet[i];
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        const int from = facet[i].v[k], to = facet[i].v[(k + 1) % 3];
        int twin = -1;
        for (int e = 0; e < edges && twin < 0; ++e)
          if (edge[e][0] == to && edge[e][1] == from) twin = e;
        if (twin < 0)
          edge[edges][0] = from, edge[edges++][1] = to;
        else
          edge[twin][0] = edge[edges - 1][0], edge[twin][1] = edge[edges - 1][1], --edges;
      }
    }
    facets = kept;
    point[points] = d;
    for (int e = 0; e < edges; ++e) add_facet(edge[e][0], edge[e][1], points);
    ++points;
    return true;
  }
  int nearest() const {
    int best = 0;
    for (int i = 1; i < facets; ++i)
      if (facet[i].distance < facet[best].distance) best = i;
    return best;
  }
};

Vec3 any_perpendicular(const Vec3& u) {
  Vec3 t, o;
  tangents(u, t, o);
  return t;
}

struct Seeds {
  Difference d[20];
  int count = 0;
};

// Four of the seeds that span a volume, or the normal of the line or plane they lie in (count < 4).
int spanning(const Seeds& s, double size, int (&corner)[4], Vec3& normal) {
  const double tiny = 1e-12 * size;
  double best = -1;
  for (int i = 0; i < s.count; ++i)
    for (int j = 0; j < i; ++j)
      if (const double l = norm(s.d[i].w - s.d[j].w); l > best) best = l, corner[0] = j, corner[1] = i;
  if (!(best > tiny)) return 1;
  const Vec3 u = normalized(s.d[corner[1]].w - s.d[corner[0]].w);
  best = -1;
  for (int i = 0; i < s.count; ++i)
    if (const double l = norm(cross(u, s.d[i].w - s.d[corner[0]].w)); l > best) best = l, corner[2] = i;
  normal = u;
  if (!(best > tiny)) return 2;
  normal = normalized(cross(u, s.d[corner[2]].w - s.d[corner[0]].w));
  best = -1;
  for (int i = 0; i < s.count; ++i)
    if (const double l = std::fabs(dot(normal, s.d[i].w - s.d[corner[0]].w)); l > best)
      best = l, corner[3] = i;
  return best > tiny ? 4 : 3;
}

Candidate flat_difference(const Side& a, const Side& b, double size, int rank, const Vec3& normal,
                          const Vec3& start) {
  Vec3 n = start;
  if (rank == 2) {
    n = start - dot(start, normal) * normal;
    n = norm(n) > 1e-6 ? normalized(n) : any_perpendicular(normal);
  } else if (rank == 3) {
    n = dot(start, normal) < 0 ? -normal : normal;
  }
  Candidate c;
  gjk(a, b, size, start, c);  // the common point of the cores
  return {n, c.a, c.b, dot(n, least_along(a, b, n).w), 0, {}};
}

void fill(const Polytope& p, const Facet& f, Candidate& c) {
  const Vec3 x = p.point[f.v[0]].w, y = p.point[f.v[1]].w, z = p.point[f.v[2]].w, m = cross(y - x, z - x);
  const Vec3 o = f.distance * f.normal;
  double k[3] = {dot(m, cross(y - o, z - o)), dot(m, cross(z - o, x - o)), dot(m, cross(x - o, y - o))},
         sum = 0;
  for (double& w : k) w = std::fmax(w, 0), sum += w;
  c.a = {}, c.b = {};
  for (int i = 0; i < 3; ++i) {
    const double w = sum > 0 ? k[i] / sum : 1.0 / 3;
    c.a += w * p.point[f.v[i]].a, c.b += w * p.point[f.v[i]].b;
  }
}

// Where many directions are nearly as good: Newton's method from the nearest faces, the best result.
Candidate best_of_nearest(const Side& a, const Side& b, double size, Polytope& p, Candidate c) {
  const double ceiling = c.separation + c.error;
  for (int k = 0; k < 16; ++k) {
    Facet& f = p.facet[p.nearest()];
    if (!(f.distance < -c.separation)) break;
    Candidate other{-f.normal, {}, {}, dot(-f.normal, least_along(a, b, -f.normal).w), 0, {}};
    fill(p, f, other);
    ActiveFaces faces_a, faces_b;
    polish(a, b, size, other, faces_a, faces_b);
    if (other.separation > c.separation) c = other;
    f.distance = std::numeric_limits<double>::infinity();
  }
  c.error = std::fmax(0, ceiling - c.separation);
  return c;
}

}  // namespace

Candidate expand(const Side& a, const Side& b, double size, const Vec3& start) {
  Seeds seeds;
  for (int i = -1; i < 2; ++i)
    for (int j = -1; j < 2; ++j)
      for (int k = -1; k < 2; ++k)
        if ((i * i + j * j + k * k) % 2 == 1)
          seeds.d[seeds.count++] = least_along(a, b, {double(i), double(j), double(k)});
  seeds.d[seeds.count++] = least_along(a, b, start);
  int corner[4] = {0, 0, 0, 0};
  Vec3 normal = start;
  const int rank = spanning(seeds, size, corner, normal);
  if (rank < 4) return flat_difference(a, b, size, rank, normal, start);
  Polytope p;
  for (int i = 0; i < 4; ++i) p.point[p.points++] = seeds.d[corner[i]];
  if (stiction::detail::orientation(p.point[0].w, p.point[1].w, p.point[2].w, p.point[3].w) > 0)
    std::swap(p.point[1], p.point[2]);
  p.add_facet(0, 1, 2), p.add_facet(0, 3, 1), p.add_facet(1, 3, 2), p.add_facet(2, 3, 0);
  for (int i = 0; i < seeds.count; ++i) p.add(seeds.d[i]);
  Candidate c;
  c.separation = -std::numeric_limits<double>::infinity();
  const double tolerance = (is_polyhedral(a) && is_polyhedral(b) ? 1e-14 : 1e-9) * size;
  for (;;) {
    Facet& nearest = p.facet[p.nearest()];
    const Facet f = nearest;
    const Difference d = least_along(a, b, -f.normal);
    const double separation = dot(-f.normal, d.w);
    if (separation > c.separation) {
      c.normal = -f.normal, c.separation = separation;
      fill(p, f, c);
    }
    c.error = std::fmax(0, -f.distance - c.separation);
    if (c.error <= tolerance) return c;
    if (p.points == most_points) return best_of_nearest(a, b, size, p, c);
    // nothing lies beyond: a face of D, or a sliver whose normal is round-off; either way it is settled
    if (!p.add(d)) nearest.distance = std::numeric_limits<double>::infinity();
  }
}

}  // namespace stiction::collision::detail
