// Convex inequalities F(x) <= 0: half-spaces, quadrics of one convex part, superellipsoids.
//   half-space      F = n.x - d
//   ellipsoid       F = |(y_x / a, y_y / b, y_z / c)| - 1,   y = R^T (x - x0)
//   tube            F = rho - 1               rho = |(y_x / a, y_y / b)|
//   cone            F = rho + y_z / c
//   paraboloid      F = rho^2 + y_z / c
//   superellipsoid  F = N(y) - 1              N gauge (gauge.cpp)
// All are convex, and all but the paraboloid homogeneous about a point, so that a gradient anywhere outside
// gives a plane that touches. As a distance: f = F / g, g = |grad F|, with
//   grad f = grad F / g - F grad g / g^2,   grad g = H grad F / g
//   Hess f = H / g - (grad F grad g^T + grad g grad F^T) / g^2 + F (2 grad g grad g^T / g^3 - K / g^2)
//   K = Hess g = (H H + T grad F - grad g grad g^T) / g
// which is the exact distance of half-spaces, round tubes and round cones. Rays leave in closed form (roots
// of quadratics, without cancellation), superellipsoids by Newton's method from outside, which is monotone.
// Symbols: H, T second and third derivatives; lengths [m]. Reference for f: Taubin, Estimation of planar
// curves, surfaces and nonplanar space curves, 1991. Fails at the centre of gauges and on the axis of tubes
// and cones, where the gradient is undefined (there that of the other terms).
#include "stiction/geometry/detail/inequality.h"

#include <limits>

#include "stiction/geometry/detail/gauge.h"
#include "stiction/geometry/detail/implicit.h"

