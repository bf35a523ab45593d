// The policy: picks a solver for an island, and hands over to the next until the tolerance holds.
#pragma once

#include <vector>

#include "stiction/base/parallel.h"
#include "stiction/base/stop.h"
#include "stiction/complementarity/newton.h"
#include "stiction/complementarity/nsgs.h"
#include "stiction/complementarity/solver_choice.h"

namespace stiction::complementarity {

struct SolveSettings {
  double tolerance = 1e-8;  // [-] unit-free natural-map residual; > 0
  double finest = 1.0;      // [-] islands that cost little are solved to this, if it is less
  SolverChoice solver = SolverChoice::automatic;
  bool sides = true;  // sides of contacts that have a unit are asked for by themselves (residual.h)
  int tries = 6;  // [-] how often a solver may hand over to the next; each time with three times the sweeps
  bool last_resort = false;  // islands that all tries leave unsolved: W is formed, and every solver of
                             // friction/ has its turn, which allocates and may take a minute
  Stop stop{};
  Team* team = nullptr;  // threads that help with large islands; change no bit
};

struct SolveReport {
  int iterations = 0, factorisations = 0, escalations = 0;
  bool used_nsgs = false, used_newton = false;
  double residual = 0;    // [-] worst island
  double sides = 0;       // [-] worst side of a contact
  bool converged = true;  // all islands
};

/// Memory for one thread each.
struct SolverMemory {
  NsgsMemory nsgs;
  NewtonMemory newton;
  std::vector<double> best;  // impulses of one island
  std::vector<double> shares, inverse_mass;
  SolveReport report;
};

/// Solves one island from the start r (warm start; 0 for cold).
SolveReport solve_island(const FrictionProblem& p, const Island& island, const SolveSettings& s, double* r,
                         SolverMemory& m);

/// Solves all islands, in parallel; the result does not depend on the number of threads.
SolveReport solve(const FrictionProblem& p, const SolveSettings& s, Team& team,
                  std::vector<SolverMemory>& memory, std::vector<double>& r);

}  // namespace stiction::complementarity
