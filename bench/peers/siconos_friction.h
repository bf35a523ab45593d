// Siconos's solvers of frictional contact in local form, each with the storage of W that suits it.
#pragma once

#include <vector>

#include "in_child.h"
#include "stiction/complementarity/friction/problems.h"

namespace stiction::bench {

enum class Storage : unsigned char { blocks, sparse, dense };

struct Rival {
  const char* name;
  int solver;       // number of Siconos
  int inside;       // of the solver inside it; 0 = its own choice
  Storage storage;  // dense ones are left out of large problems
  int most_steps;   // high enough for the time to be the limit
};

/// Those that take the problem; none for laws that Siconos does not know.
std::vector<Rival> rivals_for(const complementarity::LocalFriction& p);

/// One solve from r = 0; copying W into Siconos's storage is not timed. `tolerance`: what it is asked for.
void solve_by(const Rival& rival, const complementarity::LocalFriction& p, double tolerance, Answer& out);

}  // namespace stiction::bench
