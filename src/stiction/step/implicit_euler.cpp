// Implicit Euler, linearised: forces of the end of the step to first order in the step's change. With the
// velocities u = (v, w) of all bodies, K and D the derivatives of the forces f by positions and velocities,
//     (M - h D - h^2 K) du = h f + h^2 K u,      u+ = u + du,   x+ = x + h v+,   q+ = cay(h w+) q
// f has the gyroscopic torque g = -w x I w in it, D its derivative dg = -dw x I w - w x I dw; M, I at the
// start of the step. Bodies with prescribed motion move as prescribed. Symbols: smooth.cpp, linearise.cpp.
// First order; stable for springs and dampers of any stiffness, and damps what oscillates: an oscillation of
// angular frequency w loses the factor 1 + (h w)^2 in energy with every step.
// The matrix is sparse in 6x6 blocks, one per body; planar bodies and particles are kept in their motions by
// projection, P A P + 1 - P. The velocities that are kept are those that the impulses lead to, so that
// momentum is what was booked, whatever the round-off of the solution.
// Reference: M. Servin, Notes on Discrete Mechanics (2015), (4.11), (4.12); D. Baraff, A. Witkin, SIGGRAPH
// 1998, 43. When it fails: a pivot block that is singular (strongly attracting forces and a large step); the
// step is then refused. Thousands of bodies that all pull at each other fill the matrix. Tables are read at
// the end of the step. Trees are refused by validate().
#include <array>
#include <cmath>

#include "stiction/step/smooth.h"

namespace stiction::step {
namespace {

using forces::Effort, forces::Element, forces::Move;

constexpr std::size_t width = 6;

/// Which coordinates a body has: a projection of velocity and of spin.
Move allowed(const Model& m, std::size_t i, const Move& u) {
  const Vec3& n = m.plane_normal[i];
  if (m.mobility[i] == Mobility::free) return u;
  if (m.mobility[i] == Mobility::particle) return {u.linear, {}};
  return {u.linear - dot(n, u.linear) * n, dot(n, u.angular) * n};
}

Move unit(std::size_t column) {
  Move u;
  (column < 3 ? u.linear : u.angular)[int(column % 3)] = 1;
  return u;
}
void store(const Effort& f, double scale, std::size_t column, double* block) {
  for (std::size_t k = 0; k < 3; ++k) {
    block[width * k + column] += scale * f.force[int(k)];
    block[width * (k + 3) + column] += scale * f.torque[int(k)];
  }
}
Effort allowed(const Model& m, std::size_t i, const Effort& f) {
  const Move u = allowed(m, i, Move{f.force, f.torque});
  return {u.linear, u.angular};
}

struct System {
  const Model& m;
  const State& x;
  double h;
  Workspace& w;

  int block(int body) const { return body < 0 ? -1 : w.block_of_body[std::size_t(body)]; }

  /// Blocks, and which of them are joined.
  void lay_out() {
    w.block_of_body.assign(x.position.size(), -1), w.body_of_block.clear(), w.coupled.clear();
    for (std::size_t i = 0; i < x.position.size(); ++i)
      if (moves(m, x, i)) w.block_of_body[i] = int(w.body_of_block.size()), w.body_of_block.push_back(int(i));
    for (const Element& e : w.elements)
      if (block(e.a) >= 0 && block(e.b) >= 0) w.coupled.emplace_back(block(e.a), block(e.b));
    w.factors.analyse(int(w.body_of_block.size()), w.coupled);
    w.factors.set_zero();
    w.change.assign(width * w.body_of_block.size(), 0.0);
  }

  /// How the bodies of an element move if no velocity changes: (place, change of velocity).
  Move drift(int body) const {
    if (body < 0) return {};
    const auto i = std::size_t(body);
    if (moves(m, x, i)) return {h * x.velocity[i], h * x.spin[i]};
    return {w.next.position[i] - x.position[i], h * w.next.spin[i]};
  }
  Move faster(int body) const {
    if (body < 0 || moves(m, x, std::size_t(body))) return {};
    const auto i = std::size_t(body);
    return {w.next.velocity[i] - x.velocity[i], w.next.spin[i] - x.spin[i]};
  }

  /// M - h D of the gyroscopic torque, 1 where the body cannot move; h f of gravity and the gyroscope.
  void add_body(std::size_t i) {
    const auto b = std::size_t(w.block_of_body[i]);
    double* diagonal = w.factors.diagonal(int(b));
    const Vec3 &spin = x.spin[i], &L = w.turning[i];
    for (std::size_t c = 0; c < width; ++c) {
      const Move u = unit(c), v = allowed(m, i, u);
      store({u.linear - v.linear, u.angular - v.angular}, 1, c, diagonal);
      Effort f{m.mass[i] * v.linear, {}};
      if (m.mobility[i] != Mobility::particle) {
        const Vec3 turn = world_inertia(m.inertia[i], x.orientation[i]) * v.angular;
        f.torque = turn + h * (cross(v.angular, L) + cross(spin, turn));
      }
      store(allowed(m, i, f), 1, c, diagonal);
    }
    add_right(i, {(h * m.mass[i]) * m.gravity, -h * cross(spin, L)});
  }
  void add_right(std::size_t i, const Effort& f) {
    const Effort g = allowed(m, i, f);
    double* right = w.change.data() + width * std::size_t(w.block_of_body[i]);
    for (std::size_t k = 0; k < 3; ++k) right[k] += g.force[int(k)], right[k + 3] += g.torque[int(k)];
  }

