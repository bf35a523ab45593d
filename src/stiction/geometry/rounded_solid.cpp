// Volume, centre and inertia of rounded bodies of density 1, part by part.
// Polyhedron:
//   core    tetrahedra from a vertex to the triangles of the faces; one of corners 0, a, b, c has
//           V = a.(b x c) / 6,  int x = V s / 4,  int x x^T = V / 20 (aa + bb + cc + ss),  s = a + b + c
//   face    a prism of height r over every triangle of area A and middle g:
//           int x x^T = r A / 12 (aa + bb + cc + ss) + A r^2 / 2 (g n + n g) + A r^3 / 3 n n
//   edge    a sector of angle phi between the normals of its faces, along the edge; u bisects them:
//           S = r^2 phi / 2,  int u = 2/3 r^3 sin(phi / 2),  int u^2, w^2 = r^4 / 8 (phi +- sin phi)
//   vertex  a part of a ball, over the spherical polygon of the normals, of solid angle W and arcs of length
//           theta_i about unit axes m_i:
//           V = r^3 W / 3,  int x = r^4 / 8 sum theta_i m_i,
//           int x x^T = r^5 / 15 (W 1 + sum m_i g_i^T),  g_i = tan(theta_i / 2) (n_i + n_i+1)
//           (the last by the divergence theorem on the sphere: div of (a - (a.n) n)(b.n) is a.b - 3
//           (a.n)(b.n))
// Cylinder: by its profile (rho, z), V = pi oint rho^2 dz, int z^2 = pi oint rho^2 z^2 dz,
//           int rho^2 = pi / 2 oint rho^4 dz; the arc by Gauss-Legendre quadrature of 16 points (to
//           round-off).
// r rounding [m]; lengths [m]; angles [rad]. Fails for: nothing; normals of adjacent faces differ (hull.h).
#include "stiction/geometry/detail/rounded_solid.h"

#include <array>

#include "stiction/geometry/detail/gauss.h"
#include "stiction/geometry/hull.h"
#include "stiction/math/elementary.h"

namespace stiction::detail {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Integrals of 1, x and x x^T.
struct Moments {
  double volume = 0;
  Vec3 first;
  SymMat3 second;

  void add(double k, const Vec3& x) {  // k x x^T
    second += {k * x.x * x.x, k * x.y * x.y, k * x.z * x.z, k * x.x * x.y, k * x.x * x.z, k * x.y * x.z};
  }
  void add(double k, const Vec3& x, const Vec3& y) {  // k (x y^T + y x^T)
    second += {2 * k * x.x * y.x,           2 * k * x.y * y.y,           2 * k * x.z * y.z,
               k * (x.x * y.y + x.y * y.x), k * (x.x * y.z + x.z * y.x), k * (x.y * y.z + x.z * y.y)};
  }
  /// With the origin of the integrals at `origin`.
  Solid solid(const Vec3& origin) const {
    const Vec3 c = first / volume;
    const SymMat3& m = second;
    const double xx = m.xx - volume * c.x * c.x, yy = m.yy - volume * c.y * c.y,
                 zz = m.zz - volume * c.z * c.z;
    return {volume,
            origin + c,
            {yy + zz, xx + zz, xx + yy, -(m.xy - volume * c.x * c.y), -(m.xz - volume * c.x * c.z),
             -(m.yz - volume * c.y * c.z)}};
  }
};

void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& n, double r, Moments& m) {
  const Vec3 normal = cross(b - a, c - a), s = a + b + c;
  const double v = dot(a, cross(b, c)) / 6;
  m.volume += v;
  m.first += 0.25 * v * s;
  for (const Vec3& x : {a, b, c, s}) m.add(v / 20, x);
  if (r == 0) return;
  const double area = 0.5 * dot(normal, n);
  m.volume += area * r;
  m.first += area * r * (s / 3 + 0.5 * r * n);
  for (const Vec3& x : {a, b, c, s}) m.add(r * area / 12, x);
  m.add(area * r * r / 6, s, n);
  m.add(area * r * r * r / 3, n);
}

/// The angle between two unit vectors.
double angle(const Vec3& a, const Vec3& b) { return elementary::atan2(norm(cross(a, b)), dot(a, b)); }

void add_edge(const Vec3& p, const Vec3& q, const Vec3& left, const Vec3& right, double r, Moments& m) {
  const double phi = angle(left, right), length = norm(q - p), r2 = r * r;
  const elementary::SineCosine half = elementary::sine_and_cosine(0.5 * phi);
  const Vec3 u = normalized(left + right), w = normalized(left - right);
  const double area = 0.5 * r2 * phi, along_u = 2.0 / 3.0 * r * r2 * half.sin, sine = 2 * half.sin * half.cos;
  m.volume += area * length;
  m.first += area * length * 0.5 * (p + q) + length * along_u * u;
  m.add(area * length / 3, p);
  m.add(area * length / 3, q);
  m.add(area * length / 6, p, q);
  m.add(0.5 * length * along_u, p + q, u);
  m.add(length * r2 * r2 / 8 * (phi + sine), u);
  m.add(length * r2 * r2 / 8 * (phi - sine), w);
}

