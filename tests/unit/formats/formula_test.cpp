// Formulas of unknowns: values, and derivatives against those done by hand and against differences.
#include "stiction/formats/formula.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction::formats {
namespace {

const ConstantLookup constants = [](std::string_view name, std::string& message) -> std::optional<double> {
  if (name == "n") return 3;
  if (name == "a") return 0.5;
  message = "no constant " + std::string(name);
  return std::nullopt;
};

struct Evaluated {
  double value = 0;
  std::vector<double> gradient;
};

Evaluated at(const std::string& text, const std::vector<double>& x) {
  ExpressionMistake mistake;
  const std::optional<Formula> f = compile_formula(text, int(x.size()), constants, mistake);
  EXPECT_TRUE(f) << text << ": " << mistake.message;
  Evaluated out;
  out.gradient.assign(x.size(), 0);
  if (!f) return out;
  std::vector<double> scratch;
  std::vector<complementarity::Triplet> entries;
  out.value = f->value(x, scratch);
  f->gradient(x, scratch, 7, entries);
  for (const complementarity::Triplet& t : entries) {
    EXPECT_EQ(t.row, 7);
    out.gradient[std::size_t(t.column)] += t.value;
  }
  return out;
}

std::string mistake_in(const std::string& text, int unknowns = 2) {
  ExpressionMistake mistake;
  EXPECT_FALSE(compile_formula(text, unknowns, constants, mistake)) << text;
  return std::to_string(mistake.offset) + ": " + mistake.message;
}

using Numbers = std::vector<double>;

TEST(Formula, ExactValuesAndDerivatives) {
  const Evaluated quadratic = at("3*x[0]^2 + 2*x[0]*x[1] - x[1]/4 + $a", {2, 5});
  EXPECT_EQ(quadratic.value, 12 + 20 - 1.25 + 0.5);
  EXPECT_EQ(quadratic.gradient, (Numbers{12 + 10, 4 - 0.25}));
  EXPECT_EQ(at("-x[0]^2", {3}).gradient, Numbers{-6});
  EXPECT_EQ(at("x[0]^-1", {4}).gradient, Numbers{-1.0 / 16});
  EXPECT_EQ(at("x[0]^0", {0}).gradient, Numbers{0});
  EXPECT_EQ(at("x[0]^3", {0}).gradient, Numbers{0});
  EXPECT_EQ(at("max(x[0], x[1], 1)", {2, 3}).gradient, (Numbers{0, 1}));
  EXPECT_EQ(at("min(x[0], x[1])", {2, 3}).gradient, (Numbers{1, 0}));
  EXPECT_EQ(at("abs(x[0])", {-2}).gradient, Numbers{-1});
  EXPECT_EQ(at("2 + 3", {1}).value, 5);
  EXPECT_EQ(at("2 + 3", {1}).gradient, Numbers{0});
}

TEST(Formula, SumsAndIndices) {
  // sum of (k + 1) x_k^2 over k = 0 ... 2: value 1 + 8 + 27, slopes 2 (k + 1) x_k
  const Evaluated sum = at("sum($k, 0, $n - 1, ($k + 1)*x[$k]^2)", {1, 2, 3});
  EXPECT_EQ(sum.value, 36);
  EXPECT_EQ(sum.gradient, (Numbers{2, 8, 18}));
  EXPECT_EQ(at("1 + sum($k, 1, 0, x[(9)])", {1}).value, 1);  // nothing to add up
  // the inner $k hides the outer one: 3 times (x_0 + x_1)
  EXPECT_EQ(at("sum($k, 1, 3, sum($k, 0, 1, x[$k]))", {1, 10}).value, 33);
  EXPECT_EQ(at("sum($i, 0, 1, sum($j, 0, 1, x[$i]*x[$j]))", {1, 10}).value, 121);
}

TEST(Formula, DerivativesAgreeWithDifferences) {
  const Numbers x{0.3, 0.7, 1.9};
  for (const std::string text :
       {"sin(x[0])*cos(x[1]) + tan(x[0]*x[1])", "exp(x[0] - x[1]^2)/(1 + x[2])", "log(x[0] + x[2]^1.5)",
        "sqrt(x[0]^2 + x[1]^2)", "asin(x[0]) + acos(x[1]) + atan(x[2])", "atan2(x[0], x[1])*x[2]",
        "x[2]^x[0]", "2^x[1]", "x[1]^0.25 - -x[0]", "x[2]/x[1]/x[0]", "(x[0] + 2)^-3"}) {
    const Evaluated exact = at(text, x);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double h = 1e-5;
      Numbers right(x), left(x);
      right[j] += h, left[j] -= h;
      const double difference = (at(text, right).value - at(text, left).value) / (2 * h);
      // h^2 / 6 times third derivatives of up to 2e3 (6 x2 / (x1 x0^4)), and round-off 1e-16 / h
      EXPECT_NEAR(exact.gradient[j], difference, 5e-8) << text << " by x" << j;
    }
  }
}

