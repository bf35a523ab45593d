// Contacts that give way, as rows of the same problem as all others. With the overlap d = max(0, -gap), the
// elastic force F(d) = k d, or by Hertz F(d) = K d^(3/2) with K = 4/3 E* sqrt(R), and the damping time t, the
// normal force is F + t dF/dt and never pulls. By implicit Euler, over a step from d0 to d+:
//     0 <= r_n  _|_  r_n - (h + t) F(d+) + t F(d0) >= 0
// which is, as a law on the gap at the end of the step,
//     0 <= r_n  _|_  gap(q+) + D(r_n) >= 0,      D(r) = F^-1((r + t F(d0)) / (h + t))     [m]
// The problem has D linearised at an overlap d_k, with the slope k_t = F'(d_k):
//     D(r) ~ d_k - F(d_k)/k_t + (r + t F(d0)) / ((h + t) k_t)
// exactly if F is linear; geometry passes bring d_k to d+. d0 is not remembered: it is the overlap of the gap
// that the velocities of the step come from, gap(q+) - h u_n. Units: r [N s], F [N], h, t [s], k [N/m].
// When it fails: contacts of faces are points, whose number may change with the overlap, and k is of each of
// them; where steps are long against sqrt(m/k), implicit Euler damps what the law does not.
#pragma once

#include <span>
#include <vector>

#include "stiction/step/workspace.h"

namespace stiction::step {

/// How the contacts of two bodies give way.
Softness softness_of(const Model& m, int body_a, int body_b);

double elastic_force(const Softness& s, double overlap);   // [N]
double elastic_slope(const Softness& s, double overlap);   // [N/m]
double elastic_energy(const Softness& s, double overlap);  // [J]

/// D(r) ~ start + give r for the problem.
struct SoftRow {
  double start = 0;  // [m]
  double give = 0;   // [m/(N s)]
};
/// `start_gap` [m]: that of no motion; `reference` [m]: d_k.
SoftRow soft_row(const Softness& s, double start_gap, double reference, double h);
/// The same in the row of a contact of w.contacts: linearised at the overlap of this pass, before contact at
/// the one that free motion would bring.
void soften(const WorkContact& c, double h, const Workspace& w, complementarity::ContactRows& rows);
/// [m] D(r): what the certificate adds to the gap.
double given_way(const Softness& s, double start_gap, double r, double h);

/// [J] stored in the contacts of these pairs, with bodies there: a function of the poses alone.
double contact_energy(const Model& m, std::span<const collision::BodyPair> pairs,
                      std::span<const Vec3> position, std::span<const Quat> orientation,
                      std::vector<ContactPoint>& scratch);
/// The same of all bodies of a State. Allocates.
double contact_energy(const Model& m, const State& x);

}  // namespace stiction::step
