// Validation, residual, reformulations, polyhedral contact, and the dense algebra under the linear solvers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/complementarity/linear/detail/basis_inverse.h"
#include "stiction/complementarity/linear/detail/dense.h"
#include "stiction/complementarity/linear/natural_residual.h"
#include "stiction/complementarity/linear/reformulate.h"
#include "support/lcp_suite.h"

namespace stiction::complementarity {
namespace {

using test::Random;
constexpr double infinity = std::numeric_limits<double>::infinity();

bool names(const std::vector<std::string>& faults, const std::string& field) {
  for (const std::string& fault : faults)
    if (fault.starts_with(field)) return true;
  return false;
}

TEST(LinearProblems, ValidateNamesTheField) {
  EXPECT_TRUE(validate(Lcp{2, {1, 0, 0, 1}, {1, 2}}).empty());
  EXPECT_TRUE(names(validate(Lcp{}), "n:"));
  EXPECT_TRUE(names(validate(Lcp{-1, {}, {}}), "n:"));
  EXPECT_TRUE(names(validate(Lcp{2, {1, 0, 0}, {1, 2}}), "M:"));
  EXPECT_TRUE(names(validate(Lcp{2, {1, 0, 0, 1}, {1}}), "q:"));
  EXPECT_TRUE(names(validate(Lcp{2, {1, 0, std::nan(""), 1}, {1, 2}}), "M[1][0]"));
  EXPECT_TRUE(names(validate(Lcp{2, {1, 0, 0, 1}, {1, infinity}}), "q[1]"));
  EXPECT_TRUE(names(validate(MixedLcp{1, 2, {1}, {1}}), "free:"));
  EXPECT_TRUE(names(validate(MixedLcp{1, -1, {1}, {1}}), "free:"));
  EXPECT_TRUE(names(validate(BoxedLcp{1, {1}, {1}, {}, {1}}), "lower:"));
  EXPECT_TRUE(names(validate(BoxedLcp{1, {1}, {1}, {0}, {1, 2}}), "upper:"));
  EXPECT_TRUE(names(validate(BoxedLcp{1, {1}, {1}, {1}, {0}}), "lower[0] is above"));
  EXPECT_TRUE(names(validate(BoxedLcp{1, {1}, {1}, {std::nan("")}, {0}}), "lower[0]"));
  EXPECT_TRUE(names(validate(BoxedLcp{1, {1}, {1}, {0}, {-infinity}}), "upper[0]"));
  EXPECT_TRUE(names(validate(BoxedLcp{1, {1}, {1}, {infinity}, {infinity}}), "lower[0]"));
  EXPECT_TRUE(validate(BoxedLcp{2, {1, 0, 0, 1}, {1, 2}, {-infinity, 3}, {infinity, 3}}).empty());
}

TEST(LinearProblems, ResidualIsTheNaturalMap) {
  const Lcp p{2, {2, 1, 1, 3}, {-1, 4}};
  EXPECT_EQ(natural_residual(p, {0.5, 0}), 0);
  EXPECT_DOUBLE_EQ(natural_residual(p, {0, 0}), 1.0 / 5);      // w_0 = -1
  EXPECT_DOUBLE_EQ(natural_residual(p, {0.5, 0.1}), 0.1 / 5);  // z_1 = 0.1 with w_1 > 0.1
  EXPECT_DOUBLE_EQ(natural_residual(p, {-0.5, 0}), 2.0 / 5);
  EXPECT_EQ(natural_residual(p, {1}), infinity);
  EXPECT_EQ(natural_residual(p, {1, std::nan("")}), infinity);
  const MixedLcp mixed{2, 1, {2, 1, 1, 3}, {1, 4}};
  EXPECT_EQ(natural_residual(mixed, {-0.5, 0}), 0);
  const BoxedLcp box{3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {2, -2, 0.5}, {-1, -1, -1}, {1, 1, 1}};
  EXPECT_EQ(natural_residual(box, {-1, 1, -0.5}), 0);
  EXPECT_DOUBLE_EQ(natural_residual(box, {-1, 0.75, -0.5}), 0.25 / 3);
  const BoxedLcp fixed{1, {1}, {5}, {2}, {2}};
  EXPECT_EQ(natural_residual(fixed, {2}), 0);
}

// Sums that cancel to the last digit: plain doubles would give 0 or 2.
TEST(LinearProblems, ResidualSumsInTwiceTheWorkingPrecision) {
  const Lcp p{3, {1e16, 1, -1e16, 0, 1, 0, 0, 0, 1}, {0, -1, -1}};
  EXPECT_EQ(slack(3, p.M, p.q, {1, 1, 1})[0], 1);
}

TEST(LinearProblems, EliminationNeedsARegularBlock) {
  EXPECT_FALSE(eliminate_free(MixedLcp{3, 2, {1, 1, 0, 1, 1, 0, 0, 0, 1}, {0, 0, 0}}));
  const std::optional<Elimination> e = eliminate_free(MixedLcp{2, 1, {2, 1, 4, 5}, {6, 7}});
  ASSERT_TRUE(e);
  EXPECT_DOUBLE_EQ(e->reduced.M[0], 5 - 4 * 0.5);  // B - D A^-1 C
  EXPECT_DOUBLE_EQ(e->reduced.q[0], 7 - 4 * 3);
  const std::vector<double> z = e->recover({2});
  EXPECT_DOUBLE_EQ(z[0], -(1 * 2 + 6) / 2.0);
  EXPECT_DOUBLE_EQ(z[1], 2);
}

TEST(LinearProblems, MixedFormKeepsTheSolution) {
  // lower, upper, two-sided, fixed, free: a solution of the box maps to one of the mixed problem
  const BoxedLcp p{5,
                   {2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2},
                   {1, -1, -9, 3, -4},
                   {0, -infinity, 0, 1, -infinity},
                   {infinity, 0, 3, 1, infinity}};
  const MixedForm form = as_mixed(p);
  EXPECT_EQ(form.problem.free, 1);
  EXPECT_EQ(form.problem.n, 7);
  // z = (0, 0, 3, 1, 2); w = (1, -1, -3, 5, 0). y: free, lower, upper, two-sided, fixed, two multipliers
  const std::vector<double> y = {2, 0, 0, 3, 0, 3, 0};
  EXPECT_EQ(natural_residual(form.problem, y), 0);
  EXPECT_EQ(form.recover(y), (std::vector<double>{0, 0, 3, 1, 2}));
}

TEST(ContactLcp, ValidateNamesTheField) {
  PolyhedralContacts p = test::box_stack(1, 4, 0.5, 0);
  EXPECT_TRUE(validate(p).empty());
  p.friction[2] = -0.1;
  EXPECT_TRUE(names(validate(p), "friction[2]"));
  p.friction.pop_back();
  EXPECT_TRUE(names(validate(p), "friction:"));
  p.directions = 3;
  EXPECT_TRUE(names(validate(p), "directions:"));
  p.contacts = 0;
  EXPECT_TRUE(names(validate(p), "contacts:"));
  PolyhedralContacts q = test::box_stack(1, 4, 0.5, 0);
  q.v_free[1] = infinity;
  EXPECT_TRUE(names(validate(q), "v_free[1]"));
}

TEST(ContactLcp, BlocksAreAsWritten) {
  // one mass point on a floor with two directions: M = [w 0 0 0; 0 w -w 1; 0 -w w 1; mu -1 -1 0]
  PolyhedralContacts p;
  p.coordinates = 2, p.contacts = 1, p.directions = 2;
  p.inverse_mass = {0.5, 0, 0, 0.5};
  p.normals = {0, 1}, p.tangents = {1, 0, -1, 0};
  p.friction = {0.3}, p.v_free = {2, -1}, p.bias = {0.25};
  const Lcp lcp = stewart_trinkle_lcp(p);
  EXPECT_EQ(lcp.M, (std::vector<double>{0.5, 0, 0, 0, 0, 0.5, -0.5, 1, 0, -0.5, 0.5, 1, 0.3, -1, -1, 0}));
  EXPECT_EQ(lcp.q, (std::vector<double>{-0.75, 2, -2, 0}));
  // normal impulse 1.5 stops the fall to the bias, friction 0.45 slows the slide from 2 to 1.775
  const std::vector<double> z = {1.5, 0, 0.45, 1.775};
  EXPECT_NEAR(natural_residual(lcp, z), 0, 1e-16);
  EXPECT_NEAR(velocity_after(p, z)[0], 1.775, 1e-15);
  EXPECT_NEAR(velocity_after(p, z)[1], -0.25, 1e-15);
}

TEST(ContactLcp, FanIsEvenAndExactlyOpposite) {
  for (const int k : {2, 4, 6, 8, 16}) {
    const auto fan = direction_fan(k);
    for (std::size_t e = 0; e < fan.size(); ++e) {
      const auto& [c, s] = fan[e];
      EXPECT_NEAR(c, std::cos(2 * 3.14159265358979323846 * double(e) / k), 1e-15);
      EXPECT_NEAR(s, std::sin(2 * 3.14159265358979323846 * double(e) / k), 1e-15);
      const auto& opposite = fan[(e + fan.size() / 2) % fan.size()];
      EXPECT_EQ(opposite.first, -c);
      EXPECT_EQ(opposite.second, -s);
    }
  }
}

// ---- dense algebra ------------------------------------------------------------------------------------

TEST(DenseAlgebra, ProductsMatchPlainLoops) {
  Random random(41);
  std::vector<double> pack;
  for (const std::size_t m : {1u, 3u, 4u, 9u, 33u})
    for (const std::size_t n : {1u, 7u, 8u, 30u})
      for (const std::size_t k : {1u, 5u, 300u})
        for (const bool transposed : {false, true}) {
          std::vector<double> A(m * k), B(k * n), C(m * n);
          for (double& x : A) x = random.between(-1, 1);
          for (double& x : B) x = random.between(-1, 1);
          for (double& x : C) x = random.between(-1, 1);
          std::vector<double> want(C);
          for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j)
              for (std::size_t p = 0; p < k; ++p)
                want[i * n + j] -= A[i * k + p] * (transposed ? B[j * k + p] : B[p * n + j]);
          detail::subtract_product(m, n, k, A.data(), k, B.data(), transposed ? k : n, transposed, C.data(),
                                   n, pack);
          for (std::size_t i = 0; i < C.size(); ++i) EXPECT_NEAR(C[i], want[i], 1e-13);
        }
}

TEST(DenseAlgebra, FactorisationsSolve) {
  Random random(42);
  for (const int n : {1, 2, 5, 31, 32, 33, 64, 65, 130}) {
    const auto size = std::size_t(n);
    std::vector<double> A(size * size), x(size), b(size, 0), copy;
    for (double& a : A) a = random.between(-1, 1);
    for (double& a : x) a = random.between(-1, 1);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) b[i] += A[i * size + j] * x[j];
    copy = A;
    detail::Lu lu;
    ASSERT_TRUE(lu.factor(size, copy, 1e-15));
    lu.solve(b.data());
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(b[i], x[i], 1e-9);
    std::vector<double> inverse(size * size);
    lu.inverse(inverse.data(), size);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < size; ++k) sum += A[i * size + k] * inverse[k * size + j];
        EXPECT_NEAR(sum, i == j, 1e-10);
      }
    const std::vector<double> S = test::gram_matrix(random, n, n + 3);
    detail::Cholesky cholesky;
    cholesky.matrix(size) = S;
    ASSERT_TRUE(cholesky.factor(1e-14));
    std::vector<double> c(size, 0);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) c[i] += S[i * size + j] * x[j];
    cholesky.solve(c.data());
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(c[i], x[i], 1e-7);
  }
  std::vector<double> singular = {1, 2, 2, 4};
  detail::Lu lu;
  EXPECT_FALSE(lu.factor(2, singular, 1e-14));
  detail::Cholesky cholesky;
  cholesky.matrix(2) = {1, 2, 2, 4};
  EXPECT_FALSE(cholesky.factor(1e-14));
}

