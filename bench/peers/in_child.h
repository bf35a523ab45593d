// A solve in a process of its own, so that a hang or a crash of a rival ends that solve only.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace stiction::bench {

/// What a child hands back.
struct Answer {
  enum class End { finished, late, crashed };
  End end = End::crashed;
  double seconds = 0;                 // [s] that a run takes
  double elapsed = 0, processor = 0;  // [s] of one run, by both clocks
  bool claimed = false;               // the solver's own word that it has converged
  std::string solver{};               // in words
  std::vector<double> r{};
};

/// One run inside the child; sets all of `out` but `end`. What is not to count stays outside of Clock.
using Run = std::function<void(Answer& out)>;

/// Time since it was made, by two clocks: elapsed, which counts what else the machine does, and the
/// processor's, which does not, but may tick as slowly as every 4 ms.
class Clock {
 public:
  Clock();
  void read(Answer& out) const;

 private:
  double elapsed_, processor_;
};

/// Runs up to 40 times, until 0.4 s of processor time are spent. `seconds` is the smallest elapsed time where
/// that is below 3 ms (a slow clock would not see it), else the mean processor time. `limit`: [s] of
/// processor time for the child.
Answer in_child(std::size_t size, double limit, const Run& run);

}  // namespace stiction::bench
