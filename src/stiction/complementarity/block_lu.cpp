// Right-looking block LU without pivoting between blocks (partial pivoting inside the 6x6 pivots): the
// matrices here are A + G^T D G with A positive definite, and D's unsymmetric part comes from sliding
// contacts only. Order: approximate minimum degree, with memory that grows with the factors. Pivots in a row
// whose columns have the same rows below them form a panel: what is right of it is read and written once for
// all of them, not once for each, and gets their products in the order of the pivots as ever.
// With several threads, each takes columns right of the panel; none is written by two.
// Fails when strong normal-tangential coupling makes a pivot block singular: factorise() returns false.
// Sums run over k in one order, whatever the width of the registers: the same bits everywhere.
#include "stiction/complementarity/block_lu.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stiction/base/assert.h"
#include "stiction/math/lanes.h"

namespace stiction::complementarity {
namespace {

constexpr int w = BlockLu::width;
constexpr int worth_sharing = 2000;  // [block products] of a panel: some 50 us, ten times what threads cost

using lanes::Four;

/// c += sign a b, two rows at a time: twelve numbers in three registers, each summed in the order of k.
template <int sign>
STICTION_INLINE void add_product(const double* a, const double* b, double* c) {
  for (int i = 0; i < w; i += 2) {
    Four c0, c1, c2, b0, b2;
    lanes::load(c + i * w, c0), lanes::load(c + i * w + 4, c1), lanes::load(c + i * w + 8, c2);
    for (int k = 0; k < w; ++k) {
      const double x = sign * a[i * w + k], y = sign * a[(i + 1) * w + k];
      lanes::load(b + k * w, b0), lanes::load(b + k * w + 2, b2);
      c0 += Four{x, x, x, x} * b0;
      c1 += Four{x, x, y, y} * __builtin_shufflevector(b2, b0, 2, 3, 4, 5);
      c2 += Four{y, y, y, y} * b2;
    }
    lanes::store(c0, c + i * w), lanes::store(c1, c + i * w + 4), lanes::store(c2, c + i * w + 8);
  }
}

/// Where the blocks of one row or column of a panel are, pivot after pivot.
struct Strip {
  const double* of[BlockLu::most_panel];
};

/// Two rows of a block: twelve numbers in three registers.
struct TwoRows {
  Four first, middle, last;
};
/// Two rows of c less column k of a, from `x` on, times row k of b, whose numbers b0, b1, b2 are laid out
/// like two rows.
STICTION_INLINE void subtract_column(const double* x, const Four& b0, const Four& b1, const Four& b2,
                                     TwoRows& c) {
  const Four even{x[0], x[0], x[0], x[0]}, odd{x[w], x[w], x[w], x[w]};
  c.first -= even * b0;
  c.middle -= __builtin_shufflevector(even, odd, 0, 1, 6, 7) * b1;
  c.last -= odd * b2;
}
STICTION_INLINE void load(const double* c, TwoRows& rows) {
  lanes::load(c, rows.first), lanes::load(c + 4, rows.middle), lanes::load(c + 8, rows.last);
}
STICTION_INLINE void store(const TwoRows& rows, double* c) {
  lanes::store(rows.first, c), lanes::store(rows.middle, c + 4), lanes::store(rows.last, c + 8);
}

/// c -= sum of a b over the pivots of a panel, each number summed in the order of the pivots.
STICTION_INLINE void subtract_products(const Strip& a, const Strip& b, int pivots, double* c) {
  TwoRows top, middle, bottom;
  load(c, top), load(c + 2 * w, middle), load(c + 4 * w, bottom);
  for (int pivot = 0; pivot < pivots; ++pivot) {
    const double *x = a.of[pivot], *y = b.of[pivot];
    for (int k = 0; k < w; ++k) {
      Four b0, b2;
      lanes::load(y + k * w, b0), lanes::load(y + k * w + 2, b2);
      const Four b1 = __builtin_shufflevector(b2, b0, 2, 3, 4, 5);
      subtract_column(x + k, b0, b1, b2, top);
      subtract_column(x + k + 2 * w, b0, b1, b2, middle);
      subtract_column(x + k + 4 * w, b0, b1, b2, bottom);
    }
  }
  store(top, c), store(middle, c + 2 * w), store(bottom, c + 4 * w);
}

/// a := a b
STICTION_INLINE void multiply_right(double* a, const double* b) {
  double out[BlockLu::area] = {};
  add_product<1>(a, b, out);
  std::memcpy(a, out, sizeof out);
}

/// y -= a x
inline void subtract_times(const double* a, const double* x, double* y) {
  for (int i = 0; i < w; ++i) {
    double sum = 0;
    for (int k = 0; k < w; ++k) sum += a[i * w + k] * x[k];
    y[i] -= sum;
  }
}

}  // namespace

bool invert6(const double* a, double* inverse) {
  double m[w][2 * w];
  double largest = 0;
  for (int i = 0; i < w; ++i)
    for (int j = 0; j < w; ++j) {
      m[i][j] = a[i * w + j];
      m[i][w + j] = i == j ? 1.0 : 0.0;
      largest = std::fmax(largest, std::fabs(m[i][j]));
    }
  if (!(largest > 0) || !std::isfinite(largest)) return false;
  for (int k = 0; k < w; ++k) {
    int pivot = k;
    for (int i = k + 1; i < w; ++i)
      if (std::fabs(m[i][k]) > std::fabs(m[pivot][k])) pivot = i;
    if (!(std::fabs(m[pivot][k]) > 1e-300)) return false;
    if (pivot != k)
      for (int j = 0; j < 2 * w; ++j) std::swap(m[pivot][j], m[k][j]);
    const double s = 1.0 / m[k][k];
    for (int j = 0; j < 2 * w; ++j) m[k][j] *= s;
    for (int i = 0; i < w; ++i) {
      if (i == k) continue;
      const double f = m[i][k];
      if (f == 0) continue;
      for (int j = 0; j < 2 * w; ++j) m[i][j] -= f * m[k][j];
    }
  }
  for (int i = 0; i < w; ++i)
    for (int j = 0; j < w; ++j) inverse[i * w + j] = m[i][w + j];
  return true;
}

void BlockLu::analyse(int n, const std::vector<std::pair<int, int>>& pairs) {
  if (n == n_ && pairs == pairs_) return;
  n_ = n;
  pairs_ = pairs;
  for (const auto& [i, j] : pairs) STICTION_ASSERT(i != j && i >= 0 && j >= 0 && i < n && j < n);
  position_.assign(std::size_t(n), -1);
  order_.clear(), columns_.clear(), rows_.clear();
  order();
  cost_ = 0;
  for (const Column& c : columns_) {
    for (int s = c.begin; s < c.end; ++s)
      rows_[std::size_t(s)] = position_[std::size_t(rows_[std::size_t(s)])];
    std::sort(rows_.begin() + c.begin, rows_.begin() + c.end);
    const double d = c.end - c.begin;
    cost_ += d * (d + 1);
  }
  find_panels();
}

void BlockLu::find_panels() {
  panel_end_.assign(std::size_t(n_), 0);
  const auto rows = [&](int k) {
    const Column& c = columns_[std::size_t(k)];
    return std::pair(rows_.begin() + c.begin, rows_.begin() + c.end);
  };
  for (int first = 0, end = 0; first < n_; first = end) {
    for (end = first + 1; end < n_ && end - first < most_panel; ++end) {
      const auto [above, above_end] = rows(end - 1);
      const auto [below, below_end] = rows(end);
      if (above == above_end || *above != end || !std::equal(above + 1, above_end, below, below_end)) break;
    }
    panel_end_[std::size_t(first)] = end;
  }
}

void BlockLu::order() {
  const auto at = [](int i) { return std::size_t(i); };
  edges_.clear();
  for (const auto& [i, j] : pairs_) edges_.emplace_back(i, j), edges_.emplace_back(j, i);
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  start_.assign(at(n_) + 1, 0), neighbour_.clear(), weight_.assign(at(n_), 1);
  for (const auto& [i, j] : edges_) ++start_[at(i) + 1], neighbour_.push_back(j);
  for (int i = 0; i < n_; ++i) start_[at(i) + 1] += start_[at(i)];
  graph_.run(start_, neighbour_, weight_);
  for (const int v : graph_.pivots()) {
    position_[at(v)] = int(order_.size());
    order_.push_back(v);
    const int begin = int(rows_.size());
    rows_.insert(rows_.end(), graph_.below(v).begin(), graph_.below(v).end());
    columns_.push_back({begin, int(rows_.size())});
  }
}

void BlockLu::set_zero() {
  values_.assign((std::size_t(n_) + 2 * rows_.size()) * area, 0.0);
  pivots_.resize(std::size_t(n_) * area);
  scratch_.resize(std::size_t(n_) * width);
}

double* BlockLu::off_diagonal(int i, int j) {
  const int a = position_[std::size_t(i)], b = position_[std::size_t(j)];
  const Column& c = columns_[std::size_t(std::min(a, b))];
  const auto begin = rows_.begin() + c.begin, end = rows_.begin() + c.end;
  const auto found = std::lower_bound(begin, end, std::max(a, b));
  STICTION_ASSERT(found != end && *found == std::max(a, b));
  const int slot = int(found - rows_.begin());
  return values_.data() + (a > b ? lower(slot) : upper(slot));
}

struct BlockLu::Elimination {
  BlockLu& m;

