// Kinematics of trees, in world axes, with the origin of each link as its reference point.
//
//   pose           A = R_p T,  p_F = p_p + R_p t            joint frame of link i on parent p
//                  R = A Rot(q),  p = p_F + A d(q)          r = p - p_p (the arm)
//   velocity       w = w_p + w_J,   v = v_p + w_p x r + d'
//   acceleration   w' = w_p' + w_J' + w_p x w_J (+ a1 v1 x a2 v2 for a universal joint)
//                  v' = v_p' + w_p' x r + d'' + w_p x (w_p x r + 2 d')
//
// w_J and d' are the joint's own rates: sums of axis times velocity coordinate. All axes of a joint are fixed
// in its parent but for the second of a universal joint, which the first carries along. v' is the
// acceleration of the material point at the origin (not the spatial acceleration of Featherstone's text);
// with it no equation of motion contains a linear velocity, so that large speeds cost no digits. `drift` is
// (w', v') with all rates of the velocity coordinates zero and no gravity.
//
// Symbols: R, A rotations to world axes; p [m]; w [rad/s]; v [m/s]; T, t = placement of the joint.
// Reference: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 2 to 4; reference points at
// the joints keep digits where a common one would lose them (long chains, trees far from the origin).
//
// When it fails: quaternions that are not of unit length scale what hangs on them. Angles of any size are
// reduced exactly, but those beyond 1e8 rad have no useful digits left.
#include "stiction/dynamics/tree/kinematics.h"

#include "stiction/base/assert.h"
#include "stiction/dynamics/tree/detail/passes.h"
#include "stiction/math/elementary.h"

