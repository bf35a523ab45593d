// Coulomb's law as a fixed point of projections (Alart and Curnier 1991), with rho > 0:
//     r_n = [r_n - rho u_n]+,      r_t = P_disc(mu r_n) (r_t - rho u_t),      A (v - v_free) = G^T r.
// Redundant contacts make G rank deficient and the Newton matrix in (v, r) singular. A proximal step holds
// the r on the right at a centre r_k, which turns it into a function Phi(u) of the velocities alone,
//     F(v) = A (v - v_free) - G^T Phi(G v + b; r_k) = 0,      (A + G^T D G) dv = -F,   D = -dPhi/du,
// always solvable where contacts stick, since A is positive definite and D = rho I there. Each F = 0 is
// solved by Newton steps with a line search on |F| in the A^-1 norm; then r_{k+1} = Phi. The fixed points are
// the exact solutions; the error shrinks by 1 / (1 + rho lambda) a proximal step, lambda an eigenvalue of the
// scaled W. The first weights are small, so that the start decides which contacts stick, slide and open; they
// grow as r settles. The factorisation is kept while D does not change: then a step costs one solve. Sticking
// contacts end with slip at round-off: this is the active-set polish of the sweeps' result. That law is not
// the gradient of anything, and its Newton steps may get stuck far from a solution. The approach uses another
// law with the same solutions, K* containing u + mu |u_t| n (De Saxce), with the shift mu |u_t| held: then
// Phi is the gradient of a convex function, the line search follows its slope, and every proximal step
// converges from anywhere; the shift is renewed between them. (Castro et al. 2022 use the same function with
// compliance.) Fails (reports the best r found) when sliding contacts couple so strongly that F has no
// descent direction.
#include "stiction/complementarity/newton.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/residual.h"

namespace stiction::complementarity {
namespace {

constexpr double round_off = 3e-16;    // [-] of one multiplication and one addition
constexpr double near_enough = 1e-4;   // [-] residual below which the polish is tried at once
constexpr double close_enough = 1e-6;  // [-] residual at which the approach ends
constexpr int most_leaps = 2;          // [-] full steps taken although |F| grows
constexpr int most_idle = 4;           // [-] proximal steps without progress
constexpr int most_failures =
    2;  // [-] proximal steps that got stuck: the start is too poor, sweeps are cheaper
constexpr double inner_reduction = 1e-4;  // [-] how far below the residual a proximal step is solved

struct Run {
  const FrictionProblem& p;
  const Island& island;
  NewtonMemory& m;
  double stiffness;
  bool convex;  // which of the two laws Phi is
  NewtonReport report;

  int contacts() const { return island.contact_end - island.contact_begin; }
  int blocks() const { return island.block_end - island.block_begin; }
  const ContactRows& contact(int i) const { return p.contacts[std::size_t(island.contact_begin + i)]; }
  double rho(int i) const { return stiffness / m.inverse_mass[std::size_t(i)]; }

  /// Phi and, if wanted, D of one contact at local velocity u.
  void law(int i, const double u[3], double phi[3], double* D) const {
    const double* centre = m.centre.data() + 3 * i;
    const double mu = contact(i).mu, weight = rho(i);
    if (D)
      for (int k = 0; k < 9; ++k) D[k] = 0;
    phi[0] = centre[0] - weight * u[0];
    if (contact(i).kind == RowKind::equality) {
      phi[1] = phi[2] = 0;
      if (D) D[0] = weight;
      return;
    }
    if (convex) return convex_law(mu, weight, centre, u, m.shift[std::size_t(i)], phi, D);
    if (phi[0] <= 0) {
      phi[0] = phi[1] = phi[2] = 0;
      return;
    }
    phi[1] = centre[1] - weight * u[1], phi[2] = centre[2] - weight * u[2];
    const double radius = mu * phi[0];
    const double length = std::sqrt(phi[1] * phi[1] + phi[2] * phi[2]);
    if (D) D[0] = weight;
    if (length <= radius) {
      if (D) D[4] = D[8] = weight;
      return;
    }
    const double d1 = phi[1] / length, d2 = phi[2] / length;
    phi[1] = radius * d1, phi[2] = radius * d2;
    if (D) {
      const double s = weight * radius / length;
      D[3] = weight * mu * d1, D[6] = weight * mu * d2;
      D[4] = s * d2 * d2, D[5] = D[7] = -s * d1 * d2, D[8] = s * d1 * d1;
    }
  }

