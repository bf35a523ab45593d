// Impacts with restitution in steps that do not look for their time: they happen at the start of the step,
// places as they are there, and the step goes on with the velocities that they leave.
//
//     M (v' - v) = G^T p,   u = G v,   u' = G v'          p by the law of the pair (impact/many.h)
//     T(v') - T(v) = sum of p.(u + u')/2 <= 0             booked contact by contact: `impact`, `friction`
//
// M and the coordinates of the bodies are those of assemble() with no forces: trees and linkages answer as a
// whole, their joints pass impulses on, G v of every joint stays what it was. So energy changes by what the
// law says and by nothing else, whatever the method does in the rest of the step.
//
// Which contacts are hit: those that are closed (each method has its word for it: contacts that touch or that
// free motion would close, or that overlap at a predicted pose) and whose rebound outlasts the forces,
//     e |u_n| > |dv_a| + |dv_b| + X L/h      dv = v_free - v at the contact: what forces do in the step;
//                                            X L the overlap that the certificate tolerates
// Under gravity alone a hop with the speed e |u_n| <= g h would end within two steps, and one below X L/h
// would not open the contact within one; a step does not see either, and the contact is one that lasts (but
// for e = 1, whose hops never end: there only the second bound holds): it stops as contacts do that have no
// restitution. Contacts that touch in the same island pass impulses on: by Newton's law, which is about the
// approach before, with e = 0; by the other two with the e of their pair.
//
// A contact is hit before it is closed, by up to one step. In the method coulomb no gap may be overrun, so
// that bodies that are thrown back look again for what they hit within the step, in rounds: of each body
// first the contacts that close first. A contact that is hit twice, or that is behind one that stops the
// body, asks for a shorter step; in the shortest one it is hit again, as far as the rounds go.
//
// When it fails: islands whose joints are rows beside the contacts (linkages with very many coordinates,
// constraints on links of trees) are refused. Limits of joints do not answer in the same instant but in the
// step that follows. Levers against spin and rolling do not act in impacts. W is dense: its cost is the third
// power of the number of contacts that touch each other. Symbols: stages.h, impact/impact.h.
#include "stiction/step/impacts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "stiction/step/impact_books.h"
#include "stiction/step/law_coordinates.h"
#include "stiction/step/mechanisms.h"

