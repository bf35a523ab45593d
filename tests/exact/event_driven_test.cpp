// The method event_driven against closed forms. Where nothing else is said a tolerance is some hundred times
// the round-off of the numbers compared.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;

RunSettings settings_of(double step = 0.01) { return {.step = step, .method = "event_driven"}; }

Scene ball_over_floor(double e, double height, const Vec3& velocity = {}) {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("hard", {.friction = 0, .restitution = e});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "hard"});
  s.add_body("ball", {.shape = Sphere{0.1},
                      .mass = 2,
                      .position = {0, 0, 0.1 + height},
                      .velocity = velocity,
                      .surface = "hard"});
  return s;
}

// Dropped from H, the ball rises to e^2n H after the n-th impact, at t_n = sqrt(2H/g) (1 + 2 (e + ... +
// e^(n-1))), and rests after sqrt(2H/g) (1 + e)/(1 - e). Hops below the tolerated gap (1e-8 of the radius) are
// not made: rest comes that much sooner.
TEST(EventDriven, BallBouncesToRest) {
  const double e = 0.8, H = 1, fall = std::sqrt(2 * H / g);
  World world = world_of(ball_over_floor(e, H), settings_of());
  const BodyId ball = world.body("ball");
  int impacts = 0, lasting = 0;
  double given_up = 0, rest = -1, next = fall, hop = 2 * fall;
  run(world, steps_to(60, 0.01), [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    if (r.impacts == 1 && r.lasting == 0) {
      ++impacts, hop *= e;
      EXPECT_NEAR(r.impact_time, next, 1e-10) << impacts;
      next += hop;
      const double height = w.position(ball).z - 0.1 + std::pow(w.velocity(ball).z, 2) / (2 * g);
      EXPECT_NEAR(height, std::pow(e, 2 * impacts) * H, 1e-10) << impacts;
    } else {
      for (int i = 0; i < r.impacts; ++i) ++impacts, hop *= e, next += hop;
    }
    lasting += r.lasting, given_up += r.given_up;
    if (lasting > 0 && rest < 0) rest = r.impact_time;
    if (lasting > 0) {
      EXPECT_NEAR(norm(w.velocity(ball)), 0, 1e-12);
    }
  });
  EXPECT_EQ(lasting, 1);
  const double end = fall * (1 + e) / (1 - e);
  EXPECT_LT(rest, end);
  EXPECT_GT(rest, end - std::sqrt(8 * 1e-8 * 0.1 / g) / (1 - e) / e - 1e-5 / (1 - e));
  EXPECT_NEAR(world.position(ball).z, 0.1, 1e-9);
  EXPECT_GT(given_up, 0);
  EXPECT_LT(given_up, 1e-6);
  const Ledger& ledger = world.ledger();
  EXPECT_LT(ledger.relative_imbalance(), 1e-12);
  EXPECT_NEAR(ledger.booked(Cause::impact), -2 * g * H, 1e-8);
  EXPECT_NEAR(ledger.booked(Cause::numerics), 0, 1e-9);
}

// e = 1: every hop is as high as the first one.
TEST(EventDriven, ElasticBallKeepsItsEnergy) {
  const int bounces = at_size(1000, 100000);
  World world = world_of(ball_over_floor(1, 1), settings_of(0.1));
  const double energy = 2 * g * 1;
  int impacts = 0;
  double worst = 0;
  while (impacts < bounces) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    impacts += r.impacts;
    EXPECT_EQ(r.lasting, 0);
    worst = std::fmax(worst, std::fabs(world.ledger().now().energy() - world.ledger().start().energy()));
  }
  EXPECT_LT(worst, 1e-9 * energy);
  EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
  RecordProperty("energy_error", std::to_string(worst / energy));
  std::printf("energy error %.3g after %d bounces\n", worst / energy, impacts);
}

/// n^3 balls on a grid in a box of six half-spaces, with velocities that no symmetry keeps.
Scene gas(int n, double gravity) {
  Scene s{.gravity = {0, 0, -gravity}};
  s.add_surface("hard", {.friction = 0, .restitution = 1});
  const double a = 0.15 * n;  // [m] half the box
  const Vec3 normals[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int i = 0; i < 6; ++i)
    s.add_body("wall" + std::to_string(i),
               {.kind = fixed, .shape = HalfSpace{normals[i], -a}, .surface = "hard"});
  std::uint64_t random = 1;
  const auto next = [&] {  // in -1 to 1
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    return double(random >> 11) / double(1ull << 52) - 1;
  };
  for (int i = 0; i < n * n * n; ++i) {
    const Vec3 place{0.3 * (i % n) - a + 0.15, 0.3 * (i / n % n) - a + 0.15, 0.3 * (i / n / n) - a + 0.15};
    const double u = next(), v = next(), w = next();
    s.add_body("ball" + std::to_string(i), {.shape = Sphere{0.1},
                                            .density = 1000,
                                            .position = place,
                                            .velocity = {u, v, w},
                                            .surface = "hard"});
  }
  return s;
}

TEST(EventDriven, ElasticSpheresInABoxKeepTheirEnergy) {
  const int n = at_size(3, 6);
  for (const double gravity : {0.0, g}) {
    World world = world_of(gas(n, gravity), settings_of());
    const double energy = world.ledger().start().kinetic;
    double worst = 0, gap = 0;
    int impacts = 0;
    run(world, steps_to(10, 0.01), [&](const World& w, const StepReport& r) {
      EXPECT_TRUE(r.converged) << r.explain();
      worst = std::fmax(worst, std::fabs(w.ledger().now().energy() - w.ledger().start().energy()));
      gap = std::fmax(gap, r.certificate.gap), impacts += r.impacts;
    });
    EXPECT_LT(worst, 1e-9 * energy) << gravity;
    EXPECT_LT(gap, 1e-9);
    EXPECT_GT(impacts, 10 * n * n * n);
    EXPECT_LT(world.ledger().relative_imbalance(), 1e-12);
    std::printf("%d impacts, energy error %.3g, overlap %.3g m\n", impacts, worst / energy, gap);
  }
}

}  // namespace
}  // namespace stiction::test
