// Contacts on trees: a tree is one wide block of the problem (complementarity/friction_problem.h).
//
//     (M_k + h D) (v+ - v_f) = G_k^T r,     q+ = q + h v+
//
// M_k and G_k at the pose q_k of the problem, first that of the start, then that of the candidate end (G_k of
// contacts that last: halfway there, as for bodies); D the dampers of joints, implicit as in the kick; v_f
// the start's velocities with all other impulses given, and what the drift adds to v+ (carry_trees()). G_k is
// J of the contact frame, M_k^-1 G_k^T comes from the articulated-body sweeps, in time proportional to the
// number of coordinates (dynamics/tree). A contact between two links of one tree has the difference of their
// rows.
//
// Free motion ends at a q_f of fourth order, contacts let every tree that they are in the problem of end at q
// + h v+ instead: a foot that sticks (v+ = 0 there) has to stay where it is, while free motion, held back at
// its end only, would let it creep by h^2 a / 2 in every step, a being what the moving parts of the tree
// would do to it if it were not held. A tree stays with the latter for the whole step once a contact was in
// it, so that the passes have one function to find the root of.
//
// When it fails: M_k is dense, Newton's factorisation takes the third power of the number of a tree's
// coordinates. Some hundred are fine; above, the sweeps, which need time in proportion to it, do the work.
#include <algorithm>
#include <cmath>

#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

using complementarity::width;

const tree::TreeRange& range_of(const Model& m, std::size_t tree) { return m.trees.forest.trees[tree]; }
int dofs_of(const tree::TreeRange& tree) { return tree.v_end - tree.v_begin; }
int blocks_of(const tree::TreeRange& tree) { return (dofs_of(tree) + width - 1) / width; }
std::size_t tree_of_body(const Model& m, int body) {
  return std::size_t(m.trees.forest.tree_of[std::size_t(m.link[std::size_t(body)])]);
}

/// Dense M + h D of one tree, padded: identity.
void fill_dense(const Model& m, const tree::TreeRange& tree, const TreeWorkspace& t,
                const complementarity::WideBlock& wide, std::vector<double>& out) {
  const tree::Forest& f = m.trees.forest;
  const auto n = std::size_t(wide.size());
  double* A = out.data() + wide.at;
  for (auto i = std::size_t(dofs_of(tree)); i < n; ++i) A[i * n + i] = 1;
  for (int i = tree.v_begin; i < tree.v_end; ++i) {
    const double* row = t.mass.rows.data() + f.row_begin[std::size_t(i)];
    for (int j = i; j >= 0; j = f.dof_parent[std::size_t(j)], ++row) {
      const auto a = std::size_t(i - tree.v_begin), b = std::size_t(j - tree.v_begin);
      A[a * n + b] = A[b * n + a] = *row;
    }
    const auto a = std::size_t(i - tree.v_begin);
    A[a * n + a] += t.added[std::size_t(i)];
  }
}

Mat3 frame_of(const WorkContact& c) {
  const Vec3 rows[3] = {c.point.normal, c.tangent[0], c.tangent[1]};
  Mat3 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = rows[i][j];
  return out;
}

/// J of the contact on one link, at the pose of `k`: t.rows.
void find_rows(const Model& m, const WorkContact& c, bool second, const tree::Kinematics& k,
               TreeWorkspace& t) {
  const int link = m.link[std::size_t(second ? c.point.key.b : c.point.key.a)];
  const auto n = std::size_t(dofs_of(range_of(m, std::size_t(m.trees.forest.tree_of[std::size_t(link)]))));
  t.rows.resize(3 * n);
  tree::contact_jacobian(m.trees.forest, k, link, tree::centre_of_mass(k, link) + c.arm[second], frame_of(c),
                         t.rows);
}

