#include "stiction/complementarity/detail/minimum_degree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/random.h"

namespace stiction::complementarity::detail {
namespace {

using Sets = std::vector<std::set<int>>;

struct Graph {
  std::vector<int> start{0}, column, weight;
  explicit Graph(const Sets& sets) : weight(sets.size(), 1) {
    for (const std::set<int>& set : sets) {
      column.insert(column.end(), set.begin(), set.end());
      start.push_back(int(column.size()));
    }
  }
};

Sets random_sets(test::Random& random, int n, int edges) {
  Sets out(static_cast<std::size_t>(n));
  for (int k = 0; k < edges; ++k) {
    const int i = random.below(n), j = random.below(n);
    if (i != j) out[std::size_t(i)].insert(j), out[std::size_t(j)].insert(i);
  }
  return out;
}

/// Eliminates on sets, the plain way: neighbours of what goes become a clique. Returns the entries below
/// pivots.
std::size_t eliminate(Sets sets, const MinimumDegree& order) {
  std::size_t count = 0;
  for (const int v : order.pivots()) {
    const std::set<int> list = sets[std::size_t(v)];
    EXPECT_TRUE(std::equal(list.begin(), list.end(), order.below(v).begin(), order.below(v).end()));
    count += list.size();
    for (const int u : list) {
      sets[std::size_t(u)].insert(list.begin(), list.end());
      sets[std::size_t(u)].erase(u), sets[std::size_t(u)].erase(v);
    }
  }
  return count;
}

TEST(MinimumDegree, ListsAreThoseOfTheElimination) {
  test::Random random(7);
  MinimumDegree order;  // kept: what one run leaves must not disturb the next
  for (int k = 0; k < 200; ++k) {
    const int n = 1 + k % 60;
    const Sets sets = random_sets(random, n, k % 7 * n / 2);
    const Graph g(sets);
    order.run(g.start, g.column, g.weight);
    ASSERT_EQ(int(order.pivots().size()), n);
    EXPECT_EQ(std::set<int>(order.pivots().begin(), order.pivots().end()).size(), std::size_t(n));
    eliminate(sets, order);
  }
}

TEST(MinimumDegree, AChainAndATreeFillNothing) {
  constexpr int n = 500;
  Sets chain(n), tree(n);
  for (int i = 1; i < n; ++i) {
    chain[std::size_t(i)].insert(i - 1), chain[std::size_t(i - 1)].insert(i);
    const int parent = (i - 1) / 3;
    tree[std::size_t(i)].insert(parent), tree[std::size_t(parent)].insert(i);
  }
  MinimumDegree order;
  for (const Sets& sets : {chain, tree}) {
    const Graph g(sets);
    order.run(g.start, g.column, g.weight);
    EXPECT_EQ(eliminate(sets, order), std::size_t(n - 1));
  }
}

// Row by row a square grid of side s has s entries below each of its s^2 pivots.
TEST(MinimumDegree, AGridFillsLittle) {
  constexpr int s = 24, n = s * s;
  Sets sets(n);
  const auto join = [&](int i, int j) { sets[std::size_t(i)].insert(j), sets[std::size_t(j)].insert(i); };
  for (int i = 0; i < n; ++i) {
    if (i % s > 0) join(i - 1, i);
    if (i >= s) join(i - s, i);
  }
  const Graph g(sets);
  MinimumDegree order;
  order.run(g.start, g.column, g.weight);
  EXPECT_LT(eliminate(sets, order), std::size_t(0.5 * s * s * s));
}

TEST(MinimumDegree, LeavesOutWhatHasNoWeight) {
  Graph g(Sets{{1}, {0}, {}, {}});
  g.weight = {3, 2, 0, 1};
  MinimumDegree order;
  order.run(g.start, g.column, g.weight);
  std::vector<int> pivots = order.pivots();
  std::sort(pivots.begin(), pivots.end());
  EXPECT_EQ(pivots, (std::vector<int>{0, 1, 3}));
}

}  // namespace
}  // namespace stiction::complementarity::detail
