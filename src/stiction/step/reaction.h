// What joints do to their bodies: force and torque, mean over the last step.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/model/model.h"
#include "stiction/step/state.h"

namespace stiction {

/// Force and torque of a joint on its body, world axes, at the point `at` of the joint on that body (planar
/// joints and what binds velocities: its body's centre of mass).
struct JointReaction {
  Vec3 at;      // [m]
  Vec3 force;   // [N]
  Vec3 torque;  // [N m] about `at`
};
/// The same about another point [m], in axes that are turned by `axes`; `at` is then that point.
JointReaction seen_at(const JointReaction& r, const Vec3& point, const Quat& axes = {});

/// Something that has a reaction.
struct ReactionPlace {
  enum class Source : unsigned char { constraint, held, link, gear, velocity, plane };
  Source source = Source::constraint;
  std::size_t index = 0;  // of ModelMechanisms::constraint, links, Model::planes, or the first of its laws
  int joint = -1;         // of Scene::joints
  bool second = false;    // gear: at its second coordinate, on the body of the joint there
};
/// All of them: joints of mechanisms, constraints on links of trees, joints of trees, then gears (two each),
/// what binds velocities, and planar joints.
std::vector<ReactionPlace> joints_with_reactions(const Model& m);
/// That of the joint; of a gear's second coordinate with ".second" behind it.
std::string reaction_name(const Model& m, const ReactionPlace& place);

/// The mean over the last step, or over its last part. Zero before the first step.
JointReaction reaction_of(const Model& m, const State& x, const ReactionPlace& place,
                          tree::Kinematics& scratch);
/// Of one joint; none for a name that no reaction has.
std::optional<JointReaction> reaction_of(const Model& m, const State& x, const std::string& name);

}  // namespace stiction
