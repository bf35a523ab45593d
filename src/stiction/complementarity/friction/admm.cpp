// min 1/2 x.Wx + x.(b + shift) over x = y in K, with the penalty rho w per contact and the scaled multiplier
// xi:
//     (W + rho w) x = rho w (y - xi) - b - shift
//     v = a x + (1 - a) y + xi,    y = P_K(v),    xi = v - y,    shift_n = sum mu_k |rho w xi_k|,
// since uhat = -rho w xi at the solution. So v alone is the state, and Anderson's acceleration works on it;
// where it raises the step |v' - v| the plain v' is taken. The penalty follows the balance of |x - y| and |y'
// - y|; a new one costs a factorisation. W need not be symmetric (then it is a splitting of a variational
// inequality). No proof covers the shift: it converges where friction couples weakly or moderately; the
// report tells. References: Boyd et al. (2011), "Distributed optimization and statistical learning via ADMM";
// Acary, Bremond, Huber (2018).
#include "stiction/complementarity/friction/admm.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/friction/detail/island_run.h"

namespace stiction::complementarity::friction {
namespace {

constexpr int check_every = 10;       // [-] steps between two measures of the error
constexpr int balance_every = 30;     // [-] steps between two looks at the penalty
constexpr double out_of_balance = 5;  // [-] ratio of the two residuals at which the penalty changes
constexpr double least_penalty = 1e-6, most_penalty = 1e4;  // [-]

template <class C>
struct Run : IslandRun<AdmmSettings, AdmmMemory> {
  static constexpr int d = C::rows;
  double rho = s.penalty, gap = 0, change = 0;

  void measure() {
    local_velocities(p, island, r, m.u.data());
    const double error = plain_error(p, island, r, m.u.data());
    keep(error, mine());
  }

  bool factorise() {
    ++report.factorisations;
    m.B.assign(size() * std::size_t(d), 0.0), m.C.assign(size() * std::size_t(d), 0.0);
    for (int i = 0; i < island.size(); ++i)
      for (int k = 0; k < d; ++k) {
        m.B[std::size_t((i * d + k) * d + k)] = rho * p.w[std::size_t(island.begin + i)];
        m.C[std::size_t((i * d + k) * d + k)] = 1;
      }
    return m.system.factor(m.B.data(), m.C.data());
  }

  /// v -> v', y = P_K(v) in m.y, x in m.x; m.v is replaced.
  void step() {
    for (int i = island.begin; i < island.end; ++i) {
      const int at = (i - island.begin) * d;
      const double penalty = rho * p.w[std::size_t(i)];
      double xi[d];
      project<C>(mu(i), m.v.data() + at, m.y.data() + at);
      for (int k = 0; k < d; ++k) {
        xi[k] = m.v[std::size_t(at + k)] - m.y[std::size_t(at + k)];
        m.x[std::size_t(at + k)] = penalty * (m.y[std::size_t(at + k)] - xi[k]) - p.b[std::size_t(i * d + k)];
      }
      m.x[std::size_t(at)] -= penalty * shift_of<C>(mu(i), xi);
    }
    m.system.solve(m.x.data());
    double gap2 = 0, change2 = 0;
    for (int i = island.begin; i < island.end; ++i) {
      const int at = (i - island.begin) * d;
      double y[d];
      for (int k = 0; k < d; ++k) {
        const double x = m.x[std::size_t(at + k)], y_old = m.y[std::size_t(at + k)];
        gap2 += (x - y_old) * (x - y_old);
        m.v[std::size_t(at + k)] += s.relaxation * (x - y_old);
      }
      project<C>(mu(i), m.v.data() + at, y);
      for (int k = 0; k < d; ++k) {
        const double move = rho * (y[k] - m.y[std::size_t(at + k)]);
        change2 += move * move;
      }
    }
    gap = std::sqrt(gap2), change = std::sqrt(change2);
  }

  /// v = y + xi with xi of the new penalty.
  bool rescale(double wanted) {
    wanted = std::clamp(wanted, least_penalty, most_penalty);
    if (wanted == rho) return true;
    const double ratio = rho / wanted;
    for (int i = island.begin; i < island.end; ++i) {
      const int at = (i - island.begin) * d;
      double y[d];
      project<C>(mu(i), m.v.data() + at, y);
      for (int k = 0; k < d; ++k) m.v[std::size_t(at + k)] = y[k] + ratio * (m.v[std::size_t(at + k)] - y[k]);
    }
    rho = wanted;
    m.anderson.restart();
    return factorise();
  }

  void iterate() {
    double last = HUGE_VAL, gap_sum = 0, change_sum = 0;
    for (int k = 1; k <= s.max_steps && goal.wants(best); ++k) {
      m.before = m.v;
      step();
      ++report.iterations;
      double moved = 0;
      for (std::size_t i = 0; i < size(); ++i) moved += (m.v[i] - m.before[i]) * (m.v[i] - m.before[i]);
      if (!std::isfinite(moved)) return;
      if (moved > 4 * last)  // the acceleration led astray
        m.anderson.restart();
      if (s.window > 0) m.anderson.accelerate(m.before.data(), m.v.data());
      last = moved;
      gap_sum += gap, change_sum += change;
      if (k % check_every == 0 || k == s.max_steps) {
        std::copy(m.y.begin(), m.y.end(), mine());
        measure();
      }
      if (k % balance_every == 0) {
        const double ratio = gap_sum / std::fmax(change_sum, 1e-300);
        gap_sum = change_sum = 0;
        if (ratio > out_of_balance || ratio * out_of_balance < 1) {
          if (!rescale(rho * std::clamp(std::sqrt(ratio), 0.1, 10.0))) return;
          last = HUGE_VAL;
        }
      }
    }
  }

  void go() {
    begin();
    m.u.resize(p.b.size());
    m.y.resize(size()), m.x.resize(size()), m.before.resize(size());
    measure();
    if (best > goal.plain) {
      m.system.analyse(p, island, goal.stop);
      m.anderson.start(size(), s.window);
      m.v.assign(mine(), mine() + size());
      for (int i = island.begin; i < island.end; ++i) {  // xi of the start: -uhat / (rho w)
        const double scale = 1 / (rho * p.w[std::size_t(i)]);
        const double* u = m.u.data() + i * d;
        double* v = m.v.data() + (i - island.begin) * d;
        for (int k = 0; k < d; ++k) v[k] -= scale * u[k];
        v[0] -= scale * shift_of<C>(mu(i), u);
      }
      if (factorise()) iterate();
    }
    finish();
  }
};

}  // namespace

IslandReport admm(const Prepared& p, const Range& island, const Goal& goal, const AdmmSettings& s, double* r,
                  AdmmMemory& m) {
  return run_on<Run>(p, island, goal, s, r, m);
}

}  // namespace stiction::complementarity::friction
