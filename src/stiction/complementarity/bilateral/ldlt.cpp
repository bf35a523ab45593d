// Symbols: a node is a joint or a lock; a copy is a part of a block; x = sqrt(S_ii) lambda, b =
// rhs/sqrt(S_ii) are scaled, so that S has a diagonal of ones. See ldlt.h for the method.
#include "stiction/complementarity/bilateral/ldlt.h"

#include <algorithm>
#include <cmath>

namespace stiction::complementarity::bilateral {
namespace {

constexpr int whole = 8;              // joints that a block may have without being split
constexpr int per_copy = 2;           // joints of a copy, beside its locks
constexpr double rounding = 0x1p-46;  // of S x, over the largest x: 64 units in the last place

double largest(const std::vector<double>& x) {
  double most_of = 0;
  for (const double e : x) most_of = std::fabs(e) > most_of || std::isnan(e) ? std::fabs(e) : most_of;
  return most_of;
}

}  // namespace

bool Ldlt::same_structure(const ConstraintSystem& p) const {
  if (signature_.size() != 3 * p.joints.size() + 1 || signature_[0] != p.block_count()) return false;
  for (std::size_t i = 0; i < p.joints.size(); ++i) {
    const JointRows& j = p.joints[i];
    const int* s = signature_.data() + 3 * i + 1;
    if (s[0] != j.block[0] || s[1] != j.block[1] || s[2] != j.count) return false;
  }
  return true;
}

/// Copies of blocks, and to which of them joints belong.
void Ldlt::split(const ConstraintSystem& p) {
  const auto blocks = std::size_t(p.block_count());
  std::vector<int>& degree = incidence_begin_;  // for the time being
  degree.assign(blocks, 0);
  for (const JointRows& j : p.joints)
    for (const int b : j.block)
      if (b >= 0) ++degree[std::size_t(b)];
  copy_begin_.assign(1, 0), block_of_copy_.clear();
  for (std::size_t b = 0; b < blocks; ++b) {
    const int count = degree[b] <= whole ? 1 : (degree[b] + per_copy - 1) / per_copy;
    copy_begin_.push_back(copy_begin_.back() + count);
    block_of_copy_.insert(block_of_copy_.end(), std::size_t(count), int(b));
    degree[b] = 0;
  }
  nodes_.assign(p.joints.size(), {});
  for (std::size_t i = 0; i < p.joints.size(); ++i) {
    nodes_[i].count = p.joints[i].count;
    for (int side = 0; side < 2; ++side) {
      const int b = p.joints[i].block[side];
      if (b < 0) continue;
      const int first = copy_begin_[std::size_t(b)], copies = copy_begin_[std::size_t(b) + 1] - first;
      nodes_[i].copy[side] = first + (copies == 1 ? 0 : degree[std::size_t(b)]++ / per_copy);
    }
  }
}

void Ldlt::join_copies() {
  for (std::size_t b = 0; b + 1 < copy_begin_.size(); ++b)
    for (int c = copy_begin_[b]; c + 1 < copy_begin_[b + 1]; ++c) {
      Node& lock = nodes_.emplace_back();
      lock.count = width, lock.copy[0] = c, lock.copy[1] = c + 1;
    }
}

void Ldlt::lay_out(const ConstraintSystem& p) {
  signature_.assign(1, p.block_count());
  for (const JointRows& j : p.joints) signature_.insert(signature_.end(), {j.block[0], j.block[1], j.count});
  split(p);
  join_copies();
  const std::size_t copies = block_of_copy_.size();
  incidence_begin_.assign(copies + 1, 0);
  for (const Node& n : nodes_)
    for (const int c : n.copy)
      if (c >= 0) ++incidence_begin_[std::size_t(c) + 1];
  for (std::size_t c = 0; c < copies; ++c) incidence_begin_[c + 1] += incidence_begin_[c];
  incidence_.assign(std::size_t(incidence_begin_.back()), {});
  std::vector<int> filled(incidence_begin_.begin(), incidence_begin_.end() - 1);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (int side = 0; side < 2; ++side)
      if (const int c = nodes_[i].copy[side]; c >= 0)
        incidence_[std::size_t(filled[std::size_t(c)]++)] = {int(i), side};
  products_.clear(), pairs_.clear(), size_.clear();
  for (std::size_t c = 0; c < copies; ++c)
    for (int i = incidence_begin_[c]; i < incidence_begin_[c + 1]; ++i)
      for (int j = i + 1; j < incidence_begin_[c + 1]; ++j)
        products_.push_back({incidence_[std::size_t(i)], incidence_[std::size_t(j)], 0});
  for (const Product& e : products_) pairs_.emplace_back(e.a.node, e.b.node);
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  for (Product& e : products_)
    e.pair = std::size_t(std::lower_bound(pairs_.begin(), pairs_.end(), std::pair(e.a.node, e.b.node)) -
                         pairs_.begin());
  for (const Node& n : nodes_) size_.push_back(n.count);
  factors_.analyse(size_, pairs_);
  joints_ = int(p.joints.size()), user_rows_ = p.rows;
}

/// G, Y and b, scaled.
void Ldlt::load(const ConstraintSystem& p) {
  b_.assign(std::size_t(factors_.start(int(nodes_.size()))), 0.0);
  unmet_ = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    Node& n = nodes_[i];
    const bool lock = int(i) >= joints_;
    for (int side = 0; side < 2; ++side) {
      if (n.copy[side] < 0) continue;
      const int block = block_of_copy_[std::size_t(n.copy[side])];
      const double share = copy_begin_[std::size_t(block) + 1] - copy_begin_[std::size_t(block)];
      const double* W = p.A_inverse.data() + std::size_t(block) * (width * width);
      for (int r = 0; r < n.count; ++r)
        for (int c = 0; c < width; ++c)
          n.G[side][r * width + c] = lock ? (r != c      ? 0.0
                                             : side == 0 ? 1.0
                                                         : -1.0)
                                          : p.joints[i].G[side][r * width + c];
      for (int r = 0; r < n.count; ++r)
        for (int c = 0; c < width; ++c) {
          double sum = 0;
          for (int k = 0; k < width; ++k) sum += n.G[side][r * width + k] * W[k * width + c];
          n.Y[side][r * width + c] = share * sum;
        }
    }
    for (int r = 0; r < n.count; ++r) {
      double diagonal = lock ? 0.0 : p.joints[i].sigma[r];
      for (int side = 0; side < 2; ++side)
        if (n.copy[side] >= 0)
          for (int c = 0; c < width; ++c) diagonal += n.Y[side][r * width + c] * n.G[side][r * width + c];
      n.unit[r] = diagonal > 0 ? 1 / std::sqrt(diagonal) : 0;
      n.sigma[r] = lock ? 0.0 : p.joints[i].sigma[r] * (n.unit[r] * n.unit[r]);
      for (int side = 0; side < 2; ++side)
        for (int c = 0; c < width; ++c)
          n.G[side][r * width + c] *= n.unit[r], n.Y[side][r * width + c] *= n.unit[r];
      if (lock) continue;
      b_[std::size_t(factors_.start(int(i)) + r)] = n.unit[r] * p.joints[i].rhs[r];
      if (n.unit[r] == 0) unmet_ = std::fmax(unmet_, std::fabs(p.joints[i].rhs[r]));
    }
  }
}

