#include "stiction/complementarity/nonlinear/detail/sparse_lu.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace stiction::complementarity::detail {
namespace {

constexpr double diagonal_share = 0.1;  // the diagonal stays the pivot above this share of the largest entry

std::size_t at(int i) { return std::size_t(i); }

// Neighbours in the graph of A + A^T, sorted, without the vertex itself.
std::vector<std::vector<int>> graph_of(const SparseColumns& a) {
  std::vector<std::vector<int>> graph(at(a.n));
  for (int j = 0; j < a.n; ++j)
    for (int k = a.start[at(j)]; k < a.start[at(j + 1)]; ++k) {
      const int i = a.row[at(k)];
      if (i == j) continue;
      graph[at(i)].push_back(j);
      graph[at(j)].push_back(i);
    }
  for (std::vector<int>& list : graph) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return graph;
}

// The union of two neighbourhoods, without u (whose list it becomes) and the eliminated v.
void merge(const std::vector<int>& of_v, int u, int v, std::vector<int>& of_u, std::vector<int>& scratch) {
  scratch.clear();
  std::set_union(of_u.begin(), of_u.end(), of_v.begin(), of_v.end(), std::back_inserter(scratch));
  std::erase_if(scratch, [u, v](int w) { return w == u || w == v; });
  of_u.swap(scratch);
}

}  // namespace

void SparseLu::order(const SparseColumns& a) {
  if (pattern_start_ == a.start && pattern_row_ == a.row) return;
  pattern_start_ = a.start;
  pattern_row_ = a.row;
  std::vector<std::vector<int>> graph = graph_of(a);
  std::vector<std::vector<int>> bucket(at(a.n) + 1);  // vertices by degree; entries may be out of date
  for (int v = a.n - 1; v >= 0; --v) bucket[graph[at(v)].size()].push_back(v);
  std::vector<char> done(at(a.n), 0);
  std::vector<int> scratch;
  column_order_.clear();
  std::size_t degree = 0;
  while (int(column_order_.size()) < a.n) {
    if (bucket[degree].empty()) {
      ++degree;
      continue;
    }
    const int v = bucket[degree].back();
    bucket[degree].pop_back();
    if (done[at(v)] || graph[at(v)].size() != degree) continue;
    done[at(v)] = 1;
    column_order_.push_back(v);
    for (const int u : graph[at(v)]) {
      merge(graph[at(v)], u, v, graph[at(u)], scratch);
      const std::size_t now = graph[at(u)].size();
      bucket[now].push_back(u);
      degree = std::min(degree, now);
    }
    graph[at(v)] = {};
  }
}

// Depth-first search through the columns of L from row `from`; finished rows are put below `top`.
void SparseLu::search(int from, int& top) {
  int depth = 0;
  node_[0] = from;
  while (depth >= 0) {
    const int i = node_[at(depth)];
    const int column = pivot_of_row_[at(i)];
    if (!mark_[at(i)]) {
      mark_[at(i)] = 1;
      next_[at(depth)] = column < 0 ? 0 : l_start_[at(column)];
    }
    bool deeper = false;
    const int end = column < 0 ? 0 : l_start_[at(column + 1)];
    for (int k = next_[at(depth)]; k < end && !deeper; ++k) {
      const int below = l_row_[at(k)];
      if (mark_[at(below)]) continue;
      next_[at(depth)] = k + 1;
      node_[at(++depth)] = below;
      deeper = true;
    }
    if (deeper) continue;
    stack_[at(--top)] = i;
    --depth;
  }
}

int SparseLu::reach(const SparseColumns& a, int column) {
  int top = n_;
  for (int k = a.start[at(column)]; k < a.start[at(column + 1)]; ++k)
    if (!mark_[at(a.row[at(k)])]) search(a.row[at(k)], top);
  for (int k = top; k < n_; ++k) mark_[at(stack_[at(k)])] = 0;
  return top;
}

