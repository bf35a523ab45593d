// Block Gauss-Seidel on the graph form: v is kept up to date, so that one contact costs the two blocks it
// touches. Fixed points are exactly the solutions. Convergence is linear and slows down with the length of
// the force chains (stacks, piles): the rate is about 1 - O(1/layers^2). It never diverged in our tests with
// relaxation 1, but no proof covers strong normal-tangential coupling; the report tells.
// The slow modes are few, and Anderson's acceleration takes them out: with g(r) = r after one sweep forth and
// one back and f = g(r) - r, the next r is g(r) - dG c, where c makes f - dF c smallest over the last few
// differences dF of f and dG of g. It is projected onto the cones; where it raises the residual, the
// plain g(r) is taken and the window starts anew; where a stretch of sweeps gains little with it, the next
// stretch goes without. References: Jean (1999), "The non-smooth contact dynamics method"; Walker and Ni
// (2011), "Anderson acceleration for fixed-point iterations".
#include "stiction/complementarity/nsgs.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/detail/turning.h"
#include "stiction/complementarity/local_solver.h"
#include "stiction/complementarity/residual.h"

namespace stiction::complementarity {
namespace {

/// W += G Y^T of rows on a wide block.
void add_wide_W(const FrictionProblem& p, const WideRows& w, double W[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double *g = p.wide_G.data() + w.at + std::size_t(i * w.size),
                   *y = p.wide_Y.data() + w.at + std::size_t(j * w.size);
      double sum = 0;
      for (int k = 0; k < w.size; ++k) sum += g[k] * y[k];
      W[i * 3 + j] += sum;
    }
}

/// G_c A^-1 G_t^T of a contact and the turning block behind it.
void find_coupling(const FrictionProblem& p, const ContactRows& c, const ContactRows& t,
                   const NsgsMemory::Contact& of_t, double out[9]) {
  for (int k = 0; k < 9; ++k) out[k] = 0;
  for (int side = 0; side < 2; ++side) {
    if (c.block[side] < 0) continue;
    int size = width;
    const double *g = c.G[side], *y = of_t.Y[side];
    if (c.wide[side] >= 0) {
      const WideRows &of_g = p.wide_rows[std::size_t(c.wide[side])],
                     &of_y = p.wide_rows[std::size_t(t.wide[side])];
      size = of_g.size, g = p.wide_G.data() + of_g.at, y = p.wide_Y.data() + of_y.at;
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < size; ++k) out[3 * i + j] += g[i * size + k] * y[j * size + k];
  }
}

/// W of contacts with a turning block, once those of all blocks are known.
void prepare_turning(const FrictionProblem& p, const Island& island, NsgsMemory& m) {
  m.six.clear();
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    if (!turns(p, island, i)) continue;
    m.six.resize(36 * m.contacts.size());
    const auto local = std::size_t(i - island.contact_begin);
    double coupling[9];
    find_coupling(p, p.contacts[std::size_t(i)], p.contacts[std::size_t(i) + 1], m.contacts[local + 1],
                  coupling);
    double* W = m.six.data() + 36 * local;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        W[6 * a + b] = m.contacts[local].W[3 * a + b];
        W[6 * (a + 3) + b + 3] = m.contacts[local + 1].W[3 * a + b];
        W[6 * a + b + 3] = W[6 * (b + 3) + a] = coupling[3 * a + b];
      }
  }
}

void prepare(const FrictionProblem& p, const Island& island, NsgsMemory& m) {
  m.contacts.resize(std::size_t(island.contact_end - island.contact_begin));
  m.inverse_mass.resize(m.contacts.size());
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    const ContactRows& c = p.contacts[std::size_t(i)];
    NsgsMemory::Contact& k = m.contacts[std::size_t(i - island.contact_begin)];
    m.inverse_mass[std::size_t(i - island.contact_begin)] = mean_diagonal(p, c);
    for (double& w : k.W) w = 0;
    for (int side = 0; side < 2; ++side) {
      if (c.block[side] < 0) continue;
      if (c.wide[side] >= 0) {
        add_wide_W(p, p.wide_rows[std::size_t(c.wide[side])], k.W);
        continue;
      }
      const double* inverse = p.A_inverse.data() + std::size_t(c.block[side]) * width * width;
      for (int row = 0; row < 3; ++row) {
        const double* g = c.G[side] + row * width;
        double* y = k.Y[side] + row * width;
        for (int a = 0; a < width; ++a) {
          double sum = 0;
          for (int b = 0; b < width; ++b) sum += inverse[a * width + b] * g[b];
          y[a] = sum;
        }
        for (int other = 0; other < 3; ++other) {
          double sum = 0;
          for (int a = 0; a < width; ++a) sum += c.G[side][other * width + a] * y[a];
          k.W[other * 3 + row] += sum;
        }
      }
    }
    if (c.give > 0) k.W[0] += c.give;
  }
}

