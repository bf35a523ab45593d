// Contact points of two convex bodies, around the closest points and their normal n (closest_points.h).
// 1. Against a half-space: the points that can touch it first, each with its exact height (patch.cpp).
// 2. Faces: the face of a nearest to n, then that of b nearest to -n. It is the reference where it separates
// the cores
//    as far as n does, within 3e-9 of the smaller body: faces that tie to round-off are common (every
//    stack), and must not flicker. What the other body turns towards it is laid over it (overlay.cpp):
//    corners and crossings, each with its exact height over the face.
// 3. Lines: two round or sharp lines (a cylinder's side, a capsule, an edge) within 0.1 rad of parallel touch
// at the
//    ends of the stretch over which they lie beside each other, as two capsules do.
// 4. The closest points themselves, where none of these is as near. Where two faces are within 18 degrees of
//    parallel to n, as where an edge crosses a rim or another edge beside them, their points of step 2 that
//    lie elsewhere and would touch after a turn of 0.01 rad come along, with the normal n: the next touch is
//    seen ahead.
// Rounding radii are added last: they shift points along the normal and subtract from gaps.
// Symbols: gap [m]; n from a to b. Points: at most eight. Where it fails: near an edge of a nearly parallel
// face (within the tie of step 2) gaps are those along the face, up to 3e-9 of the size below the true
// ones; cones in line contact with round bodies get one point.
#include "stiction/collision/convex/manifold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stiction/collision/convex/detail/intersection_patch.h"
#include "stiction/collision/convex/detail/overlay.h"
#include "stiction/collision/narrow/closest.h"
#include "stiction/collision/narrow/reduce.h"

namespace stiction::collision {
namespace {

using detail::Patch;
using detail::Side;
using narrow::Point;

constexpr double tie_ratio =
    3e-9;  // [-] of the smaller body: faces this near to the true gap stand in for it
constexpr double edge_ratio = 1e-6;  // [-] of the smaller body: corners this near to an edge lie on it
constexpr double near_ratio = 1e-2;  // [-] of the smaller body: gaps this near to the least one come first
constexpr double elsewhere_ratio = 0.1;    // [-] of the smaller body: another place of it
constexpr double coming_slope = 0.01;      // [rad]
constexpr double reference_cosine = 0.95;  // [-] a reference face is this parallel to the contact
constexpr double facing_cosine = 0.7;      // [-] an end of a cylinder or cone faces the other one beyond this
constexpr int most_points = 8;

/// Of what a body touches with: Fowler, Noll and Vo's sum.
std::uint64_t sum_of(const ActiveFaces& on) {
  std::array<int, 3> face = on.face;
  std::fill(face.begin() + on.count, face.end(), -1);
  std::sort(face.begin(), face.end());
  std::uint64_t sum = 14695981039346656037u;
  for (const int i : face) sum = (sum ^ std::uint64_t(i + 1)) * 1099511628211u;
  return sum;
}

/// The name of the closest points in 40 bits, after what they lie on, the same in either order of the bodies:
/// edges that cross elsewhere are another contact.
std::uint64_t closest_feature(ClosestPoints c, const Convex& a, const Pose& pose_a, const Convex& b,
                              const Pose& pose_b) {
  c.faces_a.count = c.faces_b.count = 0;  // as found at the points, not as the way there left them
  find_faces(c, a, pose_a, b, pose_b);
  return std::uint64_t(15) << 40 | (sum_of(c.faces_a) + sum_of(c.faces_b)) >> 24;
}

struct Candidates {
  static constexpr int capacity = detail::most_overlay_points + 4;
  int count = 0;
  Point points[capacity];
  double least = std::numeric_limits<double>::infinity();

