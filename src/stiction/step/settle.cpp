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
// derivation. What every body has, gravity and the totals, is summed in body_books.cpp.
#include <algorithm>
#include <cmath>

#include "stiction/dynamics/tree/energy.h"
#include "stiction/math/lanes.h"
#include "stiction/step/joint_laws.h"
#include "stiction/step/link_reactions.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/sleep.h"
#include "stiction/step/soft_contacts.h"
#include "stiction/step/spring_watch.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

bool is_mobile(const Model& m, std::span<const unsigned char> alive, std::size_t i) {
  return m.mobility[i] != Mobility::none && alive[i];
}

bool has_springs(const Model& m) {
  return !m.springs.empty() || !m.torsions.empty() || m.trees.parameters.has_springs ||
         m.mechanisms.springs || m.contacts_give;
}
bool has_pairs(const Model& m) { return !m.gravitations.empty() || !m.lennard_jones.empty(); }

/// Whether the last problem has this body.
bool in_blocks(const Workspace& w, std::size_t i) {
  return !w.problem.islands.empty() && w.block_of_body[i] >= 0;
}

/// Spin at the start seen with the inertia of the step, as assemble.cpp has it.
Vec3 start_spin(const Model& m, const State& x, const Motions& end, std::size_t i, const Workspace& w) {
  const Vec3& d = m.inertia[i];
  if (m.mobility[i] != Mobility::free || (d.x == d.y && d.y == d.z)) return x.spin[i];
  const Vec3 L = world_inertia(d, x.orientation[i]) * x.spin[i];
  const Quat& q = in_blocks(w, i) ? w.mass_pose[i] : end.orientation[i];
  return x.spin[i] + world_inertia({1 / d.x, 1 / d.y, 1 / d.z}, q) * (L - world_inertia(d, q) * x.spin[i]);
}

struct Settling {
  const Model& m;
  const State& x;
  double h;
  Workspace& w;
  const Motions& end;  // before stabilisation
  Entries& e;

  bool has_block(std::size_t i) const { return in_blocks(w, i); }

  Vec3 start_spin(std::size_t i) const { return step::start_spin(m, x, end, i, w); }

  void gravity(const BodyBooks& b) {
    e.book_many(Cause::gravity, b.work, b.work_flow), e.book_many(Cause::numerics, b.excess, b.excess_flow);
    e.book(Cause::gravity, b.impulse, b.angular_impulse);
  }

  /// A free body that impulses act on: what its rotational energy owes to the inertia of the step.
  void inertia(std::size_t i) {
    const Vec3& d = m.inertia[i];
    if (m.mobility[i] != Mobility::free || (d.x == d.y && d.y == d.z) || flows_joined(m, w, i)) return;
    const Vec3 L = world_inertia(d, x.orientation[i]) * x.spin[i];
    e.book(Cause::numerics, 0.5 * dot(L, start_spin(i) - x.spin[i]));
    if (!has_block(i)) return;
    if (w.end_geometry) {
      const Vec3 turn = gyroscopic_impulse(m, x, h, i);
      e.book(Cause::numerics, 0.5 * dot(turn, start_spin(i) + end.spin[i]));
      e.book(Cause::numerics, {}, turn);
    }
    const Vec3 change =
        world_inertia(d, end.orientation[i]) * end.spin[i] - world_inertia(d, w.mass_pose[i]) * end.spin[i];
    e.book(Cause::numerics, 0.5 * dot(end.spin[i], change));
    e.book(Cause::numerics, {}, change);
  }

  /// Impulses are booked with levers to where bodies were at the start: what they have more of angular
  /// momentum where bodies move on with part of the velocity of the start.
  void levers() {
    for (std::size_t i = 0; i < std::size_t(m.body_count()); ++i) {
      if (!is_mobile(m, x.alive, i) || m.mobility[i] == Mobility::link) continue;
      if (!m.mechanisms.empty() && m.mechanisms.mechanism_of[i] >= 0) continue;
      const Vec3 more = (1 - w.carry.theta) * h * m.mass[i] * cross(x.velocity[i], end.velocity[i]);
      e.book(Cause::numerics, {}, more);
    }
  }

