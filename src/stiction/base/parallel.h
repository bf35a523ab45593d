// Data-parallel loops whose results do not depend on the number of threads: every item writes only its own
// output, and sums over items are taken afterwards, in order, by the caller.
#pragma once

#include <cstddef>

#include "stiction/base/assert.h"

namespace stiction {

/// A fixed team of threads. `threads` = 1 runs everything in the caller and starts no thread; so does any
/// number in a build with STICTION_NO_THREADS, where threads() is always 1. Where the system starts fewer
/// than asked for, the team is those that there are.
class Team {
 public:
  explicit Team(int threads = 1);
  /// Of `threads` asked for those worth starting: at most as many as this machine runs at a time, or four.
  static int useful(int threads);
  ~Team();
  Team(Team&&) noexcept;
  Team& operator=(Team&&) noexcept;

  int threads() const { return threads_; }

  /// Calls body(begin, end) on disjoint ranges that cover [0, count), and returns when all are done. Ranges
  /// are multiples of `grain` items (the last one may be shorter); which thread gets which, and how long the
  /// ranges are, is left open. The body must not throw. A loop inside a loop runs in the thread that meets
  /// it. Called through a plain function pointer, so that a loop allocates nothing.
  template <class Body>
  void for_ranges(std::size_t count, std::size_t grain, const Body& body) {
    STICTION_ASSERT(grain > 0);
    if (threads_ == 1 || count <= grain) {
      if (count > 0) body(std::size_t{0}, count);
      return;
    }
    run(count, grain, &body, [](const void* b, std::size_t begin, std::size_t end) {
      (*static_cast<const Body*>(b))(begin, end);
    });
  }

 private:
  using Call = void (*)(const void*, std::size_t, std::size_t);
  void run(std::size_t count, std::size_t grain, const void* body, Call call);

  struct Threads;
  Threads* shared_ = nullptr;
  int threads_ = 1;
};

}  // namespace stiction
