// One step that makes the merit function Psi smaller, for every solver that needs one.
//
// Three directions are tried in turn, each along the path P(x + t d), t = 1, 1/2, 1/4, ..., P = into the box:
//
//   Newton        H d = -Phi                        where H is regular: quadratic convergence near a solution
//   regularised   (H^T H + mu I) d = -H^T Phi       Levenberg-Marquardt, always defined; as the sparse system
//                                                   [I H; H^T -mu I] (y, d) = (-Phi, 0)
//   gradient      d = -c H^T Phi                    c: minimiser of |Phi + H d|; some t works unless the
//   point
//                                                   is stationary for Psi on the box
//
// Projection on the box costs no speed: solutions lie in it, so P(x + d) is nearer to them than x + d. A step
// is taken when Psi falls below `reference` (the largest of the last few values: nonmonotone) by a share of
// what its slope promises. Reference: Grippo, Lampariello, Lucidi (1986), SIAM J. Numer. Anal. 23; Kanzow, Qi
// (1999), Math. Programming 85 (iterates that stay in the box).
#pragma once

#include <vector>

#include "stiction/complementarity/nonlinear/detail/merit.h"

namespace stiction::complementarity::detail {

enum class DescentStep : unsigned char { full, shortened, gradient, none };

class Descent {
 public:
  Descent(McpForm& form, McpReport& report) : form_(form), report_(report) {}
  /// From `at`, whose Jacobian the form holds, to `next`, whose Jacobian it then holds. none: `at` is
  /// stationary to working precision, or Psi cannot be evaluated around it.
  DescentStep take(const McpPoint& at, double reference, McpPoint& next);

 private:
  bool newton_direction(const McpPoint& at);
  bool regularised_direction(const McpPoint& at);
  void gradient_direction();
  bool search(const McpPoint& at, double reference, int halvings, bool along_gradient, McpPoint& next,
              bool& full);

  McpForm& form_;
  McpReport& report_;
  SparseLu newton_lu_, regularised_lu_;
  SparseColumns regularised_;
  std::vector<double> gradient_, direction_, image_;
};

/// The last few values of Psi; a step is compared with the largest.
class MeritMemory {
 public:
  explicit MeritMemory(int size) : size_(std::size_t(size)) {}
  void add(double merit);
  double largest() const;

 private:
  std::size_t size_, next_ = 0;
  std::vector<double> values_;
};

}  // namespace stiction::complementarity::detail
