#include "stiction/complementarity/hold.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/friction/from_graph.h"
#include "stiction/complementarity/friction/interior_point.h"

namespace stiction::complementarity {
namespace {

constexpr double most_load = 1 + 1e-6;  // [-] of all normal impulses: a load is shared otherwise, not made
constexpr int most_contacts = 300;      // [-] W of that many may be dense
constexpr double most_work = 3e9;       // [multiplications] of all factorisations: a second
constexpr double close_enough =
    1e-8;  // [-] of |r|: what the interior point is asked for, Newton does the rest

double load_of(const Island& island, const double* r) {
  double sum = 0;
  for (int i = island.contact_begin; i < island.contact_end; ++i) sum += r[3 * i];
  return sum;
}

/// No contact that presses with more than `least` [N s] moves.
bool is_still(const FrictionProblem& p, const Island& island, double still, double least, const double* r,
              const double* v) {
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    if (!(r[3 * i] > least)) continue;
    double u[3];
    local_velocity(p, p.contacts[std::size_t(i)], v, u);
    if (!(std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) <= still)) return false;
  }
  return true;
}

}  // namespace

bool hold(const FrictionProblem& p, const Island& island, const SolveSettings& s, double still, double* r,
          SolverMemory& m) {
  if (island.contact_end - island.contact_begin > most_contacts || s.stop.asked()) return false;
  const std::optional<LocalFriction> local = local_form(p, island);
  if (!local) return false;
  double *mine = r + 3 * island.contact_begin, *end = r + 3 * island.contact_end;
  const std::vector<double> before(mine, end);
  const double load = load_of(island, r);
  double size = 0;
  for (const double x : before) size += x * x;
  const double least = close_enough * std::sqrt(size);

  friction::Prepared prepared;
  friction::prepare(*local, prepared);
  friction::InteriorPointMemory memory;
  std::vector<double> places(before.size(), 0.0), found;
  for (const friction::Range& part : prepared.islands)
    friction::interior_point(prepared, part, {least, s.stop}, {.max_work = most_work, .convex = true},
                             places.data(), memory);
  friction::from_places(prepared, places, found);
  std::copy(found.begin(), found.end(), mine);
  const SolveReport polished = solve_island(p, island, s, r, m);
  m.nsgs.v.resize(p.v_free.size());
  velocities_from(p, island, r, m.nsgs.v.data());
  if (polished.converged && load_of(island, r) <= most_load * load &&
      is_still(p, island, still, least, r, m.nsgs.v.data()))
    return true;
  std::copy(before.begin(), before.end(), mine);
  return false;
}

}  // namespace stiction::complementarity
