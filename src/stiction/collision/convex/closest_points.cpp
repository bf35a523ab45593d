// Closest points of convex bodies: the direction n of greatest separation
//   gap = max_{|n| = 1} ( min_{y in B} n.y - max_{x in A} n.x )
// which is the distance of bodies apart and minus the least translation that parts overlapping ones. Cores
// first, without their radii: these only subtract from the separation of every direction, so both have the
// same n, however deep the overlap.
//   1. cores with corners: those that carried the closest points before, if they still do (gjk.cpp); curved
//      ones: Newton's method on n (climb.cpp). Proved, that is the answer for cores apart, and from a warm
//      start for overlaps below 1e-8 of the size, where every other direction separates as much to that depth
//      (`error`);
//   2. GJK (gjk.cpp) for cores apart, where corners that end it exactly are the answer; a growing polytope
//      (expand.cpp) for those that touch or overlap;
//   3. Newton's method from there (polish.cpp); what it cannot prove to be better is not taken.
// A half-space against anything is its farthest point along the normal, in closed form.
// Signs: n from a to b. Lengths [m]; tolerances relative to the larger body. Fails: two half-spaces. Where
// several directions separate equally (concentric bodies, a cube in a cube), one of them is returned.
#include "stiction/collision/convex/closest_points.h"

#include "stiction/base/assert.h"
#include "stiction/collision/convex/detail/kkt.h"
#include "stiction/geometry/detail/dense.h"

