#include "stiction/complementarity/friction/detail/graph_system.h"

#include <algorithm>

#include "stiction/complementarity/friction/detail/pivoted_elimination.h"

namespace stiction::complementarity::friction {
namespace {

std::size_t at(int i) { return std::size_t(i); }

/// B^-1 and B^-1 C; false where B is singular.
bool invert(int d, const double* B, const double* C, double* inverse, double* product) {
  double a[36], work[6], unit[6], x[6];
  int row[6], column[6];
  std::copy(B, B + d * d, a);
  if (eliminate(d, a, row, column, 1e-300) < d) return false;
  for (int k = 0; k < d; ++k) {
    for (int i = 0; i < d; ++i) unit[i] = i == k ? 1.0 : 0.0;
    back_substitute(d, d, a, row, column, work, unit, x);
    for (int i = 0; i < d; ++i) inverse[i * d + k] = x[i];
  }
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) {
      double sum = 0;
      for (int k = 0; k < d; ++k) sum += inverse[i * d + k] * C[k * d + j];
      product[i * d + j] = sum;
    }
  return true;
}

/// out += L^T K R, L of d x n, K of d x d, R of d x m.
void add_product(int d, const double* K, const double* L, int n, const double* R, int m, double* out) {
  for (int a = 0; a < d; ++a)
    for (int b = 0; b < d; ++b) {
      const double k = K[a * d + b];
      if (k == 0) continue;
      for (int i = 0; i < n; ++i) {
        const double f = L[a * n + i] * k;
        if (f == 0) continue;
        for (int j = 0; j < m; ++j) out[i * m + j] += f * R[b * m + j];
      }
    }
}

}  // namespace

void GraphSystem::analyse(const Prepared& p, const Range& island) {
  if (p_ == &p && version_ == p.version && island.begin == island_.begin && island.end == island_.end) return;
  p_ = &p, island_ = island, version_ = p.version, d_ = p.rows;
  const Graph& g = p.graph;
  const int number = p.island_at(island.begin);
  body_begin_ = g.body_begin[at(number)], bodies_ = g.body_begin[at(number) + 1] - body_begin_;
  std::vector<std::vector<int>> neighbours(at(bodies_));
  const auto side_bodies = [&](int i, auto&& f) {
    for (int s = g.start[at(i)]; s < g.start[at(i) + 1]; ++s)
      for (int t = g.start[at(i)]; t < g.start[at(i) + 1]; ++t)
        f(g.body[at(s)] - body_begin_, g.body[at(t)] - body_begin_);
  };
  for (int i = island.begin; i < island.end; ++i)
    side_bodies(i, [&](int a, int b) {
      if (a != b) neighbours[at(a)].push_back(b);
    });
  std::vector<int> width;
  start_.assign(1, 0), column_.clear(), entry_at_.clear();
  std::size_t end = 0;
  for (int b = 0; b < bodies_; ++b) {
    std::vector<int>& mine = neighbours[at(b)];
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    const int n = g.size(body_begin_ + b);
    for (const int other : mine) {
      column_.push_back(other), entry_at_.push_back(end);
      end += at(n * g.size(body_begin_ + other));
    }
    start_.push_back(int(column_.size()));
    width.push_back(n);
  }
  for (int b = 0; b < bodies_; ++b) entry_at_.push_back(end), end += at(width[at(b)] * width[at(b)]);
  values_.resize(end);
  pair_start_.assign(1, 0), pair_.clear();
  for (int i = island.begin; i < island.end; ++i) {
    side_bodies(i, [&](int a, int b) {
      const auto begin = column_.begin() + start_[at(a)], last = column_.begin() + start_[at(a) + 1];
      pair_.push_back(a == b ? int(column_.size()) + a
                             : int(std::lower_bound(begin, last, b) - column_.begin()));
    });
    pair_start_.push_back(int(pair_.size()));
  }
  v_.resize(at(g.first[at(body_begin_ + bodies_)] - g.first[at(body_begin_)]));
  lu_.analyse(width, start_, column_);
}

bool GraphSystem::factor(const double* B, const double* C) {
  const Graph& g = p_->graph;
  const auto area = at(d_ * d_);
  B_inverse_.resize(at(island_.size()) * area), K_.resize(at(island_.size()) * area);
  std::fill(values_.begin(), values_.end(), 0.0);
  for (int b = 0; b < bodies_; ++b) {
    const int n = g.size(body_begin_ + b);
    const double* M = g.mass.data() + g.mass_at[at(body_begin_ + b)];
    std::copy(M, M + n * n, values_.begin() + std::ptrdiff_t(entry_at_[column_.size() + at(b)]));
  }
  for (int i = 0; i < island_.size(); ++i) {
    double* K = K_.data() + at(i) * area;
    if (!invert(d_, B + at(i) * area, C + at(i) * area, B_inverse_.data() + at(i) * area, K)) return false;
    if (std::all_of(K, K + area, [](double x) { return x == 0; })) continue;
    const int place = island_.begin + i;
    int pair = pair_start_[at(i)];
    for (int s = g.start[at(place)]; s < g.start[at(place) + 1]; ++s)
      for (int t = g.start[at(place)]; t < g.start[at(place) + 1]; ++t, ++pair)
        add_product(d_, K, g.G.data() + g.rows_at[at(s)], g.size(g.body[at(s)]),
                    g.G.data() + g.rows_at[at(t)], g.size(g.body[at(t)]),
                    values_.data() + entry_at_[at(pair_[at(pair)])]);
  }
  return lu_.factor([&](int i, int j, double* out, int ld) {
    const auto begin = column_.begin() + start_[at(i)], end = column_.begin() + start_[at(i) + 1];
    const std::size_t entry =
        i == j ? column_.size() + at(i) : std::size_t(std::lower_bound(begin, end, j) - column_.begin());
    const int n = g.size(body_begin_ + i), m = g.size(body_begin_ + j);
    const double* from = values_.data() + entry_at_[entry];
    for (int row = 0; row < n; ++row)
      for (int column = 0; column < m; ++column) out[row * ld + column] += from[row * m + column];
  });
}

void GraphSystem::solve(double* x) {
  const Graph& g = p_->graph;
  const int base = g.first[at(body_begin_)];
  std::fill(v_.begin(), v_.end(), 0.0);
  for (int i = 0; i < island_.size(); ++i) {  // x := B^-1 f, v := G^T x
    const double* inverse = B_inverse_.data() + i * d_ * d_;
    double f[6];
    for (int k = 0; k < d_; ++k) f[k] = x[i * d_ + k];
    for (int k = 0; k < d_; ++k) {
      double sum = 0;
      for (int c = 0; c < d_; ++c) sum += inverse[k * d_ + c] * f[c];
      x[i * d_ + k] = sum;
    }
    g.add_rows(g.G, island_.begin + i, d_, base, x + i * d_, v_.data());
  }
  lu_.solve(v_.data());
  for (int i = 0; i < island_.size(); ++i) {
    const double* K = K_.data() + i * d_ * d_;
    double z[6] = {};
    g.add_velocity(island_.begin + i, d_, base, v_.data(), z);
    for (int k = 0; k < d_; ++k)
      for (int c = 0; c < d_; ++c) x[i * d_ + k] -= K[k * d_ + c] * z[c];
  }
}

}  // namespace stiction::complementarity::friction
