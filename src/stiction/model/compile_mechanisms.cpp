// From constraint joints of a scene to rows, and to the forest of nodes with loops in which the step solves.
//
// Bodies hang together by constraints; those that springs tie to them move with them, so that both ends of a
// spring feel the same force. From the world, then from the lowest body of what is left, level by level: the
// joint by which a body is reached first is its node's, any other joint closes a loop.
#include <algorithm>
#include <deque>
#include <map>

#include "stiction/constraints/joint_rows.h"
#include "stiction/model/detail/compile_trees.h"

namespace stiction::detail {
namespace {

struct Union {
  std::vector<int> root;
  int find(int i) {
    while (root[std::size_t(i)] != i) i = root[std::size_t(i)] = root[std::size_t(root[std::size_t(i)])];
    return i;
  }
  void join(int a, int b) {
    const int ra = find(a), rb = find(b);
    root[std::size_t(std::max(ra, rb))] = std::min(ra, rb);
  }
};

bool moves(const Model& m, int body) {
  return body >= 0 && m.mobility[std::size_t(body)] != Mobility::none &&
         m.mobility[std::size_t(body)] != Mobility::link;
}

int dofs_of(const Model& m, int body) { return m.mobility[std::size_t(body)] == Mobility::free ? 6 : 3; }

/// Where a body is that its description puts there; the world for none.
constraints::Pose pose_of(const Model& m, int body) {
  if (body < 0) return {};
  const BodyDescription& b = m.scene.bodies[std::size_t(body)].value;
  return {b.position, b.orientation};
}

/// The curve of a joint, in coordinates of the body that bears it; its points were checked.
std::shared_ptr<const constraints::Curve> curve_of(const ConstraintJoint& joint,
                                                   const constraints::Pose& parent) {
  using namespace constraints;
  std::vector<Vec3> points = joint.points;
  for (Vec3& p : points) p = rotate_back(parent.orientation, p - parent.position);
  Result<Curve> made =
      joint.curve == CurveKind::polyline
          ? make_polyline(std::move(points), joint.closed)
          : make_spline(std::move(points), joint.closed ? CurveEnds::closed : CurveEnds::natural);
  return std::make_shared<const Curve>(std::move(made).value());
}

/// A number for a coordinate: of a list with none, one for all, or one each.
double nth(const std::vector<double>& list, int i) {
  return list.empty() ? 0.0 : list[list.size() == 1 ? 0 : std::size_t(i)];
}

/// Rows of a joint, which starts with the coordinates that its frames have, and how they give way.
struct JointRows {
  constraints::Row row[mechanism::most_rows];
  ModelSoftness softness[mechanism::most_rows];
  int count = 0;
};

JointRows rows_of(const ConstraintJoint& joint, int a, int b, Model& m) {
  const constraints::Pose pose_a = pose_of(m, a), pose_b = pose_of(m, b);
  const Vec3 at = joint.at.value_or(pose_b.position), other = joint.parent_at.value_or(at);
  const Quat axes = constraints::frame_axes(joint.kind, joint.axis, joint.second_axis);
  const double length = joint.length > 0 ? joint.length : norm(at - other);
  const constraints::Frame on_a = constraints::frame_on(pose_a, other, axes),
                           on_b = constraints::frame_on(pose_b, at, axes);
  const constraints::Curve* curve = nullptr;
  if (joint.kind == constraints::Kind::point_on_curve)
    curve = m.mechanisms.curve.emplace_back(curve_of(joint, pose_a)).get();
  JointRows out;
  out.count = constraints::make_rows(joint.kind, on_a, on_b,
                                     {.length = length, .pitch = joint.pitch, .curve = curve}, out.row);
  if (curve != nullptr)
    for (int r = 0; r < out.count; ++r)
      out.row[r].last = constraints::nearest(*curve, rotate_back(pose_a.orientation, at - pose_a.position));
  for (int r = 0; r < out.count; ++r)
    if (const double e = constraints::is_angular(out.row[r]) ? joint.angular_compliance : joint.compliance;
        e > 0)
      out.softness[r] = {1 / e, joint.damping_time / e};
  constraints::Row free[constraints::most_coordinates];
  const int coordinates = constraints::make_coordinates(joint.kind, on_a, on_b, free);
  for (int i = 0; i < coordinates; ++i) {
    const ModelSoftness s{nth(joint.stiffness, i), nth(joint.damping, i)};
    if (!s.is_soft()) continue;
    free[i].offset = nth(joint.rest, i);
    out.row[out.count] = free[i], out.softness[out.count++] = s;
  }
  return out;
}

void add_rows(const Scene& scene, Model& m) {
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const auto* joint = std::get_if<ConstraintJoint>(&scene.joints[j].value);
    if (joint == nullptr) continue;
    ModelConstraint c;
    c.joint = int(j);
    c.a = joint->parent.empty() ? -1 : m.find_body(joint->parent);
    c.b = m.find_body(joint->body);
    if (is_tied(m, c.a, c.b)) continue;  // compile_laws()
    c.row_begin = int(m.mechanisms.row.size());
    c.break_force = joint->break_force, c.break_torque = joint->break_torque;
    const JointRows rows = rows_of(*joint, c.a, c.b, m);
    ModelMechanisms& all = m.mechanisms;
    all.row.insert(all.row.end(), rows.row, rows.row + rows.count);
    all.softness.insert(all.softness.end(), rows.softness, rows.softness + rows.count);
    c.row_end = c.row_begin + rows.count;
    for (int r = 0; r < rows.count; ++r) {
      all.tracked |= constraints::is_tracked(rows.row[r]);
      all.springs |= rows.softness[r].stiffness > 0;
    }
    all.breakable |= c.is_breakable();
    all.constraint.push_back(c);
  }
}

void sort_pairs(ModelMechanisms& all) {
  std::vector<std::pair<std::pair<int, int>, int>> list;
  for (std::size_t j = 0; j < all.constraint.size(); ++j)
    if (const ModelConstraint& c = all.constraint[j]; c.a >= 0)
      list.push_back({{std::min(c.a, c.b), std::max(c.a, c.b)}, int(j)});
  std::sort(list.begin(), list.end());
  for (const auto& [pair, constraint] : list)
    all.pair.push_back(pair), all.pair_constraint.push_back(constraint);
}

/// Who hangs together: the mechanism of each body of a constraint, by its lowest body.
std::vector<int> groups(const Model& m) {
  Union u;
  for (int i = 0; i < m.body_count(); ++i) u.root.push_back(i);
  std::vector<char> member(std::size_t(m.body_count()), 0);
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    for (const int body : {c.a, c.b})
      if (moves(m, body)) member[std::size_t(body)] = 1;
    if (moves(m, c.a) && moves(m, c.b)) u.join(c.a, c.b);
  }
  const auto tie = [&](int a, int b) {
    if (moves(m, a) && moves(m, b)) u.join(a, b);
  };
  for (const ModelSpring& s : m.springs) tie(s.a, s.b);
  for (const ModelTorsion& s : m.torsions) tie(s.a, s.b);
  std::vector<char> used(std::size_t(m.body_count()), 0);
  for (int i = 0; i < m.body_count(); ++i)
    if (member[std::size_t(i)]) used[std::size_t(u.find(i))] = 1;
  std::vector<int> out(std::size_t(m.body_count()), -1);
  for (int i = 0; i < m.body_count(); ++i)
    if (moves(m, i) && used[std::size_t(u.find(i))]) out[std::size_t(i)] = u.find(i);
  return out;
}

