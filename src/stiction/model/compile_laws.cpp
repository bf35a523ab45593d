// From limits, motors and friction of joints to laws, one for each coordinate and kind; from gears and joints
// that bind velocities to laws, one for each equation.
#include <algorithm>
#include <cmath>

#include "stiction/constraints/joint_rows.h"
#include "stiction/math/elementary.h"
#include "stiction/model/detail/compile_trees.h"

namespace stiction::detail {
namespace {

using constraints::Pose;
using constraints::Row;

/// Element i of a list that has one number for all, or one each.
double element(const std::vector<double>& list, std::size_t i, double none) {
  if (list.empty()) return none;
  return list.size() == 1 ? list.front() : list[i];
}

/// The laws of one coordinate, which `base` describes.
template <class Joint>
void add_laws(const Joint& joint, const ModelLaw& base, std::vector<ModelLaw>& out) {
  using Kind = ModelLaw::Kind;
  const auto i = std::size_t(base.coordinate);
  const auto add = [&](Kind kind, const auto& set) {
    ModelLaw law = base;
    law.kind = kind;
    set(law);
    out.push_back(law);
  };
  const auto limit = [&](Kind kind, const std::vector<double>& list) {
    const double bound = element(list, i, no_limit);
    if (std::fabs(bound) >= no_limit) return;
    add(kind, [&](ModelLaw& l) { l.bound = bound, l.restitution = joint.limits.restitution; });
  };
  limit(Kind::lower, joint.limits.lower), limit(Kind::upper, joint.limits.upper);
  if (const double most = element(joint.friction, i, 0); most > 0)
    add(Kind::friction, [&](ModelLaw& l) { l.most = most; });
  if (const double most = element(joint.motor.force, i, 0); most > 0)
    add(Kind::motor, [&](ModelLaw& l) {
      l.most = most, l.to_position = !joint.motor.position.empty();
      l.target = element(l.to_position ? joint.motor.position : joint.motor.speed, i, 0);
      l.fastest = element(joint.motor.speed, i, no_limit);
    });
}

/// [m] of the body that moves.
double size_of(const Model& m, int body) {
  const auto i = std::size_t(body);
  if (m.size[i] > 0) return m.size[i];
  const double most = max_component(m.inertia[i]);
  return most > 0 ? 2 * std::sqrt(most / m.mass[i]) : 1.0;
}

bool turns(tree::JointKind kind, int coordinate) {
  using tree::JointKind;
  if (kind == JointKind::prismatic) return false;
  if (kind == JointKind::cylindrical) return coordinate == 1;
  if (kind == JointKind::planar) return coordinate == 2;
  return true;
}

/// Coordinate i of a joint that makes a link.
ModelLaw tree_coordinate(int j, const CoordinateJoint& joint, int i, const Model& m) {
  const auto link = std::size_t(m.trees.link_of_joint[std::size_t(j)]);
  const tree::Forest& f = m.trees.forest;
  ModelLaw base;
  base.joint = j, base.coordinate = i;
  base.link = int(link), base.dof = f.v_begin[link] + i, base.place = f.q_begin[link] + i;
  (turns(joint.kind, i) ? base.size : base.extent) = size_of(m, m.trees.body[link]);
  return base;
}

void add_tree_laws(int j, const CoordinateJoint& joint, Model& m) {
  if (m.trees.link_of_joint[std::size_t(j)] < 0 || joint.kind == tree::JointKind::spherical) return;
  for (int i = 0; i < tree::dof_count(joint.kind); ++i)
    add_laws(joint, tree_coordinate(j, joint, i, m), m.laws);
}

/// Where a body is that its description puts there; the world for none.
Pose described(const Model& m, int body) {
  if (body < 0) return {};
  const BodyDescription& b = m.scene.bodies[std::size_t(body)].value;
  return {b.position, b.orientation};
}

void tie(int a, int b, Model& m) {
  if (a >= 0 && b >= 0 && a != b) m.tied.emplace_back(std::min(a, b), std::max(a, b));
}

/// The two sides of a constraint: bodies, frames on them, and how far their points are apart [m].
struct Sides {
  int a = -1, b = -1, joint = -1;
  constraints::Frame on_a{}, on_b{};
  double apart = 0;
};
Sides sides_of(int j, const ConstraintJoint& joint, const Model& m) {
  Sides out;
  out.joint = j;
  out.a = joint.parent.empty() ? -1 : m.find_body(joint.parent), out.b = m.find_body(joint.body);
  const Pose pose_a = described(m, out.a), pose_b = described(m, out.b);
  const Vec3 at = joint.at.value_or(pose_b.position), other = joint.parent_at.value_or(at);
  const Quat axes = constraints::frame_axes(joint.kind, joint.axis, joint.second_axis);
  out.on_a = constraints::frame_on(pose_a, other, axes), out.on_b = constraints::frame_on(pose_b, at, axes);
  out.apart = norm(at - other);
  return out;
}

/// What a law between two bodies has in common with others between them.
ModelLaw law_between(int j, int a, int b, const Model& m) {
  ModelLaw base;
  base.joint = j, base.a = a, base.b = b;
  const std::vector<ModelConstraint>& all = m.mechanisms.constraint;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.joint == j; });
  if (found != all.end()) base.constraint = int(found - all.begin());
  return base;
}
void scale(const Model& m, bool angular, ModelLaw& law) {
  const int body = m.mobility[std::size_t(law.b)] != Mobility::none ? law.b : law.a;
  law.size = law.extent = 1;
  (angular ? law.size : law.extent) = size_of(m, body);
}

