// Faces of a body near a point, and which of them carry a normal.
//   n = sum_i l_i grad f_i(x),  l_i >= 0  over the faces near x: at most three of them suffice (Caratheodory)
// All subsets of one, two and three of the nearest candidates are tried, smaller ones first; the first whose
// residual is below the tolerance is taken, else the one of least residual.
// Symbols: n outward unit normal; l_i multipliers [-]; f_i face functions [m]. Fails for: nothing; a wrong
// choice is corrected by the active-set loop in polish.cpp or refused by its check.
#include "stiction/collision/convex/detail/side.h"

#include <limits>
#include <span>

#include "stiction/geometry/detail/inequality.h"

namespace stiction::collision::detail {
namespace {

constexpr int most_candidates = 8;

struct Nearby {
  int index[most_candidates];
  Vec3 gradient[most_candidates];
  int count = 0;

  void add(int i, const Vec3& g, const Vec3& n) {  // keeps those most aligned with n
    if (count < most_candidates) {
      index[count] = i, gradient[count++] = g;
      return;
    }
    int worst = 0;
    for (int k = 1; k < count; ++k)
      if (dot(gradient[k], n) < dot(gradient[worst], n)) worst = k;
    if (dot(g, n) > dot(gradient[worst], n)) index[worst] = i, gradient[worst] = g;
  }
};

// |n - combination| of least squares with non-negative weights inside; infinite when a weight is negative.
double residual_of(const Vec3& g, const Vec3& n) {
  const double l = dot(g, n) / norm2(g);
  return l > 0 ? norm(n - l * g) : std::numeric_limits<double>::infinity();
}
double residual_of(const Vec3& g, const Vec3& h, const Vec3& n) {
  const double gg = norm2(g), gh = dot(g, h), hh = norm2(h), det = gg * hh - gh * gh;
  const double l = (hh * dot(g, n) - gh * dot(h, n)) / det, m = (gg * dot(h, n) - gh * dot(g, n)) / det;
  return det > 1e-12 * gg * hh && l > 0 && m > 0 ? norm(n - l * g - m * h)
                                                 : std::numeric_limits<double>::infinity();
}
double residual_of(const Vec3& g, const Vec3& h, const Vec3& k, const Vec3& n) {
  const double det = dot(g, cross(h, k));
  const double a = dot(n, cross(h, k)) / det, b = dot(n, cross(k, g)) / det, c = dot(n, cross(g, h)) / det;
  return std::fabs(det) > 1e-9 && a >= 0 && b >= 0 && c >= 0 ? 0 : std::numeric_limits<double>::infinity();
}

ActiveFaces choose(const Nearby& near, const Vec3& n, double tolerance) {
  ActiveFaces best;
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](double r, ActiveFaces set) {
    if (r < least) least = r, best = set;
  };
  for (int i = 0; i < near.count; ++i) offer(residual_of(near.gradient[i], n), {1, {near.index[i], -1, -1}});
  if (least <= tolerance) return best;
  for (int i = 0; i < near.count; ++i)
    for (int j = 0; j < i; ++j)
      offer(residual_of(near.gradient[i], near.gradient[j], n), {2, {near.index[j], near.index[i], -1}});
  if (least <= tolerance) return best;
  for (int i = 0; i < near.count; ++i)
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < j; ++k)
        offer(residual_of(near.gradient[i], near.gradient[j], near.gradient[k], n),
              {3, {near.index[k], near.index[j], near.index[i]}});
  return best;
}

// Three faces, or two that share no edge.
bool is_corner(const Polyhedron& p, const ActiveFaces& faces) {
  if (faces.count != 2) return faces.count == 3;
  for (const Polyhedron::Edge& e : p.edges)
    if ((e.left == faces.face[0] && e.right == faces.face[1]) ||
        (e.left == faces.face[1] && e.right == faces.face[0]))
      return false;
  return true;
}

