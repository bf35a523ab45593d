// Whole trajectories beside those of an independent program with the same discretisation, node by node: the
// falling rod and the four balls of Stewart and Trinkle (2000), the sphere on two spheres of Chakraborty et
// al. (2014), the pushed rectangle of Cline and Pai (2003). tests/exact/data has the numbers, ten digits
// each.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/run.h"

namespace stiction::test {
namespace {

/// Columns by name.
using Table = std::map<std::string, std::vector<double>>;

Table read_table(const std::string& name) {
  std::ifstream file(STICTION_SOURCE_DIR "/tests/exact/data/" + name + ".csv");
  std::string line, cell;
  std::vector<std::string> names;
  Table out;
  if (std::getline(file, line))
    for (std::istringstream head(line); std::getline(head, cell, ',');) names.push_back(cell);
  while (std::getline(file, line)) {
    std::istringstream row(line);
    for (const std::string& n : names)
      if (std::getline(row, cell, ',')) out[n].push_back(std::stod(cell));
  }
  return out;
}

/// [-] turn of a body about an axis against an angle [rad]: sine of half the difference.
double turn_error(const Quat& q, const Vec3& axis, double angle) {
  const Quat d = conjugate(turn_about(axis, angle)) * q;
  return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

// Until both ends touch (t < 0.54 s) 1e-7, afterwards 1e-6: the reference's own band. The sum of the normal
// impulses is compared, which single ones of two sticking ends do not have to be.
TEST(Trajectories, TheFallingRod) {
  for (const char* step : {"0.04", "0.01", "0.0025"}) {
    const Table t = read_table(std::string("rod_h") + step);
    const std::vector<double>& time = t.at("t");
    ASSERT_GT(time.size(), 20U);
    World world = world_of_file(STICTION_SOURCE_DIR "/scenes/falling_rod.json",
                                {{"run.step", step}, {"run.stabilisation", "none"}});
    const BodyId rod = world.body("rod");
    for (std::size_t i = 1; i < time.size(); ++i) {
      ASSERT_TRUE(world.step().converged);
      ASSERT_NEAR(world.time(), time[i], 1e-9);
      const double most = time[i] < 0.54 ? 1e-7 : 1e-6;
      const auto expect = [&](const char* column, double value) {
        EXPECT_NEAR(value, t.at(column)[i], most) << column << " at " << time[i] << " s, h = " << step;
      };
      expect("x", world.position(rod).x), expect("y", world.position(rod).z);
      expect("vx", world.velocity(rod).x), expect("vy", world.velocity(rod).z);
      expect("omega", -world.spin(rod).y);
      const double lean = std::acos(-1.0) / 2 - t.at("theta")[i];  // of the capsule's axis, from z
      EXPECT_LE(2 * turn_error(world.orientation(rod), {0, 1, 0}, lean), most)
          << time[i] << " s, h = " << step;
      double pressed = 0;
      for (const Contact& c : world.contacts(rod)) pressed += c.impulse.z;
      EXPECT_NEAR(pressed, t.at("cn_plus")[i] + t.at("cn_minus")[i], 10 * most)
          << time[i] << " s, h = " << step;
    }
  }
}

// Flight, landing, rolling and the blow through the row: 1e-7 at every node.
TEST(Trajectories, FourBalls) {
  constexpr double most = 1e-7;  // ten digits of the numbers, and what 50 steps make of them
  const Table t = read_table("balls_h0.02");
  ASSERT_GT(t.at("t").size(), 50U);
  World world = world_of_file(STICTION_SOURCE_DIR "/scenes/four_balls.json",
                              {{"run.step", "0.02"}, {"run.stabilisation", "none"}});
  const char* names[] = {"thrown", "first", "second", "third"};
  for (std::size_t i = 1; i < t.at("t").size(); ++i) {
    ASSERT_TRUE(world.step().converged);
    ASSERT_NEAR(world.time(), t.at("t")[i], 1e-9);
    for (int ball = 0; ball < 4; ++ball) {
      const BodyId id = world.body(names[ball]);
      const Vec3 x = world.position(id), v = world.velocity(id), w = world.spin(id);
      const auto expect = [&](const char* column, double value) {
        EXPECT_NEAR(value, t.at(column + std::to_string(ball))[i], most)
            << column << ball << " at " << t.at("t")[i];
      };
      expect("x", x.x), expect("y", x.y), expect("z", x.z);
      expect("vx", v.x), expect("vy", v.y), expect("vz", v.z);
      expect("wx", w.x), expect("wy", w.y), expect("wz", w.z);
    }
  }
}

// Every 0.1 s, until it has left both spheres and beyond.
TEST(Trajectories, ASphereOnTwoSpheres) {
  constexpr double most = 1e-6;  // the reference's band for the same step
  const Table t = read_table("sphere_on_two");
  ASSERT_GT(t.at("t").size(), 40U);
  Scene s{.gravity = {1, 2.6, -9.81}};  // force and weight of 1 kg
  s.add_surface("rough", {.friction = 0.2, .spin_length = 0.3});
  s.add_body("one", {.kind = fixed, .shape = Sphere{10}, .surface = "rough"});
  s.add_body("two", {.kind = fixed, .shape = Sphere{9}, .position = {0, 11.4, 0}, .surface = "rough"});
  const double y = (121 - 100 + 11.4 * 11.4) / 22.8;
  const BodyId ball = s.add_body("ball", {.shape = Sphere{1},
                                          .mass = 1,
                                          .position = {0, y, std::sqrt(121 - y * y)},
                                          .surface = "rough",
                                          .inertia = Vec3{0.4, 0.4, 0.4}});
  World world = world_of(s, {.step = 0.01, .tolerance = 1e-10, .method = Method::implicit_geometry});
  for (std::size_t i = 1; i < t.at("t").size(); ++i) {
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(world.step().converged) << world.time();
    ASSERT_NEAR(world.time(), t.at("t")[i], 1e-9);
    const Vec3 x = world.position(ball), v = world.velocity(ball), w = world.spin(ball);
    const auto expect = [&](const char* column, double value) {
      EXPECT_NEAR(value, t.at(column)[i], most) << column << " at " << t.at("t")[i] << " s";
    };
    expect("x", x.x), expect("y", x.y), expect("z", x.z);
    expect("vx", v.x), expect("vy", v.y), expect("vz", v.z);
    expect("wx", w.x), expect("wy", w.y), expect("wz", w.z);
  }
}

// Falls, is pushed to and fro, rests between: until 1.3 s, where tumbling would make it depend on rounding.
TEST(Trajectories, APushedRectangle) {
  constexpr double most = 1e-6;  // the reference's band
  const Table t = read_table("rectangle");
  ASSERT_GT(t.at("t").size(), 100U);
  Scene s{.gravity = {0, -9.81, 0}};
  s.add_surface("wood", {.friction = 0.5});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 1, 0}}, .surface = "wood"});
  const double J = (0.1 * 0.1 + 0.05 * 0.05) / 12;
  const BodyId box = s.add_body("box", {.shape = Box{{0.1, 0.05, 0.1}},
                                        .mass = 1,
                                        .position = {0, 0.15, 0},
                                        .orientation = turn_about({0, 0, 1}, t.at("theta")[0]),
                                        .surface = "wood",
                                        .inertia = Vec3{J, J, J}});
  s.add_joint("plane", PlanarJoint{.body = "box", .normal = {0, 0, 1}});
  const double h = 0.001;
  World world = world_of(s, {.step = h,
                             .tolerance = 1e-4,  // contacts within 1e-5 m count, as in the reference
                             .method = Method::anitescu_potra,
                             .stabilisation = Stabilisation::post,
                             .activation = Activation::touching});
  for (std::size_t row = 1, step = 0; row < t.at("t").size(); ++row) {
    for (; double(step) * h < t.at("t")[row] - 1e-9; ++step) {
      const double now = double(step) * h;
      if (now >= 0.5 && now < 0.9) world.input().force(box, {9, 0, 0});
      if (now >= 1 && now < 1.2) world.input().force(box, {-14, 0, 0});
      ASSERT_TRUE(world.step().converged) << now;
    }
    const auto expect = [&](const char* column, double value) {
      EXPECT_NEAR(value, t.at(column)[row], most) << column << " at " << t.at("t")[row] << " s";
    };
    expect("x", world.position(box).x), expect("y", world.position(box).y);
    expect("vx", world.velocity(box).x), expect("vy", world.velocity(box).y);
    expect("omega", world.spin(box).z);
    EXPECT_LE(2 * turn_error(world.orientation(box), {0, 0, 1}, t.at("theta")[row]), most) << t.at("t")[row];
  }
}

}  // namespace
}  // namespace stiction::test
