// Joints that say what others say already.
#pragma once

#include <string>
#include <vector>

#include "stiction/step/state.h"

namespace stiction::step {

/// Rows of a joint that depend on those of other joints, or of its own.
struct RedundantJoint {
  int joint = -1;         // of Scene::joints
  bool on_links = false;  // a constraint on a link of a tree
  std::vector<int> rows;  // counted in the joint
  double apart = 0;       // [m/s, rad/s] what it asks for beyond what the others say: not 0 contradicts them
};
/// At the poses of x, with all bodies free to move in space: that a planar body keeps its plane is no joint's
/// doing.
std::vector<RedundantJoint> redundant_joints(const Model& m, const State& x);
/// The same for constraints on links of trees, beside what coordinates hold, for gears and for what binds
/// velocities (law_redundancy.cpp).
std::vector<RedundantJoint> redundant_laws(const Model& m, const State& x);
/// Both in words: "joint 'lower hinge': 2 of its 5 rows (along x, ...) repeat what ..."; eight of them and a
/// count. Gears that repeat gears, likewise.
std::vector<std::string> redundancy_warnings(const Model& m, const State& x);
/// What joints changed of the start that the scene describes: the bodies that were moved, and whose
/// velocities were changed, most.
std::vector<std::string> assembly_warnings(const Model& m, const State& start);

}  // namespace stiction::step
