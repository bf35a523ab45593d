// The variational integrator of trees keeps the energy without a trend: a straight line fitted to the energy
// of every step by least squares rises by less than a tenth of the oscillation, over 10^6 steps at the sizes
// of the published figures.
#include <gtest/gtest.h>

#include "stiction/base/text.h"
#include "stiction/dynamics/tree/energy.h"
#include "stiction/dynamics/tree/variational.h"
#include "support/run.h"
#include "support/tree_state.h"
#include "support/trees.h"

namespace stiction::test {
namespace {

// Sums for a straight line y = a + b x over x = 0, 1, ..., n - 1, and the range of y.
class Trend {
 public:
  void add(double y) {
    if (n_ == 0) first_ = low_ = high_ = y;
    const double x = n_;
    n_ += 1, x_ += x, xx_ += x * x, y_ += y - first_, xy_ += x * (y - first_);
    low_ = std::fmin(low_, y), high_ = std::fmax(high_, y);
  }
  double rise() const {
    return (n_ * xy_ - x_ * y_) / (n_ * xx_ - x_ * x_) * n_;
  }  // of the line, from end to end
  double oscillation() const { return high_ - low_; }

 private:
  double n_ = 0, x_ = 0, xx_ = 0, y_ = 0, xy_ = 0, first_ = 0, low_ = 0, high_ = 0;
};

struct Motion {
  const char* name;
  tree::Description description;
  std::vector<double> q, v;
  double h;  // [s] so that the energy oscillates visibly
};

std::vector<Motion> motions() {
  const double r = std::sqrt(0.5);
  tree::Description body{.gravity = {},
                         .links = {{.name = "body",
                                    .joint = tree::JointKind::free,
                                    .mass = 2,
                                    .centre = {0.2, -0.1, 0.3},
                                    .inertia = Mat3::diagonal({0.3, 0.5, 0.6})}}};
  return {{"free_body", body, {0, 0, 0, 1, 0, 0, 0}, {0.1, 0.2, 0.3, 0.4, 3, 0.3}, 0.05},
          {"pendulum", pendulum(), {2.5}, {0}, 0.02},
          {"double_pendulum", double_pendulum(), {-1.2, 0.9}, {0, 0}, 0.01},
          {"double_pendulum_over_the_top", double_pendulum(), {2, 0.5}, {0, 0}, 0.005},
          {"gyroscope", top(), {r, 0.6 * r, 0.8 * r, 0}, {20, 3, 30}, 0.005}};
}

class TreeDrift : public testing::TestWithParam<std::size_t> {};

TEST_P(TreeDrift, NoTrendOfTheEnergy) {
  const Motion m = motions()[GetParam()];
  TreeState s(m.description);
  s.q = m.q, s.v = m.v;
  tree::Variational w;
  Trend trend;
  double kinetic = 0;
  const int steps = at_size(40'000, 1'000'000);
  for (int i = 0; i < steps; ++i) {
    const tree::VariationalReport r = tree::advance_variationally(s.f(), s.p(), m.h, {}, {}, s.q, s.v, w);
    ASSERT_TRUE(r.done()) << m.name << ", step " << i << ": " << tree::explain(r, s.f(), m.h);
    trend.add(s.energy());
    kinetic = std::fmax(kinetic, tree::kinetic_energy(s.f(), s.p(), s.k(), s.v));
  }
  const double drift = std::fabs(trend.rise()) / trend.oscillation();
  EXPECT_LT(drift, 0.1) << m.name;
  // There is something to drift from: not round-off, and not a method that blows up either.
  EXPECT_GT(trend.oscillation(), 1e-5 * kinetic);
  EXPECT_LT(trend.oscillation(), 0.2 * kinetic);
  RecordProperty("drift_over_oscillation", number_text(drift));
  RecordProperty("oscillation_over_kinetic", number_text(trend.oscillation() / kinetic));
}
INSTANTIATE_TEST_SUITE_P(Motions, TreeDrift, testing::Range(std::size_t(0), motions().size()),
                         [](const auto& which) { return std::string(motions()[which.param].name); });

// The fit itself: a line of slope 1e-3 under an oscillation of amplitude 1 rises by 10 over 10,000 steps.
TEST(TreeDriftFit, TheFitSeesATrend) {
  Trend trend;
  for (int i = 0; i < 10000; ++i) trend.add(1000 + 1e-3 * i + std::sin(0.7 * i));
  EXPECT_NEAR(trend.rise(), 10, 0.01);
  EXPECT_NEAR(trend.oscillation(), 12, 0.1);
}

// ... and Runge-Kutta's, which is there at the same step.
TEST(TreeDriftFit, RungeKuttaDrifts) {
  const Motion m = motions()[1];
  TreeState s(m.description);
  s.q = m.q, s.v = m.v;
  Trend trend;
  for (int i = 0; i < 40'000; ++i) runge_kutta(s, m.h, 1), trend.add(s.energy());
  EXPECT_GT(std::fabs(trend.rise()), 0.5 * trend.oscillation());
}

}  // namespace
}  // namespace stiction::test
