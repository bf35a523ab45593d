// Recursive descent:
//   sum   = term  { (+|-) term }
//   term  = unary { (*|/) unary }
//   unary = (+|-) unary | power
//   power = atom [ ^ unary ]            (right-associative, binds before a minus)
//   atom  = number | $name | pi | deg | name ( sum {, sum} ) | ( sum )
// Powers with a whole exponent up to 64 are products, so that $r^2 is $r*$r to the bit. Angles in radians.
// rand: each argument's bits are folded into a 64-bit state with the finaliser of splitmix64 (Steele, Lea and
// Flood 2014); the upper 53 bits make the number.
#include "stiction/formats/expression.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "stiction/base/text.h"
#include "stiction/math/elementary.h"

namespace stiction::formats {
namespace {

constexpr int deepest = 64;
constexpr double pi = 3.14159265358979323846;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

double power(double x, double y) {
  if (y != std::floor(y) || std::fabs(y) > 64) return elementary::pow(x, y);
  double product = 1;
  for (int i = 0; i < int(std::fabs(y)); ++i) product *= x;
  return y < 0 ? 1 / product : product;
}

struct Function {
  const char* name;
  std::size_t fewest, most;  // arguments
  double (*call)(const std::vector<double>& a);
};
constexpr std::size_t any = 64;
const Function functions[] = {
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

class Evaluator {
 public:
  Evaluator(std::string_view text, const ConstantLookup& constants) : text_(text), constants_(constants) {}

  std::optional<double> run(ExpressionMistake& mistake) {
    double value = sum();
    skip();
    if (fine_ && at_ < text_.size()) fail(at_, "found " + found() + ", expected an operator + - * / ^");
    if (fine_ && !std::isfinite(value))
      fail(0, "the result is " + number_text(value) + ", not a finite number");
    if (fine_) return value;
    mistake = mistake_;
    return std::nullopt;
  }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string found() const {
    if (at_ >= text_.size()) return "the end of the expression";
    std::size_t n = 1;
    while (at_ + n < text_.size() && (static_cast<unsigned char>(text_[at_ + n]) & 0xc0) == 0x80) ++n;
    return "'" + std::string(text_.substr(at_, n)) + "'";
  }
  double fail(std::size_t offset, std::string message) {
    if (fine_) mistake_ = {offset, std::move(message)};
    fine_ = false;
    at_ = text_.size();
    return 0;
  }

  double sum() {
    if (++depth_ > deepest) return fail(at_, "the expression is nested too deep");
    double value = term();
    while (fine_ && (peek() == '+' || peek() == '-')) {
      const char sign = text_[at_++];
      const double right = term();
      value = sign == '+' ? value + right : value - right;
    }
    --depth_;
    return value;
  }

  double term() {
    double value = unary();
    while (fine_ && (peek() == '*' || peek() == '/')) {
      const std::size_t place = at_;
      const char sign = text_[at_++];
      const double right = unary();
      if (fine_ && sign == '/' && right == 0) return fail(place, "division by zero");
      value = sign == '*' ? value * right : value / right;
    }
    return value;
  }

  double unary() {
    bool negative = false;
    while (peek() == '-' || peek() == '+') negative = (text_[at_++] == '-') != negative;
    const double value = raised();
    return negative ? -value : value;
  }

  double raised() {
    const double base = atom();
    if (!fine_ || peek() != '^') return base;
    const std::size_t place = at_++;
    if (++depth_ > deepest) return fail(place, "the expression is nested too deep");
    const double exponent = unary();
    --depth_;
    if (!fine_) return 0;
    const double value = power(base, exponent);
    if (!std::isfinite(value)) return fail(place, "the power is not a finite number");
    return value;
  }

  double atom() {
    const char c = peek();
    const std::size_t place = at_;
    if (c == '(') {
      ++at_;
      const double value = sum();
      if (fine_ && peek() != ')') return fail(at_, "found " + found() + ", expected ')'");
      ++at_;
      return value;
    }
    if (is_digit(c) || c == '.') return number();
    if (c == '$') {
      ++at_;
      std::string message;
      const std::optional<double> value = constants_(word(), message);
      return value ? *value : fail(place, message);
    }
    if (is_letter(c)) return named(place);
    return fail(place, "found " + found() + ", expected a number, a $constant, a function or '('");
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  double number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }
    double value = 0;
    const std::string_view digits = text_.substr(begin, at_ - begin);
    if (!number_from_text(digits, value)) {
      return fail(begin, "found '" + std::string(digits) + "', expected a number such as 2, 0.5 or 1e-3");
    }
    return value;
  }

  double named(std::size_t place) {
    const std::string name(word());
    if (peek() != '(') {
      if (name == "pi") return pi;
      if (name == "deg") return pi / 180;
      return fail(place, "\"" + name + "\" is not a number; constants are written $" + name +
                             ", functions with (...)");
    }
    const Function* function = nullptr;
    for (const Function& f : functions) {
      if (name == f.name) function = &f;
    }
    if (function == nullptr) {
      return fail(place, "there is no function \"" + name + "\"" + did_you_mean(name, function_names()));
    }
    ++at_;
    std::vector<double> arguments;
    if (peek() != ')') {
      do {
        arguments.push_back(sum());
      } while (fine_ && peek() == ',' && ++at_);
    }
    if (fine_ && peek() != ')') return fail(at_, "found " + found() + ", expected ',' or ')'");
    if (!fine_) return 0;
    ++at_;
    if (arguments.size() < function->fewest || arguments.size() > function->most) {
      const std::string wanted = function->most == any   ? "at least one argument"
                                 : function->fewest == 1 ? "one argument"
                                                         : "two arguments";
      return fail(place, name + " takes " + wanted + ", found " + std::to_string(arguments.size()));
    }
    const double value = function->call(arguments);
    if (!std::isfinite(value)) return fail(place, name + " of this argument is not a finite number");
    return value;
  }

  std::string_view text_;
  const ConstantLookup& constants_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool fine_ = true;
  ExpressionMistake mistake_{};
};

}  // namespace

std::optional<double> evaluate(std::string_view text, const ConstantLookup& constants,
                               ExpressionMistake& mistake) {
  return Evaluator(text, constants).run(mistake);
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Function& f : functions) out.emplace_back(f.name);
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
