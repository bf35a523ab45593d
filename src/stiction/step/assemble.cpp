// From mechanics to mathematics: the only place where bodies and contacts become blocks and rows.
//
// At the candidate pose q_k, reached with velocities v_k, the end-of-step gap is linearised,
//     gap(q+) / h ~ gap_k / h + n.(u - u_k) >= 0,
// so that its fixed point v_k = v+ has the exact gap, M and contact frames of the end of the step. The first
// pass linearises at the start of the step, reached with v_k = 0. Contacts that touch at the start have u_n
// >= 0 instead, in the frame of the middle of the step: in a jam of sticking bodies gaps are bound by more
// rows than there are motions, and only u = 0 is always consistent; stabilise() gives back what gaps lose.
// Angular momentum is taken over in world axes: M(q_k) v+ = L + h tau + G^T r; where geometry is that of the
// end for all contacts, M is that of the start and h tau has the gyroscopic torque. Velocity blocks: free
// (velocity, spin in world axes), planar (two velocities in the plane, spin about its normal), particle
// (velocity); all padded to six. Trees and linkages are wide blocks: tree_contacts.cpp,
// mechanism_contacts.cpp.
#include <algorithm>
#include <cmath>

#include "stiction/step/friction_laws.h"
#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/soft_contacts.h"

namespace stiction::step {
namespace {

using complementarity::ContactRows;
using complementarity::width;

int find_root(std::vector<int>& root, int i) {
  while (root[std::size_t(i)] != i) {
    root[std::size_t(i)] = root[std::size_t(root[std::size_t(i)])];
    i = root[std::size_t(i)];
  }
  return i;
}

void add_owner(int owner, Workspace& w) {
  if (w.block_of_body[std::size_t(owner)] >= 0) return;
  w.block_of_body[std::size_t(owner)] = 0;
  w.body_of_block.push_back(owner);
}

void join(int a, int b, Workspace& w) {
  const int ra = find_root(w.island_root, a), rb = find_root(w.island_root, b);
  w.island_root[std::size_t(std::max(ra, rb))] = std::min(ra, rb);
}

/// Stopped mechanisms are part of the problem as a whole.
void join_mechanisms(const Model& m, Workspace& w) {
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    if (w.mechanisms[std::size_t(c.mechanism)].flows) continue;
    int last = -1;
    for (const int body : {c.a, c.b}) {
      if (body < 0 || !can_move(m, body)) continue;
      const int owner = owner_of(m, body);
      add_owner(owner, w);
      if (last >= 0) join(last, owner, w);
      last = owner;
    }
  }
}

/// Calls act(constraint, row of the model) for the rows of joints in the problem.
template <class Act>
void for_joint_rows(const Model& m, const Workspace& w, const Act& act) {
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    const int body = c.a >= 0 && m.mechanisms.linkage_of[std::size_t(c.a)] >= 0 ? c.a : c.b;
    if (w.mechanisms[std::size_t(c.mechanism)].flows || linkage_of(m, body) >= 0) continue;
    for (int r = c.row_begin; r < c.row_begin + int(rows_of(m, c, w).size()); ++r) act(c, r);
  }
}

/// Calls act(law) for those of the problem.
template <class Act>
void for_laws(const Model& m, const Workspace& w, const Act& act) {
  for (std::size_t k = 0; k < m.laws.size(); ++k)
    if (w.laws[k].in_problem) act(k);
}
/// A law's place among the rows of joints.
int law_row(const Model& m, std::size_t k) { return joint_row(int(m.mechanisms.row.size() + k)); }

