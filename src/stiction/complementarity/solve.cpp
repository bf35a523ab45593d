// Newton is exact but pays for a factorisation; sweeps are cheap but slow on long force chains. So:
//   a warm start that still holds is left alone;
//   small or thin island (factorisation below `direct_cost` block products): a few sweeps if the start is
//   poor, Newton, and more sweeps with Newton again if it stalls; above `heavy_cost` sweeps may do alone;
//   large island: sweeps to the tolerance; when their budget is spent, Newton.
//   sides of contacts that are off by more than their own unit allows (light bodies beside heavy ones) get
//   plain sweeps and Newton with every contact in its own scale;
//   what is left unsolved goes to the solvers of friction/ where the caller wants that: their Newton works on
//   W and keeps its digits where contacts are redundant and g is small, which the one here does not.
// All decisions count work, never seconds.
#include "stiction/complementarity/solve.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/friction/from_graph.h"
#include "stiction/complementarity/friction/solve_friction.h"
#include "stiction/complementarity/residual.h"

namespace stiction::complementarity {
namespace {

constexpr double direct_cost = 2e6;  // [block products] about 0.5 s: above it sweeps go first
constexpr double heavy_cost = 1e5;   // [block products] about 10 ms: above it sweeps alone may do
constexpr int many_blocks = 6000;    // [-] above it only factorisations below `direct_cost` are made
constexpr int many_contacts = 300;   // [-] of an island that threads share, if it has nearly all contacts
constexpr double poor_start = 1e-4;  // [-] residual above which a few sweeps pay before Newton

constexpr double polished = 1e-5;  // [-] of the tolerance: at 1e-8 itself a box on an incline still creeps

// [-] of the tolerance: a warm start that needs nothing. What it leaves is the same in every step and adds
// up: at 1e-3 a stack of 20 cubes below 1000 kg went 1.2e-9 m sideways in 60 s, at 1e-4 7e-11 m.
constexpr double still_polished = 1e-4;

constexpr double poor_sides = 0.5;     // [-] of the tolerance: sides that are off by more are polished
constexpr double least_sides = 0.05;   // [-] of the finest tolerance: what they are polished to at most
constexpr double polished_part = 0.1;  // [-] of that: where their polish ends
constexpr int side_rounds = 3;         // [-] sweeps and Newton in turn
constexpr int side_sweeps = 20;        // [-]

struct Attempt {
  const FrictionProblem& p;
  const Island& island;
  const SolveSettings& s;
  double* r;
  SolverMemory& m;
  SolveReport report;
  double best = HUGE_VAL;         // [-] residual of m.best, once there is one
  const double* whole = nullptr;  // [1/kg] inverse masses of the contacts, once a solver has found them

