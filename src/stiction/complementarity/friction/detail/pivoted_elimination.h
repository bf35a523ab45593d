// P A Q = L U of a small dense matrix by elimination with complete pivoting, up to its rank: what is left
// after `rank` pivots is at most `least` times the largest entry of A. Row-major; L has a unit diagonal.
// O(n^3): for the blocks of a few contacts.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

namespace stiction::complementarity::friction {

/// Overwrites a (n x n) with its factors; row[i] and column[i]: what came to stand in place i. Returns the
/// rank.
inline int eliminate(int n, double* a, int* row, int* column, double least) {
  const auto ld = std::size_t(n);
  const auto entry = [&](int i, int j) -> double& { return a[std::size_t(i) * ld + std::size_t(j)]; };
  double largest = 0;
  for (int i = 0; i < n; ++i) row[i] = column[i] = i;
  for (std::size_t k = 0; k < ld * ld; ++k) largest = std::fmax(largest, std::fabs(a[k]));
  for (int k = 0; k < n; ++k) {
    int pi = k, pj = k;
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j)
        if (std::fabs(entry(i, j)) > std::fabs(entry(pi, pj))) pi = i, pj = j;
    if (!(std::fabs(entry(pi, pj)) > least * largest)) return k;
    std::swap(row[pi], row[k]), std::swap(column[pj], column[k]);
    for (int j = 0; j < n; ++j) std::swap(entry(pi, j), entry(k, j));
    for (int i = 0; i < n; ++i) std::swap(entry(i, pj), entry(i, k));
    const double inverse = 1 / entry(k, k);
    for (int i = k + 1; i < n; ++i) {
      const double f = entry(i, k) *= inverse;
      for (int j = k + 1; j < n; ++j) entry(i, j) -= f * entry(k, j);
    }
  }
  return n;
}

/// x with A x = f as far as the rank goes, zero in the other columns; all of length n.
inline void back_substitute(int n, int rank, const double* a, const int* row, const int* column, double* work,
                            const double* f, double* x) {
  const auto ld = std::size_t(n);
  for (int i = 0; i < n; ++i) x[i] = 0;
  for (int i = 0; i < rank; ++i) {
    work[i] = f[row[i]];
    for (int j = 0; j < i; ++j) work[i] -= a[std::size_t(i) * ld + std::size_t(j)] * work[j];
  }
  for (int i = rank - 1; i >= 0; --i) {
    for (int j = i + 1; j < rank; ++j) work[i] -= a[std::size_t(i) * ld + std::size_t(j)] * work[j];
    work[i] /= a[std::size_t(i) * ld + std::size_t(i)];
    x[column[i]] = work[i];
  }
}

}  // namespace stiction::complementarity::friction