/// What joints leave free of the linkages of the problem.
void prepare_linkages(const Model& m, const State& x, double h, Workspace& w) {
  for (std::size_t l = 0; l < w.linkages.size(); ++l)
    w.linkages[l].block = w.mechanisms[std::size_t(m.mechanisms.linkage[l].mechanism)].flows ? -1 : 0;
  for (const WorkContact& c : w.contacts)
    if (c.in_problem)
      for (const int body : {c.point.key.a, c.point.key.b})
        if (const int l = linkage_of(m, body); l >= 0) w.linkages[std::size_t(l)].block = 0;
  for (std::size_t l = 0; l < w.linkages.size(); ++l) {
    if (linkage_of(m, m.mechanisms.linkage[l].body.front()) < 0) w.linkages[l].block = -1;
    if (w.linkages[l].block < 0) continue;
    prepare_linkage(m, x, h, l, w);
    w.linkages[l].block = -1;
  }
  drop_idle_contacts(m, w);
}

/// Blocks of six of a body that owns a wide block; 0 for the others.
int wide_count(const Model& m, const Workspace& w, int owner) {
  if (m.link[std::size_t(owner)] >= 0) return blocks_of_tree(m, owner);
  const int l = linkage_of(m, owner);
  return l < 0 ? 0 : blocks_of(w.linkages[std::size_t(l)]);
}

/// w.body_of_block with as many entries for each body as it has blocks of six.
void widen_blocks(const Model& m, Workspace& w) {
  std::vector<int>& out = w.wide_bodies;
  out.clear();
  for (const int body : w.body_of_block)
    out.insert(out.end(), std::size_t(std::max(1, wide_count(m, w, body))), body);
  w.body_of_block.assign(out.begin(), out.end());
}

/// Wide blocks of the problem; blocks and islands of their owners -> those of all their bodies.
void place_wide(const Model& m, Workspace& w) {
  if (!m.trees.empty()) std::fill(w.trees.block_of_tree.begin(), w.trees.block_of_tree.end(), -1);
  std::size_t at = 0;
  for (std::size_t k = 0; k < w.body_of_block.size(); ++k) {
    const int owner = w.body_of_block[k], count = wide_count(m, w, owner);
    if (count == 0 || (k > 0 && owner == w.body_of_block[k - 1])) continue;
    const complementarity::WideBlock wide{int(k), count, at};
    at += std::size_t(wide.size() * wide.size());
    w.problem.wide.push_back(wide);
    complementarity::Island& mine = w.problem.islands[std::size_t(w.island_of_body[std::size_t(owner)])];
    if (mine.wide_begin == mine.wide_end) mine.wide_begin = int(w.problem.wide.size()) - 1;
    mine.wide_end = int(w.problem.wide.size());
    if (m.link[std::size_t(owner)] >= 0)
      place_tree(m, owner, int(k), w);
    else
      place_linkage(m, std::size_t(linkage_of(m, owner)), int(k), w);
  }
  w.problem.wide_A.assign(at, 0.0);
}

/// Bodies of the problem but for links.
void list_moved(const Model& m, Workspace& w) {
  w.moved.clear();
  for (std::size_t k = 0; k < w.body_of_block.size(); ++k) {
    const int owner = w.body_of_block[k];
    if (m.link[std::size_t(owner)] >= 0 || (k > 0 && owner == w.body_of_block[k - 1])) continue;
    const int l = linkage_of(m, owner);
    if (l < 0) {
      w.moved.push_back(owner);
      continue;
    }
    const std::vector<int>& bodies = m.mechanisms.linkage[std::size_t(l)].body;
    w.moved.insert(w.moved.end(), bodies.begin(), bodies.end());
  }
}

