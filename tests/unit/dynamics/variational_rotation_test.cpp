// The variational rule: momentum kept, second order, symmetric in time, no drift.
#include "stiction/dynamics/variational_rotation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace stiction {
namespace {

constexpr double same = 1e-14;  // [-] some ten turns of vectors by quaternions that are unit to 1e-16

Vec3 momentum(const Vec3& I, const RotationStep& s) {
  return rotate(s.orientation, times(I, rotate_back(s.orientation, s.spin)));
}
RotationStep run(const Vec3& I, RotationStep s, double h, int steps) {
  for (int i = 0; i < steps; ++i) s = rotate_variationally(I, s.orientation, s.spin, h);
  return s;
}

TEST(VariationalRotation, KeepsTheMomentumAndGoesBack) {
  test::Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 I{random.between(1, 2), random.between(1, 2), random.between(1, 2)};
    const RotationStep start{random.rotation(), random.vector(3)};
    const RotationStep end = rotate_variationally(I, start.orientation, start.spin, 0.1);
    EXPECT_LT(norm(momentum(I, end) - momentum(I, start)), same * norm(momentum(I, start)));
    const RotationStep back = rotate_variationally(I, end.orientation, end.spin, -0.1);
    EXPECT_LT(norm(back.spin - start.spin), 1e-13);
  }
}

TEST(VariationalRotation, IsOfSecondOrder) {
  const Vec3 I{1, 2, 3};
  const RotationStep start{{}, {0.3, 1, 0.2}}, exact = run(I, start, 1.0 / 4096, 4096);
  const double coarse = norm(run(I, start, 1.0 / 32, 32).spin - exact.spin),
               fine = norm(run(I, start, 1.0 / 64, 64).spin - exact.spin);
  EXPECT_NEAR(coarse / fine, 4, 0.05);
}

TEST(VariationalRotation, ASphereTurnsSteadily) {
  const RotationStep end = rotate_variationally({2, 2, 2}, {}, {0.3, 0.1, 0.5}, 0.2);
  EXPECT_LT(norm(end.spin - Vec3{0.3, 0.1, 0.5}), 1e-15);
}

// Up to 30 rad in a step: a solution that keeps the momentum, or none that is finite.
TEST(VariationalRotation, KeepsTheMomentumOrSaysNo) {
  test::Random random(2);
  int found = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 I{random.between(1, 2), random.between(1, 2), random.between(1, 2)};
    const RotationStep start{random.rotation(), random.vector(300)};
    const RotationStep end = rotate_variationally(I, start.orientation, start.spin, 0.1);
    if (!is_finite(end.spin)) continue;
    ++found;
    EXPECT_LT(norm(momentum(I, end) - momentum(I, start)), same * norm(momentum(I, start)));
  }
  EXPECT_GT(found, 900);
}

}  // namespace
}  // namespace stiction
