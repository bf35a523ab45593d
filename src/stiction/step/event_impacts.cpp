// Impacts of a step from event to event. Poses stay, velocities jump: for all contacts that are closed,
//
//     M (v+ - v) = G^T p,     u+ = u + W p,     W = G M^-1 G^T
//
// by the laws of impact/: one contact alone by its path of slip, several that hang together by the law of
// their surfaces. Energy is booked with the mean of the velocities, p.(u + u+)/2, exactly what the motion
// loses; of one contact alone friction gets the work of its path, `impact` the rest.
//
// A hop that starts with u_n+ while the surfaces are pressed together with the acceleration a rises u_n+^2/2a
// and lasts 2 u_n+/a. If it rises less than the tolerated gap, or is shorter than a thousandth of the step,
// no hop is made: the contact is solved with e = 0, rests from then on and is held. So no contact hops more
// than a thousand times in a step, and sequences of ever smaller hops end.
#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/impact/planar.h"
#include "stiction/impact/superball.h"
#include "stiction/step/event_driven.h"
#include "stiction/step/impact_books.h"
#include "stiction/step/impacts.h"

namespace stiction::step {
namespace {

constexpr double shortest_hop = 1e-3;  // [-] of the step
constexpr double immobile = 1e-12;     // [-] of W along a tangent: the contact cannot move along the other
constexpr const char* unsolved = "the impacts of contacts that are hit at once could not be solved";

/// Contacts at the State as a problem -> w.problem, w.contacts; all that are closed are part of it.
void assemble_closed(const EventStep& e, const State& x) {
  const Model& m = e.m;
  Workspace& w = e.w;
  w.contacts = w.events.start;
  for (WorkContact& c : w.contacts) {
    c.in_problem = is_closed(e, x, c);
    c.touches = true, c.middle = c.kept = c.held = c.idle = false;
    c.impulse = {};
  }
  w.free.position = x.position, w.free.orientation = x.orientation;
  w.free.velocity = x.velocity, w.free.spin = x.spin;
  w.free.joint_position = x.joint_position, w.free.joint_velocity = x.joint_velocity;
  w.next = w.free, w.base = w.free;
  w.mass_pose = x.orientation;
  w.has_applied = false;
  w.moved.clear(), w.body_of_block.clear(), w.problem.clear();
  if (!m.trees.empty()) {
    TreeWorkspace& t = w.trees;
    const std::size_t trees = m.trees.forest.trees.size();
    t.touched.assign(trees, 0), t.block_of_tree.assign(trees, -1), t.island_of_tree.assign(trees, -1);
    t.added.assign(x.joint_velocity.size(), 0.0);
    t.drifted = t.carried = x.joint_velocity;
  }
  assemble(m, x, e.s.h, w);
}

/// The contacts of one island -> out.W, out.u.
void fill_set(const Workspace& w, const complementarity::Island& island, int rows, impact::ManyImpacts& out) {
  const complementarity::FrictionProblem& p = w.problem;
  const auto each = std::size_t(rows), count = std::size_t(island.contact_end - island.contact_begin),
             n = each * count, first = std::size_t(island.contact_begin);
  out.rows = rows;
  out.W.resize(n * n), out.u.resize(n);
  for (std::size_t i = 0; i < count; ++i) {
    double u[3];
    complementarity::local_velocity(p, p.contacts[first + i], p.v_free.data(), u);
    for (std::size_t r = 0; r < each; ++r) out.u[each * i + r] = u[r];
    for (std::size_t j = 0; j < count; ++j) {
      double part[9] = {};
      add_coupling(p, p.contacts[first + i], p.contacts[first + j], part);
      for (std::size_t r = 0; r < each; ++r)
        for (std::size_t c = 0; c < each; ++c) out.W[(each * i + r) * n + each * j + c] = part[3 * r + c];
    }
  }
}

using Turn = EventWork::Turn;
Turn turn_of(const impact::ManyImpacts& set, std::size_t k) {
  const std::size_t n = set.u.size(), at = 3 * k + 1;
  const double a = set.W[at * n + at], b = set.W[at * n + at + 1], d = set.W[(at + 1) * n + at + 1];
  const double mean = 0.5 * (a + d), half = 0.5 * (a - d), root = std::sqrt(half * half + b * b);
  if (mean - root > immobile * (mean + root)) return {};
  Turn out;
  out.flat = true;
  // the direction of the larger value: (root + half, b) or (b, root - half)
  out.c = half >= 0 ? root + half : b, out.s = half >= 0 ? b : root - half;
  const double size = std::sqrt(out.c * out.c + out.s * out.s);
  if (!(size > 0)) return {1, 0, true};
  out.c /= size, out.s /= size;
  return out;
}
/// The rows of a contact in its own tangents again.
void turn_back(const Turn& t, double r[3]) {
  const double x = r[1], y = r[2];
  r[1] = t.c * x - t.s * y, r[2] = t.c * y + t.s * x;
}
/// Turns the rows of contact k.
void turn_set(const Turn& t, std::size_t k, impact::ManyImpacts& set) {
  const std::size_t n = set.u.size(), at = 3 * k + 1;
  const double slip = t.c * set.u[at] + t.s * set.u[at + 1];
  for (std::size_t i = 0; i < n; ++i) {
    double &x = set.W[i * n + at], &y = set.W[i * n + at + 1];
    const double turned = t.c * x + t.s * y;
    y = t.c * y - t.s * x, x = turned;
  }
  for (std::size_t j = 0; j < n; ++j) {
    double &x = set.W[at * n + j], &y = set.W[(at + 1) * n + j];
    const double turned = t.c * x + t.s * y;
    y = t.c * y - t.s * x, x = turned;
  }
  // nothing moves that way: no velocity, no coupling; a number on the diagonal keeps W regular
  for (std::size_t i = 0; i < n; ++i) set.W[i * n + at + 1] = set.W[(at + 1) * n + i] = 0;
  set.u[at] = slip, set.u[at + 1] = 0;
  set.W[(at + 1) * n + at + 1] = std::fmax(set.W[at * n + at], immobile * set.W[(at - 1) * n + at - 1]);
  if (!(set.W[at * n + at] > 0)) set.W[at * n + at] = set.W[(at + 1) * n + at + 1];
}

/// One contact alone: closed form where slip stays in a line.
impact::Outcome solve_one(const impact::ManyImpacts& set, const Turn& turn) {
  const impact::Coefficients& k = set.coefficients.front();
  const bool throws_back = !std::isnan(k.tangential_restitution);
  if (!throws_back && (turn.flat || k.friction_static == 0))
    return impact::solve(impact::PlanarImpact{set.W[0], set.W[1], set.W[4], set.u[0], set.u[1], k});
  impact::SpatialImpact one{{}, {set.u[0], set.u[1], set.u[2]}, k};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      one.W(i, j) = 0.5 * (set.W[std::size_t(3 * i + j)] + set.W[std::size_t(3 * j + i)]);
  return throws_back ? impact::solve_superball(one, k.tangential_restitution).impact : impact::solve(one);
}

/// One contact alone -> own.out, as a sequence of one; its friction_work. False: its path is not to be had,
/// as where joints or planes leave it no motion some way across its normal.
bool solve_alone(const Turn& turn, ImpactWork& own, double& friction_work) {
  const impact::Outcome o = solve_one(own.in, turn);
  if (o.status != impact::Status::done && o.status != impact::Status::separating) return false;
  impact::ManyOutcome& out = own.out;
  out.status = impact::ManyStatus::done, out.finished = out.lowered = false, out.factor = 1;
  out.p.assign({o.impulse.x, o.impulse.y, o.impulse.z});
  out.singles.assign(o.status == impact::Status::done ? 1 : 0,
                     {0, o.impulse, o.stored, o.released, o.friction, o.restitution});
  own.count.lowered += o.lowered;
  own.count.residual = std::fmax(
      own.count.residual, impact::judge(own.in, impact::ManyLaw::sequential, out, own.noise, own.judge));
  friction_work = o.friction;
  return true;
}

/// The impacts of one island -> w.r, w.impacts.after, friction_work. False: not solved.
bool solve_island(const EventStep& e, const complementarity::Island& island) {
  Workspace& w = e.w;
  ImpactWork& own = w.impacts;
  impact::ManyImpacts& set = own.in;
  const auto count = std::size_t(island.contact_end - island.contact_begin);
  const auto contact_of = [&](std::size_t k) {
    return std::size_t(w.contact_of_row[std::size_t(island.contact_begin) + k]);
  };
  set.coefficients.resize(count);
  ImpactLaw law = ImpactLaw::newton;
  bool rubs = false;
  for (std::size_t k = 0; k < count; ++k) {
    const WorkContact& c = w.contacts[contact_of(k)];
    const ContactLaw& pair = e.m.law(c.point.key.a, c.point.key.b);
    set.coefficients[k] = {w.events.restitution[contact_of(k)], c.mu, c.mu};
    if (pair.impact_law == ImpactLaw::superball) set.coefficients[k].tangential_restitution = pair.tangential;
    law = std::max(law, pair.impact_law);
    rubs = rubs || c.mu > 0;
  }
  fill_set(w, island, rubs || count == 1 ? 3 : 1, set);
  own.noise = noise_of(island, w);
  std::vector<Turn>& turns = w.events.turns;
  turns.assign(count, {});
  for (std::size_t k = 0; k < count && set.rows == 3; ++k) {
    turns[k] = turn_of(set, k);
    if (turns[k].flat) turn_set(turns[k], k, set);
  }
  if (set.rows == 3) make_definite(set);
  const bool alone = count == 1 && solve_alone(turns[0], own, w.events.friction_work[contact_of(0)]);
  if (!alone && !solve_set(impact::ManyLaw(law), own)) return false;
  const auto rows = std::size_t(set.rows);
  for (std::size_t k = 0; k < count; ++k) {
    double* r = w.r.data() + 3 * (std::size_t(island.contact_begin) + k);
    double* after = own.after.data() + 3 * (std::size_t(island.contact_begin) + k);
    std::copy_n(own.out.p.data() + rows * k, rows, r);
    std::copy_n(own.judge.after.data() + rows * k, rows, after);
    if (rows == 3) turn_back(turns[k], r), turn_back(turns[k], after);
  }
  return true;
}

/// All impacts, with the restitution of w.events -> w.next, impulses of w.contacts. [J] what they change of
/// the energy -> `work`.
bool solve_once(const EventStep& e, const State& x, double& work) {
  Workspace& w = e.w;
  assemble_closed(e, x);
  w.events.friction_work.assign(w.contacts.size(), std::numeric_limits<double>::quiet_NaN());
  std::fill(w.r.begin(), w.r.end(), 0.0);
  w.impacts.after.assign(w.r.size(), std::numeric_limits<double>::quiet_NaN());
  w.impacts.count = {};
  for (const complementarity::Island& island : w.problem.islands) {
    bool hit = false;
    for (int row = island.contact_begin; row < island.contact_end; ++row)
      hit |= is_hit(e, x, w.contacts[std::size_t(w.contact_of_row[std::size_t(row)])]);
    if (hit && !solve_island(e, island)) return false;
  }
  apply_impulses(e.m, w);
  if (!e.m.trees.empty()) follow_joints(e.m, w.trees.end, w.next);
  work = 0;
  for (const WorkContact& c : w.contacts)
    if (c.in_problem)
      work += 0.5 * dot(c.impulse, relative_velocity(w.free, c) + relative_velocity(w.next, c));
  return true;
}

/// Whether a hop that a contact begins with u_n > 0 [m/s] is too small, pressed with the acceleration a
/// [m/s^2].
bool is_small_hop(const EventStep& e, const WorkContact& c, double u, double a) {
  return a > 0 && (u * u <= 2 * a * e.s.tolerance * c.size || 2 * u <= a * shortest_hop * e.s.h);
}

/// The contact with the key of c, or where features have changed that of its pair which is nearest to it;
/// nullptr: the pair has none.
const WorkContact* same_or_nearest(const std::vector<WorkContact>& all, const WorkContact& c) {
  const WorkContact* out = nullptr;
  for (const WorkContact& other : all) {
    if (other.point.key == c.point.key) return &other;
    if (other.point.key.a != c.point.key.a || other.point.key.b != c.point.key.b) continue;
    if (out == nullptr || norm2(other.centre - c.centre) < norm2(out->centre - c.centre)) out = &other;
  }
  return out;
}

/// Flies on from `from`, at the poses of w.events.start, for a moment; calls act(contact, its place, u_n,
/// acceleration) for those that are closed at x and open from there.
template <class Act>
const char* for_hops(const EventStep& e, const State& x, const State& from, StepReport& report,
                     const Act& act) {
  Workspace& w = e.w;
  const double time = moment(e);
  std::vector<WorkContact>& start = w.events.kept_start;  // flight may overwrite the other
  start = w.events.start;
  const auto opens = [&](const WorkContact& c) {
    return is_closed(e, x, c) && opening_speed(from, c) > still_speed(e, c);
  };
  if (std::none_of(start.begin(), start.end(), opens)) return nullptr;
  const char* reason = fly(e, from, time, report);
  w.events.start = start;
  if (reason != nullptr) return reason;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!opens(start[i])) continue;
    const WorkContact* end = same_or_nearest(w.end_contacts, start[i]);
    if (end == nullptr) continue;
    const double u = opening_speed(from, start[i]);
    act(start[i], i, u, (u - opening_speed(w.next, *end)) / time);
  }
  return nullptr;
}

