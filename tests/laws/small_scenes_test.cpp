// Small scenes that nobody arranged, many of them: 2 to 10 bodies of every shape, masses that differ by up to
// 1000, half of them with joints (of one kind), dropped onto a floor. Every step is to meet its tolerance,
// books are to close, contacts are to give no energy, and two threads are to give the same bits as one. A
// step that misses leaves its contact problem in a file, which `stiction solve` reads.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "stiction/complementarity/friction/from_graph.h"
#include "stiction/geometry/hull.h"
#include "stiction/record/fclib.h"
#include "support/laws.h"
#include "support/random.h"
#include "support/run.h"

namespace stiction::test {
namespace {

constexpr int steps = 60;      // of 0.01 s: they fall by 0.3 m in 25
constexpr double cell = 0.45;  // [m] of the grid that they start on: no two of them overlap

Polyhedron random_hull(Random& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) points.push_back(random.vector(0.1));
  return convex_hull(points).or_exit();
}

Shape random_shape(Random& random) {
  const double a = random.between(0.04, 0.12), b = random.between(0.04, 0.12), c = random.between(0.04, 0.12);
  switch (random.below(11)) {
    case 0:
      return Sphere{a};
    case 1:
      return Box{{2 * a, 2 * b, 2 * c}};
    case 2:
      return Capsule{0.5 * a, b};
    case 3:
      return ConvexShape(Cylinder{a, 2 * b});
    case 4:
      return ConvexShape(Cone{a, 2 * b});
    case 5:
      return ConvexShape(Ellipsoid{{a, b, c}});
    case 6:
      return ConvexShape(Superellipsoid{{a, b, c}, random.between(2, 8), random.between(2, 8)});
    case 7:
      return ConvexShape(random_hull(random));
    case 8:
      return ConvexShape(Box{{a, b, c}}, 0.02);
    case 9:
      return CompoundShape({{Box{{2 * a, b, b}}, {}, {}}, {Sphere{c}, {a, 0, b}, {}}});
    default:  // a dome
      return ConvexShape(intersection({HalfSpace{{0, 0, 1}, 0.3 * a}, ball_face({}, a)}).or_exit());
  }
}

/// Where body i starts: grid of 2 x 2 columns.
Vec3 place(int i) {
  const int column = i % 4, layer = i / 4;
  return {cell * (column % 2), column < 2 ? 0 : cell, 0.35 + cell * layer};
}

enum class Joints : unsigned char { none, coordinates, constraints };

JointDescription random_joint(Random& random, Joints joints, const std::string& body,
                              const std::string& parent, const Vec3& at) {
  using constraints::Kind;
  using tree::JointKind;
  const Vec3 axis = normalized(random.vector(1) + Vec3{0, 0, 1.8});
  if (joints == Joints::coordinates) {
    const JointKind kinds[] = {JointKind::revolute, JointKind::spherical, JointKind::universal,
                               JointKind::prismatic, JointKind::cylindrical};
    return CoordinateJoint{
        .kind = kinds[random.below(5)], .body = body, .parent = parent, .at = at, .axis = axis};
  }
  const Kind kinds[] = {Kind::ball, Kind::hinge, Kind::universal, Kind::distance, Kind::lock};
  ConstraintJoint joint{
      .kind = kinds[random.below(5)], .body = body, .parent = parent, .at = at, .axis = axis};
  if (joint.kind == Kind::hinge && random.below(2) == 0) joint.limits = {.lower = {-0.4}, .upper = {0.4}};
  if (joint.kind == Kind::distance) joint.parent_at = at - Vec3{0.05, 0, 0.05};
  return joint;
}

Scene random_scene(Random& random, Joints joints) {
  Scene s{.gravity = {random.between(-2, 2), random.between(-2, 2), -9.81}};
  s.add_surface("rough", {.friction = random.between(0.2, 1)});
  s.add_surface("smooth", {.friction = random.below(3) == 0 ? 0 : random.between(0, 0.4)});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "rough"});
  const int bodies = 2 + random.below(9);
  const bool joined = joints != Joints::none;
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "body." + std::to_string(i);
    s.add_body(name, {.shape = random_shape(random),
                      .mass = 0.1 * std::exp(random.between(0, std::log(1000.0))),
                      .position = place(i) + random.vector(0.02),
                      .orientation = random.rotation(),
                      .velocity = joined ? Vec3{} : random.vector(1),
                      .spin = joined ? Vec3{} : random.vector(5),
                      .surface = random.below(2) == 0 ? "rough" : "smooth"});
    if (joined && i > 0 && random.below(3) > 0)
      s.add_joint("joint." + std::to_string(i),
                  random_joint(random, joints, name, "body." + std::to_string(i - 1),
                               0.5 * (place(i) + place(i - 1))));
  }
  return s;
}

