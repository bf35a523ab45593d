// Motion of bodies joined by constraints where nothing touches them: implicit midpoint with the joints'
// discrete gradients, of second order, for which energy, momentum and angular momentum are as exact as the
// equations are solved.
//
// Unknown are each body's mean velocity u and spin w over the step, and the impulses l of the joints:
//     2 m (u - v0) = P + G_x^T l                                              x1 = x0 + h u,   v1 = 2 u - v0
//     2 I (w - w0) + h w x I w = T - (h/2) w x T,  T = tau + G_t^T l          R1 = cay(h w) R0
//     g(x1, R1) = 0                                                           R1^T w1 = R0^T (2 w - w0)
// I is the inertia at the start, in world axes. G is the discrete gradient between start and end,
// G.(h u, h w) = g(1) - g(0), so that joints that hold at both ends do no work. With w. the second line says
// that the rotational energy grows by w.T, and R1 I R1^T w1 - R0 I R0^T w0 = T: angular momentum in world
// axes takes up the torque, nothing else. Gravity's work is minus the change of its potential, as x1 - x0 = h
// u. Forces of springs, drags and fields are taken in the middle, at the mean velocities.
//
// A row that gives way, with stiffness k and damping d, has in place of g(1) = 0 the impulse
//     l = -h k (g(0) + g(1))/2 - d (g(1) - g(0)),      with s = h k/2 + d:   l/s + g(1) - g(0) + (h k/s) g(0)
//     = 0
// whose work l G.u is exactly minus the change of k g^2/2, less d (g(1) - g(0))^2/h: springs neither make nor
// lose energy, whatever the step, and dampers only take it. As a row of the saddle system it stays well
// conditioned from k = 0 up to where it is hardly soft.
//
// Solved by Newton's method on the saddle system of each mechanism (dynamics/mechanism), with the
// derivative of G^T l, the geometric stiffness: without it a step longer than the shortest period of a
// tensioned chain would not converge. Where forces of springs depend on the place, their part of the
// derivative is left out, and the iteration converges linearly for h w < 1 of the spring.
//
// Symbols: m [kg], I [kg m^2], P [N s] and tau [N m s] impulses of forces, l [N s, N m s], g [m, rad], h [s].
// References: O. Gonzalez, Mechanical systems subject to holonomic constraints: differential-algebraic
// formulations and conservative integration, Physica D 132 (1999); P. Betsch, P. Steinmann, Constrained
// integration of rigid body dynamics, Comput. Methods Appl. Mech. Engrg. 191 (2001).
// When it fails: a body that turns by half a revolution in a step; joints that contradict each other; a
// mechanism in a position where its joints lose independence. The step is then made in parts.
#include <algorithm>
#include <cmath>

#include "stiction/step/mechanisms.h"
#include "stiction/step/stages.h"

namespace stiction::step {

MechanismWork::Basis basis_of(const Model& m, std::size_t i) {
  MechanismWork::Basis out;
  if (m.mobility[i] == Mobility::planar) {
    Vec3 e1, e2;
    tangents(m.plane_normal[i], e1, e2);
    out.dofs = 3;
    out.column[0].linear = e1, out.column[1].linear = e2, out.column[2].angular = m.plane_normal[i];
    return out;
  }
  out.dofs = m.mobility[i] == Mobility::particle ? 3 : 6;
  for (int k = 0; k < out.dofs; ++k) (k < 3 ? out.column[k].linear[k] : out.column[k].angular[k - 3]) = 1;
  return out;
}

namespace {

using constraints::Pose;
using constraints::RowValue;
using constraints::Twist;
using mechanism::most_dofs;
using mechanism::most_rows;
using mechanism::most_wide;

constexpr int most_iterations = 30;
constexpr double exact = 1e-13;     // [-] of the largest speed: the step that is expected next
constexpr double round_off = 1e-9;  // [-] of the largest speed: steps that shrink no more are round-off
constexpr double no_move = 1e-15;   // [-] of the distance from the origin, and size: moves that are round-off

using Basis = MechanismWork::Basis;
/// out += scale P^T A Q for the 6 x 6 block A of `from` at (row, column).
void add_projected(const double from[12][12], int row, int column, const Basis& p, const Basis& q,
                   double scale, double* out) {
  if (p.dofs == 6 && q.dofs == 6) {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) out[i * most_dofs + j] += scale * from[row + i][column + j];
    return;
  }
  for (int i = 0; i < p.dofs; ++i)
    for (int j = 0; j < q.dofs; ++j) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) {
        const double left = k < 3 ? p.column[i].linear[k] : p.column[i].angular[k - 3];
        if (left == 0) continue;
        for (int n = 0; n < 6; ++n) {
          const double right = n < 3 ? q.column[j].linear[n] : q.column[j].angular[n - 3];
          if (right != 0) sum += left * from[row + k][column + n] * right;
        }
      }
      out[i * most_dofs + j] += scale * sum;
    }
}

