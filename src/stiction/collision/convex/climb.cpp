// Closest points by Newton's method on the direction n alone, for cores whose support points move smoothly
// with it.
//   s(n) = n.w, w = y(-n) - x(n)        separation along n; x, y support points of a and b [m]
//   grad s = w,  Hess s = -(H_a + H_b)  H = dx/dn, the second derivative of the support function [m]
// On the unit sphere, with t_1, t_2 across n, the step xi solves the 2x2 system
//   T^T (H_a + H_b + s 1) T xi = T^T w,  n <- n + T xi, normalised
// whose matrix is positive for bodies apart, and for overlaps less deep than the radii of curvature. For two
// points one step is exact. At the end w is along n: for bodies apart |w| >= distance >= n.w proves the
// result. An overlap no deeper than the least radius of curvature rho of B - A is proved too: a ball of that
// radius rolls inside B - A, and none of its surface is nearer to the origin than its point w (Blaschke's
// theorem); rho is at least the sum of those of a and b, b^2 / a for an ellipsoid of least and largest radii
// b and a. H of an ellipsoid: (D^2 - x x^T) / h, D radii, h = n.x; of a rim of radius r: r (1 - e e^T) / rho
// in its plane, e = across part of n over its length rho; of a superellipsoid: that of its dual gauge; of
// corners: 0. Fails, and says so, where the closest points lie on flat or straight parts (s has a kink
// there): GJK goes on. Reference: Nocedal and Wright, Numerical Optimization, 2006, chapter 3; Absil, Mahony,
// Sepulchre, Optimization Algorithms on Matrix Manifolds, 2008, section 5.5.
#include "stiction/collision/convex/detail/side.h"
#include "stiction/geometry/detail/gauge.h"

namespace stiction::collision::detail {
namespace {

/// The second derivative of a support function across n: its three numbers in the basis t_1, t_2.
struct Bend {
  double xx = 0, xy = 0, yy = 0;
};

/// A rim of the radius r about the z axis.
Vec3 rim_rate(double r, const Vec3& n, const Vec3& t) {
  const double rho2 = n.x * n.x + n.y * n.y;
  if (!(rho2 > 0)) return {};
  const double along = (n.x * t.x + n.y * t.y) / rho2, k = r / std::sqrt(rho2);
  return {k * (t.x - along * n.x), k * (t.y - along * n.y), 0};
}

/// Support point along n [m, world], and what its rates along t_1 and t_2 add to `bend`.
Vec3 bent_support(const Side& s, const Vec3& n, const Vec3& t1, const Vec3& t2, Bend& bend) {
  const auto add = [&](const Vec3& u1, const Vec3& u2, const Vec3& r1, const Vec3& r2) {
    bend.xx += dot(u1, r1), bend.xy += dot(u1, r2), bend.yy += dot(u2, r2);
  };
  if (is_polyhedral(s)) return core_support(s, n);
  const Vec3 m = transposed_times(s.R, n), u1 = transposed_times(s.R, t1), u2 = transposed_times(s.R, t2);
  if (const auto* e = std::get_if<Ellipsoid>(s.core)) {
    const Vec3 k = times(e->radii, m);
    const double h = norm(k);
    const Vec3 x = times(e->radii, k) / h, square = times(e->radii, e->radii);
    add(u1, u2, (times(square, u1) - dot(x, u1) * x) / h, (times(square, u2) - dot(x, u2) * x) / h);
    return s.p + s.R * x;
  }
  if (const auto* c = std::get_if<Cylinder>(s.core)) {
    add(u1, u2, rim_rate(c->radius, m, u1), rim_rate(c->radius, m, u2));
    return core_support(s, n);
  }
  if (const auto* c = std::get_if<Cone>(s.core)) {
    const Vec3 x = support(*s.core, m);
    if (x.z < 0) add(u1, u2, rim_rate(c->radius, m, u1), rim_rate(c->radius, m, u2));
    return s.p + s.R * x;
  }
  if (const auto* e = std::get_if<Superellipsoid>(s.core)) {
    const Superellipsoid dual{{1 / e->radii.x, 1 / e->radii.y, 1 / e->radii.z},
                              e->across / (e->across - 1),
                              e->along / (e->along - 1)};
    const stiction::detail::Gauge g = stiction::detail::gauge(dual, m);
    add(u1, u2, g.hessian * u1, g.hessian * u2);
    return s.p + s.R * support(*s.core, m);
  }
  return core_support(s, n);
}

/// [m] No part of the surface bends more than a sphere of this radius.
double least_bend(const Side& s) {
  const auto* e = std::get_if<Ellipsoid>(s.core);
  if (e == nullptr) return 0;
  const double least = std::fmin(e->radii.x, std::fmin(e->radii.y, e->radii.z));
  return least * (least / max_component(e->radii));
}

}  // namespace

bool climb(const Side& a, const Side& b, double size, const Vec3& start, bool shallow, Candidate& out) {
  // the support points of intersections come without rates
  if (std::holds_alternative<Intersection>(*a.core) || std::holds_alternative<Intersection>(*b.core))
    return false;
  constexpr int most = 16;
  constexpr double longest = 0.5, proof = 2e-15;  // [rad], [-] of the size
  Vec3 n = start, best;
  double highest = -1e300, part = 1, step1 = 0, step2 = 0;
  Vec3 from1, from2;
  for (int i = 0; i < most; ++i) {
    Vec3 t1, t2;
    tangents(n, t1, t2);
    Bend bend;
    const Vec3 x = bent_support(a, n, t1, t2, bend), y = bent_support(b, -n, t1, t2, bend), w = y - x;
    const double s = dot(n, w), g1 = dot(t1, w), g2 = dot(t2, w), g = std::sqrt(g1 * g1 + g2 * g2);
    if (!(g < 1e300)) return false;
    if (g <= proof * size) {
      const bool proved = s >= -0.5 * (least_bend(a) + least_bend(b));
      out = {n, x, y, s, s > 0 ? 0.5 * g * (g / s) : proved ? 0 : -s, {}};
      return s > 0 || proved || (shallow && s >= -shallow_ratio * size);
    }
    if (s < highest - proof * size) {  // too far: back by half
      part *= 0.5;
      if (part < 0.2) return false;
    } else {
      const double xx = bend.xx + s, yy = bend.yy + s, xy = bend.xy, det = xx * yy - xy * xy;
      if (!(xx > 0 && det > 1e-14 * xx * yy)) return false;
      step1 = (yy * g1 - xy * g2) / det, step2 = (xx * g2 - xy * g1) / det;
      const double length = std::sqrt(step1 * step1 + step2 * step2);
      part = length > longest ? longest / length : 1;
      best = n, highest = s, from1 = t1, from2 = t2;
    }
    n = normalized(best + part * step1 * from1 + part * step2 * from2);
  }
  return false;
}

}  // namespace stiction::collision::detail
