#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "stiction/dynamics/tree/joint.h"
#include "stiction/math/spatial.h"

namespace stiction::tree {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

class Joint : public testing::TestWithParam<int> {
 protected:
  JointKind kind = static_cast<JointKind>(GetParam());
  std::size_t nq = std::size_t(coordinate_count(kind)), nv = std::size_t(dof_count(kind));
  RandomStream random{std::uint64_t(GetParam()) + 77};

  std::vector<double> position() {
    std::vector<double> q(nq);
    set_random(kind, random, q);
    return q;
  }
  std::vector<double> velocity(double size) {
    std::vector<double> v(nv);
    for (double& x : v) x = random.between(-size, size);
    return v;
  }
};

TEST_P(Joint, DifferenceUndoesIntegrate) {
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> q = position(), v = velocity(1.7);  // |v| < 3: less than half a turn
    std::vector<double> end(nq), back(nv);
    integrate(kind, q, v, 1, end);
    difference(kind, q, end, back);
    // Coordinates up to pi + 1.7 round off at 4 eps; a rotation vector of length near pi at a few eps / sin.
    for (std::size_t d = 0; d < nv; ++d) EXPECT_NEAR(back[d], v[d], 40 * eps);
  }
}

TEST_P(Joint, ConstantVelocityInPartsIsTheSameMotion) {
  const std::vector<double> q = position(), v = velocity(3);
  std::vector<double> whole(nq), parts = q;
  integrate(kind, q, v, 2, whole);
  for (int i = 0; i < 1000; ++i) integrate(kind, parts, v, 0.002, parts);
  for (std::size_t i = 0; i < nq; ++i) EXPECT_NEAR(parts[i], whole[i], 1000 * 4 * eps);
  // On the manifold: unit length to the last bits, after any number of steps.
  if (kind == JointKind::spherical || kind == JointKind::free) {
    const double* p = parts.data() + nq - 4;
    EXPECT_NEAR(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], 1, 4 * eps);
  }
}

TEST_P(Joint, RateIsTheDerivativeOfIntegrate) {
  for (int i = 0; i < 100; ++i) {
    const std::vector<double> q = position(), v = velocity(1);
    std::vector<double> rate(nq), ahead(nq), behind(nq);
    coordinate_rate(kind, q, v, rate);
    const double h = 1e-5;  // error h^2/6 |w|^3 = 1e-10, round-off eps pi / h = 7e-11
    integrate(kind, q, v, h, ahead), integrate(kind, q, v, -h, behind);
    for (std::size_t d = 0; d < nq; ++d) EXPECT_NEAR((ahead[d] - behind[d]) / (2 * h), rate[d], 1e-9);
  }
}

TEST_P(Joint, NeutralIsNoMotion) {
  std::vector<double> q(nq, 9), to(nq);
  set_neutral(kind, q);
  integrate(kind, q, std::vector<double>(nv, 0.0), 1, to);
  EXPECT_EQ(q, to);
  for (std::size_t i = 0; i < nq; ++i) EXPECT_EQ(q[i], nq > nv && i == nq - 4 ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Joint, testing::Range(0, joint_kind_count), [](const auto& each) {
  return std::string(name_of(static_cast<JointKind>(each.param)));
});

TEST(RotationVector, ExponentialAndLogarithm) {
  RandomStream random(3);
  for (const double size : {1e-300, 1e-160, 1e-9, 0.9e-4, 1.1e-4, 0.1, 1.0, 1.8}) {
    for (int i = 0; i < 200; ++i) {
      const Vec3 a{random.between(-size, size), random.between(-size, size), random.between(-size, size)};
      const Quat q = exponential(a);
      EXPECT_NEAR(norm2(q), 1, 4 * eps);
      EXPECT_LE(norm(logarithm(q) - a), 8 * eps * size) << size;
      EXPECT_LE(norm(logarithm({-q.w, -q.x, -q.y, -q.z}) - a), 8 * eps * size);
      // Against the C library, in long double.
      const long double s = std::sqrt((long double)(norm2(a)));
      if (s > 1e-100L) {
        EXPECT_NEAR(q.w, double(std::cos(s / 2)), 2 * eps);
        EXPECT_NEAR(q.x, double(a.x * std::sin(s / 2) / s), 2 * eps);
      }
    }
  }
}

TEST(RotationVector, QuaternionOfAMatrix) {
  RandomStream random(4);
  double worst = 0;
  for (int i = 0; i < 10000; ++i) {
    std::vector<double> q(4);
    set_random(JointKind::spherical, random, q);
    if (i % 7 == 0) q[std::size_t(i % 4)] = 0;  // half turns and the like
    Quat a = normalized(Quat{q[0], q[1], q[2], q[3]});
    if (a.w < 0) a = {-a.w, -a.x, -a.y, -a.z};
    const Quat b = quaternion_of(rotation_matrix(a));
    const double same = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    worst =
        std::max(worst, norm2(Quat{a.w - same * b.w, a.x - same * b.x, a.y - same * b.y, a.z - same * b.z}));
    EXPECT_GE(b.w, 0);
  }
  EXPECT_LT(std::sqrt(worst), 8 * eps);
}

}  // namespace
}  // namespace stiction::tree
