// Structures that friction holds up: an arch of wedge-shaped stones, a house of cards. They stand where an
// independent cone program finds forces at the same contact points that carry the weight, and fall where it
// finds that there are none. The step knows nothing of statics: it starts from rest and finds what happens.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "stiction/base/text.h"
#include "stiction/geometry/hull.h"
#include "support/cone_program.h"
#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;
constexpr double half_bracket = 5e-4;  // [-] of the critical friction: stands above, falls below
constexpr double most_creep = 1e-8;    // [m] in 2 s: the tolerance times the size of a stone
constexpr double least_fall = 1e-3;    // [m] in 2 s: a twentieth of the way of a block under 1e-3 g

Scene on_floor(double mu) {
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("stone", {.friction = mu});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "stone"});
  return scene;
}

/// Adds the prism over an outline in the plane y = 0, `depth` along y.
void add_prism(Scene& scene, const std::string& name, const std::vector<Vec3>& outline, double depth) {
  std::vector<Vec3> corners;
  for (const Vec3& c : outline)
    for (const double y : {-depth / 2, depth / 2}) corners.push_back({c.x, y, c.z});
  const Polyhedron body = convex_hull(corners).or_exit();
  scene.add_body(name, {.shape = body, .density = 2000, .position = solid(body).center, .surface = "stone"});
}

/// A semicircle of stones of equal angle, inner radius 0.85 m, outer 1.15 m.
Scene arch(double mu, int stones) {
  Scene scene = on_floor(mu);
  for (int i = 0; i < stones; ++i) {
    std::vector<Vec3> outline;
    for (const int side : {i, i + 1})
      for (const double radius : {0.85, 1.15}) {
        const double angle = std::numbers::pi * side / stones;
        outline.push_back({radius * std::cos(angle), 0, radius * std::sin(angle)});
      }
    add_prism(scene, "stone." + std::to_string(i), outline, 0.4);
  }
  return scene;
}

/// Two cards that stand on z and lean against each other at x; their ends are cut flat. 0.5 m high, 0.01 m
/// thick, 0.125 m from the middle at their feet.
void add_leaning(Scene& scene, const std::string& name, double x, double z) {
  const double high = 0.5, thick = 0.01, foot = 0.125, joint = 0.04;
  for (const double side : {-1.0, 1.0})
    add_prism(scene, name + (side < 0 ? ".left" : ".right"),
              {{x + side * foot, 0, z},
               {x + side * (foot + thick), 0, z},
               {x + side * thick, 0, z + high},
               {x, 0, z + high},
               {x, 0, z + high - joint}},
              0.3);
}

/// Two pairs, a roof on them, a third pair on the roof, off its middle.
Scene card_house(double mu) {
  Scene scene = on_floor(mu);
  add_leaning(scene, "west", -0.15, 0), add_leaning(scene, "east", 0.15, 0);
  add_prism(scene, "roof", {{-0.3, 0, 0.5}, {0.3, 0, 0.5}, {0.3, 0, 0.51}, {-0.3, 0, 0.51}}, 0.3);
  add_leaning(scene, "upper", 0.02, 0.51);
  return scene;
}

/// [m] the longest way of a body in 2 s, or until one has fallen.
double moved(const Scene& scene) {
  World world = world_of(scene);
  const std::vector<Vec3> start = world.state().position;
  double worst = 0;
  for (int step = 0; step < 200 && worst < least_fall; ++step) {
    const StepReport report = world.step();
    EXPECT_TRUE(report.converged) << report.explain();
    for (std::size_t i = 0; i < start.size(); ++i)
      worst = std::fmax(worst, norm(world.state().position[i] - start[i]));
  }
  return worst;
}

/// The scene one step later, with its contact points.
World settled(const Scene& scene) {
  World world = world_of(scene);
  EXPECT_TRUE(world.step().converged);
  return world;
}

TEST(Equilibrium, TheConeProgramKnowsASlope) {
  for (const double slope : {0.2, 0.5}) {
    Scene scene{.gravity = {g * std::sin(slope), 0, -g * std::cos(slope)}};
    scene.add_surface("stone", {.friction = 0.9});
    scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "stone"});
    scene.add_body("box",
                   {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 1, .position = {0, 0, 0.1}, .surface = "stone"});
    const World world = settled(scene);
    EXPECT_NEAR(critical_friction(world, 0.01, 1, 1e-7), std::tan(slope), 1e-6);
  }
}

/// make(mu) stands above the coefficient that the cone program finds, and falls below.
template <class Make>
void expect_critical_friction(const Make& make) {
  const double critical = critical_friction(settled(make(0.9)), 0.1, 0.9, 1e-6);
  testing::Test::RecordProperty("critical_friction", number_text(critical));
  const double stays = moved(make(critical * (1 + half_bracket))),
               falls = moved(make(critical * (1 - half_bracket)));
  testing::Test::RecordProperty("stays_m", number_text(stays));
  EXPECT_LT(stays, most_creep);
  EXPECT_GT(falls, least_fall);
}

TEST(Equilibrium, AnArchStandsWhereForcesExistThatCarryIt) {
  expect_critical_friction([](double mu) { return arch(mu, at_size(7, 21)); });
}

TEST(Equilibrium, ACardHouseStandsWhereForcesExistThatCarryIt) {
  expect_critical_friction([](double mu) { return card_house(mu); });
}

}  // namespace
}  // namespace stiction::test
