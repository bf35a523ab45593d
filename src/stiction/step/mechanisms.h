// The stages of a step for bodies joined by constraints: how they start (mechanism_assembly.cpp), how they
// move where nothing touches them (mechanism_flow.cpp), their rows where something does, and their books
// (mechanism_rows.cpp), how the contact problem does without these rows (mechanism_contacts.cpp), and joints
// that break (soft_joints.cpp).
#pragma once

#include <cmath>

#include "stiction/step/workspace.h"

namespace stiction::step {

/// Where a body is, and how it moves, in the arrays of a State or of Motions; -1: the world.
template <class Arrays>
constraints::Pose pose_of(const Arrays& q, int body) {
  if (body < 0) return {};
  return {q.position[std::size_t(body)], q.orientation[std::size_t(body)]};
}
template <class Arrays>
constraints::Twist twist_of(const Arrays& q, int body) {
  if (body < 0) return {};
  return {q.velocity[std::size_t(body)], q.spin[std::size_t(body)]};
}

/// The velocities that a body has.
MechanismWork::Basis basis_of(const Model& m, std::size_t i);
/// [m] of a body; where it has no shape, of its inertia, and 1 for a particle.
double extent_of(const Model& m, std::size_t i);
/// Whether row r of a constraint gives way.
inline bool is_soft(const Model& m, const ModelConstraint& c, std::size_t r) {
  return m.mechanisms.softness[std::size_t(c.row_begin) + r].is_soft();
}
/// The rows of a constraint, with the angles that they follow; none of one that is broken.
std::span<const constraints::Row> rows_of(const Model& m, const ModelConstraint& c, const Workspace& w);
/// [m] what the violation of a length is held against; 1 for angles.
double size_of(const Model& m, const ModelConstraint& c, const constraints::Row& row);
/// The largest violation of a joint that holds at q: raises `worst` [m, rad], returns it over what it is held
/// against
/// [-]; `which`, if given: the constraint it is of.
double worst_joint(const Model& m, const Motions& q, const Workspace& w, double& worst, int* which = nullptr);

/// How far rows that give way, of mechanisms that are part of the problem, are at w.next from where their
/// impulses say -> w.soft_error, w.soft_relative.
void judge_soft_rows(const Model& m, double h, Workspace& w);

/// A row's part along one velocity of a body; 0 where it is round-off of the whole: a body in a plane does
/// not answer to what is across it.
inline double without_noise(double part, const constraints::Twist& whole) {
  return std::fabs(part) <= 1e-12 * (norm(whole.linear) + norm(whole.angular)) ? 0.0 : part;
}

/// Where one side of a joint stands in the saddle system: `own`, the body that hangs on it, or its parent, or
/// either side of a loop.
struct SideBlocks {
  double *force = nullptr, *row = nullptr;
};
inline SideBlocks blocks_of(mechanism::Saddle& s, const ModelConstraint& c, bool own, bool second) {
  if (c.node < 0) return {s.loop_force(c.loop, second), s.loop_row(c.loop, second)};
  if (own) return {s.force(c.node), s.row(c.node)};
  return {s.force_parent(c.node), s.row_parent(c.node)};
}
inline double* compliance_of(mechanism::Saddle& s, const ModelConstraint& c) {
  return c.node >= 0 ? s.compliance(c.node) : s.loop_compliance(c.loop);
}
/// Right-hand sides, then impulses, of a joint's rows.
inline double* unknowns_of(MechanismWork& w, const ModelConstraint& c) {
  using namespace mechanism;
  return c.node >= 0 ? w.nodes.data() + c.node * most_wide + most_dofs : w.loops.data() + c.loop * most_rows;
}

// --- start and end (mechanism_assembly.cpp)
/// Memory for mechanism j.
void ready(const Model& m, std::size_t j, Workspace& w);
/// Moves bodies until their joints meet, as far as they can.
void pull_together(const Model& m, Motions& q, Workspace& w);
/// Takes away the velocities of mechanism j that its joints do not allow.
void allow_velocities(const Model& m, std::size_t j, Motions& q, Workspace& w);
/// The arrays of joints in a State: zeros, and the angles that rows follow as they are at its poses.
void make_room_for_joints(const Model& m, State& x);
/// The same, with bodies moved so that joints meet and velocities made what they allow: the first State.
void start_joints(const Model& m, State& x);
void accept_joints(const Model& m, const Workspace& w, State& x);

// --- where nothing touches them (mechanism_flow.cpp)
/// How all mechanisms move without contacts -> w.mechanisms, w.joint_impulse. Where equations were not
/// solved: a body of that mechanism; else -1.
int flow_mechanisms(const Model& m, const State& x, const Input& in, double h, double tolerance,
                    Workspace& w);
/// Bodies [begin, end) of mechanisms that flow: from w.mechanisms into w.free.
void take_flows(const Model& m, const State& x, std::size_t begin, std::size_t end, Workspace& w);

// --- with contacts (mechanism_rows.cpp)
/// Mechanisms that contacts of the problem are on flow no more in this step: their bodies move alone ->
/// w.free, w.next, and their joints become rows.
void stop_mechanisms(const Model& m, const State& x, double h, Workspace& w);
/// No contact is left: all flow again -> w.free, w.next, w.joint_impulse.
void resume_flows(const Model& m, const State& x, Workspace& w);
/// Whether a body's mechanism is part of the problem.
bool is_stopped(const Model& m, const Workspace& w, int body);
/// Whether it moves as mechanism_flow.cpp says.
inline bool flows_joined(const Model& m, const Workspace& w, std::size_t i) {
  return !m.mechanisms.empty() && m.mechanisms.mechanism_of[i] >= 0 && !is_stopped(m, w, int(i));
}
/// Rows of stopped mechanisms at w.base, G v + b = 0 -> w.joint_gradient, w.joint_right.
void linearise_joints(const Model& m, const State& x, double h, Workspace& w);
/// Rows of all mechanisms at w.next, in changes of position -> the same.
void linearise_positions(const Model& m, Workspace& w);
/// A gradient by the motion of a body with a block of its own, as part of the first row of a row block.
void fill_side(const Model& m, int body, int side, const constraints::Twist& g, const Workspace& w,
               complementarity::ContactRows& rows);
/// Row r of the model's constraints as row block `row` of the problem.
void fill_joint(const Model& m, const ModelConstraint& c, int r, int row, Workspace& w);

// --- with contacts, linkages as wide blocks (mechanism_contacts.cpp)
/// The linkage that a body is in, if it is small enough to become a wide block; else -1.
int linkage_of(const Model& m, int body);
/// Room for all linkages, none of them in a problem; rows that repeat others are looked for anew.
void clear_linkages(const Model& m, Workspace& w);
/// What joints leave free of a linkage at the pose of the problem, and what they give.
void prepare_linkage(const Model& m, const State& x, double h, std::size_t linkage, Workspace& w);
/// Contacts along whose normal joints leave no motion leave the problem.
void drop_idle_contacts(const Model& m, Workspace& w);
/// Blocks of six that a prepared linkage takes.
int blocks_of(const LinkageWork& own);
/// Its bodies are in blocks from `block` on.
void place_linkage(const Model& m, std::size_t linkage, int block, Workspace& w);
/// Appends one diagonal block of a linkage, the `part`-th, and v_free.
void fill_linkage_block(const LinkageWork& own, int part, Workspace& w);
/// J Z of one side of a contact.
void fill_linkage_rows(const Model& m, const WorkContact& c, int side, Workspace& w,
                       complementarity::ContactRows& rows);
/// The same of its turning block, whose rows are spins about these axes [m]; returns the spin [rad/s] that
/// joints alone give.
Vec3 fill_linkage_turning(const Model& m, const WorkContact& c, const Vec3 axes[3], int side, Workspace& w,
                          complementarity::ContactRows& rows);
/// A gradient by the motion of a body of a linkage, as part of the first row of a row block; returns what
/// joints alone give.
double fill_linkage_side(const Model& m, int body, int side, const constraints::Twist& g, Workspace& w,
                         complementarity::ContactRows& rows);
/// [m/s] of a body of a linkage at `arm`, as far as joints alone say it.
Vec3 given_velocity(const Model& m, const Workspace& w, int body, const Vec3& arm);
/// The last solution in w.v -> coordinates of all bodies; v+, or the change of position, of one.
void take_solution(Workspace& w);
constraints::Twist motion_of(const Model& m, const Workspace& w, int body);
/// v+ of the last solution -> w.next, w.joint_impulse.
void push_linkages(const Model& m, Workspace& w);
/// [J] what v+ and v_free of the problem have in common: the energy of what joints give.
double given_energy(const Workspace& w);
/// Calls act(body) for a body of every linkage of the problem that prescribed bodies drive.
template <class Act>
void for_driven_linkages(const Model& m, const Workspace& w, const Act& act) {
  for (std::size_t l = 0; l < w.linkages.size(); ++l) {
    if (w.linkages[l].block < 0) continue;
    for (const int j : m.mechanisms.linkage[l].constraint) {
      const ModelConstraint& c = m.mechanisms.constraint[std::size_t(j)];
      for (const int body : {c.a, c.b})
        if (body >= 0 && m.body_kind[std::size_t(body)] == kinematic)
          act(m.mechanisms.linkage[l].body.front());
    }
  }
}

// --- joints that give way or break (soft_joints.cpp)
/// [J] of all rows that are springs, with bodies at q and angles counted from those of x.
double soft_energy(const Model& m, const State& x, const Motions& q);
/// Joints of the new State that were loaded too much break -> x.joint_broken, w.broken; their elastic energy
/// goes, -> w.entries, w.totals.
void break_joints(const Model& m, Workspace& w, State& x);
/// Whether all joints between two joined bodies are broken: they may touch.
bool is_parted(const Model& m, const State& x, int a, int b);

// --- books
/// Mean velocity and spin with which impulses on a body of a mechanism are booked (settle.cpp).
constraints::Twist mean_motion(const Model& m, const State& x, const Motions& end, std::size_t i,
                               const Workspace& w);
/// Impulses of joints, and of forces on mechanisms that flow -> w.total_impulse, w.total_torque.
void add_joint_impulses(const Model& m, const State& x, const Motions& end, Workspace& w);
/// Works and momenta of joints, and what gravity does about the origin, -> w.entries.
void book_joints(const Model& m, const State& x, const Motions& end, double h, Workspace& w);

}  // namespace stiction::step