namespace stiction::step {
namespace {

using complementarity::ContactRows;
using complementarity::FrictionProblem;
using complementarity::Island;
using complementarity::width;

constexpr double no_impulse = 1e30;  // [1/kg] what a row that gives way gives: no impulse in no time
/// [-] Of a matrix of the tangent plane, determinant over trace squared: below it a direction does not move.
constexpr double flat = 1e-10;

/// [-] Tolerances, one after the other. Contacts that hold each other in more than one way, as the corners of
/// a face do, may leave more than round-off, where sweeps come to rest slowly. Books and bounds of energy do
/// not depend on it; the certificate says what was left.
constexpr double tolerances[] = {1e-13, 1e-11, 1e-9, 1e-7};

/// [-] of the speeds of bodies: velocities at contacts below it say nothing, as in certify.cpp.
constexpr double noise = 1e-7;

/// [-] Rounds of the shortest part of a step in which contacts may be hit again: blows that run to and fro in
/// a row of bodies. A body between two walls has more than any number.
constexpr int most_rounds = 50;

const char* const unknown_joints =
    "an impact reaches joints that impacts do not know (a very large linkage, or a constraint on a link of a "
    "tree): set restitution to 0";

/// [m/s] of one body at a contact: what forces do to it in the step.
Vec3 pushed(const State& x, const WorkContact& c, bool second, const Workspace& w) {
  const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
  return w.free.velocity[i] - x.velocity[i] + cross(w.free.spin[i] - x.spin[i], c.arm[second]);
}

/// [m/s] how fast a contact closes at the start of the step.
double approach_of(const Model& m, const State& x, const WorkContact& c, const Workspace& w) {
  return -dot(c.point.normal, velocity_before(m, x, c, true, w) - velocity_before(m, x, c, false, w));
}
/// [m/s] of both bodies there: what forces do in the step.
double pushed_by_forces(const State& x, const WorkContact& c, const Workspace& w) {
  return norm(pushed(x, c, false, w)) + norm(pushed(x, c, true, w));
}
/// [m/s] a motion that the tolerance does not see.
double unseen(const CoulombSettings& s, const WorkContact& c) { return s.tolerance * c.size / s.h; }

/// No forces, no motion: w.free and w.next are the State, with bodies that are driven as they move.
void freeze(const Model& m, const State& x, Workspace& w) {
  w.free.position = x.position, w.free.orientation = x.orientation;
  for (std::size_t i = 0; i < x.velocity.size(); ++i)
    if (m.mobility[i] != Mobility::none) w.free.velocity[i] = x.velocity[i], w.free.spin[i] = x.spin[i];
  w.free.joint_position = x.joint_position, w.free.joint_velocity = x.joint_velocity;
  w.next = w.free;
  w.mass_pose = x.orientation;
  w.has_applied = false;
  for (LawWork& law : w.laws) law.in_problem = false;
  if (m.trees.empty()) return;
  w.trees.carried = w.trees.drifted = x.joint_velocity;
  w.trees.added.assign(x.joint_velocity.size(), 0.0);
}

/// Mechanisms of the problem hold by rows that keep their rates.
void hold_joints(const Model& m, const State& x, Workspace& w) {
  for (const WorkContact& c : w.contacts)
    for (const int body : {c.point.key.a, c.point.key.b})
      if (const int j = m.mechanisms.mechanism_of[std::size_t(body)]; c.in_problem && j >= 0)
        w.mechanisms[std::size_t(j)].flows = false;
  w.joint_gradient.resize(m.mechanisms.row.size()), w.joint_right.resize(m.mechanisms.row.size());
  for (const ModelConstraint& c : m.mechanisms.constraint) {
    if (w.mechanisms[std::size_t(c.mechanism)].flows) continue;
    const auto rows = rows_of(m, c, w);
    constraints::RowValue value[mechanism::most_rows];
    constraints::evaluate(rows, pose_of(x, c.a), pose_of(x, c.b), value);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t i = std::size_t(c.row_begin) + r;
      w.joint_gradient[i] = value[r].jacobian;
      double rate = 0;
      for (const bool second : {false, true})
        if (const int body = second ? c.b : c.a; body >= 0 && m.mobility[std::size_t(body)] != Mobility::none)
          rate += dot(second ? value[r].jacobian.b : value[r].jacobian.a, twist_of(x, body));
      w.joint_right[i] = is_soft(m, c, r) ? 0.0 : -rate;
      if (is_soft(m, c, r)) w.joint_give[i] = no_impulse;
    }
  }
}

}  // namespace

void add_coupling(const FrictionProblem& p, const ContactRows& i, const ContactRows& j, double out[9]) {
  for (int s = 0; s < 2; ++s)
    for (int t = 0; t < 2; ++t) {
      if (i.block[s] < 0 || i.block[s] != j.block[t]) continue;
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) {
          double sum = 0;
          if (i.wide[s] >= 0) {
            const complementarity::WideRows &a = p.wide_rows[std::size_t(i.wide[s])],
                                            &b = p.wide_rows[std::size_t(j.wide[t])];
            const double* G = p.wide_G.data() + a.at + std::size_t(row * a.size);
            const double* Y = p.wide_Y.data() + b.at + std::size_t(column * b.size);
            for (int k = 0; k < a.size; ++k) sum += G[k] * Y[k];
          } else {
            const double* inverse = p.A_inverse.data() + std::size_t(i.block[s]) * width * width;
            for (int k = 0; k < width; ++k) {
              double part = 0;
              for (int l = 0; l < width; ++l) part += inverse[k * width + l] * j.G[t][column * width + l];
              sum += i.G[s][row * width + k] * part;
            }
          }
          out[3 * row + column] += sum;
        }
    }
}

