// Mechanisms that something touches: their joints are rows of the step's problem. mechanism_contacts.cpp
// eliminates them; those of linkages that are too large for it stay beside the contacts.
//
// Row r of a joint between a and b asks that g(q+) = 0 at the end of the step. At the candidate end q_k that
// velocities v_k lead to,
//     g(q+)/h ~ g(q_k)/h + G_k (v - v_k) = 0,      G_k the discrete gradient from the start of the step to
//     q_k
// so that a fixed point holds exactly, and its impulses do no work against v+: joints take energy (as all
// that is implicit does), but never give any. The first pass has q_k the start, v_k = 0.
//
// A row that gives way, with stiffness k and damping d, has the impulse of the end of the step,
//     l = -h k g(q+) - d (g(q+) - g(q0)):     G v + b + C l = 0,     C = 1/(h (h k + d))
//     b = (g(q_k) - d/(h k + d) g(q0))/h - G_k v_k
// of first order, and it takes energy: what its work and the loss of its potential differ by is `numerics`.
//
// Symbols: g [m, rad], h [s], impulses [N s, N m s], k [N/m, N m/rad], d [N s/m, N m s/rad].
#include <algorithm>
#include <cmath>

#include "stiction/step/law_coordinates.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

using constraints::Jacobian;
using constraints::Pose;
using constraints::Row;
using constraints::RowValue;
using constraints::Twist;

bool in_mechanism(const Model& m, int body) { return m.mechanisms.mechanism_of[std::size_t(body)] >= 0; }

/// A row in the coordinates of a body's block.
void project(const Model& m, int body, const Twist& g, double row[6]) {
  const auto i = std::size_t(body);
  if (m.mobility[i] == Mobility::planar) {
    Vec3 e1, e2;
    tangents(m.plane_normal[i], e1, e2);
    row[0] = without_noise(dot(e1, g.linear), g), row[1] = without_noise(dot(e2, g.linear), g);
    row[2] = without_noise(dot(m.plane_normal[i], g.angular), g);
    row[3] = row[4] = row[5] = 0;
    return;
  }
  const bool turns = m.mobility[i] == Mobility::free;
  for (int k = 0; k < 3; ++k) row[k] = g.linear[k], row[3 + k] = turns ? g.angular[k] : 0.0;
}

}  // namespace

std::span<const Row> rows_of(const Model& m, const ModelConstraint& c, const Workspace& w) {
  if (!w.joint_broken.empty() && w.joint_broken[std::size_t(&c - m.mechanisms.constraint.data())]) return {};
  const std::vector<Row>& rows = w.joint_rows.empty() ? m.mechanisms.row : w.joint_rows;
  return {rows.data() + c.row_begin, std::size_t(c.row_end - c.row_begin)};
}

double extent_of(const Model& m, std::size_t i) {
  if (m.size[i] > 0) return m.size[i];
  const double most = max_component(m.inertia[i]);
  return most > 0 ? 2 * std::sqrt(most / m.mass[i]) : 1.0;
}

double size_of(const Model& m, const ModelConstraint& c, const Row& row) {
  if (constraints::is_angular(row)) return 1;
  double size = HUGE_VAL;
  for (const bool second : {false, true}) {
    const int body = second ? c.b : c.a;
    if (body < 0 || m.mobility[std::size_t(body)] == Mobility::none) continue;
    double own = m.size[std::size_t(body)];
    if (own == 0) own = 2 * norm(second ? row.point_b : row.point_a);  // it has no shape
    if (own > 0) size = std::fmin(size, own);
  }
  return size < HUGE_VAL ? size : 1;
}

void stop_mechanisms(const Model& m, const State& x, double h, Workspace& w) {
  const auto stop = [&](int body) {
    if (body < 0 || !in_mechanism(m, body)) return;
    const int j = m.mechanisms.mechanism_of[std::size_t(body)];
    if (!w.mechanisms[std::size_t(j)].flows) return;
    w.mechanisms[std::size_t(j)].flows = false;
    for (const int member : m.mechanisms.mechanism[std::size_t(j)].body) {
      const auto i = std::size_t(member);
      move_alone(m, x, h, i, w);
      w.next.position[i] = w.free.position[i], w.next.orientation[i] = w.free.orientation[i];
      w.next.velocity[i] = w.free.velocity[i], w.next.spin[i] = w.free.spin[i];
      w.mass_pose[i] = w.end_geometry ? x.orientation[i] : w.free.orientation[i];
    }
  };
  for (const WorkContact& c : w.contacts)
    if (c.in_problem) stop(c.point.key.a), stop(c.point.key.b);
  for (std::size_t k = 0; k < m.laws.size(); ++k)
    if (w.laws[k].in_problem) for_bodies(m, k, stop);
}

void resume_flows(const Model& m, const State& x, Workspace& w) {
  bool any = false;
  for (MechanismWork& own : w.mechanisms) any |= !own.flows, own.flows = true;
  if (!any) return;
  w.joint_impulse = w.flow_impulse;
  take_flows(m, x, 0, std::size_t(m.body_count()), w);
  for (const int body : m.mechanisms.body) {
    const auto i = std::size_t(body);
    w.next.position[i] = w.free.position[i], w.next.orientation[i] = w.free.orientation[i];
    w.next.velocity[i] = w.free.velocity[i], w.next.spin[i] = w.free.spin[i];
  }
}

