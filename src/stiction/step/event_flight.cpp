// Flight between events, and where it ends.
//
// Without lasting contacts everything moves by Runge-Kutta 4 (rk4.cpp), in pieces whose error, found by
// making the piece again in two halves, is below 1e-12 of sizes and speeds; a parabola has none. With lasting
// contacts it moves by the scheme of moreau_jean.cpp with theta = 1/2, in which these alone are closed:
//
//     M (v+ - v) = h f + G(q_m)^T r,     q+ = q + h (v + v+)/2,     q_m midway from q to q+
//     law of r on  u = G(q+) v+
//
// Impulses act in the frames of the middle, velocities obey the contacts in those of the end, both found by
// passes: G(q_m) stands in the problem, and what G(q+) v+ differs by is lagged from pass to pass. So held
// contacts stay closed to the third order of h in a stretch, and their work, with G v = 0 at both ends, is of
// that order too. Trees move with v+ alone, and their contacts have the frames of the end: first order.
//
// A piece is watched through the pairs that its motion may bring together (contacts.cpp). A pair is clear if
// its gaps at both ends are more than its way in all: the gap changes no faster than the surfaces move. A
// pair that is not may not move further than an eighth of its size in a piece. In such a piece, a gap that is
// negative at the end is an event, and so is one that closes at the start, opens at the end and is negative
// where its rate is zero. Where it happens is first found pair by pair on the cubic through both ends, which
// moves two bodies instead of all; then located on the method itself, with shorter pieces from the same
// start: regula falsi (Illinois) on the smallest of all gaps, to round-off. Of parabolas the first try hits.
//
// When it fails: a gap that becomes negative and positive again, twice within an eighth of the body's size.
#include <algorithm>
#include <cmath>

#include "stiction/step/event_driven.h"
#include "stiction/step/impulse_step.h"
#include "stiction/step/smooth.h"

namespace stiction::step {
namespace {

constexpr double piece_tolerance = 1e-12;  // [-] of sizes and of the largest speed, per piece
constexpr double longest_way = 0.125;    // [-] of its size: how far a pair moves in a piece where it is near
constexpr double shortest_piece = 1e-9;  // [-] of the step
constexpr double jump_piece = 1e-6;      // [-] of the step: goes on, whatever its error: a force jumps there
constexpr int most_iterations = 120;     // [-] of a search
constexpr int most_passes = 12;          // [-] over the frames of contacts that last

double largest(const std::vector<double>& v) {
  double out = 0;
  for (const double x : v) out = std::fmax(out, std::fabs(x));
  return out;
}

/// [m/s] the largest of any surface.
double largest_speed(const Model& m, const State& x) {
  double out = 0;
  for (std::size_t i = 0; i < x.position.size(); ++i)
    if (m.mobility[i] != Mobility::none)
      out = std::fmax(out, norm(x.velocity[i]) + norm(x.spin[i]) * m.size[i]);
  return out;
}

/// [-] how far two ends of one motion are apart; not a number if one of them is none.
double difference(const Model& m, const State& x, const Motions& p, const Motions& q) {
  const double speed = std::fmax(largest_speed(m, x), 1e-300);
  double worst = 0;
  const auto add = [&](double apart, double scale) {
    if (!(apart <= worst * scale)) worst = apart / scale;
  };
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i)) continue;
    const double size = m.size[i] > 0 ? m.size[i] : 1.0;  // [m]
    add(norm(p.position[i] - q.position[i]), size + 1e-3 * norm(x.position[i]));
    add(norm(p.velocity[i] - q.velocity[i]), speed);
    add(norm(p.spin[i] - q.spin[i]) * size, std::fmax(speed, norm(x.spin[i]) * size));
    const Quat &a = p.orientation[i], &b = q.orientation[i];
    add(std::fabs(a.w - b.w) + std::fabs(a.x - b.x) + std::fabs(a.y - b.y) + std::fabs(a.z - b.z), 1);
  }
  const double rate = std::fmax(largest(x.joint_velocity), 1);
  for (std::size_t k = 0; k < x.joint_position.size(); ++k)
    add(std::fabs(p.joint_position[k] - q.joint_position[k]), 1 + 1e-3 * std::fabs(x.joint_position[k]));
  for (std::size_t k = 0; k < x.joint_velocity.size(); ++k)
    add(std::fabs(p.joint_velocity[k] - q.joint_velocity[k]), rate);
  return worst;
}

