// A frictional contact problem in graph form (friction_problem.h) as one in global or local form.
//
//   global:  M = A,  H = G^T,  f = A v_free,  b = b          M v = H r + f,  u = H^T v + b
//   local:   W = G A^-1 G^T,  b = G v_free + b               u = W r + b
//
// Velocity blocks keep their padding to six: identity in M, zero in H. W holds a 3 x 3 block, zeros included,
// for every two contacts that share a velocity block: n contacts on one body give n^2 of them.
// Equality rows have no place in either form, contacts that give way only in the local one, on W's diagonal,
// and so have limits, rows that push one way: contacts without friction.
#pragma once

#include <optional>

#include "stiction/complementarity/friction/problems.h"
#include "stiction/complementarity/friction_problem.h"

namespace stiction::complementarity {

/// None where the problem has equality rows, or contacts that give way.
std::optional<GlobalFriction> global_form(const FrictionProblem& p);
/// None where it has equality rows, or boxes that push both ways.
std::optional<LocalFriction> local_form(const FrictionProblem& p);
/// Of one island: its contacts count from 0.
std::optional<LocalFriction> local_form(const FrictionProblem& p, const Island& island);

}  // namespace stiction::complementarity
