#include "stiction/math/vec3.h"

#include <gtest/gtest.h>

#include <charconv>
#include <limits>
#include <random>

namespace stiction {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Uniform numbers from the raw bits of the generator: the same on every standard library.
class Sampler {
 public:
  explicit Sampler(unsigned seed) : bits_(seed) {}
  double in(double low, double high) { return low + (high - low) * double(bits_() >> 11) * 0x1p-53; }
  Vec3 vector() { return {in(-1, 1), in(-1, 1), in(-1, 1)}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector();
      if (norm(v) > 0.1 && norm(v) <= 1) return normalized(v);
    }
  }
  Quat rotation() {
    for (;;) {
      const Quat q{in(-1, 1), in(-1, 1), in(-1, 1), in(-1, 1)};
      if (norm2(q) > 0.01 && norm2(q) <= 1) return normalized(q);
    }
  }

 private:
  std::mt19937_64 bits_;
};

TEST(Vec3, SpotValues) {
  EXPECT_EQ(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}), (Vec3{0, 0, 1}));
  EXPECT_EQ(cross(Vec3{1, 2, 3}, Vec3{4, 5, 6}), (Vec3{-3, 6, -3}));
  EXPECT_EQ(dot(Vec3{1, 2, 3}, Vec3{4, 5, 6}), 32);
  EXPECT_EQ(norm(Vec3{2, 3, 6}), 7);
  EXPECT_EQ(max_component(Vec3{-5, 2, 1}), 2);
  EXPECT_EQ(abs(Vec3{-1, 2, -3}), (Vec3{1, 2, 3}));
  EXPECT_EQ(times(Vec3{1, 2, 3}, Vec3{4, 5, 6}), (Vec3{4, 10, 18}));
  Vec3 v{1, 2, 3};
  v[1] = 7;
  EXPECT_EQ(v, (Vec3{1, 7, 3}));
  v -= Vec3{1, 1, 1};
  v *= 2.0;
  EXPECT_EQ(v, (Vec3{0, 12, 4}));
}

TEST(Vec3, FiniteLooksAtEveryComponent) {
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity()};
  for (const double x : bad) {
    for (int i = 0; i < 3; ++i) {
      Vec3 v{1, 2, 3};
      v[i] = x;
      EXPECT_FALSE(is_finite(v));
    }
    EXPECT_FALSE(is_finite(Quat{x, 0, 0, 0}));
    EXPECT_FALSE(is_finite(Quat{1, x, 0, 0}));
    EXPECT_FALSE(is_finite(Quat{1, 0, x, 0}));
    EXPECT_FALSE(is_finite(Quat{1, 0, 0, x}));
  }
  EXPECT_TRUE(is_finite(Vec3{1, 2, 3}));
  EXPECT_TRUE(is_finite(Quat{}));
}

// Lagrange and Jacobi identities. |components| <= 1, a dozen operations on terms of at most 3: 100 eps.
TEST(Vec3, CrossProductIdentities) {
  Sampler random(1);
  for (int n = 0; n < 2000; ++n) {
    const Vec3 a = random.vector(), b = random.vector(), c = random.vector();
    EXPECT_NEAR(norm2(cross(a, b)), norm2(a) * norm2(b) - dot(a, b) * dot(a, b), 100 * eps);
    EXPECT_LT(norm(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b))), 100 * eps);
    EXPECT_LT(norm(cross(a, cross(b, c)) - (dot(a, c) * b - dot(a, b) * c)), 100 * eps);
    EXPECT_NEAR(dot(a, cross(a, b)), 0, 100 * eps);
  }
}

TEST(Vec3, TangentsMakeARightHandedFrame) {
  Sampler random(2);
  const auto check = [](const Vec3& n) {
    Vec3 t1, t2;
    tangents(n, t1, t2);
    EXPECT_NEAR(norm(t1), 1, 20 * eps) << to_text(n);
    EXPECT_NEAR(norm(t2), 1, 20 * eps) << to_text(n);
    EXPECT_NEAR(dot(t1, n), 0, 20 * eps) << to_text(n);
    EXPECT_NEAR(dot(t2, n), 0, 20 * eps) << to_text(n);
    EXPECT_LT(norm(cross(n, t1) - t2), 20 * eps) << to_text(n);
  };
  for (int n = 0; n < 2000; ++n) check(random.direction());
  for (const double s : {1.0, -1.0}) {
    check({s, 0, 0});
    check({0, s, 0});
    check({0, 0, s});
    check(normalized(
        Vec3{1e-9, 1e-9, s}));  // beside the poles, where 1 + z loses digits in other constructions
  }
}

