// min 1/2 r.W r + r.(b + shift) with s_k = A_k r = (mu_k r_n, r_k) in L_k for every disc k of every contact:
//     W r + b + shift = sum A_k^T z_k,   z_k in L_k,   s_k o z_k = 0.
// s = A r holds always, so only the first and the last equation are iterated. With Nesterov and Todd's
// scaling F, F z = F^-1 s = lambda, one Newton step towards s o z = sigma tau e is
//     (W + sum A^T F^-2 A) dr = -(W r + b + shift - A^T z) + sum A^T F^-1 (lambda \ (sigma tau e - lambda o
//     lambda - c))
// with Mehrotra's predictor and correction c. A disc with mu = 0 has its rows pinned at 0; a contact without
// any friction keeps the half line r_n >= 0.
// The shift is held first, until the convex problem is solved as well as the shift would change; then it
// moves with r in every step, smoothed by eps = tau / (mean s) and with its derivative in the matrix (the
// normal row of W gains mu u_t/|u_t| times the others). Where the steps become short (wedged piles) it is
// held again and updated in outer steps, which contract where friction couples moderately. If neither ends,
// the best r is returned, a start for Newton's method. W must be positive semidefinite, symmetric or nearly
// so. References: Alizadeh, Goldfarb (2003); Mehrotra (1992); Acary, Cadoux (2013), "Applications of an
// existence result for the Coulomb friction problem".
#include "stiction/complementarity/friction/interior_point.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/friction/detail/island_run.h"
#include "stiction/complementarity/friction/detail/lorentz.h"

namespace stiction::complementarity::friction {
namespace {

constexpr double to_boundary = 0.99;  // [-] of the way
constexpr double short_step = 0.1;    // [-] below it the path is jammed
constexpr int most_jams = 5;          // [-] steps so short before the shift is held again
constexpr double ahead = 0.03;  // [-] of the shift's change: how well the convex problem is solved before

template <class C>
struct Run : IslandRun<InteriorPointSettings, InteriorPointMemory> {
  static constexpr int d = C::rows;
  std::vector<Scaling> scalings = {};
  bool inside = false;  // the shift moves with r in every step

  double* impulse(int i) { return m.r.data() + i * d; }

  void build_cones() {
    m.cones.clear(), m.first_cone.clear(), m.pinned.assign(p.b.size(), 0);
    for (int i = island.begin; i < island.end; ++i) {
      m.first_cone.push_back(int(m.cones.size()));
      const double* mu = p.mu.data() + 2 * i;
      const int sizes[2] = {C::first, C::second};
      for (int k = 0, offset = 1; k < 2; offset += sizes[k++]) {
        if (sizes[k] == 0) continue;
        if (mu[k] > 0)
          m.cones.push_back({i, offset, 1 + sizes[k], mu[k], {}, {}, {}, {}, {}, {}});
        else
          for (int a = offset; a < offset + sizes[k]; ++a) m.pinned[std::size_t(i * d + a)] = 1;
      }
      if (int(m.cones.size()) == m.first_cone.back()) m.cones.push_back({i, 1, 1, 1, {}, {}, {}, {}, {}, {}});
    }
    m.first_cone.push_back(int(m.cones.size()));
    scalings.resize(m.cones.size());
  }
  void cone_part(const ConePair& c, const double* x, double* to) const {
    to[0] = c.m * x[c.place * d];
    for (int a = 1; a < c.size; ++a) to[a] = x[c.place * d + c.offset + a - 1];
  }
  /// x += scale A^T v
  void add_back(const ConePair& c, double scale, const double* v, double* x) const {
    x[c.place * d] += scale * c.m * v[0];
    for (int a = 1; a < c.size; ++a) x[c.place * d + c.offset + a - 1] += scale * v[a];
  }

