// Joints that give way, and joints that break. How rows that give way act in a step is in mechanism_flow.cpp,
// mechanism_rows.cpp and mechanism_contacts.cpp; here is what they store,
//     V = sum of k g^2/2                    g [m, rad] value of the row, k [N/m, N m/rad] its stiffness
// how well their law holds in contact, where the impulse l of a row with the damping d says g = (d g0 - l)/(h
// k + d) for the end of the step: what it misses by counts with W/(W + C), which is by how much the row would
// move if the law were made to hold (W = G M^-1 G^T, C = 1/(h (h k + d))); and how joints break: at the end
// of an accepted step, or part of one, in which the mean of their force or torque exceeded what they bear.
// Force and torque are what the impulses l of the step's rows did to the body of the joint, about the joint's
// point on it, with the gradients of the end of the step,
//     F = |sum l/h G_x| > break_force       T = |sum l/h G_t - arm x F| > break_torque
// A broken joint has no rows any more, and its two bodies may touch. Its V goes with it: booked under
// `breaking`. When it fails: an impact has a mean force that grows as the step is made shorter, since bodies
// are rigid; joints that give way spread it over the time that they need for it.
#include <algorithm>

#include "stiction/step/mechanisms.h"
#include "stiction/step/reaction.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

using constraints::Pose;
using constraints::Twist;

bool is_broken(const State& x, std::size_t constraint) {
  return !x.joint_broken.empty() && x.joint_broken[constraint] != 0;
}

/// V of one joint, whole or not.
template <class Arrays>
double energy_of(const Model& m, const State& x, const Arrays& q, const ModelConstraint& c) {
  double sum = 0;
  for (int r = c.row_begin; r < c.row_end; ++r) {
    const auto i = std::size_t(r);
    const double k = m.mechanisms.softness[i].stiffness;
    if (k == 0) continue;
    constraints::Row row = m.mechanisms.row[i];
    if (!x.joint_memory.empty()) row.last = x.joint_memory[i];
    const double value = constraints::evaluate(row, pose_of(q, c.a), pose_of(q, c.b)).value;
    sum += 0.5 * k * (value * value);
  }
  return sum;
}

}  // namespace

double soft_energy(const Model& m, const State& x, const Motions& q) {
  double sum = 0;
  for (std::size_t j = 0; j < m.mechanisms.constraint.size(); ++j)
    if (!is_broken(x, j)) sum += energy_of(m, x, q, m.mechanisms.constraint[j]);
  return sum;
}

namespace {

/// G M^-1 G^T of a row.
double inverse_mass(const Model& m, const Motions& q, const ModelConstraint& c,
                    const constraints::Jacobian& g) {
  double sum = 0;
  for (const bool second : {false, true}) {
    const int body = second ? c.b : c.a;
    if (body < 0 || m.mobility[std::size_t(body)] == Mobility::none) continue;
    const auto i = std::size_t(body);
    const Twist& by = second ? g.b : g.a;
    sum += norm2(by.linear) / m.mass[i];
    if (m.mobility[i] == Mobility::particle) continue;
    const Vec3 t = rotate_back(q.orientation[i], by.angular);
    sum += t.x * t.x / m.inertia[i].x + t.y * t.y / m.inertia[i].y + t.z * t.z / m.inertia[i].z;
  }
  return sum;
}

}  // namespace

void judge_soft_rows(const Model& m, double h, Workspace& w) {
  w.soft_error = w.soft_relative = 0;
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    if (w.mechanisms[std::size_t(c.mechanism)].flows) continue;
    const std::span<const constraints::Row> rows = rows_of(m, c, w);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t i = std::size_t(c.row_begin) + r;
      const ModelSoftness& s = m.mechanisms.softness[i];
      if (!s.is_soft()) continue;
      const constraints::RowValue now =
          constraints::evaluate(rows[r], pose_of(w.next, c.a), pose_of(w.next, c.b));
      const double C = w.joint_give[i], W = inverse_mass(m, w.next, c, now.jacobian);
      const double said = (s.damping * w.joint_start[i] - w.joint_impulse[i]) / (h * s.stiffness + s.damping);
      const double error = std::fabs(now.value - said) * W / (W + C);
      w.soft_error = std::fmax(w.soft_error, error);
      w.soft_relative = std::fmax(w.soft_relative, error / size_of(m, c, rows[r]));
    }
  }
}

void break_joints(const Model& m, Workspace& w, State& x) {
  bool any = false;
  tree::Kinematics unused;
  for (std::size_t j = 0; j < x.joint_broken.size(); ++j) {
    const ModelConstraint& c = m.mechanisms.constraint[j];
    if (x.joint_broken[j] || !c.is_breakable()) continue;
    const JointReaction r = reaction_of(m, x, {.index = j, .joint = c.joint}, unused);
    const bool holds = (c.break_force == 0 || norm(r.force) <= c.break_force) &&
                       (c.break_torque == 0 || norm(r.torque) <= c.break_torque);
    if (holds) continue;
    w.entries.book(Cause::breaking, -energy_of(m, x, x, c));
    x.joint_broken[j] = 1, any = true;
    w.broken.push_back(int(j));
  }
  if (any && m.mechanisms.springs) w.totals.spring_potential = stored_energy(m, x, w.next, w);
}

bool is_parted(const Model& m, const State& x, int a, int b) {
  if (x.joint_broken.empty()) return false;
  const ModelMechanisms& all = m.mechanisms;
  const auto [first, last] =
      std::equal_range(all.pair.begin(), all.pair.end(), std::pair{std::min(a, b), std::max(a, b)});
  return first != last && std::all_of(first, last, [&](const auto& pair) {
           return x.joint_broken[std::size_t(all.pair_constraint[std::size_t(&pair - all.pair.data())])] != 0;
         });
}

}  // namespace stiction::step
