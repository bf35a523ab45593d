// One step of the default method. See coulomb_step.cpp.
#pragma once

#include "stiction/model/choices.h"
#include "stiction/step/stages.h"

namespace stiction::step {

struct CoulombSettings {
  double h = 0.01;          // [s] > 0
  double tolerance = 1e-8;  // [-] X of the certificate
  complementarity::SolverChoice solver = complementarity::SolverChoice::automatic;
  bool thorough = false;     // no shorter step is left to turn to: solvers try harder
  bool sleep = false;        // bodies that rest are left alone: sleep.h
  double part = 1;           // [-] of the whole step that h is
  bool digits_lost = false;  // thorough, but no solver finds what doubles do not tell
  // of other methods, which take these settings too
  Stabilisation stabilisation = Stabilisation::post;
  double baumgarte = 0;    // [1/s] cline_pai
  int directions = 8;      // [-] stewart_trinkle, anitescu_potra: corners of the friction cone, even
  bool nonlinear = false;  // stewart_trinkle, anitescu_potra: geometry of the end of the step
  Activation activation = Activation::checked;  // anitescu_potra
  double theta = 0.5;                           // [-] moreau_jean: in [1/2, 1]
};

StepReport coulomb_step(const Model& m, const CoulombSettings& s, const Input& in, State& x, Workspace& w);

/// Names the worst contact and the field that misses the tolerance.
void blame(const Workspace& w, StepReport& report);

}  // namespace stiction::step
