// The steppers by name.
#pragma once

#include <string>

#include "stiction/step/coulomb_step.h"

namespace stiction::step {

enum class Method : unsigned char {
  coulomb,
  explicit_euler,
  semi_implicit_euler,
  implicit_euler,
  velocity_verlet,
  rk4,
  variational,
  spook,
  cline_pai,
  rk4_projected,
  stewart_trinkle,
  anitescu_potra,
  moreau_jean,
  implicit_geometry,
  event_driven,
};
/// Of a word of method_words(); coulomb for any other.
Method method_of(const std::string& word);

/// Why a step is refused whose input validate(model, input) finds mistakes in.
inline constexpr const char* wrong_input = "the input is for a body, joint or coordinate that is not there";

/// One step. Where w.stop is asked while it lasts, it is refused, however far it got. Methods for smooth
/// motion look at no contact: validate(scene, settings) says where they may be used.
StepReport take_step(Method method, const Model& m, const CoulombSettings& s, const Input& in, State& x,
                     Workspace& w);

}  // namespace stiction::step
