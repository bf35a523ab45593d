// The examples of M. Servin, Notes on Discrete Mechanics (2015).
#pragma once

#include "stiction/reproduce/documents.h"

namespace stiction::reproduce {

void servin_spring(Outcome& out);
void servin_rotation(Outcome& out);
void servin_ball(Outcome& out);
void servin_orbit(Outcome& out);
void servin_atoms(Outcome& out);
void servin_joints(Outcome& out);
void servin_impacts(Outcome& out);

}  // namespace stiction::reproduce
