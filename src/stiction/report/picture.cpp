#include "stiction/report/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "stiction/collision/composite.h"
#include "stiction/collision/convex/surface.h"

namespace stiction {
namespace {

constexpr double azimuth = -1.02;          // [rad] of the eye around the vertical, from +x towards +y
constexpr double elevation = 0.42;         // [rad] above the horizon
constexpr double planar_elevation = 0.16;  // [rad] planar scenes are seen almost from the side
constexpr double flat_elevation = 1.05;    // [rad] level scenes without a floor: almost from above
constexpr double margin = 0.86;            // [-] part of the picture that the bodies fill

struct Spread {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  bool empty() const { return low.x > high.x; }
  void add(const Vec3& p, double r) {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], p[i] - r);
      high[i] = std::max(high[i], p[i] + r);
    }
  }
};

/// The triangle of a surface that a piece is, or null.
const Triangle* triangle_of(const PictureBody& b) {
  const auto* convex = std::get_if<ConvexShape>(&b.info.shape);
  return convex == nullptr ? nullptr : std::get_if<Triangle>(&convex->body().core);
}

/// How far [m] a shape reaches along a direction, from the body's origin.
double support(const PictureBody& b, const Vec3& n) {
  const Vec3 local = rotate_back(b.orientation, n);
  if (const auto* s = std::get_if<Sphere>(&b.info.shape)) return s->radius;
  if (const auto* s = std::get_if<Box>(&b.info.shape)) return 0.5 * dot(s->size, abs(local));
  if (const auto* s = std::get_if<Capsule>(&b.info.shape))
    return s->radius + 0.5 * s->length * std::fabs(local.z);
  if (const auto* s = std::get_if<ConvexShape>(&b.info.shape))
    return dot(local, stiction::support(s->body(), local));
  return 0;
}

/// The larger of both ways.
double half_width(const PictureBody& b, const Vec3& n) { return std::max(support(b, n), support(b, -n)); }

/// Every body that counts for the frame: moving ones; fixed ones too unless they are so large that the rest
/// would become small.
bool counts(const PictureBody& b, double moving_size) {
  if (kind(b.info.shape) == ShapeKind::half_space || !is_finite(b.position)) return false;
  if (triangle_of(b) != nullptr && moving_size > 0) return false;
  return b.info.kind != fixed || moving_size == 0 || drawn_radius(b.info.shape) < 1.5 * moving_size;
}

/// The common normal of the planar bodies when all that moves is planar; else 0.
Vec3 common_normal(std::span<const Picture> pictures) {
  Vec3 normal;
  for (const Picture& p : pictures)
    for (const PictureBody& b : p.bodies) {
      if (b.info.kind == fixed) continue;
      if (b.info.mobility != Mobility::planar) return {};
      if (norm2(normal) == 0) normal = b.info.plane_normal;
      if (std::fabs(dot(normal, b.info.plane_normal)) < 0.999) return {};
    }
  return normal;
}

/// What moves stays at one height, and no floor is there to be seen from the side.
bool is_level(std::span<const Picture> pictures, const Vec3& up) {
  Spread along;
  double low = 1e300, high = -1e300;
  for (const Picture& p : pictures) {
    if (has_floor(p)) return false;
    for (const PictureBody& b : p.bodies) {
      if (b.info.kind == fixed || !is_finite(b.position)) continue;
      along.add(b.position, 0);
      low = std::min(low, dot(up, b.position)), high = std::max(high, dot(up, b.position));
    }
  }
  return !along.empty() && high - low < 1e-3 * norm(along.high - along.low);
}

Camera looking(std::span<const Picture> pictures) {
  const Vec3 up = pictures.empty() ? Vec3{0, 0, 1} : pictures.front().up;
  Vec3 a, b;
  if (std::fabs(up.z) > 0.999) {
    a = {1, 0, 0};
    b = cross(up, a);
  } else {
    tangents(up, a, b);
  }
  Vec3 side = std::cos(azimuth) * a + std::sin(azimuth) * b;
  double above = is_level(pictures, up) ? flat_elevation : elevation;
  const Vec3 normal = common_normal(pictures);
  const Vec3 level = normal - dot(normal, up) * up;
  if (norm(level) > 0.5) {
    side = normalized(level);
    if (dot(side, b) > 0) side = -side;  // the first axis points to the right
    above = planar_elevation;
  }
  Camera camera;
  camera.toward = normalized(std::cos(above) * side + std::sin(above) * up);
  camera.right = normalized(cross(up, camera.toward));
  camera.up = cross(camera.toward, camera.right);
  return camera;
}

}  // namespace