/// The problem of the last step as a file; where it is, in words.
std::string kept_problem(const World& world, std::uint64_t seed) {
  const auto local = complementarity::local_form(world.last_problem());
  if (!local) return "no file: rows of joints";
  FclibFile file;
  file.title = "small scene " + std::to_string(seed) + ", step " + std::to_string(world.state().step_count);
  file.problem = *local;
  const std::string path = testing::TempDir() + "small-scene-" + std::to_string(seed) + "-" +
                           std::to_string(world.state().step_count) + ".h5";
  return write_fclib(path, file) ? path : "no file: it could not be written";
}

/// The bits of the scene's end with some threads.
StateHash end_of(const Scene& scene, Method method, int threads) {
  World world = world_of(scene, {.threads = threads, .method = method});
  run(world, steps);
  return world.hash();
}

/// [-] of the kinetic energy, in a whole run: what turns of uneven bodies make while contacts act on them
/// (tests/laws/energy_watch_test.cpp), and steps that missed by energy; 0.02 at most in 1500 scenes before
/// trees kept theirs.
constexpr double most_rise = 0.05;
/// [-] the same under implicit_geometry, whose trees may gain on the way in the shortest parts too: 0.17 in
/// seed 1090. More would be a motion that runs away.
constexpr double most_rise_at_end = 0.25;

/// [-] Steps of a scene that may miss what contacts may add (1e-6 of the energy of the run): stabilisation
/// that lifts a light link even in the shortest parts. Seed 1050 has three, 2825 one.
int most_by_energy(Joints joints) { return joints == Joints::coordinates ? 3 : 0; }

/// Laws of one scene; [-] how many of its steps missed their tolerance otherwise. Contacts and limits of
/// joints give no energy: v+'M v+ <= v_free'M v_free in every step, M being that of the step in the
/// coordinates that joints leave. With joints friction is not looked at: slips of links are not those that
/// the certificate sees.
int missed_steps(Joints joints, std::uint64_t seed, Method method = Method::coulomb) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  const Scene scene = random_scene(random, joints);
  const RunSettings settings{.method = method};
  World world = world_of(scene, settings);
  Worst worst(world);
  int by_energy = 0;
  double fastest = 0;  // [J] the most kinetic energy
  run(world, steps, [&](const World& w, const StepReport& r) {
    worst.look(w, r);
    fastest = std::fmax(fastest, w.ledger().now().kinetic);
    by_energy += std::string(r.reason).starts_with("energy that");
    if (!r.converged)
      std::printf("seed %d, step %d: %s; %s\n", int(seed), int(w.state().step_count), r.explain().c_str(),
                  kept_problem(w, seed).c_str());
  });
  if (joints == Joints::none) {
    worst.expect_lawful(settings.tolerance);
  } else {
    worst.expect_books();
    if (method == Method::coulomb) {
      EXPECT_LE(worst.gain, contact_gain);
    }
  }
  EXPECT_LT(worst.rise, (method == Method::coulomb ? most_rise : most_rise_at_end) * fastest);
  EXPECT_EQ(world.hash(), end_of(scene, method, 2));
  EXPECT_LE(by_energy, most_by_energy(joints));
  return worst.unconverged - by_energy;
}

constexpr int batch = 20;  // scenes of a test

int missed_in_batch(Joints joints, int number, Method method = Method::coulomb) {
  int missed = 0;
  for (int i = 0; i < batch; ++i)
    missed += missed_steps(joints, std::uint64_t(1000 + batch * number + i), method);
  return missed;
}

class SmallScenes : public testing::TestWithParam<int> {};
class SmallScenesWithJoints : public testing::TestWithParam<int> {};