struct Flow {
  const Model& m;
  const ModelMechanism& mech;
  const State& x;
  double h;
  Workspace& all;
  MechanismWork& w;
  std::vector<double>& impulse = all.joint_impulse;  // [N s, N m s] of all rows of the model

  Pose start(int body) const {
    if (body < 0) return {};
    return {x.position[std::size_t(body)], x.orientation[std::size_t(body)]};
  }
  int node_of(int body) const { return body < 0 ? -1 : m.mechanisms.node_of[std::size_t(body)]; }
  bool moves(int node) const { return node >= 0 && mech.nodes[std::size_t(node)].dofs > 0; }
  Pose end(int body) const {
    if (body < 0) return {};
    const auto i = std::size_t(body);
    if (const int node = m.mechanisms.node_of[i]; node >= 0) return w.end[std::size_t(node)];
    Pose out = start(body);
    if (m.body_kind[i] != kinematic || m.motion[i].time.empty()) return out;
    out.position = position_at(m.motion[i], x.time + h);
    if (!m.motion[i].orientation.empty()) out.orientation = orientation_at(m.motion[i], x.time + h);
    return out;
  }

  void place_ends() {
    for (std::size_t k = 0; k < mech.body.size(); ++k) {
      const Twist& u = w.mean[k];
      w.end[k] = constraints::displaced(start(mech.body[k]), {h * u.linear, h * u.angular});
    }
  }

  /// Equations of the bodies without joints: residual -> right-hand side, derivative -> K.
  void bodies() {
    for (std::size_t k = 0; k < mech.body.size(); ++k) {
      const auto i = std::size_t(mech.body[k]);
      const Twist& u = w.mean[k];
      const Mat3& I = w.inertia[k];
      const double mass = m.mass[i];
      // torque -> what it does in the equation of w: (1 - h/2 [w])
      const Vec3 Iw = I * u.angular;
      Twist residual;
      residual.linear = 2 * mass * (u.linear - w.start[k].linear) - w.impulse[k].linear;
      residual.angular = 2 * (I * (u.angular - w.start[k].angular)) + h * cross(u.angular, Iw);
      w.residual[k] = residual;
      double K[12][12] = {};
      for (int c = 0; c < 3; ++c) {
        K[c][c] = 2 * mass;
        Vec3 e;
        e[c] = 1;
        const Vec3 column = 2 * (I * e) + h * (cross(e, Iw) + cross(u.angular, I * e));
        for (int r = 0; r < 3; ++r) K[3 + r][3 + c] = column[r];
      }
      add_projected(K, 0, 0, w.basis[k], w.basis[k], 1, w.saddle.body(int(k)));
      w.torque[k] = w.impulse[k].angular;
    }
  }

  /// (1 - h/2 [w]) t
  Vec3 carried(std::size_t node, const Vec3& torque) const {
    return torque - 0.5 * h * cross(w.mean[node].angular, torque);
  }

  /// One side of a joint: F and B, and what its impulses do to the body.
  void side(int node, bool second, int rows, const double* l, const SideBlocks& to) {
    const auto k = std::size_t(node);
    const Basis& basis = w.basis[k];
    for (int r = 0; r < rows; ++r) {
      const Twist& mean = second ? w.gradient[r].b : w.gradient[r].a;
      const Twist& end = second ? w.value[r].jacobian.b : w.value[r].jacobian.a;
      w.residual[k].linear -= l[r] * mean.linear;
      w.torque[k] += l[r] * mean.angular;
      const Vec3 turn = carried(k, mean.angular);
      for (int i = 0; i < basis.dofs; ++i) {
        to.force[i * most_rows + r] = without_noise(
            dot(basis.column[i].linear, mean.linear) + dot(basis.column[i].angular, turn), mean);
        to.row[r * most_dofs + i] = without_noise(dot(basis.column[i], end), end);
      }
    }
  }

