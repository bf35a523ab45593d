// Which solver a user asks for; what it means is in solve.h.
#pragma once

namespace stiction::complementarity {

/// automatic: picks for every island, and hands over until the tolerance holds.
enum class SolverChoice : unsigned char { automatic, newton, nsgs };

}  // namespace stiction::complementarity
