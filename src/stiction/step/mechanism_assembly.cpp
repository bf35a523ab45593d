// Joints that do not meet are pulled together, and velocities that joints do not allow are taken away: by the
// smallest move, and the smallest change, in the metric of the mass matrix,
//     M d = G^T l,   G d = -g          d: shift and turn of each body, again with new G until g = 0
//     M dv = G^T l,  G (v + dv) = 0
// A move that would shift a body by more than a part of its size, or turn it far, is shortened as a whole:
// far from the solution the linear equation promises too much.
//
// Rows that give way ask for nothing: their g is elastic. In moves within a step they resist by what they are
// worth in it: G d + C l = 0 with C as in mechanism_rows.cpp.
//
// Symbols: M [kg, kg m^2] at the present place, g [m, rad]. Reference: M. Cline, D. Pai, Post-stabilization
// for rigid body simulation with contact and constraints, ICRA 2003. When it fails: joints that contradict
// each other come to rest with g as small as it gets; positions where rows lose their independence are left
// slowly.
#include <algorithm>
#include <cmath>

#include "stiction/step/mechanisms.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

using constraints::Pose;
using constraints::Row;
using constraints::Twist;
using mechanism::most_dofs;
using mechanism::most_rows;
using mechanism::most_wide;

constexpr int most_passes = 60;
constexpr double meets = 1e-10;   // [-] joints and velocities that are round-off apart are left as they are
constexpr double farthest = 0.2;  // [-] of a body's size, [rad]: the largest move in a pass

struct Assembler {
  const Model& m;
  const ModelMechanism& mech;
  Motions& q;
  const Workspace& all;
  MechanismWork& w;

  Pose pose(int body) const {
    if (body < 0) return {};
    return {q.position[std::size_t(body)], q.orientation[std::size_t(body)]};
  }
  int node(int body) const { return body < 0 ? -1 : m.mechanisms.node_of[std::size_t(body)]; }

  template <class Act>
  void for_joints(const Act& act) {
    for (const int c : mech.node_constraint)
      if (c >= 0) act(m.mechanisms.constraint[std::size_t(c)]);
    for (const int c : mech.loop_constraint) act(m.mechanisms.constraint[std::size_t(c)]);
  }

  void bodies() {
    for (std::size_t k = 0; k < mech.body.size(); ++k) {
      const auto i = std::size_t(mech.body[k]);
      const Mat3 I = world_inertia(m.inertia[i], q.orientation[i]);
      double* K = w.saddle.body(int(k));
      w.basis[k] = basis_of(m, i);
      for (int r = 0; r < w.basis[k].dofs; ++r)
        for (int c = 0; c < w.basis[k].dofs; ++c) {
          const Twist &a = w.basis[k].column[r], &b = w.basis[k].column[c];
          K[r * most_dofs + c] = m.mass[i] * dot(a.linear, b.linear) + dot(a.angular, I * b.angular);
        }
    }
  }

  /// Right-hand sides: minus the values of rows, or minus their rates.
  double joint(const ModelConstraint& c, bool rates) {
    const std::span<const Row> rows = rows_of(m, c, all);
    constraints::evaluate(rows, pose(c.a), pose(c.b), w.value);
    double* right = unknowns_of(w, c);
    double worst = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const bool soft = is_soft(m, c, r);
      if (soft && (rates || all.joint_give.empty())) continue;
      if (soft) compliance_of(w.saddle, c)[r] = all.joint_give[std::size_t(c.row_begin) + r];
      double rate = 0;
      for (const bool second : {false, true}) {
        const int body = second ? c.b : c.a, at = node(body);
        if (body < 0) continue;
        const Twist& g = second ? w.value[r].jacobian.b : w.value[r].jacobian.a;
        rate += dot(g, Twist{q.velocity[std::size_t(body)], q.spin[std::size_t(body)]});
        if (at < 0) continue;
        const SideBlocks to = blocks_of(w.saddle, c, c.node == at, second);
        const MechanismWork::Basis& basis = w.basis[std::size_t(at)];
        for (int i = 0; i < basis.dofs; ++i)
          to.force[std::size_t(i * most_rows) + r] = to.row[int(r) * most_dofs + i] =
              without_noise(dot(basis.column[i], g), g);
      }
      right[r] = soft ? 0.0 : -(rates ? rate : w.value[r].value);
      worst = std::fmax(worst, std::fabs(right[r]));
    }
    return worst;
  }

  /// Solves for the change of all bodies; the largest right-hand side, or -1 where there is no solution.
  double solve(bool rates) {
    w.saddle.set_zero();
    std::fill(w.nodes.begin(), w.nodes.end(), 0.0), std::fill(w.loops.begin(), w.loops.end(), 0.0);
    bodies();
    double worst = 0;
    for_joints([&](const ModelConstraint& c) { worst = std::fmax(worst, joint(c, rates)); });
    if (!w.saddle.factorise()) return -1;
    w.saddle.solve(w.nodes.data(), w.loops.data());
    return worst;
  }

  Twist change(std::size_t k) const {
    Twist d;
    for (int i = 0; i < w.basis[k].dofs; ++i) {
      const double by = w.nodes[k * most_wide + std::size_t(i)];
      d.linear += by * w.basis[k].column[i].linear, d.angular += by * w.basis[k].column[i].angular;
    }
    return d;
  }

  void meet() {
    double last = 1e300;
    for (int pass = 0; pass < most_passes; ++pass) {
      const double worst = solve(false);
      if (!(worst > 0)) return;
      double part = 1;
      for (std::size_t k = 0; k < mech.body.size(); ++k) {
        const Twist d = change(k);
        const double size = extent_of(m, std::size_t(mech.body[k]));
        part = std::fmin(part, farthest * size / std::fmax(norm(d.linear), farthest * size));
        part = std::fmin(part, farthest / std::fmax(norm(d.angular), farthest));
      }
      if (part == 1 && worst < 1e-12 && worst >= 0.5 * last) return;  // round-off
      for (std::size_t k = 0; k < mech.body.size(); ++k) {
        const auto i = std::size_t(mech.body[k]);
        const Twist d = change(k);
        const Pose moved = constraints::displaced(pose(int(i)), {part * d.linear, part * d.angular});
        q.position[i] = moved.position;
        if (m.mobility[i] != Mobility::particle) q.orientation[i] = moved.orientation;
      }
      last = worst;
    }
  }

  void allow() {
    double fastest = 0;
    for (const int body : mech.body) fastest = std::fmax(fastest, norm(q.velocity[std::size_t(body)]));
    if (!(solve(true) > meets * fastest)) return;
    for (std::size_t k = 0; k < mech.body.size(); ++k) {
      const auto i = std::size_t(mech.body[k]);
      const Twist d = change(k);
      q.velocity[i] += d.linear, q.spin[i] += d.angular;
    }
  }
};

}  // namespace

