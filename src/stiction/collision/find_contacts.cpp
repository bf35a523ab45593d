// The table of shape pairs; pairs with a ConvexShape go to convex/manifold.h, those with a composite shape to
// composite.h. A pair of two kinds has one
// function, written for one order; the other order calls it with the arguments exchanged and turns points and
// normals round, so that features never depend on the order.
#include <optional>

#include "stiction/collision/collision.h"
#include "stiction/collision/composite.h"
#include "stiction/collision/convex/manifold.h"
#include "stiction/collision/detail/collide.h"
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision {
namespace {

using narrow::Frame;
using narrow::Manifold;

using PairFunction = void (*)(const Shape&, const Frame&, const Shape&, const Frame&, Manifold&);
struct Entry {
  PairFunction function = nullptr;
  bool exchanged = false;
};

template <class A, class B, void (*function)(const A&, const Frame&, const B&, const Frame&, Manifold&)>
constexpr Entry entry(bool exchanged = false) {
  return {[](const Shape& a, const Frame& frame_a, const Shape& b, const Frame& frame_b, Manifold& out) {
            function(*std::get_if<A>(&a), frame_a, *std::get_if<B>(&b), frame_b, out);
          },
          exchanged};
}

constexpr int kinds = 5;  // those before ConvexShape
constexpr Entry none{};
constexpr Entry table[kinds][kinds] = {
    // none, sphere, box, capsule, half_space
    {none, none, none, none, none},
    {none, entry<Sphere, Sphere, narrow::sphere_sphere>(), entry<Sphere, Box, narrow::sphere_box>(),
     entry<Sphere, Capsule, narrow::sphere_capsule>(),
     entry<HalfSpace, Sphere, narrow::half_space_sphere>(true)},
    {none, entry<Sphere, Box, narrow::sphere_box>(true), entry<Box, Box, narrow::box_box>(),
     entry<Capsule, Box, narrow::capsule_box>(true), entry<HalfSpace, Box, narrow::half_space_box>(true)},
    {none, entry<Sphere, Capsule, narrow::sphere_capsule>(true), entry<Capsule, Box, narrow::capsule_box>(),
     entry<Capsule, Capsule, narrow::capsule_capsule>(),
     entry<HalfSpace, Capsule, narrow::half_space_capsule>(true)},
    {none, entry<HalfSpace, Sphere, narrow::half_space_sphere>(),
     entry<HalfSpace, Box, narrow::half_space_box>(), entry<HalfSpace, Capsule, narrow::half_space_capsule>(),
     none},
};

/// What a vector makes in its place, without a copy that waits for its own stores.
template <class Make>
struct Made {
  Make make;
  operator ContactPoint() const { return make(); }
};
template <class Make>
Made(Make) -> Made<Make>;

/// Pairs with a ConvexShape: any but those with NoShape.
void collide_convex(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b,
                    Manifold& out) {
  const double distance = norm(pose_b.position - pose_a.position);
  if (!(distance - bounding_radius(shape_a) - bounding_radius(shape_b) < out.margin())) return;
  std::optional<Convex> store_a, store_b;
  const Convex *a = as_convex(shape_a, store_a), *b = as_convex(shape_b, store_b);
  if (a != nullptr && b != nullptr) convex_manifold(*a, pose_a, *b, pose_b, out);
}

}  // namespace

const Convex* as_convex(const Shape& s, std::optional<Convex>& store) {
  if (const auto* x = std::get_if<ConvexShape>(&s)) return &x->body();
  if (const auto* x = std::get_if<Sphere>(&s)) return &store.emplace(*x);
  if (const auto* x = std::get_if<Box>(&s)) return &store.emplace(*x);
  if (const auto* x = std::get_if<Capsule>(&s)) return &store.emplace(*x);
  if (const auto* x = std::get_if<HalfSpace>(&s)) return &store.emplace(*x);
  return nullptr;
}

void collide(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b,
             Manifold& out) {
  if (shape_a.index() >= kinds || shape_b.index() >= kinds)
    return collide_convex(shape_a, pose_a, shape_b, pose_b, out);
  const Entry& e = table[shape_a.index()][shape_b.index()];
  if (e.function == nullptr) return;
  // origin: the centre of a
  const Frame frame_a{{}, rotation_matrix(pose_a.orientation)};
  const Frame frame_b{pose_b.position - pose_a.position, rotation_matrix(pose_b.orientation)};
  if (!e.exchanged) return e.function(shape_a, frame_a, shape_b, frame_b, out);
  e.function(shape_b, frame_b, shape_a, frame_a, out);
  for (narrow::Point& p : out) {
    std::swap(p.point_a, p.point_b);
    p.normal = -p.normal;
  }
}

void find_contacts(int a, const Shape& shape_a, const Pose& pose_a, int b, const Shape& shape_b,
                   const Pose& pose_b, double margin, std::vector<ContactPoint>& out) {
  if (is_composite(shape_a) || is_composite(shape_b))
    return composite_contacts(a, shape_a, pose_a, b, shape_b, pose_b, margin, out);
  Manifold manifold(margin);
  collide(shape_a, pose_a, shape_b, pose_b, manifold);
  const Vec3 origin = pose_a.position;
  for (const narrow::Point& p : manifold)
    out.emplace_back(Made{[&]() -> ContactPoint {
      return {{a, b, p.feature}, origin + p.point_a, origin + p.point_b, p.normal, p.gap};
    }});
}

}  // namespace stiction::collision
