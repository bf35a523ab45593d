// The adaptive integrator: order, tolerance, located zeros.
#include "stiction/math/dormand_prince.h"

#include <gtest/gtest.h>

#include <vector>

#include "stiction/math/elementary.h"

namespace stiction {
namespace {

using State = std::array<double, 2>;
constexpr double pi = 3.14159265358979323846;

/// x'' = -x from (1, 0): cos and -sin.
void oscillate(const State& y, State& dy) { dy = {y[1], -y[0]}; }

double error_with_steps(int steps) {
  State y{1, 0};
  DormandPrince<State> method(y, {1, 1}, 1);
  method.begin(y, oscillate);
  for (int i = 0; i < steps; ++i) {
    method.try_step(y, 1.0 / steps, oscillate);
    method.accept(y);
  }
  return std::fabs(y[0] - elementary::cos(1)) + std::fabs(y[1] + elementary::sin(1));
}

TEST(DormandPrince, IsOfOrderFive) {
  // Halving the step divides the error by 32, here up to terms of the next order.
  EXPECT_NEAR(error_with_steps(10) / error_with_steps(20), 32, 3);
  EXPECT_NEAR(error_with_steps(20) / error_with_steps(40), 32, 2);
}

TEST(DormandPrince, KeepsItsTolerance) {
  double last = 1;
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    State y{1, 0};
    DormandPrince<State> method(y, {1, 1}, tolerance);
    method.begin(y, oscillate);
    double t = 0, h = 1;
    int steps = 0;
    while (t < 10) {
      h = std::fmin(h, 10 - t);
      t += method.step(y, h, oscillate);
      ++steps;
    }
    const double error = std::fabs(y[0] - elementary::cos(10));
    EXPECT_LE(error, tolerance * steps);  // at most the tolerance in each step, and no growth
    EXPECT_LT(error, last);
    last = error;
  }
}

// cos is 0 at pi/2: found to the tolerance of the steps, by arrays and by vectors in the same way.
template <class Y>
double quarter_period(Y y) {
  const auto f = [](const Y& at, Y& rate) { rate[0] = at[1], rate[1] = -at[0]; };
  const auto zero = [](const Y& at) { return at[0]; };
  Y scale = y;
  scale[0] = scale[1] = 1;
  DormandPrince<Y> method(y, scale, 1e-13);
  method.begin(y, f);
  double t = 0, h = 0.1;
  while (true) {
    const double used = method.probe(y, h, f);
    if (zero(method.next()) < 0) return t + method.locate(y, used, f, zero);
    method.accept(y), t += used;
  }
}
TEST(DormandPrince, LocatesZeros) {
  EXPECT_NEAR(quarter_period(State{1, 0}), pi / 2, 1e-12);
  EXPECT_EQ(quarter_period(std::vector<double>{1, 0}), quarter_period(State{1, 0}));
}

TEST(DormandPrince, SaysWhenNoStepIsSmallEnough) {
  State y{1, 0};
  DormandPrince<State> method(y, {1, 1}, 1e-6);
  const auto nowhere = [](const State&, State& dy) { dy = {std::nan(""), 0}; };
  method.begin(y, nowhere);
  double h = 1;
  EXPECT_EQ(method.step(y, h, nowhere), 0);
  EXPECT_EQ(y[0], 1);
}

}  // namespace
}  // namespace stiction
