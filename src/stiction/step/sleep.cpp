// Rest, and what ends it. A body that rests for good needs no steps: the last ones prove it.
//
// A step takes velocities v to v+ by  M v+ = M v + h f + G^T r  with impulses r that obey all laws. Where
// both v and v+ are below
//     limit = tolerance h |g|
// for all bodies that touch each other, |h f + G^T r| <= 2 limit M: the impulses r carry the loads, to twice
// the tolerance, at no motion at all. So v = 0 with these r for ever is a certified motion. The bodies fall
// asleep: their velocities become 0, what energy and momentum that takes is booked under numerics, and they
// are neither moved nor looked at any more. Loads other than gravity may change, so bodies that such act on
// do not sleep; nor do links of trees, bodies that any joint holds but a plane, what touches either, what
// stands on a moving body or belt, and what rests on a contact that gives way.
//
// They wake together with all that rests with them (State::contacts tells) as soon as a moving body comes
// within reach of one of them, by the same measure that makes a contact of two awake bodies, or a force acts;
// every edit wakes all. The impulses that they fell asleep with start the next problem, as if they had
// never slept. Where a wider reach finds a sleeper in the middle of a step, the step begins anew with that
// one awake (w.disturbed).
#include "stiction/step/sleep.h"

#include <algorithm>
#include <cmath>

#include "stiction/step/law_coordinates.h"
#include "stiction/step/mechanisms.h"