  /// Phi = P_K(centre - rho (u + shift n)): the gradient of a convex function of u.
  static void convex_law(double mu, double weight, const double* centre, const double u[3], double shift,
                         double phi[3], double* D) {
    const double y[3] = {centre[0] - weight * (u[0] + shift), centre[1] - weight * u[1],
                         centre[2] - weight * u[2]};
    project_on_cone(mu, y, phi);
    if (!D || phi[0] == 0) return;
    const double t = std::sqrt(y[1] * y[1] + y[2] * y[2]);
    if (t <= mu * y[0]) {
      D[0] = D[4] = D[8] = weight;
      return;
    }
    const double d1 = y[1] / t, d2 = y[2] / t, a = weight / (1 + mu * mu), s = weight * mu * phi[0] / t;
    D[0] = a, D[1] = D[3] = a * mu * d1, D[2] = D[6] = a * mu * d2;
    D[4] = a * mu * mu * d1 * d1 + s * d2 * d2, D[8] = a * mu * mu * d2 * d2 + s * d1 * d1;
    D[5] = D[7] = (a * mu * mu - s) * d1 * d2;
  }

  /// F at v (whole-problem indexing) into m.force; returns |F| in the A^-1 norm; fills D if asked.
  double evaluate(const double* v, bool with_D) {
    const int first = island.block_begin * width, n = blocks() * width;
    double* f = m.force.data();
    for (int block = 0; block < blocks(); ++block) {
      const double* a = p.A.data() + std::size_t(island.block_begin + block) * width * width;
      for (int i = 0; i < width; ++i) {
        double sum = 0;
        for (int k = 0; k < width; ++k) {
          const int at = first + block * width + k;
          sum += a[i * width + k] * (v[at] - p.v_free[std::size_t(at)]);
        }
        f[block * width + i] = sum;
      }
    }
    for (int i = 0; i < contacts(); ++i) {
      const ContactRows& c = contact(i);
      double u[3], phi[3];
      local_velocity(c, v, u);
      law(i, u, phi, with_D ? m.D.data() + 9 * i : nullptr);
      for (int side = 0; side < 2; ++side) {
        if (c.block[side] < 0) continue;
        double* x = f + c.block[side] * width - first;
        for (int row = 0; row < 3; ++row)
          for (int k = 0; k < width; ++k) x[k] -= c.G[side][row * width + k] * phi[row];
      }
    }
    return weighted_norm(f, n, p.A_inverse);
  }

  double weighted_norm(const double* x, int n, const std::vector<double>& weight) const {
    double total = 0;
    for (int block = 0; block < n / width; ++block) {
      const double* a = weight.data() + std::size_t(island.block_begin + block) * width * width;
      for (int i = 0; i < width; ++i) {
        double sum = 0;
        for (int k = 0; k < width; ++k) sum += a[i * width + k] * x[block * width + k];
        total += x[block * width + i] * sum;
      }
    }
    return std::sqrt(std::fmax(total, 0.0));
  }

  /// |A (v - v_free)| in the same norm: what |F| is compared with.
  double momentum_scale(const double* v) {
    const int first = island.block_begin * width, n = blocks() * width;
    for (int i = 0; i < n; ++i) m.scratch[std::size_t(i)] = v[first + i] - p.v_free[std::size_t(first + i)];
    return weighted_norm(m.scratch.data(), n, p.A);
  }

  bool factorise() {
    if (report.factorisations > 0 && m.D == m.D_factored) return true;
    m.lu.set_zero();
    for (int block = 0; block < blocks(); ++block) {
      const double* a = p.A.data() + std::size_t(island.block_begin + block) * width * width;
      std::copy(a, a + width * width, m.lu.diagonal(block));
    }
    for (int i = 0; i < contacts(); ++i) {
      const ContactRows& c = contact(i);
      const double* D = m.D.data() + 9 * i;
      if (D[0] == 0) continue;
      for (int t = 0; t < 2; ++t) {
        if (c.block[t] < 0) continue;
        double DG[3 * width];
        for (int row = 0; row < 3; ++row)
          for (int k = 0; k < width; ++k)
            DG[row * width + k] = D[row * 3] * c.G[t][k] + D[row * 3 + 1] * c.G[t][width + k] +
                                  D[row * 3 + 2] * c.G[t][2 * width + k];
        for (int s = 0; s < 2; ++s) {
          if (c.block[s] < 0) continue;
          const int i_block = c.block[s] - island.block_begin, j_block = c.block[t] - island.block_begin;
          double* out = s == t ? m.lu.diagonal(i_block) : m.lu.off_diagonal(i_block, j_block);
          for (int a = 0; a < width; ++a)
            for (int row = 0; row < 3; ++row) {
              const double g = c.G[s][row * width + a];
              for (int k = 0; k < width; ++k) out[a * width + k] += g * DG[row * width + k];
            }
        }
      }
    }
    m.D_factored = m.D;
    ++report.factorisations;
    return m.lu.factorise();
  }

