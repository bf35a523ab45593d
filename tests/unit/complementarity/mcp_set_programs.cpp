// Nonlinear programs min f(x), g(x) >= 0, h(x) = 0 as mixed complementarity problems, unknowns (x,
// multipliers):
//
//   grad f - lambda grad g - nu grad h    complementary to x in its bounds
//   g(x)                                  complementary to lambda >= 0
//   h(x) = 0                              nu free
//
// Data, starts and solutions: W. Hock, K. Schittkowski (1981), "Test Examples for Nonlinear Programming
// Codes", whose numbers give the names. Convex programs with a strictly convex objective have one x.
#include <cmath>

#include "unit/complementarity/mcp_dual.h"
#include "unit/complementarity/mcp_set.h"

namespace mcp_set {
namespace {

// Compares the objective with the printed one.
std::function<std::string(const std::vector<double>&)> objective(double printed, double digits,
                                                                 double (*f)(const double*)) {
  return [=](const std::vector<double>& x) {
    const double found = f(x.data());
    return std::fabs(found - printed) <= digits
               ? std::string()
               : "objective " + std::to_string(found) + ", printed " + std::to_string(printed);
  };
}

// Powell (1969): min exp(x1 x2 x3 x4 x5), three equations, box (80). Not convex.
Classic powell() {
  return {.name = "powell_hs80",
          .problem =
              problem_of({-2.3, -2.3, -3.2, -3.2, -3.2, -infinity, -infinity, -infinity},
                         {2.3, 2.3, 3.2, 3.2, 3.2, infinity, infinity, infinity}, {-2, 2, 2, -1, -1, 0, 0, 0},
                         [](const auto* x, auto* f) {
                           const auto product = x[0] * x[1] * x[2] * x[3] * x[4];
                           const auto e = exp(product);
                           const auto* nu = x + 5;
                           f[0] = e * x[1] * x[2] * x[3] * x[4] - 2 * nu[0] * x[0] - 3 * nu[2] * x[0] * x[0];
                           f[1] = e * x[0] * x[2] * x[3] * x[4] - 2 * nu[0] * x[1] - nu[1] * x[2] -
                                  3 * nu[2] * x[1] * x[1];
                           f[2] = e * x[0] * x[1] * x[3] * x[4] - 2 * nu[0] * x[2] - nu[1] * x[1];
                           f[3] = e * x[0] * x[1] * x[2] * x[4] - 2 * nu[0] * x[3] + 5 * nu[1] * x[4];
                           f[4] = e * x[0] * x[1] * x[2] * x[3] - 2 * nu[0] * x[4] + 5 * nu[1] * x[3];
                           f[5] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] + x[4] * x[4] - 10;
                           f[6] = x[1] * x[2] - 5 * x[3] * x[4];
                           f[7] = x[0] * x[0] * x[0] + x[1] * x[1] * x[1] + 1;
                         }),
          .solutions = {{-1.717143, 1.595709, 1.827247, -0.7636413, -0.7636450}},
          .digits = 2e-5,  // the printed x satisfies x4 = x5 to 4e-6 only
          .check = objective(0.0539498478, 1e-9,
                             [](const double* x) { return el::exp(x[0] * x[1] * x[2] * x[3] * x[4]); })};
}

// 34: min -x1, x2 >= exp(x1), x3 >= exp(x2), box. Solution in closed form: x3 = 10 at its bound.
Classic hs34() {
  return {.name = "hs34",
          .problem = problem_of({0, 0, 0, 0, 0}, {100, 100, 10, infinity, infinity}, {0, 1.05, 2.9, 0, 0},
                                [](const auto* x, auto* f) {
                                  f[0] = -1 + x[3] * exp(x[0]);
                                  f[1] = -x[3] + x[4] * exp(x[1]);
                                  f[2] = -x[4];
                                  f[3] = x[1] - exp(x[0]);
                                  f[4] = x[2] - exp(x[1]);
                                }),
          .solutions = {{el::log(el::log(10)), el::log(10), 10}},
          .unique = true};
}

// 35 (Beale): strictly convex quadratic program; multiplier 2/9.
Classic hs35() {
  return {.name = "hs35_beale",
          .problem = ncp_of({0.5, 0.5, 0.5, 0},
                            [](const auto* x, auto* f) {
                              f[0] = -8 + 4 * x[0] + 2 * x[1] + 2 * x[2] + x[3];
                              f[1] = -6 + 2 * x[0] + 4 * x[1] + x[3];
                              f[2] = -4 + 2 * x[0] + 2 * x[2] + 2 * x[3];
                              f[3] = 3 - x[0] - x[1] - 2 * x[2];
                            }),
          .solutions = {{4.0 / 3, 7.0 / 9, 4.0 / 9, 2.0 / 9}},
          .unique = true};
}

// 43 (Rosen, Suzuki): strictly convex; x free, multipliers (1, 0, 2) of independent active constraints.
Classic rosen_suzuki() {
  return {.name = "hs43_rosen_suzuki",
          .problem = problem_of(
              {-infinity, -infinity, -infinity, -infinity, 0, 0, 0}, std::vector<double>(7, infinity),
              std::vector<double>(7, 0),
              [](const auto* x, auto* f) {
                const auto* l = x + 4;
                f[0] = 2 * x[0] - 5 + l[0] * (2 * x[0] + 1) + l[1] * (2 * x[0] - 1) + l[2] * (4 * x[0] + 2);
                f[1] = 2 * x[1] - 5 + l[0] * (2 * x[1] - 1) + l[1] * 4 * x[1] + l[2] * (2 * x[1] - 1);
                f[2] = 4 * x[2] - 21 + l[0] * (2 * x[2] + 1) + l[1] * 2 * x[2] + l[2] * 2 * x[2];
                f[3] = 2 * x[3] + 7 + l[0] * (2 * x[3] - 1) + l[1] * (4 * x[3] - 1) - l[2];
                f[4] = 8 - x[0] * x[0] - x[1] * x[1] - x[2] * x[2] - x[3] * x[3] - x[0] + x[1] - x[2] + x[3];
                f[5] = 10 - x[0] * x[0] - 2 * x[1] * x[1] - x[2] * x[2] - 2 * x[3] * x[3] + x[0] + x[3];
                f[6] = 5 - 2 * x[0] * x[0] - x[1] * x[1] - x[2] * x[2] - 2 * x[0] + x[1] + x[3];
              }),
          .solutions = {{0, 1, 2, -1, 1, 0, 2}},
          .unique = true};
}

// 66: min 0.2 x3 - 0.8 x1 with the constraints of 34; convex, both constraints active and strictly convex.
Classic hs66() {
  return {.name = "hs66",
          .problem = problem_of({0, 0, 0, 0, 0}, {100, 100, 10, infinity, infinity}, {0, 1.05, 2.9, 0, 0},
                                [](const auto* x, auto* f) {
                                  f[0] = -0.8 + x[3] * exp(x[0]);
                                  f[1] = -x[3] + x[4] * exp(x[1]);
                                  f[2] = 0.2 - x[4];
                                  f[3] = x[1] - exp(x[0]);
                                  f[4] = x[2] - exp(x[1]);
                                }),
          .solutions = {{0.1841264879, 1.202167873, 3.327322322}},
          .digits = 1e-8,
          .unique = true,
          .check = objective(0.5181632741, 1e-9, [](const double* x) { return 0.2 * x[2] - 0.8 * x[0]; })};
}

// 71: min x1 x4 (x1 + x2 + x3) + x3, x1 x2 x3 x4 >= 25, sum of squares = 40, 1 <= x <= 5. Not convex.
Classic hs71() {
  return {
      .name = "hs71",
      .problem = problem_of({1, 1, 1, 1, 0, -infinity}, {5, 5, 5, 5, infinity, infinity}, {1, 5, 5, 1, 0, 0},
                            [](const auto* x, auto* f) {
                              const auto l = x[4], nu = x[5];
                              f[0] = x[3] * (2 * x[0] + x[1] + x[2]) - l * x[1] * x[2] * x[3] - 2 * nu * x[0];
                              f[1] = x[0] * x[3] - l * x[0] * x[2] * x[3] - 2 * nu * x[1];
                              f[2] = x[0] * x[3] + 1 - l * x[0] * x[1] * x[3] - 2 * nu * x[2];
                              f[3] = x[0] * (x[0] + x[1] + x[2]) - l * x[0] * x[1] * x[2] - 2 * nu * x[3];
                              f[4] = x[0] * x[1] * x[2] * x[3] - 25;
                              f[5] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] - 40;
                            }),
      .solutions = {{1, 4.7429994, 3.8211503, 1.3794082}},
      .digits = 1e-7,
      .check = objective(17.0140173, 1e-7,
                         [](const double* x) { return x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]; })};
}

