// Inverse dynamics by the recursive Newton-Euler algorithm, O(number of links).
//
//   out    (w', v') of each link from those of its parent (kinematics.cpp), v' less gravity g
//   link   n = J w' + (m c) x v' + w x J w,       f = m v' + w' x (m c) + w x (w x (m c))
//   in     f_p += f,  n_p += n + r x f;           tau = axis.n (turning) or axis.f (sliding) + armature dv
//
// Symbols: J [kg m^2], m c [kg m] about the origin of the link, world axes; n [N m], f [N]; r arm [m].
// Springs: -k (q - rest), for rotations in space -k log(q rest^-1), whose potential is k |log|^2 / 2.
//
// Reference: J. Y. S. Luh, M. W. Walker, R. P. C. Paul, J. Dyn. Sys. Meas. Control 102 (1980) 69-76;
// Featherstone 2008, chapter 5.
//
// When it fails: a spring on a rotation in space jumps at half a turn from its rest.
#include "stiction/dynamics/tree/inverse_dynamics.h"

#include "stiction/dynamics/tree/detail/passes.h"

namespace stiction::tree {
namespace {

// tau of one joint from the wrench that passes through it.
void project(const Forest& f, const Kinematics& k, std::size_t link, const SpatialForce& w,
             std::span<double> tau) {
  for (auto d = std::size_t(f.v_begin[link]); d < std::size_t(f.v_begin[link + 1]); ++d)
    tau[d] = dot(w, column(f, k, d));
}

SpatialForce own_wrench(const RigidInertia& inertia, const Vec3& spin, const SpatialMotion& acceleration) {
  SpatialForce w = inertia * acceleration;
  w.torque += cross(spin, inertia.about_origin * spin);
  w.force += cross(spin, cross(spin, inertia.moment));
  return w;
}

}  // namespace

void detail::pass_biases(const Parameters& p, const Kinematics& k, std::span<const SpatialForce> external,
                         std::size_t begin, std::size_t end, std::span<SpatialForce> out) {
  for (std::size_t i = begin; i < end; ++i) {
    const SpatialMotion drift{k.drift[i].angular, k.drift[i].linear - p.gravity};
    out[i] = own_wrench(k.inertia[i], k.velocity[i].angular, drift);
    if (!external.empty()) out[i] -= external[i];
  }
}

void detail::gather(const Forest& f, const Kinematics& k, std::size_t begin, std::size_t end,
                    std::span<SpatialForce> wrench, std::span<double> out) {
  for (std::size_t i = end; i-- > begin;) {
    project(f, k, i, wrench[i], out);
    if (f.parent[i] >= 0) wrench[std::size_t(f.parent[i])] += moved_back(wrench[i], k.pose[i].arm);
  }
}

void bias_wrenches(const Forest& f, const Parameters& p, const Kinematics& k,
                   std::span<const SpatialForce> external, std::span<SpatialForce> out) {
  detail::pass_biases(p, k, external, 0, f.parent.size(), out);
}

void inverse_dynamics(const Forest& f, const Parameters& p, const Kinematics& k, std::span<const double> dv,
                      std::span<const SpatialForce> external, InverseDynamics& scratch,
                      std::span<double> tau) {
  const std::size_t n = f.parent.size();
  scratch.acceleration.resize(n), scratch.wrench.resize(n);
  accelerations(f, k, dv, scratch.acceleration);
  for (std::size_t i = 0; i < n; ++i) {
    SpatialMotion a = scratch.acceleration[i];
    a.linear -= p.gravity;
    scratch.wrench[i] = own_wrench(k.inertia[i], k.velocity[i].angular, a);
    if (!external.empty()) scratch.wrench[i] -= external[i];
  }
  detail::gather(f, k, 0, n, scratch.wrench, tau);
  for (std::size_t d = 0; d < tau.size(); ++d) tau[d] += p.armature[d] * dv[d];
}

void multiply_mass(const Forest& f, const Parameters& p, const Kinematics& k, std::span<const double> x,
                   InverseDynamics& scratch, std::span<double> out) {
  const std::size_t n = f.parent.size();
  scratch.acceleration.resize(n), scratch.wrench.resize(n);
  link_twists(f, k, x, scratch.acceleration);
  for (std::size_t i = 0; i < n; ++i) scratch.wrench[i] = k.inertia[i] * scratch.acceleration[i];
  for (std::size_t i = n; i-- > 0;) {
    const SpatialForce& w = scratch.wrench[i];
    project(f, k, i, w, out);
    if (f.parent[i] >= 0) scratch.wrench[std::size_t(f.parent[i])] += moved_back(w, k.pose[i].arm);
  }
  for (std::size_t d = 0; d < out.size(); ++d) out[d] += p.armature[d] * x[d];
}

void add_joint_forces(const Forest& f, const Parameters& p, std::span<const double> q,
                      std::span<const double> v, std::span<double> tau) {
  if (p.has_springs) {
    for (std::size_t i = 0; i < f.joint.size(); ++i) {
      double stretch[6];
      const auto at = std::size_t(f.q_begin[i]), n = std::size_t(f.q_begin[i + 1]) - at,
                 dof = std::size_t(f.v_begin[i]), m = std::size_t(f.v_begin[i + 1]) - dof;
      difference(f.joint[i], std::span(p.rest).subspan(at, n), q.subspan(at, n), std::span(stretch, m));
      for (std::size_t d = 0; d < m; ++d) tau[dof + d] -= p.stiffness[dof + d] * stretch[d];
    }
  }
  for (std::size_t d = 0; d < tau.size(); ++d) tau[d] -= p.damping[d] * v[d];
}

void add_link_wrench(const Forest& f, const Kinematics& k, int link, SpatialForce wrench,
                     std::span<double> generalised) {
  for (int i = link; i >= 0; i = f.parent[std::size_t(i)]) {
    for (auto d = std::size_t(f.v_begin[std::size_t(i)]); d < std::size_t(f.v_begin[std::size_t(i) + 1]); ++d)
      generalised[d] += dot(wrench, column(f, k, d));
    wrench = moved_back(wrench, k.pose[std::size_t(i)].arm);
  }
}

}  // namespace stiction::tree
