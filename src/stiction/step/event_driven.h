// The step from event to event: event_driven.cpp has the method, docs/theory/event-driven.md its reasons.
#pragma once

#include "stiction/step/contact_step.h"

namespace stiction::step {

StepReport event_driven_step(const Model& m, const CoulombSettings& s, const Input& in, State& x,
                             Workspace& w);

// --- its parts

struct EventStep {
  const Model& m;
  const CoulombSettings& s;  // of the whole step
  const Input& in;
  Workspace& w;
};

/// [m] Depth that says nothing: a thousandth of the tolerated overlap.
inline double negligible_depth(const EventStep& e, const WorkContact& c) {
  return 1e-3 * e.s.tolerance * c.size;
}
/// [m/s] A speed that does not get further in a whole step.
inline double still_speed(const EventStep& e, const WorkContact& c) { return negligible_depth(e, c) / e.s.h; }
/// [s] over which accelerations at contacts are measured: a thousandth of the step.
inline double moment(const EventStep& e) { return 1e-3 * e.s.h; }
/// [m/s] at which a contact opens, with the velocities of a State or of Motions.
template <class Motion>
double opening_speed(const Motion& v, const WorkContact& c) {
  const auto a = std::size_t(c.point.key.a), b = std::size_t(c.point.key.b);
  return dot(c.point.normal,
             (v.velocity[b] + cross(v.spin[b], c.arm[1])) - (v.velocity[a] + cross(v.spin[a], c.arm[0])));
}
/// Whether a contact of w.events.start is closed at the State, with the time 1e-12 s that impacts are located
/// to; one that carried an impulse is so within the tolerance.
bool is_closed(const EventStep& e, const State& x, const WorkContact& c);
/// Whether it is, and something has to be done about it at once.
bool is_hit(const EventStep& e, const State& x, const WorkContact& c);

/// Whether a contact is among those of w.events.lasting; or a feature that was not there at the start of the
/// stretch, of a pair that is held, closed within the tolerance: features change as bodies turn.
bool holds(const EventStep& e, const ContactKey& key, double gap);

// flight (event_flight.cpp)
/// Pairs that may touch while nothing but contacts disturbs the motion over `time` [s] -> w.pairs; their
/// contacts at x -> w.events.start.
void look_ahead(const EventStep& e, const State& x, double time);
/// The length of a piece of `time` [s] at most whose error is small; where a force jumps, of a millionth of
/// the step.
double choose_piece(const EventStep& e, const State& x, double time);
/// From x over `time` -> w.next, w.end_contacts; with the contacts of w.events.lasting held. A reason why it
/// cannot be done, or nullptr.
const char* fly(const EventStep& e, const State& x, double time, StepReport& report);
/// Flies from x up to the first event within `time`, or all of it -> `time`, w.next. How much of it what is
/// near allowed at once -> `piece`.
const char* fly_to_event(const EventStep& e, const State& x, double& time, double& piece, StepReport& report);

// impacts (event_impacts.cpp)
/// Contacts of w.events.start that are closed and stay so -> w.events.lasting: those at rest, and those whose
/// hop would be too small.
const char* choose_lasting(const EventStep& e, const State& x, StepReport& report);
/// The impacts at x -> w.next (velocities), w.end_contacts, w.entries, w.totals.
const char* solve_impacts(const EventStep& e, const State& x, StepReport& report);

}  // namespace stiction::step
