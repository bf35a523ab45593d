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

/// What a contact's normal impulse is paired with.
enum class NormalLaw : unsigned char { gap, velocity };

/// Contacts at the poses of w.next, reached with its velocities -> w.contacts, w.base; w.next is the free
/// motion again.
void look_there(const Model& m, Workspace& w);
/// The law, tangents and arms of all contacts, none in the problem yet. Tangents: t1 = e_z x n (e_x where n
/// is along e_z), t2 = n x t1; where all that moves stays in one plane, t1 in it. Arms: to the closest point
/// of each body's own surface, so that they do not grow with the gap.
void orient(const Model& m, NormalLaw law, Workspace& w);
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

/// From the certificate to the new State.
StepReport finish(const Model& m, const CoulombSettings& s, State& x, Workspace& w, StepReport report);

}  // namespace stiction::step
