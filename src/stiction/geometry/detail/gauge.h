// The gauge N of a superellipsoid: N = 1 on its surface, N(t x) = t N(x) for t > 0.
#pragma once

#include "stiction/geometry/convex.h"

namespace stiction::detail {

struct Gauge {
  double value = 0;
  Vec3 gradient;    // [1/m]
  SymMat3 hessian;  // [1/m^2]
};
Gauge gauge(const Superellipsoid& s, const Vec3& x);
/// The derivative of the Hessian along v: sum_k d^3 N / dx_i dx_j dx_k v_k.
SymMat3 gauge_third(const Superellipsoid& s, const Vec3& x, const Vec3& v);
/// The point with N = 1 farthest along n.
Vec3 gauge_support(const Superellipsoid& s, const Vec3& n);

}  // namespace stiction::detail
