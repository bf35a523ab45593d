// Dense algebra for the linear complementarity solvers: row-major arrays, fixed order of every sum.
//
// Vector registers run across items, never inside a sum whose order the register width would change, and no
// multiplication is fused with an addition; so the result has the same bits with and without AVX2, which is
// used where the processor has it.
#pragma once

#include <cstddef>
#include <vector>

namespace stiction::complementarity::detail {

/// y += a x
void add_scaled(std::size_t n, double a, const double* x, double* y);
/// y += a[0] x0 + a[1] x1 + a[2] x2 + a[3] x3, added in this order
void add_scaled4(std::size_t n, const double a[4], const double* const x[4], double* y);
/// Sum of x_i y_i: eight partial sums over i mod 8, then these in a fixed order.
double dot(std::size_t n, const double* x, const double* y);
/// C -= A B (or A B^T): C is m x n, A is m x k, B is k x n (or n x k). Row lengths in memory: lda, ldb, ldc.
/// `pack` is scratch. Each entry is summed over k in order, in panels of 256.
void subtract_product(std::size_t m, std::size_t n, std::size_t k, const double* A, std::size_t lda,
                      const double* B, std::size_t ldb, bool transposed, double* C, std::size_t ldc,
                      std::vector<double>& pack);
/// The same, only for the blocks of C that touch its lower triangle (m = n).
void subtract_product_lower(std::size_t n, std::size_t k, const double* A, std::size_t lda, double* C,
                            std::size_t ldc, std::vector<double>& pack);

/// LU with row exchanges, P A = L U.
class Lu {
 public:
  /// Takes `a` (n x n, row-major). False where a pivot is below `small` times the largest entry of its column
  /// in `a`.
  bool factor(std::size_t n, std::vector<double>& a, double small);
  /// b := A^-1 b
  void solve(double* b) const;
  /// out := A^-1, row-major with row length ld.
  void inverse(double* out, std::size_t ld);

 private:
  void factor_panel(std::size_t begin, std::size_t end);
  std::size_t n_ = 0;
  std::vector<double> lu_;
  std::vector<std::size_t> order_;  // row of A that stands in row i of L U
  std::vector<double> pack_, column_scale_;
  mutable std::vector<double> work_;
  double small_ = 0;
  bool singular_ = false;
};

/// Cholesky, A = L L^T.
class Cholesky {
 public:
  /// Where A goes: n x n row-major, the lower triangle counts.
  std::vector<double>& matrix(std::size_t n) { return n_ = n, l_.resize(n * n), l_; }
  /// False where a pivot is not above `small` times the diagonal entry it came from.
  bool factor(double small);
  /// b := A^-1 b
  void solve(double* b) const;

 private:
  std::size_t n_ = 0;
  std::vector<double> l_, limit_, pack_;
};

}  // namespace stiction::complementarity::detail