  void start() {
    m.r.assign(p.b.size(), 0.0);
    double b2 = 0;
    for (int i = island.begin; i < island.end; ++i) {
      for (int k = 0; k < d; ++k) b2 += p.b[std::size_t(i * d + k)] * p.b[std::size_t(i * d + k)];
    }
    const double u = std::sqrt(b2 / island.size()) + 1e-300;
    for (int i = island.begin; i < island.end; ++i) impulse(i)[0] = u / p.w[std::size_t(i)];
    for (ConePair& c : m.cones) {
      for (int a = 0; a < 6; ++a) c.z[a] = 0;
      cone_part(c, m.r.data(), c.s);
      c.z[0] = u;
    }
  }

  /// tau = mean s.z; dual = W r + b + shift - A^T z.
  double complementarity() {
    double sum = 0;
    for (const ConePair& c : m.cones)
      for (int a = 0; a < c.size; ++a) sum += c.s[a] * c.z[a];
    return sum / double(m.cones.size());
  }
  double dual_residual() {
    local_velocities(p, island, m.r.data(), m.u.data());
    if (inside) update_shift(complementarity() / mean_impulse());
    double sum = 0;
    for (int i = island.begin * d; i < island.end * d; ++i) m.dual[std::size_t(i)] = m.u[std::size_t(i)];
    for (int i = island.begin; i < island.end; ++i)
      m.dual[std::size_t(i * d)] += m.shift[std::size_t(i - island.begin)];
    for (const ConePair& c : m.cones) add_back(c, -1, c.z, m.dual.data());
    for (int i = island.begin * d; i < island.end * d; ++i) {
      if (m.pinned[std::size_t(i)]) m.dual[std::size_t(i)] = 0;
      sum += m.dual[std::size_t(i)] * m.dual[std::size_t(i)];
    }
    return std::sqrt(sum);
  }
  /// The natural map's error of the whole problem (or the convex one) at r projected; keeps the best.
  void measure() {
    double error = 0;
    for (int i = island.begin; i < island.end; ++i) {
      double e[d], x[d];
      const double* u = m.u.data() + i * d;
      for (int k = 0; k < d; ++k) x[k] = impulse(i)[k] - u[k];
      if (!s.convex) x[0] -= shift_of<C>(p.mu.data() + 2 * i, u);
      project<C>(p.mu.data() + 2 * i, x, e);
      for (int k = 0; k < d; ++k) error += (impulse(i)[k] - e[k]) * (impulse(i)[k] - e[k]);
    }
    error = std::sqrt(error);
    keep(error, impulse(island.begin));
  }

  bool factorise() {
    ++report.factorisations;
    for (std::size_t k = 0; k < m.cones.size(); ++k) {
      ConePair& c = m.cones[k];
      scalings[k].set(c.size, c.s, c.z);
      scalings[k].apply(c.size, c.z, c.lambda);
    }
    m.B.assign(size() * std::size_t(d), 0.0), m.C.assign(size() * std::size_t(d), 0.0);
    for (std::size_t k = 0; k < m.cones.size(); ++k) {
      const ConePair& c = m.cones[k];
      double* B = m.B.data() + (c.place - island.begin) * d * d;
      for (int b = 0; b < c.size; ++b) {  // column b of F^-2, rows and columns scaled by A
        double e[6] = {0, 0, 0, 0, 0, 0}, f[6];
        e[b] = b == 0 ? c.m : 1;
        scalings[k].apply_inverse(c.size, e, f);
        scalings[k].apply_inverse(c.size, f, e);
        const int column = b == 0 ? 0 : c.offset + b - 1;
        for (int a = 0; a < c.size; ++a)
          B[(a == 0 ? 0 : c.offset + a - 1) * d + column] += (a == 0 ? c.m : 1.0) * e[a];
      }
    }
    for (int i = island.begin; i < island.end; ++i) {
      double* B = m.B.data() + (i - island.begin) * d * d;
      double* C_ = m.C.data() + (i - island.begin) * d * d;
      for (int a = 0; a < d; ++a) {
        const bool free = !m.pinned[std::size_t(i * d + a)];
        C_[a * d + a] = free ? 1 : 0;
        if (!free) B[a * d + a] = 1;
        if (inside && a > 0 && free) C_[a] = m.slope[std::size_t(i * d + a)];
      }
    }
    return m.system.factor(m.B.data(), m.C.data());
  }

