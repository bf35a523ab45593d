// Newton steps on an island in turn with whole solutions of the clusters of contacts that they leave worst.
#pragma once

#include <vector>

#include "stiction/complementarity/friction_problem.h"
#include "stiction/complementarity/newton.h"

namespace stiction::complementarity {

struct ClusterSettings {
  double tolerance = 1e-8;  // [-] unit-free natural-map residual where it stops; > 0
  double share = 0.9;       // [-] of the squared error that the seeds of the clusters carry; in (0, 1]
  int rings = 1;            // [-] neighbours of neighbours that join the seeds
  int max_rounds = 25;      // [-] factorisations of the island
};

/// Scratch; grows, never shrinks.
struct ClusterMemory {
  FrictionProblem part;  // one cluster as a problem
  NewtonMemory newton;
  std::vector<double> part_r, part_push;
  std::vector<double> v, error, inverse_mass;  // v: of the whole problem; the others by contact of the island
  std::vector<double> before, best;            // impulses of the island
  std::vector<int> start, touching;            // contacts of the island's blocks
  std::vector<int> order, cluster, block;
  std::vector<char> marked, ring;
};

struct ClusterReport {
  int iterations = 0, factorisations = 0;
  double residual = -1;  // [-] unit-free natural map
  bool converged = false;
};

/// Improves r (three per contact of the whole problem) on one island without wide blocks; r is never left
/// worse than it came.
ClusterReport newton_with_clusters(const FrictionProblem& p, const Island& island, const ClusterSettings& s,
                                   double* r, NewtonMemory& whole, ClusterMemory& m);

}  // namespace stiction::complementarity
