// One step of the default method. See coulomb_step.cpp.
#pragma once

#include "stiction/step/stages.h"

namespace stiction::step {

struct CoulombSettings {
  double h = 0.01;          // [s] > 0
  double tolerance = 1e-8;  // [-] X of the certificate
  complementarity::SolverChoice solver = complementarity::SolverChoice::automatic;
  /// Gaps and frames of the end of the step for all contacts, M of its start: the method implicit_geometry.
  bool end_geometry = false;
  bool thorough = false;  // no shorter step is left to turn to: solvers try harder
  // of cline_pai, which takes these settings too
  Stabilisation stabilisation = Stabilisation::post;
  double baumgarte = 0;  // [1/s]
};

StepReport coulomb_step(const Model& m, const CoulombSettings& s, const Input& in, State& x, Workspace& w);

/// Names the worst contact and the field that misses the tolerance.
void blame(const Workspace& w, StepReport& report);

}  // namespace stiction::step