  /// Newton's step for s o z -> target e, less the correction of the predictor if asked.
  void find_step(double target, bool correct) {
    for (int i = island.begin * d; i < island.end * d; ++i) m.step[std::size_t(i)] = -m.dual[std::size_t(i)];
    for (std::size_t k = 0; k < m.cones.size(); ++k) {
      ConePair& c = m.cones[k];
      double v[6], x[6], y[6];
      jordan(c.size, c.lambda, c.lambda, v);
      for (int a = 0; a < c.size; ++a) v[a] = (a == 0 ? target : 0.0) - v[a];
      if (correct) {
        scalings[k].apply_inverse(c.size, c.ds, x), scalings[k].apply(c.size, c.dz, y);
        double cross[6];
        jordan(c.size, x, y, cross);
        for (int a = 0; a < c.size; ++a) v[a] -= cross[a];
      }
      jordan_divide(c.size, c.lambda, v, x);
      scalings[k].apply_inverse(c.size, x, c.right);
      add_back(c, 1, c.right, m.step.data());
    }
    for (int i = island.begin * d; i < island.end * d; ++i)
      if (m.pinned[std::size_t(i)]) m.step[std::size_t(i)] = 0;
    m.system.solve(m.step.data() + island.begin * d);
    for (std::size_t k = 0; k < m.cones.size(); ++k) {
      ConePair& c = m.cones[k];
      double x[6], y[6];
      cone_part(c, m.step.data(), c.ds);
      scalings[k].apply_inverse(c.size, c.ds, x), scalings[k].apply_inverse(c.size, x, y);
      for (int a = 0; a < c.size; ++a) c.dz[a] = c.right[a] - y[a];
    }
  }
  double longest_step() const {
    double step = 1;
    for (const ConePair& c : m.cones)
      step = std::fmin(step, std::fmin(step_inside(c.size, c.s, c.ds), step_inside(c.size, c.z, c.dz)));
    return step;
  }

  /// The step taken, 0 where it failed.
  double newton_step() {
    ++report.iterations;
    if (!factorise()) return 0;
    const double tau = complementarity();
    find_step(0, false);
    const double a = longest_step();
    double after = 0;
    for (const ConePair& c : m.cones)
      for (int k = 0; k < c.size; ++k) after += (c.s[k] + a * c.ds[k]) * (c.z[k] + a * c.dz[k]);
    const double ratio = std::fmax(after, 0.0) / double(m.cones.size()) / tau;
    find_step(std::clamp(ratio * ratio * ratio, 1e-6, 1.0) * tau, true);
    double step = std::fmin(1.0, to_boundary * longest_step());
    while (step > 1e-8 && !stays_inside(step)) step *= 0.7;  // round-off near the boundary
    if (!(step > 1e-8)) return 0;
    for (int i = island.begin * d; i < island.end * d; ++i)
      m.r[std::size_t(i)] += step * m.step[std::size_t(i)];
    for (ConePair& c : m.cones)
      for (int k = 0; k < c.size; ++k) c.s[k] += step * c.ds[k], c.z[k] += step * c.dz[k];
    return step;
  }
  bool stays_inside(double step) const {
    for (const ConePair& c : m.cones) {
      double x[6] = {}, y[6] = {};
      for (int k = 0; k < c.size; ++k) x[k] = c.s[k] + step * c.ds[k], y[k] = c.z[k] + step * c.dz[k];
      if (!(x[0] > 0 && y[0] > 0 && lorentz_det(c.size, x) > 0 && lorentz_det(c.size, y) > 0)) return false;
    }
    return true;
  }

