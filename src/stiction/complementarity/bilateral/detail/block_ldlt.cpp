// Right-looking block LDL^T. Pivot block k with kept rows K and the column W_i = S_ik below it:
//     P = inverse of the pivot on K, zero elsewhere;   L_i = W_i P;   S_ij -= L_i W_j^T
// In a semidefinite matrix a row whose pivot is zero is zero to its right as well, so that nothing is lost
// with the dropped ones but round-off. With B the columns (-P S_Kr on the kept rows K of the pivot, 1 on the
// dropped row r), N = L^-T B spans the null space, and N c or N^T y costs half a solution. Works with
// matrices scaled to a diagonal of about 1, so that the tolerance of the pivots means the same for every row.
// Fails where rows are neither dependent nor independent to working precision: then the tolerance decides.
#include "stiction/complementarity/bilateral/detail/block_ldlt.h"

#include <algorithm>
#include <cstddef>

#include "stiction/base/assert.h"
#include "stiction/complementarity/bilateral/detail/semidefinite.h"

namespace stiction::complementarity::bilateral::detail {
namespace {

/// c -= a b^T with a: rows x inner, b: columns x inner.
inline void subtract_product(int rows, int columns, int inner, const double* a, const double* b, double* c) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double sum = 0;
      for (int k = 0; k < inner; ++k) sum += a[i * inner + k] * b[j * inner + k];
      c[i * columns + j] -= sum;
    }
}

}  // namespace

void BlockLdlt::analyse(const std::vector<int>& size, const std::vector<std::pair<int, int>>& pairs) {
  size_ = size;
  start_.assign(1, 0);
  for (const int s : size) start_.push_back(start_.back() + s);
  order(pairs);
  lay_out(pairs);
}

void BlockLdlt::order(const std::vector<std::pair<int, int>>& pairs) {
  const auto at = [](int i) { return std::size_t(i); };
  const int n = int(size_.size());
  edges_.clear();
  for (const auto& [i, j] : pairs) {
    STICTION_ASSERT(i != j && i >= 0 && j >= 0 && i < n && j < n);
    edges_.emplace_back(i, j), edges_.emplace_back(j, i);
  }
  std::sort(edges_.begin(), edges_.end());
  graph_start_.assign(at(n) + 1, 0), neighbour_.clear();
  for (const auto& [i, j] : edges_) ++graph_start_[at(i) + 1], neighbour_.push_back(j);
  for (int i = 0; i < n; ++i) graph_start_[at(i) + 1] += graph_start_[at(i)];
  graph_.run(graph_start_, neighbour_, size_);
  position_.assign(at(n), -1), order_.clear(), columns_.clear(), rows_.clear();
  for (const int v : graph_.pivots()) {
    position_[at(v)] = int(order_.size());
    order_.push_back(v);
    const int begin = int(rows_.size());
    rows_.insert(rows_.end(), graph_.below(v).begin(), graph_.below(v).end());
    columns_.push_back({begin, int(rows_.size())});
  }
  for (const Column& c : columns_) {
    for (int s = c.begin; s < c.end; ++s) rows_[at(s)] = position_[at(rows_[at(s)])];
    std::sort(rows_.begin() + c.begin, rows_.begin() + c.end);
  }
}

void BlockLdlt::lay_out(const std::vector<std::pair<int, int>>& pairs) {
  const auto at = [](int i) { return std::size_t(i); };
  std::size_t end = 0, longest = 0;
  diagonal_at_.clear(), slot_at_.clear(), pair_at_.clear(), pair_second_rows_.clear();
  factor_work_ = solve_work_ = 0;
  for (int k = 0; k < int(order_.size()); ++k) {
    const int mine = size_at(k);
    diagonal_at_.push_back(end);
    end += at(mine * mine);
    std::size_t length = 0;
    double below = 0;
    for (int s = columns_[at(k)].begin; s < columns_[at(k)].end; ++s) {
      slot_at_.push_back(end);
      end += at(mine * size_at(rows_[at(s)]));
      length += at(mine * size_at(rows_[at(s)]));
      below += size_at(rows_[at(s)]);
    }
    longest = std::max(longest, length);
    const double m = mine;
    factor_work_ += m * m * m + below * m * m + 0.5 * below * (below + 1) * m;
    solve_work_ += m * m + 2 * below * m;
  }
  for (const auto& [i, j] : pairs) {
    const int a = position_[at(i)], b = position_[at(j)];
    const Column& c = columns_[at(std::min(a, b))];
    const auto first = rows_.begin() + c.begin, last = rows_.begin() + c.end;
    const auto found = std::lower_bound(first, last, std::max(a, b));
    STICTION_ASSERT(found != last && *found == std::max(a, b));
    pair_at_.push_back(slot_at_[std::size_t(found - rows_.begin())]);
    pair_second_rows_.push_back(b > a ? 1 : 0);
  }
  values_.resize(end), column_.resize(longest), pivots_.resize(order_.size() * 36);
}

