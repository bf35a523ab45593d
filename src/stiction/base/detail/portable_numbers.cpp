// The fewest digits d such that "%.{d-1}e" reads back as the same double; then the shorter of fixed and
// scientific notation, fixed if both are as long, as std::to_chars does.
//
// When it fails: where the C library rounds decimals wrongly (glibc and musl do not), or under a locale with
// another decimal point.
#include "stiction/base/detail/portable_numbers.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace stiction::detail {
namespace {

std::string print(const char* format, int digits, double x) {
  char buffer[400];  // the largest double has 309 digits before the point
  const int length = std::snprintf(buffer, sizeof buffer, format, digits, x);
  return {buffer, std::size_t(length)};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string portable_number_text(double x) {
  if (std::isnan(x)) return std::signbit(x) ? "-nan" : "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  std::string scientific;
  int decimals = 0;
  for (; decimals < 17; ++decimals) {
    scientific = print("%.*e", decimals, x);
    if (std::strtod(scientific.c_str(), nullptr) == x) break;
  }
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  if (exponent > 40 || exponent < -40) return scientific;
  std::string fixed = print("%.*f", decimals > exponent ? decimals - exponent : 0, x);
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

bool portable_number_from_text(std::string_view text, double& out) {
  // strtod also takes blanks, a plus sign, hexadecimal numbers and the end of the text inside of it
  const std::string_view digits = text.substr(!text.empty() && text[0] == '-' ? 1 : 0);
  if (digits.empty() ||
      !(is_digit(digits[0]) || (digits[0] == '.' && digits.size() > 1 && is_digit(digits[1]))))
    return false;
  if (digits.find_first_of("xX") != std::string_view::npos) return false;
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size() || std::isinf(value)) return false;
  if (value == 0 &&
      digits.substr(0, digits.find_first_of("eE")).find_first_of("123456789") != std::string_view::npos)
    return false;  // too small for a double
  out = value;
  return true;
}

}  // namespace stiction::detail
