// What every solver of linear complementarity problems returns.
#pragma once

#include <vector>

namespace stiction::complementarity {

enum class LinearStatus : unsigned char {
  not_run,          // nothing was done yet
  bad_input,        // validate() has something to say about the problem, or the start has the wrong size
  solved,           // the residual is within the tolerance
  ray,              // Lemke's path leads to infinity; see LinearReport::ray
  iteration_limit,  // pivots or sweeps are used up; z is the best point seen
  inaccurate,       // a complementary basis was found, but round-off keeps its residual above the tolerance
  unsuitable        // the method does not apply, e.g. Cholesky met a matrix that is not positive semidefinite
};

/// The word for a status, as the enumeration spells it.
const char* name_of(LinearStatus status);

struct LinearReport {
  LinearStatus status = LinearStatus::not_run;
  double residual = -1;     // [-] the solver's own account of max |natural map| / (1 + max |q|); -1 = none
  int pivots = 0;           // [-] exchanges of one index (Lemke) or of a block (block pivoting)
  int sweeps = 0;           // [-] Gauss-Seidel or Jacobi
  int factorisations = 0;   // [-]
  int restarts = 0;         // [-] Lemke: how often another start was needed
  const char* method = "";  // the solver that gave z
  std::vector<double> residual_history;  // [-] iterative methods: one entry per check
  /// status ray: the direction of z along it, largest entry 1. With lower = 0, upper = infinity: ray >= 0.
  std::vector<double> ray;
  /// status ray: ray proves that no z >= 0 has M z + q >= 0 (ray >= 0, M^T ray <= 0, q.ray < 0; LCP only).
  bool proves_infeasible = false;
};

}  // namespace stiction::complementarity
