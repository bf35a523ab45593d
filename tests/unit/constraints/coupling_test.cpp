// Gears and racks: values, gradients, discrete gradients; a planetary gear keeps angular momentum.
#include "stiction/constraints/coupling.h"

#include <gtest/gtest.h>

#include "unit/constraints/fixture.h"

namespace stiction::constraints {
namespace {

struct Train {
  Frame frames[4];
  CoupledPoses x;

  /// Both wheels on one carrier, somewhere in the plane of the gear, with axes in parallel.
  explicit Train(test::Random& random) {
    const Quat axes = random.rotation();
    frames[0] = {random.vector(1), axes}, frames[2] = {random.vector(1), axes};
    frames[1] = {random.vector(0.1), random.rotation()}, frames[3] = {random.vector(0.1), random.rotation()};
    x.a_1 = x.a_2 = {random.vector(2), random.rotation()};
    place(0, 0, 0);
  }
  void place(double angle_1, double angle_2, double slide_1) {
    const auto on = [](const Pose& carrier, const Frame& seat, const Frame& own, double angle, double slide) {
      return carrier * as_pose(seat) * Pose{{0, 0, slide}, exponential({0, 0, angle})} *
             inverse(as_pose(own));
    };
    x.b_1 = on(x.a_1, frames[0], frames[1], angle_1, slide_1),
    x.b_2 = on(x.a_2, frames[2], frames[3], angle_2, 0);
  }
};

TEST(Coupling, GearCountsTurnsAtAnyRatio) {
  test::Random random{1};
  Train t(random);
  Coupling gear = make_gear(t.frames[0], t.frames[1], t.frames[2], t.frames[3], 2.7);
  t.place(0.3, -0.2, 0);
  mesh_at(gear, t.x);
  for (int i = 0; i < 100; ++i) {  // 2.5 rad of the first wheel in each step: 40 rounds
    t.place(0.3 + 2.5 * i, -0.2 - 2.5 * i / 2.7, 0);
    EXPECT_NEAR(evaluate(gear, t.x).value, 0, 1e-12);
    track(gear, t.x);
  }
  t.place(0.3 + 2.5 * 99 + 0.01, -0.2 - 2.5 * 99 / 2.7, 0);
  EXPECT_NEAR(evaluate(gear, t.x).value, 0.01, 1e-12);
}

TEST(Coupling, RackGoesByRadiusTimesAngle) {
  test::Random random{2};
  Train t(random);
  Coupling rack = make_rack(t.frames[0], t.frames[1], t.frames[2], t.frames[3], 0.05);
  for (int i = 0; i < 20; ++i) {
    t.place(0, 1.5 * i, 0.05 * 1.5 * i);
    EXPECT_NEAR(evaluate(rack, t.x).value, 0, 1e-14);
    track(rack, t.x);
  }
}

TEST(Coupling, MeanJacobianIsExactAndKeepsMomentum) {
  test::Random random{3};
  for (int n = 0; n < 200; ++n) {
    Train t(random);
    t.place(random.between(-3, 3), random.between(-3, 3), 0);
    for (Coupling c : {make_gear(t.frames[0], t.frames[1], t.frames[2], t.frames[3], -1.3),
                       make_rack(t.frames[0], t.frames[1], t.frames[2], t.frames[3], 0.2)}) {
      track(c, t.x);
      const Twist carrier = random_move(random, 1), first = random_move(random, 0.7),
                  second = random_move(random, 0.7);
      CoupledPoses end;
      end.a_1 = end.a_2 = displaced(t.x.a_1, carrier);
      end.b_1 = displaced(t.x.b_1, first), end.b_2 = displaced(t.x.b_2, second);
      const CoupledJacobian g = mean_jacobian(c, t.x, end);
      const double change = dot(g.first, carrier, first) + dot(g.second, carrier, second);
      EXPECT_NEAR(change, evaluate(c, end).value - evaluate(c, t.x).value, 1e-13);
      const auto mean = [](const Pose& p, const Pose& q) { return 0.5 * (p.position + q.position); };
      const Vec3 force = g.first.a.linear + g.second.a.linear + g.first.b.linear + g.second.b.linear;
      const Vec3 moment = g.first.a.angular + g.second.a.angular + g.first.b.angular + g.second.b.angular +
                          cross(mean(t.x.a_1, end.a_1), g.first.a.linear + g.second.a.linear) +
                          cross(mean(t.x.b_1, end.b_1), g.first.b.linear) +
                          cross(mean(t.x.b_2, end.b_2), g.second.b.linear);
      EXPECT_LT(norm(force), 1e-15);
      EXPECT_LT(norm(moment), 1e-13);
    }
  }
}

TEST(Coupling, DerivativesAreThoseOfBothParts) {
  test::Random random{4};
  Train t(random);
  t.place(0.4, -0.3, 0.1);
  const Coupling c = make_rack(t.frames[0], t.frames[1], t.frames[2], t.frames[3], 0.2);
  const Twist carrier = random_move(random, 0.5), first = random_move(random, 0.5),
              second = random_move(random, 0.5);
  CoupledPoses end{displaced(t.x.a_1, carrier), displaced(t.x.b_1, first), displaced(t.x.a_2, carrier),
                   displaced(t.x.b_2, second)};
  double one[12][12] = {}, two[12][12] = {};
  mean_force_derivative(c, 1.5, t.x, end, one, two);
  const CoupledJacobian at_end = end_jacobian(c, t.x, end);
  constexpr double h = 1e-5;
  for (int i = 0; i < 6; ++i) {
    const auto moved = [&](double size) {
      CoupledPoses out = end;
      Twist by = second;
      const Twist more = component(i, size);
      by.linear += more.linear, by.angular += more.angular;
      out.b_2 = displaced(t.x.b_2, by);
      return out;
    };
    const CoupledPoses up = moved(h), down = moved(-h);
    EXPECT_NEAR((evaluate(c, up).value - evaluate(c, down).value) / (2 * h), entry(at_end.second.b, i), 1e-9);
    const Jacobian high = mean_jacobian(c, t.x, up).second, low = mean_jacobian(c, t.x, down).second;
    for (int j = 0; j < 12; ++j)
      EXPECT_NEAR(1.5 * (entry(high, j) - entry(low, j)) / (2 * h), two[j][6 + i], 1e-8);
  }
}

}  // namespace
}  // namespace stiction::constraints