/// Contacts that are closed at x and neither close nor open with the velocities of `from`.
void hold_resting(const EventStep& e, const State& x, const State& from) {
  std::vector<ContactKey>& lasting = e.w.events.lasting;
  lasting.clear();
  for (const WorkContact& c : e.w.events.start)
    if (is_closed(e, x, c) && opening_speed(from, c) <= still_speed(e, c)) lasting.push_back(c.point.key);
}

/// The pair of a contact, whatever its feature.
ContactKey pair_of(const WorkContact& c) { return {c.point.key.a, c.point.key.b, 0}; }

/// [J] What the blow at x does at the contacts of a pair that are hit, |p_n u_n| of the impacts just solved;
/// [first, last) of w.contacts.
double energy_of(const EventStep& e, const State& x, std::size_t first, std::size_t last) {
  double out = 0;
  for (std::size_t i = first; i < last; ++i) {
    const WorkContact& c = e.w.contacts[i];
    if (is_hit(e, x, c)) out -= dot(c.point.normal, c.impulse) * opening_speed(x, c);
  }
  return out;
}

/// Takes the restitution of pairs whose blow, of the impacts just solved, is below the tolerance of their
/// first one in this step: blows that hand bodies to and fro between contacts end so, where no hop is small
/// by itself. Returns how many contacts. Where e = 1 nothing shrinks, and nothing is taken. It ends: with
/// e < 1 blows above a bound take more than a bound from the energy.
int wear_out(const EventStep& e, const State& x) {
  EventWork& v = e.w.events;
  int out = 0;
  for (std::size_t i = 0, last = 0; i < v.start.size(); i = last) {  // sorted by pair
    const ContactKey pair = pair_of(v.start[i]);
    for (last = i; last < v.start.size() && pair_of(v.start[last]) == pair;) ++last;
    const double restitution = e.m.law(pair.a, pair.b).restitution, energy = energy_of(e, x, i, last);
    if (!(energy > 0 && restitution > 0 && restitution < 1)) continue;
    const auto at =
        std::lower_bound(v.blows.begin(), v.blows.end(), pair,
                         [](const EventWork::Blow& b, const ContactKey& key) { return b.pair < key; });
    if (at == v.blows.end() || at->pair != pair) {
      v.blows.insert(at, {pair, energy});
      continue;
    }
    if (energy > e.s.tolerance * at->energy) continue;
    for (std::size_t k = i; k < last; ++k) out += is_hit(e, x, v.start[k]), v.restitution[k] = 0;
  }
  return out;
}

}  // namespace

