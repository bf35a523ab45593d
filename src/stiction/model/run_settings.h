// How a run is made: settings, and what they mean together with a scene.
#pragma once

#include <cstdint>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/model/choices.h"

namespace stiction {

struct Scene;

/// How a run is made; never part of the physics.
struct RunSettings {
  double step = 0.01;       // [s] > 0
  double tolerance = 1e-8;  // [-] in [1e-13, 1e-2]; what it stands for: docs/theory/certificate.md
  double until = 1.0;       // [s] > 0; the run ends with the first step at or after it
  int threads = 1;          // [-] 1 to most_threads; changes no bit of the result
  SolverChoice solver = SolverChoice::automatic;
  // The stepper. coulomb = exact cone; gaps at the end of the step for
  // approaching contacts, normal velocity for touching ones; implicit_geometry = gaps and frames of the end
  // of the step for all contacts. stewart_trinkle, anitescu_potra, moreau_jean: docs/theory/time-stepping.md.
  // event_driven: impacts located in time, docs/theory/event-driven.md. The others are for smooth motion:
  // docs/theory/integrators.md.
  Method method = Method::coulomb;
  // Of cline_pai, and of the three methods below; the constant of baumgarte, of which post has none.
  Stabilisation stabilisation = Stabilisation::post;
  double baumgarte = 0;  // [1/s] >= 0; above 0 with baumgarte; stable below 2/step
  // Of stewart_trinkle, anitescu_potra and moreau_jean, which take post or none:
  // docs/theory/time-stepping.md.
  int directions = 8;      // [-] even, 4 to 64: corners of the friction cone of the first two
  bool nonlinear = false;  // of the first two: geometry of the end of the step
  Activation activation = Activation::checked;  // anitescu_potra
  double theta = 0.5;                           // [-] moreau_jean: 1/2 to 1
  // Of coulomb: bodies whose rest a step has proved are left alone until something comes near.
  bool sleep = false;
};
inline constexpr int most_directions = 64;
// More than any machine has use for in one run: a slip of the pen. Of those allowed no more are started than
// the machine runs at a time (Team::useful).
inline constexpr int most_threads = 1024;
// Doubles have no digits to prove less; solvers would try everything they know in every step.
inline constexpr double smallest_tolerance = 1e-13, largest_tolerance = 1e-2;
/// How many steps a run takes: the fewest that reach `until`, so at least one. A rest of less than a
/// millionth of a step is rounding and counts as none.
std::int64_t steps_until(const RunSettings& settings);
/// Whether the errors of joints count against the tolerance, or are only reported; likewise overlap, and
/// friction that is not against the slip, and energy that contacts add.
bool holds_joints(const RunSettings& settings);
bool holds_gaps(const RunSettings& settings);
bool has_round_cones(const RunSettings& settings);
bool holds_energy(const RunSettings& settings);

/// A run has at most so many steps: times are counts times the step, exact to the last digit.
inline constexpr double most_steps = 9e15;

/// All mistakes of the settings alone; empty = fine.
std::vector<Mistake> validate(const RunSettings& settings);
/// What only shows together: what the method does not know of the scene (validate_method.cpp).
std::vector<Mistake> validate(const Scene& scene, const RunSettings& settings);

}  // namespace stiction
