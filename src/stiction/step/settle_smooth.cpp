// The books of a step with several evaluations of the forces. Stage s gave every body impulses P_s and
// angular impulses T_s (weights included) of known causes, evaluated at x_s, v_s, w_s. With M the mass,
//     M (v1 - v0) = sum P_s + R,     L1 - L0 = sum T_s + D + R'
// R, R' reactions of planar joints, D what the method itself adds to the angular momentum (w.defect),
//     M (v1.v1 - v0.v0)/2 = sum P_s.(v0 + v1)/2                         (R is across the velocities)
//     (L1.w1 - L0.w0)/2   = (sum T_s + D).(w0 + w1)/2 + (L0.w1 - L1.w0)/2
// exactly. A cause gets its work at the stages, P_s.v_s + T_s.w_s; `numerics` gets, each by its own formula,
//     P_s.((v0 + v1)/2 - v_s) + T_s.((w0 + w1)/2 - w_s)      the step's velocity for that of the stage
//     D.(w0 + w1)/2 + (L0.w1 - L1.w0)/2                      the turn of the inertia
//     W + dPE                                                what a potential's work and its loss differ by
// so that a method of order n books the works of drag and of motors to order n. Angular momentum about the
// world's origin: x_s x P_s + T_s to the cause, to `numerics` (x0 - x_s) x P_s + (x1 - x0) x M v1 + D.
// Impulses of joints of methods with one stage are found with the velocities of the end: their whole work,
// P.(v0 + v1)/2 + T.(w0 + w1)/2, is theirs. Where post-stabilisation moved bodies, index 1 means the poses
// before it, and the move has entries of its own.
#include <cmath>

#include "stiction/step/link_reactions.h"
#include "stiction/step/smooth.h"
#include "stiction/step/spring_watch.h"

namespace stiction::step {
namespace {

struct Settling {
  const Model& m;
  const State& x;
  Workspace& w;
  const Motions& end;  // before stabilisation
  Entries& e;

  Vec3 mean_velocity(std::size_t i) const { return 0.5 * (x.velocity[i] + w.next.velocity[i]); }
  Vec3 mean_spin(std::size_t i) const { return 0.5 * (x.spin[i] + w.next.spin[i]); }

  /// The end of a spring on a body with prescribed motion: what its drive gives.
  void drive(const forces::AppliedImpulse& a, std::size_t i) {
    const double joules = -(dot(a.linear, w.next.velocity[i]) + dot(a.angular, w.next.spin[i]));
    count_spring(a, -joules, w);
    e.book(Cause::kinematic, joules);
    e.book(is_potential(a.cause) ? Cause::numerics : a.cause, -joules);
  }

  void impulse(const forces::AppliedImpulse& a, std::size_t i, const Motions& at) {
    const Cause cause = a.cause;
    const Vec3 &P = a.linear, &T = a.angular;
    const double work = dot(P, at.velocity[i]) + dot(T, at.spin[i]);
    const double rest = dot(P, mean_velocity(i) - at.velocity[i]) + dot(T, mean_spin(i) - at.spin[i]);
    count_spring(a, w.stages > 1 ? work : work + rest, w);
    e.book(cause, work);
    e.book(Cause::numerics, is_potential(cause) ? work + rest : rest);
    e.book(cause, P, cross(at.position[i], P) + T);
    e.book(Cause::numerics, {}, cross(x.position[i] - at.position[i], P));
  }

  /// A joint's.
  void reaction(std::size_t i, const Vec3& P, const Vec3& T) {
    e.book(Cause::joint, dot(P, mean_velocity(i)) + dot(T, mean_spin(i)));
    e.book(Cause::joint, P, cross(x.position[i], P) + T);
  }

  /// The same for a link, at the stage's Jacobian; its moments are booked with its tree.
  void impulse_on_link(const forces::AppliedImpulse& a, std::size_t i, std::size_t stage) {
    const Cause cause = a.cause;
    const Vec3 &P = a.linear, &T = a.angular;
    const Motions& at = w.stage[stage].at;
    const SpatialMotion& mean = w.trees.stage[stage].mean[std::size_t(m.link[i])];
    const double work = dot(P, at.velocity[i]) + dot(T, at.spin[i]);
    const double whole = dot(P, mean.linear) + dot(T, mean.angular);
    count_spring(a, w.stages > 1 ? work : whole, w);
    e.book(cause, work);
    e.book(Cause::numerics, is_potential(cause) ? whole : whole - work);
    e.book(cause, P, cross(at.position[i], P) + T);
  }

