// Equations solved by orthogonal elimination: random ones, with rows that repeat others.
#include "stiction/dynamics/mechanism/null_space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace stiction::mechanism {
namespace {

constexpr double round_off = 1e-12;

struct System {
  int rows, columns, independent;
  std::vector<double> G;
  double at(int r, int i) const { return G[std::size_t(r * columns + i)]; }
};
/// Rows beyond the independent ones are sums of those; rows of very different lengths.
System random_system(int rows, int columns, int independent, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  System s{rows, columns, independent, std::vector<double>(std::size_t(rows * columns))};
  for (int r = 0; r < rows; ++r) {
    double* row = s.G.data() + r * columns;
    if (r < independent) {
      for (int i = 0; i < columns; ++i) row[i] = number(random);
    } else {
      for (int k = 0; k < independent; ++k) {
        const double by = number(random);
        for (int i = 0; i < columns; ++i) row[i] += by * s.at(k, i);
      }
    }
  }
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < columns; ++i)
      s.G[std::size_t(r * columns + i)] *= r % 3 == 0 ? 1e-3 : r % 3 == 1 ? 1 : 50;
  return s;
}
NullSpace space_of(const System& s) {
  NullSpace out;
  out.resize(s.rows, s.columns);
  for (int r = 0; r < s.rows; ++r) std::copy_n(s.G.data() + r * s.columns, s.columns, out.row(r));
  out.factorise(1e-9);
  return out;
}
double length_of(const System& s, int r) {
  double sum = 0;
  for (int i = 0; i < s.columns; ++i) sum += s.at(r, i) * s.at(r, i);
  return std::sqrt(sum);
}

struct Sizes {
  int rows, columns, independent;
};
class NullSpaces : public testing::TestWithParam<Sizes> {};

TEST_P(NullSpaces, AreOrthonormalAndSolve) {
  const auto [rows, columns, independent] = GetParam();
  const System s = random_system(rows, columns, independent, 7);
  NullSpace space = space_of(s);
  ASSERT_EQ(space.rank(), independent);
  const int n = space.free();
  ASSERT_EQ(n, columns - independent);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      double sum = 0;
      for (int i = 0; i < columns; ++i) sum += space.basis(i)[a] * space.basis(i)[b];
      EXPECT_NEAR(sum, a == b ? 1.0 : 0.0, round_off);
    }
    for (int r = 0; r < rows; ++r) {
      double sum = 0;
      for (int i = 0; i < columns; ++i) sum += s.at(r, i) * space.basis(i)[a];
      EXPECT_NEAR(sum / length_of(s, r), 0, round_off);
    }
  }
  // right-hand sides that a known x makes: consistent, whichever rows repeat others
  std::vector<double> known(std::size_t(columns), 0), g(std::size_t(rows), 0), x(known);
  for (int i = 0; i < columns; ++i) known[std::size_t(i)] = std::sin(1.0 + i);
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < columns; ++i) g[std::size_t(r)] += s.at(r, i) * known[std::size_t(i)];
  space.particular(g.data(), x.data());
  for (int r = 0; r < rows; ++r) {
    double sum = -g[std::size_t(r)];
    for (int i = 0; i < columns; ++i) sum += s.at(r, i) * x[std::size_t(i)];
    EXPECT_NEAR(sum / length_of(s, r), 0, 1e-11);
  }
  for (int a = 0; a < n; ++a) {
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += space.basis(i)[a] * x[std::size_t(i)];
    EXPECT_NEAR(sum, 0, 1e-11);
  }
}

TEST_P(NullSpaces, GiveTheSmallestForces) {
  const auto [rows, columns, independent] = GetParam();
  const System s = random_system(rows, columns, independent, 11);
  NullSpace space = space_of(s);
  // momenta that known forces make
  std::vector<double> known(std::size_t(rows), 0), p(std::size_t(columns), 0), l(known);
  for (int r = 0; r < rows; ++r) known[std::size_t(r)] = std::cos(2.0 * r) / length_of(s, r);
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < columns; ++i) p[std::size_t(i)] += s.at(r, i) * known[std::size_t(r)];
  space.forces(p.data(), l.data());
  for (int i = 0; i < columns; ++i) {
    double sum = -p[std::size_t(i)];
    for (int r = 0; r < rows; ++r) sum += s.at(r, i) * l[std::size_t(r)];
    EXPECT_NEAR(sum, 0, 1e-11);
  }
  // least squares: across everything that does nothing, to which known - l belongs
  double along = 0, size = 0;
  for (int r = 0; r < rows; ++r) {
    const auto k = std::size_t(r);
    along += l[k] * (known[k] - l[k]), size += known[k] * known[k];
  }
  EXPECT_NEAR(along / size, 0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Sizes, NullSpaces,
                         testing::Values(Sizes{3, 6, 3}, Sizes{5, 6, 5}, Sizes{9, 12, 7}, Sizes{6, 6, 6},
                                         Sizes{8, 6, 6}, Sizes{15, 6, 5}, Sizes{40, 60, 33}));

// Rows that may not be kept are not, even where nothing else says what they say.
TEST(NullSpace, LeavesOutWhatMayNotBeKept) {
  const System s = random_system(4, 6, 4, 3);
  NullSpace space = space_of(s);
  space.resize(4, 6);
  for (int r = 0; r < 4; ++r) std::copy_n(s.G.data() + r * 6, 6, space.row(r));
  const std::vector<char> usable{1, 0, 1, 1};
  space.factorise(1e-9, &usable);
  EXPECT_EQ(space.rank(), 3);
  EXPECT_EQ(space.order().back(), 1);
  double p[6] = {1, 2, 3, 4, 5, 6}, l[4];
  space.forces(p, l);
  EXPECT_EQ(l[1], 0);
}

}  // namespace
}  // namespace stiction::mechanism
