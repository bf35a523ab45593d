// (B + C W) x = f on an island, in the form in which the problem holds W: blocks or graph.
#pragma once

#include "stiction/complementarity/friction/detail/block_system.h"
#include "stiction/complementarity/friction/detail/graph_system.h"

namespace stiction::complementarity::friction {

class IslandSystem {
 public:
  /// `stop`: ends factorisations early, as if the matrix were singular.
  void analyse(const Prepared& p, const Range& island, Stop stop = {}) {
    by_graph_ = p.graph.used();
    graph_.heed(stop), blocks_.heed(stop);
    by_graph_ ? graph_.analyse(p, island) : blocks_.analyse(p, island);
  }
  bool factor(const double* B, const double* C) {
    return by_graph_ ? graph_.factor(B, C) : blocks_.factor(B, C);
  }
  void solve(double* x) { by_graph_ ? graph_.solve(x) : blocks_.solve(x); }
  double cost() const { return by_graph_ ? graph_.cost() : blocks_.cost(); }

 private:
  bool by_graph_ = false;
  BlockSystem blocks_;
  GraphSystem graph_;
};

}  // namespace stiction::complementarity::friction
