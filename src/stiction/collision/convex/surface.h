// Surfaces of triangles against convex bodies.
#pragma once

#include <vector>

#include "stiction/collision/convex/closest_points.h"

namespace stiction::collision {

/// A world box in the coordinates of a body at `pose`; an unbounded one stays as it is.
BoundingBox in_body(const BoundingBox& b, const Pose& pose);
/// The box of a body at `pose`, grown.
BoundingBox world_box(const Convex& body, const Pose& pose, double grown);
/// Triangle `index` of a surface at `pose`, seen from `origin`.
Triangle placed_triangle(const SurfaceShape& surface, int index, const Pose& pose, const Vec3& origin);

/// Appends the contact points with gap below `margin`, a = surface, b = body, keys with features only, sorted
/// by feature, each feature once. The body is no half-space.
void surface_contacts(const SurfaceShape& surface, const Pose& pose, const Convex& body,
                      const Pose& pose_body, double margin, std::vector<ContactPoint>& out);

/// The surface's point nearest to x [m, world]; distance infinite where none is within `within`.
struct SurfacePoint {
  double distance;     // [m] negative inside a closed mesh
  Vec3 point, normal;  // normal: unit, from the surface to x, or where x is inside outward
};
SurfacePoint closest_on_surface(const SurfaceShape& surface, const Pose& pose, const Vec3& x, double within);

/// Whether the body crosses a triangle or lies inside a closed mesh.
bool surface_overlaps(const SurfaceShape& surface, const Pose& pose, const Convex& body,
                      const Pose& pose_body);

}  // namespace stiction::collision
