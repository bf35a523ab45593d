// The flat faces of an intersection: which part of each plane bounds the body.
// In the plane of a half-space of normal n, points of the face are found along n + 1e-6 t, t tangential; from
// their mean g rays go out at 48 equal angles, each to where another inequality ends it. Where two rays end
// at different ones, the corner between them is found by bisection. Corners in line are left out, so that
// straight edges have two. A face that one round inequality alone ends, at the same distance from a centre on
// all rays, is a disk. Symbols: lengths [m]. Fails: a corner between two inequalities that both begin and end
// between two rays (7.5 degrees) is missed, and what it cuts off belongs to the outline.
#include "stiction/geometry/detail/outline.h"

#include "stiction/geometry/detail/inequality.h"
#include "stiction/geometry/polyhedron.h"
#include "stiction/math/elementary.h"

namespace stiction::detail {
namespace {

constexpr int rays = 48;
constexpr double turn = 6.283185307179586;
constexpr double in_line = 1e-10;  // [-] of the size
constexpr int most_disks = 4;      // names of rims are for so many (collision/convex/patch.h)

class Outliner {
 public:
  Outliner(const Intersection& body, int face)
      : body_(body), face_(face), normal_(body.placed[std::size_t(face)].normal) {
    tangents(normal_, u_, v_);
    if (dot(cross(u_, v_), normal_) < 0) v_ = -v_;
  }

  bool run(bool disks, Intersection::Flat& out) {
    if (!find_middle()) return false;
    out.face = face_;
    Ray ray[rays];
    for (int i = 0; i < rays; ++i) ray[i] = shoot(i * (turn / rays));
    if (disks && is_disk(ray, out)) return true;
    std::vector<Vec3> corner;
    for (int i = 0; i < rays; ++i) {
      corner.push_back(ray[i].end);
      const Ray& next = ray[(i + 1) % rays];
      if (next.face != ray[i].face) corner.push_back(between(i * (turn / rays), ray[i].face));
    }
    out.corner = without_lines(corner);
    return out.corner.size() >= 3;
  }

 private:
  struct Ray {
    Vec3 end;
    int face = -1;
  };

  /// A point of the face with the plane's other points around it.
  bool find_middle() {
    const double tolerance = 1e-12 * body_.size + body_.placed[std::size_t(face_)].slack;
    Vec3 sum, low, high;
    int count = 0;
    for (int i = 0; i < 8; ++i) {
      const elementary::SineCosine a = elementary::sine_and_cosine(i * (turn / 8));
      const Vec3 x = farthest(body_, normal_ + 1e-6 * (a.cos * u_ + a.sin * v_));
      if (distance_to(body_, face_, x) < -tolerance) continue;
      if (count == 0) low = high = x;
      for (int k = 0; k < 3; ++k) low[k] = std::fmin(low[k], x[k]), high[k] = std::fmax(high[k], x[k]);
      sum += x, ++count;
    }
    if (count < 3 || !(max_component(high - low) > 1e-6 * body_.size)) return false;
    middle_ = sum / count;
    middle_ -= distance_to(body_, face_, middle_) * normal_;
    for (int i = 0; i < int(body_.faces.size()); ++i)
      if (i != face_ && !(distance_to(body_, i, middle_) < -1e-9 * body_.size)) return false;
    return true;
  }

  Ray shoot(double angle) const {
    const elementary::SineCosine a = elementary::sine_and_cosine(angle);
    const Vec3 d = a.cos * u_ + a.sin * v_;
    Ray out;
    double first = 1e300;
    for (int i = 0; i < int(body_.faces.size()); ++i)
      if (i != face_)
        if (const double t = leaves(body_, i, middle_, d); t < first) first = t, out.face = i;
    out.end = middle_ + first * d;
    return out;
  }

  Vec3 between(double angle, int face) const {
    double a = angle, b = angle + turn / rays;
    for (int k = 0; k < 60; ++k) {
      const double m = 0.5 * (a + b);
      (shoot(m).face == face ? a : b) = m;
    }
    return shoot(a).end;
  }

  bool is_disk(const Ray (&ray)[rays], Intersection::Flat& out) const {
    Vec3 sum;
    for (const Ray& r : ray) {
      if (r.face != ray[0].face) return false;
      sum += r.end;
    }
    const auto* c = std::get_if<CurvedFace>(&body_.faces[std::size_t(ray[0].face)]);
    if (c == nullptr) return false;
    // the circle through three of the ends
    const Vec3 a = ray[0].end, b = ray[rays / 3].end - a, d = ray[2 * rays / 3].end - a, m = cross(b, d);
    const Vec3 centre = a + cross(norm2(b) * d - norm2(d) * b, m) / (2 * norm2(m));
    const double radius = norm(a - centre);
    for (const Ray& r : ray)
      if (std::fabs(norm(r.end - centre) - radius) > 1e-12 * body_.size) return false;
    out.is_disk = true, out.centre = centre, out.radius = radius, out.u = u_, out.v = v_;
    return true;
  }

  std::vector<Vec3> without_lines(const std::vector<Vec3>& corner) const {
    const double tolerance = in_line * body_.size;
    std::vector<Vec3> kept;
    const std::size_t n = corner.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 a = kept.empty() ? corner[n - 1] : kept.back(), b = corner[(i + 1) % n];
      const Vec3 e = b - a;
      const double length = norm(e);
      const bool needed = length > tolerance && norm(cross(e, corner[i] - a)) > tolerance * length;
      if (needed && norm(corner[i] - a) > tolerance) kept.push_back(corner[i]);
    }
    // the first was judged from a corner that may have gone
    while (kept.size() > 3) {
      const Vec3 a = kept.back(), e = kept[1] - a;
      if (norm(cross(e, kept[0] - a)) > tolerance * norm(e)) break;
      kept.erase(kept.begin());
    }
    while (kept.size() > std::size_t(most_face_vertices)) thin_out(kept);
    return kept;
  }

  /// Leaves out the corner that cuts off least.
  static void thin_out(std::vector<Vec3>& corner) {
    std::size_t best = 0;
    double least = 1e300;
    for (std::size_t i = 0; i < corner.size(); ++i) {
      const Vec3 a = corner[(i + corner.size() - 1) % corner.size()], b = corner[(i + 1) % corner.size()];
      if (const double area = norm(cross(corner[i] - a, b - a)); area < least) least = area, best = i;
    }
    corner.erase(corner.begin() + std::ptrdiff_t(best));
  }

  const Intersection& body_;
  int face_;
  Vec3 normal_, u_, v_, middle_;
};

}  // namespace

std::vector<Intersection::Flat> flat_faces(const Intersection& body) {
  std::vector<Intersection::Flat> out;
  int disks = 0;
  for (int i = 0; i < int(body.faces.size()); ++i) {
    if (!std::holds_alternative<HalfSpace>(body.faces[std::size_t(i)])) continue;
    Intersection::Flat flat;
    if (!Outliner(body, i).run(disks < most_disks, flat)) continue;
    disks += flat.is_disk ? 1 : 0;
    out.push_back(std::move(flat));
  }
  return out;
}

}  // namespace stiction::detail
