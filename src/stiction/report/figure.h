// A line chart as SVG: for files, and for people who compare it with one in print.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace stiction {

struct Series {
  std::string label;
  std::vector<double> x, y;  // as many of each
  bool dots = false;         // dots instead of a line
  bool guide = false;        // a thin grey line below all others, such as that of zero
};
struct Figure {
  std::string name;  // of the file, without .svg: "servin-figure-4-2"
  std::string title;
  std::string x_label, y_label;  // with units
  std::vector<Series> series;
  bool equal_axes = false;   // one unit is as long on both
  bool logarithmic = false;  // y; values that are not above 0 are left out
};
inline constexpr double figure_width = 720, figure_height = 420;  // [px]

/// Values that are not finite are left out; of curves of more than 2000 points the least and the largest of
/// each stretch are drawn.
std::string to_svg(const Figure& figure);
/// Below each other, in one picture.
std::string to_svg(std::span<const Figure> figures);

}  // namespace stiction