  double* mine() const { return r + 3 * island.contact_begin; }
  void note(double residual) {
    report.residual = residual;
    if (residual < best) best = residual, m.best.assign(mine(), r + 3 * island.contact_end);
  }
  /// Sweeps and Newton steps may end worse than they began: the best r counts.
  void take_best() {
    if (best == HUGE_VAL || report.residual <= best) return;
    std::copy(m.best.begin(), m.best.end(), mine());
    report.residual = best;
  }
  void sweep(int sweeps) {
    const NsgsReport n =
        nsgs(p, island, {.tolerance = 0.5 * s.tolerance, .max_sweeps = sweeps, .stop = s.stop}, r, m.nsgs);
    report.iterations += n.sweeps;
    report.used_nsgs = report.used_nsgs || n.sweeps > 0;
    whole = m.nsgs.inverse_mass.data();
    note(n.residual);
  }
  void polish(double goal) {
    const NewtonReport n =
        newton(p, island,
               {.goal = goal * s.tolerance, .tolerance = 0.5 * s.tolerance, .stop = s.stop, .team = s.team},
               r, m.newton);
    report.iterations += n.iterations;
    report.factorisations += n.factorisations;
    report.used_newton = report.used_newton || n.iterations > 0;
    whole = m.newton.inverse_mass.data();
    note(n.residual);
  }
  /// [-] of the worst side at r; the residual -> report.
  double look_at_sides() {
    std::vector<double>& v = m.nsgs.v;
    v.resize(p.v_free.size());
    m.inverse_mass.resize(std::size_t(island.contact_end - island.contact_begin));
    for (int i = island.contact_begin; i < island.contact_end; ++i)
      m.inverse_mass[std::size_t(i - island.contact_begin)] = mean_diagonal(p, p.contacts[std::size_t(i)]);
    report.residual = scaled_residual(p, island, r, m.inverse_mass.data(), v.data());
    report.sides = side_error(p, island, r, m.inverse_mass.data(), m.shares, noticed(), v.data());
    return report.sides;
  }
  double noticed() const { return std::sqrt(s.finest < 1 ? s.finest : s.tolerance); }
  bool good() const { return report.residual <= 0.5 * s.tolerance; }
  bool done() const { return good() || s.stop.asked(); }
  void escalate() { ++report.escalations; }
};

void solve_direct(Attempt& a, double cost) {
  a.report.residual = residual(a.p, a.island, a.r, (a.m.nsgs.v.resize(a.p.v_free.size()), a.m.nsgs.v.data()))
                          .natural_map_scaled;
  if (a.report.residual <= still_polished * a.s.tolerance) return;
  // one block product takes about as long as one visit of a contact: sweeps for the price of a factorisation
  // or four
  const double contacts = a.island.contact_end - a.island.contact_begin;
  const bool heavy = cost > heavy_cost;
  const int first = std::clamp(int((heavy ? 1 : 4) * cost / contacts), 10, 1000);
  if (!(a.report.residual <= poor_start)) a.sweep(first);
  if (heavy && a.good()) return;
  a.polish(heavy ? 0.1 : polished);
  for (int tries = 0, sweeps = std::max(first, 100); !a.done() && tries < a.s.tries; ++tries, sweeps *= 3) {
    a.escalate();
    a.sweep(sweeps);
    a.polish(heavy ? 0.1 : polished);
  }
}

void solve_swept(Attempt& a, bool newton_possible) {
  a.sweep(300);
  for (int sweeps = 600; !a.done() && sweeps <= 4800; sweeps *= 2) {
    a.escalate();
    if (newton_possible) a.polish(0.1);
    if (!a.good()) a.sweep(sweeps);
  }
}

/// [-] Entries of W that are formed at most: some GB of work space with all that solvers make of them.
constexpr double most_entries = 3e7;

/// At least the entries of the island's W: contacts on one block meet each other.
double entries_of(const FrictionProblem& p, const Island& island, std::vector<int>& counts) {
  counts.assign(std::size_t(island.block_end - island.block_begin), 0);
  for (int i = island.contact_begin; i < island.contact_end; ++i)
    for (const int block : p.contacts[std::size_t(i)].block)
      if (block >= 0) ++counts[std::size_t(block - island.block_begin)];
  double sum = 0;
  for (const int n : counts) sum += 9.0 * n * n;
  return sum;
}

/// From the best r so far. No memory is kept, so that the result depends on the island alone.
void solve_by_library(Attempt& a) {
  std::vector<int> counts;
  if (entries_of(a.p, a.island, counts) > most_entries) return;
  const std::optional<LocalFriction> local = local_form(a.p, a.island);
  if (!local) return;
  a.take_best();
  a.escalate();
  std::vector<double> r(a.mine(), a.r + 3 * a.island.contact_end);
  FrictionMemory memory;
  const FrictionReport report =
      solve(*local, {.tolerance = a.s.tolerance, .warm_start = true, .stop = a.s.stop}, r, memory);
  a.report.iterations += report.iterations, a.report.factorisations += report.factorisations;
  a.report.used_newton = a.report.used_newton || report.factorisations > 0;
  std::copy(r.begin(), r.end(), a.mine());
  a.note(residual(a.p, a.island, a.r, a.m.nsgs.v.data()).natural_map_scaled);
}

/// [1/kg] at least the inverse mass that a side has in a contact: the largest part of A^-1 for each of its
/// velocities and spins.
double most_share(const FrictionProblem& p, const ContactRows& c, int side) {
  if (c.block[side] < 0) return 0;
  const double* inverse = p.A_inverse.data() + std::size_t(c.block[side]) * width * width;
  double largest[2] = {0, 0}, squares[2] = {0, 0};
  for (int k = 0; k < width; ++k) {
    largest[k / 3] += inverse[k * (width + 1)];
    for (int row = 0; row < 3; ++row)
      squares[k / 3] += c.G[side][row * width + k] * c.G[side][row * width + k];
  }
  return (largest[0] * squares[0] + largest[1] * squares[1]) / 3;
}

/// Whether the residual of the island as a whole, all of it in one contact, is still small for every side.
bool sides_hold(const Attempt& a, double enough) {
  double impulse = 0;
  for (int i = 3 * a.island.contact_begin; i < 3 * a.island.contact_end; ++i) impulse += a.r[i] * a.r[i];
  const double error = a.report.residual * std::sqrt(impulse);
  for (int i = a.island.contact_begin; i < a.island.contact_end; ++i) {
    const ContactRows& c = a.p.contacts[std::size_t(i)];
    for (int side = 0; side < 2; ++side) {
      if (!(c.unit[side] > 0)) continue;
      if (a.whole && a.whole[i - a.island.contact_begin] * error <= enough * c.unit[side]) continue;
      if (c.wide[side] >= 0 || !(most_share(a.p, c, side) * error <= enough * c.unit[side])) return false;
    }
  }
  return true;
}

/// Every side in its own scale, from an r that solves the island as a whole.
void polish_sides(Attempt& a, bool direct) {
  const double enough =
      std::fmax(poor_sides * a.s.tolerance, a.s.finest < 1 ? least_sides * a.s.finest : 0.0);
  if (sides_hold(a, enough) || !side_shares(a.p, a.island, a.m.shares)) return;
  if (a.look_at_sides() <= enough) return;
  const auto worse = [&] { return std::fmax(a.report.residual, a.report.sides); };
  std::vector<double>& kept = a.m.best;
  kept.assign(a.mine(), a.r + 3 * a.island.contact_end);
  double best = worse(), best_residual = a.report.residual, best_sides = a.report.sides;
  const auto note = [&] {
    a.look_at_sides();
    if (!(worse() < best)) return;
    best = worse(), best_residual = a.report.residual, best_sides = a.report.sides;
    kept.assign(a.mine(), a.r + 3 * a.island.contact_end);
  };
  for (int round = 0; round < side_rounds && best > enough && !a.s.stop.asked(); ++round) {
    const double before = best;
    const NsgsReport swept =
        nsgs(a.p, a.island,
             {.tolerance = 1e-300, .max_sweeps = side_sweeps << (2 * round), .window = 0, .stop = a.s.stop},
             a.r, a.m.nsgs);
    a.report.iterations += swept.sweeps, a.report.used_nsgs = true;
    note();
    if (best <= enough) break;
    if (direct) {
      const NewtonReport n = newton(a.p, a.island,
                                    {.goal = polished_part * enough,
                                     .tolerance = 0.5 * a.s.tolerance,
                                     .noticed = a.noticed(),
                                     .stop = a.s.stop,
                                     .team = a.s.team},
                                    a.r, a.m.newton);
      a.report.iterations += n.iterations, a.report.factorisations += n.factorisations;
      a.report.used_newton = a.report.used_newton || n.iterations > 0;
      note();
    }
    if (best > 0.5 * before && best <= 0.5 * a.s.tolerance) break;  // round-off
  }
  std::copy(kept.begin(), kept.end(), a.mine());
  a.report.residual = best_residual, a.report.sides = best_sides;
}

}  // namespace

SolveReport solve_island(const FrictionProblem& p, const Island& island, const SolveSettings& s, double* r,
                         SolverMemory& m) {
  if (island.contact_begin == island.contact_end) return {};
  const int blocks = island.block_end - island.block_begin;
  const bool asked = s.solver != SolverChoice::nsgs;
  const double cost = asked ? factorisation_cost(p, island, m.newton) : 0.0;
  const bool direct_possible = asked && (blocks <= many_blocks || cost <= direct_cost);
  SolveSettings mine = s;
  if (direct_possible && cost <= heavy_cost) mine.tolerance = std::fmin(s.tolerance, s.finest);
  Attempt a{p, island, mine, r, m, {}};
  if (direct_possible && (cost <= direct_cost || s.solver == SolverChoice::newton))
    solve_direct(a, cost);
  else
    solve_swept(a, direct_possible);
  if (s.last_resort && s.solver == SolverChoice::automatic && !a.done()) solve_by_library(a);
  a.take_best();
  if (s.sides) polish_sides(a, direct_possible);
  a.report.converged = a.report.residual <= s.tolerance;
  return a.report;
}

namespace {

void add(const SolveReport& one, SolveReport& total) {
  total.iterations += one.iterations, total.factorisations += one.factorisations;
  total.escalations += one.escalations;
  total.used_nsgs |= one.used_nsgs, total.used_newton |= one.used_newton;
  total.residual = std::fmax(total.residual, one.residual);
  total.sides = std::fmax(total.sides, one.sides);
  total.converged = total.converged && one.converged;
}

}  // namespace

SolveReport solve(const FrictionProblem& p, const SolveSettings& s, Team& team,
                  std::vector<SolverMemory>& memory, std::vector<double>& r) {
  const auto slots = std::size_t(team.threads());
  if (memory.size() < slots) memory.resize(slots);
  SolveReport all;
  // an island with nearly all contacts would keep one thread busy alone: all of them help with its factors
  const auto is_large = [&](const Island& i) {
    const int contacts = i.contact_end - i.contact_begin;
    return slots > 1 && s.solver != SolverChoice::nsgs && contacts >= many_contacts &&
           4 * contacts > 3 * int(p.contacts.size());
  };
  SolveSettings together = s;
  together.team = &team;
  for (const Island& island : p.islands)
    if (is_large(island)) add(solve_island(p, island, together, r.data(), memory[0]), all);
  // the others are dealt out in turn: which slot an island falls to changes no number
  for (SolverMemory& m : memory) m.report = {};
  team.for_ranges(slots, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot)
      for (std::size_t i = slot; i < p.islands.size(); i += slots)
        if (!is_large(p.islands[i]))
          add(solve_island(p, p.islands[i], s, r.data(), memory[slot]), memory[slot].report);
  });
  for (std::size_t slot = 0; slot < slots; ++slot) add(memory[slot].report, all);
  return all;
}

}  // namespace stiction::complementarity
