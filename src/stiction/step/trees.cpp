// Motion of trees without contacts: all forces as one impulse, then motion without forces.
//
//   kick    (M(q) + h D) (v* - v) = h (J^T f + tau - D v)      forces and tau at the start of the step
//   drift   dq/dt = v,  M(q) dv/dt + bias(q, v) = 0            from (q, v*) over h, by Runge-Kutta 4
//
// J^T f: gravity and every impulse on a link; tau: springs of joints and given forces; D: dampers of joints,
// implicit, so that no damper is too strong for a step. Kick and drift are each a canonical map as far as the
// drift is exact (its error is of order (h w)^4): like semi-implicit Euler, to which this comes down where M
// is constant, it lets the energy oscillate by a part h w of what potentials exchange, without a trend.
//
// The drift is split so that no link turns by more than `largest_turn` in one stretch. Rotations in space
// move by the exponential map with the commutators of Munthe-Kaas:
//   u3 = h k2 / 2 - h^2 [k1, k2] / 8,   u4 = h k3,   u = h (k1 + 2 k2 + 2 k3 + k4) / 6 - h^2 [k1, k4] / 12
//
// Symbols: q coordinates [m, rad, quaternions], v [m/s, rad/s], w angular velocity of a link [rad/s], h [s].
// References: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2006, II.5 (splitting);
// A. Iserles, H. Munthe-Kaas, S. Norsett, A. Zanna, Lie-group methods, Acta Numerica 9 (2000), section 4.
//
// When it fails: springs of joints and on links are explicit, h w < 2 for the fastest oscillation; a link
// that turns by more than largest_turn * most_stretches = 25 rad in a step is moved with larger errors.
#include "stiction/step/trees.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

constexpr double largest_turn = 0.05;  // [rad] in one stretch: the energy of a nutation is then kept to 2e-10
constexpr int most_stretches = 500;

/// No inertia left, of numbers beyond all bounds: what is not finite is refused.
void lose(std::vector<double>& v) { std::fill(v.begin(), v.end(), std::numeric_limits<double>::quiet_NaN()); }

/// Value of a joint's table: linear between the rows, zero outside.
double given_force(const ModelJointForce& table, std::size_t dofs, std::size_t dof, double now) {
  const std::vector<double>& t = table.time;
  if (t.empty()) return table.force[dof];
  if (now < t.front() || now > t.back()) return 0;
  std::size_t k = 0;
  while (k + 2 < t.size() && t[k + 1] <= now) ++k;
  const double s = (now - t[k]) / (t[k + 1] - t[k]);
  return (1 - s) * table.force[k * dofs + dof] + s * table.force[(k + 1) * dofs + dof];
}

/// Springs and tables of joints, times h.
void joint_impulses(const Model& m, const State& x, double h, TreeWorkspace& t) {
  const tree::Forest& f = m.trees.forest;
  const tree::Parameters& p = m.trees.parameters;
  const auto n = std::size_t(f.v_count());
  t.spring.assign(n, 0.0), t.given.assign(n, 0.0), t.damping.assign(n, 0.0);
  if (p.has_springs) {
    t.tau.resize(n);
    tree::difference(f, p.rest, x.joint_position, t.tau);
    for (std::size_t d = 0; d < n; ++d) t.spring[d] = -h * p.stiffness[d] * t.tau[d];
  }
  for (const ModelJointForce& table : m.trees.forces) {
    const auto begin = std::size_t(f.v_begin[std::size_t(table.link)]),
               dofs = std::size_t(f.v_begin[std::size_t(table.link) + 1]) - begin;
    for (std::size_t d = 0; d < dofs; ++d)
      t.given[begin + d] = h * given_force(table, dofs, d, x.time + 0.5 * h);
  }
}

/// Impulses on the links about their origins: gravity and what acts on bodies.
void link_impulses(const Model& m, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  t.wrench.resize(m.trees.body.size());
  for (std::size_t i = 0; i < t.wrench.size(); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    Vec3 linear = (h * m.mass[body]) * m.gravity, angular;
    if (w.has_applied) linear += w.impulse[body], angular = w.angular_impulse[body];
    const RigidInertia& own = t.start.inertia[i];
    t.wrench[i] = moved_back(SpatialForce{angular, linear}, own.moment / own.mass);
  }
}

