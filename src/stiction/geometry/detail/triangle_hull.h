// Quickhull with triangles: the first half of convex_hull().
#pragma once

#include <array>
#include <span>
#include <vector>

#include "stiction/math/vec3.h"

namespace stiction::detail {

struct Triangle {
  std::array<int, 3> vertex;     // counter-clockwise from outside
  std::array<int, 3> neighbour;  // across the edge vertex[i] -> vertex[i + 1]
};

/// The triangles of the hull of `points`; empty when all points lie in a plane exactly.
std::vector<Triangle> triangle_hull(std::span<const Vec3> points);

}  // namespace stiction::detail
