// Torsion springs, drag with an exponent, Magnus, gravitation, Lennard-Jones: values worked out by hand,
// gradients by central differences, and the grid of cells against all pairs.
#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"
#include "unit/forces/fixture.h"

namespace stiction::forces {
namespace {

constexpr double round_off = 1e-15;  // numbers near 1, a few operations each

/// Forces are minus the gradient of the potential, in translation and rotation.
void expect_gradient(Fixture& f, double tolerance) {
  const auto out = f.impulses();
  const double d = 1e-6;
  for (std::size_t i = 0; i < f.position.size(); ++i) {
    Vec3 linear, angular;
    for (const AppliedImpulse& a : out)
      if (a.body == int(i)) linear += a.linear / h, angular += a.angular / h;
    for (int k = 0; k < 3; ++k) {
      Vec3 way;
      way[k] = d;
      const Vec3 x = f.position[i];
      const Quat q = f.orientation[i];
      f.position[i] = x + way;
      const double up = f.potential();
      f.position[i] = x - way;
      EXPECT_NEAR(-(up - f.potential()) / (2 * d), linear[k], tolerance) << "body " << i << " axis " << k;
      f.position[i] = x;
      f.orientation[i] = cayley(way) * q;
      const double turned = f.potential();
      f.orientation[i] = cayley(-way) * q;
      EXPECT_NEAR(-(turned - f.potential()) / (2 * d), angular[k], tolerance)
          << "turn " << i << " axis " << k;
      f.orientation[i] = q;
    }
  }
}

Scene two_boxes() {
  Scene s;
  s.add_body("a", {.shape = Box{{0.2, 0.3, 0.4}}, .mass = 1});
  s.add_body("b", {.shape = Box{{0.2, 0.2, 0.2}}, .mass = 2, .position = {1, 0, 0}});
  return s;
}

TEST(Torsion, TurnsBackAboutItsAxis) {
  Scene s = two_boxes();
  s.bodies[1].value.orientation = {std::cos(0.2), 0, 0, std::sin(0.2)};  // 0.4 rad about z
  s.bodies[1].value.spin = {0.3, 0, 2};
  s.add_force("rod", TorsionSpring{.a = "a", .b = "b", .stiffness = 5, .damping = 0.5, .rest_angle = 0.1});
  const Fixture f(s);
  const auto out = f.impulses();
  ASSERT_EQ(out.size(), 4u);
  EXPECT_EQ(out[0].cause, Cause::spring);
  EXPECT_EQ(out[2].cause, Cause::damping);
  EXPECT_LT(norm(out[0].angular - Vec3{0, 0, -5 * 0.3 * h}), round_off);
  EXPECT_LT(norm(out[2].angular - Vec3{0, 0, -0.5 * 2 * h}), round_off);
  EXPECT_EQ(out[0].angular, -out[1].angular);
  EXPECT_EQ(out[0].linear, Vec3{});
  EXPECT_NEAR(f.potential(), 0.5 * 5 * 0.09, 1e-15);
}

TEST(Torsion, IsTheGradientOfItsPotential) {
  test::Random random(3);
  for (int i = 0; i < 20; ++i) {
    Scene s = two_boxes();
    s.bodies[0].value.orientation = random.rotation();
    s.bodies[1].value.orientation = cayley(random.vector(2)) * s.bodies[0].value.orientation;
    s.add_force("rod", TorsionSpring{.a = "a", .b = "b", .axis = random.vector(1), .stiffness = 3});
    s.add_force("wire", TorsionSpring{.b = "b", .axis = {1, 2, 0}, .stiffness = 0.5, .rest_angle = 0.2});
    Fixture f(s);
    if (std::fabs(twist_of(f.model.torsions[1], {f.position, f.orientation, {}, {}, f.alive}).angle) > 3)
      continue;
    expect_gradient(f, 1e-6);
  }
}

// A swing across the axis leaves the twist alone, and at half a turn of it there is no twist at all.
TEST(Torsion, LetsBodiesSwing) {
  Scene s = two_boxes();
  s.bodies[1].value.orientation = {std::cos(0.4), std::sin(0.4), 0, 0};
  s.add_force("rod", TorsionSpring{.b = "b", .stiffness = 5});
  Fixture f(s);
  for (const AppliedImpulse& a : f.impulses()) EXPECT_LT(norm(a.angular), round_off);
  f.orientation[1] = {0, 1, 0, 0};
  for (const AppliedImpulse& a : f.impulses()) EXPECT_EQ(a.angular, Vec3{});
}

TEST(Drag, WithAnExponent) {
  for (const double exponent : {0.5, 1.0, 1.7, 2.0, 3.0}) {
    Scene s;
    s.add_body("b", {.shape = Sphere{0.1}, .mass = 1, .velocity = {3, 0, 4}});
    s.add_force("air", Drag{.body = "b", .coefficient = 0.3, .exponent = exponent});
    Fixture f(s);
    const Vec3 expected = (-h * 0.3 * std::pow(5.0, exponent) / 5) * Vec3{3, 0, 4};
    ASSERT_EQ(f.impulses().size(), 1u);
    EXPECT_LT(norm(f.impulses()[0].linear - expected), 4e-16 * norm(expected)) << exponent;
    f.velocity[0] = {};
    EXPECT_EQ(f.impulses()[0].linear, Vec3{});
  }
}

TEST(Magnus, IsAcrossSpinAndVelocity) {
  Scene s;
  s.add_body("ball", {.shape = Sphere{0.1}, .mass = 1, .velocity = {1, 2, 3}, .spin = {0, 0, 5}});
  s.add_body("dust", {.mass = 1, .velocity = {1, 2, 3}, .particle = true});
  s.add_force("lift", Magnus{.coefficient = 0.2});
  const auto out = Fixture(s).impulses();
  ASSERT_EQ(out.size(), 1u);  // dust does not turn
  EXPECT_EQ(out[0].cause, Cause::magnus);
  EXPECT_LT(norm(out[0].linear - (0.2 * h) * Vec3{-10, 5, 0}), round_off);
  EXPECT_EQ(dot(out[0].linear, Vec3{1, 2, 3}), 0);
}

Scene cloud(int count, double size, std::uint64_t seed) {
  test::Random random(seed);
  Scene s;
  for (int i = 0; i < count; ++i)
    s.add_body("p." + std::to_string(i),
               {.mass = random.between(0.5, 2), .position = random.vector(size), .particle = true});
  return s;
}

TEST(Gravitation, PullsWithTheInverseSquare) {
  Scene s;
  s.add_body("sun", {.mass = 8, .particle = true});
  s.add_body("planet", {.mass = 3, .position = {0, 0, 2}, .particle = true});
  s.add_body("ghost", {.mass = 3, .position = {1, 0, 2}, .particle = true});
  s.add_force("gravitation", Gravitation{.constant = 0.5, .bodies = {"sun", "planet"}});
  const Fixture f(s);
  const auto out = f.impulses();
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].cause, Cause::gravitation);
  EXPECT_LT(norm(out[0].linear - Vec3{0, 0, h * 0.5 * 24 / 4}), round_off);
  EXPECT_EQ(out[1].linear, -out[0].linear);
  EXPECT_NEAR(f.potential(), -0.5 * 24 / 2, round_off);
}

