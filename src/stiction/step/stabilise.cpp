// Post-stabilisation: overlap that is left (from the start of the step, from an edit, or from the curvature
// of the motion) is removed by the smallest move in the metric of the mass matrix, as a complementarity
// problem in positions:
//     M dq = N^T lambda,   0 <= lambda  _|_  gap + N dq >= 0      over all near contacts, not only the deep
//     ones
// repeated with new geometry until no overlap exceeds the tolerance. The first passes also close contacts
// that are pressed together and came apart (gap + N dq = 0), as long as that gains: bodies wedged where they
// only just fit close by a factor of four a pass; where there are too many contacts to close, they are closed
// as far as it goes, and where they contradict each other, so that closing would fling a body away, not.
// Passes that go on remember where they found overlaps. What gives way keeps its overlap. Velocities stay as
// they are; the energy of the move is booked under `stabilisation`. Reference: Cline and Pai (2003), section
// V.
#include <algorithm>
#include <cmath>

#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

constexpr int closing_passes = 4;      // at least
constexpr int first_cut = 2;           // pass from which on overlaps are remembered
constexpr double finest_moves = 1e-6;  // [-] moves are found to the tolerance, but not below this
constexpr double closing_gain = 0.9;   // [-] of the worst gap: if less is left, closing goes on
// Closing that moves a body by more than that many times the worst gap, and by more than that part of its
// size
// [-], contradicts itself. (What lies along an edge moves with the root of the gap.)
constexpr double most_lever = 100, least_fling = 0.1;

/// Where all laws are on gaps at the end of the step, these stay as they are.
bool closes(const Workspace& w, const WorkContact& c) { return c.bears && !w.end_geometry; }

/// [-] overlap over size; `either`: for contacts that bear the gap of either sign.
double worst_gap(const Workspace& w, bool either) {
  double worst = 0;
  for (const WorkContact& c : w.end_contacts)
    if (!c.gives_way())
      worst = std::fmax(worst, (either && closes(w, c) ? std::fabs(c.point.gap) : -c.point.gap) / c.size);
  return worst;
}

/// Overlaps of this pass, for the next ones: where a body is all but flat its lowest point runs round, and
/// with the last place of it alone the passes would chase it. Surfaces are convex: points that met are to
/// stay apart along the normal they met with, whatever else is found.
void remember_overlaps(double tolerance, Workspace& w) {
  for (const WorkContact& c : w.end_contacts) {
    if (c.gives_way() || c.point.gap > -0.5 * tolerance * c.size) continue;
    const auto a = std::size_t(c.point.key.a), b = std::size_t(c.point.key.b);
    w.cuts.push_back({c, rotate_back(w.next.orientation[a], c.point.point_a - w.next.position[a]),
                      rotate_back(w.next.orientation[b], c.point.point_b - w.next.position[b])});
  }
}

/// What was remembered, at the poses of now -> w.contacts.
void add_cuts(Workspace& w) {
  for (const Cut& cut : w.cuts) {
    WorkContact c = cut.contact;
    const auto a = std::size_t(c.point.key.a), b = std::size_t(c.point.key.b);
    c.arm[0] = rotate(w.next.orientation[a], cut.on_a), c.arm[1] = rotate(w.next.orientation[b], cut.on_b);
    c.point.point_a = w.next.position[a] + c.arm[0], c.point.point_b = w.next.position[b] + c.arm[1];
    c.point.gap = dot(c.point.normal, c.point.point_b - c.point.point_a);
    c.bears = false;
    w.contacts.push_back(c);
  }
}

/// The contact problem of the end of the step becomes a frictionless one in position changes.
void position_problem(const Model& m, bool close, Workspace& w) {
  std::fill(w.problem.v_free.begin(), w.problem.v_free.end(), 0.0);
  for (std::size_t row = 0; row < w.problem.contacts.size(); ++row) {
    complementarity::ContactRows& rows = w.problem.contacts[row];
    if (w.contact_of_row[row] < 0) continue;
    const WorkContact& c = w.contacts[std::size_t(w.contact_of_row[row])];
    rows.mu = 0;
    rows.kind = close && closes(w, c) ? complementarity::RowKind::equality : complementarity::RowKind::cone;
    rows.b[0] = c.point.gap, rows.b[1] = rows.b[2] = 0;
    for (const bool second : {false, true})
      if (const int body = second ? c.point.key.b : c.point.key.a; linkage_of(m, body) >= 0)
        rows.b[0] += (second ? 1 : -1) * dot(c.point.normal, given_velocity(m, w, body, c.arm[second]));
  }
  std::fill(w.r.begin(), w.r.end(), 0.0);
}