TEST_P(SmallScenes, ObeyTheLaws) { EXPECT_EQ(missed_in_batch(Joints::none, GetParam()), 0); }
TEST_P(SmallScenesWithJoints, ObeyTheLawsWithCoordinates) {
  EXPECT_EQ(missed_in_batch(Joints::coordinates, GetParam()), 0);
}
TEST_P(SmallScenesWithJoints, ObeyTheLawsWithConstraints) {
  EXPECT_EQ(missed_in_batch(Joints::constraints, GetParam()), 0);
}

// The method implicit_geometry promises the geometry of the end of the step and counts what does not settle:
// smooth bodies that are all but flat and rock between others or at the ends of joints. 1002, which has no
// joint, misses 10 of its 60 steps, 1058 (0.3 kg between 21 and 67 kg, joined by constraints) 17 of them.
// Books close all the same; that contacts give no energy is not asked of it.
class SmallScenesAtTheEnd : public testing::TestWithParam<int> {};
constexpr double may_miss = 0.02;  // [-] of the steps of a batch: about one such scene in 20

TEST_P(SmallScenesAtTheEnd, CountWhatMissesWithCoordinates) {
  EXPECT_LE(missed_in_batch(Joints::coordinates, GetParam(), Method::implicit_geometry),
            may_miss * batch * steps);
}
TEST_P(SmallScenesAtTheEnd, CountWhatMissesWithConstraints) {
  EXPECT_LE(missed_in_batch(Joints::constraints, GetParam(), Method::implicit_geometry),
            may_miss * batch * steps);
}

// Scenes that missed their tolerance once. 1011, 1124: edges that cross beside faces, at one of two places;
// 1194: a fixed point of a rim that pressed beside the lowest one; 1547, 2411: the lowest point of a rounded
// body that is all but flat; the others are kin of these. 1113, 2657, 2825, 2974, 3212: light links that
// trees fling about near to where universal joints lock gained energy, up to a million times what fell; 3401:
// a light body between heavy ones creeps by as much as its inverse mass makes of the tolerance; 2035, 5393:
// gaps that could not all be closed flung a body half a metre up; 1472, 2524, 2931:
// lines that close with the root of their gap; 2838: a link that left what it touched while its tree still
// moved by stages was judged by its last joint velocities at another pose; the active set asked otherwise.
struct Finding {
  Joints joints;
  std::uint64_t seed;
};
TEST(SmallScenesKept, MissNoMore) {
  for (const auto& [joints, seed] : {Finding{Joints::none, 1187},        Finding{Joints::coordinates, 1011},
                                     Finding{Joints::coordinates, 1124}, Finding{Joints::coordinates, 1194},
                                     Finding{Joints::coordinates, 1472}, Finding{Joints::coordinates, 2524},
                                     Finding{Joints::coordinates, 2931}, Finding{Joints::coordinates, 2838},
                                     Finding{Joints::coordinates, 2314}, Finding{Joints::none, 3401},
                                     Finding{Joints::none, 5393},        Finding{Joints::coordinates, 1113},
                                     Finding{Joints::coordinates, 2657}, Finding{Joints::coordinates, 2825},
                                     Finding{Joints::coordinates, 2974}, Finding{Joints::coordinates, 3212},
                                     Finding{Joints::constraints, 1323}, Finding{Joints::constraints, 2035},
                                     Finding{Joints::constraints, 1440}, Finding{Joints::constraints, 1547},
                                     Finding{Joints::constraints, 1661}, Finding{Joints::constraints, 2166},
                                     Finding{Joints::constraints, 2411}, Finding{Joints::none, 1650}})
    EXPECT_EQ(missed_steps(joints, seed), 0);
}

// Small: 320 scenes and those kept, about a minute of one core; full: 10,000, about an hour with two threads
// each.
INSTANTIATE_TEST_SUITE_P(Seeds, SmallScenes, testing::Range(0, at_size(10, 250)));
INSTANTIATE_TEST_SUITE_P(Seeds, SmallScenesWithJoints, testing::Range(0, at_size(3, 125)));
INSTANTIATE_TEST_SUITE_P(Seeds, SmallScenesAtTheEnd, testing::Range(0, at_size(3, 5)));

}  // namespace
}  // namespace stiction::test