/// r += change, and v with it.
void push(const FrictionProblem& p, const ContactRows& c, const NsgsMemory::Contact& k,
          const double change[3], double* r, double* v) {
  for (int row = 0; row < 3; ++row) r[row] += change[row];
  for (int side = 0; side < 2; ++side) {
    if (c.block[side] < 0) continue;
    double* x = v + c.block[side] * width;
    if (c.wide[side] >= 0) {
      const WideRows& w = p.wide_rows[std::size_t(c.wide[side])];
      for (int row = 0; row < 3; ++row) {
        const double* y = p.wide_Y.data() + w.at + std::size_t(row * w.size);
        for (int a = 0; a < w.size; ++a) x[a] += y[a] * change[row];
      }
      continue;
    }
    for (int row = 0; row < 3; ++row) {
      const double* y = k.Y[side] + row * width;
      for (int a = 0; a < width; ++a) x[a] += y[a] * change[row];
    }
  }
}

void visit(const FrictionProblem& p, const ContactRows& c, const NsgsMemory::Contact& k, double relaxation,
           double* r, double* v) {
  double u[3], b[3], next[3];
  law_velocity(p, c, v, r, u);
  for (int row = 0; row < 3; ++row)
    b[row] = u[row] - (k.W[row * 3] * r[0] + k.W[row * 3 + 1] * r[1] + k.W[row * 3 + 2] * r[2]);
  if (c.kind != RowKind::cone) {
    next[0] = k.W[0] > 0 ? -b[0] / k.W[0] : 0.0, next[1] = next[2] = 0;
    if (c.kind == RowKind::box) next[0] = std::fmin(std::fmax(next[0], c.low), c.high);
  } else {
    solve_one_contact(k.W, b, c.mu, next);
  }
  double change[3];
  for (int row = 0; row < 3; ++row) change[row] = relaxation * (next[row] - r[row]);
  if (relaxation != 1.0 && c.kind == RowKind::cone) {  // an over-relaxed impulse may leave the cone
    double x[3] = {r[0] + change[0], r[1] + change[1], r[2] + change[2]};
    project_on_cone(c.mu, x, next);
    for (int row = 0; row < 3; ++row) change[row] = next[row] - r[row];
  }
  if (relaxation != 1.0 && c.kind == RowKind::box)
    change[0] = std::fmin(std::fmax(r[0] + change[0], c.low), c.high) - r[0];
  push(p, c, k, change, r, v);
}

/// A contact and the turning block behind it; `k`: of both.
void visit_pair(const FrictionProblem& p, const ContactRows& c, const ContactRows& t,
                const NsgsMemory::Contact* k, const double* W, double relaxation, double* r, double* v) {
  const auto law = detail::TurningLaw::of(c, t);
  double u[6], next[6], change[6];
  law_velocity(p, c, v, r, u), local_velocity(p, t, v, u + 3);
  std::copy(r, r + 6, next);
  law.solve(W, u, next);
  if (relaxation != 1.0) {
    for (int row = 0; row < 6; ++row) next[row] = r[row] + relaxation * (next[row] - r[row]);
    law.project(next);
  }
  for (int row = 0; row < 6; ++row) change[row] = next[row] - r[row];
  push(p, c, k[0], change, r, v);
  push(p, t, k[1], change + 3, r + 3, v);
}

void sweep(const FrictionProblem& p, const Island& island, const NsgsSettings& s, bool forward, double* r,
           NsgsMemory& m) {
  const int count = island.contact_end - island.contact_begin;
  for (int n = 0; n < count; ++n) {
    const int local = forward ? n : count - 1 - n;
    const int i = island.contact_begin + local;
    if (p.contacts[std::size_t(i)].kind == RowKind::turning) continue;  // visited with the cone before it
    if (turns(p, island, i)) {
      visit_pair(p, p.contacts[std::size_t(i)], p.contacts[std::size_t(i) + 1], m.contacts.data() + local,
                 m.six.data() + 36 * local, s.relaxation, r + 3 * i, m.v.data());
      continue;
    }
    visit(p, p.contacts[std::size_t(i)], m.contacts[std::size_t(local)], s.relaxation, r + 3 * i, m.v.data());
  }
}

constexpr int most_window = NsgsMemory::most_window;
constexpr int stretch = 25;          // [-] pairs of sweeps after which the acceleration is judged
constexpr double enough_drop = 0.5;  // [-] of the residual in a stretch; less, and plain sweeps have the next

double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// Coefficients c of the least-squares problem |f - dF c|, by Cholesky on the normal equations; false if
/// singular. `newest` is the column that changed since the last call: the products of the others are kept in
/// m.gram.
bool least_squares(NsgsMemory& m, int columns, int newest, std::size_t n, double c[most_window]) {
  const auto column = [&](int i) { return m.d_step.data() + std::size_t(i) * n; };
  double trace = 0;
  for (int i = 0; i < columns; ++i) {
    m.gram[newest][i] = m.gram[i][newest] = dot(column(newest), column(i), n);
    c[i] = dot(column(i), m.step.data(), n);
  }
  double a[most_window][most_window] = {};
  for (int i = 0; i < columns; ++i) {
    for (int j = 0; j <= i; ++j) a[i][j] = m.gram[i][j];
    trace += a[i][i];
  }
  for (int i = 0; i < columns; ++i) {
    a[i][i] += 1e-14 * trace;
    for (int j = 0; j <= i; ++j) {
      for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      if (i == j && !(a[i][i] > 0)) return false;
      a[i][j] = i == j ? std::sqrt(a[i][i]) : a[i][j] / a[j][j];
    }
  }
  for (int i = 0; i < columns; ++i) {
    for (int k = 0; k < i; ++k) c[i] -= a[i][k] * c[k];
    c[i] /= a[i][i];
  }
  for (int i = columns - 1; i >= 0; --i) {
    for (int k = i + 1; k < columns; ++k) c[i] -= a[k][i] * c[k];
    c[i] /= a[i][i];
  }
  return true;
}

