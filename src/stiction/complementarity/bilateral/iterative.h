// Iterative solvers of constraint systems, r = rhs - (G A^-1 G^T + Sigma) lambda. The velocities
// u = A^-1 G^T lambda are kept up to date, so that a sweep costs as much as the rows have entries.
//
//   pairwise   joint after joint:  lambda_k += S_kk^-1 r_k, S_kk the joint's own rows with its two blocks
//   pgs        row after row:      lambda_i += omega r_i / S_ii
//   jacobi     all joints at once: lambda_k += omega D_k^-1 r_k, D_k = Sigma_k + sum_b n_b G_kb A_b^-1
//   G_kb^T,
//              n_b the number of joints at block b
//   cg         conjugate gradients, preconditioned by the blocks S_kk
//
// pairwise is the naive solver of the reference's Algorithm 2, with the term Sigma lambda that (9.58) leaves
// out. The reference says that it neglects the coupling of joints; but since forces accumulate in the bodies
// (9.60), each joint sees those before it, and the sweeps are block Gauss-Seidel: they converge. jacobi
// with n_b = 1 diverges where three joints share a body (a door on three hinges); with its mass divided among
// its joints S <= diag(D_k) holds, and any omega in (0, 2) converges. All but cg gain a fixed share of the
// error per sweep, which tends to nothing for long chains and large ratios of mass; cg needs about as many
// steps as a chain has links. Redundant rows that agree do no harm; where they contradict each other the
// best lambda seen is returned. The forces of redundant rows depend on the method.
//
// Reference: M. Servin, Notes on Discrete Mechanics (2015), 9.4; R. Tonge et al., ACM Trans. Graph. 31 (2012)
// for the divided masses.
#pragma once

#include "stiction/complementarity/bilateral/report.h"
#include "stiction/complementarity/bilateral/system.h"

namespace stiction::complementarity::bilateral {

struct IterativeSettings {
  double tolerance = 1e-10;    // [-] on constraint_residual(); > 0
  int max_iterations = 10000;  // [-] > 0
  double relaxation = 1;       // [-] omega of pgs and jacobi; in (0, 2)
  int check_every = 10;        // [-] > 0; sweeps between two residuals, which cost one sweep each; cg: 1
  bool warm_start = false;     // lambda holds a guess
};

/// Memory of the iterative solvers.
struct IterativeMemory {
  std::vector<double> inverse;           // per joint 36: of S_kk or D_k
  std::vector<double> unit;              // per row: 1/sqrt(S_ii), 1 where S_ii = 0
  std::vector<double> inverse_diagonal;  // per row: 1/S_ii, 0 where S_ii = 0
  std::vector<double> u;                 // per block 6
  std::vector<double> r, z, d, best;     // per row
  std::vector<double> q;                 // per row: S d
  std::vector<int> degree;               // per block: joints at it
};

void pairwise(const ConstraintSystem& p, const IterativeSettings& s, IterativeMemory& m,
              std::vector<double>& lambda, Report& report);
void pgs(const ConstraintSystem& p, const IterativeSettings& s, IterativeMemory& m,
         std::vector<double>& lambda, Report& report);
void jacobi(const ConstraintSystem& p, const IterativeSettings& s, IterativeMemory& m,
            std::vector<double>& lambda, Report& report);
void conjugate_gradient(const ConstraintSystem& p, const IterativeSettings& s, IterativeMemory& m,
                        std::vector<double>& lambda, Report& report);

}  // namespace stiction::complementarity::bilateral
