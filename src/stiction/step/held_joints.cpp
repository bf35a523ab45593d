// Symbols: g [m, rad] values of the rows, G their Jacobian by velocities and spins (world axes), M masses,
// lambda [N s, N m s] impulses, W = M^-1. Bodies keep blocks of six whatever their mobility: directions that
// a planar body or a particle does not have are zero in W,
//     free: 1/m, I^-1      planar with normal n: (1 - n n^T)/m, n n^T/(n.I n)      particle: 1/m, 0
// so that rows along them show as redundant, and no row needs other coordinates.
//
// close_joints() is post-stabilisation: G dq = -g, M dq = G^T lambda, with G and M at the present poses,
// again and again; a move by dq makes an error of second order, so that near the solution the error is
// squared in each pass. Far from it (bodies set down apart) the linear problem says nothing: no pass turns a
// body by more than half a radian, and one that makes the worst error larger is halved. Fails where joints
// contradict each other: then the error that is left is the least-squares one of the linear problem.
// Reference: M. Cline, D. Pai, IEEE ICRA 2003, (14).
#include "stiction/step/held_joints.h"

#include <cmath>

#include "stiction/math/spatial.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/smooth.h"

namespace stiction::step {
namespace {

namespace bilateral = complementarity::bilateral;
using constraints::Jacobian;
using constraints::Pose;
using constraints::Row;
using constraints::RowValue;
using constraints::Twist;

constexpr int most_passes = 50;
constexpr double most_turn = 0.5;  // [rad] of a body in one pass
// [-] of a pass's linear problem; the violation after it is what counts. Redundant rows differ by the
// round-off of places, which is much where the violation is small.
constexpr double pass_tolerance = 1e-4;

Pose pose_of(const Motions& q, int body) {
  if (body < 0) return {};
  return {q.position[std::size_t(body)], q.orientation[std::size_t(body)]};
}

bool moves(const Model& m, std::span<const unsigned char> alive, std::size_t i) {
  return m.mobility[i] != Mobility::none && m.mobility[i] != Mobility::link && alive[i] != 0;
}

void add_inverse_mass(const Model& m, std::size_t i, const Quat& q, Freedom freedom,
                      std::vector<double>& out) {
  const std::size_t at = out.size();
  out.resize(at + 36, 0.0);
  double* W = out.data() + at;
  const double light = 1 / m.mass[i];
  const Vec3& n = m.plane_normal[i];
  const bool planar = m.mobility[i] == Mobility::planar && freedom == Freedom::own;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) W[6 * r + c] = light * ((r == c ? 1.0 : 0.0) - (planar ? n[r] * n[c] : 0.0));
  if (m.mobility[i] == Mobility::particle) return;
  const Vec3& d = m.inertia[i];
  if (planar) {
    const double slow = 1 / dot(n, world_inertia(d, q) * n);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) W[6 * (r + 3) + c + 3] = slow * (n[r] * n[c]);
    return;
  }
  const Mat3 inverse = world_inertia({1 / d.x, 1 / d.y, 1 / d.z}, q);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) W[6 * (r + 3) + c + 3] = inverse.m[r][c];
}

/// (l^2 - L^2)/(2 L) -> l - L.
void take_length(const Row& row, RowValue& v) {
  const double L = row.size, l = std::sqrt(L * (L + 2 * (v.value + row.offset)));
  v.jacobian = (L / l) * v.jacobian;
  v.value = (l - L) - row.offset;
}

void store(const Twist& g, double* row) {
  for (int k = 0; k < 3; ++k) row[k] = g.linear[k], row[3 + k] = g.angular[k];
}

}  // namespace

HeldJoints held_joints(const Model& m, const State& x, Workspace& w) {
  std::vector<HeldJoint>& joints = w.held.joint;
  joints.clear();
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    HeldJoint& j = joints.emplace_back();
    j.a = c.a, j.b = c.b, j.row_begin = c.row_begin, j.row_end = c.row_end;
    Row row = m.mechanisms.row[std::size_t(c.row_begin)];
    row.kind = constraints::RowKind::point;
    j.size = size_of(m, c, row);
  }
  // other methods find velocities here that joints do not quite allow
  w.mechanisms.resize(m.mechanisms.mechanism.size());
  for (MechanismWork& mechanism : w.mechanisms) mechanism.flows = false;
  if (!m.mechanisms.tracked) return {joints, m.mechanisms.row};
  w.joint_rows = m.mechanisms.row;
  for (std::size_t r = 0; r < w.joint_rows.size(); ++r) w.joint_rows[r].last = x.joint_memory[r];
  return {joints, w.joint_rows};
}

void load_joints(const Model& m, const HeldJoints& joints, const Motions& q,
                 std::span<const unsigned char> alive, HeldWork& held, Freedom freedom) {
  bilateral::ConstraintSystem& system = held.system;
  system.clear();
  const std::size_t n = q.position.size();
  held.block_of_body.assign(n, -1), held.body_of_block.clear(), held.value.clear(), held.size.clear();
  const auto block = [&](int body) {  // bodies of joints alone
    if (body < 0 || !moves(m, alive, std::size_t(body))) return -1;
    int& own = held.block_of_body[std::size_t(body)];
    if (own < 0) {
      own = int(held.body_of_block.size());
      held.body_of_block.push_back(body);
      add_inverse_mass(m, std::size_t(body), q.orientation[std::size_t(body)], freedom, system.A_inverse);
    }
    return own;
  };
  for (const HeldJoint& j : joints.joint) {
    const auto rows = joints.row.subspan(std::size_t(j.row_begin), std::size_t(j.row_end - j.row_begin));
    RowValue values[bilateral::most];
    constraints::evaluate(rows, pose_of(q, j.a), pose_of(q, j.b), values);
    const int a = block(j.a), b = block(j.b);
    bilateral::JointRows& out = system.add(a, b, int(rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows[r].kind == constraints::RowKind::distance) take_length(rows[r], values[r]);
      if (a >= 0) store(values[r].jacobian.a, out.G[0] + 6 * r);
      if (b >= 0) store(values[r].jacobian.b, out.G[1] + 6 * r);
      held.value.push_back(values[r]);
      held.size.push_back(constraints::is_angular(rows[r]) ? 1 : j.size);
    }
  }
}

