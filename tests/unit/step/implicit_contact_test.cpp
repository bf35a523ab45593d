// The step as one complementarity problem: what it refuses, that it never goes through, its slopes, and
// friction along a grain.
#include "stiction/step/implicit_contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/step/implicit_problem.h"

namespace stiction::step {
namespace {

const Convex plane(HalfSpace{{0, 0, 1}, 0}), ball(Sphere{0.5}), box(Box{{1, 1, 1}}),
    soft(Box{{1, 1, 1}}, 0.1);

ImplicitSystem falling(const Convex& shape, double height, double speed) {
  ImplicitSystem s;
  s.bodies.push_back({.shape = &plane});
  s.bodies.push_back({.shape = &shape,
                      .mass = 2,
                      .inertia = {0.2, 0.2, 0.2},
                      .position = {0, 0, height},
                      .velocity = {0.1, 0, -speed},
                      .force = {0, 0, -2 * 9.81}});
  s.contacts.push_back({.f = 1, .g = 0, .mu = 0.3});
  return s;
}

TEST(ImplicitContact, SaysWhichPairsItDoesNotKnow) {
  EXPECT_EQ(fault_of(falling(ball, 1, 0)), "");
  EXPECT_EQ(fault_of(falling(box, 1, 0)), "");
  EXPECT_EQ(fault_of(falling(soft, 1, 0)), "contact 0: body 1 is rounded: its surface has no implicit form");
  ImplicitSystem turned = falling(box, 1, 0);
  std::swap(turned.contacts[0].f, turned.contacts[0].g);
  EXPECT_EQ(fault_of(turned), "contact 0: body 0 is a half-space: let it be g");
  turned.contacts[0].g = 7;
  EXPECT_EQ(fault_of(turned), "contact 0: body 7 is not there or has no shape");
}

// A ball that would pass the plane in the step ends on it: z+ = r, v+ = (r - z) / h, p = m (v+ - v_free).
TEST(ImplicitContact, StopsAtTheSurfaceAtAnySpeed) {
  const double h = 0.01;
  for (const double speed : {20.0, 200.0, 2000.0}) {
    ImplicitSystem s = falling(ball, 0.6, speed);
    ASSERT_TRUE(implicit_contact_step({.h = h}, s).solved) << speed;
    EXPECT_NEAR(s.bodies[1].position.z, 0.5, 1e-11);
    EXPECT_NEAR(s.bodies[1].velocity.z, -10, 1e-9);
    EXPECT_NEAR(s.contacts[0].normal_impulse, 2 * (speed + 9.81 * h - 10), 1e-9 * speed);
    EXPECT_NEAR(s.contacts[0].gap, 0, 1e-11);
  }
}

// Out of reach: free motion, no impulse.
TEST(ImplicitContact, LeavesOpenPairsAlone) {
  ImplicitSystem s = falling(ball, 2, 1);
  ASSERT_TRUE(implicit_contact_step({.h = 0.01}, s).solved);
  EXPECT_EQ(s.contacts[0].normal_impulse, 0);
  EXPECT_NEAR(s.bodies[1].velocity.z, -1.0981, 1e-12);
  EXPECT_NEAR(s.contacts[0].gap, 2 - 0.010981 - 0.5, 1e-11);
}

// Sliding against the ellipsoid of friction: |E^-1 p_f| = mu p_n, and p_f against E^2 u_f.
TEST(ImplicitContact, FrictionIsOnTheEllipsoid) {
  for (const FrictionRows rows : {FrictionRows::projection, FrictionRows::multiplier}) {
    ImplicitSystem s = falling(ball, 0.5, 0);
    s.bodies[1].velocity = {3, 1, 0}, s.bodies[1].spin = {0, 0, 40};
    s.contacts[0].extent = {1, 1, 0.2};
    ASSERT_TRUE(implicit_contact_step({.h = 0.01, .rows = rows}, s).solved);
    const ImplicitContact& c = s.contacts[0];
    const Vec3 y{c.friction.x, c.friction.y, c.spin_impulse / 0.2};
    const Vec3 speed{c.slip.x, c.slip.y, 0.2 * c.spin_slip};
    EXPECT_NEAR(norm(y), 0.3 * c.normal_impulse, 1e-11);
    EXPECT_NEAR(dot(y, speed), -norm(y) * norm(speed), 1e-10);
    EXPECT_NEAR(c.normal_impulse, 2 * 9.81 * 0.01, 1e-11);
  }
}

Quat turned(double angle, const Vec3& axis) {
  const Vec3 a = std::sin(0.5 * angle) * normalized(axis);
  return {std::cos(0.5 * angle), a.x, a.y, a.z};
}

/// One that lies on, or is a little apart from, another, both turned and moving, one with a grain.
ImplicitSystem pair_of(const Convex& f, const Convex& g, bool grain_of_f) {
  ImplicitSystem s;
  s.bodies.push_back({.shape = &g,
                      .mass = 3,
                      .inertia = {0.4, 0.5, 0.3},
                      .orientation = turned(0.3, {1, 2, 3}),
                      .velocity = {0.1, 0.3, 0.2},
                      .spin = {0.5, 0.1, 0.2}});
  s.bodies.push_back({.shape = &f,
                      .mass = 2,
                      .inertia = {0.2, 0.3, 0.2},
                      .position = {0.2, 0.1, 1.1},
                      .orientation = turned(0.7, {3, 1, 2}),
                      .velocity = {1, 0.2, -3},
                      .spin = {0.3, 2, 1}});
  s.contacts.push_back(
      {.f = 1, .g = 0, .mu = 0.3, .extent = {0.5, 1, 0.1}, .grain = {1, 2, 0.5}, .grain_of_f = grain_of_f});
  return s;
}

// Slopes against central differences, whose own error is near 1e-9 (jacobian_error); impulses and
// multipliers are off their bounds, so that all terms count.
TEST(ImplicitContact, SlopesAreThoseOfTheRows) {
  const Convex can(Cylinder{0.5, 1}), egg(Ellipsoid{{0.5, 0.6, 0.7}});
  for (const Convex* f : {&box, &can, &egg})
    for (const Convex* g : {&box, &can, &egg})
      for (const FrictionRows rows : {FrictionRows::projection, FrictionRows::multiplier}) {
        const ImplicitSystem s = pair_of(*f, *g, rows == FrictionRows::projection);
        const ImplicitSettings settings{.h = 0.05, .rows = rows};
        ImplicitProblem problem(settings, s);
        Unknowns x;
        problem.start({.motion = ImplicitStart::free}, x);
        for (std::size_t i = 12; i < x.size(); ++i) x[i] += 0.05 + 0.01 * std::sin(double(i));
        EXPECT_LT(complementarity::jacobian_error(problem.mcp(), x), 1e-7)
            << name(f->core) << " on " << name(g->core);
      }
}

// A ball that ends below the box that it was above, with no overlap, has gone through it.
TEST(ImplicitContact, RefusesRootsThatThrowBodies) {
  ImplicitSystem s = falling(ball, 1.5, 1), end = s;
  s.bodies[0].shape = &box;
  const ImplicitSettings settings{.h = 0.01};
  ImplicitProblem problem(settings, s);
  Unknowns x;
  problem.start({.motion = ImplicitStart::free}, x);
  EXPECT_TRUE(problem.take(x, end));
  x[2] = -400;  // [m/s]: to 2 m below the box
  EXPECT_FALSE(problem.take(x, end));
}

// Bodies that overlap at the start are parted in one step, though that takes energy that they do not have.
TEST(ImplicitContact, PartsBodiesThatOverlap) {
  const Convex small(Box{{0.2, 0.2, 0.2}});
  ImplicitSystem s = falling(small, 0.599, 0);
  s.bodies[0].shape = &box, s.bodies[1].velocity = {}, s.bodies[1].force = {};
  ASSERT_TRUE(implicit_contact_step({.h = 0.01}, s).solved);
  EXPECT_NEAR(s.bodies[1].velocity.z, 0.1, 1e-9);  // 1 mm in a step
  EXPECT_NEAR(s.contacts[0].gap, 0, 1e-10);
}

/// v+ that has the least of |v+ - v|^2 / 2 + p |E v+|, in the axes of E: v+_i = v_i / (1 + p e_i^2 / s) with
/// s = |E v+|, by bisection on s; zero where p can stop it, |E^-1 v| <= p.
Vec3 slowed(const Vec3& v, const Vec3& e, double p) {
  const auto at = [&](double s) {
    return Vec3{v.x / (1 + p * e.x * e.x / s), v.y / (1 + p * e.y * e.y / s), 0};
  };
  if (std::hypot(v.x / e.x, v.y / e.y) <= p) return {};
  double low = 0, high = norm(times(e, v));
  for (int i = 0; i < 200; ++i) {
    const double s = 0.5 * (low + high);
    (norm(times(e, at(s))) > s ? low : high) = s;
  }
  return at(high);
}

// A brick slides over a table with a grain: every step is the most dissipative one, and the path bends
// towards the direction that friction is least in. As h -> 0, (v_t/v_t0)^(1/e_t^2) = (v_o/v_o0)^(1/e_o^2).
TEST(ImplicitContact, SlidesOverAGrain) {
  const Convex table(Box{{8, 8, 1}}), brick(Box{{0.4, 0.3, 0.02}});
  const double h = 1e-3, mu = 0.4, angle = 0.6;
  const Vec3 t{std::cos(angle), std::sin(angle), 0}, o{-t.y, t.x, 0};
  for (const Vec3& e : {Vec3{0.5, 1, 0}, Vec3{1.5, 1, 0}, Vec3{1, 0.6, 0}}) {
    ImplicitSystem s = falling(brick, 0.51, 0);
    s.bodies[0].shape = &table;
    s.bodies[0].orientation = turned(0.4, {0, 0, 1});  // the grain has the rest of its angle in body axes
    s.bodies[1].velocity = {1, -0.5, 0};
    s.contacts[0].mu = mu, s.contacts[0].extent = e;
    s.contacts[0].grain = {3 * std::cos(angle - 0.4), 3 * std::sin(angle - 0.4), 1};
    const double t0 = dot(t, s.bodies[1].velocity), o0 = dot(o, s.bodies[1].velocity);
    Vec3 v{t0, o0, 0};
    for (int k = 0; k < 400; ++k) {
      ASSERT_TRUE(implicit_contact_step({.h = h}, s).solved) << k;
      v = slowed(v, e, mu * 9.81 * h);
      ASSERT_NEAR(dot(t, s.bodies[1].velocity), v.x, 1e-9) << k;  // 400 steps to 1e-11 each
      ASSERT_NEAR(dot(o, s.bodies[1].velocity), v.y, 1e-9) << k;
      if (k == 100) {  // first order: to p / |v| = mu g h over the speed, some 4e-3 and less
        const double along = std::pow(v.x / t0, 1 / (e.x * e.x)),
                     across = std::pow(v.y / o0, 1 / (e.y * e.y));
        EXPECT_NEAR(along / across, 1, 4e-3);
      }
    }
  }
}

// The grain of a body that turns is where it is at the end of the step: friction is -mu p_n E^2 u / |E u|.
TEST(ImplicitContact, AGrainTurnsWithItsBody) {
  const Vec3 e{0.4, 1, 0};
  for (const Convex* below : {&plane, &box}) {
    ImplicitSystem s = falling(ball, below == &plane ? 0.5 : 1, 0);
    s.bodies[0].shape = below;
    s.bodies[1].velocity = {3, 1, 0}, s.bodies[1].spin = {0, 0, 30};
    s.contacts[0].extent = e, s.contacts[0].grain = {1, 0, 0.3}, s.contacts[0].grain_of_f = true;
    for (int k = 0; k < 5; ++k) {
      ASSERT_TRUE(implicit_contact_step({.h = 0.01}, s).solved);
      const ImplicitContact& c = s.contacts[0];
      const Vec3 grain = rotate(s.bodies[1].orientation, c.grain), flat{grain.x, grain.y, 0};
      const Vec3 t = normalized(flat), o{-t.y, t.x, 0};
      const Vec3 scaled{e.x * dot(t, c.slip), e.y * dot(o, c.slip), 0};
      const Vec3 expected =
          (-0.3 * c.normal_impulse / norm(scaled)) * (e.x * scaled.x * t + e.y * scaled.y * o);
      EXPECT_LT(norm(c.friction - expected), 1e-10) << k;
    }
  }
}

}  // namespace
}  // namespace stiction::step
