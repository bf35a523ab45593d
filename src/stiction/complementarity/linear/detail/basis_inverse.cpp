#include "stiction/complementarity/linear/detail/basis_inverse.h"

namespace stiction::complementarity::detail {

void BasisInverse::clear(std::size_t capacity) {
  m_ = 0, changes_ = 0, factorisations_ = 0;
  if (ld_ < capacity) {
    ld_ = capacity;
    inverse_.assign(ld_ * ld_, 0);
  }
}

void BasisInverse::multiply(const double* b, std::vector<double>& y) const {
  y.resize(m_);
  std::size_t nonzeros = 0;
  for (std::size_t r = 0; r < m_; ++r) nonzeros += b[r] != 0;
  if (8 * nonzeros >= m_) {
    for (std::size_t c = 0; c < m_; ++c) y[c] = dot(m_, row(c), b);
    return;
  }
  for (std::size_t c = 0; c < m_; ++c) y[c] = 0;
  for (std::size_t r = 0; r < m_; ++r)
    if (b[r] != 0)
      for (std::size_t c = 0; c < m_; ++c) y[c] += row(c)[r] * b[r];
}

void BasisInverse::multiply_transposed(const double* a, std::vector<double>& v) const {
  v.assign(m_, 0);
  const double* x[4];
  double factor[4];
  int count = 0;
  for (std::size_t c = 0; c < m_; ++c) {
    if (a[c] == 0) continue;
    x[count] = row(c), factor[count] = a[c];
    if (++count == 4) add_scaled4(m_, factor, x, v.data()), count = 0;
  }
  for (int k = 0; k < count; ++k) add_scaled(m_, factor[k], x[k], v.data());
}

void BasisInverse::border(const std::vector<double>& y, const std::vector<double>& v, double pivot) {
  for (std::size_t c = 0; c < m_; ++c) {
    const double factor = y[c] / pivot;
    if (factor != 0) add_scaled(m_, factor, v.data(), line(c));
    line(c)[m_] = -factor;
  }
  for (std::size_t r = 0; r < m_; ++r) line(m_)[r] = -v[r] / pivot;
  line(m_)[m_] = 1 / pivot;
  ++m_, ++changes_;
}

void BasisInverse::replace_column(std::size_t c, const std::vector<double>& y) {
  double* own = line(c);
  for (std::size_t r = 0; r < m_; ++r) own[r] /= y[c];
  for (std::size_t k = 0; k < m_; ++k)
    if (k != c && y[k] != 0) add_scaled(m_, -y[k], own, line(k));
  ++changes_;
}

void BasisInverse::replace_row(std::size_t r, const std::vector<double>& v) {
  const double pivot = v[r];
  work_ = v;
  work_[r] = 0;
  for (std::size_t c = 0; c < m_; ++c) {
    const double scaled = line(c)[r] / pivot;
    line(c)[r] = scaled;
    if (scaled != 0) add_scaled(m_, -scaled, work_.data(), line(c));
  }
  ++changes_;
}

void BasisInverse::remove(std::size_t c, std::size_t r) {
  const double pivot = line(c)[r];
  const double* own = line(c);
  for (std::size_t k = 0; k < m_; ++k) {
    if (k == c) continue;
    const double factor = line(k)[r] / pivot;
    if (factor != 0) add_scaled(m_, -factor, own, line(k));
  }
  const std::size_t last = m_ - 1;
  for (std::size_t k = 0; k < m_; ++k) line(k)[r] = line(k)[last];
  if (c != last)
    for (std::size_t k = 0; k < last; ++k) line(c)[k] = line(last)[k];
  m_ = last;
  ++changes_;
}

bool BasisInverse::refactor(std::size_t m, std::vector<double>& K) {
  ++factorisations_;
  if (!lu_.factor(m, K, 1e-15)) return false;
  m_ = m, changes_ = 0;
  lu_.inverse(inverse_.data(), ld_);
  return true;
}

}  // namespace stiction::complementarity::detail
