// Bodies on planar joints: two translations, one rotation.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";
constexpr double h = 0.01, g = 9.81;

TEST(Planar, ABoxSlidesAsItDoesInSpace) {
  const double mu = 0.5, tangent = 1.05 * mu, c = 1 / std::sqrt(1 + tangent * tangent),
               a = g * (tangent - mu) * c;
  const Vec3 normal{c * tangent, 0, c}, down{c, 0, -c * tangent};
  const double angle = std::atan(tangent);
  Scene scene{.gravity = {0, 0, -g}};
  scene.add_surface("felt", {.friction = mu});
  scene.add_body("slope", {.kind = fixed, .shape = HalfSpace{normal}, .surface = "felt"});
  const BodyId box = scene.add_body("box", {.shape = Box{{0.2, 0.2, 0.2}},
                                            .mass = 1,
                                            .position = 0.1 * normal,
                                            .orientation = {std::cos(angle / 2), 0, std::sin(angle / 2), 0},
                                            .surface = "felt"});
  scene.add_joint("plane", PlanarJoint{.body = "box"});
  World world = world_of(scene, {.step = h});
  const Vec3 start = world.position(box);
  run(world, 200);
  const double exact = h * h * a * 200 * 201 / 2;
  EXPECT_NEAR(dot(world.position(box) - start, down), exact, 1e-6 * exact);  // as the box in space
}

// The rod never leaves its plane, turns about its normal only, and ends lying on the floor.
TEST(Planar, AFallingRodStaysInItsPlaneAndComesToLie) {
  World world = world_of_file(scenes + "planar_rod.json");
  const BodyId rod = world.body("rod");
  run(world, 300, [&](const World& w, const StepReport& r) {
    EXPECT_TRUE(r.converged) << w.time() << ": " << r.explain();
    ASSERT_EQ(w.position(rod).y, 0.0);
    ASSERT_EQ(w.velocity(rod).y, 0.0);
    ASSERT_EQ(w.spin(rod).x, 0.0);
    ASSERT_EQ(w.spin(rod).z, 0.0);
  });
  EXPECT_NEAR(world.position(rod).z, 0.02, 1e-8);  // [m] its radius; tolerance 1e-8 times its size of 1 m
  EXPECT_NEAR(std::fabs(rotate(world.orientation(rod), {0, 0, 1}).z), 0, 1e-7);
  EXPECT_LT(norm(world.velocity(rod)), 1e-9);
}

// A bar and a ball turn freely in a plane whose normal is a unit vector but for a rounding: their spins stay
// as they are, to the last bit, and the books do not drift.
TEST(Planar, SpinsOfSmoothMethodsDoNotDrift) {
  const Vec3 normal{0.60, 0.57, 0}, spin{6.0, 5.7, 0};
  for (const Method method :
       {Method::explicit_euler, Method::semi_implicit_euler, Method::implicit_euler, Method::velocity_verlet,
        Method::rk4, Method::variational, Method::spook, Method::cline_pai, Method::rk4_projected}) {
    Scene s;
    const BodyId bar =
        s.add_body("bar", {.shape = Box{{0.2, 0.1, 0.1}}, .mass = 1e-3, .spin = spin, .group = "both"});
    const BodyId ball = s.add_body(
        "ball", {.shape = Sphere{0.1}, .mass = 1e3, .position = {9, 0, 0}, .spin = spin, .group = "both"});
    for (const char* body : {"bar", "ball"})
      s.add_joint(std::string("of_") + body, PlanarJoint{body, normal});
    World world = world_of(s, {.step = 0.001, .method = method});
    double worst = 0;
    run(world, 20000, [&](const World& w, const StepReport&) {
      worst = std::fmax(worst, w.ledger().relative_imbalance());
    });
    for (const BodyId body : {bar, ball}) EXPECT_EQ(norm(world.spin(body) - spin), 0) << word_of(method);
    EXPECT_LT(worst, 1e-15) << word_of(method);  // 4e-15 where roundings add up
  }
}

// In the step of the impact the equations of the method hold: M (v+ - v_free) = impulse and its moment with
// the arm of the end of the step, the gap at the end is zero, and without friction the impulse is vertical.
TEST(Planar, TheImpactOfARodSolvesTheEquationsOfTheStep) {
  // Gaps converge quadratically from pass to pass, arms one pass later: measured 1.4e-7 [N m s].
  constexpr double lag = 1e-6;
  World world = world_of_file(scenes + "planar_rod.json", {{"$mu", "0"}});
  const BodyId rod = world.body("rod");
  const double mass = 1, inertia = world.model().inertia[std::size_t(rod.index)].y;
  int impacts = 0;
  for (int i = 0; i < 60 && impacts == 0; ++i) {
    const Vec3 v = world.velocity(rod);
    const double w = world.spin(rod).y;
    ASSERT_TRUE(world.step().converged);
    Vec3 impulse;
    double moment = 0;
    for (const Contact& c : world.contacts(rod)) {
      const double sign = c.b == rod ? 1 : -1;
      impulse += sign * c.impulse;
      moment += cross(c.point - world.position(rod), sign * c.impulse).y;
      if (c.impulse == Vec3{}) continue;
      ++impacts;
      EXPECT_NEAR(c.gap, 0, 1e-8);  // [m] tolerance times 1 m
      EXPECT_NEAR(c.impulse.x, 0, 1e-12);
    }
    EXPECT_NEAR(mass * (world.velocity(rod).z - v.z + h * g), impulse.z,
                1e-7);  // the fixed point's tolerance
    EXPECT_NEAR(inertia * (world.spin(rod).y - w), moment, lag);
    EXPECT_EQ(world.velocity(rod).x, v.x);
  }
  EXPECT_EQ(impacts, 1);
}

TEST(Planar, AJointTiltedInSpaceHoldsItsPlane) {
  const Vec3 normal = normalized(Vec3{1, 2, -0.5});
  Scene scene{.gravity = {0, 0, -g}};
  const BodyId body =
      scene.add_body("body", {.shape = Box{{0.2, 0.3, 0.4}}, .mass = 1, .position = {1, 1, 1}});
  scene.add_joint("plane", PlanarJoint{.body = "body", .normal = 3 * normal});
  scene.add_force("twist", Wrench{.body = "body", .force = {{0, 0, 0}}, .torque = {{0.1, 0.2, 0.3}}});
  World world = world_of(scene, {.step = h});
  const Vec3 a = Vec3{0, 0, -g} - dot(normal, Vec3{0, 0, -g}) * normal;  // gravity in the plane
  run(world, 100);
  EXPECT_LT(norm(world.velocity(body) - 100 * h * a), 1e-12);
  EXPECT_NEAR(dot(normal, world.position(body) - Vec3{1, 1, 1}), 0, 1e-13);
  EXPECT_LT(norm(cross(world.spin(body), normal)), 1e-13);
  EXPECT_GT(std::fabs(dot(world.spin(body), normal)), 1);
}

}  // namespace
}  // namespace stiction::test
