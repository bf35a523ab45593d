// The convex hull: topology and containment on random, structured and degenerate sets; Qhull as oracle.
#include "stiction/geometry/hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "stiction/geometry/detail/orientation.h"
#ifdef STICTION_HAVE_QHULL
extern "C" {
#include <libqhull_r/qhull_ra.h>
}
#endif

namespace stiction {
namespace {

constexpr double pi = 3.14159265358979323846;

double volume_of(const Polyhedron& p) {
  double v = 0;
  const Vec3 o = p.vertices[0];
  for (int f = 0; f < int(p.faces.size()); ++f) {
    const auto loop = p.loop(f);
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
      v += dot(p.vertices[std::size_t(loop[0])] - o,
               cross(p.vertices[std::size_t(loop[i])] - o, p.vertices[std::size_t(loop[i + 1])] - o)) /
           6;
  }
  return v;
}

// Every promise of Polyhedron, and every point inside within `tolerance` [m].
void expect_sound(const Polyhedron& p, std::span<const Vec3> points, double tolerance) {
  EXPECT_EQ(int(p.vertices.size()) - int(p.edges.size()) + int(p.faces.size()), 2);
  EXPECT_EQ(p.loops.size(), 2 * p.edges.size());
  std::set<std::pair<int, int>> halves;
  for (int f = 0; f < int(p.faces.size()); ++f) {
    const auto loop = p.loop(f);
    EXPECT_GE(loop.size(), 3u);
    for (std::size_t i = 0; i < loop.size(); ++i)
      EXPECT_TRUE(halves.insert({loop[i], loop[(i + 1) % loop.size()]}).second);
    EXPECT_NEAR(norm(p.faces[std::size_t(f)].normal), 1, 1e-15);
    for (const int v : loop)
      EXPECT_NEAR(dot(p.faces[std::size_t(f)].normal, p.vertices[std::size_t(v)]),
                  p.faces[std::size_t(f)].offset, tolerance);
    for (const Vec3& x : points)
      EXPECT_LE(dot(p.faces[std::size_t(f)].normal, x), p.faces[std::size_t(f)].offset + tolerance);
  }
  for (const auto& e : p.edges) {
    EXPECT_LT(e.from, e.to);
    EXPECT_NE(e.left, e.right);
    EXPECT_TRUE(halves.count({e.from, e.to}) && halves.count({e.to, e.from}));
    const auto has = [&](int f, int a, int b) {
      const auto loop = p.loop(f);
      for (std::size_t i = 0; i < loop.size(); ++i)
        if (loop[i] == a && loop[(i + 1) % loop.size()] == b) return true;
      return false;
    };
    EXPECT_TRUE(has(e.left, e.from, e.to) && has(e.right, e.to, e.from));
  }
  for (const Vec3& v : p.vertices) EXPECT_NE(std::find(points.begin(), points.end(), v), points.end());
}

std::vector<Vec3> turned(std::vector<Vec3> points, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> g;
  const Quat q = normalized(Quat{g(random), g(random), g(random), g(random)});
  for (Vec3& p : points) p = rotate(q, p) + Vec3{0.3, -0.7, 1.1};
  return points;
}

std::vector<Vec3> grid(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      for (int k = 0; k <= n; ++k) points.push_back({double(i) / n, double(j) / n, double(k) / n});
  return points;
}

std::vector<Vec3> prism(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i)
    for (const double z : {-0.5, 0.5})
      points.push_back({std::cos(2 * pi * i / n), std::sin(2 * pi * i / n), z});
  return points;
}

std::vector<Vec3> on_sphere(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> g;
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) points.push_back(normalized(Vec3{g(random), g(random), g(random)}));
  return points;
}

std::vector<Vec3> in_box(int n, unsigned seed, const Vec3& size) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) points.push_back(times(size, Vec3{u(random), u(random), u(random)}));
  return points;
}

