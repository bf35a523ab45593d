// From event to event. A step of size h is made of stretches; each is flown to its end or to the first impact
// in it, whichever comes first:
//
//     look     pairs in reach, contacts at the start of the stretch
//     hit      some are closed and approach: their impacts (event_impacts.cpp), then look again
//     hold     those that are closed and stay so: they last, and are held
//     fly      to the first gap that becomes negative, located to round-off (event_flight.cpp)
//
// Impacts act on the located state as it is: nothing is projected, which would cost energy. Each stretch and
// each impact is certified, booked and accepted by itself; the step reports the worst certificate, and in
// `parts` how many stretches it took. Nothing but the State goes from step to step.
//
// When it fails: a step with more than most_events events is refused. Lasting contacts are of first order in
// h where trees turn in them; bodies that nothing holds move by their scheme too as long as something lasts
// anywhere: exact in a uniform field, else of second order.
#include "stiction/step/event_driven.h"

#include <algorithm>
#include <cmath>

#include "stiction/step/impacts.h"
#include "stiction/step/impulse_step.h"
#include "stiction/step/smooth.h"

namespace stiction::step {
namespace {

constexpr int most_events = 10000;  // [-] in a step: impacts, or pieces of flight

/// Reactions of a part of the step, with their shares [-] in its mean, behind each other: links, planes.
void add_reactions(const State& x, double of_links, double of_planes, std::vector<SpatialForce>& sum) {
  std::size_t at = 0;
  for (const SpatialForce& r : x.link_reaction)
    sum[at++] += SpatialForce{of_links * r.torque, of_links * r.force};
  for (const SpatialForce& r : x.plane_reaction)
    sum[at++] += SpatialForce{of_planes * r.torque, of_planes * r.force};
}

/// Stretch or impact of w.next -> State, at `done` [s] of the step.
void take(const EventStep& e, double length, double done, State& x) {
  accept(e.m, length, e.w, x);
  x.step_count = e.w.before.step_count, x.time = e.w.before.time + done;
}

/// The flight to w.next, without contacts that last: certificate, books.
StepReport settle_flight(const EventStep& e, const State& x, double time) {
  Workspace& w = e.w;
  StepReport report = started();
  if (const int i = first_not_finite(w.next); i >= 0) return refused("motion is not finite", i, report);
  for (WorkContact& c : w.end_contacts) c.impulse = {}, c.touches = false;
  w.certificate = {}, w.promises = {};
  w.bodies.worst = w.bodies.unbalanced = w.bodies.digits = -1;
  w.certificate.tolerance = e.s.tolerance;
  w.soft_error = w.soft_relative = 0;
  w.problem.clear();
  certify_gaps(e.m, e.s.tolerance, w);
  settle_smooth(e.m, x, time, w);
  if (const auto i = not_bookable(e.m, x, w)) return refused("the energy is not finite", *i, report);
  report.certificate = w.certificate;
  report.converged = w.certificate.converged;
  report.status = report.converged ? StepReport::Status::converged : StepReport::Status::unconverged;
  if (!report.converged) blame(w, report);
  return report;
}

/// The same with contacts that last; what is left of overlap is removed.
StepReport settle_held(const EventStep& e, const State& x, double time, StepReport report) {
  CoulombSettings s = e.s;
  s.h = time;
  certify_at_start(e.m, time, s.tolerance, e.w, Judged::chosen);
  // overlap is removed everywhere; of what is held also the gap that opened
  for (WorkContact& c : e.w.contacts) c.touches = c.in_problem;
  for (WorkContact& c : e.w.end_contacts) c.touches = holds(e, c.point.key, c.point.gap);
  return end_step(e.m, s, Stabilisation::post, x, e.w, report);
}

/// The impacts at x, whose contacts look_ahead() found.
StepReport hit(const EventStep& e, double done, State& x) {
  Workspace& w = e.w;
  StepReport report = started();
  if (const char* reason = solve_impacts(e, x, report); reason != nullptr) return refused(reason, -1, report);
  report.certificate = w.certificate;
  report.converged = w.certificate.converged;
  report.status = report.converged ? StepReport::Status::converged : StepReport::Status::unconverged;
  if (!report.converged) blame(w, report);
  const double last = x.step;  // an impact has no length
  take(e, last, done, x);
  add_reactions(x, 1, last / e.s.h, w.events.reaction);
  return report;
}

/// One event more: the impacts at x, or a stretch of at most `piece` [s] up to s.h. What was flown -> `done`.
StepReport advance_to_event(const EventStep& e, double& done, double& piece, State& x) {
  Workspace& w = e.w;
  StepReport report = started();
  w.events.lasting.clear();
  double time = std::fmin(piece, e.s.h - done);
  look_ahead(e, x, time);
  if (w.crowd.bodies > 0) return refused(too_crowded, w.crowd.body, report);
  const auto& start = w.events.start;
  if (std::any_of(start.begin(), start.end(), [&](const WorkContact& c) { return is_hit(e, x, c); }))
    return hit(e, done, x);
  if (const char* reason = choose_lasting(e, x, report); reason != nullptr)
    return refused(reason, -1, report);
  if (const double shorter = choose_piece(e, x, time); shorter < time) {
    time = shorter;
    look_ahead(e, x, time);
  }
  const char* reason = fly_to_event(e, x, time, piece, report);
  piece *= 2;
  if (reason != nullptr) return refused(reason, -1, report);
  const StepReport settled =
      w.events.lasting.empty() ? settle_flight(e, x, time) : settle_held(e, x, time, report);
  if (settled.status == StepReport::Status::refused) return settled;
  done = time >= e.s.h - done ? e.s.h : done + time;
  take(e, time, done, x);
  add_reactions(x, time / e.s.h, time / e.s.h, w.events.reaction);
  return settled;
}

}  // namespace

StepReport event_driven_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                             Workspace& w) {
  const EventStep e{m, s, in, w};
  StepReport all = started();
  all.parts = 0;
  all.status = StepReport::Status::converged, all.converged = true;
  all.certificate.tolerance = s.tolerance, all.certificate.converged = true;
  w.before = x;
  start_impacts(w);
  w.events.blows.clear();
  w.events.reaction.assign(x.link_reaction.size() + x.plane_reaction.size(), {});
  double done = 0, piece = s.h;
  for (int events = 0; done < s.h; ++events) {
    if (w.stop.asked()) return refused(asked_to_stop, -1, all);
    StepReport one =
        events < most_events
            ? advance_to_event(e, done, piece, x)
            : refused("impacts follow each other without end; use a shorter step", -1, started());
    add_work(one, all);
    if (one.status == StepReport::Status::refused) {
      x = w.before;
      return refused(one.reason, one.worst_body_a, all);
    }
    add_outcome(one, all);
    all.parts -= one.impacts > 0;  // takes no time
    all.impacts += one.impacts, all.lasting += one.lasting, all.given_up += one.given_up;
    all.lowered_impacts += one.lowered_impacts;
    all.impact_time = std::fmax(all.impact_time, one.impact_time);
  }
  x.step_count = w.before.step_count + 1, x.time = double(x.step_count) * s.h;
  const auto planes = w.events.reaction.begin() + std::ptrdiff_t(x.link_reaction.size());
  std::copy(w.events.reaction.begin(), planes, x.link_reaction.begin());
  std::copy(planes, w.events.reaction.end(), x.plane_reaction.begin());
  tell_lost_digits(all);
  return all;
}

}  // namespace stiction::step
