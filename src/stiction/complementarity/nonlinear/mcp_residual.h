// The one measure of how well a mixed complementarity problem is solved. No solver shares this code.
//
//   error_i = x_i - mid(lower_i, x_i - F_i(x), upper_i)         the natural map
//   residual = max |error_i|
//
// It is 0 exactly at the solutions: min(x_i, F_i) for an NCP, F_i for an unknown without bounds. It is
// absolute, as in the literature on test problems, so that figures compare; it mixes x and F, so both should
// be scaled to be near 1. It is not divided by 1 + max |x|: F = -1 with x >= 0 has no solution, and its error
// 1 over 1 + x would pass any tolerance as x runs away. Nor by F at the start: a bad start must not loosen
// the measure. What round-off leaves depends on the size of the terms inside F; a solver says so where it
// stops above the tolerance.
#pragma once

#include "stiction/complementarity/nonlinear/mcp.h"

namespace stiction::complementarity {

/// Infinite if x has the wrong size or leaves the box, or if x or F(x) is not finite. Evaluates F once.
double natural_residual(const Mcp& p, const std::vector<double>& x);

}  // namespace stiction::complementarity
