// Bodies with joints under the steppers of the documents: a scene's bodies, and rows between them.
#pragma once

#include <vector>

#include "stiction/base/assert.h"
#include "stiction/step/smooth.h"

namespace stiction::reproduce {

/// Bodies of a scene without joints between them, and rows that join them.
class Mechanism {
 public:
  explicit Mechanism(const Scene& scene) : model_(model_of(scene)), state_(initial_state(model_, 1)) {}
  /// With other moments of inertia for its only body [kg m^2]: also such as no rigid body has.
  Mechanism(const Scene& scene, const Vec3& inertia) : Mechanism(scene) {
    model_.inertia.assign(1, inertia);
    state_ = initial_state(model_, 1);
  }

  /// Joins body b to body a (-1: the world).
  void join(int a, int b, const std::vector<constraints::Row>& rows, double compliance = 0,
            double damping_time = -1) {
    const int begin = int(rows_.size());
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    joints_.push_back({a, b, begin, int(rows_.size()), compliance, damping_time});
  }
  /// False where the step was refused.
  bool spook(double h) { return took(step::spook_step(model_, {h}, held(), {}, state_, w_)); }
  bool cline_pai(const step::ClinePaiSettings& s) {
    return took(step::cline_pai_step(model_, s, held(), {}, state_, w_));
  }

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  /// Where the bodies were before post-stabilisation moved them, if it did; as they are else.
  const step::Motions& before_post() const { return w_.stabilised ? w_.before_stabilise : w_.next; }
  /// Values of the rows at the end of the last step [m, rad], in their order.
  const std::vector<constraints::RowValue>& values() const { return w_.held.value; }
  /// Impulses of the rows in the last step [N s, N m s].
  const std::vector<double>& impulses() const { return impulses_; }
  Totals totals() const { return state_.ledger.now(); }

 private:
  static Model model_of(const Scene& scene) {
    Result<Model> model = compile(scene);
    STICTION_ASSERT(model);  // the examples are ours
    return std::move(model).value();
  }
  step::HeldJoints held() const { return {joints_, rows_}; }
  bool took(const StepReport& report) {
    impulses_ = w_.held.lambda;
    return report.status != StepReport::Status::refused;
  }

  Model model_;
  State state_;
  step::Workspace w_;
  std::vector<step::HeldJoint> joints_;
  std::vector<constraints::Row> rows_;
  std::vector<double> impulses_;
};

/// Rows that hold the point `b` of a body on the point `a` of another, along the first `count` world axes.
inline std::vector<constraints::Row> point_rows(const Vec3& a, const Vec3& b, int count = 3) {
  std::vector<constraints::Row> rows;
  for (int k = 0; k < count; ++k) {
    constraints::Row row{.kind = constraints::RowKind::point, .point_a = a, .point_b = b};
    row.e[k] = 1;
    rows.push_back(row);
  }
  return rows;
}
/// A row that keeps the direction f of body b at right angles to the direction e of body a; the points are
/// those of the rest of the joint.
inline constraints::Row angle_row(const Vec3& a, const Vec3& b, const Vec3& e, const Vec3& f) {
  return {.kind = constraints::RowKind::angle, .point_a = a, .point_b = b, .e = e, .f = f};
}

}  // namespace stiction::reproduce
