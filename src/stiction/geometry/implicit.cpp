// The implicit form of every face of a convex body, scaled to a distance.
//   sphere, capsule: exact distance from the point or segment, less the radius
//   plane     f = n.x - d                              exact distance
//   cylinder  f = rho - r                              exact distance from the side; rho = sqrt(x^2 + y^2)
//   cone      f = (rho h - r (z_apex - z)) / sqrt(r^2 + h^2)     exact distance from the side
//   gauge     f = (N - 1) / g,  g = |grad N|           distance to first order
//     grad f = grad N / g - (N - 1) grad g / g^2,   grad g = H grad N / g
//     Hess f = H / g - (grad N grad g^T + grad g grad N^T) / g^2 + (N - 1) (2 grad g grad g^T / g^3 - K /
//     g^2) K = Hess g = (H H + T grad N - grad g grad g^T) / g
// N: gauge of the ellipsoid or superellipsoid (gauge.cpp), H and T its second and third derivatives. All f in
// metres, negative inside. Reference for dividing by the gradient: Taubin, Estimation of planar curves,
// surfaces and nonplanar space curves, 1991. Fails on the axis of cylinders and cones and at the centre of
// gauges, where the gradient is undefined (returned as 0). Faces of intersections: inequality.cpp.
#include "stiction/geometry/detail/implicit.h"

#include "stiction/base/assert.h"
#include "stiction/base/cases.h"
#include "stiction/geometry/convex.h"
#include "stiction/geometry/detail/gauge.h"
#include "stiction/geometry/detail/inequality.h"