namespace {

/// Along tangents that joints or planes leave no motion nothing slips: any number on the diagonal will do, as
/// long as the matrix has an inverse.
void fill_flat_tangents(impact::ManyImpacts& in) {
  const std::size_t n = in.u.size();
  for (std::size_t k = 0; k < n; k += 3) {
    double &a = in.W[(k + 1) * n + k + 1], &b = in.W[(k + 2) * n + k + 2];
    const double cross_term = in.W[(k + 1) * n + k + 2], normal = in.W[k * n + k], trace = a + b;
    if (a * b - cross_term * cross_term > flat * trace * trace) continue;
    const double more = flat * std::fmax(trace, normal);
    a += more, b += more;
  }
}

/// Contacts of one island as a set of impacts -> w.impacts.in; its law.
impact::ManyLaw gather(const Model& m, const Island& island, Workspace& w) {
  impact::ManyImpacts& in = w.impacts.in;
  in.coefficients.clear();
  const auto contact = [&](int row) -> const WorkContact& {
    return w.contacts[std::size_t(w.contact_of_row[std::size_t(row)])];
  };
  ImpactLaw law = ImpactLaw::newton;
  for (int row = island.contact_begin; row < island.contact_end; ++row)
    if (const WorkContact& c = contact(row); c.due)
      law = std::max(law, m.law(c.point.key.a, c.point.key.b).impact_law);
  bool rubs = false;
  for (int row = island.contact_begin; row < island.contact_end; ++row) {
    const WorkContact& c = contact(row);
    const ContactLaw& pair = m.law(c.point.key.a, c.point.key.b);
    const double e = c.due || law != ImpactLaw::newton ? pair.restitution : 0.0;
    in.coefficients.push_back({e, pair.friction, pair.kinetic});
    if (pair.impact_law == ImpactLaw::superball)
      in.coefficients.back().tangential_restitution = pair.tangential;
    rubs = rubs || pair.friction > 0;
  }
  in.rows = rubs ? 3 : 1;
  const auto rows = std::size_t(in.rows), contacts = in.coefficients.size(), n = rows * contacts;
  in.u.resize(n), in.W.resize(n * n);
  for (std::size_t i = 0; i < contacts; ++i) {
    const ContactRows& own = w.problem.contacts[std::size_t(island.contact_begin) + i];
    double u[3];
    complementarity::local_velocity(w.problem, own, w.problem.v_free.data(), u);
    std::copy(u, u + rows, in.u.begin() + std::ptrdiff_t(rows * i));
    for (std::size_t j = 0; j <= i; ++j) {
      double block[9] = {};
      add_coupling(w.problem, own, w.problem.contacts[std::size_t(island.contact_begin) + j], block);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t s = 0; s < rows; ++s)
          in.W[(rows * i + r) * n + rows * j + s] = in.W[(rows * j + s) * n + rows * i + r] =
              block[3 * r + s];
    }
  }
  if (rubs) fill_flat_tangents(in), make_definite(in);
  return impact::ManyLaw(law);
}

/// Impulses of one island -> w.r, velocities after them -> w.impacts.after.
void solve_island(const Model& m, const Island& island, Workspace& w) {
  ImpactWork& own = w.impacts;
  const impact::ManyLaw law = gather(m, island, w);
  int hits = 0;
  for (int row = island.contact_begin; row < island.contact_end; ++row)
    hits += w.contacts[std::size_t(w.contact_of_row[std::size_t(row)])].due;
  own.noise = noise_of(island, w);
  const bool solved = solve_set(law, own);
  (solved ? own.count.all : own.count.stopped) += hits;
  if (!solved) return;
  const auto rows = std::size_t(own.in.rows);
  for (std::size_t i = 0; i < own.in.contacts(); ++i) {
    const std::ptrdiff_t at = 3 * std::ptrdiff_t(std::size_t(island.contact_begin) + i);
    std::copy_n(own.out.p.begin() + std::ptrdiff_t(rows * i), rows, w.r.begin() + at);
    std::copy_n(own.judge.after.begin() + std::ptrdiff_t(rows * i), rows, own.after.begin() + at);
  }
}

bool is_due(const Island& island, const Workspace& w) {
  for (int row = island.contact_begin; row < island.contact_end; ++row)
    if (const int i = w.contact_of_row[std::size_t(row)]; i >= 0 && w.contacts[std::size_t(i)].due)
      return true;
  return false;
}

