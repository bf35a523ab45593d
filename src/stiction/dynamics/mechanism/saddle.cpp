// Direct solution of a mechanism's equations in time proportional to the number of bodies.
//
// Node k is a body with the joint it hangs on. With U_k the columns of its parent's body in its equations and
// L_k its own columns in those of the parent's body, leaves to roots:
//     A_k = [K -F; B C],     K_parent -= L_k A_k^-1 U_k
// A node touches nothing but its parent, so that nothing fills in: a chain of n links costs n. Each A_k (12 x
// 12 at most) is scaled, bodies by their inertia, rows of joints by the inverse mass that they see, and
// eliminated with complete pivoting: a row whose pivot is round-off says what others say already, and its
// force is 0. Loops come last: with T the forest, X = T^-1 F of their columns,
//     S = B X + C,    l = S^-1 (g - B T^-1 f),    x = T^-1 f + X l
// S is dense, as wide as loops have rows: m rows cost n m and m^3.
//
// Redundant rows leave forces open that do nothing to any body: z with S z = 0 and, in the joints of the
// forest, X z. make_smallest() takes the part of the forces along them away.
//
// Symbols: K [kg, kg m^2], F and B dimensionless or [m], x [m/s, rad/s], l [N s, N m s].
// References: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 8; D. Baraff, Linear-time
// dynamics using Lagrange multipliers, SIGGRAPH 1996.
// When it fails: a body whose own equations are singular (no inertia left against the forces' geometric
// stiffness); thousands of loops, for which S is too wide.
#include "stiction/dynamics/mechanism/saddle.h"

#include <algorithm>
#include <cmath>

