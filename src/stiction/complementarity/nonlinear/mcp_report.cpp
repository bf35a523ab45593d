#include "stiction/complementarity/nonlinear/mcp_report.h"

namespace stiction::complementarity {

const char* name_of(McpStatus status) {
  switch (status) {
    case McpStatus::not_run:
      return "not_run";
    case McpStatus::bad_input:
      return "bad_input";
    case McpStatus::solved:
      return "solved";
    case McpStatus::stationary:
      return "stationary";
    case McpStatus::iteration_limit:
      return "iteration_limit";
    case McpStatus::undefined:
      return "undefined";
  }
  return "unknown";
}

}  // namespace stiction::complementarity