// x is at the apex of a cone, and no point of the body is farther along n.
bool is_at_apex(const Side& s, const Intersection& body, int face, const Vec3& x, const Vec3& n,
                double tolerance) {
  Vec3 local;
  if (!stiction::detail::apex_of(body, face, local)) return false;
  const Vec3 apex = s.p + s.R * local;
  return norm(x - apex) <= tolerance * s.size && dot(n, core_support(s, n) - apex) <= 1e-15 * s.size;
}

Implicit axis(const Side& s, int k, double sign, double offset, const Vec3& local) {
  return {sign * local[k] - offset, sign * s.R.column(k), {}};
}

}  // namespace

Side make_side(const Convex& body, const Pose& pose, const Vec3& origin) {
  Side s{&body.core, rotation_matrix(pose.orientation), pose.position - origin, body.rounding,
         extent_of(body)};
  if (const auto* x = std::get_if<Sphere>(&body.core)) s.radius += x->radius;
  if (const auto* x = std::get_if<Capsule>(&body.core)) s.radius += x->radius;
  return s;
}

Vec3 core_support(const Side& s, const Vec3& n) {
  if (std::holds_alternative<Sphere>(*s.core)) return s.p;
  const Vec3 local = transposed_times(s.R, n);
  if (const auto* c = std::get_if<Capsule>(s.core))
    return s.p + std::copysign(0.5 * c->length, local.z) * s.R.column(2);
  return s.p + s.R * support(*s.core, local);
}

bool is_polyhedral(const Side& s) {
  return std::holds_alternative<Sphere>(*s.core) || std::holds_alternative<Capsule>(*s.core) ||
         std::holds_alternative<Box>(*s.core) || std::holds_alternative<Polyhedron>(*s.core) ||
         std::holds_alternative<Triangle>(*s.core);
}

Implicit side_face(const Side& s, int index, const Vec3& x) {
  const int extra = index - face_count(*s.core);
  if (extra < 0) return face(*s.core, index, s.R, s.p, x);
  const Vec3 local = transposed_times(s.R, x - s.p);
  if (const auto* c = std::get_if<Capsule>(s.core); c && extra >= 2)
    return axis(s, 2, extra == 2 ? 1 : -1, 0.5 * c->length, local);
  if (const auto* p = std::get_if<Polyhedron>(s.core))
    return axis(s, extra % 3, 1, p->vertices[std::size_t(extra / 3)][extra % 3], local);
  if (const auto* i = std::get_if<Intersection>(s.core))
    return axis(s, extra % 3, 1, std::get<CurvedFace>(i->faces[std::size_t(extra / 3)]).center[extra % 3],
                local);
  const auto* cone = std::get_if<Cone>(s.core);
  return axis(s, extra, 1, cone && extra == 2 ? 0.75 * cone->height : 0, local);
}

bool is_equality(const Side& s, int index) {
  const int extra = index - face_count(*s.core);
  return extra >= 0 && !(extra >= 2 && std::holds_alternative<Capsule>(*s.core));
}

ActiveFaces choose_faces(const Side& s, const Vec3& x, const Vec3& n, double tolerance) {
  const int faces = face_count(*s.core);
  if (std::holds_alternative<Sphere>(*s.core)) return {3, {faces, faces + 1, faces + 2}};
  if (const auto* c = std::get_if<Capsule>(s.core)) {
    const double z = dot(s.R.column(2), x - s.p), h = 0.5 * c->length - tolerance * s.size;
    if (z >= h && dot(n, s.R.column(2)) > 0) return {3, {faces, faces + 1, faces + 2}};
    if (z <= -h && dot(n, s.R.column(2)) < 0) return {3, {faces, faces + 1, faces + 3}};
    return {2, {faces, faces + 1, -1}};
  }
  if (const auto* c = std::get_if<Cone>(s.core)) {
    const Vec3 apex = s.p + 0.75 * c->height * s.R.column(2);
    if (norm(x - apex) <= tolerance * s.size && dot(n, core_support(s, n) - apex) <= 0)
      return {3, {faces, faces + 1, faces + 2}};
  }
  if (const auto* c = std::get_if<Intersection>(s.core))
    for (int i = 0; i < faces; ++i)
      if (is_at_apex(s, *c, i, x, n, tolerance))
        return {3, {faces + 3 * i, faces + 3 * i + 1, faces + 3 * i + 2}};
  Nearby near;
  for (int i = 0; i < faces; ++i) {
    const Implicit f = side_face(s, i, x);
    if (faces == 1 || f.value >= -tolerance * s.size) near.add(i, f.gradient, n);
  }
  const ActiveFaces chosen = choose(near, n, tolerance);
  if (const auto* p = std::get_if<Polyhedron>(s.core); p && is_corner(*p, chosen)) {
    // its coordinates rather than three planes, which may be nearly parallel
    const Vec3 local = transposed_times(s.R, x - s.p);
    int best = 0;
    for (int i = 1; i < int(p->vertices.size()); ++i)
      if (norm2(p->vertices[std::size_t(i)] - local) < norm2(p->vertices[std::size_t(best)] - local))
        best = i;
    return {3, {faces + 3 * best, faces + 3 * best + 1, faces + 3 * best + 2}};
  }
  return chosen;
}

