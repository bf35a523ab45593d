// First contacts against exact times and against small steps; queries against asking every body.
#include "stiction/collision/query.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/collision/convex/first_contact.h"
#include "unit/collision/convex_pairs.h"

namespace stiction::collision {
namespace {

TEST(FirstContact, ExactTimes) {
  // two balls head on, a ball on a plane, a box on a box
  const FirstContact balls = first_contact(Sphere{1}, {}, {{2, 0, 0}, {}}, Sphere{0.5}, {{10, 0, 0}, {}},
                                           {{-1, 0, 0}, {}}, 5, 1e-12);
  EXPECT_TRUE(balls.touches);
  EXPECT_NEAR(balls.time, 8.5 / 3, 1e-11);
  const FirstContact plane =
      first_contact(Sphere{1}, {{0, 0, 4}, {}}, {{3, 1, -2}, {}}, HalfSpace{}, {}, {}, 5, 1e-12);
  EXPECT_NEAR(plane.time, 1.5, 1e-11);
  EXPECT_LE(plane.evaluations, 3);
  const FirstContact boxes =
      first_contact(Box{{1, 1, 1}}, {}, {{0.3, 0, 1}, {}}, Box{{4, 4, 1}}, {{0, 0, 3}, {}}, {}, 5, 1e-12);
  EXPECT_NEAR(boxes.time, 2, 1e-11);
  EXPECT_NEAR(boxes.points.normal.z, 1, 1e-12);
  // past each other, away from each other, too short
  EXPECT_FALSE(
      first_contact(Sphere{1}, {}, {{1, 0, 0}, {}}, Sphere{1}, {{5, 2.1, 0}, {}}, {}, 20, 1e-9).touches);
  EXPECT_FALSE(
      first_contact(Sphere{1}, {}, {{-1, 0, 0}, {}}, Sphere{1}, {{5, 0, 0}, {}}, {}, 20, 1e-9).touches);
  EXPECT_FALSE(
      first_contact(Sphere{1}, {}, {{1, 0, 0}, {}}, Sphere{1}, {{5, 0, 0}, {}}, {}, 2.9, 1e-9).touches);
  // a rod that turns into a wall: its end is at 1 m, the wall at 0.5 m: after a sixth of half a turn
  const FirstContact rod =
      first_contact(Box{{2, 0.02, 0.02}}, {}, {{}, {0, 0, 1}}, HalfSpace{{0, -1, 0}, -0.5}, {}, {}, 2, 1e-10);
  EXPECT_TRUE(rod.touches);
  // end corner at (1, 0.01): 1 sin t + 0.01 cos t = 0.5
  double t = 0.5;
  for (int i = 0; i < 30; ++i)
    t -= (std::sin(t) + 0.01 * std::cos(t) - 0.5) / (std::cos(t) - 0.01 * std::sin(t));
  EXPECT_NEAR(rod.time, t, 1e-9);
  EXPECT_LE(rod.time, t);
}

// Never late: at the time given the bodies are apart or touch, and just before it they were apart.
TEST(FirstContact, IsNeverLate) {
  ConvexRandom random(77);
  int touched = 0, most = 0;
  for (int k = 0; k < 2000; ++k) {
    const Convex a = random.body(k % ConvexRandom::kinds), b = random.body(k / 7 % ConvexRandom::kinds);
    Pose pa, pb;
    random.place(a, b, 2.5, pa, pb);
    const bool spins = k % 2 == 0;
    const BodyRate ra{normalized(pb.position - pa.position) + 0.3 * random.gauss(),
                      spins ? random.gauss() : Vec3{}};
    const BodyRate rb{0.3 * random.gauss(), spins ? random.gauss() : Vec3{}};
    const double size = std::fmax(extent_of(a), extent_of(b));
    const FirstContact c = first_contact(a, pa, ra, b, pb, rb, 4, 1e-9 * size);
    most = std::max(most, c.evaluations);
    const auto gap = [&](double t) {
      const auto at = [&](const Pose& p, const BodyRate& r) {
        const double rate = norm(r.spin), half = 0.5 * rate * t;
        const Vec3 v = rate > 0 ? std::sin(half) / rate * r.spin : Vec3{};
        return Pose{p.position + t * r.velocity,
                    normalized(Quat{std::cos(half), v.x, v.y, v.z} * p.orientation)};
      };
      return closest_points(a, at(pa, ra), b, at(pb, rb)).gap;
    };
    for (int i = 0; i < 20; ++i) EXPECT_GT(gap(c.time * i / 20), 0) << k;
    if (!c.touches) continue;
    ++touched;
    EXPECT_LT(gap(c.time), 2e-9 * size) << k;
    EXPECT_GT(gap(c.time), -1e-12 * size) << k;
  }
  EXPECT_GT(touched, 500);
  EXPECT_LT(most, 500);
}

struct Bodies {
  std::vector<Shape> shapes;
  std::vector<Placed> placed;
};

// Shapes of every kind in a cube, and a floor.
void fill(int count, ConvexRandom& random, Bodies& out) {
  out.shapes.emplace_back(HalfSpace{});
  for (int i = 1; i < count; ++i) {
    switch (i % 4) {
      case 0:
        out.shapes.emplace_back(Sphere{random.length()});
        break;
      case 1:
        out.shapes.emplace_back(Box{{random.length(), random.length(), random.length()}});
        break;
      case 2:
        out.shapes.emplace_back(Cylinder{0.5 * random.length(), random.length()});
        break;
      default:
        out.shapes.emplace_back(random.hull(12));
    }
  }
  for (int i = 0; i < count; ++i) {
    const Vec3 at{random.uniform(-10, 10), random.uniform(-10, 10), random.uniform(0, 20)};
    out.placed.push_back({i, &out.shapes[std::size_t(i)], i == 0 ? Pose{} : Pose{at, random.turn()}});
  }
}

TEST(Queries, AreWhatEveryBodyAskedByItselfSays) {
  ConvexRandom random(3);
  Bodies bodies;
  bodies.shapes.reserve(400);
  fill(400, random, bodies);
  Queries all;
  all.build(bodies.placed);
  int hits = 0, overlaps = 0;
  for (int k = 0; k < 300; ++k) {
    const Vec3 from{random.uniform(-12, 12), random.uniform(-12, 12), random.uniform(0.5, 20)};
    const Vec3 way = random.uniform(1, 15) * normalized(random.gauss());
    const Convex probe = random.body(k % ConvexRandom::kinds);
    const Pose pose{from, random.turn()};
    Hit ray, cast, near;
    near.distance = 3;
    std::vector<int> inside;
    for (const Placed& p : bodies.placed) {  // one at a time
      Queries one;
      one.build({&p, 1});
      const auto first = [&](const Hit& h, Hit& best) {
        if (h.body >= 0 && (best.body < 0 || h.distance < best.distance)) best = h;
      };
      first(one.ray(from, way, norm(way)), ray);
      first(one.cast(probe, pose, way), cast);
      const Hit c = one.closest(from, 3);
      if (c.body >= 0 && c.distance < near.distance) near = c;
      std::vector<int> found;
      one.overlapping(probe, pose, found);
      inside.insert(inside.end(), found.begin(), found.end());
    }
    const Hit ray_now = all.ray(from, way, norm(way)), cast_now = all.cast(probe, pose, way),
              near_now = all.closest(from, 3);
    EXPECT_EQ(ray_now.body, ray.body);
    EXPECT_EQ(ray_now.distance, ray.distance);
    EXPECT_EQ(cast_now.body, cast.body);
    EXPECT_EQ(cast_now.distance, cast.distance);
    EXPECT_EQ(near_now.body, near.body);
    if (near.body >= 0) {
      EXPECT_EQ(near_now.distance, near.distance);
    }
    std::vector<int> inside_now;
    all.overlapping(probe, pose, inside_now);
    EXPECT_EQ(inside_now, inside);
    hits += ray.body >= 0, overlaps += int(inside.size());
    if (ray.body >= 0 && ray.distance > 0) {              // not from inside
      EXPECT_LT(dot(ray.normal, way), 1e-6 * norm(way));  // it enters
      EXPECT_LT(norm(ray.point - (from + ray.distance / norm(way) * way)), 1e-8);
    }
  }
  EXPECT_GT(hits, 50);
  EXPECT_GT(overlaps, 20);
}

TEST(Queries, FiltersAndExactHits) {
  const std::vector<Shape> shapes{HalfSpace{}, Sphere{1}, Box{{2, 2, 2}}};
  const std::vector<Placed> placed{
      {0, &shapes[0], {}}, {1, &shapes[1], {{0, 0, 5}, {}}}, {2, &shapes[2], {{0, 0, 10}, {}}}};
  Queries q;
  q.build(placed);
  const Hit down = q.ray({0, 0, 20}, {0, 0, -3}, 100);
  EXPECT_EQ(down.body, 2);
  EXPECT_NEAR(down.distance, 9, 1e-8);
  EXPECT_NEAR(down.normal.z, 1, 1e-12);
  EXPECT_EQ(q.ray({0, 0, 20}, {0, 0, -1}, 100, [](int body) { return body != 2; }).body, 1);
  EXPECT_EQ(q.ray({0, 0, 20}, {0, 0, -1}, 100, [](int body) { return body == 0; }).body, 0);
  EXPECT_EQ(q.ray({0, 0, 20}, {0, 0, 1}, 100).body, -1);
  EXPECT_EQ(q.ray({0, 0, 20}, {0, 0, -1}, 8.9).body, -1);
  EXPECT_NEAR(q.ray({0, 0, 5.5}, {0, 0, -1}, 100).distance, 0, 0);  // from inside
  const Hit cast = q.cast(Sphere{0.5}, {{0, 3, 5}, {}}, {0, -10, 0});
  EXPECT_EQ(cast.body, 1);
  EXPECT_NEAR(cast.distance, 1.5, 1e-8);
  const Hit near = q.closest({0, 0, 5.25}, 10);
  EXPECT_EQ(near.body, 1);
  EXPECT_NEAR(near.distance, -0.75, 1e-12);
  EXPECT_EQ(q.closest({0, 0, 1.5}, 1).body, -1);
}

}  // namespace
}  // namespace stiction::collision