bool has_floor(const Picture& picture) {
  return std::any_of(picture.bodies.begin(), picture.bodies.end(), [&](const PictureBody& b) {
    const auto* h = std::get_if<HalfSpace>(&b.info.shape);
    return h != nullptr && dot(rotate(b.orientation, normalized(h->normal)), picture.up) > 0.1;
  });
}

double drawn_radius(const Shape& s) { return kind(s) == ShapeKind::half_space ? 0 : bounding_radius(s); }

void add_pieces(const PictureBody& body, std::vector<PictureBody>& out) {
  if (const auto* surface = std::get_if<SurfaceShape>(&body.info.shape)) {
    for (int i = 0; i < surface->count(); ++i) {
      Triangle t = collision::placed_triangle(*surface, i, {body.position, body.orientation}, {});
      const Vec3 middle = (t.corner[0] + t.corner[1] + t.corner[2]) / 3;
      for (Vec3& x : t.corner) x -= middle;
      out.push_back({body.info, middle, {}});
      out.back().info.shape = ConvexShape(t);
    }
    return;
  }
  const auto* compound = std::get_if<CompoundShape>(&body.info.shape);
  if (compound == nullptr) {
    out.push_back(body);
    return;
  }
  for (const CompoundPart& part : compound->parts()) {
    const collision::Pose pose = collision::part_pose({body.position, body.orientation}, part);
    out.push_back({body.info, pose.position, pose.orientation});
    out.back().info.shape = part.shape;
  }
}

namespace {

bool has_axis(tree::JointKind kind) {
  return kind != tree::JointKind::fixed && kind != tree::JointKind::spherical &&
         kind != tree::JointKind::free;
}
bool has_axis(constraints::Kind kind) {
  using constraints::Kind;
  return kind != Kind::ball && kind != Kind::distance && kind != Kind::lock && kind != Kind::point_on_curve;
}

/// Whether a point [m] lies outside of a body, as far as its own direction tells; never of compounds.
bool is_outside(const PictureBody& b, const Vec3& point) {
  const Vec3 arm = point - b.position;
  const double length = norm(arm);
  if (length == 0 || std::holds_alternative<CompoundShape>(b.info.shape)) return false;
  return length > 1.02 * support(b, arm / length);
}

/// Of a run that came to its end; one that did not has no list of what broke.
bool is_broken(const Recording& r, std::size_t frame, const std::string& joint) {
  if (!r.summary) return false;
  const std::vector<BrokenJoint>& all = r.summary->broken;
  return std::any_of(all.begin(), all.end(),
                     [&](const BrokenJoint& b) { return b.joint == joint && b.time <= r.time[frame]; });
}

template <class Info>
void add_joints(const Recording& r, std::size_t frame, const std::vector<Info>& joints, Picture& out) {
  for (const Info& joint : joints) {
    const JointPlace& p = joint.place;
    if (p.body < 0 || is_broken(r, frame, joint.name)) continue;
    const std::size_t i = r.at(frame, std::size_t(p.body));
    if (!r.alive[i] || !is_finite(r.position[i]) || !is_finite(r.orientation[i])) continue;
    const PictureBody body{r.bodies(frame)[std::size_t(p.body)], r.position[i], r.orientation[i]};
    const Vec3 point = body.position + rotate(body.orientation, p.point);
    out.joints.push_back(
        {joint.name, point, has_axis(joint.kind) ? rotate(body.orientation, p.axis) : Vec3{}});
    if (is_outside(body, point)) out.joints.back().rod = body.position;
  }
}

}  // namespace

Picture picture_of(const Recording& r, std::size_t frame) {
  Picture out;
  const std::vector<BodyInfo>& bodies = r.bodies(frame);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (r.alive[r.at(frame, b)])
      add_pieces({bodies[b], r.position[r.at(frame, b)], r.orientation[r.at(frame, b)]}, out.bodies);
  for (const Contact& c : r.contacts_of(frame))
    if (c.state != ContactState::open) out.forces.push_back({c.point, c.force});
  const Revision& revision = r.revisions[std::size_t(r.revision[frame])];
  add_joints(r, frame, revision.joints, out);
  add_joints(r, frame, revision.constraints, out);
  const Vec3 gravity = revision.gravity;
  if (norm(gravity) > 0) out.up = -normalized(gravity);
  return out;
}

