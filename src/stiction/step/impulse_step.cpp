#include "stiction/step/impulse_step.h"

#include <algorithm>
#include <cmath>

#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"

namespace stiction::step {
namespace {

/// [-] Sine of the angle below which two directions are one.
constexpr double parallel = 1e-9;

/// The normal of the plane that all moving bodies of a contact stay in, if the contact's normal is in it too;
/// else 0.
Vec3 common_plane(const Model& m, const WorkContact& c) {
  Vec3 plane;
  for (const int body : {c.point.key.a, c.point.key.b}) {
    const auto i = std::size_t(body);
    if (m.mobility[i] == Mobility::none) continue;
    if (m.mobility[i] != Mobility::planar) return {};
    if (plane != Vec3{} && norm(cross(plane, m.plane_normal[i])) > parallel) return {};
    plane = m.plane_normal[i];
  }
  return std::fabs(dot(plane, c.point.normal)) <= parallel ? plane : Vec3{};
}

bool touches_under(NormalLaw law, const WorkContact& c) {
  return law == NormalLaw::velocity || (law == NormalLaw::arrival && c.point.gap <= 0);
}

void orient_one(const Model& m, NormalLaw law, const Motions& at, WorkContact& c) {
  if (c.stretch == 1) {  // else they follow a grain
    const Vec3& n = c.point.normal;
    const Vec3 plane = common_plane(m, c);
    const Vec3 across = cross(plane != Vec3{} ? plane : Vec3{0, 0, 1}, n);
    c.tangent[0] = norm(across) > parallel ? normalized(across) : Vec3{1, 0, 0};
    c.tangent[1] = cross(n, c.tangent[0]);
  }
  c.arm[0] = c.point.point_a - at.position[std::size_t(c.point.key.a)];
  c.arm[1] = c.point.point_b - at.position[std::size_t(c.point.key.b)];
  c.touches = touches_under(law, c);
  c.allowed = 0, c.middle = c.kept = c.held = c.in_problem = false;
}

/// Where a contact is in w.contacts, which is sorted, or would be.
std::vector<WorkContact>::iterator place_of(const WorkContact& c, Workspace& w) {
  return std::lower_bound(
      w.contacts.begin(), w.contacts.end(), c,
      [](const WorkContact& a, const WorkContact& b) { return a.point.key < b.point.key; });
}

/// [-] of the tolerated overlap: bodies that come nearer by less in a step are still.
constexpr double still = 1e-3;

/// Contacts with a law on velocities leave the problem where no contact of bodies that hang together closes:
/// their impulses are zero, and a solver would look for the digits of round-off.
void drop_still(const Model& m, const CoulombSettings& s, Workspace& w) {
  if (!m.mechanisms.empty() || !m.laws.empty()) return;  // which may set them in motion
  std::vector<int>& moved = w.island_root;               // 1 = something closes there; assemble() begins anew
  moved.assign(std::size_t(m.body_count()), 0);
  const auto mark = [&](const WorkContact& c) {
    bool any = false;
    for (const int body : {c.point.key.a, c.point.key.b}) {
      if (!can_move(m, body)) continue;
      int& own = moved[std::size_t(owner_of(m, body))];
      any |= own == 0, own = 1;
    }
    return any;
  };
  const auto is_marked = [&](const WorkContact& c) {
    for (const int body : {c.point.key.a, c.point.key.b})
      if (can_move(m, body) && moved[std::size_t(owner_of(m, body))] != 0) return true;
    return false;
  };
  bool grows = false;
  for (const WorkContact& c : w.contacts)
    if (c.in_problem && (!c.touches || dot(c.point.normal, relative_velocity(w.free, c)) + c.lag.x <
                                           -still * s.tolerance * c.size / s.h))
      grows |= mark(c);
  while (grows) {
    grows = false;
    for (const WorkContact& c : w.contacts)
      if (c.in_problem && is_marked(c)) grows |= mark(c);
  }
  for (WorkContact& c : w.contacts) c.in_problem = c.in_problem && is_marked(c);
}

constexpr int most_passes = 40;    // [-] of nonlinear methods
constexpr double settled = 1e-13;  // [-] change of a pose, in sizes and radians, that ends them
constexpr int first_halved = 3;    // [-] passes from which on those that settle slowly go half the way,
constexpr int first_mixed = 6;     // and from which on a mixture of the last ones (mix_passes)
constexpr double slow = 0.5;       // [-] of the change of the pass before
constexpr int most_rounds = 20;    // [-] of the active set
constexpr double violated = 0.1;   // [-] of the tolerated overlap

/// The candidate becomes the pose of the problem: its contacts, its M.
void linearise_there(Workspace& w) {
  swap_alike(w.contacts, w.end_contacts);
  w.trees.carried.swap(w.trees.carried_next);
  w.base = w.next, w.mass_pose = w.next.orientation;
}

/// [-] the deepest overlap at q+ among contacts that are not part of the problem, which they join.
double add_violated(const Model& m, const CoulombSettings& s, NormalLaw law, Workspace& w) {
  double worst = 0;
  for (const WorkContact& c : w.end_contacts)
    if (c.point.gap < -violated * s.tolerance * c.size && take_in(m, c, w.next, s.h, law, w))
      worst = std::fmax(worst, -c.point.gap / c.size);
  return worst;
}

/// [-] how far apart two candidates are, over all bodies.
double change_of(const Model& m, const Motions& a, const Motions& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    if (m.mobility[i] == Mobility::none) continue;
    const double size = m.size[i] > 0 ? m.size[i] : 1.0;
    const Quat turn = a.orientation[i] * conjugate(b.orientation[i]);
    const double chord = 2 * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    most = std::fmax(most, std::fmax(norm(a.position[i] - b.position[i]) / size, chord));
  }
  return most;
}

/// The problem at the present w.base, with all contacts that its solution violates; as solve_passes().
double solve_here(const Model& m, const State& x, const CoulombSettings& s, const Passes& how, int& restarts,
                  Workspace& w, StepReport& report) {
  double residual = 0, left = 0;
  for (int round = 0; round < most_rounds && !w.stop.asked(); ++round) {
    residual = solve_polygons(m, x, s, w, report);
    if (std::isinf(residual)) return residual;
    if (!move_on(m, x, s, restarts, w)) return -1;
    left = how.checks ? add_violated(m, s, how.joins, w) : 0.0;
    if (left == 0) return residual;
  }
  return std::fmax(residual, left);
}

void count(const complementarity::PolyhedralReport& s, StepReport& r) {
  r.solver_iterations += s.pivots + s.round_iterations, r.factorisations += s.factorisations;
  r.escalations += s.escalations;
  r.solver = s.round_iterations > 0 ? "lemke+newton" : "lemke";
}

}  // namespace