void Ldlt::assemble() {
  factors_.set_zero();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& n = nodes_[i];
    double* S = factors_.diagonal(int(i));
    for (int side = 0; side < 2; ++side)
      if (n.copy[side] >= 0)
        for (int r = 0; r < n.count; ++r)
          for (int q = 0; q <= r; ++q)
            for (int c = 0; c < width; ++c)
              S[r * n.count + q] += n.Y[side][r * width + c] * n.G[side][q * width + c];
    for (int r = 0; r < n.count; ++r) S[r * n.count + r] += n.sigma[r];
  }
  for (const Product& e : products_) {
    const detail::BlockLdlt::Place place = factors_.off_diagonal(e.pair);
    const Incidence &rows = place.second_has_rows ? e.b : e.a, &columns = place.second_has_rows ? e.a : e.b;
    const Node &m = nodes_[std::size_t(rows.node)], &n = nodes_[std::size_t(columns.node)];
    for (int r = 0; r < m.count; ++r)
      for (int q = 0; q < n.count; ++q) {
        double sum = 0;
        for (int c = 0; c < width; ++c)
          sum += m.Y[rows.side][r * width + c] * n.G[columns.side][q * width + c];
        place.values[r * n.count + q] += sum;
      }
  }
}

/// r = b - S x; its largest entry.
double Ldlt::residual(const std::vector<double>& b, const std::vector<double>& x, std::vector<double>& r) {
  u_.assign(block_of_copy_.size() * width, 0.0);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const Node& n = nodes_[i];
      if (n.copy[side] < 0) continue;
      double* u = u_.data() + std::size_t(n.copy[side]) * width;
      const double* mine = x.data() + factors_.start(int(i));
      for (int k = 0; k < n.count; ++k)
        for (int c = 0; c < width; ++c) u[c] += n.Y[side][k * width + c] * mine[k];
    }
  r.resize(b.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& n = nodes_[i];
    for (int k = 0; k < n.count; ++k) {
      const auto at = std::size_t(factors_.start(int(i)) + k);
      double left = n.sigma[k] * x[at];
      for (int side = 0; side < 2; ++side) {
        if (n.copy[side] < 0) continue;
        const double* u = u_.data() + std::size_t(n.copy[side]) * width;
        for (int c = 0; c < width; ++c) left += n.G[side][k * width + c] * u[c];
      }
      r[at] = b[at] - left;
    }
  }
  return largest(r);
}

