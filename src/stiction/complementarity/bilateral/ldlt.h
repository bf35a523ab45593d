// Constraint systems by a sparse direct factorisation: S = G A^-1 G^T + Sigma in blocks of a joint's rows.
//
// Two joints are neighbours in S if they share a block of A. A block with many joints would make them all
// neighbours of each other, and a hub with n arms would cost n^3; so such a block is split into copies, each
// with its share of the mass and a few of the joints, that are locked to each other in a row. The split
// system has the same solution, and chains, trees and hubs are factorised in time linear in the joints.
//
// Redundant rows. S is then semidefinite. The factorisation drops rows whose pivots vanish: they are named,
// and their number gives the rank. The solution is that of least norm among those of least residual,
//     minimise sum_i S_ii lambda_i^2   over   minimise sum_i r_i^2 / S_ii.
// In the scaled unknowns (S_ii = 1), with the columns of N a basis of the null space that comes with the
// factors:
//     b' = b - N c,  N^T N c = N^T b;     S x = b';     x' = x - N d,  N^T N d = N^T x
// c and d by conjugate gradients, few steps: N holds the unit matrix, so that N^T N >= 1. The weights S_ii
// make forces and torques comparable. (Locks do not count in the norms.)
//
// Fails where rows are all but dependent: then rank_tolerance decides, and the multipliers of rows that are
// kept may be large. Reference for the orders: Amestoy, Davis, Duff (1996).
#pragma once

#include <cstddef>

#include "stiction/complementarity/bilateral/detail/block_ldlt.h"
#include "stiction/complementarity/bilateral/report.h"
#include "stiction/complementarity/bilateral/system.h"

namespace stiction::complementarity::bilateral {

struct LdltSettings {
  double tolerance = 1e-10;  // [-] on constraint_residual(); > 0; round-off in chains of 10,000 stays below
  double rank_tolerance = 1e-12;  // [-] pivots over S_ii that count as zero; in (0, 1): angles between
                                  // directions enter squared, so 1e-6 rad is the border
  int max_corrections = 10;       // [-] > 0; of a solution by its residual; 0 or 1 are usual
};

/// Memory and method. The order of elimination is kept while the joints name the same blocks.
class Ldlt {
 public:
  void solve(const ConstraintSystem& p, const LdltSettings& s, std::vector<double>& lambda, Report& report);

 private:
  struct Node {              // a joint, or a lock between two copies
    int copy[2] = {-1, -1};  // into copies
    int count = 0;
    double G[2][most * width] = {};            // rows times `unit`
    double Y[2][most * width] = {};            // G A^-1, times `unit`
    double sigma[most] = {}, unit[most] = {};  // unit: 1/sqrt(S_ii); 0 where S_ii is 0
  };
  struct Incidence {
    int node = 0, side = 0;
  };
  bool same_structure(const ConstraintSystem& p) const;
  void lay_out(const ConstraintSystem& p);
  void split(const ConstraintSystem& p);
  void join_copies();
  void load(const ConstraintSystem& p);
  void assemble();
  double residual(const std::vector<double>& b, const std::vector<double>& x, std::vector<double>& r);
  void null_part(const std::vector<double>& x, std::vector<double>& part);
  void solve_directly(const LdltSettings& s, Report& report);
  void solve_least_norm(const LdltSettings& s, Report& report);
  void name_redundant(Report& report);

  // structure
  std::vector<int> signature_;        // blocks, and each joint's blocks and count
  std::vector<int> copy_begin_;       // per block: its copies
  std::vector<Node> nodes_;           // joints first, then locks
  std::vector<Incidence> incidence_;  // by copy
  std::vector<int> incidence_begin_;  // per copy
  std::vector<int> block_of_copy_;
  struct Product {  // two nodes at a copy
    Incidence a, b;
    std::size_t pair = 0;
  };
  std::vector<Product> products_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> size_;
  int user_rows_ = 0, joints_ = 0;
  double scale_ = 0;  // largest |b|
  double unmet_ = 0;  // largest |rhs| of rows that nothing can move
  detail::BlockLdlt factors_;

  // numbers, scaled to S_ii = 1: x = sqrt(S_ii) lambda
  std::vector<double> b_, n_, x_, best_, r_, y_, u_;
  std::vector<double> c_, p_, q_, e_;      // per dropped row: conjugate gradients
  std::vector<std::vector<double>> null_;  // of locks that were dropped
};

}  // namespace stiction::complementarity::bilateral