/// Islands by union-find, the lowest body index as root; then blocks sorted by (island, body).
void find_islands(const Model& m, const State& x, double h, Workspace& w) {
  const auto n = std::size_t(m.body_count());
  release_bodies(m, w);
  if (!m.mechanisms.empty()) prepare_linkages(m, x, h, w);
  w.island_root.resize(n), w.block_of_body.assign(n, -1), w.island_of_body.assign(n, -1);
  for (std::size_t i = 0; i < n; ++i) w.island_root[i] = int(i);
  for (const WorkContact& c : w.contacts) {
    if (!c.in_problem) continue;
    for (const int body : {c.point.key.a, c.point.key.b})
      if (can_move(m, body)) add_owner(owner_of(m, body), w);
    if (can_move(m, c.point.key.a) && can_move(m, c.point.key.b))
      join(owner_of(m, c.point.key.a), owner_of(m, c.point.key.b), w);
  }
  if (!m.mechanisms.empty()) join_mechanisms(m, w);
  for_laws(m, w, [&](std::size_t k) {
    int last = -1;
    for_owners(m, k, [&](int owner) {
      add_owner(owner, w);
      if (last >= 0) join(last, owner, w);
      last = owner;
    });
  });
  std::sort(w.body_of_block.begin(), w.body_of_block.end(), [&](int a, int b) {
    const int ra = find_root(w.island_root, a), rb = find_root(w.island_root, b);
    return ra != rb ? ra < rb : a < b;
  });
  const bool any_wide = !m.trees.empty() || !m.mechanisms.empty();
  if (any_wide) widen_blocks(m, w);
  for (std::size_t k = 0; k < w.body_of_block.size(); ++k) {
    const int body = w.body_of_block[k];
    if (k > 0 && body == w.body_of_block[k - 1]) {  // one of the further blocks of a wide one
      w.problem.islands.back().block_end = int(k) + 1;
      continue;
    }
    w.block_of_body[std::size_t(body)] = int(k);
    const int root = find_root(w.island_root, body);
    if (k == 0 || root != find_root(w.island_root, w.body_of_block[k - 1]))
      w.problem.islands.push_back({int(k), int(k), 0, 0});
    w.problem.islands.back().block_end = int(k) + 1;
    w.island_of_body[std::size_t(body)] = int(w.problem.islands.size()) - 1;
  }
  if (any_wide) place_wide(m, w);
  list_moved(m, w);
}

int island_of(const WorkContact& c, const Workspace& w) {
  const int a = w.island_of_body[std::size_t(c.point.key.a)];
  return a >= 0 ? a : w.island_of_body[std::size_t(c.point.key.b)];
}

int island_of(const ModelConstraint& c, const Workspace& w) {
  const int a = c.a < 0 ? -1 : w.island_of_body[std::size_t(c.a)];
  return a >= 0 ? a : w.island_of_body[std::size_t(c.b)];
}

/// Row blocks of a contact.
int blocks_of(const WorkContact& c) { return c.turns() ? 2 : 1; }

/// Contacts by (island, key), then rows of joints: a counting sort over islands keeps the keys in order.
void sort_contacts(const Model& m, Workspace& w) {
  for (WorkContact& c : w.contacts)
    if (c.in_problem) w.problem.islands[std::size_t(island_of(c, w))].contact_end += blocks_of(c);
  for_joint_rows(m, w, [&](const ModelConstraint& c, int) {
    ++w.problem.islands[std::size_t(island_of(c, w))].contact_end;
  });
  const auto island_of_law = [&](std::size_t k) { return std::size_t(law_island(m, k, w)); };
  for_laws(m, w, [&](std::size_t k) { ++w.problem.islands[island_of_law(k)].contact_end; });
  int total = 0;
  for (complementarity::Island& island : w.problem.islands) {
    const int count = island.contact_end;
    island.contact_begin = island.contact_end = total;
    total += count;
  }
  w.contact_of_row.resize(std::size_t(total));
  for (std::size_t i = 0; i < w.contacts.size(); ++i) {
    WorkContact& c = w.contacts[i];
    c.row = -1;
    if (!c.in_problem) continue;
    int& end = w.problem.islands[std::size_t(island_of(c, w))].contact_end;
    c.row = end, end += blocks_of(c);
    for (int row = c.row; row < end; ++row) w.contact_of_row[std::size_t(row)] = int(i);
  }
  for_joint_rows(m, w, [&](const ModelConstraint& c, int r) {
    const int row = w.problem.islands[std::size_t(island_of(c, w))].contact_end++;
    w.contact_of_row[std::size_t(row)] = joint_row(r);
  });
  for_laws(m, w, [&](std::size_t k) {
    w.contact_of_row[std::size_t(w.problem.islands[island_of_law(k)].contact_end++)] = law_row(m, k);
  });
}

