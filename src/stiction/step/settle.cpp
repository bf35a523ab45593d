// The books of one step. With the mass matrix M_k of the step (world axes, at the pose of the last problem),
//     M_k v+ = p0 + sum of impulses P,     v' = M_k^-1 p0     (p0: momentum at the start, world axes)
// gives exactly  v+'M_k v+/2 - v''M_k v'/2 = sum of P.(v' + v+)/2: each impulse's term goes to its cause.
// `numerics` takes, each by its own formula,
//     L0.(w' - w0)/2                the start's kinetic energy seen with M_k instead of M(q0),
//     w+.(I(q+) - I_k) w+/2         the end's kinetic energy seen with M(q+) instead of M_k,
//     W + dPE                       what a potential's work and minus its change differ by.
// Angular momentum is about the world's origin. An impulse P on a body at x0 with arm a brings x0 x P + a x
// P; the body moves h v+ parallel to its momentum, which brings nothing. What the two sides of an inner
// contact leave, -h (v_b - v_a) x p, and (I(q+) - I_k) w+ are `numerics`. docs/theory/ledger.md has the
// derivation.
#include <cmath>

#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

bool is_mobile(const Model& m, std::span<const unsigned char> alive, std::size_t i) {
  return m.mobility[i] != Mobility::none && alive[i];
}

struct Settling {
  const Model& m;
  const State& x;
  double h;
  Workspace& w;
  const Motions& end;  // before stabilisation
  Entries& e;

  bool has_block(std::size_t i) const { return !w.problem.islands.empty() && w.block_of_body[i] >= 0; }

  /// Spin at the start seen with the inertia of the step.
  Vec3 start_spin(std::size_t i) const {
    const Vec3& d = m.inertia[i];
    if (m.mobility[i] != Mobility::free || (d.x == d.y && d.y == d.z)) return x.spin[i];
    const Vec3 L = world_inertia(d, x.orientation[i]) * x.spin[i];
    const Quat& q = has_block(i) ? w.mass_pose[i] : end.orientation[i];
    return world_inertia({1 / d.x, 1 / d.y, 1 / d.z}, q) * L;
  }

  void body(std::size_t i) {
    const double mass = m.mass[i];
    const Vec3 weight = (h * mass) * m.gravity;
    const Vec3 mean = 0.5 * (x.velocity[i] + end.velocity[i]);
    const double work = dot(weight, mean);
    e.book(Cause::gravity, work);
    e.book(Cause::numerics, work - mass * dot(m.gravity, end.position[i] - x.position[i]));
    e.book(Cause::gravity, weight, cross(x.position[i], weight));

    const Vec3& d = m.inertia[i];
    const bool round = m.mobility[i] != Mobility::free || (d.x == d.y && d.y == d.z);
    if (round || !(has_block(i) || w.has_applied)) return;
    const Vec3 L = world_inertia(d, x.orientation[i]) * x.spin[i];
    e.book(Cause::numerics, 0.5 * dot(L, start_spin(i) - x.spin[i]));
    if (!has_block(i)) return;
    const Vec3 change =
        world_inertia(d, end.orientation[i]) * end.spin[i] - world_inertia(d, w.mass_pose[i]) * end.spin[i];
    e.book(Cause::numerics, 0.5 * dot(end.spin[i], change));
    e.book(Cause::numerics, {}, change);
  }

  void applied() {
    for (const forces::AppliedImpulse& a : w.applied) {
      const auto i = std::size_t(a.body);
      if (m.mobility[i] == Mobility::none) {
        // a spring's end on a prescribed body: what its drive gives
        const double drive = -(dot(a.linear, end.velocity[i]) + dot(a.angular, end.spin[i]));
        e.book(Cause::kinematic, drive);
        if (a.cause == Cause::damping) e.book(Cause::damping, -drive);
        if (a.cause == Cause::spring) e.book(Cause::numerics, -drive);
        continue;
      }
      const Vec3 spin = m.mobility[i] == Mobility::particle ? Vec3{} : start_spin(i) + end.spin[i];
      const double work = 0.5 * (dot(a.linear, x.velocity[i] + end.velocity[i]) + dot(a.angular, spin));
      e.book(a.cause, work);
      if (a.cause == Cause::spring) e.book(Cause::numerics, work);
      e.book(a.cause, a.linear, cross(x.position[i], a.linear) + a.angular);
    }
    if (m.springs.empty()) return;
    e.book(Cause::numerics, forces::spring_potential(m, end.position, end.orientation, x.alive) -
                                x.ledger.now().spring_potential);
  }

  /// Mean of start and end velocity of a body at the contact.
  Vec3 mean_velocity(std::size_t i, const Vec3& place) const {
    if (m.mobility[i] == Mobility::none) {
      if (m.body_kind[i] != kinematic) return {};
      return end.velocity[i] + cross(end.spin[i], place - w.base.position[i]);
    }
    const Vec3 arm = place - w.base.position[i];
    const Vec3 spin = m.mobility[i] == Mobility::particle ? Vec3{} : start_spin(i) + end.spin[i];
    return 0.5 * (x.velocity[i] + end.velocity[i] + cross(spin, arm));
  }