  double evaluate_along(const double* v, double t) {
    const int first = island.block_begin * width, n = blocks() * width;
    for (int i = 0; i < n; ++i)
      m.v_try[std::size_t(first + i)] = v[first + i] + t * m.direction[std::size_t(i)];
    return evaluate(m.v_try.data(), false);
  }

  /// The step length that lowers |F| most among a few halvings; 0 if none does.
  double norm_search(const double* v, double now) {
    double best_t = 0, best = now, t = 1;
    for (int halving = 0; halving < 5; ++halving, t *= 0.5) {
      const double tried = evaluate_along(v, t);
      if (tried < best) best = tried, best_t = t;
      if (tried <= (1 - 0.1 * t) * now) break;
    }
    return best_t;
  }

  /// Where the convex function stops falling along the direction: its slope F.dv grows with t.
  double convex_search(const double* v) {
    const auto slope = [&](double t) {
      evaluate_along(v, t);
      double sum = 0;
      for (std::size_t i = 0; i < m.direction.size(); ++i) sum += m.force[i] * m.direction[i];
      return sum;
    };
    double low = 0, high = 1, at_low = slope(0), at_high = slope(1);
    if (!(at_low < 0)) return 0;
    const double enough = 0.1 * -at_low;
    for (int i = 0; i < 12 && at_high > enough; ++i) {
      const double t = i % 3 == 2 ? 0.5 * (low + high) : low - at_low * (high - low) / (at_high - at_low);
      const double g = slope(t);
      if (std::fabs(g) <= enough) return t;
      (g < 0 ? low : high) = t, (g < 0 ? at_low : at_high) = g;
    }
    return at_high <= enough ? high : (low > 0 ? low : high);
  }

  /// One proximal step from v: solves F = 0 well enough to improve on the residual `error`; false if it got
  /// stuck.
  bool solve_inner(double* v, double error, int max_inner) {
    const int first = island.block_begin * width, n = blocks() * width;
    double now = evaluate(v, true);
    int leaps = 0;
    for (int step = 0; step < max_inner; ++step) {
      const double scale = momentum_scale(v);
      const double noise = round_off * std::fmax(1.0, stiffness) * scale;  // of rho u in Phi
      if (now <= noise || (step > 0 && now <= inner_reduction * error * scale)) return true;
      if (!factorise()) return false;
      ++report.iterations;
      for (int i = 0; i < n; ++i) m.direction[std::size_t(i)] = -m.force[std::size_t(i)];
      m.lu.solve(m.direction.data());
      double length = convex ? convex_search(v) : norm_search(v, now);
      if (length == 0) {
        if (now <= 100 * noise) return true;
        if (convex || leaps++ == most_leaps) return false;
        length = 1;  // across the kink: semismooth Newton may rise once before it falls
      }
      for (int i = 0; i < n; ++i) v[first + i] += length * m.direction[std::size_t(i)];
      now = evaluate(v, true);
    }
    return false;
  }

  void shifts_at(const double* v) {
    for (int i = 0; i < contacts(); ++i) {
      double u[3];
      local_velocity(contact(i), v, u);
      m.shift[std::size_t(i)] = contact(i).mu * std::sqrt(u[1] * u[1] + u[2] * u[2]);
    }
  }

