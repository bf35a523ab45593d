// Impact in a plane, in closed form: no iteration.
//
// Along p_n the velocity is a chain of straight pieces, dv/dp_n = W (1, c):
//   slide    c = -mu_k sign(v_t), until v_t = 0
//   at rest  needs c = m = -W_nt / W_tt: stick if |m| <= mu_s, else slip the other way, c = mu_k sign(m)
//
// v_t = 0 is met at most once, v_n = 0 once, and the end is the root of a quadratic: at most four pieces.
// Where both are met at the same p_n, v_t goes first. A sliding piece on which v_n falls (jam, mu |W_nt| >
// W_nn) always ends in v_t = 0 before compression ends, since W is positive definite.
//
// Reference: D. Morgan, Algebraic solution to the planar rigid body impact problem, UT Arlington (2011), with
// |m| <= mu_s instead of m <= mu, and e^2 = work given back / work stored.
#pragma once

#include "stiction/impact/impact.h"

namespace stiction::impact {

/// Impulse and velocity have t2 = 0.
Outcome solve(const PlanarImpact& in);

}  // namespace stiction::impact
