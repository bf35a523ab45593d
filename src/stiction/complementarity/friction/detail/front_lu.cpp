#include "stiction/complementarity/friction/detail/front_lu.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stiction/complementarity/linear/detail/dense.h"

namespace stiction::complementarity::friction {
namespace {

constexpr int one_front = 36;         // [-] rows up to which ordering does not pay
constexpr int panel = 24;             // [-] columns eliminated at a time
constexpr double joined_zeros = 0.2;  // [-] share of explicit zeros that a joined front may have

std::size_t at(int i) { return std::size_t(i); }

/// Rows with the same closed neighbourhood, listed with the lowest.
std::vector<std::vector<int>> merge_equal(int n, const std::vector<int>& start,
                                          const std::vector<int>& column, std::vector<int>& leader) {
  std::vector<unsigned long long> key(at(n));
  for (int i = 0; i < n; ++i) {
    unsigned long long sum = 0x9e3779b97f4a7c15ull * static_cast<unsigned long long>(i + 1);
    for (int e = start[at(i)]; e < start[at(i) + 1]; ++e)
      sum += 0x9e3779b97f4a7c15ull * static_cast<unsigned long long>(column[at(e)] + 1);
    key[at(i)] = sum;
  }
  const auto has = [&](int i, int j) {
    return std::binary_search(column.begin() + start[at(i)], column.begin() + start[at(i) + 1], j);
  };
  const auto same = [&](int i, int j) {  // neighbours of i without j = neighbours of j without i
    int a = start[at(i)], b = start[at(j)];
    while (true) {
      if (a < start[at(i) + 1] && column[at(a)] == j) ++a;
      if (b < start[at(j) + 1] && column[at(b)] == i) ++b;
      const bool end_a = a == start[at(i) + 1], end_b = b == start[at(j) + 1];
      if (end_a || end_b) return end_a && end_b;
      if (column[at(a++)] != column[at(b++)]) return false;
    }
  };
  leader.assign(at(n), -1);
  std::vector<std::vector<int>> merged(at(n));
  for (int i = 0; i < n; ++i) {
    if (leader[at(i)] >= 0) continue;
    leader[at(i)] = i, merged[at(i)].push_back(i);
    for (int e = start[at(i)]; e < start[at(i) + 1]; ++e) {
      const int j = column[at(e)];
      if (j < i || leader[at(j)] >= 0 || key[at(j)] != key[at(i)] || !has(j, i) || !same(i, j)) continue;
      leader[at(j)] = i, merged[at(i)].push_back(j);
    }
  }
  return merged;
}

}  // namespace

void FrontLu::analyse(const std::vector<int>& width, const std::vector<int>& start,
                      const std::vector<int>& column) {
  if (width == width_ && start == start_ && column == column_) return;
  n_ = int(width.size()), width_ = width, start_ = start, column_ = column;
  first_.assign(1, 0);
  for (const int w : width) first_.push_back(first_.back() + w);
  position_.assign(at(n_), 0), place_.assign(at(n_), 0);
  members_.clear(), fronts_.clear();
  if (first_.back() <= one_front) {
    for (int i = 0; i < n_; ++i) position_[at(i)] = i, members_.push_back(i);
    fronts_.emplace_back();
    fronts_[0].pivot_end = fronts_[0].end = fronts_[0].last = n_;
  } else {
    order();
  }
  cost_ = 0;
  std::size_t values = 0, exchange = 0;
  for (Front& front : fronts_) {
    front.pivots = front.size = 0;
    for (int e = front.begin; e < front.end; ++e) {
      front.size += width_[at(members_[at(e)])];
      if (e + 1 == front.pivot_end) front.pivots = front.size;
    }
    const auto p = at(front.pivots), f = at(front.size);
    front.values = values, front.exchange = exchange;
    values += p * f + (f - p) * p, exchange += p;
    const double x = double(p), y = double(f - p);
    cost_ += x * x * x / 3 + x * x * y + x * y * y;
  }
  values_.resize(values), exchange_.resize(exchange), work_.resize(at(first_.back()));
}

void FrontLu::order() {
  std::vector<int> leader;
  const std::vector<std::vector<int>> merged = merge_equal(n_, start_, column_, leader);
  std::vector<int> weight(at(n_), 0), start{0}, column;
  for (int i = 0; i < n_; ++i) {
    if (leader[at(i)] == i) {
      for (const int k : merged[at(i)]) weight[at(i)] += width_[at(k)];
      for (int e = start_[at(i)]; e < start_[at(i) + 1]; ++e)
        if (const int j = column_[at(e)]; leader[at(j)] == j) column.push_back(j);
    }
    start.push_back(int(column.size()));
  }
  detail::MinimumDegree graph;
  graph.run(start, column, weight);
  build_fronts(graph, weight, merged);
}

void FrontLu::build_fronts(const detail::MinimumDegree& graph, const std::vector<int>& weight,
                           const std::vector<std::vector<int>>& merged) {
  const std::vector<int>& pivots = graph.pivots();
  // tree of the vertices; a vertex joins its parent where that adds few zeros
  const int count = int(pivots.size());
  std::vector<int> turn(at(n_), -1), parent(at(count), -1), joined(at(count), 0), rows(at(count), 0),
      touched(at(count), 0);
  std::vector<double> zeros(at(count), 0.0);      // in the pivot rows and columns of a front
  std::vector<std::vector<int>> list(at(count));  // pivots of a front, as turns
  for (int t = 0; t < count; ++t) turn[at(pivots[at(t)])] = t;
  for (int t = 0; t < count; ++t) {
    rows[at(t)] = weight[at(pivots[at(t)])];
    for (const int u : graph.below(pivots[at(t)])) {
      touched[at(t)] += weight[at(u)];
      if (parent[at(t)] < 0 || turn[at(u)] < parent[at(t)]) parent[at(t)] = turn[at(u)];
    }
    list[at(t)].push_back(t);
  }
  for (int t = 0; t < count; ++t) {
    const int up = parent[at(t)];
    if (up < 0) continue;
    const double p = rows[at(t)], size = rows[at(up)] + p;
    const double all =
        zeros[at(t)] + zeros[at(up)] + 2 * p * (rows[at(up)] + touched[at(up)] - touched[at(t)]);
    if (all > joined_zeros * size * (size + 2.0 * touched[at(up)]) && size > 16) continue;
    zeros[at(up)] = all;
    joined[at(t)] = 1;
    rows[at(up)] += rows[at(t)];
    list[at(up)].insert(list[at(up)].begin(), list[at(t)].begin(), list[at(t)].end());
  }
  const auto top = [&](int t) {
    while (joined[at(t)]) t = parent[at(t)];
    return t;
  };
  // postorder of the fronts
  std::vector<std::vector<int>> children(at(count));
  std::vector<int> stack, sequence;
  for (int t = count - 1; t >= 0; --t) {
    if (joined[at(t)]) continue;
    if (parent[at(t)] < 0)
      stack.push_back(t);
    else
      children[at(top(parent[at(t)]))].push_back(t);
  }
  while (!stack.empty()) {  // parents first; reversed below
    const int t = stack.back();
    stack.pop_back();
    sequence.push_back(t);
    for (const int c : children[at(t)]) stack.push_back(c);
  }
  std::reverse(sequence.begin(), sequence.end());
  int position = 0;
  for (const int t : sequence) {
    Front front;
    front.begin = int(members_.size()), front.first = position;
    front.children = int(children[at(t)].size());
    for (const int v : list[at(t)])
      for (const int i : merged[at(pivots[at(v)])]) members_.push_back(i), position_[at(i)] = position++;
    front.pivot_end = int(members_.size()), front.last = position;
    for (const int u : graph.below(pivots[at(t)]))
      for (const int i : merged[at(u)]) members_.push_back(i);
    front.end = int(members_.size());
    fronts_.push_back(front);
  }
  for (const Front& front : fronts_)
    std::sort(members_.begin() + front.pivot_end, members_.begin() + front.end,
              [&](int a, int b) { return position_[at(a)] < position_[at(b)]; });
}

void FrontLu::begin() { stack_.clear(), contributions_.clear(); }

int FrontLu::open(int k) {
  const Front& front = fronts_[at(k)];
  const int f = front.size;
  front_.assign(at(f) * at(f), 0.0);
  for (int e = front.begin, row = 0; e < front.end; ++e) {
    place_[at(members_[at(e)])] = row;
    row += width_[at(members_[at(e)])];
  }
  for (int c = 0; c < front.children; ++c) {
    const Contribution mine = contributions_.back();
    contributions_.pop_back();
    const Front& child = fronts_[at(mine.front)];
    const double* from = stack_.data() + mine.values;
    for (int a = child.pivot_end; a < child.end; ++a) {
      const int row = place_[at(members_[at(a)])];
      for (int i = 0; i < width_[at(members_[at(a)])]; ++i)
        for (int b = child.pivot_end; b < child.end; ++b) {
          double* to = front_.data() + at(row + i) * at(f) + at(place_[at(members_[at(b)])]);
          const int width = width_[at(members_[at(b)])];
          for (int j = 0; j < width; ++j) to[j] += from[j];
          from += width;
        }
    }
    stack_.resize(mine.values);
  }
  return f;
}

/// LU of the first p columns, exchanges among the first p rows; then U to their right.
bool FrontLu::factor_pivots(int p, int f, int* exchange) {
  const auto ld = at(f);
  double* a = front_.data();
  for (int begin = 0; begin < p; begin += panel) {
    if (stop_.asked()) return false;
    const int end = std::min(begin + panel, p);
    for (int k = begin; k < end; ++k) {
      int pivot = k;
      for (int i = k + 1; i < p; ++i)
        if (std::fabs(a[at(i) * ld + at(k)]) > std::fabs(a[at(pivot) * ld + at(k)])) pivot = i;
      const double value = a[at(pivot) * ld + at(k)];
      if (!(std::fabs(value) > 1e-300) || !std::isfinite(value)) return false;
      exchange[k] = pivot;
      if (pivot != k) std::swap_ranges(a + at(k) * ld, a + at(k + 1) * ld, a + at(pivot) * ld);
      const double* row = a + at(k) * ld;
      const double inverse = 1 / value;
      for (int i = k + 1; i < f; ++i) {
        double* mine = a + at(i) * ld;
        if (mine[k] == 0) continue;
        const double factor = mine[k] *= inverse;
        for (int j = k + 1; j < end; ++j) mine[j] -= factor * row[j];
      }
    }
    if (end == f) return true;
    for (int i = begin + 1; i < end; ++i)
      for (int j = begin; j < i; ++j)
        detail::add_scaled(at(f - end), -a[at(i) * ld + at(j)], a + at(j) * ld + at(end),
                           a + at(i) * ld + at(end));
    detail::subtract_product(at(f - end), at(f - end), at(end - begin), a + at(end) * ld + at(begin), ld,
                             a + at(begin) * ld + at(end), ld, false, a + at(end) * ld + at(end), ld, pack_);
  }
  return true;
}

bool FrontLu::eliminate(int k, int f) {
  const Front& front = fronts_[at(k)];
  const int p = front.pivots;
  if (!factor_pivots(p, f, exchange_.data() + front.exchange)) return false;
  double* out = values_.data() + front.values;
  std::memcpy(out, front_.data(), sizeof(double) * at(p) * at(f));
  out += at(p) * at(f);
  for (int i = p; i < f; ++i, out += p)
    std::memcpy(out, front_.data() + at(i) * at(f), sizeof(double) * at(p));
  if (f == p) return true;
  contributions_.push_back({k, stack_.size()});
  for (int i = p; i < f; ++i) {
    const double* row = front_.data() + at(i) * at(f);
    stack_.insert(stack_.end(), row + p, row + f);
  }
  return true;
}

void FrontLu::solve(double* x) {
  const auto gather = [&](const Front& front, double* out) {
    for (int e = front.begin; e < front.end; ++e) {
      const int i = members_[at(e)];
      std::memcpy(out, x + first_[at(i)], sizeof(double) * at(width_[at(i)]));
      out += width_[at(i)];
    }
  };
  const auto scatter = [&](const Front& front, int end, const double* in) {
    for (int e = front.begin; e < end; ++e) {
      const int i = members_[at(e)];
      std::memcpy(x + first_[at(i)], in, sizeof(double) * at(width_[at(i)]));
      in += width_[at(i)];
    }
  };
  double* y = work_.data();
  for (const Front& front : fronts_) {
    const int p = front.pivots, f = front.size;
    const double* U = values_.data() + front.values;
    const double* L = U + at(p) * at(f);
    gather(front, y);
    for (int i = 0; i < p; ++i) std::swap(y[i], y[exchange_[front.exchange + at(i)]]);
    for (int i = 1; i < p; ++i) y[i] -= detail::dot(at(i), U + at(i) * at(f), y);
    for (int i = p; i < f; ++i) y[i] -= detail::dot(at(p), L + at(i - p) * at(p), y);
    scatter(front, front.end, y);
  }
  for (std::size_t k = fronts_.size(); k-- > 0;) {
    const Front& front = fronts_[k];
    const int p = front.pivots, f = front.size;
    const double* U = values_.data() + front.values;
    gather(front, y);
    for (int i = p - 1; i >= 0; --i) {
      const double* row = U + at(i) * at(f);
      y[i] = (y[i] - detail::dot(at(f - i - 1), row + i + 1, y + i + 1)) / row[i];
    }
    scatter(front, front.pivot_end, y);
  }
}

}  // namespace stiction::complementarity::friction
