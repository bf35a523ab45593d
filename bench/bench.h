// What the benchmarks share: a clock, medians, one JSON line per result.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/stiction.h"

namespace stiction::bench {

/// [s] that a call takes.
template <class Call>
double seconds_of(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// [s] of processor time that this process has used: what else the machine does is not in it. May tick as
/// slowly as every 4 ms.
double processor_seconds();

double median(std::vector<double> values);

/// One result: {"name": ..., fields in the order they were added, "machine": ..., "commit": ...}.
class Line {
 public:
  explicit Line(std::string_view name) { text("name", name); }
  Line& text(std::string_view key, std::string_view value);
  Line& number(std::string_view key, double value);
  Line& whole(std::string_view key, long long value);
  Line& flag(std::string_view key, bool value);
  Line& hash(std::uint64_t value) { return text("hash", hex(value)); }
  /// To stdout.
  void print();

 private:
  void key(std::string_view key);
  std::string line_;
};

/// The worst of a run of ours, step by step.
struct Quality {
  double gap = 0;          // [m]
  double natural_map = 0;  // [-] the unit-free version
  double imbalance = 0;    // [-] of the ledger
  long long steps = 0, unconverged = 0;

  void see(const StepReport& r, const World& world);
  void write(Line& line) const;
};

/// Any of the words given among the program's arguments.
bool has_word(int argc, char** argv, std::string_view word);

}  // namespace stiction::bench