/// Coordinate i of those that a constraint leaves free; of a ball its twist.
ModelLaw constraint_coordinate(const Sides& s, constraints::Kind kind, int i, const Model& m) {
  Row rows[constraints::most_coordinates];
  if (kind == constraints::Kind::ball)
    rows[0] = constraints::make_twist(s.on_a, s.on_b);
  else
    constraints::make_coordinates(kind, s.on_a, s.on_b, rows);
  ModelLaw base = law_between(s.joint, s.a, s.b, m);
  base.row = rows[i], base.coordinate = i;
  scale(m, constraints::is_angular(base.row), base);
  return base;
}

/// The rows of a constraint on a link.
void add_held_rows(const ConstraintJoint& joint, const Sides& s, Model& m) {
  ModelLaw base = law_between(s.joint, s.a, s.b, m);
  base.kind = ModelLaw::Kind::hold;
  tie(s.a, s.b, m);
  Row rows[constraints::most_rows];
  const constraints::Numbers numbers{
      .length = joint.length > 0 ? joint.length : s.apart, .pitch = joint.pitch, .curve = nullptr};
  const int count = constraints::make_rows(joint.kind, s.on_a, s.on_b, numbers, rows);
  for (int i = 0; i < count; ++i) {
    base.row = rows[i], base.coordinate = i;
    scale(m, constraints::is_angular(base.row), base);
    m.laws.push_back(base);
  }
}

void add_constraint_laws(int j, const ConstraintJoint& joint, Model& m) {
  const Sides s = sides_of(j, joint, m);
  if (is_tied(m, s.a, s.b)) add_held_rows(joint, s, m);
  if (joint.kind != constraints::Kind::ball) {
    for (int i = 0; i < constraints::coordinate_count(joint.kind); ++i)
      add_laws(joint, constraint_coordinate(s, joint.kind, i, m), m.laws);
    return;
  }
  ModelLaw base = constraint_coordinate(s, joint.kind, 0, m);
  add_laws(joint, base, m.laws);
  if (joint.limits.swing <= 0) return;
  base.row = constraints::make_swing_limit(s.on_a, s.on_b, joint.limits.swing);
  base.kind = ModelLaw::Kind::lower, base.coordinate = 1, base.restitution = joint.limits.restitution;
  base.bound = 0, base.extent = elementary::sin(joint.limits.swing);  // of the cosine, for an angle of 1
  m.laws.push_back(base);
}

/// Where a body starts: links as the coordinates of their joints say.
Pose start_of(const Model& m, int body) {
  const int link = body < 0 ? -1 : m.link[std::size_t(body)];
  if (link < 0) return described(m, body);
  tree::Kinematics k;
  tree::update_positions(m.trees.forest, m.trees.parameters, m.trees.start_position, k);
  Pose out;
  place_link(m.trees, k, std::size_t(link), out.position, out.orientation);
  return out;
}

struct Coupled {
  ModelLaw law{};
  int body = -1;     // of its joint
  double start = 0;  // [m, rad]
};
/// Coordinate i of a joint by name; the scene was checked.
Coupled coordinate_of(const std::string& name, int i, const Scene& scene, const Model& m) {
  const auto found = std::find_if(scene.joints.begin(), scene.joints.end(),
                                  [&](const auto& joint) { return joint.name == name; });
  const int j = int(found - scene.joints.begin());
  if (const auto* joint = std::get_if<CoordinateJoint>(&found->value)) {
    const ModelLaw law = tree_coordinate(j, *joint, i, m);
    return {law, m.trees.body[std::size_t(law.link)], m.trees.start_position[std::size_t(law.place)]};
  }
  const auto& joint = std::get<ConstraintJoint>(found->value);
  const ModelLaw law = constraint_coordinate(sides_of(j, joint, m), joint.kind, i, m);
  return {law, law.b, constraints::evaluate(law.row, start_of(m, law.a), start_of(m, law.b)).value};
}

/// A body, and those that fixed joints make one with it.
std::vector<int> glued_to(int body, const Model& m) {
  const int link = m.link[std::size_t(body)];
  if (link < 0) return {body};
  std::vector<int> out;
  for (std::size_t i = 0; i < m.trees.body.size(); ++i)
    if (m.trees.rigid[i] == m.trees.rigid[std::size_t(link)]) out.push_back(m.trees.body[i]);
  return out;
}

