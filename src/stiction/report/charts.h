// The charts of a report: which curves of a recording stand together, thinned for the screen, as JSON.
#pragma once

#include <string>
#include <vector>

#include "stiction/record/recording.h"

namespace stiction {

struct Curve {
  std::string label;
  std::vector<double> value;  // per point of the chart
  bool dashed = false;
  bool strong = false;  // a thicker line: sums
  int colour = -1;      // [-] number in the page's palette; -1 = the next free one
};
struct Chart {
  std::string id;  // unique in the page
  std::string title;
  std::string text;  // one or two sentences under the title
  std::string unit;
  bool logarithmic = false;
  bool filled = false;
  std::vector<Curve> curves;
  double limit = 0;  // > 0: a horizontal line, e.g. the tolerance
  std::string limit_label;
};
struct ChartSet {
  std::vector<double> time;  // [s] common to all charts
  std::vector<Chart> charts;
  int thinning = 1;         // frames per point
  bool spans_gaps = false;  // curves have values at some of the times only, and are drawn through the others
};

/// `plot` as in RecordSettings. Curves that are zero all the time are left out.
Result<ChartSet> make_charts(const Recording& recording, const std::vector<std::string>& plot);
std::string to_json(const ChartSet& set);

}  // namespace stiction
