// Gears that close a loop of gears. See gear_loops.cpp.
#pragma once

#include <vector>

#include "stiction/model/scene.h"

namespace stiction {

/// A gear between two coordinates that gears before it in the scene join already.
struct GearLoop {
  int joint = -1;     // of Scene::joints
  double ratio = 0;   // [-, m/rad, rad/m] what the others hold the two at
  bool fits = false;  // its own is the same, to round-off: it says nothing new. Else all of them lock
};
/// In the order of the scene. Gears without a ratio, or of one coordinate, are left out.
std::vector<GearLoop> gear_loops(const Scene& scene);

}  // namespace stiction
