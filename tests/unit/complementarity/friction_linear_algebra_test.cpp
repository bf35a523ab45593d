// The linear systems of the friction solvers against elimination in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/friction/condense.h"
#include "stiction/complementarity/friction/detail/block_system.h"
#include "stiction/complementarity/friction/detail/lorentz.h"
#include "support/dense.h"
#include "support/friction_cases.h"

namespace stiction::complementarity::friction {
namespace {

using test::Random;

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::fmax(largest, std::fabs(b[i]));
    difference = std::fmax(difference, std::fabs(a[i] - b[i]));
  }
  return difference / largest;
}

TEST(FrontLu, SolvesRandomSparseSystems) {
  Random random(31);
  FrontLu lu;
  for (const int n : {1, 2, 5, 20, 60, 120})
    for (const int links : {0, 1, 3}) {
      std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < links && n > 1; ++k) {
          const int j = random.below(n);
          if (j == i) continue;
          neighbours[std::size_t(i)].push_back(j), neighbours[std::size_t(j)].push_back(i);
        }
      std::vector<int> width, first{0}, start{0}, column;
      for (auto& list : neighbours) {
        width.push_back(1 + random.below(6)), first.push_back(first.back() + width.back());
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        column.insert(column.end(), list.begin(), list.end());
        start.push_back(int(column.size()));
      }
      test::Dense dense(first.back()), copy(first.back());
      const auto block = [&](int i, int j, const auto& put) {
        for (int a = 0; a < width[std::size_t(i)]; ++a)
          for (int b = 0; b < width[std::size_t(j)]; ++b) put(a, b);
      };
      for (int i = 0; i < n; ++i) {
        block(i, i, [&](int a, int b) {
          dense(first[std::size_t(i)] + a, first[std::size_t(i)] + b) =
              random.between(-1, 1) + (a == b ? 6 : 0);
        });
        for (int e = start[std::size_t(i)]; e < start[std::size_t(i) + 1]; ++e) {
          const int j = column[std::size_t(e)];
          block(i, j, [&](int a, int b) {
            dense(first[std::size_t(i)] + a, first[std::size_t(j)] + b) = random.between(-0.5, 0.5);
          });
        }
      }
      copy = dense;
      lu.analyse(width, start, column);
      ASSERT_TRUE(lu.factor([&](int i, int j, double* out, int ld) {
        block(i, j, [&](int a, int b) {
          out[a * ld + b] += double(dense(first[std::size_t(i)] + a, first[std::size_t(j)] + b));
        });
      }));
      std::vector<double> x(std::size_t(first.back()));
      for (double& v : x) v = random.between(-1, 1);
      const std::vector<double> expected = copy.solve(x);
      lu.solve(x.data());
      EXPECT_LE(relative_difference(x, expected), 1e-12) << n << " rows, " << links << " links";
    }
}

TEST(FrontLu, SaysWhereTheMatrixIsSingular) {
  FrontLu lu;
  lu.analyse({2, 1}, {0, 1, 2}, {1, 0});
  EXPECT_FALSE(lu.factor([](int, int, double*, int) {}));
}

/// Two bodies that touch in many points: the group has rank 6 whatever their number. One more body, one
/// point.
LocalFriction touching(Random& random, int points) {
  const int n = 18, m = 3 * (points + 1);
  std::vector<double> M(std::size_t(n * n), 0.0), H(std::size_t(n * m), 0.0);
  for (int i = 0; i < n; ++i) M[std::size_t(i * n + i)] = random.between(0.5, 3);
  const auto put = [&](int body, int contact, double sign, const double arm[3]) {
    const double rows[3][6] = {
        {0, 0, 1, arm[1], -arm[0], 0}, {1, 0, 0, 0, arm[2], -arm[1]}, {0, 1, 0, -arm[2], 0, arm[0]}};
    for (int row = 0; row < 3; ++row)
      for (int i = 0; i < 6; ++i)
        H[std::size_t((6 * body + i) * m + 3 * contact + row)] = sign * rows[row][i];
  };
  for (int k = 0; k <= points; ++k) {
    const double arm[3] = {random.between(-1, 1), random.between(-1, 1), 0.5};
    const double other[3] = {arm[0], arm[1], -0.5};
    put(k == points ? 1 : 0, k, -1, arm), put(k == points ? 2 : 1, k, 1, other);
  }
  GlobalFriction p;
  p.laws.mu.assign(std::size_t(points + 1), 0.5);
  p.M = test::sparse(n, n, M), p.H = test::sparse(n, m, H);
  p.f.assign(std::size_t(n), 1.0), p.b.assign(std::size_t(m), 0.0);
  MassFactors factors;
  LocalFriction local;
  EXPECT_TRUE(condense(p, factors, local));
  return local;
}

