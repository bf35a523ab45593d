// Boxes first, by the tree; then closest points and conservative advancement (convex/first_contact.h) of the
// shapes themselves. A ray is a moving point. Distances are exact to 1e-9 of the size of the body met (the
// tolerance of the advancement, which stops before the body, never inside).
#include "stiction/collision/query.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "stiction/collision/composite.h"
#include "stiction/collision/convex/first_contact.h"
#include "stiction/collision/convex/surface.h"

namespace stiction::collision {
namespace {

constexpr double tolerance = 1e-9;  // [-] of the size

BoundingBox box_of(const Convex& body, const Pose& pose) {
  const Bounds b = bounds(body, rotation_matrix(pose.orientation));
  return {pose.position + b.low, pose.position + b.high};
}

}  // namespace

void Queries::build(std::span<const Placed> bodies) {
  bounded_.clear(), unbounded_.clear(), surfaces_.clear(), boxes_.clear();
  for (const Placed& p : bodies) {
    if (const auto* compound = std::get_if<CompoundShape>(p.shape))
      for (const CompoundPart& part : compound->parts())
        place({p.body, &part.shape, part_pose(p.pose, part)});
    else if (kind(*p.shape) == ShapeKind::surface)
      surfaces_.push_back(p);
    else
      place(p);
  }
  tree_.build(boxes_);
}

void Queries::place(const Placed& piece) {
  std::optional<Convex> store;
  const Convex* body = as_convex(*piece.shape, store);
  if (body == nullptr) return;
  if (kind(*piece.shape) == ShapeKind::half_space) {
    unbounded_.push_back(piece);
    return;
  }
  bounded_.push_back(piece);
  boxes_.push_back(box_of(*body, piece.pose));
}

/// `look(placed, body)` for every body that can matter.
template <class Bound, class Limit, class Look>
void Queries::visit(const Wanted& wanted, const Bound& bound, const Limit& limit, const Look& look) const {
  std::optional<Convex> store;
  const auto see = [&](const Placed& p) {
    if (!wanted || wanted(p.body)) look(p, *as_convex(*p.shape, store));
  };
  for (const Placed& p : unbounded_) see(p);
  tree_.visit(bound, limit, [&](int i) { see(bounded_[std::size_t(i)]); });
}

Hit Queries::cast(const Convex& shape, const Pose& pose, const Vec3& displacement,
                  const Wanted& wanted) const {
  Hit best;
  const double length = norm(displacement);
  double part = 1.5;  // [-] of the way: any that is found is less
  const bool flat = std::holds_alternative<HalfSpace>(shape.core);
  const Bounds own = bounds(shape, rotation_matrix(pose.orientation));
  const auto bound = [&](const BoundingBox& b) {
    return BoundingBox{b.low - own.high, b.high - own.low}.entry(pose.position, displacement);
  };
  // equally near ones are looked at too
  const auto limit = [&] { return part + 1e-9; };
  const auto meet = [&](int number, const Convex& body, const Pose& at) {
    const double size = std::fmax(extent_of(body), extent_of(shape));
    const FirstContact c =
        first_contact(shape, pose, {displacement, {}}, body, at, {}, 1.0, tolerance * size);
    if (!c.touches || c.time > part || (c.time == part && number > best.body)) return;
    part = c.time;
    best = {number, part * length, c.points.point_b, -c.points.normal};
  };
  visit(wanted, bound, limit, [&](const Placed& p, const Convex& body) {
    if (!(flat && std::holds_alternative<HalfSpace>(body.core))) meet(p.body, body, p.pose);
  });
  if (flat) return best;
  BoundingBox way = box_of(shape, pose);
  way.include({way.low + displacement, way.high + displacement});
  for (const Placed& p : surfaces_) {
    if (wanted && !wanted(p.body)) continue;
    const SurfaceShape& surface = *std::get_if<SurfaceShape>(p.shape);
    surface.visit(in_body(way, p.pose), [&](int index) {
      const Triangle t = placed_triangle(surface, index, p.pose, {});
      const BoundingBox box = box_of(t, {});
      if (bound(box) < limit()) meet(p.body, t, {});
    });
  }
  return best;
}

Hit Queries::ray(const Vec3& origin, const Vec3& direction, double length, const Wanted& wanted) const {
  return cast(Sphere{0}, {origin, {}}, length * normalized(direction), wanted);
}

Hit Queries::closest(const Vec3& point, double within, const Wanted& wanted) const {
  Hit best;
  best.distance = within;
  const auto bound = [&](const BoundingBox& b) {
    const double d = b.distance(point);
    return d > 0 ? d : -std::numeric_limits<double>::infinity();  // inside it may be deeper
  };
  const auto limit = [&] { return best.distance + 1e-9 * (1 + std::fabs(best.distance)); };
  visit(wanted, bound, limit, [&](const Placed& p, const Convex& body) {
    const ClosestPoints c = closest_points(Sphere{0}, {point, {}}, body, p.pose);
    if (c.gap > best.distance || (c.gap == best.distance && best.body >= 0 && p.body > best.body)) return;
    best = {p.body, c.gap, c.point_b, -c.normal};
  });
  for (const Placed& p : surfaces_) {
    if (wanted && !wanted(p.body)) continue;
    const auto& surface = *std::get_if<SurfaceShape>(p.shape);
    // deep inside of a closed one all of it may be farther than what was found so far
    const double reach =
        surface.closed() ? std::numeric_limits<double>::infinity() : std::fabs(best.distance);
    const SurfacePoint at = closest_on_surface(surface, p.pose, point, reach);
    if (at.distance > best.distance || (at.distance == best.distance && best.body >= 0 && p.body > best.body))
      continue;
    best = {p.body, at.distance, at.point, at.normal};
  }
  if (best.body < 0) best.distance = 0;
  return best;
}

void Queries::overlapping(const Convex& shape, const Pose& pose, std::vector<int>& out,
                          const Wanted& wanted) const {
  out.clear();
  const bool flat = std::holds_alternative<HalfSpace>(shape.core);
  const BoundingBox own = box_of(shape, pose);
  const auto bound = [&](const BoundingBox& b) { return own.overlaps(b) ? 0.0 : 2.0; };
  visit(
      wanted, bound, [] { return 1.0; },
      [&](const Placed& p, const Convex& body) {
        if (flat && std::holds_alternative<HalfSpace>(body.core)) return;
        if (closest_points(shape, pose, body, p.pose).gap < 0) out.push_back(p.body);
      });
  for (const Placed& p : surfaces_)
    if (!flat && (!wanted || wanted(p.body)) &&
        surface_overlaps(*std::get_if<SurfaceShape>(p.shape), p.pose, shape, pose))
      out.push_back(p.body);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());  // several parts of one body
}

}  // namespace stiction::collision
