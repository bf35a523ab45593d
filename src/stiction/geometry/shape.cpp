// Volumes, mass properties and bounds of the convex shapes, in closed form.
//   sphere   V = 4/3 pi r^3                 I = 2/5 m r^2
//   box      V = a b c                      I_x = m (b^2 + c^2) / 12, cyclic
//   capsule  V = pi r^2 l + 4/3 pi r^3      I_z = m_c r^2 / 2 + 2/5 m_s r^2
//            I_x = I_y = m_c (3 r^2 + l^2) / 12 + m_s (2/5 r^2 + l^2 / 4 + 3/8 r l)
// r radius [m]; l distance of the cap centres [m]; a, b, c edges [m]; m mass [kg]; m_c and m_s the parts of
// the mass in the capsule's cylinder and in its two half-spheres, split by volume; I about the centre of mass
// [kg m^2]. Reference: Goldstein, Classical Mechanics, section 5.3; the half-sphere's 3/8 r is its centroid's
// height. Fails for: nothing; a half-space has neither volume nor inertia.
#include "stiction/geometry/shape.h"

#include <cmath>
#include <limits>

#include "stiction/base/cases.h"
#include "stiction/base/text.h"
#include "stiction/geometry/detail/intersection_solid.h"

namespace stiction {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double infinity = std::numeric_limits<double>::infinity();

Vec3 capsule_inertia(const Capsule& c, double mass) {
  const double r = c.radius, l = c.length;
  // volumes over pi r^2
  const double cylinder = l, caps = 4.0 / 3.0 * r;
  const double m_c = mass * (cylinder / (cylinder + caps)), m_s = mass * (caps / (cylinder + caps));
  const double across = m_c * (3 * r * r + l * l) / 12 + m_s * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
  return {across, across, 0.5 * m_c * r * r + 0.4 * m_s * r * r};
}

/// The diagonal of the inertia of a body of this mass.
Vec3 diagonal_of(const Solid& body, double mass) {
  if (!(body.volume > 0)) return {};
  const double density = mass / body.volume;
  return density * Vec3{body.inertia.xx, body.inertia.yy, body.inertia.zz};
}

/// Of the box, centred at the origin, that contains a box in body axes.
Vec3 turned_half_extents(const BoundingBox& b, const Mat3& R) {
  const Vec3 h{std::fmax(-b.low.x, b.high.x), std::fmax(-b.low.y, b.high.y), std::fmax(-b.low.z, b.high.z)};
  return {dot(abs(R.row(0)), h), dot(abs(R.row(1)), h), dot(abs(R.row(2)), h)};
}

bool positive(double x) { return x > 0 && std::isfinite(x); }

std::string must(const char* what, double found, const char* range) {
  return std::string(what) + ": found " + number_text(found) + ", must be " + range;
}

std::string length_fault(const char* what, double x) { return positive(x) ? "" : must(what, x, "above 0 m"); }

std::string radii_fault(const Vec3& r) {
  for (int i = 0; i < 3; ++i)
    if (!positive(r[i])) return must("radii", r[i], "above 0 m");
  return "";
}

std::string superellipsoid_fault(const Superellipsoid& s) {
  for (const double exponent : {s.across, s.along})
    if (!(exponent >= 2 && exponent <= 20)) return must("exponent", exponent, "2 to 20");
  return radii_fault(s.radii);
}

std::string polyhedron_fault(const Polyhedron& p) {
  if (p.faces.size() < 4) return "points: found no polyhedron, make it with convex_hull()";
  for (const Polyhedron::Face& f : p.faces)
    if (f.count > most_face_vertices)
      return "points: found a face with " + std::to_string(f.count) + " vertices, must be at most " +
             std::to_string(most_face_vertices);
  return "";
}

std::string first_of(std::string a, std::string b) { return a.empty() ? std::move(b) : std::move(a); }

}  // namespace

