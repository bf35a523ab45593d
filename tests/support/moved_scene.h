// The same scene seen from elsewhere: moved by a rigid motion, or with its bodies listed in another order.
#pragma once

#include <algorithm>

#include "stiction/model/scene.h"

namespace stiction::test {

/// x -> q x + t
struct RigidMotion {
  Quat q;
  Vec3 t;
  Vec3 point(const Vec3& x) const { return rotate(q, x) + t; }
  Vec3 direction(const Vec3& v) const { return rotate(q, v); }
  Quat attitude(const Quat& o) const { return q * o; }
};

inline Scene moved(Scene s, const RigidMotion& to) {
  s.gravity = to.direction(s.gravity);
  for (Named<BodyDescription>& b : s.bodies) {
    BodyDescription& d = b.value;
    d.position = to.point(d.position), d.orientation = to.attitude(d.orientation);
    d.velocity = to.direction(d.velocity), d.spin = to.direction(d.spin);
    for (Vec3& x : d.motion.position) x = to.point(x);
    for (Quat& o : d.motion.orientation) o = to.attitude(o);
  }
  for (Named<JointDescription>& j : s.joints)
    std::get<PlanarJoint>(j.value).normal = to.direction(std::get<PlanarJoint>(j.value).normal);
  for (Named<ForceDescription>& f : s.forces) {
    if (auto* spring = std::get_if<SpringDamper>(&f.value)) {
      if (spring->a.empty()) spring->point_a = to.point(spring->point_a);
    } else if (auto* wrench = std::get_if<Wrench>(&f.value); wrench != nullptr && !wrench->body_frame) {
      for (Vec3& x : wrench->force) x = to.direction(x);
      for (Vec3& x : wrench->torque) x = to.direction(x);
    }
  }
  for (Named<SensorDescription>& x : s.sensors)
    x.value.position = to.point(x.value.position), x.value.orientation = to.attitude(x.value.orientation);
  return s;
}

/// Bodies from last to first: every pair of bodies changes sides.
inline Scene reversed(Scene s) {
  std::reverse(s.bodies.begin(), s.bodies.end());
  return s;
}

}  // namespace stiction::test
