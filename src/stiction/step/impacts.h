// Impacts with restitution at the start of a step: see impacts.cpp.
#pragma once

#include "stiction/step/contact_step.h"

namespace stiction::step {

/// No impact yet in this step.
void start_impacts(Workspace& w);

/// Whether a contact approaches so fast that its rebound outlasts what forces do in a step. After
/// begin_step().
bool rebounds(const Model& m, const State& x, const CoulombSettings& s, const WorkContact& c,
              const Workspace& w);

/// Impacts at the contacts of w.contacts that are `due`, with those beside them that are `in_problem`, at the
/// poses w.base: w.contacts -> velocities and ledger of x. After begin_step(), which has to be made again
/// before anything else. An obstacle, and x as it was, where joints are not known to impacts.
Obstacle hit(const Model& m, State& x, double h, Workspace& w);

/// All impacts that a step of the method coulomb begins with: of contacts that touch, or that free motion
/// would close. The step is too long where one is hit more than once (`again`: it is left to the step), or
/// comes behind one that stops its body (`waits`).
struct ImpactsMade {
  Obstacle obstacle{};
  bool again = false, waits = false;
};
ImpactsMade make_impacts(const Model& m, const CoulombSettings& s, const Input& in, State& x, Workspace& w);

/// out += G_i A^-1 G_j^T, 3 x 3: what an impulse at contact j of a problem does to the velocity at contact i.
void add_coupling(const complementarity::FrictionProblem& p, const complementarity::ContactRows& i,
                  const complementarity::ContactRows& j, double out[9]);

/// Contacts whose 3 x 3 part of W has no inverse, since joints or planes leave their points one or two ways
/// that are not along an axis of the contact: a ten-thousand-millionth more on the diagonal.
void make_definite(impact::ManyImpacts& in);
/// [m/s] Velocities at the contacts of an island below it say nothing.
double noise_of(const complementarity::Island& island, const Workspace& w);
/// Solves own.in by its law, or by another one if that is not to be had -> own.out, own.judge, own.count:
/// how often so, and what the judge says. False: not solved.
bool solve_set(impact::ManyLaw law, ImpactWork& own);
/// Compares velocities of contacts with w.impacts.after -> w.impacts.count.residual.
void judge_response(Workspace& w);

/// The part of the step that make_impacts() began is not made: x and the counts as they were before.
void forget_impacts(Workspace& w, State& x);
/// The counts of w.impacts -> report, which is not converged where contacts were stopped. After a step that
/// was refused x is as it was before its impacts.
void end_impacts(Workspace& w, State& x, StepReport& report);

}  // namespace stiction::step