/// A State at the end of a piece, as far as flight asks for it.
void go_on(const Motions& end, double time, State& x) {
  x.position = end.position, x.orientation = end.orientation;
  x.velocity = end.velocity, x.spin = end.spin;
  x.joint_position = end.joint_position, x.joint_velocity = end.joint_velocity;
  x.time += time;
}

/// [-] error of a piece over what is tolerated; its end -> w.next.
double piece_error(const EventStep& e, const State& x, double time) {
  Workspace& w = e.w;
  EventWork& v = w.events;
  move_by_rk4(e.m, time, e.in, x, w);
  v.whole = w.next;
  v.trial = x;
  move_by_rk4(e.m, 0.5 * time, e.in, x, w);
  go_on(w.next, 0.5 * time, v.trial);
  move_by_rk4(e.m, 0.5 * time, e.in, v.trial, w);
  const double error = difference(e.m, x, v.whole, w.next);
  w.next = v.whole;
  return error / piece_tolerance;
}

/// Uniform gravity alone acts, and bodies turn so little, or not, that Runge-Kutta has no error to speak of:
/// (spin time/2)^5/120 for a body whose inertia is that of a sphere or that turns about one axis.
bool moves_exactly(const EventStep& e, const State& x, double time) {
  const Model& m = e.m;
  if (!m.trees.empty() || !m.springs.empty() || !m.drags.empty() || !m.wrenches.empty() ||
      !m.torsions.empty() || !m.magnus.empty() || !m.gravitations.empty() || !m.lennard_jones.empty() ||
      !e.in.wrenches.empty())
    return false;
  const auto turns_much = [&](const Vec3& spin) {
    const double half = 0.5 * time * norm(spin), squared = half * half;  // [rad]
    return half * squared * squared > 120 * piece_tolerance;
  };
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (!moves(m, x, i) || x.spin[i] == Vec3{}) continue;
    const Vec3& d = m.inertia[i];
    if ((m.mobility[i] == Mobility::free && !(d.x == d.y && d.y == d.z)) || turns_much(x.spin[i]))
      return false;
  }
  return true;
}

/// Contacts of one pair among sorted ones.
struct Range {
  const WorkContact *first, *last;
};
Range contacts_of(const std::vector<WorkContact>& all, const collision::BodyPair& p) {
  const auto pair_of = [](const WorkContact& c) { return collision::BodyPair{c.point.key.a, c.point.key.b}; };
  const auto first =
      std::lower_bound(all.begin(), all.end(), p,
                       [&](const WorkContact& c, const collision::BodyPair& q) { return pair_of(c) < q; });
  auto last = first;
  while (last != all.end() && pair_of(*last) == p) ++last;
  return {all.data() + (first - all.begin()), all.data() + (last - all.begin())};
}
/// Whether contacts that press neither close nor open, in the frames of the end.
bool rests_at_end(const EventStep& e) {
  for (const WorkContact& c : e.w.end_contacts)
    if (c.impulse != Vec3{} && std::fabs(opening_speed(e.w.next, c)) > 0.1 * still_speed(e, c)) return false;
  return true;
}

/// The smallest turn that takes the unit vector a to b, applied to u.
Vec3 turned_along(const Vec3& a, const Vec3& b, const Vec3& u) {
  const Vec3 sum = a + b;
  return u - (dot(sum, u) / (1 + dot(a, b))) * sum + (2 * dot(a, u)) * b;
}

/// Contacts at the poses of w.next -> w.contacts, w.base; w.next is the free motion again. Held ones are in
/// the problem, in frames of the middle, with their lags.
void look_from_middle(const EventStep& e, const State& x) {
  const Model& m = e.m;
  Workspace& w = e.w;
  detect_end_contacts(m, w);
  const auto is_tree = [&](const WorkContact& c) {
    return m.link[std::size_t(c.point.key.a)] >= 0 || m.link[std::size_t(c.point.key.b)] >= 0;
  };
  for (WorkContact& c : w.end_contacts) c.touches = holds(e, c.point.key, c.point.gap) && !is_tree(c);
  w.events.at_end = w.end_contacts;
  take_middle_frames(m, x, w);
  for (std::size_t k = 0; k < w.end_contacts.size(); ++k) {
    WorkContact& c = w.end_contacts[k];
    const WorkContact& end = w.events.at_end[k];
    c.in_problem = holds(e, c.point.key, end.point.gap), c.touches = true;
    c.allowed = 0, c.kept = c.held = false;
    c.lag = {};
    if (!c.middle || !c.in_problem) continue;
    const Vec3 more = turned_along(end.point.normal, c.point.normal, relative_velocity(w.next, end)) -
                      relative_velocity(w.next, c);
    c.lag = {dot(c.point.normal, more), dot(c.tangent[0], more), dot(c.tangent[1], more)};
  }
  swap_alike(w.contacts, w.end_contacts);
  w.base = w.next, w.mass_pose = w.next.orientation;
  w.next = w.free;
}

