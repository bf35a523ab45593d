// From the global form to the local one: W = H^T M^-1 H, b_local = H^T M^-1 f + b, and back: v = M^-1 (H r +
// f).
//
// M falls into blocks that nothing connects (a body each, as a rule); each is factorised alone, densely up to
// 64 rows, above by the sparse LU. W has an entry for every two contact rows that share a block: a body with
// m contacts gives m^2 blocks, so this form suits problems in which no body has thousands.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/problems.h"
#include "stiction/complementarity/linear/detail/dense.h"
#include "stiction/complementarity/nonlinear/detail/sparse_lu.h"

namespace stiction::complementarity {

/// M in factors, block by block.
class MassFactors {
 public:
  /// False where M is singular to working precision.
  bool factor(const SparseRows& M);
  int blocks() const { return int(blocks_.size()); }
  /// Rows of M in a block, ascending.
  const std::vector<int>& rows(int block) const { return blocks_[std::size_t(block)].rows; }
  int block_of(int row) const { return block_of_[std::size_t(row)]; }
  int place_of(int row) const { return place_of_[std::size_t(row)]; }
  /// x := M_block^-1 x
  void solve(int block, std::vector<double>& x);

 private:
  struct Block {
    std::vector<int> rows;
    detail::Lu dense;
    detail::SparseLu sparse;
  };
  std::vector<Block> blocks_;
  std::vector<int> block_of_, place_of_;
};

/// The local form of a valid problem; false where M is singular.
bool condense(const GlobalFriction& p, MassFactors& factors, LocalFriction& out);
/// The same with p.M in factors already.
void condense_factored(const GlobalFriction& p, MassFactors& factors, LocalFriction& out);

/// Diagonal of W, one number per contact row, without W.
std::vector<double> diagonal_of_w(const GlobalFriction& p, MassFactors& factors);
/// v = M^-1 (H r + f); factors of p.M.
std::vector<double> velocities(const GlobalFriction& p, MassFactors& factors, const std::vector<double>& r);

}  // namespace stiction::complementarity
