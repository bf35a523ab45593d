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

#include <limits>

namespace stiction {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

Vec3 capsule_inertia(const Capsule& c, double mass) {
  const double r = c.radius, l = c.length;
  // volumes over pi r^2
  const double cylinder = l, caps = 4.0 / 3.0 * r;
  const double m_c = mass * (cylinder / (cylinder + caps)), m_s = mass * (caps / (cylinder + caps));
  const double across = m_c * (3 * r * r + l * l) / 12 + m_s * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
  return {across, across, 0.5 * m_c * r * r + 0.4 * m_s * r * r};
}

}  // namespace

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
  }
  return "unknown";
}

double volume(const Shape& s) {
  return std::visit(
      Cases{[](const NoShape&) { return 0.0; }, [](const HalfSpace&) { return 0.0; },
            [](const Sphere& x) { return 4.0 / 3.0 * pi * x.radius * x.radius * x.radius; },
            [](const Box& x) { return x.size.x * x.size.y * x.size.z; },
            [](const Capsule& x) { return pi * x.radius * x.radius * (x.length + 4.0 / 3.0 * x.radius); }},
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
                       [&](const Capsule& x) { return capsule_inertia(x, mass); }},
                 s);
  return {mass, inertia};
}

double bounding_radius(const Shape& s) {
  return std::visit(
      Cases{[](const NoShape&) { return 0.0; }, [](const HalfSpace&) { return infinity; },
            [](const Sphere& x) { return x.radius; }, [](const Box& x) { return 0.5 * norm(x.size); },
            [](const Capsule& x) { return 0.5 * x.length + x.radius; }},
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
            }},
      s);
}

double size_of(const Shape& s) {
  return std::visit(
      Cases{[](const NoShape&) { return 0.0; }, [](const HalfSpace&) { return 0.0; },
            [](const Sphere& x) { return 2 * x.radius; }, [](const Box& x) { return max_component(x.size); },
            [](const Capsule& x) { return x.length + 2 * x.radius; }},
      s);
}

}  // namespace stiction
