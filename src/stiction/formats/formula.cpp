#include "stiction/formats/formula.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "stiction/formats/detail/expression_parser.h"
#include "stiction/math/elementary.h"

namespace stiction::formats {

using Op = Formula::Op;

/// The algebra of the grammar that writes operations down instead of doing them. What no unknown has a part
/// in is worked out at once.
class Tape {
 public:
  using Value = int;
  using Maybe = std::optional<int>;
  static constexpr bool has_unknowns = true;
  static constexpr std::size_t most_nodes = 1000000;
  using Op = Formula::Op;

  Tape(int unknowns, const ConstantLookup& constants) : unknowns_(unknowns), constants_(constants) {}

  int number(double x) { return add({Op::constant, -1, -1, x}); }
  int negative(int a) { return operation(Op::negative, a, -1); }
  int sum(int a, int b) { return operation(Op::sum, a, b); }
  int difference(int a, int b) { return operation(Op::difference, a, b); }
  int product(int a, int b) { return operation(Op::product, a, b); }
  Maybe constant(std::string_view name, std::string& why);
  Maybe quotient(int a, int b, std::string& why);
  Maybe power(int a, int b, std::string& why);
  Maybe call(const ExpressionFunction& function, const std::vector<int>& arguments, std::string& why);
  Maybe finish(int a, std::string& why);
  Maybe unknown(int index, std::string& why);
  std::optional<double> known(int a, std::string& why) const;
  void bind(const std::string& name, double number) { bound_.emplace_back(name, number); }
  void unbind() { bound_.pop_back(); }
  bool full() const { return nodes_.size() > most_nodes; }
  Formula formula(int result) const;

 private:
  int add(const Formula::Node& node) {
    nodes_.push_back(node);
    return int(nodes_.size()) - 1;
  }
  bool is_number(int a) const { return nodes_[std::size_t(a)].op == Op::constant; }
  double number_of(int a) const { return nodes_[std::size_t(a)].number; }
  int operation(Op op, int a, int b);
  Maybe finite(int a, const std::string& otherwise, std::string& why) const;

