// Steps with contacts that solve one problem for impulses, linearised once or a few times, and go on with
// what it gives: what they share. Bodies that nothing touches, trees and mechanisms move as in the default
// step.
#pragma once

#include "stiction/step/contact_step.h"

namespace stiction::step {

StepReport stewart_trinkle_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                                Workspace& w);
StepReport anitescu_potra_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                               Workspace& w);
StepReport moreau_jean_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                            Workspace& w);

// --- shared (impulse_step.cpp)

inline constexpr int most_restarts = 6;  // [-] growths of the reach, to twice the motion each

/// What a contact's normal impulse is paired with. arrival: with the gap where it is open, else the velocity.
enum class NormalLaw : unsigned char { gap, velocity, arrival };

/// Contacts at the poses of w.next, reached with its velocities -> w.contacts, w.base; w.next is the free
/// motion again.
void look_there(const Model& m, Workspace& w);
/// The law, tangents and arms of all contacts, none in the problem yet. Tangents: t1 = e_z x n (e_x where n
/// is along e_z), t2 = n x t1; where all that moves stays in one plane, t1 in it. Arms: to the closest point
/// of each body's own surface, so that they do not grow with the gap.
void orient(const Model& m, NormalLaw law, Workspace& w);
/// The contact of w.contacts with the same features; nullptr: there is none.
WorkContact* same_of(const WorkContact& c, Workspace& w);
/// Takes a contact found at the poses of `at` into the problem, linearised there if w.contacts has none of
/// its key. False if it is part of it already, or joints leave it no motion.
bool take_in(const Model& m, const WorkContact& found, const Motions& at, double h, NormalLaw law,
             Workspace& w);
/// Impulses of the last step that stay out of the problem are gone. How many contacts and laws are in it.
int settle_set(const Model& m, Workspace& w);

/// Why a step is refused whose problem solve_polygons() could not try.
inline constexpr const char* not_for_pivoting =
    "too many contacts hang together for a method that pivots: use coulomb or moreau_jean";
/// Problem, impulses, v+ with polyhedral cones; limits of joints that the solution would pass join. Returns
/// the residual [-] of the worst island, infinite where one is too large.
double solve_polygons(const Model& m, const State& x, const CoulombSettings& s, Workspace& w,
                      StepReport& report);
/// The same with round cones.
void solve_cones(const Model& m, const State& x, const CoulombSettings& s, Workspace& w, StepReport& report);

/// v+ -> q+ and its contacts. A body that went beyond its reach: pairs and contacts of the start are found
/// again, and false; most_restarts times at most.
bool move_on(const Model& m, const State& x, const CoulombSettings& s, int& restarts, Workspace& w);

/// How a method with polyhedral cones goes on after its first solution.
struct Passes {
  NormalLaw joins = NormalLaw::gap;  // the law of contacts that join
  bool checks = true;                // contacts that q+ violates join the problem, until none is violated
  /// Nonlinear: the contacts of the next pass, once its geometry is in w.contacts and that of the last one in
  /// w.end_contacts.
  void (*choose_again)(const Model& m, Workspace& w) = nullptr;
};
/// Solves, moves on and looks again: contacts that q+ violates join; with s.nonlinear n, D, M (and gaps) of
/// q+, until q+ changes no more. What the problem is solved to, how far it changed in the last pass or what
/// is violated, whichever is the most [-]; infinite: an island is too large; below 0: a body went beyond its
/// reach, and all is to begin again.
double solve_passes(const Model& m, const State& x, const CoulombSettings& s, const Passes& how,
                    int& restarts, Workspace& w, StepReport& report);

/// From the certificate to the new State.
StepReport finish(const Model& m, const CoulombSettings& s, State& x, Workspace& w, StepReport report);

}  // namespace stiction::step
