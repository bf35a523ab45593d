// The law of one contact as an equation, with its derivatives: with x = (m r_n, r_f) and
// y = (u_n / m + sum c_k |u_k|, u_f), De Saxce's shift included, m = max(1, mu_k), c_k = mu_k / m, both in
// cones that are dual to each other, and orthogonal:
//     H(r, u) = x - P(x - rho y) = 0,      rho = 1 / w,  w the contact's mean inverse mass.
// Semismooth: at the kinks (|u_k| = 0, the edges of the cone) the derivatives are one of several.
#pragma once

#include "stiction/complementarity/friction/detail/cone_kernels.h"

namespace stiction::complementarity::friction {

/// H, H_u = dH/du and H_r = dH/dr at fixed u, row-major; H_u = 0 where the contact is open.
template <class C>
[[gnu::always_inline]] inline void contact_law(const double mu[2], double w, const double* r, const double* u,
                                               double* H, double* H_u, double* H_r) {
  constexpr int d = C::rows;
  const double rho = 1 / w;
  const double steep = std::fmax(1.0, std::fmax(mu[0], C::second > 0 ? mu[1] : 0.0));
  const double c[2] = {mu[0] / steep, mu[1] / steep};
  double x[d], y[d], D[d * d], slip[2];
  lengths<C>(u, slip);
  x[0] = steep * r[0] - rho * (u[0] / steep + c[0] * slip[0] + c[1] * slip[1]);
  for (int k = 1; k < d; ++k) x[k] = r[k] - rho * u[k];
  project<C>(c, x, y, D);
  H[0] = steep * r[0] - y[0];
  for (int k = 1; k < d; ++k) H[k] = r[k] - y[k];
  double e[d];  // derivative of the shift
  e[0] = 1 / steep;
  for (int k = 1; k < d; ++k) {
    const int disc = k <= C::first ? 0 : 1;
    e[k] = slip[disc] > 0 ? c[disc] * u[k] / slip[disc] : 0.0;
  }
  for (int a = 0; a < d; ++a)
    for (int b = 0; b < d; ++b) {
      const double x_b = b == 0 ? steep : 1.0;
      H_u[a * d + b] = rho * ((b == 0 ? 0.0 : D[a * d + b]) + D[a * d] * e[b]);
      H_r[a * d + b] = x_b * ((a == b ? 1.0 : 0.0) - D[a * d + b]);
    }
}

}  // namespace stiction::complementarity::friction
