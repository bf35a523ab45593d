// Sparse LU factorisation of block matrices with a symmetric pattern and 6x6 blocks, in a fill-reducing
// order. Memory is kept between calls: after warm-up a factorisation allocates nothing. The same bits
// everywhere.
#pragma once

#include <utility>
#include <vector>

#include "stiction/base/parallel.h"
#include "stiction/base/stop.h"
#include "stiction/complementarity/detail/minimum_degree.h"

namespace stiction::complementarity {

class BlockLu {
 public:
  static constexpr int width = 6;
  static constexpr int area = width * width;
  static constexpr int most_panel = 8;  // [-] pivots that are worked off together

  /// Chooses the elimination order (approximate minimum degree) of `n` diagonal blocks and
  /// the off-diagonal pairs (i, j), i != j, which may repeat. Does nothing if both are as in the last call.
  void analyse(int n, const std::vector<std::pair<int, int>>& pairs);
  /// Block multiplications that one factorisation takes; known after analyse().
  double cost() const { return cost_; }

  /// Before the blocks are written; also lays out their memory.
  void set_zero();
  double* diagonal(int i) { return values_.data() + std::size_t(position_[std::size_t(i)]) * area; }
  /// Block (i, j) of an analysed pair.
  double* off_diagonal(int i, int j);

  /// Factorises in place; false if a pivot block is singular to working precision, or if it was asked to
  /// stop. `narrow`: without the wide registers this machine may have. `team`: threads that help with long
  /// columns. The bits are the same.
  bool factorise(bool narrow = false, Stop stop = {}, Team* team = nullptr);
  /// x := matrix^-1 x; n x 6 numbers.
  void solve(double* x) const;

 private:
  void order();
  void find_panels();
  struct Elimination;
  struct Column {            // structure below the pivot, in elimination order
    int begin = 0, end = 0;  // into rows_
  };
  std::size_t lower(int slot) const { return std::size_t(n_ + 2 * slot) * area; }      // block (row, pivot)
  std::size_t upper(int slot) const { return std::size_t(n_ + 2 * slot + 1) * area; }  // block (pivot, row)

  int n_ = -1;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> position_;  // block -> place in the elimination order
  std::vector<int> order_;     // place -> block
  std::vector<Column> columns_;
  std::vector<int> rows_;        // places
  std::vector<int> panel_end_;   // by the first pivot of a panel: the first behind it
  detail::MinimumDegree graph_;  // scratch of analyse(), with its input
  std::vector<std::pair<int, int>> edges_;
  std::vector<int> start_, neighbour_, weight_;
  std::vector<double> values_;
  std::vector<double> pivots_;  // n x 36: inverses of the pivot blocks
  mutable std::vector<double> scratch_;
  double cost_ = 0;
};

/// Inverts a 6x6 matrix by Gauss-Jordan with partial pivoting; false if singular to working precision.
bool invert6(const double* a, double* inverse);

}  // namespace stiction::complementarity
