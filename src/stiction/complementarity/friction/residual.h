// The one measure of how well a frictional contact problem is solved. No solver shares this code.
//
//   natural map:  |r - P_K(r - uhat)| / |b|                 (Acary, Bremond, Huber; the measure of FCLib)
//   unit-free:    |r - P_K(r - uhat / w)| / |r|,  w_i = mean diagonal of W_ii
//
// with u = W r + b from W as stored. Ellipsoids are measured in the rows in which they are round (r_f / E, E
// u_f, E b_f; the W_ii likewise); with weights 1 nothing changes. The projection is taken as the nearest of
// all candidates that the discs allow, another route than that of the solvers. Where the numerator is 0 the
// measure is 0; where only the denominator is, infinite.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/condense.h"
#include "stiction/complementarity/friction/problems.h"

namespace stiction::complementarity {

struct FrictionResidual {
  double natural_map = -1;         // [-] over |b|
  double natural_map_scaled = -1;  // [-] unit-free
};

/// r: rows per contact. The problem must be valid.
FrictionResidual friction_residual(const LocalFriction& p, const std::vector<double>& r);
/// The same of a global problem, without W: u = H^T v + b with v = M^-1 (H r + f), over |H^T M^-1 f + b|.
/// What the factors of M are worth, FrictionReport::dynamics tells.
FrictionResidual friction_residual(const GlobalFriction& p, MassFactors& factors,
                                   const std::vector<double>& r);

}  // namespace stiction::complementarity
