// Six-dimensional vectors and inertias of rigid bodies, as pairs of 3-vectors in world axes at a point that
// the bearer names (here always called O).
//
//   SpatialMotion   angular w [rad/s], linear v [m/s] of the body's point at O; also accelerations [rad/s^2,
//   m/s^2] SpatialForce  torque n about O [N m], force f [N]; also impulses [N m s, N s] power   n.w + f.v
//
// Moving from O to O' = O + r:  v' = v + w x r,  w' = w;   n = n' + r x f',  f = f'.
//
// RigidInertia  mass m [kg], first moment m c [kg m] (c: centre of mass from O), moments about O [kg m^2]:
//               n = J w + (m c) x v,   f = m v - (m c) x w = m v + w x (m c)
// ArticulatedInertia  what a body with others hanging on it by joints resists with: the symmetric 6x6 matrix
//               [J H; H^T M], n = J w + H v, f = H^T w + M v
//
// Every sum has one fixed order. Reference: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters
// 2, 7 (there with angular parts first, and velocities of the body's point at O, as here).
#pragma once

#include "stiction/math/vec3.h"

namespace stiction {

/// Symmetric 3x3 matrix.
struct SymMat3 {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  friend bool operator==(const SymMat3&, const SymMat3&) = default;
};
inline Vec3 operator*(const SymMat3& s, const Vec3& v) {
  return {s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
          s.xz * v.x + s.yz * v.y + s.zz * v.z};
}
inline SymMat3& operator+=(SymMat3& a, const SymMat3& b) {
  a.xx += b.xx, a.yy += b.yy, a.zz += b.zz, a.xy += b.xy, a.xz += b.xz, a.yz += b.yz;
  return a;
}
inline Mat3 full(const SymMat3& s) { return {{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}}; }
/// The upper triangle of `a`.
inline SymMat3 symmetric(const Mat3& a) {
  return {a.m[0][0], a.m[1][1], a.m[2][2], a.m[0][1], a.m[0][2], a.m[1][2]};
}
/// R S R^T
inline SymMat3 turned(const Mat3& R, const SymMat3& s) {
  const Vec3 x = R.row(0), y = R.row(1), z = R.row(2);
  const Vec3 sx = s * x, sy = s * y, sz = s * z;
  return {dot(x, sx), dot(y, sy), dot(z, sz), dot(x, sy), dot(x, sz), dot(y, sz)};
}
/// m (c.c 1 - c c^T): the moments about O of a mass at c.
inline SymMat3 point_moments(double m, const Vec3& c) {
  const double xx = c.x * c.x, yy = c.y * c.y, zz = c.z * c.z;
  return {m * (yy + zz), m * (xx + zz), m * (xx + yy), -m * (c.x * c.y), -m * (c.x * c.z), -m * (c.y * c.z)};
}

struct SpatialMotion {
  Vec3 angular{}, linear{};
};
struct SpatialForce {
  Vec3 torque{}, force{};
};
inline SpatialMotion operator+(const SpatialMotion& a, const SpatialMotion& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}
inline SpatialForce operator+(const SpatialForce& a, const SpatialForce& b) {
  return {a.torque + b.torque, a.force + b.force};
}
inline SpatialForce operator-(const SpatialForce& a, const SpatialForce& b) {
  return {a.torque - b.torque, a.force - b.force};
}
inline SpatialForce& operator+=(SpatialForce& a, const SpatialForce& b) { return a = a + b; }
inline SpatialForce& operator-=(SpatialForce& a, const SpatialForce& b) { return a = a - b; }
inline double dot(const SpatialForce& f, const SpatialMotion& t) {
  return dot(f.torque, t.angular) + dot(f.force, t.linear);
}
/// The twist at O + r of what has twist t at O.
inline SpatialMotion moved(const SpatialMotion& t, const Vec3& r) {
  return {t.angular, t.linear + cross(t.angular, r)};
}
/// The wrench about O of what has wrench f about O + r.
inline SpatialForce moved_back(const SpatialForce& f, const Vec3& r) {
  return {f.torque + cross(r, f.force), f.force};
}

struct RigidInertia {
  double mass = 0;
  Vec3 moment{};
  SymMat3 about_origin{};
};
inline SpatialForce operator*(const RigidInertia& i, const SpatialMotion& t) {
  return {i.about_origin * t.angular + cross(i.moment, t.linear),
          i.mass * t.linear + cross(t.angular, i.moment)};
}
inline RigidInertia& operator+=(RigidInertia& a, const RigidInertia& b) {
  a.mass += b.mass, a.moment += b.moment, a.about_origin += b.about_origin;
  return a;
}
/// About O, from the same body about O + r.
inline RigidInertia moved_back(const RigidInertia& i, const Vec3& r) {
  // J' = J + 2 (m c).r 1 - (m c) r^T - r (m c)^T + m (r.r 1 - r r^T), with half of the last in each of the
  // others: b = m c + m r / 2.
  const Vec3 b = i.moment + (0.5 * i.mass) * r;
  const double x = b.x * r.x, y = b.y * r.y, z = b.z * r.z;
  SymMat3 J = i.about_origin;
  J.xx += 2.0 * (y + z), J.yy += 2.0 * (x + z), J.zz += 2.0 * (x + y);
  J.xy -= b.x * r.y + r.x * b.y, J.xz -= b.x * r.z + r.x * b.z, J.yz -= b.y * r.z + r.y * b.z;
  return {i.mass, i.moment + i.mass * r, J};
}

struct ArticulatedInertia {
  SymMat3 J{};
  Mat3 H{};
  SymMat3 M{};
};
inline SpatialForce operator*(const ArticulatedInertia& i, const SpatialMotion& t) {
  return {i.J * t.angular + i.H * t.linear, transposed_times(i.H, t.angular) + i.M * t.linear};
}
inline ArticulatedInertia articulated(const RigidInertia& i) {
  const Vec3& c = i.moment;
  return {
      i.about_origin, {{{0, -c.z, c.y}, {c.z, 0, -c.x}, {-c.y, c.x, 0}}}, {i.mass, i.mass, i.mass, 0, 0, 0}};
}
/// `parent` += the same inertia about O, from `i` about O + r:
/// H' = H + [r]M,  J' = J + [r]H^T - H'[r],  [r] v = r x v.
inline void add_moved_back(const ArticulatedInertia& i, const Vec3& r, ArticulatedInertia& parent) {
  const SymMat3& M = i.M;
  const auto& h = i.H.m;
  const double k[3][3] = {{h[0][0] + (r.y * M.xz - r.z * M.xy), h[0][1] + (r.y * M.yz - r.z * M.yy),
                           h[0][2] + (r.y * M.zz - r.z * M.yz)},
                          {h[1][0] + (r.z * M.xx - r.x * M.xz), h[1][1] + (r.z * M.xy - r.x * M.yz),
                           h[1][2] + (r.z * M.xz - r.x * M.zz)},
                          {h[2][0] + (r.x * M.xy - r.y * M.xx), h[2][1] + (r.x * M.yy - r.y * M.xy),
                           h[2][2] + (r.x * M.yz - r.y * M.xz)}};
  SymMat3& J = parent.J;
  J.xx += i.J.xx + ((r.y * h[0][2] - r.z * h[0][1]) + (r.y * k[0][2] - r.z * k[0][1]));
  J.yy += i.J.yy + ((r.z * h[1][0] - r.x * h[1][2]) + (r.z * k[1][0] - r.x * k[1][2]));
  J.zz += i.J.zz + ((r.x * h[2][1] - r.y * h[2][0]) + (r.x * k[2][1] - r.y * k[2][0]));
  J.xy += i.J.xy + ((r.y * h[1][2] - r.z * h[1][1]) + (r.z * k[0][0] - r.x * k[0][2]));
  J.xz += i.J.xz + ((r.y * h[2][2] - r.z * h[2][1]) + (r.x * k[0][1] - r.y * k[0][0]));
  J.yz += i.J.yz + ((r.z * h[2][0] - r.x * h[2][2]) + (r.x * k[1][1] - r.y * k[1][0]));
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) parent.H.m[a][b] += k[a][b];
  parent.M += M;
}

/// The quaternion of a rotation matrix, w >= 0 unless w is 0 (Shepperd 1978: the largest of four roots).
Quat quaternion_of(const Mat3& R);
/// Turns by |a| about a: the exponential map of the rotation vector a [rad].
Quat exponential(const Vec3& a);
/// The rotation vector of q, |a| <= pi: the inverse of exponential().
Vec3 logarithm(const Quat& q);

}  // namespace stiction
