// Multifrontal LU for block matrices with a symmetric pattern and unsymmetric values: P A = L U, P within
// fronts.
//
// Rows that have the same neighbours (contacts of the same two bodies) are merged; the merged graph is
// eliminated by approximate minimum degree; small fronts are joined with their parents. Each front is a dense
// matrix: pivot rows first, then the rows they touch; its Schur complement goes to the parent. So the work is
// in dense products (linear/detail/dense.h), with row exchanges among the pivot rows of a front. The order is
// kept while the pattern stays the same. Every loop has one order: the same bits everywhere. Fails, and says
// so, where a pivot is zero to working precision. References: Amestoy, Davis, Duff (1996), "An approximate
// minimum degree ordering algorithm"; Davis (2006), "Direct Methods for Sparse Linear Systems".
#pragma once

#include <cstddef>
#include <vector>

#include "stiction/base/stop.h"
#include "stiction/complementarity/detail/minimum_degree.h"

namespace stiction::complementarity::friction {

class FrontLu {
 public:
  /// Block row i has width[i] rows; its neighbours are column[start[i] .. start[i + 1]), without i,
  /// ascending, symmetric.
  void analyse(const std::vector<int>& width, const std::vector<int>& start, const std::vector<int>& column);
  /// Multiplications of one factorisation, known after analyse().
  double cost() const { return cost_; }

  /// Whoever may stop factorisations between panels: factor() is then false.
  void heed(Stop stop) { stop_ = stop; }

  /// fill(i, j, out, ld) adds block (i, j) to out[row * ld + column]; it is asked for every pair of the
  /// pattern and the diagonal.
  template <class Fill>
  bool factor(const Fill& fill) {
    begin();
    for (int k = 0; k < int(fronts_.size()); ++k) {
      const int f = open(k);
      const Front& front = fronts_[std::size_t(k)];
      for (int p = front.begin; p < front.pivot_end; ++p) {
        const int i = members_[std::size_t(p)], here = place_[std::size_t(i)];
        fill(i, i, front_.data() + here * f + here, f);
        for (int e = start_[std::size_t(i)]; e < start_[std::size_t(i) + 1]; ++e) {
          const int j = column_[std::size_t(e)], there = place_[std::size_t(j)];
          const bool done = position_[std::size_t(j)] < front.first;
          if (done) continue;
          fill(i, j, front_.data() + here * f + there, f);
          if (position_[std::size_t(j)] >= front.last) fill(j, i, front_.data() + there * f + here, f);
        }
      }
      if (!eliminate(k, f)) return false;
    }
    return true;
  }
  /// x := A^-1 x; block rows one after the other.
  void solve(double* x);

 private:
  struct Front {
    int begin = 0, pivot_end = 0, end = 0;  // members_: pivots, then the rows below in elimination order
    int first = 0, last = 0;                // positions of the pivots
    int pivots = 0, size = 0;               // in scalar rows
    int children = 0;                       // how many contributions on the stack are its own
    std::size_t values = 0;                 // into values_: U rows (p x f), then L below ((f - p) x p)
    std::size_t exchange = 0;               // into exchange_
  };
  struct Contribution {
    int front = 0;
    std::size_t values = 0;  // into stack_
  };
  void order();
  void build_fronts(const detail::MinimumDegree& graph, const std::vector<int>& weight,
                    const std::vector<std::vector<int>>& merged);
  void begin();
  int open(int k);
  bool eliminate(int k, int f);
  bool factor_pivots(int p, int f, int* exchange);

  int n_ = -1;
  std::vector<int> width_, first_, start_, column_;  // first_: scalar row at which a block row begins
  std::vector<int> position_;                        // row -> place in the elimination order
  std::vector<int> members_;
  std::vector<Front> fronts_;
  double cost_ = 0;
  Stop stop_;
  std::vector<int> place_;  // row -> scalar row in the open front
  std::vector<double> values_, front_, stack_, pack_, work_;
  std::vector<int> exchange_;
  std::vector<Contribution> contributions_;
};

}  // namespace stiction::complementarity::friction
