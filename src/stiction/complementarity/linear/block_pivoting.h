// Block principal pivoting for LCPs and boxed LCPs with symmetric positive (semi)definite M.
//
// Guesses which z lie inside their bounds (F) and which at a bound, solves M_FF z_F = -(q + M_FN z_N) by
// Cholesky, and moves *every* index whose z or w has the wrong sign to the other side; usually done after 3
// to 10 solves of any size. If the number of wrong ones has not fallen for a few rounds, only the one of
// highest index moves (Murty's rule) until it has: with M positive definite this ends, always.
//
// Where M is only semidefinite M_FF may be singular. Then the proximal problems M + delta I, q - delta z_k
// are solved one after the other, each from the sets of the last, while delta falls; z_k converges to a
// solution if there is one, mostly in 8 to 35 rounds. They say nothing where there is none, and Lemke's
// method is faster on such problems: this is its second opinion.
//
// One solve costs |F|^3 / 3 + n |F| multiplications, most of them in matrix products. Fails (unsuitable) if M
// is not symmetric or not positive semidefinite, (iteration_limit) if the proximal rounds do not settle.
// Reference: Judice, Pires (1994), Computers & Operations Research 21; Kostreva (1978), Linear Algebra Appl.
// 21; Murty (1974), Opsearch 11; Rockafellar (1976), SIAM J. Control Optim. 14.
#pragma once

#include <memory>

#include "stiction/complementarity/linear/problems.h"
#include "stiction/complementarity/linear/report.h"

namespace stiction::complementarity {

struct BlockPivotingSettings {
  double tolerance = 1e-12;      // [-] on max |natural map| / (1 + max |q|); > 0
  int patience = 10;             // [-] > 0; block moves without fewer wrong signs before Murty's rule
  int max_solves = 1000;         // [-] > 0; before the proximal rounds; 3 to 10 are usual
  int proximal_rounds = 60;      // [-] >= 0; semidefinite problems only; 0: give up where Cholesky fails
  double proximal_shift = 1e-7;  // [-] > 0; least delta where diag M is 1; larger: slower, better conditioned
  bool single_moves = true;      // Murty's rule when patience ends; false: give up then
  bool warm_start = false;       // z holds a guess
};

/// Scratch that is kept between solves; grows, never shrinks.
class BlockPivotingMemory {
 public:
  BlockPivotingMemory();
  ~BlockPivotingMemory();
  BlockPivotingMemory(BlockPivotingMemory&&) noexcept;
  BlockPivotingMemory& operator=(BlockPivotingMemory&&) noexcept;
  struct Contents;
  Contents& contents() { return *contents_; }

 private:
  std::unique_ptr<Contents> contents_;
};

/// Symmetric up to the round-off of forming it, no negative diagonal entry.
bool may_be_semidefinite(int n, const std::vector<double>& M);

LinearReport block_pivoting(const Lcp& p, const BlockPivotingSettings& s, std::vector<double>& z,
                            BlockPivotingMemory& memory);
LinearReport block_pivoting(const BoxedLcp& p, const BlockPivotingSettings& s, std::vector<double>& z,
                            BlockPivotingMemory& memory);
/// The same with memory of its own.
LinearReport block_pivoting(const Lcp& p, const BlockPivotingSettings& s, std::vector<double>& z);
LinearReport block_pivoting(const BoxedLcp& p, const BlockPivotingSettings& s, std::vector<double>& z);

}  // namespace stiction::complementarity
