// Variational integrator for trees: the step that makes the discrete action stationary,
//
//   sum over steps of  sum over links (m |dc|^2 / h + h xi.I xi) / 2 + sum h armature x^2 / 2
//                      - h (V(q0) + V(q1)) / 2,          C = R1 R0^T = cay(h xi)
//
// dc is the displacement of a link's centre of mass, C its turn, both functions of q0 and q1. Each link then
// has one momentum for the whole step, the same at both ends in world axes,
//
//   P = m dc / h,     L = I xi + (h/2) xi x I xi + (h^2/4) (xi.I xi) xi       about the centre of mass, I at
//   q0
//
// (the formula for the end has the other sign of the cross product and I at q1, and gives the same vector),
// and the discrete Euler-Lagrange equations are sums over links with the ordinary Jacobians of both ends:
//
//   sum J(q0)^T (P, L) + armature x = M(q0) v0 + (h/2) f(q0)      solved for q1 = integrate(q0, x, h)
//   M(q1) v1 = sum J(q1)^T (P, L) + armature x + (h/2) f(q1)      explicit
//
// So a symmetry of the tree (it floats, it turns about a vertical axis) keeps its momentum exactly, whatever
// the step; the map is symplectic and symmetric in time, of second order, and the energy of a conservative
// tree oscillates by O(h^2) without drift. A tree of one free body is dynamics/variational_rotation.h.
//
// The first equation is solved tree by tree with Broyden's method from x = v0, M(q0) in articulated form as
// first Jacobian and as metric (so that metres and radians never meet): O(n) per iteration, superlinear. It
// is iterated until round-off stops it; a solution must leave a residual below `accepted`.
//
// Symbols: h [s]; q, v coordinates and velocities; x [m/s, rad/s] constant joint velocities of the step; dc
// [m]; xi [rad/s] world axes; I [kg m^2] world axes; J Jacobian of a link; f [N, N m] generalised forces; F
// the residual [kg m/s, kg m^2/s].
//
// Reference: J. E. Marsden, M. West, Acta Numerica 10 (2001) 357; N. Bou-Rabee, J. E. Marsden, Found. Comput.
// Math. 9 (2009) 197; J. Lee, C. K. Liu, F. C. Park, S. S. Srinivasa, A linear-time variational integrator
// for multibody systems, WAFR 2016 (the same idea with one twist per link instead of dc and C). Broyden in
// limited memory: C. T. Kelley, Iterative Methods for Linear and Nonlinear Equations, SIAM 1995, section 7.3.
//
// When it fails: a link that turns by half a turn in a step has no xi; Broyden's method may not find a
// solution before that. Both are reported, the state stays. Forces that depend on velocities (dampers) make
// it neither symplectic nor symmetric; it stays of second order.
#include "stiction/dynamics/tree/variational.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/assert.h"
#include "stiction/base/text.h"
#include "stiction/dynamics/tree/detail/passes.h"
#include "stiction/dynamics/tree/detail/sweeps.h"
#include "stiction/math/elementary.h"

