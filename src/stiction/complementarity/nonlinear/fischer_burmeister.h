// Semismooth Newton on the Fischer-Burmeister form of a mixed complementarity problem.
//
//   Phi(x) = 0 (n equations, detail/merit.h),   H d = -Phi,   x := P(x + t d),   P = into the box
//
// globalised by the merit function |Phi|^2 / 2: a line search along the projected step, with a regularised
// (Levenberg-Marquardt) step and the gradient as fallbacks (detail/descent.h). One sparse LU per iteration.
// Converges quadratically near a solution at which every H is regular (for instance a strongly regular one),
// from anywhere to a stationary point of the merit function; that is a solution wherever J is a P0-matrix on
// the unknowns whose F has the wrong sign. Otherwise it may end in a local minimum that is none: status
// stationary. Also slow, with only linear convergence, where the solution is not isolated or H singular at
// it. Reference: De Luca, Facchinei, Kanzow (1996), Math. Programming 75; Munson, Facchinei, Ferris, Fischer,
// Kanzow (2001), INFORMS J. Computing 13.
#pragma once

#include "stiction/complementarity/nonlinear/mcp.h"
#include "stiction/complementarity/nonlinear/mcp_report.h"

namespace stiction::complementarity {

struct FischerBurmeisterSettings {
  /// On max |natural map|, in the units of x and F; > 0. Round-off allows it while the terms of F stay below
  /// 1e5.
  double tolerance = 1e-10;
  int max_iterations = 200;  // [-] > 0; 5 to 30 are usual
  /// [-] > 0; merit values a step is compared with, the largest counts. 1: each step must descend; fewest
  /// iterations on the classic set, where 5 takes twice as many and 10 fails on two problems.
  int memory = 1;
  bool warm_start = false;  // x holds a guess; otherwise Mcp::start is used
};

/// x: the guess where warm_start is set; afterwards the best point seen, inside the box.
McpReport fischer_burmeister(const Mcp& p, const FischerBurmeisterSettings& s, std::vector<double>& x);

}  // namespace stiction::complementarity
