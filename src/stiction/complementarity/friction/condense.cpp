#include "stiction/complementarity/friction/condense.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "stiction/complementarity/friction/detail/disjoint_sets.h"

namespace stiction::complementarity {
namespace {

constexpr std::size_t most_dense = 64;  // rows of a block of M
constexpr double small = 1e-14;         // [-] a pivot below this share of its column is zero

std::size_t at(int i) { return std::size_t(i); }

/// Columns of H: entries of column j are [start[j], start[j + 1]), rows ascending.
struct Columns {
  std::vector<int> start, row;
  std::vector<double> value;
};

Columns columns_of(const SparseRows& H) {
  Columns c;
  c.start.assign(at(H.columns) + 1, 0);
  for (const int j : H.column) ++c.start[at(j) + 1];
  std::partial_sum(c.start.begin(), c.start.end(), c.start.begin());
  c.row.resize(H.column.size()), c.value.resize(H.column.size());
  std::vector<int> next(c.start.begin(), c.start.end() - 1);
  for (int i = 0; i < H.rows; ++i)
    for (int k = H.start[at(i)]; k < H.start[at(i) + 1]; ++k) {
      const int place = next[at(H.column[at(k)])]++;
      c.row[at(place)] = i, c.value[at(place)] = H.value[at(k)];
    }
  return c;
}

}  // namespace

bool MassFactors::factor(const SparseRows& M) {
  friction::DisjointSets sets(M.rows);
  for (int i = 0; i < M.rows; ++i)
    for (int k = M.start[at(i)]; k < M.start[at(i) + 1]; ++k) sets.join(i, M.column[at(k)]);
  blocks_.clear();
  block_of_.assign(at(M.rows), -1), place_of_.assign(at(M.rows), 0);
  for (int i = 0; i < M.rows; ++i) {
    const int root = sets.root(i);
    if (root == i) block_of_[at(i)] = int(blocks_.size()), blocks_.emplace_back();
    const int block = block_of_[at(i)] = block_of_[at(root)];
    place_of_[at(i)] = int(blocks_[at(block)].rows.size());
    blocks_[at(block)].rows.push_back(i);
  }
  for (Block& block : blocks_) {
    const std::size_t n = block.rows.size();
    if (n <= most_dense) {
      std::vector<double> a(n * n, 0.0);
      for (std::size_t i = 0; i < n; ++i)
        for (int k = M.start[at(block.rows[i])]; k < M.start[at(block.rows[i]) + 1]; ++k)
          a[i * n + at(place_of_[at(M.column[at(k)])])] = M.value[at(k)];
      if (!block.dense.factor(n, a, small)) return false;
    } else {  // the transpose in columns are M's rows: M^T x = b is solved by the factors of the mirrored
              // matrix
      std::vector<std::vector<std::pair<int, double>>> columns(n);
      for (std::size_t i = 0; i < n; ++i)
        for (int k = M.start[at(block.rows[i])]; k < M.start[at(block.rows[i]) + 1]; ++k)
          columns[at(place_of_[at(M.column[at(k)])])].emplace_back(int(i), M.value[at(k)]);
      detail::SparseColumns a;
      a.n = int(n), a.start = {0};
      for (const auto& column : columns) {
        for (const auto& [row, value] : column) a.row.push_back(row), a.value.push_back(value);
        a.start.push_back(int(a.row.size()));
      }
      if (!block.sparse.factor(a, small)) return false;
    }
  }
  return true;
}

void MassFactors::solve(int block, std::vector<double>& x) {
  Block& b = blocks_[at(block)];
  if (b.rows.size() <= most_dense)
    b.dense.solve(x.data());
  else
    b.sparse.solve(x);
}

bool condense(const GlobalFriction& p, MassFactors& factors, LocalFriction& out) {
  if (!factors.factor(p.M)) return false;
  condense_factored(p, factors, out);
  return true;
}

void condense_factored(const GlobalFriction& p, MassFactors& factors, LocalFriction& out) {
  const Columns H = columns_of(p.H);
  const int n = p.H.columns;
  // the columns that touch a block, and M^-1 H there
  struct Part {
    std::vector<int> columns;
    std::vector<double> X;     // one row of the block's size per column
    std::vector<double> free;  // M^-1 f
  };
  std::vector<Part> parts(at(factors.blocks()));
  std::vector<std::vector<int>> blocks_of(at(n));
  for (int j = 0; j < n; ++j)
    for (int k = H.start[at(j)]; k < H.start[at(j) + 1]; ++k) {
      const int block = factors.block_of(H.row[at(k)]);
      std::vector<int>& mine = parts[at(block)].columns;
      if (mine.empty() || mine.back() != j) mine.push_back(j), blocks_of[at(j)].push_back(block);
    }
  std::vector<double> x;
  for (int block = 0; block < factors.blocks(); ++block) {
    Part& part = parts[at(block)];
    for (const int row : factors.rows(block)) part.free.push_back(p.f[at(row)]);
    factors.solve(block, part.free);
    for (const int j : part.columns) {
      x.assign(factors.rows(block).size(), 0.0);
      for (int k = H.start[at(j)]; k < H.start[at(j) + 1]; ++k)
        if (factors.block_of(H.row[at(k)]) == block) x[at(factors.place_of(H.row[at(k)]))] = H.value[at(k)];
      factors.solve(block, x);
      part.X.insert(part.X.end(), x.begin(), x.end());
    }
  }
  out.laws = p.laws, out.b = p.b;
  out.W = {n, n, {0}, {}, {}};
  std::vector<double> sum(at(n), 0.0);
  std::vector<char> seen(at(n), 0);
  std::vector<int> columns;
  for (int i = 0; i < n; ++i) {
    columns.clear();
    for (const int block : blocks_of[at(i)]) {
      const Part& part = parts[at(block)];
      const std::size_t size = factors.rows(block).size();
      for (std::size_t c = 0; c < part.columns.size(); ++c) {
        const int j = part.columns[c];
        if (!seen[at(j)]) seen[at(j)] = 1, sum[at(j)] = 0, columns.push_back(j);
        for (int k = H.start[at(i)]; k < H.start[at(i) + 1]; ++k)
          if (factors.block_of(H.row[at(k)]) == block)
            sum[at(j)] += H.value[at(k)] * part.X[c * size + at(factors.place_of(H.row[at(k)]))];
      }
      for (int k = H.start[at(i)]; k < H.start[at(i) + 1]; ++k)
        if (factors.block_of(H.row[at(k)]) == block)
          out.b[at(i)] += H.value[at(k)] * part.free[at(factors.place_of(H.row[at(k)]))];
    }
    std::sort(columns.begin(), columns.end());
    for (const int j : columns) {
      seen[at(j)] = 0;
      out.W.column.push_back(j), out.W.value.push_back(sum[at(j)]);
    }
    out.W.start.push_back(int(out.W.column.size()));
  }
}

std::vector<double> diagonal_of_w(const GlobalFriction& p, MassFactors& factors) {
  const Columns H = columns_of(p.H);
  std::vector<double> out(at(p.H.columns), 0.0), x;
  std::vector<int> blocks;
  for (int j = 0; j < p.H.columns; ++j) {
    blocks.clear();
    for (int k = H.start[at(j)]; k < H.start[at(j) + 1]; ++k)
      blocks.push_back(factors.block_of(H.row[at(k)]));
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    for (const int block : blocks) {
      x.assign(factors.rows(block).size(), 0.0);
      const auto each = [&](auto&& f) {
        for (int k = H.start[at(j)]; k < H.start[at(j) + 1]; ++k)
          if (factors.block_of(H.row[at(k)]) == block) f(at(factors.place_of(H.row[at(k)])), H.value[at(k)]);
      };
      each([&](std::size_t place, double h) { x[place] = h; });
      factors.solve(block, x);
      each([&](std::size_t place, double h) { out[at(j)] += h * x[place]; });
    }
  }
  return out;
}

std::vector<double> velocities(const GlobalFriction& p, MassFactors& factors, const std::vector<double>& r) {
  std::vector<double> v = p.f, x;
  for (int i = 0; i < p.H.rows; ++i)
    for (int k = p.H.start[at(i)]; k < p.H.start[at(i) + 1]; ++k)
      v[at(i)] += p.H.value[at(k)] * r[at(p.H.column[at(k)])];
  for (int block = 0; block < factors.blocks(); ++block) {
    x.clear();
    for (const int row : factors.rows(block)) x.push_back(v[at(row)]);
    factors.solve(block, x);
    for (std::size_t k = 0; k < x.size(); ++k) v[at(factors.rows(block)[k])] = x[k];
  }
  return v;
}

}  // namespace stiction::complementarity
