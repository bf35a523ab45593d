#include "stiction/report/figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/report/markup.h"

namespace stiction {
namespace {

constexpr double width = figure_width, height = figure_height;  // [px]
constexpr double left = 84, right = 20, top = 44, bottom = 54;  // [px] margins
constexpr std::size_t most_points = 2000;
constexpr double row_height = 17;  // [px] of the legend
constexpr std::size_t most_rows = 5;
constexpr std::array<const char*, 12> colours{"#2e70c7", "#dd7420", "#1d8f7a", "#c2405a",
                                              "#7c5fc4", "#6b7a8c", "#b38a10", "#3d9fe0",
                                              "#8d6248", "#3f9f3f", "#c955b0", "#1c2d70"};
constexpr std::array<const char*, 3> dashes{"", "8 4", "2 3"};  // of those that have a colour again
constexpr double sample = 22;                                   // [px] of a dashed line in the legend

struct Axis {
  double low = 0, high = 1;  // of the data
  double from = 0, to = 1;   // [px]
  bool logarithmic = false;  // low and high are then powers of ten
  double at(double v) const {
    return from + ((logarithmic ? std::log10(v) : v) - low) / (high - low) * (to - from);
  }
  double scale() const { return std::fabs(to - from) / (high - low); }  // [px per unit]
};

bool is_drawn(double v, bool logarithmic) { return std::isfinite(v) && (!logarithmic || v > 0); }

void extend(const std::vector<double>& values, bool logarithmic, double& low, double& high) {
  for (double v : values) {
    if (!is_drawn(v, logarithmic)) continue;
    if (logarithmic) v = std::log10(v);
    low = std::min(low, v), high = std::max(high, v);
  }
}

Axis axis_of(double low, double high, double from, double to) {
  if (!(low <= high)) low = 0, high = 1;
  double room = 0.04 * (high - low);
  if (room == 0) room = low == 0 ? 1 : 0.1 * std::fabs(low);
  return {low - room, high + room, from, to, false};
}

/// 1, 2 or 5 times a power of ten, for about `count` ticks.
double tick_of(const Axis& a, int count) {
  const double rough = (a.high - a.low) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double k : {1.0, 2.0, 5.0})
    if (k * power >= rough) return k * power;
  return 10 * power;
}

template <class Draw>
void for_ticks(const Axis& a, int count, const Draw& draw) {
  const double step = tick_of(a, count);
  for (double k = std::ceil(a.low / step); k * step <= a.high; ++k) draw(k == 0 ? 0.0 : k * step);
}

std::string text(double x, double y, const std::string& words, const std::string& attributes) {
  return "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" " + attributes + ">" + escape_html(words) +
         "</text>\n";
}
std::string line(double x1, double y1, double x2, double y2) {
  return "<line x1=\"" + px(x1) + "\" y1=\"" + px(y1) + "\" x2=\"" + px(x2) + "\" y2=\"" + px(y2) +
         "\" stroke=\"#e2e6ec\"/>\n";
}

std::string grid(const Axis& x, const Axis& y) {
  std::string out;
  for_ticks(x, 8, [&](double v) {
    out += line(x.at(v), y.from, x.at(v), y.to);
    out += text(x.at(v), y.from + 18, short_number(v), "text-anchor=\"middle\"");
  });
  for_ticks(y, 6, [&](double tick) {
    if (y.logarithmic && tick != std::round(tick)) return;
    const double v = y.logarithmic ? std::pow(10.0, tick) : tick;
    out += line(x.from, y.at(v), x.to, y.at(v));
    out += text(x.from - 8, y.at(v) + 4, short_number(v), "text-anchor=\"end\"");
  });
  return out;
}

/// Which points are drawn: all, or of each stretch the least and the largest, in their order.
std::vector<std::size_t> drawn_points(const Series& s, bool logarithmic) {
  const std::size_t n = std::min(s.x.size(), s.y.size());
  std::vector<std::size_t> good, out;
  for (std::size_t i = 0; i < n; ++i)
    if (std::isfinite(s.x[i]) && is_drawn(s.y[i], logarithmic)) good.push_back(i);
  if (good.size() <= most_points) return good;
  const std::size_t stretch = (2 * good.size() + most_points - 1) / most_points;
  for (std::size_t begin = 0; begin < good.size(); begin += stretch) {
    const auto first = good.begin() + std::ptrdiff_t(begin),
               last = good.begin() + std::ptrdiff_t(std::min(good.size(), begin + stretch));
    const auto [least, largest] =
        std::minmax_element(first, last, [&](std::size_t i, std::size_t j) { return s.y[i] < s.y[j]; });
    out.push_back(std::min(*least, *largest));
    if (*least != *largest) out.push_back(std::max(*least, *largest));
  }
  return out;
}

/// How a curve is drawn: no two of the first 36 look alike. Guides are grey and have no colour of the list.
struct Look {
  std::string colour = "#8a93a0", dash = "4 3";
  double width = 1;  // [px]
  std::string stroke() const {
    return "stroke=\"" + colour + "\" stroke-width=\"" + px(width) + "\"" +
           (dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"");
  }
};
std::vector<Look> looks_of(const std::vector<Series>& series) {
  std::vector<Look> out;
  std::size_t k = 0;  // of those that are no guides
  for (const Series& s : series) {
    out.emplace_back();
    if (s.guide) continue;
    out.back() = {colours[k % colours.size()], dashes[k / colours.size() % dashes.size()], 1.6};
    ++k;
  }
  return out;
}

std::string dot(double x, double y, const Look& look) {
  return "<circle cx=\"" + px(x) + "\" cy=\"" + px(y) + "\" r=\"3.5\" fill=\"" + look.colour + "\"/>\n";
}

std::string curve(const Series& s, const Axis& x, const Axis& y, const Look& look) {
  std::string out;
  for (const std::size_t i : drawn_points(s, y.logarithmic)) {
    const double at = x.at(s.x[i]), up = y.at(s.y[i]);
    out += s.dots ? dot(at, up, look) : (out.empty() ? "" : " ") + px(at) + "," + px(up);
  }
  return s.dots ? out : "<polyline fill=\"none\" " + look.stroke() + " points=\"" + out + "\"/>\n";
}

/// Makes a unit as long on both axes, by widening the one that has room.
void make_equal(Axis& x, Axis& y) {
  const double scale = std::min(x.scale(), y.scale());
  for (Axis* a : {&x, &y}) {
    const double middle = 0.5 * (a->low + a->high), half = 0.5 * std::fabs(a->to - a->from) / scale;
    a->low = middle - half, a->high = middle + half;
  }
}

struct Label {
  double x = 0;         // [px]
  std::size_t row = 0;  // of the legend, from above
  std::string words;
};

/// The names of the curves, in as many rows as they need; those beyond the last row are counted.
std::vector<Label> legend(const std::vector<Series>& series, const std::vector<Look>& looks) {
  std::vector<Label> out;
  if (series.size() < 2) return out;
  double place = left;
  std::size_t row = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double wide = (looks[i].dash.empty() ? 0 : sample + 4) +
                        6.7 * double(series[i].label.size());  // [px] of 12 px letters
    const bool last = row + 1 == most_rows && i + 1 < series.size();
    if (place > left && place + wide + (last ? 40 : 0) > width - right) {
      if (row + 1 == most_rows) {
        out.push_back({place, row, "+" + std::to_string(series.size() - i)});
        return out;
      }
      place = left, ++row;
    }
    out.push_back({place, row, series[i].label});
    place += wide + 18;
  }
  return out;
}