ConvexShape::ConvexShape(Convex body) {
  const bool sound = fault_of(body).empty();
  const Solid filled = sound ? stiction::solid(body) : Solid{};
  const double size = sound ? extent_of(body) : 0, radius = sound ? reach_of(body) : 0;
  data_ = std::make_shared<const Data>(Data{std::move(body), filled, size, radius});
}

std::string fault_of(const Convex& body) {
  const std::string core = std::visit(
      Cases{[](const Sphere& s) { return length_fault("radius", s.radius); },
            [](const Box& b) {
              return first_of(length_fault("size", b.size.x),
                              first_of(length_fault("size", b.size.y), length_fault("size", b.size.z)));
            },
            [](const Capsule& c) {
              return first_of(length_fault("radius", c.radius),
                              c.length >= 0 ? "" : must("length", c.length, "0 m or more"));
            },
            [](const HalfSpace&) {
              return std::string("a half-space has no edges to round, use HalfSpace alone");
            },
            [](const Cylinder& c) {
              return first_of(length_fault("radius", c.radius), length_fault("height", c.height));
            },
            [](const Cone& c) {
              return first_of(length_fault("radius", c.radius), length_fault("height", c.height));
            },
            [](const Ellipsoid& e) { return radii_fault(e.radii); },
            [](const Superellipsoid& s) { return superellipsoid_fault(s); },
            [](const Polyhedron& p) { return polyhedron_fault(p); },
            [](const Intersection& i) {
              return std::string(i.size > 0 ? "" : "faces: found no body, make it with intersection()");
            },
            [](const Triangle&) { return std::string("a triangle alone is no body"); }},
      body.core);
  if (!core.empty()) return core;
  if (!(body.rounding >= 0 && std::isfinite(body.rounding)))
    return must("rounding", body.rounding, "0 m or more");
  const bool round = std::holds_alternative<Cone>(body.core) ||
                     std::holds_alternative<Ellipsoid>(body.core) ||
                     std::holds_alternative<Superellipsoid>(body.core);
  if (round && body.rounding > 0)
    return std::string("rounding: found ") + number_text(body.rounding) + ", a " + name(body.core) +
           " takes none";
  const auto* cut = std::get_if<Intersection>(&body.core);
  if (cut != nullptr && body.rounding > 0 && !detail::can_be_rounded(*cut))
    return "rounding: found " + number_text(body.rounding) +
           ", an intersection takes one only with flat faces alone or as a body of revolution";
  return "";
}

const char* name_of(const Shape& s) {
  if (const auto* surface = std::get_if<SurfaceShape>(&s))
    return surface->kind() == SurfaceShape::Kind::mesh ? "mesh" : "heightfield";
  const auto* convex = std::get_if<ConvexShape>(&s);
  return convex == nullptr ? name(kind(s)) : name(convex->body().core);
}

Shape simplest(const Shape& shape) {
  if (const auto* convex = std::get_if<ConvexShape>(&shape)) {
    const Convex& body = convex->body();
    if (const auto* s = std::get_if<Sphere>(&body.core)) return Sphere{s->radius + body.rounding};
    if (const auto* c = std::get_if<Capsule>(&body.core))
      return Capsule{c->radius + body.rounding, c->length};
    if (const auto* b = std::get_if<Box>(&body.core); b != nullptr && body.rounding == 0) return *b;
    return shape;
  }
  const auto* half = std::get_if<HalfSpace>(&shape);
  if (half == nullptr || std::fabs(norm2(half->normal) - 1) <= 2e-15) return shape;
  return HalfSpace{normalized(half->normal), half->offset};
}

const char* name(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::none:
      return "none";
    case ShapeKind::sphere:
      return "sphere";
    case ShapeKind::box:
      return "box";
    case ShapeKind::capsule:
      return "capsule";
    case ShapeKind::half_space:
      return "half_space";
    case ShapeKind::convex:
      return "convex";
    case ShapeKind::compound:
      return "compound";
    case ShapeKind::surface:
      return "surface";
  }
  return "unknown";
}