/// The rows of joints that the factorisation dropped; for those of locks, rows of joints that depend on the
/// rest as well: an exchange along null vectors, the last row that has a good part in it.
void Ldlt::name_redundant(Report& report) {
  std::size_t locks = 0;
  const auto first_lock_row = std::size_t(user_rows_);
  for (const detail::BlockLdlt::Dropped& d : factors_.dropped()) {
    if (d.node < joints_) {
      report.redundant.push_back({d.node, d.row});
      continue;
    }
    if (null_.size() <= locks) null_.emplace_back();
    std::vector<double>& x = null_[locks];
    x.resize(b_.size());
    c_.assign(factors_.dropped().size(), 0.0);
    c_[std::size_t(&d - factors_.dropped().data())] = 1;
    factors_.null_combination(c_.data(), x.data());
    double most_of = 0;
    for (std::size_t i = 0; i < first_lock_row; ++i) most_of = std::fmax(most_of, std::fabs(x[i]));
    if (most_of > 1e-6) ++locks;  // else it is a direction in which the block cannot move
  }
  for (std::size_t k = 0; k < locks; ++k) {
    std::vector<double>& x = null_[k];
    double most_of = 0;
    for (std::size_t i = 0; i < first_lock_row; ++i) most_of = std::fmax(most_of, std::fabs(x[i]));
    std::size_t at = first_lock_row - 1;
    while (at > 0 && std::fabs(x[at]) < 0.1 * most_of) --at;
    for (std::size_t j = k + 1; j < locks; ++j) {
      const double part = null_[j][at] / x[at];
      for (std::size_t i = 0; i < b_.size(); ++i) null_[j][i] -= part * x[i];
    }
    int node = 0;
    while (factors_.start(node + 1) <= int(at)) ++node;
    report.redundant.push_back({node, int(at) - factors_.start(node)});
  }
  std::sort(report.redundant.begin(), report.redundant.end(), [](const RowPlace& a, const RowPlace& b) {
    return std::pair(a.joint, a.row) < std::pair(b.joint, b.row);
  });
}

void Ldlt::solve_directly(const LdltSettings& s, Report& report) {
  x_ = b_;
  factors_.solve(x_.data());
  const double scale = scale_;
  best_ = x_, report.residual = residual(b_, x_, r_) / scale;
  report.residual_history.push_back(report.residual);
  while (report.residual > s.tolerance && report.iterations < s.max_corrections) {
    factors_.solve(r_.data());
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += r_[i];
    const double now = residual(b_, x_, r_) / scale;
    ++report.iterations, report.residual_history.push_back(now);
    if (!(now < report.residual)) break;
    const bool slow = now > 0.5 * report.residual;
    best_ = x_, report.residual = now;
    if (slow) break;
  }
  const double good = std::fmax(s.tolerance, rounding * largest(best_) / scale);
  report.status = report.residual <= good ? Status::solved : Status::inaccurate;
}

