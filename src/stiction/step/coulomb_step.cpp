// The default step: exact Coulomb cone, end-of-step gaps, post-stabilisation for what is left.
//
//     M(q+) v+ = M(q) v + h f + G(q+)^T r,     q+ = q advanced with v+,
//     K* contains (gap(q+)/h + mu |u_t|, u_t),  r in K,  orthogonal,    for every contact at q+
//
// solved by a fixed point: the problem is linearised at the start of the step, then at each candidate end,
// until the certificate of the candidate holds. Contacts that touch at the start have u_n in place of the
// gap, and the frames of the middle of the step. Contacts whose features flip keep earlier frames
// (passes.cpp). A step that is not certified is made again in halves; where the shortest part does not
// settle, the contact frames of its start are used. The report tells of both.
//
// The method implicit_geometry is the same loop with gaps and frames of the end for all contacts, M and
// gyroscopic torque of the start (implicit_contact.h has its equations); where its passes converge slowly,
// Newton's method on those helps (implicit_polish.cpp), or passes are mixed (passes.cpp). Symbols: stages.h.
// docs/step.md shows the data flow.
#include "stiction/step/coulomb_step.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "stiction/step/contact_step.h"
#include "stiction/step/friction_laws.h"
#include "stiction/step/impacts.h"
#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/sleep.h"

