// Impulses that hold all contacts of an island still, where there are some.
//
// Coulomb's law may have several solutions: how redundant contacts share their load is not determined, and
// bodies that one sharing holds may slide under another. Without De Saxce's shift the problem is convex and
// its velocities are unique; r in K with u = 0 at every contact that presses solves it. So its solution shows
// whether such an r exists, and u = 0 with it satisfies Coulomb's law, too.
#pragma once

#include "stiction/complementarity/solve.h"

namespace stiction::complementarity {

/// In place of a solution r: impulses with which no contact of the island that presses moves faster than
/// `still` [m/s], and which press no more than those of r in all: a body in a slot or a groove that it just
/// fits into could be wedged by pressure that nothing brings about. False, r as it was, if none were found,
/// if rows other than cones are in it, or if it is too large. Forms W, allocates.
bool hold(const FrictionProblem& p, const Island& island, const SolveSettings& s, double still, double* r,
          SolverMemory& m);

}  // namespace stiction::complementarity
