// Functions scaled to a distance.
#pragma once

#include "stiction/geometry/convex.h"

namespace stiction::detail {

/// F / |grad F| of a function with the derivatives given; third: sum_k d^3 F / dx_i dx_j dx_k (grad F)_k.
/// grad F is not zero.
Implicit as_distance(double value, const Vec3& gradient, const SymMat3& hessian, const SymMat3& third);

}  // namespace stiction::detail