bool SparseLu::eliminate(const SparseColumns& a, int k, double small) {
  const int column = column_order_[at(k)];
  const int top = reach(a, column);
  double largest_entry = 0;
  for (int t = top; t < n_; ++t) x_[at(stack_[at(t)])] = 0;
  for (int t = a.start[at(column)]; t < a.start[at(column + 1)]; ++t) {
    const int i = a.row[at(t)];
    x_[at(i)] = a.value[at(t)] * row_scale_[at(i)];
    largest_entry = std::fmax(largest_entry, std::fabs(x_[at(i)]));
  }
  int pivot = -1;
  double largest = 0;
  for (int t = top; t < n_; ++t) {
    const int i = stack_[at(t)], done = pivot_of_row_[at(i)];
    const double value = x_[at(i)];
    if (done < 0) {
      if (std::fabs(value) > largest || pivot < 0) largest = std::fabs(value), pivot = i;
      continue;
    }
    u_row_.push_back(done);
    u_.push_back(value);
    for (int m = l_start_[at(done)]; m < l_start_[at(done + 1)]; ++m)
      x_[at(l_row_[at(m)])] -= l_[at(m)] * value;
  }
  if (pivot < 0 || !(largest > small * largest_entry) || !std::isfinite(largest)) return false;
  // A row that was not reached has an old number in x_; only rows of this column count.
  for (int t = top; t < n_; ++t)
    if (stack_[at(t)] == column && pivot_of_row_[at(column)] < 0 &&
        std::fabs(x_[at(column)]) >= diagonal_share * largest)
      pivot = column;
  const double diagonal = x_[at(pivot)];
  pivot_of_row_[at(pivot)] = k;
  u_row_.push_back(k);
  u_.push_back(diagonal);
  for (int t = top; t < n_; ++t) {
    const int i = stack_[at(t)];
    if (pivot_of_row_[at(i)] >= 0) continue;
    l_row_.push_back(i);
    l_.push_back(x_[at(i)] / diagonal);
  }
  return true;
}

bool SparseLu::factor(const SparseColumns& a, double small) {
  n_ = a.n;
  order(a);
  row_scale_.assign(at(n_), 0);
  for (std::size_t k = 0; k < a.row.size(); ++k)
    row_scale_[at(a.row[k])] = std::fmax(row_scale_[at(a.row[k])], std::fabs(a.value[k]));
  for (double& s : row_scale_) {
    if (!(s > 0) || !std::isfinite(s)) return false;
    s = 1 / s;
  }
  pivot_of_row_.assign(at(n_), -1);
  mark_.assign(at(n_), 0);
  x_.assign(at(n_), 0);
  stack_.resize(at(n_)), node_.resize(at(n_)), next_.resize(at(n_));
  l_start_.assign(1, 0), u_start_.assign(1, 0);
  l_row_.clear(), l_.clear(), u_row_.clear(), u_.clear();
  for (int k = 0; k < n_; ++k) {
    if (!eliminate(a, k, small)) return false;
    l_start_.push_back(int(l_row_.size()));
    u_start_.push_back(int(u_row_.size()));
  }
  for (int& i : l_row_) i = pivot_of_row_[at(i)];
  return true;
}

void SparseLu::solve(std::vector<double>& b) {
  work_.resize(at(n_));
  for (int i = 0; i < n_; ++i) work_[at(pivot_of_row_[at(i)])] = b[at(i)] * row_scale_[at(i)];
  for (int k = 0; k < n_; ++k)
    for (int m = l_start_[at(k)]; m < l_start_[at(k + 1)]; ++m)
      work_[at(l_row_[at(m)])] -= l_[at(m)] * work_[at(k)];
  for (int k = n_ - 1; k >= 0; --k) {
    const int last = u_start_[at(k + 1)] - 1;
    work_[at(k)] /= u_[at(last)];
    for (int m = u_start_[at(k)]; m < last; ++m) work_[at(u_row_[at(m)])] -= u_[at(m)] * work_[at(k)];
  }
  for (int k = 0; k < n_; ++k) b[at(column_order_[at(k)])] = work_[at(k)];
}

}  // namespace stiction::complementarity::detail
