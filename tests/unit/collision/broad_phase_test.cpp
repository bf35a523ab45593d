// The broad phase against all pairs, and its memory.
#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "allocation_count.h"
#include "random_scene.h"

namespace stiction::collision {
namespace {

using test::Random;

std::vector<BodyPair> all_pairs(const std::vector<Proxy>& proxies, const std::vector<Plane>& planes) {
  std::vector<BodyPair> out;
  const auto add = [&](int a, int b) {
    if (a != b) out.push_back({std::min(a, b), std::max(a, b)});
  };
  for (std::size_t i = 0; i < proxies.size(); ++i)
    for (std::size_t j = i + 1; j < proxies.size(); ++j) {
      const Proxy &p = proxies[i], &q = proxies[j];
      bool apart = !p.moves && !q.moves;
      for (int k = 0; k < 3; ++k) apart = apart || p.high[k] < q.low[k] || q.high[k] < p.low[k];
      if (!apart) add(p.body, q.body);
    }
  for (const Plane& plane : planes)
    for (const Proxy& p : proxies) {
      double lowest = std::numeric_limits<double>::infinity();
      for (int c = 0; c < 8; ++c)
        lowest = std::fmin(lowest, dot(plane.normal, {(c & 1 ? p.low : p.high).x, (c & 2 ? p.low : p.high).y,
                                                      (c & 4 ? p.low : p.high).z}));
      if ((p.moves || plane.moves) && lowest <= plane.offset) add(p.body, plane.body);
    }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Proxy proxy(int body, const Vec3& centre, const Vec3& half, bool moves = true) {
  return {body, moves, centre - half, centre + half};
}

TEST(BroadPhase, GivesUpAtALimit) {
  std::vector<Proxy> proxies;
  for (int i = 0; i < 100'000; ++i) proxies.push_back(proxy(i, {1, 2, 3}, {0.1, 0.1, 0.1}));  // 5e9 pairs
  BroadPhase broad;
  std::vector<BodyPair> pairs;
  EXPECT_FALSE(broad.find_pairs(proxies, {}, pairs, {.most = 1'000'000}));
  EXPECT_LE(pairs.size(), 1'000'000 + proxies.size());
  std::atomic<bool> stop = true;
  EXPECT_FALSE(broad.find_pairs(proxies, {}, pairs, {.stop = {&stop}}));
  EXPECT_LE(pairs.size(), proxies.size());
  proxies.resize(100);
  EXPECT_TRUE(broad.find_pairs(proxies, {}, pairs, {.most = 4950}));
  EXPECT_EQ(pairs.size(), 4950u);
  EXPECT_FALSE(broad.find_pairs(proxies, {}, pairs, {.most = 4949}));
}

TEST(BroadPhase, AgreesWithAllPairsOverSixDecadesOfSize) {
  Random random(1);
  BroadPhase broad;
  std::vector<BodyPair> pairs;
  long found = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const double world = std::pow(10.0, random.uniform(-2, 2));
    std::vector<Proxy> proxies;
    for (int i = 0; i < 400; ++i) {
      const double size = world * std::pow(10.0, random.uniform(-6, 0));
      const Vec3 half{size * random.uniform(0, 1), size * random.uniform(0, 1), size * random.uniform(0, 1)};
      // crowded round a few places, so that small ones meet too
      const Vec3 centre = random.vector(i % 3 ? 1.5 * size : world);
      proxies.push_back(proxy(1000 - i, centre, half, i % 5 != 0));
    }
    const std::vector<Plane> planes = {{2000, false, random.direction(), 0.1 * world},
                                       {2001, true, {0, 0, 1}, -0.5 * world}};
    broad.find_pairs(proxies, planes, pairs);
    const auto expected = all_pairs(proxies, planes);
    found += long(expected.size());
    ASSERT_EQ(pairs, expected) << "trial " << trial;
  }
  EXPECT_GT(found, 100000);
}

TEST(BroadPhase, AgreesWithAllPairsOfEqualSizesInACrowd) {
  Random random(2);
  BroadPhase broad;
  std::vector<BodyPair> pairs;
  for (int trial = 0; trial < 40; ++trial) {
    const double half = std::pow(2.0, random.uniform(-3, 3));
    const Vec3 place = trial % 2 ? random.vector(1e6) : Vec3{};
    std::vector<Proxy> proxies;
    for (int i = 0; i < 500; ++i)
      proxies.push_back(proxy(i, place + random.vector(6 * half), {half, half, half}));
    broad.find_pairs(proxies, {}, pairs);
    ASSERT_EQ(pairs, all_pairs(proxies, {}));
    ASSERT_GT(pairs.size(), 500u);
  }
}

// Exactly touching lattices: every face shared, also where cells wrap round (2^18 cells from the origin).
TEST(BroadPhase, TouchingLatticeAnywhere) {
  BroadPhase broad;
  std::vector<BodyPair> pairs;
  for (const double shift : {0.0, -3.0, 262144.0 - 3, -262144.0 - 3, 524288.0, 1e9, 0.1}) {
    std::vector<Proxy> proxies;
    int body = 0;
    for (int x = 0; x < 6; ++x)
      for (int y = 0; y < 6; ++y)
        for (int z = 0; z < 6; ++z)
          proxies.push_back({body++,
                             true,
                             {shift + x, shift + y, -shift + z},
                             {shift + x + 1, shift + y + 1, -shift + z + 1}});
    broad.find_pairs(proxies, {}, pairs);
    ASSERT_EQ(pairs, all_pairs(proxies, {})) << shift;
    // 16 ordered pairs of neighbours, itself included, along a line of six
    ASSERT_TRUE(shift != 0 || pairs.size() == (16u * 16u * 16u - 216u) / 2u);
  }
}

// Spread over four wraps of the grid, many share a cell's key with others far away.
TEST(BroadPhase, FlungBodiesDoNotAliasIntoPairs) {
  Random random(3);
  std::vector<Proxy> proxies;
  for (int i = 0; i < 3000; ++i)
    proxies.push_back(proxy(i, {random.uniform(-1e6, 1e6), random.uniform(-3, 3), 0}, {0.5, 0.5, 0.5}));
  BroadPhase broad;
  std::vector<BodyPair> pairs;
  broad.find_pairs(proxies, {}, pairs);
  EXPECT_EQ(pairs, all_pairs(proxies, {}));
}

TEST(BroadPhase, ExtremeProxies) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Proxy> proxies = {
      proxy(0, {0, 0, 0}, {1e-9, 1e-9, 1e-9}),        proxy(1, {0, 0, 0}, {0, 0, 0}),
      proxy(2, {0, 0, 0}, {1e7, 1e7, 1e7}),           proxy(3, {0, 0, 0}, {1e40, 1, 1}),
      {4, true, {-inf, -inf, -inf}, {inf, inf, inf}}, {5, true, {0, 0, -inf}, {inf, inf, 0}},
      proxy(6, {1e15, 0, 0}, {1e-3, 1e-3, 1e-3}),     proxy(7, {1e15, 0, 0}, {1e-3, 1e-3, 1e-3}),
      proxy(8, {1e300, -1e300, 1e300}, {1, 1, 1}),    {9, false, {-inf, -1, -1}, {inf, 1, 1}},
      {10, true, {-1e308, -1, -1}, {1e308, 1, 1}},
  };
  BroadPhase broad;
  std::vector<BodyPair> pairs;
  broad.find_pairs(proxies, {}, pairs);
  EXPECT_EQ(pairs, all_pairs(proxies, {}));
  EXPECT_GT(pairs.size(), 20u);
  const std::vector<Plane> planes = {{20, false, {0, 0, 1}, -1}};
  broad.find_pairs(proxies, planes, pairs);
  const auto has = [&](int a) {
    return std::find(pairs.begin(), pairs.end(), BodyPair{a, 20}) != pairs.end();
  };
  EXPECT_FALSE(has(0));
  EXPECT_TRUE(has(2));
  EXPECT_TRUE(has(4));
  EXPECT_TRUE(has(5));
  EXPECT_FALSE(has(9));
  // not a number: no pair with anything of a size, and no crash
  proxies.push_back({11, true, {nan, nan, nan}, {nan, nan, nan}});
  broad.find_pairs(proxies, {}, pairs);
  EXPECT_EQ(std::count_if(pairs.begin(), pairs.end(), [](const BodyPair& p) { return p.b == 11; }), 0);
}

TEST(BroadPhase, SkipsWhatCannotMoveAndPairsOfOneBody) {
  const std::vector<Proxy> proxies = {proxy(5, {}, {1, 1, 1}, false), proxy(4, {}, {1, 1, 1}, false),
                                      proxy(3, {}, {1, 1, 1}), proxy(3, {}, {2, 2, 2})};
  const std::vector<Plane> planes = {{3, true, {0, 0, 1}, 0}, {9, false, {0, 0, 1}, 0}};
  BroadPhase broad;
  std::vector<BodyPair> pairs = {{7, 8}};  // emptied
  broad.find_pairs(proxies, planes, pairs);
  EXPECT_EQ(pairs, (std::vector<BodyPair>{{3, 4}, {3, 5}, {3, 9}}));
  broad.find_pairs({}, {}, pairs);
  EXPECT_TRUE(pairs.empty());
}

TEST(BroadPhase, ResultDoesNotDependOnTheOrderNorOnHistory) {
  Random random(4);
  std::vector<Proxy> proxies;
  for (int i = 0; i < 700; ++i) {
    const double s = std::pow(10.0, random.uniform(-2, 0));
    proxies.push_back(proxy(i, random.vector(2), {s, s, s}));
  }
  BroadPhase used, fresh;
  std::vector<BodyPair> a, b;
  used.find_pairs(proxies, {}, a);
  std::reverse(proxies.begin(), proxies.end());
  used.find_pairs(proxies, {}, b);
  EXPECT_EQ(a, b);
  fresh.find_pairs(proxies, {}, b);
  EXPECT_EQ(a, b);
}

TEST(BroadPhase, SecondCallAllocatesNothing) {
  Random random(5);
  std::vector<Proxy> proxies;
  for (int i = 0; i < 3000; ++i) {
    const double s = std::pow(10.0, random.uniform(-2, -0.5));
    proxies.push_back(proxy(i, random.vector(5), {s, s, s}));
  }
  proxies.push_back(proxy(3000, {}, {1e40, 1, 1}));
  const std::vector<Plane> planes = {{4000, false, {0, 0, 1}, 0}};
  BroadPhase broad;
  std::vector<BodyPair> pairs;
  broad.find_pairs(proxies, planes, pairs);
  const std::size_t count = pairs.size();
  const long before = test::allocation_count();
  broad.find_pairs(proxies, planes, pairs);
  const long after = test::allocation_count();
  EXPECT_EQ(after - before, 0);
  EXPECT_EQ(pairs.size(), count);
  EXPECT_GT(count, 1000u);
}

TEST(NarrowPhase, AllocatesNothingButItsResult) {
  Random random(6);
  std::vector<ContactPoint> out;
  out.reserve(100000);
  std::vector<Shape> shapes;
  for (int i = 0; i < 40; ++i) shapes.push_back(random.shape(i % 4));
  const long before = test::allocation_count();
  for (const Shape& a : shapes)
    for (const Shape& b : shapes) find_contacts(0, a, random.pose(1), 1, b, random.pose(1), 1.0, out);
  const long after = test::allocation_count();
  EXPECT_EQ(after - before, 0);
  EXPECT_GT(out.size(), 2000u);
}

}  // namespace
}  // namespace stiction::collision
