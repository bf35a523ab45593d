// The examples of N. Chakraborty and others, An implicit time-stepping method for multibody systems with
// intermittent contact (2007).
#pragma once

#include "stiction/reproduce/documents.h"

namespace stiction::reproduce {

void chakraborty_disc(Outcome& out);
void chakraborty_polygons(Outcome& out);
void chakraborty_sphere(Outcome& out);
void chakraborty_two_spheres(Outcome& out);
void chakraborty_rocking(Outcome& out);
void chakraborty_rolling(Outcome& out);
void chakraborty_ellipsoids(Outcome& out);
void chakraborty_dome(Outcome& out);

}  // namespace stiction::reproduce