/// M, M^-1 and v_free of one body at the candidate pose.
void fill_block(const Model& m, const State& x, double h, int body, const Quat& q, Workspace& w) {
  const auto i = std::size_t(body);
  double A[36] = {}, inv[36] = {}, v[6] = {};
  for (int k = 0; k < 6; ++k) A[7 * k] = inv[7 * k] = 1;
  for (int k = 0; k < 3; ++k) A[7 * k] = m.mass[i], inv[7 * k] = 1 / m.mass[i], v[k] = w.free.velocity[i][k];
  const Mat3 I = world_inertia(m.inertia[i], q);
  if (m.mobility[i] == Mobility::planar) {
    const Vec3& n = m.plane_normal[i];
    Vec3 e1, e2;
    tangents(n, e1, e2);
    A[14] = dot(n, I * n), inv[14] = 1 / A[14];
    v[0] = dot(e1, w.free.velocity[i]), v[1] = dot(e2, w.free.velocity[i]), v[2] = dot(n, w.free.spin[i]);
  } else if (m.mobility[i] == Mobility::free) {
    const Mat3 J = world_inertia({1 / m.inertia[i].x, 1 / m.inertia[i].y, 1 / m.inertia[i].z}, q);
    // not J L: J I is 1 but for a rounding, the same one in every step, and would let the spin grow or fall
    Vec3 change = world_inertia(m.inertia[i], x.orientation[i]) * x.spin[i] - I * x.spin[i];
    if (w.has_applied) change += w.angular_impulse[i];
    if (w.end_geometry) change += gyroscopic_impulse(m, x, h, i);
    const Vec3 spin = x.spin[i] + J * change;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) A[(3 + r) * 6 + 3 + c] = I(r, c), inv[(3 + r) * 6 + 3 + c] = J(r, c);
      v[3 + r] = spin[r];
    }
  }
  w.problem.A.insert(w.problem.A.end(), A, A + 36);
  w.problem.A_inverse.insert(w.problem.A_inverse.end(), inv, inv + 36);
  w.problem.v_free.insert(w.problem.v_free.end(), v, v + 6);
}

void fill_contact(const Model& m, const WorkContact& c, double h, Workspace& w) {
  ContactRows rows;
  rows.mu = c.mu;
  const int bodies[2] = {c.point.key.a, c.point.key.b};
  const Vec3 directions[3] = {c.point.normal, c.tangent[0], c.tangent[1]};
  Vec3 prescribed;  // relative velocity that prescribed bodies and joints bring in
  for (int side = 0; side < 2; ++side) {
    const int body = bodies[side];
    const double sign = side == 0 ? -1 : 1;
    rows.block[side] = w.block_of_body[std::size_t(body)];
    const Vec3& arm = c.arm[side];
    if (rows.block[side] >= 0 && m.link[std::size_t(body)] >= 0) {
      fill_wide_rows(m, c, side, w, rows);
    } else if (rows.block[side] >= 0 && linkage_of(m, body) >= 0) {
      fill_linkage_rows(m, c, side, w, rows);
      prescribed += sign * given_velocity(m, w, body, arm);
    } else if (rows.block[side] >= 0) {
      for (int k = 0; k < 3; ++k) fill_row(m, body, arm, directions[k], sign, rows.G[side] + k * width);
    } else if (m.body_kind[std::size_t(body)] == kinematic) {
      prescribed += sign * (w.free.velocity[std::size_t(body)] + cross(w.free.spin[std::size_t(body)], arm));
    }
  }
  for (int k = 0; k < 3; ++k) rows.b[k] = dot(directions[k], prescribed) + c.lag[k];
  if (m.surfaces_move) rows.b[1] += dot(c.tangent[0], c.belt), rows.b[2] += dot(c.tangent[1], c.belt);
  if (!c.touches)
    rows.b[0] +=
        (c.point.gap - c.allowed) / h - (c.kept ? 0.0 : dot(c.point.normal, relative_velocity(w.base, c)));
  if (c.gives_way()) soften(c, h, w, rows);
  w.problem.contacts[std::size_t(c.row)] = rows;
  const Vec3 r = row_impulse(c);
  for (int k = 0; k < 3; ++k) w.r[std::size_t(3 * c.row + k)] = r[k];
}