/// M^-1 J^T for t.rows, M at the pose of `k`: t.answer. With J of the same pose, `same`, by the sweeps for a
/// contact, which know that all but the way to the root is zero.
void respond(const Model& m, const WorkContact& c, bool second, const tree::Kinematics& k,
             const tree::Articulated& a, bool same, TreeWorkspace& t) {
  const tree::Forest& f = m.trees.forest;
  const int link = m.link[std::size_t(second ? c.point.key.b : c.point.key.a)];
  t.answer.resize(t.rows.size());
  if (same) {
    tree::impulse_response(f, k, a, link, tree::centre_of_mass(k, link) + c.arm[second], frame_of(c), t.sweep,
                           t.answer);
    return;
  }
  const int tree = f.tree_of[std::size_t(link)];
  const auto begin = range_of(m, std::size_t(tree)).v_begin;
  const auto n = std::ptrdiff_t(t.rows.size() / 3);
  t.tau.resize(f.dof.size()), t.v.resize(f.dof.size());
  for (std::ptrdiff_t row = 0; row < 3; ++row) {
    std::copy(t.rows.begin() + row * n, t.rows.begin() + (row + 1) * n, t.tau.begin() + begin);
    tree::solve_tree(f, k, a, tree, t.tau, t.sweep, t.v);
    std::copy(t.v.begin() + begin, t.v.begin() + begin + n, t.answer.begin() + row * n);
  }
}

/// What takes the trees from the start to w.next -> t.mean_velocity. v+ of a tree that flows belongs to the
/// pose of its end: at another one it is no velocity of the links. (Impacts come before flows: their trees
/// have blocks.)
void find_mean(const Model& m, Workspace& w) {
  TreeWorkspace& t = w.trees;
  t.mean_velocity = w.next.joint_velocity;
  for (std::size_t tree = 0; tree < t.flows.size(); ++tree)
    if (const tree::TreeRange& range = range_of(m, tree); t.flows[tree] && t.block_of_tree[tree] < 0)
      std::copy(t.flow_mean.begin() + range.v_begin, t.flow_mean.begin() + range.v_end,
                t.mean_velocity.begin() + range.v_begin);
}

/// Whether a contact sees a body by t.mean_velocity: links, but for gaps, which flows leave as they are at
/// their end.
bool sees_mean(const Model& m, const WorkContact& c, int body, const Workspace& w) {
  const int link = m.link[std::size_t(body)];
  return link >= 0 && (c.touches || !flows(m, w, link));
}

/// [m/s] of one body at a contact, links by their twists `seen` at the pose of `k`.
Vec3 side_velocity(const Model& m, const WorkContact& c, bool second, const tree::Kinematics& k,
                   const std::vector<SpatialMotion>& seen, const Workspace& w) {
  const int body = second ? c.point.key.b : c.point.key.a;
  const auto i = std::size_t(body);
  if (!sees_mean(m, c, body, w)) return w.next.velocity[i] + cross(w.next.spin[i], c.arm[second]);
  const auto link = std::size_t(m.link[i]);
  const RigidInertia& own = k.inertia[link];
  return moved(seen[link], own.moment / own.mass + c.arm[second]).linear;
}

/// Velocities of the links of a tree, at the pose of the problem.
void set_seen(const Model& m, std::size_t tree, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::TreeRange& range = range_of(m, tree);
  for (auto i = std::size_t(range.link_begin); i < std::size_t(range.link_end); ++i) {
    const RigidInertia& own = t.base.inertia[i];
    const SpatialMotion at_centre = moved(t.seen[i], own.moment / own.mass);
    const auto body = std::size_t(m.trees.body[i]);
    w.next.velocity[body] = at_centre.linear, w.next.spin[body] = at_centre.angular;
  }
}

}  // namespace

bool can_move(const Model& m, int body) {
  const auto i = std::size_t(body);
  if (m.mobility[i] != Mobility::link) return m.mobility[i] != Mobility::none;
  const tree::Forest& f = m.trees.forest;
  for (int link = m.link[i]; link >= 0; link = f.parent[std::size_t(link)])
    if (f.v_begin[std::size_t(link) + 1] > f.v_begin[std::size_t(link)]) return true;
  return false;  // welded to the world
}

