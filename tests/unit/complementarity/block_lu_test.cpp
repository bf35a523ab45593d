// Block LU against dense elimination in long double, on random patterns.
#include "stiction/complementarity/block_lu.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "support/dense.h"
#include "support/random.h"

namespace stiction::complementarity {
namespace {

using test::Dense;
using test::Random;
constexpr int w = BlockLu::width;

using Pairs = std::vector<std::pair<int, int>>;

/// Random unsymmetric blocks in a symmetric pattern; `weight` on the diagonal makes it dominant.
struct Case {
  int n;
  Pairs pairs;
  std::vector<double> block;  // n diagonal ones, then (i, j) and (j, i) of every pair
};
Case random_case(Random& random, int n, int pair_count, double weight) {
  Case c{n, {}, {}};
  for (int k = 0; k < pair_count && n > 1; ++k) {
    const int i = random.below(n);
    int j = random.below(n);
    while (j == i) j = random.below(n);
    c.pairs.emplace_back(i, j);
  }
  for (int k = 0; k < n + 2 * int(c.pairs.size()); ++k)
    for (int e = 0; e < w * w; ++e)
      c.block.push_back(random.between(-1, 1) + (k < n && e % (w + 1) == 0 ? weight : 0));
  return c;
}
void fill(const Case& c, BlockLu& lu) {
  lu.set_zero();
  const auto add = [&](std::size_t k, double* to) {
    for (std::size_t e = 0; e < w * w; ++e) to[e] += c.block[k * w * w + e];
  };
  for (int i = 0; i < c.n; ++i) add(std::size_t(i), lu.diagonal(i));
  for (std::size_t k = 0; k < c.pairs.size(); ++k) {
    add(std::size_t(c.n) + 2 * k, lu.off_diagonal(c.pairs[k].first, c.pairs[k].second));
    add(std::size_t(c.n) + 2 * k + 1, lu.off_diagonal(c.pairs[k].second, c.pairs[k].first));
  }
}
Dense dense(const Case& c) {
  Dense a(w * c.n);
  const auto add = [&](std::size_t k, int i, int j) {
    for (int r = 0; r < w; ++r)
      for (int s = 0; s < w; ++s) a(w * i + r, w * j + s) += c.block[k * w * w + std::size_t(r * w + s)];
  };
  for (int i = 0; i < c.n; ++i) add(std::size_t(i), i, i);
  for (std::size_t k = 0; k < c.pairs.size(); ++k) {
    add(std::size_t(c.n) + 2 * k, c.pairs[k].first, c.pairs[k].second);
    add(std::size_t(c.n) + 2 * k + 1, c.pairs[k].second, c.pairs[k].first);
  }
  return a;
}

TEST(BlockLu, SolvesRandomPatterns) {
  Random random(1);
  BlockLu lu;  // one object for all: its memory is re-used
  for (int i = 0; i < 60; ++i) {
    const int n = 1 + random.below(30);
    const Case c = random_case(random, n, random.below(3 * n + 1), 30);
    lu.analyse(c.n, c.pairs);
    fill(c, lu);
    ASSERT_TRUE(lu.factorise());
    std::vector<double> x(std::size_t(w * n));
    for (double& e : x) e = random.between(-1, 1);
    const std::vector<double> expected = dense(c).solve(x);
    lu.solve(x.data());
    // dominant: condition below 10, so some ten roundings of x, which is about 1 / 30
    for (std::size_t k = 0; k < x.size(); ++k)
      ASSERT_NEAR(x[k], expected[k], 1e-15) << "case " << i << " entry " << k;
  }
}

// Where all are neighbours the pivots are worked off in panels: of full length, shorter at the end, and with
// a chain behind them whose pivots stand alone.
TEST(BlockLu, SolvesInPanels) {
  Random random(3);
  for (const int chain : {0, 9}) {
    const int core = 2 * BlockLu::most_panel + 5;
    Case c{core + chain, {}, {}};
    for (int i = 0; i < core; ++i)
      for (int j = 0; j < i; ++j) c.pairs.emplace_back(i, j);
    for (int i = core; i < c.n; ++i) c.pairs.emplace_back(i, i - 1);
    for (int k = 0; k < c.n + 2 * int(c.pairs.size()); ++k)
      for (int e = 0; e < w * w; ++e)
        c.block.push_back(random.between(-1, 1) + (k < c.n && e % (w + 1) == 0 ? 200 : 0));
    BlockLu lu, narrow;
    lu.analyse(c.n, c.pairs), narrow.analyse(c.n, c.pairs);
    fill(c, lu), fill(c, narrow);
    ASSERT_TRUE(lu.factorise() && narrow.factorise(true));
    std::vector<double> x(std::size_t(w * c.n));
    for (double& e : x) e = random.between(-1, 1);
    std::vector<double> y = x;
    const std::vector<double> expected = dense(c).solve(x);
    lu.solve(x.data()), narrow.solve(y.data());
    EXPECT_EQ(x, y);
    // dominant: condition below 10, so some ten roundings of x, which is about 1 / 200
    for (std::size_t k = 0; k < x.size(); ++k) ASSERT_NEAR(x[k], expected[k], 1e-16) << "entry " << k;
  }
}

TEST(BlockLu, SolvesAgainWithOtherNumbersInTheSamePattern) {
  Random random(2);
  BlockLu lu;
  Case c = random_case(random, 12, 20, 30);
  lu.analyse(c.n, c.pairs);
  lu.set_zero();
  const double* where = lu.diagonal(3);
  for (int i = 0; i < 5; ++i) {
    lu.analyse(c.n, c.pairs);
    EXPECT_EQ(lu.diagonal(3), where);  // the pattern is as before: nothing is laid out anew
    for (double& e : c.block) e *= 1.1;
    fill(c, lu);
    ASSERT_TRUE(lu.factorise());
    std::vector<double> x(std::size_t(w * c.n), 1.0);
    const std::vector<double> expected = dense(c).solve(x);
    lu.solve(x.data());
    for (std::size_t k = 0; k < x.size(); ++k) ASSERT_NEAR(x[k], expected[k], 1e-15);
  }
}

// A chain and a star have orders without fill: every pivot has one neighbour left, two products each.
// The hash must not depend on the registers: narrow and wide eliminate in the same order.
TEST(BlockLu, NarrowAndWideRegistersGiveTheSameBits) {
  Random random(29);
  for (int i = 0; i < 40; ++i) {
    const int n = 1 + random.below(20);
    const Case c = random_case(random, n, 3 * n, 20);
    std::vector<double> x(std::size_t(w * n));
    for (double& e : x) e = random.between(-1, 1);
    std::vector<double> y = x;
    BlockLu wide, narrow;
    wide.analyse(c.n, c.pairs), narrow.analyse(c.n, c.pairs);
    fill(c, wide), fill(c, narrow);
    ASSERT_TRUE(wide.factorise() && narrow.factorise(true));
    wide.solve(x.data()), narrow.solve(y.data());
    EXPECT_EQ(x, y) << "case " << i;
  }
}

// Dense cores, and two sides that are neighbours crosswise with a core behind them, whose columns have rows
// that others lack: what threads share is the same, whatever their number and the registers.
TEST(BlockLu, ThreadsGiveTheSameBits) {
  Random random(31);
  const int core = 60;
  Case dense_core{core + 20, {}, {}}, crosswise{2 * core, {}, {}};
  for (int i = 0; i < core; ++i)
    for (int j = 0; j < i; ++j) dense_core.pairs.emplace_back(i, j);
  for (int i = core; i < dense_core.n; ++i) dense_core.pairs.emplace_back(i, random.below(core));
  for (int i = 0; i < core; ++i)
    for (int j = 0; j < core; ++j)
      if (random.below(3) > 0) crosswise.pairs.emplace_back(i, core + j);
  for (Case c : {dense_core, crosswise}) {
    for (int k = 0; k < c.n + 2 * int(c.pairs.size()); ++k)
      for (int e = 0; e < w * w; ++e)
        c.block.push_back(random.between(-1, 1) + (k < c.n && e % (w + 1) == 0 ? 500 : 0));
    std::vector<double> x(std::size_t(w * c.n));
    for (double& e : x) e = random.between(-1, 1);
    const auto solution = [&](bool narrow, Team* team) {
      BlockLu lu;
      lu.analyse(c.n, c.pairs);
      fill(c, lu);
      EXPECT_TRUE(lu.factorise(narrow, {}, team));
      std::vector<double> y = x;
      lu.solve(y.data());
      return y;
    };
    const std::vector<double> alone = solution(false, nullptr);
    for (const int threads : {2, 3, 8}) {
      Team team(threads);
      for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(solution(false, &team), alone) << threads;
        EXPECT_EQ(solution(true, &team), alone) << threads;
      }
    }
  }
}

TEST(BlockLu, SingularAndStoppedAlsoWithThreads) {
  Case c{40, {}, {}};
  for (int i = 0; i < c.n; ++i)
    for (int j = 0; j < i; ++j) c.pairs.emplace_back(i, j);
  c.block.assign(std::size_t(c.n + 2 * int(c.pairs.size())) * w * w, 0.0);
  for (int k = 0; k < c.n - 1; ++k)  // the last pivot is zero
    for (int e = 0; e < w; ++e) c.block[std::size_t(k * w * w + e * (w + 1))] = 1;
  Team team(3);
  BlockLu lu;
  lu.analyse(c.n, c.pairs);
  fill(c, lu);
  EXPECT_FALSE(lu.factorise(false, {}, &team));
  for (int e = 0; e < w; ++e) c.block[std::size_t((c.n - 1) * w * w + e * (w + 1))] = 1;
  fill(c, lu);
  EXPECT_TRUE(lu.factorise(false, {}, &team));
  const std::atomic<bool> stop = true;
  fill(c, lu);
  EXPECT_FALSE(lu.factorise(false, {&stop}, &team));
}

TEST(BlockLu, OrdersChainsAndStarsWithoutFill) {
  const int n = 50;
  Pairs chain, star, all;
  for (int i = 1; i < n; ++i) chain.emplace_back(i - 1, i), star.emplace_back(0, i);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) all.emplace_back(i, j);
  BlockLu lu;
  lu.analyse(n, chain);
  EXPECT_EQ(lu.cost(), 2 * (n - 1));
  lu.analyse(n, star);
  EXPECT_EQ(lu.cost(), 2 * (n - 1));
  lu.analyse(n, all);
  double dense_cost = 0;
  for (int d = 0; d < n; ++d) dense_cost += d * (d + 1);
  EXPECT_EQ(lu.cost(), dense_cost);
  lu.analyse(n, {});
  EXPECT_EQ(lu.cost(), 0);
}

