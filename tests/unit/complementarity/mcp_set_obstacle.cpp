#include <cmath>

#include "unit/complementarity/mcp_dual.h"
#include "unit/complementarity/mcp_set.h"

namespace mcp_set {
namespace {

using stiction::complementarity::Triplet;

// A string over a flat floor: -u'' + 8 complementary to u >= 0 on (-1, 1), u(-1) = u(1) = 1, central
// differences. u = 4 max(|x| - 1/2, 0)^2. Central differences are exact for parabolas, and the ends of the
// contact are grid points, so u at the grid points solves the discrete problem too. The matrix is positive
// definite: one solution.
Classic string_on_floor() {
  constexpr int n = 63;
  const double h = 2.0 / (n + 1);
  Mcp p = stiction::complementarity::ncp(
      std::vector<double>(n, 0),
      [h](std::span<const double> u, std::span<double> f) {
        for (std::size_t i = 0; i < u.size(); ++i) {
          const double left = i > 0 ? u[i - 1] : 1, right = i + 1 < u.size() ? u[i + 1] : 1;
          f[i] = (2 * u[i] - left - right) / (h * h) + 8;
        }
      },
      [h](std::span<const double> u, std::vector<Triplet>& entries) {
        const int size = int(u.size());
        for (int i = 0; i < size; ++i) {
          entries.push_back({i, i, 2 / (h * h)});
          if (i > 0) entries.push_back({i, i - 1, -1 / (h * h)});
          if (i + 1 < size) entries.push_back({i, i + 1, -1 / (h * h)});
        }
      });
  std::vector<double> u(n);
  for (int i = 0; i < n; ++i) {
    const double over = std::fmax(std::fabs(-1 + (i + 1) * h) - 0.5, 0);
    u[std::size_t(i)] = 4 * over * over;
  }
  return {.name = "string_on_floor",
          .problem = p,
          .more_starts = {std::vector<double>(n, 1)},
          .solutions = {u},
          .unique = true};
}

// -Laplace u - load - lambda exp(u) on the unit square, u = 0 at its edge, bounds on u; five-point
// differences on m x m inner points, multiplied by the square of their spacing.
Mcp membrane(int m, double load, double lambda, std::vector<double> lower, std::vector<double> upper,
             std::vector<double> start) {
  Mcp p;
  p.n = m * m;
  p.lower = std::move(lower), p.upper = std::move(upper), p.start = std::move(start);
  const double area = 1.0 / ((m + 1) * (m + 1));
  p.function = [=](std::span<const double> u, std::span<double> f) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        const auto value = [&](int a, int b) {
          return a < 0 || b < 0 || a >= m || b >= m ? 0.0 : u[std::size_t(a * m + b)];
        };
        const auto k = std::size_t(i * m + j);
        f[k] = 4 * u[k] - value(i - 1, j) - value(i + 1, j) - value(i, j - 1) - value(i, j + 1) -
               area * (load + (lambda != 0 ? lambda * el::exp(u[k]) : 0));
      }
  };
  p.jacobian = [=](std::span<const double> u, std::vector<Triplet>& entries) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        const int k = i * m + j;
        entries.push_back({k, k, 4 - (lambda != 0 ? area * lambda * el::exp(u[std::size_t(k)]) : 0)});
        if (i > 0) entries.push_back({k, k - m, -1});
        if (i + 1 < m) entries.push_back({k, k + m, -1});
        if (j > 0) entries.push_back({k, k - 1, -1});
        if (j + 1 < m) entries.push_back({k, k + 1, -1});
      }
  };
  return p;
}

// J.J. More, G. Toraldo (1991), SIAM J. Optim. 1, obstacle problem B: load 1, (sin 9.2 x sin 9.3 y)^3 <= u <=
// (sin 9.2 x sin 9.3 y)^2 + 0.02, from the lower obstacle. Strictly convex energy: one solution.
Classic obstacle() {
  constexpr int m = 20;
  std::vector<double> lower, upper;
  for (int i = 1; i <= m; ++i)
    for (int j = 1; j <= m; ++j) {
      const double s = el::sin(9.2 * i / (m + 1)) * el::sin(9.3 * j / (m + 1));
      lower.push_back(s * s * s);
      upper.push_back(s * s + 0.02);
    }
  return {.name = "obstacle",
          .problem = membrane(m, 1, 0, lower, upper, lower),
          .more_starts = {upper},
          .unique = true};
}

// Bratu's equation with an obstacle (R.H.W. Hoppe, H.D. Mittelmann 1989, IMA J. Numer. Anal. 9): lambda = 6,
// 0 <= u
// <= 0.3. On this box the slope of 6 exp(u) is below 8.1, under the smallest eigenvalue of the difference
// operator (above 19 for m >= 10): F is strongly monotone, one solution. The obstacle is active: without it u
// reaches 0.9.
Classic bratu() {
  constexpr int m = 20;
  return {.name = "bratu_obstacle",
          .problem = membrane(m, 0, 6, std::vector<double>(m * m, 0), std::vector<double>(m * m, 0.3),
                              std::vector<double>(m * m, 0)),
          .unique = true,
          .check = [](const std::vector<double>& u) {
            int active = 0;
            for (const double x : u) active += x == 0.3;
            return active > 0 ? std::string() : "the obstacle is not active";
          }};
}

}  // namespace

std::vector<Classic> obstacle_problems() { return {string_on_floor(), obstacle(), bratu()}; }

}  // namespace mcp_set
