#include "stiction/complementarity/friction/prepare_graph.h"

#include <algorithm>
#include <numeric>

#include "stiction/complementarity/friction/cones.h"
#include "stiction/complementarity/friction/detail/disjoint_sets.h"

namespace stiction::complementarity::friction {
namespace {

std::size_t at(int i) { return std::size_t(i); }

/// Blocks of M that each contact moves, ascending.
std::vector<std::vector<int>> blocks_of_contacts(const GlobalFriction& p, const MassFactors& factors) {
  std::vector<std::vector<int>> out(p.laws.mu.size());
  for (int i = 0; i < p.H.rows; ++i)
    for (int k = p.H.start[at(i)]; k < p.H.start[at(i) + 1]; ++k)
      if (p.H.value[at(k)] != 0) out[at(p.H.column[at(k)] / p.laws.rows)].push_back(factors.block_of(i));
  for (std::vector<int>& blocks : out) {
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  }
  return out;
}

/// Islands and order of the contacts, and the bodies: block -> body, -1 where no contact moves it.
std::vector<int> find_islands(const std::vector<std::vector<int>>& moved, const MassFactors& factors,
                              Prepared& out) {
  const int contacts = out.contacts, blocks = factors.blocks();
  DisjointSets sets(blocks);
  std::vector<int> lowest(at(blocks), contacts), size(at(blocks), 0);
  for (const std::vector<int>& mine : moved)
    for (const int b : mine) sets.join(mine[0], b);
  std::vector<int> island(at(contacts));  // root of its blocks
  for (int i = 0; i < contacts; ++i) {
    const int root = island[at(i)] = sets.root(moved[at(i)][0]);
    lowest[at(root)] = std::min(lowest[at(root)], i), ++size[at(root)];
  }
  std::vector<int> next(at(blocks), 0), turn(at(blocks), -1);
  out.islands.clear(), out.order.assign(at(contacts), 0);
  for (int i = 0, begin = 0; i < contacts; ++i) {
    const int root = island[at(i)];
    if (lowest[at(root)] != i) continue;
    turn[at(root)] = int(out.islands.size());
    out.islands.push_back({begin, begin + size[at(root)]});
    next[at(root)] = begin, begin += size[at(root)];
  }
  for (int i = 0; i < contacts; ++i) out.order[at(next[at(island[at(i)])]++)] = i;
  // bodies by island, then by block
  std::vector<int> count(out.islands.size() + 1, 0), body(at(blocks), -1);
  for (int b = 0; b < blocks; ++b)
    if (const int t = turn[at(sets.root(b))]; t >= 0) ++count[at(t) + 1];
  std::partial_sum(count.begin(), count.end(), count.begin());
  out.graph.body_begin = count;
  for (int b = 0; b < blocks; ++b)
    if (const int t = turn[at(sets.root(b))]; t >= 0) body[at(b)] = count[at(t)]++;
  return body;
}

void take_masses(const GlobalFriction& p, const MassFactors& factors, const std::vector<int>& body,
                 Graph& graph) {
  std::vector<int> block_of(at(graph.body_begin.back()));
  for (int b = 0; b < factors.blocks(); ++b)
    if (body[at(b)] >= 0) block_of[at(body[at(b)])] = b;
  graph.first.assign(1, 0);
  for (const int block : block_of) {
    const std::vector<int>& rows = factors.rows(block);
    graph.first.push_back(graph.first.back() + int(rows.size()));
    graph.mass_at.push_back(graph.mass.size());
    for (const int row : rows) {
      const std::size_t begin = graph.mass.size();
      graph.mass.resize(begin + rows.size());
      for (int k = p.M.start[at(row)]; k < p.M.start[at(row) + 1]; ++k)
        graph.mass[begin + at(factors.place_of(p.M.column[at(k)]))] = p.M.value[at(k)];
    }
  }
}

/// Room for every side, in the order of places; side_of(contact, block) follows from `moved`.
void lay_out_sides(const std::vector<std::vector<int>>& moved, const std::vector<int>& body, Prepared& out) {
  Graph& graph = out.graph;
  graph.start.assign(1, 0);
  std::size_t end = 0;
  for (const int i : out.order) {
    for (const int block : moved[at(i)]) {
      graph.body.push_back(body[at(block)]);
      graph.rows_at.push_back(end);
      end += at(out.rows * graph.size(body[at(block)]));
    }
    graph.start.push_back(int(graph.body.size()));
  }
  graph.G.assign(end, 0.0), graph.Y.assign(end, 0.0);
}

}  // namespace

GraphShape shape_of(const GlobalFriction& p, const MassFactors& factors) {
  std::vector<double> contacts_of(at(factors.blocks()), 0.0);
  for (const std::vector<int>& mine : blocks_of_contacts(p, factors))
    for (const int b : mine) ++contacts_of[at(b)];
  GraphShape out;
  for (int b = 0; b < factors.blocks(); ++b) {
    out.blocks += contacts_of[at(b)] * contacts_of[at(b)] / double(p.laws.mu.size());
    out.largest = std::max(out.largest, int(factors.rows(b).size()));
  }
  return out;
}

void prepare(const GlobalFriction& p, MassFactors& factors, Prepared& out) {
  const FrictionLaws& laws = p.laws;
  const int d = laws.rows;
  ++out.version;
  out.rows = d, out.contacts = int(laws.mu.size());
  out.first = first_disc(laws.law, d), out.second = second_disc(laws.law, d);
  Graph& graph = out.graph;
  graph.clear();
  const std::vector<std::vector<int>> moved = blocks_of_contacts(p, factors);
  const std::vector<int> body = find_islands(moved, factors, out);
  take_masses(p, factors, body, graph);
  lay_out_sides(moved, body, out);

  std::vector<int> place_of(at(out.contacts));
  for (int place = 0; place < out.contacts; ++place) place_of[at(out.order[at(place)])] = place;
  const auto weight = [&](int contact, int row) {
    return row == 0 || laws.weights.empty() ? 1.0 : laws.weights[at(contact * (d - 1) + row - 1)];
  };
  for (int i = 0; i < p.H.rows; ++i)
    for (int k = p.H.start[at(i)]; k < p.H.start[at(i) + 1]; ++k) {
      if (p.H.value[at(k)] == 0) continue;
      const int contact = p.H.column[at(k)] / d, row = p.H.column[at(k)] % d;
      const std::vector<int>& mine = moved[at(contact)];
      const auto side = std::lower_bound(mine.begin(), mine.end(), factors.block_of(i)) - mine.begin();
      const std::size_t s = at(graph.start[at(place_of[at(contact)])]) + std::size_t(side);
      graph.G[graph.rows_at[s] + at(row * graph.size(graph.body[s]) + factors.place_of(i))] =
          weight(contact, row) * p.H.value[at(k)];
    }
  // M^-1 f, and Y
  const std::vector<double> v_free = velocities(p, factors, std::vector<double>(p.b.size(), 0.0));
  out.mu.clear(), out.b.clear(), out.w.clear(), out.weight.clear();
  out.start.assign(1, 0), out.column.clear(), out.diagonal.clear(), out.block.clear();
  std::vector<double> x;
  for (int place = 0; place < out.contacts; ++place) {
    const int contact = out.order[at(place)];
    const ContactCone cone = cone_of(laws, contact);
    out.mu.push_back(cone.mu[0]), out.mu.push_back(cone.mu[1]);
    double b[6] = {}, W[36] = {}, trace = 0;
    for (int row = 0; row < d; ++row) b[row] = weight(contact, row) * p.b[at(contact * d + row)];
    for (std::size_t side = 0; side < moved[at(contact)].size(); ++side) {
      const int block = moved[at(contact)][side];
      const std::size_t s = at(graph.start[at(place)]) + side;
      const std::vector<int>& rows = factors.rows(block);
      const auto n = int(rows.size());
      const double* G = graph.G.data() + graph.rows_at[s];
      for (int row = 0; row < d; ++row) {
        x.assign(G + row * n, G + row * n + n);
        factors.solve(block, x);
        std::copy(x.begin(), x.end(), graph.Y.begin() + std::ptrdiff_t(graph.rows_at[s]) + row * n);
        for (int c = 0; c < n; ++c) b[row] += G[row * n + c] * v_free[at(rows[at(c)])];
        for (int other = 0; other < d; ++other)
          for (int c = 0; c < n; ++c) W[other * d + row] += G[other * n + c] * x[at(c)];
      }
    }
    for (int row = 0; row < d; ++row) {
      out.b.push_back(b[row]);
      trace += W[row * d + row];
      if (!laws.weights.empty()) out.weight.push_back(weight(contact, row));
    }
    out.w.push_back(trace / d);
    out.diagonal.push_back(place), out.column.push_back(place), out.start.push_back(place + 1);
    out.block.insert(out.block.end(), W, W + d * d);
  }
}

}  // namespace stiction::complementarity::friction