/// The block behind a contact that resists spin and rolling.
void fill_turning(const Model& m, const WorkContact& c, Workspace& w) {
  ContactRows rows;
  rows.kind = complementarity::RowKind::turning, rows.mu = c.mu, rows.rolling = rolling_limit(c);
  const TurningAxes turning = turning_axes(c);
  Vec3 axes[3];
  for (int k = 0; k < 3; ++k) axes[k] = turning.lever[k] * turning.unit[k];
  Vec3 prescribed;  // relative spin that prescribed bodies and joints bring in
  for (int side = 0; side < 2; ++side) {
    const int body = side == 0 ? c.point.key.a : c.point.key.b;
    const double sign = side == 0 ? -1 : 1;
    rows.block[side] = w.block_of_body[std::size_t(body)];
    if (rows.block[side] >= 0 && m.link[std::size_t(body)] >= 0) {
      fill_wide_turning(m, c, axes, side, w, rows);
    } else if (rows.block[side] >= 0 && linkage_of(m, body) >= 0) {
      prescribed += sign * fill_linkage_turning(m, c, axes, side, w, rows);
    } else if (rows.block[side] >= 0) {
      for (int k = 0; k < 3; ++k) fill_turn(m, body, sign * axes[k], rows.G[side] + k * width);
    } else if (m.body_kind[std::size_t(body)] == kinematic) {
      prescribed += sign * w.free.spin[std::size_t(body)];
    }
  }
  const Vec3 r = row_moment(c);
  for (int k = 0; k < 3; ++k) {
    rows.b[k] = dot(axes[k], prescribed);
    w.r[std::size_t(3 * (c.row + 1) + k)] = r[k];
  }
  w.problem.contacts[std::size_t(c.row) + 1] = rows;
}

/// The certificate's u_scale of every island, and how fast each row approaches.
void velocity_scales(Workspace& w) {
  w.velocity_scale.assign(w.problem.islands.size(), 0.0);
  w.bodies.approach.assign(w.problem.contacts.size(), 0.0);
  for (std::size_t k = 0; k < w.problem.islands.size(); ++k) {
    const complementarity::Island& island = w.problem.islands[k];
    for (int i = island.contact_begin; i < island.contact_end; ++i) {
      const ContactRows& rows = w.problem.contacts[std::size_t(i)];
      if (w.contact_of_row[std::size_t(i)] < 0 && rows.kind != complementarity::RowKind::box) continue;
      double u[3];
      complementarity::local_velocity(w.problem, rows, w.problem.v_free.data(), u);
      w.bodies.approach[std::size_t(i)] = -u[0];
      if (rows.kind == complementarity::RowKind::box) {
        // motors and friction: what they ask for, or what they can change, if it is less
        const double most = 3 * complementarity::mean_diagonal(w.problem, rows) * rows.high;
        u[0] = -std::fmin(std::fabs(u[0]), most), u[1] = u[2] = 0;
        if (rows.low == 0 || !std::isfinite(most)) continue;  // limits, held rows
      }
      if (rows.give > 0) {  // what its impulse changes of the velocity, not how deep it is
        const double own = complementarity::mean_diagonal(w.problem, rows);
        u[0] *= own / (own + rows.give);
      }
      if (rows.kind != complementarity::RowKind::turning) u[0] = std::fmin(u[0], 0.0);
      w.velocity_scale[k] =
          std::fmax(w.velocity_scale[k], std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    }
  }
}

}  // namespace

