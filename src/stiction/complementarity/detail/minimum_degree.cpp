#include "stiction/complementarity/detail/minimum_degree.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace stiction::complementarity::detail {
namespace {

std::size_t at(int i) { return std::size_t(i); }

void empty_all(std::vector<std::vector<int>>& lists, std::size_t count) {
  lists.resize(count);
  for (std::vector<int>& list : lists) list.clear();
}

}  // namespace

void MinimumDegree::reset(int n) {
  empty_all(neighbours, at(n)), empty_all(below, at(n)), empty_all(elements, at(n));
  weight.assign(at(n), 0), degree.assign(at(n), 0), mark.assign(at(n), 0), outside.assign(at(n), -1);
  gone.assign(at(n), 0), absorbed.assign(at(n), 0);
  pivots.clear();
  stamp = 0;
}

void MinimumDegree::push(int v) { bucket[at(degree[at(v)])].push_back(v); }

/// |L_e \ list| of every element seen from the list.
void MinimumDegree::count_outside(const std::vector<int>& list) {
  for (const int u : list)
    for (const int e : elements[at(u)]) {
      if (absorbed[at(e)]) continue;
      if (outside[at(e)] < 0) {
        outside[at(e)] = 0;
        for (const int x : below[at(e)])
          if (!gone[at(x)]) outside[at(e)] += weight[at(x)];
      }
      outside[at(e)] -= weight[at(u)];
    }
}

void MinimumDegree::eliminate(int v) {
  gone[at(v)] = 1, pivots.push_back(v);
  std::vector<int>& list = below[at(v)];
  mark[at(v)] = ++stamp;
  const auto take = [&](int u) {
    if (!gone[at(u)] && mark[at(u)] != stamp) mark[at(u)] = stamp, list.push_back(u);
  };
  for (const int u : neighbours[at(v)]) take(u);
  for (const int e : elements[at(v)]) {
    for (const int u : below[at(e)]) take(u);
    absorbed[at(e)] = 1;
  }
  std::sort(list.begin(), list.end());
  int total = 0;
  for (const int u : list) total += weight[at(u)];
  count_outside(list);
  for (const int u : list) {
    std::vector<int>& mine = elements[at(u)];
    std::erase_if(mine, [&](int e) { return absorbed[at(e)]; });
    std::erase_if(neighbours[at(u)], [&](int x) { return gone[at(x)] || mark[at(x)] == stamp; });
    int d = total - weight[at(u)];
    for (const int x : neighbours[at(u)]) d += weight[at(x)];
    for (const int e : mine) d += outside[at(e)];
    mine.push_back(v);
    degree[at(u)] = std::min(d, int(bucket.size()) - 1);
    push(u);
  }
  for (const int u : list)
    for (const int e : elements[at(u)]) outside[at(e)] = -1;
}

void MinimumDegree::run() {
  const int n = int(weight.size());
  empty_all(bucket, at(std::accumulate(weight.begin(), weight.end(), 0)) + 1);
  int live = 0;
  for (int v = n - 1; v >= 0; --v) {
    if (weight[at(v)] == 0) continue;
    ++live;
    for (const int u : neighbours[at(v)]) degree[at(v)] += weight[at(u)];
    push(v);
  }
  for (int low = 0; int(pivots.size()) < live;) {
    if (bucket[at(low)].empty()) {
      ++low;
      continue;
    }
    const int v = bucket[at(low)].back();
    bucket[at(low)].pop_back();
    if (gone[at(v)] || degree[at(v)] != low) continue;
    eliminate(v);
    for (const int u : below[at(v)]) low = std::min(low, degree[at(u)]);
  }
}

}  // namespace stiction::complementarity::detail