namespace stiction {
namespace {

Implicit plane(const Vec3& n, double d, const Vec3& x) { return {dot(n, x) - d, n, {}}; }

Implicit axis_plane(int index, const Vec3& half, const Vec3& x) {
  Vec3 n;
  n[index / 2] = index % 2 ? -1 : 1;
  return plane(n, half[index / 2], x);
}

// scale * rho
Implicit from_axis(const Vec3& x, double scale) {
  const double rho = std::sqrt(x.x * x.x + x.y * x.y);
  if (!(rho > 0)) return {0, {}, {}};
  const double c = x.x / rho, s = x.y / rho, k = scale / rho;
  return {scale * rho, {scale * c, scale * s, 0}, {k * s * s, k * c * c, 0, -k * s * c, 0, 0}};
}

Implicit from_point(const Vec3& x, double radius) {
  const double r = norm(x);
  if (!(r > 0)) return {-radius, {}, {}};
  const Vec3 n = x / r;
  return {r - radius,
          n,
          {(1 - n.x * n.x) / r, (1 - n.y * n.y) / r, (1 - n.z * n.z) / r, -n.x * n.y / r, -n.x * n.z / r,
           -n.y * n.z / r}};
}

SymMat3 square(const SymMat3& h) {
  const Vec3 a{h.xx, h.xy, h.xz}, b{h.xy, h.yy, h.yz}, c{h.xz, h.yz, h.zz};
  return {dot(a, a), dot(b, b), dot(c, c), dot(a, b), dot(a, c), dot(b, c)};
}
SymMat3 outer(const Vec3& a, const Vec3& b) {  // (a b^T + b a^T) / 2
  return {a.x * b.x,
          a.y * b.y,
          a.z * b.z,
          0.5 * (a.x * b.y + a.y * b.x),
          0.5 * (a.x * b.z + a.z * b.x),
          0.5 * (a.y * b.z + a.z * b.y)};
}
SymMat3 scaled(double s, const SymMat3& a) {
  return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
}

Implicit gauge_face(const Superellipsoid& s, const Vec3& x) {
  const detail::Gauge n = detail::gauge(s, x);
  if (!(norm(n.gradient) > 0)) return {-max_component(s.radii), {}, {}};
  return detail::as_distance(n.value - 1, n.gradient, n.hessian, detail::gauge_third(s, x, n.gradient));
}

Implicit triangle_face(const Triangle& t, int index, const Vec3& x) {
  if (index < 2) {
    const Vec3 n = index == 0 ? t.normal : -t.normal;
    return plane(n, dot(n, t.corner[0]), x);
  }
  const Vec3 &from = t.corner[index - 2], &to = t.corner[(index - 1) % 3];
  const Vec3 n = normalized(cross(to - from, t.normal));
  return plane(n, dot(n, from), x);
}

}  // namespace

namespace detail {

Implicit as_distance(double value, const Vec3& gradient, const SymMat3& hessian, const SymMat3& third) {
  const double g = norm(gradient);
  const Vec3 dg = hessian * gradient / g;
  SymMat3 k = square(hessian);
  k += third;
  k += scaled(-1, outer(dg, dg));
  Implicit f{value / g, gradient / g - (value / (g * g)) * dg, scaled(1 / g, hessian)};
  f.hessian += scaled(-2 / (g * g), outer(gradient, dg));
  f.hessian += scaled(2 * value / (g * g * g), outer(dg, dg));
  f.hessian += scaled(-value / (g * g * g), k);
  return f;
}

}  // namespace detail

int face_count(const ConvexCore& core) {
  return std::visit(
      Cases{[](const Sphere&) { return 1; }, [](const Box&) { return 6; }, [](const Capsule&) { return 1; },
            [](const HalfSpace&) { return 1; }, [](const Cylinder&) { return 3; },
            [](const Cone&) { return 2; }, [](const Ellipsoid&) { return 1; },
            [](const Superellipsoid&) { return 1; }, [](const Polyhedron& p) { return int(p.faces.size()); },
            [](const Intersection& i) { return int(i.faces.size()); }, [](const Triangle&) { return 5; }},
      core);
}

Implicit face(const ConvexCore& core, int index, const Vec3& x) {
  return std::visit(Cases{[&](const Sphere& s) { return from_point(x, s.radius); },
                          [&](const Capsule& c) {
                            const double h = 0.5 * c.length;
                            if (x.z > h) return from_point(x - Vec3{0, 0, h}, c.radius);
                            if (x.z < -h) return from_point(x + Vec3{0, 0, h}, c.radius);
                            Implicit f = from_axis(x, 1);
                            f.value -= c.radius;
                            return f;
                          },
                          [&](const Box& b) { return axis_plane(index, 0.5 * b.size, x); },
                          [&](const HalfSpace& h) { return plane(normalized(h.normal), h.offset, x); },
                          [&](const Cylinder& c) {
                            if (index > 0) return axis_plane(index + 3, {0, 0, 0.5 * c.height}, x);
                            Implicit f = from_axis(x, 1);
                            f.value -= c.radius;
                            return f;
                          },
                          [&](const Cone& c) {
                            if (index > 0) return plane({0, 0, -1}, 0.25 * c.height, x);
                            const double side = std::sqrt(c.radius * c.radius + c.height * c.height);
                            Implicit f = from_axis(x, c.height / side);
                            f.value -= c.radius * (0.75 * c.height - x.z) / side;
                            f.gradient.z += c.radius / side;
                            return f;
                          },
                          [&](const Ellipsoid& e) {
                            return gauge_face({e.radii, 2, 2}, x);
                          },
                          [&](const Superellipsoid& s) { return gauge_face(s, x); },
                          [&](const Polyhedron& p) {
                            const Polyhedron::Face& f = p.faces[std::size_t(index)];
                            return plane(f.normal, f.offset, x);
                          },
                          [&](const Intersection& i) { return detail::inequality_face(i, index, x); },
                          [&](const Triangle& t) { return triangle_face(t, index, x); }},
                    core);
}

Implicit face(const ConvexCore& core, int index, const Mat3& R_WB, const Vec3& p_WB, const Vec3& x_W) {
  const Implicit f = face(core, index, transposed_times(R_WB, x_W - p_WB));
  return {f.value, R_WB * f.gradient, turned(R_WB, f.hessian)};
}

}  // namespace stiction
