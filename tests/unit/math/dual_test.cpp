// Slopes against what calculus says.
#include "stiction/math/dual.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

using Number = Dual<2>;

TEST(Dual, SlopesOfSumsProductsQuotientsAndRoots) {
  const Number x = Number::variable(3, 0), y = Number::variable(2, 1);
  const Number f = sqrt(x * x + Number(4) * y) / (x - y) - y;
  const double root = std::sqrt(17.0);
  EXPECT_DOUBLE_EQ(f.value, root - 2);
  EXPECT_DOUBLE_EQ(f.slope[0], 3 / root - root);  // x / r / (x - y) - r / (x - y)^2
  EXPECT_DOUBLE_EQ(f.slope[1], 2 / root + root - 1);
}

TEST(Dual, SlopesOfVectors) {
  const DualVec3<3> a = DualVec3<3>::variables({1, -2, 2}, 0), e = Vec3{0.5, 1, -3};
  const DualVec3<3> n = normalized(a);
  for (int k = 0; k < 3; ++k) {
    Vec3 unit;
    unit[k] = 1;
    const Vec3 exact = (unit - (a.value()[k] / 9) * a.value()) / 3;  // (1 - n n^T) / |a|
    EXPECT_LT(norm(n.slope(k) - exact), 1e-16);
    EXPECT_LT(norm(cross(a, e).slope(k) - cross(unit, e.value())), 1e-16);
    EXPECT_DOUBLE_EQ(dot(a, e).slope[std::size_t(k)], e.value()[k]);
  }
}

}  // namespace
}  // namespace stiction
