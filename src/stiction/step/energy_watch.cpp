// The energy watch. The books close for every step (settle.cpp), but say nothing of where energy may come
// from. With P the impulses of forces, joints and drives, r those of contacts, positions moved by h v+, and
// M, v' = M^-1 p0 as in settle.cpp, an island's kinetic energy changes in a step by
//     v+'Mv+/2 - v''Mv'/2 = P.v+ + r.u+ - |v+ - v'|_M^2/2,
// where P.v+ is what forces and drives gave, exactly what potentials of constant forces lost. The rest,
//     added = sum of r.u+ - |v+ - v'|_M^2/2  +  what stabilisation did to the island's energy,
// is what contacts, impacts and friction brought, less what the step loses by itself where velocities change:
// u+ is the velocity of surface against surface, so that bodies with prescribed motion and belts have given
// nothing. The laws of contact say r.u+ <= 0, or, where a body comes to a surface within the step, at most
// what its stop lost. The books have r.(u' + u+)/2 instead, which is positive where a body that still moves
// up is held in the same step; the two differ by `numerics`.
//
// Turns of bodies with uneven inertia while contacts act on them are no contacts: what they make of the
// energy is `numerics` (docs/theory/ledger.md).
//
// Certificate::energy is the worst island's part of E = largest kinetic energy of the run so far, that of the
// step's free motion among them, + largest change of potential. Each island may besides be lifted by what the
// tolerance X lets bodies overlap, X L m |g|. Where a step adds energy, what all islands have gained since
// that sum was last 0 counts as well (Ledger::contacts_added). Overlap that a step finds at its start is the
// scene's, an edit's or that of a step that missed: to be pushed apart is what it asks for, and
// `stabilisation` has it, but the watch does not count it; the same for joints that were apart. What gives
// way stores energy and is left out. Restitution is judged by the laws of impact (impact/judge.h); the sum
// over the run has it. When it fails: what an island gains by less than |v+ - v'|_M^2/2 is hidden by what the
// step loses. Of trees |v+ - v'|^2/2 is what losses_of_trees() finds from their energies.
#include "stiction/step/energy_watch.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "stiction/step/friction_laws.h"

