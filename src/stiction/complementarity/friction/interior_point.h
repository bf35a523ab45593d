// Primal-dual interior point for the convex problem with the shift held, and outer steps on the shift.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/detail/island_system.h"
#include "stiction/complementarity/friction/prepared.h"
#include "stiction/complementarity/friction/solver_report.h"

namespace stiction::complementarity::friction {

struct InteriorPointSettings {
  int max_steps = 300;       // [-] each costs one factorisation
  double max_work = 2e11;    // [multiplications] of all factorisations: a minute
  bool convex = false;       // true: the shift stays 0, the associated problem; the goal is on its own map
  bool shift_inside = true;  // false: outer steps on the shift only
};

/// One Lorentz cone: s = (m r_n, r_k), z its multiplier.
struct ConePair {
  int place = 0, offset = 0, size = 0;  // contact, first friction row, dimension
  double m = 1;
  double s[6], z[6], ds[6], dz[6], lambda[6], right[6];
};

struct InteriorPointMemory {
  IslandSystem system;
  std::vector<double> B, C;  // rows x rows per contact of the island
  std::vector<ConePair> cones;
  std::vector<int> first_cone;  // of a contact; one more at the end
  std::vector<char> pinned;     // friction rows without friction
  std::vector<double> shift, slope, u, dual, step, r, best;
};

/// Improves r (of the whole problem, by places) on one island; r is never left worse than it came.
IslandReport interior_point(const Prepared& p, const Range& island, const Goal& goal,
                            const InteriorPointSettings& s, double* r, InteriorPointMemory& m);

}  // namespace stiction::complementarity::friction
