#include "stiction/complementarity/polyhedral.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/complementarity/linear/contact_lcp.h"
#include "stiction/complementarity/linear/natural_residual.h"

namespace stiction::complementarity {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// [-] of one walk of Lemke's method: more than 3 are rare where it ends at all, and another start does
/// better.
constexpr int pivots_per_unknown = 10;
/// [-] of the whole: what a row moves, or a wall's slip along it, below this is round-off.
constexpr double nothing = 1e-12;

std::size_t count_of(const Island& island) { return std::size_t(island.contact_end - island.contact_begin); }
const ContactRows& rows_at(const FrictionProblem& p, const Island& island, std::size_t i) {
  return p.contacts[std::size_t(island.contact_begin) + i];
}

/// A^-1 G^T of one side, row by row: 3 x `size`.
const double* answer_of(const FrictionProblem& p, const ContactRows& c, int side, std::vector<double>& out) {
  if (c.wide[side] >= 0) return p.wide_Y.data() + p.wide_rows[std::size_t(c.wide[side])].at;
  const double* inverse = p.A_inverse.data() + std::size_t(c.block[side]) * width * width;
  out.resize(3 * width);
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < width; ++k) {
      double sum = 0;
      for (int l = 0; l < width; ++l) sum += c.G[side][row * width + l] * inverse[l * width + k];
      out[std::size_t(row * width + k)] = sum;
    }
  return out.data();
}

/// W = G A^-1 G^T of an island, 3 x 3 per two row blocks, and what contacts give way by; its lower half, then
/// the other.
void fill_w(const FrictionProblem& p, const Island& island, PolyhedralMemory& m) {
  const std::size_t count = count_of(island), n = 3 * count;
  m.W.assign(n * n, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const ContactRows& own = rows_at(p, island, i);
    for (int side = 0; side < 2; ++side) {
      if (own.block[side] < 0) continue;
      const int size = own.wide[side] < 0 ? width : p.wide_rows[std::size_t(own.wide[side])].size;
      const double* answer = answer_of(p, own, side, m.answer);
      for (std::size_t j = 0; j <= i; ++j) {
        const ContactRows& other = rows_at(p, island, j);
        const int same = other.block[0] == own.block[side] ? 0 : other.block[1] == own.block[side] ? 1 : -1;
        if (same < 0) continue;
        const double* G = other.wide[same] < 0
                              ? other.G[same]
                              : p.wide_G.data() + p.wide_rows[std::size_t(other.wide[same])].at;
        for (std::size_t a = 0; a < 3; ++a)
          for (std::size_t b = 0; b < 3; ++b)
            for (int k = 0; k < size; ++k)
              m.W[(3 * i + a) * n + 3 * j + b] += answer[int(a) * size + k] * G[int(b) * size + k];
      }
    }
    if (own.give > 0) m.W[3 * i * n + 3 * i] += own.give;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) m.W[j * n + i] = m.W[i * n + j];
}

/// [-] of the speeds that cancel in a row: what is left of them below this is all but round-off, and not
/// worth being told from nothing.
constexpr double cancelled = 1e-5;

/// The sum of the speeds that make up a row's, without their signs; of the largest of its three.
double parts_of(const FrictionProblem& p, const ContactRows& c) {
  double most = 0;
  for (int row = 0; row < 3; ++row) {
    double sum = 0;
    for (int side = 0; side < 2; ++side) {
      if (c.block[side] < 0) continue;
      const WideRows wide = c.wide[side] < 0 ? WideRows{width, 0} : p.wide_rows[std::size_t(c.wide[side])];
      const double* g = (c.wide[side] < 0 ? c.G[side] : p.wide_G.data() + wide.at) + row * wide.size;
      const double* v = p.v_free.data() + c.block[side] * width;
      for (int k = 0; k < wide.size; ++k) sum += std::fabs(g[k] * v[k]);
    }
    most = std::fmax(most, sum);
  }
  return most;
}

/// The speed that impulses have to change.
double speed_of(const ContactRows& c, const double u[3]) {
  if (c.kind != RowKind::cone) return std::fabs(u[0]);
  const double closing = std::fmin(u[0], 0.0);
  return std::sqrt(closing * closing + u[1] * u[1] + u[2] * u[2]);
}

