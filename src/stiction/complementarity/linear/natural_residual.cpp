#include "stiction/complementarity/linear/natural_residual.h"

#include <cmath>
#include <limits>

#include "stiction/math/detail/two_double.h"

namespace stiction::complementarity {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool usable(int n, const std::vector<double>& z) {
  if (z.size() != std::size_t(n)) return false;
  for (const double x : z)
    if (!std::isfinite(x)) return false;
  return true;
}

// The scale 1 + max |q|.
double scale_of(const std::vector<double>& q) {
  double largest = 0;
  for (const double x : q) largest = std::fmax(largest, std::fabs(x));
  return 1 + largest;
}

// |z - clamp(z - w, low, high)|, without the cancellation of forming z - w where w decides.
double natural_error(double z, double w, double low, double high) {
  const double moved = z - w;
  if (moved <= low) return std::fabs(z - low);
  if (moved >= high) return std::fabs(z - high);
  return std::fabs(w);
}

}  // namespace

namespace {

void fill_slack(int n, const std::vector<double>& M, const std::vector<double>& q,
                const std::vector<double>& z, std::vector<double>& w) {
  w = q;
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    const double* row = M.data() + i * std::size_t(n);
    double sum = q[i], rest = 0;
    for (std::size_t j = 0; j < std::size_t(n); ++j) {
      if (z[j] == 0) continue;
      const stiction::detail::TwoDouble product = stiction::detail::two_product(row[j], z[j]);
      const stiction::detail::TwoDouble next = stiction::detail::two_sum(sum, product.hi);
      sum = next.hi;
      rest += next.lo + product.lo;
    }
    w[i] = sum + rest;
  }
}

}  // namespace

std::vector<double> slack(int n, const std::vector<double>& M, const std::vector<double>& q,
                          const std::vector<double>& z) {
  std::vector<double> w;
  fill_slack(n, M, q, z, w);
  return w;
}

double natural_residual(const Lcp& p, const std::vector<double>& z) {
  if (!usable(p.n, z)) return infinity;
  const std::vector<double> w = slack(p.n, p.M, p.q, z);
  double worst = 0;
  for (std::size_t i = 0; i < w.size(); ++i) worst = std::fmax(worst, natural_error(z[i], w[i], 0, infinity));
  return worst / scale_of(p.q);
}

double natural_residual(const MixedLcp& p, const std::vector<double>& z) {
  if (!usable(p.n, z)) return infinity;
  const std::vector<double> w = slack(p.n, p.M, p.q, z);
  double worst = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    worst = std::fmax(worst, natural_error(z[i], w[i], int(i) < p.free ? -infinity : 0, infinity));
  return worst / scale_of(p.q);
}

double natural_residual(const BoxedLcp& p, const std::vector<double>& z) {
  std::vector<double> w;
  return natural_residual(p, z, w);
}

double natural_residual(const BoxedLcp& p, const std::vector<double>& z, std::vector<double>& w) {
  if (!usable(p.n, z)) return infinity;
  fill_slack(p.n, p.M, p.q, z, w);
  double worst = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    worst = std::fmax(worst, natural_error(z[i], w[i], p.lower[i], p.upper[i]));
  return worst / scale_of(p.q);
}

}  // namespace stiction::complementarity