const char* fly_held(const EventStep& e, const State& x, double time, StepReport& report) {
  const Model& m = e.m;
  Workspace& w = e.w;
  CoulombSettings s = e.s;
  s.h = time;
  w.carry = {.theta = 0.5, .angles = true};
  w.promises = {};
  w.may_touch = true;
  if (const Obstacle found = begin_step(m, s, e.in, x, w); found.reason != nullptr) return found.reason;
  w.events.start = w.contacts;
  int restarts = 0;
  predict(m, x, time, w.carry, w.next);
  for (int pass = 0; pass < most_passes; ++pass) {
    look_from_middle(e, x);
    solve_cones(m, x, s, w, report);
    const bool inside = move_on(m, x, s, restarts, w);
    if (inside && rests_at_end(e)) return nullptr;
    if (!inside) predict(m, x, time, w.carry, w.next);
  }
  return nullptr;
}

/// The nearest contact that is not held, or nullptr.
const WorkContact* nearest(const EventStep& e, const std::vector<WorkContact>& all,
                           const collision::BodyPair& p) {
  const WorkContact* out = nullptr;
  const Range range = contacts_of(all, p);
  for (const WorkContact* c = range.first; c != range.last; ++c)
    if (!holds(e, c->point.key, c->point.gap) && (out == nullptr || c->point.gap < out->point.gap)) out = c;
  return out;
}

/// [m] What the gap of a contact may not fall below: 0, or what it had at the start; of a feature that is
/// new, what its pair had.
double least_gap(const Workspace& w, const ContactKey& key) {
  const Range range = contacts_of(w.events.start, {key.a, key.b});
  double out = 0;
  for (const WorkContact* c = range.first; c != range.last; ++c) {
    if (c->point.key == key) return std::fmin(0.0, c->point.gap);
    out = std::fmin(out, c->point.gap);
  }
  return out;
}
/// [m] the smallest gap over what it may be, its round-off, what has_closed() does not see, and whether it
/// falls.
struct Least {
  double gap = HUGE_VAL, noise = 0, depth = 0;
  bool falls = false;
};
/// Among contacts at the poses of `at`, a State or Motions.
template <class Motion>
Least smallest_gap(const EventStep& e, const std::vector<WorkContact>& contacts, const Motion& at) {
  Least out;
  for (const WorkContact& c : contacts) {
    if (holds(e, c.point.key, c.point.gap)) continue;
    const double gap = c.point.gap - least_gap(e.w, c.point.key);
    if (gap >= out.gap) continue;
    const double depth = negligible_depth(e, c);
    out = {gap, std::fmin(1e-15 * (norm(c.centre) + c.size), 0.1 * depth), depth, opening_speed(at, c) < 0};
  }
  return out;
}
bool has_closed(const EventStep& e) {
  for (const WorkContact& c : e.w.end_contacts)
    if (!holds(e, c.point.key, c.point.gap) &&
        c.point.gap - least_gap(e.w, c.point.key) < -negligible_depth(e, c))
      return true;
  return false;
}

/// Looks at a piece that was flown. False: it is too long for what is near. Pairs that come nearer and part
/// again -> w.events.dips.
bool watch(const EventStep& e, const State& x, double time) {
  Workspace& w = e.w;
  w.events.dips.clear();
  for (const collision::BodyPair& p : w.pairs) {
    const WorkContact *start = nearest(e, w.events.start, p), *end = nearest(e, w.end_contacts, p);
    if (start == nullptr || end == nullptr || end->point.gap < 0) continue;
    const double way = w.reach[std::size_t(p.a)] + w.reach[std::size_t(p.b)];
    if (start->point.gap + end->point.gap > way) continue;
    if (way > longest_way * start->size && time > shortest_piece * e.s.h) return false;
    const double falls = opening_speed(x, *start), rises = opening_speed(w.next, *end);
    if (!(falls < 0 && rises > 0)) continue;
    // where the tangents at both ends meet: no convex function is below
    const double meet = (end->point.gap - rises * time - start->point.gap) / (falls - rises);
    if (start->point.gap + falls * meet < 0) w.events.dips.push_back(p);
  }
  return true;
}

