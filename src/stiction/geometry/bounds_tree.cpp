// Halving at the median of the centres along the longer side of their box; equal centres by index, so that
// the tree depends on the boxes only. Slab test of a way against a box: Kay and Kajiya 1986.
#include "stiction/geometry/bounds_tree.h"

#include <algorithm>
#include <cmath>

namespace stiction {

void BoundingBox::include(const BoundingBox& b) {
  for (int i = 0; i < 3; ++i) low[i] = std::fmin(low[i], b.low[i]), high[i] = std::fmax(high[i], b.high[i]);
}

bool BoundingBox::overlaps(const BoundingBox& b) const {
  for (int i = 0; i < 3; ++i)
    if (low[i] > b.high[i] || b.low[i] > high[i]) return false;
  return true;
}

double BoundingBox::distance(const Vec3& p) const {
  Vec3 d;
  for (int i = 0; i < 3; ++i) d[i] = std::fmax(0.0, std::fmax(low[i] - p[i], p[i] - high[i]));
  return norm(d);
}

double BoundingBox::entry(const Vec3& p, const Vec3& d) const {
  constexpr double none = 2;
  double first = 0, last = 1;
  for (int i = 0; i < 3; ++i) {
    if (d[i] == 0) {
      if (p[i] < low[i] || p[i] > high[i]) return none;
      continue;
    }
    const double s = (low[i] - p[i]) / d[i], t = (high[i] - p[i]) / d[i];
    first = std::fmax(first, std::fmin(s, t)), last = std::fmin(last, std::fmax(s, t));
  }
  return first <= last ? first : none;
}

void BoundsTree::build(std::span<const BoundingBox> boxes) {
  nodes_.clear();
  order_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) order_[i] = std::int32_t(i);
  nodes_.reserve(2 * boxes.size());
  if (!boxes.empty()) split(boxes, 0, std::int32_t(boxes.size()));
}

void BoundsTree::split(std::span<const BoundingBox> boxes, std::int32_t begin, std::int32_t end) {
  const auto here = nodes_.size();
  nodes_.emplace_back();
  const auto box = [&](std::int32_t i) -> const BoundingBox& {
    return boxes[std::size_t(order_[std::size_t(i)])];
  };
  BoundingBox all = box(begin), centres{box(begin).low + box(begin).high, box(begin).low + box(begin).high};
  for (std::int32_t i = begin + 1; i < end; ++i) {
    const Vec3 c = box(i).low + box(i).high;
    all.include(box(i)), centres.include({c, c});
  }
  nodes_[here].box = all;
  if (end - begin == 1) {
    nodes_[here].item = order_[std::size_t(begin)];
    return;
  }
  const Vec3 side = centres.high - centres.low;
  const int axis = side.x >= side.y ? (side.x >= side.z ? 0 : 2) : (side.y >= side.z ? 1 : 2);
  const std::int32_t middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                   [&](std::int32_t i, std::int32_t j) {
                     const BoundingBox &a = boxes[std::size_t(i)], &b = boxes[std::size_t(j)];
                     const double x = a.low[axis] + a.high[axis], y = b.low[axis] + b.high[axis];
                     return x != y ? x < y : i < j;
                   });
  split(boxes, begin, middle);
  nodes_[here].right = std::int32_t(nodes_.size());
  split(boxes, middle, end);
}

}  // namespace stiction