void kick(const Model& m, const State& x, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const tree::Parameters& p = m.trees.parameters;
  const auto n = std::size_t(f.v_count());
  tree::update_positions(f, p, x.joint_position, t.start);
  joint_impulses(m, x, h, t);
  link_impulses(m, h, w);
  t.added.resize(n), t.tau.resize(n), t.kicked.resize(n);
  for (std::size_t d = 0; d < n; ++d) {
    t.added[d] = h * p.damping[d];
    t.tau[d] = t.spring[d] + t.given[d] - t.added[d] * x.joint_velocity[d];
  }
  if (tree::factorise(f, p, t.start, t.added, t.start_factors) >= 0) return lose(t.kicked);
  for (SpatialForce& wrench : t.wrench) wrench = {-wrench.torque, -wrench.force};
  tree::solve(f, t.start, t.start_factors, t.tau, t.wrench, t.sweep, t.kicked);
  for (std::size_t d = 0; d < n; ++d) {
    t.kicked[d] += x.joint_velocity[d];
    t.damping[d] = -t.added[d] * t.kicked[d];
  }
}

/// move += factor [a, b], on rotations in space only.
void add_commutator(const tree::Forest& f, double factor, const std::vector<double>& a,
                    const std::vector<double>& b, std::vector<double>& move) {
  for (std::size_t i = 0; i < f.joint.size(); ++i) {
    if (f.block_of[i] < 0) continue;
    const auto at = std::size_t(f.v_begin[i + 1]) - 3;
    const Vec3 c = factor * cross({a[at], a[at + 1], a[at + 2]}, {b[at], b[at + 1], b[at + 2]});
    for (int k = 0; k < 3; ++k) move[at + std::size_t(k)] += c[k];
  }
}

/// One stretch of the drift, in place.
void stretch(const Model& m, double h, TreeWorkspace& t, std::vector<double>& q, std::vector<double>& v) {
  const tree::Forest& f = m.trees.forest;
  const std::size_t n = v.size();
  t.q.resize(q.size()), t.v.resize(n), t.move.resize(n);
  const auto evaluate = [&](std::size_t stage, const std::vector<double>& at,
                            const std::vector<double>& speed) {
    t.rate[stage] = speed;
    t.acceleration[stage].resize(n);
    if (tree::forward_dynamics(f, m.trees.parameters, at, speed, {}, {}, t.drift, t.acceleration[stage]) >= 0)
      lose(t.acceleration[stage]);
  };
  const auto go = [&](std::size_t stage, double part, double commutator) {
    for (std::size_t d = 0; d < n; ++d) {
      t.move[d] = part * h * t.rate[stage][d];
      t.v[d] = v[d] + part * h * t.acceleration[stage][d];
    }
    if (commutator != 0) add_commutator(f, -h * h * commutator, t.rate[stage - 1], t.rate[stage], t.move);
    tree::integrate(f, q, t.move, 1.0, t.q);
    evaluate(stage + 1, t.q, t.v);
  };
  evaluate(0, q, v);
  go(0, 0.5, 0.0), go(1, 0.5, 0.125), go(2, 1.0, 0.0);
  for (std::size_t d = 0; d < n; ++d) {
    t.move[d] = h / 6 * (t.rate[0][d] + 2 * (t.rate[1][d] + t.rate[2][d]) + t.rate[3][d]);
    v[d] += h / 6 *
            (t.acceleration[0][d] + 2 * (t.acceleration[1][d] + t.acceleration[2][d]) + t.acceleration[3][d]);
  }
  add_commutator(f, -h * h / 12, t.rate[0], t.rate[3], t.move);
  tree::integrate(f, q, t.move, 1.0, q);
}

}  // namespace

Motions motions_of(const State& x) {
  return {x.position, x.orientation, x.velocity, x.spin, x.joint_position, x.joint_velocity};
}

void follow_joints(const Model& m, tree::Kinematics& k, Motions& q) {
  tree::update_positions(m.trees.forest, m.trees.parameters, q.joint_position, k);
  tree::update_velocities(m.trees.forest, q.joint_velocity, k);
  for (std::size_t i = 0; i < m.trees.body.size(); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    place_link(m.trees, k, i, q.position[body], q.orientation[body]);
    move_link(k, i, q.velocity[body], q.spin[body]);
  }
}

void free_trees(const Model& m, const State& x, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  t.touched.assign(m.trees.forest.trees.size(), 0), t.block_of_tree.assign(m.trees.forest.trees.size(), -1);
  t.step_block_of_tree = t.block_of_tree;
  kick(m, x, h, w);
  w.free.joint_position = x.joint_position, w.free.joint_velocity = t.kicked;
  tree::update_velocities(m.trees.forest, t.kicked, t.start);
  double fastest = 0;  // [rad/s]
  for (const SpatialMotion& u : t.start.velocity) fastest = std::fmax(fastest, norm(u.angular));
  const double turns = std::ceil(h * fastest / largest_turn);
  const int stretches = turns < most_stretches ? std::max(1, int(turns)) : most_stretches;
  for (int i = 0; i < stretches; ++i)
    stretch(m, h / stretches, t, w.free.joint_position, w.free.joint_velocity);
  t.drifted = w.free.joint_velocity;
  follow_joints(m, t.end, w.free);
}

}  // namespace stiction::step
