// A fill-reducing elimination order by approximate minimum degree.
//
// Eliminating a vertex makes its neighbours a clique; the clique is kept as one element (a quotient graph),
// so memory stays that of the graph. The degree of a vertex is bounded from above by |its element's list|
// plus what its other elements add to it; the lowest goes first, the latest pushed among equals: one order
// everywhere. Vertices have weights (rows). below[v] is exact: what v touches when it is eliminated,
// ascending. Reference: Amestoy, Davis, Duff (1996), "An approximate minimum degree ordering algorithm".
#pragma once

#include <vector>

namespace stiction::complementarity::detail {

class MinimumDegree {
 public:
  /// n vertices without neighbours, of weight 0 (left out of the order). Keeps memory.
  void reset(int n);
  /// Fills below and pivots; uses up `neighbours`, which must be symmetric, without repeats and self.
  void run();

  std::vector<std::vector<int>> neighbours;
  std::vector<int> weight;
  std::vector<std::vector<int>> below;  // of a vertex, when it goes
  std::vector<int> pivots;              // the order

 private:
  void push(int v);
  void eliminate(int v);
  void count_outside(const std::vector<int>& list);

  std::vector<std::vector<int>> elements, bucket;
  std::vector<int> degree, mark, outside;
  std::vector<char> gone, absorbed;
  int stamp = 0;
};

}  // namespace stiction::complementarity::detail
