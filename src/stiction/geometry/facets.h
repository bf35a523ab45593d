// Convex bodies as facets, for pictures.
#pragma once

#include <vector>

#include "stiction/geometry/convex.h"

namespace stiction {

struct Facet {
  std::vector<Vec3> corners;  // [m] body coordinates, in order around it
  Vec3 normal;                // unit, outward
};
/// The faces of a sharp polyhedron; of other bodies the support points of a grid of normals, which lie
/// densest where the surface bends most. `pixels`: how large it is drawn.
std::vector<Facet> facets_of(const Convex& body, double pixels);

}  // namespace stiction