/// Whether rows beside the contacts hold bodies of an island: large linkages, constraints on links of trees.
bool has_joint_rows(const Model& m, std::size_t island, const Workspace& w) {
  const Island& own = w.problem.islands[island];
  for (int row = own.contact_begin; row < own.contact_end; ++row)
    if (w.contact_of_row[std::size_t(row)] < 0) return true;
  bool found = false;
  for (std::size_t k = 0; k < m.laws.size(); ++k)
    if (m.laws[k].binds() && !w.laws[k].off)
      for_bodies(m, k, [&](int body) { found |= w.island_of_body[std::size_t(body)] == int(island); });
  return found;
}

/// Books of the impacts x -> w.next, and the new velocities of x.
void take(const Model& m, State& x, double h, Workspace& w) {
  book_impacts(m, x, h, {}, w);
  for (const Cause cause : {Cause::impact, Cause::friction})
    w.entries.added += w.entries.work[std::size_t(cause)];
  for (std::size_t i = 0; i < x.velocity.size(); ++i)
    if (m.mobility[i] != Mobility::none) x.velocity[i] = w.next.velocity[i], x.spin[i] = w.next.spin[i];
  std::copy_n(w.next.joint_velocity.begin(), x.joint_velocity.size(), x.joint_velocity.begin());
  x.ledger.post(w.entries, w.totals);
}

/// Bodies of islands without an impact keep their velocities to the bit.
void keep_others(const Model& m, const State& x, Workspace& w) {
  for (std::size_t i = 0; i < x.velocity.size(); ++i) {
    const int island = w.island_of_body[i];
    if (m.mobility[i] == Mobility::none || (island >= 0 && w.impacts.hit_islands[std::size_t(island)]))
      continue;
    w.next.velocity[i] = x.velocity[i], w.next.spin[i] = x.spin[i];
  }
  for (std::size_t tree = 0; tree < m.trees.forest.trees.size(); ++tree) {
    const tree::TreeRange& range = m.trees.forest.trees[tree];
    const int island = w.island_of_body[std::size_t(m.trees.body[std::size_t(range.link_begin)])];
    if (island >= 0 && w.impacts.hit_islands[std::size_t(island)]) continue;
    std::copy(x.joint_velocity.begin() + range.v_begin, x.joint_velocity.begin() + range.v_end,
              w.next.joint_velocity.begin() + range.v_begin);
  }
}

/// How a contact closes, if all bodies move on freely.
struct Closing {
  bool closes = false, strikes = false;
  double time = 0, slack = 0;  // [s] after the start of the step; what the tolerance does not tell apart
};
Closing closing_of(const Model& m, const State& x, const CoulombSettings& s, const WorkContact& c,
                   const Workspace& w) {
  const double speed = -dot(c.point.normal, relative_velocity(w.free, c));
  Closing out;
  out.closes = c.touches || c.point.gap <= s.h * speed;
  if (!out.closes) return out;
  out.strikes = !c.gives_way() && approach_of(m, x, c, w) > pushed_by_forces(x, c, w) + unseen(s, c);
  if (speed > 0) out.time = std::fmax(0, c.point.gap) / speed, out.slack = s.tolerance * c.size / speed;
  return out;
}

/// The contacts that a step of coulomb may begin with: of each body those that close first, since it may
/// never come to the others. Returns how many are due and may be hit. made.again, made.waits: others were hit
/// before, or wait for one without a rebound.
int mark(const Model& m, const State& x, const CoulombSettings& s, bool twice, Workspace& w,
         ImpactsMade& made) {
  std::vector<double>& first = w.impacts.first;
  first.assign(x.position.size(), std::numeric_limits<double>::infinity());
  for (const WorkContact& c : w.contacts)
    if (const Closing own = closing_of(m, x, s, c, w); own.strikes)
      for (const int body : {c.point.key.a, c.point.key.b})
        if (can_move(m, body))
          first[std::size_t(body)] = std::fmin(first[std::size_t(body)], own.time + own.slack);
  int count = 0, waiting = 0;
  for (WorkContact& c : w.contacts) {
    const Closing own = closing_of(m, x, s, c, w);
    const bool in_turn =
        own.time <= std::fmin(first[std::size_t(c.point.key.a)], first[std::size_t(c.point.key.b)]);
    c.due = own.closes && rebounds(m, x, s, c, w);
    if (c.due && !in_turn) c.due = false, ++waiting;
    if (c.due && !twice && std::binary_search(w.impacts.keys.begin(), w.impacts.keys.end(), c.point.key))
      c.due = false, made.again = true;
    c.in_problem = c.due || (c.touches && !c.gives_way());
    count += c.due;
  }
  made.waits = count == 0 && waiting > 0;
  return count;
}

}  // namespace

