// (B + C W) x = f with W of an island and B, C block-diagonal, d x d per contact: what Newton, splitting and
// interior-point steps solve. C = 0 marks a contact that the others do not move.
//
// Contacts with the same neighbours (those of two bodies) share what moves them: with k contacts a group has
// k d rows of W but rank at most 6 in space. From the group's own block, by elimination with complete
// pivoting, W[S, :] = R W[P, :] and W[:, S] = W[:, Q] L^T with P, Q pivot rows and columns; so W = R W_c L^T
// with a smaller core W_c. With y = L^T x
//     (1 + D W_c) y = L^T B^-1 f,   D = L^T B^-1 C R,   x = B^-1 (f - C R W_c y).
// Groups that save nothing are taken apart (R = L = 1). Groups without any C leave the matrix. B must be
// regular; where it is small (g w, nearly singular) B^-1 costs digits of x, about its ratio to W: enough for
// a Newton direction.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/detail/front_lu.h"
#include "stiction/complementarity/friction/prepared.h"

namespace stiction::complementarity::friction {

class BlockSystem {
 public:
  /// Does nothing if it is the same island of the same problem as in the last call.
  void analyse(const Prepared& p, const Range& island);
  /// B and C: d x d per contact of the island, row-major. False where the matrix is singular.
  bool factor(const double* B, const double* C);
  /// x = f on entry; d per contact of the island.
  void solve(double* x);
  /// Multiplications of one factorisation, as of the last.
  double cost() const { return groups_.empty() ? 0.0 : lu_.cost(); }
  /// Rows of the matrix as analysed, d per contact if nothing was saved.
  int rank() const { return offset_.empty() ? 0 : offset_.back(); }

 private:
  void find_groups();
  bool compress(const std::vector<int>& group);
  void add_group(const std::vector<int>& group, int rank, const std::vector<int>& rows,
                 const std::vector<int>& columns);
  void build_core();
  void choose_nodes();
  std::vector<int> groups_of_neighbours(int group) const;
  const double* entry(int i, int j) const;

  const Prepared* p_ = nullptr;
  Range island_;
  int version_ = -1, d_ = 0;
  std::vector<int> member_, begin_;            // contacts of the groups, one group after the other
  std::vector<int> group_of_;                  // of a contact
  std::vector<int> offset_;                    // of a group's y
  std::vector<int> pivot_row_, pivot_column_;  // rank per group: scalar rows of the island
  std::vector<std::size_t> at_R_;              // of a contact: d x rank in R_ and L_
  std::vector<double> R_, L_, interpolation_row_, interpolation_column_;
  std::vector<int> start_, column_;  // of the groups, the group itself included
  std::vector<std::size_t> at_core_;
  std::vector<double> core_;
  // of the factorised matrix
  FrontLu lu_;
  std::vector<char> active_;  // groups in the matrix
  std::vector<int> node_, groups_, width_, node_start_, node_column_;
  std::vector<double> B_inverse_, C_, D_;  // d x d per contact; rank x rank per group
  std::vector<std::size_t> at_D_;
  std::vector<double> y_, right_, push_;
};

}  // namespace stiction::complementarity::friction
