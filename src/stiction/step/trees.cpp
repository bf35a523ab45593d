// Motion of trees as kick and drift: all forces as one impulse, then motion without forces. What contacts
// find in a tree, and what trees do whose dampers are too strong for tree_flow.cpp.
//
//   kick    (M(q) + h D) (v* - v) = h (J^T f + tau - D v)      forces and tau at the start of the step
//   drift   dq/dt = v,  M(q) dv/dt + bias(q, v) = 0            from (q, v*) over h, by Runge-Kutta 4
//
// J^T f: gravity and every impulse on a link; tau: springs of joints and given forces; D: dampers of joints,
// implicit, so that no damper is too strong for a step. Kick and drift are each a canonical map as far as the
// drift is exact (its error is of order (h w)^4): like semi-implicit Euler, to which this comes down where M
// is constant, it lets the energy oscillate by a part h w of what potentials exchange, without a trend.
//
// The drift is split so that no link turns by more than `largest_turn` in one stretch, and further where its
// kinetic energy shows that stretches were too long: near to where joints lock, M changes far faster than
// links turn. Rotations in space
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

#include "stiction/dynamics/tree/energy.h"
#include "stiction/step/law_coordinates.h"
#include "stiction/step/stages.h"
#include "stiction/step/tree_stages.h"