std::size_t open_wide_rows(int side, std::size_t size, complementarity::FrictionProblem& p,
                           complementarity::ContactRows& rows) {
  if (rows.wide[side] >= 0) return p.wide_rows[std::size_t(rows.wide[side])].at;
  const bool same = side == 1 && rows.block[0] == rows.block[1];
  if (same) {
    rows.block[1] = -1;
  } else {
    rows.wide[side] = int(p.wide_rows.size());
    p.wide_rows.push_back({int(size), p.wide_G.size()});
    p.wide_G.insert(p.wide_G.end(), 3 * size, 0.0), p.wide_Y.insert(p.wide_Y.end(), 3 * size, 0.0);
  }
  return p.wide_rows[std::size_t(rows.wide[same ? 0 : side])].at;
}

void release_bodies(const Model& m, Workspace& w) {
  if (!m.trees.empty()) release_trees(m, w);
  for (const int body : w.moved) {
    const auto i = std::size_t(body);
    w.next.position[i] = w.free.position[i], w.next.orientation[i] = w.free.orientation[i];
    w.next.velocity[i] = w.free.velocity[i], w.next.spin[i] = w.free.spin[i];
  }
  w.body_of_block.clear(), w.moved.clear();
  w.problem.clear();
}

void fill_row(const Model& m, int body, const Vec3& arm, const Vec3& direction, double sign, double row[6]) {
  const auto i = std::size_t(body);
  const Vec3 d = sign * direction, turn = cross(arm, d);
  if (m.mobility[i] == Mobility::planar) {
    Vec3 e1, e2;
    tangents(m.plane_normal[i], e1, e2);
    row[0] = dot(e1, d), row[1] = dot(e2, d), row[2] = dot(m.plane_normal[i], turn);
    row[3] = row[4] = row[5] = 0;
    return;
  }
  const bool turns = m.mobility[i] == Mobility::free;
  for (int k = 0; k < 3; ++k) row[k] = d[k], row[3 + k] = turns ? turn[k] : 0.0;
}

void fill_turn(const Model& m, int body, const Vec3& axis, double row[6]) {
  const Mobility how = m.mobility[std::size_t(body)];
  for (int k = 0; k < 6; ++k) row[k] = 0;
  if (how == Mobility::planar) row[2] = dot(m.plane_normal[std::size_t(body)], axis);
  if (how == Mobility::free)
    for (int k = 0; k < 3; ++k) row[3 + k] = axis[k];
}

void assemble(const Model& m, const State& x, double h, Workspace& w) {
  find_islands(m, x, h, w);
  sort_contacts(m, w);
  if (!m.trees.empty()) prepare_trees(m, w);
  for (std::size_t k = 0; k < w.body_of_block.size(); ++k) {
    const int body = w.body_of_block[k];
    if (m.link[std::size_t(body)] >= 0)
      fill_wide_block(m, int(k), w);
    else if (const int l = linkage_of(m, body); l >= 0)
      fill_linkage_block(w.linkages[std::size_t(l)], int(k) - w.block_of_body[std::size_t(body)], w);
    else
      fill_block(m, x, h, body, w.mass_pose[std::size_t(body)], w);
  }
  w.problem.contacts.resize(w.contact_of_row.size());
  w.r.resize(3 * w.contact_of_row.size());
  w.v.resize(w.problem.v_free.size());
  for (std::size_t row = 0; row < w.contact_of_row.size(); ++row) {
    if (w.contact_of_row[row] < 0) continue;
    const WorkContact& c = w.contacts[std::size_t(w.contact_of_row[row])];
    if (c.row == int(row))
      fill_contact(m, c, h, w);
    else
      fill_turning(m, c, w);
  }
  if (!m.mechanisms.empty() || !m.laws.empty()) {
    w.row_of_joint.resize(m.mechanisms.row.size() + m.laws.size());
    for (std::size_t row = 0; row < w.contact_of_row.size(); ++row)
      if (w.contact_of_row[row] < 0) w.row_of_joint[std::size_t(joint_row(w.contact_of_row[row]))] = int(row);
    for_joint_rows(m, w, [&](const ModelConstraint& c, int r) {
      fill_joint(m, c, r, w.row_of_joint[std::size_t(r)], w);
    });
    for_laws(m, w, [&](std::size_t k) { fill_law(m, k, w.row_of_joint[m.mechanisms.row.size() + k], w); });
  }
  velocity_scales(w);
}

