// What the pair files of the narrow phase share: where a shape is, and the list of points they fill.
// Everything is in world axes, with lengths [m] counted from an origin near the pair, so that a pair far from
// the world's origin loses no digits.
#pragma once

#include <cstdint>

#include "stiction/base/fixed_list.h"
#include "stiction/math/vec3.h"

namespace stiction::collision::narrow {

/// A body frame: p_world = centre + R p_body.
struct Frame {
  Vec3 centre;
  Mat3 R;

  Vec3 axis(int i) const { return R.column(i); }
  Vec3 to_world(const Vec3& p) const { return centre + R * p; }
  Vec3 to_body(const Vec3& p) const { return transposed_times(R, p - centre); }
};

struct Point {
  Vec3 point_a, point_b;  // on the two surfaces
  Vec3 normal;            // unit, from a to b
  double gap = 0;
  std::uint64_t feature = 0;
};

/// The contact points of one pair: at most as many as a box has vertices.
class Manifold {
 public:
  explicit Manifold(double margin) : margin_(margin) {}

  double margin() const { return margin_; }
  int count() const { return points_.count(); }
  const Point* begin() const { return points_.begin(); }
  const Point* end() const { return points_.end(); }
  Point* begin() { return points_.begin(); }
  Point* end() { return points_.end(); }
  const Point& operator[](int i) const { return points_[i]; }

  /// Takes the point if its gap is below the margin.
  void add(const Point& p) {
    if (p.gap < margin_) points_.add(p);
  }
  void add(const Vec3& point_a, const Vec3& point_b, const Vec3& normal, double gap, std::uint64_t feature) {
    if (gap < margin_) points_.make(point_a, point_b, normal, gap, feature);
  }

 private:
  double margin_;
  FixedList<Point, 8> points_;
};

/// Adds the contact of two round surfaces around the axis points c_a and c_b: `fallback()` is the normal
/// where the two coincide.
template <class Fallback>
void add_round(const Vec3& c_a, double r_a, const Vec3& c_b, double r_b, const Fallback& fallback,
               std::uint64_t feature, Manifold& out) {
  const Vec3 d = c_b - c_a;
  const double distance = norm(d);
  const Vec3 n = distance > 0 ? d / distance : fallback();
  out.add(c_a + r_a * n, c_b - r_b * n, n, distance - (r_a + r_b), feature);
}

}  // namespace stiction::collision::narrow
