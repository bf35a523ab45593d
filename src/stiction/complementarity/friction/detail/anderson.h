// Anderson's acceleration of a fixed-point iteration x -> g(x): with f = g(x) - x, the next x is g(x) - dG c,
// where c makes |f - dF c| smallest over the last few differences. Reference: Walker and Ni (2011), "Anderson
// acceleration for fixed-point iterations".
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace stiction::complementarity::friction {

class Anderson {
 public:
  static constexpr int most = 10;

  void start(std::size_t n, int window) {
    n_ = n, window_ = std::clamp(window, 1, most);
    step_.resize(n), last_step_.resize(n), last_image_.resize(n);
    d_step_.resize(n * std::size_t(window_)), d_image_.resize(n * std::size_t(window_));
    restart();
  }
  void restart() { columns_ = next_ = 0, has_last_ = false; }
  /// The image that was accelerated last, g(x).
  const std::vector<double>& image() const { return last_image_; }

  /// x: where the iteration was; image: g(x) on entry, the accelerated point on return. False: unchanged.
  bool accelerate(const double* x, double* image) {
    for (std::size_t i = 0; i < n_; ++i) step_[i] = image[i] - x[i];
    if (has_last_) {
      double* d_step = d_step_.data() + std::size_t(next_) * n_;
      double* d_image = d_image_.data() + std::size_t(next_) * n_;
      for (std::size_t i = 0; i < n_; ++i)
        d_step[i] = step_[i] - last_step_[i], d_image[i] = image[i] - last_image_[i];
      newest_ = next_, next_ = (next_ + 1) % window_, columns_ = std::min(columns_ + 1, window_);
    }
    last_step_ = step_;
    std::copy(image, image + n_, last_image_.begin());
    has_last_ = true;
    double c[most] = {};
    if (columns_ == 0 || !least_squares(c)) return false;
    for (int k = 0; k < columns_; ++k) {
      const double* d = d_image_.data() + std::size_t(k) * n_;
      for (std::size_t i = 0; i < n_; ++i) image[i] -= c[k] * d[i];
    }
    return true;
  }

 private:
  double dot(const double* a, const double* b) const {
    double part[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= n_; i += 4)
      for (std::size_t k = 0; k < 4; ++k) part[k] += a[i + k] * b[i + k];
    for (; i < n_; ++i) part[0] += a[i] * b[i];
    return (part[0] + part[2]) + (part[1] + part[3]);
  }
  /// Cholesky on the normal equations; only the newest column's products are new.
  bool least_squares(double c[most]) {
    const auto column = [&](int i) { return d_step_.data() + std::size_t(i) * n_; };
    double a[most][most] = {}, trace = 0;
    for (int i = 0; i < columns_; ++i) {
      gram_[newest_][i] = gram_[i][newest_] = dot(column(newest_), column(i));
      c[i] = dot(column(i), step_.data());
    }
    for (int i = 0; i < columns_; ++i) trace += gram_[i][i];
    for (int i = 0; i < columns_; ++i) {
      for (int j = 0; j <= i; ++j) {
        a[i][j] = gram_[i][j] + (i == j ? 1e-14 * trace : 0.0);
        for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
        if (i == j && !(a[i][i] > 0)) return false;
        a[i][j] = i == j ? std::sqrt(a[i][i]) : a[i][j] / a[j][j];
      }
    }
    for (int i = 0; i < columns_; ++i) {
      for (int k = 0; k < i; ++k) c[i] -= a[i][k] * c[k];
      c[i] /= a[i][i];
    }
    for (int i = columns_ - 1; i >= 0; --i) {
      for (int k = i + 1; k < columns_; ++k) c[i] -= a[k][i] * c[k];
      c[i] /= a[i][i];
    }
    return true;
  }

  std::size_t n_ = 0;
  int window_ = 8, columns_ = 0, next_ = 0, newest_ = 0;
  bool has_last_ = false;
  double gram_[most][most] = {};
  std::vector<double> step_, last_step_, last_image_, d_step_, d_image_;
};

}  // namespace stiction::complementarity::friction
