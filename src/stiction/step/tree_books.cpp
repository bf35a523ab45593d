// The books of trees. With M_k, the mass matrix of the step (at the pose of the last problem; at the start
// for a tree that no contact is near), p0 = M(q0) v0 and v' = M_k^-1 p0,
//     M_k v+ = p0 + sum of P + P_b + G^T r,      P_b = M_k v_f - M(q0) v*,      P_D = -h D (v* + v+ - v_f)
// where P are the generalised impulses of forces, v* the start's velocities with them given, v_f those that
// the drift without forces leads to (trees.cpp), P_b hence what the drift does to the momenta. As for bodies
// (settle.cpp) each impulse's term is P.(v' + v+)/2, exactly. `numerics` takes
//     p0.(v' - v0)/2 + P_b.(v' + v+)/2 + v+.(M(q+) - M_k) v+/2
// and what gravity's impulse at the start and its booked work, h m g.(c0' + c+')/2, differ by (c': velocities
// of the centres of mass).
//
// Momentum, with (P, l) that of a whole tree and l about the origin o of its root:
//     numerics   N = (P, l)(q_k, v_f) - (P, l)(q0, v*) + (P, l)(q+, v+) - (P, l)(q_k, v+),
//                angular about the world's origin: N_l + o0 x N_P + (o+ - o0) x P+
//     joint      what the world gives a root that hangs on it, its springs, dampers and given forces
//     included:
//                (P, l)(q0, v*) - (P, l)(q0, v0) - forces + (P, l)(q_k, v+) - (P, l)(q_k, v_f) - contacts
// A free root has no such account: there both differences are those of the impulses, to round-off.
// Contacts on a link act at o0 + (c - o_k), with c the contact and o_k the origin at the pose of M_k.
//
// Symbols: q coordinates, v [m/s, rad/s], M [kg, kg m, kg m^2], r impulses of contacts [N s].
#include <algorithm>

#include "stiction/step/joint_laws.h"
#include "stiction/step/link_reactions.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

enum State5 {
  at_start,
  kicked,
  at_pose_free,
  at_pose_end,
  at_end
};  // (q0,v0) (q0,v*) (q_k,v_f) (q_k,v+) (q+,v+)

std::size_t root_of(const Model& m, std::size_t tree) {
  return std::size_t(m.trees.forest.trees[tree].link_begin);
}
std::size_t tree_of(const Model& m, int link) {
  return std::size_t(m.trees.forest.tree_of[std::size_t(link)]);
}

/// The kinematics that the frame of a contact of the problem is of.
const tree::Kinematics& pose_of(const WorkContact& c, const TreeWorkspace& t) {
  return c.middle ? t.base_middle : t.pose;
}
/// [m] from the origin of the tree's root to a contact.
Vec3 from_root(const Model& m, const WorkContact& c, bool second, const TreeWorkspace& t) {
  const int link = m.link[std::size_t(second ? c.point.key.b : c.point.key.a)];
  const tree::Kinematics& k = pose_of(c, t);
  return tree::centre_of_mass(k, link) + c.arm[second] - k.pose[root_of(m, tree_of(m, link))].position;
}

void momenta_of(const Model& m, const tree::Kinematics& k, const std::vector<double>& v, State5 which,
                TreeWorkspace& t) {
  std::vector<double>& out = t.momentum[which];
  out.resize(v.size());
  tree::multiply_mass(m.trees.forest, m.trees.parameters, k, v, t.momenta, out);
  t.total[which].resize(m.trees.forest.trees.size());
  for (std::size_t i = 0; i < t.total[which].size(); ++i) t.total[which][i] = t.momenta.wrench[root_of(m, i)];
}

/// The impulses on links and contacts, tree by tree, about the roots' origins: subtracted from the reactions.
void subtract_impulses(const Model& m, const State& x, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  for (std::size_t i = 0; i < m.trees.body.size(); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    const std::size_t tree = tree_of(m, int(i));
    Vec3 linear = (h * m.mass[body]) * m.gravity, angular;
    if (w.has_applied) linear += w.impulse[body], angular = w.angular_impulse[body];
    const Vec3 arm = x.position[body] - t.start.pose[root_of(m, tree)].position;
    t.reaction[tree] -= SpatialForce{angular + cross(arm, linear), linear};
    if (!t.flows[tree]) take_from_balance(i, x.position[body], linear, angular, t);
  }
  for (const WorkContact& c : w.contacts) {
    if (!c.in_problem) continue;
    for (const bool second : {false, true}) {
      const int link = m.link[std::size_t(second ? c.point.key.b : c.point.key.a)];
      if (link < 0) continue;
      const std::size_t tree = tree_of(m, link);
      const double sign = second ? 1.0 : -1.0;
      const Vec3 p = sign * c.impulse, moment = c.turns() ? sign * c.moment : Vec3{};
      t.reaction[tree] -= SpatialForce{cross(from_root(m, c, second, t), p) + moment, p};
      take_from_balance(std::size_t(link), contact_lever(m, c, second, w), p, moment, t);
    }
  }
  if (!m.laws.empty()) subtract_laws(m, w);
}

}  // namespace

