// Light bodies beside heavy ones: no error of a light body drowns in the impulses of its neighbours. Bodies
// that nothing pushes keep their momenta however near others pass.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/run.h"
#include "support/size.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81, light = 1e-3;  // [m/s^2], [kg]
constexpr double still = 1e-9;            // [m/s] published

struct Case {
  double heavy;  // [kg]
  double h;      // [s]
  bool box;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.heavy << " kg, h = " << c.h << " s, " << (c.box ? "box" : "ball");
}

Shape shape_of(const Case& c) { return c.box ? Shape(Box{{0.1, 0.1, 0.1}}) : Shape(Sphere{0.05}); }

Scene floor_scene() {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("s", {.friction = 0.5});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "s"});
  return s;
}

void add_block(Scene& s, const std::string& name, double mass, double height) {
  s.add_body(name, {.shape = Box{{1, 1, 1}}, .mass = mass, .position = {0, 0, height}, .surface = "s"});
}

void add_light(Scene& s, const Case& c, int k, double x, double y, double height) {
  s.add_body("light." + std::to_string(k),
             {.shape = shape_of(c), .mass = light, .position = {x, y, height}, .surface = "s"});
}

/// [m/s] the fastest light body in any certified step; `missed` counts the others.
double fastest(const Scene& s, const Case& c, double until, int& missed) {
  World world = world_of(s, {.step = c.h});
  double worst = 0;
  run(world, int(std::lround(until / c.h)), [&](const World& w, const StepReport& r) {
    missed += !r.converged;
    if (!r.converged) return;
    for (std::size_t i = 0; i < w.model().mass.size(); ++i)
      if (w.model().mass[i] == light) worst = std::fmax(worst, norm(w.state().velocity[i]));
  });
  return worst;
}

class LightBodies : public testing::TestWithParam<Case> {};

TEST_P(LightBodies, RestOnHeavyOnes) {
  const Case c = GetParam();
  Scene s = floor_scene();
  add_block(s, "block", c.heavy, 0.5);
  add_light(s, c, 0, 0.1, 0.05, 1.05);
  int missed = 0;
  EXPECT_LT(fastest(s, c, at_size(0.3, 10.0), missed), still);
  EXPECT_EQ(missed, 0);
}

// 1 mm on 1 km, densities of water and rock: masses differ by 1e18.
TEST(LightBodies, OfAMillimetreRestOnAKilometre) {
  for (const bool box : {false, true})
    for (const double h : {1e-2, 1e-3}) {
      Scene s = floor_scene();
      s.add_body(
          "block",
          {.shape = Box{{1000, 1000, 1000}}, .density = 2700, .position = {0, 0, 500}, .surface = "s"});
      s.add_body("light", {.shape = box ? Shape(Box{{1e-3, 1e-3, 1e-3}}) : Shape(Sphere{0.5e-3}),
                           .density = 1000,
                           .position = {100, 50, 1000.0005},
                           .surface = "s"});
      World world = world_of(s, {.step = h});
      const BodyId own = world.body("light");
      run(world, at_size(30, 1000), [&](const World& w, const StepReport& r) {
        EXPECT_TRUE(r.converged) << r.explain();
        EXPECT_LT(norm(w.velocity(own)), still);
      });
    }
}

/// Under four light bodies, or between two heavy ones: what doubles can tell, or missed.
class SqueezedBodies : public testing::TestWithParam<Case> {};

TEST_P(SqueezedBodies, RestAsStillAsDoublesTell) {
  const Case c = GetParam();
  for (const bool between : {false, true}) {
    Scene s = floor_scene();
    const double base = between ? 1 : 0;
    if (between) add_block(s, "base", c.heavy, 0.5);
    add_block(s, "block", c.heavy, base + 0.6);
    int k = 0;
    for (const double x : {-0.3, 0.3})
      for (const double y : {-0.3, 0.3}) add_light(s, c, k++, x, y, base + 0.05);
    int missed = 0;
    const double known = 8 / 9007199254740992.0 * (c.heavy / light) * g * c.h;
    EXPECT_LT(fastest(s, c, at_size(0.2, 10.0), missed), std::fmax(still, known)) << "between " << between;
    if (c.heavy <= 1e6) EXPECT_EQ(missed, 0) << "between " << between;
  }
}

