#include "stiction/formats/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction::formats {
namespace {

std::optional<double> lookup(std::string_view name, std::string& message) {
  if (name == "r") return 0.05;
  if (name == "n") return 4.0;
  message = "no $" + std::string(name);
  return std::nullopt;
}
double value(std::string_view text) {
  ExpressionMistake mistake;
  const std::optional<double> v = evaluate(text, lookup, mistake);
  EXPECT_TRUE(v) << text << ": " << mistake.message;
  return v.value_or(std::nan(""));
}
std::string mistake_of(std::string_view text) {
  ExpressionMistake mistake;
  const std::optional<double> v = evaluate(text, lookup, mistake);
  EXPECT_FALSE(v) << text;
  return std::to_string(mistake.offset) + ": " + mistake.message;
}

TEST(Expression, PrecedenceAndAssociation) {
  EXPECT_EQ(value("1+2*3"), 7);
  EXPECT_EQ(value("(1+2)*3"), 9);
  EXPECT_EQ(value("10-4-3"), 3);
  EXPECT_EQ(value("24/4/2"), 3);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value(" - - + 3 "), 3);
  EXPECT_EQ(value("2.02*$r"), 2.02 * 0.05);
  EXPECT_EQ(value("$n^2 - $n"), 12);
  EXPECT_EQ(value("1e-3+.5"), 1e-3 + .5);
}

TEST(Expression, Functions) {
  EXPECT_EQ(value("sqrt(2)"), std::sqrt(2.0));
  EXPECT_EQ(value("max(1, $n, 3) - min(2, 1)"), 3);
  EXPECT_EQ(value("abs(-2) + floor(2.7)"), 4);
  EXPECT_NEAR(value("sin(30*deg)"), 0.5, 2e-16);  // 1 unit in the last place of the argument
  EXPECT_NEAR(value("tan(pi/4)"), 1, 3e-16);
  EXPECT_NEAR(value("4*atan(1) - pi"), 0, 5e-16);
  EXPECT_NEAR(value("atan2(1, -1)*4/3 - pi"), 0, 1e-15);
  EXPECT_NEAR(value("exp(log(7))"), 7, 2e-15);
  EXPECT_NEAR(value("acos(0.5)/deg"), 60, 2e-14);
  EXPECT_NEAR(value("2^0.5"), std::sqrt(2.0), 5e-16);
  EXPECT_EQ(value("$r^2"), 0.05 * 0.05);
}

TEST(Expression, RandomNumbersAreFixedAndUniform) {
  EXPECT_EQ(value("rand(1, 2, 3)"), value("rand(1,2,3)"));
  EXPECT_NE(value("rand(1, 2)"), value("rand(2, 1)"));
  EXPECT_EQ(random_number({0.0}), random_number({-0.0}));
  // splitmix64 seeded with the bits of 1.0, computed independently with integers in Python
  EXPECT_EQ(random_number({1.0}), 0.5345422839126993);
  const int n = 20000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = random_number({double(i % 30), double(i / 30), 7});
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x, squares += x * x;
  }
  EXPECT_NEAR(sum / n, 0.5, 0.01);          // 5 standard errors: 5 sqrt(1/12/n) = 0.0102
  EXPECT_NEAR(squares / n, 1. / 3, 0.011);  // 5 sqrt(4/45/n) = 0.0105
}

TEST(Expression, Mistakes) {
  EXPECT_EQ(mistake_of(""),
            "0: found the end of the expression, expected a number, a $constant, a function or '('");
  EXPECT_EQ(mistake_of("1 +"),
            "3: found the end of the expression, expected a number, a $constant, a function or '('");
  EXPECT_EQ(mistake_of("(1"), "2: found the end of the expression, expected ')'");
  EXPECT_EQ(mistake_of("1 2"), "2: found '2', expected an operator + - * / ^");
  EXPECT_EQ(mistake_of("$q"), "0: no $q");
  EXPECT_EQ(mistake_of("3*sqr(2)"), "2: there is no function \"sqr\"; did you mean \"sqrt\"?");
  EXPECT_EQ(mistake_of("r"), "0: \"r\" is not a number; constants are written $r, functions with (...)");
  EXPECT_EQ(mistake_of("1/(2-2)"), "1: division by zero");
  EXPECT_EQ(mistake_of("sqrt(-1)"), "0: sqrt of this argument is not a finite number");
  EXPECT_EQ(mistake_of("(-1)^0.5"), "4: the power is not a finite number");
  EXPECT_EQ(mistake_of("1e308*10"), "0: the result is inf, not a finite number");
  EXPECT_EQ(mistake_of("sin(1, 2)"), "0: sin takes one argument, found 2");
  EXPECT_EQ(mistake_of("atan2(1)"), "0: atan2 takes two arguments, found 1");
  EXPECT_EQ(mistake_of("rand()"), "0: rand takes at least one argument, found 0");
  EXPECT_EQ(mistake_of("1.2.3"), "0: found '1.2.3', expected a number such as 2, 0.5 or 1e-3");
  EXPECT_EQ(mistake_of("2 § 3"), "2: found '§', expected an operator + - * / ^");
  EXPECT_EQ(mistake_of(std::string(10000, '(')), "64: the expression is nested too deep");
  EXPECT_EQ(mistake_of("2" +
                       [] {
                         std::string s;
                         for (int i = 0; i < 1000; ++i) s += "^1";
                         return s;
                       }())
                .substr(4),
            " the expression is nested too deep");
}

}  // namespace
}  // namespace stiction::formats
