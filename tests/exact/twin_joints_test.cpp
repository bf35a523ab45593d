// Every kind of joint as a constraint and in coordinates: the same motion. Two bodies that drift and turn in
// space, one of them pushed and twisted, by two integrators of order four.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.h"

namespace stiction::test {
namespace {

using constraints::Kind;
using tree::JointKind;

constexpr double h = 1e-3, until = 0.5;  // [s]
const Vec3 at{0.6, 0.1, -0.2};           // [m] where they are joined
const Vec3 axis = normalized(Vec3{1, 2, 2}), across = normalized(Vec3{2, -2, 1});

/// Both start as parts of one rigid body.
Scene two_bodies() {
  const Vec3 v{0.3, -0.2, 0.1}, spin{0.7, -1.1, 0.9}, child{1.3, 0.4, 0.2};
  Scene s;
  s.gravity = {0, 0, -9.81};
  s.add_body("parent", {.mass = 3, .velocity = v, .spin = spin, .inertia = Vec3{0.5, 0.9, 1.1}});
  s.add_body("child", {.mass = 2,
                       .position = child,
                       .velocity = v + cross(spin, child),
                       .spin = spin,
                       .inertia = Vec3{0.2, 0.3, 0.4}});
  s.add_force("push", Wrench{.body = "child", .force = {{9, -7, 5}}, .torque = {{0.5, 2, -1}}});
  return s;
}

struct End {
  Vec3 position[2];
  Quat orientation[2];
};
End end_of(const Scene& s, Method method) {
  World world = world_of(s, {.step = h, .method = method});
  run(world, steps_to(until, h));
  End out;
  for (const int i : {0, 1}) {
    const BodyId body = world.body(i == 0 ? "parent" : "child");
    out.position[i] = world.position(body), out.orientation[i] = world.orientation(body);
  }
  return out;
}
End with_constraint(const ConstraintJoint& joint) {
  Scene s = two_bodies();
  s.add_joint("joint", joint);
  return end_of(s, Method::rk4_projected);
}
/// [m, rad] between both ends.
double apart(const End& a, const End& b) {
  double most = 0;
  for (const int i : {0, 1}) {
    const Quat turn = a.orientation[i] * conjugate(b.orientation[i]);
    most = std::fmax(most, norm(a.position[i] - b.position[i]));
    most = std::fmax(most, 2 * norm(Vec3{turn.x, turn.y, turn.z}));
  }
  return most;
}

struct Twin {
  Kind constraint;
  JointKind coordinates;
};
class Twins : public testing::TestWithParam<Twin> {};
INSTANTIATE_TEST_SUITE_P(
    All, Twins,
    testing::Values(Twin{Kind::ball, JointKind::spherical}, Twin{Kind::hinge, JointKind::revolute},
                    Twin{Kind::prismatic, JointKind::prismatic}, Twin{Kind::lock, JointKind::fixed},
                    Twin{Kind::cylindrical, JointKind::cylindrical},
                    Twin{Kind::universal, JointKind::universal}, Twin{Kind::planar, JointKind::planar},
                    Twin{Kind::screw, JointKind::screw}),
    [](const auto& t) { return constraints::name_of(t.param.constraint); });

TEST_P(Twins, MoveAlike) {
  const bool two_axes = GetParam().constraint == Kind::universal || GetParam().constraint == Kind::planar;
  const Vec3 second = two_axes ? across : Vec3{};
  const double pitch = GetParam().constraint == Kind::screw ? 0.05 : 0;
  const End constraint = with_constraint({.kind = GetParam().constraint,
                                          .body = "child",
                                          .parent = "parent",
                                          .at = at,
                                          .axis = axis,
                                          .second_axis = second,
                                          .pitch = pitch});
  Scene s = two_bodies();
  s.add_joint("joint", CoordinateJoint{.kind = GetParam().coordinates,
                                       .body = "child",
                                       .parent = "parent",
                                       .at = at,
                                       .axis = axis,
                                       .second_axis = second,
                                       .pitch = pitch});
  // errors of both are of order h^4, times fourth powers of rates of some 1/s
  EXPECT_LT(apart(constraint, end_of(s, Method::rk4)), 1e-10);
  // and the joint does something: alone the bodies go elsewhere
  EXPECT_GT(apart(constraint, end_of(two_bodies(), Method::rk4)), 0.01);
}

/// A chain of coordinate joints from the parent to the child, with links of this mass [kg] between them.
Scene chain(const std::vector<CoordinateJoint>& joints, double mass) {
  Scene s = two_bodies();
  const BodyDescription whole = s.bodies[0].value;
  std::string last = "parent";
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const bool end = i + 1 == joints.size();
    CoordinateJoint joint = joints[i];
    joint.parent = last, joint.body = last = end ? "child" : "light" + std::to_string(i);
    if (!end)
      s.add_body(last, {.mass = mass,
                        .position = *joint.at,
                        .velocity = whole.velocity + cross(whole.spin, *joint.at),
                        .spin = whole.spin,
                        .inertia = Vec3{mass, mass, mass}});
    s.add_joint("joint" + std::to_string(i), joint);
  }
  return s;
}

/// The limit of what is in proportion to a mass, from the ends with it and with a hundredth of it.
End limit_of(const End& heavy, const End& light) {
  const auto limit = [](double a, double b) { return b + (b - a) / 99; };
  End out = light;
  for (const int i : {0, 1}) {
    for (int c = 0; c < 3; ++c) out.position[i][c] = limit(heavy.position[i][c], light.position[i][c]);
    const Quat &a = heavy.orientation[i], &b = light.orientation[i];
    out.orientation[i] = normalized(Quat{limit(a.w, b.w), limit(a.x, b.x), limit(a.y, b.y), limit(a.z, b.z)});
  }
  return out;
}

// Kinds that trees have no joint for are chains of two or three with light links between. What is left in the
// limit is the square of their mass over that of bodies, 1e-10, and the joints' own errors.
void expect_same_in_the_limit(const ConstraintJoint& joint, const std::vector<CoordinateJoint>& joints) {
  const End constraint = with_constraint(joint);
  const End heavy = end_of(chain(joints, 1e-5), Method::rk4),
            light = end_of(chain(joints, 1e-7), Method::rk4);
  EXPECT_NEAR(apart(constraint, heavy) / apart(constraint, light), 100, 5);
  EXPECT_LT(apart(constraint, limit_of(heavy, light)), 1e-8);
}
CoordinateJoint ball_at(const Vec3& point) { return {.kind = JointKind::spherical, .at = point}; }
CoordinateJoint slide_along(const Vec3& direction) {
  return {.kind = JointKind::prismatic, .at = at, .axis = direction};
}

TEST(Twins, APointOnALineIsASlideAndABall) {
  expect_same_in_the_limit(
      {.kind = Kind::point_on_line, .body = "child", .parent = "parent", .at = at, .axis = axis},
      {slide_along(axis), ball_at(at)});
}

TEST(Twins, APointOnAPlaneIsTwoSlidesAndABall) {
  expect_same_in_the_limit(
      {.kind = Kind::point_on_plane, .body = "child", .parent = "parent", .at = at, .axis = axis},
      {slide_along(across), slide_along(cross(axis, across)), ball_at(at)});
}

TEST(Twins, ADistanceIsARodBetweenTwoBalls) {
  const Vec3 other = at + Vec3{0.1, 0.3, 0.2};
  expect_same_in_the_limit(
      {.kind = Kind::distance, .body = "child", .parent = "parent", .at = other, .parent_at = at},
      {ball_at(at), ball_at(other)});
}

// A circle of 400 points: its spline is off by some 1e-10 of the radius.
TEST(Twins, APointOnACircleIsACrankAndABall) {
  const double radius = 0.4;
  const Vec3 centre = at - radius * across, third = cross(axis, across);
  ConstraintJoint ring{
      .kind = Kind::point_on_curve, .body = "child", .parent = "parent", .at = at, .closed = true};
  for (int i = 0; i < 400; ++i) {
    const double a = 2 * M_PI * i / 400;
    ring.points.push_back(centre + radius * (std::cos(a) * across + std::sin(a) * third));
  }
  expect_same_in_the_limit(ring, {{.kind = JointKind::revolute, .at = centre, .axis = axis}, ball_at(at)});
}

}  // namespace
}  // namespace stiction::test