TEST(BlockSystem, SharesTheRankOfContactsBetweenTheSameBodies) {
  Random random(32);
  for (const int points : {2, 3, 4, 9}) {
    const LocalFriction p = touching(random, points);
    Prepared q;
    prepare(p, q);
    ASSERT_EQ(q.islands.size(), 1u);
    BlockSystem system;
    system.analyse(q, q.islands[0]);
    // two points have rank 5 of 6 rows, which saves too little: they are taken apart
    EXPECT_EQ(system.rank(), 6 + 3) << points;
    const int n = q.contacts * 3;
    for (const double term : {1.0, 1e-3})
      for (int open = 0; open < 3; ++open) {  // contacts that the others do not move
        std::vector<double> B(std::size_t(n * 3), 0.0), C(std::size_t(n * 3), 0.0),
            f(static_cast<std::size_t>(n));
        for (double& x : f) x = random.between(-1, 1);
        test::Dense dense(n);
        for (int i = 0; i < q.contacts; ++i)
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) {
              const auto at = std::size_t((i * 3 + a) * 3 + b);
              B[at] = (a == b ? term : 0.1 * term * random.between(-1, 1));
              C[at] = i < open ? 0.0 : (a == b ? 1.0 : 0.0) + random.between(-0.2, 0.2);
              dense(i * 3 + a, i * 3 + b) += B[at];
            }
        for (int i = 0; i < q.contacts; ++i)
          for (int e = q.start[std::size_t(i)]; e < q.start[std::size_t(i) + 1]; ++e)
            for (int a = 0; a < 3; ++a)
              for (int b = 0; b < 3; ++b)
                for (int k = 0; k < 3; ++k)
                  dense(i * 3 + a, q.column[std::size_t(e)] * 3 + b) +=
                      (long double)(C[std::size_t((i * 3 + a) * 3 + k)]) * q.entry(e)[k * 3 + b];
        const std::vector<double> expected = dense.solve(f);
        ASSERT_TRUE(system.factor(B.data(), C.data()));
        system.solve(f.data());
        // W has entries near 5 and is singular: the condition number is 1e4 / term; ranks are cut at 1e-11
        EXPECT_LE(relative_difference(f, expected), 1e-9 / term) << points << " points, " << open << " open";
      }
  }
}

