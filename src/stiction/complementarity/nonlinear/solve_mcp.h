// The policy for mixed complementarity problems: one solver hands over to the next until the tolerance holds.
//
// 1. fischer_burmeister from the start: cheapest, sparse.
// 2. josephy_newton from the start, for n up to dense_limit: other steps, other valleys.
// 3. proximal: follows x' = -F(x), kept in the box, with implicit steps, each the easier problem
//
//      F(y) + lambda (y - x),     x := y
//
//    whose Jacobian has lambda more on its diagonal; lambda shrinks as the residual does. Does not look at
//    the merit function, so its local minima do not hold it (Billups 1995 built such an example). Then
//    fischer_burmeister from where it ended.
// 4. 1 and 2 again from perturbed starts, which spread out by a fixed sequence.
//
// What decides is what the solvers report, never time; the same problem gives the same steps and bits. The
// last word has natural_residual(), which no solver shares: `solved` means that it is within the tolerance.
// Otherwise x is the best point seen and McpReport::residual what remains; that proves nothing about
// solutions, of which there may be none.
#pragma once

#include "stiction/complementarity/nonlinear/fischer_burmeister.h"
#include "stiction/complementarity/nonlinear/josephy_newton.h"

namespace stiction::complementarity {

struct McpSolveSettings {
  double tolerance =
      1e-10;                // on max |natural map|, in the units of x and F; > 0; round-off of terms near 1e5
  int dense_limit = 1000;   // [-] >= 0; largest n for Josephy-Newton, whose linearisation is dense
  int proximal_steps = 60;  // [-] >= 0; 5 to 30 are usual where it helps
  int perturbed_starts = 8;  // [-] >= 0; each costs up to 300 iterations
  bool warm_start = false;   // x holds a guess; otherwise Mcp::start is used
};

McpReport solve(const Mcp& p, const McpSolveSettings& s, std::vector<double>& x);

/// From Mcp::start, with the defaults.
McpReport solve(const Mcp& p, double tolerance, std::vector<double>& x);

}  // namespace stiction::complementarity
