// Sparse factorisation S = L D L^T of symmetric positive semidefinite matrices with blocks of 1 to 6 rows, in
// a fill-reducing order. Rows that depend on those before them are dropped and named; the solution then has
// zeros there. Memory is kept between calls, the order too while the pattern stays. The same bits everywhere.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "stiction/complementarity/detail/minimum_degree.h"

namespace stiction::complementarity::bilateral::detail {

class BlockLdlt {
 public:
  /// A row that depends on others; `null`: its column of N (below) on the rows of its own node.
  struct Dropped {
    int node = 0, row = 0;
    double null[6] = {};
  };

  /// Nodes with `size` rows each and the off-diagonal pairs (i, j), i != j, without repeats in either order.
  void analyse(const std::vector<int>& size, const std::vector<std::pair<int, int>>& pairs);
  /// Multiplications of one factorisation and of one solution.
  double factor_work() const { return factor_work_; }
  double solve_work() const { return solve_work_; }
  /// Place of a node's first row in vectors; start(node_count) is the number of rows.
  int start(int node) const { return start_[std::size_t(node)]; }

  /// Before the blocks are written; also lays out their memory.
  void set_zero();
  /// size_i x size_i, row-major; the lower triangle counts.
  double* diagonal(int i) { return values_.data() + diagonal_at_[std::size_t(position_[std::size_t(i)])]; }
  /// The block of pair number `pair`, row-major; its rows are those of the pair's second node if
  /// `second_has_rows`, else those of the first.
  struct Place {
    double* values = nullptr;
    bool second_has_rows = false;
  };
  Place off_diagonal(std::size_t pair) {
    return {values_.data() + pair_at_[pair], pair_second_rows_[pair] != 0};
  }

  /// In place. Pivots of `tolerance` or less are dropped.
  void factorise(double tolerance);
  std::span<const Dropped> dropped() const { return dropped_; }
  /// x := S^-1 x on the rows that are kept, 0 on the others.
  void solve(double* x) const;
  /// The null space of S has a basis N, one column per dropped row, with 1 there and 0 on the other dropped
  /// ones.
  void null_combination(const double* c, double* x) const;  // x = N c
  void null_products(double* y, double* c) const;           // c = N^T y; y is scratch afterwards

 private:
  struct Column {
    int begin = 0, end = 0;  // slots
  };
  int size_at(int place) const { return size_[std::size_t(order_[std::size_t(place)])]; }
  const double* pivot(int place) const { return pivots_.data() + std::size_t(place) * 36; }
  int start_at(int place) const { return start_[std::size_t(order_[std::size_t(place)])]; }
  void order(const std::vector<std::pair<int, int>>& pairs);
  void lay_out(const std::vector<std::pair<int, int>>& pairs);
  void back_substitute(double* x) const;
  void forward_substitute(double* x) const;

  std::vector<int> size_, start_;
  std::vector<int> position_, order_;  // node -> place, place -> node
  std::vector<Column> columns_;
  std::vector<int> rows_;                 // per slot: place, ascending in each column
  std::vector<std::size_t> diagonal_at_;  // per place, into values_
  std::vector<std::size_t> slot_at_;      // per slot, into values_
  std::vector<std::size_t> pair_at_;      // per pair, into values_
  std::vector<char> pair_second_rows_;
  std::vector<double> values_, pivots_;  // pivots_: 36 per place, inverses
  std::vector<double> column_;           // one column before it is divided by its pivot
  std::vector<Dropped> dropped_;
  complementarity::detail::MinimumDegree graph_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<int> graph_start_, neighbour_;
  double factor_work_ = 0, solve_work_ = 0;
};

}  // namespace stiction::complementarity::bilateral::detail
