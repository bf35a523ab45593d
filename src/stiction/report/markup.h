// Small helpers to write markup.
#pragma once

#include <string>
#include <string_view>

namespace stiction {

std::string escape_html(std::string_view text);      // & < > " '
std::string json_string(std::string_view text);      // quoted; safe inside <script>
std::string json_number(double x);                   // 9 digits; null when not finite
std::string px(double x);                            // one decimal, no trailing zero, no "-0"
std::string short_number(double x, int digits = 4);  // for people: "1.25e-9", "0.5", "12 345"

struct Colour {
  double r = 0, g = 0, b = 0;  // [0, 1]
};
Colour mix(const Colour& a, const Colour& b, double t);  // t = 0: a
std::string hex_colour(const Colour& c);                 // "#rrggbb"

}  // namespace stiction
