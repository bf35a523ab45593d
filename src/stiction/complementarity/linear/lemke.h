// Lemke's method with the lexicographic rule, for LCPs, mixed and boxed LCPs: w = M z + q with bounds on z.
//
// Walks from a start through almost complementary bases, one exchange at a time (detail/lemke_path.h),
// refines the answer on the final basis and checks it. It needs no symmetry and no definiteness. It ends
//
// - with a solution, always where M is a P-matrix, where M is copositive-plus and the problem feasible, and
//   where M is copositive and no z >= 0 with z'Mz = 0, Mz >= 0 has q'z < 0 (Stewart and Trinkle's contact
//   problems are of this kind);
// - or on a ray. For copositive-plus M that proves that no z is feasible; LinearReport::proves_infeasible
//   says so where the ray itself is the proof. For other M it proves nothing: a solution may exist, and other
//   covering vectors are tried before the ray is reported.
//
// A cold start takes z at the bounds. A warm start takes the basis that the given z suggests: with the right
// one there is nothing to walk. One exchange costs about 4 k^2 + 2 n k multiplications for k unknowns off
// their bounds.
//
// Fails on problems so degenerate or badly scaled that ties cannot be told from round-off (status inaccurate
// or iteration_limit): the residual says so; nothing wrong is called solved.
// Reference: Lemke (1965), Management Science 11; Cottle, Pang, Stone (1992), 4.4 and 4.9.
#pragma once

#include <memory>

#include "stiction/base/stop.h"
#include "stiction/complementarity/linear/problems.h"
#include "stiction/complementarity/linear/report.h"

namespace stiction::complementarity {

struct LemkeSettings {
  double tolerance = 1e-12;  // [-] on max |natural map| / (1 + max |q|); > 0; round-off of small problems
  int pivots_per_row = 50;  // [-] > 0; a walk is given up after this many exchanges times n; 1 to 3 are usual
  int refactor_after = 100;  // [-] > 0; exchanges between fresh inverses, plus half the size of the inverse
  int restarts = 6;          // [-] >= 0; further walks, from where one ended or along other covering vectors
  bool warm_start = false;   // z holds a guess; otherwise z is ignored
  std::vector<double> covering = {};  // [-] > 0, how fast t pushes each slack of a cold start; empty: all 1
  Stop stop{};
};

/// Scratch that is kept between solves; grows, never shrinks.
class LemkeMemory {
 public:
  LemkeMemory();
  ~LemkeMemory();
  LemkeMemory(LemkeMemory&&) noexcept;
  LemkeMemory& operator=(LemkeMemory&&) noexcept;
  struct Contents;
  Contents& contents() { return *contents_; }

 private:
  std::unique_ptr<Contents> contents_;
};

LinearReport lemke(const Lcp& p, const LemkeSettings& s, std::vector<double>& z, LemkeMemory& memory);
LinearReport lemke(const MixedLcp& p, const LemkeSettings& s, std::vector<double>& z, LemkeMemory& memory);
LinearReport lemke(const BoxedLcp& p, const LemkeSettings& s, std::vector<double>& z, LemkeMemory& memory);

/// The same with memory of its own.
LinearReport lemke(const Lcp& p, const LemkeSettings& s, std::vector<double>& z);
LinearReport lemke(const MixedLcp& p, const LemkeSettings& s, std::vector<double>& z);
LinearReport lemke(const BoxedLcp& p, const LemkeSettings& s, std::vector<double>& z);

}  // namespace stiction::complementarity
