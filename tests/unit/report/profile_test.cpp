// Performance profiles: shares computed by hand, and a picture that is well-formed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/report/profile_svg.h"

namespace stiction {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

std::vector<std::pair<double, double>> steps(const std::vector<ProfileCurve>& curves, std::size_t solver) {
  std::vector<std::pair<double, double>> out;
  for (const ProfileStep& s : profile_steps(curves, solver)) out.emplace_back(s.at, s.share);
  return out;
}
using Steps = std::vector<std::pair<double, double>>;

TEST(Profile, SharesOfProblemsWithinATimeOfTheBest) {
  // best times: 1, 2, 4, none
  const std::vector<ProfileCurve> curves = {{"a", {1, 4, 4, never}}, {"b", {2, 2, never, never}}};
  EXPECT_EQ(steps(curves, 0), (Steps{{1, 0.5}, {2, 0.75}}));
  EXPECT_EQ(steps(curves, 1), (Steps{{1, 0.25}, {2, 0.5}}));
}

TEST(Profile, OneSolverIsShownByItsTime) {
  EXPECT_EQ(steps({{"a", {3, 1, never, 3}}}, 0), (Steps{{1, 0.25}, {3, 0.75}}));
}

TEST(Profile, WhatASolverDoesNotTakeIsNoFailure) {
  const double other = std::nan("");
  // a takes two of the four problems and solves both; best times: 1, 1, 2, 3
  const std::vector<ProfileCurve> curves = {{"a", {2, other, 2, other}}, {"b", {1, 1, never, 3}}};
  EXPECT_EQ(steps(curves, 0), (Steps{{1, 0.5}, {2, 1}}));
  EXPECT_EQ(steps(curves, 1), (Steps{{1, 0.75}}));
  const std::string svg = profile_svg(curves, "");
  EXPECT_NE(svg.find("a, solves 100 % of 2 it takes"), std::string::npos);
  EXPECT_NE(svg.find("b, solves 75 %<"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(profile_svg({{"none", {other}}}, "").find("nan"), std::string::npos);
}

TEST(Profile, TimesBelowTheClockAreEqual) {
  const std::vector<ProfileCurve> curves = {{"a", {0}}, {"b", {1e-6}}};
  EXPECT_EQ(steps(curves, 0), (Steps{{1, 1}}));
  EXPECT_EQ(steps(curves, 1), (Steps{{1, 1}}));
}

TEST(Profile, NamesOfManySolversStandInsideThePictureBelowTheCurves) {
  std::vector<ProfileCurve> curves;
  for (int i = 0; i < 12; ++i)
    curves.push_back({"projected_gradient " + std::to_string(i), {1.0 + i, std::nan("")}});
  const std::string svg = profile_svg(curves, "");
  const double height = std::stod(svg.substr(svg.find("viewBox=\"0 0 720 ") + 17));
  std::size_t named = 0;
  for (std::size_t at = svg.find("<text x=\"100\" y=\""); at != std::string::npos;
       at = svg.find("<text x=\"100\" y=\"", at + 1), ++named) {
    const double y = std::stod(svg.substr(at + 17));
    EXPECT_TRUE(y > 420 && y < height) << y << " of " << height;  // the axis ends at 420
    const std::size_t from = svg.find('>', at) + 1;
    EXPECT_LT(100 + 6.7 * double(svg.find('<', from) - from), 720);  // [px] of 12 px letters
  }
  EXPECT_EQ(named, 12u);
}

TEST(Profile, PictureNamesEverySolverAndEscapesNames) {
  for (const std::vector<ProfileCurve>& curves :
       {std::vector<ProfileCurve>{{"a<b", {1, 2}}, {"c", {never, 2000}}},
        {{"alone", {0.1, 5}}},
        {{"lost", {never}}}}) {
    const std::string svg = profile_svg(curves, "title & more");
    EXPECT_EQ(svg.find("<svg "), 0u);
    EXPECT_NE(svg.find("title &amp; more"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_EQ(std::count(svg.begin(), svg.end(), '<'), std::count(svg.begin(), svg.end(), '>'));
  }
  EXPECT_NE(profile_svg({{"a<b", {1, never}}, {"c", {1, 2}}}, "").find("a&lt;b, solves 50 %"),
            std::string::npos);
}

}  // namespace
}  // namespace stiction