namespace stiction::step {
namespace {

constexpr double largest_turn = 0.05;  // [rad] in one stretch: the energy of a nutation is then kept to 2e-10
constexpr int most_stretches = 500;
constexpr double most_push = 0.5;        // [-] of v+: what a kick is changed by to bring what its forces do
constexpr double round_off = 1e-14;      // [-] of its parts: of a sum over links
constexpr double hardly = 1e-10;         // [-] of a tree's energy: the part that is fitted
constexpr double largest_defect = 1e-8;  // [-] of the kinetic energy: contacts are of first order anyway

/// No inertia left, of numbers beyond all bounds: what is not finite is refused.
void lose(std::vector<double>& v) { std::fill(v.begin(), v.end(), std::numeric_limits<double>::quiet_NaN()); }

/// Springs, tables and inputs of joints, times h.
void joint_impulses(const Model& m, const State& x, double h, TreeWorkspace& t) {
  const tree::Forest& f = m.trees.forest;
  const tree::Parameters& p = m.trees.parameters;
  const auto n = std::size_t(f.v_count());
  t.spring.assign(n, 0.0), t.given.assign(n, 0.0), t.asked.resize(n);
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
  for (std::size_t d = 0; d < n; ++d) t.asked[d] = h * t.input[d];
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
  t.tau.resize(n), t.kicked.resize(n);
  for (std::size_t d = 0; d < n; ++d)
    t.tau[d] = t.spring[d] + t.given[d] + t.asked[d] - t.added[d] * x.joint_velocity[d];
  if (tree::factorise(f, p, t.start, t.added, t.start_factors) >= 0) return lose(t.kicked);
  for (SpatialForce& wrench : t.wrench) wrench = {-wrench.torque, -wrench.force};
  tree::solve(f, t.start, t.start_factors, t.tau, t.wrench, t.sweep, t.kicked);
  for (std::size_t d = 0; d < n; ++d) t.kicked[d] += x.joint_velocity[d];
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

namespace {

/// [J] v^T M v / 2 of one tree; `momenta` = M v of all.
double kinetic_energy(const tree::TreeRange& tree, const std::vector<double>& momenta,
                      const std::vector<double>& v) {
  double twice = 0;
  for (auto d = std::size_t(tree.v_begin); d < std::size_t(tree.v_end); ++d) twice += momenta[d] * v[d];
  return 0.5 * twice;
}

/// [-] By how much the motion from t.start to (q, v) changes kinetic energy, over it: the worst tree of those
/// in the problem, or of all.
double defect(const Model& m, bool in_problem, const std::vector<double>& q, const std::vector<double>& v,
              TreeWorkspace& t) {
  const tree::Forest& f = m.trees.forest;
  tree::update_positions(f, m.trees.parameters, q, t.drifting);
  t.last_momenta.resize(v.size());
  tree::multiply_mass(f, m.trees.parameters, t.drifting, v, t.momenta, t.last_momenta);
  double worst = 0;
  for (std::size_t i = 0; i < f.trees.size(); ++i) {
    if (in_problem && t.block_of_tree[i] < 0) continue;
    const double before = kinetic_energy(f.trees[i], t.first, t.first_v),
                 after = kinetic_energy(f.trees[i], t.last_momenta, v);
    if (!std::isfinite(after)) return std::numeric_limits<double>::infinity();
    if (before > 0) worst = std::fmax(worst, std::fabs(after - before) / before);
  }
  return worst;
}

/// From (q, v) over h, in place; v is also the velocity of t.start on return. t.refined only grows, so that
/// the passes of a step see one motion.
void drift(const Model& m, double h, bool in_problem, TreeWorkspace& t, std::vector<double>& q,
           std::vector<double>& v) {
  const tree::Forest& f = m.trees.forest;
  tree::update_velocities(f, v, t.start);
  double fastest = 0;  // [rad/s]
  for (const SpatialMotion& u : t.start.velocity) fastest = std::fmax(fastest, norm(u.angular));
  const double turns = std::fmax(1.0, std::ceil(h * fastest / largest_turn));
  t.first_q = q, t.first_v = v, t.first.resize(v.size());
  tree::multiply_mass(f, m.trees.parameters, t.start, v, t.momenta, t.first);
  for (;; t.refined *= 2) {
    const int stretches = turns * t.refined < most_stretches ? int(turns) * t.refined : most_stretches;
    for (int i = 0; i < stretches; ++i) stretch(m, h / stretches, t, q, v);
    if (stretches == most_stretches || defect(m, in_problem, q, v, t) <= largest_defect) return;
    q = t.first_q, v = t.first_v;
  }
}

double largest(const std::vector<double>& v) {
  double out = 0;
  for (const double x : v) out = std::fmax(out, std::fabs(x));
  return out;
}

}  // namespace

namespace {

/// Kick and drift of all trees -> t.kicked, t.drifted, t.carried, and where they lead to -> t.drift_q.
void kick_and_drift(const Model& m, const State& x, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  if (t.has_kicked) return;
  t.has_kicked = true;
  kick(m, x, h, w);
  t.drift_q = x.joint_position, t.drifted = t.kicked;
  drift(m, h, false, t, t.drift_q, t.drifted);
  t.carried = t.drifted;
}

void take_drift(const tree::TreeRange& tree, const TreeWorkspace& t, Motions& out) {
  std::copy(t.drift_q.begin() + tree.q_begin, t.drift_q.begin() + tree.q_end,
            out.joint_position.begin() + tree.q_begin);
  std::copy(t.drifted.begin() + tree.v_begin, t.drifted.begin() + tree.v_end,
            out.joint_velocity.begin() + tree.v_begin);
}

}  // namespace

void free_trees(const Model& m, const State& x, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const std::size_t trees = f.trees.size(), n = std::size_t(f.v_count());
  t.touched.assign(trees, 0), t.block_of_tree.assign(trees, -1), t.flows.assign(trees, 1);
  t.step_block_of_tree = t.block_of_tree, t.island_of_tree = t.block_of_tree;
  t.has_kicked = false, t.refined = 1;
  t.added.resize(n);
  for (std::size_t d = 0; d < n; ++d) t.added[d] = h * m.trees.parameters.damping[d];
  flow_trees(m, x, h, w);
  t.flow_mean.resize(n);
  tree::difference(f, x.joint_position, w.free.joint_position, t.flow_mean);
  for (double& v : t.flow_mean) v /= h;
  t.kicked = x.joint_velocity, t.drifted = t.carried = w.free.joint_velocity;
  for (std::size_t i = 0; i < trees; ++i) {
    if (t.flows[i]) continue;
    kick_and_drift(m, x, h, w);
    take_drift(f.trees[i], t, w.free);
  }
  follow_joints(m, t.end, w.free);
}

void stop_flows(const Model& m, const State& x, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  bool stopped = false;
  const auto stop = [&](int link) {
    if (link < 0 || !flows(m, w, link)) return;
    const auto tree = std::size_t(m.trees.forest.tree_of[std::size_t(link)]);
    kick_and_drift(m, x, h, w);
    t.flows[tree] = 0, stopped = true;
    take_drift(m.trees.forest.trees[tree], t, w.free);
    take_drift(m.trees.forest.trees[tree], t, w.next);
  };
  for (const WorkContact& c : w.contacts)
    if (c.in_problem) stop(m.link[std::size_t(c.point.key.a)]), stop(m.link[std::size_t(c.point.key.b)]);
  for (std::size_t k = 0; k < m.laws.size(); ++k)
    if (w.laws[k].in_problem) for_bodies(m, k, [&](int body) { stop(m.link[std::size_t(body)]); });
  if (stopped) follow_joints(m, t.end, w.free);
}

void drift_freely(const Model& m, double h, TreeWorkspace& t, std::vector<double>& q,
                  std::vector<double>& v) {
  tree::update_positions(m.trees.forest, m.trees.parameters, q, t.start);
  t.refined = 1;
  drift(m, h, false, t, q, v);
}

namespace {

/// [J] v.(M + h D) v / 2 of one tree, `momenta` = M v.
double held_energy(const tree::TreeRange& tree, const std::vector<double>& momenta,
                   const std::vector<double>& v, const TreeWorkspace& t) {
  double twice = 0;
  for (auto d = std::size_t(tree.v_begin); d < std::size_t(tree.v_end); ++d)
    twice += (momenta[d] + t.added[d] * v[d]) * v[d];
  return 0.5 * twice;
}

/// [J] What a kick brings, and what its round-off may be.
struct Work {
  double value = 0, noise = 0;
};

/// What the forces of the kick do on the way from the start to w.next: gravity and impulses on links along
/// the ways of their bodies, those of joints along the joints' v+.
Work work_on_way(const Model& m, const State& x, double h, std::size_t tree, const Workspace& w) {
  const TreeWorkspace& t = w.trees;
  const tree::TreeRange& range = m.trees.forest.trees[tree];
  Work work;
  for (auto d = std::size_t(range.v_begin); d < std::size_t(range.v_end); ++d)
    work.value +=
        (t.spring[d] + t.given[d] + t.asked[d] - t.added[d] * x.joint_velocity[d]) * w.next.joint_velocity[d];
  for (auto i = std::size_t(range.link_begin); i < std::size_t(range.link_end); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    Vec3 force = m.mass[body] * m.gravity;
    if (w.has_applied) {
      force += w.impulse[body] / h;
      work.value += dot(w.angular_impulse[body], w.next.spin[body]);
    }
    work.value += dot(force, w.next.position[body] - x.position[body]);
    work.noise += round_off * norm(force) * (norm(x.position[body]) + m.size[body]);
  }
  return work;
}

/// [-] work / energy: less where the work is hardly more than round-off, and at most `most_push`. (Where v+
/// vanishes, so does the work, as v+ squared.)
double share_of(const Work& work, double energy) {
  const double square = work.value * work.value, known = square / (square + work.noise * work.noise);
  return energy > 0 && square > 0 ? std::clamp(known * work.value / energy, -most_push, most_push) : 0.0;
}

/// How many of the first velocities of a tree move all of it along fixed directions, each by the same: those
/// of a free root, without dampers. Their momenta are those of the whole tree.
int rigid_directions(const tree::Forest& f, const tree::TreeRange& range, const TreeWorkspace& t) {
  const bool floats = f.joint[std::size_t(range.link_begin)] == tree::JointKind::free;
  for (int d = 0; d < 3; ++d)
    if (!floats || t.added[std::size_t(range.v_begin + d)] != 0) return 0;
  return 3;
}

double mass_of(const Model& m, const tree::TreeRange& range) {
  double mass = 0;
  for (auto i = std::size_t(range.link_begin); i < std::size_t(range.link_end); ++i)
    mass += m.mass[std::size_t(m.trees.body[i])];
  return mass;
}

/// Kick and drift on the way to the candidate end, q + h v+, which is not quite where the drift leads. With A
/// = M + h D, a = v and what the drift adds, k what the kick adds, and the problem A(q+) (v+ - v_f) = J^T r,
///     v_f = l a + k + p v+,    l^2 a.A(q+) a = v.A(q) v,    (k + p v+).A(q+) v+ = W,
/// W being what the forces of the kick do on the way, h D v among them, so that the tree's energy changes by
///     r.u+ - |v+ - l a|_A^2 / 2 - h D v+^2
/// as that of a body does, for any h: contacts and dampers take, and nothing gives. l is 1 and p is 0 to the
/// second order in h.
///
/// What moves the tree as a whole (rigid_directions) is not fitted: there a and v+ stand for what is left of
/// them, as seen from the centre of mass, and its momentum is that of the start and of the kick, exactly. So
/// nothing depends on how fast the whole scene moves. -> t.carried_next.
void keep_energy(const Model& m, const State& x, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const std::vector<double>&v = x.joint_velocity, &end = w.next.joint_velocity;
  const auto multiply = [&](const tree::Kinematics& k, const std::vector<double>& u,
                            std::vector<double>& out) {
    out.resize(u.size());
    tree::multiply_mass(f, m.trees.parameters, k, u, t.momenta, out);
  };
  std::vector<double>&a = t.carry_v, &kick = t.kick;
  kick.resize(v.size());
  for (std::size_t d = 0; d < a.size(); ++d)
    a[d] = v[d] + (a[d] - t.carry_start[d]), kick[d] = t.kicked[d] - v[d];
  multiply(t.start, v, t.first), multiply(t.end, a, t.last_momenta), multiply(t.end, end, t.end_momenta);
  multiply(t.start, kick, t.kick_at_start), multiply(t.end, kick, t.kick_at_end);
  for (std::size_t tree = 0; tree < f.trees.size(); ++tree) {
    if (t.block_of_tree[tree] < 0) continue;
    const tree::TreeRange& range = f.trees[tree];
    const auto begin = std::size_t(range.v_begin), stop = std::size_t(range.v_end),
               fitted = begin + std::size_t(rigid_directions(f, range, t));
    double start = held_energy(range, t.first, v, t), drifted = held_energy(range, t.last_momenta, a, t),
           moving = held_energy(range, t.end_momenta, end, t);
    Work missing = work_on_way(m, x, h, tree, w);
    const auto take = [&](double work) {
      missing.value -= work, missing.noise += round_off * std::fabs(work);
    };
    for (std::size_t d = begin; d < stop; ++d) take(kick[d] * (t.end_momenta[d] + t.added[d] * end[d]));
    const double mass = fitted > begin ? mass_of(m, range) : 0.0, whole = start + drifted;
    for (std::size_t d = begin; d < fitted; ++d) {
      start -= 0.5 * t.first[d] * t.first[d] / mass;
      drifted -= 0.5 * t.last_momenta[d] * t.last_momenta[d] / mass;
      moving -= 0.5 * t.end_momenta[d] * t.end_momenta[d] / mass;
      take(t.kick_at_start[d] / mass * t.end_momenta[d]), take(-t.kick_at_end[d] / mass * t.end_momenta[d]);
    }
    // not what is hardly more than round-off of the whole, of which the root would be large
    const double known = drifted * drifted / (drifted * drifted + hardly * hardly * whole * whole);
    const double stretch = drifted > 0 && start > 0 ? known * (std::sqrt(start / drifted) - 1) : 0.0,
                 push = share_of(missing, 2 * moving);
    for (std::size_t d = begin; d < stop; ++d) t.carried_next[d] += stretch * a[d] + push * end[d];
    for (std::size_t d = begin; d < fitted; ++d)
      t.carried_next[d] += ((t.first[d] - t.last_momenta[d]) + (t.kick_at_start[d] - t.kick_at_end[d]) -
                            stretch * t.last_momenta[d] - push * t.end_momenta[d]) /
                           mass;
  }
}

}  // namespace

double carry_trees(const Model& m, const State& x, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  t.carried_next = t.carried;
  if (!t.has_kicked) return 0;
  t.carry_q = x.joint_position, t.carry_v = w.next.joint_velocity;
  for (std::size_t d = 0; d < t.carry_v.size(); ++d) t.carry_v[d] -= t.carried[d] - t.kicked[d];
  t.carry_start = t.carry_v;
  drift(m, h, true, t, t.carry_q, t.carry_v);
  for (std::size_t tree = 0; tree < f.trees.size(); ++tree)
    if (t.block_of_tree[tree] >= 0)
      for (auto d = std::size_t(f.trees[tree].v_begin); d < std::size_t(f.trees[tree].v_end); ++d)
        t.carried_next[d] = t.kicked[d] + (t.carry_v[d] - t.carry_start[d]);
  if (w.carry.keeps_energy) keep_energy(m, x, h, w);
  double change = 0;
  for (std::size_t tree = 0; tree < f.trees.size(); ++tree)
    if (t.block_of_tree[tree] >= 0)
      for (auto d = std::size_t(f.trees[tree].v_begin); d < std::size_t(f.trees[tree].v_end); ++d)
        change = std::fmax(change, std::fabs(t.carried_next[d] - t.carried[d]));
  const double scale = largest(t.kicked) + largest(w.next.joint_velocity);
  return change > 0 ? change / scale : 0.0;
}

std::span<const double> losses_of_trees(const Model& m, const State& x, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const std::vector<double>&v = x.joint_velocity, &end = w.next.joint_velocity;
  t.loss.assign(f.trees.size(), 0.0);
  if (!t.has_kicked) return t.loss;
  t.first.resize(v.size()), t.end_momenta.resize(v.size());
  tree::multiply_mass(f, m.trees.parameters, t.start, v, t.momenta, t.first);
  tree::multiply_mass(f, m.trees.parameters, t.end, end, t.momenta, t.end_momenta);
  for (std::size_t tree = 0; tree < f.trees.size(); ++tree) {
    if (t.block_of_tree[tree] < 0) continue;
    const tree::TreeRange& range = f.trees[tree];
    double lost = held_energy(range, t.first, v, t) + held_energy(range, t.end_momenta, end, t) +
                  work_on_way(m, x, h, tree, w).value;
    for (auto d = std::size_t(range.v_begin); d < std::size_t(range.v_end); ++d) {
      const double change = end[d] - v[d];
      lost -= t.carried[d] * (t.end_momenta[d] + t.added[d] * end[d]) + 0.5 * t.added[d] * change * change;
    }
    t.loss[tree] = lost;
  }
  return t.loss;
}

double kinetic_energy_of_trees(const Model& m, const Workspace& w) {
  if (m.trees.empty()) return 0;
  return tree::kinetic_energy(m.trees.forest, m.trees.parameters, w.trees.end, w.next.joint_velocity);
}

double gain_of_free_trees(const Model& m, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const bool flows = std::find(t.flows.begin(), t.flows.end(), 1) != t.flows.end();
  double most = flows ? t.defect : 0.0;
  if (!t.has_kicked) return most;
  for (std::size_t i = 0; i < f.trees.size(); ++i)  // of these contacts found nothing in the end
    if (t.block_of_tree[i] < 0)
      std::copy(t.drifted.begin() + f.trees[i].v_begin, t.drifted.begin() + f.trees[i].v_end,
                t.carried.begin() + f.trees[i].v_begin);
  t.first.resize(t.kicked.size()), t.last_momenta.resize(t.kicked.size());
  tree::multiply_mass(f, m.trees.parameters, t.start, t.kicked, t.momenta, t.first);
  tree::multiply_mass(f, m.trees.parameters, t.end, t.carried, t.momenta, t.last_momenta);
  for (std::size_t i = 0; i < f.trees.size(); ++i) {
    const double before = kinetic_energy(f.trees[i], t.first, t.kicked),
                 after = kinetic_energy(f.trees[i], t.last_momenta, t.carried);
    if (t.block_of_tree[i] < 0 && !t.flows[i] && after > before) most = std::fmax(most, 1 - before / after);
  }
  return most;
}

}  // namespace stiction::step
