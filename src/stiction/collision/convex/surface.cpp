// Contact points of a surface of triangles T with a convex body S. The solid lies behind the triangles.
//
// 1. Faces: T's plane with its normal n. Points of S (corners, ends, lowest points, rims) that lie over T,
// with their
//    heights.
// 2. Edges of T that touch (SurfaceTriangle), each with its two ends: the closest points of edge and S, where
// their
//    normal lies in the normal cone there (geometry/surface.cpp); on a flat face of S the ends of the stretch
//    that the edge has under it. Each edge for itself: what is nearer elsewhere hides none.
// What lies on flat or concave edges is left to the neighbour that is nearer, so a plane of many triangles
// has the contacts of one: named by the point of S and the facet, they last while S moves over it. A ball
// (direct, Ericson 2005 section 5.1.5): the point of T nearest to its centre; normals within 1e-9 of n are n.
//
// Where S reaches behind T's plane by more than 1 % of its size while it overlaps T itself by less, the plane
// is not what it touches (a box on top of a wall reaches behind the plane of its side), and 1 is left out.
// Symbols: n [-] from the surface to S; gap [m]. Names: 64 bits mixed from kind, facet, edge or vertex, and
// the feature of S. Fails: a body that is wholly behind a triangle does not touch it, so one that got behind
// an open surface stays there; cylinders and capsules along a convex edge get one point.
#include "stiction/collision/convex/surface.h"

#include <algorithm>
#include <limits>

#include "stiction/collision/convex/detail/overlay.h"

