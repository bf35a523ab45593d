// From limits, motors and friction of joints to laws, one for each coordinate and kind.
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

void add_tree_laws(int j, const CoordinateJoint& joint, Model& m) {
  const int link = m.trees.link_of_joint[std::size_t(j)];
  if (link < 0 || joint.kind == tree::JointKind::spherical) return;
  const tree::Forest& f = m.trees.forest;
  const int first = f.v_begin[std::size_t(link)], count = f.v_begin[std::size_t(link) + 1] - first;
  for (int i = 0; i < count; ++i) {
    ModelLaw base;
    base.joint = j, base.coordinate = i;
    base.link = link, base.dof = first + i, base.place = f.q_begin[std::size_t(link)] + i;
    const double size = size_of(m, m.trees.body[std::size_t(link)]);
    (turns(joint.kind, i) ? base.size : base.extent) = size;
    add_laws(joint, base, m.laws);
  }
}

/// The rows of a constraint on a link, whose points are `length` apart.
void add_held_rows(const ConstraintJoint& joint, const constraints::Frame& a, const constraints::Frame& b,
                   double length, double size, ModelLaw base, Model& m) {
  base.kind = ModelLaw::Kind::hold;
  if (base.a >= 0) m.tied.emplace_back(std::min(base.a, base.b), std::max(base.a, base.b));
  Row rows[constraints::most_rows];
  const constraints::Numbers numbers{
      .length = joint.length > 0 ? joint.length : length, .pitch = joint.pitch, .curve = nullptr};
  const int count = constraints::make_rows(joint.kind, a, b, numbers, rows);
  for (int i = 0; i < count; ++i) {
    base.row = rows[i], base.coordinate = i;
    base.size = base.extent = 1;
    (constraints::is_angular(rows[i]) ? base.size : base.extent) = size;
    m.laws.push_back(base);
  }
}

void add_constraint_laws(int j, const ConstraintJoint& joint, Model& m) {
  using constraints::Kind;
  struct {
    int a, b;
  } c{joint.parent.empty() ? -1 : m.find_body(joint.parent), m.find_body(joint.body)};
  const auto pose = [&](int body) {
    if (body < 0) return Pose{};
    const BodyDescription& b = m.scene.bodies[std::size_t(body)].value;
    return Pose{b.position, b.orientation};
  };
  const Vec3 at = joint.at.value_or(pose(c.b).position), other = joint.parent_at.value_or(at);
  const Quat axes = constraints::frame_axes(joint.kind, joint.axis, joint.second_axis);
  const constraints::Frame a = constraints::frame_on(pose(c.a), other, axes),
                           b = constraints::frame_on(pose(c.b), at, axes);
  const int body = m.mobility[std::size_t(c.b)] != Mobility::none ? c.b : c.a;
  ModelLaw base;
  base.joint = j, base.a = c.a, base.b = c.b;
  const std::vector<ModelConstraint>& all = m.mechanisms.constraint;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.joint == j; });
  if (found != all.end()) base.constraint = int(found - all.begin());
  if (is_tied(m, c.a, c.b)) add_held_rows(joint, a, b, norm(at - other), size_of(m, body), base, m);
  const auto add = [&](const Row& row, int coordinate) {
    base.row = row, base.coordinate = coordinate;
    base.size = base.extent = 1;
    (constraints::is_angular(row) ? base.size : base.extent) = size_of(m, body);
    add_laws(joint, base, m.laws);
  };
  if (joint.kind == Kind::ball) {
    add(constraints::make_twist(a, b), 0);
    if (joint.limits.swing <= 0) return;
    base.row = constraints::make_swing_limit(a, b, joint.limits.swing);
    base.kind = ModelLaw::Kind::lower, base.coordinate = 1, base.restitution = joint.limits.restitution;
    base.bound = 0, base.extent = elementary::sin(joint.limits.swing);  // of the cosine, for an angle of 1
    m.laws.push_back(base);
    return;
  }
  Row rows[constraints::most_coordinates];
  const int count = constraints::make_coordinates(joint.kind, a, b, rows);
  for (int i = 0; i < count; ++i) add(rows[i], i);
}

}  // namespace

void compile_laws(const Scene& scene, Model& m) {
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (const auto* joint = std::get_if<CoordinateJoint>(&scene.joints[j].value))
      add_tree_laws(int(j), *joint, m);
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (const auto* joint = std::get_if<ConstraintJoint>(&scene.joints[j].value))
      add_constraint_laws(int(j), *joint, m);
  std::sort(m.tied.begin(), m.tied.end());
}

}  // namespace stiction::detail
