// A fill-reducing elimination order by approximate minimum degree.
//
// Eliminating a vertex makes its neighbours a clique; the clique is kept as one element (a quotient graph),
// in the place that the edges it covers leave free: beside the lists of the factor itself, memory is that of
// the graph. The degree of a vertex is bounded by the list of the element just made and what its other
// elements add to that; the lowest goes first, the latest changed among equals: one order everywhere.
// Vertices have weights (rows). All arrays are kept between runs: after warm-up a run allocates nothing.
// Reference: Amestoy, Davis, Duff (1996), "An approximate minimum degree ordering algorithm".
#pragma once

#include <span>
#include <vector>

namespace stiction::complementarity::detail {

class MinimumDegree {
 public:
  /// Neighbours of v: column[start[v] .. start[v + 1]), symmetric, without repeats and without v. Vertices of
  /// weight 0 have none and are left out.
  void run(const std::vector<int>& start, const std::vector<int>& column, const std::vector<int>& weight);

  /// The order.
  const std::vector<int>& pivots() const { return pivots_; }
  /// What v touches when it is eliminated, ascending; exact.
  std::span<const int> below(int v) const {
    const Vertex& vertex = vertices_[std::size_t(v)];
    return {list_.data() + vertex.begin, list_.data() + vertex.end};
  }

 private:
  struct Vertex {
    int weight = 0, degree = 0;
    int slot = 0;                      // into slots_: neighbours, then elements
    int neighbours = 0, elements = 0;  // how many of each
    std::size_t begin = 0, end = 0;    // into list_, once eliminated
    int before = -1, after = -1;       // in the queue of its degree
    int mark = 0;                      // the pivot in whose list it was last, counted from 1
    int outside = -1;                  // of an element: weight in its list, but not in the present one
    bool gone = false, absorbed = false;
  };
  Vertex& at(int v) { return vertices_[std::size_t(v)]; }
  void enter(int v);
  void leave(int v);
  void eliminate(int v);
  void collect(int v);
  void count_outside(const Vertex& pivot);
  void renew(int u, int v, int total);

  std::vector<Vertex> vertices_;
  std::vector<int> slots_, list_, queue_, pivots_;  // queue_: first vertex of a degree, or -1
};

}  // namespace stiction::complementarity::detail
