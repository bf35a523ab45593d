#include "stiction/base/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace {
std::atomic<long> allocations{0};
}

// Every allocation of this program is counted; clang's sanitisers bring their own operators.
#if defined(__clang__) && defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define STICTION_NOT_COUNTING
#endif
#endif
#ifndef STICTION_NOT_COUNTING
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

namespace stiction {
namespace {

// A chain of operations whose rounding depends on the item alone.
double item_value(std::size_t i) {
  double x = double(i) + 0.1;
  for (int k = 0; k < 50; ++k) x = x / 1.7 + 1.0 / (x + double(k));
  return x;
}

std::vector<double> values(Team& team, std::size_t count, std::size_t grain) {
  std::vector<double> out(count);
  team.for_ranges(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = item_value(i);
  });
  return out;
}

TEST(Team, SameResultsForAnyNumberOfThreads) {
  Team one(1);
  const std::vector<double> expected = values(one, 5000, 16);
  for (const int threads : {2, 3, 4, 8}) {
    Team team(threads);
    for (int repeat = 0; repeat < 20; ++repeat) EXPECT_EQ(values(team, 5000, 16), expected) << threads;
  }
}

TEST(Team, CoversEveryItemOnceInWholeGrains) {
  Team team(3);
  for (const std::size_t count : {0u, 1u, 2u, 7u, 8u, 9u, 63u, 64u, 65u, 1000u}) {
    for (const std::size_t grain : {1u, 2u, 8u, 100u, 5000u}) {
      std::vector<std::atomic<int>> visits(count);
      std::atomic<bool> whole{true};
      team.for_ranges(count, grain, [&](std::size_t begin, std::size_t end) {
        if (begin >= end || begin % grain != 0 || (end % grain != 0 && end != count)) whole = false;
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      EXPECT_TRUE(whole) << count << " " << grain;
      for (const auto& v : visits) ASSERT_EQ(v.load(), 1) << count << " " << grain;
    }
  }
}

TEST(Team, NestedLoopsRunWhereTheyAreMet) {
  Team team(4);
  std::vector<int> sums(64, 0);
  for (int repeat = 0; repeat < 50; ++repeat) {
    team.for_ranges(64, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::thread::id here = std::this_thread::get_id();
        team.for_ranges(100, 10, [&](std::size_t b, std::size_t e) {
          if (std::this_thread::get_id() == here) sums[i] += int(e - b);
        });
      }
    });
  }
  for (const int sum : sums) ASSERT_EQ(sum, 50 * 100);
}

TEST(Team, TwoCallersAtOnce) {
  Team team(3);
  std::atomic<long> total{0};
  const auto caller = [&] {
    for (int repeat = 0; repeat < 500; ++repeat)
      team.for_ranges(100, 5, [&](std::size_t begin, std::size_t end) { total += long(end - begin); });
  };
  std::thread other(caller);
  caller();
  other.join();
  EXPECT_EQ(total.load(), 2 * 500 * 100);
}

// Plain, unsynchronised data handed from loop to loop: under the thread sanitiser this fails if the end of a
// loop does not order its writes before the next loop's reads. Neighbours change hands between threads all
// the time.
TEST(Team, StressChainOfLoops) {
  Team team(4);
  std::vector<std::uint64_t> x(257, 1), y(257, 0);
  std::vector<std::uint64_t> expected = x;
  constexpr int rounds = 3000;
  for (int round = 0; round < rounds; ++round) {
    team.for_ranges(x.size(), 3, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) y[i] = x[i] * 6364136223846793005u + x[(i + 7) % x.size()];
    });
    std::swap(x, y);
    if (round % 64 == 0) std::this_thread::yield();
  }
  std::vector<std::uint64_t> next(expected.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      next[i] = expected[i] * 6364136223846793005u + expected[(i + 7) % expected.size()];
    std::swap(expected, next);
  }
  EXPECT_EQ(x, expected);
}

TEST(Team, SleepingWorkersWakeUp) {
  Team team(4);
  std::atomic<long> total{0};
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    team.for_ranges(64, 1, [&](std::size_t begin, std::size_t end) { total += long(end - begin); });
  }
  EXPECT_EQ(total.load(), 20 * 64);
}

TEST(Team, LoopsAllocateNothing) {
#ifdef STICTION_NOT_COUNTING
  GTEST_SKIP() << "allocations are not counted under this sanitiser";
#endif
  Team team(3);
  std::vector<double> out(4096);
  const auto loop = [&] {
    team.for_ranges(out.size(), 32, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) out[i] += 1;
    });
  };
  loop();
  const long before = allocations.load();
  for (int repeat = 0; repeat < 1000; ++repeat) loop();
  EXPECT_EQ(allocations.load(), before);
  EXPECT_EQ(out.front(), 1001);
  EXPECT_EQ(out.back(), 1001);
}

TEST(Team, MovesLikeAValue) {
  Team a(3);
  const int threads = a.threads();
  Team b(std::move(a));
  EXPECT_EQ(b.threads(), threads);
  Team c(1);
  c = std::move(b);
  EXPECT_EQ(c.threads(), threads);
  EXPECT_EQ(values(c, 300, 4).size(), 300u);
}

TEST(Team, ManyTeamsComeAndGo) {
  for (int i = 0; i < 50; ++i) {
    Team team(1 + i % 4);
    EXPECT_EQ(values(team, 50, 1).back(), item_value(49));
  }
}

// Memory for the stacks of some threads, not of all. In a process of its own, which says how it went.
#ifndef STICTION_NOT_COUNTING
TEST(Team, GoesOnWithThreadsThatThereAre) {
  const std::vector<double> expected = values(*std::make_unique<Team>(1), 5000, 16);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit memory{200u << 20, 200u << 20};
    setrlimit(RLIMIT_AS, &memory);
    Team team(1000);
    const bool some = team.threads() >= 1 && team.threads() < 1000;
    _exit(some && values(team, 5000, 16) == expected ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

TEST(Team, NoMoreThanTheMachineRunsAreUseful) {
  EXPECT_EQ(Team::useful(1), 1);
  EXPECT_EQ(Team::useful(3), 3);
  const int at_a_time = int(std::thread::hardware_concurrency());
  if (at_a_time > 0) EXPECT_EQ(Team::useful(100'000), std::max(4, at_a_time));
}

TEST(TeamDeathTest, RefusesNonsense) {
  EXPECT_DEATH(Team(0), "threads >= 1");
  Team team(1);
  EXPECT_DEATH(team.for_ranges(10, 0, [](std::size_t, std::size_t) {}), "grain > 0");
}

}  // namespace
}  // namespace stiction
