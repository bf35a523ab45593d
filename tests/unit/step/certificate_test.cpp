// The certificate must be able to fail: steps that are solved badly on purpose are not called converged, and
// what it says about good steps can be recomputed from the contacts.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/step/coulomb_step.h"
#include "support/size.h"

namespace stiction {
namespace {

Model cube_on_floor(const Vec3& velocity) {
  Scene s{.gravity = {0, 0, -9.81}};
  s.add_surface("s", {.friction = 0.5});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "s"});
  s.add_body("cube", {.shape = Box{{0.2, 0.2, 0.2}},
                      .mass = 1,
                      .position = {0, 0, 0.1},
                      .velocity = velocity,
                      .surface = "s"});
  return compile(s).or_exit();
}

/// A step taken up to its certificate, whose impulses or velocities may be spoilt before it is judged.
template <class Spoil>
Certificate judged(const Vec3& velocity, const Spoil& spoil) {
  const Model m = cube_on_floor(velocity);
  State x = initial_state(m, 0.01);
  step::Workspace w;
  EXPECT_TRUE(step::coulomb_step(m, {}, {}, x, w).converged);
  // w still holds the last problem, its impulses and the end of the step
  spoil(w);
  step::certify(m, 0.01, 1e-8, w);
  return w.certificate;
}

TEST(Certificate, PassesAGoodStep) {
  for (const Vec3& v : {Vec3{}, Vec3{1, 0, 0}, Vec3{1, -2, 0}}) {
    const Certificate c = judged(v, [](step::Workspace&) {});
    EXPECT_TRUE(c.converged);
    EXPECT_LT(c.natural_map_scaled, 1e-8);
    EXPECT_LT(c.cone, 1e-8);
    EXPECT_LT(c.dissipation, 1e-8);
  }
}

TEST(Certificate, SeesAnImpulseOutsideTheCone) {
  const Certificate c = judged({}, [](step::Workspace& w) {
    w.end_contacts[0].impulse +=
        Vec3{1e-2 * norm(w.end_contacts[0].impulse) + norm(w.end_contacts[0].impulse), 0, 0};
  });
  EXPECT_GT(c.cone, 1e-3);
  EXPECT_FALSE(c.converged);
}

TEST(Certificate, SeesABodyThatSinksIn) {
  const Certificate c = judged({1, 0, 0}, [](step::Workspace& w) { w.next.velocity[1].z -= 1e-3; });
  EXPECT_FALSE(c.converged);
  EXPECT_GT(c.natural_map_scaled, 1e-6);
}

TEST(Certificate, SeesFrictionThatIsNotAgainstTheSlip) {
  const Certificate c = judged({1, 0, 0}, [](step::Workspace& w) {
    for (step::WorkContact& k : w.end_contacts) {  // turned by 0.01 rad about the normal
      const Vec3 p = k.impulse;
      k.impulse = {p.x * std::cos(0.01) - p.y * std::sin(0.01), p.x * std::sin(0.01) + p.y * std::cos(0.01),
                   p.z};
    }
  });
  EXPECT_NEAR(c.dissipation, 0.01, 1e-3);
  EXPECT_FALSE(c.converged);
}

TEST(Certificate, SeesSlipOfAStickingContact) {
  const Certificate c = judged({}, [](step::Workspace& w) { w.next.velocity[1].x += 1e-4; });
  EXPECT_FALSE(c.converged);
  EXPECT_GT(c.natural_map_scaled, 1e-5);
}

TEST(Certificate, SeesAnImpulseAcrossAGap) {
  const Certificate c = judged({}, [](step::Workspace& w) { w.next.velocity[1].z += 1e-3; });
  EXPECT_FALSE(c.converged);
  EXPECT_GT(c.complementarity_relative, 1e-4);
  EXPECT_GT(c.complementarity, 0);
}

/// A ball of 1 g that rests on a free block of 1e8 kg, and `spoil` of its step.
template <class Spoil>
Certificate judged_light(const Spoil& spoil) {
  Scene s{.gravity = {0, 0, -9.81}};
  s.add_surface("s", {.friction = 0.5});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "s"});
  s.add_body("block", {.shape = Box{{1, 1, 1}}, .mass = 1e8, .position = {0, 0, 0.5}, .surface = "s"});
  s.add_body("ball", {.shape = Sphere{0.05}, .mass = 1e-3, .position = {0, 0, 1.05}, .surface = "s"});
  const Model m = compile(s).or_exit();
  State x = initial_state(m, 0.01);
  step::Workspace w;
  EXPECT_TRUE(step::coulomb_step(m, {}, {}, x, w).converged);
  spoil(w);
  step::certify(m, 0.01, 1e-8, w);
  return w.certificate;
}

// An error of 0.1 mm/s of the ball is 1e-3 of what gravity does in the step: sqrt(X) of that is allowed. Over
// the island, whose impulses are 1e11 times those of the ball, it is 1e-14.
TEST(Certificate, SeesALightBodyBesideAHeavyOne) {
  EXPECT_TRUE(judged_light([](step::Workspace&) {}).converged);
  const Certificate c = judged_light([](step::Workspace& w) { w.next.velocity[2].x += 1e-4; });
  EXPECT_LT(c.natural_map_scaled, 1e-8);
  EXPECT_GT(c.body, 1e-5 * 1e-3 / 0.1);  // d / (U + S), with U and S of 0.1 m/s each
  EXPECT_FALSE(c.converged);
}