  int unknowns_;
  const ConstantLookup& constants_;
  std::vector<Formula::Node> nodes_{};
  std::map<int, int> places_{};                          // of the unknowns on the tape
  std::vector<std::pair<std::string, double>> bound_{};  // $k of the sums around here
};

int Tape::operation(Op op, int a, int b) {
  if (is_number(a) && (b < 0 || is_number(b)))
    return number(Formula::apply(op, number_of(a), b < 0 ? 0 : number_of(b)));
  return add({op, a, b, 0});
}

Tape::Maybe Tape::finite(int a, const std::string& otherwise, std::string& why) const {
  if (!is_number(a) || std::isfinite(number_of(a))) return a;
  why = otherwise;
  return std::nullopt;
}

Tape::Maybe Tape::constant(std::string_view name, std::string& why) {
  for (auto b = bound_.rbegin(); b != bound_.rend(); ++b)
    if (b->first == name) return number(b->second);
  const std::optional<double> value = constants_(name, why);
  if (!value) return std::nullopt;
  return number(*value);
}

Tape::Maybe Tape::quotient(int a, int b, std::string& why) {
  if (!is_number(b) || number_of(b) != 0) return operation(Op::quotient, a, b);
  why = "division by zero";
  return std::nullopt;
}

Tape::Maybe Tape::power(int a, int b, std::string& why) {
  return finite(operation(Op::power, a, b), "the power is not a finite number", why);
}

Tape::Maybe Tape::call(const ExpressionFunction& function, const std::vector<int>& arguments,
                       std::string& why) {
  static const std::map<std::string_view, Op> operations = {
      {"sqrt", Op::sqrt},   {"abs", Op::abs}, {"min", Op::min},   {"max", Op::max},   {"sin", Op::sin},
      {"cos", Op::cos},     {"tan", Op::tan}, {"asin", Op::asin}, {"acos", Op::acos}, {"atan", Op::atan},
      {"atan2", Op::atan2}, {"exp", Op::exp}, {"log", Op::log}};
  const auto op = operations.find(function.name);
  bool numbers = true;
  for (const int a : arguments) numbers = numbers && is_number(a);
  if (op == operations.end() && !numbers) {
    why = std::string(function.name) + " of an unknown jumps; F must be continuous";
    return std::nullopt;
  }
  const std::string otherwise = std::string(function.name) + " of this argument is not a finite number";
  if (op == operations.end()) {
    std::vector<double> values;
    for (const int a : arguments) values.push_back(number_of(a));
    return finite(number(function.call(values)), otherwise, why);
  }
  int value = arguments.front();
  if (function.most == 1) value = operation(op->second, value, -1);
  for (std::size_t i = 1; i < arguments.size(); ++i) value = operation(op->second, value, arguments[i]);
  return finite(value, otherwise, why);
}

Tape::Maybe Tape::finish(int a, std::string& why) {
  if (full()) {
    why = "the formula is too long";
    return std::nullopt;
  }
  return finite(a, "the result is not a finite number", why);
}

std::optional<double> Tape::known(int a, std::string& why) const {
  const double x = number_of(a);
  if (is_number(a) && x == std::floor(x) && std::fabs(x) <= 1e9) return x;
  why = is_number(a) ? "found " + number_text(x) + ", must be a whole number"
                     : "found an unknown, must be a whole number that does not depend on x";
  return std::nullopt;
}

Tape::Maybe Tape::unknown(int index, std::string& why) {
  const std::optional<double> i = known(index, why);
  if (!i) return std::nullopt;
  if (*i < 0 || *i >= unknowns_) {
    why = "there is no x[" + number_text(*i) + "]; the unknowns are x[0] to x[" +
          std::to_string(unknowns_ - 1) + "], one per formula";
    return std::nullopt;
  }
  const auto [place, fresh] = places_.try_emplace(int(*i), 0);
  if (fresh) place->second = add({Op::unknown, int(*i), -1, 0});
  return place->second;
}

/// What the result depends on, in the order of the tape.
Formula Tape::formula(int result) const {
  std::vector<int> place(std::size_t(result) + 1, -1);
  place[std::size_t(result)] = 0;
  for (std::size_t i = place.size(); i-- > 0;) {
    const Formula::Node& node = nodes_[i];
    if (place[i] < 0 || node.op == Op::constant || node.op == Op::unknown) continue;
    place[std::size_t(node.a)] = 0;
    if (node.b >= 0) place[std::size_t(node.b)] = 0;
  }
  Formula out;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0) continue;
    Formula::Node node = nodes_[i];
    if (node.op != Op::constant && node.op != Op::unknown) {
      node.a = place[std::size_t(node.a)];
      if (node.b >= 0) node.b = place[std::size_t(node.b)];
    }
    place[i] = int(out.nodes_.size());
    out.nodes_.push_back(node);
  }
  return out;
}