int block_owner(const Model& m, int body) {
  if (m.link[std::size_t(body)] < 0) return body;
  return m.trees.body[std::size_t(range_of(m, tree_of_body(m, body)).link_begin)];
}

int blocks_of_tree(const Model& m, int owner) { return blocks_of(range_of(m, tree_of_body(m, owner))); }

void place_tree(const Model& m, int owner, int block, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const std::size_t tree = tree_of_body(m, owner);
  const tree::TreeRange& range = range_of(m, tree);
  t.block_of_tree[tree] = block, t.touched[tree] = 1;
  const int island = w.island_of_body[std::size_t(owner)];
  t.island_of_tree[tree] = island;
  for (auto i = std::size_t(range.link_begin); i < std::size_t(range.link_end); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    const bool moves = can_move(m, int(body));
    w.block_of_body[body] = moves ? block : -1, w.island_of_body[body] = moves ? island : -1;
  }
}

void release_trees(const Model& m, Workspace& w) {
  TreeWorkspace& t = w.trees;
  for (std::size_t tree = 0; tree < t.block_of_tree.size(); ++tree) {
    if (t.block_of_tree[tree] < 0) continue;
    const tree::TreeRange& range = range_of(m, tree);
    std::copy(w.free.joint_position.begin() + range.q_begin, w.free.joint_position.begin() + range.q_end,
              w.next.joint_position.begin() + range.q_begin);
    std::copy(t.drifted.begin() + range.v_begin, t.drifted.begin() + range.v_end,
              w.next.joint_velocity.begin() + range.v_begin);
    for (auto i = std::size_t(range.link_begin); i < std::size_t(range.link_end); ++i) {
      const auto b = std::size_t(m.trees.body[i]);
      w.next.position[b] = w.free.position[b], w.next.orientation[b] = w.free.orientation[b];
      w.next.velocity[b] = w.free.velocity[b], w.next.spin[b] = w.free.spin[b];
    }
    t.block_of_tree[tree] = -1;
  }
}

void prepare_trees(const Model& m, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  tree::update_positions(f, m.trees.parameters, w.base.joint_position, t.base);
  tree::factorise(f, m.trees.parameters, t.base, t.added, t.base_factors);
  if (w.problem.wide.empty()) return;
  tree::mass_matrix(f, m.trees.parameters, t.base, t.mass);
  for (const complementarity::WideBlock& wide : w.problem.wide)
    if (const int owner = w.body_of_block[std::size_t(wide.first)]; m.link[std::size_t(owner)] >= 0)
      fill_dense(m, range_of(m, tree_of_body(m, owner)), t, wide, w.problem.wide_A);
}

void fill_wide_block(const Model& m, int block, Workspace& w) {
  const int owner = w.body_of_block[std::size_t(block)];
  const tree::TreeRange& tree = range_of(m, tree_of_body(m, owner));
  const auto wide = std::find_if(w.problem.wide.begin(), w.problem.wide.end(),
                                 [&](const auto& b) { return block < b.first + b.count; });
  const int n = wide->size(), first = (block - wide->first) * width;
  const double* A = w.problem.wide_A.data() + wide->at;
  for (int i = first; i < first + width; ++i) {
    w.problem.A.insert(w.problem.A.end(), A + i * n + first, A + i * n + first + width);
    w.problem.v_free.push_back(i < dofs_of(tree) ? w.trees.carried[std::size_t(tree.v_begin + i)] : 0.0);
  }
  w.problem.A_inverse.insert(w.problem.A_inverse.end(), std::size_t(width * width), 0.0);
}

namespace {

/// t.rows and t.answer -> the rows of one side.
void put_wide_rows(int side, Workspace& w, complementarity::ContactRows& rows) {
  const TreeWorkspace& t = w.trees;
  complementarity::FrictionProblem& p = w.problem;
  const std::size_t n = t.rows.size() / 3, size = (n + width - 1) / width * width;
  const double sign = side == 0 ? -1 : 1;
  const std::size_t at = open_wide_rows(side, size, p, rows);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t k = 0; k < n; ++k) {
      p.wide_G[at + row * size + k] += sign * t.rows[row * n + k];
      p.wide_Y[at + row * size + k] += sign * t.answer[row * n + k];
    }
}

}  // namespace