/// Adds the node of a body that is reached by a constraint (-1: by none).
void add_node(int body, int constraint, int parent, Model& m) {
  ModelMechanisms& all = m.mechanisms;
  const int index = all.mechanism_of[std::size_t(body)];
  ModelMechanism& own = all.mechanism[std::size_t(index)];
  all.node_of[std::size_t(body)] = int(own.nodes.size());
  int rows = 0;
  if (constraint >= 0) {
    ModelConstraint& c = all.constraint[std::size_t(constraint)];
    c.mechanism = index, c.node = int(own.nodes.size());
    rows = c.row_end - c.row_begin;
  }
  own.nodes.push_back({parent, dofs_of(m, body), rows});
  own.body.push_back(body), own.node_constraint.push_back(constraint);
}

/// Nodes, level by level from those that have one already.
void spread(std::deque<int> reached, const std::vector<std::vector<int>>& joints_of, Model& m) {
  ModelMechanisms& all = m.mechanisms;
  while (!reached.empty()) {
    const int body = reached.front();
    reached.pop_front();
    for (const int j : joints_of[std::size_t(body)]) {
      const ModelConstraint& c = all.constraint[std::size_t(j)];
      const int other = c.a == body ? c.b : c.a;
      if (!moves(m, other) || all.node_of[std::size_t(other)] >= 0) continue;
      add_node(other, j, all.node_of[std::size_t(body)], m);
      reached.push_back(other);
    }
  }
}