  void joint(const ModelConstraint& c) {
    const std::span<const constraints::Row> rows = rows_of(m, c, all);
    const int count = int(rows.size());
    const double* l = impulse.data() + c.row_begin;
    const Pose a0 = start(c.a), b0 = start(c.b), a1 = end(c.a), b1 = end(c.b);
    constraints::end_jacobian(rows, a0, b0, a1, b1, w.value);
    constraints::mean_jacobian(rows, a0, b0, a1, b1, w.gradient);
    const int a = node_of(c.a), b = node_of(c.b);
    const bool tree = c.node >= 0;
    const bool down = tree && c.node == a;  // the node is on side a
    double K[12][12] = {};
    constraints::mean_force_derivative(rows, l, a0, b0, a1, b1, K);
    carry_rows(a, b, K);
    for (const bool second : {false, true}) {
      const int node = second ? b : a;
      if (!moves(node)) continue;
      const bool own = tree && second != down;
      side(node, second, count, l, blocks_of(w.saddle, c, own, second));
      const int at = second ? 6 : 0;
      const Basis& basis = w.basis[std::size_t(node)];
      add_projected(K, at, at, basis, basis, -h, w.saddle.body(node));
      const int other = second ? a : b;
      if (!tree || !moves(other)) continue;
      add_projected(K, at, 6 - at, basis, w.basis[std::size_t(other)], -h,
                    own ? w.saddle.body_parent(c.node) : w.saddle.parent_body(c.node));
    }
    double *right = unknowns_of(w, c), *give = compliance_of(w.saddle, c);
    for (int r = 0; r < count; ++r) {
      const auto i = std::size_t(c.row_begin + r);
      const ModelSoftness& soft = m.mechanisms.softness[i];
      if (!soft.is_soft()) {
        right[r] = -(w.value[r].value - all.joint_kept[i]) / h;
        continue;
      }
      const double s = 0.5 * h * soft.stiffness + soft.damping, g0 = all.joint_start[i];
      give[r] = 1 / (h * s);
      right[r] = -(l[r] / s + (w.value[r].value - g0) + h * soft.stiffness / s * g0) / h;
    }
  }

  /// Rows of torques as the equations of w have them.
  void carry_rows(int a, int b, double K[12][12]) const {
    for (const bool second : {false, true}) {
      const int node = second ? b : a, at = second ? 9 : 3;
      if (!moves(node)) continue;
      for (int c = 0; c < 12; ++c) {
        const Vec3 t = carried(std::size_t(node), {K[at][c], K[at + 1][c], K[at + 2][c]});
        for (int r = 0; r < 3; ++r) K[at + r][c] = t[r];
      }
    }
  }

  /// What is left of the equations -> right-hand sides.
  void finish() {
    for (std::size_t k = 0; k < mech.body.size(); ++k) {
      Twist& residual = w.residual[k];
      residual.angular -= carried(k, w.torque[k]);
      double K[12][12] = {};  // d/dw of (h/2) w x T
      for (int c = 0; c < 3; ++c) {
        Vec3 e;
        e[c] = 1;
        const Vec3 column = 0.5 * h * cross(e, w.torque[k]);
        for (int r = 0; r < 3; ++r) K[3 + r][3 + c] = column[r];
      }
      const Basis& basis = w.basis[k];
      add_projected(K, 0, 0, basis, basis, 1, w.saddle.body(int(k)));
      for (int i = 0; i < basis.dofs; ++i)
        w.nodes[k * most_wide + std::size_t(i)] = -dot(basis.column[i], residual);
    }
  }

  template <class Act>
  void for_joints(const Act& act) const {
    for (const int c : mech.node_constraint)
      if (c >= 0) act(m.mechanisms.constraint[std::size_t(c)]);
    for (const int c : mech.loop_constraint) act(m.mechanisms.constraint[std::size_t(c)]);
  }

