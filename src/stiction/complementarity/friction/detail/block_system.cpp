#include "stiction/complementarity/friction/detail/block_system.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/friction/detail/pivoted_elimination.h"

namespace stiction::complementarity::friction {
namespace {

constexpr double no_rank = 1e-11;       // [-] of the largest entry: what is left of W then counts as zero
constexpr double no_rank_of_D = 1e-15;  // [-] likewise, of the sum of a group's B^-1 C
constexpr double worth_it = 0.75;       // [-] of its rows: a group of higher rank is taken apart
constexpr double reuse_share = 0.6;     // [-] of the groups of the matrix that must be active to keep them

std::size_t at(int i) { return std::size_t(i); }

/// Gauss-Jordan with row exchanges; false if singular.
bool invert(int d, const double* a, double* out) {
  double m[6][12];
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) m[i][j] = a[i * d + j], m[i][d + j] = i == j ? 1.0 : 0.0;
  for (int k = 0; k < d; ++k) {
    int pivot = k;
    for (int i = k + 1; i < d; ++i)
      if (std::fabs(m[i][k]) > std::fabs(m[pivot][k])) pivot = i;
    if (!(std::fabs(m[pivot][k]) > 1e-300) || !std::isfinite(m[pivot][k])) return false;
    for (int j = 0; pivot != k && j < 2 * d; ++j) std::swap(m[pivot][j], m[k][j]);
    const double s = 1 / m[k][k];
    for (int j = k; j < 2 * d; ++j) m[k][j] *= s;
    for (int i = 0; i < d; ++i) {
      const double f = m[i][k];
      if (i == k || f == 0) continue;
      for (int j = k; j < 2 * d; ++j) m[i][j] -= f * m[k][j];
    }
  }
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) out[i * d + j] = m[i][d + j];
  return true;
}

/// Elimination with complete pivoting: rank, pivot rows and columns, and X (n x rank) with A = X A[rows, :],
/// Y (n x rank) with A = A[:, columns] Y^T.
struct Skeleton {
  std::vector<double> a, X, Y;
  std::vector<int> rows, columns;

  int find(int n) {
    std::vector<int> row(at(n)), column(at(n));
    const int rank = eliminate(n, a.data(), row.data(), column.data(), no_rank);
    rows.assign(row.begin(), row.begin() + rank), columns.assign(column.begin(), column.begin() + rank);
    X.assign(at(n * rank), 0.0), Y.assign(at(n * rank), 0.0);
    for (int i = 0; i < n; ++i) {
      double* x = X.data() + row[at(i)] * rank;
      double* y = Y.data() + column[at(i)] * rank;
      if (i < rank) {
        x[i] = y[i] = 1;
        continue;
      }
      // x L_P = row i of L;  U_Q y = column i of U
      for (int k = rank - 1; k >= 0; --k) {
        x[k] = a[at(i * n + k)];
        for (int j = k + 1; j < rank; ++j) x[k] -= x[j] * a[at(j * n + k)];
        y[k] = a[at(k * n + i)];
        for (int j = k + 1; j < rank; ++j) y[k] -= a[at(k * n + j)] * y[j];
        y[k] /= a[at(k * n + k)];
      }
    }
    return rank;
  }
};

}  // namespace

const double* BlockSystem::entry(int i, int j) const {
  const Prepared& p = *p_;
  const auto begin = p.column.begin() + p.start[at(island_.begin + i)],
             end = p.column.begin() + p.start[at(island_.begin + i) + 1];
  const auto found = std::lower_bound(begin, end, island_.begin + j);
  return found != end && *found == island_.begin + j ? p.entry(int(found - p.column.begin())) : nullptr;
}