Vec3 contact_lever(const Model& m, const WorkContact& c, bool second, const Workspace& w) {
  const int link = m.link[std::size_t(second ? c.point.key.b : c.point.key.a)];
  return w.trees.start.pose[root_of(m, tree_of(m, link))].position + from_root(m, c, second, w.trees);
}

Vec3 booked_velocity(const Model& m, const WorkContact& c, bool second, const Workspace& w) {
  const TreeWorkspace& t = w.trees;
  const auto i = std::size_t(m.link[std::size_t(second ? c.point.key.b : c.point.key.a)]);
  const RigidInertia& own = pose_of(c, t).inertia[i];
  return moved((c.middle ? t.middle_sum : t.pose_sum)[i], own.moment / own.mass + c.arm[second]).linear;
}

Vec3 booked_spin(const Model& m, const WorkContact& c, bool second, const Workspace& w) {
  const auto i = std::size_t(m.link[std::size_t(second ? c.point.key.b : c.point.key.a)]);
  return (c.middle ? w.trees.middle_sum : w.trees.pose_sum)[i].angular;
}

void prepare_tree_books(const Model& m, const State& x, const Motions& end, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const tree::Parameters& p = m.trees.parameters;
  t.pose_position = x.joint_position;
  for (std::size_t i = 0; i < f.trees.size(); ++i) {
    const tree::TreeRange& tree = f.trees[i];
    if (in_problem(w, i))
      std::copy(w.base.joint_position.begin() + tree.q_begin, w.base.joint_position.begin() + tree.q_end,
                t.pose_position.begin() + tree.q_begin);
    else  // contacts were near and are no more
      std::copy(t.drifted.begin() + tree.v_begin, t.drifted.begin() + tree.v_end,
                t.carried.begin() + tree.v_begin);
  }
  tree::update_positions(f, p, t.pose_position, t.pose);
  tree::update_positions(f, p, end.joint_position, t.last);
  momenta_of(m, t.start, x.joint_velocity, at_start, t);
  momenta_of(m, t.start, t.kicked, kicked, t);
  momenta_of(m, t.pose, t.carried, at_pose_free, t);
  momenta_of(m, t.pose, end.joint_velocity, at_pose_end, t);
  momenta_of(m, t.last, end.joint_velocity, at_end, t);

  t.before = x.joint_velocity, t.sum.resize(t.before.size());
  if (!w.problem.islands.empty()) {
    tree::factorise(f, p, t.pose, {}, t.pose_factors);
    tree::solve(f, t.pose, t.pose_factors, t.momentum[at_start], {}, t.sweep, t.sum);
    // once more with what is left: near to where joints lock, M_k is all but singular
    t.tau.resize(t.sum.size()), t.move.resize(t.sum.size());
    tree::multiply_mass(f, p, t.pose, t.sum, t.momenta, t.tau);
    for (std::size_t d = 0; d < t.sum.size(); ++d) t.tau[d] = t.momentum[at_start][d] - t.tau[d];
    tree::solve(f, t.pose, t.pose_factors, t.tau, {}, t.sweep, t.move);
    for (std::size_t d = 0; d < t.sum.size(); ++d) t.sum[d] += t.move[d];
    for (std::size_t i = 0; i < f.trees.size(); ++i)
      if (in_problem(w, i))
        for (auto d = std::size_t(f.trees[i].v_begin); d < std::size_t(f.trees[i].v_end); ++d)
          t.before[d] = t.sum[d];
  }
  for (std::size_t d = 0; d < t.sum.size(); ++d) t.sum[d] = t.before[d] + end.joint_velocity[d];
  t.start_sum.resize(f.parent.size()), t.pose_sum.resize(f.parent.size());
  tree::link_twists(f, t.start, t.sum, t.start_sum);
  tree::link_twists(f, t.pose, t.sum, t.pose_sum);
  t.middle_sum.resize(f.parent.size());
  if (!t.base_middle.pose.empty()) tree::link_twists(f, t.base_middle, t.sum, t.middle_sum);
}

