// The stages of a step for bodies joined by constraints: how they move where nothing touches them
// (mechanism_flow.cpp), and their rows in the contact problem and their books (mechanism_rows.cpp).
#pragma once

#include "stiction/step/workspace.h"

namespace stiction::step {

/// How all mechanisms move without contacts -> w.mechanisms, w.joint_impulse. Where equations were not
/// solved: a body of that mechanism; else -1.
int flow_mechanisms(const Model& m, const State& x, const Input& in, double h, Workspace& w);
/// Bodies [begin, end) of mechanisms that flow: from w.mechanisms into w.free.
void take_flows(const Model& m, const State& x, std::size_t begin, std::size_t end, Workspace& w);

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

/// The largest violation of a joint at q: raises `worst` [m, rad], returns it over what it is held against
/// [-].
double worst_joint(const Model& m, const Motions& q, double& worst);

/// Mean velocity and spin with which impulses on a body of a mechanism are booked (settle.cpp).
constraints::Twist mean_motion(const Model& m, const State& x, const Motions& end, std::size_t i,
                               const Workspace& w);
/// Impulses of joints, and of forces on mechanisms that flow -> w.total_impulse, w.total_torque.
void add_joint_impulses(const Model& m, const State& x, const Motions& end, Workspace& w);
/// Works and momenta of joints, and what gravity does about the origin, -> w.entries.
void book_joints(const Model& m, const State& x, const Motions& end, double h, Workspace& w);

}  // namespace stiction::step
