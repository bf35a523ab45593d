// The stages of a step for bodies joined by constraints: how they start (mechanism_assembly.cpp), how they
// move where nothing touches them (mechanism_flow.cpp), and their rows in the contact problem and their books
// (mechanism_rows.cpp).
#pragma once

#include "stiction/step/workspace.h"

namespace stiction::step {

/// The velocities that a body has.
MechanismWork::Basis basis_of(const Model& m, std::size_t i);
/// The rows of a constraint, with the angles that they follow.
std::span<const constraints::Row> rows_of(const Model& m, const ModelConstraint& c, const Workspace& w);
/// [m] what the violation of a length is held against; 1 for angles.
double size_of(const Model& m, const ModelConstraint& c, const constraints::Row& row);
/// The largest violation of a joint at q: raises `worst` [m, rad], returns it over what it is held against
/// [-]; `which`, if given: the constraint it is of.
double worst_joint(const Model& m, const Motions& q, const Workspace& w, double& worst, int* which = nullptr);

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
/// No contact is left: all flow again -> w.free, w.next.
void resume_flows(const Model& m, const State& x, Workspace& w);
/// Whether a body's mechanism is part of the problem.
bool is_stopped(const Model& m, const Workspace& w, int body);
/// Whether it moves as mechanism_flow.cpp says.
inline bool flows_joined(const Model& m, const Workspace& w, std::size_t i) {
  return !m.mechanisms.empty() && m.mechanisms.mechanism_of[i] >= 0 && !is_stopped(m, w, int(i));
}
/// Gradients and values of the rows of stopped mechanisms at w.base -> w.joint_gradient, w.joint_value.
void linearise_joints(const Model& m, const State& x, Workspace& w);
/// Row r of the model's constraints as row block `row` of the problem.
void fill_joint(const Model& m, const ModelConstraint& c, int r, int row, double h, Workspace& w);

// --- books
/// Mean velocity and spin with which impulses on a body of a mechanism are booked (settle.cpp).
constraints::Twist mean_motion(const Model& m, const State& x, const Motions& end, std::size_t i,
                               const Workspace& w);
/// Impulses of joints, and of forces on mechanisms that flow -> w.total_impulse, w.total_torque.
void add_joint_impulses(const Model& m, const State& x, const Motions& end, Workspace& w);
/// Works and momenta of joints, and what gravity does about the origin, -> w.entries.
void book_joints(const Model& m, const State& x, const Motions& end, double h, Workspace& w);

}  // namespace stiction::step