// Points of one plane, or one unit off it, near a line: integers, so that D fits into 128 bits. The size of
// its products is some 2^116, D itself 0 or 2^30 to 2^50, so that neither doubles nor zero decide alone.
TEST(Orientation, OfIntegersIsThatOfTheirDeterminant) {
  __extension__ using Wide = __int128;
  std::mt19937_64 random(7);
  const auto draw = [&](int bits) {
    return std::int64_t(random() >> (64 - bits)) - (std::int64_t(1) << (bits - 1));
  };
  int zero = 0, small = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::int64_t a[3], u[3], v[3], w[3];
    const std::int64_t s = draw(10), t = draw(10);
    for (int k = 0; k < 3; ++k) {
      a[k] = draw(34), u[k] = draw(34), v[k] = 3 * u[k] + draw(9), w[k] = s * u[k] + t * v[k];
    }
    w[trial % 3] += trial % 5 == 0 ? 0 : draw(2);
    const Wide D = Wide(u[1] * Wide(v[2]) - u[2] * Wide(v[1])) * w[0] +
                   Wide(u[2] * Wide(v[0]) - u[0] * Wide(v[2])) * w[1] +
                   Wide(u[0] * Wide(v[1]) - u[1] * Wide(v[0])) * w[2];
    const auto at = [&](const std::int64_t x[3]) {
      return Vec3{double(a[0] + x[0]), double(a[1] + x[1]), double(a[2] + x[2])};
    };
    const std::int64_t origin[3] = {0, 0, 0};
    const int expected = D > 0 ? 1 : D < 0 ? -1 : 0;
    EXPECT_EQ(detail::orientation(at(origin), at(u), at(v), at(w)), expected);
    zero += expected == 0, small += expected != 0;
  }
  EXPECT_GT(zero, 4000);
  EXPECT_GT(small, 4000);
  const Vec3 p{0.1, 0.2, 0.3}, q{0.7, 0.1, 0.2}, r{0.3, 0.9, 0.4};
  for (const Vec3& d : {p, q, r}) EXPECT_EQ(detail::orientation(p, q, r, d), 0);
}

TEST(Orientation, IsExactWhereRoundOffDecides) {
  // d = a + s (b - a) + t (c - a) with dyadic numbers is in the plane exactly; one unit of the last place off
  // it is not (Shewchuk's example).
  const Vec3 a{0.5, 0.5, 1}, b{12, 12, 1}, c{24, 24, 5};
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) {
      const double x = 0.5 + i * 0x1p-52, y = 0.5 + j * 0x1p-52;
      // all of a, b, c lie in the plane x = y
      const int expected = x == y ? 0 : (x > y) == (detail::orientation(a, b, c, {1, 0, 0}) > 0) ? 1 : -1;
      EXPECT_EQ(detail::orientation(a, b, c, {x, y, 2}), expected);
    }
}

TEST(Hull, CubeOfGridPointsHasSixFaces) {
  for (const int n : {1, 2, 5}) {
    const auto points = grid(n);
    for (const auto& set : {points, turned(points, 5)}) {
      const Polyhedron p = convex_hull(set).or_exit();
      EXPECT_EQ(p.vertices.size(), 8u);
      EXPECT_EQ(p.edges.size(), 12u);
      EXPECT_EQ(p.faces.size(), 6u);
      EXPECT_NEAR(volume_of(p), 1, 1e-14);
      expect_sound(p, set, 1e-14);
    }
  }
}

TEST(Hull, PrismsKeepTheirFaces) {
  for (const int n : {3, 4, 7, 64, 500}) {
    const auto set = turned(prism(n), unsigned(n));
    const Polyhedron p = convex_hull(set).or_exit();
    EXPECT_EQ(p.vertices.size(), std::size_t(2 * n));
    EXPECT_EQ(p.faces.size(), std::size_t(n + 2));
    EXPECT_NEAR(volume_of(p), n * std::sin(2 * pi / n) / 2, 1e-13);
    expect_sound(p, set, 1e-13);
  }
}

TEST(Hull, DuplicatesAndInnerPointsDoNotMatter) {
  auto points = on_sphere(50, 3);
  const Polyhedron once = convex_hull(points).or_exit();
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) points.push_back(points[i]), points.push_back(0.5 * points[i]);
  const Polyhedron again = convex_hull(points).or_exit();
  EXPECT_EQ(again.vertices, once.vertices);
  EXPECT_EQ(again.faces.size(), once.faces.size());
  EXPECT_NEAR(volume_of(again), volume_of(once), 1e-14);
}

TEST(Hull, SmallShiftsOfFlatSets) {
  // Noise of 1e-14 on a grid and on a prism: the same faces.
  std::mt19937 random(11);
  std::uniform_real_distribution<double> u(-1e-14, 1e-14);
  for (int trial = 0; trial < 50; ++trial) {
    auto points = turned(grid(4), unsigned(trial));
    for (Vec3& p : points) p += Vec3{u(random), u(random), u(random)};
    const Polyhedron p = convex_hull(points).or_exit();
    EXPECT_EQ(p.faces.size(), 6u);
    EXPECT_EQ(p.vertices.size(), 8u);
    expect_sound(p, points, 1e-12);
  }
}

TEST(Hull, RefusesWhatHasNoVolume) {
  EXPECT_FALSE(convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_FALSE(convex_hull(std::vector<Vec3>(10, Vec3{1, 2, 3})));
  EXPECT_FALSE(convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}));
  auto flat = in_box(100, 4, {1, 1, 0});
  EXPECT_FALSE(convex_hull(flat));
  EXPECT_FALSE(convex_hull(turned(flat, 9)));
  EXPECT_FALSE(convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}}));
  const Result<Polyhedron> r = convex_hull(flat);
  EXPECT_EQ(r.mistakes()[0].path, "points");
}