TEST(Gravitation, IsTheGradientOfItsPotential) {
  Scene s = cloud(6, 1, 4);
  s.add_force("gravitation", Gravitation{.constant = 0.3});
  Fixture f(s);
  expect_gradient(f, 1e-7);
}

TEST(LennardJones, HasItsWellWhereItShould) {
  Scene s;
  s.add_body("a", {.mass = 1, .particle = true});
  s.add_body("b", {.mass = 1, .position = {std::pow(2.0, 1.0 / 6) * 0.3, 0, 0}, .particle = true});
  s.add_force("argon", LennardJones{.depth = 0.7, .diameter = 0.3});
  Fixture f(s);
  EXPECT_NEAR(f.potential(), -0.7, 1e-15);
  EXPECT_LT(norm(f.impulses()[0].linear), 1e-14);  // terms of 30 N times h cancel
  f.position[1] = {0.3, 0, 0};
  EXPECT_NEAR(f.potential(), 0, 1e-15);
  EXPECT_NEAR(f.impulses()[0].linear.x, -h * 24 * 0.7 / 0.3, 1e-14);  // pushes a away from b
}

TEST(LennardJones, IsTheGradientOfItsPotential) {
  Scene s = cloud(5, 0.5, 6);
  s.add_force("argon", LennardJones{.depth = 0.4, .diameter = 0.2, .cutoff = 0.5});
  Fixture f(s);
  expect_gradient(f, 1e-4);  // forces of some 1e4 N where two come close; central differences to 1e-9 of that
}

