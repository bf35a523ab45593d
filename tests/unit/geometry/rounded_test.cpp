// Mass properties of rounded bodies, and polyhedra brought to their centre and principal axes.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stiction/geometry/centred.h"
#include "stiction/geometry/hull.h"

namespace stiction {
namespace {

constexpr double pi = 3.14159265358979323846;

// int z^k A(z) dz of slices of area A, over the body's height: Simpson's rule, in the caps over the angle of
// the rounding, so that the square root at the top does no harm.
template <class Area>
double slices(double half, double r, int k, const Area& area) {
  double sum = 2 * std::pow(half, k + 1) / (k + 1) * area(r);
  const int n = 2000;
  for (int i = 0; i <= n; ++i) {
    const double a = 0.5 * pi * i / n, weight = i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2;
    sum += 2 * weight / 3 * 0.5 * pi / n * std::pow(half + r * std::sin(a), k) * area(r * std::cos(a)) * r *
           std::cos(a);
  }
  return sum;
}

TEST(RoundedSolid, BoxByItsSlices) {
  const Vec3 size{0.6, 0.9, 0.4};
  const double r = 0.15;
  const Solid s = solid(Convex(Box{size}, r));
  // a slice is a rectangle with round corners
  double second[3];
  for (int i = 0; i < 3; ++i) {
    const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
    const auto area = [&](double rho) { return a * b + 2 * (a + b) * rho + pi * rho * rho; };
    EXPECT_NEAR(s.volume, slices(0.5 * size[i], r, 0, area), 1e-11);
    second[i] = slices(0.5 * size[i], r, 2, area);
  }
  EXPECT_NEAR(s.inertia.xx, second[1] + second[2], 1e-11);
  EXPECT_NEAR(s.inertia.yy, second[0] + second[2], 1e-11);
  EXPECT_NEAR(s.inertia.zz, second[0] + second[1], 1e-11);
}

TEST(RoundedSolid, CylinderByItsSlices) {
  const double R = 0.4, height = 0.7, r = 0.1;
  const Solid s = solid(Convex(Cylinder{R, height}, r));
  const auto area = [&](double rho) { return pi * (R + rho) * (R + rho); };
  const auto around = [&](double rho) { return 0.25 * pi * std::pow(R + rho, 4); };  // int x^2 of a slice
  EXPECT_NEAR(s.volume, slices(0.5 * height, r, 0, area), 1e-11);
  const double xx = slices(0.5 * height, r, 0, around), zz = slices(0.5 * height, r, 2, area);
  EXPECT_NEAR(s.inertia.xx, xx + zz, 1e-11);
  EXPECT_NEAR(s.inertia.zz, 2 * xx, 1e-11);
  // rounding of a cylinder that is all but a point: a ball
  const Solid ball = solid(Convex(Cylinder{1e-9, 1e-9}, 1));
  EXPECT_NEAR(ball.volume, 4.0 / 3.0 * pi, 1e-7);
}

Polyhedron irregular(unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> g;
  std::vector<Vec3> p;
  for (int i = 0; i < 12; ++i) {
    const double x = g(random), y = g(random), z = g(random);
    p.push_back(Vec3{2, -1, 3} + times({1, 0.7, 0.4}, normalized(Vec3{x, y, z})));
  }
  return convex_hull(p).or_exit();
}

// Steiner's formula for the volume; and the rate of every moment with r is an integral over the surface,
// which for the moments of a body that is rounded twice is the same as for one rounded once.
TEST(RoundedSolid, PolyhedronBySteinersFormula) {
  for (unsigned seed = 1; seed < 5; ++seed) {
    const Polyhedron p = irregular(seed);
    double surface = 0, mean = 0;
    for (int f = 0; f < int(p.faces.size()); ++f) {
      Vec3 area;
      const auto loop = p.loop(f);
      for (std::size_t i = 0; i < loop.size(); ++i)
        area += 0.5 *
                cross(p.vertices[std::size_t(loop[i])], p.vertices[std::size_t(loop[(i + 1) % loop.size()])]);
      surface += dot(area, p.faces[std::size_t(f)].normal);
    }
    for (const Polyhedron::Edge& e : p.edges)
      mean += 0.5 * norm(p.vertices[std::size_t(e.to)] - p.vertices[std::size_t(e.from)]) *
              std::acos(dot(p.faces[std::size_t(e.left)].normal, p.faces[std::size_t(e.right)].normal));
    const double core = solid(Convex(p)).volume;
    for (const double r : {0.01, 0.3, 2.0})
      EXPECT_NEAR(solid(Convex(p, r)).volume, core + surface * r + mean * r * r + 4.0 / 3.0 * pi * r * r * r,
                  1e-12 * (1 + r * r * r));
  }
}

// First and second moments of an irregular rounded body, by shells: d/dr int x x^T = int x x^T dA over the
// surface, and the surface is made of faces, strips and caps, sampled here by rays. A coarse check (Monte
// Carlo over a box), 1e-2.
TEST(RoundedSolid, PolyhedronByCounting) {
  const Polyhedron p = irregular(9);
  const double r = 0.25;
  const Solid s = solid(Convex(p, r));
  const Bounds box = bounds(Convex(p, r), Mat3::identity());
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> u(0, 1);
  // distance to the polyhedron by projecting onto its half-spaces in turn (Dykstra)
  const auto inside = [&](const Vec3& x) {
    Vec3 y = x;
    std::vector<Vec3> correction(p.faces.size());
    for (int sweep = 0; sweep < 60; ++sweep)
      for (std::size_t f = 0; f < p.faces.size(); ++f) {
        const Vec3 z = y + correction[f];
        const double above = dot(p.faces[f].normal, z) - p.faces[f].offset;
        y = above > 0 ? z - above * p.faces[f].normal : z;
        correction[f] = z - y;
      }
    return norm(x - y) <= r;
  };
  const int samples = 40000;
  double volume = 0;
  Vec3 first;
  SymMat3 second;
  const Vec3 extent = box.high - box.low;
  const double cell = extent.x * extent.y * extent.z / samples;
  for (int i = 0; i < samples; ++i) {
    const double a = u(random), b = u(random), c = u(random);
    const Vec3 x = box.low + times(extent, {a, b, c});
    if (!inside(x)) continue;
    volume += cell, first += cell * x;
    second += point_moments(cell, x - s.center);
  }
  EXPECT_NEAR(volume, s.volume, 0.02 * s.volume);
  EXPECT_LT(norm(first / volume - s.center), 0.01);
  for (const auto& [counted, exact] :
       {std::pair{second.xx, s.inertia.xx}, {second.yy, s.inertia.yy}, {second.zz, s.inertia.zz}})
    EXPECT_NEAR(counted, exact, 0.03 * exact);
  for (const auto& [counted, exact] :
       {std::pair{second.xy, s.inertia.xy}, {second.xz, s.inertia.xz}, {second.yz, s.inertia.yz}})
    EXPECT_NEAR(counted, exact, 0.03 * s.inertia.xx);
}

TEST(Centred, HasItsCentreAtTheOriginAndPrincipalAxes) {
  for (unsigned seed = 1; seed < 20; ++seed)
    for (const double rounding : {0.0, 0.1}) {
      const Polyhedron p = irregular(seed);
      const ConvexShape shape(p, rounding);
      const CentredShape c = centred(shape, true);
      ASSERT_TRUE(c.changed);
      const auto& now = std::get<ConvexShape>(c.shape);
      EXPECT_NEAR(now.solid().volume, shape.solid().volume, 1e-12);
      EXPECT_LT(norm(now.solid().center), 1e-13);
      const SymMat3 i = now.solid().inertia;
      EXPECT_LT(std::fabs(i.xy) + std::fabs(i.xz) + std::fabs(i.yz), 1e-13);
      // the same tensor, turned back
      const SymMat3 back = turned(rotation_matrix(c.turn), i), was = shape.solid().inertia;
      EXPECT_NEAR(back.xx, was.xx, 1e-12);
      EXPECT_NEAR(back.xy, was.xy, 1e-12);
      EXPECT_NEAR(back.yz, was.yz, 1e-12);
      // once is enough
      EXPECT_FALSE(centred(c.shape, true).changed);
    }
  EXPECT_FALSE(centred(Sphere{1}, true).changed);
}

TEST(ConvexShape, TellsWhatIsWrong) {
  EXPECT_EQ(fault_of(Cylinder{1, 1}), "");
  EXPECT_NE(fault_of(Cylinder{0, 1}).find("radius: found 0, must be above 0 m"), std::string::npos);
  EXPECT_NE(fault_of(Convex(Cone{1, 1}, 0.1)).find("takes none"), std::string::npos);
  EXPECT_NE(fault_of(Superellipsoid{{1, 1, 1}, 1.5, 2}).find("2 to 20"), std::string::npos);
  EXPECT_NE(fault_of(Convex(Polyhedron{})), "");
  std::vector<Vec3> prism;  // a face of 65 vertices
  for (int i = 0; i < 65; ++i)
    for (const double z : {0.0, 1.0})
      prism.push_back({std::cos(2 * pi * i / 65), std::sin(2 * pi * i / 65), z});
  EXPECT_NE(fault_of(convex_hull(prism).or_exit()).find("at most 64"), std::string::npos);
}

TEST(ConvexShape, IsAShapeLikeTheOthers) {
  const Shape cylinder = Cylinder{0.1, 0.3};
  EXPECT_STREQ(name_of(cylinder), "cylinder");
  EXPECT_DOUBLE_EQ(volume(cylinder), pi * 0.01 * 0.3);
  EXPECT_DOUBLE_EQ(mass_properties(cylinder, 2).inertia.z, 0.01);
  EXPECT_DOUBLE_EQ(size_of(cylinder), 0.3);
  EXPECT_DOUBLE_EQ(bounding_radius(cylinder), std::sqrt(0.01 + 0.0225));
  const Vec3 half = bounding_half_extents(cylinder, Mat3::identity());
  EXPECT_DOUBLE_EQ(half.x, 0.1);
  EXPECT_DOUBLE_EQ(half.z, 0.15);
}

}  // namespace
}  // namespace stiction