  /// When full, in place of the one with the largest gap.
  void add(const Point& p) {
    least = std::fmin(least, p.gap);
    if (count < capacity) {
      points[count++] = p;
      return;
    }
    int worst = 0;
    for (int i = 1; i < count; ++i)
      if (points[i].gap > points[worst].gap) worst = i;
    if (p.gap < points[worst].gap) points[worst] = p;
  }
};

/// From core points to surface points: x_a and x_b of the cores, n from a to b.
Point with_radii(const Vec3& x_a, double r_a, const Vec3& x_b, double r_b, const Vec3& n, double core_gap,
                 std::uint64_t feature) {
  return {x_a + r_a * n, x_b - r_b * n, n, core_gap - r_a - r_b, feature};
}

// --- half-spaces

void against_plane(const HalfSpace& h, const Side& plane, const Side& b, double size, narrow::Manifold& out) {
  const Vec3 n = plane.R * normalized(h.normal);
  Candidates found;
  const auto take = [&](const Vec3& x, int name) {
    const double height = dot(n, x - plane.p) - h.offset;
    if (height - plane.radius - b.radius < out.margin())
      found.add(with_radii(x - height * n, plane.radius, x, b.radius, n, height, std::uint64_t(name)));
  };
  if (std::holds_alternative<Polyhedron>(*b.core) || std::holds_alternative<Box>(*b.core)) {
    constexpr double face_cosine = 0.9, rounding = 1e-13;
    Patch face;
    detail::best_face(b, -n, face);
    // A face that looks at the plane may still lie above the deepest corner.
    const double deepest = dot(n, detail::core_support(b, -n));
    double lowest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < face.count; ++i) lowest = std::fmin(lowest, dot(n, face.vertex[i]));
    if (dot(face.normal, n) < -face_cosine && lowest <= deepest + rounding * size) {
      for (int i = 0; i < face.count; ++i) take(face.vertex[i], face.name[i]);
    } else if (const auto* p = std::get_if<Polyhedron>(b.core)) {
      for (std::size_t i = 0; i < p->vertices.size(); ++i) take(b.p + b.R * p->vertices[i], int(i));
    } else {
      const Vec3 half = 0.5 * std::get_if<Box>(b.core)->size;
      for (int i = 0; i < 8; ++i)
        take(b.p + b.R * Vec3{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z},
             i);
    }
  } else {
    Vec3 points[detail::most_touching];
    int names[detail::most_touching];
    const int count = detail::touching_points(b, -n, points, names);
    for (int i = 0; i < count; ++i) take(points[i], names[i]);
  }
  narrow::add_reduced({found.points, std::size_t(found.count)}, 0, near_ratio * size, edge_ratio * size, out,
                      most_points);
}

// --- faces

struct Reference {
  Patch face;
  bool of_a = true;
  double separation = -std::numeric_limits<double>::infinity();  // [m] of the cores along the face
};

bool find_reference(const Side& a, const Side& b, const Vec3& n, double gap, double tie, Reference& out) {
  Patch face;
  const auto offer = [&](const Side& own, const Side& other, const Vec3& d, bool of_a) {
    if (!detail::best_face(own, d, face) || !(dot(face.normal, d) > reference_cosine)) return;
    const Vec3 on_face = face.kind == Patch::Kind::disk ? face.centre : face.vertex[0];
    const double s = dot(face.normal, detail::core_support(other, -face.normal) - on_face);
    if (s > out.separation + tie) out.separation = s, out.of_a = of_a, out.face = face;
  };
  offer(a, b, n, true);
  offer(b, a, -n, false);
  return out.separation >= gap - tie;
}

/// Calls take(point of a's core, of b's, height over the face, feature) for what the two bodies touch with at
/// the reference face, or may touch with next.
template <class Take>
void for_faces(const Side& a, const Side& b, const Reference& r, double tolerance, double tie,
               const Take& take) {
  const Side& other = r.of_a ? b : a;
  Patch facing;
  detail::facing_patch(other, -r.face.normal, facing_cosine, facing);
  detail::OverlayPoint points[detail::most_overlay_points];
  const int count = detail::overlay(r.face, facing, tolerance, points);
  const std::uint64_t feature = std::uint64_t(r.of_a ? 1 : 2) << 60 | std::uint64_t(r.face.face & 0xffff)
                                                                          << 44;
  for (int i = 0; i < count; ++i) {
    const detail::OverlayPoint& p = points[i];
    if (p.height < r.separation - tie) continue;  // no point of the other body: that of its plane beyond it
    const Vec3 high = p.base + p.height * r.face.normal;
    take(r.of_a ? p.base : high, r.of_a ? high : p.base, p.height, feature | p.name);
  }
}

void add_faces(const Side& a, const Side& b, const Reference& r, double tolerance, double tie,
               Candidates& out) {
  const Vec3 n = r.of_a ? r.face.normal : -r.face.normal;
  for_faces(a, b, r, tolerance, tie, [&](const Vec3& x, const Vec3& y, double height, std::uint64_t feature) {
    out.add(with_radii(x, a.radius, y, b.radius, n, height, feature));
  });
}

/// Edges are closest, beside faces that are all but parallel to them: what these touch with next, elsewhere,
/// if they turn by 0.01 rad. Along n nothing is nearer than the closest points.
void add_coming(const Side& a, const Side& b, const Reference& r, const ClosestPoints& c, double scale,
                Candidates& out) {
  const Vec3 f = r.of_a ? r.face.normal : -r.face.normal;
  if (!(dot(f, c.normal) > reference_cosine)) return;
  const double least = c.gap + a.radius + b.radius, tie = tie_ratio * scale;
  const Vec3 on_a = c.point_a - a.radius * c.normal, on_b = c.point_b + b.radius * c.normal;
  for_faces(a, b, r, edge_ratio * scale, tie,
            [&](const Vec3& x, const Vec3& y, double, std::uint64_t feature) {
              // beyond the closest points along n: of a patch that reaches beyond its body
              if (dot(c.normal, x - on_a) > tie || dot(c.normal, y - on_b) < -tie) return;
              const double gap = std::fmax(dot(c.normal, y - x), least), away = norm(x - on_a);
              if (away < elsewhere_ratio * scale || gap - least > coming_slope * away) return;
              const Vec3 half = 0.5 * gap * c.normal, between = 0.5 * (x + y);
              out.add(with_radii(between - half, a.radius, between + half, b.radius, c.normal, gap, feature));
            });
}

// --- lines

struct Line {
  narrow::Segment axis;
  double radius = 0;  // [m] of a cylinder around the axis
};

/// The line of a body at its closest point, if it has one across the normal.
bool line_of(const Side& s, const ActiveFaces& faces, const Vec3& at, const Vec3& n, Line& out) {
  constexpr double across = 0.1;
  const Vec3 z = s.R.column(2);
  if (const auto* c = std::get_if<Cylinder>(s.core)) {
    if (std::fabs(dot(n, z)) > across) return false;
    out = {{s.p - 0.5 * c->height * z, c->height * z}, c->radius};
    return true;
  }
  if (const auto* c = std::get_if<Capsule>(s.core); c != nullptr && c->length > 0) {
    out = {{s.p - 0.5 * c->length * z, c->length * z}, 0};
    return std::fabs(dot(n, z)) <= across;
  }
  if (const auto* i = std::get_if<Intersection>(s.core)) {
    detail::SurfaceLine line;
    if (!detail::surface_line(s, *i, faces, at, n, line)) return false;
    out = {{line.end[0], line.end[1] - line.end[0]}, 0};
    return true;
  }
  if (faces.count != 2) return false;
  if (const auto* p = std::get_if<Polyhedron>(s.core)) {
    for (const Polyhedron::Edge& e : p->edges) {
      const bool same = (e.left == faces.face[0] && e.right == faces.face[1]) ||
                        (e.left == faces.face[1] && e.right == faces.face[0]);
      if (!same) continue;
      const Vec3 from = p->vertices[std::size_t(e.from)], to = p->vertices[std::size_t(e.to)];
      out = {{s.p + s.R * from, s.R * (to - from)}, 0};
      return true;
    }
    return false;
  }
  if (const auto* b = std::get_if<Box>(s.core)) {
    const int i = faces.face[0] / 2, j = faces.face[1] / 2;
    if (i == j || i > 2 || j > 2) return false;
    Vec3 x;
    x[i] = (faces.face[0] % 2 == 0 ? 0.5 : -0.5) * b->size[i];
    x[j] = (faces.face[1] % 2 == 0 ? 0.5 : -0.5) * b->size[j];
    const int k = 3 - i - j;
    out = {{s.p + s.R * x - 0.5 * b->size[k] * s.R.column(k), b->size[k] * s.R.column(k)}, 0};
    return true;
  }
  return false;
}

/// From the axis of a line to its surface, as near to the direction n as a cylinder's side has it.
Vec3 around(const Line& line, const Vec3& n) {
  if (line.radius == 0) return {};
  const Vec3 z = normalized(line.axis.along);
  return line.radius * normalized(n - dot(n, z) * z);
}

void add_lines(const Side& a, const Side& b, const ClosestPoints& c, Candidates& out) {
  constexpr double parallel_sine = 0.1;
  Line line_a, line_b;
  if (!line_of(a, c.faces_a, c.point_a - a.radius * c.normal, c.normal, line_a) ||
      !line_of(b, c.faces_b, c.point_b + b.radius * c.normal, c.normal, line_b))
    return;
  narrow::SpanEnd ends[2];
  if (!narrow::parallel_span(line_a.axis, line_b.axis, parallel_sine, ends)) return;
  for (const narrow::SpanEnd& e : ends) {
    const Vec3 x = line_a.axis.at(e.s), y = line_b.axis.at(e.t);
    const std::uint64_t feature = std::uint64_t(8 + e.end) << 40;
    // sharp edges have one normal, all but parallel ones; round surfaces that of their own points
    const bool round = line_a.radius + a.radius + line_b.radius + b.radius > 0;
    const Vec3 d = y - x;
    const double distance = norm(d);
    const Vec3 n = round && distance > 0 ? d / distance : c.normal;
    if (!(dot(n, c.normal) > 0.99)) continue;
    const Vec3 on_a = x + around(line_a, n), on_b = y - around(line_b, n);
    // no two points are nearer than the closest ones; across n those of slightly turned cylinders may seem to
    // be
    const double gap = std::fmax(dot(n, on_b - on_a), c.gap + a.radius + b.radius);
    out.add(with_radii(on_a, a.radius, on_a + gap * n, b.radius, n, gap, feature));
  }
}

}  // namespace

