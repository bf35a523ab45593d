// Nonsmooth Gauss-Seidel on the blocks of W: contact after contact, each solved exactly with the others held.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/detail/anderson.h"
#include "stiction/complementarity/friction/prepared.h"
#include "stiction/complementarity/friction/solver_report.h"

namespace stiction::complementarity::friction {

struct NsgsSettings {
  int max_sweeps = 10000;   // [-] >= 0
  double relaxation = 1.0;  // [-] in (0, 2); above 1 over-relaxed
  int window = 8;           // [-] 0 to 10: differences kept by the acceleration; 0 = plain sweeps
  int plain_sweeps = 16;    // [-] before the acceleration sets in: easy problems end there
  double least_drop =
      0;  // [-] eight sweeps that leave more than this share of the error are the last; 0 = go on
};

struct NsgsMemory {
  std::vector<double> u, start;
  std::vector<double> v;  // graph form: of the bodies
  Anderson anderson;
};

/// Improves r (of the whole problem, by places) on one island.
IslandReport nsgs(const Prepared& p, const Range& island, const Goal& goal, const NsgsSettings& s, double* r,
                  NsgsMemory& m);

}  // namespace stiction::complementarity::friction
