// (B + C W) x = f with W of an island and B, C block-diagonal, d x d per contact: what Newton, splitting and
// interior-point steps solve. C = 0 marks a contact that the others do not move.
//
// Contacts with the same neighbours (those of two bodies) share what moves them: with k contacts a group has
// k d rows of W but rank at most 6 in space. From the group's own block, by elimination with complete
// pivoting, W[S, :] = R W[P, :] and W[:, S] = W[:, Q] L^T with P, Q pivot rows and columns; so W = R W_c L^T
// with a smaller core W_c. With y = L^T x and z = W_c y
//     y + D z = L^T B^-1 f,   D = L^T B^-1 C R,   x = B^-1 (f - C R z).
// Groups that save nothing are taken apart (R = L = 1, and the rows of B + C W are taken as they are). Groups
// without any C leave the matrix. B must be regular, but may be small (g w where a contact sticks), and
// round-off of z times 1 / g would spoil x: so the rows of a group are multiplied by T, which makes those of
// T D of one size, and z is corrected until L^T x = y. What is left is round-off of f times 1 / g, enough for
// a Newton step.
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
  void heed(Stop stop) { lu_.heed(stop); }
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
  bool compressed(int g) const { return begin_[std::size_t(g) + 1] - begin_[std::size_t(g)] > 1; }
  bool add_to_group(int i, const double* B, const double* C, bool moved);
  void scale_group(int g);
  void begin_solve(double* x);
  void multiply(int g, bool all, double* out) const;
  void expand(int g, double* x);

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
  std::vector<double> w_;  // largest diagonal entry of W in a group's pivot rows
  // of the factorised matrix
  FrontLu lu_;
  std::vector<char> active_;  // groups in the matrix
  std::vector<int> node_, groups_, width_, node_start_, node_column_;
  std::vector<double> B_inverse_, inverse_C_;  // B^-1 and B^-1 C: d x d per contact
  std::vector<double> T_, D_, D_factor_;       // T, T D and factors of D: rank x rank per group
  std::vector<std::size_t> at_D_;
  std::vector<int> D_row_, D_column_, rank_of_D_;
  std::vector<double> y_, right_, push_;
};

}  // namespace stiction::complementarity::friction
