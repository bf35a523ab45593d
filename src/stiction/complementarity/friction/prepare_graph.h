// A global problem made ready for solvers without W: see detail/graph.h.
#pragma once

#include "stiction/complementarity/friction/condense.h"
#include "stiction/complementarity/friction/prepared.h"
#include "stiction/complementarity/friction/problems.h"

namespace stiction::complementarity::friction {

/// Blocks per contact that W would have, and the largest block of M.
struct GraphShape {
  double blocks = 0;
  int largest = 0;
};
GraphShape shape_of(const GlobalFriction& p, const MassFactors& factors);

/// As prepare(), from M in factors; of W only the blocks W_ii are held. The problem must be valid.
void prepare(const GlobalFriction& p, MassFactors& factors, Prepared& out);

}  // namespace stiction::complementarity::friction
