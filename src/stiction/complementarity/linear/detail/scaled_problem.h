// A boxed LCP with rows and columns scaled by powers of two, kept by rows and by columns.
//
//   M' = R M C,  q' = f R q,  z = C z' / f,  w = w' / (f R)
//
// R and C bring the largest entry of each row and column of M near 1 (Ruiz 2001: square roots of the largest
// entries, four rounds), f brings max |q'| near 1. Powers of two: scaling and its inverse are exact. Positive
// row and column factors change neither signs nor complementarity. Columns are also kept as lists of nonzeros
// where few are.
#pragma once

#include <cstddef>
#include <vector>

namespace stiction::complementarity::detail {

/// A boxed problem in somebody else's memory. lower or upper null: 0, infinity.
struct BoxedView {
  std::size_t n = 0;
  const double* M = nullptr;
  const double* q = nullptr;
  const double* lower = nullptr;
  const double* upper = nullptr;
};

/// The solver's own account of the natural map, max |error| / (1 + max |q|), from sums in plain doubles.
double plain_residual(const BoxedView& p, const double* z);

class ScaledProblem {
 public:
  void load(const BoxedView& p);

  std::size_t size() const { return n_; }
  double entry(std::size_t i, std::size_t j) const { return rows_[i * n_ + j]; }
  const double* row(std::size_t i) const { return rows_.data() + i * n_; }
  const double* column(std::size_t j) const { return columns_.data() + j * n_; }
  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& lower() const { return lower_; }
  const std::vector<double>& upper() const { return upper_; }

  /// y += sum over k of factor[k] column(which[k]); entries with which[k] = size() are skipped.
  void add_columns(const std::vector<std::size_t>& which, const std::vector<double>& factor, double* y) const;
  void add_column(std::size_t j, double factor, double* y) const;

  double to_scaled(std::size_t j, double z) const { return z / column_scale_[j] * factor_; }
  double from_scaled(std::size_t j, double z) const { return z * column_scale_[j] / factor_; }
  double column_scale(std::size_t j) const { return column_scale_[j]; }

 private:
  void choose_scales(const BoxedView& p);
  void list_nonzeros();

  std::size_t n_ = 0;
  std::vector<double> rows_, columns_, q_, lower_, upper_;
  std::vector<double> row_scale_, column_scale_;
  double factor_ = 1;
  bool sparse_ = false;
  std::vector<std::size_t> begin_, index_;  // nonzeros of column j: [begin_[j], begin_[j + 1])
  std::vector<double> value_;
};

}  // namespace stiction::complementarity::detail
