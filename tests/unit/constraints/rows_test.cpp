// Rows of every kind of joint and of their coordinates: gradients, discrete gradients and their derivatives
// against differences; what does not change when both bodies move together.
#include "stiction/constraints/rows.h"

#include <gtest/gtest.h>

#include <limits>

#include "unit/constraints/fixture.h"

namespace stiction::constraints {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

class Rows : public testing::TestWithParam<int> {
 protected:
  Kind kind = static_cast<Kind>(GetParam());
  test::Random random{std::uint64_t(GetParam()) + 4711};
};

double value(const Row& row, const Pose& a, const Pose& b) { return evaluate(row, a, b).value; }
double size_of(const Jacobian& g) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += entry(g, i) * entry(g, i);
  return std::sqrt(sum);
}

// Central differences with h = 1e-5: h^2 of the third derivative, 1e-10, and 1e-11 of round-off.
TEST_P(Rows, JacobianIsTheGradient) {
  for (int n = 0; n < 50; ++n) {
    const Joint joint(kind, random, 0.2);
    for (const Row& row : all_rows(joint)) {
      const Jacobian g = evaluate(row, joint.a, joint.b).jacobian;
      constexpr double h = 1e-5;
      for (int i = 0; i < 12; ++i) {
        const Twist t = component(i % 6, h), back = component(i % 6, -h);
        const double up =
            i < 6 ? value(row, displaced(joint.a, t), joint.b) : value(row, joint.a, displaced(joint.b, t));
        const double down = i < 6 ? value(row, displaced(joint.a, back), joint.b)
                                  : value(row, joint.a, displaced(joint.b, back));
        EXPECT_NEAR((up - down) / (2 * h), entry(g, i), 1e-8 * (1 + size_of(g))) << name_of(kind) << " " << i;
      }
    }
  }
}

// For rows with an angle the relative turn has to stay below half a revolution, and their digits go with the
// distance from it.
TEST_P(Rows, MeanJacobianTimesMotionIsTheChange) {
  int tried = 0;
  for (int n = 0; n < 1000; ++n) {
    const Joint joint(kind, random, 0.2);
    const Step s = random_step(joint, random, 2);
    for (Row row : all_rows(joint)) {
      track(row, s.a0, s.b0);
      const double before = value(row, s.a0, s.b0), after = value(row, s.a1, s.b1);
      const Jacobian g = mean_jacobian(row, s.a0, s.b0, s.a1, s.b1);
      const bool turns = is_tracked(row) && row.curve == nullptr;
      if (turns && size_of(g) > 10) continue;
      ++tried;
      double change = 0, terms = std::fabs(before) + std::fabs(after);
      for (int i = 0; i < 12; ++i) {
        const double term = entry(g, i) * entry(i < 6 ? s.move_a : s.move_b, i % 6);
        change += term, terms += std::fabs(term);
      }
      // Places of up to 5 m, of which the values are differences.
      EXPECT_NEAR(change, after - before, 1e-14 * (terms + 5)) << name_of(kind) << " " << int(row.kind);
    }
  }
  EXPECT_GT(tried, 700);
}

TEST_P(Rows, MeanJacobianOfNoMotionIsTheJacobian) {
  const Joint joint(kind, random, 0.2);
  for (const Row& row : all_rows(joint)) {
    const Jacobian g = evaluate(row, joint.a, joint.b).jacobian;
    const Jacobian m = mean_jacobian(row, joint.a, joint.b, joint.a, joint.b);
    for (int i = 0; i < 12; ++i) EXPECT_NEAR(entry(g, i), entry(m, i), 20 * eps * (1 + size_of(g)));
  }
}

// Linear momentum, and angular momentum about the origin with the mean places as arms. Rows of kind point
// keep the latter where their points meet in the mean.
TEST_P(Rows, MeanForcesKeepMomentum) {
  for (int n = 0; n < 100; ++n) {
    const Joint joint(kind, random, 0.2);
    const Step s = random_step(joint, random, 1);
    for (const Row& row : all_rows(joint)) {
      const Jacobian g = mean_jacobian(row, s.a0, s.b0, s.a1, s.b1);
      if (size_of(g) > 10) continue;
      EXPECT_EQ(norm(g.a.linear + g.b.linear), 0);
      Vec3 moment = g.a.angular + g.b.angular + cross(0.5 * (s.a0.position + s.a1.position), g.a.linear) +
                    cross(0.5 * (s.b0.position + s.b1.position), g.b.linear);
      if (row.kind == RowKind::point) {
        const auto d = [&](const Pose& a, const Pose& b) {
          return point_of(b, row.point_b) - point_of(a, row.point_a);
        };
        moment -= cross(0.5 * (d(s.a0, s.b0) + d(s.a1, s.b1)), row.e);
      }
      EXPECT_LT(norm(moment), 100 * eps * (1 + size_of(g))) << name_of(kind);
    }
  }
}