namespace stiction::collision {
namespace {

using detail::Patch;
using detail::Side;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double snap = 1e-9;        // [-] of the radius: a ball this far beside a triangle is over it
constexpr double tie_ratio = 3e-9;   // [-] of the body, as in manifold.cpp
constexpr double edge_ratio = 1e-6;  // [-] of the body: points this near to an edge lie on it
constexpr double shallow = 1e-2;     // [-] of the body
constexpr double facing_cosine = 0.7, reference_cosine = 0.95;
constexpr double in_cone = 1e-7;    // [-] sine: normals of closest points
constexpr double near_cone = 2e-2;  // [-] sine: of the other points of a flat face

enum Name : unsigned { on_face = 1, closest_edge, closest_corner, face_edge };

std::uint64_t feature_of(Name kind, int id, std::uint64_t of_body) {
  std::uint64_t h = (std::uint64_t(kind) << 56) ^ (std::uint64_t(std::uint32_t(id)) << 20) ^
                    (of_body * 0x9e3779b97f4a7c15ull);
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
  return h ^ (h >> 31);
}

struct Nearest {
  Vec3 point;
  int edge = -1, corner = -1;  // which, where it lies on one
};

/// The point of a triangle nearest to p.
Nearest nearest_point(const Vec3 (&x)[3], const Vec3& p) {
  const Vec3 ab = x[1] - x[0], ac = x[2] - x[0], ap = p - x[0];
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {x[0], -1, 0};
  const Vec3 bp = p - x[1];
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {x[1], -1, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {x[0] + (d1 / (d1 - d3)) * ab, 0, -1};
  const Vec3 cp = p - x[2];
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {x[2], -1, 2};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {x[0] + (d2 / (d2 - d6)) * ac, 2, -1};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return {x[1] + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (x[2] - x[1]), 1, -1};
  const double sum = va + vb + vc;
  return {x[0] + (vb / sum) * ab + (vc / sum) * ac, -1, -1};
}

/// Turns the z axis, as a line, to that of the unit vector d.
Quat z_turned_to(const Vec3& d) {
  const Vec3 e = d.z >= 0 ? d : -d;
  return normalized(Quat{1 + e.z, -e.y, e.x, 0});
}

/// One pair of surface and body; everything in world axes, counted from the body's position.
class Finder {
 public:
  Finder(const SurfaceShape& surface, const Pose& pose, const Convex& body, const Pose& pose_body,
         double margin, std::vector<ContactPoint>& out)
      : surface_(surface),
        pose_(pose),
        body_(body),
        here_{{}, pose_body.orientation},
        origin_(pose_body.position),
        side_(detail::make_side(body, here_, {})),
        margin_(margin),
        reach_(reach_of(body)),
        out_(out) {}

  void look(int index) {
    index_ = index;
    info_ = surface_.triangle(index);
    t_ = placed_triangle(surface_, index, pose_, origin_);
    const bool is_ball = std::holds_alternative<Sphere>(body_.core);
    for (int k = 0; k < 3; ++k)  // an edge belongs to the first of its triangles
      if (info_.edge_touches[std::size_t(k)] && info_.edge[std::size_t(k)] == 3 * index + k) edge(k, is_ball);
    const double lowest = dot(t_.normal, detail::core_support(side_, -t_.normal) - t_.corner[0]);
    const double highest = dot(t_.normal, detail::core_support(side_, t_.normal) - t_.corner[0]);
    if (!(lowest - side_.radius < margin_) || highest + side_.radius <= 0) return;
    const Nearest q = nearest_point(t_.corner, {});
    if (!(norm(q.point) < reach_ + margin_)) return;
    if (is_ball) return ball(q, lowest);
    const double few = shallow * side_.size;
    if (lowest >= -few || closest_points(t_, {}, body_, here_).gap + side_.radius <= -few) face();
  }

 private:
  /// Core points of surface and body, the gap of the cores.
  void add(const Vec3& on_surface, const Vec3& n, double core_gap, std::uint64_t feature) {
    const double gap = core_gap - side_.radius;
    if (!(gap < margin_)) return;
    out_.push_back({{0, 0, feature}, origin_ + on_surface, origin_ + on_surface + gap * n, n, gap});
  }

  void ball(const Nearest& q, double height) {
    const Vec3 beside = -q.point - height * t_.normal;
    if ((q.edge < 0 && q.corner < 0) || norm(beside) <= snap * side_.radius)
      add(-height * t_.normal, t_.normal, height, feature_of(on_face, info_.facet, 0));
  }

  /// What the body turns towards the triangle: of this, its own points over the triangle.
  void face() {
    face_.kind = Patch::Kind::polygon, face_.face = 0, face_.normal = t_.normal, face_.count = 0;
    for (int k = 0; k < 3; ++k) face_.add(t_.corner[k], k);
    detail::facing_patch(side_, -t_.normal, facing_cosine, facing_);
    const int count = detail::overlay(face_, facing_, edge_ratio * side_.size, points_);
    for (int i = 0; i < count; ++i)
      if (const detail::OverlayPoint& p = points_[i]; p.name >> 40 == 1)
        add(p.base, t_.normal, p.height, feature_of(on_face, info_.facet, p.name >> 20 & 0xfffff));
  }

  /// Edge k against the body.
  void edge(int k, bool is_ball) {
    const Vec3 &from = t_.corner[k], &to = t_.corner[(k + 1) % 3], along = to - from;
    const double length = norm(along);
    const double place = std::fmin(1.0, std::fmax(0.0, -dot(from, along) / (length * length)));
    const Vec3 nearest = from + place * along;
    const double distance = norm(nearest);
    if (!(distance < reach_ + margin_)) return;
    if (is_ball) {
      const int end = place <= 0 ? k : place >= 1 ? (k + 1) % 3 : -1;
      if (distance > 0 && allows(k, end, -nearest / distance, snap))
        at_edge(k, end, nearest, -nearest / distance, distance);
      return;
    }
    const ClosestPoints c =
        closest_points(Capsule{0, length}, {0.5 * (from + to), z_turned_to(along / length)}, body_, here_);
    if (!(c.gap < margin_)) return;
    const double near = edge_ratio * std::fmin(side_.size, length), gap = c.gap + side_.radius;
    const int end = norm(c.point_a - from) <= near ? k : norm(c.point_a - to) <= near ? (k + 1) % 3 : -1;
    if (under_face(k, c)) return;
    if (allows(k, end, c.normal, in_cone)) at_edge(k, end, c.point_a, c.normal, gap);
  }

  /// Whether n can be a normal at edge k, or at the corner `end`.
  bool allows(int k, int end, const Vec3& n, double sine) const {
    const Vec3 local = rotate_back(pose_.orientation, n);
    return end >= 0 ? surface_.corner_allows(index_, end, local, sine)
                    : surface_.edge_allows(index_, k, local, sine);
  }
  void at_edge(int k, int end, const Vec3& x, const Vec3& n, double core_gap) {
    const std::uint64_t feature = end >= 0 ? feature_of(closest_corner, info_.vertex[std::size_t(end)], 0)
                                           : feature_of(closest_edge, info_.edge[std::size_t(k)], 0);
    add(x, n, core_gap, feature);
  }

  /// Where a flat face of the body lies along edge k: the ends of the stretch of the edge under it.
  bool under_face(int k, const ClosestPoints& c) {
    if (!detail::best_face(side_, -c.normal, facing_)) return false;
    const Vec3 n = -facing_.normal;
    if (!(dot(n, c.normal) > reference_cosine) || !allows(k, -1, n, near_cone)) return false;
    const Vec3 &from = t_.corner[k], &to = t_.corner[(k + 1) % 3];
    const Vec3 base = facing_.kind == Patch::Kind::disk ? facing_.centre : facing_.vertex[0];
    // the face must part the two as far as the closest points do
    const double lowest = -std::fmax(dot(n, from - base), dot(n, to - base));
    if (!(lowest >= c.gap + side_.radius - tie_ratio * side_.size)) return false;
    Patch line;
    line.kind = Patch::Kind::line, line.count = 0;
    line.add(from, k), line.add(to, (k + 1) % 3);
    const int count = detail::overlay(facing_, line, edge_ratio * side_.size, points_);
    for (int i = 0; i < count; ++i) {
      const detail::OverlayPoint& p = points_[i];
      const std::uint64_t kind = p.name >> 40, first = p.name >> 20 & 0xfffff, second = p.name & 0xfffff;
      const Vec3 x = p.base + p.height * facing_.normal;
      const auto of_face = std::uint64_t(facing_.face) + 1;
      if (kind == 1) {  // an end of the edge
        if (allows(k, int(first), n, near_cone))
          add(x, n, p.height, feature_of(closest_corner, info_.vertex[std::size_t(first)], of_face));
      } else {
        add(x, n, p.height,
            feature_of(face_edge, info_.edge[std::size_t(k)], (first << 20 | second) << 20 | of_face));
      }
    }
    return count > 0;
  }

  const SurfaceShape& surface_;
  Pose pose_;
  const Convex& body_;
  Pose here_;
  Vec3 origin_;
  Side side_;
  double margin_, reach_;
  std::vector<ContactPoint>& out_;
  int index_ = 0;
  SurfaceTriangle info_;
  Triangle t_;
  Patch face_, facing_;
  detail::OverlayPoint points_[detail::most_overlay_points];
};

}  // namespace

BoundingBox in_body(const BoundingBox& b, const Pose& pose) {
  if (!(b.high.x < infinity)) return b;
  const Mat3 R = rotation_matrix(pose.orientation);
  const Vec3 centre = transposed_times(R, 0.5 * (b.low + b.high) - pose.position), h = 0.5 * (b.high - b.low);
  const Vec3 half{dot(abs(R.column(0)), h), dot(abs(R.column(1)), h), dot(abs(R.column(2)), h)};
  return {centre - half, centre + half};
}

BoundingBox world_box(const Convex& body, const Pose& pose, double grown) {
  const Bounds b = bounds(body, rotation_matrix(pose.orientation));
  const Vec3 more{grown, grown, grown};
  return {pose.position + b.low - more, pose.position + b.high + more};
}

Triangle placed_triangle(const SurfaceShape& surface, int index, const Pose& pose, const Vec3& origin) {
  const SurfaceTriangle t = surface.triangle(index);
  Triangle out;
  for (std::size_t k = 0; k < 3; ++k)
    out.corner[k] = (pose.position - origin) + rotate(pose.orientation, t.corner[k]);
  out.normal = rotate(pose.orientation, t.normal);
  return out;
}

void surface_contacts(const SurfaceShape& surface, const Pose& pose, const Convex& body,
                      const Pose& pose_body, double margin, std::vector<ContactPoint>& out) {
  const std::size_t first = out.size();
  Finder finder(surface, pose, body, pose_body, margin, out);
  surface.visit(in_body(world_box(body, pose_body, margin), pose), [&](int index) { finder.look(index); });
  // the same feature from several triangles: the nearest of them
  std::sort(out.begin() + std::ptrdiff_t(first), out.end(), [](const ContactPoint& p, const ContactPoint& q) {
    if (p.key.feature != q.key.feature) return p.key.feature < q.key.feature;
    if (p.gap != q.gap) return p.gap < q.gap;
    return comes_before(p, q);
  });
  std::size_t kept = first;
  for (std::size_t i = first; i < out.size(); ++i)
    if (kept == first || out[i].key.feature != out[kept - 1].key.feature) out[kept++] = out[i];
  out.resize(kept);
}

SurfacePoint closest_on_surface(const SurfaceShape& surface, const Pose& pose, const Vec3& x, double within) {
  SurfacePoint best{infinity, {}, {}};
  const Vec3 local = rotate_back(pose.orientation, x - pose.position);
  // boxes that grow: most points are near, and most boxes that are looked at hold few triangles
  for (double reach = std::fmin(within, 0.02 * surface.size());; reach = std::fmin(within, 4 * reach)) {
    const Vec3 half{reach, reach, reach};
    int nearest = -1;
    Nearest at;
    surface.visit({local - half, local + half}, [&](int index) {
      const SurfaceTriangle t = surface.triangle(index);
      const Vec3 corner[3] = {t.corner[0] - local, t.corner[1] - local, t.corner[2] - local};
      const Nearest q = nearest_point(corner, {});
      const double d = norm(q.point);
      if (d > reach || !(d < best.distance || (d == best.distance && index < nearest))) return;
      best.distance = d, nearest = index, at = q;
    });
    if (nearest >= 0) {
      const Vec3 outward = surface.outward(nearest, at.edge, at.corner);
      const Vec3 n = best.distance > 0 ? -at.point / best.distance : outward;
      const bool inside = surface.closed() && dot(n, outward) < 0;
      best.point = pose.position + rotate(pose.orientation, local + at.point);
      best.normal = rotate(pose.orientation, inside ? -n : n);
      if (inside) best.distance = -best.distance;
      return best;
    }
    const BoundingBox& all = surface.box();
    if (reach >= within || reach > 2 * (all.distance(local) + surface.size())) return best;
  }
}

bool surface_overlaps(const SurfaceShape& surface, const Pose& pose, const Convex& body,
                      const Pose& pose_body) {
  bool found = false;
  surface.visit(in_body(world_box(body, pose_body, 0), pose), [&](int index) {
    if (found) return;
    const Triangle t = placed_triangle(surface, index, pose, pose_body.position);
    found = closest_points(t, {}, body, {{}, pose_body.orientation}).gap < 0;
  });
  if (found || !surface.closed()) return found;
  return closest_on_surface(surface, pose, pose_body.position, infinity).distance < 0;
}

}  // namespace stiction::collision