/// Directions, places and units of all row blocks; returns the number of unknowns.
int lay_out(const FrictionProblem& p, const Island& island, int directions, PolyhedralMemory& m) {
  const std::size_t count = count_of(island), n = 3 * count;
  PolyhedralIsland& out = m.island;
  out.rows.assign(count, {});
  out.speed = speed_unit(p, island);
  double mass = 0, moving = 0;
  const auto diagonal = [&](std::size_t i) { return m.W[i * n + i]; };
  const auto trace = [&](std::size_t i) {
    return diagonal(3 * i) + diagonal(3 * i + 1) + diagonal(3 * i + 2);
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (trace(i) > 0) mass += trace(i), ++moving;
  }
  out.mass = moving > 0 ? mass / moving : 1;
  int unknowns = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const ContactRows& c = rows_at(p, island, i);
    PolyhedralIsland::Rows& own = out.rows[i];
    own.first = unknowns;
    if (trace(i) > 0) own.scale = std::sqrt(trace(i) / out.mass);
    if (c.kind == RowKind::cone && c.mu > 0) {
      const bool planar =
          diagonal(3 * i + 2) <= nothing * trace(i) && std::fabs(c.b[2]) <= nothing * out.speed;
      own.directions = planar ? 2 : directions;
    }
    unknowns += own.directions > 0 ? own.directions + 2 : 1;
  }
  return unknowns;
}

/// Direction e of a row block with k of them, in its rows (normal, t1, t2); e = -1: the normal.
struct Direction {
  double a[3];
};
Direction direction_of(const PolyhedralMemory& m, int k, int e) {
  if (e < 0) return {{1, 0, 0}};
  if (k == 2) return {{0, e == 0 ? 1.0 : -1.0, 0}};
  return {{0, m.fan[std::size_t(e)].first, m.fan[std::size_t(e)].second}};
}

/// M between the impulses of two row blocks.
void fill_impulses(std::size_t i, std::size_t j, std::size_t n, PolyhedralMemory& m) {
  const PolyhedralIsland::Rows &a = m.island.rows[i], &b = m.island.rows[j];
  const std::size_t columns = 3 * m.island.rows.size();
  const double unit = m.island.mass * a.scale * b.scale;
  for (int e = -1; e < a.directions; ++e) {
    const Direction d = direction_of(m, a.directions, e);
    double row[3];  // d W, in the rows of j
    for (std::size_t k = 0; k < 3; ++k) {
      row[k] = 0;
      for (std::size_t l = 0; l < 3; ++l) row[k] += d.a[l] * m.W[(3 * i + l) * columns + 3 * j + k];
    }
    for (int f = -1; f < b.directions; ++f) {
      const Direction g = direction_of(m, b.directions, f);
      const double value = (row[0] * g.a[0] + row[1] * g.a[1] + row[2] * g.a[2]) / unit;
      m.island.lcp.M[std::size_t(a.first + 1 + e) * n + std::size_t(b.first + 1 + f)] = value;
    }
  }
}

/// What the row block asks for by itself: q, bounds, and the rows of beta and lambda.
void fill_own(const FrictionProblem& p, const ContactRows& c, std::size_t i, std::size_t n,
              PolyhedralMemory& m) {
  const PolyhedralIsland::Rows& own = m.island.rows[i];
  BoxedLcp& out = m.island.lcp;
  double u[3];
  local_velocity(p, c, p.v_free.data(), u);
  for (int e = -1; e < own.directions; ++e) {
    const Direction d = direction_of(m, own.directions, e);
    out.q[std::size_t(own.first + 1 + e)] =
        (d.a[0] * u[0] + d.a[1] * u[1] + d.a[2] * u[2]) / (m.island.speed * own.scale);
  }
  const double impulse = m.island.speed / (m.island.mass * own.scale);
  if (c.kind == RowKind::equality) out.lower[std::size_t(own.first)] = -infinity;
  if (c.kind == RowKind::box)
    out.lower[std::size_t(own.first)] = c.low / impulse, out.upper[std::size_t(own.first)] = c.high / impulse;
  if (own.directions == 0) return;
  const auto lambda = std::size_t(own.first + own.directions + 1);
  out.M[lambda * n + std::size_t(own.first)] = c.mu;
  for (int e = 0; e < own.directions; ++e) {
    const auto beta = std::size_t(own.first + 1 + e);
    out.M[beta * n + lambda] = 1, out.M[lambda * n + beta] = -1;
  }
}

