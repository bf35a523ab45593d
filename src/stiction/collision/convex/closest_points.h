// Closest points of two convex bodies, apart or overlapping, and how they change when the bodies move.
#pragma once

#include <array>
#include <optional>

#include "stiction/collision/collision.h"
#include "stiction/geometry/convex.h"

namespace stiction::collision {

/// Which faces of a body's core meet at its closest point: none for a smooth end, one for a surface, two
/// for an edge, three for a corner. Indices as in face(); from face_count() on: planes through a fixed point
/// or line (detail/feature.h).
struct ActiveFaces {
  int count = 0;
  std::array<int, 3> face{-1, -1, -1};
};

/// The corners whose differences carry the closest points of bodies with corners: where to begin when they
/// have moved a little. Indices as in detail/side.h.
struct Witness {
  int count = 0;  // 0: none
  std::array<int, 3> a{}, b{};
};

struct ClosestPoints {
  Vec3 point_a, point_b;  // [m] world, on the surfaces
  Vec3 normal;            // [-] unit, from a to b
  double gap =
      0;  // [m] = normal.(point_b - point_a): the distance, or minus the least translation that parts them
  double error = 0;              // [m] no direction separates the bodies by more than gap + error
  bool polished = false;         // exact to round-off, on the faces below
  ActiveFaces faces_a, faces_b;  // none yet, though polished, where nobody has asked: find_faces()
  Witness witness;
};

/// Every pair of convex bodies but two half-spaces. `warm`: the result of a nearby pose, or null.
ClosestPoints closest_points(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                             const ClosestPoints* warm = nullptr);

/// Fills the faces of a polished result in which they are not known yet.
void find_faces(ClosestPoints& c, const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b);

/// A shape as a convex body: its own, or one made in `store`. Null for NoShape.
const Convex* as_convex(const Shape& s, std::optional<Convex>& store);

/// How fast a body moves: velocity of its origin [m/s] and spin [rad/s], world axes.
struct BodyRate {
  Vec3 velocity, spin;
};
struct ClosestRates {
  double gap = 0;         // [m/s]
  Vec3 point_a, point_b;  // [m/s]
  Vec3 normal;            // [1/s]
  bool unique = false;  // false: only `gap` is meant; points and normal are not unique (parallel faces, ...)
};
/// The derivative of `c` along a motion of the bodies.
ClosestRates rates(const ClosestPoints& c, const Convex& a, const Pose& pose_a, const BodyRate& rate_a,
                   const Convex& b, const Pose& pose_b, const BodyRate& rate_b);

}  // namespace stiction::collision