  /// One step of Newton's method; the largest change of a speed [m/s], negative where there is none.
  double improve() {
    place_ends();
    w.saddle.set_zero();
    std::fill(w.nodes.begin(), w.nodes.end(), 0.0), std::fill(w.loops.begin(), w.loops.end(), 0.0);
    bodies();
    for_joints([&](const ModelConstraint& c) { joint(c); });
    finish();
    if (!w.saddle.factorise()) return -1;
    w.saddle.solve(w.nodes.data(), w.loops.data());
    double change = 0;
    for (std::size_t k = 0; k < mech.body.size(); ++k) {
      Twist d;
      for (int i = 0; i < w.basis[k].dofs; ++i) {
        const double by = w.nodes[k * most_wide + std::size_t(i)];
        d.linear += by * w.basis[k].column[i].linear, d.angular += by * w.basis[k].column[i].angular;
      }
      w.mean[k].linear += d.linear, w.mean[k].angular += d.angular;
      change = std::fmax(change, norm(d.linear) + size(k) * norm(d.angular));
    }
    for_joints([&](const ModelConstraint& c) {
      const double* d = unknowns_of(w, c);
      for (int r = c.row_begin; r < c.row_end; ++r) impulse[std::size_t(r)] += d[r - c.row_begin];
    });
    return std::isfinite(change) ? change : -1;
  }
  double size(std::size_t node) const { return extent_of(m, std::size_t(mech.body[node])); }

  double speed() const {
    double out = h * norm(m.gravity);
    for (std::size_t k = 0; k < mech.body.size(); ++k)
      out = std::fmax(out, norm(w.mean[k].linear) + size(k) * norm(w.mean[k].angular));
    return out;
  }

  /// [m/s] what moves no body by more than round-off of its place.
  double least_speed() const {
    double place = 0;
    for (std::size_t k = 0; k < mech.body.size(); ++k)
      place = std::fmax(place, norm(x.position[std::size_t(mech.body[k])]) + size(k));
    return no_move * place / h;
  }

  bool solve() {
    const double least = least_speed();
    double last = 0;
    for (int i = 0; i < most_iterations; ++i) {
      const double change = improve(), scale = speed();
      if (change < 0) return false;
      if (change <= exact * scale || change <= least) return true;
      if (i > 0 && change < last && change / last * change <= exact * scale) return true;
      if (i > 0 && change >= 0.5 * last && change <= round_off * scale) return true;
      last = change;
    }
    return false;
  }

  /// The smallest of the impulses that do the same, where joints say things twice.
  void choose_impulses() {
    if (w.saddle.repeated().empty()) return;
    std::fill(w.nodes.begin(), w.nodes.end(), 0.0), std::fill(w.loops.begin(), w.loops.end(), 0.0);
    for_joints([&](const ModelConstraint& c) {
      std::copy(impulse.begin() + c.row_begin, impulse.begin() + c.row_end, unknowns_of(w, c));
    });
    w.saddle.make_smallest(w.nodes.data(), w.loops.data());
    for_joints([&](const ModelConstraint& c) {
      const double* l = unknowns_of(w, c);
      std::copy(l, l + (c.row_end - c.row_begin), impulse.begin() + c.row_begin);
    });
  }

  void begin() {
    const std::size_t n = mech.body.size();
    w.flows = true;
    w.start.resize(n), w.inertia.resize(n), w.mean.resize(n), w.end.resize(n), w.residual.resize(n);
    w.torque.resize(n), w.impulse.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
      const auto i = std::size_t(mech.body[k]);
      w.basis[k] = basis_of(m, i);
      w.inertia[k] = world_inertia(m.inertia[i], x.orientation[i]);
      w.mean[k] = w.start[k];
      for (int c = 0; c < w.basis[k].dofs; ++c) {
        const Twist& e = w.basis[k].column[c];
        w.mean[k].linear += 0.5 * h * dot(e.linear, m.gravity) * e.linear;
      }
    }
  }
};

/// Whether forces other than gravity act on bodies of mechanisms.
bool any_applied(const Model& m, const std::vector<forces::AppliedImpulse>& list) {
  return std::any_of(list.begin(), list.end(), [&](const forces::AppliedImpulse& a) {
    return m.mechanisms.node_of[std::size_t(a.body)] >= 0;
  });
}