// Colville's first problem (86): cubic, strictly convex on x >= 0 (C is positive definite), ten constraints.
const double colville_e[5] = {-15, -27, -36, -18, -12}, colville_d[5] = {4, 8, 10, 6, 2};
const double colville_c[5][5] = {{30, -20, -10, 32, -10},
                                 {-20, 39, -6, -31, 32},
                                 {-10, -6, 10, -6, -10},
                                 {32, -31, -6, 39, -20},
                                 {-10, 32, -10, -20, 30}};
const double colville_a[10][5] = {
    {-16, 2, 0, 1, 0}, {0, -2, 0, 0.4, 2},   {-3.5, 0, 2, 0, 0},   {0, -2, 0, -4, -1}, {0, -9, -2, 1, -2.8},
    {2, 0, -4, 0, 0},  {-1, -1, -1, -1, -1}, {-1, -2, -3, -2, -1}, {1, 2, 3, 4, 5},    {1, 1, 1, 1, 1}};
const double colville_b[10] = {-40, -2, -0.25, -4, -4, -1, -40, -60, 5, 1};

double colville_objective(const double* x) {
  double f = 0;
  for (int i = 0; i < 5; ++i) {
    f += colville_e[i] * x[i] + colville_d[i] * x[i] * x[i] * x[i];
    for (int j = 0; j < 5; ++j) f += colville_c[i][j] * x[i] * x[j];
  }
  return f;
}