TEST(Certificate, SeesMomentumThatNothingGave) {
  const Certificate c = judged({1, 0, 0}, [](step::Workspace& w) { w.next.velocity[1].x += 1e-6; });
  EXPECT_GT(c.momentum, 1e-7);
  EXPECT_FALSE(c.converged);
  const Certificate turned = judged({1, 0, 0}, [](step::Workspace& w) { w.next.spin[1].y += 1e-6; });
  EXPECT_GT(turned.momentum, 1e-8);
  EXPECT_FALSE(turned.converged);
}

TEST(Certificate, SeesOverlap) {
  const Model m = cube_on_floor({});
  State x = initial_state(m, 0.01);
  step::Workspace w;
  step::coulomb_step(m, {}, {}, x, w);
  w.next.position[1].z -= 1e-5;
  step::detect_end_contacts(m, w);
  step::certify_gaps(m, 1e-8, w);
  EXPECT_NEAR(w.certificate.gap, 1e-5, 1e-9);
  EXPECT_NEAR(w.certificate.gap_relative, 1e-5 / m.size[1], 1e-8);
  EXPECT_FALSE(w.certificate.converged);
}

// The certificate is of the end of the step, with all pairs, and is the one that the report carries.
TEST(Certificate, IsRecomputedFromTheContactsOfTheWorkspace) {
  const Model m = cube_on_floor({0.3, 0.2, -1});
  State x = initial_state(m, 0.01);
  step::Workspace w;
  for (int i = 0; i < 20; ++i) {
    const StepReport r = step::coulomb_step(m, {}, {}, x, w);
    double gap = 0, cone = 0, largest = 0;
    for (const step::WorkContact& c : w.end_contacts) largest = std::fmax(largest, norm(c.impulse));
    for (const step::WorkContact& c : w.end_contacts) {
      const double n = dot(c.impulse, c.point.normal), t = norm(c.impulse - n * c.point.normal);
      gap = std::fmax(gap, c.touches && n > 0 ? std::fabs(c.point.gap) : -c.point.gap);
      if (largest > 0) cone = std::fmax(cone, (t - c.mu * n) / largest);
    }
    EXPECT_EQ(r.certificate.gap, gap);
    EXPECT_LE(cone, r.certificate.cone + 1e-12);
    EXPECT_TRUE(r.converged) << r.explain();
  }
}

struct Feature {
  double x, gap, pressed;  // [m], [m], [N s]
  int b = 1;
};
/// [m] the gap that is certified of contacts of pairs (0, b), 1 m in size.
double certified_gap(std::initializer_list<Feature> features) {
  const Model m = cube_on_floor({});
  step::Workspace w;
  for (const Feature& f : features) {
    step::WorkContact& c = w.end_contacts.emplace_back();
    c.point.key = {0, f.b, std::uint64_t(w.end_contacts.size())};
    c.point.normal = {0, 0, 1}, c.point.gap = f.gap;
    c.centre = {f.x, 0, 0}, c.impulse = {0, 0, f.pressed}, c.size = 1, c.touches = true;
  }
  step::certify_gaps(m, 1e-8, w);
  EXPECT_EQ(w.certificate.converged, w.certificate.gap <= 1e-8);
  return w.certificate.gap;
}

// A contact that is pressed is to be closed; of features in one place, within 1 % of the size, the lowest is
// the one that can be.
TEST(Certificate, TheLowestFeatureOfAPlaceBears) {
  EXPECT_EQ(certified_gap({{0, 1e-5, 1}}), 1e-5);
  EXPECT_EQ(certified_gap({{0, 1e-5, 0}}), 0);                              // nothing goes across it
  EXPECT_EQ(certified_gap({{0, 1e-5, 1}, {0.009, 0, 0}}), 0);               // beside the lowest of a rim
  EXPECT_EQ(certified_gap({{0, 1e-5, 1}, {0.009, 3e-6, 0}}), 3e-6);         // which has to be closed then
  EXPECT_EQ(certified_gap({{0, 1e-5, 1}, {0.009, -2e-5, 0}}), 2e-5);        // from both sides
  EXPECT_EQ(certified_gap({{0, 1e-5, 1}, {0.011, 0, 0}}), 1e-5);            // another place
  EXPECT_EQ(certified_gap({{0, 1e-5, 1}, {0.009, 0, 0, 2}}), 1e-5);         // another pair
  EXPECT_EQ(certified_gap({{0, 0, 1}, {0.009, 1e-5, 1}}), 0);               // in any order
  EXPECT_EQ(certified_gap({{0, 1e-5, 1}, {0, 0, 0}, {1, 2e-5, 1}}), 2e-5);  // each place for itself
}

// A tolerance that cannot be met is missed, and the step says so and names the bodies.
TEST(Certificate, AMissIsReported) {
  if (test::under_sanitizer) GTEST_SKIP() << "a minute of plain arithmetic there";
  const Model m = cube_on_floor({1, 0.5, 0});
  State x = initial_state(m, 0.01);
  step::Workspace w;
  step::CoulombSettings s;
  s.tolerance = 1e-300;
  s.solver = complementarity::SolverChoice::nsgs;  // all solvers one after the other would take long to miss
  const StepReport r = step::coulomb_step(m, s, {}, x, w);
  EXPECT_EQ(r.status, StepReport::Status::unconverged);
  EXPECT_FALSE(r.converged);
  EXPECT_EQ(r.worst_body_a, 0);
  EXPECT_EQ(r.worst_body_b, 1);
  EXPECT_NE(r.explain().find("not certified"), std::string::npos) << r.explain();
  EXPECT_EQ(x.step_count, 1);  // accepted all the same
}

}  // namespace
}  // namespace stiction
