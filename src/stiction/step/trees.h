// The stages of a step for bodies joined by coordinates: what trees do alone (trees.cpp), with contacts
// (tree_contacts.cpp), and their books (tree_books.cpp). Everything else sees links as bodies.
#pragma once

#include "stiction/step/workspace.h"

namespace stiction::step {

/// The arrays of a State as Motions.
Motions motions_of(const State& x);

/// Poses and velocities of links from the coordinates in q.
void follow_joints(const Model& m, tree::Kinematics& k, Motions& q);

/// Impulses of joints, start velocities with all impulses given, and the motion without contacts -> w.free.
void free_trees(const Model& m, const State& x, double h, Workspace& w);

/// Whether the last problem has this tree.
inline bool in_problem(const Workspace& w, std::size_t tree) {
  return !w.problem.islands.empty() && w.trees.block_of_tree[tree] >= 0;
}

/// What the books of a step need of trees: before book_trees() and before works on links are booked.
/// `end`: the candidate end, before stabilisation.
void prepare_tree_books(const Model& m, const State& x, const Motions& end, Workspace& w);
/// The books of trees but for works of forces on links and of contacts -> w.entries.
void book_trees(const Model& m, const State& x, double h, const Motions& end, Workspace& w);
/// The same for links that stabilise() moved.
void book_moved_links(const Model& m, const Motions& end, Workspace& w);

/// Twice the mean velocity and spin with which an impulse on a link at the start of the step is booked.
inline SpatialMotion start_twist(const Workspace& w, int link) {
  const RigidInertia& i = w.trees.start.inertia[std::size_t(link)];
  return moved(w.trees.start_sum[std::size_t(link)], i.moment / i.mass);
}
/// Twice the mean velocity with which an impulse of a contact on a link is booked.
inline Vec3 contact_velocity(const Workspace& w, int link, const Vec3& place) {
  const auto i = std::size_t(link);
  return moved(w.trees.pose_sum[i], place - w.trees.pose.pose[i].position).linear;
}
/// [m] Where a contact acts on a tree, counted with its root where it was at the start.
Vec3 contact_lever(const Model& m, const Workspace& w, int link, const Vec3& place);

}  // namespace stiction::step
