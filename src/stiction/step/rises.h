// Energy that came from nowhere over a run, in words: the ledger measures it (Ledger::contact_rise,
// unexplained_rise), docs/theory/ledger.md has the limits and their reasons.
#pragma once

#include <string>

#include "stiction/model/run_settings.h"
#include "stiction/step/state.h"

namespace stiction::step {

/// "the energy had risen by 2.1 J without a source, by damping; step 0.1 s, stable below 0.04 s for spring
/// 'damper'"; empty where it did not.
std::string rise_in_words(const Model& m, const State& x, const RunSettings& settings);

}  // namespace stiction::step
