// Orthogonal elimination of equations: Householder's factorisation of G^T with pivoting,
//     S G^T = (rows of length 1, in the order of their choice) = Q (R; 0),     Q = H_0 H_1 ... orthogonal
//     Z = Q (0; 1),    x_p = Q (R^-T g; 0),    l = R^-1 (Q^T p)_first
// In coordinates in which the mass matrix is the unit matrix, Z is then a basis of the velocities that joints
// allow whose mass matrix is the unit matrix too, and x_p has no energy in common with them.
//
// A row is chosen by what of it is across all rows chosen so far, largest first; below `least` it is dropped.
// Forces of rows that are repeated to round-off are shared: with n_r = (-R^-1 Q^T g_r, 1) for each such row,
// which moves nothing, the part of l along all n_r is taken away.
//
// Symbols: G [sqrt(1/kg), ...] as the caller scales it, g [m/s, rad/s], p [sqrt(kg) m/s], l [N s, N m s].
// References: G. Golub, C. Van Loan, Matrix Computations, 4th ed. 2013, sections 5.4, 5.5.
// When it fails: rows whose independence is a matter of round-off; cost is the third power of the size.
#include "stiction/dynamics/mechanism/null_space.h"

#include <algorithm>
#include <cmath>

namespace stiction::mechanism {
namespace {

constexpr double repeated = 1e-13;  // [-] of its length: a row of which no more is left is repeated

double product(const double* a, const double* b, int begin, int end) {
  double sum = 0;
  for (int i = begin; i < end; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void NullSpace::resize(int rows, int columns) {
  row_count_ = rows, columns_ = columns, rank_ = 0;
  const auto r = std::size_t(rows), c = std::size_t(columns), least = std::min(r, c);
  rows_.assign(r * c, 0.0);
  scale_.resize(r), rest_.resize(r), order_.resize(r);
  upper_.resize(least * r), basis_.resize(c * c), scratch_.resize(2 * (r + c)), repeated_.resize(r * r);
}

/// x := H_k x.
void NullSpace::reflect(int k, double* x) {
  const double* v = reflector(k);
  const double along = 2 * product(v, x, k, columns_);
  if (along == 0) return;
  for (int i = k; i < columns_; ++i) x[i] -= along * v[i];
}

/// The row at place k becomes a reflector, which is applied to all that come after it.
void NullSpace::eliminate(int k) {
  double* v = reflector(k);
  const double length = std::sqrt(product(v, v, k, columns_));
  const double image = v[k] > 0 ? -length : length;
  double* R = upper_.data();
  for (int i = 0; i < k; ++i) R[i * row_count_ + k] = v[i];
  R[k * row_count_ + k] = image;
  v[k] -= image;
  const double inverse = 1 / std::sqrt(product(v, v, k, columns_));
  for (int i = k; i < columns_; ++i) v[i] *= inverse;
  for (int j = k + 1; j < row_count_; ++j) reflect(k, row(order_[std::size_t(j)]));
}

void NullSpace::factorise(double least, const std::vector<char>* usable) {
  for (int r = 0; r < row_count_; ++r) {
    double* v = row(r);
    const double length = std::sqrt(product(v, v, 0, columns_));
    const double s = scale_[std::size_t(r)] = length > 0 ? 1 / length : 0.0;
    for (int i = 0; i < columns_; ++i) v[i] *= s;
    order_[std::size_t(r)] = r;
  }
  for (rank_ = 0; rank_ < std::min(row_count_, columns_); ++rank_) {
    int best = -1;
    double largest = least;
    for (int j = rank_; j < row_count_; ++j) {
      const int r = order_[std::size_t(j)];
      if (usable != nullptr && !(*usable)[std::size_t(r)]) continue;
      const double rest = std::sqrt(product(row(r), row(r), rank_, columns_));
      if (rest > largest) largest = rest, best = j;
    }
    if (best < 0) break;
    std::swap(order_[std::size_t(rank_)], order_[std::size_t(best)]);
    eliminate(rank_);
  }
  for (int j = rank_; j < row_count_; ++j) {
    const int r = order_[std::size_t(j)];
    rest_[std::size_t(r)] =
        scale_[std::size_t(r)] > 0 ? std::sqrt(product(row(r), row(r), rank_, columns_)) : 1.0;
  }
  find_basis();
}

void NullSpace::find_basis() {
  const int n = free();
  std::fill(basis_.begin(), basis_.begin() + columns_ * n, 0.0);
  for (int i = 0; i < n; ++i) basis_[std::size_t((rank_ + i) * n + i)] = 1;
  for (int k = rank_; k-- > 0;) {
    const double* v = reflector(k);
    double* along = scratch_.data();
    std::fill(along, along + n, 0.0);
    for (int i = k; i < columns_; ++i) {
      const double* z = basis_.data() + i * n;
      if (v[i] != 0)
        for (int j = 0; j < n; ++j) along[j] += v[i] * z[j];
    }
    for (int i = k; i < columns_; ++i) {
      double* z = basis_.data() + i * n;
      const double by = 2 * v[i];
      if (by != 0)
        for (int j = 0; j < n; ++j) z[j] -= by * along[j];
    }
  }
}

void NullSpace::particular(const double* g, double* x) {
  std::fill(x, x + columns_, 0.0);
  for (int k = 0; k < rank_; ++k) {
    const auto r = std::size_t(order_[std::size_t(k)]);
    double sum = scale_[r] * g[r];
    for (int i = 0; i < k; ++i) sum -= upper_[std::size_t(i * row_count_ + k)] * x[i];
    x[k] = sum / upper_[std::size_t(k * row_count_ + k)];
  }
  for (int k = rank_; k-- > 0;) reflect(k, x);
}

/// x := R^-1 x.
void NullSpace::solve_upper(double* x) const {
  for (int k = rank_; k-- > 0;) {
    const double* R = upper_.data() + k * row_count_;
    double sum = x[k];
    for (int i = k + 1; i < rank_; ++i) sum -= R[i] * x[i];
    x[k] = sum / R[k];
  }
}

void NullSpace::forces(const double* p, double* l) {
  double* x = scratch_.data();
  std::copy(p, p + columns_, x);
  for (int k = 0; k < rank_; ++k) reflect(k, x);
  solve_upper(x);
  std::fill(l, l + row_count_, 0.0);
  for (int k = 0; k < rank_; ++k) {
    const auto r = std::size_t(order_[std::size_t(k)]);
    l[r] = scale_[r] * x[k];
  }
  make_smallest(l);
}

void NullSpace::make_smallest(double* l) {
  int count = 0;
  for (int j = rank_; j < row_count_; ++j) {
    const int r = order_[std::size_t(j)];
    if (rest_[std::size_t(r)] > repeated) continue;
    double *n = repeated_.data() + count * row_count_, *x = scratch_.data();
    std::copy(row(r), row(r) + rank_, x);
    solve_upper(x);
    std::fill(n, n + row_count_, 0.0);
    for (int k = 0; k < rank_; ++k) {
      const auto kept = std::size_t(order_[std::size_t(k)]);
      n[kept] = -scale_[kept] * x[k];
    }
    n[r] = scale_[std::size_t(r)];
    for (int i = 0; i < count; ++i) {
      const double* other = repeated_.data() + i * row_count_;
      const double along = product(other, n, 0, row_count_);
      for (int k = 0; k < row_count_; ++k) n[k] -= along * other[k];
    }
    const double inverse = 1 / std::sqrt(product(n, n, 0, row_count_));
    for (int k = 0; k < row_count_; ++k) n[k] *= inverse;
    ++count;
  }
  for (int i = 0; i < count; ++i) {
    const double* n = repeated_.data() + i * row_count_;
    const double along = product(n, l, 0, row_count_);
    for (int k = 0; k < row_count_; ++k) l[k] -= along * n[k];
  }
}

}  // namespace stiction::mechanism
