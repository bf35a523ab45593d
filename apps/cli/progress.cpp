#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "output.h"

namespace stiction::cli {

double share_of_tolerance(const Certificate& c) {
  const double largest = std::max({c.gap_relative, c.joint, c.cone, c.complementarity_relative, c.dissipation,
                                   c.natural_map_scaled, c.impact, c.body, c.momentum});
  return c.tolerance > 0 ? std::max(largest / c.tolerance, c.energy / energy_limit) : 0;
}

Progress::Progress(double start, double until, bool quiet)
    : on_(!quiet && isatty(STDERR_FILENO) == 1),
      start_(start),
      until_(until),
      began_(Clock::now()),
      last_(began_) {}

Progress::~Progress() { clear(); }

void Progress::step(double time, const StepReport& report) {
  if (!on_) return;
  ++steps_;
  worst_ = std::max(worst_, share_of_tolerance(report.certificate));
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  draw(time, report);
}

void Progress::draw(double time, const StepReport& report) {
  winsize window{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  const std::size_t columns = known ? window.ws_col : 80;
  const double share = until_ > start_ ? std::clamp((time - start_) / (until_ - start_), 0.0, 1.0) : 1;
  const double seconds = std::chrono::duration<double>(last_ - began_).count();
  const std::string text = fmt::format(
      " {:3.0f} %  t {:.2f} of {:g} s  {:.0f} steps/s  {} contacts  worst {:.1e} of the tolerance",
      100 * share, time, until_, double(steps_) / seconds, std::max(report.contacts, 0), worst_);
  std::string line = text;
  if (columns > text.size() + 12) {
    const std::size_t width = std::min<std::size_t>(30, columns - text.size() - 4);
    const auto full = std::size_t(share * double(width));
    line = "[" + std::string(full, '#') + std::string(width - full, '.') + "]" + text;
  }
  write_err("\r\033[K" + line.substr(0, columns - 1));
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) write_err("\r\033[K");
  drawn_ = false;
}

}  // namespace stiction::cli
