// Joints as coordinates: how a link may move against its parent. See joint.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "stiction/math/vec3.h"

namespace stiction::tree {

enum class JointKind : unsigned char {
  fixed,        // q: -                          v: -
  revolute,     // q: angle                      v: rate                           about the axis
  prismatic,    // q: distance                   v: speed                          along the axis
  cylindrical,  // q: distance, angle            v: speed, rate                    along and about the axis
  screw,        // q: angle                      v: rate                           distance = pitch * angle
  universal,    // q: two angles                 v: two rates       about the axis, then the second axis
  spherical,    // q: quaternion (w, x, y, z)    v: angular velocity
  planar,       // q: x, y, angle                v: two speeds, rate               about the axis
  free,         // q: x, y, z, quaternion        v: velocity, angular velocity
};
constexpr int joint_kind_count = 9;

const char* name_of(JointKind kind);
int coordinate_count(JointKind kind);  // numbers in q
int dof_count(JointKind kind);         // numbers in v

/// What one velocity coordinate moves, in world axes at the link's origin: the link turns about an axis,
/// goes along it, or both in proportion.
enum class DofKind : unsigned char { angular, linear, screw };
DofKind dof_kind(JointKind kind, int dof);

// One joint. Spans have the lengths above. Angles [rad], lengths [m]; quaternions have unit length, and the
// angular velocities that go with them are in the axes of the joint frame on the parent's side.

/// The coordinates where both joint frames coincide.
void set_neutral(JointKind kind, std::span<double> q);
/// q + h v on the manifold: the motion with constant v for the time h. `out` may be `q`.
void integrate(JointKind kind, std::span<const double> q, std::span<const double> v, double h,
               std::span<double> out);
/// The v with integrate(from, v, 1) = to; turns by at most half a turn where a quaternion is involved.
void difference(JointKind kind, std::span<const double> from, std::span<const double> to,
                std::span<double> v);
/// dq/dt; the rate of a quaternion is half of (0, w) q.
void coordinate_rate(JointKind kind, std::span<const double> q, std::span<const double> v,
                     std::span<double> rate);
/// Quaternions to unit length.
void normalise(JointKind kind, std::span<double> q);

/// Uniform numbers, the same on every machine (splitmix64).
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : state_(seed) {}
  double between(double low, double high);

 private:
  std::uint64_t state_;
};
/// Angles in [-pi, pi), lengths in [-1, 1) m, rotations uniform.
void set_random(JointKind kind, RandomStream& random, std::span<double> q);

}  // namespace stiction::tree
