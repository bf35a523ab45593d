// The mass matrix of trees and its factors. See mass_matrix.cpp.
//
// M couples a velocity coordinate with those on its way to the root only. Row k is kept packed: entry 0 is
// M(k, k), entry 1 M(k, parent of k), and so on along Forest::dof_parent, from row_begin[k] on.
#pragma once

#include <span>
#include <vector>

#include "stiction/dynamics/tree/kinematics.h"

namespace stiction::tree {

struct MassMatrix {
  std::vector<double> rows{};             // [kg, kg m, kg m^2], or its factors
  std::vector<RigidInertia> composite{};  // scratch: each link with all that hangs on it
};

/// M(q), armature included: O(n * depth).
void mass_matrix(const Forest& f, const Parameters& p, const Kinematics& k, MassMatrix& m);
/// M(i, j) of the packed rows; 0 where neither is on the other's way to the root.
double entry(const Forest& f, std::span<const double> rows, int i, int j);
/// out = M x.
void multiply(const Forest& f, std::span<const double> rows, std::span<const double> x,
              std::span<double> out);

/// M = L^T D L in place: D on the diagonal, L below. False if some pivot is not above 0; the rows are then
/// of no use.
bool factorise(const Forest& f, std::span<double> rows);
/// x := M^-1 x with the factors.
void solve(const Forest& f, std::span<const double> factors, std::span<double> x);

}  // namespace stiction::tree
