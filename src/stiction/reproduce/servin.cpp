#include "stiction/reproduce/servin.h"

#include <array>

namespace stiction::reproduce {

Document servin() {
  static constexpr std::array<Example, 7> examples{{
      {"spring", "a mass on a spring with five methods; Figures 4.2 to 4.5", servin_spring},
      {"rotation", "free rotation of a rigid body against the elliptic solution", servin_rotation},
      {"ball", "a ball with drag and Magnus force", servin_ball},
      {"orbit", "two bodies under gravitation", servin_orbit},
      {"atoms", "two atoms with the Lennard-Jones potential", servin_atoms},
      {"joints", "pendulums and a top on joints, by the stepper SPOOK", servin_joints},
      {"impacts", "columns, cradles and friction by two stages of sweeps and in worlds", servin_impacts},
  }};
  return {"servin", "M. Servin, Notes on Discrete Mechanics (2015)", examples};
}

}  // namespace stiction::reproduce
