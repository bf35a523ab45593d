// Impacts at many contacts at once, as mathematics: W, u, coefficients in; impulses and velocities out.
//
//   u+ = u + W p       `rows` per contact: 1 (normal only) or 3 (normal, two tangents)
//
// newton: one problem for all, with friction by Coulomb's law on u_t+,
//
//   0 <= p_n  _|_  u_n+ + e min(u_n, 0) >= 0
//
// poisson: compression is the same with e = 0 and gives p_c. In restitution every contact gets e p_c,n back,
// and what else is needed, with friction |p_t| <= mu p_n:
//
//   p_n = e p_c,n + q,   0 <= q  _|_  u_n+ >= 0
//
// sequential: contacts in turn, each that approaches as an impact of its own (spatial.h), again and again
// until none approaches: for cradles, where blows pass from ball to ball. superball: the same; contacts with
// a tangential restitution throw slip back (superball.h).
//
// Newton's law may create energy, with friction or different e; Poisson's is watched in the same way. Then
// all e are multiplied by the largest factor (bisection to round-off) that does not; at factor 0 energy
// cannot grow. A sequence only loses energy in each of its impacts; one that does not end within its sweeps
// is finished by newton with e = 0.
//
// References: Glocker, Pfeiffer (1995); Anitescu, Potra (1997); Ivanov (1995) for sequences.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/solve_friction.h"
#include "stiction/complementarity/linear/solve_linear.h"
#include "stiction/impact/spatial.h"

namespace stiction::impact {

struct ManyImpacts {
  int rows = 1;                // per contact: 1 or 3
  std::vector<double> W = {};  // [1/kg] (rows contacts)^2, row-major, symmetric positive semidefinite
  std::vector<double> u = {};  // [m/s] rows per contact, normal first
  /// One per contact; newton and poisson use friction_kinetic, and no `law`.
  std::vector<Coefficients> coefficients = {};

  std::size_t contacts() const { return coefficients.size(); }
};

enum class ManyLaw : unsigned char { newton, poisson, sequential, superball };
inline bool is_sequence(ManyLaw law) { return law == ManyLaw::sequential || law == ManyLaw::superball; }
const char* name_of(ManyLaw law);

enum class ManyStatus : unsigned char {
  not_run,
  bad_input,  // validate() says what is wrong
  done,
  unsolved  // a problem was not solved to its tolerance; u is as before, no impulse
};

/// One impact of a sequence.
struct SingleImpact {
  std::size_t contact = 0;
  Vec3 impulse;                     // [N s] normal first
  double stored = 0, released = 0;  // [J]
  double friction = 0;              // [J] work of friction
  double restitution = 0;           // [-] e, or what it was lowered to
};

struct ManyOutcome {
  ManyStatus status = ManyStatus::not_run;
  std::vector<double> u, p;           // [m/s], [N s] after
  double energy_change = 0;           // [J] p.(u + u+)/2
  double factor = 1;                  // [-] all e were multiplied by it, so that energy does not grow
  std::vector<double> compression;    // [N s] poisson: impulses where compression ended
  std::vector<SingleImpact> singles;  // of a sequence, in turn
  int sweeps = 0;                     // [-] of a sequence
  bool finished = false;              // sequence: what the sweeps left was stopped with e = 0
};

struct ManySettings {
  double tolerance = 1e-13;  // [-] of the complementarity problems; round-off of small ones
  int max_sweeps = 1000;     // [-] sequential; cradles need as many as balls
};

/// Scratch that the caller keeps between calls.
struct ManyMemory {
  complementarity::Lcp lcp;
  complementarity::LocalFriction friction;
  complementarity::LinearSolveMemory linear;
  complementarity::FrictionMemory cones;
  std::vector<double> b, free, given, normal, more, mu;
};

std::vector<std::string> validate(const ManyImpacts& in);

/// Into `out`, whose memory is used again. Sequences, and one contact without friction, allocate nothing
/// then.
void solve(const ManyImpacts& in, ManyLaw law, const ManySettings& settings, ManyMemory& memory,
           ManyOutcome& out);
ManyOutcome solve(const ManyImpacts& in, ManyLaw law, const ManySettings& settings, ManyMemory& memory);
ManyOutcome solve(const ManyImpacts& in, ManyLaw law);

}  // namespace stiction::impact
