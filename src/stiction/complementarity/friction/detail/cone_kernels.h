// Cones of contacts as templates: K = {|x_1| <= mu_1 x_n, |x_2| <= mu_2 x_n}, x = (x_n, x_1, x_2) with A rows
// in the first disc and B in the second; B = 0: one disc. Ellipsoids become one disc when rows are scaled.
//
// Projection: y_k keeps the direction of x_k and has length min(t_k, mu_k n), t_k = |x_k|. The normal part n
// makes (n - x_n)^2 + sum (t_k - mu_k n)_+^2 smallest: the root of an increasing piecewise linear function,
//     n = (x_n + sum_A mu_k t_k) / (1 + sum_A mu_k^2),    A = discs that cut, found in at most three tries;
// n < 0 gives the apex. It holds for all x; the derivative is one of several at the kinks.
#pragma once

#include <cmath>
#include <utility>

namespace stiction::complementarity::friction {

template <int A, int B>
struct Cone {
  static constexpr int first = A, second = B, rows = 1 + A + B;
};

/// Calls f(Cone<A, B>{}) for the group sizes given: (1..5, 0) or (2, 1..3).
template <class F>
decltype(auto) with_cone(int first, int second, F&& f) {
  if (second == 1) return f(Cone<2, 1>{});
  if (second == 2) return f(Cone<2, 2>{});
  if (second == 3) return f(Cone<2, 3>{});
  if (first == 1) return f(Cone<1, 0>{});
  if (first == 2) return f(Cone<2, 0>{});
  if (first == 3) return f(Cone<3, 0>{});
  if (first == 4) return f(Cone<4, 0>{});
  return f(Cone<5, 0>{});
}

template <int N>
[[gnu::always_inline]] inline double length(const double* x) {
  if constexpr (N == 0) return 0.0;
  if constexpr (N == 1) return std::fabs(x[0]);
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

template <int N>
[[gnu::always_inline]] inline double dot(const double* x, const double* y) {
  double sum = x[0] * y[0];
  for (int i = 1; i < N; ++i) sum += x[i] * y[i];
  return sum;
}

/// The lengths of the two friction parts of x.
template <class C>
[[gnu::always_inline]] inline void lengths(const double* x, double t[2]) {
  t[0] = length<C::first>(x + 1);
  t[1] = length<C::second>(x + 1 + C::first);
}

/// Which discs cut, and where the projection lies on the axis.
struct Cut {
  double n = 0, t[2] = {0, 0}, share = 1;  // share = 1 / (1 + sum mu_k^2) over the discs that cut
  bool cuts[2] = {false, false}, apex = false;
};

template <class C>
[[gnu::always_inline]] inline Cut cut_of(const double mu[2], const double* x) {
  Cut c;
  lengths<C>(x, c.t);
  c.n = x[0];
  c.cuts[0] = c.t[0] > mu[0] * c.n;
  if constexpr (C::second > 0) {
    c.cuts[1] = c.t[1] > mu[1] * c.n;
    if (c.cuts[0] && c.cuts[1]) {  // the disc that is met first, coming from large n, for certain
      const bool later = c.t[0] * mu[1] < c.t[1] * mu[0];
      c.cuts[later ? 0 : 1] = false;
    }
  }
  if (c.cuts[0] || c.cuts[1]) {
    const int k = c.cuts[0] ? 0 : 1;
    c.share = 1 / (1 + mu[k] * mu[k]);
    c.n = c.share * (x[0] + mu[k] * c.t[k]);
    if constexpr (C::second > 0) {
      if (c.t[1 - k] > mu[1 - k] * c.n) {
        c.cuts[1 - k] = true;
        c.share = 1 / (1 + mu[0] * mu[0] + mu[1] * mu[1]);
        c.n = c.share * (x[0] + mu[0] * c.t[0] + mu[1] * c.t[1]);
      }
    }
  }
  c.apex = !(c.n > 0);
  return c;
}

/// out = P_K(x); `out` may be `x`.
template <class C>
[[gnu::always_inline]] inline void project(const double mu[2], const double* x, double* out) {
  const Cut c = cut_of<C>(mu, x);
  if (c.apex) {
    for (int i = 0; i < C::rows; ++i) out[i] = 0;
    return;
  }
  out[0] = c.n;
  const double f0 = c.cuts[0] ? mu[0] * c.n / c.t[0] : 1.0, f1 = c.cuts[1] ? mu[1] * c.n / c.t[1] : 1.0;
  for (int i = 1; i <= C::first; ++i) out[i] = f0 * x[i];
  for (int i = 1 + C::first; i < C::rows; ++i) out[i] = f1 * x[i];
}

/// out = P_K(x) and D = dP_K/dx, row-major.
template <class C>
[[gnu::always_inline]] inline void project(const double mu[2], const double* x, double* out, double* D) {
  constexpr int d = C::rows;
  for (int i = 0; i < d * d; ++i) D[i] = 0;
  const Cut c = cut_of<C>(mu, x);
  if (c.apex) {
    for (int i = 0; i < d; ++i) out[i] = 0;
    return;
  }
  double e[d] = {1};  // direction in which the projection moves with n: (1, mu_k d_k)
  double across[2];
  for (int k = 0; k < 2; ++k) across[k] = c.cuts[k] ? mu[k] * c.n / c.t[k] : 1.0;
  for (int i = 1; i < d; ++i) {
    const int k = i <= C::first ? 0 : 1;
    e[i] = c.cuts[k] ? mu[k] * x[i] / c.t[k] : 0.0;
    out[i] = across[k] * x[i];
    D[i * d + i] = across[k];
  }
  out[0] = c.n;
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) D[i * d + j] += c.share * e[i] * e[j];
  for (int k = 0; k < 2; ++k) {  // the part along d_k does not turn
    if (!c.cuts[k]) continue;
    const int begin = k == 0 ? 1 : 1 + C::first, end = k == 0 ? 1 + C::first : d;
    const double s = across[k] / (c.t[k] * c.t[k]);
    for (int i = begin; i < end; ++i)
      for (int j = begin; j < end; ++j) D[i * d + j] -= s * x[i] * x[j];
  }
}

/// uhat_n - u_n = mu_1 |u_1| + mu_2 |u_2|.
template <class C>
[[gnu::always_inline]] inline double shift_of(const double mu[2], const double* u) {
  double t[2];
  lengths<C>(u, t);
  return mu[0] * t[0] + (C::second > 0 ? mu[1] * t[1] : 0.0);
}

/// out = r - P_K(r - rho uhat): zero at a solution.
template <class C>
[[gnu::always_inline]] inline void natural_map(const double mu[2], double rho, const double* r,
                                               const double* u, double* out) {
  double x[C::rows];
  for (int i = 0; i < C::rows; ++i) x[i] = r[i] - rho * u[i];
  x[0] -= rho * shift_of<C>(mu, u);
  project<C>(mu, x, out);
  for (int i = 0; i < C::rows; ++i) out[i] = r[i] - out[i];
}

}  // namespace stiction::complementarity::friction
