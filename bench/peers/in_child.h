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
  double seconds = 0;    // [s] of the best run
  bool claimed = false;  // the solver's own word that it has converged
  std::string solver{};  // in words
  std::vector<double> r{};
};

/// One run inside the child; sets all of `out` but `end`. What is not to count stays outside of Clock.
using Run = std::function<void(Answer& out)>;

/// Time since it was made: processor time above 0.1 s, since another load on the machine must not count;
/// below it elapsed time, since the processor's own clock may tick as slowly as every 4 ms.
class Clock {
 public:
  Clock();
  double seconds() const;

 private:
  double elapsed_, processor_;
};

/// The best of up to 20 runs; another one only while all of them took less than 0.4 s together. `limit`: [s]
/// of processor time for the child.
Answer in_child(std::size_t size, double limit, const Run& run);

}  // namespace stiction::bench
