// Constraint systems: the methods behind one call.
#pragma once

#include <span>
#include <string>

#include "stiction/complementarity/bilateral/iterative.h"
#include "stiction/complementarity/bilateral/ldlt.h"

namespace stiction::complementarity::bilateral {

enum class Method : unsigned char {
  ldlt,      // sparse direct: exact, linear time for chains and trees, least norm where rows are redundant
  pairwise,  // Gauss-Seidel over joints
  jacobi,    // all joints at once
  pgs,       // Gauss-Seidel over rows
  cg,        // conjugate gradients
};
/// "ldlt", "pairwise", ...
std::span<const std::string> method_words();
const char* name_of(Method method);

struct Settings {
  Method method = Method::ldlt;
  double tolerance = 1e-10;          // [-] on constraint_residual(); > 0
  LdltSettings ldlt = {};            // its tolerance is the one above
  IterativeSettings iterative = {};  // likewise
};

/// Kept by the caller: after warm-up, a solution with the same pattern allocates nothing.
struct Memory {
  Ldlt ldlt;
  IterativeMemory iterative;
};

/// lambda: one number per row; a guess where iterative.warm_start says so.
void solve(const ConstraintSystem& p, const Settings& s, Memory& memory, std::vector<double>& lambda,
           Report& report);

}  // namespace stiction::complementarity::bilateral
