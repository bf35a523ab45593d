// Force and torque through the joints of trees, from the balance of momentum over the step. For a link i, all
// that hangs on it included (the sum over j),
//     h F_i = sum (m_j v+_j - m_j v_j) - sum P
//     h T_i = sum (L+_j - L_j) - sum ((c - o_i) x P + l)
// with L the angular momentum of a link about the fixed point o_i, P and l the impulses of all that is no
// joint of the tree: gravity, forces, contacts, rows of constraints. The sum takes joints of the tree further
// out as inner forces. So F and T hold whatever goes through the joint: what its form bears, and springs,
// dampers, motors, limits, friction and gears along its coordinates; F_i less those of the joints further out
// and what else acts is the change of the link's momentum, to round-off.
//
// o_i is a point on the way of the joint through the step, c where an impulse acts as the step has it: for
// trees that move by stages the middle, and the stages' own places; for kick and drift the start, as in the
// books (tree_books.cpp). T is the torque about the joint as it moves, up to what the way of the joint within
// the step does to the mean: second order in h with stages, first with kick and drift.
//
// Symbols: h step [s], m [kg], v [m/s] of centres of mass, F [N], T [N m], L [kg m^2/s]. Armature is no part
// of any link's momentum, so its inertia is not in T.
#include "stiction/step/link_reactions.h"

#include "stiction/step/stages.h"
#include "stiction/step/trees.h"

namespace stiction::step {

void begin_link_balance(const Model& m, const State& x, const Motions& end, Pivot pivot, Workspace& w) {
  TreeWorkspace& t = w.trees;
  t.through.resize(m.trees.body.size()), t.pivot.resize(m.trees.body.size());
  for (std::size_t i = 0; i < t.through.size(); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    const Vec3 start = joint_point(m, i, x.position[body], x.orientation[body]);
    const Vec3 last = joint_point(m, i, end.position[body], end.orientation[body]);
    t.pivot[i] = pivot == Pivot::middle || flows(m, w, int(i)) ? start + 0.5 * (last - start) : start;
    const auto momentum = [&](const auto& q) {
      const Vec3 p = m.mass[body] * q.velocity[body];
      const Vec3 turning = world_inertia(m.inertia[body], q.orientation[body]) * q.spin[body];
      return SpatialForce{turning + cross(q.position[body] - t.pivot[i], p), p};
    };
    t.through[i] = momentum(end) - momentum(x);
  }
}

void end_link_balance(const Model& m, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const std::vector<int>& parent = m.trees.forest.parent;
  for (std::size_t i = t.through.size(); i-- > 0;) {
    SpatialForce& own = t.through[i];
    if (parent[i] >= 0) {
      const auto p = std::size_t(parent[i]);
      t.through[p] += moved_back(own, t.pivot[i] - t.pivot[p]);
    }
    own = {own.torque / h, own.force / h};
  }
}

}  // namespace stiction::step
