// What a run of many steps says.
#pragma once

#include <string>

#include "stiction/record/frame.h"

namespace stiction::python {

struct RunReport {
  Tally total;              // of the steps of this call
  std::string ending;       // "reached the end" or "stopped at a refused step"
  std::string trouble;      // the first step that missed its tolerance or was refused, in words
  double wall_seconds = 0;  // [s]
};

}  // namespace stiction::python
