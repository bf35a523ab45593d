// SPOOK: semi-implicit Euler with joints as stiff springs and dampers in the limit, linearised at the start
// of the step,
//     [ M  -G^T  ] [ v+     ]   [ M v + h f             ]      Sigma   = 4 eps/(h^2 (1 + 4 tau/h))
//     [ G  Sigma ] [ lambda ] = [ -(4/h) Y g + Y G v    ]      Y = 1/(1 + 4 tau/h)
//     x+ = x + h v+,   q+ = cay(h w+) q
// g, G values and Jacobian of the joints' rows at the start, lambda [N s, N m s] their impulses, eps
// compliance [m/N, rad/(N m)], tau damping time [s], f forces at the start with the gyroscopic torque -w x I
// w in them. At rest g = -eps times the force, whatever h and tau. The error of a joint is of order h^2 and
// decays over about tau/h + 1 steps. First order. Reference: M. Servin, Notes on Discrete Mechanics (2015),
// (13.1) to (13.5); C. Lacoursiere, Ghosts and Machines, Umea University 2007. lambda is an impulse there
// too: its force is lambda/h. When it fails: fast spinning bodies gain energy by the explicit gyroscopic
// torque, and chains that carry a heavy load at their end become unstable where h times the frequency of
// their light links is of order 1.
#include "stiction/step/held_joints.h"
#include "stiction/step/smooth.h"

namespace stiction::step {

StepReport spook_step(const Model& m, const SmoothSettings& s, const HeldJoints& joints, const Input& in,
                      State& x, Workspace& w) {
  const double h = s.h;
  begin(m, x, in, h, 1, w);
  evaluate(m, x, in, x.time + 0.5 * h, h, 0, w);
  push_euler(m, x, h, w.stage[0], w);

  HeldWork& held = w.held;
  const Motions& start = w.stage[0].at;
  load_joints(m, joints, start, x.alive, held);
  std::size_t row = 0;
  for (std::size_t k = 0; k < joints.joint.size(); ++k) {
    const HeldJoint& j = joints.joint[k];
    complementarity::bilateral::JointRows& out = held.system.joints[k];
    const double tau = j.damping_time < 0 ? 2 * h : j.damping_time, relax = 1 / (1 + 4 * tau / h);
    for (int r = 0; r < out.count; ++r) {
      const constraints::RowValue& v = held.value[row++];
      out.sigma[r] = 4 * j.compliance / (h * h) * relax;
      out.rhs[r] = -(4 / h) * relax * v.value + relax * rate_of(j, v.jacobian, start.velocity, start.spin) -
                   rate_of(j, v.jacobian, w.next.velocity, w.next.spin);
    }
  }
  if (const char* reason = solve_joints(s.tolerance, held)) return refused(reason, -1, started());
  push_joints(m, joints, held, w);
  w.joint_impulse = held.lambda;
  push_euler(m, x, h, w.stage[0], w);
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    w.next.position[i] = x.position[i] + h * w.next.velocity[i];
    if (m.mobility[i] != Mobility::particle)
      w.next.orientation[i] = turned(x.orientation[i], w.next.spin[i], h);
  }
  if (!m.trees.empty()) move_trees_by_euler(m, x, h, Carrying::end, w);
  book_euler_defect(m, x, h, w);
  load_joints(m, joints, w.next, x.alive, held);
  return conclude(m, s, x, w, largest_violation(held));
}

}  // namespace stiction::step
