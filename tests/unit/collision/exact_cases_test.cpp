// Cases whose answer is known by hand.
#include <gtest/gtest.h>

#include "random_scene.h"
#include "stiction/collision/overlap.h"

namespace stiction::collision {
namespace {

using test::contacts;

constexpr double tiny = 1e-15;  // a few round-offs of lengths near one
const double half_turn = std::sqrt(0.5);
const Quat along_x{half_turn, 0, half_turn, 0};   // turns z into x
const Quat along_y{half_turn, -half_turn, 0, 0};  // turns z into y

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(Exact, SphereSphere) {
  const auto c = contacts(Sphere{1}, {{0, 0, 0}, {}}, Sphere{2}, {{0, 0, 3.5}, {}}, 1);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(c[0].gap, 0.5);
  EXPECT_EQ(c[0].normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(c[0].point_a, (Vec3{0, 0, 1}));
  EXPECT_EQ(c[0].point_b, (Vec3{0, 0, 1.5}));
  EXPECT_EQ(c[0].key, (ContactKey{3, 8, 0}));
  EXPECT_TRUE(
      contacts(Sphere{1}, {{0, 0, 0}, {}}, Sphere{2}, {{0, 0, 3.5}, {}}, 0.5).empty());  // gap < margin
}

TEST(Exact, CoincidentSpheresStillHaveAUnitNormal) {
  const auto c = contacts(Sphere{1}, {{1, 2, 3}, {}}, Sphere{2}, {{1, 2, 3}, {}}, 1);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(c[0].gap, -3);
  EXPECT_EQ(norm(c[0].normal), 1);
}

TEST(Exact, HalfSpaceSphere) {
  // plane 2 z = 2 * 0.25 in body coordinates, body at z = 1: boundary at 1.25
  const auto c = contacts(HalfSpace{{0, 0, 2}, 0.25}, {{5, 5, 1}, {}}, Sphere{0.5}, {{0, 0, 2}, {}}, 1);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(c[0].gap, 0.25);
  EXPECT_EQ(c[0].normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(c[0].point_a, (Vec3{0, 0, 1.25}));
  EXPECT_EQ(c[0].point_b, (Vec3{0, 0, 1.5}));
}

TEST(Exact, SphereBoxAtFaceEdgeCornerAndInside) {
  const Shape box = Box{{2, 2, 2}};
  const auto face = contacts(Sphere{0.5}, {{0.3, 0.2, 1.75}, {}}, box, {}, 1);
  ASSERT_EQ(face.size(), 1u);
  EXPECT_EQ(face[0].gap, 0.25);
  EXPECT_EQ(face[0].normal, (Vec3{0, 0, -1}));
  const auto edge = contacts(Sphere{0.5}, {{0, 1.3, 1.4}, {}}, box, {}, 1);  // 3-4-5
  EXPECT_NEAR(edge[0].gap, 0.0, tiny);
  expect_near(edge[0].point_b, {0, 1, 1}, tiny);
  expect_near(edge[0].normal, {0, -0.6, -0.8}, tiny);
  const auto corner = contacts(Sphere{0.5}, {{2, 3, 3}, {}}, box, {}, 3);  // 1-2-2-3
  EXPECT_NEAR(corner[0].gap, 2.5, tiny);
  const auto inside = contacts(Sphere{0.5}, {{0.1, -0.75, 0.2}, {}}, box, {}, 1);
  EXPECT_EQ(inside[0].gap, -0.75);
  EXPECT_EQ(inside[0].normal, (Vec3{0, 1, 0}));
  EXPECT_EQ(inside[0].point_b, (Vec3{0.1, -1, 0.2}));
}

TEST(Exact, SphereCapsule) {
  const Shape capsule = Capsule{0.25, 2};
  const auto side = contacts(Sphere{0.5}, {{1, 0, 0.3}, {}}, capsule, {}, 1);
  EXPECT_EQ(side[0].gap, 0.25);
  EXPECT_EQ(side[0].normal, (Vec3{-1, 0, 0}));
  const auto cap = contacts(Sphere{0.5}, {{0.3, 0, 1.4}, {}}, capsule, {}, 1);
  EXPECT_NEAR(cap[0].gap, -0.25, tiny);
}

TEST(Exact, CapsuleOnPlaneTouchesWithBothCaps) {
  const auto c = contacts(HalfSpace{}, {}, Capsule{0.25, 2}, {{0, 0, 0.25}, along_x}, 0.1);
  ASSERT_EQ(c.size(), 2u);
  for (const ContactPoint& p : c) EXPECT_NEAR(p.gap, 0, tiny);
  expect_near(c[0].point_b, {-1, 0, 0}, tiny);
  expect_near(c[1].point_b, {1, 0, 0}, tiny);
  EXPECT_EQ(c[0].key.feature, 0u);
  EXPECT_EQ(c[1].key.feature, 1u);
}

TEST(Exact, CrossedCapsulesTouchOnce) {
  const auto c =
      contacts(Capsule{0.25, 2}, {{0, 0, 0}, along_x}, Capsule{0.5, 2}, {{0.1, 0.2, 1}, along_y}, 1);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].gap, 0.25, tiny);
  expect_near(c[0].normal, {0, 0, 1}, tiny);
  expect_near(c[0].point_a, {0.1, 0, 0.25}, tiny);
}

TEST(Exact, ParallelCapsulesTouchTwice) {
  // b lies above a, shifted by 0.5: beside each other for x from -0.5 to 1
  const Pose a{{0, 0, 0}, along_x}, b{{0.5, 0, 1}, along_x};
  const auto c = contacts(Capsule{0.25, 2}, a, Capsule{0.5, 2}, b, 1);
  ASSERT_EQ(c.size(), 2u);
  expect_near(c[0].point_a, {-0.5, 0, 0.25}, tiny);
  expect_near(c[1].point_a, {1, 0, 0.25}, tiny);
  for (const ContactPoint& p : c) EXPECT_NEAR(p.gap, 0.25, tiny);
  // the same names after a turn of 1e-9 in any direction, and when the other one lies the other way round
  test::Random random(3);
  for (int i = 0; i < 50; ++i) {
    const auto d = contacts(Capsule{0.25, 2}, a, Capsule{0.5, 2},
                            test::moved(b, random.vector(1e-9), random.vector(1e-9), 1), 1);
    ASSERT_EQ(d.size(), 2u);
    EXPECT_EQ(d[0].key, c[0].key);
    EXPECT_EQ(d[1].key, c[1].key);
  }
  const Quat back = along_x * Quat{0, 1, 0, 0};
  EXPECT_EQ(contacts(Capsule{0.25, 2}, a, Capsule{0.5, 2}, {b.position, back}, 1).size(), 2u);
}

TEST(Exact, ParallelCapsulesEndToEndTouchOnce) {
  const auto c = contacts(Capsule{0.25, 2}, {{0, 0, 0}, along_x}, Capsule{0.25, 2}, {{3, 0, 0}, along_x}, 1);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].gap, 0.5, tiny);
}

