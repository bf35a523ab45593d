// A line chart as SVG, for people who compare it with the one in print.
#pragma once

#include <string>
#include <vector>

namespace stiction::reproduce {

struct Series {
  std::string label;
  std::vector<double> x, y;  // as many of each
};
struct Figure {
  std::string name;  // of the file, without .svg: "servin-figure-4-2"
  std::string title;
  std::string x_label, y_label;  // with units
  std::vector<Series> series;
  bool equal_axes = false;  // one unit is as long on both
};

/// Values that are not finite are left out; curves of more than 2000 points are thinned.
std::string to_svg(const Figure& figure);

}  // namespace stiction::reproduce
