// What a run says at its end: certificate against its limits, the books by cause, the hash, where the files
// are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output.h"
#include "stiction/record/frame.h"
#include "stiction/world/world.h"

namespace stiction::cli {

struct RunResult {
  struct Resumed {
    std::string from;  // path
    double time = 0;   // [s]
    std::int64_t step = 0;
  };
  std::string scene;                  // name
  Tally total;                        // of the whole run, also of the part before a resume
  double wall_seconds = 0;            // [s] of this call
  std::string ending;                 // "reached the end", "interrupted", ...
  std::optional<Resumed> resumed;     // where --resume went on
  bool complete = false;              // it reached its end
  std::string trouble;                // the first step that was refused or missed its tolerance
  std::vector<BrokenJoint> broken;    // joints, in their order
  std::string recording, report;      // paths; empty = not written
  std::vector<std::string> csv;       // paths; empty = not asked for
  std::vector<std::string> problems;  // paths of contact problems, likewise
};

/// 0, or 1 for a run with a Shortfall.
Status status_of(const RunResult& result, const RunSettings& settings);
void print_summary(const RunResult& result, const World& world);
Json summary_document(const RunResult& result, const World& world);

}  // namespace stiction::cli
