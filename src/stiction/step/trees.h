// The stages of a step for bodies joined by coordinates: what trees do alone (trees.cpp), with contacts
// (tree_contacts.cpp), and their books (tree_books.cpp). Everything else sees links as bodies.
#pragma once

#include <span>

#include "stiction/step/workspace.h"

namespace stiction::step {

/// The arrays of a State as Motions.
Motions motions_of(const State& x);

/// Poses and velocities of links from the coordinates in q.
void follow_joints(const Model& m, tree::Kinematics& k, Motions& q);

/// The motion without contacts -> w.free: of trees that flow (tree_flow.cpp), and of others.
void free_trees(const Model& m, const State& x, double h, Workspace& w);
/// All trees, and which of them may move so: w.trees.flows.
void flow_trees(const Model& m, const State& x, double h, Workspace& w);
/// Trees that contacts of the problem are on flow no more in this step: kick and drift -> w.free, w.next.
void stop_flows(const Model& m, const State& x, double h, Workspace& w);

/// Motion without forces from (q, v) over h, in place, by Runge-Kutta 4 in short stretches.
void drift_freely(const Model& m, double h, TreeWorkspace& t, std::vector<double>& q, std::vector<double>& v);

/// The velocities that contacts find, v_f: what the drift adds is that of the motion with contacts, v+, not
/// of the free one, which at rest would bend v_f by what it falls. Returns by how much they changed, over the
/// largest velocity [-]; linearise_at_end() takes them over. With w.carry.keeps_energy such that the step
/// gives trees no energy on the way.
double carry_trees(const Model& m, const State& x, double h, Workspace& w);
/// The most that trees gained on the way that no contact holds in the end, over what they had or what flowed
/// [-]. q + h v+ is not quite where their drift leads.
double gain_of_free_trees(const Model& m, Workspace& w);
/// [J] Per tree of the problem, what the step made of its energy besides the works of its forces and, at v+,
/// of dampers, contacts and laws of joints, with the sign of a loss; 0 for others.
std::span<const double> losses_of_trees(const Model& m, const State& x, double h, Workspace& w);
/// [J] Of all trees at the candidate end.
double kinetic_energy_of_trees(const Model& m, const Workspace& w);

// --- contacts (tree_contacts.cpp)
/// Whether impulses move a body: all but static and kinematic ones and links that are welded to the world.
bool can_move(const Model& m, int body);
/// The body whose block has a body's velocities: the root for a link, else itself.
int block_owner(const Model& m, int body);
/// Blocks of six that the tree with this root has.
int blocks_of_tree(const Model& m, int owner);
/// Its links are in blocks from `block` on, and in the island of the root.
void place_tree(const Model& m, int owner, int block, Workspace& w);
/// Trees of the last problem move freely.
void release_trees(const Model& m, Workspace& w);
/// M and its factors at w.base -> w.problem's wide blocks of trees.
void prepare_trees(const Model& m, Workspace& w);
/// Appends the diagonal block number `block` of a tree, and v_free.
void fill_wide_block(const Model& m, int block, Workspace& w);
/// J and M^-1 J^T of one side of a contact on a link.
void fill_wide_rows(const Model& m, const WorkContact& c, int side, Workspace& w,
                    complementarity::ContactRows& rows);
/// The same of its turning block, whose rows are spins about these axes [m].
void fill_wide_turning(const Model& m, const WorkContact& c, const Vec3 axes[3], int side, Workspace& w,
                       complementarity::ContactRows& rows);
/// Room for the rows of one side of a contact on a wide block of `size` coordinates: where they begin. Both
/// sides on one wide block share their rows; what is open already stays.
std::size_t open_wide_rows(int side, std::size_t size, complementarity::FrictionProblem& p,
                           complementarity::ContactRows& rows);
/// v+ of the last solution -> w.next; links move as it moves them at w.base.
void push_trees(const Model& m, Workspace& w);
/// q+ = q + h v+ for trees that contacts were near in this step; links of w.next.
void advance_trees(const Model& m, const State& x, double h, Workspace& w);
/// Changes of position of the last solution -> w.next.
void shift_trees(const Model& m, Workspace& w);
inline bool has_touched(const Model& m, const Workspace& w, int link) {
  return w.trees.touched[std::size_t(m.trees.forest.tree_of[std::size_t(link)])] != 0;
}
/// What links add to trace(G M^-1 G^T) of a contact, at w.base or at w.next.
double tree_inverse_mass(const Model& m, const WorkContact& c, bool at_base, Workspace& w, double side[2]);
/// Poses halfway from the start to w.next, and velocities there.
void find_middle_of_trees(const Model& m, const State& x, Workspace& w);
/// [m/s] of body b against body a, for v+, at a contact of w.contacts or of w.end_contacts, in the pose that
/// its frame is of. Where a contact touches, trees that flow have the mean velocity of their way.
Vec3 base_velocity(const Model& m, const WorkContact& c, const Workspace& w);
Vec3 end_velocity(const Model& m, const WorkContact& c, const Workspace& w);
/// [rad/s] likewise.
Vec3 base_spin(const Model& m, const WorkContact& c, const Workspace& w);
Vec3 end_spin(const Model& m, const WorkContact& c, const Workspace& w);

// --- books (tree_books.cpp)
/// Whether the last problem has this tree.
inline bool in_problem(const Workspace& w, std::size_t tree) {
  return !w.problem.islands.empty() && w.trees.block_of_tree[tree] >= 0;
}

/// What the books of a step need of trees: before book_trees() and before works on links are booked.
/// `end`: the candidate end, before stabilisation.
void prepare_tree_books(const Model& m, const State& x, const Motions& end, Workspace& w);
/// The books of trees that flow, but for works of forces on links -> w.entries.
void book_flows(const Model& m, const State& x, double h, const Motions& end, Workspace& w);
inline bool flows(const Model& m, const Workspace& w, int link) {
  return w.trees.flows[std::size_t(m.trees.forest.tree_of[std::size_t(link)])] != 0;
}
/// The books of other trees but for works of forces on links and of contacts -> w.entries.
void book_trees(const Model& m, const State& x, double h, const Motions& end, Workspace& w);
/// The same for links that stabilise() moved.
void book_moved_links(const Model& m, const Motions& end, Workspace& w);

/// Twice the mean velocity and spin with which an impulse on a link at the start of the step is booked.
inline SpatialMotion start_twist(const Workspace& w, int link) {
  const RigidInertia& i = w.trees.start.inertia[std::size_t(link)];
  return moved(w.trees.start_sum[std::size_t(link)], i.moment / i.mass);
}
/// Twice the mean velocity with which an impulse of a contact of w.contacts on a link is booked.
Vec3 booked_velocity(const Model& m, const WorkContact& c, bool second, const Workspace& w);
Vec3 booked_spin(const Model& m, const WorkContact& c, bool second, const Workspace& w);
/// [m] Where a contact of w.contacts acts on a tree, counted with its root where it was at the start.
Vec3 contact_lever(const Model& m, const WorkContact& c, bool second, const Workspace& w);

}  // namespace stiction::step
