// The checks that make a body of inequalities.
// Bounded: no direction u != 0 stays within all of them, n.u <= 0 for half-spaces, rho(u) <= -u_z / c for
// cones, along the axis for tubes, down the axis for paraboloids, none for ellipsoids and superellipsoids.
// Tubes and paraboloids leave one or two directions to try; for half-spaces and cones alone the search of
// farthest.cpp runs on the cone of such u within a cube: bounded if it has no point but 0.
// Not empty: that search, along the six axes, finds no contradiction. Not flat: the mean of its results along
// 26 directions is inside all inequalities by more than 1e-9 of the extent.
// Symbols: lengths [m]. Reference: Rockafellar, Convex Analysis, section 8 (directions of recession). Fails:
// bodies longer than 1e8 times the largest length given count as not bounded.
#include "stiction/geometry/intersection.h"

#include <limits>
#include <string>
#include <utility>

#include "stiction/base/text.h"
#include "stiction/geometry/convex.h"
#include "stiction/geometry/detail/inequality.h"
#include "stiction/geometry/detail/outline.h"

namespace stiction {
namespace {

using Kind = CurvedFace::Kind;

constexpr double thin = 1e-9;      // [-] of the extent
constexpr double parallel = 1e-9;  // [rad] directions this near are the same

Mistake wrong(std::string message) { return {"", 0, 0, "faces", std::move(message)}; }
Mistake wrong(std::size_t index, std::string message) {
  return {"", 0, 0, "faces." + std::to_string(index), std::move(message)};
}

bool positive(double x) { return x > 0 && std::isfinite(x); }

std::string fault_of(const Inequality& f) {
  if (const auto* h = std::get_if<HalfSpace>(&f)) {
    if (!is_finite(h->normal) || !(norm(h->normal) > 0)) return "normal: must be a direction";
    return std::isfinite(h->offset) ? "" : "offset: must be a number";
  }
  const auto& c = std::get<CurvedFace>(f);
  for (int i = 0; i < 3; ++i)
    if (!positive(c.body.radii[i]))
      return "radii: found " + number_text(c.body.radii[i]) + ", must be above 0 m";
  if (c.kind == Kind::superellipsoid)
    for (const double exponent : {c.body.across, c.body.along})
      if (!(exponent >= 2 && exponent <= 20))
        return "exponent: found " + number_text(exponent) + ", must be 2 to 20";
  if (!is_finite(c.center)) return "center: must be a point";
  if (!is_finite(c.orientation) || !(std::fabs(norm2(c.orientation) - 1) < 1e-9))
    return "orientation: must be a unit quaternion";
  return "";
}

void place(Intersection& body) {
  body.placed.clear();
  for (const Inequality& f : body.faces) {
    Intersection::Placed p;
    if (const auto* h = std::get_if<HalfSpace>(&f))
      p.normal = normalized(h->normal);
    else
      p.axes = rotation_matrix(std::get<CurvedFace>(f).orientation);
    body.placed.push_back(p);
  }
}

/// Round-off of the value of each face at points of the body.
void set_slacks(Intersection& body) {
  constexpr double unit = 4e-16;
  const double reach = std::fmax(norm(body.low), norm(body.high));
  for (std::size_t i = 0; i < body.faces.size(); ++i) {
    double length = reach;
    if (const auto* c = std::get_if<CurvedFace>(&body.faces[i]))
      length += norm(c->center) + (c->kind == Kind::cone ? 0 : std::fmax(c->body.radii.x, c->body.radii.y));
    body.placed[i].slack = unit * length;
  }
}

/// The lengths that were given.
double scale_of(const Intersection& body) {
  double scale = 0;
  for (const Inequality& f : body.faces) {
    if (const auto* h = std::get_if<HalfSpace>(&f))
      scale = std::fmax(scale, std::fabs(h->offset));
    else if (const auto* c = std::get_if<CurvedFace>(&f))
      scale = std::fmax(scale, norm(c->center) + (c->kind == Kind::cone ? 0 : max_component(c->body.radii)));
  }
  return scale > 0 ? scale : 1;
}

/// Whether the direction u stays within the inequality.
bool stays(const Intersection& body, std::size_t i, const Vec3& u) {
  if (std::holds_alternative<HalfSpace>(body.faces[i])) return dot(body.placed[i].normal, u) <= parallel;
  const auto& c = std::get<CurvedFace>(body.faces[i]);
  const Vec3 v = transposed_times(body.placed[i].axes, u), r = c.body.radii;
  const double rho = std::sqrt(v.x * v.x / (r.x * r.x) + v.y * v.y / (r.y * r.y));
  switch (c.kind) {
    case Kind::tube:
      return std::sqrt(v.x * v.x + v.y * v.y) <= parallel;
    case Kind::paraboloid:
      return v.z < 0 && std::sqrt(v.x * v.x + v.y * v.y) <= parallel;
    case Kind::cone:
      return rho * r.z <= -v.z + parallel;
    case Kind::ellipsoid:
    case Kind::superellipsoid:
      break;
  }
  return false;
}

bool unbounded_along(const Intersection& body, const Vec3& u) {
  for (std::size_t i = 0; i < body.faces.size(); ++i)
    if (!stays(body, i, u)) return false;
  return true;
}

/// Half-spaces and cones moved to the origin, in a cube: the directions that stay within all.
bool cone_is_unbounded(const Intersection& body) {
  Intersection cone;
  for (Inequality f : body.faces) {
    if (auto* h = std::get_if<HalfSpace>(&f)) h->offset = 0;
    if (auto* c = std::get_if<CurvedFace>(&f)) c->center = {};
    cone.faces.push_back(std::move(f));
  }
  place(cone);
  cone.low = {-1, -1, -1}, cone.high = {1, 1, 1}, cone.size = 2;
  set_slacks(cone);
  for (int i = 0; i < 6; ++i) {
    Vec3 n, x;
    n[i / 2] = i % 2 == 0 ? 1 : -1;
    if (detail::farthest(cone, n, x) != detail::Farthest::empty && dot(n, x) > parallel) return true;
  }
  return false;
}

bool is_unbounded(const Intersection& body) {
  bool lines = false;
  for (std::size_t i = 0; i < body.faces.size(); ++i) {
    const auto* c = std::get_if<CurvedFace>(&body.faces[i]);
    if (c == nullptr || c->kind == Kind::cone) continue;
    if (c->kind == Kind::ellipsoid || c->kind == Kind::superellipsoid) return false;
    lines = true;
    const Vec3 z = body.placed[i].axes.column(2);
    if (unbounded_along(body, z) || unbounded_along(body, -z)) return true;
  }
  return !lines && cone_is_unbounded(body);
}

/// The box around the body, from a larger one.
detail::Farthest find_box(Intersection& body) {
  Vec3 low, high;
  for (int i = 0; i < 6; ++i) {
    Vec3 n, x;
    n[i / 2] = i % 2 == 0 ? 1 : -1;
    const detail::Farthest found = detail::farthest(body, n, x);
    if (found != detail::Farthest::found) return found;
    (i % 2 == 0 ? high : low)[i / 2] = x[i / 2];
  }
  body.low = low, body.high = high;
  body.size = max_component(high - low);
  return detail::Farthest::found;
}

/// False, with the word why, where there is none.
bool enclose(Intersection& body, std::string& why) {
  const double scale = scale_of(body);
  for (double half = 4 * scale; half < 1e9 * scale; half *= 16) {
    body.low = {-half, -half, -half}, body.high = {half, half, half}, body.size = 2 * half;
    set_slacks(body);
    const detail::Farthest found = find_box(body);
    if (found == detail::Farthest::on_the_box) continue;
    if (found == detail::Farthest::empty) {
      why = "no point is inside all of them: the body is empty; check signs of normals, offsets and centres";
      return false;
    }
    set_slacks(body);
    // once more from the box just found: tolerances are now those of the body
    return !(body.size > 0) || find_box(body) == detail::Farthest::found;
  }
  why = "the body is not bounded; add a half-space or a ball that closes it";
  return false;
}

bool find_inside(Intersection& body) {
  Vec3 sum;
  int count = 0;
  for (int i = 0; i < 27; ++i) {
    const Vec3 u{double(i % 3 - 1), double(i / 3 % 3 - 1), double(i / 9 - 1)};
    Vec3 x;
    if (i == 13 || detail::farthest(body, u, x) != detail::Farthest::found) continue;
    sum += x, ++count;
  }
  if (count == 0) return false;
  body.inside = sum / count;
  // all of these points may lie on one face (the base of a wide cone): halfway to what is farthest from it
  const auto inside_of = [&](int i) { return detail::distance_to(body, i, body.inside) < -thin * body.size; };
  const int faces = int(body.faces.size());
  for (int i = 0; i < faces; ++i) {
    if (inside_of(i)) continue;
    Vec3 x;
    const Vec3 outward = detail::convex_form(body, i, body.inside).gradient;
    if (!(norm(outward) > 0) || detail::farthest(body, -outward, x) != detail::Farthest::found) return false;
    body.inside = 0.5 * (body.inside + x);
  }
  for (int i = 0; i < faces; ++i)
    if (!inside_of(i)) return false;
  return true;
}

/// The shortest turn that takes z to the axis.
Quat turn_to(const Vec3& axis) {
  const Vec3 n = normalized(axis);
  if (n.z >= 0) return normalized(Quat{1 + n.z, -n.y, n.x, 0});
  return normalized(Quat{1 - n.z, n.y, -n.x, 0}) * Quat{0, 1, 0, 0};
}

}  // namespace

CurvedFace ball_face(const Vec3& center, double radius) {
  return {Kind::ellipsoid, {{radius, radius, radius}}, center, {}};
}
CurvedFace tube_face(const Vec3& point, const Vec3& axis, double radius) {
  return {Kind::tube, {{radius, radius, radius}}, point, turn_to(axis)};
}
CurvedFace cone_face(const Vec3& apex, const Vec3& axis, double slope) {
  return {Kind::cone, {{slope, slope, 1}}, apex, turn_to(axis)};
}
CurvedFace paraboloid_face(const Vec3& top, const Vec3& axis, double curvature_radius) {
  // z = -x^2 / (2 r): the radius r at the depth r / 2
  return {
      Kind::paraboloid, {{curvature_radius, curvature_radius, 0.5 * curvature_radius}}, top, turn_to(axis)};
}

Result<Intersection> intersection(std::vector<Inequality> faces) {
  std::vector<Mistake> mistakes;
  for (std::size_t i = 0; i < faces.size(); ++i)
    if (std::string fault = fault_of(faces[i]); !fault.empty())
      mistakes.push_back(wrong(i, std::move(fault)));
  if (faces.empty() || faces.size() > most_inequalities)
    mistakes.push_back(wrong("found " + std::to_string(faces.size()) + ", must be 1 to " +
                             std::to_string(most_inequalities)));
  if (!mistakes.empty()) return mistakes;
  Intersection body;
  body.faces = std::move(faces);
  place(body);
  if (is_unbounded(body)) return wrong("the body is not bounded; add a half-space or a ball that closes it");
  std::string why = "the body is flat: thinner than 1e-9 of its extent; move its faces apart";
  if (!enclose(body, why)) return wrong(std::move(why));
  if (!(body.size > 0) || !find_inside(body)) return wrong(std::move(why));
  body.flats = detail::flat_faces(body);
  return body;
}

}  // namespace stiction
