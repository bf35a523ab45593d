// Bodies at rest that can stay so. Where the problem of an island slides though its contacts were at rest,
// impulses are looked for that hold it (complementarity/hold.h): how redundant contacts share their load is
// not determined, and a sharing that lets a body go is no reason for it to go while another one holds it.
// From then on each step starts from the impulses of the last. Asked once in a step.
#include "stiction/complementarity/hold.h"

#include <cmath>

#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

constexpr double still = 1e-2;  // [-] of the tolerated length in the step: slower contacts do not move

/// [m/s] along and across the surfaces, at the start of the step.
double start_speed(const State& x, const WorkContact& c) {
  const auto a = std::size_t(c.point.key.a), b = std::size_t(c.point.key.b);
  return norm((x.velocity[b] + cross(x.spin[b], c.arm[1])) - (x.velocity[a] + cross(x.spin[a], c.arm[0])) +
              c.belt);
}

using complementarity::Island;

/// [m/s] below it a contact does not move.
double still_speed(double h, double tolerance, const WorkContact& c) {
  return still * tolerance * c.size / h;
}

/// Calls act(row, contact) for the contacts of an island that press.
template <class Act>
void for_pressing(const Island& island, const Workspace& w, const Act& act) {
  for (int row = island.contact_begin; row < island.contact_end; ++row)
    if (const int k = w.contact_of_row[std::size_t(row)]; k >= 0 && w.r[std::size_t(3 * row)] > 0)
      act(row, w.contacts[std::size_t(k)]);
}

/// All contacts that press rested at the start of the step; nothing but contacts is in the island.
bool rested(const State& x, double h, double tolerance, const Island& island, const Workspace& w) {
  bool out = true;
  for (int row = island.contact_begin; row < island.contact_end; ++row)
    out = out && w.problem.contacts[std::size_t(row)].kind == complementarity::RowKind::cone;
  for_pressing(island, w, [&](int, const WorkContact& c) {
    out = out && c.touches && start_speed(x, c) <= still_speed(h, tolerance, c) / still;
  });
  return out;
}

}  // namespace

void hold_what_rests(const State& x, double h, double tolerance, const complementarity::SolveSettings& how,
                     Workspace& w) {
  w.v.resize(w.problem.v_free.size());
  for (const Island& island : w.problem.islands) {
    if (!rested(x, h, tolerance, island, w)) continue;
    complementarity::velocities_from(w.problem, island, w.r.data(), w.v.data());
    double least = 1e300;  // [m/s]
    bool slides = false;
    for_pressing(island, w, [&](int row, const WorkContact& c) {
      double u[3];
      complementarity::local_velocity(w.problem, w.problem.contacts[std::size_t(row)], w.v.data(), u);
      const double speed = still_speed(h, tolerance, c);
      slides |= u[1] * u[1] + u[2] * u[2] > speed * speed;
      least = std::fmin(least, speed);
    });
    if (slides) complementarity::hold(w.problem, island, how, least, w.r.data(), w.solver.front());
  }
}

}  // namespace stiction::step
