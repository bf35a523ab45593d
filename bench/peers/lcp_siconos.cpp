// Linear complementarity problems, side by side with Siconos (one thread, cold start, dense matrices).
//
// Random symmetric problems against its Lemke (lexicolemke), contact problems against its Newton methods,
// projected Gauss-Seidel and Lemke. Every answer is judged by natural_residual(); what misses the tolerance
// counts as failed. The best of a few runs is taken, for both. Losses are printed first; exit status 1 if
// there is one. The word `full`: its Newton methods with line search above n = 500 too (eight minutes more).
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../bench.h"
#include "stiction/complementarity/linear/natural_residual.h"
#include "stiction/complementarity/linear/solve_linear.h"
#include "support/lcp_suite.h"

extern "C" void openblas_set_num_threads(int count) __attribute__((weak));

namespace stiction::bench {
namespace {

using complementarity::Lcp;
constexpr double tolerance = 1e-10;

struct Outcome {
  double seconds = 0, residual = 0;
  bool solved() const { return residual <= tolerance; }
};

// The best time of a few runs; slow solvers run once.
Outcome best_of(const Lcp& p, const std::function<void(std::vector<double>&)>& call) {
  Outcome out{.seconds = 1e300};
  double spent = 0;
  for (int run = 0; run < 5 && spent < 1; ++run) {
    std::vector<double> z(std::size_t(p.n), 0);
    const double seconds = seconds_of([&] { call(z); });
    spent += seconds;
    if (seconds < out.seconds) out.seconds = seconds, out.residual = complementarity::natural_residual(p, z);
  }
  return out;
}

Outcome siconos(const Lcp& p, int solver) {
  const auto n = std::size_t(p.n);
  std::vector<double> columns(n * n), q(p.q);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) columns[j * n + i] = p.M[i * n + j];
  NumericsMatrix* matrix = NM_create_from_data(NM_DENSE, p.n, p.n, columns.data());
  LinearComplementarityProblem problem{p.n, matrix, q.data()};
  const Outcome out = best_of(p, [&](std::vector<double>& z) {
    std::vector<double> w(n, 0);
    SolverOptions* options = solver_options_create(solver);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance * 0.1;
    // Pivots: ours needs n or fewer; 10 n take minutes where it cycles. Others: their own default.
    options->iparam[SICONOS_IPARAM_MAX_ITER] = solver == SICONOS_LCP_LEMKE ? 10 * p.n : 1000;
    linearComplementarity_driver(&problem, z.data(), w.data(), options);
    solver_options_delete(options);
  });
  matrix->matrix0 = nullptr;  // ours
  NM_free(matrix);
  return out;
}

struct Row {
  std::string problem, ours, theirs;
  int n = 0;
  Outcome us, them;
  double bar = 1;  // our time over theirs must not exceed it

  bool lost() const { return !us.solved() || (them.solved() && us.seconds > bar * them.seconds); }
  double ratio() const { return us.seconds / them.seconds; }
  void print() const {
    Line(problem + "/" + ours + "-" + theirs)
        .whole("n", n)
        .number("ms", 1e3 * us.seconds)
        .number("residual", us.residual)
        .number("siconos_ms", 1e3 * them.seconds)
        .number("siconos_residual", them.residual)
        .flag("siconos_solved", them.solved())
        .number("ratio", ratio())
        .number("bar", bar)
        .flag("lost", lost())
        .print();
  }
};

Outcome policy(const Lcp& p) {
  return best_of(p, [&](std::vector<double>& z) { complementarity::solve(p, tolerance, z); });
}
Outcome our_lemke(const Lcp& p) {
  return best_of(p, [&](std::vector<double>& z) { complementarity::lemke(p, {.tolerance = tolerance}, z); });
}

void random_problem(const std::string& name, const Lcp& p, std::vector<Row>& rows) {
  const Outcome them = siconos(p, SICONOS_LCP_LEMKE);
  rows.push_back({name, "policy", "lexicolemke", p.n, policy(p), them, 0.5});
  rows.push_back({name, "lemke", "lexicolemke", p.n, our_lemke(p), them, 1});
}

void contact_problem(const std::string& name, const Lcp& p, bool full, std::vector<Row>& rows) {
  const Outcome us = our_lemke(p);
  const std::pair<const char*, int> newtons[] = {{"newton_min", SICONOS_LCP_NEWTONMIN},
                                                 {"newton_min_fblsa", SICONOS_LCP_NEWTON_MIN_FBLSA},
                                                 {"newton_fb_fblsa", SICONOS_LCP_NEWTON_FB_FBLSA}};
  for (const auto& [method, solver] : newtons)
    if (full || p.n <= 500 || solver == SICONOS_LCP_NEWTONMIN)
      rows.push_back({name, "lemke", method, p.n, us, siconos(p, solver), 1});
  rows.push_back({name, "lemke", "pgs", p.n, us, siconos(p, SICONOS_LCP_PGS), 1});
  rows.push_back({name, "lemke", "lexicolemke", p.n, us, siconos(p, SICONOS_LCP_LEMKE), 1});
}

int run(bool full) {
  if (openblas_set_num_threads) openblas_set_num_threads(1);
  numerics_set_verbose(0);
  test::Random random(2024);
  std::vector<Row> rows;
  for (const int n : {70, 200, 500, 1000}) {
    random_problem("random_spd", test::random_spd(random, n), rows);
    random_problem("random_psd", test::random_psd(random, n, 0), rows);
    random_problem("random_psd_degenerate", test::random_psd(random, n, 0.3), rows);
  }
  using complementarity::stewart_trinkle_lcp;
  for (const int boxes : {17, 50, 125, 250})
    contact_problem("box_stack_frictionless", test::frictionless(test::box_stack(boxes, 4, 0, 0)), full,
                    rows);
  for (const int boxes : {2, 5, 12, 25}) {  // n = 40 boxes: four contacts with eight directions each
    contact_problem("box_stack_sticking", stewart_trinkle_lcp(test::box_stack(boxes, 8, 0.5, 0.05)), full,
                    rows);
    contact_problem("box_stack_sliding", stewart_trinkle_lcp(test::box_stack(boxes, 8, 0.2, 1)), full, rows);
  }
  for (const int balls : {4, 10, 25, 50})
    contact_problem("ball_line", stewart_trinkle_lcp(test::ball_line(balls, 8, 0.4)), full, rows);
  for (const int contacts : {7, 20, 50, 100})
    contact_problem("heap", stewart_trinkle_lcp(test::random_heap(random, contacts, 8)), full, rows);
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.lost() > b.lost(); });
  int lost = 0;
  for (const Row& row : rows) row.print(), lost += row.lost();
  return lost > 0;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  return stiction::bench::run(stiction::bench::has_word(argc, argv, "full"));
}