/// part := N c with N^T D N c = N^T D x; D leaves out locks.
void Ldlt::null_part(const std::vector<double>& x, std::vector<double>& part) {
  const std::size_t k = factors_.dropped().size();
  const auto products = [&](std::vector<double>& y, std::vector<double>& out) {
    std::fill(y.begin() + user_rows_, y.end(), 0.0);
    factors_.null_products(y.data(), out.data());
  };
  c_.assign(k, 0.0), e_.resize(k), p_.assign(k, 0.0), q_.resize(k);
  part.resize(x.size());
  y_ = x;
  products(y_, e_);
  double last = 0, first = 0;
  for (std::size_t step = 0; step < k + 50; ++step) {
    double now = 0, curvature = 0;
    for (const double e : e_) now += e * e;
    if (step == 0) first = now;
    if (!(now > 1e-30 * first)) break;
    for (std::size_t i = 0; i < k; ++i) p_[i] = e_[i] + (step == 0 ? 0.0 : now / last) * p_[i];
    y_.resize(x.size());
    factors_.null_combination(p_.data(), y_.data());
    products(y_, q_);
    for (std::size_t i = 0; i < k; ++i) curvature += p_[i] * q_[i];
    if (!(curvature > 0)) break;
    for (std::size_t i = 0; i < k; ++i) {
      c_[i] += now / curvature * p_[i];
      e_[i] -= now / curvature * q_[i];
    }
    last = now;
  }
  factors_.null_combination(c_.data(), part.data());
}

void Ldlt::solve_least_norm(const LdltSettings& s, Report& report) {
  const double scale = scale_;
  null_part(b_, n_);
  std::fill(n_.begin() + user_rows_, n_.end(), 0.0);
  for (std::size_t i = 0; i < b_.size(); ++i) b_[i] -= n_[i];
  const double inconsistency = largest(n_) / scale;
  solve_directly(s, report);
  null_part(best_, r_);
  for (std::size_t i = 0; i < b_.size(); ++i) best_[i] -= r_[i];
  // what is left of the whole right-hand side
  for (std::size_t i = 0; i < b_.size(); ++i) b_[i] += n_[i];
  report.residual = residual(b_, best_, r_) / scale;
  report.residual_history.push_back(report.residual);
  const double good = std::fmax(s.tolerance, rounding * (1 + largest(best_) / scale));
  if (inconsistency <= good) return;
  report.inconsistency = inconsistency;
  if (report.status == Status::solved) report.status = Status::inconsistent;
}

void Ldlt::solve(const ConstraintSystem& p, const LdltSettings& s, std::vector<double>& lambda,
                 Report& report) {
  report.method = "ldlt";
  report.analysed = !same_structure(p);
  if (report.analysed) lay_out(p);
  load(p);
  assemble();
  factors_.factorise(s.rank_tolerance);
  report.factorisations = 1;
  report.work = factors_.factor_work() + factors_.solve_work();
  name_redundant(report);
  report.rank = p.rows - int(report.redundant.size());
  const double scale = scale_ = largest(b_);
  if (scale == 0) {
    best_.assign(b_.size(), 0.0);
    report.residual = 0, report.status = Status::solved;
  } else if (std::all_of(report.redundant.begin(), report.redundant.end(), [&](const RowPlace& r) {
               return nodes_[std::size_t(r.joint)].unit[r.row] == 0;  // nothing to share out
             })) {
    solve_directly(s, report);
  } else {
    solve_least_norm(s, report);
  }
  if (unmet_ > 0) {
    const double all = std::fmax(scale, unmet_);
    report.status = Status::inconsistent;
    report.residual = std::fmax(report.residual * scale, unmet_) / all;
    report.inconsistency = std::fmax(report.inconsistency * scale, unmet_) / all;
  }
  if (!std::isfinite(report.residual)) report.status = Status::not_finite;
  lambda.resize(std::size_t(p.rows));
  for (int i = 0; i < joints_; ++i)
    for (int r = 0; r < nodes_[std::size_t(i)].count; ++r) {
      const auto at = std::size_t(factors_.start(i) + r);
      lambda[at] = nodes_[std::size_t(i)].unit[r] * best_[at];
    }
}

}  // namespace stiction::complementarity::bilateral