/// The name of a curve in its colour, after a sample where it is dashed; only words where curves are counted.
std::string entry(const Label& label, const Series& s, const Look& look) {
  const double y = 36 + row_height * double(label.row);
  if (label.words != s.label) return text(label.x, y, label.words, "");
  const std::string fill = "fill=\"" + look.colour + "\"";
  if (look.dash.empty() || s.dots) return text(label.x, y, label.words, fill);
  return "<path d=\"M" + px(label.x) + " " + px(y - 4) + "h" + px(sample) + "\" fill=\"none\" " +
         look.stroke() + "/>\n" + text(label.x + sample + 4, y, label.words, fill);
}

std::string panel(const Figure& figure) {
  double x_low = HUGE_VAL, x_high = -HUGE_VAL, y_low = HUGE_VAL, y_high = -HUGE_VAL;
  for (const Series& s : figure.series)
    extend(s.x, false, x_low, x_high), extend(s.y, figure.logarithmic, y_low, y_high);
  if (figure.logarithmic && y_low <= y_high) y_low = std::floor(y_low), y_high = std::ceil(y_high);
  const std::vector<Look> looks = looks_of(figure.series);
  const std::vector<Label> labels = legend(figure.series, looks);
  const double ceiling = top + (labels.empty() ? 0 : row_height * double(labels.back().row));
  Axis x = axis_of(x_low, x_high, left, width - right), y = axis_of(y_low, y_high, height - bottom, ceiling);
  y.logarithmic = figure.logarithmic;
  if (figure.equal_axes) make_equal(x, y);
  std::string out = "<rect width=\"" + px(width) + "\" height=\"" + px(height) + "\" fill=\"#ffffff\"/>\n";
  out += text(left, 18, figure.title, "font-size=\"14\" font-weight=\"bold\"");
  out += grid(x, y);
  for (const bool guides : {true, false})
    for (std::size_t i = 0; i < figure.series.size(); ++i)
      if (figure.series[i].guide == guides) out += curve(figure.series[i], x, y, looks[i]);
  for (std::size_t i = 0; i < labels.size(); ++i) out += entry(labels[i], figure.series[i], looks[i]);
  out += text(0.5 * (left + width - right), height - 12, figure.x_label, "text-anchor=\"middle\"");
  const double middle = 0.5 * (ceiling + height - bottom);
  return out + text(14, middle, figure.y_label,
                    "text-anchor=\"middle\" transform=\"rotate(-90 14 " + px(middle) + ")\"");
}

}  // namespace

std::string to_svg(const Figure& figure) { return to_svg(std::span<const Figure>(&figure, 1)); }

std::string to_svg(std::span<const Figure> figures) {
  const double all = height * double(figures.size());
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(width) + " " + px(all) +
                    "\" width=\"" + px(width) + "\" height=\"" + px(all) +
                    "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#10161f\">\n";
  for (std::size_t i = 0; i < figures.size(); ++i)
    out += figures.size() == 1 ? panel(figures[i])
                               : "<g transform=\"translate(0 " + px(height * double(i)) + ")\">\n" +
                                     panel(figures[i]) + "</g>\n";
  return out + "</svg>\n";
}

}  // namespace stiction