namespace stiction::tree {
namespace {

using namespace detail;
using Status = VariationalReport::Status;

constexpr int evaluation_limit = 80;  // [-] 6 to 8 are usual
constexpr std::size_t memory = 12;    // [-] Broyden's steps that are kept; then it starts afresh
constexpr double exact = 0x1p-54;     // [-] residual that no further iteration can better
constexpr double round_off = 4e-15;   // [-] below, one iteration that does not halve the residual ends it
constexpr double accepted = 1e-9;     // [-] below, `patience` of them do: round-off of long, uneven chains
constexpr int patience = 8;           // [-]
constexpr double pi = 0x1.921fb54442d18p+1;

// (C - 1) r without cancellation.
Vec3 displacement(const Quat& c, const Vec3& r) {
  const Vec3 u{c.x, c.y, c.z};
  return 2.0 * cross(u, c.w * r + cross(u, r));
}

Quat turn_about(const Vec3& axis, double angle) {
  const elementary::SineCosine half = elementary::sine_and_cosine(0.5 * angle);
  return {half.cos, half.sin * axis.x, half.sin * axis.y, half.sin * axis.z};
}

struct JointMotion {
  Quat turn{};
  Vec3 slide{};
  bool small = true;  // less than half a turn
};
// What the joint does with the constant velocities x in the time h, in world axes of the start.
JointMotion joint_motion(const Forest& f, const Kinematics& k, std::size_t link, double h, const double* x) {
  JointMotion out;
  const auto begin = std::size_t(f.v_begin[link]), end = std::size_t(f.v_begin[link + 1]);
  const bool ball = f.joint[link] == JointKind::spherical || f.joint[link] == JointKind::free;
  Vec3 rotation{};  // of a ball
  for (std::size_t d = begin; d < end; ++d) {
    const double amount = h * x[d];
    if (f.dof[d] == DofKind::linear) {
      out.slide += amount * k.axis[d];
      continue;
    }
    if (ball) {
      rotation += amount * k.axis[d];
      continue;
    }
    if (f.dof[d] == DofKind::screw) out.slide += (k.pitch[d] * amount) * k.axis[d];
    out.small = out.small && std::fabs(amount) < pi;
    out.turn = d == begin || f.dof[d - 1] == DofKind::linear ? turn_about(k.axis[d], amount)
                                                             : out.turn * turn_about(k.axis[d], amount);
  }
  if (ball) out.small = norm(rotation) < pi, out.turn = exponential(rotation);
  return out;
}

void fit(const Forest& f, Variational& w) {
  const std::size_t n = f.parent.size(), nv = f.dof.size();
  w.motion.resize(n), w.wrench.resize(n);
  w.mean.resize(nv), w.momentum.resize(nv), w.rest.resize(nv), w.fall.resize(nv);
  w.next_q.resize(std::size_t(f.q_count())), w.next_v.resize(nv), w.kick.resize(nv), w.force.resize(nv);
  w.step.resize(memory * nv), w.step_momentum.resize(memory * nv);
  detail::fit(f, w.sweep);
}

// Centre of mass and moments about it, world axes, at the start.
void set_bodies(const Kinematics& k, Variational& w) {
  for (std::size_t i = 0; i < w.motion.size(); ++i) {
    const RigidInertia& own = k.inertia[i];
    Variational::LinkMotion& m = w.motion[i];
    m.centre = own.moment / own.mass;
    const SymMat3 moved = point_moments(-own.mass, m.centre);
    m.inertia = own.about_origin;
    m.inertia += moved;
  }
}

// Displacements, turns and momenta of the links of one tree for the joint velocities w.mean; -1, or the link
// that turns too far.
int move_links(const Forest& f, const TreeRange& t, double h, Variational& w) {
  const Kinematics& k = w.start;
  for (auto i = std::size_t(t.link_begin); i < std::size_t(t.link_end); ++i) {
    Variational::LinkMotion& m = w.motion[i];
    const JointMotion joint = joint_motion(f, k, i, h, w.mean.data());
    m.turn = joint.turn, m.shift = joint.slide;
    if (f.parent[i] >= 0) {
      const Variational::LinkMotion& base = w.motion[std::size_t(f.parent[i])];
      m.turn = base.turn * joint.turn;
      m.shift = base.shift + (joint.slide + displacement(base.turn, k.pose[i].arm + joint.slide));
    }
    if (!joint.small || !(m.turn.w > 0)) return int(i);
    const Vec3 xi = (2.0 / (h * m.turn.w)) * Vec3{m.turn.x, m.turn.y, m.turn.z}, l = m.inertia * xi;
    m.spin_momentum = l + (0.5 * h) * cross(xi, l) + (0.25 * h * h * dot(xi, l)) * xi;
    m.momentum = (k.inertia[i].mass / h) * (m.shift + displacement(m.turn, m.centre));
  }
  return -1;
}

// out = sum of J^T (P, L) + armature x over one tree, at the start (k = w.start) or the end.
void discrete_momentum(const Forest& f, const Parameters& p, const TreeRange& t, const Kinematics& k,
                       Variational& w, std::span<double> out) {
  const auto begin = std::size_t(t.link_begin), end = std::size_t(t.link_end);
  for (std::size_t i = begin; i < end; ++i) {
    const Variational::LinkMotion& m = w.motion[i];
    w.wrench[i] = {m.spin_momentum + cross(k.inertia[i].moment / k.inertia[i].mass, m.momentum), m.momentum};
  }
  gather(f, k, begin, end, w.wrench, out);
  for (auto d = std::size_t(t.v_begin); d < std::size_t(t.v_end); ++d) out[d] += p.armature[d] * w.mean[d];
}

// out = M v over one tree, after pass_velocities().
void momentum_of(const Forest& f, const Parameters& p, const TreeRange& t, const Kinematics& k,
                 std::span<const double> v, Variational& w, std::span<double> out) {
  const auto begin = std::size_t(t.link_begin), end = std::size_t(t.link_end);
  for (std::size_t i = begin; i < end; ++i) w.wrench[i] = k.inertia[i] * k.velocity[i];
  gather(f, k, begin, end, w.wrench, out);
  for (auto d = std::size_t(t.v_begin); d < std::size_t(t.v_end); ++d) out[d] += p.armature[d] * v[d];
}

// out = M^-1 x over one tree.
void divide(const Forest& f, const TreeRange& t, const Kinematics& k, const double* x, Variational& w,
            double* out) {
  const auto begin = std::size_t(t.link_begin), end = std::size_t(t.link_end);
  SweepScratch& s = w.sweep;
  for (std::size_t i = begin; i < end; ++i) s.wrench[i] = {};
  for (std::size_t i = end; i-- > begin;) {
    sweep_in(f, k, w.factors, i, x, s.wrench[i], s.force.data());
    if (f.parent[i] >= 0) s.wrench[std::size_t(f.parent[i])] += moved_back(s.wrench[i], k.pose[i].arm);
  }
  for (std::size_t i = begin; i < end; ++i) {
    const int parent = f.parent[i];
    SpatialMotion a =
        parent < 0 ? SpatialMotion{} : moved(s.acceleration[std::size_t(parent)], k.pose[i].arm);
    sweep_out(f, k, w.factors, i, s.force.data(), a, out + f.v_begin[i]);
    s.acceleration[i] = a;
  }
}

double dot(const TreeRange& t, const double* a, const double* b) {
  double sum = 0;
  for (auto d = std::size_t(t.v_begin); d < std::size_t(t.v_end); ++d) sum += a[d] * b[d];
  return sum;
}
void add(const TreeRange& t, double s, const double* a, double* out) {
  for (auto d = std::size_t(t.v_begin); d < std::size_t(t.v_end); ++d) out[d] += s * a[d];
}

// F and M^-1 F for w.mean; returns F.M^-1 F, or -1 and the link that turns too far.
double evaluate(const Forest& f, const Parameters& p, const TreeRange& t, double h, Variational& w,
                int& link) {
  link = move_links(f, t, h, w);
  if (link >= 0) return -1;
  discrete_momentum(f, p, t, w.start, w, w.rest);
  add(t, -1, w.momentum.data(), w.rest.data());
  divide(f, t, w.start, w.rest.data(), w, w.fall.data());
  return dot(t, w.rest.data(), w.fall.data());
}

// Broyden's direction for w.rest, w.fall and `kept` earlier steps, written behind them: with z = M^-1 F,
//   z += s_{j+1} <s_j, z>/<s_j, s_j> for all but the last,   s = -z / (1 + <s_last, z>/<s_last, s_last>)
void next_step(const TreeRange& t, std::size_t kept, Variational& w) {
  const std::size_t n = w.mean.size();
  double *z = w.fall.data(), *F = w.rest.data(), *s = w.step.data(), *Ms = w.step_momentum.data();
  const auto share = [&](std::size_t j) { return dot(t, Ms + j * n, z) / dot(t, Ms + j * n, s + j * n); };
  for (std::size_t j = 0; j + 1 < kept; ++j) {
    const double a = share(j);
    add(t, a, s + (j + 1) * n, z), add(t, a, Ms + (j + 1) * n, F);
  }
  const double factor = kept == 0 ? -1.0 : -1.0 / (1.0 + share(kept - 1));
  for (auto d = std::size_t(t.v_begin); d < std::size_t(t.v_end); ++d)
    s[kept * n + d] = factor * z[d], Ms[kept * n + d] = factor * F[d];
}

// Solves the first equation for one tree: w.mean and the momenta of its links.
VariationalReport solve_tree(const Forest& f, const Parameters& p, const TreeRange& t, double h,
                             std::span<const double> v, Variational& w) {
  VariationalReport r{.status = Status::not_converged, .link = t.link_begin, .iterations = 0};
  const std::size_t n = w.mean.size();
  const double scale = dot(t, w.momentum.data(), v.data());
  if (!std::isfinite(scale)) return {.status = Status::not_finite, .link = t.link_begin};
  for (auto d = std::size_t(t.v_begin); d < std::size_t(t.v_end); ++d) w.mean[d] = v[d];
  double best = INFINITY, part = 1;
  std::size_t kept = 0;
  int idle = 0;
  while (r.iterations < evaluation_limit) {
    int link = -1;
    const double size = evaluate(f, p, t, h, w, link);
    ++r.iterations;
    if (link >= 0) {  // half of the last step, and afresh from there
      if (r.iterations == 1 || part < 0x1p-10) {
        r.status = Status::turns_too_far, r.link = link;
        return r;
      }
      part *= 0.5;
      add(t, -part, w.step.data() + (kept - 1) * n, w.mean.data());
      continue;
    }
    if (!std::isfinite(size)) {
      r.status = Status::not_finite;
      return r;
    }
    r.residual = scale > 0 ? std::sqrt(std::fmax(size, 0.0) / scale) : size > 0 ? 1.0 : 0.0;
    idle = r.residual < 0.5 * best ? 0 : idle + 1;
    best = std::fmin(best, r.residual);
    if (r.residual <= exact || (r.residual <= round_off && idle > 0) ||
        (r.residual <= accepted && idle >= patience)) {
      r.status = Status::done;
      return r;
    }
    if (part < 1 || kept == memory) kept = 0, part = 1;
    next_step(t, kept, w);
    add(t, 1, w.step.data() + kept * n, w.mean.data());
    ++kept;
  }
  return r;
}

// v = M^-1 (momenta at the end), with one correction: otherwise the rounding of M^-1 is in the momentum.
void set_end_velocity(const Forest& f, const Parameters& p, const TreeRange& t, Variational& w) {
  const auto begin = std::size_t(t.link_begin), end = std::size_t(t.link_end);
  discrete_momentum(f, p, t, w.end, w, w.momentum);
  divide(f, t, w.end, w.momentum.data(), w, w.next_v.data());
  pass_velocities(f, w.next_v, begin, end, w.end);
  momentum_of(f, p, t, w.end, w.next_v, w, w.rest);
  for (auto d = std::size_t(t.v_begin); d < std::size_t(t.v_end); ++d) w.rest[d] = w.momentum[d] - w.rest[d];
  divide(f, t, w.end, w.rest.data(), w, w.fall.data());
  add(t, 1, w.fall.data(), w.next_v.data());
}

// The first link whose part of q or v is not finite, or -1.
int first_not_finite(const Forest& f, std::span<const double> q, std::span<const double> v) {
  for (std::size_t i = 0; i < f.parent.size(); ++i) {
    for (int c = f.q_begin[i]; c < f.q_begin[i + 1]; ++c)
      if (!std::isfinite(q[std::size_t(c)])) return int(i);
    for (int d = f.v_begin[i]; d < f.v_begin[i + 1]; ++d)
      if (!std::isfinite(v[std::size_t(d)])) return int(i);
  }
  return -1;
}

VariationalReport without_inertia(const Forest& f, int dof) {
  return {.status = Status::no_inertia, .link = f.dof_link[std::size_t(dof)]};
}

// Poses and factors of M at q; -1, or the velocity coordinate that feels no inertia.
int prepare(const Forest& f, const Parameters& p, std::span<const double> q, Kinematics& k, Variational& w) {
  update_positions(f, p, q, k);
  return factorise(f, p, k, {}, w.factors);
}

// dv = h M^-1 (gravity + J^T external + tau), after prepare().
void impulse(const Forest& f, const Parameters& p, double h, const Kinematics& k, std::span<const double> tau,
             std::span<const SpatialForce> external, Variational& w, std::span<double> dv) {
  for (std::size_t i = 0; i < w.wrench.size(); ++i) {
    w.wrench[i] = k.inertia[i] * SpatialMotion{{}, -p.gravity};
    if (!external.empty()) w.wrench[i] -= external[i];
  }
  solve(f, k, w.factors, tau, w.wrench, w.sweep, dv);
  for (double& x : dv) x *= h;
}

// (q, v) -> (w.next_q, w.next_v), without forces, after prepare() of the start; leaves the end prepared. v
// may be w.next_v.
VariationalReport drift(const Forest& f, const Parameters& p, double h, std::span<const double> q,
                        std::span<const double> v, Variational& w) {
  update_velocities(f, v, w.start);
  set_bodies(w.start, w);
  VariationalReport worst{.status = Status::done, .iterations = 0, .residual = 0};
  for (const TreeRange& t : f.trees) {
    momentum_of(f, p, t, w.start, v, w, w.momentum);
    const VariationalReport r = solve_tree(f, p, t, h, v, w);
    if (!r.done()) return r;
    worst.iterations = std::max(worst.iterations, r.iterations);
    worst.residual = std::fmax(worst.residual, r.residual);
  }
  integrate(f, q, w.mean, h, w.next_q);
  if (const int dof = prepare(f, p, w.next_q, w.end, w); dof >= 0) return without_inertia(f, dof);
  for (const TreeRange& t : f.trees) set_end_velocity(f, p, t, w);
  if (const int link = first_not_finite(f, w.next_q, w.next_v); link >= 0)
    return {.status = Status::not_finite, .link = link, .iterations = worst.iterations};
  return worst;
}

void put(std::span<const double> from, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i];
}

// out = tau + what the joints' springs and dampers do.
void held_and_joints(const Forest& f, const Parameters& p, std::span<const double> q,
                     std::span<const double> v, std::span<const double> tau, std::span<double> out) {
  for (std::size_t d = 0; d < out.size(); ++d) out[d] = tau.empty() ? 0.0 : tau[d];
  add_joint_forces(f, p, q, v, out);
}

}  // namespace

