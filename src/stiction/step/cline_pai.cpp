// The velocity-level step of Cline and Pai for joints, with their three ways to keep bodies together and a
// fourth:
//     v+ = v + h W f + W G^T lambda,     (G W G^T) lambda = -gamma g - G (v + h W f)
//     x+ = x + h v+,   q+ = exp(h w+) q
// G and g at the start of the step, W = M^-1 there, lambda [N s, N m s], f forces with the gyroscopic torque.
//   none       gamma = 0: joints drift apart by order h per unit of time
//   baumgarte  gamma > 0 [1/s]: part of the error becomes velocity; stable up to gamma h = 2
//   post       gamma = 0, and after the step the smallest move in the metric of the masses closes the joints:
//              dq = -W G^T (G W G^T)^-1 g at the new poses, velocities untouched
//   anitescu_hart   gamma = 1/h: the joint is to be closed by the motion of the step itself, to first order,
//              g + h G v+ = 0, so that no constant is to be chosen and the error is that of the
//              linearisation, of order h^2; part of an error that was torn open stays as velocity
// First order. Bodies turn by exactly h w+, so that a planar one has its angle as the coordinate p of the
// reference.
// Reference: M. Cline, D. Pai, Post-stabilization for rigid body simulation with contact and constraints,
// IEEE ICRA 2003, (4), (10) to (14); J. Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972);
// M. Anitescu, G. D. Hart, Int. J. Numer. Methods Eng. 60 (2004), whose complementarity problem this is where
// there are neither contacts nor limits. When it fails:
// as spook.cpp; gamma h > 2; post: see held_joints.cpp.
#include <cmath>

#include "stiction/math/spatial.h"
#include "stiction/step/held_joints.h"
#include "stiction/step/smooth.h"

namespace stiction::step {

StepReport cline_pai_step(const Model& m, const ClinePaiSettings& s, const HeldJoints& joints,
                          const Input& in, State& x, Workspace& w) {
  const double h = s.smooth.h;
  const double gamma = s.stabilisation == Stabilisation::baumgarte       ? s.gamma
                       : s.stabilisation == Stabilisation::anitescu_hart ? 1 / h
                                                                         : 0;
  begin(m, x, in, h, 1, w);
  evaluate(m, x, in, x.time + 0.5 * h, h, 0, w);
  push_euler(m, x, h, w.stage[0], w);

  HeldWork& held = w.held;
  load_joints(m, joints, w.stage[0].at, x.alive, held);
  std::size_t row = 0;
  for (std::size_t k = 0; k < joints.joint.size(); ++k) {
    complementarity::bilateral::JointRows& out = held.system.joints[k];
    for (int r = 0; r < out.count; ++r) {
      const constraints::RowValue& v = held.value[row++];
      out.rhs[r] = -gamma * v.value - rate_of(joints.joint[k], v.jacobian, w.next.velocity, w.next.spin);
    }
  }
  if (const char* reason = solve_joints(s.smooth.tolerance, held)) return refused(reason, -1, started());
  push_joints(m, joints, held, w);
  w.joint_impulse = held.lambda;
  push_euler(m, x, h, w.stage[0], w);
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    w.next.position[i] = x.position[i] + h * w.next.velocity[i];
    if (m.mobility[i] != Mobility::particle)
      w.next.orientation[i] = normalized(exponential(h * w.next.spin[i]) * x.orientation[i]);
  }
  if (!m.trees.empty()) move_trees_by_euler(m, x, h, Carrying::end, w);
  book_euler_defect(m, x, h, w);

  const bool post = s.stabilisation == Stabilisation::post;
  if (!post) load_joints(m, joints, w.next, x.alive, held);
  const int passes = post ? close_joints(m, joints, x.alive, s.smooth.tolerance, s.post_passes, w) : 0;
  const bool to_tolerance = post && s.post_passes == 0;
  StepReport report =
      conclude(m, s.smooth, x, w, largest_violation(held), to_tolerance ? s.smooth.tolerance : HUGE_VAL);
  if (report.status != StepReport::Status::refused) report.stabilisation_passes = passes;
  return report;
}

}  // namespace stiction::step