Classic colville() {
  std::vector<double> start(15, 0);
  start[4] = 1;
  return {.name = "colville_hs86",
          .problem = ncp_of(start,
                            [](const auto* x, auto* f) {
                              for (int i = 0; i < 5; ++i) {
                                f[i] = colville_e[i] + 3 * colville_d[i] * x[i] * x[i];
                                for (int j = 0; j < 5; ++j) f[i] += 2 * colville_c[i][j] * x[j];
                                for (int k = 0; k < 10; ++k) f[i] -= colville_a[k][i] * x[5 + k];
                              }
                              for (int k = 0; k < 10; ++k) {
                                f[5 + k] = 0 * x[0] - colville_b[k];
                                for (int j = 0; j < 5; ++j) f[5 + k] += colville_a[k][j] * x[j];
                              }
                            }),
          .more_starts = {std::vector<double>(15, 1)},
          .solutions = {{0.3, 0.33346761, 0.4, 0.42831010, 0.22396487}},
          .digits = 1e-7,
          .check = objective(-32.34867897, 1e-7, colville_objective)};
}

// 38 (Colville's fourth, also Wood's function), -10 <= x <= 10; the gradient in the box. Its stationary
// points are the minimum (1, 1, 1, 1), f = 0, and a saddle with f = 7.877.
double wood_objective(const double* x) {
  const double a = x[1] - x[0] * x[0], b = x[3] - x[2] * x[2], c = x[1] - 1, d = x[3] - 1;
  return 100 * a * a + (1 - x[0]) * (1 - x[0]) + 90 * b * b + (1 - x[2]) * (1 - x[2]) +
         10.1 * (c * c + d * d) + 19.8 * c * d;
}

Classic wood() {
  return {.name = "hs38_wood",
          .problem = problem_of(std::vector<double>(4, -10), std::vector<double>(4, 10), {-3, -1, -3, -1},
                                [](const auto* x, auto* f) {
                                  const auto a = x[1] - x[0] * x[0], b = x[3] - x[2] * x[2];
                                  f[0] = -400 * a * x[0] - 2 * (1 - x[0]);
                                  f[1] = 200 * a + 20.2 * (x[1] - 1) + 19.8 * (x[3] - 1);
                                  f[2] = -360 * b * x[2] - 2 * (1 - x[2]);
                                  f[3] = 180 * b + 20.2 * (x[3] - 1) + 19.8 * (x[1] - 1);
                                }),
          .check = [](const std::vector<double>& x) {
            const double f = wood_objective(x.data());
            return std::fabs(f) < 1e-15 || std::fabs(f - 7.877) < 1e-3 ? std::string()
                                                                       : "not a stationary point";
          }};
}

}  // namespace

std::vector<Classic> nonlinear_programs() {
  return {powell(), hs34(), hs35(), wood(), rosen_suzuki(), hs66(), hs71(), colville()};
}

}  // namespace mcp_set
