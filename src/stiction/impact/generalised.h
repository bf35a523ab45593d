// A planar impact of any system with mass matrix M and generalised velocity u: trees, mechanisms, bodies.
//
//   M du = J^T dp,   W = J M^-1 J^T,   u+ = u + M^-1 J^T p
//
// J has the rows `normal` (velocity of the contact point along the normal, n numbers) and `tangent`. M is
// factorised here, M = L L^T. Whoever has M^-1 J^T already (dynamics/tree) fills a PlanarImpact instead.
#pragma once

#include <span>

#include "stiction/impact/planar.h"

namespace stiction::impact {

struct PlanarContact {
  std::span<const double> M;                          // n x n, symmetric positive definite
  std::span<const double> normal, tangent, velocity;  // n each; rows of J, u [generalised]
};

/// Numbers of scratch that n coordinates need.
constexpr std::size_t scratch_of(std::size_t n) { return n * n + 2 * n; }

/// `after` gets u+; no allocation. Slip that is round-off of the sum J u counts as none. Status bad_input
/// where M or W is not positive definite; `after` is u then.
Outcome solve(const PlanarContact& contact, const Coefficients& coefficients, std::span<double> after,
              std::span<double> scratch);

}  // namespace stiction::impact
