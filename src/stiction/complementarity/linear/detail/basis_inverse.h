// The inverse of a square matrix K, kept up to date while rows and columns of K come, go and change.
//
// Every change is of rank one and costs about 2 m^2 (with a new row: 4 m^2) multiplications on contiguous
// rows; a fresh inverse costs 2 m^3. Errors grow with small pivots and with the number of changes: the owner
// checks what it solves and calls refactor().
// Reference: Golub, Van Loan, "Matrix Computations", 2.1.4 (Sherman, Morrison, Woodbury).
#pragma once

#include <cstddef>
#include <vector>

#include "stiction/complementarity/linear/detail/dense.h"

namespace stiction::complementarity::detail {

class BasisInverse {
 public:
  /// Empty, with room for `capacity` rows.
  void clear(std::size_t capacity);
  std::size_t size() const { return m_; }
  int changes() const { return changes_; }  // since clear() or refactor()
  int factorisations() const { return factorisations_; }

  /// Row `c` of K^-1: which belongs to column c of K. Its entries belong to the rows of K.
  const double* row(std::size_t c) const { return inverse_.data() + c * ld_; }

  /// y := K^-1 b
  void multiply(const double* b, std::vector<double>& y) const;
  /// v^T := a^T K^-1
  void multiply_transposed(const double* a, std::vector<double>& v) const;

  /// K := [K b; a^T d], with y = K^-1 b, v^T = a^T K^-1, pivot = d - a^T y.
  void border(const std::vector<double>& y, const std::vector<double>& v, double pivot);
  /// Column c of K := b, with y = K^-1 b; pivot y[c].
  void replace_column(std::size_t c, const std::vector<double>& y);
  /// Row r of K := a, with v^T = a^T K^-1; pivot v[r].
  void replace_row(std::size_t r, const std::vector<double>& v);
  /// Takes column c and row r out of K; the last column and row take their places. Pivot row(c)[r].
  void remove(std::size_t c, std::size_t r);
  /// From K itself (m x m, row-major; taken). False if K is singular to working precision; then unchanged.
  bool refactor(std::size_t m, std::vector<double>& K);

 private:
  double* line(std::size_t c) { return inverse_.data() + c * ld_; }

  std::size_t m_ = 0, ld_ = 0;
  std::vector<double> inverse_;  // ld_ x ld_, the first m_ x m_ in use
  mutable std::vector<double> work_;
  Lu lu_;
  int changes_ = 0, factorisations_ = 0;
};

}  // namespace stiction::complementarity::detail
