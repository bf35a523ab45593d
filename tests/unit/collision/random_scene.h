// Random shapes and poses, and the small oracles that the narrow-phase tests share.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "stiction/collision/collision.h"

namespace stiction::collision::test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 vector(double size = 1) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector();
      if (norm2(v) > 0.01 && norm2(v) < 1) return normalized(v);
    }
  }
  Quat orientation() {
    for (;;) {
      const Quat q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      if (norm2(q) > 0.01 && norm2(q) < 1) return normalized(q);
    }
  }
  Pose pose(double size) { return {vector(size), orientation()}; }
  Shape sphere() { return Sphere{uniform(0.1, 1)}; }
  Shape box() { return Box{{uniform(0.2, 2), uniform(0.2, 2), uniform(0.2, 2)}}; }
  Shape capsule() { return Capsule{uniform(0.1, 0.6), uniform(0.1, 2)}; }
  Shape half_space() { return HalfSpace{uniform(0.5, 2) * direction(), uniform(-1, 1)}; }
  Shape shape(int kind) {
    switch (kind) {
      case 0:
        return sphere();
      case 1:
        return box();
      case 2:
        return capsule();
      default:
        return half_space();
    }
  }

 private:
  std::mt19937_64 engine_;
};

inline std::vector<ContactPoint> contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                          const Pose& pose_b, double margin) {
  std::vector<ContactPoint> out;
  find_contacts(3, a, pose_a, 8, b, pose_b, margin, out);
  return out;
}

inline const ContactPoint& deepest(const std::vector<ContactPoint>& c) {
  return *std::min_element(c.begin(), c.end(),
                           [](const ContactPoint& x, const ContactPoint& y) { return x.gap < y.gap; });
}

/// max over the shape of n.x; a half-space only along its own normal.
inline double support(const Shape& s, const Pose& pose, const Vec3& n) {
  const Vec3 m = rotate_back(pose.orientation, n);
  const double centre = dot(n, pose.position);
  if (const auto* x = std::get_if<Sphere>(&s)) return centre + x->radius;
  if (const auto* x = std::get_if<Capsule>(&s)) return centre + 0.5 * x->length * std::fabs(m.z) + x->radius;
  if (const auto* x = std::get_if<Box>(&s)) return centre + 0.5 * dot(x->size, abs(m));
  return centre + std::get<HalfSpace>(s).offset;
}

/// Signed distance of a world point to the surface of a shape, written apart from the code under test.
inline double surface_distance(const Shape& s, const Pose& pose, const Vec3& p) {
  const Vec3 x = rotate_back(pose.orientation, p - pose.position);
  if (const auto* q = std::get_if<Sphere>(&s)) return norm(x) - q->radius;
  if (const auto* q = std::get_if<Capsule>(&s)) {
    const double z = std::clamp(x.z, -0.5 * q->length, 0.5 * q->length);
    return norm(x - Vec3{0, 0, z}) - q->radius;
  }
  if (const auto* q = std::get_if<HalfSpace>(&s)) return dot(normalized(q->normal), x) - q->offset;
  const Vec3 d = abs(x) - 0.5 * std::get<Box>(s).size;
  const Vec3 out{std::fmax(d.x, 0), std::fmax(d.y, 0), std::fmax(d.z, 0)};
  return norm(out) + std::fmin(max_component(d), 0.0);
}

/// The pose after moving with velocity v and spin w for a (small) time.
inline Pose moved(const Pose& pose, const Vec3& v, const Vec3& w, double time) {
  return {pose.position + time * v, normalized(cayley(time * w) * pose.orientation)};
}

}  // namespace stiction::collision::test