TEST(Exact, CapsulesCrossingAtASmallAngleKeepTheCrossing) {
  const Quat turn = cayley({0, 0, 0.05});
  const auto c =
      contacts(Capsule{0.25, 2}, {{0, 0, 0}, along_x}, Capsule{0.25, 2}, {{0, 0, 0.5}, turn * along_x}, 1);
  ASSERT_EQ(c.size(), 3u);
  EXPECT_NEAR(test::deepest(c).gap, 0, tiny);
  EXPECT_EQ(test::deepest(c).key.feature, 0u);
}

TEST(Exact, CapsuleLyingOnABoxTouchesTwice) {
  const Shape box = Box{{2, 2, 2}};
  // from x = -1.5 to 0.5: over the face from -1 on
  const auto c = contacts(Capsule{0.25, 2}, {{-0.5, 0, 1.25}, along_x}, box, {}, 0.1);
  ASSERT_EQ(c.size(), 2u);
  for (const ContactPoint& p : c) {
    EXPECT_NEAR(p.gap, 0, tiny);
    expect_near(p.normal, {0, 0, -1}, tiny);
  }
  expect_near(c[0].point_b, {-1, 0, 1}, tiny);
  expect_near(c[1].point_b, {0.5, 0, 1}, tiny);
  // flush with the edge y = 1: still two, whatever the noise
  test::Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Pose noisy = test::moved({{0, 1, 1.25}, along_x}, random.vector(1e-9), random.vector(1e-9), 1);
    const auto d = contacts(Capsule{0.25, 1}, noisy, box, {}, 0.1);
    ASSERT_EQ(d.size(), 2u);
    EXPECT_EQ(d[0].key.feature, 1u);
    EXPECT_EQ(d[1].key.feature, 2u);
  }
}