void book_trees(const Model& m, const State& x, double h, const Motions& end, Workspace& w) {
  TreeWorkspace& t = w.trees;
  Entries& e = w.entries;
  const tree::Forest& f = m.trees.forest;
  // what a motor gives is its force times the way of its joint, h v+; of P.(v' + v+)/2 the rest is the step's
  const auto way_of_motor = [&](Cause cause, double impulse, std::size_t d) {
    if (impulse == 0) return;
    const double work = impulse * end.joint_velocity[d];
    e.book(cause, work), e.book(Cause::numerics, 0.5 * impulse * t.sum[d] - work);
  };
  for (std::size_t i = 0; i < m.trees.body.size(); ++i) {
    if (flows(m, w, int(i))) continue;
    const auto body = std::size_t(m.trees.body[i]);
    const Vec3 change = start_twist(w, int(i)).linear - (x.velocity[body] + end.velocity[body]);
    e.book(Cause::numerics, 0.5 * h * m.mass[body] * dot(m.gravity, change));
  }
  for (std::size_t i = 0; i < f.trees.size(); ++i) {
    if (t.flows[i]) continue;
    const tree::TreeRange& tree = f.trees[i];
    double numerics = 0;
    for (auto d = std::size_t(tree.v_begin); d < std::size_t(tree.v_end); ++d) {
      numerics += 0.5 * t.momentum[at_start][d] * (t.before[d] - x.joint_velocity[d]) +
                  0.5 * (t.momentum[at_pose_free][d] - t.momentum[kicked][d]) * t.sum[d] +
                  0.5 * end.joint_velocity[d] * (t.momentum[at_end][d] - t.momentum[at_pose_end][d]);
      e.book(Cause::spring, 0.5 * t.spring[d] * t.sum[d]);
      e.book(Cause::numerics, 0.5 * t.spring[d] * t.sum[d]);
      const double damping = -t.added[d] * (t.kicked[d] + (end.joint_velocity[d] - t.carried[d]));
      e.book(Cause::damping, 0.5 * damping * t.sum[d]);
      way_of_motor(Cause::wrench, t.given[d], d), way_of_motor(Cause::input, t.asked[d], d);
    }
    e.book(Cause::numerics, numerics);
  }
  t.reaction.resize(f.trees.size());
  for (std::size_t i = 0; i < f.trees.size(); ++i)
    t.reaction[i] =
        (t.total[kicked][i] - t.total[at_start][i]) + (t.total[at_pose_end][i] - t.total[at_pose_free][i]);
  subtract_impulses(m, x, h, w);
  for (std::size_t i = 0; i < f.trees.size(); ++i) {
    if (t.flows[i]) continue;
    const std::size_t root = root_of(m, i);
    const Vec3 &origin = t.start.pose[root].position, moved = t.last.pose[root].position - origin;
    const SpatialForce n =
        (t.total[at_pose_free][i] - t.total[kicked][i]) + (t.total[at_end][i] - t.total[at_pose_end][i]);
    e.book(Cause::numerics, n.force,
           n.torque + cross(origin, n.force) + cross(moved, t.total[at_end][i].force));
    const SpatialForce& r = t.reaction[i];
    if (f.joint[root] != tree::JointKind::free)
      e.book(Cause::joint, r.force, r.torque + cross(origin, r.force));
  }
}

void book_moved_links(const Model& m, const Motions& end, Workspace& w) {
  for (std::size_t i = 0; i < m.trees.body.size(); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    const double mass = m.mass[body];
    const auto turning = [&](const Motions& q) {
      return world_inertia(m.inertia[body], q.orientation[body]) * q.spin[body];
    };
    const auto energy = [&](const Motions& q) {
      return 0.5 * (mass * norm2(q.velocity[body]) + dot(q.spin[body], turning(q)));
    };
    const auto around = [&](const Motions& q) {
      return cross(q.position[body], mass * q.velocity[body]) + turning(q);
    };
    const Vec3 shift = w.next.position[body] - end.position[body];
    w.entries.book(Cause::stabilisation, energy(w.next) - energy(end) - mass * dot(m.gravity, shift));
    w.entries.book(Cause::stabilisation, mass * (w.next.velocity[body] - end.velocity[body]),
                   around(w.next) - around(end));
  }
}

}  // namespace stiction::step
