// Boxes on, beside and over boxes: stacks, brick walls, twisted faces, edges.
#include <gtest/gtest.h>

#include <set>

#include "random_scene.h"
#include "support/size.h"

namespace stiction::collision {
namespace {

using test::contacts;
using test::deepest;
using test::Random;

constexpr double edge = 0.2;
const Shape cube = Box{{edge, edge, edge}};
const Shape brick = Box{{0.4, 0.2, 0.2}};

std::set<std::uint64_t> features(const std::vector<ContactPoint>& c) {
  std::set<std::uint64_t> out;
  for (const ContactPoint& p : c) out.insert(p.key.feature);
  return out;
}

TEST(BoxBox, StackOfEqualCubesTouchesAtTheFourCorners) {
  for (int k = 0; k < 20; ++k) {
    const Pose a{{0, 0, 0.1 + edge * k}, {}}, b{{0, 0, 0.1 + edge * (k + 1)}, {}};
    const auto c = contacts(cube, a, cube, b, 0.01);
    ASSERT_EQ(c.size(), 4u);
    double sum_x = 0, sum_y = 0;
    for (const ContactPoint& p : c) {
      EXPECT_NEAR(p.gap, 0, 1e-15);  // heights up to 4 m carry 4.4e-16 each
      EXPECT_EQ(p.normal, (Vec3{0, 0, 1}));
      EXPECT_EQ(std::fabs(p.point_a.x), 0.1);
      EXPECT_EQ(std::fabs(p.point_a.y), 0.1);
      EXPECT_EQ(p.point_b.x, p.point_a.x);
      sum_x += p.point_a.x, sum_y += p.point_a.y;
    }
    EXPECT_EQ(sum_x, 0);
    EXPECT_EQ(sum_y, 0);
  }
}

TEST(BoxBox, NamesInAStackSurviveNoise) {
  Random random(1);
  const Pose a{{0, 0, 0.1}, {}}, b{{0, 0, 0.3}, {}};
  const auto reference = contacts(cube, a, cube, b, 0.01);
  for (int i = 0; i < 500; ++i) {
    const double noise = i % 2 ? 1e-9 : 1e-8;
    const auto c = contacts(cube, test::moved(a, random.vector(noise), random.vector(noise), 1), cube,
                            test::moved(b, random.vector(noise), random.vector(noise), 1), 0.01);
    ASSERT_EQ(c.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(c[k].key, reference[k].key);
      EXPECT_NEAR(c[k].gap, 0, 4 * noise);
      EXPECT_LT(norm(c[k].point_a - reference[k].point_a), 4 * noise);
    }
  }
}

TEST(BoxBox, BricksOffsetByHalfTouchAtTheCornersOfTheOverlap) {
  Random random(2);
  for (const double side : {-1.0, 1.0}) {
    const Pose a{{0, 0, 0.1}, {}}, b{{side * 0.2, 0, 0.3}, {}};
    const auto c = contacts(brick, a, brick, b, 0.01);
    ASSERT_EQ(c.size(), 4u);
    for (const ContactPoint& p : c) {
      EXPECT_NEAR(p.gap, 0, 1e-15);
      const double x = side * p.point_a.x;  // the overlap runs from 0 to 0.2
      EXPECT_NEAR(std::fmin(std::fabs(x), std::fabs(x - 0.2)), 0, 1e-15);
      EXPECT_EQ(std::fabs(p.point_a.y), 0.1);
    }
    const auto reference = features(c);
    for (int i = 0; i < 200; ++i) {
      const auto d = contacts(brick, test::moved(a, random.vector(1e-9), random.vector(1e-9), 1), brick,
                              test::moved(b, random.vector(1e-9), random.vector(1e-9), 1), 0.01);
      EXPECT_EQ(features(d), reference);
    }
  }
}

TEST(BoxBox, BricksSideBySideKeepTheirDistance) {
  Random random(3);
  const Pose a{{0, 0, 0.1}, {}}, b{{0.402, 0, 0.1}, {}};
  const auto c = contacts(brick, a, brick, b, 0.01);
  ASSERT_EQ(c.size(), 4u);
  for (const ContactPoint& p : c) {
    EXPECT_NEAR(p.gap, 0.002, 1e-16);
    EXPECT_EQ(p.normal, (Vec3{1, 0, 0}));
  }
  EXPECT_TRUE(contacts(brick, a, brick, b, 0.0019).empty());
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(features(contacts(brick, a, brick, test::moved(b, random.vector(1e-9), random.vector(1e-9), 1),
                                0.01)),
              features(c));
}

// Beside and one course up: touching heights, 2 mm apart sideways. Faces share a line only.
TEST(BoxBox, DiagonalNeighboursGiveTwoStablePoints) {
  Random random(4);
  const Pose a{{0, 0, 0.1}, {}}, b{{0.402, 0, 0.3}, {}};
  const auto c = contacts(brick, a, brick, b, 0.01);
  ASSERT_EQ(c.size(), 2u);
  for (const ContactPoint& p : c) EXPECT_NEAR(p.gap, 0.002, 1e-16);
  for (int i = 0; i < 200; ++i) {
    const auto d =
        contacts(brick, a, brick, test::moved(b, random.vector(1e-9), random.vector(1e-9), 1), 0.01);
    EXPECT_EQ(features(d), features(c));
  }
  // truly diagonal: parallel edges, both ends, along the diagonal
  const auto e = contacts(brick, a, brick, {{0.403, 0, 0.304}, {}}, 0.01);
  ASSERT_EQ(e.size(), 2u);
  for (const ContactPoint& p : e) {
    EXPECT_NEAR(p.gap, 0.005, 1e-15);
    EXPECT_NEAR(p.normal.x, 0.6, 1e-13);
    EXPECT_NEAR(p.normal.z, 0.8, 1e-13);
    EXPECT_EQ(std::fabs(p.point_a.y), 0.1);
  }
}

TEST(BoxBox, TouchingAlongALineDoesNotFlicker) {
  // four cubes of a grid meet in a line; the diagonal pair has no gap in x nor in z
  Random random(5);
  const Pose a{{0, 0, 0.1}, {}}, b{{edge, 0, 0.3}, {}};
  const auto c = contacts(cube, a, cube, b, 0.01);
  ASSERT_EQ(c.size(), 2u);
  for (int i = 0; i < 200; ++i) {
    const auto d = contacts(cube, a, cube, test::moved(b, random.vector(1e-9), random.vector(1e-9), 1), 0.01);
    ASSERT_EQ(features(d), features(c));
    for (const ContactPoint& p : d) EXPECT_GT(dot(p.normal, c[0].normal), 1 - 1e-12);
  }
}

TEST(BoxBox, NamesPersistWhileSliding) {
  // one brick slides over another, first straight, then askew: names change only where corners pass edges
  std::set<std::uint64_t> last;
  int changes = 0;
  for (int i = 0; i <= 1000; ++i) {
    const Pose b{{0.0123 + 3e-4 * i, 0.0311, 0.2}, {}};
    const auto c = contacts(brick, {}, brick, b, 0.01);
    ASSERT_EQ(c.size(), 4u);
    for (const ContactPoint& p : c) EXPECT_NEAR(p.gap, 0, 1e-15);
    changes += i > 0 && features(c) != last;
    last = features(c);
  }
  EXPECT_EQ(changes, 0);
}

TEST(BoxBox, TwistedFacesKeepFourOfTheOctagon) {
  Random random(6);
  const Quat twist = cayley({0, 0, 0.7});
  const auto c = contacts(cube, {}, cube, {{0, 0, edge}, twist}, 0.01);
  ASSERT_EQ(c.size(), 4u);
  // the centre of the upper cube stays well inside what carries it
  double area = 0;
  Vec3 middle;
  for (const ContactPoint& p : c) middle += 0.25 * p.point_a;
  for (const ContactPoint& p : c)
    for (const ContactPoint& q : c) area = std::fmax(area, norm(p.point_a - q.point_a));
  EXPECT_LT(std::hypot(middle.x, middle.y), 0.02);
  EXPECT_GT(area, 0.2);
  for (int i = 0; i < 200; ++i) {
    const auto d =
        contacts(cube, test::moved({}, random.vector(1e-9), random.vector(1e-9), 1), cube,
                 test::moved({{0, 0, edge}, twist}, random.vector(1e-9), random.vector(1e-9), 1), 0.01);
    const auto names = features(d);  // and the deepest, where noise makes one
    EXPECT_LE(names.size(), 5u);
    for (const std::uint64_t name : features(c)) EXPECT_TRUE(names.contains(name));
  }
}

/// Tilts far below the bias that ties are decided with: the deepest corner of the octagon is there all the
/// same.
TEST(BoxBox, TwistedFacesNeverHideTheDeepestPoint) {
  Random random(7);
  const double far = 0.1 * (std::sqrt(2.0) - 1);
  const Quat twist = cayley({0, 0, 2 * (std::sqrt(2.0) - 1)});  // 45 degrees
  for (int k = 0; k < 300; ++k) {
    const double tilt = std::pow(10.0, -9 + 3 * (k % 10) / 9.0);
    const Vec3 t = random.vector(tilt);
    const Quat tilted = normalized(Quat{1, 0.5 * t.x, 0.5 * t.y, 0} * twist);
    double deepest = 1e300;
    for (const double x : {-0.1, 0.1})
      for (const double y : {-far, far})
        deepest = std::fmin(deepest, std::fmin(t.x * y - t.y * x, t.x * x - t.y * y));
    double found = 1e300;
    for (const ContactPoint& c : contacts(cube, {{0, 0, 0.1}, {}}, cube, {{0, 0, 0.3}, tilted}, 0.01))
      found = std::fmin(found, c.gap);
    EXPECT_NEAR(found, deepest, 1.5e-10) << t.x << " " << t.y;
  }
}

TEST(BoxBox, SmallBoxOnLargeBoxTouchesWithItsOwnCorners) {
  const Shape floor = Box{{100, 100, 1}};
  const Shape small = Box{{0.1, 0.1, 0.1}};
  const auto c = contacts(floor, {{0, 0, -0.5}, {}}, small, {{31.7, -12.3, 0.05}, cayley({0, 0, 0.4})}, 0.01);
  ASSERT_EQ(c.size(), 4u);
  for (const ContactPoint& p : c) EXPECT_NEAR(p.gap, 0, 1e-15);
  // the other way round the points are the same
  const auto d = contacts(small, {{31.7, -12.3, 0.05}, cayley({0, 0, 0.4})}, floor, {{0, 0, -0.5}, {}}, 0.01);
  ASSERT_EQ(d.size(), 4u);
  for (const ContactPoint& p : d) EXPECT_NEAR(p.gap, 0, 2e-14);
}

TEST(BoxBox, CubeOnItsEdgeTouchesWithBothEndsOfIt) {
  Random random(7);
  const double height = 0.1 * std::sqrt(2.0);
  const Quat tilt =
      normalized(Quat{std::cos(0.39269908169872414), std::sin(0.39269908169872414), 0, 0});  // 45 degrees
  for (int i = 0; i < 100; ++i) {
    const Pose b = test::moved({{0.3, 0.2, 0.5 + height}, tilt}, random.vector(1e-9), random.vector(1e-9), 1);
    const auto c = contacts(Box{{2, 2, 1}}, {}, cube, b, 0.01);
    ASSERT_EQ(c.size(), 2u);
    for (const ContactPoint& p : c) EXPECT_NEAR(p.gap, 0, 1e-8);
  }
}

TEST(BoxBox, CrossedEdgesTouchOnceWithTheCommonNormal) {
  // two cubes on their edges, one turned by a quarter: edges along x and along y, 0.01 apart
  const double height = 0.1 * std::sqrt(2.0), quarter = 0.39269908169872414;
  const Quat about_x{std::cos(quarter), std::sin(quarter), 0, 0},
      about_y{std::cos(quarter), 0, std::sin(quarter), 0};
  for (const double gap : {0.01, 1e-9, -1e-9, -0.001}) {
    const auto c =
        contacts(cube, {{0, 0, 0}, about_x}, cube, {{0.02, 0.03, 2 * height + gap}, about_y}, 0.02);
    ASSERT_EQ(c.size(), 1u) << gap;
    EXPECT_NEAR(c[0].gap, gap, 1e-15);
    EXPECT_NEAR(c[0].normal.z, 1, 1e-15);
    EXPECT_NEAR(c[0].point_a.x, 0.02, 1e-15);
    EXPECT_NEAR(c[0].point_a.y, 0, 1e-15);
  }
}

// A brick that tips over the edge of another: the line of contact carries two points, and its far corners are
// seen.
TEST(BoxBox, BrickLandingTiltedSeesItsCornersAhead) {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const Vec3 tilt = random.vector(0.02);
    const Pose b{{0.2, 0.01, 0.21}, cayley(tilt)};
    const auto c = contacts(brick, {}, brick, b, 0.05);
    EXPECT_GE(c.size(), 3u);
    for (const ContactPoint& p : c) EXPECT_GT(p.normal.z, 0.99);
  }
}

// An independent distance: projected gradient with momentum on |x - y|^2, x in a, y in b, in box coordinates.
double distance_by_descent(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b) {
  const auto clamp = [](const Vec3& p, const Vec3& size) {
    Vec3 q;
    for (int i = 0; i < 3; ++i) q[i] = std::clamp(p[i], -0.5 * size[i], 0.5 * size[i]);
    return q;
  };
  Vec3 x, y, x_last, y_last;
  double best = 1e300;
  for (int k = 0, since = 0; k < 20000; ++k, ++since) {
    const double momentum = since / (since + 3.0);
    const Vec3 u = x + momentum * (x - x_last), v = y + momentum * (y - y_last);
    const Vec3 d =
        pose_a.position + rotate(pose_a.orientation, u) - pose_b.position - rotate(pose_b.orientation, v);
    x_last = x, y_last = y;
    x = clamp(u - 0.5 * rotate_back(pose_a.orientation, d), a.size);
    y = clamp(v + 0.5 * rotate_back(pose_b.orientation, d), b.size);
    const double now = norm(pose_a.position + rotate(pose_a.orientation, x) - pose_b.position -
                            rotate(pose_b.orientation, y));
    if (now > best) since = 0;
    best = std::fmin(best, now);
  }
  return best;
}

TEST(BoxBox, DistanceAgreesWithDescent) {
  Random random(9);
  int compared = 0;
  for (int i = 0; i < ::stiction::test::cases(400, 400); ++i) {
    const Shape a = random.box(), b = random.box();
    const Pose pose_a = random.pose(1.2), pose_b = random.pose(1.2);
    const auto c = contacts(a, pose_a, b, pose_b, 5.0);
    ASSERT_FALSE(c.empty());
    const double distance = distance_by_descent(std::get<Box>(a), pose_a, std::get<Box>(b), pose_b);
    if (deepest(c).gap <= 0) {
      EXPECT_LT(distance, 1e-6);
    } else {
      ++compared;
      EXPECT_NEAR(deepest(c).gap, distance, 1e-8);
    }
  }
  EXPECT_GT(compared, ::stiction::test::cases(100, 100));
}

// The same near faces: boxes almost parallel, a little apart, where the kinds of contact meet.
TEST(BoxBox, NearlyParallelBoxesAreExactToo) {
  Random random(10);
  for (int i = 0; i < 5000; ++i) {
    const double angle = std::pow(10.0, random.uniform(-10, -0.5));
    const Pose b{{random.uniform(-0.45, 0.45), random.uniform(-0.25, 0.25), 0.2 + random.uniform(0.0, 0.02)},
                 cayley(random.vector(angle))};
    const auto c = contacts(brick, {}, brick, b, 1.0);
    ASSERT_FALSE(c.empty());
    const ContactPoint& p = deepest(c);
    if (p.gap < 1e-6) continue;
    const double bound = -test::support(brick, b, -p.normal) - test::support(brick, {}, p.normal);
    ASSERT_NEAR(bound, p.gap, 1e-12 + 3e-7) << angle;  // 3e-7: ties within 3e-6 of the half edge 0.1 .. 0.2
    for (const ContactPoint& q : c) {
      // every point of b lies on b, every point of a on a, up to the tolerance of ties
      EXPECT_NEAR(test::surface_distance(brick, {}, q.point_a), 0, 3e-7);
      EXPECT_NEAR(test::surface_distance(brick, b, q.point_b), 0, 3e-7);
    }
  }
}

// A vertex over a face is fixed to its body: the rate of its gap is the normal velocity, for each of the
// points.
TEST(BoxBox, GapRatesOfVertexPoints) {
  Random random(11);
  const Shape floor = Box{{4, 4, 1}};
  int compared = 0;
  for (int i = 0; i < 200; ++i) {
    const Pose a{random.vector(0.1), cayley(random.vector(0.1))};
    const Pose b{a.position + rotate(a.orientation, {random.uniform(-1, 1), random.uniform(-1, 1), 0.65}),
                 normalized(a.orientation * cayley({0.1, 0.05, random.uniform(-1, 1)}))};
    const Vec3 v_a = random.vector(), w_a = random.vector(), v_b = random.vector(), w_b = random.vector();
    const double h = 1e-6;
    const auto at = [&](double time) {
      return contacts(floor, test::moved(a, v_a, w_a, time), cube, test::moved(b, v_b, w_b, time), 0.3);
    };
    const auto before = at(-h), now = at(0), after = at(h);
    ASSERT_EQ(now.size(), 4u);
    ASSERT_EQ(features(before), features(after));
    for (std::size_t k = 0; k < now.size(); ++k) {
      const ContactPoint& p = now[k];
      const Vec3 u = v_b + cross(w_b, p.point_b - b.position) - v_a - cross(w_a, p.point_a - a.position);
      EXPECT_NEAR((after[k].gap - before[k].gap) / (2 * h), dot(p.normal, u), 1e-8);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 800);
}

}  // namespace
}  // namespace stiction::collision