namespace stiction::step {
namespace {

constexpr int most_passes =
    16;  // geometry passes; convergence is linear, with a rate of about h |v| / curvature radius
constexpr int most_idle = 5;        // passes without progress
constexpr int most_implicit = 100;  // passes of implicit_geometry, where they may be mixed
constexpr int most_halved = 40;     // of those: after them they are not only halved but mixed
constexpr double slow_rate = 0.5;   // [-] of the error before: passes that leave more are helped along
constexpr int most_sliding = 4;    // [-] of most_passes: all passes, with those after contacts began to slide
constexpr int first_late = 4;      // pass after which all frames that do not settle are kept
constexpr double inexact = 0.02;   // [-] of the geometry's error: how well a pass is solved before the next
constexpr double coarsest = 1e-3;  // [-] tolerance of any pass
constexpr double finer = 0.3;      // [-] of the target, where the certificate asks for a better solution
constexpr double stray = 0.01;     // [-] of a body's size: how far a coarse pass may put it wrong
constexpr int most_restarts = 6;   // growths of the reach, to twice the motion each
constexpr double closer = 1e-3;  // [-] of the tolerance: gaps where velocities are found after stabilisation
constexpr double may_be_apart = 0.5;  // [-] of the tolerance: what presses and may be told from its surface
constexpr double unchanged = 0.01;    // [-] of a number of the certificate: another round would find the same
constexpr int most_started = 8;       // passes with frames of the start of the step
constexpr int most_rounds = 4;        // of closing and finding velocities
constexpr int few_closer = 4;         // passes for that
constexpr int most_halvings = 5;      // of a step that misses the tolerance
// [-] what trees may gain in a whole step, of their kinetic energy: by stabilisation, and where contacts were
// near but none is on them in the end; with implicit_geometry all bodies together, where there are trees
constexpr double most_gain = 1e-3;

/// Solves at the present geometry; contacts that the solution would violate join until there are none.
/// False if the last problem was not solved to the target.
bool solve_here(const Model& m, const State& x, const CoulombSettings& s, double target, int tries,
                Workspace& w, StepReport& report) {
  complementarity::SolveReport solved;
  do {
    make_problem(m, x, s.h, w);
    const complementarity::SolveSettings how{.tolerance = target,
                                             .finest = s.tolerance,
                                             .solver = s.solver,
                                             .tries = tries,
                                             .last_resort = s.thorough && !s.digits_lost,
                                             .stop = w.stop};
    solved = complementarity::solve(w.problem, how, w.team, w.solver, w.r);
    if (report.geometry_passes == 0) hold_what_rests(x, s.h, s.tolerance, how, w);
    count(solved, report);
    apply_impulses(m, w);
  } while (!w.stop.asked() &&
           add_violated_contacts(m, s.h, s.tolerance, w) + add_violated_laws(m, s.h, s.tolerance, w) > 0);
  return solved.converged;
}

/// How well the first pass is solved [-]: not better than what the turn of the geometry in the step will
/// change anyway, but so well that no body strays by more than a small part of its size: the error may be a
/// part of the largest impulse, for which the largest momentum stands here, and act on the lightest body. An
/// estimate: the certificate judges the end of the step whatever the first pass did.
double first_target(const Model& m, const State& x, const CoulombSettings& s, const Workspace& w) {
  double turn = 0, momentum = 0, least = 1e300;
  for (const WorkContact& c : w.contacts)
    for (const int body : {c.point.key.a, c.point.key.b}) {
      const auto i = std::size_t(body);
      if (m.mobility[i] == Mobility::none) continue;
      turn = std::fmax(turn, s.h * (norm(x.velocity[i]) / m.size[i] + norm(x.spin[i])));
      momentum = std::fmax(momentum, m.mass[i] * norm(w.free.velocity[i]));
      least = std::fmin(least, m.mass[i] * m.size[i]);
    }
  const double straying = momentum > 0 ? stray * least / (s.h * momentum) : 0.0;
  return std::clamp(inexact * turn, s.tolerance, std::fmax(s.tolerance, std::fmin(straying, coarsest)));
}

constexpr const char* unsettled_geometry = "the geometry of the end of the step did not settle";

enum class Outcome : unsigned char { settled, unsettled, unsolved };

/// How the next candidate follows from the one that a pass found.
enum class Pace : unsigned char { plain, polished, mixed };

/// Whether all that the problem has is in the equations of Newton's method (implicit_contact.h): bodies that
/// no joint holds (links it refuses itself), rigid contacts with one coefficient of friction.
bool is_plain(const Model& m, const Workspace& w) {
  const auto is_joined = [&](int body) {
    return !m.mechanisms.empty() && m.mechanisms.mechanism_of[std::size_t(body)] >= 0;
  };
  for (const WorkContact& c : w.contacts)
    if (c.in_problem && (c.stretch != 1 || c.rolling > 0 || c.belt != Vec3{} || c.gives_way() ||
                         is_joined(c.point.key.a) || is_joined(c.point.key.b)))
      return false;
  return !m.friction_varies &&
         std::none_of(w.laws.begin(), w.laws.end(), [](const LawWork& law) { return law.in_problem; });
}

/// Method implicit_geometry, where passes do not converge by themselves: to the end that Newton's method
/// finds, or, where it does not know the bodies, to a mixture of the last passes.
Pace help_along(const Model& m, const State& x, const CoulombSettings& s, Pace pace, int pass, Workspace& w) {
  const bool polished = pace == Pace::plain && is_plain(m, w) && polish_velocities(m, x, s.h, w);
  if (!polished) mix_passes(m, pass >= most_halved, w);
  if (!advance(m, x, s.h, w)) widen_pairs(m, x, s.h, s.tolerance, w);
  detect_end_contacts(m, w);
  if (m.friction_varies) find_friction(m, false, w), relax_friction(m, false, w);
  return polished ? Pace::polished : Pace::mixed;
}

/// The fixed point over the geometry of the end of the step. Unsolved: a problem was too hard for the tries
/// that a step is worth as long as it may be halved.
Outcome solve_at_end(const Model& m, const State& x, const CoulombSettings& s, Workspace& w,
                     StepReport& report) {
  double best = 1e300, last = 1e300;
  Pace pace = Pace::plain;
  w.mixing.known = false;
  const double coarse = first_target(m, x, s, w);
  double target = coarse;
  int most = w.end_geometry ? most_implicit : most_passes;
  int late = m.friction_varies ? most_passes / 2 : first_late;  // frames move while coefficients do
  for (int idle = 0; report.geometry_passes < most; ++report.geometry_passes) {
    if (w.stop.asked()) return Outcome::unsolved;
    bool solved = true;
    if (choose_contacts(m, s.h, w) + choose_laws(m, w) > 0)
      solved = solve_here(m, x, s, target, s.thorough ? 1 : 0, w, report);  // -> impulses, v+
    else
      release_all(m, x, w);
    if (!advance(m, x, s.h, w)) {  // v+ -> q+; a body went beyond its reach, maybe through something
      widen_pairs(m, x, s.h, s.tolerance, w);
      continue;
    }
    detect_end_contacts(m, w);                         // q+ -> end-of-step geometry
    if (!w.end_geometry) take_middle_frames(m, x, w);  // and that of the middle, for contacts that last
    if (m.friction_varies) find_friction(m, false, w);
    move_kept_frames(m, x, w);
    s.thorough ? certify_by_planes(m, s.h, s.tolerance, w) : certify(m, s.h, s.tolerance, w);
    const double change = m.trees.empty() ? 0.0 : carry_trees(m, x, s.h, w);
    if (w.certificate.converged && change <= s.tolerance) {
      if (!m.friction_jumps || let_slide(m, s.h, s.tolerance, false, w) == 0) return Outcome::settled;
      best = 1e300, idle = 0;  // another problem
      most = std::min(report.geometry_passes + 1 + most_passes, most_sliding * most_passes);
      late += report.geometry_passes + 1;
      linearise_at_end(m, x, s.h, s.tolerance, Hold::nothing, w);
      continue;
    }
    if (!solved && !s.thorough) return Outcome::unsolved;
    if (m.friction_varies) relax_friction(m, false, w);
    const bool joined = !m.trees.empty() || !m.mechanisms.empty() || !m.laws.empty();
    const double error = w.certificate.natural_map_scaled + w.certificate.complementarity_relative +
                         (joined ? change : w.certificate.momentum) + w.soft_relative;
    const bool slow = report.geometry_passes > 1 && error > slow_rate * last;
    last = error;
    if (w.end_geometry && (slow || pace == Pace::mixed))
      pace = help_along(m, x, s, pace, report.geometry_passes, w);
    const Hold early = m.friction_varies ? Hold::nothing : Hold::resting;
    linearise_at_end(m, x, s.h, s.tolerance, report.geometry_passes >= late ? Hold::all : early, w);
    idle = error < 0.5 * best ? 0 : idle + 1;
    const bool still = w.frame_change <= 10 * s.tolerance || w.certificate.natural_map_scaled <= 3 * target;
    if (idle > 0 && still)  // the problem's error, not the geometry's
      target = std::fmax(1e-3 * s.tolerance, finer * std::fmin(target, s.tolerance));
    else if (target > s.tolerance)
      target = std::clamp(inexact * error, s.tolerance, target);
    if (idle == most_idle && pace == Pace::plain) return Outcome::unsettled;
    best = std::fmin(best, error);
  }
  return Outcome::unsettled;
}

/// Contact frames of the start of the step, one pass: for features that flip from pass to pass and never
/// settle. Solved again, and better, where the certificate asks for more than the solver's residual says; and
/// as often as the geometry's passes where coefficients of friction have to settle.
void solve_at_start(const Model& m, const State& x, const CoulombSettings& s, Workspace& w,
                    StepReport& report) {
  report.start_frames = true;
  w.kept_frames.clear();
  w.trees.carried = w.trees.drifted;  // not what passes that did not settle made of it
  detect_pairs(m, x, w), detect_contacts(m, x, s.h, s.tolerance, w);
  // M is that of the end all the same: it has to settle
  int most = m.friction_varies ? most_sliding * most_passes : most_started;
  for (int pass = 0; pass < most && !w.stop.asked(); ++pass) {
    const double part = pass == 0 ? 0.1 : 1e-3;
    if (pass > 0 && w.carry.end_inertia) w.mass_pose = w.next.orientation;
    for (int restarts = 0; restarts <= most_restarts; ++restarts) {
      if (choose_contacts(m, s.h, w) + choose_laws(m, w) > 0)
        solve_here(m, x, s, part * s.tolerance, s.thorough ? 1 : 0, w, report);
      else
        release_all(m, x, w);
      if (advance(m, x, s.h, w)) break;
      detect_pairs(m, x, w), detect_contacts(m, x, s.h, s.tolerance, w);
    }
    if (m.friction_varies) find_friction(m, true, w);
    detect_end_contacts(m, w);
    certify_at_start(m, s.h, s.tolerance, w);
    if (!w.certificate.converged) {
      if (m.friction_varies) relax_friction(m, true, w);
      continue;
    }
    if (!m.friction_jumps || let_slide(m, s.h, s.tolerance, true, w) == 0) return;
    certify_at_start(m, s.h, s.tolerance, w);  // with what they hold by from now on
  }
}

bool adds_energy(const Model& m, const CoulombSettings& s, Workspace& w);

/// [-] how far stabilisation moved a body, over its size, that has to turn or shift with it what impulses do:
/// arms, normals and inertia.
constexpr double noticed_shift = 2;  // [-] of the tolerance

/// Whether it moved a body that moves, and is pushed or turns, by more.
bool was_shifted(const Model& m, double h, double tolerance, const Workspace& w) {
  const Motions &from = w.before_stabilise, &to = w.next;
  for (std::size_t i = 0; i < to.position.size(); ++i) {
    if (from.position[i] == to.position[i] && from.orientation[i] == to.orientation[i]) continue;
    if (m.mobility[i] != Mobility::free && m.mobility[i] != Mobility::planar) continue;
    const Quat turn = to.orientation[i] * conjugate(from.orientation[i]);
    const double shift =
        norm(to.position[i] - from.position[i]) / m.size[i] + 2 * norm(Vec3{turn.x, turn.y, turn.z});
    const double motion = h * (norm(to.velocity[i]) / m.size[i] + norm(to.spin[i]));
    if (shift > noticed_shift * tolerance && motion > least_motion(tolerance)) return true;
  }
  return false;
}

/// Bodies that nothing pushes and that were turned keep their angular momentum, not their spin.
/// `solved_here`: what the problem gave is the spin of the poses that stay, but for bodies that it does not
/// know.
void keep_momenta(const Model& m, bool solved_here, Workspace& w) {
  for (std::size_t i = 0; i < w.next.position.size(); ++i) {
    const Vec3& d = m.inertia[i];
    if (m.mobility[i] != Mobility::free || (d.x == d.y && d.y == d.z)) continue;
    const Quat &from = w.before_stabilise.orientation[i], &to = w.next.orientation[i];
    const int block = w.problem.islands.empty() ? -1 : w.block_of_body[i];
    const bool pushed = block >= 0 && w.pushed[std::size_t(block)],
               joined = !m.mechanisms.empty() && m.mechanisms.mechanism_of[i] >= 0;
    if (from == to || pushed || joined || (solved_here && block >= 0)) continue;
    const Vec3& spin = w.before_stabilise.spin[i];
    const Vec3 L = world_inertia(d, from) * spin;
    w.next.spin[i] =
        spin + world_inertia({1 / d.x, 1 / d.y, 1 / d.z}, to) * (L - world_inertia(d, to) * spin);
  }
}

/// Contacts at w.next, with frames of the middle for those that last.
void detect_end(const Model& m, const State& x, Workspace& w) {
  detect_end_contacts(m, w);
  take_middle_frames(m, x, w);
  if (m.friction_varies) find_friction(m, false, w);
  move_kept_frames(m, x, w);
}

/// Whether a law is about a gap that is more than a small part of the tolerance, or what presses is apart.
bool has_to_close(double tolerance, const Workspace& w) {
  return std::any_of(w.end_contacts.begin(), w.end_contacts.end(), [&](const WorkContact& c) {
    const double off = c.impulse != Vec3{} ? std::fabs(c.point.gap) : -c.point.gap;
    return !c.gives_way() && off > (c.touches ? may_be_apart : closer) * tolerance * c.size;
  });
}

/// To a small part of the tolerance: a gap that a law is about is one over h in it.
void close_what_presses(const Model& m, const CoulombSettings& s, const State& x, Workspace& w,
                        StepReport& report) {
  w.stabilised = true;
  if (!has_to_close(s.tolerance, w)) return;
  complementarity::SolveReport solved;
  w.close_pressed = true;
  report.stabilisation_passes += stabilise(m, x, closer * s.tolerance, w, solved, few_closer);
  w.close_pressed = false, w.stabilised = true;
  count(solved, report);
}

void remember_unsettled(Workspace& w) {
  Unsettled& u = w.unsettled;
  u.contacts = w.contacts, u.end_contacts = w.end_contacts, u.kept_frames = w.kept_frames;
  u.base = w.base, u.next = w.next, u.before_stabilise = w.before_stabilise, u.mass_pose = w.mass_pose;
  u.stabilised = w.stabilised, u.certificate = w.certificate;
  u.worst = w.bodies.worst, u.unbalanced = w.bodies.unbalanced, u.digits = w.bodies.digits;
}

/// Back to that: its problem is made again, with the impulses it had.
void go_back(const Model& m, const CoulombSettings& s, const State& x, Workspace& w) {
  const Unsettled& u = w.unsettled;
  w.contacts = u.contacts, w.base = u.base, w.mass_pose = u.mass_pose;
  make_problem(m, x, s.h, w);
  apply_impulses(m, w);
  w.end_contacts = u.end_contacts, w.kept_frames = u.kept_frames;
  w.next = u.next, w.before_stabilise = u.before_stabilise;
  w.stabilised = u.stabilised, w.certificate = u.certificate;
  w.bodies.worst = u.worst, w.bodies.unbalanced = u.unbalanced, w.bodies.digits = u.digits;
}

/// Whether a frame that went along with its bodies is no longer where they touch.
bool is_astray(const WorkContact& kept, double tolerance, const Workspace& w) {
  const Vec3 &n = kept.point.normal, apart = kept.point.point_b - kept.point.point_a;
  const double gap = gap_found(kept, w), across = norm(apart - dot(n, apart) * n);
  return std::fmax(std::fmax(std::fabs(gap), std::fabs(kept.point.gap - gap)), across) >
         tolerance * kept.size;
}

/// Whether what misses the tolerance in one certificate misses it in the other by as much.
bool misses_the_same(const Certificate& a, const Certificate& b) {
  const auto same = [&](double p, double q) {
    return std::fmax(p, q) <= a.tolerance || std::fabs(p - q) <= unchanged * std::fmax(p, q);
  };
  return same(a.natural_map_scaled, b.natural_map_scaled) && same(a.body, b.body) &&
         same(a.complementarity_relative, b.complementarity_relative) && same(a.cone, b.cone) &&
         same(a.gap_relative, b.gap_relative) && same(a.dissipation, b.dissipation) &&
         same(a.momentum, b.momentum);
}

/// Contacts that press in such frames do not any more, and are not kept.
void drop_astray(double tolerance, Workspace& w) {
  for (WorkContact& c : w.contacts) {
    if (c.impulse == Vec3{}) continue;
    const WorkContact* own = kept_frame(c.point.key, w);
    if (own != nullptr && is_astray(*own, tolerance, w)) c.impulse = c.moment = {}, c.kept = false;
  }
}

/// Where stabilisation moved bodies, inertia, arms and normals are others than those that the velocities were
/// found with. They are found once more, with those of the poses as they are now: what the step ends with is
/// one motion, whose laws and momenta hold at the poses that everyone sees. False: nothing was done, or it
/// was not solved, which the certificate tells.
template <bool drop>
bool solve_at_stabilised(const Model& m, const CoulombSettings& s, const State& x, Workspace& w,
                         StepReport& report) {
  if (w.end_geometry) return false;
  if (w.stabilised) keep_momenta(m, false, w);
  if (!m.trees.empty() || !m.mechanisms.empty() || !m.laws.empty()) return false;
  if (w.stabilised) move_kept_frames(m, x, w);  // for features that this took away
  // In a frame of an earlier pose; where bodies rest, that is as good as any if it is where they touch.
  const auto is_held = [&](const WorkContact& c) {
    const WorkContact* own = kept_frame(c.point.key, w);
    if (!c.held && (c.impulse == Vec3{} || own == nullptr)) return false;
    double motion = norm(relative_velocity(w.next, c)) / c.size;
    for (const int body : {c.point.key.a, c.point.key.b}) motion += norm(w.next.spin[std::size_t(body)]);
    return s.h * motion > least_motion(s.tolerance) || (own != nullptr && is_astray(*own, s.tolerance, w));
  };
  const auto presses = [](const WorkContact& c) { return c.impulse != Vec3{}; };
  const bool held = std::any_of(w.contacts.begin(), w.contacts.end(), is_held);
  if (w.problem.islands.empty() || std::none_of(w.contacts.begin(), w.contacts.end(), presses)) return false;
  if (!held && (!w.stabilised || !was_shifted(m, s.h, s.tolerance, w))) return false;
  remember_unsettled(w);
  for (WorkContact& c : w.contacts) c.held = false;  // where poses stay, no frame has to
  Certificate last{};
  for (int round = 0; round < most_rounds && !w.stop.asked(); ++round) {
    close_what_presses(m, s, x, w, report);
    detect_end(m, x, w);
    w.found_contacts = w.end_contacts;
    if (drop) drop_astray(s.tolerance, w);
    linearise_at_end(m, x, s.h, s.tolerance, Hold::gone, w);
    w.after_stabilise = w.next;
    ++report.geometry_passes;  // first: what rests was asked for in the passes
    if (choose_contacts(m, s.h, w) > 0)
      solve_here(m, x, s, s.tolerance, s.thorough ? 1 : 0, w, report);
    else
      release_all(m, x, w);
    advance(m, x, s.h, w);
    w.before_stabilise = w.next;
    w.next.position = w.after_stabilise.position, w.next.orientation = w.after_stabilise.orientation;
    keep_momenta(m, true, w);
    w.end_contacts = w.found_contacts;  // poses are what they were
    renew_impulses(w);
    if (m.friction_varies) find_friction(m, false, w);
    move_kept_frames(m, x, w);
    certify(m, s.h, s.tolerance, w), certify_gaps(m, s.tolerance, w);
    // else something presses that did not before, and is not closed
    if (w.certificate.converged || (round > 0 && misses_the_same(w.certificate, last))) break;
    last = w.certificate;
  }
  if (w.certificate.converged && !adds_energy(m, s, w)) {
    report.start_frames = has_kept_frames(s.tolerance, w);
    return true;
  }
  go_back(m, s, x, w);
  w.went_back = true;
  return report.start_frames = true;
}

/// With frames of the start nothing is solved again.
bool keep_momenta_alone(const Model& m, const CoulombSettings&, const State&, Workspace& w, StepReport&) {
  if (w.stabilised && !w.end_geometry) keep_momenta(m, false, w);
  return false;
}

/// Bodies with prescribed motion, belts, motors, joints that close and contacts that give way may give
/// energy: nothing is asked of the islands that they are in -> w.island_driven.
void find_driven(const Model& m, Workspace& w) {
  std::vector<char>& driven = w.island_driven;
  driven.assign(w.problem.islands.size(), 0);
  if (driven.empty()) return;
  const auto drive = [&](int body) {
    if (const int k = body < 0 ? -1 : w.island_of_body[std::size_t(body)]; k >= 0) driven[std::size_t(k)] = 1;
  };
  for (const WorkContact& c : w.contacts)
    for (const int body : {c.point.key.a, c.point.key.b})
      if (c.in_problem && (m.body_kind[std::size_t(body)] == kinematic || c.belt != Vec3{} || c.gives_way()))
        drive(c.point.key.a), drive(c.point.key.b);
  for_driven_linkages(m, w, drive);
  for_driving_laws(m, w, drive);
}

/// Frames of the end of the step may give energy to a body that turns far in one step; those of the start
/// never do, but are not what implicit_geometry promises: there only the books tell. Nor may trees that no
/// contact holds in the end gain more than their part of `most_gain`, as long as steps may be halved.
bool adds_energy(const Model& m, const CoulombSettings& s, Workspace& w) {
  if (w.end_geometry && m.trees.empty()) return false;
  find_driven(m, w);
  if (!m.trees.empty() && !s.thorough && gain_of_free_trees(m, w) > most_gain * s.part) return true;
  const double slack = 1e-12 * given_energy(w);
  for (std::size_t k = 0; k < w.problem.islands.size(); ++k) {
    const complementarity::Island& island = w.problem.islands[k];
    const double free = complementarity::kinetic_energy(w.problem, island, w.problem.v_free.data()),
                 end = complementarity::kinetic_energy(w.problem, island, w.v.data());
    if (!w.island_driven[k] && !w.end_geometry && end > (1 + 1e-12) * free + slack) return true;
  }
  return false;
}

/// w.next = w.free; with no pair in reach nothing will ask for the free motion again.
void start_candidate(Workspace& w) {
  if (w.may_touch) {
    w.next = w.free;
    return;
  }
  swap_alike(w.next.position, w.free.position), swap_alike(w.next.orientation, w.free.orientation);
  swap_alike(w.next.velocity, w.free.velocity), swap_alike(w.next.spin, w.free.spin);
  swap_alike(w.next.joint_position, w.free.joint_position);
  swap_alike(w.next.joint_velocity, w.free.joint_velocity);
}

StepReport unconverged(StepReport r) {
  r.status = StepReport::Status::unconverged, r.converged = false;
  return r;
}

/// Of a shortest part that is known not to be certified with the contacts at the stabilised poses alone:
/// frames of the start, or else those of the passes too, wherever they are.
enum class Frames : unsigned char { unknown, of_start, of_passes };

/// The same with the bodies that w.asleep leaves awake; w.disturbed tells that more have to be.
StepReport attempt_awake(const Model& m, const CoulombSettings& s, const Input& in, const State& x,
                         Workspace& w, Frames frames = Frames::unknown) {
  StepReport report = started();
  w.kept_frames.clear();
  w.went_back = false;
  w.carry = {.end_inertia = !w.end_geometry, .keeps_energy = true};
  w.promises = {.energy = !w.end_geometry, .momentum = !w.end_geometry && m.mechanisms.empty()};
  if (const Obstacle found = begin_step(m, s, in, x, w); found.reason != nullptr)
    return found.may_pass && !s.thorough ? unconverged(report) : refused(found.reason, found.body, report);
  w.may_touch = !w.pairs.empty() || !m.laws.empty();
  start_candidate(w);  // free motion   -> next
  Outcome outcome = frames == Frames::of_start ? Outcome::unsettled : Outcome::settled;
  if (w.may_touch && frames != Frames::of_start) outcome = solve_at_end(m, x, s, w, report);
  if (outcome == Outcome::unsolved) return unconverged(report);
  const bool at_start = outcome == Outcome::unsettled || adds_energy(m, s, w);
  if (at_start) {
    if (!s.thorough) return unconverged(report);
    solve_at_start(m, x, s, w, report);  // pairs         -> r, v+, q+
    if (w.stop.asked()) return unconverged(report);
  }
  report.start_frames = report.start_frames || has_kept_frames(s.tolerance, w);
  const double moving = kinetic_energy_of_trees(m, w);
  const AtStabilised then = at_start                      ? keep_momenta_alone
                            : frames == Frames::of_passes ? solve_at_stabilised<false>
                                                          : solve_at_stabilised<true>;
  report = end_step(m, s, Stabilisation::post, x, w, report, then);
  if (w.went_back && report.converged && !s.thorough) return unconverged(report);
  if (w.went_back && report.converged && frames == Frames::of_passes) {  // nothing of it can be shown to hold
    report = unconverged(report);
    report.reason = unsettled_geometry;
  }
  const bool settled = report.converged && !w.went_back;
  const bool more = !w.end_geometry && !w.disturbed && !w.stop.asked();
  if (s.thorough && !settled && !at_start && frames == Frames::unknown && more &&
      report.status != StepReport::Status::refused) {
    for (const Frames next : {Frames::of_start, Frames::of_passes}) {
      const StepReport before = report;
      report = attempt_awake(m, s, in, x, w, next);
      add_work(before, report);
      if (report.converged || w.disturbed || w.stop.asked()) break;
    }
    return report;
  }
  if (w.end_geometry && outcome == Outcome::unsettled && report.converged) {  // it promises that of the end
    report = unconverged(report);
    report.reason = unsettled_geometry;
  }
  const bool lifted = kinetic_energy_of_trees(m, w) > (1 + most_gain * s.part) * moving,  // by stabilisation
      gained = w.end_geometry && !m.trees.empty() && w.entries.added > most_gain * s.part * w.totals.kinetic;
  return (lifted || gained) && !s.thorough && report.converged ? unconverged(report) : report;
}

/// The whole step of size s.h from the State to w.next, certified and booked, but not accepted.
StepReport attempt_alone(const Model& m, const CoulombSettings& s, const Input& in, const State& x,
                         Workspace& w) {
  begin_sleep(s, x, w);
  StepReport report = attempt_awake(m, s, in, x, w);
  while (w.disturbed) {
    const StepReport before = report;
    w.disturbed = false;
    report = attempt_awake(m, s, in, x, w);
    add_work(before, report);
  }
  if (report.status == StepReport::Status::refused || w.asleep.empty()) return report;
  if (report.converged) report.asleep = fall_asleep(m, s, x, w);
  join_resting_contacts(m, x, s.h, w);
  return report;
}

/// The same after impacts, which change the State.
StepReport attempt(const Model& m, const CoulombSettings& s, const Input& in, State& x, Workspace& w) {
  if (!m.bounces) return attempt_alone(m, s, in, x, w);
  const ImpactsMade made = make_impacts(m, s, in, x, w);
  if (made.obstacle.reason != nullptr) return refused(made.obstacle.reason, made.obstacle.body, started());
  StepReport report =
      (made.again || made.waits) && !s.thorough ? unconverged(started()) : attempt_alone(m, s, in, x, w);
  if (report.status == StepReport::Status::unconverged && !s.thorough) forget_impacts(w, x);
  w.impacts.count.stopped += made.again && s.thorough;
  return report;
}

/// A step that missed the tolerance, made again in two halves, each of which may be halved in turn: what is
/// hard is most often many impacts at once, and shorter steps take them one after the other. `done` and
/// `part` count the shortest steps allowed.
StepReport step_in_parts(const Model& m, const CoulombSettings& s, const Input& in, State& x, Workspace& w,
                         const StepReport& missed) {
  constexpr int whole = 1 << most_halvings;
  StepReport all = started();
  add_work(missed, all);
  all.parts = 0;
  all.status = StepReport::Status::converged, all.converged = true;
  all.certificate.tolerance = s.tolerance, all.certificate.converged = true;
  w.before = x;
  for (int done = 0, part = whole / 2; done < whole;) {
    const double h = s.h * part / whole;
    if (w.stop.asked()) return refused(asked_to_stop, -1, all);
    const StepReport one =
        attempt(m, {h, s.tolerance, s.solver, part == 1, s.sleep, double(part) / whole}, in, x, w);
    add_work(one, all);
    if (one.status == StepReport::Status::refused) {
      x = w.before, w.broken.clear();
      return refused(one.reason, one.worst_body_a, all);
    }
    if (!one.converged && part > 1) {
      part /= 2;
      continue;
    }
    accept(m, h, w, x);
    add_outcome(one, all);
    done += part;
    x.step_count = w.before.step_count, x.time = w.before.time + s.h * done / whole;
    if (done < whole && w.after_part) w.after_part(x);
    part = done & -done;  // as long as halving alone would have made it
  }
  x.step_count = w.before.step_count + 1, x.time = double(x.step_count) * s.h;
  return all;
}

/// What a body bears and what moves it shrink with the step alike: where doubles do not tell its motion they
/// do not in shorter steps either. So the whole step is made once more as if it were the shortest, and
/// accepted if nothing but digits is missing. It counts as missed all the same.
std::optional<StepReport> without_digits(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                                         Workspace& w, const StepReport& missed) {
  if (w.bodies.digits < 0 || !w.promises.body || m.bounces || w.stop.asked()) return {};
  CoulombSettings last = s;
  last.thorough = last.digits_lost = true;
  StepReport report = attempt_alone(m, last, in, x, w);
  if (!report.converged || report.digits_body < 0 || w.stop.asked()) return {};
  add_work(missed, report);
  accept(m, s.h, w, x);
  return report;
}

}  // namespace

StepReport coulomb_step(const Model& m, const CoulombSettings& s, const Input& in, State& x, Workspace& w) {
  w.broken.clear();
  start_impacts(w);
  StepReport report = attempt(m, s, in, x, w);
  if (report.status == StepReport::Status::unconverged) {
    const std::optional<StepReport> last = without_digits(m, s, in, x, w, report);
    report = last ? *last : step_in_parts(m, s, in, x, w, report);
  } else if (report.status == StepReport::Status::converged)
    accept(m, s.h, w, x);  // the only writer of State
  report.broken_joints = int(w.broken.size());
  if (!w.broken.empty())
    report.first_broken_joint = m.mechanisms.constraint[std::size_t(w.broken.front())].joint;
  end_impacts(w, x, report);
  tell_lost_digits(report);
  return report;
}

}  // namespace stiction::step
