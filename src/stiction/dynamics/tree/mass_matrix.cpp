// Mass matrix by the composite-rigid-body algorithm, and its factors along the branches of the tree.
//
//   composite  I_c(i) = I(i) + sum of I_c(children), moved to the origin of i
//   entries    F = I_c(i) s_k;  M(k, j) = s_j.F, F moved to the origin of j's link, for j on the way from
//              link i to the root
//   factors    M = L^T D L, eliminated from the leaves: the pattern of M stays, no fill-in
//
// s_k: the twist per unit of velocity coordinate k (world axes, origin of its link).
// Cost: sum of depths for M and for solving, sum of squared depths for the factors.
//
// Reference: Featherstone 2008, chapters 6 and 8 (LTDL).
//
// When it fails: a coordinate that moves no mass has a zero row; factorise() says so.
#include "stiction/dynamics/tree/mass_matrix.h"

#include <utility>

namespace stiction::tree {

void mass_matrix(const Forest& f, const Parameters& p, const Kinematics& k, MassMatrix& m) {
  m.rows.resize(f.row_begin.back());
  m.composite = k.inertia;
  for (std::size_t i = f.parent.size(); i-- > 0;) {
    const auto begin = std::size_t(f.v_begin[i]), end = std::size_t(f.v_begin[i + 1]);
    for (std::size_t d = begin; d < end; ++d) {
      double* row = m.rows.data() + f.row_begin[d];
      SpatialForce w = m.composite[i] * column(f, k, d);
      auto link = i;
      for (int j = int(d); j >= 0; j = f.dof_parent[std::size_t(j)]) {
        for (const auto own = std::size_t(f.dof_link[std::size_t(j)]); link != own;
             link = std::size_t(f.parent[link]))
          w = moved_back(w, k.pose[link].arm);
        *row++ = dot(w, column(f, k, std::size_t(j)));
      }
      m.rows[f.row_begin[d]] += p.armature[d];
    }
    if (f.parent[i] >= 0) m.composite[std::size_t(f.parent[i])] += moved_back(m.composite[i], k.pose[i].arm);
  }
}

double entry(const Forest& f, std::span<const double> rows, int i, int j) {
  if (i < j) std::swap(i, j);
  std::size_t at = f.row_begin[std::size_t(i)];
  for (; i > j; i = f.dof_parent[std::size_t(i)]) ++at;
  return i == j ? rows[at] : 0;
}

void multiply(const Forest& f, std::span<const double> rows, std::span<const double> x,
              std::span<double> out) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double* row = rows.data() + f.row_begin[i];
    out[i] = *row++ * x[i];
    for (int j = f.dof_parent[i]; j >= 0; j = f.dof_parent[std::size_t(j)], ++row) {
      out[i] += *row * x[std::size_t(j)];
      out[std::size_t(j)] += *row * x[i];
    }
  }
}

bool factorise(const Forest& f, std::span<double> rows) {
  for (std::size_t k = f.dof_parent.size(); k-- > 0;) {
    double* row = rows.data() + f.row_begin[k];
    if (!(row[0] > 0)) return false;
    const std::size_t length = f.row_begin[k + 1] - f.row_begin[k];
    int i = f.dof_parent[k];
    for (std::size_t a = 1; a < length; ++a, i = f.dof_parent[std::size_t(i)]) {
      const double factor = row[a] / row[0];
      double* target = rows.data() + f.row_begin[std::size_t(i)];
      for (std::size_t b = a; b < length; ++b) target[b - a] -= factor * row[b];
      row[a] = factor;
    }
  }
  return true;
}

void solve(const Forest& f, std::span<const double> factors, std::span<double> x) {
  for (std::size_t k = x.size(); k-- > 0;) {
    const double* row = factors.data() + f.row_begin[k] + 1;
    for (int j = f.dof_parent[k]; j >= 0; j = f.dof_parent[std::size_t(j)])
      x[std::size_t(j)] -= *row++ * x[k];
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double* row = factors.data() + f.row_begin[k];
    double value = x[k] / *row++;
    for (int j = f.dof_parent[k]; j >= 0; j = f.dof_parent[std::size_t(j)])
      value -= *row++ * x[std::size_t(j)];
    x[k] = value;
  }
}

}  // namespace stiction::tree