namespace stiction::collision {
namespace {

using detail::Candidate;
using detail::Side;

// A half-space a against b.
ClosestPoints against_half_space(const Side& a, const Side& b, const HalfSpace& h, const Vec3& origin) {
  const Vec3 n = a.R * normalized(h.normal);
  const Vec3 y = detail::core_support(b, -n);
  const double distance = dot(n, y - a.p) - h.offset;
  ClosestPoints c;
  c.normal = n;
  c.gap = distance - a.radius - b.radius;
  c.point_b = origin + y - b.radius * n;
  c.point_a = origin + y - (distance - a.radius) * n;
  c.polished = true;
  c.faces_a = {1, {0, -1, -1}};
  c.faces_b = detail::choose_faces(b, y, -n, 1e-9);
  return c;
}

ClosestPoints swapped(ClosestPoints c) {
  std::swap(c.point_a, c.point_b);
  std::swap(c.faces_a, c.faces_b);
  c.normal = -c.normal;
  return c;
}

ClosestPoints finish(const Side& a, const Side& b, const Candidate& c, const Vec3& origin) {
  ClosestPoints out;
  out.normal = c.normal;
  out.gap = c.separation - a.radius - b.radius;
  out.error = c.error;
  out.point_a = origin + c.a + a.radius * c.normal;
  out.point_b = origin + c.b - b.radius * c.normal;
  out.witness = c.witness;
  return out;
}

// From body a to body b, by their origins; any direction when they coincide.
Vec3 first_direction(const Side& a, const Side& b, const ClosestPoints* warm) {
  if (warm && is_finite(warm->normal) && norm(warm->normal) > 0.5) return normalized(warm->normal);
  const Vec3 d = b.p - a.p;
  const double length = norm(d);
  return length > 1e-12 * std::fmax(a.size, b.size) ? d / length : Vec3{0, 0, 1};
}

bool is_usable(const ClosestPoints* warm) {
  return warm && warm->polished && is_finite(warm->point_a) && is_finite(warm->point_b) &&
         is_finite(warm->normal) && norm(warm->normal) > 0.5;
}

bool has_corners(const Side& s, const Witness& w, const std::array<int, 3>& corner) {
  if (!is_polyhedral(s)) return w.count == 0;
  const auto* p = std::get_if<Polyhedron>(s.core);
  const int corners = p                                           ? int(p->vertices.size())
                      : std::holds_alternative<Box>(*s.core)      ? 8
                      : std::holds_alternative<Capsule>(*s.core)  ? 2
                      : std::holds_alternative<Triangle>(*s.core) ? 3
                                                                  : 1;
  for (int i = 0; i < w.count; ++i)
    if (corner[std::size_t(i)] < 0 || corner[std::size_t(i)] >= corners) return false;
  return true;
}

/// By what moved little since `warm`, or is smooth.
bool try_at_once(const Side& a, const Side& b, double size, const ClosestPoints* warm, const Vec3& start,
                 const Vec3& origin, ClosestPoints& out) {
  const bool corners = is_polyhedral(a) && is_polyhedral(b);
  Candidate c;
  if (corners ? !warm || !detail::try_witness(a, b, size, warm->witness, start, c)
              : !detail::climb(a, b, size, start, warm != nullptr, c))
    return false;
  out = finish(a, b, c, origin);
  out.polished = true;
  return true;
}

/// GJK's answer needs no more where corners end it exactly, and its direction is that of a triangle or of
/// points far enough apart.
bool is_exact(const Candidate& c, double size) {
  return c.witness.count > 0 && std::fabs(c.error) <= 1e-14 * size &&
         (c.witness.count == 3 || c.separation > 1e-4 * size);
}

}  // namespace

ClosestPoints closest_points(const Convex& body_a, const Pose& pose_a, const Convex& body_b,
                             const Pose& pose_b, const ClosestPoints* warm) {
  const Vec3 origin = pose_a.position;
  const Side a = detail::make_side(body_a, pose_a, origin), b = detail::make_side(body_b, pose_b, origin);
  const auto *plane_a = std::get_if<HalfSpace>(a.core), *plane_b = std::get_if<HalfSpace>(b.core);
  STICTION_ASSERT(!(plane_a && plane_b));
  if (plane_a) return against_half_space(a, b, *plane_a, origin);
  if (plane_b) return swapped(against_half_space(b, a, *plane_b, origin));
  const double size = std::fmax(a.size, b.size);
  ClosestPoints out;
  if (!is_usable(warm) || !has_corners(a, warm->witness, warm->witness.a) ||
      !has_corners(b, warm->witness, warm->witness.b))
    warm = nullptr;
  const Vec3 start = first_direction(a, b, warm);
  if (try_at_once(a, b, size, warm, start, origin, out)) return out;
  Candidate c;
  if (detail::gjk(a, b, size, start, c, warm ? warm->witness : Witness{}) == detail::GjkStatus::overlapping) {
    c = detail::expand(a, b, size, start);
  } else if (is_exact(c, size)) {
    out = finish(a, b, c, origin);
    out.polished = true;
    return out;
  }
  ActiveFaces fa, fb;
  const bool polished = detail::polish(a, b, size, c, fa, fb);
  if (!polished && std::fabs(dot(c.normal, c.b - c.a) - c.separation) > 1e-12 * size) {
    const detail::Difference d = detail::least_along(a, b, c.normal);  // points that fit the gap
    c.a = d.a, c.b = d.b;
  }
  out = finish(a, b, c, origin);
  out.polished = polished, out.faces_a = fa, out.faces_b = fb;
  return out;
}

void find_faces(ClosestPoints& c, const Convex& body_a, const Pose& pose_a, const Convex& body_b,
                const Pose& pose_b) {
  if (!c.polished || c.faces_a.count > 0) return;
  const Vec3 origin = pose_a.position;
  const Side a = detail::make_side(body_a, pose_a, origin), b = detail::make_side(body_b, pose_b, origin);
  c.faces_a = detail::choose_faces(a, c.point_a - origin - a.radius * c.normal, c.normal, 1e-9);
  c.faces_b = detail::choose_faces(b, c.point_b - origin + b.radius * c.normal, -c.normal, 1e-9);
}

ClosestRates rates(const ClosestPoints& closest, const Convex& body_a, const Pose& pose_a,
                   const BodyRate& rate_a, const Convex& body_b, const Pose& pose_b, const BodyRate& rate_b) {
  const Vec3 origin = pose_a.position;
  const Side a = detail::make_side(body_a, pose_a, origin), b = detail::make_side(body_b, pose_b, origin);
  const double size = std::fmax(a.size, b.size);
  ClosestPoints c = closest;
  ClosestRates out;
  out.gap = dot(c.normal, rate_b.velocity + cross(rate_b.spin, c.point_b - pose_b.position) -
                              rate_a.velocity - cross(rate_a.spin, c.point_a - pose_a.position));
  if (!c.polished) return out;
  find_faces(c, body_a, pose_a, body_b, pose_b);
  if (c.faces_a.count == 0 || c.faces_b.count == 0) return out;
  const detail::KktSystem system(a, c.faces_a, b, c.faces_b, size);
  detail::Kkt z;
  z.a = (c.point_a - origin - a.radius * c.normal) / size,
  z.b = (c.point_b - origin + b.radius * c.normal) / size;
  z.n = c.normal, z.d = dot(z.n, z.b - z.a);
  system.set_multipliers(z);
  double r[detail::most_unknowns], J[detail::most_unknowns][detail::most_unknowns];
  system.evaluate(z, r, J);
  system.moved(z, rate_a, rate_b, r);
  if (stiction::detail::solve_dense<detail::most_unknowns>(J, r, system.unknowns(), 1e-10) <
      system.unknowns())
    return out;
  out.unique = true;
  out.normal = {-r[6], -r[7], -r[8]};
  out.point_a = Vec3{-r[0], -r[1], -r[2]} * size + a.radius * out.normal;
  out.point_b = Vec3{-r[3], -r[4], -r[5]} * size - b.radius * out.normal;
  return out;
}

}  // namespace stiction::collision