double rate_of(const HeldJoint& j, const Jacobian& g, std::span<const Vec3> velocity,
               std::span<const Vec3> spin) {
  const auto twist = [&](int body) {
    return body < 0 ? Twist{} : Twist{velocity[std::size_t(body)], spin[std::size_t(body)]};
  };
  return constraints::dot(g, twist(j.a), twist(j.b));
}

Violation largest_violation(const HeldWork& held) {
  Violation worst;
  for (std::size_t i = 0; i < held.value.size(); ++i) {
    const double g = std::fabs(held.value[i].value), relative = g / held.size[i];
    if (!(g <= worst.joint)) worst.joint = g;
    if (!(relative <= worst.relative)) worst.relative = relative;
  }
  return worst;
}

const char* solve_joints(double tolerance, HeldWork& held) {
  bilateral::solve(held.system, {.tolerance = tolerance}, held.memory, held.lambda, held.report);
  bilateral::velocity_change(held.system, held.lambda, held.u);
  switch (held.report.status) {
    case bilateral::Status::solved:
    case bilateral::Status::inconsistent:  // the certificate shows what is left
      return nullptr;
    case bilateral::Status::not_finite:
      return "the impulses of the joints are not finite";
    default:
      return "the impulses of the joints were not found to the tolerance";
  }
}

void push_joints(const Model& m, const HeldJoints& joints, const HeldWork& held, Workspace& w,
                 std::size_t stage_index) {
  ForceStage& stage = w.stage[stage_index];
  const RowValue* value = held.value.data();
  const double* lambda = held.lambda.data();
  for (const HeldJoint& j : joints.joint) {
    Jacobian sum;
    for (int r = j.row_begin; r < j.row_end; ++r) sum += *lambda++ * (value++)->jacobian;
    for (const bool second : {false, true}) {
      const int body = second ? j.b : j.a;
      if (body < 0) continue;
      Twist& p = second ? sum.b : sum.a;
      if (m.mobility[std::size_t(body)] == Mobility::particle) p.angular = {};
      stage.applied.push_back({Cause::joint, body, p.linear, p.angular});
      stage.impulse[std::size_t(body)] += p.linear, stage.angular_impulse[std::size_t(body)] += p.angular;
    }
  }
}

namespace {

/// The part of a pass's move that turns no body too far.
double restricted(const HeldWork& held) {
  double turn = 0;
  for (std::size_t k = 0; k < held.body_of_block.size(); ++k) {
    const double* d = held.u.data() + 6 * k + 3;
    turn = std::fmax(turn, norm(Vec3{d[0], d[1], d[2]}));
  }
  return turn > most_turn ? most_turn / turn : 1;
}

void move_by(const Model& m, const HeldWork& held, double part, Motions& q) {
  for (std::size_t k = 0; k < held.body_of_block.size(); ++k) {
    const auto i = std::size_t(held.body_of_block[k]);
    const double* d = held.u.data() + 6 * k;
    q.position[i] += part * Vec3{d[0], d[1], d[2]};
    if (m.mobility[i] != Mobility::particle)
      q.orientation[i] = normalized(exponential(part * Vec3{d[3], d[4], d[5]}) * q.orientation[i]);
  }
}

}  // namespace

int close_joints(const Model& m, const HeldJoints& joints, std::span<const unsigned char> alive,
                 double tolerance, int passes, Workspace& w) {
  HeldWork& held = w.held;
  load_joints(m, joints, w.next, alive, held);
  double violation = largest_violation(held).relative;
  int made = 0;
  const int most = passes > 0 ? passes : most_passes;
  while (made < most && (passes > 0 || violation > tolerance) && std::isfinite(violation)) {
    if (made == 0) w.before_stabilise = w.next, w.stabilised = true;
    std::size_t row = 0;
    for (bilateral::JointRows& j : held.system.joints)
      for (int r = 0; r < j.count; ++r) j.rhs[r] = -held.value[row++].value;
    if (solve_joints(pass_tolerance, held) != nullptr) break;
    double part = restricted(held);
    w.base = w.next;
    move_by(m, held, part, w.next);
    ++made;
    load_joints(m, joints, w.next, alive, held);
    double now = largest_violation(held).relative;
    for (int halvings = 0; now > violation && violation > tolerance && halvings < 10; ++halvings) {
      part *= 0.5;
      w.next.position = w.base.position, w.next.orientation = w.base.orientation;
      move_by(m, held, part, w.next);
      load_joints(m, joints, w.next, alive, held);
      now = largest_violation(held).relative;
    }
    if (!(now < violation) && passes == 0) break;
    violation = now;
  }
  return made;
}

}  // namespace stiction::step
