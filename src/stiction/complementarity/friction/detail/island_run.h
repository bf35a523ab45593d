// What the solvers of one island share: its part of r, the error at every check, and the best r, which is
// the start until something better is found. So no solver leaves r worse than it came, or not finite.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "stiction/complementarity/friction/detail/cone_kernels.h"
#include "stiction/complementarity/friction/prepared.h"
#include "stiction/complementarity/friction/solver_report.h"

namespace stiction::complementarity::friction {

/// Memory has `best`, unless the solver calls neither begin() nor keep() nor finish(). Knows no cone, so that
/// a solver's template over cones finds these names as they are.
template <class Settings, class Memory>
struct IslandRun {
  const Prepared& p;
  const Range& island;
  const Goal& goal;
  const Settings& s;
  double* r;  // of the whole problem
  Memory& m;
  IslandReport report = {};
  double best = HUGE_VAL;  // error of m.best, once it was measured

  std::size_t size() const { return std::size_t(island.size() * p.rows); }
  double* mine() const { return r + island.begin * p.rows; }
  const double* mu(int i) const { return p.mu.data() + 2 * i; }

  void begin() { m.best.assign(mine(), mine() + size()); }
  /// Books the error of the island's impulses x; true if they are the best so far.
  bool keep(double error, const double* x) {
    report.history.push_back(error);
    if (!(error < best)) return false;
    best = error;
    std::copy(x, x + size(), m.best.begin());
    return true;
  }
  void finish() {
    std::copy(m.best.begin(), m.best.end(), mine());
    report.error = best, report.solved = best <= goal.plain;
  }
};

/// Run<Cone>::go() for the cone of the problem; the arguments are those of every solver.
template <template <class> class Run, class Settings, class Memory>
IslandReport run_on(const Prepared& p, const Range& island, const Goal& goal, const Settings& s, double* r,
                    Memory& m) {
  return with_cone(p.first, p.second, [&](auto cone) {
    Run<decltype(cone)> run{{p, island, goal, s, r, m}};
    run.go();
    return run.report;
  });
}

}  // namespace stiction::complementarity::friction