void convex_manifold(const Convex& body_a, const Pose& pose_a, const Convex& body_b, const Pose& pose_b,
                     narrow::Manifold& out) {
  const Pose here{{}, pose_a.orientation}, there{pose_b.position - pose_a.position, pose_b.orientation};
  const Side a = detail::make_side(body_a, here, {}), b = detail::make_side(body_b, there, {});
  if (const auto* h = std::get_if<HalfSpace>(a.core)) return against_plane(*h, a, b, b.size, out);
  if (const auto* h = std::get_if<HalfSpace>(b.core)) {
    against_plane(*h, b, a, a.size, out);
    for (Point& p : out) std::swap(p.point_a, p.point_b), p.normal = -p.normal;
    return;
  }
  ClosestPoints c = closest_points(body_a, here, body_b, there);
  if (!(c.gap < out.margin())) return;
  const double scale = std::fmin(a.size, b.size), tie = tie_ratio * scale, radii = a.radius + b.radius;
  Candidates found;
  Reference reference;
  const bool faces = find_reference(a, b, c.normal, c.gap + radii, tie, reference);
  if (faces)
    add_faces(a, b, reference, edge_ratio * scale, tie, found);
  else
    find_faces(c, body_a, here, body_b, there), add_lines(a, b, c, found);
  const bool lines = !faces && found.count > 0;
  int fixed = 0;
  // a face that separates further than n shows that the closest points had not quite converged
  const double gap = std::fmax(c.gap, reference.separation - radii);
  if (!(found.least <= gap + tie)) {
    const Point closest{c.point_a, c.point_b, c.normal, c.gap,
                        closest_feature(c, body_a, here, body_b, there)};
    if (found.count == Candidates::capacity) --found.count;
    for (int i = found.count++; i > 0; --i) found.points[i] = found.points[i - 1];
    found.points[0] = closest, fixed = 1;
    if (!faces && !lines && std::isfinite(reference.separation)) add_coming(a, b, reference, c, scale, found);
  }
  narrow::add_reduced({found.points, std::size_t(found.count)}, fixed, near_ratio * scale, edge_ratio * scale,
                      out, most_points);
}

}  // namespace stiction::collision
