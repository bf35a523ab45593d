// Trees under every method that moves them: the books close with each cause at its stages, errors fall with
// the order of the method, works of motors and of gravity are those of the way.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/laws.h"
#include "support/run.h"
#include "support/tree_scenes.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;  // [m/s^2]

std::vector<std::string> tree_methods() {
  std::vector<std::string> out;
  for (const std::string& word : words_of<Method>())
    if (word != "implicit_euler") out.push_back(word);
  return out;
}
double order_of(const std::string& method) {
  if (method.starts_with("rk4") || traits_of(method_of(method)).handles_contact())
    return 4;  // without contacts they share it
  return method == "velocity_verlet" || method == "variational" ? 2 : 1;
}

class TreeMethods : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, TreeMethods, testing::ValuesIn(tree_methods()),
                         [](const auto& m) { return m.param; });

/// A rod that hangs from the world by a hinge about y, and stands away from the vertical by `angle`.
Scene hinged(double angle, double damping = 0) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("rod", {.shape = Capsule{0.02, 1}, .mass = 2, .position = {0, 0, -0.5}});
  s.add_joint("hinge", CoordinateJoint{.kind = tree::JointKind::revolute,
                                       .body = "rod",
                                       .at = Vec3{},
                                       .axis = {0, 1, 0},
                                       .position = {angle},
                                       .damping = {damping}});
  return s;
}

TEST_P(TreeMethods, CloseTheBooksOfRandomTrees) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    World world =
        world_of(random_tree(seed, 8, seed % 2 == 0), {.step = 1e-3, .method = method_of(GetParam())});
    const BodyId body = world.body("b2");
    JointId joint;
    for (int i = 1; i < 8 && !joint; ++i)
      if (joint = world.joint("j" + std::to_string(i)); joint && world.joint_velocity(joint).empty())
        joint = {};
    ASSERT_TRUE(joint);
    Worst worst(world);
    for (int i = 0; i < 300; ++i) {
      if (i % 3 == 0) world.input().force(body, {1, 2, -1}), world.input().torque(joint, 0.3);
      const StepReport r = world.step();
      ASSERT_EQ(r.status, StepReport::Status::converged) << r.explain();
      worst.look(world, r);
    }
    worst.expect_lawful(1e-8);
    for (const Cause c : {Cause::gravity, Cause::spring, Cause::damping, Cause::drag, Cause::wrench,
                          Cause::input, Cause::numerics})
      EXPECT_NE(world.ledger().booked(c), 0) << name(c);
    EXPECT_LT(world.ledger().booked(Cause::damping), 0);
  }
}

// Motion and works against Runge-Kutta at a sixteenth of the step. Forces on links are held over a step of
// the default method, which would cost its order: joints only.
TEST_P(TreeMethods, HaveTheirOrder) {
  const auto end = [](double h, const std::string& method) {
    Scene s = hinged(2, 0.3);
    s.add_body("arm", {.shape = Box{{0.3, 0.4, 0.5}}, .mass = 1, .position = {0, 0, -1.25}});
    s.add_joint("elbow", CoordinateJoint{.kind = tree::JointKind::spherical,
                                         .body = "arm",
                                         .parent = "rod",
                                         .at = Vec3{0, 0, -1},
                                         .velocity = {1, 0.5, 2},
                                         .stiffness = {5},
                                         .damping = {0.1}});
    World world = world_of(s, {.step = h, .method = method_of(method)});
    run(world, steps_to(0.48, h));
    const Ledger& l = world.ledger();
    return std::array<double, 6>{world.state().position[1].x, world.state().velocity[1].y,
                                 l.booked(Cause::gravity),    l.booked(Cause::spring),
                                 l.booked(Cause::damping),    l.booked(Cause::numerics)};
  };
  // so short for the default method that no step is split for its energy
  const double h = traits_of(method_of(GetParam())).handles_contact() ? 1e-3
                   : order_of(GetParam()) == 4                        ? 2e-3
                                                                      : 5e-4;
  const auto exact = end(h / 16, "rk4"), coarse = end(h, GetParam()), fine = end(h / 2, GetParam());
  for (std::size_t k = 0; k < exact.size(); ++k)
    if (GetParam() == "event_driven")  // as exact as the reference, whatever h is
      EXPECT_NEAR(coarse[k], exact[k], 1e-8) << k;
    else
      EXPECT_NEAR(std::log2((coarse[k] - exact[k]) / (fine[k] - exact[k])), order_of(GetParam()),
                  0.1 * order_of(GetParam()))
          << k;
}

// m g l sin(a) at the hinge holds a rod at the angle a.
TEST_P(TreeMethods, AMotorHoldsARod) {
  const double angle = 1, torque = 2 * g * 0.5 * std::sin(angle);
  for (const double damping : {0.0, 1e4}) {  // the default method changes its ways with strong dampers
    if (damping > 0 && GetParam() != "coulomb") continue;
    World world = world_of(hinged(angle, damping), {.step = 1e-3, .method = method_of(GetParam())});
    const JointId hinge = world.joint("hinge");
    for (int i = 0; i < 1000; ++i) {
      world.input().torque(hinge, torque);
      ASSERT_TRUE(world.step().converged);
    }
    EXPECT_NEAR(world.joint_position(hinge)[0], angle, 1e-9);
  }
}

