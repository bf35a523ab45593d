#include "stiction/complementarity/friction/prepared.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/friction/cones.h"
#include "stiction/complementarity/friction/detail/cone_kernels.h"
#include "stiction/complementarity/friction/detail/disjoint_sets.h"

namespace stiction::complementarity::friction {
namespace {

std::size_t at(int i) { return std::size_t(i); }

/// W in blocks, contact by contact, in one pass: the d rows of a contact are walked side by side, from block
/// column to block column. Blocks of zeros are left out.
template <int d>
void fill_blocks(const SparseRows& W, Prepared& out) {
  constexpr std::size_t area = d * d;
  out.start.assign(1, 0), out.column.clear(), out.block.clear();
  out.start.reserve(at(out.contacts) + 1);
  out.block.reserve(W.value.size() + 2 * area), out.column.reserve(W.value.size() / area + 16);
  out.diagonal.assign(at(out.contacts), -1);
  const int* column = W.column.data();
  const double* value = W.value.data();
  for (int i = 0; i < out.contacts; ++i) {
    int next[d];
    for (int row = 0; row < d; ++row) next[row] = W.start[at(i * d + row)];
    const int* end = W.start.data() + i * d + 1;  // of each row
    while (true) {
      int least = W.columns;
      for (int row = 0; row < d; ++row)
        if (next[row] < end[row]) least = std::min(least, column[next[row]]);
      if (least == W.columns) break;
      const int j = least / d, first = j * d;
      const std::size_t before = out.block.size();
      out.block.resize(before + area);
      bool empty = true;
      for (int row = 0; row < d; ++row) {
        double* mine = out.block.data() + before + row * d;
        int k = next[row];
        for (; k < end[row] && column[k] < first + d; ++k)
          mine[column[k] - first] = value[k], empty = empty && value[k] == 0;
        next[row] = k;
      }
      if (empty) {
        out.block.resize(before);
        continue;
      }
      if (j == i) out.diagonal[at(i)] = int(out.column.size());
      out.column.push_back(j);
    }
    out.start.push_back(int(out.column.size()));
  }
}

/// Sets islands and order; place_of is the inverse of order. False: contacts stay where they are.
bool find_islands(Prepared& out, std::vector<int>& place_of) {
  const int contacts = out.contacts;
  DisjointSets sets(contacts);
  std::vector<int> size(at(contacts), 0);
  for (int i = 0; i < contacts; ++i)
    for (int e = out.start[at(i)]; e < out.start[at(i) + 1]; ++e) sets.join(i, out.column[at(e)]);
  for (int i = 0; i < contacts; ++i) ++size[at(sets.root(i))];
  std::vector<int> next(at(contacts), 0);
  out.islands.clear();
  for (int i = 0, begin = 0; i < contacts; ++i) {  // a root is the lowest contact of its island
    if (size[at(i)] == 0) continue;
    out.islands.push_back({begin, begin + size[at(i)]});
    next[at(i)] = begin, begin += size[at(i)];
  }
  bool moved = false;
  out.order.resize(at(contacts)), place_of.resize(at(contacts));
  for (int i = 0; i < contacts; ++i) {
    const int place = next[at(sets.root(i))]++;
    out.order[at(place)] = i, place_of[at(i)] = place;
    moved = moved || place != i;
  }
  return moved;
}

/// Blocks from the order of contacts to that of places; columns stay ascending, since a row's contacts are of
/// one island and keep their order there.
void move_blocks(const std::vector<int>& place_of, Prepared& out) {
  std::vector<int> start(1, 0), column, diagonal;
  std::vector<double> block;
  start.reserve(out.start.size()), column.reserve(out.column.size()), block.reserve(out.block.size());
  diagonal.reserve(out.diagonal.size());
  for (const int i : out.order) {
    const int shift = int(column.size()) - out.start[at(i)];
    for (int e = out.start[at(i)]; e < out.start[at(i) + 1]; ++e)
      column.push_back(place_of[at(out.column[at(e)])]);
    const double *from = out.entry(out.start[at(i)]), *to = out.entry(out.start[at(i) + 1]);
    block.insert(block.end(), from, to);
    diagonal.push_back(out.diagonal[at(i)] < 0 ? -1 : out.diagonal[at(i)] + shift);
    start.push_back(int(column.size()));
  }
  out.start.swap(start), out.column.swap(column), out.block.swap(block), out.diagonal.swap(diagonal);
}

void scale_weights(const FrictionLaws& laws, Prepared& out) {
  const int d = out.rows;
  out.weight.clear();
  if (laws.weights.empty()) return;
  for (const int i : out.order) {
    out.weight.push_back(1);
    for (int k = 0; k < d - 1; ++k) out.weight.push_back(laws.weights[at(i * (d - 1) + k)]);
  }
  for (int i = 0; i < out.contacts; ++i) {
    const double* mine = out.weight.data() + i * d;
    for (int k = 0; k < d; ++k) out.b[at(i * d + k)] *= mine[k];
    for (int e = out.start[at(i)]; e < out.start[at(i) + 1]; ++e) {
      const double* other = out.weight.data() + out.column[at(e)] * d;
      for (int a = 0; a < d; ++a)
        for (int c = 0; c < d; ++c) out.block[at((e * d + a) * d + c)] *= mine[a] * other[c];
    }
  }
}

}  // namespace

void prepare(const LocalFriction& p, Prepared& out) {
  const FrictionLaws& laws = p.laws;
  ++out.version;
  out.graph.clear();
  out.rows = laws.rows;
  out.first = first_disc(laws.law, laws.rows), out.second = second_disc(laws.law, laws.rows);
  out.contacts = int(laws.mu.size());
  with_cone(out.first, out.second, [&](auto cone) { fill_blocks<decltype(cone)::rows>(p.W, out); });
  std::vector<int> place_of;
  if (find_islands(out, place_of)) move_blocks(place_of, out);
  const int d = out.rows;
  out.mu.clear(), out.b.clear(), out.w.clear();
  for (const int i : out.order) {
    const ContactCone k = cone_of(laws, i);
    out.mu.push_back(k.mu[0]), out.mu.push_back(k.mu[1]);
    for (int row = 0; row < d; ++row) out.b.push_back(p.b[at(i * d + row)]);
  }
  scale_weights(laws, out);
  for (int i = 0; i < out.contacts; ++i) {
    double trace = 0;
    for (int k = 0; out.diagonal[at(i)] >= 0 && k < d; ++k)
      trace += out.entry(out.diagonal[at(i)])[k * d + k];
    out.w.push_back(trace / d);
  }
}

void to_places(const Prepared& p, const std::vector<double>& r, std::vector<double>& out) {
  const int d = p.rows;
  out.resize(at(p.contacts * d));
  for (int i = 0; i < p.contacts; ++i)
    for (int k = 0; k < d; ++k)
      out[at(i * d + k)] = r[at(p.order[at(i)] * d + k)] / (p.weight.empty() ? 1.0 : p.weight[at(i * d + k)]);
}
void from_places(const Prepared& p, const std::vector<double>& r, std::vector<double>& out) {
  const int d = p.rows;
  out.resize(at(p.contacts * d));
  for (int i = 0; i < p.contacts; ++i)
    for (int k = 0; k < d; ++k)
      out[at(p.order[at(i)] * d + k)] = r[at(i * d + k)] * (p.weight.empty() ? 1.0 : p.weight[at(i * d + k)]);
}

int Prepared::island_at(int begin) const {
  const auto found = std::lower_bound(islands.begin(), islands.end(), begin,
                                      [](const Range& a, int place) { return a.begin < place; });
  return int(found - islands.begin());
}

/// v of the island's bodies from r, from the first of them on.
int graph_velocities(const Prepared& p, const Range& island, const double* r, std::vector<double>& v) {
  const Graph& g = p.graph;
  const int number = p.island_at(island.begin);
  const int base = g.first[at(g.body_begin[at(number)])], end = g.first[at(g.body_begin[at(number) + 1])];
  v.assign(at(end - base), 0.0);
  for (int i = island.begin; i < island.end; ++i) g.add_impulse(i, p.rows, base, r + i * p.rows, v.data());
  return base;
}

void local_velocities(const Prepared& p, const Range& island, const double* r, double* u) {
  const int begin = island.begin * p.rows, end = island.end * p.rows;
  if (std::all_of(r + begin, r + end, [](double x) { return x == 0; })) {  // a cold start
    std::copy(p.b.begin() + begin, p.b.begin() + end, u + begin);
    return;
  }
  if (p.graph.used()) {
    std::vector<double> v;
    const int base = graph_velocities(p, island, r, v);
    std::copy(p.b.begin() + begin, p.b.begin() + end, u + begin);
    for (int i = island.begin; i < island.end; ++i)
      p.graph.add_velocity(i, p.rows, base, v.data(), u + i * p.rows);
    return;
  }
  with_cone(p.first, p.second, [&](auto cone) {
    constexpr int d = decltype(cone)::rows;
    for (int i = island.begin; i < island.end; ++i) {
      double sum[d];
      for (int k = 0; k < d; ++k) sum[k] = p.b[at(i * d + k)];
      for (int e = p.start[at(i)]; e < p.start[at(i) + 1]; ++e) {
        const double* a = p.entry(e);
        const double* x = r + p.column[at(e)] * d;
        for (int k = 0; k < d; ++k) sum[k] += dot<d>(a + k * d, x);
      }
      for (int k = 0; k < d; ++k) u[i * d + k] = sum[k];
    }
  });
}

MapError map_error(const Prepared& p, const Range& island, const double* r, const double* u) {
  double plain = 0, scaled = 0, r2 = 0;
  with_cone(p.first, p.second, [&](auto cone) {
    using C = decltype(cone);
    constexpr int d = C::rows;
    for (int i = island.begin; i < island.end; ++i) {
      double e[d];
      natural_map<C>(p.mu.data() + 2 * i, 1.0, r + i * d, u + i * d, e);
      for (int k = 0; k < d; ++k) plain += e[k] * e[k], r2 += r[i * d + k] * r[i * d + k];
      natural_map<C>(p.mu.data() + 2 * i, 1 / p.w[at(i)], r + i * d, u + i * d, e);
      for (int k = 0; k < d; ++k) scaled += e[k] * e[k];
    }
  });
  return {std::sqrt(plain), std::sqrt(scaled), std::sqrt(r2)};
}

double plain_error(const Prepared& p, const Range& island, const double* r, const double* u) {
  double sum = 0;
  with_cone(p.first, p.second, [&](auto cone) {
    using C = decltype(cone);
    for (int i = island.begin; i < island.end; ++i) {
      double e[C::rows];
      natural_map<C>(p.mu.data() + 2 * i, 1.0, r + i * C::rows, u + i * C::rows, e);
      for (int k = 0; k < C::rows; ++k) sum += e[k] * e[k];
    }
  });
  return std::sqrt(sum);
}

}  // namespace stiction::complementarity::friction
