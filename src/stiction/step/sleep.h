// Bodies that rest are left alone until something comes near: see sleep.cpp.
#pragma once

#include "stiction/step/coulomb_step.h"

namespace stiction::step {

/// Who sleeps at the start of a step -> w.asleep: as the State says, or nobody where sleep is not asked for.
void begin_sleep(const CoulombSettings& s, const State& x, Workspace& w);
inline bool sleeps(const Workspace& w, std::size_t i) { return !w.asleep.empty() && w.asleep[i] != 0; }

/// Wakes whom forces other than gravity act on.
void wake_pushed(const Model& m, const State& x, Workspace& w);
/// Wakes whom w.pairs bring near to a body that moves, with all that rest with it, and says so in
/// w.disturbed; drops the pairs of the others.
void wake_touched(const Model& m, const State& x, Workspace& w);

/// Sleepers among bodies [begin, end) stay -> w.free.
void hold_sleepers(const State& x, std::size_t begin, std::size_t end, Workspace& w);
/// What holds sleepers against gravity -> w.entries.
void book_sleepers(const Model& m, const State& x, double h, Workspace& w);

/// Bodies that the certified step x -> w.next proves to rest fall asleep -> w.asleep, w.next velocities,
/// w.entries, w.totals. Returns how many sleep now.
int fall_asleep(const Model& m, const CoulombSettings& s, const State& x, Workspace& w);
/// The contacts of bodies that slept through the step, with their impulses -> w.end_contacts.
void join_resting_contacts(const Model& m, const State& x, double h, Workspace& w);

}  // namespace stiction::step