// What a motor gives is its torque times the angle: exactly where the torque is constant, to the error of the
// method; with gravity and without a damper nothing else changes the energy.
TEST_P(TreeMethods, AMotorsWorkIsTorqueTimesAngle) {
  World world = world_of(hinged(0), {.step = 1e-3, .method = method_of(GetParam())});
  const JointId hinge = world.joint("hinge");
  for (int i = 0; i < 1500; ++i) {
    world.input().torque(hinge, 6);
    ASSERT_TRUE(world.step().converged);
  }
  const double angle = world.joint_position(hinge)[0];
  EXPECT_GT(std::fabs(angle), 0.5);
  const double error = order_of(GetParam()) == 4 ? 1e-8 : order_of(GetParam()) == 2 ? 1e-4 : 0.1;
  EXPECT_NEAR(world.ledger().booked(Cause::input), 6 * angle, error);
  EXPECT_NEAR(world.ledger().booked(Cause::gravity), -world.ledger().now().gravity_potential, error);
  EXPECT_NEAR(world.ledger().now().energy(), 6 * angle, error);
}

TEST(TreeMethodsApart, TheVariationalOneKeepsTheMomentaOfAFloatingTree) {
  World world = world_of(random_tree(4, 8, true, false), {.step = 5e-3, .method = Method::variational});
  const Totals start = world.ledger().now();
  run(world, 500);
  const Totals now = world.ledger().now();
  EXPECT_LT(norm(now.momentum - start.momentum), 1e-12 * norm(start.momentum));
  EXPECT_LT(norm(now.angular_momentum - start.angular_momentum), 1e-12 * norm(start.angular_momentum));
}

TEST(TreeMethodsApart, AStepThatIsTooLargeIsRefused) {
  Scene s = hinged(0);
  std::get<CoordinateJoint>(s.joints[0].value).velocity = {400};
  World world = world_of(s, {.step = 0.01, .method = Method::variational});  // 4 rad in a step
  const std::uint64_t before = world.hash();
  const StepReport r = world.step();
  EXPECT_EQ(r.status, StepReport::Status::refused);
  EXPECT_NE(r.explain().find("too large"), std::string::npos) << r.explain();
  EXPECT_EQ(world.hash(), before);
}

TEST(TreeMethodsApart, LinearisedEulerSaysThatItKnowsNoTrees) {
  const Result<World> world = build(hinged(1), {.method = Method::implicit_euler});
  ASSERT_FALSE(world);
  EXPECT_NE(world.mistakes()[0].message.find("hinge"), std::string::npos);
}

// Links that a joint connects do not touch each other: a method for smooth motion takes them.
TEST(TreeMethodsApart, JoinedBodiesMayCollide) {
  Scene s = hinged(1);
  s.add_body("arm", {.shape = Capsule{0.02, 0.5}, .mass = 1, .position = {0, 0, -1.25}});
  s.add_joint("elbow", CoordinateJoint{.kind = tree::JointKind::revolute,
                                       .body = "arm",
                                       .parent = "rod",
                                       .at = Vec3{0, 0, -1},
                                       .axis = {0, 1, 0}});
  EXPECT_TRUE(build(s, {.method = Method::rk4}));
  s.add_body("wall", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, -3}});
  EXPECT_FALSE(build(s, {.method = Method::rk4}));
}

// A damper 1000 times too strong for an explicit step: the rod sinks at the speed that gravity and damper
// set.
// A floor that is near but never touched changes nothing: the rod's end (1.02 m below the hinge) clears it by
// a centimetre, which is less than it moves in a step. Scale: what swings, m g l (1 - cos angle).
TEST(TreeMethodsApart, AFloorThatIsOnlyNearCostsNoEnergy) {
  Scene near = hinged(1.2), away = hinged(1.2);
  near.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, -1.03}});
  World world = world_of(near, {.step = 0.01}), alone = world_of(away, {.step = 0.01});
  const double start = world.ledger().now().energy(), scale = 2 * g * 0.5 * (1 - std::cos(1.2));
  double rise = 0;
  run(world, 2000, [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    rise = std::fmax(rise, w.ledger().now().energy() - start);
  });
  run(alone, 2000, [](const World&, const StepReport&) {});
  EXPECT_LT(rise, 1e-6 * scale);
  EXPECT_EQ(world.joint_position(world.joint("hinge"))[0], alone.joint_position(alone.joint("hinge"))[0]);
}

// Where it does touch, it stops there: it lands on the floor and loses energy, step for step certified.
TEST(TreeMethodsApart, ARodThatSwingsIntoTheFloorLosesEnergy) {
  Scene s = hinged(1.2);
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, -0.9}});
  World world = world_of(s, {.step = 0.01});
  double last = world.ledger().now().energy();
  run(world, 300, [&](const World& w, const StepReport& r) {
    ASSERT_TRUE(r.converged) << r.explain();
    ASSERT_LT(w.ledger().relative_imbalance(), 1e-12);
    ASSERT_LT(w.ledger().now().energy(), last + 1e-6);  // [J] of some 12 J that swing
    last = w.ledger().now().energy();
  });
  EXPECT_GT(world.contacts().size(), 0u);
  EXPECT_LT(world.ledger().now().kinetic, 1e-12);
}

TEST(TreeMethodsApart, StrongDampersAreImplicit) {
  const double damping = 2e3, angle = 1;
  World world = world_of(hinged(angle, damping), {.step = 0.01});
  run(world, 100);
  const double a = world.joint_position(world.joint("hinge"))[0];
  EXPECT_NEAR(world.joint_velocity(world.joint("hinge"))[0], -2 * g * 0.5 * std::sin(a) / damping, 1e-6);
}

}  // namespace
}  // namespace stiction::test
