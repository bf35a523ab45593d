// What joints of constraints do to their bodies: force and torque from the impulses of their rows.
#pragma once

#include <optional>
#include <vector>

#include "stiction/model/model.h"
#include "stiction/step/state.h"

namespace stiction {

/// Force and torque of a joint on its body, world axes, at the point `at` of the joint on that body.
struct JointReaction {
  Vec3 at;      // [m]
  Vec3 force;   // [N]
  Vec3 torque;  // [N m] about `at`
};

/// The mean over the last step, or over its last part; none for a joint (index of Scene::joints) that does
/// not hold by forces.
std::optional<JointReaction> reaction_of(const Model& m, const State& x, int joint);

/// The joints that hold by forces, as indices of Scene::joints: those of mechanisms, then those on links of
/// trees.
std::vector<int> joints_with_reactions(const Model& m);
/// All of them, in that order.
void reactions_of(const Model& m, const State& x, std::vector<JointReaction>& out);

}  // namespace stiction