void apply_impulses(const Model& m, Workspace& w) {
  w.impulse_scale.assign(w.problem.islands.size(), 0.0);
  w.pushed.assign(w.body_of_block.size(), 0);
  for (std::size_t k = 0; k < w.problem.islands.size(); ++k) {
    const complementarity::Island& island = w.problem.islands[k];
    complementarity::velocities_from(w.problem, island, w.r.data(), w.v.data());
    for (int row = island.contact_begin; row < island.contact_end; ++row) {
      const double* r = w.r.data() + 3 * row;
      if (r[0] != 0 || r[1] != 0 || r[2] != 0)
        for (const int block : w.problem.contacts[std::size_t(row)].block)
          if (block >= 0) w.pushed[std::size_t(block)] = 1;
      if (const int code = w.contact_of_row[std::size_t(row)]; code < 0) {
        const auto joint = std::size_t(joint_row(code)), joints = m.mechanisms.row.size();
        if (joint < joints)
          w.joint_impulse[joint] = r[0];
        else
          w.laws[joint - joints].impulse = m.laws[joint - joints].size * r[0];
        continue;
      }
      WorkContact& c = w.contacts[std::size_t(w.contact_of_row[std::size_t(row)])];
      if (c.row != row) {
        c.moment = moment_of_rows(c, {r[0], r[1], r[2]});
        continue;
      }
      c.impulse = r[0] * c.point.normal + r[1] * c.tangent[0] + r[2] * c.tangent[1];
      w.impulse_scale[k] = std::fmax(w.impulse_scale[k], norm(c.impulse));
    }
  }
  for (std::size_t k = 0; k < w.body_of_block.size(); ++k) {
    const auto i = std::size_t(w.body_of_block[k]);
    const double* v = w.v.data() + 6 * k;
    if (m.mobility[i] == Mobility::link || linkage_of(m, int(i)) >= 0) continue;
    if (m.mobility[i] == Mobility::planar) {
      // changes of the free motion: v e alone has the rounding of |e| in it, the same one in every step
      const Vec3 &n = m.plane_normal[i], &free = w.free.velocity[i], &spin = w.free.spin[i];
      Vec3 e1, e2;
      tangents(n, e1, e2);
      w.next.velocity[i] =
          free - dot(n, free) * n + ((v[0] - dot(e1, free)) * e1 + (v[1] - dot(e2, free)) * e2);
      w.next.spin[i] = spin + (v[2] - dot(n, spin)) * n;
      continue;
    }
    if (!w.pushed[k] && w.carry.end_inertia &&
        !w.stabilised) {  // nothing pushes it: it moves as it would alone, whatever M was
      w.next.velocity[i] = w.free.velocity[i], w.next.spin[i] = w.free.spin[i];
      w.mass_pose[i] = w.free.orientation[i];
      continue;
    }
    w.next.velocity[i] = {v[0], v[1], v[2]};
    if (m.mobility[i] == Mobility::free) w.next.spin[i] = {v[3], v[4], v[5]};
  }
  if (!m.trees.empty()) push_trees(m, w);
  if (!m.mechanisms.empty()) push_linkages(m, w);
}

}  // namespace stiction::step
