// One contact alone, solved exactly, for every number of rows and both laws: find r with u = W r + b and
// K* contains uhat, r in K, orthogonal; W = W^T positive definite.
//
//   open      b_n >= 0                                      r = 0
//   pressed   u_n = 0, and disc by disc: sticking, u_k = 0, or sliding, u_k = -s_k r_k, s_k > 0, |r_k| = mu_k
//   r_n
//
// r_n = -(b_n + W_nf r_f) / W_nn leaves (S + diag(s_1, s_2)) r_f = -c, S = W_ff - W_fn W_nf / W_nn,
// c = b_f - W_fn b_n / W_nn. One disc: in the eigenbasis of S, found once, r_f,k = -c_k / (sigma_k + s), and
// phi(s) = |r_f| - mu r_n changes sign between 0 (sticking is impossible) and infinity. Two discs: the same
// with one bracketed root inside another, where Newton's method from the last r does not end. Brackets are
// closed by Newton's or secant steps that fall back to bisection, to round-off. With strong coupling
// (Painleve) several roots may exist; any is a solution.
//
// Gauss-Seidel may use any W here whose b is taken to match, b = u - W r: what it converges to does not
// change. So the symmetric part of W_ii is taken, directions that it does not see are given a little inertia.
#pragma once

#include <cmath>

#include "stiction/complementarity/friction/detail/contact_law.h"

namespace stiction::complementarity::friction {

/// Eigenvalues and eigenvectors (columns of Q, row-major) of a symmetric matrix, by Jacobi's rotations.
template <int N>
void eigen(double* a, double* sigma, double* Q) {
  for (int i = 0; i < N * N; ++i) Q[i] = i % (N + 1) == 0 ? 1.0 : 0.0;
  for (int round = 0; round < 60; ++round) {
    double off = 0, all = 0;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) (i == j ? all : off) += a[i * N + j] * a[i * N + j];
    if (off <= 1e-30 * all) break;
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) {
        if (a[p * N + q] == 0) continue;
        const double theta = (a[q * N + q] - a[p * N + p]) / (2 * a[p * N + q]);
        const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < N; ++k) {
          const double x = a[k * N + p], y = a[k * N + q];
          a[k * N + p] = c * x - s * y, a[k * N + q] = s * x + c * y;
        }
        for (int k = 0; k < N; ++k) {
          const double x = a[p * N + k], y = a[q * N + k];
          a[p * N + k] = c * x - s * y, a[q * N + k] = s * x + c * y;
        }
        for (int k = 0; k < N; ++k) {
          const double x = Q[k * N + p], y = Q[k * N + q];
          Q[k * N + p] = c * x - s * y, Q[k * N + q] = s * x + c * y;
        }
      }
  }
  for (int i = 0; i < N; ++i) sigma[i] = a[i * N + i];
}

/// A contact's own matrix, prepared once.
template <class C>
struct LocalContact {
  static constexpr int d = C::rows, f = d - 1;
  static constexpr int most_steps = 12;  // [-] of Newton's method for two discs, before the brackets
  double W[d * d];                       // symmetric part of W_ii, with the floor of S added
  double S[f * f];                       // Schur complement
  double sigma[f], Q[f * f], g[f];       // one disc: eigenvalues and vectors of S, W_nf in that basis
  double inverse_sigma[f], inverse_normal;
  double trace;

