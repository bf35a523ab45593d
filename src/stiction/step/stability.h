// How large a step may be for the springs of a scene. See stability.cpp.
#pragma once

#include <string>
#include <vector>

#include "stiction/step/method.h"

namespace stiction::step {

/// [s] The largest step at which a method is stable for x'' = -frequency2 x - damping x'; 0 = none is,
/// infinite = every one is.
double stable_step(Method method, double frequency2, double damping);

struct StepLimit {
  std::string force;     // its name in the scene
  bool torsion = false;  // a torsion spring
  double limit = 0;      // [s] as stable_step()
  bool joint = false;    // the spring of a joint, whose name it is
};
/// Springs, dampers, torsion springs and springs of joints for which a step of h [s] is too large, the worst
/// first.
std::vector<StepLimit> unstable_springs(const Model& m, const State& x, Method method, double h);
/// In words: "step 0.01 s, stable below 0.004 s for spring 'suspension'"; the worst eight and a count. With
/// `longest` [s] also those that a step as long as that would be too large for.
std::vector<std::string> step_warnings(const Model& m, const State& x, Method method, double h,
                                       double longest = 0);

}  // namespace stiction::step
