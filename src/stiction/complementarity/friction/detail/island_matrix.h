// W of an island plus a block diagonal, in factors: what splitting and interior-point methods solve with.
#pragma once

#include <algorithm>
#include <vector>

#include "stiction/complementarity/friction/detail/front_lu.h"
#include "stiction/complementarity/friction/prepared.h"

namespace stiction::complementarity::friction {

struct IslandMatrix {
  FrontLu lu;
  std::vector<int> start, column;

  void analyse(const Prepared& p, const Range& island) {
    start.assign(1, 0), column.clear();
    for (int i = island.begin; i < island.end; ++i) {
      for (int e = p.start[std::size_t(i)]; e < p.start[std::size_t(i) + 1]; ++e)
        if (p.column[std::size_t(e)] != i) column.push_back(p.column[std::size_t(e)] - island.begin);
      start.push_back(int(column.size()));
    }
    lu.analyse(island.size(), p.rows, start, column);
  }
  /// Block (i, j) of W by places, or none.
  static const double* entry(const Prepared& p, int i, int j) {
    const auto begin = p.column.begin() + p.start[std::size_t(i)],
               end = p.column.begin() + p.start[std::size_t(i) + 1];
    const auto found = std::lower_bound(begin, end, j);
    return found != end && *found == j ? p.entry(int(found - p.column.begin())) : nullptr;
  }
  static double sloped(const double* slope, const double* column, int d) {
    double sum = 0;
    for (int k = 1; k < d; ++k) sum += slope[k] * column[k * d];
    return sum;
  }
  /// W + diagonal; `diagonal(place, out, ld)` adds a contact's own block; `pinned(place, row)`: this unknown
  /// is 0.
  /// `slope` (rows per place, or none): the first row of W_ij gains slope_i times the others.
  template <class Diagonal, class Pinned>
  bool factor(const Prepared& p, const Range& island, const Diagonal& diagonal, const Pinned& pinned,
              const double* slope = nullptr) {
    const int d = p.rows;
    return lu.factor([&](int row, int column_, double* out, int ld) {
      const int i = row + island.begin, j = column_ + island.begin;
      if (const double* W = entry(p, i, j); W != nullptr)
        for (int a = 0; a < d; ++a)
          for (int b = 0; b < d; ++b)
            if (!pinned(i, a) && !pinned(j, b))
              out[a * ld + b] += W[a * d + b] + (slope && a == 0 ? sloped(slope + i * d, W + b, d) : 0.0);
      if (i == j) diagonal(i, out, ld);
    });
  }
};

}  // namespace stiction::complementarity::friction
