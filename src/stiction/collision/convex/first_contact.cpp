// Conservative advancement. Along the fixed direction n of the closest points at time t the bodies approach
// each other no faster than
//   mu = n.(v_a - v_b) + R_a |w_a x n| + R_b |w_b x n|
// so that they stay apart until t + gap / mu. The next n is that of the new poses. For translating bodies
// this is Newton's method on the gap, which is convex along the motion: it converges from below,
// quadratically where surfaces bend. With spin the bound is not sharp, and convergence is linear. Reference:
// Mirtich 1996 (Impulse-based dynamic simulation), section 2.3; van den Bergen 2004 (Ray casting against
// general convex objects). Symbols: v velocities [m/s], w spins [rad/s], R bounding radii [m], n from a to b.
// Fails: after 500 evaluations (long grazing motions of spinning bodies) the time reached is given as that of
// contact, which is early, never late.
#include "stiction/collision/convex/first_contact.h"

#include <cmath>

#include "stiction/base/assert.h"
#include "stiction/math/elementary.h"

namespace stiction::collision {
namespace {

constexpr int most_evaluations = 500;

Pose moved(const Pose& p, const BodyRate& r, double time) {
  const double rate = norm(r.spin), half = 0.5 * rate * time;
  Pose out{p.position + time * r.velocity, p.orientation};
  if (rate > 0) {
    const elementary::SineCosine x = elementary::sine_and_cosine(half);
    const Vec3 v = (x.sin / rate) * r.spin;
    out.orientation = normalized(Quat{x.cos, v.x, v.y, v.z} * p.orientation);
  }
  return out;
}

/// What spin adds to the approach along n.
double swing(const Convex& body, const BodyRate& r, const Vec3& n) {
  if (r.spin == Vec3{}) return 0;
  STICTION_ASSERT(!std::holds_alternative<HalfSpace>(body.core));
  return reach_of(body) * norm(cross(r.spin, n));
}

}  // namespace

FirstContact first_contact(const Convex& a, const Pose& pose_a, const BodyRate& rate_a, const Convex& b,
                           const Pose& pose_b, const BodyRate& rate_b, double duration, double tolerance) {
  FirstContact out;
  const double least = std::fmax(tolerance, 1e-12 * std::fmax(extent_of(a), extent_of(b)));
  while (out.evaluations < most_evaluations) {
    const Pose at_a = moved(pose_a, rate_a, out.time), at_b = moved(pose_b, rate_b, out.time);
    out.points = closest_points(a, at_a, b, at_b, out.evaluations++ > 0 ? &out.points : nullptr);
    out.touches = !(out.points.gap > least);
    if (out.touches) return out;
    const Vec3 n = out.points.normal;
    const double approach =
        dot(n, rate_a.velocity - rate_b.velocity) + swing(a, rate_a, n) + swing(b, rate_b, n);
    // half of the tolerance ahead: the last step need not be repeated for its round-off
    if (!(approach > 0)) return out;
    out.time += (out.points.gap - 0.5 * least) / approach;
    if (!(out.time <= duration)) {
      out.time = duration;
      return out;
    }
  }
  out.touches = true;
  return out;
}

}  // namespace stiction::collision