/// Bodies that constraints join, each group by its lowest body.
void find_linkages(Model& m) {
  ModelMechanisms& all = m.mechanisms;
  Union u;
  for (int i = 0; i < m.body_count(); ++i) u.root.push_back(i);
  std::vector<char> member(std::size_t(m.body_count()), 0);
  for (const ModelConstraint& c : all.constraint) {
    for (const int body : {c.a, c.b})
      if (moves(m, body)) member[std::size_t(body)] = 1;
    if (moves(m, c.a) && moves(m, c.b)) u.join(c.a, c.b);
  }
  for (int i = 0; i < m.body_count(); ++i) {
    if (!member[std::size_t(i)]) continue;
    const int root = u.find(i);
    if (root == i) all.linkage_of[std::size_t(i)] = int(all.linkage.size()), all.linkage.emplace_back();
    const int index = all.linkage_of[std::size_t(i)] = all.linkage_of[std::size_t(root)];
    ModelLinkage& own = all.linkage[std::size_t(index)];
    all.place_of[std::size_t(i)] = int(own.body.size());
    own.mechanism = all.mechanism_of[std::size_t(i)];
    own.dofs += dofs_of(m, i);
    own.body.push_back(i);
  }
  for (std::size_t j = 0; j < all.constraint.size(); ++j) {
    const ModelConstraint& c = all.constraint[j];
    const int body = moves(m, c.a) ? c.a : c.b;
    all.linkage[std::size_t(all.linkage_of[std::size_t(body)])].constraint.push_back(int(j));
  }
}

}  // namespace

void compile_mechanisms(const Scene& scene, Model& m) {
  ModelMechanisms& all = m.mechanisms;
  const auto n = std::size_t(m.body_count());
  all.mechanism_of.assign(n, -1), all.node_of.assign(n, -1);
  all.linkage_of.assign(n, -1), all.place_of.assign(n, -1);
  add_rows(scene, m);
  if (all.empty()) return;
  sort_pairs(all);
  const std::vector<int> group = groups(m);
  std::map<int, int> index;
  for (std::size_t i = 0; i < n; ++i) {
    if (group[i] < 0) continue;
    all.mechanism_of[i] = index.emplace(group[i], int(index.size())).first->second;
    all.body.push_back(int(i));
  }
  all.mechanism.resize(index.size());
  std::vector<std::vector<int>> joints_of(n);
  for (std::size_t j = 0; j < all.constraint.size(); ++j)
    for (const int body : {all.constraint[j].a, all.constraint[j].b})
      if (moves(m, body)) joints_of[std::size_t(body)].push_back(int(j));

  std::deque<int> reached;
  for (std::size_t j = 0; j < all.constraint.size(); ++j) {
    const int a = all.constraint[j].a, b = all.constraint[j].b;
    const int body = moves(m, a) ? a : b;
    if (moves(m, a) == moves(m, b) || all.node_of[std::size_t(body)] >= 0) continue;
    add_node(body, int(j), -1, m);
    reached.push_back(body);
  }
  spread(reached, joints_of, m);
  for (const int body : all.body) {
    if (all.node_of[std::size_t(body)] >= 0) continue;
    add_node(body, -1, -1, m);
    spread({body}, joints_of, m);
  }
  for (std::size_t j = 0; j < all.constraint.size(); ++j) {
    ModelConstraint& c = all.constraint[j];
    if (c.node >= 0) continue;
    c.mechanism = all.mechanism_of[std::size_t(moves(m, c.a) ? c.a : c.b)];
    ModelMechanism& own = all.mechanism[std::size_t(c.mechanism)];
    const auto node = [&](int body) { return moves(m, body) ? all.node_of[std::size_t(body)] : -1; };
    c.loop = int(own.loops.size());
    own.loops.push_back({node(c.a), node(c.b), c.row_end - c.row_begin});
    own.loop_constraint.push_back(int(j));
  }
  find_linkages(m);
}

}  // namespace stiction::detail
