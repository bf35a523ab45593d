// Order of convergence: the step is of first order. Halving it halves the error, measured against the closed
// form where there is one, and by the differences of three steps where there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;

Scene sliding(const BodyDescription& body, double mu) {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("s", {.friction = mu});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "s"});
  s.add_body("body", body);
  s.bodies.back().value.surface = "s";
  return s;
}

Vec3 position_after(const Scene& scene, double until, double h) {
  World world = world_of(scene, {.step = h, .tolerance = 1e-10});
  run(world, steps_to(until, h),
      [](const World&, const StepReport& r) { EXPECT_TRUE(r.converged) << r.explain(); });
  return world.position(world.body("body"));
}

/// log2 of |x(h) - x(h/2)| / |x(h/2) - x(h/4)|: the order.
std::vector<double> orders(const Scene& scene, double until, double h, int halvings) {
  std::vector<Vec3> x;
  for (int k = 0; k < halvings + 2; ++k) x.push_back(position_after(scene, until, h / (1 << k)));
  std::vector<double> out;
  for (std::size_t k = 0; k + 2 < x.size(); ++k)
    out.push_back(std::log2(norm(x[k] - x[k + 1]) / norm(x[k + 1] - x[k + 2])));
  return out;
}

// Slides for v0 / (mu g): x = v0^2 / (2 mu g). The discrete answer stops short or goes on by at most v0 h
// / 2.
TEST(Order, ABoxThatSlidesToAStop) {
  const double mu = 0.4, v0 = 1.3, exact = v0 * v0 / (2 * mu * g);
  const Scene s = sliding(
      {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 1, .position = {0, 0, 0.1}, .velocity = {v0, 0, 0}}, mu);
  for (const double h : {0.02, 0.01, 0.005, 0.0025, 0.00125}) {
    const double error = std::fabs(position_after(s, 0.5, h).x - exact);
    EXPECT_LT(error, 0.51 * v0 * h);
    EXPECT_GT(error, 0.3 * v0 * h);
  }
}

// A ball with sidespin: friction turns while it slides, and the path is a parabola until it rolls.
TEST(Order, ABallWithSidespin) {
  const Scene s = sliding(
      {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 0.1}, .velocity = {1, 0, 0}, .spin = {12, -5, 3}},
      0.3);
  for (const double order : orders(s, 0.24, 0.01, 3)) EXPECT_NEAR(order, 1, 0.15);
}

// A box that slides and turns about the vertical: friction at each corner points its own way.
TEST(Order, ABoxThatSlidesAndTurns) {
  const Scene s = sliding({.shape = Box{{0.3, 0.2, 0.1}},
                           .mass = 1,
                           .position = {0, 0, 0.05},
                           .velocity = {1, 0.4, 0},
                           .spin = {0, 0, 6}},
                          0.3);
  for (const double order : orders(s, 0.16, 0.01, 2)) EXPECT_NEAR(order, 1, 0.25);
}

// Rolling down a slope: a = 5/7 g sin, the error is a T h / 2 exactly.
TEST(Order, ABallThatRollsDownASlope) {
  const double t = 0.3, c = 1 / std::sqrt(1 + t * t), a = 5.0 / 7 * g * t * c;
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("s", {.friction = 0.5});
  s.add_body("slope", {.kind = fixed, .shape = HalfSpace{{t, 0, 1}}, .surface = "s"});
  s.add_body("body", {.shape = Sphere{0.1}, .mass = 1, .position = 0.1 * Vec3{c * t, 0, c}, .surface = "s"});
  const Vec3 down{c, 0, -c * t}, start = 0.1 * Vec3{c * t, 0, c};
  for (const double h : {0.02, 0.01, 0.005})
    EXPECT_NEAR(dot(position_after(s, 1, h) - start, down) - a / 2, a * h / 2, 1e-8);
}

}  // namespace
}  // namespace stiction::test
