// The largest stable step: against the methods themselves, which are run a little below it and a little
// above.
#include "stiction/step/stability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "stiction/step/smooth.h"
#include "support/random.h"
#include "support/size.h"

namespace stiction::step {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// [m] how far a mass on a spring and damper gets from rest in n steps of the method itself.
double swing(Method method, double k, double c, double h, int steps) {
  Scene s;
  s.add_body("mass", {.mass = 1, .position = {2, 0, 0}, .velocity = {0.01, 0, 0}, .particle = true});
  s.add_force("spring", SpringDamper{.b = "mass", .stiffness = k, .damping = c, .rest_length = 2});
  const Model m = compile(s).or_exit();
  State x = initial_state(m, h);
  Workspace w;
  double far = 0;
  for (int i = 0; i < steps; ++i) {
    if (take_step(method, m, {.h = h}, {}, x, w).status == StepReport::Status::refused) return infinite;
    if (i > steps / 2) far = std::fmax(far, std::fabs(x.position[0].x - 2));
    if (far > 1) return far;  // so far that it no longer is an oscillator
  }
  return far;
}

TEST(StableStep, IsWhereTheMethodBlowsUp) {
  for (const Method method : {Method::coulomb, Method::explicit_euler, Method::semi_implicit_euler,
                              Method::velocity_verlet, Method::rk4, Method::variational})
    for (const auto& [k, c] : {std::pair{100.0, 0.0}, {100.0, 3.0}, {100.0, 25.0}, {1.0, 40.0}, {0.0, 7.0}}) {
      const double limit = stable_step(method, k, c);
      if (method == Method::explicit_euler && c == 0) {
        EXPECT_EQ(limit, 0);
        continue;
      }
      ASSERT_TRUE(limit > 0 && limit < 10) << int(method) << " " << k << " " << c;
      EXPECT_LT(swing(method, k, c, 0.98 * limit, 2000), 0.1) << int(method) << " " << k << " " << c;
      EXPECT_GT(swing(method, k, c, 1.02 * limit, 20000), 1) << int(method) << " " << k << " " << c;
    }
}

TEST(StableStep, KnownValues) {
  EXPECT_NEAR(stable_step(Method::semi_implicit_euler, 100, 0), 0.2, 1e-15);
  EXPECT_NEAR(stable_step(Method::coulomb, 0, 5), 0.4, 1e-15);
  EXPECT_NEAR(stable_step(Method::velocity_verlet, 100, 0), 0.2, 1e-5);
  EXPECT_NEAR(stable_step(Method::rk4, 100, 0), 0.1 * std::sqrt(8.0), 1e-6);
  EXPECT_NEAR(stable_step(Method::rk4_projected, 100, 0), 0.1 * std::sqrt(8.0), 1e-6);
  EXPECT_EQ(stable_step(Method::implicit_euler, 1e9, 1e9), infinite);
  EXPECT_EQ(stable_step(Method::rk4, 0, 0), infinite);
}

TEST(StepWarnings, NameTheSpring) {
  Scene s;
  s.add_body("cart", {.mass = 4, .position = {0, 0, 1}, .particle = true});
  s.add_body("wheel", {.shape = Sphere{0.5}, .mass = 1, .collides = false});
  s.add_force("suspension", SpringDamper{.a = "wheel", .b = "cart", .stiffness = 200000, .rest_length = 1});
  s.add_force("soft", SpringDamper{.b = "cart", .stiffness = 10});
  s.add_force("axle", TorsionSpring{.b = "wheel", .stiffness = 1000});
  const Model m = compile(s).or_exit();
  const State x = initial_state(m, 0.01);
  // 2/sqrt(k (1 + 1/4)) = 0.004, with the soft spring's share of 0.2 %; inertia 0.1: 2/sqrt(1e4) = 0.02
  EXPECT_EQ(step_warnings(m, x, Method::coulomb, 0.01),
            (std::vector<std::string>{"step 0.01 s, stable below 0.004 s for spring 'suspension'"}));
  EXPECT_EQ(step_warnings(m, x, Method::coulomb, 0.03)[1],
            "step 0.03 s, stable below 0.02 s for torsion spring 'axle'");
  EXPECT_TRUE(step_warnings(m, x, Method::coulomb, 0.0039).empty());
  EXPECT_TRUE(step_warnings(m, x, Method::implicit_euler, 1).empty());
  EXPECT_EQ(step_warnings(m, x, Method::explicit_euler, 1e-6).size(), 3u);
  EXPECT_EQ(step_warnings(m, x, Method::explicit_euler, 1e-6)[0],
            "step 1e-06 s, but explicit_euler is stable at no step for the undamped spring 'suspension'");
}

// A chain of n equal springs and masses: w = 2 sqrt(k/m) cos(pi/(2 n + 2)), near the bound 2 sqrt(k/m).
TEST(StepWarnings, ChainsAreStifferThanTheirSprings) {
  Scene s;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "bead." + std::to_string(i);
    s.add_body(name, {.mass = 1, .position = {double(i + 1), 0, 0}, .particle = true});
    s.add_force("link." + std::to_string(i), SpringDamper{.a = i > 0 ? "bead." + std::to_string(i - 1) : "",
                                                          .b = name,
                                                          .stiffness = 100,
                                                          .rest_length = 1});
  }
  const Model m = compile(s).or_exit();
  const State x = initial_state(m, 0.01);
  EXPECT_TRUE(step_warnings(m, x, Method::coulomb, 0.0999).empty());
  const auto found = step_warnings(m, x, Method::coulomb, 0.1001);
  ASSERT_EQ(found.size(), 9u);
  EXPECT_EQ(found.back(), "... and for 10 more springs");  // the ends have one neighbour only
}

