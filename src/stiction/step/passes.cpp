// From one geometry pass to the next. Contacts are linearised anew at the candidate end of the step. Where
// the features that touch flip from pass to pass (edges of tumbling boxes), that never settles; then both
// features are kept as rows of the problem, each as it was found: planes that the true surfaces lie behind,
// to the second order in the motion since. What overlap that leaves is stabilise()'s. Where bodies rest,
// these planes are right to the tolerance and kept from the first pass on: the one contact point of a line
// that lies on another, or of edges beside each other, runs to and fro under a motion far below the
// tolerance.
//
// The method implicit_geometry holds no frames; features that vanish while they press are kept. Where its
// passes do not settle by themselves they are mixed: with z_k the velocities that pass k was linearised with,
// F_k those that it found, and f_k = F_k - z_k,
//     z_k+1 = (1 - t)(z_k + f_k/2) + t (z_k-1 + f_k-1/2),      t = f_k.(f_k - f_k-1)/|f_k - f_k-1|^2
// half the way (t = 0), and, if that is stuck, along the line of the last two passes to where f vanishes: a
// contact that runs to and fro over an all but flat face is found like the root of one equation. Products are
// those of momenta and velocities. Reference: D. Anderson, Iterative procedures for nonlinear integral
// equations, J. ACM 12 (1965), with one pass remembered; three served no better.
#include <algorithm>
#include <cmath>
#include <optional>

#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

/// [-] of the change in the pass before: a frame that changes more does not settle.
constexpr double restless = 0.5;
/// [-] Smaller changes are left to further passes: they may be what solvers leave.
constexpr double least_change = 1e-4;
constexpr double most_extrapolated = 3;  // [-] largest |t|

/// [-] how far the frame of a contact moved from one pass to the next.
double frame_change(const WorkContact& from, const WorkContact& to) {
  return norm(to.point.normal - from.point.normal) + norm(to.arm[0] - from.arm[0]) / from.size +
         norm(to.arm[1] - from.arm[1]) / from.size;
}

/// Calls act(contact, place of the same in w.end_contacts; -1 if its features are gone) in the order of keys.
template <class Act>
void for_matches(Workspace& w, const Act& act) {
  const std::size_t found = w.end_contacts.size();
  std::size_t end = 0;
  for (WorkContact& c : w.contacts) {
    while (end < found && w.end_contacts[end].point.key < c.point.key) ++end;
    act(c, end < found && w.end_contacts[end].point.key == c.point.key ? int(end) : -1);
  }
}

/// The bodies pass each other by less than the smaller one's size in the step: what one pass finds of their
/// surfaces is of use to the next.
bool stays_near(double h, const Workspace& w, const WorkContact& c) {
  return h * norm(relative_velocity(w.next, c)) <= c.size;
}

constexpr double restive = 10;  // [-] times that: a body that seemed to rest does not, in a better solution

/// Where both bodies move by less than `most` [-], the frame of a rigid contact is the same all through the
/// step.
bool rests(double h, double most, const Workspace& w, const WorkContact& c) {
  if (w.end_geometry || c.gives_way()) return false;
  double motion = norm(relative_velocity(w.next, c)) / c.size;
  for (const bool second : {false, true}) {
    const int body = second ? c.point.key.b : c.point.key.a;
    motion += norm(w.next.spin[std::size_t(body)]) * std::fmax(1.0, norm(c.arm[second]) / c.size);
  }
  return h * motion <= most;
}

/// The contact stays as it is now.
void keep(double h, const Workspace& w, WorkContact& c) {
  if (!c.kept && !c.touches) c.point.gap -= h * dot(c.point.normal, relative_velocity(w.base, c));
  c.kept = true;
}

/// The contact with its features as they are at the end; where it cannot have them there, as it is now.
/// `same`: what was found of it, if anything.
WorkContact kept_at_end(const Model& m, const State& x, double h, WorkContact& c,
                        std::optional<WorkContact> same, Workspace& w) {
  if (!goes_along(m, c, w)) {
    keep(h, w, c);
    return c;
  }
  WorkContact out = c;
  if (const WorkContact* known = kept_frame(c.point.key, w))
    out = *known;
  else
    out = moved_along(m, x, c,
                      same ? std::span<const WorkContact>(&*same, 1) : std::span<const WorkContact>(), w);
  out.held = c.held, out.mu = c.mu, out.slides = c.slides;
  return out;
}

