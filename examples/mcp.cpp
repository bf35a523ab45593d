// Two firms sell the same good; the first cannot make more than 25 of it. How much will each make?
#include <stiction/complementarity/nonlinear/mcp_residual.h>
#include <stiction/complementarity/nonlinear/solve_mcp.h>

#include <cmath>
#include <cstdio>
using namespace stiction::complementarity;
int main() {
  // Price 120 - q0 - q1, marginal costs 30 and 60 + q1^2 / 10. At an equilibrium nobody gains by making more:
  // F = marginal cost - marginal revenue is 0, or >= 0 at q = 0, or <= 0 at the capacity.
  Mcp p{.n = 2, .lower = {0, 0}, .upper = {25, INFINITY}, .start = {1, 1}, .function = {}, .jacobian = {}};
  p.function = [](std::span<const double> q, std::span<double> f) {
    const double price = 120 - q[0] - q[1];
    f[0] = 30 - price + q[0];
    f[1] = 60 + q[1] * q[1] / 10 - price + q[1];
  };
  p.jacobian = [](std::span<const double> q, std::vector<Triplet>& entries) {
    entries = {{0, 0, 2}, {0, 1, 1}, {1, 0, 1}, {1, 1, 2 + q[1] / 5}};
  };
  std::vector<double> q;
  const McpReport report = solve(p, 1e-10, q);
  std::printf("%s by %s in %d iterations, residual %.1e: q = %.6f, %.6f\n", name_of(report.status),
              report.method, report.iterations, natural_residual(p, q), q[0], q[1]);
  // By hand: q0 at its bound 25, q1^2 / 10 + 2 q1 = 35.
  const bool right = std::fabs(q[0] - 25) + std::fabs(q[1] - (5 * std::sqrt(18.0) - 10)) < 1e-9;
  return report.status == McpStatus::solved && right ? 0 : 1;
}