bool is_stopped(const Model& m, const Workspace& w, int body) {
  const int j = body < 0 || m.mechanisms.empty() ? -1 : m.mechanisms.mechanism_of[std::size_t(body)];
  return j >= 0 && !w.mechanisms[std::size_t(j)].flows;
}

void linearise_joints(const Model& m, const State& x, double h, Workspace& w) {
  const std::size_t n = m.mechanisms.row.size();
  w.joint_gradient.resize(n), w.joint_right.resize(n);
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    if (w.mechanisms[std::size_t(c.mechanism)].flows) continue;
    const std::span<const Row> rows = rows_of(m, c, w);
    const Pose a = pose_of(w.base, c.a), b = pose_of(w.base, c.b);
    constraints::mean_jacobian(rows, pose_of(x, c.a), pose_of(x, c.b), a, b,
                               w.joint_gradient.data() + c.row_begin);
    for (int r = c.row_begin; r < c.row_begin + int(rows.size()); ++r) {
      const Jacobian& g = w.joint_gradient[std::size_t(r)];
      const double value = constraints::evaluate(rows[std::size_t(r - c.row_begin)], a, b).value;
      double& right = w.joint_right[std::size_t(r)];
      double kept = w.joint_kept[std::size_t(r)];
      if (const ModelSoftness& s = m.mechanisms.softness[std::size_t(r)]; s.is_soft())
        kept = s.damping / (h * s.stiffness + s.damping) * w.joint_start[std::size_t(r)];
      right = (value - kept) / h - dot(g, twist_of(w.base, c.a), twist_of(w.base, c.b));
      for (const bool second : {false, true})
        if (const int body = second ? c.b : c.a; body >= 0 && m.body_kind[std::size_t(body)] == kinematic)
          right += dot(second ? g.b : g.a, twist_of(w.free, body));
    }
  }
}

void linearise_positions(const Model& m, Workspace& w) {
  const std::size_t n = m.mechanisms.row.size();
  w.joint_gradient.resize(n), w.joint_right.resize(n);
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    const std::span<const Row> rows = rows_of(m, c, w);
    RowValue value[mechanism::most_rows];
    constraints::evaluate(rows, pose_of(w.next, c.a), pose_of(w.next, c.b), value);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t i = std::size_t(c.row_begin) + r;
      w.joint_gradient[i] = value[r].jacobian;
      w.joint_right[i] = is_soft(m, c, r) ? 0.0 : value[r].value;  // what gives way stays, as far as it may
    }
  }
}

void fill_side(const Model& m, int body, int side, const Twist& g, const Workspace& w,
               complementarity::ContactRows& rows) {
  rows.block[side] = w.block_of_body[std::size_t(body)];
  if (rows.block[side] < 0) return;
  double row[6];
  project(m, body, g, row);
  for (int k = 0; k < 6; ++k) rows.G[side][k] += row[k];
}

void fill_joint(const Model& m, const ModelConstraint& c, int r, int row, Workspace& w) {
  complementarity::ContactRows out;
  out.kind = complementarity::RowKind::equality;
  out.b[0] = w.joint_right[std::size_t(r)];
  if (c.a >= 0) fill_side(m, c.a, 0, w.joint_gradient[std::size_t(r)].a, w, out);
  if (c.b >= 0) fill_side(m, c.b, 1, w.joint_gradient[std::size_t(r)].b, w, out);
  w.problem.contacts[std::size_t(row)] = out;
  w.r[std::size_t(3 * row)] = w.joint_impulse[std::size_t(r)];
  w.r[std::size_t(3 * row + 1)] = w.r[std::size_t(3 * row + 2)] = 0;
}

double worst_joint(const Model& m, const Motions& q, const Workspace& w, double& worst, int* which) {
  double relative = 0;
  for (std::size_t j = 0; j < m.mechanisms.constraint.size(); ++j) {
    const ModelConstraint& c = m.mechanisms.constraint[j];
    const std::span<const Row> rows = rows_of(m, c, w);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (is_soft(m, c, r)) continue;
      const Row& row = rows[r];
      const double error = std::fabs(constraints::evaluate(row, pose_of(q, c.a), pose_of(q, c.b)).value);
      if (!(error <= worst)) worst = error;
      const double part = error / size_of(m, c, row);
      if (part <= relative) continue;
      relative = part;
      if (which != nullptr) *which = int(j);
    }
  }
  return relative;
}

