// The reference for joints: Runge-Kutta 4 on the index-1 form, then projection. At each stage (rk4.cpp), with
// all forces f and the gyroscopic torque in them,
//     [ M  -G^T ] [ a ]   [  f  ]
//     [ G    0  ] [ l ] = [ -c  ],      d^2g/dt^2 = G a + c
// l [N, N m] forces of joints, c what the second derivative has besides accelerations
// (constraints::acceleration_bias). The stages satisfy joints to the order of the method only, so at the end,
// each by the smallest change in the metric of the masses:
//     places      g(q+) = 0      in passes, to round-off (held_joints.cpp)
//     velocities  G(q+) v+ = 0   v+ = v - W G^T (G W G^T)^-1 G v
// The motion on g = 0, G v = 0 is that of the joints, and projections are of the size of the method's error:
// order 4. Energy is kept to the same order, not exactly: for reference and comparison over a limited time.
//
// Books: forces of joints get their work at the stages, as all others do; the impulses P of the projection of
// velocities count with those of the last stage. Found at q+, while the books have the pose q1 from before
// the projection of places, they leave (I(q1) - I(q+)) I(q+)^-1 T as a defect of angular momentum.
// Reference: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, VII.1 (index 1) and VII.2
// (projection); E. Eich, SIAM J. Numer. Anal. 30 (1993). When it fails: steps longer than the motion in any
// direction takes, as rk4.cpp; h w > 2.8 of a tensioned chain's links.
#include <cmath>

#include "stiction/math/spatial.h"
#include "stiction/step/smooth.h"

namespace stiction::step {
namespace {

using constraints::Row;
using constraints::Twist;

constexpr double exact = 1e-12;  // [-] of a joint's size: what places are projected to, if round-off allows

/// c of a row; distances count as lengths l, as in load_joints(): l'' = (L/l) g'' - l'^2/l.
double bias_of(const Row& row, const constraints::RowValue& value, const constraints::Pose pose[2],
               const Twist twist[2]) {
  const double c = constraints::acceleration_bias(row, pose[0], pose[1], twist[0], twist[1]);
  if (row.kind != constraints::RowKind::distance) return c;
  const double l = value.value + row.offset + row.size;
  const double rate = constraints::dot(value.jacobian, twist[0], twist[1]);
  return row.size / l * c - rate * rate / l;
}

/// [m/s^2], [rad/s^2] what the sums of a stage give bodies without joints; 0 for those that do not move by
/// forces -> velocity and spin of w.base.
void accelerate(const Model& m, const State& x, const ForceStage& stage, Workspace& w) {
  w.base.velocity.assign(x.position.size(), {}), w.base.spin.assign(x.position.size(), {});
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    const Quat& q = stage.at.orientation[i];
    const Vec3 gyroscopic = cross(stage.at.spin[i], turning_of(m, i, q, stage.at.spin[i]));
    w.base.velocity[i] = velocity_change(m, i, stage.impulse[i] / stage.weight);
    w.base.spin[i] = spin_of(m, i, q, stage.angular_impulse[i] / stage.weight - gyroscopic);
  }
}

/// Adds what the joints do at stage k to its sums.
const char* hold_stage(const Model& m, const SmoothSettings& s, const HeldJoints& joints, const State& x,
                       std::size_t k, Workspace& w) {
  const ForceStage& stage = w.stage[k];
  HeldWork& held = w.held;
  load_joints(m, joints, stage.at, x.alive, held);
  accelerate(m, x, stage, w);
  std::size_t row = 0;
  for (std::size_t n = 0; n < joints.joint.size(); ++n) {
    const HeldJoint& j = joints.joint[n];
    constraints::Pose pose[2];
    Twist twist[2];
    for (const bool second : {false, true}) {
      const int body = second ? j.b : j.a;
      if (body < 0) continue;
      const auto i = std::size_t(body);
      pose[second] = {stage.at.position[i], stage.at.orientation[i]};
      twist[second] = {stage.at.velocity[i], stage.at.spin[i]};
    }
    complementarity::bilateral::JointRows& out = held.system.joints[n];
    for (int r = 0; r < out.count; ++r, ++row) {
      const constraints::RowValue& v = held.value[row];
      out.rhs[r] = -rate_of(j, v.jacobian, w.base.velocity, w.base.spin) -
                   bias_of(joints.row[std::size_t(j.row_begin + r)], v, pose, twist);
    }
  }
  if (const char* reason = solve_joints(s.tolerance, held)) return reason;
  for (double& l : held.lambda) l *= stage.weight;
  for (std::size_t r = 0; r < held.lambda.size(); ++r) w.joint_impulse[r] += held.lambda[r];
  push_joints(m, joints, held, w, k);
  return nullptr;
}

/// Velocities of w.next -> what joints allow at its poses, for which they are loaded.
void project_velocities(const Model& m, const HeldJoints& joints, Workspace& w) {
  HeldWork& held = w.held;
  std::size_t row = 0;
  for (std::size_t n = 0; n < joints.joint.size(); ++n) {
    complementarity::bilateral::JointRows& out = held.system.joints[n];
    for (int r = 0; r < out.count; ++r)
      out.rhs[r] = -rate_of(joints.joint[n], held.value[row++].jacobian, w.next.velocity, w.next.spin);
  }
  // rates of joints are nearly round-off here: any solution that makes them smaller is good
  solve_joints(1e-4, held);
  if (!(held.report.residual < 1)) return;
  for (std::size_t r = 0; r < held.lambda.size(); ++r) w.joint_impulse[r] += held.lambda[r];
  push_joints(m, joints, held, w, 3);
  for (std::size_t k = 0; k < held.body_of_block.size(); ++k) {
    const auto i = std::size_t(held.body_of_block[k]);
    const double* d = held.u.data() + 6 * k;
    const Vec3 turn{d[3], d[4], d[5]};
    w.next.velocity[i] += Vec3{d[0], d[1], d[2]}, w.next.spin[i] += turn;
    if (w.stabilised && m.mobility[i] == Mobility::free)
      w.defect[i] += turning_of(m, i, w.before_stabilise.orientation[i], turn) -
                     turning_of(m, i, w.next.orientation[i], turn);
  }
  if (w.stabilised) w.before_stabilise.velocity = w.next.velocity, w.before_stabilise.spin = w.next.spin;
}

}  // namespace

StepReport rk4_projected_step(const Model& m, const SmoothSettings& s, const HeldJoints& joints,
                              const Input& in, State& x, Workspace& w) {
  begin(m, x, in, s.h, 4, w);
  w.joint_impulse.assign(joints.row.size(), 0.0);
  for (std::size_t k = 0; k < 4; ++k) {
    if (k > 0) place_rk4_stage(m, x, s.h, k, w);
    evaluate(m, x, in, x.time + rk4_node[k] * s.h, rk4_weight[k] * s.h, k, w);
    if (const char* reason = hold_stage(m, s, joints, x, k, w)) return refused(reason, -1, started());
  }
  finish_rk4(m, x, s.h, w);
  const int passes = close_joints(m, joints, x.alive, std::fmin(exact, s.tolerance), 0, w);
  project_velocities(m, joints, w);
  StepReport report = conclude(m, s, x, w, largest_violation(w.held), s.tolerance);
  if (report.status != StepReport::Status::refused) report.stabilisation_passes = passes;
  return report;
}

}  // namespace stiction::step
