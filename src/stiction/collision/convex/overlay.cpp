// The overlap of two patches in the plane of the reference face.
// Coordinates: x = (e1.(X - O), e2.(X - O)), O a point of the face, f its normal; the height of a flat patch
// with normal q over the face is linear, w(x) = w0 + g.x. A disk that is tilted against the face appears as
// an ellipse; d = A (x - c) are the coordinates in its own plane, where it is a circle |d| <= R, and x = c +
// B d. The overlap is convex, and w linear: its least value, and any load, are carried by corners of the
// overlap. These are
//   - corners of the one inside the other: vertices of polygons, ends of lines, and of a disk its four fixed
//   rim
//     points and the point of its rim where w is least;
//   - crossings of edges with edges (both strictly cut by the other's line) and with circles.
// A corner within the tolerance of an edge counts as inside and makes no crossing, so that flush faces keep
// their names; a corner that another one covers within twice the tolerance is left out. Symbols: lengths [m].
// Fails to keep a corner where two arcs of circles cross: these two points are given, the arcs between them
// are told by rim points only.
#include "stiction/collision/convex/detail/overlay.h"

namespace stiction::collision::detail {
namespace {

struct Vec2 {
  double x = 0, y = 0;
};
Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
Vec2 operator*(double k, const Vec2& a) { return {k * a.x, k * a.y}; }
double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
double cross(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
double length(const Vec2& a) { return std::sqrt(dot(a, a)); }

/// A patch in the plane.
struct Outline {
  Patch::Kind kind = Patch::Kind::point;
  int count = 0;
  Vec2 corner[most_face_vertices];
  int name[most_face_vertices];
  // disk
  Vec2 centre, to_u, to_v;  // d = (to_u.(x - c), to_v.(x - c))
  Vec2 from_u, from_v;      // x = c + d.x from_u + d.y from_v
  double radius = 0;
  int rim = 0;

  Vec2 to_disk(const Vec2& x) const { return {dot(to_u, x - centre), dot(to_v, x - centre)}; }
  Vec2 from_disk(const Vec2& d) const { return centre + d.x * from_u + d.y * from_v; }
  int edges() const { return kind == Patch::Kind::polygon ? count : kind == Patch::Kind::line ? 1 : 0; }
  const Vec2& next(int i) const { return corner[i + 1 == count ? 0 : i + 1]; }

  bool covers(const Vec2& x, double tolerance) const {
    if (kind == Patch::Kind::disk) return length(to_disk(x)) <= radius + tolerance;
    if (kind != Patch::Kind::polygon) return false;
    for (int i = 0; i < count; ++i) {
      const Vec2 e = next(i) - corner[i];
      if (cross(e, x - corner[i]) < -tolerance * length(e)) return false;
    }
    return true;
  }
};

class Overlay {
 public:
  Overlay(const Patch& reference, const Patch& other, double tolerance,
          OverlayPoint (&out)[most_overlay_points])
      : tolerance_(tolerance), out_(out), f_(reference.normal) {
    tangents(f_, e1_, e2_);
    origin_ = reference.kind == Patch::Kind::disk ? reference.centre : reference.vertex[0];
    set_height(other);
    draw(reference, false, reference_);
    draw(other, true, other_);
  }

  int run() {
    corners_of(other_, reference_, 1);
    if (other_.kind == Patch::Kind::polygon || other_.kind == Patch::Kind::disk)
      corners_of(reference_, other_, 2);
    cross_edges();
    cross_circle(reference_, other_, 4);
    cross_circle(other_, reference_, 5);
    if (reference_.kind == Patch::Kind::disk && other_.kind == Patch::Kind::disk) cross_circles();
    return count_;
  }

 private:
  Vec2 project(const Vec3& x) const {
    return {stiction::dot(e1_, x - origin_), stiction::dot(e2_, x - origin_)};
  }
  double height_at(const Vec2& x) const { return height_ + dot(slope_, x); }

  /// w(x) of a flat patch; of a line along itself, constant across it.
  void set_height(const Patch& other) {
    const Vec3 at = other.kind == Patch::Kind::disk ? other.centre : other.vertex[0];
    if (other.is_flat()) {
      const double fall = stiction::dot(other.normal, f_);
      slope_ = {-stiction::dot(other.normal, e1_) / fall, -stiction::dot(other.normal, e2_) / fall};
    } else if (other.count == 2) {
      const Vec2 along = project(other.vertex[1]) - project(other.vertex[0]);
      const double rise = stiction::dot(f_, other.vertex[1] - other.vertex[0]), l2 = dot(along, along);
      if (l2 > 0) slope_ = (rise / l2) * along;
    }
    height_ = stiction::dot(f_, at - origin_) - dot(slope_, project(at));
  }

  void draw(const Patch& p, bool reversed, Outline& o) const {
    o.kind = p.kind, o.count = p.count;
    for (int i = 0; i < p.count; ++i) {
      // counter-clockwise about f: the other face looks against it. An edge keeps the name of the vertex it
      // starts from in the patch.
      const int k = reversed && p.kind == Patch::Kind::polygon ? p.count - 1 - i : i;
      o.corner[i] = project(p.vertex[k]), o.name[i] = p.name[k];
    }
    if (p.kind != Patch::Kind::disk) return;
    o.centre = project(p.centre), o.radius = p.radius, o.rim = p.name[0];
    o.from_u = {stiction::dot(e1_, p.u), stiction::dot(e2_, p.u)};
    o.from_v = {stiction::dot(e1_, p.v), stiction::dot(e2_, p.v)};
    const double det = cross(o.from_u, o.from_v);
    o.to_u = {o.from_v.y / det, -o.from_v.x / det}, o.to_v = {-o.from_u.y / det, o.from_u.x / det};
  }

  void add(const Vec2& x, int kind, int name_a, int name_b) {
    if (count_ == most_overlay_points) return;
    out_[count_++] = {origin_ + x.x * e1_ + x.y * e2_, height_at(x),
                      std::uint64_t(kind) << 40 | std::uint64_t(name_a) << 20 | std::uint64_t(name_b)};
  }
  void add_new(const Vec2& x, int kind, int name_a, int name_b) {
    for (int i = 0; i < count_; ++i)
      if (length(project(out_[i].base) - x) <= 2 * tolerance_) return;
    add(x, kind, name_a, name_b);
  }

  /// Corners of `o` that `cover` covers.
  void corners_of(const Outline& o, const Outline& cover, int kind) {
    const auto offer = [&](const Vec2& x, int name) {
      if (cover.covers(x, tolerance_)) add_new(x, kind, name, 0);
    };
    for (int i = 0; i < o.count; ++i) offer(o.corner[i], o.name[i]);
    if (o.kind != Patch::Kind::disk) return;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const double r = quarter % 2 == 0 ? o.radius : -o.radius;
      offer(o.from_disk(quarter / 2 == 0 ? Vec2{r, 0} : Vec2{0, r}), patch_name::rim + 4 * o.rim + quarter);
    }
    const Vec2 fall{-dot(slope_, o.from_u), -dot(slope_, o.from_v)};
    if (const double steep = length(fall); steep > 1e-8)
      if (const Vec2 x = o.from_disk((o.radius / steep) * fall); cover.covers(x, tolerance_))
        add(x, kind, patch_name::lowest + o.rim, 0);
  }

  void cross_edges() {
    for (int i = 0; i < reference_.edges(); ++i)
      for (int j = 0; j < other_.edges(); ++j) {
        const Vec2 &p = reference_.corner[i], &q = reference_.next(i), &r = other_.corner[j],
                   &s = other_.next(j);
        const Vec2 a = q - p, b = s - r;
        const double la = length(a), lb = length(b);
        const double dr = cross(a, r - p) / la, ds = cross(a, s - p) / la;
        const double dp = cross(b, p - r) / lb, dq = cross(b, q - r) / lb;
        const auto cut = [&](double x, double y) {
          return (x > tolerance_ && y < -tolerance_) || (x < -tolerance_ && y > tolerance_);
        };
        if (cut(dr, ds) && cut(dp, dq))
          add_new(r + (dr / (dr - ds)) * b, 3, reference_.name[i], other_.name[j]);
      }
  }

  /// Edges of `o` with the rim of `disk`.
  void cross_circle(const Outline& disk, const Outline& o, int kind) {
    if (disk.kind != Patch::Kind::disk) return;
    for (int i = 0; i < o.edges(); ++i) {
      const Vec2 p = disk.to_disk(o.corner[i]), along = disk.to_disk(o.next(i)) - p;
      const double a = dot(along, along), b = dot(p, along), c = dot(p, p) - disk.radius * disk.radius;
      const double root = b * b - a * c;
      if (!(root > 0) || !(a > 0)) continue;
      for (const int which : {0, 1}) {
        const double t = (-b + (which == 0 ? -1 : 1) * std::sqrt(root)) / a;
        if (t > 0 && t < 1)
          add_new(disk.from_disk(p + t * along), kind, patch_name::crossing + 2 * disk.rim + which,
                  o.name[i]);
      }
    }
  }

  /// Two circles; the other one taken as round in its own plane, which it is to first order in the tilt.
  void cross_circles() {
    const Vec2 d = other_.centre - reference_.centre;
    const double distance = length(d), r = reference_.radius, s = other_.radius;
    if (!(distance > tolerance_)) return;
    const double along = 0.5 * (distance + (r * r - s * s) / distance), across2 = r * r - along * along;
    if (!(across2 > 0)) return;
    const Vec2 u = (1 / distance) * d, v{-u.y, u.x};
    const double across = std::sqrt(across2);
    for (const int which : {0, 1})
      add_new(reference_.centre + along * u + (which == 0 ? across : -across) * v, 6, reference_.rim,
              2 * other_.rim + which);
  }

  double tolerance_;
  OverlayPoint (&out_)[most_overlay_points];
  int count_ = 0;
  Vec3 f_, e1_, e2_, origin_;
  Outline reference_, other_;
  double height_ = 0;
  Vec2 slope_;
};

}  // namespace

int overlay(const Patch& reference, const Patch& other, double tolerance,
            OverlayPoint (&out)[most_overlay_points]) {
  if (other.is_flat() && !(dot(reference.normal, other.normal) < -0.1)) return 0;  // seen on edge
  return Overlay(reference, other, tolerance, out).run();
}

}  // namespace stiction::collision::detail