void BlockSystem::analyse(const Prepared& p, const Range& island) {
  if (p_ == &p && version_ == p.version && island_.begin == island.begin && island_.end == island.end) return;
  p_ = &p, version_ = p.version, island_ = island, d_ = p.rows;
  member_.clear(), begin_.assign(1, 0), offset_.assign(1, 0), pivot_row_.clear(), pivot_column_.clear();
  R_.clear(), L_.clear();
  group_of_.assign(at(island.size()), -1), at_R_.assign(at(island.size()), 0);
  find_groups();
  build_core();
  node_.clear(), groups_.clear();
}

void BlockSystem::add_group(const std::vector<int>& group, int rank, const std::vector<int>& rows,
                            const std::vector<int>& columns) {
  const int g = int(begin_.size()) - 1, d = d_;
  for (std::size_t k = 0; k < group.size(); ++k) {
    group_of_[at(group[k])] = g, member_.push_back(group[k]), at_R_[at(group[k])] = R_.size();
    const std::size_t from = k * at(d * rank), to = from + at(d * rank);
    R_.insert(R_.end(), interpolation_row_.begin() + std::ptrdiff_t(from),
              interpolation_row_.begin() + std::ptrdiff_t(to));
    L_.insert(L_.end(), interpolation_column_.begin() + std::ptrdiff_t(from),
              interpolation_column_.begin() + std::ptrdiff_t(to));
  }
  const auto scalar = [&](int local) { return group[at(local / d)] * d + local % d; };
  for (const int x : rows) pivot_row_.push_back(scalar(x));
  for (const int x : columns) pivot_column_.push_back(scalar(x));
  begin_.push_back(int(member_.size())), offset_.push_back(offset_.back() + rank);
}

/// True if the group was added with a smaller rank that holds for all its neighbours.
bool BlockSystem::compress(const std::vector<int>& group) {
  const int d = d_, n = int(group.size()) * d;
  Skeleton skeleton;
  skeleton.a.assign(at(n * n), 0.0);
  double largest = 0;
  for (std::size_t a = 0; a < group.size(); ++a)
    for (std::size_t b = 0; b < group.size(); ++b) {
      const double* W = entry(group[a], group[b]);
      for (int k = 0; W != nullptr && k < d * d; ++k) {
        skeleton.a[(a * at(d) + at(k / d)) * at(n) + b * at(d) + at(k % d)] = W[k];
        largest = std::fmax(largest, std::fabs(W[k]));
      }
    }
  const int rank = skeleton.find(n);
  if (rank == 0 || rank > worth_it * n) return false;
  // W[S, j] = X W[P, j] and W[j, S] = W[j, Q] Y^T for every neighbour j
  const Prepared& p = *p_;
  std::vector<double> block(at(n * d));
  for (int e = p.start[at(island_.begin + group[0])]; e < p.start[at(island_.begin + group[0]) + 1]; ++e) {
    const int j = p.column[at(e)] - island_.begin;
    for (const bool by_rows : {true, false}) {
      for (std::size_t a = 0; a < group.size(); ++a) {
        const double* W = by_rows ? entry(group[a], j) : entry(j, group[a]);
        for (int r = 0; r < d; ++r)
          for (int c = 0; c < d; ++c)
            block[(a * at(d) + at(r)) * at(d) + at(c)] = W == nullptr ? 0.0
                                                         : by_rows    ? W[r * d + c]
                                                                      : W[c * d + r];
      }
      const std::vector<double>& X = by_rows ? skeleton.X : skeleton.Y;
      const std::vector<int>& pivots = by_rows ? skeleton.rows : skeleton.columns;
      for (int i = 0; i < n; ++i)
        for (int c = 0; c < d; ++c) {
          double sum = -block[at(i * d + c)];
          for (int k = 0; k < rank; ++k) sum += X[at(i * rank + k)] * block[at(pivots[at(k)] * d + c)];
          if (!(std::fabs(sum) <= 100 * no_rank * largest)) return false;
        }
    }
  }
  interpolation_row_ = skeleton.X, interpolation_column_ = skeleton.Y;
  add_group(group, rank, skeleton.rows, skeleton.columns);
  return true;
}

