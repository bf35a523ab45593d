// Energies, momentum and centre of mass: sums over links, in their order.
//
//   kinetic    sum (w.J w + 2 v.(w x m c) + m v.v) / 2 over links + sum armature v^2 / 2 over coordinates
//   gravity    -sum m g.c,   springs   sum k (q - rest)^2 / 2, rotations in space k |log(q rest^-1)|^2 / 2
//   momentum   P = sum m v_c,   L = sum (n + p x f) with (n, f) = I (w, v) about each link's origin p
//
// When it fails: a tree far from the world's origin has a large angular momentum about it that is not its
// own; L - centre x P has fewer digits then.
#include "stiction/dynamics/tree/energy.h"

namespace stiction::tree {

double kinetic_energy(const Forest& f, const Parameters& p, const Kinematics& k, std::span<const double> v) {
  double twice = 0;
  for (std::size_t i = 0; i < f.parent.size(); ++i) twice += dot(k.inertia[i] * k.velocity[i], k.velocity[i]);
  for (std::size_t d = 0; d < v.size(); ++d) twice += p.armature[d] * v[d] * v[d];
  return 0.5 * twice;
}

double gravity_energy(const Forest& f, const Parameters& p, const Kinematics& k) {
  double sum = 0;
  for (std::size_t i = 0; i < f.parent.size(); ++i)
    sum -= dot(p.gravity, k.inertia[i].moment + k.inertia[i].mass * k.pose[i].position);
  return sum;
}

double spring_energy(const Forest& f, const Parameters& p, std::span<const double> q) {
  double twice = 0;
  for (std::size_t i = 0; i < f.joint.size() && p.has_springs; ++i) {
    double stretch[6];
    const auto at = std::size_t(f.q_begin[i]), n = std::size_t(f.q_begin[i + 1]) - at,
               dof = std::size_t(f.v_begin[i]), m = std::size_t(f.v_begin[i + 1]) - dof;
    difference(f.joint[i], std::span(p.rest).subspan(at, n), q.subspan(at, n), std::span(stretch, m));
    for (std::size_t d = 0; d < m; ++d) twice += p.stiffness[dof + d] * stretch[d] * stretch[d];
  }
  return 0.5 * twice;
}

double damping_power(const Parameters& p, std::span<const double> v) {
  double sum = 0;
  for (std::size_t d = 0; d < v.size(); ++d) sum += p.damping[d] * v[d] * v[d];
  return sum;
}

Momentum momentum(const Kinematics& k, int link_begin, int link_end) {
  Momentum m;
  for (auto i = std::size_t(link_begin); i < std::size_t(link_end); ++i) {
    const RigidInertia& own = k.inertia[i];
    const SpatialForce h = moved_back(SpatialForce(own * k.velocity[i]), k.pose[i].position);
    m.mass += own.mass;
    m.centre += own.moment + own.mass * k.pose[i].position;
    m.linear += h.force, m.angular += h.torque;
  }
  if (m.mass > 0) m.centre = m.centre / m.mass;
  return m;
}

}  // namespace stiction::tree
