// Josephy-Newton with Lemke's method on the linearisation of a mixed complementarity problem.
//
// Each iteration solves, for d = y - x, the boxed LCP
//
//   w = F(x) + J(x) d - (1 - t) r,     lower - x <= d <= upper - x,     w complementary to d        (1)
//
// at t = 1 and takes y where the merit function (detail/merit.h) falls enough. r = F(x) - v, with v the part
// of F(x) that the bounds at x can carry: at a lower bound max(F, 0), at an upper one min(F, 0), between 0.
// So d = 0 solves (1) at t = 0, and its solutions y(t) form a piecewise linear path from x to the Newton
// point. Where that point is no better, or Lemke's method ends on a ray, the path is searched: t = 1/2, 1/4,
// ..., each a warm-started LCP. Where no point of it helps, one step of detail/descent.h is taken instead.
//
// It knows the active bounds of the linearisation exactly, so it needs few iterations, also where unknowns
// change between bounds by the hundred, and converges quadratically at strongly regular solutions. The LCP
// is dense: n^2 numbers and some n^3 work per iteration, for n up to about 1000. It may end in a local
// minimum of the merit function (status stationary). Reference: Josephy (1979), report 1965, Wisconsin; Ralph
// (1994), Math. Oper. Res. 19 (path search); Dirkse, Ferris (1995), Optim. Methods Softw. 5 (PATH).
#pragma once

#include "stiction/complementarity/nonlinear/mcp.h"
#include "stiction/complementarity/nonlinear/mcp_report.h"

namespace stiction::complementarity {

struct JosephyNewtonSettings {
  /// On max |natural map|, in the units of x and F; > 0. Round-off allows it while the terms of F stay below
  /// 1e5.
  double tolerance = 1e-10;
  int max_iterations = 100;  // [-] > 0; 3 to 15 are usual
  int path_halvings = 8;     // [-] >= 0; points of the path tried after the Newton point
  int memory = 5;            // [-] > 0; merit values a step is compared with; 1 = each step must descend
  bool warm_start = false;   // x holds a guess; otherwise Mcp::start is used
};

/// x: the guess where warm_start is set; afterwards the best point seen, inside the box.
McpReport josephy_newton(const Mcp& p, const JosephyNewtonSettings& s, std::vector<double>& x);

}  // namespace stiction::complementarity
