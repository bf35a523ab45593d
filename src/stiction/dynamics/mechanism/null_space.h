// The motions that equations leave free, and the forces that hold the rest. See null_space.cpp.
#pragma once

#include <vector>

namespace stiction::mechanism {

/// G x = g,  x = x_p + Z y  for every y;   Z has orthonormal columns, x_p is the smallest solution, across Z.
class NullSpace {
 public:
  /// Room for G, all zero.
  void resize(int rows, int columns);
  double* row(int r) { return rows_.data() + std::size_t(r) * std::size_t(columns_); }

  /// G -> its factors. Rows that others say to within `least` of their length are dropped; `usable` (if any,
  /// one per row): those that may be kept at all.
  void factorise(double least, const std::vector<char>* usable = nullptr);

  int columns() const { return columns_; }
  int rank() const { return rank_; }
  int free() const { return columns_ - rank_; }
  /// All rows in the order of their choice: the first rank() are kept.
  const std::vector<int>& order() const { return order_; }

  /// Row i of Z: free() numbers.
  const double* basis(int i) const { return basis_.data() + std::size_t(i) * std::size_t(free()); }
  /// x_p for the right-hand sides g of all rows, of which those of dropped ones are not asked.
  void particular(const double* g, double* x);
  /// l with G^T l = the part of p across Z: of all that do the same the smallest, where rows are repeated to
  /// round-off; 0 for other rows that were dropped.
  void forces(const double* p, double* l);

 private:
  double* reflector(int k) { return row(order_[std::size_t(k)]); }
  void reflect(int k, double* x);
  void eliminate(int k);
  void find_basis();
  void solve_upper(double* x) const;
  void make_smallest(double* l);

  int row_count_ = 0, columns_ = 0, rank_ = 0;
  std::vector<double>
      rows_;  // after factorise(): reflectors of kept rows from their place on, images of others
  std::vector<double> scale_;  // per row: 1 / length
  std::vector<double> upper_;  // R: kept rows in front of their place, rank x rank, row by row
  std::vector<double> rest_;   // [-] per row: what of it is across all kept rows
  std::vector<int> order_;
  std::vector<double> basis_, scratch_, repeated_;
};

}  // namespace stiction::mechanism
