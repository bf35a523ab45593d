// Gauss-Jordan in place with symmetric pivoting, largest diagonal first: stable for semidefinite matrices,
// and the diagonals that are left when none is above the tolerance belong to rows that depend on the others.
#include "stiction/complementarity/bilateral/detail/semidefinite.h"

namespace stiction::complementarity::bilateral::detail {

void invert_semidefinite(int n, const double* a, double tolerance, SmallInverse& out) {
  double m[6][6];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m[i][j] = i >= j ? a[i * n + j] : a[j * n + i];
  out = {};
  unsigned kept = 0;
  for (int step = 0; step < n; ++step) {
    int p = -1;
    for (int i = 0; i < n; ++i)
      if ((kept >> i & 1u) == 0 && m[i][i] > tolerance && (p < 0 || m[i][i] > m[p][p])) p = i;
    if (p < 0) break;
    kept |= 1u << p;
    const double s = 1 / m[p][p];
    m[p][p] = 1;
    for (int j = 0; j < n; ++j) m[p][j] *= s;
    for (int i = 0; i < n; ++i) {
      if (i == p) continue;
      const double f = m[i][p];
      m[i][p] = 0;
      for (int j = 0; j < n; ++j) m[i][j] -= f * m[p][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    if ((kept >> i & 1u) == 0) {
      out.dropped |= 1u << i;
      continue;
    }
    for (int j = 0; j < n; ++j) {
      const bool both = (kept >> j & 1u) != 0;
      if (both)
        out.inverse[i * n + j] = i >= j ? m[i][j] : m[j][i];
      else
        out.coupling[i * n + j] = m[i][j];
    }
  }
}

}  // namespace stiction::complementarity::bilateral::detail
