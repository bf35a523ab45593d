// The one measure of how well a linear complementarity problem is solved. No solver shares this code.
//
//   error_i = z_i - clamp(z_i - (M z + q)_i, lower_i, upper_i)         the natural map
//   residual = max |error_i| / (1 + max |q_i|)
//
// For an LCP the error is min(z_i, w_i); for a free row it is w_i. It is 0 exactly at the solutions. It mixes
// z and w, so it has no unit: rescaling a problem changes it. w is summed in twice the working precision, so
// what is measured is z, not the round-off of the measurement.
#pragma once

#include "stiction/complementarity/linear/problems.h"

namespace stiction::complementarity {

/// w = M z + q, each entry rounded once.
std::vector<double> slack(int n, const std::vector<double>& M, const std::vector<double>& q,
                          const std::vector<double>& z);

/// Infinite if z has the wrong size or is not finite.
double natural_residual(const Lcp& p, const std::vector<double>& z);
double natural_residual(const MixedLcp& p, const std::vector<double>& z);
double natural_residual(const BoxedLcp& p, const std::vector<double>& z);
/// The same, with memory for w from the caller.
double natural_residual(const BoxedLcp& p, const std::vector<double>& z, std::vector<double>& w);

}  // namespace stiction::complementarity