  /// The pivots of a panel, and what they do to each other's columns and rows.
  STICTION_INLINE bool eliminate(int first, int end) const {
    double* v = m.values_.data();
    for (int k = first; k < end; ++k) {
      double* pivot = m.pivots_.data() + std::size_t(k) * area;
      if (!invert6(v + std::size_t(k) * area, pivot)) return false;
      for (int i = k + 1; i < end; ++i) multiply_right(v + m.lower(inside(k, i)), pivot);
      for (int i = k + 1; i < end; ++i) {
        const int s = inside(k, i);
        add_product<-1>(v + m.lower(s), v + m.upper(s), v + std::size_t(i) * area);
        for (int j = i + 1; j < end; ++j) {
          const int t = inside(k, j), target = inside(i, j);
          add_product<-1>(v + m.lower(t), v + m.upper(s), v + m.lower(target));
          add_product<-1>(v + m.lower(s), v + m.upper(t), v + m.upper(target));
        }
      }
    }
    return true;
  }
  /// Where row i of a panel is in its column k: the rows of a panel are those behind each pivot.
  int inside(int k, int i) const { return m.columns_[std::size_t(k)].begin + i - k - 1; }

  /// What the pivots of a panel do to its blocks of the rows [begin, stop) below it.
  STICTION_INLINE void divide(int first, int end, int begin, int stop) const {
    double* v = m.values_.data();
    const int count = rows_below(end);
    for (int row = begin; row < stop; ++row)
      for (int k = first; k < end; ++k) {
        const int s = m.columns_[std::size_t(k)].end - count + row;
        multiply_right(v + m.lower(s), m.pivots_.data() + std::size_t(k) * area);
        for (int i = k + 1; i < end; ++i) {
          const int between = inside(k, i), target = m.columns_[std::size_t(i)].end - count + row;
          add_product<-1>(v + m.lower(s), v + m.upper(between), v + m.lower(target));
          add_product<-1>(v + m.lower(between), v + m.upper(s), v + m.upper(target));
        }
      }
  }
  int rows_below(int end) const {
    const Column& last = m.columns_[std::size_t(end - 1)];
    return last.end - last.begin;
  }
  /// What the pivots of a panel do to what comes after it, in the columns of the rows [begin, stop) below
  /// it, which nobody else writes.
  STICTION_INLINE void update_right_of(int first, int end, int begin, int stop) const {
    double* v = m.values_.data();
    const Column& last = m.columns_[std::size_t(end - 1)];
    const int pivots = end - first, count = rows_below(end);
    const auto strips = [&](int row, Strip& l, Strip& u) {
      for (int k = 0; k < pivots; ++k) {
        const int slot = m.columns_[std::size_t(first + k)].end - count + row;
        l.of[k] = v + m.lower(slot), u.of[k] = v + m.upper(slot);
      }
    };
    Strip l_i, u_i, l_j, u_j;
    for (int row = begin; row < stop; ++row) {
      const int i = m.rows_[std::size_t(last.begin + row)];
      strips(row, l_i, u_i);
      subtract_products(l_i, u_i, pivots, v + std::size_t(i) * area);
      int target = m.columns_[std::size_t(i)].begin;
      for (int other = row + 1; other < count; ++other) {
        while (m.rows_[std::size_t(target)] != m.rows_[std::size_t(last.begin + other)]) ++target;
        strips(other, l_j, u_j);
        subtract_products(l_j, u_i, pivots, v + m.lower(target));
        subtract_products(l_i, u_j, pivots, v + m.upper(target));
      }
    }
  }
  bool eliminate_narrow(int first, int end) const { return eliminate(first, end); }
  STICTION_WIDE bool eliminate_wide(int first, int end) const { return eliminate(first, end); }
  void divide_narrow(int first, int end, int begin, int stop) const { divide(first, end, begin, stop); }
  STICTION_WIDE void divide_wide(int first, int end, int begin, int stop) const {
    divide(first, end, begin, stop);
  }
  void update_narrow(int first, int end, int begin, int stop) const {
    update_right_of(first, end, begin, stop);
  }
  STICTION_WIDE void update_wide(int first, int end, int begin, int stop) const {
    update_right_of(first, end, begin, stop);
  }
};

bool BlockLu::factorise(bool narrow, Stop stop, Team* team) {
  const Elimination elimination{*this};
  const bool wide = lanes::wide_registers() && !narrow;
  for (int first = 0, end = 0; first < n_; first = end) {
    if (stop.asked()) return false;
    end = panel_end_[std::size_t(first)];
    if (!(wide ? elimination.eliminate_wide(first, end) : elimination.eliminate_narrow(first, end)))
      return false;
    const int count = elimination.rows_below(end);
    const auto divide = [&](std::size_t begin, std::size_t past) {
      wide ? elimination.divide_wide(first, end, int(begin), int(past))
           : elimination.divide_narrow(first, end, int(begin), int(past));
    };
    const auto update = [&](std::size_t begin, std::size_t past) {
      wide ? elimination.update_wide(first, end, int(begin), int(past))
           : elimination.update_narrow(first, end, int(begin), int(past));
    };
    if (team != nullptr && (end - first) * count * count >= worth_sharing) {
      team->for_ranges(std::size_t(count), 4, divide);
      team->for_ranges(std::size_t(count), 1, update);
    } else {
      divide(0, std::size_t(count)), update(0, std::size_t(count));
    }
  }
  return true;
}

void BlockLu::solve(double* x) const {
  double* y = scratch_.data();
  for (int k = 0; k < n_; ++k)
    std::memcpy(y + k * width, x + order_[std::size_t(k)] * width, sizeof(double) * width);
  for (int k = 0; k < n_; ++k) {
    const Column& c = columns_[std::size_t(k)];
    for (int s = c.begin; s < c.end; ++s)
      subtract_times(values_.data() + lower(s), y + k * width, y + rows_[std::size_t(s)] * width);
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const Column& c = columns_[std::size_t(k)];
    for (int s = c.begin; s < c.end; ++s)
      subtract_times(values_.data() + upper(s), y + rows_[std::size_t(s)] * width, y + k * width);
    const double* p = pivots_.data() + std::size_t(k) * area;
    double out[width];
    for (int i = 0; i < width; ++i) {
      double sum = 0;
      for (int j = 0; j < width; ++j) sum += p[i * width + j] * y[k * width + j];
      out[i] = sum;
    }
    std::memcpy(y + k * width, out, sizeof out);
  }
  for (int k = 0; k < n_; ++k)
    std::memcpy(x + order_[std::size_t(k)] * width, y + k * width, sizeof(double) * width);
}

}  // namespace stiction::complementarity