namespace stiction::mechanism {
namespace {

constexpr double round_off = 1e-11;  // [-] pivots below it, of scaled matrices, are none

/// LU with complete pivoting of the n x n matrix a, stride n, in place; rows and columns as they were
/// chosen. Returns the rank.
int eliminate(double* a, int n, int* rows, int* columns) {
  for (int i = 0; i < n; ++i) rows[i] = columns[i] = i;
  for (int k = 0; k < n; ++k) {
    int r = k, c = k;
    double largest = 0;
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j)
        if (const double size = std::fabs(a[i * n + j]); size > largest) largest = size, r = i, c = j;
    if (!(largest > round_off)) return k;
    if (r != k) {
      for (int j = 0; j < n; ++j) std::swap(a[r * n + j], a[k * n + j]);
      std::swap(rows[r], rows[k]);
    }
    if (c != k) {
      for (int i = 0; i < n; ++i) std::swap(a[i * n + c], a[i * n + k]);
      std::swap(columns[c], columns[k]);
    }
    const double inverse = 1 / a[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] *= inverse;
      if (factor == 0) continue;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return n;
}

/// x := a^-1 x with the factors of eliminate(); unknowns beyond the rank are 0.
void substitute(const double* a, int n, int rank, const int* rows, const int* columns, double* y, double* x) {
  for (int i = 0; i < rank; ++i) {
    double sum = x[rows[i]];
    for (int j = 0; j < i; ++j) sum -= a[i * n + j] * y[j];
    y[i] = sum;
  }
  for (int i = rank; i-- > 0;) {
    double sum = y[i];
    for (int j = i + 1; j < rank; ++j) sum -= a[i * n + j] * y[j];
    y[i] = sum / a[i * n + i];
  }
  for (int i = 0; i < n; ++i) x[columns[i]] = i < rank ? y[i] : 0.0;
}

/// Place of the i-th used number of a node among its most_wide.
int place(const Node& node, int i) { return i < node.dofs ? i : most_dofs + i - node.dofs; }

/// sum of B_i F_i / K_ii: the inverse mass that row r sees on one body.
double inverse_mass(const double* row, const double* force, const double* body, int r, int dofs) {
  double sum = 0;
  for (int i = 0; i < dofs; ++i)
    sum += std::fabs(row[r * most_dofs + i] * force[i * most_rows + r] / body[i * (most_dofs + 1)]);
  return sum;
}

}  // namespace

void Saddle::analyse(const std::vector<Node>& nodes, const std::vector<Loop>& loops) {
  nodes_ = nodes, loops_ = loops;
  const std::size_t n = nodes_.size();
  for (std::vector<double>* v : {&body_, &body_parent_, &parent_body_}) v->resize(n * most_dofs * most_dofs);
  for (std::vector<double>* v : {&force_, &force_parent_, &row_, &row_parent_})
    v->resize(n * most_dofs * most_rows);
  compliance_.resize(n * most_rows);
  loop_force_.resize(2 * loops_.size() * most_dofs * most_rows);
  loop_row_.resize(2 * loops_.size() * most_dofs * most_rows);
  loop_compliance_.resize(loops_.size() * most_rows);
  factor_.resize(n * most_wide * most_wide), scale_.resize(n * most_wide);
  lower_.resize(n * most_wide * most_dofs), upper_.resize(n * most_wide * most_dofs);
  rank_.resize(n), pivot_row_.resize(n * most_wide), pivot_column_.resize(n * most_wide);
  loop_unknown_.clear();
  for (std::size_t j = 0; j < loops_.size(); ++j)
    for (int r = 0; r < loops_[j].rows; ++r) loop_unknown_.push_back(int(j) * most_rows + r);
  const std::size_t wide = loop_unknown_.size();
  answers_.resize(wide * n * most_wide), schur_.resize(wide * wide), schur_scale_.resize(wide);
  reduced_.resize(2 * wide), loop_pivot_row_.resize(wide), loop_pivot_column_.resize(wide);
}

void Saddle::set_zero() {
  for (std::vector<double>* v : {&body_, &force_, &force_parent_, &row_, &row_parent_, &compliance_,
                                 &body_parent_, &parent_body_, &loop_force_, &loop_row_, &loop_compliance_})
    std::fill(v->begin(), v->end(), 0.0);
}

bool Saddle::factorise_node(int k) {
  const Node& node = nodes_[std::size_t(k)];
  const int n = node.dofs + node.rows, d = node.dofs;
  double *K = body(k), *F = force(k), *B = row(k), *C = compliance(k), *s = at(scale_, k, most_wide);
  for (int i = 0; i < d; ++i) {
    const double size = std::fabs(K[i * most_dofs + i]);
    if (!(size > 0) || !std::isfinite(size)) return false;
    s[i] = 1 / std::sqrt(size);
  }
  for (int r = 0; r < node.rows; ++r) {
    double mass = inverse_mass(B, F, K, r, d) + C[r];
    if (node.parent >= 0)
      mass += inverse_mass(row_parent(k), force_parent(k), body(node.parent), r,
                           nodes_[std::size_t(node.parent)].dofs);
    s[d + r] = mass > 0 ? 1 / std::sqrt(mass) : 0.0;
  }
  double* a = at(factor_, k, most_wide * most_wide);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double value = i < d   ? (j < d ? K[i * most_dofs + j] : -F[i * most_rows + j - d])
                           : j < d ? B[(i - d) * most_dofs + j]
                                   : (i == j ? C[i - d] : 0.0);
      a[i * n + j] = s[i] * value * s[j];
    }
  int *rows = pivot_row_.data() + k * most_wide, *columns = pivot_column_.data() + k * most_wide;
  const int rank = rank_[std::size_t(k)] = eliminate(a, n, rows, columns);
  for (int i = rank; i < n; ++i) {
    if (columns[i] < d) return false;
    repeated_.push_back({k, columns[i] - d});
  }
  if (node.parent < 0) return true;