namespace stiction::step {
namespace {

/// The first of the bodies that w.rest_root joins with body i.
int root_of(int i, Workspace& w) {
  std::vector<int>& root = w.rest_root;
  while (root[std::size_t(i)] != i) {
    root[std::size_t(i)] = root[std::size_t(root[std::size_t(i)])];
    i = root[std::size_t(i)];
  }
  return i;
}
void join(int a, int b, Workspace& w) {
  const int p = root_of(a, w), q = root_of(b, w);
  w.rest_root[std::size_t(std::max(p, q))] = std::min(p, q);
}
void part_all(Workspace& w) {
  w.rest_root.resize(w.asleep.size());
  for (std::size_t i = 0; i < w.rest_root.size(); ++i) w.rest_root[i] = int(i);
}

/// Wakes the bodies that w.rest_mark names, with all that rest with them.
void wake_marked(const State& x, Workspace& w) {
  w.woken.clear();
  part_all(w);
  for (const ContactMemory& c : x.contacts)
    if (sleeps(w, std::size_t(c.key.a)) && sleeps(w, std::size_t(c.key.b))) join(c.key.a, c.key.b, w);
  for (std::size_t i = 0; i < w.asleep.size(); ++i)
    if (w.rest_mark[i]) w.rest_mark[std::size_t(root_of(int(i), w))] = 1;
  for (std::size_t i = 0; i < w.asleep.size(); ++i)
    if (w.asleep[i] && w.rest_mark[std::size_t(root_of(int(i), w))])
      w.asleep[i] = 0, w.woken.push_back(int(i));
}

bool anybody_sleeps(const Workspace& w) {
  return std::find(w.asleep.begin(), w.asleep.end(), 1) != w.asleep.end();
}

/// Nothing but contacts and gravity acts on it, and it has hardly moved in this step.
bool is_quiet(const Model& m, const State& x, double limit, std::size_t i, const Workspace& w) {
  const bool joined =
      m.mobility[i] == Mobility::link || (!m.mechanisms.empty() && m.mechanisms.mechanism_of[i] >= 0);
  const bool pushed = w.has_applied && (w.impulse[i] != Vec3{} || w.angular_impulse[i] != Vec3{});
  return !joined && !pushed && norm(x.velocity[i]) <= limit && norm(w.next.velocity[i]) <= limit &&
         m.radius[i] * norm(x.spin[i]) <= limit && m.radius[i] * norm(w.next.spin[i]) <= limit;
}

/// Velocity and spin of a body become 0.
void stop(const Model& m, std::size_t i, Workspace& w) {
  Vec3 &v = w.next.velocity[i], &spin = w.next.spin[i];
  const Vec3 p = m.mass[i] * v, L = m.mobility[i] == Mobility::particle
                                        ? Vec3{}
                                        : world_inertia(m.inertia[i], w.next.orientation[i]) * spin;
  const double energy = 0.5 * (dot(p, v) + dot(L, spin));
  const Vec3 turning = cross(w.next.position[i], p) + L;
  w.entries.book(Cause::numerics, -energy);
  w.entries.book(Cause::numerics, -p, -turning);
  w.totals.kinetic -= energy, w.totals.momentum -= p, w.totals.angular_momentum -= turning;
  v = spin = {};
}

}  // namespace

void begin_sleep(const CoulombSettings& s, const State& x, Workspace& w) {
  w.disturbed = false;
  if (!s.sleep) return w.asleep.clear();
  if (x.asleep.empty())
    w.asleep.assign(x.position.size(), 0);
  else
    w.asleep = x.asleep;
}

void wake_pushed(const Model& m, const State& x, Workspace& w) {
  if (!w.has_applied || !anybody_sleeps(w)) return;
  w.rest_mark.assign(w.asleep.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < w.asleep.size(); ++i)
    if (w.asleep[i] && m.mass[i] > 0 && (w.impulse[i] != Vec3{} || w.angular_impulse[i] != Vec3{}))
      w.rest_mark[i] = 1, any = true;
  if (any) wake_marked(x, w);
}

void wake_touched(const Model& m, const State& x, Workspace& w) {
  if (!anybody_sleeps(w)) return;
  w.rest_mark.assign(w.asleep.size(), 0);
  bool any = false;
  std::erase_if(w.pairs, [&](const collision::BodyPair& p) {
    const auto a = std::size_t(p.a), b = std::size_t(p.b);
    if (!sleeps(w, a) && !sleeps(w, b)) return false;
    w.points.clear();
    collision::find_contacts(p.a, m.shape[a], {x.position[a], x.orientation[a]}, p.b, m.shape[b],
                             {x.position[b], x.orientation[b]}, w.reach[a] + w.reach[b], w.points);
    if (w.points.empty()) return true;
    w.rest_mark[sleeps(w, a) ? a : b] = 1, any = true;
    return false;
  });
  if (!any) return;
  wake_marked(x, w);
  w.disturbed = true;
}

void hold_sleepers(const State& x, std::size_t begin, std::size_t end, Workspace& w) {
  for (std::size_t i = begin; i < end; ++i) {
    if (!w.asleep[i]) continue;
    w.free.position[i] = x.position[i], w.free.orientation[i] = x.orientation[i];
    w.free.velocity[i] = w.free.spin[i] = {};
  }
}

void book_sleepers(const Model& m, const State& x, double h, Workspace& w) {
  for (std::size_t i = 0; i < w.asleep.size(); ++i) {
    if (!w.asleep[i]) continue;
    Vec3 held = -(h * m.mass[i]) * m.gravity;
    if (m.mobility[i] == Mobility::planar)
      held -= dot(m.plane_normal[i], held) * m.plane_normal[i];  // the rest is the joint's
    w.entries.book(Cause::contact, held, cross(x.position[i], held));
  }
}

int fall_asleep(const Model& m, const CoulombSettings& s, const State& x, Workspace& w) {
  if (w.asleep.empty()) return 0;
  const double limit = s.tolerance * s.h * norm(m.gravity);
  part_all(w);
  w.rest_mark.assign(w.asleep.size(), 0);
  const auto mobile = [&](int body) { return m.mobility[std::size_t(body)] != Mobility::none; };
  for (const WorkContact& c : w.end_contacts)
    if (mobile(c.point.key.a) && mobile(c.point.key.b)) join(c.point.key.a, c.point.key.b, w);
  // a mark: 1 = something presses, 2 = something moves
  const auto mark = [&](int body, unsigned char what) { w.rest_mark[std::size_t(root_of(body, w))] |= what; };
  for (const WorkContact& c : w.end_contacts)
    for (const int body : {c.point.key.a, c.point.key.b}) {
      const auto other = std::size_t(body == c.point.key.a ? c.point.key.b : c.point.key.a);
      if (!mobile(body)) continue;
      if (dot(c.impulse, c.point.normal) > 0) mark(body, 1);
      const bool carried = m.mobility[other] == Mobility::none &&
                           (w.next.velocity[other] != Vec3{} || w.next.spin[other] != Vec3{});
      if (carried || c.gives_way() || c.belt != Vec3{} || c.moment != Vec3{} ||
          !is_quiet(m, x, limit, std::size_t(body), w))
        mark(body, 2);
    }
  for (std::size_t k = 0; k < m.laws.size(); ++k) for_bodies(m, k, [&](int body) { mark(body, 2); });
  int count = 0;
  for (std::size_t i = 0; i < w.asleep.size(); ++i) {
    if (!w.asleep[i] && x.alive[i] && mobile(int(i)) && w.rest_mark[std::size_t(root_of(int(i), w))] == 1) {
      stop(m, i, w);
      w.asleep[i] = 1;
    }
    count += w.asleep[i];
  }
  return count;
}

void join_resting_contacts(const Model& m, const State& x, double h, Workspace& w) {
  if (x.asleep.empty()) return;
  bool same = w.resting_step == x.step_count && w.rest_through.size() == x.asleep.size();
  w.rest_through.resize(x.asleep.size());
  for (std::size_t i = 0; i < x.asleep.size(); ++i) {
    const auto through = static_cast<unsigned char>(x.asleep[i] & w.asleep[i]);
    same = same && w.rest_through[i] == through;
    w.rest_through[i] = through;
  }
  if (!same) detect_resting_contacts(m, x, w);
  w.resting_step = x.step_count + 1;
  if (w.resting.empty()) return;
  auto memory = x.contacts.begin();
  for (WorkContact& c : w.resting) {
    while (memory != x.contacts.end() && memory->key < c.point.key) ++memory;
    const bool pressed = memory != x.contacts.end() && memory->key == c.point.key;
    c.impulse = pressed ? (h / x.step) * memory->impulse : Vec3{};
    w.end_contacts.push_back(c);
  }
  sort_by_key(w.end_contacts);
}

}  // namespace stiction::step
