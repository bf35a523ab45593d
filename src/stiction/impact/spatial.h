// Impact in space: slip turns while the normal impulse grows, and is integrated; the rest is closed form.
//
// Slip s in direction d (unit, in the tangent plane), friction c = -mu_k d:
//   dv_t/dp_n = r(d) = W_tn - mu_k W_tt d,     g = d.r,   h = d_perp.r
// In dsigma = dp_n / s everything stays regular as s -> 0:
//   d' = h d_perp,   s' = g s,   p_n' = s,   p_t' = -mu_k s d,   (work of the normal impulse)' = s v_n
//
// Where d does not turn (h = 0: central impacts, planes of symmetry) slip is straight and the closed form of
// planar.h holds along it; so it does where slip is about to stop and turns no further than round-off.
// At s = 0: stick if |m| <= mu_s, m = -W_tt^-1 W_tn. Else slip leaves along the one d with r(d) = g d, g > 0:
// d(g) = (g + mu_k W_tt)^-1 W_tn, |d(g)| = 1. From there on it is straight.
//
// References: D. Morgan (2011), chapter 4, with plus signs in (4.12) and (4.13); V. Bhatt, J. Koechling
// (1995).
#pragma once

#include "stiction/impact/impact.h"

namespace stiction::impact {

struct SpatialSettings {
  /// [-] per step, of direction 1, slip, impulse and work; > 0; leaves errors of 1e-11.
  double tolerance = 1e-13;
  int max_steps = 100000;  // [-] > 0; a turn through 180 degrees takes some hundreds
};

Outcome solve(const SpatialImpact& in, const SpatialSettings& settings = {});
/// Also the points that were gone through, bends and steps of integration; allocates.
Outcome solve(const SpatialImpact& in, const SpatialSettings& settings, std::vector<Event>& trace);

}  // namespace stiction::impact
