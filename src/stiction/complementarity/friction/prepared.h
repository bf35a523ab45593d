// A local problem made ready for solvers: ellipsoid weights scaled away, contacts that influence each other
// side by side (an island each), W in dense rows x rows blocks by compressed block rows, or as a graph
// (prepare_graph.h).
//
// Islands know nothing of each other and are solved one by one. Contacts keep their order within an island;
// islands are sorted by their lowest contact. All arrays are in the new order (`place`).
#pragma once

#include <vector>

#include "stiction/complementarity/friction/detail/graph.h"
#include "stiction/complementarity/friction/problems.h"

namespace stiction::complementarity::friction {

/// Places [begin, end).
struct Range {
  int begin = 0, end = 0;
  int size() const { return end - begin; }
};

struct Prepared {
  int rows = 3, first = 2, second = 0;  // per contact; rows of its two discs
  int contacts = 0;
  int version = 0;  // counts the calls of prepare()
  std::vector<Range> islands;
  std::vector<int> order;          // place -> contact of the problem
  std::vector<double> mu;          // 2 per contact
  std::vector<double> weight;      // E, rows per contact; empty = 1
  std::vector<int> start, column;  // block rows; columns ascend
  std::vector<int> diagonal;       // entry of W_ii; -1 where it is zero, which valid problems have not
  std::vector<double> block;       // rows x rows each, row-major
  std::vector<double> b;
  std::vector<double> w;  // mean diagonal of W_ii

  Graph graph;  // used: W as a graph; `start`, `column` and `block` then hold the blocks W_ii only

  /// The island whose first place is `begin`.
  int island_at(int begin) const;
  const double* entry(int k) const { return block.data() + std::size_t(k) * std::size_t(rows * rows); }
};

/// The problem must be valid.
void prepare(const LocalFriction& p, Prepared& out);
/// Impulses of the problem's order to places (scaled), and back.
void to_places(const Prepared& p, const std::vector<double>& r, std::vector<double>& out);
void from_places(const Prepared& p, const std::vector<double>& r, std::vector<double>& out);

/// |r - P_K(r - uhat / w)| over an island, with w = 1 and with each contact's own.
struct MapError {
  double plain = 0, scaled = 0;  // [the unit of r]
  double impulse = 0;            // |r|
  double relative() const { return scaled == 0 ? 0.0 : impulse > 0 ? scaled / impulse : 1e300; }
};
/// Graph form: v of the island's bodies; returns where they begin in Graph::first.
int graph_velocities(const Prepared& p, const Range& island, const double* r, std::vector<double>& v);
/// u = W r + b on an island; r and u of the whole problem.
void local_velocities(const Prepared& p, const Range& island, const double* r, double* u);
/// The error with u as given.
MapError map_error(const Prepared& p, const Range& island, const double* r, const double* u);
/// Its `plain` alone.
double plain_error(const Prepared& p, const Range& island, const double* r, const double* u);

}  // namespace stiction::complementarity::friction
