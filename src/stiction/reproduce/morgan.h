// The examples of Morgan's document, and the double pendulum that two files need.
#pragma once

#include <array>

#include "stiction/impact/planar.h"

namespace stiction::reproduce {

class Outcome;
void morgan_branches(Outcome& out);
void morgan_pendulum(Outcome& out);
void morgan_space(Outcome& out);

/// Two slender bars of length r and mass m on a pin; q1 from the horizontal, q2 relative to the first bar;
/// gravity along -y. Its tip may touch a floor with normal +y.
struct DoublePendulum {
  static constexpr double m = 1, r = 1, g = 9.81;  // [kg], [m], [m/s^2]
  using Pair = std::array<double, 2>;
  Pair q{}, u{};  // [rad], [rad/s]

  std::array<double, 4> mass_matrix() const;  // [kg m^2]
  Pair tangent() const;                       // rows of J [m]: dx/dq and dy/dq of the tip
  Pair normal() const;
  Pair elbow() const;  // [m] x, y
  Pair tip() const;
  Pair acceleration() const;  // [rad/s^2] free motion
  double energy() const;      // [J] kinetic and gravity's, 0 with both bars horizontal
  /// The tip hits the floor now: u changes.
  impact::Outcome hit(const impact::Coefficients& c);
};

}  // namespace stiction::reproduce