/// A body at the origin with springs of random stiffness: along z; one along x and the others along z; or to
/// points all around from points off its centre.
enum class Hub { parallel, across, around };
Scene hub(int springs, Hub kind, std::uint64_t seed) {
  test::Random random(seed);
  Scene s;
  s.add_body("hub", {.shape = Box{{0.3, 0.4, 0.5}}, .mass = 3, .collides = false});
  for (int i = 0; i < springs; ++i) {
    const Vec3 point = kind == Hub::around ? random.vector(0.2) : Vec3{};
    const Vec3 axis = kind == Hub::across && i == 0 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    s.add_force(
        "spring." + std::to_string(i),
        SpringDamper{.b = "hub",
                     .point_a = point + 5.0 * (kind == Hub::around ? rotate(random.rotation(), axis) : axis),
                     .point_b = point,
                     .stiffness = random.between(50, 150),
                     .damping = random.between(0, 1),
                     .rest_length = 5});
  }
  return s;
}

// Many springs on one body: the sums over pairs are bounded, not made. Against the sums themselves (here,
// with k^1/2 W k^1/2 from the point's place and direction): exact side by side, else never too bold and
// nearly the same.
TEST(StepWarnings, CrowdsOfSprings) {
  for (const Hub kind : {Hub::parallel, Hub::across, Hub::around}) {
    const int n = 300;
    const Scene s = hub(n, kind, 7);
    const Model m = compile(s).or_exit();
    const State x = initial_state(m, 0.01);
    std::vector<StepLimit> found = unstable_springs(m, x, Method::semi_implicit_euler, 1e9);
    ASSERT_EQ(found.size(), std::size_t(n));
    const Vec3& inertia = m.inertia[0];
    const auto row = [&](int i, Vec3& e, Vec3& arm) {
      const ModelSpring& spring = m.springs[std::size_t(i)];
      e = normalized(spring.point_b - spring.point_a), arm = cross(spring.point_b, e);
    };
    double most = 0, least = 1;
    for (int i = 0; i < n; ++i) {
      double frequency2 = 0, damping = 0;
      Vec3 e, arm, e2, arm2;
      row(i, e, arm);
      for (int k = 0; k < n; ++k) {
        row(k, e2, arm2);
        const double w = std::fabs(dot(e, e2) / m.mass[0] +
                                   dot(arm, {arm2.x / inertia.x, arm2.y / inertia.y, arm2.z / inertia.z}));
        const ModelSpring &a = m.springs[std::size_t(i)], &b = m.springs[std::size_t(k)];
        frequency2 += std::sqrt(a.stiffness * b.stiffness) * w,
            damping += std::sqrt(a.damping * b.damping) * w;
      }
      const double exact = stable_step(Method::semi_implicit_euler, frequency2, damping);
      const auto at = std::find_if(found.begin(), found.end(), [&](const StepLimit& l) {
        return l.force == "spring." + std::to_string(i);
      });
      ASSERT_NE(at, found.end());
      most = std::fmax(most, at->limit / exact), least = std::fmin(least, at->limit / exact);
    }
    EXPECT_LT(most, 1 + 1e-12);
    EXPECT_GT(least, kind == Hub::around ? 0.9 : 1 - 1e-12);
  }
}

