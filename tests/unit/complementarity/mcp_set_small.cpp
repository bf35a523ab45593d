#include <cmath>

#include "unit/complementarity/mcp_dual.h"
#include "unit/complementarity/mcp_set.h"

namespace mcp_set {
namespace {

// M. Kojima, S. Shindo (1986), J. Oper. Res. Soc. Japan 29: two solutions, one of them degenerate (x3 = F3 =
// 0). coupling = 10, 9, 9. The variant of N.H. Josephy (1979), report 1965, Wisconsin, has coupling = 3, 3, 1
// and the first of the two solutions alone.
Mcp kojima(double a, double b, double c) {
  return ncp_of({0, 0, 0, 0}, [=](const auto* x, auto* f) {
    f[0] = 3 * x[0] * x[0] + 2 * x[0] * x[1] + 2 * x[1] * x[1] + x[2] + 3 * x[3] - 6;
    f[1] = 2 * x[0] * x[0] + x[0] + x[1] * x[1] + a * x[2] + 2 * x[3] - 2;
    f[2] = 3 * x[0] * x[0] + x[0] * x[1] + 2 * x[1] * x[1] + 2 * x[2] + b * x[3] - c;
    f[3] = x[0] * x[0] + 3 * x[1] * x[1] + 2 * x[2] + 3 * x[3] - 3;
  });
}

Classic kojima_shindo() {
  return {.name = "kojima_shindo",
          .problem = kojima(10, 9, 9),
          .more_starts = {{1, 1, 1, 1}, {1, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 1, 0}},
          .solutions = {{std::sqrt(6.0) / 2, 0, 0, 0.5}, {1, 0, 3, 0}}};
}

Classic kojima_josephy() {
  return {.name = "kojima_josephy",
          .problem = kojima(3, 3, 1),
          .more_starts = {{1, 1, 1, 1}, {1, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 1, 0}, {100, 100, 100, 100}},
          .solutions = {{std::sqrt(6.0) / 2, 0, 0, 0.5}}};
}

// S.C. Billups (1995), thesis, Wisconsin: (x - 1)^2 - 1.01, x >= 0, from 0. The start is next to a local
// minimum of every merit function; F(0) < 0, so the larger root is the only solution.
Classic billups() {
  return {.name = "billups",
          .problem = ncp_of({0}, [](const auto* x, auto* f) { f[0] = (x[0] - 1) * (x[0] - 1) - 1.01; }),
          .solutions = {{1 + std::sqrt(1.01)}},
          .unique = true};
}

// L.T. Watson (1979), SIAM J. Control Optim. 17, problem 4: the gradient of exp(sum (x_j - j + 2)^2), which
// is strictly convex. F at the start is of the order exp(15).
Classic watson4() {
  return {.name = "watson4",
          .problem = ncp_of({0, 0, 0, 0, 0},
                            [](const auto* x, auto* f) {
                              auto sum = 0 * x[0];
                              for (int j = 0; j < 5; ++j) sum += (x[j] - (j - 1)) * (x[j] - (j - 1));
                              for (int j = 0; j < 5; ++j) f[j] = 2 * (x[j] - (j - 1)) * exp(sum);
                            }),
          .more_starts = {{1, 1, 1, 1, 1}},
          .solutions = {{0, 0, 1, 2, 3}},
          .unique = true};
}

// K.G. Murty (1988), "Linear Complementarity, Linear and Nonlinear Programming", 6.2: Lemke's path with the
// covering vector 1 has 2^n edges. M is triangular with a positive diagonal, a P-matrix: one solution.
Classic murty() {
  constexpr int n = 16;
  std::vector<double> solution(n, 0);
  solution[n - 1] = 1;
  return {.name = "murty_explcp",
          .problem = ncp_of(std::vector<double>(n, 0),
                            [](const auto* x, auto* f) {
                              for (int i = 0; i < n; ++i) {
                                f[i] = x[i] - 1;
                                for (int j = i + 1; j < n; ++j) f[i] += 2 * x[j];
                              }
                            }),
          .solutions = {solution},
          .unique = true};
}

// Newton's method on the arc tangent overshoots more and more beyond 1.39 from the root; within a box it
// cycles between the bounds. The root is the only solution (F is increasing and changes sign inside).
Classic cycle() {
  return {.name = "arctan_cycle",
          .problem = problem_of({-10}, {20}, {6}, [](const auto* x, auto* f) { f[0] = atan(x[0] - 1); }),
          .more_starts = {{-10}, {20}},
          .solutions = {{1}},
          .unique = true};
}

}  // namespace

std::vector<Classic> small_problems() {
  return {kojima_shindo(), kojima_josephy(), billups(), watson4(), murty(), cycle()};
}

std::vector<Classic> classics() {
  std::vector<Classic> all;
  for (auto* part : {small_problems, nonlinear_programs, equilibria, obstacle_problems})
    for (Classic& c : part()) all.push_back(std::move(c));
  return all;
}

}  // namespace mcp_set
