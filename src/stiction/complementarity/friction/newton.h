// Proximal semismooth Newton on the blocks of W: robust against redundant contacts and poor starts.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/detail/island_system.h"
#include "stiction/complementarity/friction/prepared.h"
#include "stiction/complementarity/friction/solver_report.h"

namespace stiction::complementarity::friction {

struct NewtonSettings {
  int max_steps = 400;     // [-] Newton steps; each costs a factorisation
  double max_work = 2e11;  // [multiplications] of all factorisations: a minute; dear islands get fewer steps
  double first_term = 1e-2;   // [-] g of a poor start
  double least_term = 1e-13;  // [-] g: below it round-off of u, not g, holds the redundant impulses
};

struct NewtonMemory {
  IslandSystem system;
  std::vector<double> u, best, centre, last, H, step;  // rows per contact of the island
  std::vector<double> H_u, B;                          // rows x rows per contact of the island
};

/// Improves r (of the whole problem, by places) on one island; r is never left worse than it came.
IslandReport newton(const Prepared& p, const Range& island, const Goal& goal, const NewtonSettings& s,
                    double* r, NewtonMemory& m);

}  // namespace stiction::complementarity::friction
