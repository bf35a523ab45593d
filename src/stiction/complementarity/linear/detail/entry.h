// What the linear solvers do alike before they run: check problem and start, begin a report.
#pragma once

#include <cmath>
#include <vector>

#include "stiction/complementarity/linear/problems.h"
#include "stiction/complementarity/linear/report.h"

namespace stiction::complementarity::detail {

/// The problem is valid, and the start, if there is one, has its size and is finite.
template <class Problem>
bool usable(const Problem& p, bool warm_start, const std::vector<double>& z) {
  if (!validate(p).empty()) return false;
  if (!warm_start) return true;
  if (z.size() != std::size_t(p.n)) return false;
  for (const double x : z)
    if (!std::isfinite(x)) return false;
  return true;
}

inline LinearReport report_of(const char* method, LinearStatus status) {
  LinearReport report;
  report.method = method;
  report.status = status;
  return report;
}

}  // namespace stiction::complementarity::detail
