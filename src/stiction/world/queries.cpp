#include "stiction/world/queries.h"

#include <optional>

#include "stiction/base/assert.h"

namespace stiction {

void WorldQueries::look() {
  const Model& m = world_.model();
  const State& x = world_.state();
  id_.assign(std::size_t(m.body_count()), BodyId{});
  placed_.clear();
  shapes_ = m.shape;
  for (const int body : m.colliding) {
    const auto i = std::size_t(body);
    if (!x.alive[i]) continue;
    id_[i] = world_.body(m.body_name[i]);
    placed_.push_back({body, &shapes_[i], {x.position[i], x.orientation[i]}});
  }
  queries_.build(placed_);
}

BodyHit WorldQueries::named(const collision::Hit& hit) const {
  return {hit.body < 0 ? BodyId{} : id_[std::size_t(hit.body)], hit.distance, hit.point, hit.normal};
}

collision::Wanted WorldQueries::by_number(const BodyFilter& wanted) const {
  if (!wanted) return {};
  return [this, &wanted](int body) { return wanted(id_[std::size_t(body)]); };
}

BodyHit WorldQueries::ray(const Vec3& origin, const Vec3& direction, double length,
                          const BodyFilter& wanted) const {
  return named(queries_.ray(origin, direction, length, by_number(wanted)));
}

BodyHit WorldQueries::cast(const Shape& shape, const Vec3& position, const Quat& orientation,
                           const Vec3& displacement, const BodyFilter& wanted) const {
  std::optional<Convex> store;
  const Convex* body = collision::as_convex(shape, store);
  STICTION_ASSERT(body != nullptr);
  return named(queries_.cast(*body, {position, normalized(orientation)}, displacement, by_number(wanted)));
}

BodyHit WorldQueries::closest(const Vec3& point, double within, const BodyFilter& wanted) const {
  return named(queries_.closest(point, within, by_number(wanted)));
}

std::vector<BodyId> WorldQueries::overlapping(const Shape& shape, const Vec3& position,
                                              const Quat& orientation, const BodyFilter& wanted) const {
  std::optional<Convex> store;
  const Convex* body = collision::as_convex(shape, store);
  STICTION_ASSERT(body != nullptr);
  std::vector<int> found;
  queries_.overlapping(*body, {position, normalized(orientation)}, found, by_number(wanted));
  std::vector<BodyId> out;
  for (const int i : found) out.push_back(id_[std::size_t(i)]);
  return out;
}

}  // namespace stiction
