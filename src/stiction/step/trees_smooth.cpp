// Trees in the methods for smooth motion: the stages of trees beside those of bodies (tree_stages.h), and
// their books. Runge-Kutta's stages and Euler's are of the whole motion,
//     v+ = v + sum b_s a_s,     q+ by the stages' velocities, or q + h v (explicit), q + h v+
//     (semi-implicit);
// velocity Verlet and the variational method kick, drift and kick,
//     v* = v + (h/2) M(q)^-1 f(q, v),   (q, v*) -> (q+, v_d) without forces,   v+ = v_d + (h/2) M(q+)^-1 f+
// with a drift by Runge-Kutta 4 in short stretches (trees.cpp) or the variational one (dynamics/tree), which
// keeps the momenta and has no drift of the energy. Forces that depend on velocities take v_d + (v* - v) in
// the second kick. Dampers of joints are explicit as all other forces.
#include "stiction/step/link_reactions.h"
#include "stiction/step/smooth.h"
#include "stiction/step/tree_stages.h"

namespace stiction::step {
namespace {

/// q and v of a tree stage -> its place among the stages.
void show_stage(const Model& m, std::size_t k, Workspace& w) {
  TreeStage& s = w.trees.stage[k];
  Motions& at = w.stage[k].at;
  at.joint_position = s.q, at.joint_velocity = s.v;
  follow_joints(m, s.k, at);
}

const char* reason_of(tree::VariationalReport::Status status) {
  using Status = tree::VariationalReport::Status;
  switch (status) {
    case Status::no_inertia:
      return "a joint moves no mass";
    case Status::turns_too_far:
      return "the step is too large, a link would turn by half a turn or more";
    case Status::not_converged:
      return "the step is too large, no motion of a tree was found";
    default:
      return "motion is not finite";
  }
}

}  // namespace

void begin_trees(const Model& m, const State& x, const Input& in, Workspace& w) {
  collect_joint_inputs(m, in, w);
  w.trees.stage[0].q = x.joint_position, w.trees.stage[0].v = x.joint_velocity;
}

void evaluate_tree_stage(const Model& m, double time, Rate what, std::size_t k, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const ForceStage& stage = w.stage[k];
  t.force.resize(m.trees.body.size()), t.torque.resize(m.trees.body.size());
  for (std::size_t i = 0; i < t.force.size(); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    t.force[i] = stage.impulse[body] / stage.weight, t.torque[i] = stage.angular_impulse[body] / stage.weight;
  }
  t.stage[k].weight = stage.weight;
  evaluate_trees(m, time, what, t, t.stage[k]);
}

void place_runge_kutta_trees(const Model& m, const State& x, double h, std::size_t k, Workspace& w) {
  place_tree_stage(m, x.joint_position, x.joint_velocity, h, k, w.trees);
  show_stage(m, k, w);
}

void finish_runge_kutta_trees(const Model& m, double h, Workspace& w) {
  finish_tree_stages(m, h, w.trees, w.next.joint_position, w.next.joint_velocity);
  follow_joints(m, w.trees.end, w.next);
}

void move_trees_by_euler(const Model& m, const State& x, double h, Carrying carrying, Workspace& w) {
  std::vector<double>& v = w.next.joint_velocity;
  for (std::size_t d = 0; d < v.size(); ++d) v[d] = x.joint_velocity[d] + h * w.trees.stage[0].rate[d];
  tree::integrate(m.trees.forest, x.joint_position, carrying == Carrying::end ? v : x.joint_velocity, h,
                  w.next.joint_position);
  follow_joints(m, w.trees.end, w.next);
}

TreeDrift drift_between_kicks(const Model& m, double h, bool variational, Workspace& w) {
  TreeWorkspace& t = w.trees;
  std::vector<double>&q = w.next.joint_position, &v = w.next.joint_velocity;
  const std::vector<double>& rate = t.stage[0].rate;
  for (std::size_t d = 0; d < v.size(); ++d) v[d] += 0.5 * h * rate[d];
  if (variational) {
    const tree::VariationalReport r =
        tree::drift_variationally(m.trees.forest, m.trees.parameters, h, q, v, t.variational);
    if (!r.done()) return {reason_of(r.status), r.link < 0 ? -1 : m.trees.body[std::size_t(r.link)]};
  } else {
    drift_freely(m, h, t, q, v);
  }
  TreeStage& second = t.stage[1];
  second.q = q, second.v = v;
  for (std::size_t d = 0; d < v.size(); ++d) second.v[d] += 0.5 * h * rate[d];
  show_stage(m, 1, w);
  return {};
}

void kick_trees_at_end(const Model& m, double h, Workspace& w) {
  std::vector<double>& v = w.next.joint_velocity;
  for (std::size_t d = 0; d < v.size(); ++d) v[d] += 0.5 * h * w.trees.stage[1].rate[d];
  follow_joints(m, w.trees.end, w.next);
}

void sum_tree_books(const Model& m, const State& x, Workspace& w) {
  TreeWorkspace& t = w.trees;
  clear_sums(m, t.sums);
  t.first_v = x.joint_velocity;
  take_momenta(m, t.stage[0].k, x.joint_velocity, t, t.first, t.start_total);
  take_momenta(m, t.end, w.next.joint_velocity, t, t.last_momenta, t.end_total);
  add_stretch(m, std::size_t(w.stages), w.next.joint_velocity, t);
}

void book_tree_stages(const Model& m, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  for (std::size_t i = 0; i < m.trees.body.size(); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    for (int s = 0; s < w.stages; ++s) {
      const ForceStage& stage = w.stage[std::size_t(s)];
      take_from_balance(i, stage.at.position[body], stage.impulse[body], stage.angular_impulse[body], t);
    }
  }
  for (std::size_t i = 0; i < f.trees.size(); ++i) {
    book_tree_sums(t.sums.tree[i], w.entries);
    const SpatialForce rest = (t.end_total[i] - t.start_total[i]) - t.sums.tree[i].total;
    w.entries.book(Cause::numerics, rest.force, rest.torque);
    if (f.joint[std::size_t(f.trees[i].link_begin)] == tree::JointKind::free) continue;
    SpatialForce reaction = t.sums.tree[i].total;
    for (int link = f.trees[i].link_begin; link < f.trees[i].link_end; ++link) {
      const auto body = std::size_t(m.trees.body[std::size_t(link)]);
      for (int s = 0; s < w.stages; ++s) {
        const ForceStage& stage = w.stage[std::size_t(s)];
        const Vec3& P = stage.impulse[body];
        reaction -= SpatialForce{cross(stage.at.position[body], P) + stage.angular_impulse[body], P};
      }
    }
    w.entries.book(Cause::joint, reaction.force, reaction.torque);
  }
}

}  // namespace stiction::step