void move_body(const Model& m, int body, const Vec3& shift, const Vec3& turn, Workspace& w) {
  const auto i = std::size_t(body);
  w.next.position[i] += shift;
  if (m.mobility[i] != Mobility::particle)
    w.next.orientation[i] = normalized(cayley(turn) * w.next.orientation[i]);
}

void move_bodies(const Model& m, Workspace& w) {
  if (!m.mechanisms.empty()) take_solution(w);
  for (const int body : w.moved) {
    const auto i = std::size_t(body);
    if (linkage_of(m, body) >= 0) {
      const constraints::Twist by = motion_of(m, w, body);
      move_body(m, body, by.linear, by.angular, w);
      continue;
    }
    const double* d = w.v.data() + 6 * w.block_of_body[i];
    Vec3 shift{d[0], d[1], d[2]}, turn{d[3], d[4], d[5]};
    if (m.mobility[i] == Mobility::planar) {
      Vec3 e1, e2;
      tangents(m.plane_normal[i], e1, e2);
      shift = d[0] * e1 + d[1] * e2, turn = d[2] * m.plane_normal[i];
    }
    move_body(m, body, shift, turn, w);
  }
  if (!m.trees.empty()) shift_trees(m, w);
}

/// [-] The largest move of a body since w.base: shift over size, or half of the turn.
double farthest_move(const Model& m, const Workspace& w) {
  double farthest = 0;
  for (std::size_t i = 0; i < m.size.size(); ++i) {
    if (m.body_kind[i] != dynamic) continue;
    const Quat turn = w.next.orientation[i] * conjugate(w.base.orientation[i]);
    farthest = std::fmax(farthest, norm(w.next.position[i] - w.base.position[i]) / m.size[i]);
    farthest = std::fmax(farthest, norm(Vec3{turn.x, turn.y, turn.z}));
  }
  return farthest;
}

void take_back(const Model& m, Workspace& w) {
  w.next = w.base;
  if (!m.trees.empty()) follow_joints(m, w.trees.end, w.next);
}

/// Calls f(array of the problem, the same of the step's own problem).
template <class F>
void for_problem_arrays(Workspace& w, const F& f) {
  complementarity::FrictionProblem &p = w.problem, &q = w.step_problem;
  f(p.A, q.A), f(p.A_inverse, q.A_inverse), f(p.v_free, q.v_free);
  f(p.contacts, q.contacts), f(p.islands, q.islands);
  f(w.body_of_block, w.step_body_of_block), f(w.contact_of_row, w.step_contact_of_row);
  f(w.island_of_body, w.step_island_of_body), f(w.block_of_body, w.step_block_of_body);
  f(w.velocity_scale, w.step_velocity_scale);
  f(p.wide, q.wide), f(p.wide_rows, q.wide_rows), f(p.wide_A, q.wide_A);
  f(p.wide_G, q.wide_G), f(p.wide_Y, q.wide_Y);
  f(w.trees.block_of_tree, w.trees.step_block_of_tree);
  f(w.moved, w.step_moved), f(w.joint_gradient, w.step_joint_gradient);
}

void swap_problem(Workspace& w) {
  for_problem_arrays(w, [](auto& a, auto& b) { a.swap(b); });
}

/// Impulses belong to the frames they were found in: lasting contacts keep theirs, their gaps are the new
/// ones.
void keep_frames(Workspace& w) {
  auto kept = w.step_end_contacts.begin();
  for (WorkContact& c : w.end_contacts) {
    while (kept != w.step_end_contacts.end() && kept->point.key < c.point.key) ++kept;
    if (kept == w.step_end_contacts.end()) break;
    if (kept->point.key != c.point.key) continue;
    c.point.normal = kept->point.normal, c.middle = kept->middle;
    std::copy(kept->tangent, kept->tangent + 2, c.tangent);
    std::copy(kept->arm, kept->arm + 2, c.arm);
    c.stretch = kept->stretch, c.belt = kept->belt, c.mu = kept->mu;
  }
}

/// Moves what has to be moved. False if that was not found to the solver's tolerance.
bool move_apart(const Model& m, double tolerance, bool close, Workspace& w,
                complementarity::SolveReport& solved) {
  position_problem(m, close, w);
  const complementarity::SolveReport one = complementarity::solve(
      w.problem, {.tolerance = std::fmax(finest_moves, tolerance), .tries = 1, .stop = w.stop}, w.team,
      w.solver, w.r);
  solved.iterations += one.iterations, solved.factorisations += one.factorisations;
  solved.escalations += one.escalations;
  solved.used_nsgs |= one.used_nsgs, solved.used_newton |= one.used_newton;
  for (const complementarity::Island& island : w.problem.islands)
    complementarity::velocities_from(w.problem, island, w.r.data(), w.v.data());
  move_bodies(m, w);
  return one.converged;
}

