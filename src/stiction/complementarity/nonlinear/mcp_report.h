// What every solver of mixed complementarity problems returns.
#pragma once

#include <string>
#include <vector>

namespace stiction::complementarity {

enum class McpStatus : unsigned char {
  not_run,          // nothing was done yet
  bad_input,        // see McpReport::faults
  solved,           // the residual is within the tolerance
  stationary,       // no step makes the merit function smaller, and it is not 0: a local minimum of the error
                    // (the problem may have no solution, or one far from here) or round-off (see residual)
  iteration_limit,  // iterations are used up
  undefined         // F or its Jacobian is not finite anywhere around a point
};

/// The word for a status, as the enumeration spells it.
const char* name_of(McpStatus status);

/// One solver from one start, as the policy called it.
struct McpAttempt {
  const char* method = "";  // "fischer_burmeister", "josephy_newton", "proximal"
  int start = 0;            // 0: the given start; k > 0: the k-th perturbed one
  McpStatus status = McpStatus::not_run;
  double residual = -1;
  int iterations = 0;
};

struct McpReport {
  McpStatus status = McpStatus::not_run;
  double residual = -1;     // max |natural map| at the x returned, the best seen; -1 = none
  int iterations = 0;       // [-]
  int evaluations = 0;      // [-] of F
  int jacobians = 0;        // [-] evaluations of the Jacobian
  int factorisations = 0;   // [-] of sparse matrices
  int pivots = 0;           // [-] Lemke's method, all linearisations together
  int short_steps = 0;      // [-] iterations in which the full Newton step was not taken
  int gradient_steps = 0;   // [-] iterations in which only the gradient of the merit function helped
  const char* method = "";  // the solver that gave x
  std::vector<double> residual_history;  // max |natural map|, one entry per iteration, the start first
  std::vector<McpAttempt> attempts;      // the policy's, in order; empty for a single solver
  std::vector<std::string> faults;       // status bad_input: what is wrong, each naming its field
};

}  // namespace stiction::complementarity
