// The energy watch: what contacts, impacts, friction and stabilisation added to each island in a step. See
// energy_watch.cpp.
#pragma once

#include "stiction/step/stages.h"

namespace stiction::step {

/// StepReport::reason where Certificate::energy is the worst.
inline constexpr const char* added_by_contacts = "energy that contacts added";
inline constexpr const char* added_by_friction = "energy that friction added";
inline constexpr const char* added_by_stabilisation = "energy that stabilisation added";

/// Before stabilise(): what contacts and friction added -> w.island_energy.
void watch_contacts(const Model& m, const State& x, double h, Workspace& w);

/// After settle(): what stabilisation added; the worst island over the energy of the run, and the sum of all
/// -> w.certificate.energy and `converged`, w.entries. `free` [J]: kinetic energy of the free motion.
void watch_step(const Model& m, const State& x, double free, Workspace& w);

/// Where the watch is what the step missed: its cause and its bodies -> report.
void blame_energy(const Workspace& w, StepReport& report);

}  // namespace stiction::step
