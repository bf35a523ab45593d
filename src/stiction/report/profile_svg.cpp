#include "stiction/report/profile_svg.h"

#include <algorithm>
#include <cmath>

#include "stiction/report/markup.h"

namespace stiction {
namespace {

// Colours that stay apart for most eyes (Okabe, Ito 2008); lines also differ in their dashes.
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#777777"};
constexpr const char* dashes[] = {"", "7 3", "2 3", "9 3 2 3"};

constexpr double width = 720, height = 420, left = 64, right = 20, top = 44, bottom = 56;
constexpr double row_height = 18;  // [px] of the legend, which stands below the curves

/// Time of the best solver of each problem; infinite where none solves it.
std::vector<double> best_times(const std::vector<ProfileCurve>& curves) {
  std::vector<double> best;
  for (const ProfileCurve& c : curves) {
    best.resize(c.milliseconds.size(), INFINITY);
    for (std::size_t p = 0; p < best.size(); ++p)
      if (c.milliseconds[p] < best[p]) best[p] = c.milliseconds[p];
  }
  return best;
}

/// How many problems a solver takes.
std::size_t taken(const ProfileCurve& c) {
  return std::size_t(std::count_if(c.milliseconds.begin(), c.milliseconds.end(),
                                   [](double time) { return !std::isnan(time); }));
}

struct Axis {
  double low, high;  // logarithms to base 10
  double x(double at) const {
    const double share = (std::log10(at) - low) / (high - low);
    return left + (width - left - right) * std::clamp(share, 0.0, 1.0);
  }
};

double y(double share) { return height - bottom - (height - top - bottom) * share; }

Axis axis_for(const std::vector<std::vector<ProfileStep>>& all, bool ratios) {
  double low = INFINITY, high = -INFINITY;
  for (const auto& steps : all)
    for (const ProfileStep& s : steps) low = std::min(low, s.at), high = std::max(high, s.at);
  if (!(low <= high)) low = high = 1;
  const double first = ratios ? 0 : std::floor(std::log10(low));
  return {first, std::max(first + (ratios ? 0.3 : 1), std::ceil(std::log10(high) * 10 + 0.5) / 10)};
}

std::string line(double x1, double y1, double x2, double y2) {
  return "<line x1=\"" + px(x1) + "\" y1=\"" + px(y1) + "\" x2=\"" + px(x2) + "\" y2=\"" + px(y2) +
         "\" stroke=\"#dddddd\"/>\n";
}
std::string text(double x, double at, const char* anchor, const std::string& words) {
  return "<text x=\"" + px(x) + "\" y=\"" + px(at) + "\" text-anchor=\"" + anchor + "\">" +
         escape_html(words) + "</text>\n";
}

std::string grid(const Axis& axis, bool ratios) {
  std::string out;
  for (int k = 0; k <= 4; ++k) {
    out += line(left, y(k / 4.0), width - right, y(k / 4.0));
    out += text(left - 8, y(k / 4.0) + 4, "end", std::to_string(25 * k) + " %");
  }
  for (int decade = int(std::floor(axis.low)); decade <= int(std::ceil(axis.high)); ++decade)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double at = digit * std::pow(10.0, decade);
      if (std::log10(at) < axis.low - 1e-9 || std::log10(at) > axis.high + 1e-9) continue;
      if (axis.high - axis.low > 3 && digit != 1) continue;
      out += line(axis.x(at), y(0), axis.x(at), y(1));
      out += text(axis.x(at), y(0) + 18, "middle", short_number(at));
    }
  out += text((left + width - right) / 2, height - 14, "middle",
              ratios ? "time over that of the fastest solver" : "time [ms]");
  return out;
}

std::string label(const ProfileCurve& c, double share) {
  const std::size_t all = c.milliseconds.size(), asked = taken(c);
  return c.solver + ", solves " + px(100 * share) + " %" +
         (asked < all ? " of " + std::to_string(asked) + " it takes" : std::string());
}

}  // namespace

std::vector<ProfileStep> profile_steps(const std::vector<ProfileCurve>& curves, std::size_t solver) {
  const std::vector<double> best = best_times(curves), &times = curves[solver].milliseconds;
  std::vector<double> at;
  for (std::size_t p = 0; p < times.size(); ++p) {
    if (!std::isfinite(times[p])) continue;
    const double floor = 1e-4;  // [ms] what a clock can tell apart
    const double time = std::max(times[p], floor);
    at.push_back(curves.size() > 1 ? time / std::max(best[p], floor) : time);
  }
  std::sort(at.begin(), at.end());
  std::vector<ProfileStep> out;
  for (std::size_t k = 0; k < at.size(); ++k) {
    const double share = double(k + 1) / double(taken(curves[solver]));
    if (!out.empty() && out.back().at == at[k])
      out.back().share = share;
    else
      out.push_back({at[k], share});
  }
  return out;
}

std::string profile_svg(const std::vector<ProfileCurve>& curves, const std::string& title) {
  const bool ratios = curves.size() > 1;
  std::vector<std::vector<ProfileStep>> all;
  for (std::size_t s = 0; s < curves.size(); ++s) all.push_back(profile_steps(curves, s));
  const Axis axis = axis_for(all, ratios);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(width) + " " +
                    px(height + row_height * double(curves.size()) + (curves.empty() ? 0 : 8)) +
                    "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  out += "<g font-size=\"15\">" + text(left, 26, "start", title) + "</g>\n" + grid(axis, ratios);
  for (std::size_t s = 0; s < curves.size(); ++s) {
    double share = 0;
    std::string path = "M" + px(left) + " " + px(y(0));
    for (const ProfileStep& step : all[s]) {
      path += "H" + px(axis.x(step.at)) + "V" + px(y(step.share));
      share = step.share;
    }
    path += "H" + px(width - right);
    const std::string style = std::string("stroke=\"") + colours[s % 7] + "\" stroke-dasharray=\"" +
                              dashes[s % 4] + "\" stroke-width=\"2\" fill=\"none\"";
    out += "<path d=\"" + path + "\" " + style + "/>\n";
    const double at = height + 10 + row_height * double(s);
    out += "<path d=\"M" + px(left) + " " + px(at - 4) + "h28\" " + style + "/>\n" +
           text(left + 36, at, "start", label(curves[s], share));
  }
  return out + "</svg>\n";
}

}  // namespace stiction
