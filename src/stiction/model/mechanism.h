// Bodies joined by constraints, as the step needs them: see compile_mechanisms.cpp.
#pragma once

#include <utility>
#include <vector>

#include "stiction/constraints/rows.h"
#include "stiction/dynamics/mechanism/saddle.h"

namespace stiction {

/// A joint that holds by forces. Body indices; -1 = the world, or a static body at its place.
struct ModelConstraint {
  int joint = -1;                  // of Scene::joints
  int a = -1, b = -1;              // a: what it hangs on
  int row_begin = 0, row_end = 0;  // of ModelMechanisms::row
  int mechanism = -1;
  int node = -1, loop = -1;  // the node that hangs on it, or the loop that it closes
};

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
  std::vector<constraints::Row> row{};
  std::vector<ModelMechanism> mechanism{};
  std::vector<std::pair<int, int>> pair{};     // of bodies that a constraint joins, sorted: they do not touch
  std::vector<int> body{};                     // those of all mechanisms, in order
  std::vector<int> mechanism_of{}, node_of{};  // per body of the model; -1 = in none

  std::vector<ModelLinkage> linkage{};
  std::vector<int> linkage_of{}, place_of{};  // per body of the model: which, and where in it; -1 = in none

  bool tracked = false;  // some rows follow an angle: State::joint_memory

  bool empty() const { return constraint.empty(); }
};

}  // namespace stiction