PolyhedralReport solve_one(const FrictionProblem& p, const Island& island, const PolyhedralSettings& s,
                           PolyhedralMemory& m, double* r) {
  PolyhedralReport out;
  if (island.contact_begin == island.contact_end) return out;
  if (!polyhedral_lcp(p, island, s.directions, m)) {
    out.too_large = true, out.converged = false, out.residual = infinity;
    std::fill(r + 3 * island.contact_begin, r + 3 * island.contact_end, 0.0);
    return out;
  }
  const BoxedLcp& lcp = m.island.lcp;
  out.unknowns = lcp.n;
  const bool large = lcp.n > large_unknowns;
  if (large) {
    const SolveReport round =
        solve_island(p, island, {.tolerance = 0.1 * s.tolerance, .stop = s.stop}, r, m.cones);
    out.round_iterations = round.iterations, out.factorisations = round.factorisations;
    unknowns_from(p, island, r, m);
    out.residual = natural_residual(lcp, m.z, m.slack);
    if (out.residual <= s.tolerance) {  // nothing slides: polygons and discs agree
      take_polyhedral(p, island, m.z, m, r);
      return out;
    }
  }
  const LemkeSettings pivots{
      .tolerance = 0.1 * s.tolerance, .pivots_per_row = pivots_per_unknown, .stop = s.stop};
  LinearReport report = lemke(lcp, pivots, m.z, m.linear.lemke);
  out.residual = natural_residual(lcp, m.z, m.slack);
  out.pivots = report.pivots, out.factorisations += report.factorisations;
  if (!(out.residual <= s.tolerance) && !large) {
    out.escalations = 1;
    report = solve(lcp, {.tolerance = s.tolerance}, m.z, m.linear);
    out.residual = natural_residual(lcp, m.z, m.slack);
    out.pivots += report.pivots, out.factorisations += report.factorisations;
  }
  out.converged = out.residual <= s.tolerance;
  take_polyhedral(p, island, m.z, m, r);
  return out;
}

void add(const PolyhedralReport& one, PolyhedralReport& all) {
  all.unknowns = std::max(all.unknowns, one.unknowns);
  all.pivots += one.pivots, all.round_iterations += one.round_iterations;
  all.factorisations += one.factorisations, all.escalations += one.escalations;
  all.residual = std::fmax(all.residual, one.residual);
  all.converged = all.converged && one.converged, all.too_large = all.too_large || one.too_large;
}

}  // namespace

double speed_unit(const FrictionProblem& p, const Island& island) {
  double speed = 0;
  for (std::size_t i = 0; i < count_of(island); ++i) {
    const ContactRows& c = rows_at(p, island, i);
    double u[3];
    local_velocity(p, c, p.v_free.data(), u);
    speed = std::fmax(speed, std::fmax(speed_of(c, u), cancelled * parts_of(p, c)));
  }
  return speed > 0 ? speed : 1.0;  // nothing to change: z = 0, whatever the unit
}

bool polyhedral_lcp(const FrictionProblem& p, const Island& island, int directions, PolyhedralMemory& m) {
  if (3 * count_of(island) > std::size_t(most_unknowns)) return false;
  if (m.fan.size() != std::size_t(directions)) m.fan = direction_fan(directions);
  fill_w(p, island, m);
  const int unknowns = lay_out(p, island, directions, m);
  if (unknowns > most_unknowns) return false;
  const auto n = std::size_t(unknowns), count = count_of(island);
  BoxedLcp& out = m.island.lcp;
  out.n = unknowns;
  out.M.assign(n * n, 0), out.q.assign(n, 0), out.lower.assign(n, 0), out.upper.assign(n, infinity);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) fill_impulses(i, j, n, m);
    fill_own(p, rows_at(p, island, i), i, n, m);
  }
  return true;
}

