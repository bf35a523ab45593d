// W = G M^-1 G^T without W: the bodies and, for each contact, its rows on the bodies that it moves.
//
//   v = sum of Y^T r over the contacts,   u = G v + b,      Y = (M^-1 G^T)^T
//
// A contact costs its own rows, however many others touch the same body: a body with m contacts costs m, not
// the m^2 blocks of W. Bodies of one island stand side by side, those that no contact moves are left out.
#pragma once

#include <cstddef>
#include <vector>

namespace stiction::complementarity::friction {

struct Graph {
  std::vector<int> first;            // of a body: its first entry in v; one more at the end
  std::vector<std::size_t> mass_at;  // of a body: its block of M in `mass`, dense, row-major
  std::vector<double> mass;
  std::vector<int> body_begin;       // of an island: its first body; one more at the end
  std::vector<int> start, body;      // sides of contact i: [start[i], start[i + 1]); the body of a side
  std::vector<std::size_t> rows_at;  // of a side: rows x size of its body in G and in Y, row-major
  std::vector<double> G, Y;

  bool used() const { return !start.empty(); }
  int size(int b) const { return first[std::size_t(b) + 1] - first[std::size_t(b)]; }
  void clear() {
    first.clear(), mass_at.clear(), mass.clear(), body_begin.clear();
    start.clear(), body.clear(), rows_at.clear(), G.clear(), Y.clear();
  }

  /// u += G v of contact i; v counts from the entry `base`.
  void add_velocity(int i, int rows, int base, const double* v, double* u) const {
    for (int s = start[std::size_t(i)]; s < start[std::size_t(i) + 1]; ++s) {
      const int b = body[std::size_t(s)], n = size(b);
      const double *g = G.data() + rows_at[std::size_t(s)], *x = v + first[std::size_t(b)] - base;
      for (int k = 0; k < rows; ++k) {
        double sum = 0;
        for (int c = 0; c < n; ++c) sum += g[k * n + c] * x[c];
        u[k] += sum;
      }
    }
  }
  /// v += Y^T r of contact i.
  void add_impulse(int i, int rows, int base, const double* r, double* v) const {
    add_rows(Y, i, rows, base, r, v);
  }
  /// v += (G or Y)^T r of contact i.
  void add_rows(const std::vector<double>& of, int i, int rows, int base, const double* r, double* v) const {
    for (int s = start[std::size_t(i)]; s < start[std::size_t(i) + 1]; ++s) {
      const int b = body[std::size_t(s)], n = size(b);
      const double* y = of.data() + rows_at[std::size_t(s)];
      double* x = v + first[std::size_t(b)] - base;
      for (int k = 0; k < rows; ++k)
        for (int c = 0; c < n; ++c) x[c] += y[k * n + c] * r[k];
    }
  }
};

}  // namespace stiction::complementarity::friction
