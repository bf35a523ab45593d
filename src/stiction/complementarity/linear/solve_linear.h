// The policy for linear complementarity problems: picks a solver and hands over until the tolerance holds.
//
// - M symmetric with a diagonal that allows positive semidefinite: block pivoting, while its block moves make
//   progress. Definite problems end here, in half the time of Lemke's method or less.
// - Then, and for any other M: Lemke's method. A ray that proves infeasibility ends the search.
// - No solution yet: symmetric problems by the proximal rounds of block pivoting; others by Gauss-Seidel
//   sweeps to a point from which Lemke's method starts once more.
//
// What decides is the structure of M and what the solvers report, never time. The last word has
// natural_residual(), which no solver shares: `solved` means that it is within the tolerance.
#pragma once

#include "stiction/complementarity/linear/block_pivoting.h"
#include "stiction/complementarity/linear/lemke.h"
#include "stiction/complementarity/linear/sweeps.h"

namespace stiction::complementarity {

struct LinearSolveSettings {
  double tolerance = 1e-10;  // [-] on max |natural map| / (1 + max |q|); > 0; round-off at n = 1000
  bool warm_start = false;   // z holds a guess, e.g. the solution of a problem nearby
};

/// Scratch that the caller keeps between solves.
struct LinearSolveMemory {
  LemkeMemory lemke;
  BlockPivotingMemory block_pivoting;
};

LinearReport solve(const Lcp& p, const LinearSolveSettings& s, std::vector<double>& z,
                   LinearSolveMemory& memory);
LinearReport solve(const MixedLcp& p, const LinearSolveSettings& s, std::vector<double>& z,
                   LinearSolveMemory& memory);
LinearReport solve(const BoxedLcp& p, const LinearSolveSettings& s, std::vector<double>& z,
                   LinearSolveMemory& memory);

/// Cold, with memory of its own.
LinearReport solve(const Lcp& p, double tolerance, std::vector<double>& z);
LinearReport solve(const MixedLcp& p, double tolerance, std::vector<double>& z);
LinearReport solve(const BoxedLcp& p, double tolerance, std::vector<double>& z);

}  // namespace stiction::complementarity
