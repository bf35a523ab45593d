// Constraints, and what binds velocities. With g the gradients of the rows by velocity and spin of body b,
// and p the impulses of the last step h:
//   F = sum p_r g_r / h (linear parts),   T = sum p_r g_r / h (angular parts, about the centre of mass)
// At the joint's point P on b: force F, torque T - (P - x_b) x F. World axes; on the other body -F, and the
// torque that keeps both in balance. Gradients are those of the end of the step: for a joint that turns by
// phi within the step the direction is off by phi/2.
//
// Gears: p/h along the first coordinate, ratio p/h along the second, as a force along the axis of a distance,
// a torque about that of an angle.
//
// Joints of trees and planar joints: from the balance of momentum (link_reactions.cpp, settle.cpp).
#include "stiction/step/reaction.h"

#include "stiction/step/law_coordinates.h"
#include "stiction/step/link_reactions.h"

namespace stiction {
namespace {

using Source = ReactionPlace::Source;
using step::pose_of;

/// Adds up the rows of one joint.
class Sum {
 public:
  Sum(const State& x, int body, const Vec3& point)
      : b_(pose_of(x, body)), step_(x.step), at_(constraints::point_of(b_, point)) {}
  void add(const constraints::Jacobian& gradient, double impulse) {
    const constraints::Twist& g = gradient.b;
    sum_.linear += (impulse / step_) * g.linear, sum_.angular += (impulse / step_) * g.angular;
  }
  JointReaction reaction() const {
    return {at_, sum_.linear, sum_.angular - cross(at_ - b_.position, sum_.linear)};
  }

 private:
  constraints::Pose b_;
  double step_;
  Vec3 at_;
  constraints::Twist sum_;
};

JointReaction of_constraint(const Model& m, const State& x, const ModelConstraint& c) {
  Sum sum(x, c.b, m.mechanisms.row[std::size_t(c.row_begin)].point_b);
  for (auto r = std::size_t(c.row_begin); r < std::size_t(c.row_end); ++r) {
    constraints::Row row = m.mechanisms.row[r];
    if (m.mechanisms.tracked) row.last = x.joint_memory[r];
    sum.add(constraints::evaluate(row, pose_of(x, c.a), pose_of(x, c.b)).jacobian, x.joint_impulse[r]);
  }
  return sum.reaction();
}

constraints::Jacobian gradient_of(const Model& m, const State& x, const ModelLaw& law) {
  return step::part_gradient(m, law, law.row, pose_of(x, law.a), pose_of(x, law.b));
}

/// Whether a law is one of the rows that a joint as a whole consists of.
bool is_row(const ModelLaw& law) { return law.of_constraint() || law.velocity >= 0; }

/// Of the rows of one joint from law k on.
JointReaction of_rows(const Model& m, const State& x, std::size_t k) {
  const ModelLaw& first = m.laws[k];
  Sum sum(x, first.b, first.velocity >= 0 ? Vec3{} : first.row.point_b);
  for (; k < m.laws.size() && is_row(m.laws[k]) && m.laws[k].joint == first.joint; ++k)
    sum.add(gradient_of(m, x, m.laws[k]), x.law_impulse[k]);  // angles that are followed: whole turns alone
  return sum.reaction();
}

Vec3 point_of_joint(const Model& m, const State& x, std::size_t link) {
  const auto body = std::size_t(m.trees.body[link]);
  return step::joint_point(m, link, x.position[body], x.orientation[body]);
}

JointReaction of_gear(const Model& m, const State& x, const ReactionPlace& place, tree::Kinematics& k) {
  const ModelLaw& gear = m.laws[place.index];
  const ModelLaw& part = place.second ? m.laws[std::size_t(gear.partner)] : gear;
  const double impulse = (place.second ? gear.ratio : 1.0) * x.law_impulse[place.index];
  if (!part.of_tree()) {
    Sum sum(x, part.b, part.row.point_b);
    sum.add(gradient_of(m, x, part), impulse);
    return sum.reaction();
  }
  const auto dof = std::size_t(part.dof);
  tree::update_positions(m.trees.forest, m.trees.parameters, x.joint_position, k);
  const Vec3 along = (impulse / x.step) * k.axis[dof];
  const bool length = m.trees.forest.dof[dof] == tree::DofKind::linear;
  return {point_of_joint(m, x, std::size_t(part.link)), length ? along : Vec3{}, length ? Vec3{} : along};
}

}  // namespace

JointReaction seen_at(const JointReaction& r, const Vec3& point, const Quat& axes) {
  return {point, rotate_back(axes, r.force), rotate_back(axes, r.torque + cross(r.at - point, r.force))};
}

std::vector<ReactionPlace> joints_with_reactions(const Model& m) {
  std::vector<ReactionPlace> out;
  for (std::size_t c = 0; c < m.mechanisms.constraint.size(); ++c)
    out.push_back({Source::constraint, c, m.mechanisms.constraint[c].joint});
  const auto add_rows = [&](Source source, const auto& belongs) {
    int last = -1;
    for (std::size_t k = 0; k < m.laws.size(); ++k)
      if (belongs(m.laws[k]) && m.laws[k].joint != last) out.push_back({source, k, last = m.laws[k].joint});
  };
  add_rows(Source::held, [](const ModelLaw& law) { return law.of_constraint(); });
  for (std::size_t i = 0; i < m.trees.joint.size(); ++i)
    if (m.trees.joint[i] >= 0) out.push_back({Source::link, i, m.trees.joint[i]});
  for (std::size_t k = 0; k < m.laws.size(); ++k)
    if (m.laws[k].kind == ModelLaw::Kind::gear)
      for (const bool second : {false, true}) out.push_back({Source::gear, k, m.laws[k].joint, second});
  add_rows(Source::velocity, [](const ModelLaw& law) { return law.velocity >= 0; });
  for (std::size_t k = 0; k < m.planes.size(); ++k) out.push_back({Source::plane, k, m.planes[k].joint});
  return out;
}

std::string reaction_name(const Model& m, const ReactionPlace& place) {
  return m.scene.joints[std::size_t(place.joint)].name + (place.second ? ".second" : "");
}

JointReaction reaction_of(const Model& m, const State& x, const ReactionPlace& place,
                          tree::Kinematics& scratch) {
  switch (place.source) {
    case Source::constraint:
      return of_constraint(m, x, m.mechanisms.constraint[place.index]);
    case Source::link: {
      const SpatialForce& r = x.link_reaction[place.index];
      return {point_of_joint(m, x, place.index), r.force, r.torque};
    }
    case Source::plane: {
      const SpatialForce& r = x.plane_reaction[place.index];
      return {x.position[std::size_t(m.planes[place.index].body)], r.force, r.torque};
    }
    case Source::gear:
      return of_gear(m, x, place, scratch);
    default:
      return of_rows(m, x, place.index);
  }
}

std::optional<JointReaction> reaction_of(const Model& m, const State& x, const std::string& name) {
  tree::Kinematics scratch;
  for (const ReactionPlace& place : joints_with_reactions(m))
    if (name.starts_with(m.scene.joints[std::size_t(place.joint)].name) && reaction_name(m, place) == name)
      return reaction_of(m, x, place, scratch);
  return std::nullopt;
}

}  // namespace stiction
