// What the methods for smooth motion share: stages, Euler's kick, kick-drift-kick, the end of a step.
// Symbols: h step [s]; P, T impulses and angular impulses [N s], [N m s]; I inertia in world axes [kg m^2];
// v [m/s], w [rad/s] in world axes; L = I w [kg m^2/s].
#include "stiction/step/smooth.h"

namespace stiction::step {
namespace {

void copy_motion(const State& x, Motions& out) {
  out.position.assign(x.position.begin(), x.position.end());
  out.orientation.assign(x.orientation.begin(), x.orientation.end());
  out.velocity.assign(x.velocity.begin(), x.velocity.end());
  out.spin.assign(x.spin.begin(), x.spin.end());
  out.joint_position.assign(x.joint_position.begin(), x.joint_position.end());
  out.joint_velocity.assign(x.joint_velocity.begin(), x.joint_velocity.end());
}

}  // namespace

Vec3 velocity_change(const Model& m, std::size_t i, const Vec3& impulse) {
  const Vec3 dv = impulse / m.mass[i];
  if (m.mobility[i] != Mobility::planar) return dv;
  const Vec3& n = m.plane_normal[i];
  return dv - dot(n, dv) * n;
}

Vec3 spin_of(const Model& m, std::size_t i, const Quat& q, const Vec3& L) {
  if (m.mobility[i] == Mobility::particle) return {};
  if (m.mobility[i] == Mobility::planar) {
    const Vec3& n = m.plane_normal[i];
    return (dot(n, L) / dot(n, world_inertia(m.inertia[i], q) * n)) * n;
  }
  const Vec3& d = m.inertia[i];
  if (d.x == d.y && d.y == d.z) return L / d.x;
  const Vec3 l = rotate_back(q, L);
  return rotate(q, {l.x / d.x, l.y / d.y, l.z / d.z});
}

Vec3 exact_spin_of(const Model& m, std::size_t i, const Quat& q, const Vec3& L) {
  const Vec3 spin = spin_of(m, i, q, L);
  if (m.mobility[i] != Mobility::free) return spin;
  return spin + spin_of(m, i, q, L - turning_of(m, i, q, spin));
}

Vec3 spin_after(const Model& m, std::size_t i, const Quat& q, const Vec3& before, const Vec3& turn,
                const Vec3& L) {
  if (m.mobility[i] == Mobility::planar) return before + spin_of(m, i, q, turn);
  return exact_spin_of(m, i, q, L);
}

Vec3 turning_of(const Model& m, std::size_t i, const Quat& q, const Vec3& spin) {
  return world_inertia(m.inertia[i], q) * spin;
}

Quat turned(const Quat& q, const Vec3& spin, double h) { return normalized(cayley(h * spin) * q); }

void begin(const Model& m, const State& x, const Input& in, double h, int stages, Workspace& w) {
  const auto n = std::size_t(m.body_count());
  w.stages = stages;
  for (int k = 0; k < stages; ++k) copy_motion(x, w.stage[std::size_t(k)].at);
  copy_motion(x, w.next);
  w.turning.assign(n, {}), w.defect.assign(n, {});
  w.stabilised = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (is_link(m, i)) continue;
    if (!moves(m, x, i))
      move_kinematic(m, x, h, i, w.next);
    else
      w.turning[i] = turning_of(m, i, x.orientation[i], x.spin[i]);
  }
  if (!m.trees.empty()) begin_trees(m, x, in, w);
  for (int k = 0; k < stages; ++k) place_prescribed(m, x, h, 0, w, w.stage[std::size_t(k)].at);
}

void place_prescribed(const Model& m, const State& x, double h, double fraction, const Workspace& w,
                      Motions& out) {
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (moves(m, x, i) || is_link(m, i)) continue;
    out.velocity[i] = w.next.velocity[i], out.spin[i] = w.next.spin[i];
    const Motion& motion = m.motion[i];
    if (fraction == 0 || m.body_kind[i] != kinematic || motion.time.empty()) continue;
    out.position[i] = position_at(motion, x.time + fraction * h);
    if (!motion.orientation.empty()) out.orientation[i] = orientation_at(motion, x.time + fraction * h);
  }
}

void evaluate(const Model& m, const State& x, const Input& in, double time, double weight, std::size_t k,
              Workspace& w, Rate what) {
  ForceStage& stage = w.stage[k];
  const Motions& q = stage.at;
  stage.weight = weight;
  stage.applied.clear();
  forces::forces_at(m, {q.position, q.orientation, q.velocity, q.spin, x.alive}, time, weight, w.forces,
                    stage.applied);
  for (const InputWrench& i : in.wrenches)
    if (x.alive[std::size_t(i.body)] && m.body_kind[std::size_t(i.body)] == dynamic)
      stage.applied.push_back({Cause::input, i.body, weight * i.force, weight * i.torque});
  const std::size_t n = q.position.size();
  stage.impulse.resize(n), stage.angular_impulse.assign(n, {});
  for (std::size_t i = 0; i < n; ++i) stage.impulse[i] = (weight * m.mass[i]) * m.gravity;
  for (const forces::AppliedImpulse& a : stage.applied) {
    stage.impulse[std::size_t(a.body)] += a.linear;
    stage.angular_impulse[std::size_t(a.body)] += a.angular;
  }
  if (!m.trees.empty()) evaluate_tree_stage(m, time, what, k, w);
}