void BlockSystem::find_groups() {
  const Prepared& p = *p_;
  const auto neighbours = [&](int i) {
    return std::pair(p.column.begin() + p.start[at(island_.begin + i)],
                     p.column.begin() + p.start[at(island_.begin + i) + 1]);
  };
  std::vector<int> group;
  std::vector<char> done(at(island_.size()), 0);
  std::vector<int> all(at(d_));
  for (int k = 0; k < d_; ++k) all[at(k)] = k;
  for (int i = 0; i < island_.size(); ++i) {
    if (done[at(i)]) continue;
    group.assign(1, i);
    const auto [begin, end] = neighbours(i);
    for (auto e = begin; e != end; ++e) {
      const int j = *e - island_.begin;
      if (j <= i || done[at(j)]) continue;
      const auto [other, other_end] = neighbours(j);
      if (std::equal(begin, end, other, other_end)) group.push_back(j);
    }
    for (const int j : group) done[at(j)] = 1;
    if (group.size() > 1 && compress(group)) continue;
    for (const int j : group) {
      interpolation_row_.assign(at(d_ * d_), 0.0);
      for (int k = 0; k < d_; ++k) interpolation_row_[at(k * d_ + k)] = 1;
      interpolation_column_ = interpolation_row_;
      add_group({j}, d_, all, all);
    }
  }
}

