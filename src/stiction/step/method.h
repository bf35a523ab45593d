// From the method to its step.
#pragma once

#include "stiction/model/methods.h"
#include "stiction/step/coulomb_step.h"

namespace stiction::step {

/// Why a step is refused whose input validate(model, input) finds mistakes in.
inline constexpr const char* wrong_input = "the input is for a body, joint or coordinate that is not there";

/// One step. Where w.stop is asked while it lasts, it is refused, however far it got. Methods for smooth
/// motion look at no contact: validate(scene, settings) says where they may be used.
StepReport take_step(Method method, const Model& m, const CoulombSettings& s, const Input& in, State& x,
                     Workspace& w);

}  // namespace stiction::step
