// Proximal Newton for frictional contact: robust against redundant contacts and poor starts.
#pragma once

#include <utility>
#include <vector>

#include "stiction/complementarity/block_lu.h"
#include "stiction/complementarity/friction_problem.h"

namespace stiction::complementarity {

struct NewtonSettings {
  double goal = 1e-11;       // [-] unit-free natural-map residual where it stops
  double tolerance = 1e-8;   // [-] residual that counts as converged
  int max_iterations = 200;  // [-] Newton steps; each costs a factorisation or less
  double noticed = 0;        // [-] > 0: every side of a contact is asked for by itself (residual.h), and the
                             // residual is the worse of the two; square root of the tolerance
  Stop stop{};
  Team* team = nullptr;  // threads that help with factorisations; change no bit
};

struct NewtonMemory {
  BlockLu lu;
  std::vector<std::pair<int, int>> pairs;
  std::vector<double> v;                            // of the whole problem
  std::vector<double> direction;                    // island's blocks x 6
  std::vector<double> best, centre, step, f;        // 3 per contact of the island
  std::vector<double> inverse_mass;                 // 1 per contact of the island
  std::vector<double> shares;                       // 2 per contact; empty: sides are not asked for
  std::vector<double> weight, soft;                 // 1 per contact; likewise
  std::vector<double> D, D_factored;                // 9 per contact of the island
  std::vector<double> coupling, coupling_factored;  // 18 per contact: D between a cone and the turning block
                                                    // behind it, and back; empty where there is none
};

struct NewtonReport {
  int iterations = -1;
  int factorisations = -1;
  double residual = -1;  // [-] unit-free natural map
  bool converged = false;
};

/// Improves r (three per contact of the whole problem) on one island; r is never left worse than it came.
NewtonReport newton(const FrictionProblem& p, const Island& island, const NewtonSettings& s, double* r,
                    NewtonMemory& m);

/// Block multiplications of one factorisation of the island's matrix (also prepares the order).
double factorisation_cost(const FrictionProblem& p, const Island& island, NewtonMemory& m);

}  // namespace stiction::complementarity
