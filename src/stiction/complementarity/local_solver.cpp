// The three cases of one frictional contact, tried in turn.
//
//   open      b_n >= 0                                r = 0
//   sticking  r = -W^-1 b in K                        u = 0
//   sliding   u_n = 0, u_t = -s r_t with s > 0, |r_t| = mu r_n
//
// Sliding: eliminating r_n = -(b_n + W_nt r_t) / W_nn leaves (S + s I) r_t = -c with the Schur complement
// S = W_tt - W_tn W_nt / W_nn (symmetric, >= 0) and c = b_t - W_tn b_n / W_nn. In the eigenbasis of S this is
// r_t,k = -c_k / (sigma_k + s), and phi(s) = |r_t(s)| - mu r_n(s) changes sign on (0, inf): at 0 the sticking
// impulse lies outside the cone, at infinity r_t = 0 and r_n = -b_n / W_nn > 0. The bracket is closed by
// Newton steps that fall back to bisection. With strong coupling (Painleve) several roots may exist; any is a
// solution. Fails never; a negative r_n at s = 0 counts as outside the cone.
#include "stiction/complementarity/local_solver.h"

#include <cmath>

namespace stiction::complementarity {
namespace {

struct Slide {
  double sigma[2], c[2], g[2];  // eigenvalues of S; c and W_nt in its eigenbasis
  double b_n, w_nn, mu;

  /// r_t in the eigenbasis and r_n for slip-to-impulse ratio s.
  void impulses(double s, double t[2], double& n) const {
    for (int k = 0; k < 2; ++k) {
      const double d = sigma[k] + s;
      t[k] = d > 0 ? -c[k] / d : 0.0;
    }
    n = -(b_n + g[0] * t[0] + g[1] * t[1]) / w_nn;
  }
  double phi(double s, double& slope) const {
    double t[2], n = 0;
    impulses(s, t, n);
    const double length = std::sqrt(t[0] * t[0] + t[1] * t[1]);
    double dt[2];
    for (int k = 0; k < 2; ++k) {
      const double d = sigma[k] + s;
      dt[k] = d > 0 ? -t[k] / d : 0.0;
    }
    const double dn = -(g[0] * dt[0] + g[1] * dt[1]) / w_nn;
    slope = (length > 0 ? (t[0] * dt[0] + t[1] * dt[1]) / length : 0.0) - mu * dn;
    return length - mu * n;
  }
};

/// Eigenbasis (cosine, sine) and eigenvalues of the symmetric 2x2 matrix [[a, b], [b, d]].
void eigen2(double a, double b, double d, double sigma[2], double& cosine, double& sine) {
  if (b == 0) {
    cosine = 1, sine = 0, sigma[0] = a, sigma[1] = d;
  } else {
    const double theta = (d - a) / (2 * b);
    const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
    cosine = 1 / std::sqrt(t * t + 1), sine = t * cosine;
    sigma[0] = a - t * b, sigma[1] = d + t * b;
  }
  // round-off of directions that W does not see
  const double floor = 1e-14 * (std::fabs(a) + std::fabs(d));
  for (int k = 0; k < 2; ++k)
    if (sigma[k] < floor) sigma[k] = 0;
}

double bracketed_root(const Slide& f, double scale) {
  double low = 0, slope = 0;
  double high = scale > 0 ? scale : 1.0;
  while (f.phi(high, slope) > 0 && high < 1e300) low = high, high *= 8;
  double s = 0.5 * (low + high);
  for (int i = 0; i < 200; ++i) {
    const double value = f.phi(s, slope);
    if (value > 0)
      low = s;
    else
      high = s;
    double next = slope < 0 ? s - value / slope : 0.5 * (low + high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == s || high - low <= 1e-16 * high) break;
    s = next;
  }
  return s;
}

}  // namespace

LocalCase solve_one_contact(const double W[9], const double b[3], double mu, double r[3]) {
  r[0] = r[1] = r[2] = 0;
  if (b[0] >= 0 || W[0] <= 0) return LocalCase::open;

  Slide f;
  f.b_n = b[0], f.w_nn = W[0], f.mu = mu;
  if (mu == 0) {
    r[0] = -b[0] / W[0];
    return LocalCase::sliding;
  }
  const double s11 = W[4] - W[3] * W[1] / W[0], s12 = W[5] - W[3] * W[2] / W[0],
               s22 = W[8] - W[6] * W[2] / W[0];
  double cosine = 1, sine = 0;
  eigen2(s11, s12, s22, f.sigma, cosine, sine);
  const double c1 = b[1] - W[3] * b[0] / W[0], c2 = b[2] - W[6] * b[0] / W[0];
  f.c[0] = cosine * c1 - sine * c2, f.c[1] = sine * c1 + cosine * c2;
  f.g[0] = cosine * W[1] - sine * W[2], f.g[1] = sine * W[1] + cosine * W[2];
  for (int k = 0; k < 2; ++k)
    if (f.sigma[k] == 0) f.c[k] = 0;

  double t[2], n = 0;
  f.impulses(0, t, n);
  LocalCase result = LocalCase::sticking;
  if (!(n >= 0 && t[0] * t[0] + t[1] * t[1] <= mu * mu * n * n)) {
    result = LocalCase::sliding;
    f.impulses(bracketed_root(f, f.sigma[0] + f.sigma[1]), t, n);
  }
  r[0] = n;
  r[1] = cosine * t[0] + sine * t[1];
  r[2] = -sine * t[0] + cosine * t[1];
  return result;
}

}  // namespace stiction::complementarity
