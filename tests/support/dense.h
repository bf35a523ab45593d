// The oracle of the linear algebra tests: Gaussian elimination with partial pivoting in long double (64 bits
// of mantissa on x86, 11 more than what it judges).
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace stiction::test {

class Dense {
 public:
  explicit Dense(int n) : n_(n), a_(std::size_t(n) * std::size_t(n), 0.0L) {}
  long double& operator()(int i, int j) { return a_[std::size_t(i) * std::size_t(n_) + std::size_t(j)]; }

  /// x with A x = b; the matrix is used up.
  std::vector<double> solve(const std::vector<double>& b) {
    std::vector<long double> x(b.begin(), b.end());
    for (int k = 0; k < n_; ++k) {
      int pivot = k;
      for (int i = k + 1; i < n_; ++i)
        if (std::fabs((*this)(i, k)) > std::fabs((*this)(pivot, k))) pivot = i;
      for (int j = 0; j < n_; ++j) std::swap((*this)(k, j), (*this)(pivot, j));
      std::swap(x[std::size_t(k)], x[std::size_t(pivot)]);
      for (int i = k + 1; i < n_; ++i) {
        const long double f = (*this)(i, k) / (*this)(k, k);
        for (int j = k; j < n_; ++j) (*this)(i, j) -= f * (*this)(k, j);
        x[std::size_t(i)] -= f * x[std::size_t(k)];
      }
    }
    for (int k = n_ - 1; k >= 0; --k) {
      for (int j = k + 1; j < n_; ++j) x[std::size_t(k)] -= (*this)(k, j) * x[std::size_t(j)];
      x[std::size_t(k)] /= (*this)(k, k);
    }
    return {x.begin(), x.end()};
  }

 private:
  int n_;
  std::vector<long double> a_;
};

}  // namespace stiction::test
