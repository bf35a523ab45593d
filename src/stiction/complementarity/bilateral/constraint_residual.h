// The one measure of how well a constraint system is solved. No solver shares this code.
//
//   r = rhs - (G A^-1 G^T + Sigma) lambda,       S_ii = (G A^-1 G^T + Sigma)_ii
//   residual = max |r_i| / sqrt(S_ii)  over  max |rhs_i| / sqrt(S_ii)
//
// Divided by the square root of the inverse mass that a row feels, rows in m/s and in rad/s have one unit
// (the square root of an energy) and may be compared. A row that nothing can move (S_ii = 0) counts with its
// rhs as it is: it is solved only if that is 0. Redundant rows that contradict each other leave a residual.
#pragma once

#include "stiction/complementarity/bilateral/system.h"

namespace stiction::complementarity::bilateral {

/// Infinite if lambda has the wrong size or is not finite; 0 if every rhs is 0 and so is every r.
double constraint_residual(const ConstraintSystem& p, const std::vector<double>& lambda);

}  // namespace stiction::complementarity::bilateral