  /// Gravity: its work and the loss of its potential are compared body by body.
  void gravity(std::size_t i) {
    double excess = -m.mass[i] * dot(m.gravity, end.position[i] - x.position[i]);
    for (int s = 0; s < w.stages; ++s) {
      const ForceStage& stage = w.stage[std::size_t(s)];
      const Vec3 P = (stage.weight * m.mass[i]) * m.gravity;
      e.book(Cause::gravity, dot(P, stage.at.velocity[i]));
      e.book(Cause::gravity, P, cross(stage.at.position[i], P));
      if (is_link(m, i)) {
        excess += dot(P, w.trees.stage[std::size_t(s)].mean[std::size_t(m.link[i])].linear);
        continue;
      }
      excess += dot(P, mean_velocity(i));
      e.book(Cause::numerics, {}, cross(x.position[i] - stage.at.position[i], P));
    }
    e.book(Cause::numerics, excess);
  }

  void motion(std::size_t i) {
    const Vec3 shift = end.position[i] - x.position[i];
    e.book(Cause::numerics, {}, cross(shift, m.mass[i] * w.next.velocity[i]) + w.defect[i]);
    const Vec3& d = m.inertia[i];
    if (m.mobility[i] != Mobility::free || (d.x == d.y && d.y == d.z && w.defect[i] == Vec3{})) return;
    const Vec3 L0 = turning_of(m, i, x.orientation[i], x.spin[i]),
               L1 = turning_of(m, i, end.orientation[i], w.next.spin[i]);
    e.book(Cause::numerics,
           dot(w.defect[i], mean_spin(i)) + 0.5 * (dot(L0, w.next.spin[i]) - dot(L1, x.spin[i])));
  }

  /// What a planar joint bears: the impulse along its normal, and the torque across it.
  void planar_reaction(std::size_t k) {
    const auto i = std::size_t(m.planes[k].body);
    Vec3 P, T;
    for (int s = 0; s < w.stages; ++s)
      P += w.stage[std::size_t(s)].impulse[i], T += w.stage[std::size_t(s)].angular_impulse[i];
    const Vec3& n = m.plane_normal[i];
    const Vec3 reaction = -dot(n, P) * n;
    const Vec3 turn = turning_of(m, i, end.orientation[i], w.next.spin[i]) -
                      turning_of(m, i, x.orientation[i], x.spin[i]) - T;
    const Vec3 torque = turn - dot(n, turn) * n;
    e.book(Cause::joint, reaction, cross(x.position[i], reaction) + torque);
    w.plane_impulse[k] = {reaction, torque};
  }

  void potentials(const Totals& after) {
    const Totals& before = x.ledger.now();
    if (after.spring_potential != 0 || before.spring_potential != 0)
      e.book(Cause::numerics, after.spring_potential - before.spring_potential);
    if (after.pair_potential != 0 || before.pair_potential != 0)
      e.book(Cause::numerics, after.pair_potential - before.pair_potential);
  }
};

}  // namespace

void settle_smooth(const Model& m, const State& x, double h, Workspace& w) {
  w.entries = {};
  w.springs.clear();
  w.books.resize((x.position.size() + book_chunk - 1) / book_chunk);
  w.totals = totals_at(m, x, books_of(m, x, w.next, h, w), w.next, w);
  Settling s{m, x, w, w.stabilised ? w.before_stabilise : w.next, w.entries};
  if (!m.trees.empty()) sum_tree_books(m, x, w);
  start_springs(m, w);
  for (int k = 0; k < w.stages; ++k) {
    const ForceStage& stage = w.stage[std::size_t(k)];
    for (const forces::AppliedImpulse& a : stage.applied) {
      const auto i = std::size_t(a.body);
      if (m.mobility[i] == Mobility::none)
        s.drive(a, i);
      else if (a.cause == Cause::joint && w.stages == 1)
        s.reaction(i, a.linear, a.angular);
      else if (is_link(m, i))
        s.impulse_on_link(a, i, std::size_t(k));
      else
        s.impulse(a, i, stage.at);
    }
  }
  if (is_sprung(m)) watch_springs(m, x, s.end, w);
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (m.gravity != Vec3{} && (moves(m, x, i) || is_link(m, i))) s.gravity(i);
    if (!moves(m, x, i)) continue;
    s.motion(i);
  }
  w.plane_impulse.resize(m.planes.size());
  for (std::size_t k = 0; k < m.planes.size(); ++k) s.planar_reaction(k);
  if (!m.trees.empty()) {
    begin_link_balance(m, x, s.end, Pivot::middle, w);
    book_tree_stages(m, w);
    end_link_balance(m, h, w);
  }
  if (!w.stabilised) return s.potentials(w.totals);
  Totals moved = w.totals;
  moved.spring_potential = spring_energy(m, x, s.end);
  moved.pair_potential = forces::pair_potential(m, s.end.position, x.alive, w.forces.pairs);
  s.potentials(moved);
  book_stabilisation(m, x, s.end, w);
}

}  // namespace stiction::step