void fill_wide_rows(const Model& m, const WorkContact& c, int side, Workspace& w,
                    complementarity::ContactRows& rows) {
  TreeWorkspace& t = w.trees;
  find_rows(m, c, side == 1, c.middle ? t.base_middle : t.base, t);
  respond(m, c, side == 1, t.base, t.base_factors, !c.middle, t);
  put_wide_rows(side, w, rows);
}

void fill_wide_turning(const Model& m, const WorkContact& c, const Vec3 axes[3], int side, Workspace& w,
                       complementarity::ContactRows& rows) {
  TreeWorkspace& t = w.trees;
  const int link = m.link[std::size_t(side == 0 ? c.point.key.a : c.point.key.b)];
  const tree::Kinematics& k = c.middle ? t.base_middle : t.base;
  const auto n = std::size_t(dofs_of(range_of(m, std::size_t(m.trees.forest.tree_of[std::size_t(link)]))));
  t.rows.assign(3 * n, 0.0);
  for (std::size_t row = 0; row < 3; ++row)
    tree::add_row(m.trees.forest, k, link, {}, {}, axes[row], std::span(t.rows).subspan(row * n, n));
  respond(m, c, side == 1, t.base, t.base_factors, false, t);
  put_wide_rows(side, w, rows);
}

void push_trees(const Model& m, Workspace& w) {
  TreeWorkspace& t = w.trees;
  for (std::size_t tree = 0; tree < t.block_of_tree.size(); ++tree) {
    if (t.block_of_tree[tree] < 0) continue;
    const tree::TreeRange& range = range_of(m, tree);
    const double* v = w.v.data() + width * t.block_of_tree[tree];
    std::copy(v, v + dofs_of(range), w.next.joint_velocity.begin() + range.v_begin);
  }
  find_mean(m, w);
  t.seen.resize(m.trees.body.size());
  tree::link_twists(m.trees.forest, t.base, t.mean_velocity, t.seen);
  t.seen_middle.resize(m.trees.body.size());
  if (!t.base_middle.pose.empty())
    tree::link_twists(m.trees.forest, t.base_middle, t.mean_velocity, t.seen_middle);
  for (std::size_t tree = 0; tree < t.block_of_tree.size(); ++tree)
    if (t.block_of_tree[tree] >= 0) set_seen(m, tree, w);
}

void advance_trees(const Model& m, const State& x, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  t.q.resize(x.joint_position.size());
  tree::integrate(f, x.joint_position, w.next.joint_velocity, h, t.q);
  for (std::size_t tree = 0; tree < t.touched.size(); ++tree)
    if (t.touched[tree])
      std::copy(t.q.begin() + range_of(m, tree).q_begin, t.q.begin() + range_of(m, tree).q_end,
                w.next.joint_position.begin() + range_of(m, tree).q_begin);
  follow_joints(m, t.end, w.next);
  tree::factorise(f, m.trees.parameters, t.end, t.added, t.end_factors);
}

void shift_trees(const Model& m, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  t.move.assign(w.next.joint_velocity.size(), 0.0);
  for (std::size_t tree = 0; tree < t.block_of_tree.size(); ++tree) {
    if (t.block_of_tree[tree] < 0) continue;
    const double* d = w.v.data() + width * t.block_of_tree[tree];
    std::copy(d, d + dofs_of(range_of(m, tree)), t.move.begin() + range_of(m, tree).v_begin);
  }
  tree::integrate(f, w.next.joint_position, t.move, 1.0, w.next.joint_position);
  follow_joints(m, t.end, w.next);
}

