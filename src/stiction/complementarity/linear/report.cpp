#include "stiction/complementarity/linear/report.h"

namespace stiction::complementarity {

const char* name_of(LinearStatus status) {
  switch (status) {
    case LinearStatus::not_run:
      return "not_run";
    case LinearStatus::bad_input:
      return "bad_input";
    case LinearStatus::solved:
      return "solved";
    case LinearStatus::ray:
      return "ray";
    case LinearStatus::iteration_limit:
      return "iteration_limit";
    case LinearStatus::inaccurate:
      return "inaccurate";
    case LinearStatus::unsuitable:
      return "unsuitable";
  }
  return "unknown";
}

}  // namespace stiction::complementarity
