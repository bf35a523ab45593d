// What springs, torsion springs and their dampers add by the step's own error: of each, beside its own
// energy. See spring_watch.cpp.
#pragma once

#include "stiction/forces/forces.h"
#include "stiction/step/workspace.h"

namespace stiction::step {

inline bool is_sprung(const Model& m) { return !m.springs.empty() || !m.torsions.empty(); }

/// Before the impulses of forces are booked.
inline void start_springs(const Model& m, Workspace& w) {
  w.spring_work.assign(m.springs.size() + m.torsions.size(), {});
}
/// One of them was booked: `work` [J] at the mean velocity of the step, or where a method has several stages
/// at those of the stages.
inline void count_spring(const forces::AppliedImpulse& a, double work, Workspace& w) {
  if (a.spring < 0) return;
  SpringWork& s = w.spring_work[std::size_t(a.spring)];
  s.given += work, s.acts = true;
  if (a.cause == Cause::damping) s.damped += work;
}
/// After all: w.springs, and the worst of them -> w.entries. `end`: before stabilisation.
void watch_springs(const Model& m, const State& x, const Motions& end, Workspace& w);

/// The spring whose gain was the largest part of its energy; -1 where none gained.
int worst_spring(const State& x);

}  // namespace stiction::step