void make_definite(impact::ManyImpacts& in) {
  const std::size_t n = in.u.size();
  for (std::size_t k = 0; k < n; k += 3) {
    const auto W = [&](std::size_t i, std::size_t j) -> double& { return in.W[(k + i) * n + k + j]; };
    const double xy = W(0, 1) * W(0, 1), xz = W(0, 2) * W(0, 2), yz = W(1, 2) * W(1, 2);
    const double minors =
        W(0, 0) * W(1, 1) - xy + W(0, 0) * W(2, 2) - xz + W(1, 1) * W(2, 2) - yz;  // of two rows
    const double determinant =
        W(0, 0) * (W(1, 1) * W(2, 2) - yz) - W(1, 1) * xz - W(2, 2) * xy + 2 * W(0, 1) * W(1, 2) * W(0, 2);
    const double trace = W(0, 0) + W(1, 1) + W(2, 2);
    if (determinant > flat * trace * minors && minors > flat * trace * trace) continue;
    for (std::size_t i = 0; i < 3; ++i) W(i, i) += flat * trace;
  }
}

double noise_of(const Island& island, const Workspace& w) {
  double fastest = 0;
  for (int row = island.contact_begin; row < island.contact_end; ++row) {
    const int contact = w.contact_of_row[std::size_t(row)];
    if (contact < 0) continue;
    const WorkContact& c = w.contacts[std::size_t(contact)];
    for (const bool second : {false, true}) {
      const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
      fastest = std::fmax(fastest, norm(w.free.velocity[i]) + norm(w.free.spin[i]) * norm(c.arm[second]));
    }
  }
  return noise * fastest;
}

bool solve_set(impact::ManyLaw law, ImpactWork& own) {
  using impact::ManyLaw, impact::ManyStatus;
  impact::ManyOutcome& out = own.out;
  const ManyLaw others[] = {law, ManyLaw::newton, ManyLaw::sequential};
  for (std::size_t i = 0; i < std::size(others); ++i) {
    const ManyLaw by = others[i];
    if (i > 0 && (by == law || (is_sequence(by) && is_sequence(law)))) continue;  // was tried
    for (const double tolerance : tolerances) {
      impact::solve(own.in, by, {.tolerance = tolerance}, own.memory, out);
      if (out.status == ManyStatus::done) {
        own.count.lowered += by != law || out.factor != 1 || out.finished || out.lowered;
        const double residual = impact::judge(own.in, by, out, own.noise, own.judge);
        own.count.residual = std::fmax(own.count.residual, residual);
        return true;
      }
      if (out.status != ManyStatus::unsolved) return false;
      if (is_sequence(by) && !out.finished) break;  // only their end knows a tolerance
    }
  }
  return false;
}

void judge_response(Workspace& w) {
  const auto velocity = [&](const Motions& v, const WorkContact& c) -> Vec3 {
    const Vec3 u = relative_velocity(v, c) + c.belt;
    return {dot(c.point.normal, u), dot(c.tangent[0], u), dot(c.tangent[1], u)};
  };
  for (const Island& island : w.problem.islands) {
    double worst = 0, fastest = noise_of(island, w);  // [m/s]
    for (int row = island.contact_begin; row < island.contact_end; ++row) {
      const int contact = w.contact_of_row[std::size_t(row)];
      const double* after = w.impacts.after.data() + 3 * row;
      if (contact < 0 || std::isnan(after[0])) continue;
      const WorkContact& c = w.contacts[std::size_t(contact)];
      const Vec3 u = velocity(w.next, c);
      fastest = std::fmax(fastest, norm(velocity(w.free, c)) + norm(u));
      for (int k = 0; k < 3; ++k)
        if (!std::isnan(after[k])) worst = std::fmax(worst, std::fabs(u[k] - after[k]));
    }
    if (worst > 0) w.impacts.count.residual = std::fmax(w.impacts.count.residual, worst / fastest);
  }
}