  const int p = nodes_[std::size_t(node.parent)].dofs;
  double *L = at(lower_, k, most_wide * most_dofs), *U = at(upper_, k, most_wide * most_dofs);
  for (int j = 0; j < p; ++j) {
    double x[most_wide] = {};
    for (int i = 0; i < n; ++i)
      x[i] = i < d ? body_parent(k)[i * most_dofs + j] : row_parent(k)[(i - d) * most_dofs + j];
    solve_node(k, x);
    for (int i = 0; i < n; ++i) {
      U[i * most_dofs + j] = x[i];
      L[i * most_dofs + j] =
          i < d ? parent_body(k)[j * most_dofs + i] : -force_parent(k)[j * most_rows + i - d];
    }
  }
  double* parent = body(node.parent);
  for (int i = 0; i < p; ++i)
    for (int j = 0; j < p; ++j) {
      double sum = 0;
      for (int q = 0; q < n; ++q) sum += L[q * most_dofs + i] * U[q * most_dofs + j];
      parent[i * most_dofs + j] -= sum;
    }
  return true;
}

/// x := A_k^-1 x, numbers without gaps.
void Saddle::solve_node(int k, double* x) const {
  const Node& node = nodes_[std::size_t(k)];
  const int n = node.dofs + node.rows;
  const double* s = scale_.data() + k * most_wide;
  double y[most_wide] = {};
  for (int i = 0; i < n; ++i) x[i] *= s[i];
  substitute(factor_.data() + std::size_t(k) * most_wide * most_wide, n, rank_[std::size_t(k)],
             pivot_row_.data() + k * most_wide, pivot_column_.data() + k * most_wide, y, x);
  for (int i = 0; i < n; ++i) x[i] *= s[i];
}

/// Of the forest alone, in place.
void Saddle::solve_forest(double* nodes) const {
  for (int k = int(nodes_.size()); k-- > 0;) {
    const Node& node = nodes_[std::size_t(k)];
    const int n = node.dofs + node.rows;
    double x[most_wide] = {};
    for (int i = 0; i < n; ++i) x[i] = nodes[k * most_wide + place(node, i)];
    solve_node(k, x);
    for (int i = 0; i < n; ++i) nodes[k * most_wide + place(node, i)] = x[i];
    if (node.parent < 0) continue;
    const double* L = lower_.data() + std::size_t(k) * most_wide * most_dofs;
    for (int j = 0; j < nodes_[std::size_t(node.parent)].dofs; ++j) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += L[i * most_dofs + j] * x[i];
      nodes[node.parent * most_wide + j] -= sum;
    }
  }
  for (int k = 0; k < int(nodes_.size()); ++k) {
    const Node& node = nodes_[std::size_t(k)];
    if (node.parent < 0) continue;
    const double* U = upper_.data() + std::size_t(k) * most_wide * most_dofs;
    for (int i = 0; i < node.dofs + node.rows; ++i) {
      double sum = 0;
      for (int j = 0; j < nodes_[std::size_t(node.parent)].dofs; ++j)
        sum += U[i * most_dofs + j] * nodes[node.parent * most_wide + j];
      nodes[k * most_wide + place(node, i)] -= sum;
    }
  }
}

/// Whether forces of joints leave every body where it is, to round-off.
bool Saddle::does_nothing(const double* forces) const {
  const std::size_t n = nodes_.size();
  scratch_.resize(std::max(scratch_.size(), loop_unknown_.size() + 2 * n * most_dofs));
  double* sum = scratch_.data() + loop_unknown_.size();
  double* size = sum + n * most_dofs;
  std::fill(sum, sum + 2 * n * most_dofs, 0.0);
  const auto push = [&](int node, const double* F, const double* l, int rows) {
    if (node < 0) return;
    for (int i = 0; i < nodes_[std::size_t(node)].dofs; ++i)
      for (int r = 0; r < rows; ++r) {
        sum[node * most_dofs + i] += F[i * most_rows + r] * l[r];
        size[node * most_dofs + i] += std::fabs(F[i * most_rows + r] * l[r]);
      }
  };
  constexpr std::size_t stride = std::size_t(most_dofs) * most_rows;
  for (std::size_t k = 0; k < n; ++k) {
    const double* l = forces + k * most_wide + most_dofs;
    push(int(k), force_.data() + k * stride, l, nodes_[k].rows);
    push(nodes_[k].parent, force_parent_.data() + k * stride, l, nodes_[k].rows);
  }
  for (std::size_t j = 0; j < loops_.size(); ++j)
    for (const bool second : {false, true})
      push(second ? loops_[j].b : loops_[j].a, loop_force_.data() + (2 * j + second) * stride,
           forces + n * most_wide + j * most_rows, loops_[j].rows);
  double left = 0, most = 0;
  for (std::size_t i = 0; i < n * most_dofs; ++i)
    left = std::fmax(left, std::fabs(sum[i])), most = std::fmax(most, size[i]);
  return left <= 1e-12 * most;
}