/// All bodies in the middle of the step, as far as it is known.
void place_middle(const Model& m, const State& x, double h, Workspace& w) {
  Motions& q = w.middle;
  q.position = x.position, q.orientation = x.orientation, q.velocity = x.velocity, q.spin = x.spin;
  for (std::size_t i = 0; i < m.motion.size(); ++i) {
    if (m.body_kind[i] != kinematic || m.motion[i].time.empty()) continue;
    q.position[i] = position_at(m.motion[i], x.time + 0.5 * h);
    if (!m.motion[i].orientation.empty()) q.orientation[i] = orientation_at(m.motion[i], x.time + 0.5 * h);
  }
  for (const int body : m.mechanisms.body) {
    const auto i = std::size_t(body);
    const MechanismWork& own = w.mechanisms[std::size_t(m.mechanisms.mechanism_of[i])];
    const auto k = std::size_t(m.mechanisms.node_of[i]);
    const Pose half = constraints::middle({x.position[i], x.orientation[i]}, own.end[k]);
    q.position[i] = half.position, q.orientation[i] = half.orientation;
    q.velocity[i] = own.mean[k].linear, q.spin[i] = own.mean[k].angular;
  }
}

/// Impulses of gravity and of w.middle_applied on bodies of mechanisms; how much they changed [m/s].
double set_impulses(const Model& m, double h, Workspace& w) {
  for (std::size_t j = 0; j < w.mechanisms.size(); ++j) {
    MechanismWork& own = w.mechanisms[j];
    own.last_impulse = own.impulse;
    for (std::size_t k = 0; k < own.impulse.size(); ++k)
      own.impulse[k] = {h * m.mass[std::size_t(m.mechanisms.mechanism[j].body[k])] * m.gravity, {}};
  }
  for (const forces::AppliedImpulse& a : w.middle_applied) {
    const auto i = std::size_t(a.body);
    if (m.mechanisms.node_of[i] < 0) continue;
    Twist& p =
        w.mechanisms[std::size_t(m.mechanisms.mechanism_of[i])].impulse[std::size_t(m.mechanisms.node_of[i])];
    p.linear += a.linear, p.angular += a.angular;
  }
  double change = 0;
  for (std::size_t j = 0; j < w.mechanisms.size(); ++j) {
    const MechanismWork& own = w.mechanisms[j];
    for (std::size_t k = 0; k < own.impulse.size(); ++k) {
      const auto i = std::size_t(m.mechanisms.mechanism[j].body[k]);
      const Vec3 push = own.impulse[k].linear - own.last_impulse[k].linear;
      const Vec3 turn = own.impulse[k].angular - own.last_impulse[k].angular;
      const double least = std::fmin(m.inertia[i].x, std::fmin(m.inertia[i].y, m.inertia[i].z));
      change = std::fmax(change,
                         norm(push) / m.mass[i] + (least > 0 ? extent_of(m, i) * norm(turn) / least : 0.0));
    }
  }
  return change;
}

}  // namespace

namespace {

/// Rows with the angles they follow, which violations of the start are left to stabilise(), and the values of
/// rows that give way, with what the step lets them give.
void follow_angles(const Model& m, const State& x, double h, double tolerance, Workspace& w) {
  w.joint_broken = x.joint_broken;
  w.joint_rows.clear();
  if (m.mechanisms.tracked) {
    w.joint_rows = m.mechanisms.row;
    for (std::size_t r = 0; r < w.joint_rows.size(); ++r) w.joint_rows[r].last = x.joint_memory[r];
  }
  w.joint_kept.assign(m.mechanisms.row.size(), 0.0), w.joint_start.assign(m.mechanisms.row.size(), 0.0);
  w.joint_give.assign(m.mechanisms.row.size(), 0.0);
  const auto pose = [&](int body) {
    return body < 0 ? Pose{} : Pose{x.position[std::size_t(body)], x.orientation[std::size_t(body)]};
  };
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    const std::span<const constraints::Row> rows = rows_of(m, c, w);
    RowValue value[most_rows];
    constraints::evaluate(rows, pose(c.a), pose(c.b), value);
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (const ModelSoftness& soft = m.mechanisms.softness[std::size_t(c.row_begin) + r]; soft.is_soft()) {
        w.joint_start[std::size_t(c.row_begin) + r] = value[r].value;
        w.joint_give[std::size_t(c.row_begin) + r] = 1 / (h * (h * soft.stiffness + soft.damping));
      } else if (!(std::fabs(value[r].value) <= tolerance * size_of(m, c, rows[r])))
        w.joint_kept[std::size_t(c.row_begin) + r] = value[r].value;
  }
}

