// Manifolds of convex bodies: their least gap is that of closest_points(), faces and lines get all the points
// they need, and names last.
#include "stiction/collision/convex/manifold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/size.h"
#include "unit/collision/convex_pairs.h"

namespace stiction::collision {
namespace {

using narrow::Manifold;
constexpr double far = 1e3;  // [m] a margin that everything is below

Manifold manifold(const Convex& a, const Pose& pa, const Convex& b, const Pose& pb, double margin = far) {
  Manifold out(margin);
  convex_manifold(a, pa, b, pb, out);
  return out;
}

double least_gap(const Manifold& m) {
  double least = 1e300;
  for (const narrow::Point& p : m) least = std::fmin(least, p.gap);
  return least;
}

int below(const Manifold& m, double gap) {
  return int(std::count_if(m.begin(), m.end(), [&](const narrow::Point& p) { return p.gap < gap; }));
}

// A point must not stick out of its body along the normal, nor belie its gap.
void expect_sound(const Manifold& m, const Convex& a, const Pose& pa, const Convex& b, const Pose& pb) {
  const bool flat = std::holds_alternative<HalfSpace>(a.core);  // reaches as far as its boundary
  const double size = flat ? extent_of(b) : std::fmin(extent_of(a), extent_of(b));
  std::set<std::uint64_t> names;
  for (const narrow::Point& p : m) {
    ASSERT_NEAR(norm(p.normal), 1, 1e-14);
    ASSERT_NEAR(dot(p.normal, p.point_b - p.point_a), p.gap, 1e-12 * (1 + size));
    ASSERT_LE(norm(p.point_b - p.point_a), std::fabs(p.gap) + 1e-9 * (1 + size));
    const Vec3 na = rotate_back(pa.orientation, p.normal), nb = rotate_back(pb.orientation, -p.normal);
    ASSERT_LE(dot(p.normal, p.point_a), (flat ? 0 : dot(na, support(a, na))) + 3e-6 * size);
    ASSERT_LE(dot(-p.normal, p.point_b - (pb.position - pa.position)), dot(nb, support(b, nb)) + 3e-6 * size);
    ASSERT_TRUE(names.insert(p.feature).second) << "two points of one name";
  }
}

class ManifoldOfPair : public testing::TestWithParam<int> {};

TEST_P(ManifoldOfPair, HasTheGapOfTheClosestPoints) {
  int i = 0, j = GetParam();
  while (j > i) j -= ++i;
  ConvexRandom random(unsigned(7000 + 100 * i + j));
  const int poses = test::cases(300, 20000);
  double worst = 0;
  for (int k = 0; k < poses; ++k) {
    const Convex a = random.body(i), b = random.body(j);
    Pose pa, pb;
    random.place(a, b, random.uniform(0.8, 1.3), pa, pb);
    const ClosestPoints c = closest_points(a, pa, b, pb);
    if (!(c.gap > -0.2 * std::fmin(extent_of(a), extent_of(b)))) continue;
    const Manifold m = manifold(a, pa, b, pb);
    ASSERT_GE(m.count(), 1);
    ASSERT_LE(m.count(), 8);
    ASSERT_NO_FATAL_FAILURE(expect_sound(m, a, pa, b, pb)) << k;
    worst = std::fmax(worst, std::fabs(least_gap(m) - c.gap) / std::fmin(extent_of(a), extent_of(b)));
  }
  EXPECT_LT(worst, 6.1e-9);  // the tie of faces, for the face and for its points
}
INSTANTIATE_TEST_SUITE_P(Convex, ManifoldOfPair,
                         testing::Range(0, ConvexRandom::kinds*(ConvexRandom::kinds + 1) / 2));

// The least gap above a plane is the height of the lowest point, whatever face looks down.
TEST(ManifoldOnPlane, HasTheHeightOfTheLowestPoint) {
  ConvexRandom random(7700);
  const Convex plane{HalfSpace{{0, 0, 1}, 0}};
  const std::vector<Vec3> keel{{-1, 0, 0},           {0, 0, 0},        {1.143, 0.275, 0.1},
                               {1.143, -0.275, 0.1}, {-1, 0.275, 0.1}, {-1, -0.275, 0.1}};
  double worst = 0;
  for (int k = 0; k < test::cases(3000, 100000); ++k) {
    const Convex b = k % 4 == 0 ? Convex{convex_hull(keel).or_exit()} : random.body(k % ConvexRandom::kinds);
    Pose pb{{0, 0, 0},
            k % 8 == 0 ? Quat{1, 0.05 * random.gauss().x, 0.05 * random.gauss().y, 0} : random.turn()};
    pb.orientation = normalized(pb.orientation);
    const Vec3 down = rotate_back(pb.orientation, {0, 0, -1});
    const double lowest = -dot(down, support(b, down)), depth = random.uniform(-0.1, 0.1);
    pb.position.z = depth - lowest;
    const Manifold m = manifold(plane, {}, b, pb);
    ASSERT_GE(m.count(), 1) << k;
    worst = std::fmax(worst, std::fabs(least_gap(m) - depth) / extent_of(b));
  }
  EXPECT_LT(worst, 1e-12);  // both are sums of a few products
}

TEST_P(ManifoldOfPair, ExchangedIsTheSameTurnedRound) {
  int i = 0, j = GetParam();
  while (j > i) j -= ++i;
  ConvexRandom random(unsigned(9000 + 100 * i + j));
  for (int k = 0; k < 50; ++k) {
    const Convex a = random.body(i), b = random.body(j);
    Pose pa, pb;
    random.place(a, b, 1.05, pa, pb);
    const Manifold m = manifold(a, pa, b, pb), n = manifold(b, pb, a, pa);
    EXPECT_NEAR(least_gap(m), least_gap(n), 6.1e-9 * std::fmin(extent_of(a), extent_of(b)));
  }
}

// --- what rests on what

Polyhedron cube(double edge) {
  std::vector<Vec3> p;
  for (int i = 0; i < 8; ++i)
    p.push_back(0.5 * edge * Vec3{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  return convex_hull(p).or_exit();
}

Quat about(const Vec3& axis, double angle) {
  const Vec3 v = std::sin(0.5 * angle) * normalized(axis);
  return {std::cos(0.5 * angle), v.x, v.y, v.z};
}
constexpr double quarter = 1.5707963267948966;

HalfSpace plane(const Vec3& n, double d) { return {n, d}; }
Intersection dome() { return intersection({ball_face({}, 0.5), plane({0, 0, -1}, 0.2)}).or_exit(); }
Intersection can() {
  return intersection({tube_face({}, {0, 0, 1}, 0.5), plane({0, 0, 1}, 0.5), plane({0, 0, -1}, 0.5)})
      .or_exit();
}
// along x, cut a little below its axis
Intersection gutter() {
  return intersection({tube_face({}, {1, 0, 0}, 0.5), plane({1, 0, 0}, 0.5), plane({-1, 0, 0}, 0.5),
                       plane({0, 0, -1}, 0.2)})
      .or_exit();
}
// the cone of radius 0.5 and height 2 about its centre of mass, without its tip
Intersection frustum() {
  return intersection(
             {cone_face({0, 0, 1.5}, {0, 0, 1}, 0.25), plane({0, 0, 1}, 0.7), plane({0, 0, -1}, 0.5)})
      .or_exit();
}
Intersection block() {
  std::vector<Inequality> faces;
  for (int i = 0; i < 6; ++i) {
    Vec3 n;
    n[i / 2] = i % 2 ? -1 : 1;
    faces.push_back(plane(n, 0.5));
  }
  return intersection(faces).or_exit();
}

struct Rest {
  const char* name;
  Convex body;
  Quat turn;
  double height;  // [m] of its centre over the ground
  int points;     // [-] that touch; -1: many, up to eight
};

std::vector<Rest> rests() {
  const double slope = std::atan2(0.5, 2.0);  // of the side of a cone of radius 0.5, height 2
  return {{"cylinder on its end", Cylinder{0.5, 1}, {}, 0.5, 4},
          {"cylinder on its other end", Cylinder{0.5, 1}, about({1, 0, 0}, 2 * quarter), 0.5, 4},
          {"cylinder on its side", Cylinder{0.5, 1}, about({1, 0, 0}, quarter), 0.5, 2},
          {"cylinder on its side, turned", Cylinder{0.5, 1},
           about({1, 0, 0}, quarter) * about({0, 0, 1}, 0.7), 0.5, 2},
          {"rounded cylinder on its end", {Cylinder{0.4, 0.8}, 0.1}, {}, 0.5, 4},
          {"cone on its base", Cone{0.5, 2}, {}, 0.5, 4},
          {"cone on its side", Cone{0.5, 2}, about({0, 1, 0}, quarter + slope), 1.5 * std::sin(slope), 2},
          {"cube", cube(1), {}, 0.5, 4},
          {"cube, turned", cube(1), about({0, 0, 1}, 0.3), 0.5, 4},
          {"box", Box{{1, 1, 1}}, about({1, 0, 0}, quarter), 0.5, 4},
          {"rounded box", {Box{{0.8, 0.8, 0.8}}, 0.1}, {}, 0.5, 4},
          {"ellipsoid", Ellipsoid{{1, 1, 0.5}}, {}, 0.5, 1},
          {"capsule", Capsule{0.2, 1}, about({1, 0, 0}, quarter), 0.2, 2},
          {"dome on its plane", dome(), {}, 0.2, 4},
          {"dome on its round side", dome(), about({1, 0, 0}, 2 * quarter), 0.5, 1},
          {"rounded dome on its plane", {dome(), 0.1}, {}, 0.3, 4},
          {"cut tube on its end", can(), {}, 0.5, 4},
          {"cut tube on its side", can(), about({1, 0, 0}, quarter) * about({0, 0, 1}, 0.7), 0.5, 2},
          {"half tube on its plane", gutter(), {}, 0.2, 4},
          {"half tube on its side", gutter(), about({1, 0, 0}, 2 * quarter), 0.5, 2},
          {"half tube on its end", gutter(), about({0, 1, 0}, quarter), 0.5, -1},
          {"cut cone on its base", frustum(), {}, 0.5, 4},
          {"cut cone on its side", frustum(), about({0, 1, 0}, quarter + slope), 1.5 * std::sin(slope), 2},
          {"block of six planes", block(), about({1, 0, 0}, quarter), 0.5, 4}};
}

struct Ground {
  const char* name;
  Convex body;
  double top;  // [m]
};
std::vector<Ground> grounds() {
  return {{"half-space", HalfSpace{}, 0},
          {"box", Box{{4, 4, 1}}, 0.5},
          {"cylinder", Cylinder{2.5, 1}, 0.5},
          {"rounded box", {Box{{4, 4, 0.8}}, 0.1}, 0.5},
          {"cube", cube(4), 2},
          {"flush box", Box{{1, 1, 1}}, 0.5}};
}

TEST(ManifoldAtRest, HasAllPointsThatCarry) {
  for (const Ground& ground : grounds())
    for (const Rest& rest : rests()) {
      SCOPED_TRACE(std::string(rest.name) + " on " + ground.name);
      if (std::string(ground.name) == "flush box" && std::string(rest.name).substr(0, 4) != "cube") continue;
      const Pose floor{{0.3, -0.2, 0.1}, {}};
      const Vec3 up = floor.position + Vec3{0, 0, ground.top + rest.height};
      const Manifold m = manifold(ground.body, floor, rest.body, {up, rest.turn}, 0.01);
      ASSERT_NO_FATAL_FAILURE(expect_sound(m, ground.body, floor, rest.body, {up, rest.turn}));
      // a cube turned over a flush one has eight crossings
      const int wanted = std::string(ground.name) == "flush box" && rest.turn.z != 0 ? 8 : rest.points;
      if (wanted > 0)
        EXPECT_EQ(below(m, 1e-9), wanted);
      else
        EXPECT_GE(below(m, 1e-9), 3);
      for (const narrow::Point& p : m) {
        EXPECT_NEAR(p.gap, 0, 1e-12);
        EXPECT_NEAR(p.normal.z, 1, 1e-12);
      }
    }
}

// The bar: names last for 10,000 evaluations of a body at rest, moved and turned by 1e-9.
TEST(ManifoldAtRest, KeepsItsNamesUnderNoise) {
  for (const Ground& ground : grounds())
    for (const Rest& rest : rests()) {
      SCOPED_TRACE(std::string(rest.name) + " on " + ground.name);
      if (std::string(ground.name) == "flush box" && std::string(rest.name).substr(0, 4) != "cube") continue;
      const bool quick = (std::string(ground.name) != "half-space" && std::string(ground.name) != "box") ||
                         std::holds_alternative<Intersection>(rest.body.core);  // slow
      const int evaluations = quick ? test::cases(500, 10000) : test::cases(4000, 10000);
      ConvexRandom random(31);
      const Pose floor{{0.3, -0.2, 0.1}, {}};
      const Vec3 up = floor.position + Vec3{0, 0, ground.top + rest.height};
      std::set<std::uint64_t> names;
      int changes = 0;
      for (int k = 0; k < evaluations; ++k) {
        const Pose pose{up + 1e-9 * random.gauss(),
                        about(random.gauss(), 1e-9 * random.gauss().x) * rest.turn};
        const Manifold m = manifold(ground.body, floor, rest.body, pose, 0.01);
        std::set<std::uint64_t> now;
        for (const narrow::Point& p : m) now.insert(p.feature);
        if (k == 0) names = now;
        changes += now != names;
        ASSERT_LT(std::fabs(least_gap(m)), 2e-8);
      }
      EXPECT_EQ(changes, 0);
    }
}

// A tilted cylinder: the deepest point of its rim is among the points, whatever the tilt.
TEST(ManifoldAtRest, FollowsTheDeepestPointOfARim) {
  const Convex coin = Cylinder{1, 0.2};
  for (const Ground& ground : grounds()) {
    if (std::string(ground.name) == "flush box") continue;
    for (double tilt = 1e-10; tilt < 0.3; tilt *= 3)
      for (double heading = 0; heading < 6; heading += 0.41) {
        const Quat turn = about({std::cos(heading), std::sin(heading), 0}, tilt);
        const double drop = std::sin(tilt) + 0.1 * std::cos(tilt);
        const Manifold m = manifold(ground.body, {}, coin, {{0, 0, ground.top + drop}, turn}, 0.05);
        EXPECT_NEAR(least_gap(m), 0, 1e-8) << tilt;
        EXPECT_GE(least_gap(m), -1e-14);
      }
  }
}

TEST(ManifoldOfLines, ParallelCylindersTouchAtTwoEnds) {
  const Convex a = Cylinder{0.5, 2}, b = Cylinder{0.3, 1}, c = Capsule{0.3, 1};
  for (const Convex& other : {b, c}) {
    const Manifold m = manifold(a, {}, other, {{0.8, 0, 0.2}, {}}, 0.01);
    EXPECT_EQ(m.count(), 2);
    for (const narrow::Point& p : m) {
      EXPECT_NEAR(p.gap, 0, 1e-12);
      EXPECT_NEAR(p.normal.x, 1, 1e-12);
    }
    // crossed: one point
    EXPECT_EQ(manifold(a, {}, other, {{0.8, 0, 0.2}, about({1, 0, 0}, 0.8)}, 0.01).count(), 1);
  }
}

TEST(ManifoldOfFaces, DiskOverhangingAnEdge) {
  // half of the end of a cylinder over a box: two crossings, and two of its four fixed points
  const Manifold m = manifold(Box{{2, 2, 1}}, {}, Cylinder{0.5, 1}, {{1, 0, 1}, {}}, 0.01);
  double low = 1, high = -1, left = 1;
  for (const narrow::Point& p : m) {
    EXPECT_NEAR(p.gap, 0, 1e-12);
    low = std::fmin(low, p.point_a.y), high = std::fmax(high, p.point_a.y),
    left = std::fmin(left, p.point_a.x);
    EXPECT_LE(p.point_a.x, 1 + 1e-6);
  }
  EXPECT_NEAR(low, -0.5, 1e-12);
  EXPECT_NEAR(high, 0.5, 1e-12);
  EXPECT_NEAR(left, 0.5, 1e-12);
}

// A bar over a box, tilted a little both ways, so that its lower edge crosses one of the box's: no face
// separates them as far as the two edges do. Where the edge crosses the opposite one it touches next.
TEST(ManifoldOfFaces, EdgesBesideThemShowTheNextTouch) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? 0.2 : -0.2, i & 2 ? 0.05 : -0.05, i & 4 ? 0.05 : -0.05});
  const Convex box = Box{{0.2, 0.2, 0.2}}, bar = convex_hull(corners).or_exit();
  for (const double tilt : {1e-6, 1e-4, 5e-3})
    for (const double above : {1e-5, -1e-5}) {
      const Pose there{{0, 0, 0.15 + above}, about({1, 0, 0}, tilt) * about({0, 1, 0}, tilt)};
      const Manifold m = manifold(box, {}, bar, there);
      expect_sound(m, box, {}, bar, there);
      double sides[2] = {1, 1};  // [m] least gaps at the two crossings
      for (const narrow::Point& p : m) {
        EXPECT_GT(p.normal.z, 1 - tilt);
        if (std::fabs(std::fabs(p.point_a.x) - 0.1) > 1e-3) continue;
        double& side = sides[p.point_a.x > 0];
        side = std::fmin(side, p.gap);
      }
      EXPECT_NEAR(std::fmin(sides[0], sides[1]), above - 0.15 * tilt, 1e-3 * tilt + 1e-12) << tilt;
      EXPECT_NEAR(std::fabs(sides[1] - sides[0]), 0.2 * tilt, 0.02 * tilt) << tilt;
    }
}

TEST(ManifoldOfFaces, NoWordOfWhatIsOutOfReach) {
  EXPECT_EQ(manifold(Cylinder{0.5, 1}, {}, Cylinder{0.5, 1}, {{0, 0, 1.2}, {}}, 0.1).count(), 0);
  EXPECT_EQ(manifold(Cylinder{0.5, 1}, {}, Cylinder{0.5, 1}, {{0, 0, 1.05}, {}}, 0.1).count(), 4);
}

}  // namespace
}  // namespace stiction::collision