/// X, S and its factors; forces that do nothing.
void Saddle::close_loops() {
  const int wide = int(loop_unknown_.size());
  const std::size_t n = nodes_.size() * most_wide;
  for (int c = 0; c < wide; ++c) {
    const int j = loop_unknown_[std::size_t(c)] / most_rows, r = loop_unknown_[std::size_t(c)] % most_rows;
    double* x = answers_.data() + std::size_t(c) * n;
    std::fill(x, x + n, 0.0);
    for (int side = 0; side < 2; ++side) {
      const int k = side == 0 ? loops_[std::size_t(j)].a : loops_[std::size_t(j)].b;
      if (k < 0) continue;
      for (int i = 0; i < nodes_[std::size_t(k)].dofs; ++i)
        x[k * most_wide + i] += loop_force(j, side)[i * most_rows + r];
    }
    solve_forest(x);
  }
  const auto by_row = [&](int row, const double* x) {
    const int j = loop_unknown_[std::size_t(row)] / most_rows,
              r = loop_unknown_[std::size_t(row)] % most_rows;
    double sum = 0;
    for (int side = 0; side < 2; ++side) {
      const int k = side == 0 ? loops_[std::size_t(j)].a : loops_[std::size_t(j)].b;
      if (k < 0) continue;
      for (int i = 0; i < nodes_[std::size_t(k)].dofs; ++i)
        sum += loop_row(j, side)[r * most_dofs + i] * x[k * most_wide + i];
    }
    return sum;
  };
  for (int i = 0; i < wide; ++i)
    for (int c = 0; c < wide; ++c) {
      double value = by_row(i, answers_.data() + std::size_t(c) * n);
      if (i == c) value += loop_compliance_[std::size_t(loop_unknown_[std::size_t(i)])];
      schur_[std::size_t(i * wide + c)] = schur_scale_[std::size_t(i)] * value * schur_scale_[std::size_t(c)];
    }
  loop_rank_ = eliminate(schur_.data(), wide, loop_pivot_row_.data(), loop_pivot_column_.data());
  for (int i = loop_rank_; i < wide; ++i) {
    const int unknown = loop_unknown_[std::size_t(loop_pivot_column_[std::size_t(i)])];
    repeated_.push_back({int(nodes_.size()) + unknown / most_rows, unknown % most_rows});
  }

  free_count_ = wide - loop_rank_;
  const std::size_t length = n + loops_.size() * most_rows;
  free_forces_.assign(std::size_t(free_count_) * length, 0.0);
  scratch_.resize(std::size_t(wide));
  for (int f = 0; f < free_count_; ++f) {
    double *z = scratch_.data(), *out = free_forces_.data() + std::size_t(f) * length;
    for (int i = 0; i < wide; ++i) z[i] = i == loop_rank_ + f ? 1.0 : 0.0;  // in the order of pivots
    for (int i = loop_rank_; i-- > 0;) {
      double sum = -schur_[std::size_t(i * wide + loop_rank_ + f)];
      for (int c = i + 1; c < loop_rank_; ++c) sum -= schur_[std::size_t(i * wide + c)] * z[c];
      z[i] = sum / schur_[std::size_t(i * wide + i)];
    }
    for (int i = 0; i < wide; ++i) {
      const int c = loop_pivot_column_[std::size_t(i)];
      const double force = schur_scale_[std::size_t(c)] * z[i];
      out[n + std::size_t(loop_unknown_[std::size_t(c)])] = force;
      const double* x = answers_.data() + std::size_t(c) * n;
      for (std::size_t k = 0; k < nodes_.size(); ++k)
        for (std::size_t q = 0; q < std::size_t(nodes_[k].rows); ++q)
          out[k * most_wide + most_dofs + q] += force * x[k * most_wide + most_dofs + q];
    }
    if (!does_nothing(out)) {  // near a dead point: hardly a motion, but one
      std::fill(out, out + length, 0.0);
      continue;
    }
    for (int g = 0; g <= f; ++g) {  // Gram and Schmidt; at last to unit length
      const double* other = free_forces_.data() + std::size_t(g) * length;
      double along = 0;
      for (std::size_t i = 0; i < length; ++i) along += out[i] * other[i];
      if (along == 0) continue;  // or a row that moves nothing: it has no force
      for (std::size_t i = 0; i < length; ++i)
        out[i] = g < f ? out[i] - along * other[i] : along > 0 ? out[i] / std::sqrt(along) : 0.0;
    }
  }
}

