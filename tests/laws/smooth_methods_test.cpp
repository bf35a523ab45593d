// What holds in every step of every method for smooth motion: the books close with each cause at its stages,
// energies and momenta are those of the state, and what acts from inside leaves the momenta alone.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "support/laws.h"
#include "support/run.h"
#include "support/smooth_scene.h"

namespace stiction::test {
namespace {

std::vector<std::string> methods() {
  const auto words = words_of<Method>();
  return {words.begin(), words.end()};
}
std::vector<std::string> smooth_methods() {
  std::vector<std::string> out;
  for (const std::string& word : methods())
    if (!traits_of(method_of(word)).handles_contact()) out.push_back(word);
  return out;
}

class Methods : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, Methods, testing::ValuesIn(methods()), [](const auto& m) { return m.param; });
class SmoothMethods : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, SmoothMethods, testing::ValuesIn(smooth_methods()),
                         [](const auto& m) { return m.param; });

TEST_P(Methods, CloseTheBooks) {
  World world = world_of(smooth_scene(), {.step = 0.002, .method = method_of(GetParam())});
  const BodyId ball = world.body("ball");
  Worst worst(world);
  // event_driven: pieces are short where a table turns a body, whose spin is known to second order
  const int steps = GetParam() == "event_driven" ? 60 : 600;
  for (int i = 0; i < steps; ++i) {
    if (i % 3 == 0) world.input().force(ball, {0.1, 0.2, -0.1}), world.input().torque(ball, {0, 1e-3, 0});
    const StepReport report = world.step();
    ASSERT_EQ(report.status, StepReport::Status::converged) << report.explain();
    worst.look(world, report);
  }
  worst.expect_lawful(1e-8);
  const Ledger& l = world.ledger();
  for (const Cause c :
       {Cause::gravity, Cause::spring, Cause::damping, Cause::drag, Cause::wrench, Cause::input,
        Cause::kinematic, Cause::gravitation, Cause::lennard_jones, Cause::numerics})
    EXPECT_NE(l.booked(c), 0) << name(c);
  EXPECT_LT(l.booked(Cause::drag), 0);
  EXPECT_GT(norm(l.booked_momentum(Cause::magnus)), 1e-3);
  // across the velocity at every stage; linearised, to first order in the step
  EXPECT_LT(std::fabs(l.booked(Cause::magnus)), GetParam() == "implicit_euler" ? 1e-2 : 1e-12);
}

// What is booked converges with the order of the method: the causes' accounts and that of the discretisation.
TEST_P(Methods, BookWorksToTheirOrder) {
  const auto booked = [](double h, const std::string& method) {
    Scene scene = smooth_scene();
    for (auto& f : scene.forces)  // a jump of the force would cost the order
      if (auto* bonds = std::get_if<LennardJones>(&f.value)) bonds->cutoff = 0;
    // the mean spin of a step stands for that of a prescribed turn: second order, whatever the method
    scene.bodies.back().value.motion.orientation.clear();
    World world = world_of(scene, {.step = h, .method = method_of(method)});
    run(world, steps_to(0.096, h));
    const Ledger& l = world.ledger();
    return std::array<double, 4>{l.booked(Cause::numerics), l.booked(Cause::drag), l.booked(Cause::spring),
                                 l.booked(Cause::gravity)};
  };
  const std::string& method = GetParam();
  const bool runge_kutta = method.starts_with("rk4");
  const double order = runge_kutta ? 4 : method == "velocity_verlet" || method == "variational" ? 2 : 1;
  const double h = runge_kutta ? 1e-3 : 5e-4;
  const auto exact = booked(h / 16, "rk4"), coarse = booked(h, method), fine = booked(h / 2, method);
  for (std::size_t k = 0; k < exact.size(); ++k) {
    if (method == "event_driven") {  // as exact as the reference, whatever h is
      EXPECT_NEAR(coarse[k], exact[k], 1e-8) << k;
      continue;
    }
    const double ratio = (coarse[k] - exact[k]) / (fine[k] - exact[k]);
    EXPECT_NEAR(std::log2(ratio), order, 0.1 * order) << k;
  }
}

// Only inner forces: gravitation, a spring between bodies and a torsion spring. The angular momentum of
// linearised implicit Euler and of Euler's explicit gyroscope is not kept; linear momentum always is.
TEST_P(SmoothMethods, KeepTheMomentaOfIsolatedSystems) {
  Scene s;
  s.add_body("a", {.shape = Box{{0.4, 0.3, 0.2}},
                   .mass = 2,
                   .velocity = {0.3, 0, 1},
                   .spin = {1, 2, -1},
                   .collides = false});
  s.add_body("b", {.shape = Box{{0.3, 0.3, 0.1}},
                   .mass = 1,
                   .position = {1, 0, 0.2},
                   .spin = {0, 1, 3},
                   .collides = false});
  s.add_force(
      "spring",
      SpringDamper{
          .a = "a", .b = "b", .point_a = {0.2, 0.1, 0}, .stiffness = 20, .damping = 0.1, .rest_length = 0.7});
  s.add_force("rod", TorsionSpring{.a = "a", .b = "b", .axis = {1, 0, 0}, .stiffness = 0.05});
  s.add_force("gravitation", Gravitation{.constant = 0.3});
  World world = world_of(s, {.step = 0.005, .method = method_of(GetParam())});
  const Totals start = world.ledger().now();
  double momentum = 0, angular = 0;
  run(world, 2000, [&](const World& w, const StepReport&) {
    momentum = std::fmax(momentum, norm(w.ledger().now().momentum - start.momentum));
    angular = std::fmax(angular, norm(w.ledger().now().angular_momentum - start.angular_momentum));
  });
  EXPECT_LT(momentum, 1e-12);  // 2000 steps of some 1e-16
  if (GetParam() == "velocity_verlet" || GetParam() == "variational") {
    EXPECT_LT(angular, 1e-12);
  } else if (GetParam().starts_with("rk4")) {
    EXPECT_LT(angular, 1e-5);  // of order h^4
  } else {
    EXPECT_LT(angular, 1);
  }
}

TEST_P(SmoothMethods, RefuseWhatIsNotFinite) {
  Scene s;
  s.add_body("a", {.mass = 1, .particle = true});
  s.add_body("b", {.mass = 1, .position = {1e-300, 0, 0}, .particle = true});
  s.add_force("gravitation", Gravitation{.constant = 1});
  World world = world_of(s, {.method = method_of(GetParam())});
  const std::uint64_t before = world.hash();
  EXPECT_EQ(world.step().status, StepReport::Status::refused);
  EXPECT_EQ(world.hash(), before);
}

TEST_P(SmoothMethods, GoOnFromASavedState) {
  World one = world_of(smooth_scene(), {.step = 0.002, .method = method_of(GetParam())});
  run(one, 50);
  World two = world_of(smooth_scene(), {.step = 0.002, .method = method_of(GetParam())});
  value_of(two.restore(one.save()));
  run(one, 50), run(two, 50);
  EXPECT_EQ(one.hash(), two.hash());
}

TEST_P(SmoothMethods, TakeNoBodyThatCanTouch) {
  Scene s;
  s.add_body("a", {.shape = Sphere{0.1}, .mass = 1});
  World world = world_of(s, {.method = method_of(GetParam())});
  EXPECT_FALSE(world.add_body("b", {.shape = Sphere{0.1}, .mass = 1, .position = {1, 0, 0}}));
  EXPECT_TRUE(
      world.add_body("b", {.shape = Sphere{0.1}, .mass = 1, .position = {1, 0, 0}, .collides = false}));
  run(world, 3);
}

}  // namespace
}  // namespace stiction::test