void add_gear(int j, const GearJoint& gear, const Scene& scene, Model& m) {
  Coupled first = coordinate_of(gear.first, gear.first_coordinate, scene, m),
          second = coordinate_of(gear.second, gear.second_coordinate, scene, m);
  ModelLaw& law = first.law;
  law.kind = ModelLaw::Kind::gear, law.joint = j, law.coordinate = 0;
  law.ratio = gear.ratio, law.bound = first.start + gear.ratio * second.start;
  law.partner = int(m.laws.size()) + 1;
  second.law.kind = ModelLaw::Kind::follow, second.law.joint = j, second.law.coordinate = 1;
  m.laws.push_back(law), m.laws.push_back(second.law);
  for (const int a : glued_to(first.body, m))
    for (const int b : glued_to(second.body, m)) tie(a, b, m);
}

/// Laws of `count` velocity rows between two bodies; the last holds a height where there are three.
void add_velocity_laws(int j, int a, int b, const ModelVelocityRows& rows, int count, Model& m) {
  ModelLaw law = law_between(j, a, b, m);
  scale(m, false, law);
  law.velocity = int(m.velocity_rows.size());
  m.velocity_rows.push_back(rows);
  for (law.which = 0; law.which < count; ++law.which) {
    law.kind = law.which < 2 ? ModelLaw::Kind::slip : ModelLaw::Kind::hold;
    law.coordinate = law.which;
    if (const auto* p = std::get_if<constraints::Pfaffian>(&rows)) law.bound = p->drift;
    m.laws.push_back(law);
  }
}

/// Bodies of a joint, and their poses as described.
template <class Joint>
struct Pair {
  Pair(const Joint& joint, const Model& m)
      : a(joint.parent.empty() ? -1 : m.find_body(joint.parent)),
        b(m.find_body(joint.body)),
        pose_a(described(m, a)),
        pose_b(described(m, b)) {}
  int a, b;
  Pose pose_a, pose_b;
};
Vec3 in_body(const Pose& pose, const Vec3& point) {
  return rotate_back(pose.orientation, point - pose.position);
}

void add_rolling(int j, const RollingJoint& joint, Model& m) {
  const Pair pair(joint, m);
  const Vec3 at = joint.at.value_or(pair.pose_b.position), n = normalized(joint.normal);
  const Vec3 centre = in_body(pair.pose_b, at);
  tie(pair.a, pair.b, m);
  constraints::Plane plane{{}, rotate_back(pair.pose_a.orientation, n)};
  if (joint.kind == RollingJoint::Kind::ball) {
    plane.point = in_body(pair.pose_a, at - joint.radius * n);
    const constraints::RollingBall ball{plane, centre, joint.radius};
    return add_velocity_laws(j, pair.a, pair.b, ball, 3, m);
  }
  constraints::RollingDisc disc{plane, centre, rotate_back(pair.pose_b.orientation, normalized(joint.axis)),
                                joint.radius};
  disc.plane.point = in_body(pair.pose_a, constraints::touching_point(disc, pair.pose_a, pair.pose_b));
  add_velocity_laws(j, pair.a, pair.b, disc, 3, m);
}

void add_knife_edge(int j, const KnifeEdgeJoint& joint, Model& m) {
  const Pair pair(joint, m);
  const constraints::KnifeEdge edge{in_body(pair.pose_b, joint.at.value_or(pair.pose_b.position)),
                                    rotate_back(pair.pose_b.orientation, normalized(joint.across))};
  add_velocity_laws(j, pair.a, pair.b, edge, 1, m);
}

void add_pfaffian(int j, const PfaffianJoint& joint, Model& m) {
  using Axes = constraints::Pfaffian::Axes;
  const Pair pair(joint, m);
  const Quat turn = joint.axes == Axes::a   ? pair.pose_a.orientation
                    : joint.axes == Axes::b ? pair.pose_b.orientation
                                            : Quat{};
  const auto in_axes = [&](const Vec3& v) { return rotate_back(turn, v); };
  add_velocity_laws(j, pair.a, pair.b,
                    constraints::Pfaffian{joint.axes,
                                          {{in_axes(joint.parent_linear), in_axes(joint.parent_angular)},
                                           {in_axes(joint.linear), in_axes(joint.angular)}},
                                          joint.drift},
                    1, m);
}

}  // namespace

void compile_laws(const Scene& scene, Model& m) {
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (const auto* joint = std::get_if<CoordinateJoint>(&scene.joints[j].value))
      add_tree_laws(int(j), *joint, m);
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (const auto* joint = std::get_if<ConstraintJoint>(&scene.joints[j].value))
      add_constraint_laws(int(j), *joint, m);
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const JointDescription& value = scene.joints[j].value;
    if (const auto* joint = std::get_if<GearJoint>(&value)) add_gear(int(j), *joint, scene, m);
    if (const auto* joint = std::get_if<RollingJoint>(&value)) add_rolling(int(j), *joint, m);
    if (const auto* joint = std::get_if<KnifeEdgeJoint>(&value)) add_knife_edge(int(j), *joint, m);
    if (const auto* joint = std::get_if<PfaffianJoint>(&value)) add_pfaffian(int(j), *joint, m);
  }
  std::sort(m.tied.begin(), m.tied.end());
}

}  // namespace stiction::detail
