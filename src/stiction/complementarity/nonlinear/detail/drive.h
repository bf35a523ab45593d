// The outer loop of the solvers of mixed complementarity problems: step after step until the residual is
// within the tolerance, the steps are used up, or none can be taken.
#pragma once

#include <utility>
#include <vector>

#include "stiction/complementarity/nonlinear/detail/begin.h"

namespace stiction::complementarity::detail {

/// Settings have tolerance, max_iterations and memory. take(at, reference, next): from `at` to `next`, with a
/// merit below `reference`, counted in the report; false where there is no such step. x: the best point.
template <class Settings, class Take>
void drive(const Settings& s, McpPoint& at, std::vector<double>& x, McpReport& report, const Take& take) {
  McpPoint next;
  MeritMemory memory(s.memory);
  Best best(at, report);
  report.status = McpStatus::iteration_limit;
  while (true) {
    best.offer(at);
    if (at.residual <= s.tolerance) {
      report.status = McpStatus::solved;
      break;
    }
    if (report.iterations == s.max_iterations) break;
    memory.add(at.merit);
    if (!take(at, memory.largest(), next)) {
      report.status = McpStatus::stationary;
      break;
    }
    std::swap(at, next);
  }
  best.take(x);
}

}  // namespace stiction::complementarity::detail