  void applied() {
    start_springs(m, w);
    for (const forces::AppliedImpulse& a : w.applied) {
      const auto i = std::size_t(a.body);
      if (m.mobility[i] == Mobility::none) {
        // a spring's end on a prescribed body: what its drive gives
        const double drive = -(dot(a.linear, end.velocity[i]) + dot(a.angular, end.spin[i]));
        e.book(Cause::kinematic, drive);
        if (a.cause == Cause::damping) e.book(Cause::damping, -drive);
        if (is_potential(a.cause)) e.book(Cause::numerics, -drive);
        count_spring(a, -drive, w);
        continue;
      }
      if (m.mobility[i] == Mobility::link) {
        applied_to_link(a, i);
        continue;
      }
      if (flows_joined(m, w, i)) continue;
      const Vec3 spin = m.mobility[i] == Mobility::particle ? Vec3{} : start_spin(i) + end.spin[i];
      const double work = 0.5 * (dot(a.linear, x.velocity[i] + end.velocity[i]) + dot(a.angular, spin));
      count_spring(a, work, w);
      if (a.cause == Cause::magnus) {
        // it is across the velocity that it was evaluated at: what it does all the same is the step's doing
        e.book(Cause::magnus, dot(a.linear, x.velocity[i]));
        e.book(Cause::numerics, 0.5 * dot(a.linear, end.velocity[i] - x.velocity[i]));
      } else {
        e.book(a.cause, work);
        if (is_potential(a.cause)) e.book(Cause::numerics, work);
      }
      e.book(a.cause, a.linear, cross(x.position[i], a.linear) + a.angular);
    }
    if (!m.mechanisms.empty()) applied_to_mechanisms();
    if (is_sprung(m)) watch_springs(m, x, end, w);
    if (has_springs(m))
      e.book(Cause::numerics, stored_energy(m, x, end, w) - x.ledger.now().spring_potential);
    if (has_pairs(m))
      e.book(Cause::numerics, forces::pair_potential(m, end.position, x.alive, w.forces.pairs) -
                                  x.ledger.now().pair_potential);
  }

  /// Forces of the middle of the step, on what flows.
  void applied_to_mechanisms() {
    for (const forces::AppliedImpulse& a : w.middle_applied) {
      const auto i = std::size_t(a.body);
      if (!flows_joined(m, w, i)) continue;
      const constraints::Twist mean = mean_motion(m, x, end, i, w);
      const double work = dot(a.linear, mean.linear) + dot(a.angular, mean.angular);
      count_spring(a, work, w);
      e.book(a.cause, work);
      if (is_potential(a.cause)) e.book(Cause::numerics, work);
      e.book(a.cause, a.linear, cross(0.5 * (x.position[i] + end.position[i]), a.linear) + a.angular);
    }
  }

  void applied_to_link(const forces::AppliedImpulse& a, std::size_t i) {
    if (flows(m, w, m.link[i])) return applied_to_flow(a, i);
    const SpatialMotion sum = start_twist(w, m.link[i]);
    const double work = 0.5 * (dot(a.linear, sum.linear) + dot(a.angular, sum.angular));
    count_spring(a, work, w);
    if (a.cause == Cause::magnus) {
      e.book(Cause::magnus, dot(a.linear, x.velocity[i]));
      e.book(Cause::numerics, work - dot(a.linear, x.velocity[i]));
    } else {
      e.book(a.cause, work);
      if (is_potential(a.cause)) e.book(Cause::numerics, work);
    }
    e.book(a.cause, a.linear, cross(x.position[i], a.linear) + a.angular);
  }

  /// The same for a tree that flows: held over the step, so force times way.
  void applied_to_flow(const forces::AppliedImpulse& a, std::size_t i) {
    const TreeSums::OfLink& sum = w.trees.sums.link[std::size_t(m.link[i])];
    const auto along = [&](const SpatialMotion& way) {
      return (dot(a.linear, way.linear) + dot(a.angular, way.angular)) / h;
    };
    const double work = a.cause == Cause::magnus ? dot(a.linear, x.velocity[i]) : along(sum.way);
    count_spring(a, along(sum.mean), w);
    e.book(a.cause, work);
    e.book(Cause::numerics, is_potential(a.cause) ? along(sum.mean) : along(sum.mean) - work);
    e.book(a.cause, a.linear, cross(sum.place / h, a.linear) + a.angular);
  }

  /// Mean of start and end velocity of a body at the contact.
  Vec3 mean_velocity(const WorkContact& c, bool second) const {
    const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
    const Vec3& arm = c.arm[second];
    if (m.mobility[i] == Mobility::none) {
      if (m.body_kind[i] != kinematic) return {};
      return end.velocity[i] + cross(end.spin[i], arm);
    }
    if (m.mobility[i] == Mobility::link) return 0.5 * booked_velocity(m, c, second, w);
    const Vec3 spin = m.mobility[i] == Mobility::particle ? Vec3{} : start_spin(i) + end.spin[i];
    return 0.5 * (x.velocity[i] + end.velocity[i] + cross(spin, arm));
  }