Camera camera_for(std::span<const Picture> pictures, double width, double height) {
  Camera camera = looking(pictures);
  camera.width = width;
  camera.height = height;

  Spread moving;
  for (const Picture& p : pictures)
    for (const PictureBody& b : p.bodies)
      if (b.info.kind != fixed && is_finite(b.position)) moving.add(b.position, drawn_radius(b.info.shape));
  const double moving_size = moving.empty() ? 0 : norm(moving.high - moving.low);

  // The rectangle of the bodies on the screen, in metres.
  double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
  Spread all;
  for (const Picture& p : pictures)
    for (const PictureBody& b : p.bodies) {
      if (!counts(b, moving_size)) continue;
      const double x = dot(camera.right, b.position), y = dot(camera.up, b.position);
      const double rx = half_width(b, camera.right), ry = half_width(b, camera.up);
      x0 = std::min(x0, x - rx), x1 = std::max(x1, x + rx);
      y0 = std::min(y0, y - ry), y1 = std::max(y1, y + ry);
      all.add(b.position, drawn_radius(b.info.shape));
    }
  for (const Picture& p : pictures)
    for (const PictureJoint& j : p.joints) {
      if (!j.rod) continue;
      const double x = dot(camera.right, j.point), y = dot(camera.up, j.point);
      x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
      all.add(j.point, 0);
    }
  if (all.empty()) return camera;
  const double w = std::max(x1 - x0, 1e-9), h = std::max(y1 - y0, 1e-9);
  camera.scale = margin * std::min(width / w, height / h);
  if (w < 1e-8 && h < 1e-8) camera.scale = 0.2 * std::min(width, height);  // points only: 1 m is a fifth
  const Vec3 middle = 0.5 * (all.low + all.high);
  camera.centre = middle + (0.5 * (x0 + x1) - dot(camera.right, middle)) * camera.right +
                  (0.5 * (y0 + y1) - dot(camera.up, middle)) * camera.up;
  camera.radius = 0.5 * std::max(norm(all.high - all.low), 0.8 * width / camera.scale);
  return camera;
}

// --- painter's order

namespace {

struct Item {
  std::size_t body = 0;
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;  // [m] on the screen
  double depth = 0;                       // [m]
};

void add_axis(std::vector<Vec3>& axes, const Vec3& n) {
  const double length = norm(n);
  if (length > 1e-9) axes.push_back(n / length);
}

/// The point of a body's core (centre, segment, box) that is nearest to p.
Vec3 nearest_core(const PictureBody& b, const Vec3& p) {
  const Vec3 local = rotate_back(b.orientation, p - b.position);
  if (const auto* s = std::get_if<Box>(&b.info.shape)) {
    Vec3 q;
    for (int i = 0; i < 3; ++i) q[i] = std::clamp(local[i], -0.5 * s->size[i], 0.5 * s->size[i]);
    return b.position + rotate(b.orientation, q);
  }
  if (const auto* s = std::get_if<Capsule>(&b.info.shape))
    return b.position + rotate(b.orientation, {0, 0, std::clamp(local.z, -0.5 * s->length, 0.5 * s->length)});
  return b.position;
}

/// Directions among which a plane between two convex bodies is found, if there is one.
void separating_axes(const PictureBody& a, const PictureBody& b, std::vector<Vec3>& axes) {
  axes.clear();
  add_axis(axes, b.position - a.position);
  std::optional<Convex> store_a, store_b;
  if (kind(a.info.shape) == ShapeKind::convex || kind(b.info.shape) == ShapeKind::convex) {
    const Convex *body_a = collision::as_convex(a.info.shape, store_a),
                 *body_b = collision::as_convex(b.info.shape, store_b);
    if (body_a == nullptr || body_b == nullptr) return;
    axes.push_back(
        collision::closest_points(*body_a, {a.position, a.orientation}, *body_b, {b.position, b.orientation})
            .normal);
    return;
  }
  Vec3 p = nearest_core(a, b.position), q;
  for (int pass = 0; pass < 8; ++pass) {  // alternating projections
    q = nearest_core(b, p);
    p = nearest_core(a, q);
  }
  add_axis(axes, q - p);
  const Mat3 ra = rotation_matrix(a.orientation), rb = rotation_matrix(b.orientation);
  const bool box_a = kind(a.info.shape) == ShapeKind::box, box_b = kind(b.info.shape) == ShapeKind::box;
  for (int i = 0; i < 3; ++i) {
    if (box_a) add_axis(axes, ra.column(i));
    if (box_b) add_axis(axes, rb.column(i));
    for (int j = 0; box_a && box_b && j < 3; ++j) add_axis(axes, cross(ra.column(i), rb.column(j)));
  }
}

/// A body in front of a triangle's plane hides it where the triangle looks at the eye.
int beside_triangle(const PictureBody& triangle, const PictureBody& b, const Camera& camera) {
  const Vec3 n = triangle_of(triangle)->normal;
  const double middle = dot(n, b.position - triangle.position);
  const bool before = middle - support(b, -n) > -0.05 * drawn_radius(b.info.shape) || middle > 0;
  return before ? 1 : camera.depth(b.position) > camera.depth(triangle.position) ? 1 : -1;
}

/// > 0: b is nearer to the eye than a; < 0: farther; 0: neither hides the other.
int compare_depth(const PictureBody& a, const PictureBody& b, const Camera& camera, std::vector<Vec3>& axes) {
  if (triangle_of(a) != nullptr && triangle_of(b) != nullptr) {
    const double nearer = camera.depth(b.position) - camera.depth(a.position);
    return nearer > 0 ? 1 : nearer < 0 ? -1 : 0;
  }
  if (triangle_of(a) != nullptr) return beside_triangle(a, b, camera);
  if (triangle_of(b) != nullptr) return -beside_triangle(b, a, camera);
  separating_axes(a, b, axes);
  double best = -std::numeric_limits<double>::infinity(), facing = 0;
  for (const Vec3& n : axes) {
    const double middle = dot(n, b.position - a.position), side = middle > 0 ? 1 : -1;
    const double gap = std::fabs(middle) - support(a, side * n) - support(b, -side * n);
    if (gap <= best) continue;
    best = gap;
    facing = side * dot(n, camera.toward);
  }
  const double size = drawn_radius(a.info.shape) + drawn_radius(b.info.shape);
  if (best < -0.05 * size) facing = camera.depth(b.position) - camera.depth(a.position);  // they overlap
  return facing > 1e-9 ? 1 : facing < -1e-9 ? -1 : 0;
}

std::vector<Item> visible_items(const Picture& picture, const Camera& camera) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < picture.bodies.size(); ++i) {
    const PictureBody& b = picture.bodies[i];
    if (kind(b.info.shape) == ShapeKind::half_space || !is_finite(b.position) || !is_finite(b.orientation))
      continue;
    const double x = dot(camera.right, b.position), y = dot(camera.up, b.position);
    const double rx = half_width(b, camera.right), ry = half_width(b, camera.up);
    if (const Triangle* t = triangle_of(b)) {  // of a surface: those that can be seen
      const double wide = 0.5 * camera.width / camera.scale, high = 0.5 * camera.height / camera.scale;
      const Vec3 d = b.position - camera.centre;
      if (dot(t->normal, camera.toward) <= 1e-6 || std::fabs(dot(camera.right, d)) > wide + rx ||
          std::fabs(dot(camera.up, d)) > high + ry)
        continue;
    }
    items.push_back({i, x - rx, x + rx, y - ry, y + ry, camera.depth(b.position)});
  }
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.x0 != b.x0 ? a.x0 < b.x0 : a.body < b.body; });
  return items;
}

}  // namespace