std::vector<int> BlockSystem::groups_of_neighbours(int group) const {
  std::vector<int> list;
  for (int k = begin_[at(group)]; k < begin_[at(group) + 1]; ++k) {
    const int i = island_.begin + member_[at(k)];
    for (int e = p_->start[at(i)]; e < p_->start[at(i) + 1]; ++e)
      list.push_back(group_of_[at(p_->column[at(e)] - island_.begin)]);
    if (begin_[at(group) + 1] - begin_[at(group)] > 1) break;  // members share their neighbours
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

void BlockSystem::build_core() {
  const int groups = int(begin_.size()) - 1, d = d_;
  start_.assign(1, 0), column_.clear(), at_core_.clear(), core_.clear();
  for (int g = 0; g < groups; ++g) {
    for (const int h : groups_of_neighbours(g)) {
      column_.push_back(h), at_core_.push_back(core_.size());
      for (int a = offset_[at(g)]; a < offset_[at(g) + 1]; ++a) {
        const int row = pivot_row_[at(a)];
        const double* W = nullptr;
        for (int b = offset_[at(h)], last = -1; b < offset_[at(h) + 1]; ++b) {
          const int column = pivot_column_[at(b)];
          if (column / d != last) last = column / d, W = entry(row / d, last);
          core_.push_back(W == nullptr ? 0.0 : W[(row % d) * d + column % d]);
        }
      }
    }
    start_.push_back(int(column_.size()));
  }
  w_.assign(at(groups), 0.0);
  for (int g = 0; g < groups; ++g)
    for (int a = offset_[at(g)]; a < offset_[at(g) + 1]; ++a)
      w_[at(g)] = std::fmax(
          w_[at(g)],
          std::fabs(entry(pivot_row_[at(a)] / d, pivot_row_[at(a)] / d)[pivot_row_[at(a)] % d * (d + 1)]));
  at_D_.assign(1, 0);
  for (int g = 0; g < groups; ++g) {
    const auto rank = at(offset_[at(g) + 1] - offset_[at(g)]);
    at_D_.push_back(at_D_.back() + rank * rank);
  }
  D_.resize(at_D_.back()), y_.resize(at(offset_.back())), right_.resize(at(offset_.back()));
  T_.resize(at_D_.back()), D_factor_.resize(at_D_.back()), rank_of_D_.resize(at(groups));
  D_row_.resize(at(offset_.back())), D_column_.resize(at(offset_.back()));
  push_.resize(3 * at(offset_.back()));
  B_inverse_.resize(at(island_.size() * d * d)), inverse_C_.resize(at(island_.size() * d * d));
}

/// The matrix of the active groups, and of those that were active before while they are few: then its order
/// can stay.
void BlockSystem::choose_nodes() {
  const int groups = int(begin_.size()) - 1;
  int strangers = 0, count = 0, known = int(groups_.size());
  for (int g = 0; g < groups; ++g) {
    count += active_[at(g)];
    strangers += active_[at(g)] && (node_.empty() || node_[at(g)] < 0);
  }
  const bool keep = count >= reuse_share * double(known + strangers);
  if (strangers == 0 && known > 0 && keep) return;
  std::vector<char> chosen = active_;
  for (int g = 0; keep && !node_.empty() && g < groups; ++g) chosen[at(g)] |= node_[at(g)] >= 0;
  node_.assign(at(groups), -1), groups_.clear(), width_.clear();
  for (int g = 0; g < groups; ++g) {
    if (!chosen[at(g)]) continue;
    node_[at(g)] = int(groups_.size()), groups_.push_back(g);
    width_.push_back(offset_[at(g) + 1] - offset_[at(g)]);
  }
  node_start_.assign(1, 0), node_column_.clear();
  for (const int g : groups_) {
    for (int e = start_[at(g)]; e < start_[at(g) + 1]; ++e)
      if (const int h = column_[at(e)]; h != g && node_[at(h)] >= 0) node_column_.push_back(node_[at(h)]);
    node_start_.push_back(int(node_column_.size()));
  }
  lu_.analyse(width_, node_start_, node_column_);
}

/// T and T D of a group of several contacts, from D: with P D Q = L U, T = S L^-1 P and T D = S U Q^T. The
/// rows of L U are of all sizes, from 1 / (g w) where the group sticks to 0 where it is open; S makes them
/// equal.
void BlockSystem::scale_group(int g) {
  const int rank = offset_[at(g) + 1] - offset_[at(g)];
  double* D = D_.data() + at_D_[at(g)];
  double* T = T_.data() + at_D_[at(g)];
  double* factor = D_factor_.data() + at_D_[at(g)];
  const int* row = D_row_.data() + offset_[at(g)];
  const int* column = D_column_.data() + offset_[at(g)];
  std::copy(D, D + rank * rank, factor);
  const int pivots = eliminate(rank, factor, D_row_.data() + offset_[at(g)],
                               D_column_.data() + offset_[at(g)], no_rank_of_D);
  rank_of_D_[at(g)] = pivots;
  std::fill_n(T, rank * rank, 0.0), std::fill_n(D, rank * rank, 0.0);
  for (int i = 0; i < rank; ++i) {
    T[i * rank + row[i]] = 1;
    for (int k = 0; k < std::min(i, pivots); ++k)
      for (int j = 0; j < rank; ++j) T[i * rank + j] -= factor[i * rank + k] * T[k * rank + j];
  }
  for (int i = 0; i < rank; ++i) {
    const double pivot = i < pivots ? std::fabs(factor[i * rank + i]) * w_[at(g)] : 0.0;
    const double scale = pivot > 1 ? 1 / pivot : 1.0;
    for (int j = 0; j < rank; ++j) T[i * rank + j] *= scale;
    for (int j = i; i < pivots && j < rank; ++j) D[i * rank + column[j]] = scale * factor[i * rank + j];
  }
}

/// D += L^T B^-1 C R of contact i, in a group of several; false if B is singular.
bool BlockSystem::add_to_group(int i, const double* B, const double* C, bool moved) {
  const int d = d_, g = group_of_[at(i)], rank = offset_[at(g) + 1] - offset_[at(g)];
  double* inverse = B_inverse_.data() + i * d * d;
  double* M = inverse_C_.data() + i * d * d;
  if (!invert(d, B, inverse)) return false;
  std::fill_n(M, d * d, 0.0);
  if (!moved) return true;
  const double* R = R_.data() + at_R_[at(i)];
  const double* L = L_.data() + at_R_[at(i)];
  double* D = D_.data() + at_D_[at(g)];
  for (int a = 0; a < d; ++a)
    for (int b = 0; b < d; ++b)
      for (int k = 0; k < d; ++k) M[a * d + b] += inverse[a * d + k] * C[k * d + b];
  for (int a = 0; a < d; ++a)
    for (int c = 0; c < rank; ++c) {
      double sum = 0;
      for (int b = 0; b < d; ++b) sum += M[a * d + b] * R[b * rank + c];
      for (int r = 0; r < rank; ++r) D[r * rank + c] += L[a * rank + r] * sum;
    }
  return true;
}

bool BlockSystem::factor(const double* B, const double* C) {
  const int d = d_, area = d * d, groups = int(begin_.size()) - 1;
  std::fill(D_.begin(), D_.end(), 0.0);
  active_.assign(at(groups), 0);
  for (int i = 0; i < island_.size(); ++i) {
    bool moved = false;
    for (int k = 0; k < area; ++k) moved = moved || C[i * area + k] != 0;
    const int g = group_of_[at(i)];
    active_[at(g)] |= char(moved);
    if (moved && !compressed(g)) {
      std::copy(B + i * area, B + i * area + area, T_.data() + at_D_[at(g)]);
      std::copy(C + i * area, C + i * area + area, D_.data() + at_D_[at(g)]);
    } else if (!add_to_group(i, B + i * area, C + i * area, moved)) {
      return false;
    }
  }
  for (int g = 0; g < groups; ++g)
    if (active_[at(g)] && compressed(g)) scale_group(g);
  choose_nodes();
  if (groups_.empty()) return true;
  return lu_.factor([&](int row, int column, double* out, int ld) {
    const int g = groups_[at(row)], h = groups_[at(column)];
    const int rank = offset_[at(g) + 1] - offset_[at(g)], width = offset_[at(h) + 1] - offset_[at(h)];
    if (!active_[at(g)]) {
      for (int a = 0; g == h && a < rank; ++a) out[a * ld + a] += 1;
      return;
    }
    const auto found =
        std::lower_bound(column_.begin() + start_[at(g)], column_.begin() + start_[at(g) + 1], h);
    if (found != column_.begin() + start_[at(g) + 1] && *found == h) {
      const double* W = core_.data() + at_core_[std::size_t(found - column_.begin())];
      const double* D = D_.data() + at_D_[at(g)];
      for (int a = 0; a < rank; ++a)
        for (int k = 0; k < rank; ++k) {
          const double f = D[a * rank + k];
          if (f == 0) continue;
          for (int b = 0; b < width; ++b) out[a * ld + b] += f * W[k * width + b];
        }
    }
    const double* T = T_.data() + at_D_[at(g)];
    for (int a = 0; g == h && a < rank; ++a)
      for (int b = 0; b < rank; ++b) out[a * ld + b] += T[a * rank + b];
  });
}

/// x = B^-1 f and y = L^T x; where a contact of its own is active y = f, the right side.
void BlockSystem::begin_solve(double* x) {
  const int d = d_;
  std::fill(y_.begin(), y_.end(), 0.0);
  for (int i = 0; i < island_.size(); ++i) {
    const int g = group_of_[at(i)], rank = offset_[at(g) + 1] - offset_[at(g)];
    double* mine = x + i * d;
    if (active_[at(g)] && !compressed(g)) {
      std::copy(mine, mine + d, y_.data() + offset_[at(g)]);
      continue;
    }
    double f[6];
    std::copy(mine, mine + d, f);
    const double* L = L_.data() + at_R_[at(i)];
    for (int a = 0; a < d; ++a) {
      double sum = 0;
      for (int k = 0; k < d; ++k) sum += B_inverse_[at(i * d * d + a * d + k)] * f[k];
      mine[a] = sum;
      for (int r = 0; r < rank; ++r) y_[at(offset_[at(g)] + r)] += L[a * rank + r] * sum;
    }
  }
}

void BlockSystem::solve(double* x) {
  const int groups = int(begin_.size()) - 1;
  begin_solve(x);
  int row = 0;
  for (const int g : groups_) {
    const int rank = offset_[at(g) + 1] - offset_[at(g)];
    const double* y = y_.data() + offset_[at(g)];
    double* right = right_.data() + row;
    row += rank;
    std::copy(y, y + rank, right);
    if (!active_[at(g)]) continue;
    const double* D = D_.data() + at_D_[at(g)];
    const double* T = T_.data() + at_D_[at(g)];
    multiply(g, false, push_.data());
    for (int a = 0; a < rank; ++a) {
      double sum = compressed(g) ? 0.0 : y[a];
      for (int k = 0; k < rank && compressed(g); ++k) sum += T[a * rank + k] * y[k];
      for (int k = 0; k < rank; ++k) sum -= D[a * rank + k] * push_[at(k)];
      right[a] = sum;
    }
  }
  if (!groups_.empty()) lu_.solve(right_.data());
  row = 0;
  for (const int g : groups_)
    for (int k = offset_[at(g)]; k < offset_[at(g) + 1]; ++k) y_[at(k)] = right_[at(row++)];
  for (int g = 0; g < groups; ++g)
    if (active_[at(g)]) expand(g, x);
}

/// The impulses of an active group, x = B^-1 (f - C R z) with z = W_c y; x = B^-1 f on entry. Round-off of z
/// is multiplied by B^-1 and would leave L^T x far from y: z is corrected so that they agree.
void BlockSystem::expand(int g, double* x) {
  const int d = d_, rank = offset_[at(g) + 1] - offset_[at(g)];
  const double* y = y_.data() + offset_[at(g)];
  if (!compressed(g)) {
    std::copy(y, y + d, x + member_[at(begin_[at(g)])] * d);
    return;
  }
  double* z = push_.data();
  double* defect = z + rank;
  multiply(g, true, z);
  for (const bool first : {true, false}) {
    for (int k = 0; k < rank; ++k) defect[k] = y[k];
    for (int k = begin_[at(g)]; k < begin_[at(g) + 1]; ++k) {
      const int i = member_[at(k)];
      const double* R = R_.data() + at_R_[at(i)];
      const double* L = L_.data() + at_R_[at(i)];
      const double* inverse_C = inverse_C_.data() + i * d * d;
      double u[6];
      for (int a = 0; a < d; ++a) {
        u[a] = 0;
        for (int r = 0; r < rank; ++r) u[a] += R[a * rank + r] * z[r];
      }
      for (int a = 0; a < d; ++a) {
        for (int b = 0; b < d; ++b) x[i * d + a] -= inverse_C[a * d + b] * u[b];
        for (int r = 0; r < rank; ++r) defect[r] -= L[a * rank + r] * x[i * d + a];
      }
    }
    if (!first) break;
    for (int k = 0; k < rank; ++k) defect[k] = -defect[k];
    back_substitute(rank, rank_of_D_[at(g)], D_factor_.data() + at_D_[at(g)], D_row_.data() + offset_[at(g)],
                    D_column_.data() + offset_[at(g)], defect + rank, defect, z);
  }
}

/// out = W_c y over all groups, or only over those that the matrix leaves out.
void BlockSystem::multiply(int g, bool all, double* out) const {
  const int rank = offset_[at(g) + 1] - offset_[at(g)];
  for (int a = 0; a < rank; ++a) out[a] = 0;
  for (int e = start_[at(g)]; e < start_[at(g) + 1]; ++e) {
    const int h = column_[at(e)], width = offset_[at(h) + 1] - offset_[at(h)];
    if (!all && node_[at(h)] >= 0) continue;
    const double* W = core_.data() + at_core_[at(e)];
    const double* y = y_.data() + offset_[at(h)];
    for (int a = 0; a < rank; ++a)
      for (int b = 0; b < width; ++b) out[a] += W[a * width + b] * y[b];
  }
}

}  // namespace stiction::complementarity::friction
