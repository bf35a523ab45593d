// Projected Gauss-Seidel and Jacobi for LCPs, mixed and boxed LCPs: first-order sweeps for rough answers.
//
//   Gauss-Seidel   z_i := clamp(z_i - omega (M z + q)_i / M_ii),  one row after the other with the newest z
//   Jacobi         the same for all rows at once, with D_i = sum_j |M_ij| in place of M_ii
//
// Gauss-Seidel converges for M symmetric positive semidefinite with positive diagonal (0 < omega < 2) if
// there is a solution; Jacobi with these D and omega <= 1 too, since D - M is positive semidefinite.
// Convergence is linear, as slow as M is ill-conditioned: many digits need Lemke's method or block pivoting.
// A diagonal entry that is not positive makes Gauss-Seidel unsuitable. One sweep costs n^2 multiplications.
//
// Reference: Cottle, Pang, Stone (1992), 5.2; Cryer (1971), SIAM J. Control 9.
#pragma once

#include "stiction/complementarity/linear/problems.h"
#include "stiction/complementarity/linear/report.h"

namespace stiction::complementarity {

struct SweepSettings {
  double tolerance = 1e-8;  // [-] on max |natural map| / (1 + max |q|); > 0; a sweep gains a fixed share only
  int max_sweeps = 10000;   // [-] > 0
  double relaxation = 1;    // [-] omega; Gauss-Seidel in (0, 2), Jacobi in (0, 1]
  int check_every = 10;     // [-] > 0; sweeps between two residuals, which cost one sweep each
  bool warm_start = false;  // z holds a guess
};

LinearReport gauss_seidel(const Lcp& p, const SweepSettings& s, std::vector<double>& z);
LinearReport gauss_seidel(const MixedLcp& p, const SweepSettings& s, std::vector<double>& z);
LinearReport gauss_seidel(const BoxedLcp& p, const SweepSettings& s, std::vector<double>& z);
LinearReport jacobi(const Lcp& p, const SweepSettings& s, std::vector<double>& z);
LinearReport jacobi(const MixedLcp& p, const SweepSettings& s, std::vector<double>& z);
LinearReport jacobi(const BoxedLcp& p, const SweepSettings& s, std::vector<double>& z);

}  // namespace stiction::complementarity
