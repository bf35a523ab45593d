// Numbers in sets that grow together; each set is named by its lowest number.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace stiction::complementarity::friction {

class DisjointSets {
 public:
  explicit DisjointSets(int count) : parent_(std::size_t(count)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  /// The lowest number of i's set.
  int root(int i) {
    while (up(i) != i) i = up(i) = up(up(i));
    return i;
  }
  void join(int i, int j) {
    if (up(i) == up(j)) return;
    const int a = root(i), b = root(j);
    up(std::max(a, b)) = std::min(a, b);
  }

 private:
  int& up(int i) { return parent_[std::size_t(i)]; }
  std::vector<int> parent_;
};

}  // namespace stiction::complementarity::friction
