// Small dense linear systems.
#pragma once

#include <cmath>
#include <utility>

namespace stiction::detail {

/// Solves A x = r by Gauss elimination with full pivoting; both are destroyed, x replaces r. Pivots below
/// `tolerance` times the first one count as zero, and so do their unknowns: one solution of a consistent
/// system. Returns the rank.
template <int N>
int solve_dense(double (&A)[N][N], double (&r)[N], int n, double tolerance) {
  int column[N];
  for (int i = 0; i < n; ++i) column[i] = i;
  int rank = 0;
  double first = 0;
  for (; rank < n; ++rank) {
    int row = rank, col = rank;
    for (int i = rank; i < n; ++i)
      for (int j = rank; j < n; ++j)
        if (std::fabs(A[i][j]) > std::fabs(A[row][col])) row = i, col = j;
    const double pivot = std::fabs(A[row][col]);
    if (rank == 0) first = pivot;
    if (!(pivot > tolerance * first)) break;
    for (int j = 0; j < n; ++j) std::swap(A[rank][j], A[row][j]);
    std::swap(r[rank], r[row]);
    for (int i = 0; i < n; ++i) std::swap(A[i][rank], A[i][col]);
    std::swap(column[rank], column[col]);
    for (int i = rank + 1; i < n; ++i) {
      const double f = A[i][rank] / A[rank][rank];
      if (f == 0) continue;
      for (int j = rank; j < n; ++j) A[i][j] -= f * A[rank][j];
      r[i] -= f * r[rank];
    }
  }
  double x[N] = {};
  for (int i = rank - 1; i >= 0; --i) {
    double s = r[i];
    for (int j = i + 1; j < rank; ++j) s -= A[i][j] * x[column[j]];
    x[column[i]] = s / A[i][i];
  }
  for (int i = 0; i < n; ++i) r[i] = x[i];
  return rank;
}

}  // namespace stiction::detail