/// Looks for the lowest point of a pair's gap within `time`. True: something has closed on the way, at the
/// time that is left in `time`.
bool search_dip(const EventStep& e, const State& x, const collision::BodyPair& p, double& time,
                StepReport& report, const char*& reason) {
  double low = 0, high = time;
  for (int i = 0; i < most_iterations; ++i) {
    const double middle = 0.5 * (low + high);
    reason = fly(e, x, middle, report);
    if (reason != nullptr) return false;
    if (has_closed(e)) {
      time = middle;
      return true;
    }
    const WorkContact* c = nearest(e, e.w.end_contacts, p);
    if (c == nullptr) return false;
    const double rate = opening_speed(e.w.next, *c);
    // what it can still fall, at the rate it has here
    if (std::fabs(rate) * (high - low) < std::fmax(c->point.gap, negligible_depth(e, *c))) return false;
    (rate < 0 ? low : high) = middle;
  }
  return false;
}

/// The cubic through both ends of a piece: places and velocities of x and of w.events.whole, `time` later.
struct Course {
  const State& x;
  const Motions& end;
  double time;

  collision::Pose at(std::size_t i, double t) const {
    const double s = t / time, r = 1 - s;
    const double of_start = r * r * (1 + 2 * s), of_end = s * s * (1 + 2 * r);
    const double rise = t * r * r, fall = -(time - t) * s * s;
    const Quat &p = x.orientation[i], q = end.orientation[i];
    const double side = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0 ? -1.0 : 1.0;
    const auto rate = [](const Vec3& spin, const Quat& of) { return Quat{0, spin.x, spin.y, spin.z} * of; };
    const Quat dp = rate(x.spin[i], p), dq = rate(end.spin[i], q);
    const auto mixed = [&](double Quat::*c) {
      return of_start * p.*c + 0.5 * rise * dp.*c + side * (of_end * q.*c + 0.5 * fall * dq.*c);
    };
    return {
        of_start * x.position[i] + rise * x.velocity[i] + of_end * end.position[i] + fall * end.velocity[i],
        normalized(Quat{mixed(&Quat::w), mixed(&Quat::x), mixed(&Quat::y), mixed(&Quat::z)})};
  }
};

/// [m] the smallest gap of a pair on the cubic, over what it may be.
double gap_on(const EventStep& e, const Course& course, const collision::BodyPair& p, double t) {
  Workspace& w = e.w;
  const auto a = std::size_t(p.a), b = std::size_t(p.b);
  w.points.clear();
  collision::find_contacts(p.a, e.m.shape[a], course.at(a, t), p.b, e.m.shape[b], course.at(b, t),
                           w.reach[a] + w.reach[b], w.points);
  double out = HUGE_VAL;
  for (const ContactPoint& c : w.points)
    if (!holds(e, c.key, c.gap)) out = std::fmin(out, c.gap - least_gap(w, c.key));
  return out;
}

/// One step of a search for where a function that falls through zero does so: regula falsi (Illinois).
struct Bracket {
  double low, high, g_low, g_high;  // g_low > 0 >= g_high
  int side = 0;

  double next() const {
    const double t = (g_low * high - g_high * low) / (g_low - g_high);
    return t > low && t < high ? t : 0.5 * (low + high);
  }
  void take(double t, double g) {
    if (g <= 0) {
      high = t, g_high = g;
      if (side == 1) g_low *= 0.5;
      side = 1;
    } else {
      low = t, g_low = g;
      if (side == -1) g_high *= 0.5;
      side = -1;
    }
  }
  bool is_done(double finest) const {
    const double middle = next();
    return !(high - low > finest) || g_high == 0 || middle == low || middle == high;
  }
};

/// [s] when the first pair closes on the cubic to w.next, `time` later.
double guess(const EventStep& e, const State& x, double time) {
  Workspace& w = e.w;
  w.events.whole = w.next;
  const Course course{x, w.events.whole, time};
  double first = time;
  for (const collision::BodyPair& p : w.pairs) {
    const double end = gap_on(e, course, p, first);
    if (end > 0) continue;
    Bracket b{0, first, gap_on(e, course, p, 0), end};
    for (int i = 0; i < most_iterations && !b.is_done(1e-15 * time); ++i) {
      const double t = b.next();
      b.take(t, gap_on(e, course, p, t));
    }
    first = b.high;
  }
  return first;
}