// The same pairs from the grid as from all of them, each once; clouds denser and sparser than the cells.
TEST(Pairs, OfTheGridAreThoseWithinTheCutOff) {
  for (const double cutoff : {0.12, 0.3, 1.0, 5.0}) {
    const Scene s = cloud(300, 1, 7);
    const Fixture f(s);
    std::vector<int> bodies;
    std::vector<unsigned char> alive = f.alive;
    for (int i = 0; i < 300; i += 1 + i % 2) bodies.push_back(i);
    alive[3] = alive[30] = 0;
    std::vector<std::pair<int, int>> found, expected;
    PairScratch scratch;
    for_pairs(bodies, f.position, alive, cutoff, scratch, [&](int i, int j, const Vec3& d, double r2) {
      EXPECT_EQ(norm2(d), r2);
      EXPECT_EQ(d, f.position[std::size_t(j)] - f.position[std::size_t(i)]);
      found.emplace_back(std::min(i, j), std::max(i, j));
    });
    for (const int i : bodies)
      for (const int j : bodies)
        if (i < j && alive[std::size_t(i)] && alive[std::size_t(j)] &&
            norm(f.position[std::size_t(i)] - f.position[std::size_t(j)]) < cutoff)
          expected.emplace_back(i, j);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected) << cutoff;
    EXPECT_GT(expected.size(), 0u);
  }
}

TEST(Pairs, LeaveOutWhatIsNotFinite) {
  Fixture f(cloud(10, 1, 8));
  f.position[4].y = std::nan("");
  f.position[5].x = INFINITY;
  const std::vector<int> bodies{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const double cutoff : {0.0, 10.0}) {
    PairScratch scratch;
    int pairs = 0;
    for_pairs(bodies, f.position, f.alive, cutoff, scratch, [&](int, int, const Vec3&, double) { ++pairs; });
    EXPECT_EQ(pairs, 8 * 7 / 2);
  }
}

TEST(Selection, TakesNamesAndPatterns) {
  Scene s = cloud(12, 1, 9);
  s.add_body("q", {.mass = 1, .particle = true});
  s.add_force("g", Gravitation{.constant = 1, .bodies = {"q", "p.1*"}});
  EXPECT_FALSE(compile(s));  // * stands after a dot only
  s.forces.clear();
  s.add_force("g", Gravitation{.constant = 1, .bodies = {"q", "p.*"}});
  s.add_force("l", LennardJones{.depth = 1, .diameter = 1, .bodies = {"p.3", "q"}});
  const Model m = compile(s).or_exit();
  EXPECT_EQ(m.gravitations[0].bodies.size(), 13u);
  EXPECT_EQ(m.lennard_jones[0].bodies, (std::vector<int>{3, 12}));
}

}  // namespace
}  // namespace stiction::forces
