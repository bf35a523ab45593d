// Blocked LU with row exchanges and blocked Cholesky (Golub, Van Loan, "Matrix Computations", 3.4 and 4.2).
#include <cmath>
#include <utility>

#include "stiction/complementarity/linear/detail/dense.h"

namespace stiction::complementarity::detail {
namespace {
constexpr std::size_t block = 32;  // columns factored at a time; the rest is matrix products
}

void Lu::factor_panel(std::size_t begin, std::size_t end) {
  double* a = lu_.data();
  for (std::size_t k = begin; k < end; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n_; ++i)
      if (std::fabs(a[i * n_ + k]) > std::fabs(a[pivot * n_ + k])) pivot = i;
    const double value = a[pivot * n_ + k];
    if (!(std::fabs(value) > small_ * column_scale_[k])) {
      singular_ = true;
      return;
    }
    if (pivot != k) {
      for (std::size_t j = 0; j < n_; ++j) std::swap(a[k * n_ + j], a[pivot * n_ + j]);
      std::swap(order_[k], order_[pivot]);
    }
    for (std::size_t i = k + 1; i < n_; ++i) {
      const double factor = a[i * n_ + k] / value;
      a[i * n_ + k] = factor;
      if (factor != 0) add_scaled(end - k - 1, -factor, a + k * n_ + k + 1, a + i * n_ + k + 1);
    }
  }
}

bool Lu::factor(std::size_t n, std::vector<double>& a, double small) {
  n_ = n, small_ = small, singular_ = false;
  lu_.swap(a);
  order_.resize(n);
  for (std::size_t i = 0; i < n; ++i) order_[i] = i;
  column_scale_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      column_scale_[j] = std::fmax(column_scale_[j], std::fabs(lu_[i * n + j]));
  for (std::size_t begin = 0; begin < n; begin += block) {
    const std::size_t end = begin + block < n ? begin + block : n;
    factor_panel(begin, end);
    if (singular_) return false;
    // rows of U to the right of the panel, then what is left
    for (std::size_t i = begin + 1; i < end; ++i)
      for (std::size_t j = begin; j < i; ++j)
        add_scaled(n - end, -lu_[i * n + j], lu_.data() + j * n + end, lu_.data() + i * n + end);
    if (end < n)
      subtract_product(n - end, n - end, end - begin, lu_.data() + end * n + begin, n,
                       lu_.data() + begin * n + end, n, false, lu_.data() + end * n + end, n, pack_);
  }
  return true;
}

void Lu::solve(double* b) const {
  work_.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) work_[i] = b[order_[i]];
  for (std::size_t i = 0; i < n_; ++i) work_[i] -= dot(i, lu_.data() + i * n_, work_.data());
  for (std::size_t i = n_; i-- > 0;) {
    const double* row = lu_.data() + i * n_;
    work_[i] = (work_[i] - dot(n_ - i - 1, row + i + 1, work_.data() + i + 1)) / row[i];
  }
  for (std::size_t i = 0; i < n_; ++i) b[i] = work_[i];
}

void Lu::inverse(double* out, std::size_t ld) {
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) out[i * ld + j] = 0;
    out[i * ld + order_[i]] = 1;
  }
  // L X = P, block row by block row, then U Y = X from below
  for (std::size_t begin = 0; begin < n_; begin += block) {
    const std::size_t end = begin + block < n_ ? begin + block : n_;
    if (begin > 0)
      subtract_product(end - begin, n_, begin, lu_.data() + begin * n_, n_, out, ld, false, out + begin * ld,
                       ld, pack_);
    for (std::size_t i = begin + 1; i < end; ++i)
      for (std::size_t j = begin; j < i; ++j) add_scaled(n_, -lu_[i * n_ + j], out + j * ld, out + i * ld);
  }
  for (std::size_t blocks = (n_ + block - 1) / block; blocks-- > 0;) {
    const std::size_t begin = blocks * block, end = begin + block < n_ ? begin + block : n_;
    if (end < n_)
      subtract_product(end - begin, n_, n_ - end, lu_.data() + begin * n_ + end, n_, out + end * ld, ld,
                       false, out + begin * ld, ld, pack_);
    for (std::size_t i = end; i-- > begin;) {
      for (std::size_t j = i + 1; j < end; ++j) add_scaled(n_, -lu_[i * n_ + j], out + j * ld, out + i * ld);
      const double pivot = lu_[i * n_ + i];
      for (std::size_t j = 0; j < n_; ++j) out[i * ld + j] /= pivot;
    }
  }
}

bool Cholesky::factor(double small) {
  const std::size_t n = n_;
  double* a = l_.data();
  limit_.resize(n);
  for (std::size_t i = 0; i < n; ++i) limit_[i] = small * std::fabs(a[i * n + i]);
  for (std::size_t begin = 0; begin < n; begin += block) {
    const std::size_t end = begin + block < n ? begin + block : n;
    for (std::size_t j = begin; j < end; ++j) {  // the panel; its rows are contiguous
      double* row = a + j * n;
      const double square = row[j] - dot(j - begin, row + begin, row + begin);
      if (!(square > limit_[j]) || !std::isfinite(square)) return false;
      row[j] = std::sqrt(square);
      for (std::size_t i = j + 1; i < n; ++i) {
        double* other = a + i * n;
        other[j] = (other[j] - dot(j - begin, other + begin, row + begin)) / row[j];
      }
    }
    if (end < n)
      subtract_product_lower(n - end, end - begin, a + end * n + begin, n, a + end * n + end, n, pack_);
  }
  return true;
}

void Cholesky::solve(double* b) const {
  const double* l = l_.data();
  for (std::size_t i = 0; i < n_; ++i) b[i] = (b[i] - dot(i, l + i * n_, b)) / l[i * n_ + i];
  for (std::size_t i = n_; i-- > 0;) {
    b[i] /= l[i * n_ + i];
    add_scaled(i, -b[i], l + i * n_, b);
  }
}

}  // namespace stiction::complementarity::detail
