// (B + C W) x = f with W = G M^-1 G^T given as a graph; B and C block-diagonal, d x d per contact.
//
// With v = M^-1 G^T x: x = B^-1 (f - C G v), and v solves a system with one block row per body,
//     (M + G^T B^-1 C G) v = G^T B^-1 f,
// sparse as the graph of bodies, whatever the number of contacts on a body. It is factorised by the
// multifrontal LU; a body that touches thousands comes last in its order and costs their number. B must be
// regular; as it becomes small (g w of a sticking contact) the digits of x become those of f times 1 / g.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/detail/front_lu.h"
#include "stiction/complementarity/friction/prepared.h"

namespace stiction::complementarity::friction {

class GraphSystem {
 public:
  /// Does nothing if it is the same island of the same problem as in the last call.
  void analyse(const Prepared& p, const Range& island);
  /// False where the matrix is singular.
  bool factor(const double* B, const double* C);
  /// x = f on entry.
  void solve(double* x);
  void heed(Stop stop) { lu_.heed(stop); }
  double cost() const { return lu_.cost(); }

 private:
  const Prepared* p_ = nullptr;
  Range island_;
  int version_ = -1, d_ = 0;
  int body_begin_ = 0, bodies_ = 0;
  std::vector<int> start_, column_;     // neighbours of a body, without itself; both count from body_begin_
  std::vector<std::size_t> entry_at_;   // of a neighbour, and after them of each body itself: into values_
  std::vector<int> pair_start_, pair_;  // of a contact: the entries of its pairs of sides, row by row
  std::vector<double> values_;
  std::vector<double> B_inverse_, K_;  // B^-1 and B^-1 C: d x d per contact
  std::vector<double> v_;
  FrontLu lu_;
};

}  // namespace stiction::complementarity::friction