  /// The shift of the present u, sum mu_k (sqrt(|u_k|^2 + eps^2) - eps), and its derivative by u.
  double shift_at(int i, double eps, double* slope) const {
    const double* u = m.u.data() + i * d;
    const double* mu = p.mu.data() + 2 * i;
    double t[2], root[2], sum = 0;
    lengths<C>(u, t);
    for (int k = 0; k < 2; ++k) {
      root[k] = std::sqrt(t[k] * t[k] + eps * eps);
      sum += mu[k] * (root[k] - eps);
    }
    slope[0] = 0;
    for (int a = 1; a < d; ++a) {
      const int k = a <= C::first ? 0 : 1;
      slope[a] = root[k] > 0 ? mu[k] * u[a] / root[k] : 0.0;
    }
    return sum;
  }
  void update_shift(double eps) {
    for (int i = island.begin; i < island.end; ++i)
      m.shift[std::size_t(i - island.begin)] = shift_at(i, eps, m.slope.data() + i * d);
  }
  /// How much the shift would change, root of the sum of squares.
  double pending_change() const {
    double change = 0, slope[d];
    for (int i = island.begin; i < island.end; ++i) {
      const double x = shift_at(i, 0, slope) - m.shift[std::size_t(i - island.begin)];
      change += x * x;
    }
    return std::sqrt(change);
  }
  /// Moves s and z inside, by as much as the shift changed.
  void recentre(double change) {
    const double per_contact = change / std::sqrt(double(island.size()));
    for (int i = island.begin; i < island.end; ++i) impulse(i)[0] += 0.1 * per_contact / p.w[std::size_t(i)];
    for (ConePair& c : m.cones) {
      cone_part(c, m.r.data(), c.s);
      c.z[0] += per_contact;
    }
  }

  /// The convex problem until the shift matters; then the shift inside; where that jams, outer steps.
  void follow() {
    double work = 0;
    for (int jammed = 0; report.iterations < s.max_steps && work <= s.max_work;) {
      const double dual = dual_residual();
      measure();
      if (!goal.wants(best)) return;
      if (!s.convex && !inside) {
        const double gap = std::sqrt(complementarity() * double(m.cones.size()) / mean_mass());
        const double change = pending_change();
        const bool first = s.shift_inside && jammed == 0;
        if (dual + gap <= (first ? 1.0 : ahead) * change) {
          inside = first;
          update_shift(0);
          recentre(change);
          dual_residual();
        }
      }
      const double step = newton_step();
      work += m.system.cost();
      if (inside && step < short_step && ++jammed > most_jams) {
        inside = false;
        recentre(pending_change() + std::sqrt(complementarity() / mean_mass()));
      } else if (!(step > 1e-8)) {
        return;
      }
    }
  }

  void go() {
    m.slope.assign(p.b.size(), 0.0);
    m.u.resize(p.b.size()), m.dual.resize(p.b.size()), m.step.resize(p.b.size());
    begin();
    m.shift.assign(std::size_t(island.size()), 0.0);
    m.r.assign(p.b.size(), 0.0);
    std::copy(mine(), mine() + size(), m.r.begin() + island.begin * d);
    local_velocities(p, island, m.r.data(), m.u.data());
    measure();
    if (best > goal.plain) {
      if (!s.convex) update_shift(0);
      build_cones();
      m.system.analyse(p, island, goal.stop);
      start();
      follow();
    }
    finish();
  }
  double mean_impulse() const {
    double sum = 0;
    for (const ConePair& c : m.cones) sum += c.s[0];
    return sum / double(m.cones.size());
  }
  /// Mean of 1 / w: turns a product s.z into the square of a velocity.
  double mean_mass() const {
    double sum = 0;
    for (int i = island.begin; i < island.end; ++i) sum += 1 / p.w[std::size_t(i)];
    return sum / island.size();
  }
};

}  // namespace

IslandReport interior_point(const Prepared& p, const Range& island, const Goal& goal,
                            const InteriorPointSettings& s, double* r, InteriorPointMemory& m) {
  return run_on<Run>(p, island, goal, s, r, m);
}

}  // namespace stiction::complementarity::friction