bool Saddle::factorise() {
  repeated_.clear();
  for (std::size_t c = 0; c < loop_unknown_.size(); ++c) {  // before bodies take on what hangs on them
    const int j = loop_unknown_[c] / most_rows, r = loop_unknown_[c] % most_rows;
    double mass = loop_compliance_[std::size_t(loop_unknown_[c])];
    for (int side = 0; side < 2; ++side)
      if (const int k = side == 0 ? loops_[std::size_t(j)].a : loops_[std::size_t(j)].b; k >= 0)
        mass += inverse_mass(loop_row(j, side), loop_force(j, side), body(k), r, nodes_[std::size_t(k)].dofs);
    schur_scale_[c] = mass > 0 ? 1 / std::sqrt(mass) : 0.0;
  }
  for (int k = int(nodes_.size()); k-- > 0;)
    if (!factorise_node(k)) return false;
  free_count_ = 0;
  if (!loop_unknown_.empty()) close_loops();
  return true;
}

void Saddle::solve(double* nodes, double* loops) {
  solve_forest(nodes);
  const int wide = int(loop_unknown_.size());
  if (wide == 0) return;
  double *right = reduced_.data(), *y = right + wide;
  for (int i = 0; i < wide; ++i) {
    const int unknown = loop_unknown_[std::size_t(i)], j = unknown / most_rows, r = unknown % most_rows;
    double sum = loops[unknown];
    for (int side = 0; side < 2; ++side) {
      const int k = side == 0 ? loops_[std::size_t(j)].a : loops_[std::size_t(j)].b;
      if (k < 0) continue;
      for (int c = 0; c < nodes_[std::size_t(k)].dofs; ++c)
        sum -= loop_row(j, side)[r * most_dofs + c] * nodes[k * most_wide + c];
    }
    right[i] = schur_scale_[std::size_t(i)] * sum;
  }
  substitute(schur_.data(), wide, loop_rank_, loop_pivot_row_.data(), loop_pivot_column_.data(), y, right);
  const std::size_t n = nodes_.size() * most_wide;
  for (int c = 0; c < wide; ++c) {
    const double force = loops[loop_unknown_[std::size_t(c)]] = schur_scale_[std::size_t(c)] * right[c];
    if (force == 0) continue;
    const double* x = answers_.data() + std::size_t(c) * n;
    for (std::size_t i = 0; i < n; ++i) nodes[i] += force * x[i];
  }
}

void Saddle::make_smallest(double* nodes, double* loops) const {
  const std::size_t n = nodes_.size() * most_wide, length = n + loops_.size() * most_rows;
  for (int f = 0; f < free_count_; ++f) {
    const double* z = free_forces_.data() + std::size_t(f) * length;
    double along = 0;
    for (std::size_t i = 0; i < n; ++i) along += z[i] * nodes[i];
    for (std::size_t i = n; i < length; ++i) along += z[i] * loops[i - n];
    for (std::size_t i = 0; i < n; ++i) nodes[i] -= along * z[i];
    for (std::size_t i = n; i < length; ++i) loops[i - n] -= along * z[i];
  }
}

}  // namespace stiction::mechanism
