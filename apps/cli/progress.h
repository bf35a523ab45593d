// The progress line of a run: on a terminal only, redrawn ten times a second.
#pragma once

#include <chrono>
#include <cstdint>

#include "stiction/step/report.h"

namespace stiction::cli {

/// The largest of the certificate's fields over what the tolerance allows; <= 1 means converged.
double share_of_tolerance(const Certificate& c);

class Progress {
 public:
  /// Draws nothing if stderr is no terminal or `quiet` is set.
  Progress(double start, double until, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step(double time, const StepReport& report);
  void clear();

 private:
  void draw(double time, const StepReport& report);

  using Clock = std::chrono::steady_clock;
  bool on_ = false, drawn_ = false;
  double start_, until_;  // [s] simulated
  Clock::time_point began_, last_;
  std::int64_t steps_ = 0;
  double worst_ = 0;  // [-] share of the tolerance
};

}  // namespace stiction::cli