namespace stiction::step {
namespace {

bool is_mobile(const Model& m, const State& x, std::size_t i) {
  return m.mobility[i] != Mobility::none && x.alive[i];
}

/// Of the island of a body; the last of the list for bodies without one.
IslandEnergy& energy_of(Workspace& w, std::size_t body) {
  const std::size_t islands = w.island_energy.size() - 1;
  const int k = w.problem.islands.empty() ? -1 : w.island_of_body[body];
  return w.island_energy[k >= 0 ? std::size_t(k) : islands];
}
IslandEnergy& energy_of(const Model& m, const WorkContact& c, Workspace& w) {
  const auto a = std::size_t(c.point.key.a), b = std::size_t(c.point.key.b);
  return energy_of(w, m.mobility[a] == Mobility::none ? b : a);
}

/// [J] |v+ - v'|_M^2 / 2 of a body in the problem.
double lost_by_change(const Model& m, const State& x, std::size_t i, const Workspace& w) {
  const double linear = 0.5 * m.mass[i] * norm2(w.next.velocity[i] - x.velocity[i]);
  if (m.mobility[i] == Mobility::particle) return linear;
  const Vec3& d = m.inertia[i];
  if (m.mobility[i] == Mobility::planar) {
    const Vec3& n = m.plane_normal[i];
    const double change = dot(n, w.next.spin[i] - x.spin[i]);
    return linear + 0.5 * dot(n, world_inertia(d, x.orientation[i]) * n) * change * change;
  }
  const Quat& q = w.mass_pose[i];
  const Vec3 momentum = world_inertia(d, q) * w.next.spin[i] - world_inertia(d, x.orientation[i]) * x.spin[i];
  const Vec3 change = rotate_back(q, momentum);
  return linear + 0.5 * (change.x * change.x / d.x + change.y * change.y / d.y + change.z * change.z / d.z);
}

/// [J] what stabilisation did to a body. Its rotational energy is compared with that which the problem had of
/// it: where velocities were found at the stabilised pose, that of w.before_stabilise is nowhere else.
double lifted(const Model& m, std::size_t i, const Workspace& w) {
  const Motions& end = w.before_stabilise;
  const bool solved =
      !w.problem.islands.empty() && w.block_of_body[i] >= 0 && m.mobility[i] == Mobility::free;
  const Quat& pose = solved ? w.mass_pose[i] : end.orientation[i];
  const auto energy = [&](const Motions& q, const Quat& at) {
    const double turning = m.mobility[i] == Mobility::particle
                               ? 0.0
                               : dot(q.spin[i], world_inertia(m.inertia[i], at) * q.spin[i]);
    return 0.5 * (m.mass[i] * norm2(q.velocity[i]) + turning);
  };
  const double moved = energy(w.next, w.next.orientation[i]) - energy(end, pose);
  return moved - m.mass[i] * dot(m.gravity, w.next.position[i] - end.position[i]);
}

/// Islands whose bodies overlapped, or whose joints were apart, at the start of the step.
void find_given_overlap(const Model& m, Workspace& w) {
  for (std::size_t k = 0; k < w.pairs.size(); ++k)
    if (w.pair_allowed[k] < 0)
      for (const int body : {w.pairs[k].a, w.pairs[k].b})
        if (m.mobility[std::size_t(body)] != Mobility::none)
          energy_of(w, std::size_t(body)).given_overlap = true;
  const auto kept = [](double apart) { return apart != 0; };
  if (std::any_of(w.joint_kept.begin(), w.joint_kept.end(), kept) ||
      std::any_of(w.laws.begin(), w.laws.end(), [&](const LawWork& law) { return kept(law.kept); }))
    for (IslandEnergy& island : w.island_energy) island.given_overlap = true;
}

}  // namespace

void watch_contacts(const Model& m, const State& x, double h, Workspace& w) {
  w.island_energy.assign(w.problem.islands.size() + 1, {});
  for (const WorkContact& c : w.contacts) {
    if (!c.in_problem || c.impulse == Vec3{}) continue;
    const RelativeMotion motion = motion_at_base(m, c, w);
    const Vec3 u = motion.velocity + c.belt;
    const double r = dot(c.point.normal, c.impulse), along = r * dot(c.point.normal, u);
    const double normal = c.gives_way() ? 0.0 : along;
    double friction = dot(c.impulse, u) - along;
    if (c.turns()) friction += dot(c.moment, motion.spin);
    IslandEnergy& island = energy_of(m, c, w);
    island.contact += normal, island.friction += friction;
    if (normal + friction > island.most) {
      island.most = normal + friction, island.by_friction = friction > normal;
      island.body_a = c.point.key.a, island.body_b = c.point.key.b;
    }
  }
  if (w.problem.islands.empty()) return;
  const auto lose = [&](int body) {
    const auto i = std::size_t(body);
    if (w.island_of_body[i] >= 0) energy_of(w, i).lost += lost_by_change(m, x, i, w);
  };
  for (const int body : w.moved) lose(body);
  if (m.trees.empty()) return;
  const std::span<const double> loss = losses_of_trees(m, x, h, w);
  for (std::size_t tree = 0; tree < loss.size(); ++tree)
    if (w.trees.block_of_tree[tree] >= 0)
      w.island_energy[std::size_t(w.trees.island_of_tree[tree])].lost += loss[tree];
}

void watch_step(const Model& m, const State& x, double free, Workspace& w) {
  const double weight = w.certificate.tolerance * norm(m.gravity);
  for (std::size_t i = 0; i < w.next.position.size() && w.may_touch; ++i) {
    if (!is_mobile(m, x, i)) continue;
    IslandEnergy& island = energy_of(w, i);
    island.slack += weight * m.mass[i] * m.size[i];
    if (!w.stabilised) continue;
    const double up = lifted(m, i, w);
    island.stabilisation += up;
    if (up > island.most_lifted) island.most_lifted = up, island.lifted_body = int(i);
  }
  if (w.stabilised) find_given_overlap(m, w);
  double worst = 0, most = 0;
  w.entries.free = free;
  for (std::size_t k = 0; k < w.island_energy.size(); ++k) {
    IslandEnergy& island = w.island_energy[k];
    if (island.given_overlap) w.entries.from_overlap += island.stabilisation, island.stabilisation = 0;
    const double added = island.contact + island.friction + island.stabilisation - island.lost;
    w.entries.added += added, w.entries.slack += island.slack;
    worst = std::fmax(worst, added - island.slack);
    if (added > most) most = added, w.worst_energy = int(k);
  }
  // what the run has gained so far counts where the step adds to it
  if (w.entries.added > 0)
    worst = std::fmax(worst, x.ledger.contacts_added() + w.entries.added - w.entries.slack);
  const double run = std::fmax(x.ledger.energy_of_run(), free);
  w.certificate.energy = worst > 0 ? worst / std::fmax(run, worst) : 0;
  if (!std::isfinite(w.entries.added)) w.certificate.energy = w.entries.added;
  if (w.promises.energy && !(w.certificate.energy <= energy_limit)) w.certificate.converged = false;
}

void blame_energy(const Workspace& w, StepReport& report) {
  if (std::string_view(report.reason) != added_by_contacts) return;
  const IslandEnergy& island = w.island_energy[std::size_t(w.worst_energy)];
  report.worst_body_a = island.body_a, report.worst_body_b = island.body_b;
  if (island.stabilisation > std::fmax(island.contact, island.friction)) {
    report.reason = added_by_stabilisation;
    report.worst_body_a = island.lifted_body, report.worst_body_b = -1;
  } else if (island.by_friction) {
    report.reason = added_by_friction;
  }
}

}  // namespace stiction::step