// 100,000 springs on one body: 10^10 pairs would take minutes.
TEST(StepWarnings, TakeTimeInProportion) {
  const Model m = compile(hub(100000, Hub::parallel, 1)).or_exit();
  const State x = initial_state(m, 0.01);
  const std::clock_t start = std::clock();
  const std::vector<std::string> found = step_warnings(m, x, Method::coulomb, 0.01);
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 5);
  EXPECT_EQ(found.back(), "... and for 99992 more springs");
}

TEST(Stability, SpringsOfJointsAgainstTheStepItself) {
  // a hinge through the centre of mass: x'' = -k/I x, stable below 2/w near contacts; where none is near, the
  // step is split until the energy of each stretch holds
  const double k = 400;
  Scene s;
  s.add_body("wheel", {.shape = Box{{1, 1, 1}}, .mass = 6});  // I = 1 kg m^2
  s.add_joint("spring hinge", CoordinateJoint{.kind = tree::JointKind::revolute,
                                              .body = "wheel",
                                              .position = {0.01},
                                              .stiffness = {k},
                                              .damping = {0.5}});
  s.joints[0].name = "hinge";
  const Model m = compile(s).or_exit();
  const auto swing_at = [&](double h) {
    State x = initial_state(m, h);
    Workspace w;
    double far = 0;
    const int steps = test::under_sanitizer ? 400 : 2000;
    for (int i = 0; i < steps && far < 100; ++i) {
      take_step(Method::coulomb, m, {.h = h}, {}, x, w);
      if (i > steps / 2) far = std::fmax(far, std::fabs(x.joint_position[0]));
    }
    return far;
  };
  const double limit = 2 / std::sqrt(k);
  EXPECT_LT(swing_at(0.99 * limit), 0.01);
  EXPECT_LT(swing_at(1.1 * std::sqrt(2.0) * limit), 0.01);
  const State x = initial_state(m, 0.01);
  EXPECT_TRUE(step_warnings(m, x, Method::coulomb, 0.99 * limit).empty());
  EXPECT_EQ(step_warnings(m, x, Method::coulomb, 0.2),
            std::vector<std::string>{"step 0.2 s, stable below 0.1 s for the spring of joint 'hinge'"});
}

TEST(Stability, DampersOfJointsInMethodsForSmoothMotion) {
  Scene s;
  s.add_body("wheel", {.shape = Box{{1, 1, 1}}, .mass = 6});  // I = 1 kg m^2
  s.add_joint(
      "hinge",
      CoordinateJoint{.kind = tree::JointKind::revolute, .body = "wheel", .velocity = {1}, .damping = {50}});
  const Model m = compile(s).or_exit();
  const State start = initial_state(m, 0.01);
  for (const Method method : {Method::explicit_euler, Method::semi_implicit_euler, Method::rk4}) {
    const double limit = (method == Method::rk4 ? 2.785293563405282 : 2) / 50;  // real axis of the method
    for (const double part : {0.99, 1.01}) {
      State x = start;
      Workspace w;
      for (int i = 0; i < 2000; ++i) take_step(method, m, {.h = part * limit}, {}, x, w);
      EXPECT_EQ(std::fabs(x.joint_velocity[0]) < 1, part < 1);
      EXPECT_EQ(unstable_springs(m, start, method, part * limit).empty(), part < 1) << part;
    }
  }
  EXPECT_TRUE(unstable_springs(m, start, Method::coulomb, 10).empty());
}

}  // namespace
}  // namespace stiction::step
