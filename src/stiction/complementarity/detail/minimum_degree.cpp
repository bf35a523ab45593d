#include "stiction/complementarity/detail/minimum_degree.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace stiction::complementarity::detail {

void MinimumDegree::enter(int v) {
  Vertex& vertex = at(v);
  int& first = queue_[std::size_t(vertex.degree)];
  vertex.before = -1, vertex.after = first;
  if (first >= 0) at(first).before = v;
  first = v;
}

void MinimumDegree::leave(int v) {
  const Vertex& vertex = at(v);
  if (vertex.before >= 0)
    at(vertex.before).after = vertex.after;
  else
    queue_[std::size_t(vertex.degree)] = vertex.after;
  if (vertex.after >= 0) at(vertex.after).before = vertex.before;
}

/// The list of v: its neighbours and those of its elements, which v takes over.
void MinimumDegree::collect(int v) {
  Vertex& pivot = at(v);
  const int stamp = int(pivots_.size());
  pivot.begin = list_.size(), pivot.mark = stamp;
  const auto take = [&](int u) {
    Vertex& other = at(u);
    if (!other.gone && other.mark != stamp) other.mark = stamp, list_.push_back(u);
  };
  const int* slot = slots_.data() + pivot.slot;
  for (int k = 0; k < pivot.neighbours; ++k) take(slot[k]);
  for (int k = pivot.neighbours; k < pivot.neighbours + pivot.elements; ++k) {
    Vertex& element = at(slot[k]);
    for (std::size_t i = element.begin; i < element.end; ++i) take(list_[i]);
    element.absorbed = true;
  }
  pivot.end = list_.size();
  std::sort(list_.begin() + std::ptrdiff_t(pivot.begin), list_.end());
}

void MinimumDegree::count_outside(const Vertex& pivot) {
  for (std::size_t i = pivot.begin; i < pivot.end; ++i) {
    const Vertex& u = at(list_[i]);
    for (int k = u.neighbours; k < u.neighbours + u.elements; ++k) {
      Vertex& element = at(slots_[std::size_t(u.slot + k)]);
      if (element.absorbed) continue;
      if (element.outside < 0) {
        element.outside = 0;
        for (std::size_t x = element.begin; x < element.end; ++x)
          if (const Vertex& other = at(list_[x]); !other.gone) element.outside += other.weight;
      }
      element.outside -= u.weight;
    }
  }
}

/// After v has gone: what u of its list still has beside it, and its degree. The place of an edge or an
/// element that v covers is free for v itself.
void MinimumDegree::renew(int u, int v, int total) {
  Vertex& mine = at(u);
  leave(u);
  int* slot = slots_.data() + mine.slot;
  int kept = 0, degree = total - mine.weight;
  for (int k = 0; k < mine.neighbours; ++k) {
    const Vertex& other = at(slot[k]);
    if (other.gone || other.mark == mine.mark) continue;
    degree += other.weight, slot[kept++] = slot[k];
  }
  const int neighbours = kept;
  for (int k = mine.neighbours; k < mine.neighbours + mine.elements; ++k) {
    const Vertex& element = at(slot[k]);
    if (element.absorbed) continue;
    degree += element.outside, slot[kept++] = slot[k];
  }
  slot[kept++] = v;
  mine.neighbours = neighbours, mine.elements = kept - neighbours;
  mine.degree = std::min(degree, int(queue_.size()) - 1);
  enter(u);
}

void MinimumDegree::eliminate(int v) {
  leave(v);
  at(v).gone = true;
  pivots_.push_back(v);
  collect(v);
  const Vertex pivot = at(v);
  int total = 0;
  for (std::size_t i = pivot.begin; i < pivot.end; ++i) total += at(list_[i]).weight;
  count_outside(pivot);
  for (std::size_t i = pivot.begin; i < pivot.end; ++i) renew(list_[i], v, total);
  for (std::size_t i = pivot.begin; i < pivot.end; ++i) {
    const Vertex& u = at(list_[i]);
    for (int k = u.neighbours; k < u.neighbours + u.elements; ++k)
      at(slots_[std::size_t(u.slot + k)]).outside = -1;
  }
}

void MinimumDegree::run(const std::vector<int>& start, const std::vector<int>& column,
                        const std::vector<int>& weight) {
  const int n = int(weight.size());
  vertices_.assign(weight.size(), {});
  slots_ = column;
  list_.clear(), pivots_.clear();
  queue_.assign(std::size_t(std::accumulate(weight.begin(), weight.end(), 0)) + 1, -1);
  int live = 0;
  for (int v = n - 1; v >= 0; --v) {
    Vertex& vertex = at(v);
    vertex.weight = weight[std::size_t(v)];
    if (vertex.weight == 0) continue;
    ++live;
    vertex.slot = start[std::size_t(v)], vertex.neighbours = start[std::size_t(v) + 1] - vertex.slot;
    for (int k = 0; k < vertex.neighbours; ++k)
      vertex.degree += weight[std::size_t(column[std::size_t(vertex.slot + k)])];
    enter(v);
  }
  for (int low = 0; int(pivots_.size()) < live;) {
    const int v = queue_[std::size_t(low)];
    if (v < 0) {
      ++low;
      continue;
    }
    eliminate(v);
    for (const int u : below(v)) low = std::min(low, at(u).degree);
  }
}

}  // namespace stiction::complementarity::detail
