// Flight between events, and where it ends.
//
// Without lasting contacts everything moves by Runge-Kutta 4 (rk4.cpp), in pieces whose error, found by
// making the piece again in two halves, is below 1e-12 of sizes and speeds; a parabola has none. With lasting
// contacts it moves by the scheme of moreau_jean.cpp with theta = 1/2, in which these alone are closed, in
// the frames of the end: else a body that rolls would seem to hit what it rolls on.
//
// A piece is watched through the pairs that its motion may bring together (contacts.cpp). A pair is clear if
// its gaps at both ends are more than its way in all: the gap changes no faster than the surfaces move. A
// pair that is not may not move further than an eighth of its size in a piece. In such a piece, a gap that is
// negative at the end is an event, and so is one that closes at the start, opens at the end and is negative
// where its rate is zero. Events are located on the method itself, with shorter pieces from the same start:
// regula falsi (Illinois) on the smallest of all gaps, to round-off.
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

/// Whether contacts that press neither close nor open, in the frames of the end.
bool rests_at_end(const EventStep& e) {
  for (const WorkContact& c : e.w.end_contacts)
    if (c.impulse != Vec3{} && std::fabs(opening_speed(e.w.next, c)) > 0.1 * still_speed(e, c)) return false;
  return true;
}

/// The velocities of the end are those that contacts allow there: frames of the end, found by passes.
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
    look_there(m, w);
    orient(m, NormalLaw::velocity, w);
    for (WorkContact& c : w.contacts) c.in_problem = is_held(w, c.point.key);
    solve_cones(m, x, s, w, report);
    const bool inside = move_on(m, x, s, restarts, w);
    if (inside && rests_at_end(e)) return nullptr;
    if (!inside) predict(m, x, time, w.carry, w.next);
  }
  return nullptr;
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
/// The nearest contact that is not held, or nullptr.
const WorkContact* nearest(const Workspace& w, const std::vector<WorkContact>& all,
                           const collision::BodyPair& p) {
  const WorkContact* out = nullptr;
  const Range range = contacts_of(all, p);
  for (const WorkContact* c = range.first; c != range.last; ++c)
    if (!is_held(w, c->point.key) && (out == nullptr || c->point.gap < out->point.gap)) out = c;
  return out;
}

/// [m] What the gap of a contact may not fall below: 0, or what it had at the start.
double least_gap(const Workspace& w, const WorkContact& c) {
  const auto& start = w.events.start;
  const auto known =
      std::lower_bound(start.begin(), start.end(), c,
                       [](const WorkContact& l, const WorkContact& r) { return l.point.key < r.point.key; });
  if (known == start.end() || known->point.key != c.point.key) return 0;
  return std::fmin(0.0, known->point.gap);
}
/// [m] the smallest gap of w.end_contacts over what it may be.
double smallest_gap(const Workspace& w) {
  double out = HUGE_VAL;
  for (const WorkContact& c : w.end_contacts)
    if (!is_held(w, c.point.key)) out = std::fmin(out, c.point.gap - least_gap(w, c));
  return out;
}
bool has_closed(const EventStep& e) {
  for (const WorkContact& c : e.w.end_contacts)
    if (!is_held(e.w, c.point.key) && c.point.gap - least_gap(e.w, c) < -negligible_depth(e, c)) return true;
  return false;
}

/// Looks at a piece that was flown. False: it is too long for what is near. Pairs that come nearer and part
/// again -> w.events.dips.
bool watch(const EventStep& e, const State& x, double time) {
  Workspace& w = e.w;
  w.events.dips.clear();
  for (const collision::BodyPair& p : w.pairs) {
    const WorkContact *start = nearest(w, w.events.start, p), *end = nearest(w, w.end_contacts, p);
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
    const WorkContact* c = nearest(e.w, e.w.end_contacts, p);
    if (c == nullptr) return false;
    const double rate = opening_speed(e.w.next, *c);
    // what it can still fall, at the rate it has here
    if (std::fabs(rate) * (high - low) < std::fmax(c->point.gap, negligible_depth(e, *c))) return false;
    (rate < 0 ? low : high) = middle;
  }
  return false;
}

/// The time in (0, high] at which the smallest gap is zero; it is negative at `high`.
const char* locate(const EventStep& e, const State& x, double& high, StepReport& report) {
  double low = 0, g_low = HUGE_VAL, g_high = 0;
  for (const WorkContact& c : e.w.events.start)
    if (!is_held(e.w, c.point.key)) g_low = std::fmin(g_low, c.point.gap - least_gap(e.w, c));
  if (const char* reason = fly(e, x, high, report); reason != nullptr) return reason;
  g_high = smallest_gap(e.w);
  int side = 0;
  for (int i = 0; i < most_iterations && high - low > 1e-15 * e.s.h && g_high != 0; ++i) {
    double middle = (g_low * high - g_high * low) / (g_low - g_high);
    if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    if (const char* reason = fly(e, x, middle, report); reason != nullptr) return reason;
    const double value = smallest_gap(e.w);
    if (value <= 0) {
      high = middle, g_high = value;
      if (side == 1) g_low *= 0.5;
      side = 1;
    } else {
      low = middle, g_low = value;
      if (side == -1) g_high *= 0.5;
      side = -1;
    }
  }
  return nullptr;
}

}  // namespace

bool is_held(const Workspace& w, const ContactKey& key) {
  return std::binary_search(w.events.lasting.begin(), w.events.lasting.end(), key);
}

void look_ahead(const EventStep& e, const State& x, double time) {
  Workspace& w = e.w;
  move_by_rk4(e.m, time, e.in, x, w);
  w.free = w.next;
  first_reach(e.m, x, time, w);
  detect_pairs(e.m, x, w);
  detect_contacts(e.m, x, time, e.s.tolerance, w);
  w.events.start = w.contacts;
}

double choose_piece(const EventStep& e, const State& x, double time) {
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
  if (!e.w.events.lasting.empty()) return fly_held(e, x, time, report);
  move_by_rk4(e.m, time, e.in, x, e.w);
  detect_end_contacts(e.m, e.w);
  return nullptr;
}

const char* fly_to_event(const EventStep& e, const State& x, double& time, StepReport& report) {
  const char* reason = fly(e, x, time, report);
  while (reason == nullptr && !watch(e, x, time)) {
    time *= 0.5;
    look_ahead(e, x, time);
    reason = fly(e, x, time, report);
  }
  if (reason != nullptr) return reason;
  bool closed = has_closed(e);
  const std::vector<collision::BodyPair>& dips = e.w.events.dips;
  for (std::size_t i = 0; i < dips.size() && reason == nullptr; ++i)
    closed |= search_dip(e, x, dips[i], time, report, reason);
  if (reason != nullptr) return reason;
  if (closed) return locate(e, x, time, report);
  return dips.empty() ? nullptr : fly(e, x, time, report);
}

}  // namespace stiction::step
