// The grammar of expressions, over any algebra: numbers (expression.cpp) or a tape that can be differentiated
// (formula.cpp). Recursive descent:
//   sum   = term  { (+|-) term }
//   term  = unary { (*|/) unary }
//   unary = (+|-) unary | power
//   power = atom [ ^ unary ]            (right-associative, binds before a minus)
//   atom  = number | $name | pi | deg | name ( sum {, sum} ) | ( sum )
// and where the algebra has unknowns:
//   atom  = x [ sum ] | sum ( $name, sum, sum, sum )      (the last one added up for $name = first ... last)
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/base/text.h"
#include "stiction/formats/expression.h"

namespace stiction::formats {

struct ExpressionFunction {
  const char* name;
  std::size_t fewest, most;  // arguments
  double (*call)(const std::vector<double>& a);
};
inline constexpr std::size_t any_arguments = 64;
std::span<const ExpressionFunction> expression_functions();

/// x^y; a whole y up to 64 is a product, so that x^2 is x*x to the bit.
double power(double x, double y);

/// An algebra has a type Value, a flag has_unknowns, and
///   Value number(double), negative(Value), sum(Value, Value), difference(Value, Value), product(Value,
///   Value); optional<Value> constant(name, why), quotient(a, b, why), power(a, b, why), call(function,
///   arguments, why), finish(a, why): none after writing why not;
/// with unknowns also
///   optional<Value> unknown(index, why);   optional<double> known(a, why): the number that a always is;
///   bind(name, number), unbind(): $name inside of a sum;   full(): it holds as much as it may.
template <class Algebra>
class ExpressionParser {
 public:
  using Value = typename Algebra::Value;
  ExpressionParser(std::string_view text, Algebra& algebra) : text_(text), algebra_(algebra) {}

  std::optional<Value> run(ExpressionMistake& mistake) {
    Value value = sum();
    skip();
    if (fine_ && at_ < text_.size()) fail(at_, "found " + found() + ", expected an operator + - * / ^");
    std::string why;
    if (fine_) value = checked(0, algebra_.finish(value, why), why);
    if (fine_) return value;
    mistake = mistake_;
    return std::nullopt;
  }

 private:
  static constexpr int deepest = 64;
  static constexpr double longest_sum = 100000;
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

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
  Value fail(std::size_t offset, std::string message) {
    if (fine_) mistake_ = {offset, std::move(message)};
    fine_ = false;
    at_ = text_.size();
    return Value{};
  }
  Value checked(std::size_t place, const std::optional<Value>& value, const std::string& why) {
    return value ? *value : fail(place, why);
  }
  /// Goes past that character; false after reporting that it is not there.
  bool expect(char c) {
    if (fine_ && peek() != c) fail(at_, "found " + found() + ", expected '" + std::string(1, c) + "'");
    if (fine_) ++at_;
    return fine_;
  }

  Value sum() {
    if (++depth_ > deepest) return fail(at_, "the expression is nested too deep");
    Value value = term();
    while (fine_ && (peek() == '+' || peek() == '-')) {
      const char sign = text_[at_++];
      const Value right = term();
      if (fine_) value = sign == '+' ? algebra_.sum(value, right) : algebra_.difference(value, right);
    }
    --depth_;
    return value;
  }

  Value term() {
    Value value = unary();
    while (fine_ && (peek() == '*' || peek() == '/')) {
      const std::size_t place = at_;
      const char sign = text_[at_++];
      const Value right = unary();
      std::string why;
      if (!fine_) break;
      value = sign == '*' ? algebra_.product(value, right)
                          : checked(place, algebra_.quotient(value, right, why), why);
    }
    return value;
  }

  Value unary() {
    bool negative = false;
    while (peek() == '-' || peek() == '+') negative = (text_[at_++] == '-') != negative;
    const Value value = raised();
    return negative && fine_ ? algebra_.negative(value) : value;
  }

  Value raised() {
    const Value base = atom();
    if (!fine_ || peek() != '^') return base;
    const std::size_t place = at_++;
    if (++depth_ > deepest) return fail(place, "the expression is nested too deep");
    const Value exponent = unary();
    --depth_;
    if (!fine_) return Value{};
    std::string why;
    return checked(place, algebra_.power(base, exponent, why), why);
  }

