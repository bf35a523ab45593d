#include "stiction/complementarity/linear/detail/scaled_problem.h"

#include <cmath>
#include <limits>

#include "stiction/complementarity/linear/detail/dense.h"

namespace stiction::complementarity::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// About 1 / sqrt(x), a power of two.
double balance(double x) {
  if (!(x > 0)) return 1;
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, -exponent / 2);
}

}  // namespace

double plain_residual(const BoxedView& p, const double* z) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < p.n; ++i) {
    const double w = p.q[i] + dot(p.n, p.M + i * p.n, z);
    const double low = p.lower ? p.lower[i] : 0, high = p.upper ? p.upper[i] : infinity;
    // the smaller of |w| and the distance to the bound that w pushes against
    double error = 0;
    if (z[i] - w <= low)
      error = z[i] - low;
    else if (z[i] - w >= high)
      error = high - z[i];
    else
      error = w;
    worst = std::fmax(worst, std::fabs(error));
    largest = std::fmax(largest, std::fabs(p.q[i]));
    if (!std::isfinite(w) || !std::isfinite(z[i])) return infinity;
  }
  return worst / (1 + largest);
}

void ScaledProblem::choose_scales(const BoxedView& p) {
  row_scale_.assign(n_, 1), column_scale_.assign(n_, 1);
  std::vector<double>& largest = q_;  // scratch until load() fills it
  bool changed = true;
  for (int round = 0; round < 4 && changed; ++round) {
    changed = false;
    largest.assign(n_, 0);
    for (std::size_t i = 0; i < n_; ++i) {
      double in_row = 0;
      for (std::size_t j = 0; j < n_; ++j) {
        const double x = std::fabs(p.M[i * n_ + j]) * row_scale_[i] * column_scale_[j];
        in_row = x > in_row ? x : in_row;
        largest[j] = x > largest[j] ? x : largest[j];
      }
      const double factor = balance(in_row);
      row_scale_[i] *= factor, changed = changed || factor != 1;
    }
    for (std::size_t j = 0; j < n_; ++j) {
      const double factor = balance(largest[j]);
      column_scale_[j] *= factor, changed = changed || factor != 1;
    }
  }
}

void ScaledProblem::load(const BoxedView& p) {
  n_ = p.n;
  choose_scales(p);
  rows_.resize(n_ * n_), columns_.resize(n_ * n_);
  q_.resize(n_), lower_.resize(n_), upper_.resize(n_);
  double largest = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j)
      rows_[i * n_ + j] = p.M[i * n_ + j] * row_scale_[i] * column_scale_[j];
    q_[i] = p.q[i] * row_scale_[i];
    largest = std::fmax(largest, std::fabs(q_[i]));
  }
  factor_ = balance(largest) * balance(largest);
  for (std::size_t i = 0; i < n_; ++i) {
    q_[i] *= factor_;
    lower_[i] = to_scaled(i, p.lower ? p.lower[i] : 0);
    upper_[i] = to_scaled(i, p.upper ? p.upper[i] : infinity);
  }
  constexpr std::size_t tile = 32;  // transposed in tiles that stay in the cache
  for (std::size_t i0 = 0; i0 < n_; i0 += tile)
    for (std::size_t j0 = 0; j0 < n_; j0 += tile)
      for (std::size_t i = i0; i < n_ && i < i0 + tile; ++i)
        for (std::size_t j = j0; j < n_ && j < j0 + tile; ++j) columns_[j * n_ + i] = rows_[i * n_ + j];
  list_nonzeros();
}

void ScaledProblem::list_nonzeros() {
  std::size_t count = 0;
  for (const double x : columns_) count += x != 0;
  sparse_ = 5 * count < n_ * n_;  // a scattered addition costs about as much as five contiguous ones
  if (!sparse_) return;
  begin_.assign(1, 0), index_.clear(), value_.clear();
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = 0; i < n_; ++i)
      if (columns_[j * n_ + i] != 0) index_.push_back(i), value_.push_back(columns_[j * n_ + i]);
    begin_.push_back(index_.size());
  }
}

void ScaledProblem::add_column(std::size_t j, double factor, double* y) const {
  if (factor == 0) return;
  if (!sparse_) return add_scaled(n_, factor, column(j), y);
  for (std::size_t k = begin_[j]; k < begin_[j + 1]; ++k) y[index_[k]] += factor * value_[k];
}

void ScaledProblem::add_columns(const std::vector<std::size_t>& which, const std::vector<double>& factor,
                                double* y) const {
  if (sparse_) {
    for (std::size_t k = 0; k < which.size(); ++k)
      if (which[k] < n_) add_column(which[k], factor[k], y);
    return;
  }
  const double* x[4];
  double a[4];
  int count = 0;
  for (std::size_t k = 0; k < which.size(); ++k) {
    if (which[k] >= n_ || factor[k] == 0) continue;
    x[count] = column(which[k]), a[count] = factor[k];
    if (++count == 4) add_scaled4(n_, a, x, y), count = 0;
  }
  for (int k = 0; k < count; ++k) add_scaled(n_, a[k], x[k], y);
}

}  // namespace stiction::complementarity::detail
