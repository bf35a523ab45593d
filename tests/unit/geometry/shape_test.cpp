// Mass properties against Gauss-Legendre quadrature, bounds against points of the surface.
#include "stiction/geometry/shape.h"

#include <gtest/gtest.h>

#include <random>

namespace stiction {
namespace {

constexpr double pi = 3.14159265358979323846;

// 5-point Gauss-Legendre: exact for polynomials up to degree 9; slices of a capsule are of degree 4.
template <class F>
double integrate(double a, double b, const F& f) {
  const double x1 = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3,
               x2 = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
  const double w1 = (322 + 13 * std::sqrt(70.0)) / 900, w2 = (322 - 13 * std::sqrt(70.0)) / 900;
  const double m = 0.5 * (a + b), h = 0.5 * (b - a);
  return h *
         (128.0 / 225 * f(m) + w1 * (f(m - h * x1) + f(m + h * x1)) + w2 * (f(m - h * x2) + f(m + h * x2)));
}

// A body of revolution: squared radius of the slice at height z.
struct Slices {
  double volume = 0, i_x = 0, i_z = 0;
};
Slices slice_capsule(double r, double l) {
  Slices s;
  const auto add = [&](double a, double b, auto radius2) {
    s.volume += integrate(a, b, [&](double z) { return pi * radius2(z); });
    s.i_z += integrate(a, b, [&](double z) { return pi * radius2(z) * radius2(z) / 2; });
    s.i_x +=
        integrate(a, b, [&](double z) { return pi * (radius2(z) * radius2(z) / 4 + radius2(z) * z * z); });
  };
  add(-l / 2, l / 2, [&](double) { return r * r; });
  add(l / 2, l / 2 + r, [&](double z) { return r * r - (z - l / 2) * (z - l / 2); });
  add(-l / 2 - r, -l / 2, [&](double z) { return r * r - (z + l / 2) * (z + l / 2); });
  return s;
}

TEST(Shape, CapsuleMassPropertiesMatchItsSlices) {
  for (const auto& [r, l] : {std::pair{0.05, 0.3}, {1.0, 0.0}, {0.2, 10.0}, {3.0, 0.1}}) {
    const Slices ref = slice_capsule(r, l);
    const Shape capsule = Capsule{r, l};
    const double mass = 2.5, density = mass / ref.volume;
    const MassProperties got = mass_properties(capsule, mass);
    EXPECT_NEAR(volume(capsule), ref.volume, 4e-15 * ref.volume);
    EXPECT_NEAR(got.inertia.x, density * ref.i_x, 4e-15 * density * ref.i_x);
    EXPECT_EQ(got.inertia.x, got.inertia.y);
    EXPECT_NEAR(got.inertia.z, density * ref.i_z, 4e-15 * density * ref.i_z);
    EXPECT_EQ(got.mass, mass);
  }
}

TEST(Shape, SphereIsACapsuleOfNoLength) {
  const MassProperties s = mass_properties(Sphere{0.7}, 3.0), c = mass_properties(Capsule{0.7, 0.0}, 3.0);
  EXPECT_NEAR(s.inertia.x, c.inertia.x, 1e-15);
  EXPECT_NEAR(s.inertia.z, 0.4 * 3.0 * 0.49, 1e-15);
  EXPECT_NEAR(volume(Sphere{0.7}), volume(Capsule{0.7, 0.0}), 1e-15);
}

TEST(Shape, BoxMassProperties) {
  const MassProperties m = mass_properties(Box{{1, 2, 3}}, 12.0);
  EXPECT_DOUBLE_EQ(m.inertia.x, 13);
  EXPECT_DOUBLE_EQ(m.inertia.y, 10);
  EXPECT_DOUBLE_EQ(m.inertia.z, 5);
  EXPECT_DOUBLE_EQ(volume(Box{{1, 2, 3}}), 6);
}

TEST(Shape, NoShapeAndHalfSpaceHaveNoInertia) {
  for (const Shape& s : {Shape{NoShape{}}, Shape{HalfSpace{}}}) {
    EXPECT_EQ(mass_properties(s, 2.0).mass, 2.0);
    EXPECT_EQ(mass_properties(s, 2.0).inertia, (Vec3{}));
    EXPECT_EQ(volume(s), 0);
    EXPECT_EQ(size_of(s), 0);
  }
  EXPECT_EQ(bounding_radius(NoShape{}), 0);
  EXPECT_TRUE(std::isinf(bounding_radius(HalfSpace{})));
  EXPECT_TRUE(std::isinf(bounding_half_extents(HalfSpace{}, Mat3::identity()).x));
}

TEST(Shape, SizeIsTheLargestExtent) {
  EXPECT_DOUBLE_EQ(size_of(Sphere{0.5}), 1.0);
  EXPECT_DOUBLE_EQ(size_of(Box{{0.1, 0.7, 0.3}}), 0.7);
  EXPECT_DOUBLE_EQ(size_of(Capsule{0.1, 0.5}), 0.7);
}

TEST(Shape, KindsAndNames) {
  EXPECT_EQ(kind(Shape{Capsule{1, 1}}), ShapeKind::capsule);
  EXPECT_STREQ(name(kind(Shape{})), "none");
  EXPECT_STREQ(name(kind(Shape{Sphere{1}})), "sphere");
  EXPECT_STREQ(name(kind(Shape{Box{{1, 1, 1}}})), "box");
  EXPECT_STREQ(name(ShapeKind::capsule), "capsule");
  EXPECT_STREQ(name(kind(Shape{HalfSpace{}})), "half_space");
}

// The support of a shape along a world direction, by its definition.
double support(const Shape& s, const Mat3& R, const Vec3& n) {
  if (const auto* x = std::get_if<Sphere>(&s)) return x->radius;
  if (const auto* x = std::get_if<Capsule>(&s))
    return std::fmax(dot(n, R * Vec3{0, 0, x->length / 2}), dot(n, R * Vec3{0, 0, -x->length / 2})) +
           x->radius;
  double best = -1e300;
  const Vec3 h = 0.5 * std::get<Box>(s).size;
  for (int i = 0; i < 8; ++i)
    best = std::fmax(best, dot(n, R * Vec3{i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z}));
  return best;
}

TEST(Shape, BoundsAreTight) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-1, 1), size(0.01, 2);
  for (int trial = 0; trial < 200; ++trial) {
    const Mat3 R = rotation_matrix(normalized(Quat{u(random), u(random), u(random), u(random)}));
    const Shape shapes[] = {Sphere{size(random)}, Box{{size(random), size(random), size(random)}},
                            Capsule{size(random), size(random)}};
    for (const Shape& s : shapes) {
      const Vec3 e = bounding_half_extents(s, R);
      for (int i = 0; i < 3; ++i) {
        Vec3 n;
        n[i] = 1;
        EXPECT_NEAR(e[i], support(s, R, n), 1e-14);
        EXPECT_LE(e[i], bounding_radius(s) + 1e-14);
      }
    }
    // the radius is reached: by a corner, a cap, any point
    const Vec3 diagonal = normalized(std::get<Box>(shapes[1]).size);
    EXPECT_NEAR(support(shapes[1], Mat3::identity(), diagonal), bounding_radius(shapes[1]), 1e-14);
    EXPECT_NEAR(support(shapes[2], R, R.column(2)), bounding_radius(shapes[2]), 1e-14);
  }
}

}  // namespace
}  // namespace stiction
