#include "stiction/complementarity/nonlinear/fischer_burmeister.h"

#include "stiction/complementarity/nonlinear/detail/drive.h"

namespace stiction::complementarity {

McpReport fischer_burmeister(const Mcp& p, const FischerBurmeisterSettings& s, std::vector<double>& x) {
  McpReport report;
  report.method = "fischer_burmeister";
  detail::require(s.tolerance > 0, "tolerance: is not positive", report);
  detail::require(s.max_iterations > 0, "max_iterations: is not positive", report);
  detail::require(s.memory > 0, "memory: is not positive", report);
  detail::McpForm form(p, report);
  detail::McpPoint at;
  if (!detail::begin(p, s.warm_start, x, form, at, report)) return report;
  detail::Descent descent(form, report);
  detail::drive(s, at, x, report, [&](const detail::McpPoint& from, double reference, detail::McpPoint& to) {
    const detail::DescentStep step = descent.take(from, reference, to);
    if (step == detail::DescentStep::none) return false;
    detail::count_step(step, report);
    return true;
  });
  return report;
}

}  // namespace stiction::complementarity
