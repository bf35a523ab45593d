// With g the gradients of the rows by velocity and spin of body b, and p the impulses of the last step h:
//   F = sum p_r g_r / h (linear parts),   T = sum p_r g_r / h (angular parts, about the centre of mass)
// At the joint's point P on b: force F, torque T - (P - x_b) x F. World axes; on the other body -F, and the
// torque that keeps both in balance. Gradients are those of the end of the step: for a joint that turns by
// phi within the step the direction is off by phi/2.
#include "stiction/step/reaction.h"

namespace stiction {
namespace {

constraints::Pose pose_of(const State& x, int body) {
  if (body < 0) return {};
  return {x.position[std::size_t(body)], x.orientation[std::size_t(body)]};
}

/// Adds up the rows of one joint.
class Sum {
 public:
  Sum(const State& x, int a, int b, const constraints::Row& first)
      : a_(pose_of(x, a)), b_(pose_of(x, b)), step_(x.step), at_(constraints::point_of(b_, first.point_b)) {}
  void add(const constraints::Row& row, double impulse) {
    const constraints::Twist g = constraints::evaluate(row, a_, b_).jacobian.b;
    sum_.linear += (impulse / step_) * g.linear, sum_.angular += (impulse / step_) * g.angular;
  }
  JointReaction reaction() const {
    return {at_, sum_.linear, sum_.angular - cross(at_ - b_.position, sum_.linear)};
  }

 private:
  constraints::Pose a_, b_;
  double step_;
  Vec3 at_;
  constraints::Twist sum_;
};

JointReaction of_constraint(const Model& m, const State& x, const ModelConstraint& c) {
  Sum sum(x, c.a, c.b, m.mechanisms.row[std::size_t(c.row_begin)]);
  for (auto r = std::size_t(c.row_begin); r < std::size_t(c.row_end); ++r) {
    constraints::Row row = m.mechanisms.row[r];
    if (m.mechanisms.tracked) row.last = x.joint_memory[r];
    sum.add(row, x.joint_impulse[r]);
  }
  return sum.reaction();
}

/// Of the rows from `k` on that hold a link, those of one joint; `k` goes behind them.
JointReaction of_laws(const Model& m, const State& x, std::size_t& k) {
  const ModelLaw& first = m.laws[k];
  Sum sum(x, first.a, first.b, first.row);
  for (; k < m.laws.size() && m.laws[k].of_constraint() && m.laws[k].joint == first.joint; ++k)
    sum.add(m.laws[k].row, x.law_impulse[k]);  // rows that follow an angle differ by whole turns alone
  return sum.reaction();
}

}  // namespace

std::optional<JointReaction> reaction_of(const Model& m, const State& x, int joint) {
  for (const ModelConstraint& c : m.mechanisms.constraint)
    if (c.joint == joint) return of_constraint(m, x, c);
  for (std::size_t k = 0; k < m.laws.size(); ++k)
    if (m.laws[k].of_constraint() && m.laws[k].joint == joint) return of_laws(m, x, k);
  return std::nullopt;
}

std::vector<int> joints_with_reactions(const Model& m) {
  std::vector<int> out;
  for (const ModelConstraint& c : m.mechanisms.constraint) out.push_back(c.joint);
  const std::size_t own = out.size();
  for (const ModelLaw& law : m.laws)
    if (law.of_constraint() && (out.size() == own || out.back() != law.joint)) out.push_back(law.joint);
  return out;
}

void reactions_of(const Model& m, const State& x, std::vector<JointReaction>& out) {
  out.clear();
  for (const ModelConstraint& c : m.mechanisms.constraint) out.push_back(of_constraint(m, x, c));
  for (std::size_t k = 0; k < m.laws.size();)
    if (m.laws[k].of_constraint())
      out.push_back(of_laws(m, x, k));
    else
      ++k;
}

}  // namespace stiction
