// The algebra of plain numbers; the grammar is in detail/expression_parser.h. Angles in radians.
// rand: each argument's bits are folded into a 64-bit state with the finaliser of splitmix64 (Steele, Lea and
// Flood 2014); the upper 53 bits make the number.
#include "stiction/formats/expression.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "stiction/base/text.h"
#include "stiction/formats/detail/expression_parser.h"
#include "stiction/math/elementary.h"

namespace stiction::formats {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

constexpr std::size_t any = any_arguments;
const ExpressionFunction functions[] = {
    {"sqrt", 1, 1, [](const std::vector<double>& a) { return std::sqrt(a[0]); }},
    {"abs", 1, 1, [](const std::vector<double>& a) { return std::fabs(a[0]); }},
    {"floor", 1, 1, [](const std::vector<double>& a) { return std::floor(a[0]); }},
    {"min", 1, any,
     [](const std::vector<double>& a) {
       double x = a[0];
       for (const double y : a) x = std::fmin(x, y);
       return x;
     }},
    {"max", 1, any,
     [](const std::vector<double>& a) {
       double x = a[0];
       for (const double y : a) x = std::fmax(x, y);
       return x;
     }},
    {"sin", 1, 1, [](const std::vector<double>& a) { return elementary::sin(a[0]); }},
    {"cos", 1, 1, [](const std::vector<double>& a) { return elementary::cos(a[0]); }},
    {"tan", 1, 1, [](const std::vector<double>& a) { return elementary::tan(a[0]); }},
    {"asin", 1, 1, [](const std::vector<double>& a) { return elementary::asin(a[0]); }},
    {"acos", 1, 1, [](const std::vector<double>& a) { return elementary::acos(a[0]); }},
    {"atan", 1, 1, [](const std::vector<double>& a) { return elementary::atan(a[0]); }},
    {"atan2", 2, 2, [](const std::vector<double>& a) { return elementary::atan2(a[0], a[1]); }},
    {"exp", 1, 1, [](const std::vector<double>& a) { return elementary::exp(a[0]); }},
    {"log", 1, 1, [](const std::vector<double>& a) { return elementary::log(a[0]); }},
    {"rand", 1, any, [](const std::vector<double>& a) { return random_number(a); }},
};

struct Numbers {
  using Value = double;
  static constexpr bool has_unknowns = false;
  using Maybe = std::optional<double>;
  const ConstantLookup& constants;

  double number(double x) const { return x; }
  double negative(double a) const { return -a; }
  double sum(double a, double b) const { return a + b; }
  double difference(double a, double b) const { return a - b; }
  double product(double a, double b) const { return a * b; }
  Maybe constant(std::string_view name, std::string& why) const { return constants(name, why); }
  Maybe quotient(double a, double b, std::string& why) const {
    if (b != 0) return a / b;
    why = "division by zero";
    return std::nullopt;
  }
  Maybe power(double a, double b, std::string& why) const {
    const double value = formats::power(a, b);
    if (std::isfinite(value)) return value;
    why = "the power is not a finite number";
    return std::nullopt;
  }
  Maybe call(const ExpressionFunction& function, const std::vector<double>& arguments,
             std::string& why) const {
    const double value = function.call(arguments);
    if (std::isfinite(value)) return value;
    why = std::string(function.name) + " of this argument is not a finite number";
    return std::nullopt;
  }
  Maybe finish(double value, std::string& why) const {
    if (std::isfinite(value)) return value;
    why = "the result is " + number_text(value) + ", not a finite number";
    return std::nullopt;
  }
};

}  // namespace

std::span<const ExpressionFunction> expression_functions() { return functions; }

double power(double x, double y) {
  if (y != std::floor(y) || std::fabs(y) > 64) return elementary::pow(x, y);
  double product = 1;
  for (int i = 0; i < int(std::fabs(y)); ++i) product *= x;
  return y < 0 ? 1 / product : product;
}

std::optional<double> evaluate(std::string_view text, const ConstantLookup& constants,
                               ExpressionMistake& mistake) {
  Numbers numbers{constants};
  return ExpressionParser<Numbers>(text, numbers).run(mistake);
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const ExpressionFunction& f : functions) out.emplace_back(f.name);
    return out;
  }();
  return names;
}

double random_number(const std::vector<double>& arguments) {
  std::uint64_t state = 0;
  for (const double argument : arguments) {
    const double x = argument + 0.0;  // -0 becomes 0
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    state = (state ^ bits) + 0x9e3779b97f4a7c15ull;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ull;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebull;
    state ^= state >> 31;
  }
  return double(state >> 11) * 0x1p-53;
}

bool is_constant_name(std::string_view name) {
  if (name.empty() || !is_letter(name.front())) return false;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) return false;
  }
  return true;
}

}  // namespace stiction::formats
