// The examples of Stewart and Trinkle's document, and the rod that two files need.
#pragma once

#include "stiction/reproduce/runs.h"

namespace stiction::reproduce {

class Outcome;
void stewart_trinkle_rod(Outcome& out);
void stewart_trinkle_methods(Outcome& out);
void stewart_trinkle_painleve(Outcome& out);
void stewart_trinkle_balls(Outcome& out);

/// The rod of example 1 in its plane: coordinates x, y (up), angle th to the table.
struct Rod {
  static constexpr double g = 9.82, length = 0.5, radius = 0.05, friction = 0.6, inertia = 0.002;
  double q[3] = {0, 1, 0};  // [m, m, rad]
  double v[3] = {0, 0, 0};  // [m/s, m/s, rad/s]

  /// The example's start: 30 degrees, 4 rad/s.
  static Rod at_start();
  /// [m] of the end at +-th.
  double gap(int end) const;

  World world(const RunSettings& settings) const;
  static Rod of(const World& world);
};

}  // namespace stiction::reproduce