std::vector<std::size_t> paint_order(const Picture& picture, const Camera& camera) {
  const std::vector<Item> items = visible_items(picture, camera);
  const std::size_t n = items.size();
  std::vector<std::vector<std::size_t>> nearer(n);  // items to paint later than this one
  std::vector<int> waiting(n, 0);
  std::vector<Vec3> axes;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n && items[j].x0 < items[i].x1; ++j) {
      if (items[j].y0 >= items[i].y1 || items[i].y0 >= items[j].y1) continue;
      const int side =
          compare_depth(picture.bodies[items[i].body], picture.bodies[items[j].body], camera, axes);
      if (side == 0) continue;
      nearer[side > 0 ? i : j].push_back(side > 0 ? j : i);
      ++waiting[side > 0 ? j : i];
    }

  // Farthest first among those that nothing farther waits for; a ring is cut at its farthest body.
  const auto farther = [&](std::size_t a, std::size_t b) {  // for heaps: true when a comes after b
    return items[a].depth != items[b].depth ? items[a].depth > items[b].depth : items[a].body > items[b].body;
  };
  std::vector<std::size_t> ready, by_depth(n), order;
  std::vector<char> done(n, 0);
  for (std::size_t i = 0; i < n; ++i) by_depth[i] = i;
  std::sort(by_depth.begin(), by_depth.end(), [&](std::size_t a, std::size_t b) { return farther(b, a); });
  const auto push = [&](std::size_t i) {
    ready.push_back(i);
    std::push_heap(ready.begin(), ready.end(), farther);
  };
  for (std::size_t i = 0; i < n; ++i)
    if (waiting[i] == 0) push(i);
  std::size_t cut = 0;
  while (order.size() < n) {
    if (ready.empty()) {
      while (done[by_depth[cut]]) ++cut;
      push(by_depth[cut]);
    }
    std::pop_heap(ready.begin(), ready.end(), farther);
    const std::size_t i = ready.back();
    ready.pop_back();
    if (done[i]) continue;
    done[i] = 1;
    order.push_back(items[i].body);
    for (const std::size_t j : nearer[i])
      if (--waiting[j] == 0 && !done[j]) push(j);
  }
  return order;
}

}  // namespace stiction
