// Accelerated projected gradient steps with restart: no factorisation, one product with W per step.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/prepared.h"
#include "stiction/complementarity/friction/solver_report.h"

namespace stiction::complementarity::friction {

struct GradientSettings {
  int max_steps = 20000;  // [-] each costs one product with W
};

struct GradientMemory {
  std::vector<double> u, u_new, point, r_new, best;
};

/// Improves r (of the whole problem, by places) on one island; r is never left worse than it came.
IslandReport projected_gradient(const Prepared& p, const Range& island, const Goal& goal,
                                const GradientSettings& s, double* r, GradientMemory& m);

}  // namespace stiction::complementarity::friction
