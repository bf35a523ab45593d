// What the outside gives one step: forces and torques by body and by joint. World::step() clears it
// afterwards; it is recorded if the run has a Recorder and hands it over.
#pragma once

#include <cstdint>
#include <vector>

#include "stiction/base/ids.h"
#include "stiction/base/result.h"
#include "stiction/math/vec3.h"

namespace stiction {

struct Model;

struct InputWrench {
  int body = -1;
  Vec3 force;   // [N] at the centre of mass, world axes
  Vec3 torque;  // [N m] world axes
};

struct InputJointForce {
  int joint = -1;                // of Scene::joints; one with coordinates
  int coordinate = 0;            // which of its velocity coordinates
  double force = 0;              // [N] along it, or [N m] about it
  std::uint32_t generation = 0;  // of the JointId: removing a body moves joints to other indices
};

struct Input {
  std::vector<InputWrench> wrenches;    // several for one body add up
  std::vector<InputJointForce> joints;  // likewise

  void force(BodyId body, const Vec3& newtons) { wrenches.push_back({body.index, newtons, {}}); }
  void torque(BodyId body, const Vec3& newton_metres) { wrenches.push_back({body.index, {}, newton_metres}); }
  /// What a motor does at a joint: [N m] about its axis, or [N] along it. Joints with several velocity
  /// coordinates name one (docs/theory/trees.md has their order).
  void torque(JointId joint, double newton_metres, int coordinate = 0) {
    joints.push_back({joint.index, coordinate, newton_metres, joint.generation});
  }
  void force(JointId joint, double newtons, int coordinate = 0) {
    joints.push_back({joint.index, coordinate, newtons, joint.generation});
  }
  bool empty() const { return wrenches.empty() && joints.empty(); }
  void clear() { wrenches.clear(), joints.clear(); }
};

/// What is for a body, a joint or a coordinate that the model does not have. Takes memory for mistakes only.
std::vector<Mistake> validate(const Model& m, const Input& in);

}  // namespace stiction