  void set(const double* w) {
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j) W[i * d + j] = 0.5 * (w[i * d + j] + w[j * d + i]);
    trace = 0;
    for (int i = 0; i < f; ++i) {
      for (int j = 0; j < f; ++j) S[i * f + j] = W[(i + 1) * d + j + 1] - W[(i + 1) * d] * W[j + 1] / W[0];
      trace += std::fabs(W[(i + 1) * d + i + 1]);
    }
    const double floor = 1e-10 * (trace > 0 ? trace : W[0]);
    double a[f * f];
    for (int i = 0; i < f * f; ++i) a[i] = S[i];
    eigen<f>(a, sigma, Q);
    for (int k = 0; k < f; ++k) {  // S and W are lifted to the floor in weak directions
      const double lift = sigma[k] < floor ? floor - sigma[k] : 0.0;
      sigma[k] += lift;
      for (int i = 0; lift > 0 && i < f; ++i)
        for (int j = 0; j < f; ++j) {
          const double x = lift * Q[i * f + k] * Q[j * f + k];
          S[i * f + j] += x, W[(i + 1) * d + j + 1] += x;
        }
    }
    for (int k = 0; k < f; ++k) {
      g[k] = 0;
      for (int i = 0; i < f; ++i) g[k] += Q[i * f + k] * W[i + 1];
      inverse_sigma[k] = 1 / sigma[k];
    }
    inverse_normal = 1 / W[0];
  }

  /// `guess`: s of the slip to expect, or 0. r: a start, which two discs use.
  void solve(const double* b, const double mu[2], double guess, double* r) const {
    if (b[0] >= 0) {
      for (int i = 0; i < d; ++i) r[i] = 0;
      return;
    }
    double c[f];
    for (int i = 0; i < f; ++i) c[i] = b[i + 1] - W[(i + 1) * d] * (b[0] / W[0]);
    if constexpr (C::second == 0)
      solve_one(b[0], c, mu[0], guess, r);
    else
      solve_two(b, c, mu, r);
  }

 private:
  /// One disc that slides with slip-to-impulse ratio s: r_f in the eigenbasis, its square, r_n, and the
  /// slopes of |r_f|^2 / 2 and of r_n.
  struct Slip {
    double t[f], square, slope, n, d_n;
    bool outside(double mu) const { return n < 0 || square > mu * n * (mu * n); }
  };
  Slip slip(double b_n, const double* c, const double* inverse) const {  // inverse: 1 / (sigma + s)
    Slip out;
    double coupling = 0, d_coupling = 0;
    out.square = out.slope = 0;
    for (int k = 0; k < f; ++k) {
      const double t = -c[k] * inverse[k];
      out.t[k] = t;
      out.square += t * t, out.slope -= t * t * inverse[k];
      coupling += g[k] * t, d_coupling -= g[k] * t * inverse[k];
    }
    out.n = -(b_n + coupling) * inverse_normal, out.d_n = -d_coupling * inverse_normal;
    return out;
  }
  Slip slip(double b_n, const double* c, double s) const {
    double inverse[f];
    for (int k = 0; k < f; ++k) inverse[k] = 1 / (sigma[k] + s);
    return slip(b_n, c, inverse);
  }

  /// s > 0 where |r_f| = mu r_n, with r there.
  Slip slide(double b_n, const double* c, double mu, double guess, const Slip& stuck) const {
    double low = 0, high = HUGE_VAL, s = guess > 0 ? guess : 0.0;
    Slip at = s > 0 ? slip(b_n, c, s) : stuck;
    while (true) {
      (at.outside(mu) ? low : high) = s;
      // Newton on 1/|r_f| - 1/(mu r_n), almost linear in s; where r_n <= 0, upwards
      double next = -1;
      if (at.n > 0 && at.square > 0) {
        const double size = std::sqrt(at.square), limit = mu * at.n;
        next = s - (limit - size) * at.square * limit /
                       (mu * at.d_n * at.square * size - at.slope * limit * limit);
      }
      const bool last = std::fabs(next - s) <= 1e-8 * s;  // the steps converge quadratically
      if (!last && !(next > low && next < high))
        next = high < HUGE_VAL ? 0.5 * (low + high) : 8 * (low > 0 ? low : trace + sigma[0]);
      if (next == s || !(next < 1e300) || (high < HUGE_VAL && high - low <= 4e-16 * high)) break;
      s = next;
      at = slip(b_n, c, s);
      if (last) break;
    }
    if (at.square > 0 && at.n > 0) {  // on the cone to the last digit
      const double factor = mu * at.n / std::sqrt(at.square);
      for (int k = 0; k < f; ++k) at.t[k] *= factor;
    }
    return at;
  }

  void solve_one(double b_n, const double* c_rows, double mu, double guess, double* r) const {
    if (mu == 0) {
      r[0] = -b_n / W[0];
      for (int i = 1; i < d; ++i) r[i] = 0;
      return;
    }
    double c[f];
    for (int k = 0; k < f; ++k) {
      c[k] = 0;
      for (int i = 0; i < f; ++i) c[k] += Q[i * f + k] * c_rows[i];
    }
    Slip x = slip(b_n, c, inverse_sigma);
    if (x.outside(mu)) x = slide(b_n, c, mu, guess, x);
    r[0] = x.n > 0 ? x.n : 0.0;
    for (int i = 0; i < f; ++i) {
      r[i + 1] = 0;
      for (int k = 0; k < f; ++k) r[i + 1] += x.n > 0 ? Q[i * f + k] * x.t[k] : 0.0;
    }
  }

  struct Trial {
    double t[f], n, excess[2];  // |r_k| - mu_k r_n
  };
  Trial at(double b_n, const double* c, const double mu[2], const double s[2]) const {
    double a[f * f], x[f];
    for (int i = 0; i < f; ++i) {
      for (int j = 0; j < f; ++j) a[i * f + j] = S[i * f + j];
      a[i * f + i] += s[i < C::first ? 0 : 1];
      x[i] = -c[i];
    }
    for (int k = 0; k < f; ++k)
      for (int i = k + 1; i < f; ++i) {
        const double m = a[i * f + k] / a[k * f + k];
        for (int j = k + 1; j < f; ++j) a[i * f + j] -= m * a[k * f + j];
        x[i] -= m * x[k];
      }
    Trial out;
    double coupling = 0;
    for (int i = f - 1; i >= 0; --i) {
      for (int j = i + 1; j < f; ++j) x[i] -= a[i * f + j] * out.t[j];
      out.t[i] = x[i] / a[i * f + i];
      coupling += W[i + 1] * out.t[i];
    }
    out.n = -(b_n + coupling) / W[0];
    out.excess[0] = length<C::first>(out.t) - mu[0] * out.n;
    out.excess[1] = length<C::second>(out.t + C::first) - mu[1] * out.n;
    return out;
  }

  /// The s > 0 where `excess` becomes 0: bracketed, secant steps with Illinois' rule.
  template <class Excess>
  double root(const Excess& excess) const {
    double low = 0, high = trace + W[0], f_low = excess(0.0), f_high = excess(high);
    while (f_high > 0 && high < 1e290) low = high, f_low = f_high, high *= 16, f_high = excess(high);
    for (int side = 0; high - low > 4e-16 * high;) {
      double s = high - f_high * (high - low) / (f_high - f_low);
      if (!(s > low && s < high) || high > 64 * (low + 1e-12 * trace)) s = 0.5 * (low + high);
      if (!(s > low && s < high)) break;
      const double value = excess(s);
      if (value > 0) {
        low = s, f_low = value;
        if (side == 1) f_high *= 0.5;
        side = 1;
      } else {
        high = s, f_high = value;
        if (side == -1) f_low *= 0.5;
        side = -1;
        if (value == 0) break;
      }
    }
    return high;
  }

  /// The disc `outer` by a bracketed root, the other one by a root inside.
  void solve_nested(double b_n, const double* c, const double mu[2], int outer, double* r) const {
    const double never = 1e40 * (trace + W[0]);  // a disc without friction slides at any price
    const int inner = 1 - outer;
    double s[2] = {mu[0] == 0 ? never : 0.0, mu[1] == 0 ? never : 0.0};
    const auto excess_of = [&](int disc, const double both[2]) {
      const Trial trial = at(b_n, c, mu, both);
      return trial.n >= 0 ? trial.excess[disc] : std::fabs(trial.excess[disc]) + trial.n * trial.n;
    };
    const auto settle_inner = [&](double value) {
      s[outer] = value;
      if (mu[inner] == 0) return;
      const auto excess = [&](double x) {
        double both[2];
        both[outer] = value, both[inner] = x;
        return excess_of(inner, both);
      };
      s[inner] = 0;
      if (excess(0.0) > 0) s[inner] = root(excess);
    };
    const auto outer_excess = [&](double value) {
      settle_inner(value);
      return excess_of(outer, s);
    };
    settle_inner(s[outer]);
    if (mu[outer] > 0 && outer_excess(0.0) > 0) settle_inner(root(outer_excess));
    const Trial trial = at(b_n, c, mu, s);
    r[0] = trial.n;
    for (int i = 0; i < f; ++i) r[i + 1] = s[i < C::first ? 0 : 1] == never ? 0.0 : trial.t[i];
    const double copy[2] = {mu[0], mu[1]};
    project<C>(copy, r, r);
  }

  /// |r - P_K(r - uhat / w)|
  double error(const double* b, const double mu[2], const double* r) const {
    double u[d], e[d];
    for (int i = 0; i < d; ++i) {
      u[i] = b[i];
      for (int j = 0; j < d; ++j) u[i] += W[i * d + j] * r[j];
    }
    natural_map<C>(mu, d / (trace + W[0]), r, u, e);
    return length<d>(e);
  }

  /// Newton's method from r; true if it ends at a solution, to round-off.
  bool refine(const double* b, const double mu[2], double* r) const {
    const double w = (trace + W[0]) / d;
    for (int step = 0; step < most_steps; ++step) {
      double u[d], H[d], H_u[d * d], A[d * d];
      for (int i = 0; i < d; ++i) {
        u[i] = b[i];
        for (int j = 0; j < d; ++j) u[i] += W[i * d + j] * r[j];
      }
      contact_law<C>(mu, w, r, u, H, H_u, A);
      for (int i = 0; i < d; ++i)
        for (int k = 0; k < d; ++k)
          for (int j = 0; j < d; ++j) A[i * d + j] += H_u[i * d + k] * W[k * d + j];
      if (!eliminate_step(A, H)) return false;
      double change = 0, size = 0;
      for (int i = 0; i < d; ++i) r[i] -= H[i], change += H[i] * H[i], size += r[i] * r[i];
      if (!(change < HUGE_VAL)) return false;
      // the steps converge quadratically: the next one is below round-off
      if (change <= 1e-20 * size) return r[0] > 0 && error(b, mu, r) <= 1e-14 * std::sqrt(size);
    }
    return false;
  }
  /// x := A^-1 x, with row exchanges.
  static bool eliminate_step(double* A, double* x) {
    for (int k = 0; k < d; ++k) {
      int pivot = k;
      for (int i = k + 1; i < d; ++i)
        if (std::fabs(A[i * d + k]) > std::fabs(A[pivot * d + k])) pivot = i;
      if (!(std::fabs(A[pivot * d + k]) > 1e-300)) return false;
      if (pivot != k) {
        for (int j = k; j < d; ++j) std::swap(A[k * d + j], A[pivot * d + j]);
        std::swap(x[k], x[pivot]);
      }
      for (int i = k + 1; i < d; ++i) {
        const double part = A[i * d + k] / A[k * d + k];
        for (int j = k + 1; j < d; ++j) A[i * d + j] -= part * A[k * d + j];
        x[i] -= part * x[k];
      }
    }
    for (int i = d - 1; i >= 0; --i) {
      for (int j = i + 1; j < d; ++j) x[i] -= A[i * d + j] * x[j];
      x[i] /= A[i * d + i];
    }
    return true;
  }

  /// Strong coupling may make the inner root jump: then the discs change their parts.
  void solve_two(const double* b, const double* c, const double mu[2], double* r) const {
    double near[d];
    for (int i = 0; i < d; ++i) near[i] = r[i];
    if (refine(b, mu, near)) {
      project<C>(mu, near, r);
      return;
    }
    solve_nested(b[0], c, mu, 0, r);
    const double first = error(b, mu, r);
    if (first <= 1e-10 * length<d>(r)) return;
    double other[d];
    solve_nested(b[0], c, mu, 1, other);
    if (!(error(b, mu, other) < first)) return;
    for (int i = 0; i < d; ++i) r[i] = other[i];
  }
};

}  // namespace stiction::complementarity::friction
