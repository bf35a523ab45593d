// Bodies joined by constraints, as the step needs them: see compile_mechanisms.cpp.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "stiction/constraints/curve.h"
#include "stiction/constraints/rows.h"
#include "stiction/dynamics/mechanism/saddle.h"

namespace stiction {

/// A joint that holds by forces. Body indices; -1 = the world, or a static body at its place.
struct ModelConstraint {
  int joint = -1;                  // of Scene::joints
  int a = -1, b = -1;              // a: what it hangs on
  int row_begin = 0, row_end = 0;  // of ModelMechanisms::row
  int mechanism = -1;
  int node = -1, loop = -1;                  // the node that hangs on it, or the loop that it closes
  double break_force = 0, break_torque = 0;  // [N], [N m] 0 = never
  bool is_breakable() const { return break_force > 0 || break_torque > 0; }
};

/// How a row gives way: its force is -stiffness value - damping rate. Both 0: it holds.
struct ModelSoftness {
  double stiffness = 0, damping = 0;  // [N/m, N m/rad], [N s/m, N m s/rad]
  bool is_soft() const { return stiffness > 0 || damping > 0; }
};

/// Velocities of the bodies of a linkage up to which contacts see it in the coordinates that joints leave.
inline constexpr int most_linkage_dofs = 300;

/// Bodies that constraints, springs or torsion springs join: a unit of the smooth motion.
struct ModelMechanism {
  std::vector<mechanism::Node> nodes{};
  std::vector<mechanism::Loop> loops{};
  std::vector<int> body{};             // per node
  std::vector<int> node_constraint{};  // per node, -1 = hangs on nothing
  std::vector<int> loop_constraint{};  // per loop
};

/// Bodies of a mechanism that constraints alone hold together: a unit of the contact problem.
struct ModelLinkage {
  int mechanism = -1;
  int dofs = 0;             // [-] of its bodies without constraints
  std::vector<int> body{};  // in order
  std::vector<int> constraint{};
};

struct ModelMechanisms {
  std::vector<ModelConstraint> constraint{};
  std::vector<constraints::Row> row{};    // of a joint those that hold it, then coordinates with springs
  std::vector<ModelSoftness> softness{};  // per row
  std::vector<std::shared_ptr<const constraints::Curve>> curve{};  // what rows point to, for copies too
  std::vector<ModelMechanism> mechanism{};
  std::vector<std::pair<int, int>> pair{};     // of bodies that a constraint joins, sorted: they do not touch
  std::vector<int> pair_constraint{};          // which joins them
  std::vector<int> body{};                     // those of all mechanisms, in order
  std::vector<int> mechanism_of{}, node_of{};  // per body of the model; -1 = in none

  std::vector<ModelLinkage> linkage{};
  std::vector<int> linkage_of{}, place_of{};  // per body of the model: which, and where in it; -1 = in none

  bool tracked = false;    // some rows follow an angle: State::joint_memory
  bool springs = false;    // some rows have stiffness
  bool breakable = false;  // some joints may break: State::joint_broken

  bool empty() const { return constraint.empty(); }
};

}  // namespace stiction
