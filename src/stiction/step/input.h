// What the outside gives one step: forces and torques by body. World::step() clears it afterwards; it is
// recorded if the run has a Recorder and hands it over.
#pragma once

#include <vector>

#include "stiction/base/ids.h"
#include "stiction/math/vec3.h"

namespace stiction {

struct InputWrench {
  int body = -1;
  Vec3 force;   // [N] at the centre of mass, world axes
  Vec3 torque;  // [N m] world axes
};

struct Input {
  std::vector<InputWrench> wrenches;  // several for one body add up

  void force(BodyId body, const Vec3& newtons) { wrenches.push_back({body.index, newtons, {}}); }
  void torque(BodyId body, const Vec3& newton_metres) { wrenches.push_back({body.index, {}, newton_metres}); }
  void clear() { wrenches.clear(); }
};

}  // namespace stiction