void look_there(const Model& m, Workspace& w) {
  detect_end_contacts(m, w);
  swap_alike(w.contacts, w.end_contacts);
  w.base = w.next;
  w.next = w.free;
}

void orient(const Model& m, NormalLaw law, Workspace& w) {
  for (WorkContact& c : w.contacts) orient_one(m, law, w.base, c);
}

WorkContact* same_of(const WorkContact& c, Workspace& w) {
  const auto place = place_of(c, w);
  return place != w.contacts.end() && place->point.key == c.point.key ? &*place : nullptr;
}

bool take_in(const Model& m, const WorkContact& found, const Motions& at, double h, NormalLaw law,
             Workspace& w) {
  if (WorkContact* same = same_of(found, w); same != nullptr) {
    const bool is_new = !same->in_problem && !same->idle;
    if (is_new) same->in_problem = true, same->touches = touches_under(law, *same);
    return is_new;
  }
  WorkContact c = found;
  orient_one(m, law, at, c);
  // the gap there, carried back to the pose of the others
  c.point.gap -= h * dot(c.point.normal, relative_velocity(at, c) - relative_velocity(w.base, c));
  c.in_problem = true, c.touches = touches_under(law, c);
  w.contacts.insert(place_of(c, w), c);
  return true;
}

int settle_set(const Model& m, Workspace& w) {
  int count = choose_laws(m, w);
  for (WorkContact& c : w.contacts) {
    count += c.in_problem;
    if (!c.in_problem) c.impulse = {};
  }
  return count;
}

