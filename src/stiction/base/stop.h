// How long work is asked to end early.
#pragma once

#include <atomic>

namespace stiction {

/// Someone else's flag (a signal handler's, another thread's), looked at between rounds of work. What was
/// asked to stop ends soon, with a result that is of no use: whoever handed the flag on throws it away, so
/// that no result depends on when it was raised.
struct Stop {
  const std::atomic<bool>* flag = nullptr;  // not owned; null = nobody asks

  bool asked() const { return flag != nullptr && flag->load(std::memory_order_relaxed); }
};

}  // namespace stiction
