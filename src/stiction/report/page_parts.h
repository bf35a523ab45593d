// What the pages of one run and of several have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stiction/record/recording.h"
#include "stiction/report/charts.h"

namespace stiction {

/// Good only where every step is certified, the books close and there were no warnings.
struct Verdict {
  const char* tone;  // good | bad | open
  std::string headline, text;
};
Verdict verdict_of(const Recording& r);

std::string plural(std::int64_t n, const std::string& noun);  // "1 200 steps"
std::string seconds(double x);                                // "12 ms", "3 min 4 s"
std::string title_of(const Recording& r);

/// Of times [s] of pictures that the recording does not reach.
std::vector<Mistake> times_outside(const Recording& r, const std::vector<double>& times);

// --- markup
std::string fact(const std::string& name, const std::string& value, const std::string& note = "");
std::string warnings_part(const Recording& r);  // empty without warnings
std::string chart_box(const Chart& c);
std::string page_head(const std::string& title);
std::string page_scripts(const ChartSet& set);

}  // namespace stiction