namespace stiction::tree {
namespace {

// R = A Rz(q): columns x and y turn in their plane.
void turn_about_z(double angle, Mat3& a) {
  const elementary::SineCosine t = elementary::sine_and_cosine(angle);
  for (auto& row : a.m) {
    const double x = row[0], y = row[1];
    row[0] = t.cos * x + t.sin * y, row[1] = t.cos * y - t.sin * x;
  }
}
void turn_about_x(double angle, Mat3& a) {
  const elementary::SineCosine t = elementary::sine_and_cosine(angle);
  for (auto& row : a.m) {
    const double y = row[1], z = row[2];
    row[1] = t.cos * y + t.sin * z, row[2] = t.cos * z - t.sin * y;
  }
}
void turn_about_y(double angle, Mat3& a) {
  const elementary::SineCosine t = elementary::sine_and_cosine(angle);
  for (auto& row : a.m) {
    const double z = row[2], x = row[0];
    row[2] = t.cos * z + t.sin * x, row[0] = t.cos * x - t.sin * z;
  }
}
void set_axes(const Mat3& a, Vec3* axis) {
  for (int j = 0; j < 3; ++j) axis[j] = a.column(j);
}

// From the joint frame on the parent's side (turn, arm) to that of the link.
void move_joint(JointKind kind, const double* q, double pitch, Mat3& turn, Vec3& arm, Vec3* axis) {
  switch (kind) {
    case JointKind::fixed:
      return;
    case JointKind::revolute:
      axis[0] = turn.column(2);
      turn_about_z(q[0], turn);
      return;
    case JointKind::prismatic:
      axis[0] = turn.column(2);
      arm += q[0] * axis[0];
      return;
    case JointKind::cylindrical:
      axis[0] = axis[1] = turn.column(2);
      arm += q[0] * axis[0];
      turn_about_z(q[1], turn);
      return;
    case JointKind::screw:
      axis[0] = turn.column(2);
      arm += (pitch * q[0]) * axis[0];
      turn_about_z(q[0], turn);
      return;
    case JointKind::universal:
      axis[0] = turn.column(0);
      turn_about_x(q[0], turn);
      axis[1] = turn.column(1);
      turn_about_y(q[1], turn);
      return;
    case JointKind::spherical:
      set_axes(turn, axis);
      turn = turn * rotation_matrix({q[0], q[1], q[2], q[3]});
      return;
    case JointKind::planar:
      set_axes(turn, axis);
      arm += q[0] * axis[0] + q[1] * axis[1];
      turn_about_z(q[2], turn);
      return;
    case JointKind::free:
      set_axes(turn, axis);
      set_axes(turn, axis + 3);
      arm += turn * Vec3{q[0], q[1], q[2]};
      turn = turn * rotation_matrix({q[3], q[4], q[5], q[6]});
      return;
  }
}

struct Rates {
  Vec3 spin{}, slide{}, extra{};  // w_J, d', and what a universal joint adds to the drift
};
Rates joint_rates(const Forest& f, const Kinematics& k, std::size_t link, std::span<const double> v) {
  Rates r;
  const auto begin = std::size_t(f.v_begin[link]), end = std::size_t(f.v_begin[link + 1]);
  for (std::size_t d = begin; d < end; ++d) {
    const Vec3 rate = v[d] * k.axis[d];
    switch (f.dof[d]) {
      case DofKind::angular:
        r.spin += rate;
        break;
      case DofKind::linear:
        r.slide += rate;
        break;
      case DofKind::screw:
        r.spin += rate, r.slide += k.pitch[d] * rate;
        break;
    }
  }
  if (f.joint[link] == JointKind::universal)
    r.extra = cross(v[begin] * k.axis[begin], v[begin + 1] * k.axis[begin + 1]);
  return r;
}

}  // namespace

namespace detail {

void fit(const Forest& f, Kinematics& k) {
  const auto n = std::size_t(f.link_count()), nv = std::size_t(f.v_count());
  k.pose.resize(n), k.inertia.resize(n), k.velocity.resize(n), k.drift.resize(n);
  k.axis.resize(nv), k.pitch.resize(nv);
}

void pass_positions(const Forest& f, const Parameters& p, std::span<const double> q, std::size_t begin,
                    std::size_t end, Kinematics& k) {
  for (std::size_t i = begin; i < end; ++i) {
    const JointPlacement& place = p.placement[i];
    const int parent = f.parent[i];
    Kinematics::LinkPose& pose = k.pose[i];
    const double pitch = p.pitch[i];
    const double* at = q.data() + f.q_begin[i];
    Vec3* axis = k.axis.data() + f.v_begin[i];
    if (parent < 0) {
      pose.turn = place.turn, pose.arm = place.position;
      move_joint(f.joint[i], at, pitch, pose.turn, pose.arm, axis);
      pose.position = pose.arm;
    } else {
      const Kinematics::LinkPose& base = k.pose[std::size_t(parent)];
      pose.turn = base.turn * place.turn, pose.arm = base.turn * place.position;
      move_joint(f.joint[i], at, pitch, pose.turn, pose.arm, axis);
      pose.position = base.position + pose.arm;
    }
    const RigidInertia& own = p.inertia[i];
    k.inertia[i] = {own.mass, pose.turn * own.moment, turned(pose.turn, own.about_origin)};
    if (f.joint[i] == JointKind::screw) k.pitch[std::size_t(f.v_begin[i])] = pitch;
  }
}

void pass_velocities(const Forest& f, std::span<const double> v, std::size_t begin, std::size_t end,
                     Kinematics& k) {
  for (std::size_t i = begin; i < end; ++i) {
    const Rates r = joint_rates(f, k, i, v);
    const int parent = f.parent[i];
    if (parent < 0) {
      k.velocity[i] = {r.spin, r.slide};
      k.drift[i] = {r.extra, {}};
      continue;
    }
    const SpatialMotion& base = k.velocity[std::size_t(parent)];
    const SpatialMotion& base_drift = k.drift[std::size_t(parent)];
    const Vec3& arm = k.pose[i].arm;
    const Vec3 carried = cross(base.angular, arm);
    k.velocity[i] = {base.angular + r.spin, base.linear + (carried + r.slide)};
    k.drift[i].angular = base_drift.angular + (cross(base.angular, r.spin) + r.extra);
    k.drift[i].linear =
        base_drift.linear + (cross(base_drift.angular, arm) + cross(base.angular, carried + 2.0 * r.slide));
  }
}

}  // namespace detail

void update_positions(const Forest& f, const Parameters& p, std::span<const double> q, Kinematics& k) {
  STICTION_ASSERT(q.size() == std::size_t(f.q_count()));
  detail::fit(f, k);
  detail::pass_positions(f, p, q, 0, f.parent.size(), k);
}

void update_velocities(const Forest& f, std::span<const double> v, Kinematics& k) {
  STICTION_ASSERT(v.size() == std::size_t(f.v_count()));
  detail::pass_velocities(f, v, 0, f.parent.size(), k);
}

void link_twists(const Forest& f, const Kinematics& k, std::span<const double> v,
                 std::span<SpatialMotion> out) {
  for (std::size_t i = 0; i < f.parent.size(); ++i) {
    const int parent = f.parent[i];
    SpatialMotion a = parent < 0 ? SpatialMotion{} : moved(out[std::size_t(parent)], k.pose[i].arm);
    for (int d = f.v_begin[i]; d < f.v_begin[i + 1]; ++d) {
      const SpatialMotion s = column(f, k, std::size_t(d));
      a.angular += v[std::size_t(d)] * s.angular, a.linear += v[std::size_t(d)] * s.linear;
    }
    out[i] = a;
  }
}

void accelerations(const Forest& f, const Kinematics& k, std::span<const double> dv,
                   std::span<SpatialMotion> out) {
  // First what dv adds to the drift, which is linear in it, then the sum.
  link_twists(f, k, dv, out);
  for (std::size_t i = 0; i < f.parent.size(); ++i) out[i] = out[i] + k.drift[i];
}

Mat3 link_turn(const Parameters& p, const Kinematics& k, int link) {
  return k.pose[std::size_t(link)].turn * transposed(p.to_engine[std::size_t(link)]);
}
Vec3 centre_of_mass(const Kinematics& k, int link) {
  const RigidInertia& i = k.inertia[std::size_t(link)];
  return k.pose[std::size_t(link)].position + i.moment / i.mass;
}
Vec3 point_velocity(const Kinematics& k, int link, const Vec3& point) {
  const auto i = std::size_t(link);
  return moved(k.velocity[i], point - k.pose[i].position).linear;
}
Vec3 point_acceleration(const Kinematics& k, int link, const SpatialMotion& a, const Vec3& point) {
  const auto i = std::size_t(link);
  const Vec3 r = point - k.pose[i].position, &w = k.velocity[i].angular;
  return moved(a, r).linear + cross(w, cross(w, r));
}

void contact_jacobian(const Forest& f, const Kinematics& k, int link, const Vec3& point, const Mat3& axes,
                      std::span<double> out) {
  const TreeRange& tree = f.trees[std::size_t(f.tree_of[std::size_t(link)])];
  const auto n = std::size_t(tree.v_end - tree.v_begin);
  STICTION_ASSERT(out.size() == 3 * n);
  for (double& x : out) x = 0;
  for (int i = link; i >= 0; i = f.parent[std::size_t(i)]) {
    const Vec3 r = point - k.pose[std::size_t(i)].position;
    for (int d = f.v_begin[std::size_t(i)]; d < f.v_begin[std::size_t(i) + 1]; ++d) {
      const Vec3 rate = axes * moved(column(f, k, std::size_t(d)), r).linear;
      const auto at = std::size_t(d - tree.v_begin);
      out[at] = rate.x, out[n + at] = rate.y, out[2 * n + at] = rate.z;
    }
  }
}

void add_row(const Forest& f, const Kinematics& k, int link, const Vec3& point, const Vec3& linear,
             const Vec3& angular, std::span<double> out) {
  const TreeRange& tree = f.trees[std::size_t(f.tree_of[std::size_t(link)])];
  for (int i = link; i >= 0; i = f.parent[std::size_t(i)]) {
    const Vec3 r = point - k.pose[std::size_t(i)].position;
    for (int d = f.v_begin[std::size_t(i)]; d < f.v_begin[std::size_t(i) + 1]; ++d) {
      const SpatialMotion at = moved(column(f, k, std::size_t(d)), r);
      out[std::size_t(d - tree.v_begin)] += dot(linear, at.linear) + dot(angular, at.angular);
    }
  }
}

}  // namespace stiction::tree
