// Algebra of Lorentz cones L = {x_0 >= |x_1|} for interior-point methods: Jordan product, step to the
// boundary, Nesterov and Todd's scaling. N = dimension, 1 to 6 (1: the half line). Reference: Alizadeh,
// Goldfarb (2003), "Second-order cone programming".
#pragma once

#include <cmath>

namespace stiction::complementarity::friction {

/// x_0^2 - |x_1|^2, without cancellation in the square.
inline double lorentz_det(int N, const double* x) {
  double t = 0;
  for (int i = 1; i < N; ++i) t += x[i] * x[i];
  t = std::sqrt(t);
  return (x[0] - t) * (x[0] + t);
}

/// out = x o y
inline void jordan(int N, const double* x, const double* y, double* out) {
  double dot = 0;
  for (int i = 0; i < N; ++i) dot += x[i] * y[i];
  for (int i = 1; i < N; ++i) out[i] = x[0] * y[i] + y[0] * x[i];
  out[0] = dot;
}
/// out with x o out = y; x inside.
inline void jordan_divide(int N, const double* x, const double* y, double* out) {
  double dot = 0;
  for (int i = 1; i < N; ++i) dot += x[i] * y[i];
  out[0] = (x[0] * y[0] - dot) / lorentz_det(N, x);
  for (int i = 1; i < N; ++i) out[i] = (y[i] - out[0] * x[i]) / x[0];
}

/// The largest step a <= 1 for which x + a dx stays in L (x inside).
inline double step_inside(int N, const double* x, const double* dx) {
  double a = dx[0] * dx[0], b = x[0] * dx[0];
  for (int i = 1; i < N; ++i) a -= dx[i] * dx[i], b -= x[i] * dx[i];
  const double c = lorentz_det(N, x);
  double step = dx[0] < 0 ? -x[0] / dx[0] : HUGE_VAL;
  // c + 2 b s + a s^2 = 0, the smallest positive root
  const double discriminant = b * b - a * c;
  if (discriminant >= 0) {
    const double q = -(b + std::copysign(std::sqrt(discriminant), b));
    const double roots[2] = {a != 0 ? q / a : HUGE_VAL, q != 0 ? c / q : HUGE_VAL};
    for (const double root : roots)
      if (root > 0 && root < step) step = root;
  }
  return step < 1 ? step : 1.0;
}

/// F with F z = F^-1 s = lambda: F = eta [w_0, w^T; w, 1 + w w^T / (1 + w_0)].
struct Scaling {
  double eta = 1, w[6] = {1};

  void set(int N, const double* s, const double* z) {
    const double ds = std::sqrt(lorentz_det(N, s)), dz = std::sqrt(lorentz_det(N, z));
    double dot = 0;
    for (int i = 0; i < N; ++i) dot += s[i] / ds * (z[i] / dz);
    const double g = std::sqrt(0.5 * (1 + dot));
    for (int i = 0; i < N; ++i) w[i] = (s[i] / ds + (i == 0 ? 1 : -1) * z[i] / dz) / (2 * g);
    eta = std::sqrt(ds / dz);
  }
  void apply(int N, const double* x, double* out) const { multiply(N, eta, 1, x, out); }
  void apply_inverse(int N, const double* x, double* out) const { multiply(N, 1 / eta, -1, x, out); }

 private:
  void multiply(int N, double scale, double sign, const double* x, double* out) const {
    double dot = 0;
    for (int i = 1; i < N; ++i) dot += w[i] * x[i];
    const double first = x[0], along = sign * first + dot / (1 + w[0]);
    out[0] = scale * (w[0] * first + sign * dot);
    for (int i = 1; i < N; ++i) out[i] = scale * (x[i] + along * w[i]);
  }
};

}  // namespace stiction::complementarity::friction