bool is_closed(const EventStep& e, const State& x, const WorkContact& c) {
  const double closing = std::fmax(0.0, -opening_speed(x, c));
  return c.point.gap <= (c.touched ? e.s.tolerance * c.size : negligible_depth(e, c)) + 1e-12 * closing;
}

bool is_hit(const EventStep& e, const State& x, const WorkContact& c) {
  return is_closed(e, x, c) && opening_speed(x, c) < -still_speed(e, c);
}

const char* choose_lasting(const EventStep& e, const State& x, StepReport& report) {
  hold_resting(e, x, x);
  std::vector<ContactKey>&lasting = e.w.events.lasting, &small = e.w.events.small;
  small.clear();
  const char* reason = for_hops(e, x, x, report, [&](const WorkContact& c, std::size_t, double u, double a) {
    if (is_small_hop(e, c, u, a)) small.push_back(c.point.key);
  });
  lasting.insert(lasting.end(), small.begin(), small.end());
  std::sort(lasting.begin(), lasting.end());
  return reason;
}

const char* solve_impacts(const EventStep& e, const State& x, StepReport& report) {
  Workspace& w = e.w;
  EventWork& v = w.events;
  v.restitution.clear();
  for (const WorkContact& c : v.start)
    v.restitution.push_back(e.m.law(c.point.key.a, c.point.key.b).restitution);
  double work = 0;
  if (!solve_once(e, x, work)) return unsolved;
  v.trial = x;
  v.trial.velocity = w.next.velocity, v.trial.spin = w.next.spin;
  v.trial.joint_velocity = w.next.joint_velocity;
  hold_resting(e, x, v.trial);
  int small = wear_out(e, x);
  const char* reason =
      for_hops(e, x, v.trial, report, [&](const WorkContact& c, std::size_t i, double u, double a) {
        if (v.restitution[i] == 0 || !is_hit(e, x, c) || !is_small_hop(e, c, u, a)) return;
        v.restitution[i] = 0;
        ++small;
      });
  if (reason != nullptr) return reason;
  const double first = work;
  if (!solve_once(e, x, work)) return unsolved;
  if (small > 0) report.lasting += small, report.given_up += first - work;
  for (const WorkContact& c : w.contacts) report.impacts += is_hit(e, x, c);
  report.impact_time = x.time;
  judge_response(w);
  report.lowered_impacts = w.impacts.count.lowered;
  book_impacts(e.m, x, e.s.h, v.friction_work, w);
  Certificate& certificate = w.certificate;
  certificate = {};
  certificate.tolerance = e.s.tolerance;
  certificate.impact = w.impacts.count.residual;
  certificate.converged = certificate.impact <= e.s.tolerance;
  w.end_contacts = w.contacts;
  for (std::size_t i = 0; i < w.end_contacts.size(); ++i)
    w.end_contacts[i].impulse = v.start[i].touched ? v.start[i].impulse : Vec3{};
  return nullptr;
}

}  // namespace stiction::step
