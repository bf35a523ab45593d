// Pieces against pieces, found by the tree of each compound; then what the whole does not have is left out.
//
// Inner edges. A contact of part P at the point x of its surface, with normal n out of the body, is one of
// the union only if n lies in the normal cone of every other part Q that x belongs to:
//   x in Q  and  max { n.(y - x) : y in Q } > 0   =>   no contact: Q is nearer to the other body.
// So an edge between two flush faces, and all that lies inside another part, touches nothing, and a ball that
// rolls over the seam of two boxes sees the normal of their faces. Belonging means within 1e-9 of the size of
// the parts. What two pieces give alike (same normal, same point) counts once; points with one normal are at
// most eight.
//
// Symbols: n [-]; x, y [m]. Names: 64 bits mixed from the numbers of the two parts and the feature of the
// pair, so that they last as long as the parts and features do; two names of one pair of bodies agree by
// chance with 2^-64. Fails to see a seam where parts are apart, or stand higher than their neighbours, by
// more than 1e-9 of their size: those are real edges.
#include "stiction/collision/composite.h"

#include <algorithm>
#include <optional>

#include "stiction/collision/convex/surface.h"
#include "stiction/collision/detail/collide.h"
#include "stiction/collision/narrow/reduce.h"

namespace stiction::collision {
namespace {

constexpr double belongs = 1e-9;  // [-] of the size: a point this near to a part is in it
constexpr double turned_out =
    5e-10;                      // [-] of the size: normals that lead this far into a part are not the body's
constexpr double alike = 1e-8;  // [-] of the size, and of a unit normal
constexpr int most_points = 8;  // with one normal

struct Piece {
  const Shape* shape = nullptr;
  Pose pose;
  int index = 0;  // of the part; 0 where the shape is a piece itself
};

/// World box of a shape, grown; unbounded for half-spaces.
BoundingBox box_of(const Shape& s, const Pose& pose, double grown) {
  const Vec3 half = bounding_half_extents(s, rotation_matrix(pose.orientation)) + Vec3{grown, grown, grown};
  return {pose.position - half, pose.position + half};
}

/// Those parts of a shape that may lie in a box, or the shape itself.
template <class Use>
void each_piece(const Shape& s, const Pose& pose, const BoundingBox& near, const Use& use) {
  const auto* compound = std::get_if<CompoundShape>(&s);
  if (compound == nullptr) return use(Piece{&s, pose, 0});
  const BoundingBox local = in_body(near, pose);
  compound->tree().visit([&](const BoundingBox& b) { return b.overlaps(local) ? 0.0 : 2.0; },
                         [] { return 1.0; },
                         [&](int i) {
                           const CompoundPart& part = compound->parts()[std::size_t(i)];
                           use(Piece{&part.shape, part_pose(pose, part), i});
                         });
}

template <class Use>
void each_pair(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b,
               double margin, const Use& use) {
  each_piece(shape_a, pose_a, box_of(shape_b, pose_b, margin), [&](const Piece& a) {
    each_piece(shape_b, pose_b, box_of(*a.shape, a.pose, margin), [&](const Piece& b) { use(a, b); });
  });
}

std::uint64_t mixed(std::uint64_t h) {  // the finaliser of SplitMix64
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
  return h ^ (h >> 31);
}
std::uint64_t name_of(int a, int b, std::uint64_t feature) {
  return mixed(mixed(std::uint64_t(a) << 32 | std::uint64_t(b)) ^ feature);
}

/// Whether the surface of a body has no contact at x with the outward normal n, although its part `own` has.
bool is_inner(const Shape& s, const Pose& pose, int own, const Vec3& x, const Vec3& n) {
  const auto* compound = std::get_if<CompoundShape>(&s);
  if (compound == nullptr || compound->parts().size() == 1) return false;
  const double near = belongs * compound->size();
  const Vec3 at = rotate_back(pose.orientation, x - pose.position), d = rotate_back(pose.orientation, n);
  const BoundingBox point{at - Vec3{near, near, near}, at + Vec3{near, near, near}};
  bool inner = false;
  compound->tree().visit(
      [&](const BoundingBox& b) { return b.overlaps(point) ? 0.0 : 2.0; }, [&] { return inner ? 0.0 : 1.0; },
      [&](int i) {
        if (i == own || inner) return;
        const CompoundPart& part = compound->parts()[std::size_t(i)];
        std::optional<Convex> store;
        const Convex& body = *as_convex(part.shape, store);
        const double size = size_of(part.shape);
        const Vec3 beyond = rotate(part.orientation, support(body, rotate_back(part.orientation, d)));
        if (!(dot(d, part.position + beyond - at) > turned_out * size)) return;
        inner = closest_points(Sphere{0}, {at, {}}, body, {part.position, part.orientation}).gap <=
                belongs * size;
      });
  return inner;
}

/// From `first` on, what lies beside an earlier point and has its normal is left out.
void drop_alike(std::size_t first, double size, std::vector<ContactPoint>& out) {
  const auto same = [&](const ContactPoint& p, const ContactPoint& q) {
    return norm(p.normal - q.normal) <= alike && norm(p.point_a - q.point_a) <= alike * size &&
           std::fabs(p.gap - q.gap) <= alike * size;
  };
  std::size_t kept = first;
  for (std::size_t i = first; i < out.size(); ++i) {
    bool fresh = true;
    for (std::size_t k = first; fresh && k < kept; ++k) fresh = !same(out[k], out[i]);
    if (fresh) out[kept++] = out[i];
  }
  out.resize(kept);
}

/// Points with one normal: the eight that tell the contact.
void thin_out(std::size_t first, double size, double margin, std::vector<ContactPoint>& out) {
  constexpr double near_ratio = 1e-2, edge_ratio = 1e-6;
  constexpr std::size_t most_candidates = 256;
  std::sort(out.begin() + std::ptrdiff_t(first), out.end(), [](const ContactPoint& p, const ContactPoint& q) {
    return p.key.feature != q.key.feature ? p.key.feature < q.key.feature : comes_before(p, q);
  });
  narrow::Point group[most_candidates];
  for (std::size_t i = first; i < out.size(); ++i) {
    const Vec3 n = out[i].normal, origin = out[i].point_a;
    const ContactKey key = out[i].key;
    const auto belongs_here = [&](const ContactPoint& p) { return norm(p.normal - n) <= alike; };
    std::size_t count = 0;
    for (std::size_t k = i; k < out.size(); ++k) count += belongs_here(out[k]);
    if (count <= most_points) continue;
    std::size_t kept = i;
    count = 0;
    for (std::size_t k = i; k < out.size(); ++k) {
      const ContactPoint p = out[k];
      if (count < most_candidates && belongs_here(p))
        group[count++] = {p.point_a - origin, p.point_b - origin, p.normal, p.gap, p.key.feature};
      else
        out[kept++] = p;
    }
    out.resize(kept);
    narrow::Manifold chosen(margin);
    narrow::add_reduced({group, count}, 0, near_ratio * size, edge_ratio * size, chosen, most_points);
    // before the rest, so that the loop goes on behind them
    for (const narrow::Point& p : chosen)
      out.insert(out.begin() + std::ptrdiff_t(i),
                 {{key.a, key.b, p.feature}, origin + p.point_a, origin + p.point_b, p.normal, p.gap});
    i += std::size_t(chosen.count()) - 1;
  }
}

/// Appends the contacts of two pieces, keys with features only.
void collide_pieces(const Piece& a, const Piece& b, double margin, std::vector<ContactPoint>& out) {
  const auto *surface_a = std::get_if<SurfaceShape>(a.shape), *surface_b = std::get_if<SurfaceShape>(b.shape);
  if (surface_a == nullptr && surface_b == nullptr) {
    narrow::Manifold manifold(margin);
    collide(*a.shape, a.pose, *b.shape, b.pose, manifold);
    for (const narrow::Point& p : manifold)
      out.push_back(
          {{0, 0, p.feature}, a.pose.position + p.point_a, a.pose.position + p.point_b, p.normal, p.gap});
    return;
  }
  std::optional<Convex> store;
  const Piece& other = surface_a != nullptr ? b : a;
  const Convex* body = as_convex(*other.shape, store);
  if (body == nullptr || std::holds_alternative<HalfSpace>(body->core)) return;  // neither of them moves
  if (surface_a != nullptr) return surface_contacts(*surface_a, a.pose, *body, b.pose, margin, out);
  const std::size_t first = out.size();
  surface_contacts(*surface_b, b.pose, *body, a.pose, margin, out);
  for (std::size_t i = first; i < out.size(); ++i)
    std::swap(out[i].point_a, out[i].point_b), out[i].normal = -out[i].normal;
}

bool pieces_overlap(const Piece& a, const Piece& b) {
  const auto *surface_a = std::get_if<SurfaceShape>(a.shape), *surface_b = std::get_if<SurfaceShape>(b.shape);
  if (surface_a == nullptr && surface_b == nullptr) {
    narrow::Manifold touching(0.0);
    collide(*a.shape, a.pose, *b.shape, b.pose, touching);
    return touching.count() > 0;
  }
  std::optional<Convex> store;
  const Piece &other = surface_a != nullptr ? b : a, &own = surface_a != nullptr ? a : b;
  const Convex* body = as_convex(*other.shape, store);
  if (body == nullptr || std::holds_alternative<HalfSpace>(body->core)) return false;
  return surface_overlaps(surface_a != nullptr ? *surface_a : *surface_b, own.pose, *body, other.pose);
}

}  // namespace

void composite_contacts(int a, const Shape& shape_a, const Pose& pose_a, int b, const Shape& shape_b,
                        const Pose& pose_b, double margin, std::vector<ContactPoint>& out) {
  const std::size_t first = out.size();
  each_pair(shape_a, pose_a, shape_b, pose_b, margin, [&](const Piece& piece_a, const Piece& piece_b) {
    const std::size_t begin = out.size();
    collide_pieces(piece_a, piece_b, margin, out);
    std::size_t kept = begin;
    for (std::size_t i = begin; i < out.size(); ++i) {
      ContactPoint p = out[i];
      if (is_inner(shape_a, pose_a, piece_a.index, p.point_a, p.normal) ||
          is_inner(shape_b, pose_b, piece_b.index, p.point_b, -p.normal))
        continue;
      p.key = {a, b, name_of(piece_a.index, piece_b.index, p.key.feature)};
      out[kept++] = p;
    }
    out.resize(kept);
  });
  if (out.size() - first < 2) return;
  const double size_a = size_of(shape_a), size_b = size_of(shape_b);
  const double size = size_a > 0 && size_b > 0 ? std::fmin(size_a, size_b) : std::fmax(size_a, size_b);
  drop_alike(first, size, out);
  thin_out(first, size, margin, out);
}

bool composite_overlap(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b) {
  bool found = false;
  each_pair(shape_a, pose_a, shape_b, pose_b, 0,
            [&](const Piece& a, const Piece& b) { found = found || pieces_overlap(a, b); });
  return found;
}

}  // namespace stiction::collision