namespace {

/// Impulses of a joint's rows by cause: what holds, springs, dampers.
struct Causes {
  static constexpr Cause name[3] = {Cause::joint, Cause::spring, Cause::damping};
  double impulse[3][mechanism::most_rows] = {};
  bool used[3] = {};
};
Causes by_cause(const Model& m, const ModelConstraint& c, std::span<const Row> rows, const Motions& end,
                const Workspace& w) {
  Causes out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t i = std::size_t(c.row_begin) + r;
    const double l = w.joint_impulse[i];
    const ModelSoftness& s = m.mechanisms.softness[i];
    if (!s.is_soft()) {
      out.impulse[0][r] = l, out.used[0] = true;
      continue;
    }
    double damper = s.stiffness > 0 ? 0.0 : l;
    if (s.stiffness > 0 && s.damping > 0)
      damper = -s.damping * (constraints::evaluate(rows[r], pose_of(end, c.a), pose_of(end, c.b)).value -
                             w.joint_start[i]);
    out.impulse[1][r] = l - damper, out.impulse[2][r] = damper;
    out.used[1] |= s.stiffness > 0, out.used[2] |= s.damping > 0;
  }
  return out;
}

/// Calls act(body, impulse and torque on it, cause) for both sides of every joint.
template <class Act>
void for_reactions(const Model& m, const State& x, const Motions& end, Workspace& w, const Act& act) {
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    const std::span<const Row> rows = rows_of(m, c, w);
    Jacobian gradient[mechanism::most_rows];
    if (w.mechanisms[std::size_t(c.mechanism)].flows)
      constraints::mean_jacobian(rows, pose_of(x, c.a), pose_of(x, c.b), pose_of(end, c.a), pose_of(end, c.b),
                                 gradient);
    else
      std::copy(w.joint_gradient.begin() + c.row_begin, w.joint_gradient.begin() + c.row_end, gradient);
    const Causes causes = by_cause(m, c, rows, end, w);
    for (int k = 0; k < 3; ++k) {
      if (!causes.used[k]) continue;
      for (const bool second : {false, true}) {
        Twist p;
        for (std::size_t r = 0; r < rows.size(); ++r) {
          const Twist& g = second ? gradient[r].b : gradient[r].a;
          p.linear += causes.impulse[k][r] * g.linear, p.angular += causes.impulse[k][r] * g.angular;
        }
        if (const int body = second ? c.b : c.a; body >= 0) act(std::size_t(body), p, Causes::name[k]);
      }
    }
  }
}

}  // namespace

void add_joint_impulses(const Model& m, const State& x, const Motions& end, Workspace& w) {
  for_reactions(m, x, end, w, [&](std::size_t i, const Twist& p, Cause) {
    w.total_impulse[i] += p.linear, w.total_torque[i] += p.angular;
  });
  for (const forces::AppliedImpulse& a : w.middle_applied)
    if (flows_joined(m, w, std::size_t(a.body)))
      w.total_impulse[std::size_t(a.body)] += a.linear, w.total_torque[std::size_t(a.body)] += a.angular;
}

void book_joints(const Model& m, const State& x, const Motions& end, double h, Workspace& w) {
  Entries& e = w.entries;
  const auto work_of = [&](Cause cause, double joules) {
    e.book(cause, joules);
    if (is_potential(cause)) e.book(Cause::numerics, joules);  // settle() has the change of the potential
  };
  for_reactions(m, x, end, w, [&](std::size_t i, const Twist& p, Cause cause) {
    if (m.mobility[i] == Mobility::none) {
      if (m.body_kind[i] != kinematic) return;
      e.book(Cause::kinematic, -dot(p, twist_of(end, int(i))));
      work_of(cause, dot(p, twist_of(end, int(i))));
      return;
    }
    work_of(cause, dot(p, mean_motion(m, x, end, i, w)));
    const Vec3 place = flows_joined(m, w, i) ? 0.5 * (x.position[i] + end.position[i]) : x.position[i];
    const bool turns = m.mobility[i] != Mobility::particle;
    e.book(cause, p.linear, cross(place, p.linear) + (turns ? p.angular : Vec3{}));
  });
  // what gravity does about the origin it does at the middle of the way, not at its start
  for (const int body : m.mechanisms.body) {
    const auto i = std::size_t(body);
    if (!flows_joined(m, w, i)) continue;
    const Vec3 weight = h * m.mass[i] * m.gravity;
    e.book(Cause::gravity, {}, cross(0.5 * (end.position[i] - x.position[i]), weight));
    // velocities that joints did not allow at the start: taken away by their impulses there
    const MechanismWork& own = w.mechanisms[std::size_t(m.mechanisms.mechanism_of[i])];
    const Twist& start = own.start[std::size_t(m.mechanisms.node_of[i])];
    const Vec3 dv = start.linear - x.velocity[i], dw = start.angular - x.spin[i];
    if (dv == Vec3{} && dw == Vec3{}) continue;
    const Vec3 dp = m.mass[i] * dv, dl = world_inertia(m.inertia[i], x.orientation[i]) * dw;
    e.book(Cause::joint, 0.5 * (dot(dp, start.linear + x.velocity[i]) + dot(dl, start.angular + x.spin[i])));
    e.book(Cause::joint, dp, cross(x.position[i], dp) + dl);
    const double seen = 0.5 * dot(weight, dv);  // gravity at the velocity that the books have taken
    e.book(Cause::gravity, seen), e.book(Cause::numerics, seen);
  }
}

}  // namespace stiction::step