int violated_face(const Side& s, const Vec3& x, double tolerance) {
  const int faces = face_count(*s.core);
  int first = 0, end = faces;
  if (std::holds_alternative<Sphere>(*s.core)) return -1;
  if (std::holds_alternative<Capsule>(*s.core)) first = faces + 2, end = faces + 4;
  int worst = -1;
  for (int i = first; i < end; ++i)
    if (const double f = side_face(s, i, x).value; f > tolerance) tolerance = f, worst = i;
  return worst;
}

// Corners: a sphere has its centre; a capsule the lower end, then the upper; a box those of the signs of x,
// y, z as bits; a polyhedron or a triangle its vertices.
Vec3 core_support(const Side& s, const Vec3& n, int& corner) {
  corner = -1;
  if (!is_polyhedral(s)) return core_support(s, n);
  corner = 0;
  if (std::holds_alternative<Sphere>(*s.core)) return s.p;
  const Vec3 local = transposed_times(s.R, n);
  if (std::holds_alternative<Capsule>(*s.core)) {
    corner = std::signbit(local.z) ? 0 : 1;
  } else if (std::holds_alternative<Box>(*s.core)) {
    corner =
        (std::signbit(local.x) ? 0 : 1) + (std::signbit(local.y) ? 0 : 2) + (std::signbit(local.z) ? 0 : 4);
  } else {
    const auto* p = std::get_if<Polyhedron>(s.core);
    const std::span<const Vec3> vertices =
        p ? std::span<const Vec3>(p->vertices) : std::span<const Vec3>(std::get_if<Triangle>(s.core)->corner);
    double most = dot(local, vertices[0]);
    for (int i = 1; i < int(vertices.size()); ++i)
      if (const double d = dot(local, vertices[std::size_t(i)]); d > most) most = d, corner = i;
  }
  return corner_of(s, corner);
}

Vec3 corner_of(const Side& s, int corner) {
  if (const auto* t = std::get_if<Triangle>(s.core)) return s.p + s.R * t->corner[corner];
  if (const auto* p = std::get_if<Polyhedron>(s.core)) return s.p + s.R * p->vertices[std::size_t(corner)];
  if (const auto* c = std::get_if<Capsule>(s.core))
    return s.p + (corner == 0 ? -0.5 : 0.5) * c->length * s.R.column(2);
  if (const auto* b = std::get_if<Box>(s.core))
    return s.p + s.R * Vec3{(corner & 1 ? 0.5 : -0.5) * b->size.x, (corner & 2 ? 0.5 : -0.5) * b->size.y,
                            (corner & 4 ? 0.5 : -0.5) * b->size.z};
  return s.p;
}

Difference least_along(const Side& a, const Side& b, const Vec3& n) {
  Difference d;
  d.a = core_support(a, n, d.ia), d.b = core_support(b, -n, d.ib);
  d.w = d.b - d.a;
  return d;
}

}  // namespace stiction::collision::detail