/// Velocities of the start, made what joints allow where a contact or an edit left others.
void find_start(const Model& m, const State& x, std::size_t j, Workspace& w) {
  const std::vector<int>& body = m.mechanisms.mechanism[j].body;
  MechanismWork& own = w.mechanisms[j];
  own.start.resize(body.size());
  const bool rough = x.joint_rough[j] != 0;
  if (rough) {
    w.middle.position = x.position, w.middle.orientation = x.orientation;
    w.middle.velocity = x.velocity, w.middle.spin = x.spin;
    allow_velocities(m, j, w.middle, w);
  }
  for (std::size_t k = 0; k < body.size(); ++k) {
    const auto i = std::size_t(body[k]);
    own.start[k] = rough ? Twist{w.middle.velocity[i], w.middle.spin[i]} : Twist{x.velocity[i], x.spin[i]};
  }
}

}  // namespace

int flow_mechanisms(const Model& m, const State& x, const Input& in, double h, double tolerance,
                    Workspace& w) {
  const std::size_t count = m.mechanisms.mechanism.size();
  w.mechanisms.resize(count);
  w.joint_impulse = x.joint_impulse;
  follow_angles(m, x, h, tolerance, w);
  if (x.step > 0 && x.step != h)
    for (double& l : w.joint_impulse) l *= h / x.step;
  for (std::size_t j = 0; j < x.joint_broken.size(); ++j)
    if (const ModelConstraint& c = m.mechanisms.constraint[j]; x.joint_broken[j])
      std::fill(w.joint_impulse.begin() + c.row_begin, w.joint_impulse.begin() + c.row_end, 0.0);
  const auto flow = [&](std::size_t j) {
    return Flow{m, m.mechanisms.mechanism[j], x, h, w, w.mechanisms[j]};
  };
  for (std::size_t j = 0; j < count; ++j) ready(m, j, w), find_start(m, x, j, w), flow(j).begin();
  const bool applied = any_applied(m, w.applied);
  w.middle_applied = w.applied;
  set_impulses(m, h, w);
  for (int pass = 0; pass < most_iterations; ++pass) {
    double speed = 0;
    for (std::size_t j = 0; j < count; ++j) {
      if (!flow(j).solve()) return m.mechanisms.mechanism[j].body.front();
      speed = std::fmax(speed, flow(j).speed());
    }
    if (!applied) break;
    place_middle(m, x, h, w);
    w.middle_applied.swap(w.last_middle_applied);
    w.middle_applied.clear();
    forces::forces_at(m, {w.middle.position, w.middle.orientation, w.middle.velocity, w.middle.spin, x.alive},
                      x.time + 0.5 * h, h, w.forces, w.middle_applied);
    for (const InputWrench& i : in.wrenches)
      if (x.alive[std::size_t(i.body)] && m.body_kind[std::size_t(i.body)] == dynamic)
        w.middle_applied.push_back({Cause::input, i.body, h * i.force, h * i.torque});
    if (set_impulses(m, h, w) <= exact * speed) {  // the books get those that the equations were solved with
      w.middle_applied.swap(w.last_middle_applied);
      break;
    }
    if (pass + 1 == most_iterations) return m.mechanisms.body.front();
  }
  for (std::size_t j = 0; j < count; ++j) flow(j).choose_impulses(), flow(j).place_ends();
  w.flow_impulse = w.joint_impulse;
  return -1;
}

void take_flows(const Model& m, const State& x, std::size_t begin, std::size_t end, Workspace& w) {
  const std::vector<int>& bodies = m.mechanisms.body;
  for (auto at = std::lower_bound(bodies.begin(), bodies.end(), int(begin)); at != bodies.end(); ++at) {
    const auto i = std::size_t(*at);
    if (i >= end) break;
    const MechanismWork& own = w.mechanisms[std::size_t(m.mechanisms.mechanism_of[i])];
    if (!own.flows) continue;
    const auto k = std::size_t(m.mechanisms.node_of[i]);
    const Twist& u = own.mean[k];
    w.free.position[i] = own.end[k].position, w.free.orientation[i] = own.end[k].orientation;
    w.free.velocity[i] = 2 * u.linear - own.start[k].linear;
    w.free.spin[i] =
        rotate(own.end[k].orientation, rotate_back(x.orientation[i], 2 * u.angular - own.start[k].angular));
  }
}

}  // namespace stiction::step
