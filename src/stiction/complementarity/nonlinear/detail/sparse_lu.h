// Sparse LU with row exchanges: R A Q = P^T L U, column by column.
//
// Q is a minimum-degree order of the pattern of A + A^T (ties in a fixed order), kept while the pattern stays
// the same. Each column is a sparse triangular solve whose nonzeros are found by a depth-first search
// (Gilbert, Peierls 1988, SIAM J. Sci. Stat. Comput. 9; Davis 2006, "Direct Methods for Sparse Linear
// Systems", 6.2). The row on the diagonal stays the pivot while it is within a tenth of the largest, so that
// the order keeps its value. R divides each row by its largest entry. Work is that of the multiplications
// that are not with zero.
//
// Every loop has one order: the bits are the same everywhere. Fails on matrices singular to working
// precision, and says so.
#pragma once

#include <cstddef>
#include <vector>

namespace stiction::complementarity::detail {

/// Compressed columns; rows within a column ascend.
struct SparseColumns {
  int n = 0;
  std::vector<int> start;  // n + 1
  std::vector<int> row;
  std::vector<double> value;
};

class SparseLu {
 public:
  /// False where no pivot of a column is above `small` times its largest entry (after row scaling).
  bool factor(const SparseColumns& a, double small);
  /// b := A^-1 b
  void solve(std::vector<double>& b);
  int entries() const { return int(l_row_.size() + u_row_.size()); }

 private:
  void order(const SparseColumns& a);
  int reach(const SparseColumns& a, int column);
  void search(int from, int& top);
  bool eliminate(const SparseColumns& a, int k, double small);

  int n_ = 0;
  std::vector<int> pattern_start_, pattern_row_;  // of the matrix that column_order_ belongs to
  std::vector<int> column_order_;                 // Q
  std::vector<int> pivot_of_row_;                 // position in which a row became pivot; -1 = not yet
  std::vector<int> l_start_, l_row_, u_start_, u_row_;
  std::vector<double> l_, u_, row_scale_, x_, work_;  // U's last entry of a column is its diagonal
  std::vector<int> stack_, node_, next_;
  std::vector<int> mark_;
};

}  // namespace stiction::complementarity::detail
