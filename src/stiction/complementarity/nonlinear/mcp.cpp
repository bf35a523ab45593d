#include "stiction/complementarity/nonlinear/mcp.h"

#include <cmath>
#include <limits>
#include <utility>

#include "stiction/complementarity/detail/faults.h"

namespace stiction::complementarity {
namespace {

using detail::at;
using detail::check_bounds;
using detail::check_finite;
using detail::check_size;
using detail::Faults;

// F and its Jacobian at the start, moved into the box.
void check_callbacks(const Mcp& p, Faults& faults) {
  const auto n = std::size_t(p.n);
  std::vector<double> x(n), f(n, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < n; ++i) x[i] = std::fmin(std::fmax(p.start[i], p.lower[i]), p.upper[i]);
  p.function(x, f);
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(f[i])) faults.push_back(at("function", i) + " is not finite at the start");
  std::vector<Triplet> entries;
  p.jacobian(x, entries);
  for (const Triplet& t : entries) {
    const std::string where = "jacobian[" + std::to_string(t.row) + "][" + std::to_string(t.column) + "]";
    if (t.row < 0 || t.row >= p.n || t.column < 0 || t.column >= p.n)
      faults.push_back(where + " is outside the matrix");
    else if (!std::isfinite(t.value))
      faults.push_back(where + " is not finite at the start");
  }
}

}  // namespace

Mcp ncp(std::vector<double> start, decltype(Mcp::function) function, decltype(Mcp::jacobian) jacobian) {
  Mcp p;
  p.n = int(start.size());
  p.lower.assign(start.size(), 0);
  p.upper.assign(start.size(), std::numeric_limits<double>::infinity());
  p.start = std::move(start);
  p.function = std::move(function);
  p.jacobian = std::move(jacobian);
  return p;
}

std::vector<std::string> validate(const Mcp& p) {
  Faults faults;
  if (p.n <= 0) {
    faults.emplace_back(p.n == 0 ? "n: the problem is empty" : "n: is negative");
    return faults;
  }
  const auto n = std::size_t(p.n);
  check_size(p.lower.size(), "lower", n, faults);
  check_size(p.upper.size(), "upper", n, faults);
  check_size(p.start.size(), "start", n, faults);
  if (p.lower.size() == n && p.upper.size() == n) check_bounds(p.lower, p.upper, faults);
  check_finite(p.start, "start", faults);
  if (!p.function) faults.emplace_back("function: is missing");
  if (!p.jacobian) faults.emplace_back("jacobian: is missing");
  if (faults.empty()) check_callbacks(p, faults);
  return faults;
}

double jacobian_error(const Mcp& p, const std::vector<double>& x) {
  const auto n = std::size_t(p.n);
  std::vector<Triplet> entries;
  p.jacobian(x, entries);
  std::vector<double> dense(n * n, 0), scale(n, 1), y(x), right(n), left(n);
  for (const Triplet& t : entries) dense[std::size_t(t.row) * n + std::size_t(t.column)] += t.value;
  for (std::size_t i = 0; i < n * n; ++i) scale[i / n] = std::fmax(scale[i / n], 1 + std::fabs(dense[i]));
  double worst = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double h =
        6e-6 * (1 + std::fabs(x[j]));  // cube root of the round-off: best for central differences
    const double high = std::fmin(x[j] + h, p.upper[j]), low = std::fmax(x[j] - h, p.lower[j]);
    if (!(high > low)) continue;
    y[j] = high;
    p.function(y, right);
    y[j] = low;
    p.function(y, left);
    y[j] = x[j];
    for (std::size_t i = 0; i < n; ++i) {
      const double error = std::fabs((right[i] - left[i]) / (high - low) - dense[i * n + j]) / scale[i];
      worst = error <= worst ? worst : error;  // a NaN counts
    }
  }
  return worst;
}

}  // namespace stiction::complementarity
