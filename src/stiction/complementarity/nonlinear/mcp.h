// The mixed complementarity problem as plain data: no bodies, no units of its own.
//
//   lower <= x <= upper;   x_i = lower_i: F_i(x) >= 0,   x_i = upper_i: F_i(x) <= 0,   between: F_i(x) = 0
//
// F maps n numbers to n and is continuously differentiable on the box. Bounds may be infinite: without any it
// is a system of equations, with 0 and infinity the nonlinear complementarity problem (NCP). lower = upper
// fixes an unknown and leaves its F free. Solvers evaluate F inside the box only; where it is not defined
// there either (a logarithm at 0), it shall give a number that is not finite: solvers then take shorter
// steps. Reference: Facchinei, Pang (2003), "Finite-Dimensional Variational Inequalities and Complementarity
// Problems", 1.1.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace stiction::complementarity {

/// One entry of a sparse matrix. Entries of the same place add up.
struct Triplet {
  int row = 0, column = 0;
  double value = 0;
};

struct Mcp {
  int n = 0;
  std::vector<double> lower, upper;  // n each; lower may be -infinity, upper +infinity
  std::vector<double> start;         // n; where solvers begin, moved into the box
  /// f := F(x). Both have n numbers. The same x must give the same f.
  std::function<void(std::span<const double> x, std::span<double> f)> function;
  /// Appends dF_row/dx_column; `entries` comes empty. Places may change from call to call.
  std::function<void(std::span<const double> x, std::vector<Triplet>& entries)> jacobian;
};

/// The NCP 0 <= x _|_ F(x) >= 0: bounds 0 and infinity for as many unknowns as `start` has.
Mcp ncp(std::vector<double> start, decltype(Mcp::function) function, decltype(Mcp::jacobian) jacobian);

/// What is wrong with a problem, each line naming the field; empty = fine. Evaluates F and its Jacobian once,
/// at the start. Solvers refuse a problem with faults.
std::vector<std::string> validate(const Mcp& p);

/// Largest |J_ij - central difference| / (1 + largest |J| of the row) at x, for those who wrote a Jacobian by
/// hand: about 1e-9 where it is right. At a bound the difference is one-sided and keeps 5 digits only; fixed
/// unknowns are left out. 2 n evaluations.
double jacobian_error(const Mcp& p, const std::vector<double>& x);

}  // namespace stiction::complementarity