void BlockLdlt::set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }

void BlockLdlt::factorise(double tolerance) {
  dropped_.clear();
  SmallInverse small;
  double* v = values_.data();
  for (int k = 0; k < int(order_.size()); ++k) {
    const int mine = size_at(k);
    invert_semidefinite(mine, v + diagonal_at_[std::size_t(k)], tolerance, small);
    std::copy(small.inverse, small.inverse + 36, pivots_.begin() + std::ptrdiff_t(k) * 36);
    for (int r = 0; r < mine; ++r) {
      if ((small.dropped >> r & 1u) == 0) continue;
      Dropped& d = dropped_.emplace_back();
      d.node = order_[std::size_t(k)], d.row = r;
      for (int i = 0; i < mine; ++i) d.null[i] = i == r ? 1 : -small.coupling[i * mine + r];
    }
    const Column& c = columns_[std::size_t(k)];
    double* W = column_.data();
    for (int s = c.begin; s < c.end; ++s) {  // W aside, L in its place
      double* L = v + slot_at_[std::size_t(s)];
      const int area = mine * size_at(rows_[std::size_t(s)]);
      std::copy(L, L + area, W);
      std::fill(L, L + area, 0.0);
      subtract_product(area / mine, mine, mine, W, small.inverse, L);  // P is symmetric
      for (int i = 0; i < area; ++i) L[i] = -L[i];
      W += area;
    }
    W = column_.data();
    for (int s = c.begin; s < c.end; ++s) {
      const int i = rows_[std::size_t(s)], size = size_at(i);
      subtract_product(size, size, mine, v + slot_at_[std::size_t(s)], W, v + diagonal_at_[std::size_t(i)]);
      int target = columns_[std::size_t(i)].begin;
      for (int t = s + 1; t < c.end; ++t) {
        const int j = rows_[std::size_t(t)];
        while (rows_[std::size_t(target)] != j) ++target;
        subtract_product(size_at(j), size, mine, v + slot_at_[std::size_t(t)], W,
                         v + slot_at_[std::size_t(target)]);
      }
      W += size * mine;
    }
  }
}

/// x := L^-1 x
void BlockLdlt::forward_substitute(double* x) const {
  for (int k = 0; k < int(order_.size()); ++k) {
    const Column& c = columns_[std::size_t(k)];
    const int mine = size_at(k);
    const double* y = x + start_at(k);
    for (int s = c.begin; s < c.end; ++s) {
      const int i = rows_[std::size_t(s)];
      const double* L = values_.data() + slot_at_[std::size_t(s)];
      double* z = x + start_at(i);
      for (int a = 0; a < size_at(i); ++a) {
        double sum = 0;
        for (int b = 0; b < mine; ++b) sum += L[a * mine + b] * y[b];
        z[a] -= sum;
      }
    }
  }
}

/// x := L^-T x
void BlockLdlt::back_substitute(double* x) const {
  for (int k = int(order_.size()) - 1; k >= 0; --k) {
    const Column& c = columns_[std::size_t(k)];
    const int mine = size_at(k);
    double* y = x + start_at(k);
    for (int s = c.begin; s < c.end; ++s) {
      const int i = rows_[std::size_t(s)];
      const double *L = values_.data() + slot_at_[std::size_t(s)], *z = x + start_at(i);
      for (int a = 0; a < size_at(i); ++a)
        for (int b = 0; b < mine; ++b) y[b] -= L[a * mine + b] * z[a];
    }
  }
}

void BlockLdlt::solve(double* x) const {
  forward_substitute(x);
  for (int k = 0; k < int(order_.size()); ++k) {
    const int mine = size_at(k);
    const double* P = pivot(k);
    double *y = x + start_at(k), out[6];
    for (int a = 0; a < mine; ++a) {
      double sum = 0;
      for (int b = 0; b < mine; ++b) sum += P[a * mine + b] * y[b];
      out[a] = sum;
    }
    std::copy(out, out + mine, y);
  }
  back_substitute(x);
}

void BlockLdlt::null_combination(const double* c, double* x) const {
  std::fill(x, x + start_.back(), 0.0);
  for (const Dropped& d : dropped_) {
    double* y = x + start_[std::size_t(d.node)];
    for (int i = 0; i < size_[std::size_t(d.node)]; ++i) y[i] += *c * d.null[i];
    ++c;
  }
  back_substitute(x);
}

void BlockLdlt::null_products(double* y, double* c) const {
  forward_substitute(y);
  for (const Dropped& d : dropped_) {
    const double* mine = y + start_[std::size_t(d.node)];
    double sum = 0;
    for (int i = 0; i < size_[std::size_t(d.node)]; ++i) sum += d.null[i] * mine[i];
    *c++ = sum;
  }
}

}  // namespace stiction::complementarity::bilateral::detail
