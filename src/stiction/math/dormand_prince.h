// dy/dt = f(y) by Dormand and Prince's pair of order 5(4), with adaptive steps, and places where a function
// of y becomes zero.
//
// State: std::array<double, n> or std::vector<double>; a vector's stages are allocated once, at construction.
// f(y, rate) fills the rate. Autonomous: time, where it is needed, is a component of y.
//
// Step control: error over (tolerance times scale) in the largest norm, step factor 0.9 err^(-1/5) within
// [0.2, 5]. Same bits everywhere: the fifth root is taken by Newton's method.
//
// Zeros are located on the method itself, with shorter steps from the same start, so that the place found is
// as good as a step of its length, without the lower order of an interpolant. A function that becomes zero
// twice within a step is not seen.
//
// References: Dormand, Prince (1980); Hairer, Norsett, Wanner (1993), "Solving Ordinary Differential
// Equations I", II.5.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace stiction {

template <class State>
class DormandPrince {
 public:
  /// y gives the size; scale: what an error of 1 is measured by, component by component.
  DormandPrince(const State& y, const State& scale, double tolerance)
      : scale_(scale), next_(y), stage_(y), tolerance_(tolerance) {
    k_.fill(y);
  }

  /// Makes f(y) known; after y was changed from outside, or f.
  template <class Rates>
  void begin(const State& y, const Rates& f) {
    f(y, k_[0]);
  }

  /// One step of size h from y into next(); the error in units of the tolerance.
  template <class Rates>
  double try_step(const State& y, double h, const Rates& f) {
    stage(y, h, std::array{1.0 / 5}, f);
    stage(y, h, std::array{3.0 / 40, 9.0 / 40}, f);
    stage(y, h, std::array{44.0 / 45, -56.0 / 15, 32.0 / 9}, f);
    stage(y, h, std::array{19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729}, f);
    stage(y, h, std::array{9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}, f);
    stage(y, h, std::array{35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}, f);
    std::swap(next_, stage_);  // the last stage is the new state
    constexpr std::array<double, 7> difference{71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                               -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    double worst = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      double e = 0;
      for (std::size_t j = 0; j < 7; ++j) e += difference[j] * k_[j][i];
      const double part = std::fabs(h * e) / scale_[i];
      if (std::isnan(part)) return part;  // no step at all
      worst = std::max(worst, part);
    }
    return worst / tolerance_;
  }
  const State& next() const { return next_; }
  /// y = next(), and its rate for the step to come.
  void accept(State& y) {
    y = next_;
    std::swap(k_[0], k_[6]);
  }

  /// An accepted step of at most h; returns its size and puts into h what the next one should have. 0: no
  /// step is small enough.
  template <class Rates>
  double step(State& y, double& h, const Rates& f) {
    const double used = probe(y, h, f);
    if (used > 0) accept(y);
    return used;
  }
  /// The same without accepting: next() is the end.
  template <class Rates>
  double probe(const State& y, double& h, const Rates& f) {
    for (int i = 0; i < 60; ++i) {
      const double error = try_step(y, h, f), used = h;
      h *= factor(error);
      if (error <= 1) return used;
    }
    return 0;
  }

  /// The size in (0, h] of the step from y after which g(next()) = 0, with g(y) and g after h of different
  /// signs; next() is the state there. By regula falsi (Illinois), to round-off of h.
  template <class Rates, class Zero>
  double locate(const State& y, double h, const Rates& f, const Zero& g) {
    double low = 0, high = h, g_low = g(y), g_high = value_after(y, h, f, g);
    int side = 0;
    for (int i = 0; i < 100 && high - low > 1e-16 * h && g_high != 0; ++i) {
      double middle = (g_low * high - g_high * low) / (g_low - g_high);
      if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      const double value = value_after(y, middle, f, g);
      if ((value > 0) == (g_high > 0) || value == 0) {
        high = middle, g_high = value;
        if (side == 1) g_low *= 0.5;
        side = 1;
      } else {
        low = middle, g_low = value;
        if (side == -1) g_high *= 0.5;
        side = -1;
      }
    }
    try_step(y, high, f);
    return high;
  }

 private:
  template <std::size_t n, class Rates>
  void stage(const State& y, double h, const std::array<double, n>& a, const Rates& f) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += a[j] * k_[j][i];
      stage_[i] = y[i] + h * sum;
    }
    f(stage_, k_[n]);
  }
  template <class Rates, class Zero>
  double value_after(const State& y, double h, const Rates& f, const Zero& g) {
    try_step(y, h, f);
    return g(next_);
  }
  static double factor(double error) {
    if (!(error < 1e300)) return 0.2;
    if (error < 1e-4) return 5;
    double root = 1;  // of error^(1/5)
    for (int i = 0; i < 60; ++i) {
      const double r4 = root * root * root * root, better = 0.2 * (4 * root + error / r4);
      if (std::fabs(better - root) < 1e-6 * root) break;
      root = better;
    }
    return std::clamp(0.9 / root, 0.2, 5.0);
  }

  std::array<State, 7> k_;
  State scale_, next_, stage_;
  double tolerance_;
};

}  // namespace stiction
