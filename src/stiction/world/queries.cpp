#include "stiction/world/queries.h"

#include <algorithm>
#include <optional>

#include "stiction/base/assert.h"
#include "stiction/collision/composite.h"

namespace stiction {
namespace {

/// `use(body, pose)` for a convex shape, or for every part of a compound.
template <class Use>
void each_part(const Shape& shape, const collision::Pose& pose, const Use& use) {
  std::optional<Convex> store;
  if (const auto* compound = std::get_if<CompoundShape>(&shape)) {
    for (const CompoundPart& part : compound->parts())
      use(*collision::as_convex(part.shape, store), collision::part_pose(pose, part));
    return;
  }
  const Convex* body = collision::as_convex(shape, store);
  if (body == nullptr) return;  // a shape without a volume of its own meets nothing
  use(*body, pose);
}

}  // namespace

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
  collision::Hit best;
  each_part(shape, {position, normalized(orientation)}, [&](const Convex& body, const collision::Pose& pose) {
    const collision::Hit hit = queries_.cast(body, pose, displacement, by_number(wanted));
    if (hit.body < 0) return;
    const bool nearer =
        hit.distance < best.distance || (hit.distance == best.distance && hit.body < best.body);
    if (best.body < 0 || nearer) best = hit;
  });
  return named(best);
}

BodyHit WorldQueries::closest(const Vec3& point, double within, const BodyFilter& wanted) const {
  return named(queries_.closest(point, within, by_number(wanted)));
}

std::vector<BodyId> WorldQueries::overlapping(const Shape& shape, const Vec3& position,
                                              const Quat& orientation, const BodyFilter& wanted) const {
  std::vector<int> found, more;
  each_part(shape, {position, normalized(orientation)}, [&](const Convex& body, const collision::Pose& pose) {
    queries_.overlapping(body, pose, more, by_number(wanted));
    found.insert(found.end(), more.begin(), more.end());
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<BodyId> out;
  for (const int i : found) out.push_back(id_[std::size_t(i)]);
  return out;
}

}  // namespace stiction