void take_polyhedral(const FrictionProblem& p, const Island& island, const std::vector<double>& z,
                     const PolyhedralMemory& m, double* r) {
  for (std::size_t i = 0; i < count_of(island); ++i) {
    const PolyhedralIsland::Rows& own = m.island.rows[i];
    const double impulse = m.island.speed / (m.island.mass * own.scale);
    double* out = r + 3 * (std::size_t(island.contact_begin) + i);
    const double* beta = z.data() + own.first + 1;
    out[0] = impulse * z[std::size_t(own.first)], out[1] = out[2] = 0;
    // the residual may leave friction a little beyond the polygon: back on its edge
    double sum = 0;
    for (int e = 0; e < own.directions; ++e) sum += beta[e];
    const double most = rows_at(p, island, i).mu * z[std::size_t(own.first)];
    const double unit = impulse * (sum > most ? most / sum : 1.0);
    for (int e = 0; e < own.directions; ++e) {
      const Direction d = direction_of(m, own.directions, e);
      out[1] += unit * beta[e] * d.a[1], out[2] += unit * beta[e] * d.a[2];
    }
    const ContactRows& c = rows_at(p, island, i);
    if (c.kind == RowKind::box) out[0] = std::fmin(std::fmax(out[0], c.low), c.high);  // units round
  }
}

void unknowns_from(const FrictionProblem& p, const Island& island, const double* r, PolyhedralMemory& m) {
  m.v.resize(p.v_free.size());
  velocities_from(p, island, r, m.v.data());
  m.z.assign(std::size_t(m.island.lcp.n), 0.0);
  for (std::size_t i = 0; i < count_of(island); ++i) {
    const PolyhedralIsland::Rows& own = m.island.rows[i];
    const double* mine = r + 3 * (std::size_t(island.contact_begin) + i);
    const double impulse = m.island.speed / (m.island.mass * own.scale);
    m.z[std::size_t(own.first)] = mine[0] / impulse;
    if (own.directions == 0 || !(mine[0] > 0)) continue;
    // along the two directions next to it; on the edge of the polygon where it is beyond
    double* beta = m.z.data() + own.first + 1;
    double sum = 0, slip = 0, u[3];
    local_velocity(p, rows_at(p, island, i), m.v.data(), u);
    for (int e = 0; e < own.directions; ++e) {
      const int f = (e + 1) % own.directions;
      const Direction a = direction_of(m, own.directions, e), b = direction_of(m, own.directions, f);
      slip = std::fmax(slip, -(a.a[1] * u[1] + a.a[2] * u[2]));
      const double det = a.a[1] * b.a[2] - a.a[2] * b.a[1];
      if (own.directions == 2) {
        beta[e] = std::fmax(0.0, a.a[1] * mine[1]) / impulse;
        sum += beta[e];
        continue;
      }
      const double first = (mine[1] * b.a[2] - mine[2] * b.a[1]) / det,
                   second = (a.a[1] * mine[2] - a.a[2] * mine[1]) / det;
      if (sum > 0 || first < 0 || second <= 0) continue;
      beta[e] = first / impulse, beta[f] = second / impulse;
      sum = beta[e] + beta[f];
    }
    const double most = rows_at(p, island, i).mu * m.z[std::size_t(own.first)];
    if (sum < (1 - 1e-6) * most) continue;  // it sticks
    for (int e = 0; e < own.directions; ++e) beta[e] *= most / sum;
    beta[own.directions] = slip / (m.island.speed * own.scale);
  }
}

PolyhedralReport solve_polyhedral(const FrictionProblem& p, const PolyhedralSettings& s, Team& team,
                                  std::vector<PolyhedralMemory>& memory, std::vector<double>& r) {
  const auto slots = std::size_t(team.threads());
  if (memory.size() < slots) memory.resize(slots);
  for (PolyhedralMemory& m : memory) m.report = {};
  // islands are dealt out in turn: which slot an island falls to changes no number
  team.for_ranges(slots, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot)
      for (std::size_t i = slot; i < p.islands.size(); i += slots)
        add(solve_one(p, p.islands[i], s, memory[slot], r.data()), memory[slot].report);
  });
  PolyhedralReport all;
  for (std::size_t slot = 0; slot < slots; ++slot) add(memory[slot].report, all);
  return all;
}

}  // namespace stiction::complementarity