  /// The work of a normal impulse r at the mean rate: its elastic part goes to the potential, whose change
  /// applied() has; the rest is damping.
  void gave_way(const WorkContact& c, double r, double rate) {
    double elastic = r;
    if (c.soft.damping_time > 0) {
      const Vec3 there = c.kept ? Vec3{} : relative_velocity(w.base, c);
      const double gap = c.point.gap + h * dot(c.point.normal, relative_velocity(end, c) - there);
      elastic = h * elastic_force(c.soft, -gap);
      e.book(Cause::damping, (r - elastic) * rate);
    }
    e.book(Cause::spring, elastic * rate);
    e.book(Cause::numerics, elastic * rate);
  }

  void contact(const WorkContact& c) {
    const auto a = std::size_t(c.point.key.a), b = std::size_t(c.point.key.b);
    const Vec3 mean_a = mean_velocity(c, false), mean_b = mean_velocity(c, true);
    const Vec3 normal = dot(c.point.normal, c.impulse) * c.point.normal, tangential = c.impulse - normal;
    const Cause cause = c.touched ? Cause::contact : Cause::impact;
    if (c.gives_way())
      gave_way(c, dot(c.point.normal, c.impulse), dot(c.point.normal, mean_b - mean_a));
    else
      e.book(cause, dot(normal, mean_b - mean_a));
    e.book(Cause::friction, dot(tangential, mean_b - mean_a + c.belt));
    if (c.belt != Vec3{}) e.book(Cause::surface, -dot(tangential, c.belt));
    const bool inner = m.mobility[a] != Mobility::none && m.mobility[b] != Mobility::none;
    for (const bool second : {false, true}) {
      const std::size_t i = second ? b : a;
      const double sign = second ? 1 : -1;
      if (m.mobility[i] == Mobility::none) {
        e.book(Cause::kinematic, -sign * dot(c.impulse, second ? mean_b : mean_a));
        continue;
      }
      const bool turns = m.mobility[i] != Mobility::particle;
      const Vec3 lever = m.mobility[i] == Mobility::link ? contact_lever(m, c, second, w)
                         : turns                         ? x.position[i] + c.arm[second]
                                                         : x.position[i];
      e.book(inner ? Cause::numerics : cause, sign * normal, cross(lever, sign * normal));
      e.book(inner ? Cause::numerics : Cause::friction, sign * tangential, cross(lever, sign * tangential));
    }
  }

  /// Mean of start and end spin of a body, as mean_velocity() has it.
  Vec3 mean_spin(const WorkContact& c, bool second) const {
    const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
    if (m.mobility[i] == Mobility::none) return m.body_kind[i] == kinematic ? end.spin[i] : Vec3{};
    if (m.mobility[i] == Mobility::link) return 0.5 * booked_spin(m, c, second, w);
    return m.mobility[i] == Mobility::particle ? Vec3{} : 0.5 * (start_spin(i) + end.spin[i]);
  }

  /// The moments of a contact against spin and rolling.
  void moments(const WorkContact& c) {
    const Vec3 mean_a = mean_spin(c, false), mean_b = mean_spin(c, true);
    const Vec3 spin = dot(c.point.normal, c.moment) * c.point.normal, rolling = c.moment - spin;
    e.book(Cause::spin, dot(spin, mean_b - mean_a));
    e.book(Cause::rolling, dot(rolling, mean_b - mean_a));
    const auto a = std::size_t(c.point.key.a), b = std::size_t(c.point.key.b);
    const bool inner = m.mobility[a] != Mobility::none && m.mobility[b] != Mobility::none;
    for (const bool second : {false, true}) {
      const std::size_t i = second ? b : a;
      const double sign = second ? 1 : -1;
      if (m.mobility[i] == Mobility::none) {
        e.book(Cause::kinematic, -sign * dot(c.moment, second ? mean_b : mean_a));
      } else if (m.mobility[i] != Mobility::particle) {
        e.book(inner ? Cause::numerics : Cause::spin, {}, sign * spin);
        e.book(inner ? Cause::numerics : Cause::rolling, {}, sign * rolling);
      }
    }
  }