void push_euler(const Model& m, const State& x, double h, const ForceStage& stage, Workspace& w) {
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    w.next.velocity[i] = x.velocity[i] + velocity_change(m, i, stage.impulse[i]);
    const Vec3 torque = stage.angular_impulse[i] - h * cross(x.spin[i], w.turning[i]);
    w.next.spin[i] = x.spin[i] + spin_of(m, i, x.orientation[i], torque);
  }
}

void book_euler_defect(const Model& m, const State& x, double h, Workspace& w) {
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i) || m.mobility[i] != Mobility::free) continue;
    const Vec3& spin = w.next.spin[i];
    w.defect[i] = (turning_of(m, i, w.next.orientation[i], spin) - turning_of(m, i, x.orientation[i], spin)) -
                  h * cross(x.spin[i], w.turning[i]);
  }
}

StepReport euler_step(const Model& m, const SmoothSettings& s, const Input& in, State& x, Workspace& w,
                      Carrying carrying) {
  begin(m, x, in, s.h, 1, w);
  evaluate(m, x, in, x.time + 0.5 * s.h, s.h, 0, w);
  push_euler(m, x, s.h, w.stage[0], w);
  const bool end = carrying == Carrying::end;
  const std::vector<Vec3>&velocity = end ? w.next.velocity : x.velocity, &spin = end ? w.next.spin : x.spin;
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    w.next.position[i] = x.position[i] + s.h * velocity[i];
    if (m.mobility[i] != Mobility::particle) w.next.orientation[i] = turned(x.orientation[i], spin[i], s.h);
  }
  if (!m.trees.empty()) move_trees_by_euler(m, x, s.h, carrying, w);
  book_euler_defect(m, x, s.h, w);
  return conclude(m, s, x, w);
}

// v = v0 + P0/m,  L = L0 + T0;   x1 = x0 + h v,  (q0, L) -> q1 as `rotate` says, which keeps L;
// v1 = v + P1/m,  L1 = L + T1,   P, T of half the step. Forces that depend on velocities take those that the
// first impulses would lead to if they went on: second order, as the rest.
StepReport kick_drift_kick(const Model& m, const SmoothSettings& s, const Input& in, State& x, Workspace& w,
                           Rotation rotate, bool variational) {
  const double h = s.h;
  begin(m, x, in, h, 2, w);
  ForceStage &first = w.stage[0], &second = w.stage[1];
  evaluate(m, x, in, x.time, 0.5 * h, 0, w, Rate::kick);
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    const Vec3 kick = velocity_change(m, i, first.impulse[i]);
    w.next.velocity[i] = x.velocity[i] + kick;
    w.next.position[i] = x.position[i] + h * w.next.velocity[i];
    w.turning[i] += first.angular_impulse[i];
    const Vec3 spin = spin_of(m, i, x.orientation[i], w.turning[i]);
    if (m.mobility[i] == Mobility::free)
      w.next.orientation[i] = rotate(m.inertia[i], x.orientation[i], spin, h).orientation;
    else if (m.mobility[i] == Mobility::planar)
      w.next.orientation[i] = turned(x.orientation[i], spin, h);
    second.at.position[i] = w.next.position[i], second.at.orientation[i] = w.next.orientation[i];
    second.at.velocity[i] = w.next.velocity[i] + kick;
    second.at.spin[i] = spin_of(m, i, w.next.orientation[i], w.turning[i] + first.angular_impulse[i]);
  }
  if (!m.trees.empty())
    if (const TreeDrift d = drift_between_kicks(m, h, variational, w); d.reason != nullptr)
      return refused(d.reason, d.body, started());
  place_prescribed(m, x, h, 1, w, second.at);
  evaluate(m, x, in, x.time + h, 0.5 * h, 1, w, Rate::kick);
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    w.next.velocity[i] += velocity_change(m, i, second.impulse[i]);
    w.turning[i] += second.angular_impulse[i];
    const Vec3 turn = first.angular_impulse[i] + second.angular_impulse[i];
    w.next.spin[i] = spin_after(m, i, w.next.orientation[i], x.spin[i], turn, w.turning[i]);
  }
  if (!m.trees.empty()) kick_trees_at_end(m, h, w);
  return conclude(m, s, x, w);
}

StepReport conclude(const Model& m, const SmoothSettings& s, State& x, Workspace& w, const Violation& joints,
                    double limit) {
  StepReport report = started();
  if (const int i = first_not_finite(w.next); i >= 0) return refused("motion is not finite", i, report);
  w.certificate = {};
  w.certificate.tolerance = s.tolerance;
  w.certificate.joint = joints.joint, w.certificate.converged = joints.relative <= limit;
  w.end_contacts.clear();
  settle_smooth(m, x, s.h, w);
  if (const auto i = not_bookable(m, x, w)) return refused("the energy is not finite", *i, report);
  report.certificate = w.certificate;
  report.converged = w.certificate.converged;
  report.status = report.converged ? StepReport::Status::converged : StepReport::Status::unconverged;
  if (!report.converged) report.reason = "joints are further apart than the tolerance";
  accept(m, s.h, w, x);
  return report;
}

}  // namespace stiction::step
