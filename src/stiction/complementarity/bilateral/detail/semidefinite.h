// The inverse of a small symmetric positive semidefinite matrix on the rows that are independent.
#pragma once

namespace stiction::complementarity::bilateral::detail {

/// What invert_semidefinite leaves: K are the rows kept, the others depend on them.
struct SmallInverse {
  double inverse[36] = {};   // n x n, row-major: A_KK^-1, zero elsewhere
  double coupling[36] = {};  // n x n: A_KK^-1 A_Kr in column r of a dropped row, zero elsewhere
  unsigned dropped = 0;      // bit r: row r was dropped
};

/// `a`: n x n, row-major, n <= 6; its lower triangle is read. Pivots by size of the diagonal; those that are
/// `tolerance` or less end it. Not a number in `a`: all rows are dropped.
void invert_semidefinite(int n, const double* a, double tolerance, SmallInverse& out);

}  // namespace stiction::complementarity::bilateral::detail
