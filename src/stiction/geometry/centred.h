// A polyhedron, an intersection or a compound brought to its centre of mass and its principal axes, where
// bodies have their origin and axes.
#pragma once

#include "stiction/geometry/shape.h"

namespace stiction {

struct CentredShape {
  Shape shape;  // in the new coordinates: x_new = turn^T (x_old - centre)
  Vec3 centre;  // [m] of mass, in the old coordinates
  Quat turn{};  // from the new axes to the old ones
  bool changed = false;
};
/// Polyhedra, intersections and compounds only; anything else, and one that is there within round-off (1e-12
/// of its size and of its inertia), comes back as it is. With `turns` false the axes stay.
CentredShape centred(const Shape& shape, bool turns);

/// Eigenvectors of a symmetric matrix, as the columns of a right-handed rotation: the axes that lie nearest
/// to x, y and z in this order, so that a matrix which is all but diagonal is hardly turned.
Mat3 principal_axes(const SymMat3& s);

}  // namespace stiction
