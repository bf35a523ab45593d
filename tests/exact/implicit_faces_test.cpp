// The step with closest points as unknowns where both bodies have several faces (step/implicit_contact.h):
// against closed forms, against the same motion on a plane, which is another form of the problem, and
// against worlds where one point bears the load.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stiction/geometry/hull.h"
#include "stiction/reproduce/implicit_runs.h"
#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81, h = 0.01;
const double pi = std::acos(-1.0);
/// [m/s], [m] a step solves its problem to 1e-11; errors of some hundred steps add up.
constexpr double solved = 1e-9;

Quat turned(double angle, const Vec3& axis) {
  const Vec3 a = std::sin(0.5 * angle) * normalized(axis);
  return {std::cos(0.5 * angle), a.x, a.y, a.z};
}
Convex dome() { return intersection({ball_face({0, 0, -0.375}, 1), HalfSpace{{0, 0, -1}, 0.375}}).or_exit(); }

/// A body of 1 kg above, or on, a fixed one, whose top is at z = 0 unless it is turned.
struct Case {
  const char* name;
  Convex below;
  step::ImplicitBody under;
  Convex body;
  step::ImplicitBody start;
  int steps;  // in which the answer is unique: one point bears the load, or nothing turns about the normal
  double mu = 0.5;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

int add_to(reproduce::ImplicitRun& run, const Case& c, bool on_a_plane = false) {
  const int below = on_a_plane ? run.add(HalfSpace{{0, 0, 1}, 0}, {}) : run.add(c.below, c.under);
  step::ImplicitBody b = c.start;
  b.mass = 1, b.inertia = mass_properties(ConvexShape(c.body), 1).inertia, b.force = {0, 0, -g};
  const int body = run.add(c.body, b);
  run.touch(body, below, c.mu);
  return body;
}

const Convex table = Box{{6, 6, 1}}, brick = Box{{0.4, 0.3, 0.2}}, cube = Box{{0.4, 0.4, 0.4}},
             beam = Box{{2, 0.2, 0.2}}, roll = Cylinder{0.2, 0.6};
const step::ImplicitBody below{.position = {0, 0, -0.5}}, on_edge{.orientation = turned(pi / 4, {1, 0, 0})};

/// A block with a top at z = 0, six sides that lean inwards and a smaller bottom.
Convex hexagon() {
  std::vector<Vec3> corners;
  for (int i = 0; i < 6; ++i) {
    const double c = std::cos(pi * i / 3), s = std::sin(pi * i / 3);
    corners.push_back({3 * c, 3 * s, 0}), corners.push_back({2 * c, 2 * s, -1});
  }
  return convex_hull(corners).or_exit();
}

std::vector<Case> on_tables() {
  const Quat corner_down = turned(std::acos(1 / std::sqrt(3.0)), {1, -1, 0});
  const Quat lying = turned(pi / 2, {1, 0, 0});
  return {
      {"sliding_brick", table, below, brick, {.position = {0, 0, 0.1}, .velocity = {2, 0.5, 0}}, 60},
      {"dropped_brick", table, below, brick, {.position = {0, 0, 0.3}}, 60},
      {"cube_on_its_corner",
       table,
       below,
       cube,
       {.position = {0, 0, 0.2 * std::sqrt(3.0)},
        .orientation = corner_down,
        .velocity = {0.2, 0.1, 0},
        .spin = {0.1, 0, 0.3}},
       60},
      {"tilted_brick",
       table,
       below,
       brick,
       {.position = {0, 0, 0.4}, .orientation = turned(0.3, {1, 0.4, 0}), .velocity = {0.5, 0, 0}},
       22},
      {"sliding_dome", table, below, dome(), {.position = {0, 0, 0.375}, .velocity = {2, 0, 0}}, 60},
      {"landing_dome",
       table,
       below,
       dome(),
       {.position = {0, 0, 0.66074612}, .orientation = turned(0.25, {1, 0.3, 0})},
       100},
      {"rocking_dome",
       table,
       below,
       dome(),
       {.position = {0, 0, 1 - 0.375 * std::cos(0.5)}, .orientation = turned(pi - 0.5, {0, 1, 0})},
       100},
      {"rolling_cylinder",
       table,
       below,
       roll,
       {.position = {0, 0, 0.2}, .orientation = lying, .velocity = {1, 0, 0}, .spin = {0, 5, 0}},
       100},
      {"cylinder_on_a_hull",
       hexagon(),
       {},
       roll,
       {.position = {0, 0, 0.5}, .orientation = turned(0.25, {1, 0.3, 0})},
       30},
      {"spinning_ellipsoid",
       table,
       below,
       Ellipsoid{{0.3, 0.2, 0.1}},
       {.position = {0, 0, 0.15}, .orientation = turned(0.4, {0, 1, 0}), .spin = {1, 0, 2}},
       100},
  };
}
std::vector<Case> on_edges() {
  const Quat across = turned(pi / 2, {0, 0, 1}) * turned(pi / 4, {1, 0, 0});
  const Quat askew = turned(1.1, {0, 0, 1}) * turned(pi / 4, {1, 0, 0});
  return {
      {"crossed_beams",
       beam,
       on_edge,
       beam,
       {.position = {0, 0, 0.2 * std::sqrt(2.0)}, .orientation = across, .velocity = {0.3, 0.2, 0}},
       10},
      {"beam_falls_on_beam",
       beam,
       on_edge,
       beam,
       {.position = {0.1, 0.05, 0.4}, .orientation = askew, .velocity = {0.3, 0.2, 0}},
       30},
      {"dome_on_dome",
       dome(),
       {.position = {0, 0, 0.375}},
       dome(),
       {.position = {0.05, 0, 2}, .orientation = turned(pi, {1, 0, 0})},
       60},
  };
}
std::vector<Case> all() {
  std::vector<Case> out = on_tables();
  for (const Case& c : on_edges()) out.push_back(c);
  return out;
}

class ImplicitFaces : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, ImplicitFaces, testing::ValuesIn(all()),
                         [](const auto& c) { return c.param.name; });
