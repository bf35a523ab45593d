// How well a set of impacts obeys its law, from what went in and what came out alone; shares no code with the
// solvers of many.h. All numbers are relative: velocities to the fastest approach and slip U of the set,
// impulses to its largest normal impulse P, energies to P U.
//
//   newton      0 <= p_n _|_ u_n+ + f e min(u_n, 0) >= 0, friction against u_t+ (f: what e was lowered by)
//   poisson     the same with e = 0 for compression p_c; then 0 <= p_n - (1 + f e) p_c,n _|_ u_n+ >= 0, and
//               the friction of restitution within mu (p_n - p_c,n), against u_t+
//   sequences   gone through again: each impact at a contact that approaches, its impulse in the cone, energy
//               given back e^2 times what was stored, and both with the work of friction what the impulse
//               does to the motion; what finished it: newton with e = 0
//   all         u_n+ >= 0, impulses in their cones, no energy gained
#pragma once

#include "stiction/impact/many.h"

namespace stiction::impact {

/// Scratch that the caller keeps between calls.
struct JudgeMemory {
  std::vector<double> after;  // [m/s] u + W p
  std::vector<double> u, next, p, left;
};

/// The largest violation [-]; infinite where the impacts were not solved. noise [m/s]: U counts from it on,
/// and P from what brings it about; where bodies are much faster than their contacts, round-off is no
/// violation.
double judge(const ManyImpacts& in, ManyLaw law, const ManyOutcome& out, double noise, JudgeMemory& memory);

}  // namespace stiction::impact
