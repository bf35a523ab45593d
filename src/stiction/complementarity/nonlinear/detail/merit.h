// The Fischer-Burmeister form of a mixed complementarity problem, shared by its solvers.
//
//   phi(a, b) = a + b - sqrt(a^2 + b^2),         0 exactly where a >= 0, b >= 0, a b = 0
//
//   Phi_i =  phi(x_i - l_i, F_i)                                     lower bound only
//           -phi(u_i - x_i, -F_i)                                    upper bound only
//            phi(x_i - l_i, -phi(u_i - x_i, -F_i))                   both
//            F_i                                                     none
//            x_i - l_i                                               l_i = u_i
//
//   Psi = |Phi|^2 / 2,   H = D_x + D_f J in the generalised Jacobian of Phi,   grad Psi = H^T Phi
//
// Psi is continuously differentiable although Phi is not. Where phi has a kink (a = b = 0) its slopes are
// taken as 1 - 1/sqrt(2) each, a member of the generalised gradient. Points lie in the box.
// Reference: Fischer (1992), Optimization 24; Billups (1995), thesis, Wisconsin, for two bounds;
// De Luca, Facchinei, Kanzow (1996), Math. Programming 75.
#pragma once

#include <vector>

#include "stiction/complementarity/nonlinear/detail/sparse_lu.h"
#include "stiction/complementarity/nonlinear/mcp.h"
#include "stiction/complementarity/nonlinear/mcp_report.h"

namespace stiction::complementarity::detail {

/// A point and what is known about it.
struct McpPoint {
  std::vector<double> x, f, phi;
  double merit = 0;     // Psi
  double residual = 0;  // max |natural map|, the solvers' own account
};

/// The problem with counters; every evaluation of a solver goes through it.
class McpForm {
 public:
  McpForm(const Mcp& p, McpReport& report) : p_(p), report_(report) {}

  const Mcp& problem() const { return p_; }
  /// Moves x into the box; evaluates F and Phi. False where F is not finite.
  bool evaluate(McpPoint& at);
  /// J at the point into jacobian(). False where it is not finite.
  bool evaluate_jacobian(const McpPoint& at);
  const SparseColumns& jacobian() const { return jacobian_; }
  /// H into newton_matrix(), its Psi-gradient into gradient. Needs the Jacobian of the same point.
  void linearise(const McpPoint& at, std::vector<double>& gradient);
  const SparseColumns& newton_matrix() const { return h_; }

 private:
  void phi_and_slopes(const McpPoint& at, std::size_t i, double& value, double& slope_x,
                      double& slope_f) const;

  const Mcp& p_;
  McpReport& report_;
  std::vector<Triplet> entries_;
  std::vector<int> count_, place_;
  SparseColumns jacobian_, h_;  // every diagonal entry is there, be it 0
};

/// y := A x, and y := A^T x.
void multiply(const SparseColumns& a, const std::vector<double>& x, std::vector<double>& y);
void multiply_transposed(const SparseColumns& a, const std::vector<double>& x, std::vector<double>& y);

}  // namespace stiction::complementarity::detail