  void add_element(const Element& e) {
    const std::array<int, 2> body{e.a, e.b};
    const auto now = forces::effort(e);
    const auto then = forces::change(e, {drift(e.a), drift(e.b)}, {faster(e.a), faster(e.b)});
    for (std::size_t side = 0; side < 2; ++side) {
      if (block(body[side]) < 0) continue;
      const auto j = std::size_t(body[side]);
      add_right(j, {h * (now[side].force + then[side].force), h * (now[side].torque + then[side].torque)});
      for (std::size_t c = 0; c < width; ++c) {
        const Move u = allowed(m, j, unit(c));
        std::array<Move, 2> place{}, rate{};
        place[side] = {h * u.linear, h * u.angular}, rate[side] = u;
        const auto f = forces::change(e, place, rate);
        for (std::size_t row = 0; row < 2; ++row) {
          if (block(body[row]) < 0) continue;
          double* target = row == side ? w.factors.diagonal(block(body[row]))
                                       : w.factors.off_diagonal(block(body[row]), block(body[side]));
          store(allowed(m, std::size_t(body[row]), f[row]), -h, c, target);
        }
      }
    }
  }

  Move velocity_after(int body) const {
    if (block(body) < 0) return faster(body);
    const double* u = w.change.data() + width * std::size_t(block(body));
    return {{u[0], u[1], u[2]}, {u[3], u[4], u[5]}};
  }

  /// The impulses of an element with the velocities found -> the stage.
  void apply(const Element& e, ForceStage& stage) const {
    std::array<Move, 2> place{drift(e.a), drift(e.b)}, rate{velocity_after(e.a), velocity_after(e.b)};
    const std::array<int, 2> body{e.a, e.b};
    for (std::size_t side = 0; side < 2; ++side)
      if (block(body[side]) >= 0)
        place[side].linear += h * rate[side].linear, place[side].angular += h * rate[side].angular;
    const auto now = forces::effort(e), more = forces::change(e, place, rate);
    for (const std::size_t side : {std::size_t(1), std::size_t(0)}) {
      if (body[side] < 0) continue;
      const forces::AppliedImpulse a{e.cause, body[side], h * (now[side].force + more[side].force),
                                     h * (now[side].torque + more[side].torque)};
      stage.applied.push_back(a);
      stage.impulse[std::size_t(a.body)] += a.linear, stage.angular_impulse[std::size_t(a.body)] += a.angular;
    }
  }
};

/// Motion of the end, from the impulses of the stage and the linearised gyroscopic torque.
void move_bodies(const System& s, ForceStage& stage) {
  const auto& [m, x, h, w] = s;
  for (const int body : w.body_of_block) {
    const auto i = std::size_t(body);
    const Move du = s.velocity_after(body);
    // where the works of the stage are taken: the velocities of the linear problem
    stage.at.velocity[i] = x.velocity[i] + du.linear, stage.at.spin[i] = x.spin[i] + du.angular;
    w.next.velocity[i] = x.velocity[i] + velocity_change(m, i, stage.impulse[i]);
    w.next.position[i] = x.position[i] + h * w.next.velocity[i];
    if (m.mobility[i] == Mobility::particle) continue;
    const Vec3 turn = turning_of(m, i, x.orientation[i], du.angular);
    const Vec3 gyroscope = -h * (cross(x.spin[i] + du.angular, w.turning[i]) + cross(x.spin[i], turn));
    w.next.spin[i] = x.spin[i] + spin_of(m, i, x.orientation[i], stage.angular_impulse[i] + gyroscope);
    w.next.orientation[i] = turned(x.orientation[i], w.next.spin[i], h);
    if (m.mobility[i] == Mobility::free)
      w.defect[i] = (turning_of(m, i, w.next.orientation[i], w.next.spin[i]) -
                     turning_of(m, i, x.orientation[i], w.next.spin[i])) +
                    gyroscope;
  }
}

}  // namespace

StepReport implicit_euler_step(const Model& m, const SmoothSettings& s, const Input& in, State& x,
                               Workspace& w) {
  const double h = s.h;
  begin(m, x, in, h, 1, w);
  ForceStage& stage = w.stage[0];
  w.elements.clear();
  forces::linearise(m, {x.position, x.orientation, x.velocity, x.spin, x.alive}, x.time + h, w.forces,
                    w.elements);
  System system{m, x, h, w};
  system.lay_out();
  for (const int body : w.body_of_block) system.add_body(std::size_t(body));
  for (const Element& e : w.elements) system.add_element(e);
  for (const InputWrench& i : in.wrenches)
    if (moves(m, x, std::size_t(i.body))) system.add_right(std::size_t(i.body), {h * i.force, h * i.torque});
  if (!w.factors.factorise()) return refused("the linearised forces have no solution", -1, started());
  w.factors.solve(w.change.data());

  stage.weight = h, stage.applied.clear();
  stage.impulse.resize(x.position.size()), stage.angular_impulse.assign(x.position.size(), {});
  for (std::size_t i = 0; i < x.position.size(); ++i) stage.impulse[i] = (h * m.mass[i]) * m.gravity;
  for (const Element& e : w.elements) system.apply(e, stage);
  for (const InputWrench& i : in.wrenches) {
    if (!moves(m, x, std::size_t(i.body))) continue;
    stage.applied.push_back({Cause::input, i.body, h * i.force, h * i.torque});
    stage.impulse[std::size_t(i.body)] += h * i.force;
    stage.angular_impulse[std::size_t(i.body)] += h * i.torque;
  }
  move_bodies(system, stage);
  return conclude(m, s, x, w);
}

}  // namespace stiction::step