void ready(const Model& m, std::size_t j, Workspace& w) {
  const ModelMechanism& mech = m.mechanisms.mechanism[j];
  MechanismWork& own = w.mechanisms[j];
  const std::size_t n = mech.body.size();
  if (own.basis.size() != n || own.revision != m.revision) own.saddle.analyse(mech.nodes, mech.loops);
  own.revision = m.revision;
  own.basis.resize(n), own.nodes.resize(n * most_wide), own.loops.resize(mech.loops.size() * most_rows);
}

namespace {

/// Angles of rows that follow one, at the poses of x.
void take_angles(const Model& m, State& x) {
  if (!m.mechanisms.tracked) return;
  const auto pose = [&](int body) {
    return body < 0 ? Pose{} : Pose{x.position[std::size_t(body)], x.orientation[std::size_t(body)]};
  };
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    const Pose a = pose(c.a), b = pose(c.b);
    // normals of curves belong to the place that is followed: impulses along the old ones -> along the new
    const bool curve = m.mechanisms.row[std::size_t(c.row_begin)].kind == constraints::RowKind::curve;
    Vec3 push;
    for (int r = c.row_begin; r < c.row_end; ++r) {
      const auto i = std::size_t(r);
      Row row = m.mechanisms.row[i];
      row.last = x.joint_memory[i];
      if (curve) push += x.joint_impulse[i] * constraints::evaluate(row, a, b).jacobian.b.linear;
      constraints::track(row, a, b);
      x.joint_memory[i] = row.last;
    }
    for (int r = c.row_begin; curve && r < c.row_end; ++r) {
      const auto i = std::size_t(r);
      Row row = m.mechanisms.row[i];
      row.last = x.joint_memory[i];
      x.joint_impulse[i] = dot(push, constraints::evaluate(row, a, b).jacobian.b.linear);
    }
  }
}

}  // namespace

void make_room_for_joints(const Model& m, State& x) {
  x.joint_impulse.assign(m.mechanisms.row.size(), 0.0);
  x.joint_memory.assign(m.mechanisms.tracked ? m.mechanisms.row.size() : 0, 0.0);
  for (std::size_t r = 0; r < x.joint_memory.size(); ++r) x.joint_memory[r] = m.mechanisms.row[r].last;
  x.joint_rough.assign(m.mechanisms.mechanism.size(), 1);
  x.joint_broken.assign(m.mechanisms.breakable ? m.mechanisms.constraint.size() : 0, 0);
  if (!x.position.empty() && x.orientation.size() == x.position.size()) take_angles(m, x);
}

void start_joints(const Model& m, State& x) {
  make_room_for_joints(m, x);
  Workspace w;
  Motions q = motions_of(x);
  double worst = 0;
  if (worst_joint(m, q, w, worst) > meets) pull_together(m, q, w);
  w.mechanisms.resize(m.mechanisms.mechanism.size());
  for (std::size_t j = 0; j < w.mechanisms.size(); ++j) allow_velocities(m, j, q, w);
  x.position = q.position, x.orientation = q.orientation, x.velocity = q.velocity, x.spin = q.spin;
  make_room_for_joints(m, x);
  std::fill(x.joint_rough.begin(), x.joint_rough.end(), 0);
}

void accept_joints(const Model& m, const Workspace& w, State& x) {
  std::copy(w.joint_impulse.begin(), w.joint_impulse.end(), x.joint_impulse.begin());
  for (std::size_t j = 0; j < w.mechanisms.size(); ++j)
    x.joint_rough[j] = !w.mechanisms[j].flows || w.stabilised;
  take_angles(m, x);
}

void pull_together(const Model& m, Motions& q, Workspace& w) {
  w.mechanisms.resize(m.mechanisms.mechanism.size());
  for (std::size_t j = 0; j < w.mechanisms.size(); ++j) {
    ready(m, j, w);
    Assembler{m, m.mechanisms.mechanism[j], q, w, w.mechanisms[j]}.meet();
  }
}

void allow_velocities(const Model& m, std::size_t j, Motions& q, Workspace& w) {
  ready(m, j, w);
  Assembler{m, m.mechanisms.mechanism[j], q, w, w.mechanisms[j]}.allow();
}

}  // namespace stiction::step