/// Anderson's acceleration of the sweeps; `r` points to the island's impulses.
struct Acceleration {
  const FrictionProblem& p;
  const Island& island;
  NsgsMemory& m;
  int window;
  double* r;
  std::size_t n = 0;
  int columns = 0, next = 0, newest = 0;
  bool has_last = false;

  void restart() { columns = next = 0, has_last = false; }
  void before_sweeps() { std::copy(r, r + n, m.start.begin()); }
  /// r = g(start) on entry, the accelerated and projected impulses on return; false if there is nothing to
  /// add yet.
  bool after_sweeps() {
    for (std::size_t i = 0; i < n; ++i) m.step[i] = r[i] - m.start[i];
    if (has_last) {
      double* d_step = m.d_step.data() + std::size_t(next) * n;
      double* d_image = m.d_image.data() + std::size_t(next) * n;
      for (std::size_t i = 0; i < n; ++i)
        d_step[i] = m.step[i] - m.last_step[i], d_image[i] = r[i] - m.last_image[i];
      newest = next, next = (next + 1) % window, columns = std::min(columns + 1, window);
    }
    m.last_step = m.step;
    std::copy(r, r + n, m.last_image.begin());
    has_last = true;
    double c[most_window] = {};
    if (columns == 0 || !least_squares(m, columns, newest, n, c)) return false;
    for (int k = 0; k < columns; ++k) {
      const double* d = m.d_image.data() + std::size_t(k) * n;
      for (std::size_t i = 0; i < n; ++i) r[i] -= c[k] * d[i];
    }
    for (int i = island.contact_begin; i < island.contact_end; ++i) {
      const ContactRows& rows = p.contacts[std::size_t(i)];
      double* mine = r + 3 * (i - island.contact_begin);
      if (turns(p, island, i)) {
        detail::TurningLaw::of(rows, p.contacts[std::size_t(++i)]).project(mine);
        continue;
      }
      const double x[3] = {mine[0], mine[1], mine[2]};
      if (rows.kind == RowKind::cone) project_on_cone(rows.mu, x, mine);
      if (rows.kind == RowKind::box) mine[0] = std::fmin(std::fmax(mine[0], rows.low), rows.high);
    }
    return true;
  }
};

}  // namespace

NsgsReport nsgs(const FrictionProblem& p, const Island& island, const NsgsSettings& s, double* r,
                NsgsMemory& m) {
  NsgsReport report;
  report.sweeps = 0;
  m.v.resize(p.v_free.size());
  const auto measure = [&] {  // also rids v of drift
    report.residual = scaled_residual(p, island, r, m.inverse_mass.data(), m.v.data());
    report.converged = report.residual <= s.tolerance;
  };
  prepare(p, island, m);
  prepare_turning(p, island, m);
  measure();
  if (report.converged || s.max_sweeps == 0) return report;
  const std::size_t n = 3 * m.contacts.size();
  m.start.resize(n), m.step.resize(n), m.last_step.resize(n), m.last_image.resize(n);
  m.d_step.resize(std::size_t(s.window) * n), m.d_image.resize(std::size_t(s.window) * n);
  Acceleration acceleration{p, island, m, s.window, r + 3 * island.contact_begin, n};
  double mark = report.residual;  // where the present stretch began
  bool accelerated = s.window > 0;
  for (int round = 1;
       report.sweeps < s.max_sweeps && !report.converged && !std::isnan(report.residual) && !s.stop.asked();
       ++round) {
    acceleration.before_sweeps();
    sweep(p, island, s, true, r, m);
    sweep(p, island, s, false, r, m);
    report.sweeps += 2;
    if (!accelerated) {
      if (round % 5 == 0 || report.sweeps >= s.max_sweeps) measure();
    } else {
      const double before = report.residual;
      const bool added = acceleration.after_sweeps();
      measure();
      if (added && !(report.residual <= before)) {
        std::copy(m.last_image.begin(), m.last_image.end(), acceleration.r);
        acceleration.restart();
        measure();
      }
    }
    if (s.window > 0 && round % stretch == 0) {  // plain sweeps get past what the acceleration circles around
      const bool was = accelerated;
      accelerated = !was || report.residual <= enough_drop * mark;
      if (accelerated != was) acceleration.restart();
      mark = report.residual;
    }
  }
  return report;
}

}  // namespace stiction::complementarity
