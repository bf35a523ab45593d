#include "stiction/complementarity/nonlinear/mcp_residual.h"

#include <cmath>
#include <limits>

namespace stiction::complementarity {

double natural_residual(const Mcp& p, const std::vector<double>& x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (p.n <= 0 || x.size() != std::size_t(p.n)) return infinity;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || x[i] < p.lower[i] || x[i] > p.upper[i]) return infinity;
  std::vector<double> f(x.size(), std::numeric_limits<double>::quiet_NaN());
  p.function(x, f);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(f[i])) return infinity;
    // |error| is |F| cut off at the distance to the bound towards which -F points.
    const double room = f[i] >= 0 ? x[i] - p.lower[i] : p.upper[i] - x[i];
    worst = std::fmax(worst, std::fmin(std::fabs(f[i]), room));
  }
  return worst;
}

}  // namespace stiction::complementarity