namespace stiction::detail {
namespace {

using Kind = CurvedFace::Kind;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The length of y over the radii, with its derivatives: rho, where `solid` is false and y_z does not count,
/// or the gauge of an ellipsoid.
struct Radial {
  Vec3 k;            // 1 / radii
  double value = 0;  // |w|, w = k y
  Vec3 unit;         // w / |w|
  Radial(const Vec3& r, const Vec3& y, bool solid) : k{1 / r.x, 1 / r.y, solid ? 1 / r.z : 0} {
    const Vec3 w = times(k, y);
    value = norm(w);
    if (value > 0) unit = w / value;
  }
  Vec3 gradient() const { return times(unit, k); }
  SymMat3 hessian() const {
    if (!(value > 0)) return {};
    const Vec3 g = times(unit, k);
    return {(k.x * k.x - g.x * g.x) / value,
            (k.y * k.y - g.y * g.y) / value,
            (k.z * k.z - g.z * g.z) / value,
            -g.x * g.y / value,
            -g.x * g.z / value,
            -g.y * g.z / value};
  }
  /// The derivative of the Hessian along v.
  SymMat3 third(const Vec3& v) const {
    if (!(value > 0)) return {};
    const Vec3 dw = times(k, v), g = times(unit, k);
    const double along = dot(unit, dw);
    const Vec3 dg = times(k, dw - along * unit) / value;
    const SymMat3 h = hessian();
    const double c = along / value;
    return {-2 * g.x * dg.x / value - c * h.xx,
            -2 * g.y * dg.y / value - c * h.yy,
            -2 * g.z * dg.z / value - c * h.zz,
            -(g.x * dg.y + g.y * dg.x) / value - c * h.xy,
            -(g.x * dg.z + g.z * dg.x) / value - c * h.xz,
            -(g.y * dg.z + g.z * dg.y) / value - c * h.yz};
  }
};

/// Value and gradient alone.
struct Slope {
  double value = 0;
  Vec3 gradient;
};
Slope local_slope(const CurvedFace& f, const Vec3& y) {
  const Vec3& r = f.body.radii;
  if (f.kind == Kind::paraboloid) {
    const double u = y.x / r.x, v = y.y / r.y;
    return {u * u + v * v + y.z / r.z, {2 * u / r.x, 2 * v / r.y, 1 / r.z}};
  }
  if (f.kind == Kind::superellipsoid) {
    const Gauge n = gauge(f.body, y);
    return {n.value - 1, n.gradient};
  }
  const Radial n(r, y, f.kind == Kind::ellipsoid);
  if (f.kind == Kind::cone) return {n.value + y.z / r.z, n.gradient() + Vec3{0, 0, 1 / r.z}};
  return {n.value - 1, n.gradient()};
}

ConvexForm local_form(const CurvedFace& f, const Vec3& y) {
  if (f.kind == Kind::superellipsoid) {
    const Gauge n = gauge(f.body, y);
    return {n.value - 1, n.gradient, n.hessian};
  }
  const Slope s = local_slope(f, y);
  const Vec3& r = f.body.radii;
  if (f.kind == Kind::paraboloid)
    return {s.value, s.gradient, {2 / (r.x * r.x), 2 / (r.y * r.y), 0, 0, 0, 0}};
  return {s.value, s.gradient, Radial(r, y, f.kind == Kind::ellipsoid).hessian()};
}

SymMat3 local_third(const CurvedFace& f, const Vec3& y, const Vec3& v) {
  if (f.kind == Kind::paraboloid) return {};
  if (f.kind == Kind::superellipsoid) return gauge_third(f.body, y, v);
  return Radial(f.body.radii, y, f.kind == Kind::ellipsoid).third(v);
}

/// The first t > 0 with a t^2 + 2 b t + c = 0, c <= 0 at the start.
double root(double a, double b, double c) {
  const double r = std::sqrt(std::fmax(0, b * b - a * c));
  if (b > 0) return std::fmax(0, -c / (b + r));
  return a > 0 ? std::fmax(0, (r - b) / a) : infinity;
}

double local_leaves(const CurvedFace& f, const Vec3& y, const Vec3& v) {
  const Vec3& r = f.body.radii;
  if (f.kind == Kind::superellipsoid) {
    double t = infinity;  // where it leaves the box around it
    for (int i = 0; i < 3; ++i)
      if (v[i] != 0) t = std::fmin(t, (r[i] + std::copysign(1.0, v[i]) * -y[i]) / std::fabs(v[i]));
    if (!(t > 0)) return 0;
    for (int i = 0; i < 100; ++i) {
      const Gauge n = gauge(f.body, y + t * v);
      const double speed = dot(n.gradient, v);
      if (!(speed > 0)) return 0;  // from the surface, outwards
      const double step = (n.value - 1) / speed;
      t -= step;
      if (!(step > 1e-16 * t)) break;
    }
    return std::fmax(0, t);
  }
  const double u0 = y.x / r.x, v0 = y.y / r.y, z0 = y.z / r.z, u1 = v.x / r.x, v1 = v.y / r.y, z1 = v.z / r.z;
  const double a = u1 * u1 + v1 * v1, b = u0 * u1 + v0 * v1, c = u0 * u0 + v0 * v0;
  if (f.kind == Kind::ellipsoid) return root(a + z1 * z1, b + z0 * z1, c + z0 * z0 - 1);
  if (f.kind == Kind::tube) return root(a, b, c - 1);
  if (f.kind == Kind::paraboloid) return root(a, b + 0.5 * z1, c + z0);
  return root(a - z1 * z1, b - z0 * z1, c - z0 * z0);
}

}  // namespace

ConvexForm convex_form(const Intersection& body, int index, const Vec3& x) {
  const Intersection::Placed& p = body.placed[std::size_t(index)];
  const Inequality& f = body.faces[std::size_t(index)];
  if (const auto* h = std::get_if<HalfSpace>(&f)) return {dot(p.normal, x) - h->offset, p.normal, {}};
  const auto& c = std::get<CurvedFace>(f);
  const ConvexForm local = local_form(c, transposed_times(p.axes, x - c.center));
  return {local.value, p.axes * local.gradient, turned(p.axes, local.hessian)};
}

double distance_to(const Intersection& body, int index, const Vec3& x) {
  const Inequality& f = body.faces[std::size_t(index)];
  const Intersection::Placed& p = body.placed[std::size_t(index)];
  if (const auto* h = std::get_if<HalfSpace>(&f)) return dot(p.normal, x) - h->offset;
  const auto& c = std::get<CurvedFace>(f);
  const Slope local = local_slope(c, transposed_times(p.axes, x - c.center));
  const double g = norm(local.gradient);
  return g > 0 ? local.value / g : -max_component(c.body.radii);
}

Implicit inequality_face(const Intersection& body, int index, const Vec3& x) {
  const Intersection::Placed& p = body.placed[std::size_t(index)];
  const Inequality& f = body.faces[std::size_t(index)];
  if (const auto* h = std::get_if<HalfSpace>(&f)) return {dot(p.normal, x) - h->offset, p.normal, {}};
  const auto& c = std::get<CurvedFace>(f);
  const Vec3 y = transposed_times(p.axes, x - c.center);
  const ConvexForm local = local_form(c, y);
  if (!(norm(local.gradient) > 0)) return {-max_component(c.body.radii), {}, {}};
  const Implicit scaled =
      as_distance(local.value, local.gradient, local.hessian, local_third(c, y, local.gradient));
  return {scaled.value, p.axes * scaled.gradient, turned(p.axes, scaled.hessian)};
}

Cut cut_at(const Intersection& body, int index, const Vec3& x) {
  const Intersection::Placed& p = body.placed[std::size_t(index)];
  const Inequality& f = body.faces[std::size_t(index)];
  if (const auto* h = std::get_if<HalfSpace>(&f)) return {p.normal, h->offset};
  const auto& c = std::get<CurvedFace>(f);
  const Vec3 y = transposed_times(p.axes, x - c.center);
  const Slope local = local_slope(c, y);
  const double g = norm(local.gradient);
  const Vec3 n = p.axes * (local.gradient / g);
  double height = 1 / g;  // grad N.y <= 1
  if (c.kind == Kind::cone) height = 0;
  if (c.kind == Kind::paraboloid) height = (dot(local.gradient, y) - local.value) / g;
  return {n, dot(n, c.center) + height};
}

bool own_farthest(const Intersection& body, int index, const Vec3& n, Vec3& x) {
  const Intersection::Placed& p = body.placed[std::size_t(index)];
  const auto* c = std::get_if<CurvedFace>(&body.faces[std::size_t(index)]);
  if (c == nullptr || c->kind == Kind::tube) return false;
  const Vec3 d = transposed_times(p.axes, n), r = c->body.radii;
  Vec3 y;
  if (c->kind == Kind::ellipsoid) {
    const Vec3 k = times(r, d);
    y = times(r, k) / norm(k);
  } else if (c->kind == Kind::superellipsoid) {
    y = gauge_support(c->body, d);
  } else if (c->kind == Kind::cone) {
    // the apex, where d is in the polar cone
    const double across = std::sqrt(r.x * r.x * d.x * d.x + r.y * r.y * d.y * d.y);
    if (!(across <= r.z * d.z)) return false;
  } else {
    if (!(d.z > 0)) return false;
    const double k = 1 / (2 * r.z * d.z);
    y = {k * r.x * r.x * d.x, k * r.y * r.y * d.y, 0};
    const double u = y.x / r.x, v = y.y / r.y;
    y.z = -r.z * (u * u + v * v);
  }
  x = c->center + p.axes * y;
  return true;
}

double leaves(const Intersection& body, int index, const Vec3& x, const Vec3& u) {
  const Intersection::Placed& p = body.placed[std::size_t(index)];
  const Inequality& f = body.faces[std::size_t(index)];
  if (const auto* h = std::get_if<HalfSpace>(&f)) {
    const double speed = dot(p.normal, u);
    return speed > 0 ? std::fmax(0, (h->offset - dot(p.normal, x)) / speed) : infinity;
  }
  const auto& c = std::get<CurvedFace>(f);
  return local_leaves(c, transposed_times(p.axes, x - c.center), transposed_times(p.axes, u));
}

double leaves(const Intersection& body, const Vec3& x, const Vec3& u, int& face) {
  double first = infinity;
  for (int i = 0; i < int(body.faces.size()); ++i)
    if (const double t = leaves(body, i, x, u); t < first) first = t, face = i;
  return first;
}

bool ruling(const Intersection& body, int index, const Vec3& x, Vec3& along) {
  const auto* c = std::get_if<CurvedFace>(&body.faces[std::size_t(index)]);
  if (c == nullptr) return false;
  if (c->kind == Kind::tube) {
    along = body.placed[std::size_t(index)].axes.column(2);
    return true;
  }
  if (c->kind != Kind::cone || !(norm(x - c->center) > 1e-9 * body.size)) return false;
  along = normalized(c->center - x);
  return true;
}

bool apex_of(const Intersection& body, int index, Vec3& apex) {
  const auto* c = std::get_if<CurvedFace>(&body.faces[std::size_t(index)]);
  if (c == nullptr || c->kind != Kind::cone) return false;
  apex = c->center;
  for (int i = 0; i < int(body.faces.size()); ++i)
    if (i != index && distance_to(body, i, apex) > body.placed[std::size_t(i)].slack) return false;
  return true;
}

}  // namespace stiction::detail