double solve_polygons(const Model& m, const State& x, const CoulombSettings& s, Workspace& w,
                      StepReport& report) {
  if (settle_set(m, w) == 0) {
    release_all(m, x, w);
    return 0;
  }
  complementarity::PolyhedralReport solved;
  do {
    make_problem(m, x, s.h, w);
    solved = complementarity::solve_polyhedral(
        w.problem, {.directions = s.directions, .tolerance = 0.01 * s.tolerance, .stop = w.stop}, w.team,
        w.polyhedral, w.r);
    count(solved, report);
    apply_impulses(m, w);
  } while (!w.stop.asked() && add_violated_laws(m, s.h, s.tolerance, w) > 0);
  for (std::size_t k = 0; k < w.problem.islands.size(); ++k)  // the certificate's unit is that of the problem
    w.velocity_scale[k] = complementarity::speed_unit(w.problem, w.problem.islands[k]);
  return solved.residual;
}

void solve_cones(const Model& m, const State& x, const CoulombSettings& s, Workspace& w, StepReport& report) {
  drop_still(m, s, w);
  if (settle_set(m, w) == 0) return release_all(m, x, w);
  do {
    make_problem(m, x, s.h, w);
    step::count(complementarity::solve(w.problem,
                                       {.tolerance = 1e-3 * s.tolerance,
                                        .finest = 1e-3 * s.tolerance,
                                        .solver = s.solver,
                                        .last_resort = true,
                                        .stop = w.stop},
                                       w.team, w.solver, w.r),
                report);
    apply_impulses(m, w);
  } while (!w.stop.asked() && add_violated_laws(m, s.h, s.tolerance, w) > 0);
}

bool move_on(const Model& m, const State& x, const CoulombSettings& s, int& restarts, Workspace& w) {
  const bool inside = advance(m, x, s.h, w);
  if (!inside && restarts < most_restarts) {
    ++restarts;
    detect_pairs(m, x, w), detect_contacts(m, x, s.h, s.tolerance, w);
    return false;
  }
  detect_end_contacts(m, w);
  return true;
}

double solve_passes(const Model& m, const State& x, const CoulombSettings& s, const Passes& how,
                    int& restarts, Workspace& w, StepReport& report) {
  report.geometry_passes = 1;
  w.mixing.known = false;
  double last = 1e300;
  double residual = solve_here(m, x, s, how, restarts, w, report);
  // where nothing had to be solved the motion is free, whatever the frames are
  while (s.nonlinear && residual >= 0 && !std::isinf(residual) && !w.problem.islands.empty()) {
    const double trees = m.trees.empty() ? 0.0 : carry_trees(m, x, s.h, w);
    const double change = std::fmax(trees, change_of(m, w.next, w.base));
    if (change <= settled) break;
    if (report.geometry_passes == most_passes) return std::fmax(residual, change);
    if (report.geometry_passes >= first_halved && change > slow * last) {
      mix_passes(m, report.geometry_passes >= first_mixed, w);
      if (!move_on(m, x, s, restarts, w)) return -1;
    }
    last = change, ++report.geometry_passes;
    linearise_there(w), how.choose_again(m, w);
    residual = solve_here(m, x, s, how, restarts, w, report);
  }
  return residual;
}

StepReport finish(const Model& m, const CoulombSettings& s, State& x, Workspace& w, StepReport report) {
  // overlap is removed, gaps are left alone: none of these methods has a contact touch at its end
  for (WorkContact& c : w.contacts) c.touches = false;
  for (WorkContact& c : w.end_contacts) c.touches = false;
  report = end_step(m, s, s.stabilisation, x, w, report);
  if (report.status == StepReport::Status::refused) return report;
  tell_lost_digits(report);
  w.broken.clear();
  accept(m, s.h, w, x);
  report.broken_joints = int(w.broken.size());
  if (!w.broken.empty())
    report.first_broken_joint = m.mechanisms.constraint[std::size_t(w.broken.front())].joint;
  return report;
}

}  // namespace stiction::step