std::string explain(const VariationalReport& r, const Forest& f, double h) {
  const std::string name = r.link < 0 ? "" : "'" + f.name[std::size_t(r.link)] + "'";
  switch (r.status) {
    case Status::not_run:
      return "no step yet";
    case Status::done:
      return "done";
    case Status::no_inertia:
      return "the joint of " + name + " moves no mass";
    case Status::turns_too_far:
      return "step " + number_text(h) + " s is too large: " + name + " would turn by half a turn or more";
    case Status::not_converged:
      return "step " + number_text(h) + " s is too large: no motion found for the tree of " + name +
             " (residual " + number_text(r.residual) + " after " + std::to_string(r.iterations) +
             " iterations)";
    case Status::not_finite:
      return "the motion of " + name + " is not finite";
  }
  return "";
}

VariationalReport drift_variationally(const Forest& f, const Parameters& p, double h, std::span<double> q,
                                      std::span<double> v, Variational& w) {
  STICTION_ASSERT(q.size() == std::size_t(f.q_count()) && v.size() == f.dof.size() && h != 0);
  fit(f, w);
  if (const int dof = prepare(f, p, q, w.start, w); dof >= 0) return without_inertia(f, dof);
  const VariationalReport r = drift(f, p, h, q, v, w);
  if (r.done()) put(w.next_q, q), put(w.next_v, v);
  return r;
}