bool joints_apart(const Model& m, double tolerance, const Workspace& w) {
  double worst = 0;
  return !m.mechanisms.empty() && worst_joint(m, w.next, w, worst) > tolerance;
}
bool beyond_limits(const Model& m, double tolerance, const Workspace& w) {
  double worst = 0;
  return !m.laws.empty() && worst_law(m, w.next, w, worst) > tolerance;
}

}  // namespace

void make_room_to_stabilise(Workspace& w) {
  for_problem_arrays(w, [](auto& a, auto& b) { grow_alike(a, b); });
  w.kept_frames.reserve(w.contacts.capacity()), w.found_contacts.reserve(w.end_contacts.capacity());
  if (w.after_stabilise.position.size() < w.next.position.size())
    w.after_stabilise = w.before_stabilise = w.unsettled.base = w.unsettled.next =
        w.unsettled.before_stabilise = w.next;
  w.unsettled.mass_pose.reserve(w.mass_pose.size());
  w.unsettled.contacts.reserve(w.contacts.capacity()), w.unsettled.kept_frames.reserve(w.contacts.capacity());
  w.unsettled.end_contacts.reserve(w.end_contacts.capacity());
  w.step_contacts.reserve(w.contacts.capacity()), w.step_end_contacts.reserve(w.end_contacts.capacity());
}

int stabilise(const Model& m, const State& x, double tolerance, Workspace& w,
              complementarity::SolveReport& solved, int most) {
  w.stabilised = false;
  find_bearing(w);
  const bool apart = joints_apart(m, tolerance, w);
  if (worst_gap(w, true) <= 0.5 * tolerance && !apart && !beyond_limits(m, tolerance, w)) return 0;
  // the step's own problem, contacts and impulses are still needed to certify and settle
  w.step_contacts = w.contacts, w.step_end_contacts = w.end_contacts, w.step_base = w.base,
  w.step_mass_pose = w.mass_pose, w.step_laws = w.laws;
  w.before_stabilise = w.next;
  int passes = 0;
  if (apart) {
    pull_together(m, w.next, w);
    detect_end_contacts(m, w), find_bearing(w);
    ++passes;
  }
  swap_problem(w);
  double last = 1e300;  // [-] worst gap before the pass before
  w.cuts.clear();
  for (bool close = true; passes < most && !w.stop.asked(); ++passes) {
    const double worst = worst_gap(w, true);
    close = close && (passes < closing_passes || worst <= closing_gain * last);
    if (worst_gap(w, close) <= 0.5 * tolerance && !joints_apart(m, tolerance, w) &&
        !beyond_limits(m, 0.5 * tolerance, w))
      break;
    last = worst;
    w.contacts = w.end_contacts;
    if (passes > first_cut) add_cuts(w);
    if (passes >= first_cut) remember_overlaps(tolerance, w);
    for (WorkContact& c : w.contacts) c.in_problem = !c.gives_way(), c.middle = false, c.spin = c.rolling = 0;
    w.base = w.next, w.mass_pose = w.next.orientation;
    w.body_of_block.clear(), w.moved.clear();  // nothing to release: w.next stays
    std::fill(w.trees.block_of_tree.begin(), w.trees.block_of_tree.end(), -1);
    if (!m.mechanisms.empty()) linearise_positions(m, w);
    if (!m.laws.empty()) linearise_limits(m, w);
    assemble(m, x, 1.0, w);
    bool found = move_apart(m, tolerance, close, w, solved);
    const double far = std::fmax(most_lever * worst, least_fling);
    if (close && farthest_move(m, w) > far) {
      take_back(m, w);
      close = false, found = move_apart(m, tolerance, close, w, solved);
    }
    const bool flung = !found && farthest_move(m, w) > far;
    if (flung) take_back(m, w);
    w.contacts = w.step_contacts;  // impulses are carried over by key
    if (flung) break;
    detect_end_contacts(m, w), find_bearing(w);
  }
  swap_problem(w);
  w.base = w.step_base, w.mass_pose = w.step_mass_pose, w.laws = w.step_laws;
  w.stabilised = true;
  keep_frames(w);
  return passes;
}

}  // namespace stiction::step