double volume(const Shape& s) {
  return std::visit(
      Cases{[](const NoShape&) { return 0.0; }, [](const HalfSpace&) { return 0.0; },
            [](const Sphere& x) { return 4.0 / 3.0 * pi * x.radius * x.radius * x.radius; },
            [](const Box& x) { return x.size.x * x.size.y * x.size.z; },
            [](const Capsule& x) { return pi * x.radius * x.radius * (x.length + 4.0 / 3.0 * x.radius); },
            [](const ConvexShape& x) { return x.solid().volume; },
            [](const CompoundShape& x) { return x.solid().volume; }, [](const SurfaceShape&) { return 0.0; }},
      s);
}

MassProperties mass_properties(const Shape& s, double mass) {
  const Vec3 inertia =
      std::visit(Cases{[](const NoShape&) { return Vec3{}; }, [](const HalfSpace&) { return Vec3{}; },
                       [&](const Sphere& x) {
                         const double i = 0.4 * mass * x.radius * x.radius;
                         return Vec3{i, i, i};
                       },
                       [&](const Box& x) {
                         const Vec3 q = times(x.size, x.size);
                         return (mass / 12) * Vec3{q.y + q.z, q.z + q.x, q.x + q.y};
                       },
                       [&](const Capsule& x) { return capsule_inertia(x, mass); },
                       [&](const ConvexShape& x) { return diagonal_of(x.solid(), mass); },
                       [&](const CompoundShape& x) { return diagonal_of(x.solid(), mass); },
                       [](const SurfaceShape&) { return Vec3{}; }},
                 s);
  return {mass, inertia};
}

double bounding_radius(const Shape& s) {
  return std::visit(
      Cases{[](const NoShape&) { return 0.0; }, [](const HalfSpace&) { return infinity; },
            [](const Sphere& x) { return x.radius; }, [](const Box& x) { return 0.5 * norm(x.size); },
            [](const Capsule& x) { return 0.5 * x.length + x.radius; },
            [](const ConvexShape& x) { return x.radius(); },
            [](const CompoundShape& x) { return x.radius(); },
            [](const SurfaceShape& x) { return x.radius(); }},
      s);
}

Vec3 bounding_half_extents(const Shape& s, const Mat3& R_WB) {
  return std::visit(
      Cases{[](const NoShape&) { return Vec3{}; },
            [](const HalfSpace&) {
              return Vec3{infinity, infinity, infinity};
            },
            [](const Sphere& x) {
              return Vec3{x.radius, x.radius, x.radius};
            },
            [&](const Box& x) {
              const Vec3 h = 0.5 * x.size;
              return Vec3{dot(abs(R_WB.row(0)), h), dot(abs(R_WB.row(1)), h), dot(abs(R_WB.row(2)), h)};
            },
            [&](const Capsule& x) {
              return 0.5 * x.length * abs(R_WB.column(2)) + Vec3{x.radius, x.radius, x.radius};
            },
            [&](const ConvexShape& x) {
              const Bounds b = bounds(x.body(), R_WB);
              return Vec3{std::fmax(-b.low.x, b.high.x), std::fmax(-b.low.y, b.high.y),
                          std::fmax(-b.low.z, b.high.z)};
            },
            [&](const CompoundShape& x) { return turned_half_extents(x.box(), R_WB); },
            [&](const SurfaceShape& x) { return turned_half_extents(x.box(), R_WB); }},
      s);
}

double size_of(const Shape& s) {
  return std::visit(
      Cases{[](const NoShape&) { return 0.0; }, [](const HalfSpace&) { return 0.0; },
            [](const Sphere& x) { return 2 * x.radius; }, [](const Box& x) { return max_component(x.size); },
            [](const Capsule& x) { return x.length + 2 * x.radius; },
            [](const ConvexShape& x) { return x.size(); }, [](const CompoundShape& x) { return x.size(); },
            [](const SurfaceShape& x) { return x.size(); }},
      s);
}

}  // namespace stiction
