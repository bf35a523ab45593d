// The same linear complementarity problem in another form, and the way back.
//
//   mixed -> LCP by elimination:  A u + C v + a = 0,  w = D u + B v + b  gives  u = -A^-1 (C v + a),
//                                 w = (B - D A^-1 C) v + (b - D A^-1 a)
//   boxed -> mixed:  one bound:   y = z - lower >= 0 with w, or y = upper - z >= 0 with -w
//                    two bounds:  y = z - lower >= 0 with w + s, and s >= 0 with upper - lower - y
//                    no bound:    a free row
//
// Elimination needs A regular (an ill-conditioned A costs digits) and loses sparsity; lemke() takes mixed and
// boxed problems as they are and is to be preferred.
#pragma once

#include <optional>

#include "stiction/complementarity/linear/problems.h"

namespace stiction::complementarity {

BoxedLcp as_boxed(const Lcp& p);
BoxedLcp as_boxed(const MixedLcp& p);

/// A problem in v alone, with what is needed to find u.
struct Elimination {
  Lcp reduced;
  int free = 0;
  std::vector<double> slope, offset;  // u = offset + slope v; free x (n - free) row-major, free

  /// The mixed problem's unknowns (u, v) from the reduced one's v.
  std::vector<double> recover(const std::vector<double>& v) const;
};
/// Empty if the free block A is singular to working precision.
std::optional<Elimination> eliminate_free(const MixedLcp& p);

struct MixedForm {
  MixedLcp problem;
  int n = 0;                // of the boxed problem
  std::vector<int> source;  // unknown of the boxed problem that unknown k stands for; -1: a multiplier
  std::vector<double> sign, offset;  // z[source[k]] = offset[k] + sign[k] y[k]

  std::vector<double> recover(const std::vector<double>& y) const;
};
MixedForm as_mixed(const BoxedLcp& p);

/// Both steps: boxed -> mixed -> LCP. Empty if the free block is singular.
struct LcpForm {
  MixedForm mixed;
  Elimination elimination;

  const Lcp& problem() const { return elimination.reduced; }
  std::vector<double> recover(const std::vector<double>& v) const {
    return mixed.recover(elimination.recover(v));
  }
};
std::optional<LcpForm> as_lcp(const BoxedLcp& p);

}  // namespace stiction::complementarity