/// In w.end_contacts, held contacts in place of what was found of them, and those that vanished.
void keep_contacts(const Model& m, const State& x, double h, double tolerance, Hold hold, Workspace& w) {
  const std::size_t found = w.end_contacts.size();
  const double least = std::fmax(tolerance, least_change);
  w.frame_change = 0;
  for_matches(w, [&](WorkContact& c, int end) {
    const bool presses = c.impulse != Vec3{},
               still = hold >= Hold::resting && rests(h, least_motion(tolerance), w, c),
               may_stay = presses && (still || (hold == Hold::all && stays_near(h, w, c)));
    if (hold == Hold::resting && c.kept && !rests(h, restive * least_motion(tolerance), w, c))
      c.kept = c.held = false;
    if (end >= 0 && !c.held) {
      WorkContact& next = w.end_contacts[std::size_t(end)];
      next.change = frame_change(c, next);
      // the bodies rest, and the frame does not: there is more than one
      const bool jumps = still && presses && next.change > least_motion(tolerance);
      c.held = may_stay && !w.end_geometry && (c.change >= 0 || jumps) &&
               next.change > std::fmax(least, restless * c.change);
      if (!c.held && presses) w.frame_change = std::fmax(w.frame_change, next.change);
    }
    if (c.held && end >= 0) {
      WorkContact& next = w.end_contacts[std::size_t(end)];
      c.mu = next.mu, c.slides = next.slides;
      next = kept_at_end(m, x, h, c, next, w);
    } else if (end < 0 && (c.kept || may_stay || (presses && hold == Hold::gone))) {
      w.end_contacts.push_back(kept_at_end(m, x, h, c, {}, w));
    }
  });
  if (w.end_contacts.size() > found) sort_by_key(w.end_contacts);
}

/// Calls act(body) for the bodies of the problem.
template <class Act>
void for_problem_bodies(const Model& m, const Workspace& w, const Act& act) {
  for (const int body : w.moved) act(std::size_t(body));
  for (std::size_t k = 0; k < m.trees.body.size(); ++k)
    if (w.trees.block_of_tree[std::size_t(m.trees.forest.tree_of[k])] >= 0) act(std::size_t(m.trees.body[k]));
}

/// t above.
double mixing_part(const Model& m, const Workspace& w) {
  const Motions &z = w.base, &F = w.next, &z1 = w.mixing.from, &F1 = w.mixing.to;
  double product = 0, square = 0;
  for_problem_bodies(m, w, [&](std::size_t i) {
    const Vec3 v = F.velocity[i] - z.velocity[i], turn = F.spin[i] - z.spin[i];
    const Vec3 dv = v - (F1.velocity[i] - z1.velocity[i]), dturn = turn - (F1.spin[i] - z1.spin[i]);
    const double inertia = m.mass[i] * m.size[i] * m.size[i];
    product += m.mass[i] * dot(v, dv) + inertia * dot(turn, dturn);
    square += m.mass[i] * norm2(dv) + inertia * norm2(dturn);
  });
  return square > 0 ? std::clamp(product / square, -most_extrapolated, most_extrapolated) : 0.0;
}

}  // namespace

void mix_passes(const Model& m, bool stuck, Workspace& w) {
  Mixing& last = w.mixing;
  const double t = last.known && stuck ? mixing_part(m, w) : 0.0;
  if (!last.known) last.from = w.base, last.to = w.next;
  const auto mix = [t](const auto& z, auto& F, auto& z1, auto& F1) {
    const auto next = (0.5 * (1 - t)) * (z + F) + (0.5 * t) * (z1 + F1);
    z1 = z, F1 = F, F = next;
  };
  for_problem_bodies(m, w, [&](std::size_t i) {
    mix(w.base.velocity[i], w.next.velocity[i], last.from.velocity[i], last.to.velocity[i]);
    mix(w.base.spin[i], w.next.spin[i], last.from.spin[i], last.to.spin[i]);
  });
  for (std::size_t tree = 0; tree < m.trees.forest.trees.size(); ++tree) {
    const tree::TreeRange& range = m.trees.forest.trees[tree];
    if (w.trees.block_of_tree[tree] < 0) continue;
    for (auto d = std::size_t(range.v_begin); d < std::size_t(range.v_end); ++d)
      mix(w.base.joint_velocity[d], w.next.joint_velocity[d], last.from.joint_velocity[d],
          last.to.joint_velocity[d]);
  }
  last.known = true;
}

void linearise_at_end(const Model& m, const State& x, double h, double tolerance, Hold hold, Workspace& w) {
  keep_contacts(m, x, h, tolerance, hold, w);
  swap_alike(w.contacts, w.end_contacts);
  w.trees.carried.swap(w.trees.carried_next);
  w.base = w.next;
  if (!w.end_geometry) w.mass_pose = w.next.orientation;
  std::swap(w.trees.base_middle, w.trees.end_middle);
}

bool has_kept_frames(double tolerance, Workspace& w) {
  bool any = false;
  for_matches(w, [&](const WorkContact& c, int end) {
    const WorkContact* own = kept_frame(c.point.key, w);
    any |= (c.kept || own != nullptr) && (c.held || c.impulse != Vec3{}) &&
           (end < 0 || frame_change(own ? *own : c, w.end_contacts[std::size_t(end)]) > tolerance);
  });
  return any;
}

}  // namespace stiction::step