/// The time in (0, high] at which the smallest gap is zero; it is negative at `high`, up to which w.next is
/// flown.
const char* locate(const EventStep& e, const State& x, double& high, StepReport& report) {
  Bracket b{0, high, smallest_gap(e, e.w.events.start, x).gap,
            smallest_gap(e, e.w.end_contacts, e.w.next).gap};
  double t = guess(e, x, high);
  for (int i = 0; i < most_iterations && !b.is_done(1e-15 * e.s.h); ++i) {
    if (i > 0 || !(t > b.low && t < b.high)) t = b.next();
    if (const char* reason = fly(e, x, t, report); reason != nullptr) return reason;
    const Least now = smallest_gap(e, e.w.end_contacts, e.w.next);
    const bool opens = now.gap <= now.noise && now.gap >= -now.depth && !now.falls;  // it has just opened
    b.take(t, opens ? now.noise : now.gap);
    if (std::fabs(now.gap) <= now.noise && now.falls) {
      high = t;
      return nullptr;
    }
  }
  high = b.high;
  return nullptr;
}

}  // namespace

bool holds(const EventStep& e, const ContactKey& key, double gap) {
  const std::vector<ContactKey>& lasting = e.w.events.lasting;
  const auto same = std::lower_bound(lasting.begin(), lasting.end(), key);
  if (same != lasting.end() && *same == key) return true;
  const auto of_pair = [&](const ContactKey& k) { return k.a == key.a && k.b == key.b; };
  if (std::none_of(lasting.begin(), lasting.end(), of_pair)) return false;
  const Range known = contacts_of(e.w.events.start, {key.a, key.b});
  double least = 0;  // [m] overlap that is there already
  for (const WorkContact* c = known.first; c != known.last; ++c) {
    if (c->point.key == key) return false;
    least = std::fmin(least, c->point.gap);
  }
  if (known.first == known.last) return false;
  const double tolerated = e.s.tolerance * known.first->size;
  return gap <= tolerated && gap >= least - tolerated;
}

void look_ahead(const EventStep& e, const State& x, double time) {
  Workspace& w = e.w;
  move_by_rk4(e.m, time, e.in, x, w);
  w.free = w.next;
  w.events.flown = -1;
  first_reach(e.m, x, time, w);
  w.crowd = {};
  detect_pairs(e.m, x, w);
  detect_contacts(e.m, x, time, e.s.tolerance, w);
  w.events.start = w.contacts;
}

double choose_piece(const EventStep& e, const State& x, double time) {
  if (moves_exactly(e, x, time)) return time;
  const double least = std::fmin(time, jump_piece * e.s.h);
  while (time > least) {
    const double error = piece_error(e, x, time);
    if (error <= 1) return time;
    // the error goes with the fifth power of the length
    time = std::fmax(least, time * (!(error < 1e6) ? 0.0625 : error > 1e3 ? 0.25 : 0.5));
  }
  return least;
}

const char* fly(const EventStep& e, const State& x, double time, StepReport& report) {
  e.w.events.flown = time;
  if (!e.w.events.lasting.empty()) return fly_held(e, x, time, report);
  move_by_rk4(e.m, time, e.in, x, e.w);
  detect_end_contacts(e.m, e.w);
  return nullptr;
}

const char* fly_to_event(const EventStep& e, const State& x, double& time, double& piece,
                         StepReport& report) {
  const char* reason = fly(e, x, time, report);
  while (reason == nullptr && !watch(e, x, time)) {
    time *= 0.5;
    look_ahead(e, x, time);
    reason = fly(e, x, time, report);
  }
  piece = time;
  if (reason != nullptr) return reason;
  bool closed = has_closed(e);
  const std::vector<collision::BodyPair>& dips = e.w.events.dips;
  for (std::size_t i = 0; i < dips.size() && reason == nullptr; ++i)
    closed |= search_dip(e, x, dips[i], time, report, reason);
  if (reason == nullptr && e.w.events.flown != time) reason = fly(e, x, time, report);
  if (reason == nullptr && closed) reason = locate(e, x, time, report);
  if (reason == nullptr && e.w.events.flown != time) reason = fly(e, x, time, report);
  return reason;
}

}  // namespace stiction::step
