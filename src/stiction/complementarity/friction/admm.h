// Alternating directions with De Saxce's shift updated in the loop: one factorisation of W + rho w per
// penalty.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/detail/anderson.h"
#include "stiction/complementarity/friction/detail/island_system.h"
#include "stiction/complementarity/friction/prepared.h"
#include "stiction/complementarity/friction/solver_report.h"

namespace stiction::complementarity::friction {

struct AdmmSettings {
  int max_steps = 5000;     // [-] each costs two triangular solves
  double penalty = 0.1;     // [-] rho at the start, in units of each contact's w
  double relaxation = 1.5;  // [-] in (0, 2)
  int window = 8;           // [-] of the acceleration; 0 = none
};

struct AdmmMemory {
  IslandSystem system;
  std::vector<double> B, C;  // rows x rows per contact of the island
  Anderson anderson;
  std::vector<double> u, v, before, y, x, best;
};

/// Improves r (of the whole problem, by places) on one island; r is never left worse than it came.
IslandReport admm(const Prepared& p, const Range& island, const Goal& goal, const AdmmSettings& s, double* r,
                  AdmmMemory& m);

}  // namespace stiction::complementarity::friction
