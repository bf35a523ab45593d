#include "stiction/complementarity/nonlinear/detail/begin.h"

#include "stiction/complementarity/detail/faults.h"

namespace stiction::complementarity::detail {

void require(bool fine, const char* fault, McpReport& report) {
  if (!fine) report.faults.emplace_back(fault);
}

bool begin(const Mcp& p, bool warm_start, const std::vector<double>& guess, McpForm& form, McpPoint& at,
           McpReport& report) {
  for (std::string& fault : validate(p)) report.faults.push_back(std::move(fault));
  if (warm_start && p.n > 0) {
    detail::check_size(guess.size(), "x", std::size_t(p.n), report.faults);
    detail::check_finite(guess, "x", report.faults);
  }
  if (!report.faults.empty()) {
    report.status = McpStatus::bad_input;
    return false;
  }
  at.x = warm_start ? guess : p.start;
  if (form.evaluate(at) && form.evaluate_jacobian(at)) return true;
  report.status = McpStatus::undefined;
  return false;
}

void count_step(DescentStep step, McpReport& report) {
  ++report.iterations;
  if (step != DescentStep::full) ++report.short_steps;
  if (step == DescentStep::gradient) ++report.gradient_steps;
}

Best::Best(const McpPoint& start, McpReport& report) : report_(report), x_(start.x) {
  report_.residual = start.residual;
}

void Best::offer(const McpPoint& at) {
  report_.residual_history.push_back(at.residual);
  if (!(at.residual < report_.residual)) return;
  report_.residual = at.residual;
  x_ = at.x;
}

}  // namespace stiction::complementarity::detail
