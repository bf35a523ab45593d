// Questions about the bodies of a world: what a ray or a moving shape meets first, what is nearest, what
// overlaps.
#pragma once

#include <functional>
#include <vector>

#include "stiction/collision/query.h"
#include "stiction/world/world.h"

namespace stiction {

/// What was found; a null body: nothing.
struct BodyHit {
  BodyId body;
  double distance = 0;  // [m] along the way; from a point: the signed distance, negative inside
  Vec3 point;           // [m] on the body
  Vec3 normal;          // [-] unit, out of the body
};
/// Which bodies are asked; empty: all of them.
using BodyFilter = std::function<bool(BodyId)>;

/// Asked of the bodies as they were at the last look(): call that after every step and every edit, then ask
/// as often as you like. Bodies that do not collide are not seen. Keeps its memory from look to look.
class WorldQueries {
 public:
  explicit WorldQueries(const World& world) : world_(world) { look(); }
  WorldQueries(const WorldQueries&) = delete;
  WorldQueries(WorldQueries&&) = default;
  void look();

  /// Up to `length` [m] from `origin` along `direction`, of any length but 0.
  BodyHit ray(const Vec3& origin, const Vec3& direction, double length, const BodyFilter& wanted = {}) const;
  /// A shape (convex, or a compound of such) that moves by `displacement` [m] without turning. One that
  /// overlaps a body at the start meets it at distance 0.
  BodyHit cast(const Shape& shape, const Vec3& position, const Quat& orientation, const Vec3& displacement,
               const BodyFilter& wanted = {}) const;
  /// The body nearest to a point, up to `within` [m].
  BodyHit closest(const Vec3& point, double within, const BodyFilter& wanted = {}) const;
  /// In the order of the bodies.
  std::vector<BodyId> overlapping(const Shape& shape, const Vec3& position, const Quat& orientation = {},
                                  const BodyFilter& wanted = {}) const;

 private:
  BodyHit named(const collision::Hit& hit) const;
  collision::Wanted by_number(const BodyFilter& wanted) const;

  const World& world_;
  std::vector<BodyId> id_;     // per body
  std::vector<Shape> shapes_;  // the same; its own, since an edit moves those of the model
  std::vector<collision::Placed> placed_;
  collision::Queries queries_;
};

}  // namespace stiction