// Doubles cannot tell how 1 g moves below 1e12 kg: said by name, whatever the numbers came to.
TEST(SqueezedBodies, LostDigitsAreTold) {
  const Case c{1e12, 0.01, true};
  Scene s = floor_scene();
  add_block(s, "block", c.heavy, 0.6);
  int k = 0;
  for (const double x : {-0.3, 0.3})
    for (const double y : {-0.3, 0.3}) add_light(s, c, k++, x, y, 0.05);
  World world = world_of(s, {.step = c.h});
  StepReport r = world.step();
  EXPECT_FALSE(r.converged);
  EXPECT_EQ(r.status, StepReport::Status::unconverged);
  ASSERT_GE(r.digits_body, 0) << r.explain();
  EXPECT_EQ(world.model().mass[std::size_t(r.digits_body)], light);
}

// Between two of them it is one step that tells so, not 32 parts: those would tell no more.
TEST(SqueezedBodies, LostDigitsAreNotLookedForInParts) {
  const Case c{1e12, 0.01, true};
  Scene s = floor_scene();
  add_block(s, "base", c.heavy, 0.5);
  add_block(s, "block", c.heavy, 1.6);
  int k = 0;
  for (const double x : {-0.3, 0.3})
    for (const double y : {-0.3, 0.3}) add_light(s, c, k++, x, y, 1.05);
  World world = world_of(s, {.step = c.h});
  const StepReport r = world.step();
  EXPECT_FALSE(r.converged);
  EXPECT_GE(r.digits_body, 0) << r.explain();
  EXPECT_EQ(r.parts, 1);
}

std::vector<Case> cases(double most) {
  std::vector<Case> out;
  for (double heavy = 1e2; heavy <= most; heavy *= at_size(1e3, 1e1))
    for (const bool box : {false, true})
      for (const double h : {1e-2, 1e-3}) out.push_back({heavy, h, box});
  return out;
}
INSTANTIATE_TEST_SUITE_P(Masses, LightBodies, testing::ValuesIn(cases(1e14)));
INSTANTIATE_TEST_SUITE_P(Masses, SqueezedBodies, testing::ValuesIn(cases(1e8)));

/// [kg m^2/s] in world axes.
Vec3 angular_momentum(const World& w, std::size_t i) {
  const Quat& q = w.state().orientation[i];
  const Vec3 spin = rotate_back(q, w.state().spin[i]);
  const Vec3& I = w.model().inertia[i];
  return rotate(q, {I.x * spin.x, I.y * spin.y, I.z * spin.z});
}

// A capsule that spins passes another one at 0.4 mm, in every direction of its spin: it is among the contacts
// that the step looks at, none of which pushes it.
TEST(LonelyBodies, KeepTheirAngularMomentumBesideOthers) {
  constexpr double round_off = 1e-12;  // [-] published
  int near = 0;
  for (int k = 0; k < 12; ++k) {
    const double a = 0.5 * k;
    Scene s{.gravity = {}};
    s.add_surface("s", {.friction = 0.5});
    s.add_body("wall", {.kind = fixed, .shape = HalfSpace{}, .surface = "s"});
    s.add_body("capsule", {.shape = Capsule{0.05, 0.2},
                           .mass = 1.5,
                           .position = {0, 0, 0.1504 + 0.02 * (k % 3)},
                           .orientation = normalized(Quat{1, 0.3 * std::sin(a), 0.2, 0.1}),
                           .velocity = {1, 0.5, 0.02},
                           .spin = {3 * std::cos(a), 4 * std::sin(a), 5},
                           .surface = "s"});
    s.add_body("other", {.shape = Capsule{0.05, 0.2},
                         .mass = 0.2,
                         .position = {0, 0.1004, 0.1504 + 0.02 * (k % 3)},
                         .orientation = normalized(Quat{1, 0.3 * std::sin(a), 0.2, 0.1}),
                         .velocity = {1, 0.6, 0.02},
                         .spin = {1, 1, 2},
                         .surface = "s"});
    World world = world_of(s, {.step = 0.01});
    std::vector<Vec3> before{angular_momentum(world, 1), angular_momentum(world, 2)};
    run(world, 20, [&](const World& w, const StepReport&) {
      for (const int body : {1, 2}) {
        bool pushed = false;
        for (const Contact& c : w.contacts()) {
          const bool mine = c.a.index == body || c.b.index == body;
          pushed |= mine && c.impulse != Vec3{};
          near += mine;
        }
        const Vec3 now = angular_momentum(w, std::size_t(body));
        Vec3& last = before[std::size_t(body - 1)];
        if (!pushed) EXPECT_LE(norm(now - last), round_off * norm(last)) << "case " << k << ", body " << body;
        last = now;
      }
    });
  }
  EXPECT_GT(near, 20);  // others were near
}

}  // namespace
}  // namespace stiction::test