// Values and forces move with the bodies; rows of kind point have axes of the world and are compared as
// vectors.
TEST_P(Rows, NothingChangesWhenBothBodiesMove) {
  for (int n = 0; n < 100; ++n) {
    const Joint joint(kind, random, 0.2);
    const Pose common{random.vector(5), random.rotation()};
    Vec3 points[2];
    for (const Row& row : all_rows(joint)) {
      const RowValue here = evaluate(row, joint.a, joint.b),
                     there = evaluate(row, common * joint.a, common * joint.b);
      if (row.kind == RowKind::point) {
        points[0] += here.value * row.e, points[1] += there.value * row.e;
        continue;
      }
      EXPECT_NEAR(here.value, there.value, 1e-13) << name_of(kind) << " " << int(row.kind);
      const auto turned = [&](const Vec3& v) { return rotate(common.orientation, v); };
      EXPECT_LT(norm(turned(here.jacobian.a.linear) - there.jacobian.a.linear), 1e-13);
      EXPECT_LT(norm(turned(here.jacobian.b.linear) - there.jacobian.b.linear), 1e-13);
      EXPECT_LT(norm(turned(here.jacobian.a.angular) - there.jacobian.a.angular), 1e-12);
      EXPECT_LT(norm(turned(here.jacobian.b.angular) - there.jacobian.b.angular), 1e-12);
    }
    EXPECT_LT(norm(rotate(common.orientation, points[0]) - points[1]), 1e-13);
  }
}

TEST_P(Rows, EndJacobianIsTheDerivativeByTheMotion) {
  for (int n = 0; n < 50; ++n) {
    const Joint joint(kind, random, 0.1);
    const Step s = random_step(joint, random, 1.2);
    for (const Row& row : all_rows(joint)) {
      const Jacobian g = end_jacobian(row, s.a0, s.b0, s.a1, s.b1);
      if (size_of(g) > 10) continue;
      constexpr double h = 1e-5;
      for (int i = 0; i < 12; ++i) {
        const auto at = [&](double size) {
          Twist by_a = s.move_a, by_b = s.move_b;
          const Twist t = component(i % 6, size);
          Twist& by = i < 6 ? by_a : by_b;
          by.linear += t.linear, by.angular += t.angular;
          return value(row, displaced(s.a0, by_a), displaced(s.b0, by_b));
        };
        EXPECT_NEAR((at(h) - at(-h)) / (2 * h), entry(g, i), 1e-7 * (1 + size_of(g)))
            << name_of(kind) << " " << i;
      }
    }
  }
}

/// The largest difference between mean_force_derivative and central differences, over the largest entry.
double derivative_error(const Row& row, double lambda, const Step& s) {
  double K[12][12] = {};
  mean_force_derivative(row, lambda, s.a0, s.b0, s.a1, s.b1, K);
  double worst = 0, largest = 1e-300;
  constexpr double h = 1e-5;
  for (int i = 0; i < 12; ++i) {
    const auto at = [&](double size) {
      Twist by_a = s.move_a, by_b = s.move_b;
      const Twist t = component(i % 6, size);
      Twist& by = i < 6 ? by_a : by_b;
      by.linear += t.linear, by.angular += t.angular;
      return mean_jacobian(row, s.a0, s.b0, displaced(s.a0, by_a), displaced(s.b0, by_b));
    };
    const Jacobian up = at(h), down = at(-h);
    for (int j = 0; j < 12; ++j) {
      const double difference = lambda * (entry(up, j) - entry(down, j)) / (2 * h);
      worst = std::fmax(worst, std::fabs(difference - K[j][i]));
      largest = std::fmax(largest, std::fabs(difference));
    }
  }
  return worst / largest;
}

class PlainRows : public Rows {};
TEST_P(PlainRows, DerivativeOfMeanForces) {
  for (int n = 0; n < 50; ++n) {
    const Joint joint(kind, random, 0.2);
    const Step s = random_step(joint, random, 1);
    for (const Row& row : all_rows(joint)) {
      if (size_of(mean_jacobian(row, s.a0, s.b0, s.a1, s.b1)) > 10) continue;
      EXPECT_LT(derivative_error(row, 1.7, s), 1e-7) << name_of(kind) << " " << int(row.kind);
    }
  }
}

