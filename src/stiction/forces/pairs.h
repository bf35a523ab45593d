// Pairs of bodies that attract or repel each other: all of them, or those within a cut-off distance, found
// over a grid of cells. The order of pairs depends on positions and indices only.
//
// Grid: cubes of edge `cutoff`, sorted by (x, y, z, body). A cell's partners are itself and the 13 of its 26
// neighbours that come later in this order; they lie in five columns along z, and in each column the first
// partner moves forwards only as the cells do, so that four places are kept and nothing is searched.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <tuple>
#include <vector>

#include "stiction/math/vec3.h"

namespace stiction::forces {

struct PairCell {
  double x = 0, y = 0, z = 0;  // [-] of the cube, whole numbers
  int body = -1;
  friend bool operator<(const PairCell& a, const PairCell& b) {
    return std::tie(a.x, a.y, a.z, a.body) < std::tie(b.x, b.y, b.z, b.body);
  }
};
struct PairScratch {
  std::vector<PairCell> cells;
};

/// Calls visit(i, j, d, r2) for the pairs of `bodies` that are alive and closer than `cutoff` [m] (0 = all
/// pairs): d = x_j - x_i [m], r2 = d.d. Bodies whose position is not finite are left out.
template <class Visit>
void for_pairs(std::span<const int> bodies, std::span<const Vec3> position,
               std::span<const unsigned char> alive, double cutoff, PairScratch& scratch,
               const Visit& visit) {
  const auto usable = [&](int i) { return alive[std::size_t(i)] && is_finite(position[std::size_t(i)]); };
  const auto meet = [&](int i, int j) {
    const Vec3 d = position[std::size_t(j)] - position[std::size_t(i)];
    const double r2 = norm2(d);
    if (cutoff == 0 || r2 < cutoff * cutoff) visit(i, j, d, r2);
  };
  if (cutoff == 0) {
    for (std::size_t k = 0; k < bodies.size(); ++k)
      for (std::size_t l = k + 1; usable(bodies[k]) && l < bodies.size(); ++l)
        if (usable(bodies[l])) meet(bodies[k], bodies[l]);
    return;
  }
  std::vector<PairCell>& cells = scratch.cells;
  cells.clear();
  for (const int i : bodies) {
    const Vec3 p = position[std::size_t(i)] / cutoff;
    if (usable(i) && is_finite(p)) cells.push_back({std::floor(p.x), std::floor(p.y), std::floor(p.z), i});
  }
  std::sort(cells.begin(), cells.end());
  constexpr std::array<std::array<double, 2>, 4> columns{{{0, 1}, {1, -1}, {1, 0}, {1, 1}}};
  std::array<std::size_t, 4> first{};
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const PairCell& a = cells[k];
    for (std::size_t l = k + 1; l < cells.size() && cells[l].x == a.x && cells[l].y == a.y; ++l) {
      if (cells[l].z > a.z + 1) break;
      meet(a.body, cells[l].body);
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double x = a.x + columns[c][0], y = a.y + columns[c][1];
      const auto before = [&](const PairCell& b) {
        return std::tie(b.x, b.y, b.z) < std::make_tuple(x, y, a.z - 1);
      };
      while (first[c] < cells.size() && before(cells[first[c]])) ++first[c];
      for (std::size_t l = first[c]; l < cells.size(); ++l) {
        if (cells[l].x != x || cells[l].y != y || cells[l].z > a.z + 1) break;
        meet(a.body, cells[l].body);
      }
    }
  }
}

}  // namespace stiction::forces
