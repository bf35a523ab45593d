#include "stiction/complementarity/friction/prepared.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stiction/complementarity/friction/cones.h"
#include "stiction/complementarity/friction/detail/cone_kernels.h"

namespace stiction::complementarity::friction {
namespace {

std::size_t at(int i) { return std::size_t(i); }

int root_of(std::vector<int>& parent, int i) {
  while (parent[at(i)] != i) i = parent[at(i)] = parent[at(parent[at(i)])];
  return i;
}

/// Sets islands and order; place_of is the inverse of order.
void find_islands(const LocalFriction& p, const std::vector<int>& contact_of, Prepared& out,
                  std::vector<int>& place_of) {
  const int d = out.rows, contacts = out.contacts;
  std::vector<int> parent(at(contacts)), size(at(contacts), 0);
  std::iota(parent.begin(), parent.end(), 0);
  for (int i = 0; i < contacts; ++i)
    for (int k = p.W.start[at(i * d)]; k < p.W.start[at(i * d + d)]; ++k) {
      const int j = contact_of[at(p.W.column[at(k)])];
      if (parent[at(i)] == parent[at(j)] || p.W.value[at(k)] == 0) continue;
      const int a = root_of(parent, i), b = root_of(parent, j);
      if (a != b) parent[at(std::max(a, b))] = std::min(a, b);
    }
  for (int i = 0; i < contacts; ++i) ++size[at(root_of(parent, i))];
  std::vector<int> next(at(contacts), 0);
  out.islands.clear();
  for (int i = 0, begin = 0; i < contacts; ++i) {  // a root is the lowest contact of its island
    if (size[at(i)] == 0) continue;
    out.islands.push_back({begin, begin + size[at(i)]});
    next[at(i)] = begin, begin += size[at(i)];
  }
  out.order.resize(at(contacts)), place_of.resize(at(contacts));
  for (int i = 0; i < contacts; ++i) {
    const int place = next[at(root_of(parent, i))]++;
    out.order[at(place)] = i, place_of[at(i)] = place;
  }
}

void fill_blocks(const LocalFriction& p, const std::vector<int>& contact_of, const std::vector<int>& place_of,
                 Prepared& out) {
  const int d = out.rows, area = d * d;
  out.start.assign(1, 0), out.column.clear(), out.block.clear();
  out.start.reserve(at(out.contacts) + 1);
  out.block.reserve(p.W.value.size() + 16), out.column.reserve(p.W.value.size() / at(area) + 16);
  out.diagonal.assign(at(out.contacts), -1);
  std::vector<int> entry_of(at(out.contacts), -1);  // by place
  std::vector<int> mine;
  for (int place = 0; place < out.contacts; ++place) {
    const int i = out.order[at(place)];
    mine.clear();
    for (int k = p.W.start[at(i * d)]; k < p.W.start[at(i * d + d)]; ++k) {
      const int j = place_of[at(contact_of[at(p.W.column[at(k)])])];
      if (entry_of[at(j)] >= 0 || p.W.value[at(k)] == 0) continue;
      entry_of[at(j)] = 0, mine.push_back(j);
    }
    if (!std::is_sorted(mine.begin(), mine.end())) std::sort(mine.begin(), mine.end());
    for (const int j : mine) {
      entry_of[at(j)] = int(out.column.size());
      if (j == place) out.diagonal[at(place)] = entry_of[at(j)];
      out.column.push_back(j);
    }
    out.block.resize(out.column.size() * at(area), 0.0);
    for (int row = 0; row < d; ++row)
      for (int k = p.W.start[at(i * d + row)]; k < p.W.start[at(i * d + row) + 1]; ++k) {
        if (p.W.value[at(k)] == 0) continue;
        const int column = p.W.column[at(k)], j = contact_of[at(column)];
        out.block[at(entry_of[at(place_of[at(j)])] * area + row * d + column - j * d)] = p.W.value[at(k)];
      }
    for (const int j : mine) entry_of[at(j)] = -1;
    out.start.push_back(int(out.column.size()));
  }
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
  out.rows = laws.rows;
  out.first = first_disc(laws.law, laws.rows), out.second = second_disc(laws.law, laws.rows);
  out.contacts = int(laws.mu.size());
  std::vector<int> contact_of, place_of;  // of a row; of a contact
  for (int i = 0; i < out.contacts; ++i) contact_of.insert(contact_of.end(), at(out.rows), i);
  find_islands(p, contact_of, out, place_of);
  fill_blocks(p, contact_of, place_of, out);
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

void local_velocities(const Prepared& p, const Range& island, const double* r, double* u) {
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

}  // namespace stiction::complementarity::friction
