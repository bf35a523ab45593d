// The step as one complementarity problem: what it refuses, and that it never goes through.
#include "stiction/step/implicit_contact.h"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace stiction::step
