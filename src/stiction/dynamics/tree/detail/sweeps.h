// One joint of the articulated-body sweeps, in and out. Shared by forward_dynamics.cpp (which has the
// equations) and impulse_response.cpp.
#pragma once

#include "stiction/dynamics/tree/forward_dynamics.h"

namespace stiction::tree::detail {

inline double along(DofKind kind, const Vec3& axis, double pitch, const SpatialForce& w) {
  switch (kind) {
    case DofKind::angular:
      return dot(axis, w.torque);
    case DofKind::linear:
      return dot(axis, w.force);
    default:
      return dot(axis, w.torque) + pitch * dot(axis, w.force);
  }
}
inline void add_motion(DofKind kind, const Vec3& axis, double pitch, double x, SpatialMotion& a) {
  const Vec3 rate = x * axis;
  switch (kind) {
    case DofKind::angular:
      a.angular += rate;
      return;
    case DofKind::linear:
      a.linear += rate;
      return;
    default:
      a.angular += rate, a.linear += pitch * rate;
      return;
  }
}

/// Three coordinates along orthogonal axes, as a vector in world axes, and back.
inline Vec3 combined(const Vec3* axis, const double* x) {
  return x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2];
}
inline void split(const Vec3* axis, const Vec3& x, double* out) {
  for (int i = 0; i < 3; ++i) out[i] = dot(axis[i], x);
}

/// Where the block of a spherical or free joint takes part as a whole, or null.
inline const Articulated::Block* whole_block(const Forest& f, const Articulated& a, std::size_t link) {
  const int at = f.block_of[link];
  return at >= 0 && a.block[std::size_t(at)].whole ? &a.block[std::size_t(at)] : nullptr;
}

/// p becomes what passes on to the parent (at the origin of the link). `force[d]` = u of the equations; for
/// whole blocks three numbers are a vector in world axes. `tau` may be null.
inline void sweep_in(const Forest& f, const Kinematics& k, const Articulated& a, std::size_t link,
                     const double* tau, SpatialForce& p, double* force) {
  const auto begin = std::size_t(f.v_begin[link]), end = std::size_t(f.v_begin[link + 1]);
  if (const Articulated::Block* b = whole_block(f, a, link)) {
    const Vec3* axis = k.axis.data() + begin;
    double* u = force + begin;
    if (f.joint[link] == JointKind::free) {
      const Vec3 v = (tau ? combined(axis, tau + begin) : Vec3{}) - p.force;
      const Vec3 w = (tau ? combined(axis + 3, tau + begin + 3) : Vec3{}) - p.torque;
      u[0] = v.x, u[1] = v.y, u[2] = v.z, u[3] = w.x, u[4] = w.y, u[5] = w.z;
      return;  // on the world: nothing to pass on to
    }
    const Vec3 given = tau ? combined(axis, tau + begin) : Vec3{}, w = given - p.torque;
    u[0] = w.x, u[1] = w.y, u[2] = w.z;
    const Vec3 x = b->turning * w;
    p.torque = given - b->armature * x;
    p.force += transposed_times(b->coupling, x);
    return;
  }
  for (std::size_t d = end; d-- > begin;) {
    const Articulated::Pivot& pivot = a.pivot[d];
    const double u = (tau ? tau[d] : 0.0) - along(f.dof[d], k.axis[d], k.pitch[d], p);
    force[d] = u;
    const double x = u * pivot.inverse;
    p.torque += x * pivot.reaction.torque, p.force += x * pivot.reaction.force;
  }
}

/// `motion` goes from the parent's (moved here) to the link's. `force` as sweep_in() left it, or null for
/// zero; `out`: dv/dt of the joint, may be null.
inline void sweep_out(const Forest& f, const Kinematics& k, const Articulated& a, std::size_t link,
                      const double* force, SpatialMotion& motion, double* out) {
  const auto begin = std::size_t(f.v_begin[link]), end = std::size_t(f.v_begin[link + 1]);
  if (const Articulated::Block* b = whole_block(f, a, link)) {
    const Vec3* axis = k.axis.data() + begin;
    const double* u = force ? force + begin : nullptr;
    if (f.joint[link] == JointKind::free) {
      const Vec3 v = u ? Vec3{u[0], u[1], u[2]} : Vec3{}, w = u ? Vec3{u[3], u[4], u[5]} : Vec3{};
      motion.angular = b->turning * (w - b->coupling * v);
      motion.linear = b->sliding * v - transposed_times(b->coupling, motion.angular);
      if (out) split(axis, motion.linear, out), split(axis + 3, motion.angular, out + 3);
      return;
    }
    const Vec3 w = u ? Vec3{u[0], u[1], u[2]} : Vec3{}, before = motion.angular;
    motion.angular = b->turning * (w + b->armature * before - b->coupling * motion.linear);
    if (out) split(axis, motion.angular - before, out);
    return;
  }
  for (std::size_t d = begin; d < end; ++d) {
    const Articulated::Pivot& pivot = a.pivot[d];
    const double x = ((force ? force[d] : 0.0) - dot(pivot.reaction, motion)) * pivot.inverse;
    add_motion(f.dof[d], k.axis[d], k.pitch[d], x, motion);
    if (out) *out++ = x;
  }
}

inline void fit(const Forest& f, SweepScratch& s) {
  const std::size_t n = f.parent.size(), nv = f.dof.size();
  s.wrench.resize(n), s.acceleration.resize(n), s.force.resize(nv);
}

}  // namespace stiction::tree::detail