double Formula::apply(Op op, double a, double b) {
  switch (op) {
    case Op::constant:
    case Op::unknown:
      break;
    case Op::sum:
      return a + b;
    case Op::difference:
      return a - b;
    case Op::product:
      return a * b;
    case Op::quotient:
      return a / b;
    case Op::negative:
      return -a;
    case Op::power:
      return formats::power(a, b);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::fabs(a);
    case Op::min:
      return b < a || std::isnan(b) ? b : a;
    case Op::max:
      return b > a || std::isnan(b) ? b : a;
    case Op::sin:
      return elementary::sin(a);
    case Op::cos:
      return elementary::cos(a);
    case Op::tan:
      return elementary::tan(a);
    case Op::asin:
      return elementary::asin(a);
    case Op::acos:
      return elementary::acos(a);
    case Op::atan:
      return elementary::atan(a);
    case Op::atan2:
      return elementary::atan2(a, b);
    case Op::exp:
      return elementary::exp(a);
    case Op::log:
      return elementary::log(a);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

namespace {

/// Derivatives of apply(op, a, b) = value with respect to a and b.
std::pair<double, double> slopes(Op op, double a, double b, double value) {
  switch (op) {
    case Op::constant:
    case Op::unknown:
      break;
    case Op::sum:
      return {1, 1};
    case Op::difference:
      return {1, -1};
    case Op::product:
      return {b, a};
    case Op::quotient:
      return {1 / b, -value / b};
    case Op::negative:
      return {-1, 0};
    case Op::power:  // the second is asked for only where the exponent holds an unknown
      return {b == 0 ? 0 : b * power(a, b - 1), a == 0 ? 0 : elementary::log(a) * value};
    case Op::sqrt:
      return {0.5 / value, 0};
    case Op::abs:
      return {a > 0 ? 1 : a < 0 ? -1 : 0, 0};
    case Op::min:
      return {b < a ? 0 : 1, b < a ? 1 : 0};
    case Op::max:
      return {b > a ? 0 : 1, b > a ? 1 : 0};
    case Op::sin:
      return {elementary::cos(a), 0};
    case Op::cos:
      return {-elementary::sin(a), 0};
    case Op::tan:
      return {1 + value * value, 0};
    case Op::asin:
      return {1 / std::sqrt((1 - a) * (1 + a)), 0};
    case Op::acos:
      return {-1 / std::sqrt((1 - a) * (1 + a)), 0};
    case Op::atan:
      return {1 / (1 + a * a), 0};
    case Op::atan2:
      return {b / (a * a + b * b), -a / (a * a + b * b)};
    case Op::exp:
      return {value, 0};
    case Op::log:
      return {1 / a, 0};
  }
  return {0, 0};
}

}  // namespace

void Formula::forward(std::span<const double> x, double* value) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.op == Op::constant)
      value[i] = node.number;
    else if (node.op == Op::unknown)
      value[i] = x[std::size_t(node.a)];
    else
      value[i] = apply(node.op, value[node.a], node.b < 0 ? 0 : value[node.b]);
  }
}

double Formula::value(std::span<const double> x, std::vector<double>& scratch) const {
  scratch.resize(nodes_.size());
  forward(x, scratch.data());
  return scratch.back();
}

void Formula::gradient(std::span<const double> x, std::vector<double>& scratch, int row,
                       std::vector<complementarity::Triplet>& entries) const {
  const std::size_t n = nodes_.size();
  scratch.assign(2 * n, 0);
  double* const value = scratch.data();
  double* const weight = value + n;  // derivative of the result with respect to this operation
  forward(x, value);
  weight[n - 1] = 1;
  for (std::size_t i = n; i-- > 0;) {
    const Node& node = nodes_[i];
    if (node.op == Op::constant || node.op == Op::unknown || weight[i] == 0) continue;
    const auto [da, db] = slopes(node.op, value[node.a], node.b < 0 ? 0 : value[node.b], value[i]);
    if (nodes_[std::size_t(node.a)].op != Op::constant) weight[node.a] += weight[i] * da;
    if (node.b >= 0 && nodes_[std::size_t(node.b)].op != Op::constant) weight[node.b] += weight[i] * db;
  }
  for (std::size_t i = 0; i < n; ++i)
    if (nodes_[i].op == Op::unknown) entries.push_back({row, nodes_[i].a, weight[i]});
}

std::optional<Formula> compile_formula(std::string_view text, int unknowns, const ConstantLookup& constants,
                                       ExpressionMistake& mistake) {
  Tape tape(unknowns, constants);
  const std::optional<int> result = ExpressionParser<Tape>(text, tape).run(mistake);
  if (!result) return std::nullopt;
  return tape.formula(*result);
}

}  // namespace stiction::formats
