// The solvers without validation of problem, settings and start: for callers that have done it.
#pragma once

#include "stiction/complementarity/linear/block_pivoting.h"
#include "stiction/complementarity/linear/detail/scaled_problem.h"
#include "stiction/complementarity/linear/lemke.h"

namespace stiction::complementarity::detail {

LinearReport lemke_unchecked(const BoxedView& p, const LemkeSettings& s, std::vector<double>& z,
                             LemkeMemory::Contents& memory);
/// For M that may_be_semidefinite().
LinearReport block_pivoting_unchecked(const BoxedView& p, const BlockPivotingSettings& s,
                                      std::vector<double>& z, BlockPivotingMemory::Contents& memory);

}  // namespace stiction::complementarity::detail
