// The flat faces of an intersection.
#pragma once

#include "stiction/geometry/intersection.h"

namespace stiction::detail {

/// The pieces of planes that bound the body; its box, size and inside are known.
std::vector<Intersection::Flat> flat_faces(const Intersection& body);

}  // namespace stiction::detail
