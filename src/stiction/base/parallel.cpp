// A fixed team of threads on the standard library alone.
//
// The caller publishes one loop, works on it like everybody else, closes it, and waits for those still
// inside. Ranges are handed out from an atomic position, large ones first (guided self-scheduling: half of a
// fair share of what is left, at least one grain). A thread that wakes up too late finds the loop closed and
// goes back to sleep, so that a busy machine does not hold up the caller for threads that have nothing to do.
//
// Why not oneTBB: as distributed it is not built for the thread sanitiser, which then reports its queues as
// data races (47 reports in 200 loops); here every hand-over is an atomic that the sanitiser sees. Nor is
// there anything to allocate after the constructor.
//
// When it fails: a body that throws ends the program (std::terminate in a worker).
#include "stiction/base/parallel.h"

#include <utility>

#ifndef STICTION_NO_THREADS
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>
#endif

namespace stiction {

#ifdef STICTION_NO_THREADS

struct Team::Threads {};
Team::Team(int threads) { STICTION_ASSERT(threads >= 1); }
int Team::useful(int) { return 1; }
Team::~Team() = default;
void Team::run(std::size_t count, std::size_t, const void* body, Call call) { call(body, 0, count); }

#else

namespace {

// About 20 microseconds of polling before a thread sleeps: stages of one step follow each other faster than
// that.
constexpr int polls = 1000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

struct Team::Threads {
  explicit Threads(std::size_t threads) {
    workers.reserve(threads - 1);
    try {
      while (workers.size() + 1 < threads) workers.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {  // no more are to be had: those that there are do the work
    }
    size = workers.size() + 1;  // nobody looks at it before the first loop
  }
  ~Threads() {
    stop.store(true, std::memory_order_relaxed);
    announce();
    for (std::thread& worker : workers) worker.join();
  }

  // Tells all workers that there is something to look at.
  void announce() {
    round.fetch_add(1, std::memory_order_release);
    round.notify_all();
  }

  // A worker's life.
  void serve() {
    std::uint32_t seen = 0;
    for (;;) {
      for (int i = 0; i < polls && round.load(std::memory_order_relaxed) == seen; ++i) pause();
      round.wait(seen, std::memory_order_relaxed);
      seen = round.load(std::memory_order_acquire);
      if (stop.load(std::memory_order_relaxed)) return;
      if (enter()) {
        work();
        leave();
      }
    }
  }

  // Counts the worker in, unless the loop is closed.
  bool enter() {
    std::uint32_t s = state.load(std::memory_order_relaxed);
    while (s & open)
      if (state.compare_exchange_weak(s, s + inside, std::memory_order_acquire, std::memory_order_relaxed))
        return true;
    return false;
  }
  void leave() {
    if (state.fetch_sub(inside, std::memory_order_release) == inside) state.notify_all();
  }

  // Takes ranges until none is left.
  void work() {
    std::size_t begin = next.load(std::memory_order_relaxed);
    while (begin < count) {
      const std::size_t grains = (count - begin + grain - 1) / grain;
      const std::size_t share = std::max(std::size_t{1}, grains / (2 * size));
      const std::size_t end = share >= grains ? count : begin + share * grain;
      if (next.compare_exchange_weak(begin, end, std::memory_order_relaxed)) {
        call(body, begin, end);
        begin = next.load(std::memory_order_relaxed);
      }
    }
  }

  // Closes the loop and waits for the workers inside; their results are then visible to the caller.
  void finish() {
    state.fetch_and(~open, std::memory_order_relaxed);
    for (int i = 0; i < polls && state.load(std::memory_order_relaxed) != 0; ++i) pause();
    for (std::uint32_t s = state.load(std::memory_order_acquire); s != 0;
         s = state.load(std::memory_order_acquire))
      state.wait(s, std::memory_order_relaxed);
  }

  static constexpr std::uint32_t open = 1, inside = 2;  // bit 0: a loop is open; above: workers inside

  std::size_t size = 1;           // threads, the caller among them
  std::atomic<bool> busy{false};  // somebody has published a loop
  std::atomic<bool> stop{false};
  std::atomic<std::uint32_t> round{0};  // what idle workers wait on
  std::atomic<std::uint32_t> state{0};
  std::atomic<std::size_t> next{0};  // first item that nobody has taken
  // The loop; written only while it is closed and nobody is inside.
  std::size_t count = 0, grain = 1;
  const void* body = nullptr;
  Call call = nullptr;
  std::vector<std::thread> workers;
};

Team::Team(int threads) : threads_(threads) {
  STICTION_ASSERT(threads >= 1);
  if (threads == 1) return;
  shared_ = new Threads(std::size_t(threads));
  threads_ = int(shared_->size);
}
Team::~Team() { delete shared_; }

int Team::useful(int threads) {
  constexpr int always = 4;  // that results do not depend on their number is to be seen anywhere
  const auto at_a_time = int(std::thread::hardware_concurrency());  // 0 = not known
  return at_a_time == 0 ? threads : std::min(threads, std::max(always, at_a_time));
}

void Team::run(std::size_t count, std::size_t grain, const void* body, Call call) {
  Threads& t = *shared_;
  // Nested, or called from two threads at once: the team is taken, the caller does it alone.
  if (t.busy.exchange(true, std::memory_order_acquire)) {
    call(body, 0, count);
    return;
  }
  t.count = count, t.grain = grain, t.body = body, t.call = call;
  t.next.store(0, std::memory_order_relaxed);
  t.state.store(Threads::open, std::memory_order_release);
  t.announce();
  t.work();
  t.finish();
  t.busy.store(false, std::memory_order_release);
}

#endif

Team::Team(Team&& other) noexcept
    : shared_(std::exchange(other.shared_, nullptr)), threads_(std::exchange(other.threads_, 1)) {}

Team& Team::operator=(Team&& other) noexcept {
  std::swap(shared_, other.shared_);
  std::swap(threads_, other.threads_);
  return *this;
}

}  // namespace stiction
