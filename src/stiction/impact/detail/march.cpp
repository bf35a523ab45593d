// Slip v_t that turns is integrated over sigma, dp_n = |v_t| dsigma, in which it stays regular as it
// vanishes:
//
//     v_t' = |v_t| W_tn - mu W_tt v_t     p_n' = |v_t|     p_t' = -mu v_t     E_n' = |v_t| u_n     E_f' = -mu
//     v_t^2
//
// by the modified midpoint rule, extrapolated to order 12 (Gragg, Bulirsch, Stoer), in steps of a quarter of
// the fastest turn. Slip that does not turn, and rest, are straight pieces in p_n.
#include "stiction/impact/detail/march.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction::impact::detail {
namespace {

constexpr int most_steps = 20000;
constexpr int columns = 6;  // [-] of the extrapolation: 2, 4, ... 12 parts of a step

class Way {
 public:
  Way(const Mat3& W, const Vec3& u, const Coefficients& c, double end) : W_(W), u_(u), c_(c), end_(end) {
    y_[0] = u.y, y_[1] = u.z;
  }

  March gone() {
    const bool turned = turn();
    if (turned) straight();
    return {turned, {y_[2], y_[3], y_[4]}, stored_, released_, y_[6], compression_};
  }

 private:
  using Numbers = std::array<double, 7>;  // v_t, p, E_n, E_f

  double slip(const Numbers& y) const { return std::sqrt(y[0] * y[0] + y[1] * y[1]); }
  double normal(const Numbers& y) const { return u_.x + W_(0, 0) * y[2] + W_(0, 1) * y[3] + W_(0, 2) * y[4]; }
  Numbers rates(const Numbers& y) const {
    const double s = slip(y), mu = c_.friction_kinetic;
    return {s * W_(1, 0) - mu * (W_(1, 1) * y[0] + W_(1, 2) * y[1]),
            s * W_(2, 0) - mu * (W_(2, 1) * y[0] + W_(2, 2) * y[1]),
            s,
            -mu * y[0],
            -mu * y[1],
            s * normal(y),
            -mu * s * s};
  }
  static Numbers sum(const Numbers& a, double f, const Numbers& b) {
    Numbers out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + f * b[i];
    return out;
  }

  /// y_ after sigma more.
  Numbers moved(double sigma) const {
    Numbers row[columns], out{};
    for (int k = 0; k < columns; ++k) {
      const int parts = 2 * (k + 1);
      const double h = sigma / parts;
      Numbers last = y_, now = sum(y_, h, rates(y_));
      for (int i = 1; i < parts; ++i) {
        const Numbers next = sum(last, 2 * h, rates(now));
        last = now, now = next;
      }
      out = sum(sum(now, 1, last), h, rates(now));
      for (double& x : out) x *= 0.5;
      for (int j = 1; j <= k; ++j) {  // towards h = 0
        const double q = double(k + 1) / double(k + 1 - j);
        const Numbers next = sum(out, 1 / (q * q - 1), sum(out, -1, row[j - 1]));
        row[j - 1] = out, out = next;
      }
      row[k] = out;
    }
    return out;
  }

  /// The part of sigma at whose end f(y) is zero; below zero at its start, above at its end.
  template <class F>
  Numbers located(double& sigma, const F& f) const {
    double low = 0, high = sigma, f_low = f(y_), f_high = f(moved(sigma));
    Numbers out = y_;
    for (int i = 0, side = 0; i < 100; ++i) {
      const double at = (f_low * high - f_high * low) / (f_low - f_high);
      sigma = at > low && at < high ? at : 0.5 * (low + high);
      out = moved(sigma);
      const double now = f(out);
      if (now == 0 || !(sigma > low && sigma < high) || high - low <= 1e-15 * high) break;
      if (now > 0) {
        high = sigma, f_high = now;
        if (side == 1) f_low *= 0.5;
        side = 1;
      } else {
        low = sigma, f_low = now;
        if (side == -1) f_high *= 0.5;
        side = -1;
      }
    }
    return out;
  }

  void count(double work) { (compresses_ ? stored_ : released_) += compresses_ ? -work : work; }
  void turn_over() {
    if (compresses_) compression_ = y_[2];
    compresses_ = !compresses_;
  }

  /// Slip does not turn, or what it turns until it stops moves velocities by round-off only.
  bool is_straight() const {
    const double s = slip(y_), size = W_(0, 0) + W_(1, 1) + W_(2, 2);
    if (s == 0) return true;
    const Numbers r = rates(y_);
    const double g = (y_[0] * r[0] + y_[1] * r[1]) / (s * s);
    const double h = std::fabs(y_[0] * r[1] - y_[1] * r[0]) / (s * s);
    return h <= 4e-16 * size || (g < 0 && s * h * size <= 1e-14 * g * g * norm(u_));
  }