  /// What a planar joint bears: the impulse along its normal, and the torque across it.
  void planar_reactions() {
    w.total_impulse.assign(std::size_t(m.body_count()), {}),
        w.total_torque.assign(std::size_t(m.body_count()), {});
    for (const forces::AppliedImpulse& a : w.applied)
      if (!flows_joined(m, w, std::size_t(a.body)))
        w.total_impulse[std::size_t(a.body)] += a.linear, w.total_torque[std::size_t(a.body)] += a.angular;
    for (const WorkContact& c : w.contacts) {
      if (!c.in_problem) continue;
      for (const bool second : {false, true}) {
        const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
        const Vec3 p = (second ? 1.0 : -1.0) * c.impulse;
        w.total_impulse[i] += p, w.total_torque[i] += cross(c.arm[second], p);
        if (c.turns()) w.total_torque[i] += (second ? 1.0 : -1.0) * c.moment;
      }
    }
    if (!m.mechanisms.empty()) add_joint_impulses(m, x, end, w);
    add_law_impulses(m, w);
    w.plane_impulse.resize(m.planes.size());
    for (std::size_t k = 0; k < m.planes.size(); ++k) {
      const auto i = std::size_t(m.planes[k].body);
      const Vec3& n = m.plane_normal[i];
      const Vec3 reaction = -dot(n, w.total_impulse[i] + (h * m.mass[i]) * m.gravity) * n;
      const Vec3 turn = world_inertia(m.inertia[i], end.orientation[i]) * end.spin[i] -
                        world_inertia(m.inertia[i], x.orientation[i]) * x.spin[i] - w.total_torque[i];
      const Vec3 place = flows_joined(m, w, i) ? 0.5 * (x.position[i] + end.position[i]) : x.position[i];
      const Vec3 torque = turn - dot(n, turn) * n;
      e.book(Cause::joint, reaction, cross(place, reaction) + torque);
      w.plane_impulse[k] = {reaction, torque};
    }
  }
};

}  // namespace

void book_stabilisation(const Model& m, const State& x, const Motions& end, Workspace& w) {
  Entries& e = w.entries;
  for (std::size_t i = 0; i < std::size_t(m.body_count()); ++i) {
    if (!is_mobile(m, x.alive, i) || m.mobility[i] == Mobility::link) continue;
    const Vec3 shift = w.next.position[i] - end.position[i];
    Vec3 change;         // [kg m^2/s]
    double turning = 0;  // [J]
    if (m.mobility[i] != Mobility::particle) {
      const Vec3 L = world_inertia(m.inertia[i], w.next.orientation[i]) * w.next.spin[i],
                 before = world_inertia(m.inertia[i], end.orientation[i]) * end.spin[i];
      change = L - before, turning = 0.5 * (dot(w.next.spin[i], L) - dot(end.spin[i], before));
    }
    e.book(Cause::stabilisation, turning - m.mass[i] * dot(m.gravity, shift));
    e.book(Cause::stabilisation, {}, cross(shift, m.mass[i] * end.velocity[i]) + change);
  }
  if (!m.trees.empty()) book_moved_links(m, end, w);
  e.book(Cause::stabilisation, stored_energy(m, x, w.next, w) - stored_energy(m, x, end, w));
  if (has_pairs(m))
    e.book(Cause::stabilisation, forces::pair_potential(m, w.next.position, x.alive, w.forces.pairs) -
                                     forces::pair_potential(m, end.position, x.alive, w.forces.pairs));
}

constraints::Twist mean_motion(const Model& m, const State& x, const Motions& end, std::size_t i,
                               const Workspace& w) {
  if (flows_joined(m, w, i))
    return w.mechanisms[std::size_t(m.mechanisms.mechanism_of[i])].mean[std::size_t(m.mechanisms.node_of[i])];
  const Vec3 spin =
      m.mobility[i] == Mobility::particle ? Vec3{} : 0.5 * (start_spin(m, x, end, i, w) + end.spin[i]);
  return {0.5 * (x.velocity[i] + end.velocity[i]), spin};
}

double spring_energy(const Model& m, const State& x, const Motions& q) {
  double sum = forces::spring_potential(m, q.position, q.orientation, x.alive);
  if (m.mechanisms.springs) sum += soft_energy(m, x, q);
  if (m.trees.parameters.has_springs)
    sum += tree::spring_energy(m.trees.forest, m.trees.parameters, q.joint_position);
  return sum;
}

double stored_energy(const Model& m, const State& x, const Motions& q, Workspace& w) {
  const double springs = spring_energy(m, x, q);
  return m.contacts_give ? springs + contact_energy(m, w.pairs, q.position, q.orientation, w.points)
                         : springs;
}

