// A tree of axis-aligned boxes, for questions about few of many: what lies along a line, near a point, inside
// a box.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/math/vec3.h"

namespace stiction {

struct BoundingBox {
  Vec3 low, high;  // [m]

  void include(const BoundingBox& b);
  bool overlaps(const BoundingBox& b) const;
  double distance(const Vec3& p) const;  // [m] 0 inside
  /// The part of the way p + t d, t in [0, 1], at which it enters the box; 2 where it does not.
  double entry(const Vec3& p, const Vec3& d) const;
};

/// Built in one go, halving at the median of the longer side: n log n. Built again after motion; keeps its
/// memory.
class BoundsTree {
 public:
  void build(std::span<const BoundingBox> boxes);

  /// Calls `leaf(index)` for the boxes it cannot leave out, nearer ones first: `bound(box)` is a lower bound
  /// of what is looked for in a box, and everything at or above `limit()` is passed over.
  template <class Bound, class Limit, class Leaf>
  void visit(const Bound& bound, const Limit& limit, const Leaf& leaf) const {
    struct Entry {
      std::int32_t node;
      double bound;
    };
    Entry stack[64];  // halved at the median: 2^64 boxes
    int count = 0;
    if (!nodes_.empty()) stack[count++] = {0, bound(nodes_[0].box)};
    while (count > 0) {
      const Entry e = stack[--count];
      if (!(e.bound < limit())) continue;
      const Node& node = nodes_[std::size_t(e.node)];
      if (node.right < 0) {
        leaf(int(node.item));
        continue;
      }
      Entry left{e.node + 1, bound(nodes_[std::size_t(e.node) + 1].box)},
          right{node.right, bound(nodes_[std::size_t(node.right)].box)};
      if (left.bound < right.bound) std::swap(left, right);
      stack[count++] = left, stack[count++] = right;
    }
  }

 private:
  struct Node {
    BoundingBox box;
    std::int32_t right = -1;  // the left child is the next node; -1: a leaf
    std::int32_t item = -1;
  };
  void split(std::span<const BoundingBox> boxes, std::int32_t begin, std::int32_t end);

  std::vector<Node> nodes_;
  std::vector<std::int32_t> order_;
};

}  // namespace stiction