TEST(Hull, SizesFromSmallToLarge) {
  for (const double s : {1e-6, 1e-3, 1e3, 1e6}) {
    auto points = on_sphere(100, 8);
    for (Vec3& p : points) p *= s;
    const Polyhedron p = convex_hull(points).or_exit();
    EXPECT_EQ(p.vertices.size(), 100u);
    expect_sound(p, points, 1e-14 * s);
  }
  const auto plate = in_box(200, 3, {1, 1, 1e-6});
  expect_sound(convex_hull(plate).or_exit(), plate, 1e-12);
}

#ifdef STICTION_HAVE_QHULL
struct Oracle {
  double volume = 0, area = 0;
  int vertices = 0, facets = 0;
};
Oracle qhull(std::vector<Vec3> points) {
  qhT state;
  qh_zero(&state, stderr);
  char options[] = "qhull FA";
  std::vector<coordT> x;
  for (const Vec3& p : points) x.insert(x.end(), {p.x, p.y, p.z});
  EXPECT_EQ(qh_new_qhull(&state, 3, int(points.size()), x.data(), False, options, nullptr, stderr), 0);
  qh_getarea(&state, state.facet_list);
  Oracle o{state.totvol, state.totarea, state.num_vertices, state.num_facets};
  qh_freeqhull(&state, qh_ALL);
  int left = 0, long_left = 0;
  qh_memfreeshort(&state, &left, &long_left);
  return o;
}

double area_of(const Polyhedron& p) {
  double a = 0;
  for (int f = 0; f < int(p.faces.size()); ++f) {
    const auto loop = p.loop(f);
    Vec3 n;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
      n += cross(p.vertices[std::size_t(loop[i])] - p.vertices[std::size_t(loop[0])],
                 p.vertices[std::size_t(loop[i + 1])] - p.vertices[std::size_t(loop[0])]);
    a += norm(n) / 2;
  }
  return a;
}

void expect_as_qhull(const std::vector<Vec3>& points, bool same_faces) {
  const Polyhedron ours = convex_hull(points).or_exit();
  const Oracle theirs = qhull(points);
  EXPECT_NEAR(volume_of(ours), theirs.volume, 1e-11 * theirs.volume);
  EXPECT_NEAR(area_of(ours), theirs.area, 1e-11 * theirs.area);
  if (same_faces) {
    EXPECT_EQ(int(ours.vertices.size()), theirs.vertices);
    EXPECT_EQ(int(ours.faces.size()), theirs.facets);
  }
  expect_sound(ours, points, 1e-11);
}

TEST(HullBesideQhull, RandomSets) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const int n = 4 + int(seed * seed);
    expect_as_qhull(on_sphere(n, seed), true);
    expect_as_qhull(in_box(n, seed, {1, 0.3, 2}), true);
  }
}

TEST(HullBesideQhull, StructuredSets) {
  for (const int n : {1, 2, 3, 6}) expect_as_qhull(grid(n), true), expect_as_qhull(turned(grid(n), 4), true);
  for (const int n : {3, 6, 50, 200})
    expect_as_qhull(prism(n), true), expect_as_qhull(turned(prism(n), 2), true);
  // dodecahedron: pentagons; with the centres of its edges and faces added
  std::vector<Vec3> points;
  const double g = (1 + std::sqrt(5.0)) / 2;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-1.0, 1.0}) {
      for (const double c : {-1.0, 1.0}) points.push_back({a, b, c});
      points.push_back({0, a / g, b * g}), points.push_back({a / g, b * g, 0}),
          points.push_back({a * g, 0, b / g});
    }
  const std::size_t n = points.size();
  EXPECT_EQ(convex_hull(points).or_exit().faces.size(), 12u);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) points.push_back(0.5 * (points[i] + points[j]));
  expect_as_qhull(points, true);
  expect_as_qhull(turned(points, 6), true);
}

TEST(HullBesideQhull, DegenerateSets) {
  // many points on the edges and faces of a turned tetrahedron, thin plates, needles, clusters
  std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::mt19937 random(2);
  std::uniform_real_distribution<double> u(0, 1);
  for (int i = 0; i < 300; ++i) {
    const auto a = points[random() % 4], b = points[random() % 4], c = points[random() % 4];
    const double s = u(random), t = u(random) * (1 - s);
    points.push_back(a + s * (b - a) + t * (c - a));
  }
  expect_as_qhull(points, true);
  expect_as_qhull(turned(points, 1), true);
  expect_as_qhull(in_box(500, 5, {1, 1, 1e-4}), false);
  expect_as_qhull(in_box(500, 6, {1, 1e-4, 1e-4}), false);
  auto cluster = on_sphere(100, 7);
  for (std::size_t i = 0; i < 100; ++i) cluster.push_back(cluster[i % 5] + 1e-9 * cluster[i]);
  expect_as_qhull(cluster, false);
}
#endif

}  // namespace
}  // namespace stiction