TEST(Mat3, ProductsAgreeWithTheirMeaning) {
  Sampler random(3);
  for (int n = 0; n < 500; ++n) {
    const Mat3 a = rotation_matrix(random.rotation()) * Mat3::diagonal(random.vector());
    const Mat3 b = rotation_matrix(random.rotation()) * Mat3::diagonal(random.vector());
    const Vec3 v = random.vector(), u = random.vector();
    EXPECT_LT(norm((a * b) * v - a * (b * v)), 30 * eps);
    EXPECT_LT(norm((a + b) * v - (a * v + b * v)), 30 * eps);
    EXPECT_NEAR(dot(u, a * v), dot(transposed_times(a, u), v), 30 * eps);
    EXPECT_EQ(transposed_times(a, u), transposed(a) * u);
    EXPECT_EQ(Mat3::identity() * v, v);
    EXPECT_EQ(a.row(1), transposed(a).column(1));
  }
}

TEST(Quat, QuarterTurns) {
  const double s = std::sqrt(0.5);
  const Quat about_z{s, 0, 0, s};
  EXPECT_LT(norm(rotate(about_z, {1, 0, 0}) - Vec3{0, 1, 0}), 4 * eps);
  EXPECT_LT(norm(rotate(about_z, {0, 1, 0}) - Vec3{-1, 0, 0}), 4 * eps);
  const Quat about_x{s, s, 0, 0};
  EXPECT_LT(norm(rotate(about_x, {0, 1, 0}) - Vec3{0, 0, 1}), 4 * eps);
  // First about z, then about x (world axes): the later turn stands on the left.
  EXPECT_LT(norm(rotate(about_x * about_z, {1, 0, 0}) - Vec3{0, 0, 1}), 8 * eps);
}

TEST(Quat, RotationKeepsLengthsAnglesAndHandedness) {
  Sampler random(4);
  for (int n = 0; n < 2000; ++n) {
    const Quat q = random.rotation(), p = random.rotation();
    const Vec3 a = random.vector(), b = random.vector();
    const Mat3 r = rotation_matrix(q);
    EXPECT_NEAR(norm(rotate(q, a)), norm(a), 30 * eps);
    EXPECT_LT(norm(rotate(q, a) - r * a), 30 * eps);
    EXPECT_LT(norm(rotate_back(q, rotate(q, a)) - a), 30 * eps);
    EXPECT_LT(norm(rotate_back(q, a) - transposed_times(r, a)), 30 * eps);
    EXPECT_LT(norm(rotate(q * p, a) - rotate(q, rotate(p, a))), 50 * eps);
    EXPECT_LT(norm(rotate(q, cross(a, b)) - cross(rotate(q, a), rotate(q, b))), 50 * eps);
    EXPECT_LT(norm((r * transposed(r)) * a - a), 30 * eps);
    EXPECT_NEAR(norm2(q * p), 1, 20 * eps);
    EXPECT_NEAR(norm2(normalized(Quat{3 * q.w, 3 * q.x, 3 * q.y, 3 * q.z})), 1, 4 * eps);
  }
}

// cayley(a) turns about a by 2 atan(|a| / 2): checked with the quaternion of that angle, and by the defining
// equation (1 - [a/2]x) R = 1 + [a/2]x.
TEST(Quat, CayleyMap) {
  Sampler random(5);
  for (int n = 0; n < 1000; ++n) {
    const Vec3 a = random.in(0.01, 8) * random.direction();
    const Quat q = cayley(a);
    const double angle = 2 * std::atan(norm(a) / 2);
    const Vec3 axis = normalized(a);
    EXPECT_NEAR(q.w, std::cos(angle / 2), 8 * eps);
    EXPECT_LT(norm(Vec3{q.x, q.y, q.z} - std::sin(angle / 2) * axis), 8 * eps);
    const Vec3 v = random.vector(), turned = rotate(q, v);
    EXPECT_LT(norm((turned - 0.5 * cross(a, turned)) - (v + 0.5 * cross(a, v))), 200 * eps);
  }
  EXPECT_EQ(cayley({0, 0, 0}), Quat{});
}

TEST(Text, ShortestDigits) {
  EXPECT_EQ(to_text(Vec3{1, 2, 3}), "(1, 2, 3)");
  EXPECT_EQ(to_text(Vec3{0.1, -0.5, 1e300}), "(0.1, -0.5, 1e+300)");
  EXPECT_EQ(to_text(Vec3{-0.0, 1.0 / 3, 1e-5}), "(-0, 0.3333333333333333, 1e-05)");
  EXPECT_EQ(to_text(Quat{}), "(1, 0, 0, 0)");
}

TEST(Text, ReadsBackTheSameBits) {
  Sampler random(6);
  for (int n = 0; n < 2000; ++n) {
    const double x = random.in(-1, 1) * std::pow(10.0, random.in(-300, 300));
    const std::string text = to_text(Vec3{x, 0, 0});
    double back = 0;
    std::from_chars(text.data() + 1, text.data() + text.size(), back);
    EXPECT_EQ(back, x) << text;
  }
}

}  // namespace
}  // namespace stiction
