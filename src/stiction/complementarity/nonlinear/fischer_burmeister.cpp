#include "stiction/complementarity/nonlinear/fischer_burmeister.h"

#include <utility>

#include "stiction/complementarity/nonlinear/detail/begin.h"
#include "stiction/complementarity/nonlinear/detail/descent.h"

namespace stiction::complementarity {

McpReport fischer_burmeister(const Mcp& p, const FischerBurmeisterSettings& s, std::vector<double>& x) {
  McpReport report;
  report.method = "fischer_burmeister";
  detail::require(s.tolerance > 0, "tolerance: is not positive", report);
  detail::require(s.max_iterations > 0, "max_iterations: is not positive", report);
  detail::require(s.memory > 0, "memory: is not positive", report);
  detail::McpForm form(p, report);
  detail::McpPoint at, next;
  if (!detail::begin(p, s.warm_start, x, form, at, report)) return report;
  detail::Descent descent(form, report);
  detail::MeritMemory memory(s.memory);
  detail::Best best(at, report);
  report.status = McpStatus::iteration_limit;
  while (true) {
    best.offer(at);
    if (at.residual <= s.tolerance) {
      report.status = McpStatus::solved;
      break;
    }
    if (report.iterations == s.max_iterations) break;
    memory.add(at.merit);
    const detail::DescentStep step = descent.take(at, memory.largest(), next);
    if (step == detail::DescentStep::none) {
      report.status = McpStatus::stationary;
      break;
    }
    detail::count_step(step, report);
    std::swap(at, next);
  }
  best.take(x);
  return report;
}

}  // namespace stiction::complementarity
