#include "stiction/step/contact_step.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "stiction/step/energy_watch.h"
#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/sleep.h"

namespace stiction::step {
namespace {

/// v'M v/2 with the M of the step.
double kinetic_energy(const Workspace& w, const std::vector<double>& v) {
  return complementarity::kinetic_energy(w.problem, v.data()) + given_energy(w);
}

void clear_last_step(const Model& m, double tolerance, Workspace& w) {
  w.body_of_block.clear(), w.moved.clear(), w.problem.clear(), w.end_contacts.clear();
  w.contact_of_row.clear();
  make_room_to_stabilise(w);
  if (!m.mechanisms.empty()) clear_linkages(m, w);
  w.stabilised = false;
  w.soft_error = w.soft_relative = 0;
  w.bodies.worst = w.bodies.unbalanced = w.bodies.digits = -1;
  w.certificate = {};
  w.certificate.tolerance = tolerance, w.certificate.converged = true;
}

/// Contacts of the problem; their turning blocks do not count.
int contacts_in(const std::vector<int>& contact_of_row) {
  int count = 0, last = -1;
  for (const int i : contact_of_row) {
    count += i >= 0 && i != last;
    last = i;
  }
  return count;
}

}  // namespace

int first_not_finite(const Motions& q) {
  for (std::size_t i = 0; i < q.position.size(); ++i) {
    const Vec3 &p = q.position[i], &v = q.velocity[i], &s = q.spin[i];
    const Quat& o = q.orientation[i];
    // times zero: 0 for every finite number, NaN for the others
    const double sum = 0.0 * (p.x + p.y + p.z + v.x + v.y + v.z + s.x + s.y + s.z + o.w + o.x + o.y + o.z);
    if (sum != 0 && !(is_finite(p) && is_finite(o) && is_finite(v) && is_finite(s))) return int(i);
    if (std::isnan(sum)) return int(i);
  }
  return -1;
}

StepReport started() {
  StepReport r;
  r.parts = 1;
  r.contacts = r.islands = r.geometry_passes = r.stabilisation_passes = 0;
  r.solver_iterations = r.factorisations = r.escalations = 0;
  return r;
}

StepReport refused(const char* reason, int body, StepReport r) {
  r.status = StepReport::Status::refused, r.converged = false;
  r.reason = reason, r.worst_body_a = body;
  return r;
}

void count(const complementarity::SolveReport& s, StepReport& r) {
  bool used_nsgs = std::string_view(r.solver).starts_with("nsgs");
  bool used_newton = std::string_view(r.solver).ends_with("newton");
  r.solver_iterations += s.iterations, r.factorisations += s.factorisations, r.escalations += s.escalations;
  used_nsgs |= s.used_nsgs, used_newton |= s.used_newton;
  if (std::string_view(r.solver).starts_with("lemke")) return;  // the step's own, not that of stabilise()
  r.solver = used_nsgs && used_newton ? "nsgs+newton" : used_nsgs ? "nsgs" : used_newton ? "newton" : "none";
}

void add_work(const StepReport& one, StepReport& all) {
  all.geometry_passes += one.geometry_passes, all.stabilisation_passes += one.stabilisation_passes;
  all.solver_iterations += one.solver_iterations, all.factorisations += one.factorisations;
  all.escalations += one.escalations;
  if (std::string_view(one.solver) != "none" && std::string_view(all.solver) != one.solver)
    all.solver = std::string_view(all.solver) == "none" ? one.solver : "nsgs+newton";
}

void add_outcome(const StepReport& part, StepReport& all) {
  Certificate& c = all.certificate;
  if (part.certificate.body >= c.body) all.off_body = part.off_body, all.off_partner = part.off_partner;
  for (const auto field :
       {&Certificate::gap, &Certificate::gap_relative, &Certificate::joint, &Certificate::cone,
        &Certificate::complementarity, &Certificate::complementarity_relative, &Certificate::dissipation,
        &Certificate::natural_map, &Certificate::natural_map_scaled, &Certificate::impact, &Certificate::body,
        &Certificate::momentum, &Certificate::energy})
    c.*field = std::fmax(c.*field, part.certificate.*field);
  all.parts += 1;
  all.asleep = part.asleep;
  all.digits_body = std::max(all.digits_body, part.digits_body);
  all.contacts = std::max(all.contacts, part.contacts), all.islands = std::max(all.islands, part.islands);
  all.start_frames |= part.start_frames;
  if (all.parts == 1 || part.kinetic_end * all.kinetic_free > all.kinetic_end * part.kinetic_free)
    all.kinetic_free = part.kinetic_free, all.kinetic_end = part.kinetic_end;
  if (part.converged) return;
  c.converged = all.converged = false, all.status = StepReport::Status::unconverged;
  all.reason = part.reason, all.worst_body_a = part.worst_body_a, all.worst_body_b = part.worst_body_b;
}

void tell_lost_digits(StepReport& r) {
  if (r.digits_body < 0 || r.status != StepReport::Status::converged) return;
  r.status = StepReport::Status::unconverged, r.converged = r.certificate.converged = false;
  r.reason = lost_digits, r.worst_body_a = r.digits_body, r.worst_body_b = -1;
}

Obstacle begin_step(const Model& m, const CoulombSettings& s, const Input& in, const State& x, Workspace& w) {
  const bool usual = w.carry.theta == 1 && !w.carry.angles;
  sum_forces(m, x, in, s.h, w);  // state, input  -> impulses by cause
  wake_pushed(m, x, w);
  if (!m.mechanisms.empty())  // joints        -> motion of mechanisms
    if (const int i = flow_mechanisms(m, x, in, s.h, s.tolerance, w); i >= 0)
      return {"joints cannot be held", i, true};
  free_motion(m, x, s.h, w);  // v + h M^-1 f  -> free motion
  if (!usual) carry_free(m, x, s.h, w);
  if (const int i = finite(w.books) ? -1 : first_not_finite(w.free); i >= 0)
    return {"motion is not finite", i};
  clear_last_step(m, s.tolerance, w);
  start_laws(m, x, s.h, s.tolerance, w);
  first_reach(m, x, s.h, w);
  w.crowd = {};
  detect_pairs(m, x, w);  // reach         -> pairs
  while (w.disturbed) {
    w.disturbed = false;
    for (const int body : w.woken) move_alone(m, x, s.h, std::size_t(body), w);
    first_reach(m, x, s.h, w);
    detect_pairs(m, x, w);
  }
  detect_contacts(m, x, s.h, s.tolerance, w);  // start pose    -> gaps, normals, laws, last impulses
  if (w.crowd.bodies > 0) return {too_crowded, w.crowd.body, true};  // bodies reach less far in shorter ones
  return {};
}

void make_problem(const Model& m, const State& x, double h, Workspace& w) {
  if (!m.trees.empty()) stop_flows(m, x, h, w);
  if (!m.mechanisms.empty()) stop_mechanisms(m, x, h, w), linearise_joints(m, x, h, w);
  if (!m.laws.empty()) linearise_laws(m, h, w);
  assemble(m, x, h, w);
  set_body_scales(m, h, w);
}

void release_all(const Model& m, const State& x, Workspace& w) {
  release_bodies(m, w);
  if (!m.mechanisms.empty()) resume_flows(m, x, w);
  w.trees.carried = w.trees.drifted;
}

StepReport end_step(const Model& m, const CoulombSettings& s, Stabilisation stabilisation, const State& x,
                    Workspace& w, StepReport report, AtStabilised then) {
  if (w.crowd.bodies > 0) return refused(too_crowded, w.crowd.body, report);
  if (!w.problem.islands.empty())
    report.kinetic_free = kinetic_energy(w, w.problem.v_free), report.kinetic_end = kinetic_energy(w, w.v);
  watch_contacts(m, x, s.h, w);
  complementarity::SolveReport stabilised;
  if (stabilisation == Stabilisation::post)
    report.stabilisation_passes = stabilise(m, x, s.tolerance, w, stabilised);  // overlap left -> next
  if (report.stabilisation_passes > 0) count(stabilised, report);
  if (then != nullptr && then(m, s, x, w, report)) {
    watch_contacts(m, x, s.h, w);
    if (!w.problem.islands.empty())
      report.kinetic_free = kinetic_energy(w, w.problem.v_free), report.kinetic_end = kinetic_energy(w, w.v);
  }
  certify_gaps(m, s.tolerance, w);
  if (const int i = w.may_touch ? first_not_finite(w.next) : -1; i >= 0)
    return refused("motion is not finite", i, report);

  settle(m, x, s.h, w);  // -> entries, totals of the ledger
  watch_step(m, x, std::fmax(0.0, report.kinetic_free), w);
  if (const auto i = not_bookable(m, x, w)) return refused("the energy is not finite", *i, report);
  list_what_pressed(m, s.h, w);  // in frames that are gone: to be shown, and blamed
  make_room_to_stabilise(w);     // what grew in this step leaves nothing to allocate for the next
  report.certificate = w.certificate;
  report.contacts = contacts_in(w.contact_of_row), report.islands = int(w.problem.islands.size());
  report.converged = w.certificate.converged;
  report.status = report.converged ? StepReport::Status::converged : StepReport::Status::unconverged;
  report.digits_body = w.promises.body ? w.bodies.digits : -1;
  report.off_body = w.bodies.worst;
  report.off_partner = w.bodies.worst < 0 ? -1 : w.bodies.accounts[std::size_t(w.bodies.worst)].partner;
  if (!report.converged) blame(w, report), blame_energy(w, report);
  return report;
}

}  // namespace stiction::step
