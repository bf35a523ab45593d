// Block Gauss-Seidel: u_i = b_i + sum_j W_ij r_j costs the blocks of row i, so a sweep costs the blocks of W;
// in graph form v is kept up instead, u_i = b_i + G_i v, and a sweep costs the contacts. Sweeps run forth and
// back in turn. Fixed points are exactly the solutions, also for W unsymmetric or singular (see
// detail/local_contact.h). Convergence is linear and slows down with the length of the force chains, about 1
// - O(1/layers^2); the slow modes are few and Anderson's acceleration takes them out. An accelerated point is
// projected onto the cones; where it raises the error the sweep's own result is taken and the window starts
// anew; where a stretch of sweeps gains little with it, the next stretch goes without. No proof covers strong
// normal-tangential coupling: the report tells. References: Jean (1999), "The non-smooth contact dynamics
// method"; Walker and Ni (2011).
#include "stiction/complementarity/friction/nsgs.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/friction/detail/island_run.h"
#include "stiction/complementarity/friction/detail/local_contact.h"

namespace stiction::complementarity::friction {
namespace {

// Contacts come in the order of the bodies, mostly along the chains of forces: more sweeps run forth than
// back.
constexpr int turn = 8, forth = 5;   // [-] sweeps, plain ones
constexpr int stretch = 25;          // [-] pairs of sweeps after which the acceleration is judged
constexpr double enough_drop = 0.5;  // [-] of the error in a stretch; less, and plain sweeps have the next

template <class C>
struct Sweeper {
  static constexpr int d = C::rows;
  const Prepared& p;
  const Range& island;
  const NsgsSettings& s;
  double* r;
  const LocalContact<C>* contacts;
  std::vector<double>& v;  // graph form: of the island's bodies, kept up with r by visit()
  int base = 0;            // where they begin

  /// After r was changed by others, and against round-off that gathers in v.
  void refresh() {
    if (p.graph.used()) base = graph_velocities(p, island, r, v);
  }
  void velocity(int i, double* u) const {
    for (int k = 0; k < d; ++k) u[k] = p.b[std::size_t(i * d + k)];
    if (p.graph.used()) return p.graph.add_velocity(i, d, base, v.data(), u);
    for (int entry = p.start[std::size_t(i)]; entry < p.start[std::size_t(i) + 1]; ++entry) {
      const double* a = p.entry(entry);
      const double* x = r + p.column[std::size_t(entry)] * d;
      for (int k = 0; k < d; ++k) u[k] += dot<d>(a + k * d, x);
    }
  }

  /// Square of the impulse's change, in units of the natural map: a guess of its error at the visit.
  double visit(int i) const {
    double u[d], b[d], next[d];
    velocity(i, u);
    double* mine = r + i * d;
    const double* mu = p.mu.data() + 2 * i;
    const LocalContact<C>& contact = contacts[i - island.begin];
    for (int k = 0; k < d; ++k) {
      b[k] = u[k];
      for (int c = 0; c < d; ++c) b[k] -= contact.W[k * d + c] * mine[c];
    }
    for (int k = 0; k < d; ++k) next[k] = mine[k];
    const double size = length<C::first>(mine + 1);
    contact.solve(b, mu, size > 0 ? length<C::first>(u + 1) / size : 0.0, next);
    if (s.relaxation != 1.0) {
      for (int k = 0; k < d; ++k) next[k] = mine[k] + s.relaxation * (next[k] - mine[k]);
      project<C>(mu, next, next);
    }
    double change = 0;
    for (int k = 0; k < d; ++k) {
      const double step = next[k] - mine[k];
      change += step * step, mine[k] = next[k], next[k] = step;
    }
    if (p.graph.used() && change > 0) p.graph.add_impulse(i, d, base, next, v.data());
    const double w = std::fmin(1.0, p.w[std::size_t(i)]);
    return w * w * change;
  }
  double sweep(bool forward) {
    double error = 0;
    if (forward)
      for (int i = island.begin; i < island.end; ++i) error += visit(i);
    else
      for (int i = island.end - 1; i >= island.begin; --i) error += visit(i);
    return std::sqrt(error);
  }
};

template <class C>
struct Run : IslandRun<NsgsSettings, NsgsMemory> {
  static constexpr int d = C::rows;
  bool stalled = false;
  double mark = HUGE_VAL;  // the error eight sweeps or more ago
  int mark_at = 0;

  bool going() const {
    return !report.solved && !stalled && report.iterations < s.max_sweeps && std::isfinite(report.error) &&
           !goal.stop.asked();
  }
  void measure() {
    local_velocities(p, island, r, m.u.data());
    report.error = plain_error(p, island, r, m.u.data());
    report.solved = report.error <= goal.plain;
    report.history.push_back(report.error);
    if (s.least_drop > 0 && report.iterations >= mark_at + 8) {
      stalled = !(report.error <= s.least_drop * mark);
      mark = report.error, mark_at = report.iterations;
    }
  }
  void project_all() const {
    for (int i = island.begin; i < island.end; ++i) project<C>(p.mu.data() + 2 * i, r + i * d, r + i * d);
  }

  void plain(Sweeper<C>& sweeper, int sweeps) {
    sweeper.refresh();
    for (int k = 0; k < sweeps && going(); ++k) {
      const double seen = sweeper.sweep(k % turn < forth);
      ++report.iterations;
      if (seen <= 2 * goal.plain || k % 8 == 7 || k + 1 == sweeps || report.iterations == s.max_sweeps)
        measure(), sweeper.refresh();
    }
  }
  void accelerated(Sweeper<C>& sweeper) {
    m.anderson.start(size(), s.window);
    m.start.resize(size());
    for (int round = 0; round < stretch && going(); ++round) {
      const double before = report.error;
      std::copy(mine(), mine() + size(), m.start.begin());
      sweeper.refresh();
      sweeper.sweep(true), sweeper.sweep(false);
      report.iterations += 2;
      const bool added = m.anderson.accelerate(m.start.data(), mine());
      if (added) project_all();
      measure();
      if (added && !(report.error <= before)) {
        std::copy(m.anderson.image().begin(), m.anderson.image().end(), mine());
        m.anderson.restart();
        measure();
      }
    }
  }

  void go() {
    m.u.resize(p.b.size());
    measure();
    if (report.solved || s.max_sweeps == 0) return;
    std::vector<LocalContact<C>> contacts(std::size_t(island.size()));
    for (int i = island.begin; i < island.end; ++i)
      contacts[std::size_t(i - island.begin)].set(p.entry(p.diagonal[std::size_t(i)]));
    Sweeper<C> sweeper{p, island, s, r, contacts.data(), m.v};
    plain(sweeper, s.window > 0 ? std::min(s.plain_sweeps, s.max_sweeps) : s.max_sweeps);
    while (going()) {
      const double before = report.error;
      accelerated(sweeper);
      if (going() && !(report.error <= enough_drop * before)) plain(sweeper, 2 * stretch);
    }
  }
};

}  // namespace

IslandReport nsgs(const Prepared& p, const Range& island, const Goal& goal, const NsgsSettings& s, double* r,
                  NsgsMemory& m) {
  return run_on<Run>(p, island, goal, s, r, m);
}

}  // namespace stiction::complementarity::friction
