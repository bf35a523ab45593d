// r' = P_K(z - (t / w) uhat(z)),   z' = r' + beta (r' - r),   beta by Nesterov's sequence, w the contact's
// mean diagonal (the preconditioner; one number per contact, so that the projection stays Euclidean). u is
// linear in r: u(z) follows from u(r') and u(r), one product with W a step. t shrinks until (r' - z).W(r' -
// z) <= |r' - z|^2_w / t and grows slowly. The momentum starts anew when the step turns against it, or after
// a check without gain. Converges linearly on well conditioned problems, slowly on stacks; with the shift in
// the gradient there is no proof: the report tells. References: Nesterov (1983); O'Donoghue, Candes (2015),
// "Adaptive restart for accelerated gradient schemes"; Mazhar et al. (2015), "Using Nesterov's method to
// accelerate multibody dynamics with friction and contact".
#include "stiction/complementarity/friction/projected_gradient.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/friction/detail/island_run.h"

namespace stiction::complementarity::friction {
namespace {

constexpr int check_every = 10;  // [-] steps between two measures of the error

template <class C>
struct Run : IslandRun<GradientSettings, GradientMemory> {
  static constexpr int d = C::rows;
  double t = 1;

  void measure() {
    const double error = plain_error(p, island, r, m.u.data());
    keep(error, mine());
  }

  /// r_new from z = r + beta (r - r_old), with u(z) likewise; true if t was short enough.
  bool try_step(const double* z, const double* u_z) {
    for (int i = island.begin; i < island.end; ++i) {
      double x[d];
      const double scale = t / p.w[std::size_t(i)];
      for (int k = 0; k < d; ++k) x[k] = z[i * d + k] - scale * u_z[i * d + k];
      x[0] -= scale * shift_of<C>(p.mu.data() + 2 * i, u_z + i * d);
      project<C>(p.mu.data() + 2 * i, x, m.r_new.data() + i * d);
    }
    ++report.iterations;
    local_velocities(p, island, m.r_new.data(), m.u_new.data());
    double energy = 0, move = 0;
    for (int i = island.begin; i < island.end; ++i)
      for (int k = 0; k < d; ++k) {
        const double step = m.r_new[std::size_t(i * d + k)] - z[i * d + k];
        energy += step * (m.u_new[std::size_t(i * d + k)] - u_z[i * d + k]);
        move += p.w[std::size_t(i)] * step * step;
      }
    return !(t * energy > move);
  }

  void iterate() {
    std::vector<double>& z = m.point;  // z and u(z), one after the other
    const std::size_t n = p.b.size();
    z.resize(2 * n);
    for (int c = island.begin * d; c < island.end * d; ++c)
      z[std::size_t(c)] = r[c], z[n + std::size_t(c)] = m.u[std::size_t(c)];
    double theta = 1, at_check = best;
    for (int k = 1; report.iterations < s.max_steps && goal.wants(best); ++k) {
      while (!try_step(z.data(), z.data() + n) && report.iterations < s.max_steps) t *= 0.7;
      double turn = 0;
      for (int i = island.begin; i < island.end; ++i)
        for (int c = i * d; c < i * d + d; ++c)
          turn += p.w[std::size_t(i)] * (z[std::size_t(c)] - m.r_new[std::size_t(c)]) *
                  (m.r_new[std::size_t(c)] - r[c]);
      const double next = 0.5 * (1 + std::sqrt(1 + 4 * theta * theta));
      double beta = (theta - 1) / next;
      theta = next;
      if (turn > 0) beta = 0, theta = 1;
      for (int c = island.begin * d; c < island.end * d; ++c) {
        const auto at = std::size_t(c);
        z[at] = m.r_new[at] + beta * (m.r_new[at] - r[c]);
        z[n + at] = m.u_new[at] + beta * (m.u_new[at] - m.u[at]);
        r[c] = m.r_new[at], m.u[at] = m.u_new[at];
      }
      t *= 1.02;
      if (k % check_every == 0) {
        measure();
        if (!(best < at_check)) {
          theta = 1;
          for (int c = island.begin * d; c < island.end * d; ++c)
            z[std::size_t(c)] = r[c], z[n + std::size_t(c)] = m.u[std::size_t(c)];
        }
        at_check = best;
      }
    }
    measure();
  }

  void go() {
    begin();
    m.u.resize(p.b.size()), m.u_new.resize(p.b.size()), m.r_new.resize(p.b.size());
    local_velocities(p, island, r, m.u.data());
    measure();
    if (best > goal.plain) iterate();
    finish();
  }
};

}  // namespace

IslandReport projected_gradient(const Prepared& p, const Range& island, const Goal& goal,
                                const GradientSettings& s, double* r, GradientMemory& m) {
  return run_on<Run>(p, island, goal, s, r, m);
}

}  // namespace stiction::complementarity::friction
