// Line charts as SVG.
#include "stiction/report/figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

TEST(Figure, DrawsWhatIsFinite) {
  Figure f{"name", "A < B", "x [s]", "y", {{"one", {0, 1, 2}, {0, std::nan(""), 4}}, {"two", {0}, {1}}}};
  const std::string svg = to_svg(f);
  EXPECT_NE(svg.find("A &lt; B"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find(">one</text>"), std::string::npos);
  const std::size_t at = svg.find("points=\"");
  EXPECT_EQ(
      std::count(svg.begin() + std::ptrdiff_t(at), svg.begin() + std::ptrdiff_t(svg.find('/', at)), ','), 2);
  f.series = {{"long", std::vector<double>(10000, 1), std::vector<double>(10000, 1)}};
  EXPECT_LT(to_svg(f).size(), 40000u);
  f.series.clear();
  EXPECT_NE(to_svg(f).find("</svg>"), std::string::npos);
}

TEST(Figure, KeepsPeaksOfLongCurves) {
  Figure f{"name", "", "x", "y", {{"long", {}, {}}}};
  for (int i = 0; i < 10000; ++i) f.series[0].x.push_back(i), f.series[0].y.push_back(i == 4321 ? 1 : 0);
  const std::string svg = to_svg(f);
  EXPECT_LT(svg.size(), 40000u);
  // The axis goes from -0.04 at 366 px to 1.04 at 44 px: 1 stands at 366 - 322 * 1.04 / 1.08.
  EXPECT_NE(svg.find(",55.9 "), std::string::npos);
}

TEST(Figure, Dots) {
  const Figure f{
      "name", "", "x", "y", {{"line", {0, 1}, {0, 1}}, {"dots", {0, 1, 2}, {0, 1, std::nan("")}, true}}};
  const std::string svg = to_svg(f);
  std::size_t circles = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1))
    ++circles;
  EXPECT_EQ(circles, 2u);
}

TEST(Figure, NamesOfManyCurvesTakeSeveralRows) {
  Figure f{"name", "", "x", "y", {}};
  for (int i = 0; i < 12; ++i)
    f.series.push_back({"A rubber.position." + std::to_string(i), {0, 1}, {0, double(i)}});
  const std::string svg = to_svg(f);
  for (const Series& s : f.series)
    EXPECT_NE(svg.find(">" + s.label + "</text>"), std::string::npos) << s.label;
  // five names of 140 px in a row of 616: rows at 36, 53 and 70 px, and the curves begin below them
  for (const char* row : {"y=\"36\"", "y=\"53\"", "y=\"70\""})
    EXPECT_NE(svg.find(row), std::string::npos) << row;
  EXPECT_EQ(svg.find("y=\"87\""), std::string::npos);
  for (int i = 12; i < 100; ++i) f.series.push_back({"curve number " + std::to_string(i), {0}, {0}});
  const std::string many = to_svg(f);  // at most five rows; the rest is counted
  const std::size_t plus = many.find(">+");
  ASSERT_NE(plus, std::string::npos);
  std::size_t named = 0;
  for (const Series& s : f.series) named += many.find(">" + s.label + "</text>") != std::string::npos;
  EXPECT_EQ(named + std::stoul(many.substr(plus + 2)), 100u);
}

/// What stands between two texts, for each place where the first one is.
std::vector<std::string> between(const std::string& text, const std::string& first, const std::string& last) {
  std::vector<std::string> out;
  for (std::size_t at = text.find(first); at != std::string::npos; at = text.find(first, at + 1)) {
    const std::size_t from = at + first.size();
    out.push_back(text.substr(from, text.find(last, from) - from));
  }
  return out;
}

TEST(Figure, ThirtySixCurvesLookDifferent) {
  Figure f{"name", "", "x", "y", {}};
  for (int i = 0; i < 36; ++i) f.series.push_back({"c" + std::to_string(i), {0, 1}, {0, double(i)}});
  const std::string svg = to_svg(f);
  std::vector<std::string> looks = between(svg, "<polyline fill=\"none\" ", " points");
  ASSERT_EQ(looks.size(), 36u);
  std::sort(looks.begin(), looks.end());
  EXPECT_EQ(std::unique(looks.begin(), looks.end()), looks.end());
  EXPECT_EQ(between(svg, "h22\" fill=\"none\" ", "/>").size(), 24u);  // samples of those that are dashed
}

TEST(Figure, GuidesLieBelowTheCurvesAndTakeNoColour) {
  Figure f{"name", "", "x", "y", {{"zero", {0, 1}, {0, 0}, false, true}, {"one", {0, 1}, {0, 1}}}};
  const std::vector<std::string> looks = between(to_svg(f), "<polyline fill=\"none\" ", " points");
  std::swap(f.series[0], f.series[1]);
  EXPECT_EQ(between(to_svg(f), "<polyline fill=\"none\" ", " points"), looks);
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_NE(looks[0].find("dasharray"), std::string::npos);
  f.series.erase(f.series.begin() + 1);
  EXPECT_EQ(between(to_svg(f), "<polyline fill=\"none\" ", " points")[0], looks[1]);
}

TEST(Figure, PowersOfTen) {
  Figure f{"name", "", "x", "y", {{"one", {0, 1, 2, 3}, {1e-6, 1, 0, -1}}}};
  f.logarithmic = true;
  const std::string svg = to_svg(f);
  const std::size_t at = svg.find("points=\"");
  EXPECT_EQ(
      std::count(svg.begin() + std::ptrdiff_t(at), svg.begin() + std::ptrdiff_t(svg.find('/', at)), ','), 2);
  for (const char* tick : {">1e-6<", ">0.0001<", ">0.01<", ">1<"})
    EXPECT_NE(svg.find(tick), std::string::npos) << tick;
}

TEST(Figure, SeveralStandBelowEachOther) {
  const std::vector<Figure> two(2, Figure{"name", "T", "x", "y", {{"one", {0, 1}, {0, 1}}}});
  const std::string svg = to_svg(two);
  EXPECT_NE(svg.find("viewBox=\"0 0 720 840\""), std::string::npos);
  EXPECT_NE(svg.find("translate(0 420)"), std::string::npos);
}

}  // namespace
}  // namespace stiction