  void impulses_at(const double* v, double* r) const {
    for (int i = 0; i < contacts(); ++i) {
      double u[3];
      local_velocity(contact(i), v, u);
      law(i, u, r + 3 * (island.contact_begin + i), nullptr);
    }
  }
};

void prepare(const FrictionProblem& p, const Island& island, NewtonMemory& m) {
  const auto contacts = std::size_t(island.contact_end - island.contact_begin);
  const auto n = std::size_t(island.block_end - island.block_begin) * width;
  m.v.resize(p.v_free.size()), m.v_try.resize(p.v_free.size());
  m.force.resize(n), m.direction.resize(n), m.scratch.resize(n);
  m.centre.resize(3 * contacts), m.best.resize(3 * contacts), m.inverse_mass.resize(contacts);
  m.D.resize(9 * contacts), m.shift.resize(contacts);
  for (std::size_t i = 0; i < contacts; ++i)
    m.inverse_mass[i] = mean_diagonal(p, p.contacts[std::size_t(island.contact_begin) + i]);
}

}  // namespace

double factorisation_cost(const FrictionProblem& p, const Island& island, NewtonMemory& m) {
  m.pairs.clear();
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    const ContactRows& c = p.contacts[std::size_t(i)];
    if (c.block[0] >= 0 && c.block[1] >= 0)
      m.pairs.emplace_back(std::min(c.block[0], c.block[1]) - island.block_begin,
                           std::max(c.block[0], c.block[1]) - island.block_begin);
  }
  m.lu.analyse(island.block_end - island.block_begin, m.pairs);
  return m.lu.cost();
}

namespace {

/// The proximal steps of one phase; keeps the best r in m.best.
struct Phases {
  Run& run;
  const NewtonSettings& s;
  double* r;
  double best = 0;

  double* mine() const { return r + 3 * run.island.contact_begin; }
  double measure() {
    const double now = residual(run.p, run.island, r, run.m.v.data()).natural_map_scaled;
    if (now < best) best = now, std::copy(mine(), mine() + run.m.best.size(), run.m.best.begin());
    return now;
  }
  void restore() {
    std::copy(run.m.best.begin(), run.m.best.end(), mine());
    residual(run.p, run.island, r, run.m.v.data());
  }
  bool proximal_step(double error) {
    std::copy(mine(), mine() + run.m.centre.size(), run.m.centre.begin());
    const bool solved = run.solve_inner(run.m.v.data(), error, s.max_inner);
    run.impulses_at(run.m.v.data(), r);
    return solved;
  }

  /// Convex law with the shift mu |u_t| of the last velocities: never gets stuck, converges linearly.
  void approach() {
    run.convex = true;
    run.stiffness = std::clamp(1e-1 / best, 10.0, 1e4);
    double previous = best;
    for (int outer = 0, slow = 0; outer < s.max_approach && slow < 4 && best > close_enough; ++outer) {
      run.shifts_at(run.m.v.data());
      proximal_step(previous);
      const double now = measure();
      slow = now > 0.7 * previous ? slow + 1 : 0;
      run.stiffness = std::fmin(1e6, 5 * run.stiffness);
      previous = now;
    }
    restore();
  }

  /// Alart and Curnier's law: converges fast from nearby. False if it got stuck.
  bool polish() {
    run.convex = false;
    run.stiffness = std::clamp(1e-2 / best, 1.0, 1e6);
    double previous = best;
    int idle = 0, failures = 0;
    for (int outer = 0; outer < s.max_outer && best > s.goal; ++outer) {
      const double before = best;
      const bool solved = proximal_step(previous);
      const double now = measure();
      idle = now < 0.7 * before ? 0 : idle + 1;
      const bool slow = now > 0.1 * previous;
      if (slow && best <= 1e-3 * s.tolerance && best <= 100 * round_off * run.stiffness)
        break;  // round-off of r
      if (idle >= most_idle) break;
      if (!solved) {
        if (run.stiffness <= 1 || ++failures == most_failures) break;
        run.stiffness = std::fmax(1.0, 1e-3 * run.stiffness);
        restore();
        previous = best;
        continue;
      }
      if (run.stiffness < 1e9)
        run.stiffness *= 10;
      else if (slow)
        break;
      previous = now;
    }
    restore();
    return best <= s.tolerance;
  }
};

}  // namespace

NewtonReport newton(const FrictionProblem& p, const Island& island, const NewtonSettings& s, double* r,
                    NewtonMemory& m) {
  factorisation_cost(p, island, m);
  prepare(p, island, m);
  Run run{p, island, m, 1.0, false, {0, 0, -1, false}};
  Phases phases{run, s, r};
  phases.best = residual(p, island, r, m.v.data()).natural_map_scaled;
  std::copy(phases.mine(), phases.mine() + m.best.size(), m.best.begin());
  if (phases.best > s.goal && (phases.best > near_enough || !phases.polish())) {
    phases.approach();
    phases.polish();
  }
  run.report.residual = phases.best;
  run.report.converged = phases.best <= s.tolerance;
  return run.report;
}

}  // namespace stiction::complementarity
