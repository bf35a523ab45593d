// Twist of body b against body a about an axis n (unit, fixed in a). With the relative orientation
// q = conj(q_a) q_b = (w, r), w >= 0, s = r.n:
//     phi = 2 atan2(s, w)   in [-pi, pi],      dphi/dt = g.(w_b - w_a),
//     g = (w^2 n + w r x n + s r) / (w^2 + s^2)   in axes of a; g = n where b is turned about n alone
//     torque on b = -(k (phi - phi0) + c dphi/dt) g,  on a the opposite;   potential k (phi - phi0)^2 / 2
// This is the twist of the swing-twist decomposition, so that a swing of b across the axis meets no torque
// but the small one that keeps the energy. Symbols: k [N m/rad], c [N m s/rad].
// When it fails: the twist jumps by 2 pi where it passes pi; it is not defined where b has swung by half a
// turn (w = s = 0), and the spring then gives nothing.
#include "stiction/forces/forces.h"
#include "stiction/math/elementary.h"

namespace stiction::forces {

Twist twist_of(const ModelTorsion& t, const Bodies& x) {
  const Quat a = t.a < 0 ? Quat{} : x.orientation[std::size_t(t.a)];
  Quat q = conjugate(a) * (t.b < 0 ? Quat{} : x.orientation[std::size_t(t.b)]);
  if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  const Vec3 r{q.x, q.y, q.z};
  const double s = dot(r, t.axis), size = q.w * q.w + s * s;
  Twist out;
  if (!(size > 0)) return out;
  out.angle = 2 * elementary::atan2(s, q.w);
  out.gradient = rotate(a, ((q.w * q.w) * t.axis + q.w * cross(r, t.axis) + s * r) / size);
  if (x.spin.empty()) return out;
  const Vec3 none;
  const Vec3 &spin_a = t.a < 0 ? none : x.spin[std::size_t(t.a)],
             &spin_b = t.b < 0 ? none : x.spin[std::size_t(t.b)];
  out.rate = dot(out.gradient, spin_b - spin_a);
  return out;
}

}  // namespace stiction::forces
