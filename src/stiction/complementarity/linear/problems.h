// Linear complementarity problems as plain data: no bodies, no units of their own.
//
//   LCP         w = M z + q,   0 <= z  _|_  w >= 0
//   mixed LCP   rows [0, free):  w = 0, z free;   the other rows as in an LCP
//   boxed LCP   lower <= z <= upper;   z = lower: w >= 0,   z = upper: w <= 0,   between: w = 0
//
// M is n x n, dense, row-major, not necessarily symmetric. Bounds may be infinite; lower = upper fixes an
// unknown and leaves its w free. An LCP is the boxed problem with bounds 0 and infinity, a free row one
// without bounds.
// Reference: Cottle, Pang, Stone (1992), "The Linear Complementarity Problem".
#pragma once

#include <string>
#include <vector>

namespace stiction::complementarity {

struct Lcp {
  int n = 0;
  std::vector<double> M, q;  // n x n row-major, n
};

struct MixedLcp {
  int n = 0;
  int free = 0;  // the first `free` rows are equations with unknowns of either sign; 0 <= free <= n
  std::vector<double> M, q;
};

struct BoxedLcp {
  int n = 0;
  std::vector<double> M, q, lower, upper;  // lower may be -infinity, upper +infinity
};

/// What is wrong with a problem, each line naming the field; empty = fine. Solvers refuse what has faults.
std::vector<std::string> validate(const Lcp& p);
std::vector<std::string> validate(const MixedLcp& p);
std::vector<std::string> validate(const BoxedLcp& p);

}  // namespace stiction::complementarity
