#include <cmath>

#include "unit/complementarity/mcp_dual.h"
#include "unit/complementarity/mcp_set.h"

namespace mcp_set {
namespace {

// L. Mathiesen (1987), Math. Programming 37: one activity makes good 1 from goods 2 and 3; x = (activity,
// prices p1, p2, p3), p2 = 1 fixed (its market clears by Walras's law). p3 = 0 would need activity >= 4.5 of
// the 3 there are; so activity = 3, p1 = 1 + p3 and 3 p1 = 4.5 + 2.7 p3: activity 3, prices (6, 1, 5), as
// printed.
Classic mathiesen() {
  return {.name = "mathiesen_walras",
          .problem = problem_of({0, 0, 1, 0}, {infinity, infinity, 1, infinity}, {1, 1, 1, 1},
                                [](const auto* x, auto* f) {
                                  f[0] = x[2] + x[3] - x[1];
                                  f[1] = x[0] - 0.9 * (5 * x[2] + 3 * x[3]) / x[1];
                                  f[2] = 5 - x[0] - 0.1 * (5 * x[2] + 3 * x[3]) / x[2];
                                  f[3] = 3 - x[0];
                                }),
          .more_starts = {{3, 10, 1, 10}, {10, 0.1, 1, 0}},
          .solutions = {{3, 6, 1, 5}},
          .unique = true};
}

// The same as an NCP with 1 added to the prices in the denominators: J.-S. Pang, S.A. Gabriel (1993), Math.
// Programming 60. Solutions: (t, 0, 0, 0), 0 <= t <= 3, and no others. For x4 > 0 gives x1 = 3, x2 = x3 + x4
// and x4 = 5 x3 - 10, hence F3 = 2 - (2 x3 - 3) / (x3 + 1) > 0 and x3 = 0, x4 = -10. x4 = 0 < x3 gives x1
// = 4.5 x3 / (x3 + 1) and 5 = 5 x3 / (x3 + 1). Not isolated: the Jacobian is singular at each.
Classic mathiesen_modified() {
  return {.name = "mathiesen_modified",
          .problem = ncp_of({1, 1, 1, 1},
                            [](const auto* x, auto* f) {
                              f[0] = x[2] + x[3] - x[1];
                              f[1] = x[0] - (4.5 * x[2] + 2.7 * x[3]) / (x[1] + 1);
                              f[2] = 5 - x[0] - (0.5 * x[2] + 0.3 * x[3]) / (x[2] + 1);
                              f[3] = 3 - x[0];
                            }),
          .more_starts = {{10, 10, 10, 10}, {1, 0, 0, 0}},
          .check = [](const std::vector<double>& x) {
            const double off = std::fmax(x[1], std::fmax(x[2], x[3]));
            return off < 1e-4 && x[0] <= 3 + 1e-9 ? std::string() : "not on the line (t, 0, 0, 0)";
          }};
}

// F.H. Murphy, H.D. Sherali, A.L. Soyster (1982), Math. Programming 24 (5 firms) and P.T. Harker (1984),
// ibid. 30 (10 firms, "nash" of the library MCPLIB): firm i makes q_i at marginal cost c_i + (q_i /
// size)^(1/beta_i) and sells at p(Q) = (5000 / Q)^(1/gamma). Marginal costs increase and revenue is concave
// in a firm's output: one equilibrium.
Classic nash_cournot(const char* name, std::vector<double> cost, double size, std::vector<double> beta,
                     double gamma, std::vector<double> solution, double digits) {
  const int n = int(cost.size());
  const auto profit = [=](const auto* q, auto* f) {
    auto sum = q[0];
    for (int i = 1; i < n; ++i) sum += q[i];
    const auto price = pow(5000 / sum, 1 / gamma);
    for (int i = 0; i < n; ++i) {
      const auto k = std::size_t(i);
      f[i] = cost[k] + pow(q[i] / size, 1 / beta[k]) - price + q[i] * price / (gamma * sum);
    }
  };
  const auto count = std::size_t(n);
  return {.name = name,
          .problem = ncp_of(std::vector<double>(count, 1), profit),
          .more_starts = {std::vector<double>(count, 10)},
          .solutions = {std::move(solution)},
          .digits = digits,
          .unique = true};
}

Classic nash_5() {
  return nash_cournot("nash_cournot_5", {10, 8, 6, 4, 2}, 5, {1.2, 1.1, 1.0, 0.9, 0.8}, 1.1,
                      {36.9318, 41.8175, 43.7066, 42.6588, 39.1786}, 1e-3);
}

Classic nash_10() {
  return nash_cournot("nash_cournot_10", {5, 3, 8, 5, 1, 3, 7, 4, 6, 3}, 0.1,
                      {1.2, 1, 0.9, 0.6, 1.5, 1, 0.7, 1.1, 0.95, 0.75}, 1.2,
                      {7.4415, 4.0978, 2.5906, 0.9354, 17.949, 4.0978, 1.3047, 5.5901, 3.222, 1.6771}, 1e-3);
}

// D. Braess (1968), Unternehmensforschung 12: six drivers, three routes (left, right, over the bridge),
// unknowns route flows and the common time. Each route carries 2 and takes 92; without the bridge it would
// be 83. Link times increase: flows on links are unique, and with three routes those of routes too.
Classic braess() {
  return {.name = "braess_traffic",
          .problem = ncp_of({6, 0, 0, 0},
                            [](const auto* x, auto* f) {
                              const auto first = 10 * (x[0] + x[2]), last = 10 * (x[1] + x[2]);
                              f[0] = first + 50 + x[0] - x[3];
                              f[1] = 50 + x[1] + last - x[3];
                              f[2] = first + 10 + x[2] + last - x[3];
                              f[3] = x[0] + x[1] + x[2] - 6;
                            }),
          .more_starts = {{0, 0, 0, 0}, {1, 1, 1, 1}},
          .solutions = {{2, 2, 2, 92}},
          .unique = true};
}

// Two regions, one good (P.A. Samuelson 1952, Amer. Econ. Review 42): supply prices 1 + s1, 2 + 2 s2, demand
// prices 20 - d1, 30 - d2, transport costs 0 at home and 4 across; unknowns flows x11, x12, x21, x22. Region
// 1 exports: 1 + s1 = 20 - x11 and + 4 = 30 - x12 - x22, 2 + 2 x22 = 30 - x12 - x22, x21 = 0: s1 = x11 + x12,
// so 2 x11 + x12 = 19, x11 + 2 x12 + x22 = 25, x12 + 3 x22 = 28, hence x11 = 19/2 - x12/2, x22 = (28 -
// x12)/3, and 3/2 x12 - x12/3 = 25 - 19/2 - 28/3 = 37/6: x12 = 37/7. A strictly concave surplus in s, d:
// unique prices.
Classic spatial_price() {
  const double x12 = 37.0 / 7;
  return {.name = "spatial_price",
          .problem = ncp_of({0, 0, 0, 0},
                            [](const auto* x, auto* f) {
                              const auto supply1 = 1 + x[0] + x[1], supply2 = 2 + 2 * (x[2] + x[3]);
                              const auto demand1 = 20 - x[0] - x[2], demand2 = 30 - x[1] - x[3];
                              f[0] = supply1 - demand1;
                              f[1] = supply1 + 4 - demand2;
                              f[2] = supply2 + 4 - demand1;
                              f[3] = supply2 - demand2;
                            }),
          .solutions = {{19.0 / 2 - x12 / 2, x12, 0, (28 - x12) / 3}},
          .unique = true};
}

// H. Scarf, T. Hansen (1973), "The Computation of Economic Equilibria": 6 goods, 5 consumers with CES demand,
// 8 activities; unknowns prices, activities, incomes. Data as in the model library of GAMS (scarfmcp).
constexpr int goods = 6, agents = 5, sectors = 8;
// capital (end), nondurables, durables, capital (begin), skilled, unskilled labour
const double endowment[goods][agents] = {{0, 0, 0, 0, 0},   {0, 0, 0, 0, 0},       {1, 2, 1.5, 1, 2},
                                         {3, 0.1, 2, 1, 6}, {5, 0.1, 6, 0.1, 0.1}, {0.1, 7, 0.1, 8, 0.5}};
const double demand[goods][agents] = {{4, 0.4, 2, 5, 3}, {2, 4, 2, 5, 4},     {3.2, 1, 1.5, 4.5, 2},
                                      {0, 0, 0, 0, 0},   {0.2, 0, 0.5, 0, 0}, {0, 0.6, 0, 0.2, 0.2}};
const double elasticity[agents] = {1.2, 1.6, 0.8, 0.5, 0.6};
const double activity[goods][sectors] = {{4, 4, 1.6, 1.6, 1.6, 0.9, 7, 8}, {0, 0, 6, 8, 7, 0, 0, 0},
                                         {4, 3.5, 0, 0, 0, 0, 0, 0},       {-5.3, -5, -2, -2, -2, -1, -4, -5},
                                         {-2, -1, -2, -4, -1, 0, -3, -2},  {-1, -6, -3, -1, -8, 0, -1, -8}};

double share(int good, int agent) {
  double sum = 0;
  for (const auto& row : demand) sum += row[agent];
  return demand[good][agent] / sum;
}

Classic scarf() {
  std::vector<double> lower(19, 0), upper(19, infinity), start(19, 1);
  for (int c = 0; c < goods; ++c)
    if (c != 3) lower[std::size_t(c)] = 1e-5;  // goods that somebody wants
  for (int h = 0; h < agents; ++h) {
    double& income = start[std::size_t(14 + h)];
    income = 0;
    for (const auto& row : endowment) income += row[h];
  }
  lower[14] = upper[14] = start[14];  // the first income is the unit of value
  return {.name = "scarf", .problem = problem_of(lower, upper, start, [](const auto* x, auto* f) {
                             const auto *p = x, *y = x + goods, *income = x + goods + sectors;
                             for (int c = 0; c < goods; ++c) {
                               f[c] = 0 * p[0];
                               for (int s = 0; s < sectors; ++s) f[c] += activity[c][s] * y[s];
                               for (int h = 0; h < agents; ++h) f[c] += endowment[c][h];
                             }
                             for (int h = 0; h < agents; ++h) {
                               auto index = 0 * p[0], worth = 0 * p[0];
                               for (int c = 0; c < goods; ++c) {
                                 if (share(c, h) > 0) index += share(c, h) * pow(p[c], 1 - elasticity[h]);
                                 worth += endowment[c][h] * p[c];
                               }
                               for (int c = 0; c < goods; ++c)
                                 if (share(c, h) > 0)
                                   f[c] -= income[h] / index * share(c, h) * pow(p[c], -elasticity[h]);
                               f[goods + sectors + h] = income[h] - worth;
                             }
                             for (int s = 0; s < sectors; ++s) {
                               f[goods + s] = 0 * p[0];
                               for (int c = 0; c < goods; ++c) f[goods + s] -= activity[c][s] * p[c];
                             }
                           })};
}

}  // namespace

std::vector<Classic> equilibria() {
  return {mathiesen(), mathiesen_modified(), nash_5(), nash_10(), braess(), spatial_price(), scarf()};
}

}  // namespace mcp_set
