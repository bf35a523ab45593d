// Trees moved by stages: forces and accelerations at some places of a step, and the books of such a step. The
// methods for smooth motion use it (trees_smooth.cpp), and trees that no contact is near in the default one
// (tree_flow.cpp). See tree_stages.cpp.
#pragma once

#include <array>
#include <span>

#include "stiction/step/trees.h"

namespace stiction::step {

/// The forces of joints in the order of TreeStage::force.
inline constexpr std::array<Cause, 4> joint_causes{Cause::spring, Cause::damping, Cause::wrench,
                                                   Cause::input};

/// What a stage's rate is made of: all of the motion, or the forces alone.
enum class Rate : unsigned char { motion, kick };

/// The inputs of joints -> w.trees.input, per velocity coordinate.
void collect_joint_inputs(const Model& m, const Input& in, Workspace& w);
/// Given force of a table: linear between the rows, zero outside.
double given_force(const ModelJointForce& table, std::size_t dofs, std::size_t dof, double now);

/// Poses, velocities, forces of joints and rates of a stage whose q, v and weight are set, with t.force and
/// t.torque on the links; tables at `time` [s]. A rate that has no solution is not a number.
void evaluate_trees(const Model& m, double time, Rate what, TreeWorkspace& t, TreeStage& s);

/// move += factor [a, b], on rotations in space only.
void add_commutator(const tree::Forest& f, double factor, const std::vector<double>& a,
                    const std::vector<double>& b, std::vector<double>& move);

/// Where stage k = 1, 2, 3 of Runge-Kutta 4 over h is, from the start (q, v) and the stages before.
void place_tree_stage(const Model& m, std::span<const double> q, std::span<const double> v, double h,
                      std::size_t k, TreeWorkspace& t);
/// The end of it: in place.
void finish_tree_stages(const Model& m, double h, TreeWorkspace& t, std::vector<double>& q,
                        std::vector<double>& v);

/// Momenta at one end of a stretch: per velocity coordinate, and per tree about the world's origin.
void take_momenta(const Model& m, const tree::Kinematics& k, std::span<const double> v, TreeWorkspace& t,
                  std::vector<double>& momenta, std::vector<SpatialForce>& total);

void clear_sums(const Model& m, TreeSums& sums);
/// Adds a stretch of `stages` stages from velocities t.first_v to v, with the momenta at its ends in t.first
/// and t.last_momenta.
void add_stretch(const Model& m, std::size_t stages, std::span<const double> v, TreeWorkspace& t);

/// The sums of one tree -> entries, but for works and moments of forces on links.
void book_tree_sums(const TreeSums::OfTree& sums, Entries& e);

}  // namespace stiction::step