// A random walk of borders, exchanges and removals; the inverse must stay that of K.
TEST(DenseAlgebra, BasisInverseFollowsEveryChange) {
  Random random(43);
  detail::BasisInverse inverse;
  inverse.clear(40);
  std::vector<std::vector<double>> K;  // rows
  std::vector<double> y, v;
  int kinds[4] = {0, 0, 0, 0};
  for (int change = 0; change < 600; ++change) {
    const std::size_t m = K.size();
    const int kind = m < 3 ? 0 : random.below(m > 30 ? 3 : 4) + (m > 30 ? 1 : 0);
    std::vector<double> a(m), b(m);
    for (double& x : a) x = random.between(-1, 1);
    for (double& x : b) x = random.between(-1, 1);
    inverse.multiply(b.data(), y);
    inverse.multiply_transposed(a.data(), v);
    const auto c = m > 0 ? std::size_t(random.below(int(m))) : 0,
               r = m > 0 ? std::size_t(random.below(int(m))) : 0;
    if (kind == 0) {
      const double corner = 3;
      double pivot = corner;
      for (std::size_t i = 0; i < m; ++i) pivot -= a[i] * y[i];
      if (std::fabs(pivot) < 0.1) continue;
      inverse.border(y, v, pivot);
      for (std::size_t i = 0; i < m; ++i) K[i].push_back(b[i]);
      a.push_back(corner);
      K.push_back(a);
    } else if (kind == 1) {
      if (std::fabs(y[c]) < 0.1) continue;
      inverse.replace_column(c, y);
      for (std::size_t i = 0; i < m; ++i) K[i][c] = b[i];
    } else if (kind == 2) {
      if (std::fabs(v[r]) < 0.1) continue;
      inverse.replace_row(r, v);
      K[r] = a;
    } else {
      if (std::fabs(inverse.row(c)[r]) < 0.1) continue;
      inverse.remove(c, r);
      for (auto& row : K) row[c] = row.back(), row.pop_back();
      K[r] = K.back(), K.pop_back();
    }
    ++kinds[kind];
    ASSERT_EQ(inverse.size(), K.size());
    for (std::size_t i = 0; i < K.size(); ++i)
      for (std::size_t j = 0; j < K.size(); ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < K.size(); ++k) sum += K[i][k] * inverse.row(k)[j];
        ASSERT_NEAR(sum, i == j, 1e-6) << change;
      }
  }
  for (const int count : kinds) EXPECT_GT(count, 20);
}

}  // namespace
}  // namespace stiction::complementarity