class ImplicitTables : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, ImplicitTables, testing::ValuesIn(on_tables()),
                         [](const auto& c) { return c.param.name; });

// The top of a table is a plane: a normal that is known and one that is found lead to the same motion, also
// where a face resists nothing but slip of its centre of pressure, so here for 150 steps.
TEST_P(ImplicitTables, AreWhatAPlaneIs) {
  reproduce::ImplicitRun on_table(h), on_plane(h);
  const int a = add_to(on_table, GetParam()), b = add_to(on_plane, GetParam(), true);
  for (int k = 0; k < 150; ++k) {
    ASSERT_TRUE(on_table.step() && on_plane.step()) << k;
    EXPECT_LT(norm(on_table.body(a).velocity - on_plane.body(b).velocity), 1e-8) << k;
    EXPECT_LT(norm(on_table.body(a).spin - on_plane.body(b).spin), 1e-8) << k;
    EXPECT_NEAR(on_table.contact(0).normal_impulse, on_plane.contact(0).normal_impulse, 1e-8) << k;
  }
  EXPECT_GT(on_table.lowest_gap(), -solved);
}

// Passes of a world solve the same equations, here to 1e-12 of impulses and sizes. What that leaves in a gap
// of 2 m, over h and the 0.1 m by which edges meet off the middle, is 2e-9 rad/s a step (measured over all:
// 2e-9).
TEST_P(ImplicitFaces, WorldsEndWhereTheyDo) {
  const Case& c = GetParam();
  reproduce::ImplicitRun run(h);
  const int other = add_to(run, c);
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("both", {.friction = c.mu});
  scene.add_body("below", {.kind = fixed,
                           .shape = ConvexShape(c.below),
                           .position = c.under.position,
                           .orientation = c.under.orientation,
                           .surface = "both"});
  const BodyId body = scene.add_body("body", {.shape = ConvexShape(c.body),
                                              .mass = 1,
                                              .position = c.start.position,
                                              .orientation = c.start.orientation,
                                              .velocity = c.start.velocity,
                                              .spin = c.start.spin,
                                              .surface = "both"});
  World world = test::world_of(scene, {.step = h, .tolerance = 1e-12, .method = Method::implicit_geometry});
  bool touched = false;
  for (int k = 0; k < c.steps; ++k) {
    const StepReport r = world.step();
    ASSERT_TRUE(r.converged) << r.explain();
    ASSERT_TRUE(run.step()) << k;
    EXPECT_LT(norm(world.velocity(body) - run.body(other).velocity), 1e-8) << k;
    EXPECT_LT(norm(world.spin(body) - run.body(other).spin), 1e-8) << k;
    EXPECT_GT(run.contact(0).gap, -solved);
    touched = touched || run.contact(0).normal_impulse > 0;
    if (run.contact(0).normal_impulse > 0) {
      EXPECT_LT(run.contact(0).gap, solved);
    }
  }
  EXPECT_TRUE(touched);
}

