// What the steps with contacts share: how they begin, how the present geometry becomes a problem, how they
// end.
#pragma once

#include "stiction/step/coulomb_step.h"

namespace stiction::step {

/// Why a step cannot begin.
struct Obstacle {
  const char* reason = nullptr;
  int body = -1;
  bool may_pass = false;  // a shorter step may do
};
/// State and input -> forces, free motion, pairs, contacts at the start. w.carry and w.promises are given.
Obstacle begin_step(const Model& m, const CoulombSettings& s, const Input& in, const State& x, Workspace& w);

/// Contacts and laws of the problem, at the pose w.base -> w.problem; trees and mechanisms among them stop.
void make_problem(const Model& m, const State& x, double h, Workspace& w);
/// No contact is near any more: bodies move freely, trees and mechanisms as they would without any.
void release_all(const Model& m, const State& x, Workspace& w);
void count(const complementarity::SolveReport& s, StepReport& r);

/// The work of one more attempt.
void add_work(const StepReport& one, StepReport& all);
/// A step that is as good as doubles allow, and not good enough for one of its bodies: not certified.
void tell_lost_digits(StepReport& r);
/// One more accepted part: the worst of the certificates, the energies of the part that loses least.
void add_outcome(const StepReport& part, StepReport& all);

/// What a method does once positions are stabilised: velocities anew where they are. False: not solved.
using AtStabilised = bool (*)(const Model& m, const CoulombSettings& s, const State& x, Workspace& w,
                              StepReport& report);

/// Stabilises where `stabilisation` is post, certifies gaps and joints, settles: w.next, w.certificate ->
/// what the report still misses, w.entries, w.totals. Refused, or to be accepted.
StepReport end_step(const Model& m, const CoulombSettings& s, Stabilisation stabilisation, const State& x,
                    Workspace& w, StepReport report, AtStabilised then = nullptr);

}  // namespace stiction::step