  Value atom() {
    const char c = peek();
    const std::size_t place = at_;
    if (c == '(') {
      ++at_;
      const Value value = sum();
      return expect(')') ? value : Value{};
    }
    if (is_digit(c) || c == '.') return number();
    if (c == '$') {
      ++at_;
      std::string why;
      const std::optional<Value> value = algebra_.constant(word(), why);
      return checked(place, value, why);
    }
    if (is_letter(c)) return named(place);
    return fail(place, "found " + found() + ", expected a number, a $constant, a function or '('");
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Value number() {
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
    return algebra_.number(value);
  }

  Value named(std::size_t place) {
    const std::string name(word());
    if constexpr (Algebra::has_unknowns) {
      if (name == "x" && peek() == '[') return unknown(place);
      if (name == "sum" && peek() == '(') return series(place);
    }
    if (peek() != '(') {
      if (name == "pi") return algebra_.number(3.14159265358979323846);
      if (name == "deg") return algebra_.number(3.14159265358979323846 / 180);
      return fail(place, "\"" + name + "\" is not a number; constants are written $" + name +
                             ", functions with (...)" + (Algebra::has_unknowns ? ", unknowns x[0]" : ""));
    }
    return call(place, name);
  }

  Value call(std::size_t place, const std::string& name) {
    const ExpressionFunction* function = nullptr;
    for (const ExpressionFunction& f : expression_functions()) {
      if (name == f.name) function = &f;
    }
    if (function == nullptr) {
      return fail(place, "there is no function \"" + name + "\"" + did_you_mean(name, function_names()));
    }
    ++at_;
    std::vector<Value> arguments;
    if (peek() != ')') {
      do {
        arguments.push_back(sum());
      } while (fine_ && peek() == ',' && ++at_);
    }
    if (fine_ && peek() != ')') return fail(at_, "found " + found() + ", expected ',' or ')'");
    if (!fine_) return Value{};
    ++at_;
    if (arguments.size() < function->fewest || arguments.size() > function->most) {
      const std::string wanted = function->most == any_arguments ? "at least one argument"
                                 : function->fewest == 1         ? "one argument"
                                                                 : "two arguments";
      return fail(place, name + " takes " + wanted + ", found " + std::to_string(arguments.size()));
    }
    std::string why;
    return checked(place, algebra_.call(*function, arguments, why), why);
  }

  Value unknown(std::size_t place) {
    ++at_;
    const Value index = sum();
    if (!expect(']')) return Value{};
    std::string why;
    return checked(place, algebra_.unknown(index, why), why);
  }

  /// A whole number that no unknown has a part in.
  bool limit(std::size_t place, double& out) {
    const Value value = sum();
    if (!fine_) return false;
    std::string why;
    const std::optional<double> known = algebra_.known(value, why);
    if (!known) fail(place, why);
    out = known.value_or(0);
    return fine_;
  }

  /// After "sum": the text of the last argument is read once for every value of $name.
  Value series(std::size_t place) {
    if (++depth_ > deepest) return fail(place, "the expression is nested too deep");
    double first = 0, last = 0;
    expect('(');
    if (fine_ && peek() != '$')
      return fail(at_, "found " + found() + ", expected sum($k, first, last, term)");
    if (fine_) ++at_;
    const std::string name(fine_ ? word() : std::string_view());
    if (fine_ && name.empty()) return fail(at_, "found " + found() + ", expected a name such as $k");
    if (!expect(',') || !limit(place, first) || !expect(',') || !limit(place, last) || !expect(','))
      return Value{};
    if (last - first >= longest_sum) return fail(place, "the sum has more than 100000 terms");
    const std::size_t body = at_;
    Value total = algebra_.number(0);
    if (last < first) skip_argument();
    for (double k = first; fine_ && k <= last; ++k) {
      at_ = body;
      algebra_.bind(name, k);
      const Value one = sum();
      algebra_.unbind();
      if (fine_) total = k == first ? one : algebra_.sum(total, one);
      if (algebra_.full()) return fail(place, "the formula is too long");
    }
    --depth_;
    return expect(')') ? total : Value{};
  }

  void skip_argument() {
    int open = 0;
    for (; at_ < text_.size() && (open > 0 || text_[at_] != ')'); ++at_) {
      if (text_[at_] == '(') ++open;
      if (text_[at_] == ')') --open;
    }
  }

  std::string_view text_;
  Algebra& algebra_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool fine_ = true;
  ExpressionMistake mistake_{};
};

}  // namespace stiction::formats