// A grid of 12 x 12: nested dissection would take some 1.2e4 products, natural order 1.7e5.
TEST(BlockLu, KeepsTheFillOfAGridLow) {
  const int side = 12;
  Pairs pairs;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      if (i > 0) pairs.emplace_back(side * i + j, side * (i - 1) + j);
      if (j > 0) pairs.emplace_back(side * i + j, side * i + j - 1);
    }
  BlockLu lu;
  lu.analyse(side * side, pairs);
  EXPECT_LT(lu.cost(), 12000);
}

TEST(BlockLu, SaysWhenAPivotIsSingular) {
  BlockLu lu;
  lu.analyse(2, {{0, 1}});
  lu.set_zero();
  for (int k = 0; k < w; ++k) lu.diagonal(0)[k * (w + 1)] = 1;  // the second diagonal block stays zero
  EXPECT_FALSE(lu.factorise());
}

TEST(Invert6, MatchesTheOracle) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    double a[36], inverse[36];
    for (double& e : a) e = random.between(-1, 1);
    if (!invert6(a, inverse)) continue;
    double size = 0, error = 0;
    for (int column = 0; column < w; ++column) {
      Dense d(w);
      for (int r = 0; r < w; ++r)
        for (int s = 0; s < w; ++s) d(r, s) = a[r * w + s];
      std::vector<double> unit(w, 0.0);
      unit[std::size_t(column)] = 1;
      const std::vector<double> x = d.solve(unit);
      for (int r = 0; r < w; ++r) {
        size = std::fmax(size, std::fabs(x[std::size_t(r)]));
        error = std::fmax(error, std::fabs(inverse[r * w + column] - x[std::size_t(r)]));
      }
    }
    ASSERT_LT(error, 1e-14 * size * size) << i;  // round-off times the condition, |A| |A^-1| ~ 6 size
  }
}

TEST(Invert6, NeedsPivotsAndRefusesWhatHasNone) {
  double swap[36] = {}, inverse[36];
  for (int k = 0; k < w; ++k) swap[k * w + (w - 1 - k)] = 2;  // zero diagonal
  ASSERT_TRUE(invert6(swap, inverse));
  for (int k = 0; k < w; ++k) EXPECT_EQ(inverse[k * w + (w - 1 - k)], 0.5);
  double zero[36] = {};
  EXPECT_FALSE(invert6(zero, inverse));
  double twice[36] = {};
  for (int k = 0; k < w; ++k) twice[k * (w + 1)] = 1;
  for (int k = 0; k < w; ++k) twice[5 * w + k] = twice[4 * w + k];  // two equal rows
  EXPECT_FALSE(invert6(twice, inverse));
  double broken[36] = {};
  for (int k = 0; k < w; ++k) broken[k * (w + 1)] = 1;
  broken[7] = std::nan("");
  broken[0] = INFINITY;
  EXPECT_FALSE(invert6(broken, inverse));
}

}  // namespace
}  // namespace stiction::complementarity