// v_k = v0 - mu g h k; the load is ahead of the centre by mu times its height, and below it after the stop.
TEST(ImplicitFaces, ABoxSlidesOnABoxAndStops) {
  const double v0 = 2, mu = 0.5;
  reproduce::ImplicitRun run(h);
  const int box =
      add_to(run, {"", table, below, brick, {.position = {-1, 0.1, 0.1}, .velocity = {v0, 0, 0}}, 0});
  const int last = int(std::ceil(v0 / (mu * g * h)));
  double x = -1;
  for (int k = 1; k <= last + 10; ++k) {
    ASSERT_TRUE(run.step());
    const double v = std::fmax(0, v0 - mu * g * h * k);
    x += h * v;
    EXPECT_NEAR(run.body(box).velocity.x, v, solved);
    EXPECT_NEAR(run.body(box).position.x, x, solved);
    EXPECT_NEAR(run.body(box).position.z, 0.1, solved);
    EXPECT_LT(norm(run.body(box).spin), solved);
    EXPECT_NEAR(run.contact(0).normal_impulse, g * h, solved);
    if (k != last) {
      EXPECT_NEAR(run.contact(0).point_f.x - x, k < last ? mu * 0.1 : 0.0, solved);
    }
    EXPECT_LT(std::fabs(run.contact(0).gap), solved);
  }
}

// Of 1 and 3 kg, the lower one on ice: friction between them takes from one what the other gets, until both
// move with a quarter of the speed.
TEST(ImplicitFaces, ABoxCarriesABox) {
  const double v0 = 1, mu = 0.3;
  reproduce::ImplicitRun run(h);
  const int ice = run.add(table, below);
  const int cart =
      run.add(Box{{2, 1, 0.2}},
              {.mass = 3, .inertia = {0.26, 1.01, 1.25}, .position = {0, 0, 0.1}, .force = {0, 0, -3 * g}});
  const int load = run.add(brick, {.mass = 1,
                                   .inertia = {0.01, 0.02, 0.02},
                                   .position = {0, 0, 0.3},
                                   .velocity = {v0, 0, 0},
                                   .force = {0, 0, -g}});
  run.touch(cart, ice, 0), run.touch(load, cart, mu);
  for (int k = 1; k < 60; ++k) {
    ASSERT_TRUE(run.step()) << k;
    const double given = std::fmin(mu * g * h * k, 0.75 * v0);
    EXPECT_NEAR(run.body(load).velocity.x, v0 - given, solved) << k;
    EXPECT_NEAR(run.body(cart).velocity.x, given / 3, solved) << k;
    EXPECT_NEAR(run.contact(0).normal_impulse, 4 * g * h, solved);
    EXPECT_NEAR(run.contact(1).normal_impulse, g * h, solved);
  }
  EXPECT_GT(run.lowest_gap(), -solved);
}

// Edges that cross: the normal is perpendicular to both, and the points are where it meets them.
TEST(ImplicitFaces, CrossedEdgesMeetAlongTheirCommonPerpendicular) {
  for (const Case& c : {on_edges()[0], on_edges()[1]}) {
    reproduce::ImplicitRun run(h);
    const int body = add_to(run, c);
    for (int k = 0; k < c.steps; ++k) {
      ASSERT_TRUE(run.step());
      const Quat& q = run.body(body).orientation;
      const Vec3 upper = rotate(q, {1, 0, 0}), lower{1, 0, 0};
      const double half = 0.1 * std::sqrt(2.0);
      Vec3 from;  // the lowest of the four edges of the upper beam, at its middle
      for (const double y : {-0.1, 0.1})
        for (const double z : {-0.1, 0.1})
          if (const Vec3 edge = rotate(q, {0, y, z}); edge.z < from.z) from = edge;
      const Vec3 n = normalized(cross(lower, upper)), up = n.z > 0 ? n : -n;
      const double gap = dot(up, run.body(body).position + from - Vec3{0, 0, half});
      EXPECT_LT(norm(run.contact(0).normal - up), solved) << c.name << k;
      EXPECT_NEAR(run.contact(0).gap, gap, solved) << c.name << k;
    }
  }
}

