// Questions about many placed shapes: what a ray or a moving shape meets first, what is nearest to a point,
// what overlaps.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "stiction/collision/convex/closest_points.h"
#include "stiction/geometry/bounds_tree.h"

namespace stiction::collision {

struct Placed {
  int body = -1;
  const Shape* shape = nullptr;  // not NoShape; outlives the Queries
  Pose pose;
};

/// What was found; body = -1: nothing. Surfaces of triangles are met from both sides. Of equally near bodies
/// the one with the lower number.
struct Hit {
  int body = -1;
  double distance = 0;  // [m] along the way; from a point: the signed distance, negative inside
  Vec3 point;           // [m] on the body
  Vec3 normal;          // [-] unit, out of the body
};

/// Which bodies are asked; empty: all of them.
using Wanted = std::function<bool(int body)>;

class Queries {
 public:
  /// Keeps its memory; to be built again when bodies have moved. Inside a compound, distances are those of
  /// the part a point is deepest in.
  void build(std::span<const Placed> bodies);

  /// The first body on the way of a point from `origin` along `direction` (of any length but 0), up to
  /// `length` [m].
  Hit ray(const Vec3& origin, const Vec3& direction, double length, const Wanted& wanted = {}) const;
  /// The same for a shape that moves by `displacement` [m] without turning. One that overlaps a body at the
  /// start meets it at distance 0.
  Hit cast(const Convex& shape, const Pose& pose, const Vec3& displacement, const Wanted& wanted = {}) const;
  /// The body nearest to a point, up to `within` [m].
  Hit closest(const Vec3& point, double within, const Wanted& wanted = {}) const;
  /// The bodies that overlap a shape, sorted.
  void overlapping(const Convex& shape, const Pose& pose, std::vector<int>& out,
                   const Wanted& wanted = {}) const;

 private:
  template <class Bound, class Limit, class Look>
  void visit(const Wanted& wanted, const Bound& bound, const Limit& limit, const Look& look) const;

  void place(const Placed& piece);

  std::vector<Placed> bounded_, unbounded_, surfaces_;  // half-spaces are unbounded; surfaces: triangles
  std::vector<BoundingBox> boxes_;
  BoundsTree tree_;
};

}  // namespace stiction::collision
