#include "stiction/complementarity/bilateral/constraint_residual.h"

#include <cmath>
#include <cstddef>
#include <limits>

namespace stiction::complementarity::bilateral {
namespace {

/// x.W x of one row with the inverse mass of its block.
double inverse_mass(const double* W, const double* x) {
  double sum = 0;
  for (int i = 0; i < width; ++i)
    for (int k = 0; k < width; ++k) sum += x[i] * W[i * width + k] * x[k];
  return sum;
}

}  // namespace

double constraint_residual(const ConstraintSystem& p, const std::vector<double>& lambda) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (int(lambda.size()) != p.rows) return infinity;
  std::vector<double> u;
  velocity_change(p, lambda, u);
  double worst = 0, scale = 0;
  for (const JointRows& j : p.joints)
    for (int r = 0; r < j.count; ++r) {
      const double x = lambda[std::size_t(j.row + r)];
      double diagonal = j.sigma[r], left = j.sigma[r] * x;
      for (int side = 0; side < 2; ++side) {
        if (j.block[side] < 0) continue;
        const auto b = std::size_t(j.block[side]);
        const double* g = j.G[side] + r * width;
        diagonal += inverse_mass(p.A_inverse.data() + b * (width * width), g);
        for (int c = 0; c < width; ++c) left += g[c] * u[b * width + std::size_t(c)];
      }
      const double unit = diagonal > 0 ? 1 / std::sqrt(diagonal) : 1;
      const double error = unit * std::fabs(j.rhs[r] - left);
      if (!(error < infinity)) return infinity;
      worst = std::fmax(worst, error), scale = std::fmax(scale, unit * std::fabs(j.rhs[r]));
    }
  return worst == 0 ? 0 : scale == 0 ? infinity : worst / scale;
}

}  // namespace stiction::complementarity::bilateral