TEST(BlockSystem, LeavesNoMoreThanRoundOffWhereTheProximalTermIsTiny) {
  // Newton's systems near the end of the path: B = 1 - D + g D and C = D with D = 1 where a contact sticks, a
  // projector where it slides, 0 where it is open. x grows as 1/g along the redundant impulses, and its
  // round-off must not be multiplied by 1/g again; that of f may be, since |f| << |W| |x| then.
  Random random(36);
  for (const int points : {1, 3, 4, 9})
    for (const double term : {1e-6, 1e-9, 1e-12}) {
      Prepared q;
      prepare(touching(random, points), q);
      BlockSystem system;
      system.analyse(q, q.islands[0]);
      const int n = q.contacts * 3;
      const auto count = static_cast<std::size_t>(n);
      std::vector<double> B(3 * count, 0.0), C(3 * count, 0.0), f(count);
      for (double& x : f) x = random.between(-1, 1);
      for (int i = 0; i < q.contacts; ++i) {
        double v[3];  // the direction in which a contact slides
        for (double& x : v) x = random.between(-1, 1);
        const double size = std::hypot(v[0], v[1], v[2]);
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            const double D = i % 3 == 2 ? 0.0 : (a == b) - (i % 3 == 1 ? v[a] * v[b] / (size * size) : 0.0);
            C[std::size_t((i * 3 + a) * 3 + b)] = D;
            B[std::size_t((i * 3 + a) * 3 + b)] = (a == b) - D + term * D;
          }
      }
      std::vector<double> x = f;
      ASSERT_TRUE(system.factor(B.data(), C.data()));
      system.solve(x.data());
      double largest_W = 0, largest_x = 0, residual = 0;
      for (const double value : q.block) largest_W = std::fmax(largest_W, std::fabs(value));
      for (const double value : x) largest_x = std::fmax(largest_x, std::fabs(value));
      for (int i = 0; i < q.contacts; ++i) {
        long double u[3] = {0, 0, 0};
        for (int e = q.start[std::size_t(i)]; e < q.start[std::size_t(i) + 1]; ++e)
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
              u[a] += (long double)(q.entry(e)[a * 3 + b]) * x[std::size_t(q.column[std::size_t(e)] * 3 + b)];
        for (int a = 0; a < 3; ++a) {
          long double sum = -f[std::size_t(i * 3 + a)];
          for (int b = 0; b < 3; ++b)
            sum += B[std::size_t((i * 3 + a) * 3 + b)] * (long double)(x[std::size_t(i * 3 + b)]) +
                   C[std::size_t((i * 3 + a) * 3 + b)] * u[b];
          residual = std::fmax(residual, std::fabs(double(sum)));
        }
      }
      EXPECT_LE(residual, 1e-13 * largest_W * largest_x + 1e-15 / term) << points << " points, g = " << term;
    }
}

TEST(BlockSystem, KeepsWhatIsOfFullRank) {
  Random random(33);
  LocalFriction p = touching(random, 4);
  for (double& x : p.W.value) x *= 1 + 1e-6 * random.between(-1, 1);  // no longer of rank 6
  Prepared q;
  prepare(p, q);
  BlockSystem system;
  system.analyse(q, q.islands[0]);
  EXPECT_EQ(system.rank(), 15);
}

TEST(Lorentz, ScalingMapsBothToOnePoint) {
  Random random(34);
  for (int round = 0; round < 200; ++round) {
    const int N = 1 + random.below(6);
    double s[6], z[6], a[6], b[6], back[6];
    for (double* x : {s, z}) {
      double sum = 0;
      for (int i = 1; i < N; ++i) x[i] = random.between(-1, 1), sum += x[i] * x[i];
      x[0] = std::sqrt(sum) + random.between(0.01, 1);
    }
    Scaling scaling;
    scaling.set(N, s, z);
    scaling.apply(N, z, a), scaling.apply_inverse(N, s, b);
    for (int i = 0; i < N; ++i) EXPECT_NEAR(a[i], b[i], 1e-13);
    scaling.apply_inverse(N, a, back);
    for (int i = 0; i < N; ++i) EXPECT_NEAR(back[i], z[i], 1e-12);
    double product[6], divided[6];
    jordan(N, s, z, product);
    jordan_divide(N, s, product, divided);
    for (int i = 0; i < N; ++i) EXPECT_NEAR(divided[i], z[i], 1e-11);
    double d[6], end[6];
    for (int i = 0; i < N; ++i) d[i] = random.between(-5, 5);
    const double step = step_inside(N, s, d);
    for (int i = 0; i < N; ++i) end[i] = s[i] + step * d[i];
    if (step < 1) {
      EXPECT_NEAR(lorentz_det(N, end), 0, 1e-12);
    }
    for (int i = 0; i < N; ++i) end[i] = s[i] + 0.999 * step * d[i];
    EXPECT_GT(N > 1 ? lorentz_det(N, end) : end[0], 0);
  }
}

}  // namespace
}  // namespace stiction::complementarity::friction