TEST(Exact, CapsuleAlongAnEdgeTouchesTwiceAndAcrossItOnce) {
  const Shape box = Box{{2, 2, 2}};
  const double s = 1 + 0.5 * half_turn;
  const auto along = contacts(Capsule{0.25, 1}, {{0, s, s}, along_x}, box, {}, 1);
  ASSERT_EQ(along.size(), 2u);
  for (const ContactPoint& p : along) EXPECT_NEAR(p.gap, 0.25, tiny);
  const Quat across = cayley({0, 1, 1}) * along_x;  // about the normal
  EXPECT_EQ(contacts(Capsule{0.25, 1}, {{0, s, s}, across}, box, {}, 1).size(), 1u);
}

TEST(Exact, CapsuleStandingOnABoxTouchesOnce) {
  const auto c = contacts(Capsule{0.25, 1}, {{0.2, 0.3, 1.75}, {}}, Box{{2, 2, 2}}, {}, 0.1);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(c[0].gap, 0);
}

TEST(Exact, CapsuleAxisInsideABox) {
  // the whole axis 0.25 below the top face
  const auto c = contacts(Capsule{0.125, 1}, {{0, 0, 0.75}, along_x}, Box{{2, 2, 2}}, {}, 0.1);
  ASSERT_EQ(c.size(), 2u);
  for (const ContactPoint& p : c) EXPECT_NEAR(p.gap, -0.375, tiny);
  // upright, its lower end 0.25 deep
  const auto d = contacts(Capsule{0.125, 1}, {{0, 0, 1.25}, {}}, Box{{2, 2, 2}}, {}, 0.1);
  ASSERT_EQ(d.size(), 1u);
  EXPECT_NEAR(d[0].gap, -0.375, tiny);
}

TEST(Exact, RestingBoxHasFourPointsHoweverWideTheMargin) {
  const Shape plate = Box{{1, 2, 0.01}};
  for (const double margin : {1e-6, 1e-3, 0.1, 10.0}) {
    const auto c = contacts(HalfSpace{}, {}, plate, {{0, 0, 0.005}, {}}, margin);
    ASSERT_EQ(c.size(), 4u) << margin;
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(c[i].gap, 0);
      EXPECT_EQ(c[i].key.feature, i);  // the vertices with z = -0.005
    }
  }
}

TEST(Exact, TumblingBoxGivesEveryVertexBelowTheMargin) {
  test::Random random(11);
  int more_than_four = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Shape box = random.box();
    const Pose pose{{0, 0, random.uniform(0, 3)}, random.orientation()};
    const auto c = contacts(HalfSpace{}, {}, box, pose, 1.0);
    more_than_four += c.size() > 4;
    const double lowest = -test::support(box, pose, {0, 0, -1});
    if (lowest >= 1.0) {
      EXPECT_TRUE(c.empty());
    } else {
      ASSERT_FALSE(c.empty());
      EXPECT_NEAR(test::deepest(c).gap, lowest, 1e-14);
    }
  }
  EXPECT_GT(more_than_four, 20);
}

TEST(Exact, PairsWithoutAnEntryGiveNothing) {
  EXPECT_TRUE(contacts(HalfSpace{}, {}, HalfSpace{}, {}, 1).empty());
  EXPECT_TRUE(contacts(NoShape{}, {}, Sphere{1}, {}, 1).empty());
  EXPECT_TRUE(contacts(Box{{1, 1, 1}}, {}, NoShape{}, {}, 1).empty());
  EXPECT_FALSE(overlaps(HalfSpace{}, {}, HalfSpace{}, {}));
  EXPECT_FALSE(overlaps(NoShape{}, {}, Sphere{1}, {}));
}

TEST(Exact, Overlaps) {
  EXPECT_TRUE(overlaps(Sphere{1}, {}, Box{{1, 1, 1}}, {{1.4, 0, 0}, {}}));
  EXPECT_FALSE(overlaps(Sphere{1}, {}, Box{{1, 1, 1}}, {{1.5, 0, 0}, {}}));  // touching is not overlapping
  EXPECT_TRUE(overlaps(Box{{1, 1, 1}}, {}, Sphere{0.1}, {}));
  EXPECT_TRUE(overlaps(Box{{1, 1, 1}}, {}, Box{{0.1, 0.1, 0.1}}, {}));
  EXPECT_TRUE(overlaps(HalfSpace{}, {}, Capsule{0.1, 1}, {{0, 0, -5}, {}}));
}

TEST(Exact, ContactStatesHaveNames) {
  EXPECT_STREQ(name(ContactState::open), "open");
  EXPECT_STREQ(name(ContactState::sticking), "sticking");
  EXPECT_STREQ(name(ContactState::sliding), "sliding");
  EXPECT_STREQ(name(ContactState::rolling), "rolling");
}

}  // namespace
}  // namespace stiction::collision
