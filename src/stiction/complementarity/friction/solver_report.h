// What every solver of one island takes and returns.
#pragma once

#include <vector>

#include "stiction/base/stop.h"

namespace stiction::complementarity::friction {

/// When an island is solved: |r - P_K(r - uhat)| <= goal.
struct Goal {
  double plain = 0;  // [the unit of r] > 0
  Stop stop{};

  /// An error that is worth more work.
  bool wants(double error) const { return error > plain && !stop.asked(); }
};

struct IslandReport {
  bool solved = false;
  int iterations = 0;           // sweeps, Newton steps, splitting or gradient steps
  int factorisations = 0;       // [-]
  double error = -1;            // |r - P_K(r - uhat)| at the end, by the solver's own account
  std::vector<double> history;  // the error at every check
};

}  // namespace stiction::complementarity::friction