BodyBooks books_of(const Model& m, const State& x, const Motions& q, double h, Workspace& w) {
  for_chunks(q.position.size(), w.team, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    w.books[chunk] = book_bodies(m, x.alive, h, view(x), view(q), begin, end, lanes::wide_registers());
  });
  return total(w.books);
}

namespace {

Totals totals_of(const BodyBooks& b, double spring_potential, double pair_potential) {
  return {b.kinetic, b.gravity_potential, spring_potential, b.momentum, b.angular_momentum, pair_potential};
}

}  // namespace

Totals totals_of(const Model& m, const State& x) {
  const Motions q = motions_of(x);
  std::vector<BodyBooks> books;
  const std::size_t n = q.position.size();
  for (std::size_t i = 0; i < n; i += book_chunk)
    books.push_back(book_bodies(m, x.alive, 0.0, view(q), view(q), i, std::min(i + book_chunk, n),
                                lanes::wide_registers()));
  forces::PairScratch scratch;
  return totals_of(total(books), spring_energy(m, x, q) + (m.contacts_give ? contact_energy(m, x) : 0.0),
                   forces::pair_potential(m, q.position, x.alive, scratch));
}

Totals totals_at(const Model& m, const State& x, const BodyBooks& books, const Motions& q, Workspace& w) {
  return totals_of(books, stored_energy(m, x, q, w),
                   forces::pair_potential(m, q.position, x.alive, w.forces.pairs));
}

std::optional<int> not_bookable(const Model& m, const State& x, const Workspace& w) {
  const Totals& t = w.totals;
  // times zero: 0 for every finite number, NaN for the others; the flow holds the work of every cause
  double sum = 0 * (x.ledger.scale() + w.entries.flow) + 0 * t.energy();
  const auto add = [&](const Vec3& v) { sum += 0 * v.x + 0 * v.y + 0 * v.z; };
  add(t.momentum), add(t.angular_momentum);
  for (const Vec3& v : w.entries.momentum) add(v);
  for (const Vec3& v : w.entries.angular_momentum) add(v);
  if (sum == 0) return {};
  for (std::size_t i = 0; i < w.next.position.size(); ++i) {
    if (!is_mobile(m, x.alive, i)) continue;
    const Vec3 &v = w.next.velocity[i], &spin = w.next.spin[i], &p = w.next.position[i];
    const double own = m.mass[i] * (norm2(v) + dot(m.gravity, p)) + dot(m.inertia[i], times(spin, spin));
    if (!std::isfinite(own) || !is_finite(cross(p, m.mass[i] * v))) return int(i);
  }
  return -1;
}

void settle(const Model& m, const State& x, double h, Workspace& w) {
  const auto n = std::size_t(m.body_count());
  w.entries = {};
  w.springs.clear();
  Settling s{m, x, h, w, w.stabilised ? w.before_stabilise : w.next, w.entries};
  const BodyBooks books = !w.may_touch ? total(w.books) : books_of(m, x, s.end, h, w);
  s.gravity(books);
  if (!m.trees.empty()) {
    const std::vector<char>& flow = w.trees.flows;
    begin_link_balance(m, x, s.end, Pivot::start, w);
    book_flows(m, x, h, s.end, w);
    if (std::find(flow.begin(), flow.end(), 0) != flow.end()) {
      prepare_tree_books(m, x, s.end, w);
      book_trees(m, x, h, s.end, w);
    }
    end_link_balance(m, h, w);
  }
  if (w.has_applied) {
    for (std::size_t i = 0; i < n; ++i)
      if (x.alive[i]) s.inertia(i);
  } else {
    for (const int body : w.moved) s.inertia(std::size_t(body));
  }
  if (w.has_applied || m.has_potentials()) s.applied();
  if (w.carry.theta != 1) s.levers();
  book_sleepers(m, x, h, w);
  for (const WorkContact& c : w.contacts)
    if (c.in_problem && c.impulse != Vec3{}) {
      s.contact(c);
      if (c.turns()) s.moments(c);
    }
  if (!m.mechanisms.empty()) book_joints(m, x, s.end, h, w);
  if (!m.laws.empty()) book_laws(m, x, s.end, w);
  if (!m.planes.empty()) s.planar_reactions();
  if (w.stabilised) book_stabilisation(m, x, s.end, w);
  w.totals = totals_at(m, x, w.stabilised ? books_of(m, x, w.next, h, w) : books, w.next, w);
}

}  // namespace stiction::step