void find_middle_of_trees(const Model& m, const State& x, Workspace& w) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  t.move.resize(f.dof.size()), t.q.resize(x.joint_position.size());
  tree::difference(f, x.joint_position, w.next.joint_position, t.move);
  tree::integrate(f, x.joint_position, t.move, 0.5, t.q);
  tree::update_positions(f, m.trees.parameters, t.q, t.end_middle);
  const std::size_t links = m.trees.body.size();
  t.end_seen_middle.resize(links), t.middle_position.resize(links), t.middle_orientation.resize(links);
  find_mean(m, w);
  tree::link_twists(f, t.end_middle, t.mean_velocity, t.end_seen_middle);
  for (std::size_t i = 0; i < links; ++i)
    place_link(m.trees, t.end_middle, i, t.middle_position[i], t.middle_orientation[i]);
}

/// The frame may be that of the middle; M is not, and the difference, of order h, is one of scale only.
double tree_inverse_mass(const Model& m, const WorkContact& c, bool at_base, Workspace& w, double side[2]) {
  TreeWorkspace& t = w.trees;
  const tree::Kinematics& k = at_base ? t.base : t.end;
  const tree::Articulated& factors = at_base ? t.base_factors : t.end_factors;
  const int links[2] = {m.link[std::size_t(c.point.key.a)], m.link[std::size_t(c.point.key.b)]};
  double sum = 0;
  for (const bool second : {false, true}) {
    if (links[second] < 0) continue;
    const Vec3 point = tree::centre_of_mass(k, links[second]) + c.arm[second];
    const Mat3 W =
        tree::collision_matrix(m.trees.forest, k, factors, links[second], point, frame_of(c), t.sweep);
    side[second] += W(0, 0) + W(1, 1) + W(2, 2);
    sum += W(0, 0) + W(1, 1) + W(2, 2);
  }
  const std::vector<int>& tree_of = m.trees.forest.tree_of;
  if (links[0] < 0 || links[1] < 0 || tree_of[std::size_t(links[0])] != tree_of[std::size_t(links[1])])
    return sum;
  find_rows(m, c, false, k, t);  // two links of one tree: less what each does to the other
  respond(m, c, false, k, factors, true, t);
  find_rows(m, c, true, k, t);
  for (std::size_t i = 0; i < t.rows.size(); ++i) sum -= 2 * t.rows[i] * t.answer[i];
  return sum;
}

Vec3 base_velocity(const Model& m, const WorkContact& c, const Workspace& w) {
  const TreeWorkspace& t = w.trees;
  const auto one = [&](bool second) {
    return c.middle ? side_velocity(m, c, second, t.base_middle, t.seen_middle, w)
                    : side_velocity(m, c, second, t.base, t.seen, w);
  };
  return one(true) - one(false);
}

Vec3 end_velocity(const Model& m, const WorkContact& c, const Workspace& w) {
  if (m.trees.empty() || !c.middle) return relative_velocity(w.next, c);
  const TreeWorkspace& t = w.trees;
  return side_velocity(m, c, true, t.end_middle, t.end_seen_middle, w) -
         side_velocity(m, c, false, t.end_middle, t.end_seen_middle, w);
}

namespace {

/// [rad/s] of body b against body a, links by their twists `seen`.
Vec3 spin_between(const Model& m, const WorkContact& c, const std::vector<SpatialMotion>& seen,
                  const Workspace& w) {
  const auto one = [&](int body) {
    const auto i = std::size_t(body);
    return sees_mean(m, c, body, w) ? seen[std::size_t(m.link[i])].angular : w.next.spin[i];
  };
  return one(c.point.key.b) - one(c.point.key.a);
}

}  // namespace

Vec3 base_spin(const Model& m, const WorkContact& c, const Workspace& w) {
  return spin_between(m, c, c.middle ? w.trees.seen_middle : w.trees.seen, w);
}

Vec3 end_spin(const Model& m, const WorkContact& c, const Workspace& w) {
  if (!m.trees.empty() && c.middle) return spin_between(m, c, w.trees.end_seen_middle, w);
  return w.next.spin[std::size_t(c.point.key.b)] - w.next.spin[std::size_t(c.point.key.a)];
}

}  // namespace stiction::step