TEST(Formula, UndefinedStaysUndefined) {
  EXPECT_TRUE(std::isnan(at("log(x[0])", {-1}).value));
  EXPECT_TRUE(std::isnan(at("max(log(x[0]), 0)", {-1}).value));
  EXPECT_TRUE(std::isnan(at("min(0, sqrt(x[0]))", {-1}).value));
  EXPECT_TRUE(std::isinf(at("1/x[0]", {0}).value));
}

TEST(Formula, OnlyWhatTheResultNeedsIsKept) {
  ExpressionMistake mistake;
  // x[0], x[1], two squares and a sum; the exponent 2 twice
  EXPECT_EQ(compile_formula("x[3 - 3]^2 + x[2*0 + 1]^2", 2, constants, mistake)->operations(), 7u);
}

TEST(Formula, MistakesSayWhereAndWhat) {
  EXPECT_EQ(mistake_in("x[2]"), "0: there is no x[2]; the unknowns are x[0] to x[1], one per formula");
  EXPECT_EQ(mistake_in("1 + x[-1]"), "4: there is no x[-1]; the unknowns are x[0] to x[1], one per formula");
  EXPECT_EQ(mistake_in("x[0.5]"), "0: found 0.5, must be a whole number");
  EXPECT_EQ(mistake_in("x[x[0]]"), "0: found an unknown, must be a whole number that does not depend on x");
  EXPECT_EQ(mistake_in("x + 1"),
            "0: \"x\" is not a number; constants are written $x, functions with (...), unknowns x[0]");
  EXPECT_EQ(mistake_in("floor(x[0])"), "0: floor of an unknown jumps; F must be continuous");
  EXPECT_EQ(mistake_in("rand(x[0])"), "0: rand of an unknown jumps; F must be continuous");
  EXPECT_EQ(mistake_in("x[0]/0"), "4: division by zero");
  EXPECT_EQ(mistake_in("x[0] + log(0)"), "7: log of this argument is not a finite number");
  EXPECT_EQ(mistake_in("x[0"), "3: found the end of the expression, expected ']'");
  EXPECT_EQ(mistake_in("x[0] +"),
            "6: found the end of the expression, expected a number, a $constant, a function or '('");
  EXPECT_EQ(mistake_in("$b*x[0]"), "0: no constant b");
  EXPECT_EQ(mistake_in("sum(k, 0, 1, x[0])"), "4: found 'k', expected sum($k, first, last, term)");
  EXPECT_EQ(mistake_in("sum($k, 0, x[0], 1)"),
            "0: found an unknown, must be a whole number that does not depend on x");
  EXPECT_EQ(mistake_in("sum($k, 0, 1e6, 1)"), "0: the sum has more than 100000 terms");
  EXPECT_EQ(mistake_in("sum($k, 0, 9e4, sum($j, 0, 9e4, x[0]))"), "16: the formula is too long");
  EXPECT_EQ(mistake_in(std::string(70, '(') + "1" + std::string(70, ')')),
            "64: the expression is nested too deep");
}

}  // namespace
}  // namespace stiction::formats
