// The law as one equation per contact, H(r, u) = 0 (detail/contact_law.h).
// Redundant contacts leave r open and make Newton's matrix singular; clusters of sliding contacts that lock
// themselves let it point the wrong way. So the solution is reached by proximal steps: r_k+1 solves the
// problem with
//     u = W r + b + g w (r - r_k),
// which is implicit Euler, with step 1/g, on the path that Gauss-Seidel sweeps follow explicitly with step 1.
// Each is solved by Newton steps: with H_r and H_u the derivatives of H,
//     (B + H_u W) dr = -H,      B = H_r + g w H_u.
// open contacts have H_u = 0 and dr = -r: the matrix is that of the others. g falls while the steps converge
// and grows when they do not; as g -> 0 the last steps are Newton's own. Fails (returns the best r found)
// when the steps given are spent before the path ends. References: Rockafellar (1976), "Monotone operators
// and the proximal point algorithm"; Acary, Bremond, Huber (2018), "On solving contact problems with Coulomb
// friction".
#include "stiction/complementarity/friction/newton.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/friction/detail/contact_law.h"
#include "stiction/complementarity/friction/detail/island_run.h"

namespace stiction::complementarity::friction {
namespace {

constexpr double warm_term = 1e-6;  // [-] least g to start with
constexpr double most_term = 10;    // [-] g: a step as short as a sweep's
constexpr double enough = 0.3;      // [-] of the first |H| of a proximal problem: solved well enough
constexpr double too_much = 1e6;    // [-] of the first |H|, if that is above |r|: it will not be solved
constexpr double too_long = 20;     // [-] of |H| before a step: one that leaves more is halved
constexpr int most_inner = 12;      // [-] Newton steps for one proximal problem
constexpr int few_inner = 4;        // [-] Newton steps after which g may fall fast

template <class C>
struct Run : IslandRun<NewtonSettings, NewtonMemory> {
  static constexpr int d = C::rows;
  static constexpr int area = d * d;
  double relative = 1, work = 0;

  bool spent() const { return report.iterations >= s.max_steps || work > s.max_work || goal.stop.asked(); }

  void velocities() { local_velocities(p, island, r, m.u.data()); }
  double length_of(const double* x) const {
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i) sum += x[i] * x[i];
    return std::sqrt(sum);
  }
  /// Needs u; keeps the best r.
  void measure() {
    const MapError e = map_error(p, island, r, m.u.data());
    if (keep(e.plain, mine())) relative = e.relative();
  }

  /// H, H_u and B of one contact; where it is open H_u = 0.
  void law(int i, double term, double* H, double* H_u, double* B) const {
    const double w = p.w[std::size_t(i)];
    const double* x_r = r + i * d;
    double u[d];
    for (int k = 0; k < d; ++k)
      u[k] = m.u[std::size_t(i * d + k)] +
             term * w * (x_r[k] - m.centre[std::size_t((i - island.begin) * d + k)]);
    contact_law<C>(p.mu.data() + 2 * i, w, x_r, u, H, H_u, B);
    for (int k = 0; k < area; ++k) B[k] += term * w * H_u[k];
  }

  /// |H| of the proximal problem at r and u, with H_u and B of every contact.
  double linearise(double term) {
    double sum = 0;
    for (int i = island.begin; i < island.end; ++i) {
      const int k = i - island.begin;
      law(i, term, m.H.data() + k * d, m.H_u.data() + k * area, m.B.data() + k * area);
      for (int a = 0; a < d; ++a) sum += m.H[std::size_t(k * d + a)] * m.H[std::size_t(k * d + a)];
    }
    return std::sqrt(sum);
  }

  /// Adds Newton's step to r; false if the matrix is singular.
  bool newton_step() {
    ++report.iterations, ++report.factorisations;
    const bool regular = m.system.factor(m.B.data(), m.H_u.data());
    work += m.system.cost();
    if (!regular) return false;
    for (std::size_t i = 0; i < size(); ++i) m.step[i] = -m.H[i];
    m.system.solve(m.step.data());
    for (int i = 0; i < island.size(); ++i) {
      bool open = true;
      for (int k = 0; k < area; ++k) open = open && m.H_u[std::size_t(i * area + k)] == 0;
      for (int k = i * d; k < i * d + d; ++k)  // what opens has no impulse, not the round-off of one
        mine()[k] = open ? 0.0 : mine()[k] + m.step[std::size_t(k)];
    }
    return true;
  }

  /// Solves the proximal problem around r; the Newton steps it took, 0 if it failed (r is then as before).
  int proximal_step(double term) {
    std::copy(mine(), mine() + size(), m.centre.begin());
    double first = 0, most = 0, before = HUGE_VAL;
    for (int k = 0; k <= most_inner; ++k) {
      double now = linearise(term);
      if (!(now <= too_long * before)) {  // enough to leave the cycles of planar problems
        for (std::size_t i = 0; i < size(); ++i) mine()[i] = 0.5 * (mine()[i] + m.last[i]);
        velocities();
        now = linearise(term);
      }
      before = now;
      // a new set of contacts may cost all their impulses
      if (k == 0) first = now, most = std::fmax(too_much * now, length_of(mine()));
      if (k > 0 && now <= enough * first) return k;
      if (!(now <= most) || k == most_inner || spent()) break;
      std::copy(mine(), mine() + size(), m.last.begin());
      if (!newton_step()) break;
      velocities();
    }
    std::copy(m.centre.begin(), m.centre.end(), mine());
    velocities();
    return 0;
  }

  void go() {
    m.u.resize(p.b.size());
    begin();
    m.centre.resize(size()), m.H.resize(size()), m.step.resize(size()), m.last.resize(size());
    m.H_u.resize(size() * std::size_t(d)), m.B.resize(size() * std::size_t(d));
    velocities();
    measure();
    if (best > goal.plain) m.system.analyse(p, island, goal.stop);
    double term = std::clamp(10 * relative, warm_term, s.first_term);
    for (int streak = 0; goal.wants(best) && !spent();) {
      if (const int steps = proximal_step(term); steps > 0) {
        measure();
        ++streak;
        const double fall = steps > few_inner ? (streak > 1 ? 0.4 : 1.0) : streak > 4 ? 0.05 : 0.5;
        term = std::fmax(fall * term, s.least_term);
      } else {
        if (term >= most_term) break;
        term = std::fmin(4 * term, most_term), streak = 0;
      }
    }
    finish();
  }
};

}  // namespace

IslandReport newton(const Prepared& p, const Range& island, const Goal& goal, const NewtonSettings& s,
                    double* r, NewtonMemory& m) {
  return run_on<Run>(p, island, goal, s, r, m);
}

}  // namespace stiction::complementarity::friction
