// Bodies that touch nothing: free fall and free rotation.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/recompute.h"
#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";

// Semi-implicit Euler: x_n = x0 + n h v0 + h^2 g n (n + 1) / 2.
TEST(FreeMotion, AThrownBodyFollowsTheDiscreteParabola) {
  const double h = 0.01;
  const Vec3 g{0.3, -0.2, -9.81}, v0{3, -1, 8}, x0{1, 2, 3};
  Scene scene{.gravity = g};
  const BodyId body =
      scene.add_body("body", {.shape = Box{{0.3, 0.2, 0.1}}, .mass = 2, .position = x0, .velocity = v0});
  World world = world_of(scene, {.step = h});
  run(world, 300);
  const double n = 300;
  const Vec3 exact = x0 + n * h * v0 + (h * h * n * (n + 1) / 2) * g;
  EXPECT_LT(norm(world.position(body) - exact),
            1e-12);  // [m] 300 roundings of numbers up to 50: 300 * 50 * 1e-16
  EXPECT_LT(norm(world.velocity(body) - (v0 + n * h * g)), 1e-12);
  EXPECT_EQ(world.orientation(body), Quat{});
}

TEST(FreeMotion, ParticlesFallLikeBodies) {
  Scene scene{.gravity = {0, 0, -9.81}};
  const BodyId a =
      scene.add_body("a", {.mass = 1, .position = {0, 0, 5}, .velocity = {1, 0, 0}, .particle = true});
  const BodyId b =
      scene.add_body("b", {.shape = Sphere{0.1}, .mass = 7, .position = {0, 3, 5}, .velocity = {1, 0, 0}});
  World world = world_of(scene);
  run(world, 80);
  EXPECT_EQ(world.velocity(a), world.velocity(b));
  EXPECT_EQ(world.position(a).z, world.position(b).z);
  EXPECT_EQ(world.spin(a), Vec3{});
}

// The implicit midpoint rule keeps energy and angular momentum exactly; what is left is round-off, 1000 steps
// of some 1e-16, which walks randomly: bound 1e-12, measured 7e-14.
TEST(FreeMotion, ATumblingBoxKeepsEnergyAndAngularMomentum) {
  World world = world_of_file(scenes + "tumbling.json");
  const BodyId box = world.body("box");
  const Recomputed start = recompute(world.model(), world.state());
  double energy = 0, turning = 0;
  int flips = 0;
  double side = 1;
  run(world, 1000, [&](const World& w, const StepReport&) {
    const Recomputed now = recompute(w.model(), w.state());
    energy = std::fmax(energy, std::fabs(now.kinetic - start.kinetic) / start.kinetic);
    turning = std::fmax(turning,
                        norm(now.angular_momentum - start.angular_momentum) / norm(start.angular_momentum));
    const double spin = rotate_back(w.orientation(box), w.spin(box)).y;  // about the middle axis, which flips
    if (spin * side < -3) side = -side, ++flips;
  });
  EXPECT_LT(energy, 1e-12);
  EXPECT_LT(turning, 1e-12);
  EXPECT_GE(flips, 2);  // it did tumble
}

// Free precession of a body with I_x = I_y: spin and axis circle about L with |L| / I_x. Midpoint is of order
// 2: the error of the angle falls by four when the step is halved.
TEST(FreeMotion, ASymmetricTopPrecessesAtItsRate) {
  const Vec3 inertia{1, 1, 1.6}, spin{0.5, 0, 2};
  const double until = 2, rate = norm(times(inertia, spin)) / inertia.x;
  const Vec3 L = times(inertia, spin), about = normalized(L);
  // the axis (0, 0, 1), turned about L by the angle rate * until (Rodrigues)
  const double angle = rate * until;
  const Vec3 z{0, 0, 1}, along = dot(about, z) * about, across = z - along;
  const Vec3 exact = along + std::cos(angle) * across + std::sin(angle) * cross(about, across);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const double h = 0.01 / (1 << k);
    Scene scene;
    const BodyId top = scene.add_body("top", {.mass = 1, .spin = spin, .inertia = inertia});
    World world = world_of(scene, {.step = h});
    run(world, steps_to(until, h));
    error[k] = norm(rotate(world.orientation(top), z) - exact);
  }
  EXPECT_LT(error[0], 1e-3);  // (h w)^2 / 12 relative, times 4.8 rad: 2e-4
  EXPECT_NEAR(error[0] / error[1], 4, 0.1);
}

}  // namespace
}  // namespace stiction::test