  void contact(const WorkContact& c) {
    const auto a = std::size_t(c.point.key.a), b = std::size_t(c.point.key.b);
    const Vec3 mean_a = mean_velocity(a, c.centre), mean_b = mean_velocity(b, c.centre);
    const Vec3 normal = dot(c.point.normal, c.impulse) * c.point.normal, tangential = c.impulse - normal;
    const Cause cause = c.touched ? Cause::contact : Cause::impact;
    e.book(cause, dot(normal, mean_b - mean_a));
    e.book(Cause::friction, dot(tangential, mean_b - mean_a));
    const bool inner = m.mobility[a] != Mobility::none && m.mobility[b] != Mobility::none;
    for (const bool second : {false, true}) {
      const std::size_t i = second ? b : a;
      const double sign = second ? 1 : -1;
      if (m.mobility[i] == Mobility::none) {
        e.book(Cause::kinematic, -sign * dot(c.impulse, second ? mean_b : mean_a));
        continue;
      }
      const bool turns = m.mobility[i] != Mobility::particle;
      const Vec3 lever = turns ? x.position[i] + (c.centre - w.base.position[i]) : x.position[i];
      e.book(inner ? Cause::numerics : cause, sign * normal, cross(lever, sign * normal));
      e.book(inner ? Cause::numerics : Cause::friction, sign * tangential, cross(lever, sign * tangential));
    }
  }

  /// What a planar joint bears: the impulse along its normal, and the torque across it.
  void planar_reactions() {
    w.total_impulse.assign(std::size_t(m.body_count()), {}),
        w.total_torque.assign(std::size_t(m.body_count()), {});
    for (const forces::AppliedImpulse& a : w.applied)
      w.total_impulse[std::size_t(a.body)] += a.linear, w.total_torque[std::size_t(a.body)] += a.angular;
    for (const WorkContact& c : w.contacts) {
      if (!c.in_problem) continue;
      for (const bool second : {false, true}) {
        const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
        const Vec3 p = (second ? 1.0 : -1.0) * c.impulse;
        w.total_impulse[i] += p, w.total_torque[i] += cross(c.centre - w.base.position[i], p);
      }
    }
    for (std::size_t i = 0; i < std::size_t(m.body_count()); ++i) {
      if (m.mobility[i] != Mobility::planar || !x.alive[i]) continue;
      const Vec3& n = m.plane_normal[i];
      const Vec3 reaction = -dot(n, w.total_impulse[i] + (h * m.mass[i]) * m.gravity) * n;
      const Vec3 turn = world_inertia(m.inertia[i], end.orientation[i]) * end.spin[i] -
                        world_inertia(m.inertia[i], x.orientation[i]) * x.spin[i] - w.total_torque[i];
      e.book(Cause::joint, reaction, cross(x.position[i], reaction) + (turn - dot(n, turn) * n));
    }
  }

  void stabilisation() {
    for (std::size_t i = 0; i < std::size_t(m.body_count()); ++i) {
      if (!is_mobile(m, x.alive, i)) continue;
      const Vec3 shift = w.next.position[i] - end.position[i];
      const Vec3 change = m.mobility[i] == Mobility::particle
                              ? Vec3{}
                              : world_inertia(m.inertia[i], w.next.orientation[i]) * end.spin[i] -
                                    world_inertia(m.inertia[i], end.orientation[i]) * end.spin[i];
      e.book(Cause::stabilisation, 0.5 * dot(end.spin[i], change) - m.mass[i] * dot(m.gravity, shift));
      e.book(Cause::stabilisation, {}, cross(shift, m.mass[i] * end.velocity[i]) + change);
    }
    e.book(Cause::stabilisation, forces::spring_potential(m, w.next.position, w.next.orientation, x.alive) -
                                     forces::spring_potential(m, end.position, end.orientation, x.alive));
  }
};

}  // namespace

Totals totals_of(const Model& m, const Motions& q, std::span<const unsigned char> alive) {
  Totals t;
  for (std::size_t i = 0; i < q.position.size(); ++i) {
    if (!is_mobile(m, alive, i)) continue;
    const Vec3 p = m.mass[i] * q.velocity[i];
    Vec3 L;
    if (m.mobility[i] != Mobility::particle) L = world_inertia(m.inertia[i], q.orientation[i]) * q.spin[i];
    t.kinetic += 0.5 * (dot(p, q.velocity[i]) + dot(L, q.spin[i]));
    t.gravity_potential -= m.mass[i] * dot(m.gravity, q.position[i] - m.start_position[i]);
    t.momentum += p;
    t.angular_momentum += cross(q.position[i], p) + L;
  }
  t.spring_potential = forces::spring_potential(m, q.position, q.orientation, alive);
  return t;
}

void settle(const Model& m, const State& x, double h, Workspace& w) {
  w.entries = {};
  Settling s{m, x, h, w, w.stabilised ? w.before_stabilise : w.next, w.entries};
  bool planar = false;
  for (std::size_t i = 0; i < std::size_t(m.body_count()); ++i) {
    if (is_mobile(m, x.alive, i)) s.body(i);
    planar = planar || m.mobility[i] == Mobility::planar;
  }
  if (w.has_applied || !m.springs.empty()) s.applied();
  for (const WorkContact& c : w.contacts)
    if (c.in_problem && c.impulse != Vec3{}) s.contact(c);
  if (planar) s.planar_reactions();
  if (w.stabilised) s.stabilisation();
  w.totals = totals_of(m, w.next, x.alive);
}

}  // namespace stiction::step