void start_impacts(Workspace& w) {
  w.impacts.keys.clear();
  w.impacts.count = {};
  w.impacts.any = w.impacts.in_part = false;
}

bool rebounds(const Model& m, const State& x, const CoulombSettings& s, const WorkContact& c,
              const Workspace& w) {
  const double e = m.law(c.point.key.a, c.point.key.b).restitution;
  if (!(e > 0) || c.gives_way()) return false;
  const double approach = approach_of(m, x, c, w);
  if (e == 1) return approach > unseen(s, c);
  return e * approach > pushed_by_forces(x, c, w) + unseen(s, c);
}

Obstacle hit(const Model& m, State& x, double h, Workspace& w) {
  if (!w.impacts.any) w.impacts.before = x;
  if (!w.impacts.in_part) w.impacts.part_before = x, w.impacts.part_count = w.impacts.count;
  w.impacts.any = w.impacts.in_part = true;
  freeze(m, x, w);
  for (WorkContact& c : w.contacts)  // rows of velocities, without levers; no impulse to begin with
    c.touches = true, c.middle = false, c.spin = c.rolling = 0, c.impulse = c.moment = {};
  if (!m.mechanisms.empty()) hold_joints(m, x, w);
  assemble(m, x, h, w);
  std::fill(w.r.begin(), w.r.end(), 0.0);
  w.impacts.after.assign(w.r.size(), std::numeric_limits<double>::quiet_NaN());
  w.impacts.hit_islands.assign(w.problem.islands.size(), 0);
  for (std::size_t k = 0; k < w.problem.islands.size(); ++k) {
    const Island& island = w.problem.islands[k];
    if (!is_due(island, w)) continue;
    if (has_joint_rows(m, k, w)) return {unknown_joints, w.body_of_block[std::size_t(island.block_begin)]};
    w.impacts.hit_islands[k] = 1;
    solve_island(m, island, w);
  }
  apply_impulses(m, w);
  keep_others(m, x, w);
  judge_response(w);
  take(m, x, h, w);
  return {};
}

ImpactsMade make_impacts(const Model& m, const CoulombSettings& s, const Input& in, State& x, Workspace& w) {
  ImpactsMade out;
  w.carry = {}, w.promises = {};
  w.impacts.keys.clear(), w.impacts.in_part = false;
  for (int round = 0;; ++round) {
    if (begin_step(m, s, in, x, w).reason != nullptr) return out;  // the step will say so
    out.again = out.waits = false;
    const bool twice = s.thorough && round < most_rounds;
    if (w.contacts.empty() || mark(m, x, s, twice, w, out) == 0) return out;
    for (const WorkContact& c : w.contacts)
      if (c.due) w.impacts.keys.push_back(c.point.key);
    std::sort(w.impacts.keys.begin(), w.impacts.keys.end());
    if (out.obstacle = hit(m, x, s.h, w); out.obstacle.reason != nullptr) return out;
  }
}

void forget_impacts(Workspace& w, State& x) {
  if (!w.impacts.in_part) return;
  x = w.impacts.part_before, w.impacts.count = w.impacts.part_count;
}

void end_impacts(Workspace& w, State& x, StepReport& report) {
  if (report.status == StepReport::Status::refused) {
    if (w.impacts.any) x = w.impacts.before;
    return;
  }
  const ImpactWork::Count& count = w.impacts.count;
  report.impacts = count.all, report.lowered_impacts = count.lowered, report.stopped_impacts = count.stopped;
  Certificate& certificate = report.certificate;
  certificate.impact = count.residual;
  const bool misses = !(count.residual <= certificate.tolerance);
  if (misses) certificate.converged = false;
  if (count.stopped == 0 && !misses) return;
  report.status = StepReport::Status::unconverged, report.converged = false;
  if (report.reason[0] == '\0')
    report.reason = misses ? broken_impact_law : "contacts that should have rebounded were stopped";
}

}  // namespace stiction::step