  /// Slip that turns, up to where it does not or to the end. False: too many steps.
  bool turn() {
    const double fastest = std::sqrt(W_(1, 0) * W_(1, 0) + W_(2, 0) * W_(2, 0)) +
                           c_.friction_kinetic * (W_(1, 1) + W_(2, 2));          // [1/kg]
    for (int step = 0; end_ - y_[2] > 1e-14 * end_ && !is_straight(); ++step) {  // less: round-off
      if (step == most_steps) return false;
      double sigma = std::fmin(0.25 / fastest, 1.01 * (end_ - y_[2]) / slip(y_));
      Numbers next = moved(sigma);
      const bool ends = next[2] >= end_;
      if (ends) next = located(sigma, [&](const Numbers& y) { return y[2] - end_; });
      const bool turns = compresses_ ? normal(next) > 0 : normal(next) < 0;
      const double sign = compresses_ ? 1 : -1;
      if (turns) next = located(sigma, [&](const Numbers& y) { return sign * normal(y); });
      count(next[5] - y_[5]);
      y_ = next;
      if (turns) turn_over();
      if (ends && !turns) return true;
    }
    return true;
  }

  /// What is left of p_n along straight pieces: slip in one direction, then rest or slip in another.
  void straight() {
    const double mu = c_.friction_kinetic;
    double s = slip(y_);
    double d[2] = {s > 0 ? y_[0] / s : 0, s > 0 ? y_[1] / s : 0};
    for (int piece = 0; piece < 2 && y_[2] < end_; ++piece) {
      double c[2] = {-mu * d[0], -mu * d[1]};
      if (s == 0) leave_rest(c, d);
      const double rate[2] = {W_(1, 0) + W_(1, 1) * c[0] + W_(1, 2) * c[1],
                              W_(2, 0) + W_(2, 1) * c[0] + W_(2, 2) * c[1]};
      const double more = d[0] * rate[0] + d[1] * rate[1];  // [1/kg] of slip
      const double left = end_ - y_[2];
      const bool stops = s > 0 && more < 0 && -s / more < left;
      go(stops ? -s / more : left, c, s, more);
      s = stops ? 0 : s + left * more;
    }
  }

  /// dp_t/dp_n from rest -> c, the direction of slip -> d, 0 where it sticks.
  void leave_rest(double c[2], double d[2]) const {
    const double a = W_(1, 1), b = W_(1, 2), e = W_(2, 2), x = W_(1, 0), y = W_(2, 0);
    const double det = a * e - b * b;
    c[0] = -(e * x - b * y) / det, c[1] = -(a * y - b * x) / det, d[0] = d[1] = 0;
    if (c[0] * c[0] + c[1] * c[1] <= c_.friction_static * c_.friction_static) return;
    // W_tn - mu W_tt d = g d with |d| = 1: |(mu W_tt + g)^-1 W_tn| falls with g > 0
    const double mu = c_.friction_kinetic;
    double low = 0, high = std::sqrt(x * x + y * y);
    for (int i = 0; i < 200 && high - low > 0; ++i) {
      const double g = 0.5 * (low + high), p = mu * a + g, q = mu * b, r = mu * e + g, of = p * r - q * q;
      if (g <= low || g >= high) break;
      d[0] = (r * x - q * y) / of, d[1] = (p * y - q * x) / of;
      (d[0] * d[0] + d[1] * d[1] > 1 ? low : high) = g;
    }
    const double size = std::sqrt(d[0] * d[0] + d[1] * d[1]);
    d[0] /= size, d[1] /= size;
    c[0] = -mu * d[0], c[1] = -mu * d[1];
  }

  /// p_n by dp more, with dp_t = c dp_n.
  void go(double dp, const double c[2], double s, double more) {
    const double k = W_(0, 0) + W_(0, 1) * c[0] + W_(0, 2) * c[1];
    const double last = y_[2] + dp;
    for (int phase = 0; phase < 2; ++phase) {
      const double v = normal(y_), left = last - y_[2];
      const bool turns = compresses_ ? v + k * left > 0 : v + k * left < 0;
      const double part = turns ? std::clamp(-v / k, 0.0, left) : left;
      count(v * part + 0.5 * k * part * part);
      y_[2] += part, y_[3] += c[0] * part, y_[4] += c[1] * part;
      if (!turns) break;
      turn_over();
    }
    y_[2] = last;
    y_[6] -= c_.friction_kinetic * (s * dp + 0.5 * more * dp * dp);
  }

  const Mat3& W_;
  const Vec3& u_;
  const Coefficients& c_;
  double end_;
  Numbers y_{};
  double stored_ = 0, released_ = 0, compression_ = 0;
  bool compresses_ = true;
};

}  // namespace

March march(const Mat3& W, const Vec3& u, const Coefficients& c, double normal_impulse) {
  return Way(W, u, c, normal_impulse).gone();
}

}  // namespace stiction::impact::detail