// All rows of a joint at once, one by one: the same numbers.
TEST_P(Rows, JointsAreTheSumOfTheirRows) {
  const Joint joint(kind, random, 0.1);
  const Step s = random_step(joint, random, 1);
  double lambda[most_rows], together[12][12] = {}, apart[12][12] = {};
  RowValue values[most_rows], ends[most_rows];
  Jacobian means[most_rows];
  for (double& x : lambda) x = random.between(-1, 1);
  evaluate(joint.rows, s.a0, s.b0, values);
  end_jacobian(joint.rows, s.a0, s.b0, s.a1, s.b1, ends);
  mean_jacobian(joint.rows, s.a0, s.b0, s.a1, s.b1, means);
  mean_force_derivative(joint.rows, lambda, s.a0, s.b0, s.a1, s.b1, together);
  for (std::size_t i = 0; i < joint.size(); ++i) {
    const Row& row = joint.rows[i];
    EXPECT_EQ(values[i].value, value(row, s.a0, s.b0));
    EXPECT_EQ(ends[i].value, value(row, s.a1, s.b1));
    const Jacobian end = end_jacobian(row, s.a0, s.b0, s.a1, s.b1),
                   mean = mean_jacobian(row, s.a0, s.b0, s.a1, s.b1);
    for (int k = 0; k < 12; ++k) {
      EXPECT_EQ(entry(ends[i].jacobian, k), entry(end, k));
      EXPECT_EQ(entry(means[i], k), entry(mean, k));
    }
    mean_force_derivative(row, lambda[i], s.a0, s.b0, s.a1, s.b1, apart);
  }
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) EXPECT_NEAR(together[i][j], apart[i][j], 1e-13);
}

// Along a motion with constant velocities and spins the rate of G v is the bias. On the curve itself for
// curve rows.
TEST_P(Rows, AccelerationBiasIsTheRateOfTheJacobian) {
  for (int n = 0; n < 50; ++n) {
    const Joint joint(kind, random, kind == Kind::point_on_curve ? 0 : 0.2);
    const Twist va{random.vector(1), random.vector(1)}, vb{random.vector(1), random.vector(1)};
    const auto moved = [](const Pose& p, const Twist& v, double t) -> Pose {
      return {p.position + t * v.linear, normalized(exponential(t * v.angular) * p.orientation)};
    };
    for (const Row& row : all_rows(joint)) {
      constexpr double h = 1e-5;
      const auto rate = [&](double t) {
        return dot(evaluate(row, moved(joint.a, va, t), moved(joint.b, vb, t)).jacobian, va, vb);
      };
      EXPECT_NEAR((rate(h) - rate(-h)) / (2 * h), acceleration_bias(row, joint.a, joint.b, va, vb), 2e-7)
          << name_of(kind) << " " << int(row.kind);
    }
  }
}

std::string kind_name(const testing::TestParamInfo<int>& info) {
  return name_of(static_cast<Kind>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Kinds, Rows, testing::Range(0, kind_count), kind_name);
// Curves, the last kind: below.
INSTANTIATE_TEST_SUITE_P(Kinds, PlainRows, testing::Range(0, kind_count - 1), kind_name);

// What is left out of the derivative goes with the square of the step: a tenth of the step, a hundredth of
// the error.
TEST(CurveRow, DerivativeIsOfSecondOrder) {
  test::Random random{5};
  double worst[2] = {0, 0};
  for (int n = 0; n < 20; ++n) {
    const Joint joint(Kind::point_on_curve, random, 0);
    const Twist move_a = random_move(random, 0.3), move_b = random_move(random, 0.3);
    const double way = random.between(0.1, 0.2);
    for (int fine = 0; fine < 2; ++fine) {
      const double f = fine == 0 ? 1 : 0.1;
      const Twist by_a{f * move_a.linear, f * move_a.angular};
      Twist by_b{{}, f * move_b.angular};
      Joint end = joint;
      end.a = displaced(joint.a, by_a);
      end.on_curve(joint.rows[0].last + f * way, displaced(joint.b, by_b).orientation, {});
      by_b.linear = end.b.position - joint.b.position;
      for (const Row& row : all_rows(joint))
        worst[fine] = std::fmax(worst[fine], derivative_error(row, 1, {joint.a, joint.b, by_a, by_b}));
    }
  }
  EXPECT_LT(worst[0], 0.1);
  EXPECT_LT(worst[1], worst[0] / 50);
}

TEST(Track, CountsWholeTurns) {
  const Frame frame{{0.1, 0.2, 0.3}, exponential({0.4, 0.5, 0.6})};
  Row angle;
  make_coordinates(Kind::hinge, frame, frame, &angle);
  const Vec3 axis = rotate(frame.axes, {0, 0, 1});
  for (const double step : {0.9, -3.1, 3.1}) {
    angle.last = 0;
    for (int i = 1; i <= 50; ++i) {
      const Pose b{{}, exponential((i * step) * axis)};
      EXPECT_NEAR(evaluate(angle, {}, b).value, i * step, 1e-13 * i);
      track(angle, {}, b);
    }
  }
  EXPECT_EQ(unwrapped(3, -3), 3 - 0x1.921fb54442d18p+2);
  EXPECT_EQ(unwrapped(-3, 3), -3 + 0x1.921fb54442d18p+2);
  EXPECT_EQ(unwrapped(1, 1.5), 1);
}

}  // namespace
}  // namespace stiction::constraints