// One that falls with its middle on the middle of the other stops there: in the step that hits, it goes as
// far as it can, and rests from the next one on.
TEST(ImplicitFaces, ABeamStopsOnABeam) {
  Case c = on_edges()[0];
  const double level = c.start.position.z;
  c.start.position.z += 0.0125, c.start.velocity = {0, 0, -1};
  reproduce::ImplicitRun run(h);
  const int body = add_to(run, c);
  ASSERT_TRUE(run.step());
  EXPECT_NEAR(run.body(body).velocity.z, -1 - g * h, solved);
  const double left = run.body(body).position.z - level;
  ASSERT_TRUE(run.step());
  EXPECT_NEAR(run.body(body).velocity.z, -left / h, solved);
  EXPECT_NEAR(run.contact(0).normal_impulse, 1 + 2 * g * h - left / h, solved);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(run.step());
    EXPECT_NEAR(run.body(body).position.z, level, solved);
    EXPECT_LT(norm(run.body(body).velocity) + norm(run.body(body).spin), solved);
  }
  EXPECT_NEAR(run.contact(0).normal_impulse, g * h, solved);
}

// The corner that is down bears the cube, until it has fallen on an edge after half a second.
TEST(ImplicitFaces, ACubeStandsOnItsCorner) {
  const Case c = on_tables()[2];
  reproduce::ImplicitRun run(h);
  const int body = add_to(run, c);
  const Vec3 corner = rotate_back(c.start.orientation, {0, 0, -0.2 * std::sqrt(3.0)});
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(run.step());
    const step::ImplicitBody& b = run.body(body);
    EXPECT_LT(norm(run.contact(0).point_f - b.position - rotate(b.orientation, corner)), solved) << k;
    EXPECT_NEAR(run.contact(0).point_f.z, 0, solved);
  }
}

// Friction spins a cylinder up until it rolls with two thirds of its speed: after v0 / (3 mu g) = 0.068 s.
TEST(ImplicitFaces, ACylinderOnABoxBeginsToRoll) {
  const double v0 = 1, mu = 0.5;
  reproduce::ImplicitRun run(h);
  const int body = add_to(
      run, {"",
            table,
            below,
            roll,
            {.position = {-1, 0, 0.2}, .orientation = turned(pi / 2, {1, 0, 0}), .velocity = {v0, 0, 0}},
            0});
  for (int k = 1; k < 100; ++k) {
    ASSERT_TRUE(run.step());
    const double v = std::fmax(2 * v0 / 3, v0 - mu * g * h * k);
    EXPECT_NEAR(run.body(body).velocity.x, v, solved);
    EXPECT_NEAR(run.body(body).spin.y, 2 * (v0 - v) / 0.2, solved / 0.1);
    EXPECT_NEAR(run.body(body).position.z, 0.2, solved);
  }
}

// A brick whose middle is over the table stays; one whose middle is beyond its edge turns about the edge.
TEST(ImplicitFaces, TheLoadStaysOnTheLowerBox) {
  for (const double beyond : {-0.01, 0.01}) {
    reproduce::ImplicitRun run(h);
    const int body = add_to(run, {"", table, below, brick, {.position = {3 + beyond, 0, 0.1}}, 0});
    for (int k = 0; k < 10; ++k) {
      ASSERT_TRUE(run.step());
      EXPECT_LT(run.contact(0).point_g.x, 3 + solved);
      if (beyond > 0) {
        EXPECT_NEAR(run.contact(0).point_g.x, 3, solved);
      }
    }
    if (beyond < 0) {
      EXPECT_LT(norm(run.body(body).velocity) + norm(run.body(body).spin), solved);
    } else {  // m g d / (I + m (d^2 + 0.1^2)) = 3.7 rad/s^2 and growing
      EXPECT_GT(run.body(body).spin.y, 0.3);
    }
  }
}

// Thrown on a small table, some over its edges: corners, edges, rims and faces meet as they come. Every step
// is solved, and no body ends in the table.
TEST(ImplicitFaces, WhateverFallsOnATableIsSolved) {
  std::mt19937 random(7);
  const auto any = [&] { return 2 * double(random()) / double(std::mt19937::max()) - 1; };
  const auto vector = [&](double size) { return size * Vec3{any(), any(), any()}; };
  for (const Convex& shape : {brick, roll, dome(), hexagon(), brick, roll}) {
    const double reach = reach_of(shape);
    Case c{"", Box{{2, 2, 0.4}}, {.position = {0, 0, -0.2}}, shape, {}, 0};
    c.start.position = vector(0.9), c.start.position.z = 1.01 * reach;
    c.start.orientation = turned(3 * any(), vector(1));
    c.start.velocity = vector(1), c.start.spin = vector(2);
    reproduce::ImplicitRun run(h);
    add_to(run, c);
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(run.step()) << name(shape.core) << ' ' << k;
    EXPECT_GT(run.lowest_gap(), -solved) << name(shape.core);
  }
}

}  // namespace
}  // namespace stiction::test
