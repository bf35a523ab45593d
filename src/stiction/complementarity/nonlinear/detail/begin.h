// What the solvers of mixed complementarity problems do alike: refuse, begin, count, keep the best point.
#pragma once

#include <string>
#include <vector>

#include "stiction/complementarity/nonlinear/detail/descent.h"

namespace stiction::complementarity::detail {

/// A fault of the settings, where `fine` is false.
void require(bool fine, const char* fault, McpReport& report);

/// Checks the problem and the guess, evaluates F and the Jacobian at the start. False: report.status says
/// why.
bool begin(const Mcp& p, bool warm_start, const std::vector<double>& guess, McpForm& form, McpPoint& at,
           McpReport& report);

void count_step(DescentStep step, McpReport& report);

/// The point with the smallest residual so far; writes the report's residual and its history.
class Best {
 public:
  Best(const McpPoint& start, McpReport& report);
  void offer(const McpPoint& at);
  void take(std::vector<double>& x) { x.swap(x_); }

 private:
  McpReport& report_;
  std::vector<double> x_;
};

}  // namespace stiction::complementarity::detail
