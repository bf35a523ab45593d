#include "bench.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "stiction/base/text.h"

namespace stiction::bench {
namespace {

// The processor as the system names it.
std::string machine() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + "\"";
}

}  // namespace

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double median(std::vector<double> values) {
  STICTION_ASSERT(!values.empty());
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void Line::key(std::string_view key) { line_ += (line_.empty() ? "{" : ", ") + quoted(key) + ": "; }

Line& Line::text(std::string_view k, std::string_view value) {
  key(k);
  line_ += quoted(value);
  return *this;
}
Line& Line::number(std::string_view k, double value) {
  key(k);
  line_ += std::isfinite(value) ? number_text(value) : "null";
  return *this;
}
Line& Line::whole(std::string_view k, long long value) {
  key(k);
  line_ += std::to_string(value);
  return *this;
}
Line& Line::flag(std::string_view k, bool value) {
  key(k);
  line_ += value ? "true" : "false";
  return *this;
}
void Line::print() {
  text("machine", machine());
  text("commit", STICTION_COMMIT);
  std::printf("%s}\n", line_.c_str());
  std::fflush(stdout);
}

void Quality::see(const StepReport& r, const World& world) {
  ++steps;
  if (!r.converged) ++unconverged;
  gap = std::max(gap, r.certificate.gap);
  natural_map = std::max(natural_map, r.certificate.natural_map_scaled);
  imbalance = std::max(imbalance, world.ledger().relative_imbalance());
}

void Quality::write(Line& line) const {
  line.whole("steps", steps).whole("unconverged_steps", unconverged).number("gap", gap);
  line.number("natural_map_scaled", natural_map).number("imbalance", imbalance);
}

bool has_word(int argc, char** argv, std::string_view word) {
  return std::any_of(argv + 1, argv + argc, [&](const char* a) { return word == a; });
}

}  // namespace stiction::bench