int impulse_change(const Forest& f, const Parameters& p, double h, std::span<const double> q,
                   std::span<const double> tau, std::span<const SpatialForce> external, Variational& w,
                   std::span<double> dv) {
  fit(f, w);
  if (const int dof = prepare(f, p, q, w.start, w); dof >= 0) return dof;
  impulse(f, p, h, w.start, tau, external, w, dv);
  return -1;
}

VariationalReport advance_variationally(const Forest& f, const Parameters& p, double h,
                                        std::span<const double> tau, std::span<const SpatialForce> external,
                                        std::span<double> q, std::span<double> v, Variational& w) {
  STICTION_ASSERT(q.size() == std::size_t(f.q_count()) && v.size() == f.dof.size() && h != 0);
  fit(f, w);
  if (const int dof = prepare(f, p, q, w.start, w); dof >= 0) return without_inertia(f, dof);
  held_and_joints(f, p, q, v, tau, w.force);
  impulse(f, p, 0.5 * h, w.start, w.force, external, w, w.kick);
  for (std::size_t d = 0; d < v.size(); ++d) w.next_v[d] = v[d] + w.kick[d];
  VariationalReport r = drift(f, p, h, q, w.next_v, w);
  if (!r.done()) return r;
  // Dampers of the second half: the velocity that the first impulse leads to if it goes on.
  for (std::size_t d = 0; d < v.size(); ++d) w.kick[d] += w.next_v[d];
  held_and_joints(f, p, w.next_q, w.kick, tau, w.force);
  impulse(f, p, 0.5 * h, w.end, w.force, external, w, w.kick);
  for (std::size_t d = 0; d < v.size(); ++d) w.next_v[d] += w.kick[d];
  if (const int link = first_not_finite(f, w.next_q, w.next_v); link >= 0) {
    r.status = Status::not_finite, r.link = link;
    return r;
  }
  put(w.next_q, q), put(w.next_v, v);
  return r;
}

}  // namespace stiction::tree
