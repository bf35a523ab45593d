// Where a body is, how it moves from one place to another, and what a constraint asks of two bodies.
//
// World axes throughout. A turn over a step is its Cayley vector theta [rad]:
//     R1 = cay(theta) R0,   cay(theta) = (1 - [theta]/2)^-1 (1 + [theta]/2),   [theta] v = theta x v
// so that  R1 - R0 = [theta] (R0 + R1)/2:  a vector fixed in the body changes by theta x (its mean). When
// theta varies, the end turns by phi, dR1 = [phi] R1:
//     phi = W dtheta,   W = (1 + [theta]/2) / (1 + |theta|^2/4)
// When it fails: a turn by half a revolution has an infinite Cayley vector, and a longer one is taken for the
// shorter one the other way round.
#pragma once

#include "stiction/math/vec3.h"

namespace stiction::constraints {

/// Place of the centre of mass [m] and orientation. The world is a body whose pose is Pose{} for ever.
struct Pose {
  Vec3 position{};
  Quat orientation{};
};
/// p of the body point `a`, given in body coordinates.
inline Vec3 point_of(const Pose& pose, const Vec3& a) { return pose.position + rotate(pose.orientation, a); }

/// A small or finite motion (metres and Cayley vector), a velocity (m/s and spin), or a row of a Jacobian
/// (what multiplies them).
struct Twist {
  Vec3 linear{}, angular{};
};
inline double dot(const Twist& a, const Twist& b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}

/// One row's gradient by the motions of both its bodies. Times a multiplier: force and torque (about the
/// centre of mass) on each.
struct Jacobian {
  Twist a{}, b{};
};
inline Jacobian& operator+=(Jacobian& x, const Jacobian& y) {
  x.a.linear += y.a.linear, x.a.angular += y.a.angular, x.b.linear += y.b.linear, x.b.angular += y.b.angular;
  return x;
}
inline Jacobian operator*(double s, const Jacobian& x) {
  return {{s * x.a.linear, s * x.a.angular}, {s * x.b.linear, s * x.b.angular}};
}
/// Rate, or change, of the row's value.
inline double dot(const Jacobian& g, const Twist& a, const Twist& b) { return dot(g.a, a) + dot(g.b, b); }

/// The Cayley vector of the turn from q0 to q1; the signs of the quaternions do not matter.
inline Vec3 turn_between(const Quat& q0, const Quat& q1) {
  const Quat q = q1 * conjugate(q0);
  const double s = 2.0 / q.w;
  return {s * q.x, s * q.y, s * q.z};
}
inline Twist displacement(const Pose& from, const Pose& to) {
  return {to.position - from.position, turn_between(from.orientation, to.orientation)};
}
inline Pose displaced(const Pose& from, const Twist& by) {
  return {from.position + by.linear, normalized(cayley(by.angular) * from.orientation)};
}
/// Halfway: the mean place, and half of the turn.
inline Pose middle(const Pose& p, const Pose& q) {
  const Quat& a = p.orientation;
  Quat b = q.orientation;
  if (a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0) b = {-b.w, -b.x, -b.y, -b.z};
  return {0.5 * (p.position + q.position), normalized(Quat{a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z})};
}

/// W d: by how much the end turns when the Cayley vector `theta` changes by d.
inline Vec3 end_turn(const Vec3& theta, const Vec3& d) {
  return (d + 0.5 * cross(theta, d)) / (1.0 + 0.25 * norm2(theta));
}
/// W^T t: torque against turns of the end, as torque against changes of the Cayley vector.
inline Vec3 end_turn_transposed(const Vec3& theta, const Vec3& t) {
  return (t - 0.5 * cross(theta, t)) / (1.0 + 0.25 * norm2(theta));
}

}  // namespace stiction::constraints
