// What must hold for every pair of shapes, on random poses.
#include <gtest/gtest.h>

#include <limits>

#include "random_scene.h"
#include "stiction/collision/overlap.h"

namespace stiction::collision {
namespace {

using test::contacts;
using test::deepest;
using test::Random;

constexpr double margin = 0.7;
constexpr int kinds = 4;

template <class Body>
void for_random_pairs(unsigned seed, int count, const Body& body) {
  Random random(seed);
  for (int i = 0; i < kinds; ++i)
    for (int j = 0; j < kinds; ++j) {
      if (i == 3 && j == 3) continue;
      for (int k = 0; k < count; ++k) {
        const Shape a = random.shape(i), b = random.shape(j);
        const Pose pose_a = random.pose(1.2), pose_b = random.pose(1.2);
        body(random, a, pose_a, b, pose_b);
        if (testing::Test::HasFailure()) {
          ADD_FAILURE() << name(kind(a)) << " " << name(kind(b)) << " case " << k;
          return;
        }
      }
    }
}

TEST(Invariance, ContactsAreConsistent) {
  int found = 0;
  for_random_pairs(
      1, 1000, [&](Random&, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
        const auto c = contacts(a, pose_a, b, pose_b, margin);
        found += !c.empty();
        std::vector<ContactKey> keys;
        for (const ContactPoint& p : c) {
          EXPECT_LT(p.gap, margin);
          EXPECT_NEAR(norm(p.normal), 1, 1e-14);
          EXPECT_NEAR(dot(p.normal, p.point_b - p.point_a), p.gap, 1e-13);
          EXPECT_EQ(p.key.a, 3);
          EXPECT_EQ(p.key.b, 8);
          keys.push_back(p.key);
        }
        std::sort(keys.begin(), keys.end());
        EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end()) << "two contacts of one name";
        EXPECT_LE(c.size(), kind(a) == ShapeKind::half_space || kind(b) == ShapeKind::half_space ? 8u : 5u);
        if (c.empty()) return;
        EXPECT_EQ(overlaps(a, pose_a, b, pose_b), deepest(c).gap < 0);
      });
  EXPECT_GT(found, 5000);
}

// While apart, points on the surfaces bound the distance from above, and the support planes along the normal
// bound it from below: where both meet, gap and normal are proved to be those of the closest points.
TEST(Invariance, SeparatedGapIsTheDistance) {
  int apart = 0;
  for_random_pairs(
      2, 2000, [&](Random&, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
        const auto c = contacts(a, pose_a, b, pose_b, margin);
        if (c.empty() || deepest(c).gap <= 1e-9) return;
        ++apart;
        const ContactPoint& p = deepest(c);
        EXPECT_NEAR(test::surface_distance(a, pose_a, p.point_a), 0, 1e-13);
        EXPECT_NEAR(test::surface_distance(b, pose_b, p.point_b), 0, 1e-13);
        EXPECT_NEAR(norm(p.point_b - p.point_a), p.gap, 1e-13);
        EXPECT_NEAR(-test::support(b, pose_b, -p.normal) - test::support(a, pose_a, p.normal), p.gap, 1e-12);
      });
  EXPECT_GT(apart, 3000);
}

// While overlapping, the separation along the normal is the gap, and no other direction separates better.
TEST(Invariance, OverlapIsTheLeastDepth) {
  int deep = 0;
  for_random_pairs(
      3, 1500, [&](Random& random, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
        const auto c = contacts(a, pose_a, b, pose_b, margin);
        if (c.empty() || deepest(c).gap >= 0) return;
        if (kind(a) == ShapeKind::half_space || kind(b) == ShapeKind::half_space) return;
        // deep capsules: the stretch over the face counts, not the axis beyond it
        const auto is_capsule = [](const Shape& s) { return kind(s) == ShapeKind::capsule; };
        if (is_capsule(a) && deepest(c).gap < -std::get<Capsule>(a).radius) return;
        if (is_capsule(b) && deepest(c).gap < -std::get<Capsule>(b).radius) return;
        ++deep;
        const ContactPoint& p = deepest(c);
        const auto separation = [&](const Vec3& n) {
          return -test::support(b, pose_b, -n) - test::support(a, pose_a, n);
        };
        EXPECT_NEAR(separation(p.normal), p.gap,
                    3e-6);  // near ties the face in force stays: 2e-6 of the smaller box
        for (int i = 0; i < 300; ++i) {
          const Vec3 n = i % 2 ? random.direction() : normalized(p.normal + random.vector(0.1));
          EXPECT_LE(separation(n), p.gap + 3e-6);
        }
      });
  EXPECT_GT(deep, 2500);
}

TEST(Invariance, ExchangingTheShapes) {
  for_random_pairs(
      4, 1000, [&](Random&, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
        const auto c = contacts(a, pose_a, b, pose_b, margin), d = contacts(b, pose_b, a, pose_a, margin);
        ASSERT_EQ(c.empty(), d.empty());
        if (c.empty()) return;
        EXPECT_NEAR(deepest(c).gap, deepest(d).gap, 1e-13);
        EXPECT_LT(norm(deepest(c).normal + deepest(d).normal), 1e-9);
        if (kind(a) == kind(b)) return;
        // different kinds run the same code: the same contacts in the same order with the same features
        ASSERT_EQ(c.size(), d.size());
        for (std::size_t i = 0; i < c.size(); ++i) {
          EXPECT_EQ(c[i].key.feature, d[i].key.feature);
          EXPECT_NEAR(c[i].gap, d[i].gap, 1e-14);
          EXPECT_LT(norm(c[i].point_a - d[i].point_b), 1e-13);
          EXPECT_LT(norm(c[i].normal + d[i].normal), 1e-12);
        }
      });
}

TEST(Invariance, RigidMotionOfBoth) {
  for_random_pairs(
      5, 1000, [&](Random& random, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
        const Pose m = random.pose(3);
        const auto carry = [&](const Pose& p) {
          return Pose{m.position + rotate(m.orientation, p.position),
                      normalized(m.orientation * p.orientation)};
        };
        const auto c = contacts(a, pose_a, b, pose_b, margin);
        const auto d = contacts(a, carry(pose_a), b, carry(pose_b), margin);
        ASSERT_EQ(c.size(), d.size());
        for (std::size_t i = 0; i < c.size(); ++i) {
          EXPECT_EQ(c[i].key, d[i].key);
          EXPECT_NEAR(c[i].gap, d[i].gap, 2e-14);
          EXPECT_LT(norm(rotate(m.orientation, c[i].normal) - d[i].normal), 1e-9);
          EXPECT_LT(norm(m.position + rotate(m.orientation, c[i].point_a) - d[i].point_a), 1e-9);
        }
      });
}

TEST(Invariance, PosesThatAreNotNumbersTouchNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for_random_pairs(7, 20, [&](Random&, const Shape& a, const Pose& pose_a, const Shape& b, Pose pose_b) {
    pose_b.position = {nan, nan, nan};
    EXPECT_TRUE(contacts(a, pose_a, b, pose_b, margin).empty());
    EXPECT_TRUE(contacts(b, pose_b, a, pose_a, margin).empty());
  });
}

// Far from the origin nothing is lost but the digits of the positions themselves.
TEST(Invariance, FarFromTheOrigin) {
  const Vec3 far{1048576, -2097152, 524288};  // powers of two: the shift itself is exact for these positions
  const Pose a{{0.5, 0.25, 0}, {}}, b{{0.5, 0.25, 1.5}, {}};
  for (const Shape& s : {Shape{Sphere{0.5}}, Shape{Box{{1, 1, 1}}}, Shape{Capsule{0.25, 0.5}}}) {
    const auto near = contacts(s, a, s, b, 1);
    const auto moved = contacts(s, {a.position + far, {}}, s, {b.position + far, {}}, 1);
    ASSERT_EQ(near.size(), moved.size());
    for (std::size_t i = 0; i < near.size(); ++i) EXPECT_EQ(near[i].gap, moved[i].gap);
  }
}

// d gap / dt = n.(v_b - v_a) at the contact points, by central differences; e^2 of the step against round-off
// / step.
TEST(Invariance, GapRateIsTheNormalVelocityOfTheDeepestPoint) {
  int compared = 0;
  for_random_pairs(
      6, 300, [&](Random& random, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
        const auto c = contacts(a, pose_a, b, pose_b, margin);
        if (c.empty() || deepest(c).gap < 0.01) return;
        const ContactPoint p = deepest(c);
        const Vec3 v_a = random.vector(), w_a = random.vector(), v_b = random.vector(), w_b = random.vector();
        const double h = 1e-6;
        const auto gap_at = [&](double time) {
          const auto d =
              contacts(a, test::moved(pose_a, v_a, w_a, time), b, test::moved(pose_b, v_b, w_b, time), 2.0);
          return deepest(d).gap;
        };
        const double before = gap_at(-h), after = gap_at(h), middle = gap_at(0);
        // the closest features change within the step: the rate has a kink there
        if (std::fabs(after - 2 * middle + before) > 1e-3 * h) return;
        ++compared;
        const Vec3 u_b = v_b + cross(w_b, p.point_b - pose_b.position);
        const Vec3 u_a = v_a + cross(w_a, p.point_a - pose_a.position);
        EXPECT_NEAR((after - before) / (2 * h), dot(p.normal, u_b - u_a), 1e-7);
      });
  EXPECT_GT(compared, 1000);
}

// The least gap never jumps: along a path it changes by no more than the shapes move.
TEST(Invariance, LeastGapIsContinuous) {
  Random random(9);
  int samples = 0;
  for (int i = 0; i < kinds; ++i)
    for (int j = 0; j < kinds; ++j)
      for (int k = 0; k < 40 && !(i == 3 && j == 3); ++k) {
        const Shape a = random.shape(i), b = random.shape(j);
        Pose pose = random.pose(0.1);
        pose.position += 2.0 * random.direction();
        const Vec3 v = -normalized(pose.position) + random.vector(0.3), w = random.vector(1);
        const double h = 1e-3, reach = 3.0;  // no point of b is farther from its origin, nor from the contact
        const double most = h * (norm(v) + norm(w) * (j == 3 ? 6.0 : reach)) + 4e-6;
        double last = 0;
        for (int step = 0; step < 1500; ++step) {
          pose = test::moved(pose, v, w, h);
          const auto c = contacts(a, {}, b, pose, 100.0);
          ASSERT_FALSE(c.empty());
          const double gap = deepest(c).gap;
          // a capsule's axis within a box is where the depth may jump
          if (gap < -0.1) break;
          if (step > 0) {
            ++samples;
            ASSERT_LE(std::fabs(gap - last), most) << i << " " << j << " path " << k << " step " << step;
          }
          last = gap;
        }
      }
  EXPECT_GT(samples, 100000);
}

}  // namespace
}  // namespace stiction::collision
