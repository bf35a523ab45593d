// Choosing few contact points among many.
#pragma once

#include <span>

#include "stiction/collision/narrow/manifold.h"

namespace stiction::collision::narrow {

/// Adds at most `most` (up to 8) of at most 256 points, the first `fixed` among them: first those near the
/// least gap, then those that span most area; and the deepest, if it is not among them. `near` [m]. Ties
/// within `tolerance` [m] go to the lower feature, so that noise changes none but the deepest.
void add_reduced(std::span<const Point> candidates, int fixed, double near, double tolerance, Manifold& out,
                 int most = 4);

}  // namespace stiction::collision::narrow