/// The part of the spherical polygon around a vertex that belongs to the arc between the normals n and k,
/// counter-clockwise; `middle` is a direction inside the polygon.
void add_arc(const Vec3& vertex, const Vec3& n, const Vec3& k, const Vec3& middle, double r, Moments& m) {
  const double theta = angle(n, k);
  const Vec3 axis = normalized(cross(n, k));
  const double solid_angle =
      2 * elementary::atan2(dot(middle, cross(n, k)), 1 + dot(middle, n) + dot(n, k) + dot(k, middle));
  const double volume = r * r * r * solid_angle / 3, r5 = r * r * r * r * r / 15;
  const Vec3 first = r * r * r * r / 8 * theta * axis;
  const Vec3 g = (norm(cross(n, k)) / (1 + dot(n, k))) * (n + k);
  m.volume += volume;
  m.first += volume * vertex + first;
  m.add(volume, vertex);
  m.add(1, vertex, first);
  m.second += {r5 * solid_angle, r5 * solid_angle, r5 * solid_angle, 0, 0, 0};
  m.add(0.5 * r5, axis, g);
}

void add_vertices(const Polyhedron& p, const Vec3& origin, double r, Moments& m) {
  const auto normal = [&](int face) { return p.faces[std::size_t(face)].normal; };
  std::vector<Vec3> middle(p.vertices.size());
  for (const Polyhedron::Edge& e : p.edges)
    for (const int v : {e.from, e.to}) middle[std::size_t(v)] += normal(e.left) + normal(e.right);
  for (const Polyhedron::Edge& e : p.edges) {
    const auto from = std::size_t(e.from), to = std::size_t(e.to);
    add_arc(p.vertices[from] - origin, normal(e.right), normal(e.left), normalized(middle[from]), r, m);
    add_arc(p.vertices[to] - origin, normal(e.left), normal(e.right), normalized(middle[to]), r, m);
  }
}

}  // namespace

Solid rounded_solid(const Polyhedron& p, double r) {
  const Vec3 origin = p.vertices[0];
  Moments m;
  for (int f = 0; f < int(p.faces.size()); ++f) {
    const auto loop = p.loop(f);
    const auto corner = [&](std::size_t i) { return p.vertices[std::size_t(loop[i])] - origin; };
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
      add_triangle(corner(0), corner(i), corner(i + 1), p.faces[std::size_t(f)].normal, r, m);
  }
  if (r > 0) {
    for (const Polyhedron::Edge& e : p.edges)
      add_edge(p.vertices[std::size_t(e.from)] - origin, p.vertices[std::size_t(e.to)] - origin,
               p.faces[std::size_t(e.left)].normal, p.faces[std::size_t(e.right)].normal, r, m);
    add_vertices(p, origin, r, m);
  }
  return m.solid(origin);
}

Solid rounded_solid(const Box& b, double r) {
  std::array<Vec3, 8> corners;
  for (unsigned i = 0; i < 8; ++i)
    for (int k = 0; k < 3; ++k) corners[i][k] = (i >> k & 1u) ? 0.5 * b.size[k] : -0.5 * b.size[k];
  const Result<Polyhedron> hull = convex_hull(corners);
  if (!hull) return {};  // thinner than a hull may be
  Solid s = rounded_solid(hull.value(), r);
  s.center = {};
  s.inertia.xy = s.inertia.xz = s.inertia.yz = 0;
  return s;
}

Solid rounded_solid(const Cylinder& c, double r) {
  const double half = 0.5 * c.height, R = c.radius, outer = R + r;
  // z from 0 to the top: the side, then the arc rho = R + r cos a, z = half + r sin a
  double volume = pi * outer * outer * half, zz = pi * outer * outer * half * half * half / 3;
  double rr = 0.5 * pi * outer * outer * outer * outer * half;
  for (const auto& [node, weight] : gauss16)
    for (const double x : {-node, node}) {
      const elementary::SineCosine a = elementary::sine_and_cosine(0.25 * pi * (1 + x));
      const double rho = R + r * a.cos, z = half + r * a.sin, dz = 0.25 * pi * weight * r * a.cos;
      volume += pi * rho * rho * dz;
      zz += pi * rho * rho * z * z * dz;
      rr += 0.5 * pi * rho * rho * rho * rho * dz;
    }
  const double x = 2 * (0.5 * rr + zz);
  return {2 * volume, {}, {x, x, 2 * rr, 0, 0, 0}};
}

}  // namespace stiction::detail
