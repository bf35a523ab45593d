// Nonsmooth Gauss-Seidel: contact after contact, each solved exactly with the others held.
#pragma once

#include <vector>

#include "stiction/base/stop.h"
#include "stiction/complementarity/friction_problem.h"

namespace stiction::complementarity {

struct NsgsSettings {
  double tolerance = 1e-8;  // [-] unit-free natural-map residual; > 0
  int max_sweeps = 500;     // [-] >= 0; one sweep costs about one residual
  double relaxation = 1.0;  // [-] in (0, 2); 1 = Gauss-Seidel
  int window = 8;           // [-] 0 to 10: differences kept by the acceleration; 0 = plain sweeps
  Stop stop{};
};

/// Memory of the sweeps: A^-1 G^T and W_ii of every contact. Grows, never shrinks.
struct NsgsMemory {
  struct Contact {
    double Y[2][3 * width];  // rows of (A^-1 G^T)^T for each side
    double W[9];
  };
  static constexpr int most_window = 10;
  std::vector<Contact> contacts;     // of one island
  std::vector<double> inverse_mass;  // likewise
  std::vector<double> six;  // 36 per contact: W of those with a turning block; empty where none has one
  double gram[most_window][most_window] = {};              // products of the columns of d_step
  std::vector<double> v;                                   // scratch of the size of v_free
  std::vector<double> start, step, last_step, last_image;  // acceleration, 3 per contact of the island
  std::vector<double> d_step, d_image;                     // window x 3 per contact
};

struct NsgsReport {
  int sweeps = -1;
  double residual = -1;  // [-] unit-free natural map, at the last check
  bool converged = false;
};

/// Improves r (three per contact of the whole problem) on one island.
NsgsReport nsgs(const FrictionProblem& p, const Island& island, const NsgsSettings& s, double* r,
                NsgsMemory& m);

}  // namespace stiction::complementarity
