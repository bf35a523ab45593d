// Coulomb's law as one equation per contact. With x = (mu r_n, r_t) and y = (u_n / mu + |u_t|, u_t), De
// Saxce's shift included, both in the Lorentz cone L and orthogonal:
//     H(r, u) = x - P_L(x - rho y) = 0,      rho = 1 / w,  w the contact's inverse mass.
// Redundant contacts leave r open and make Newton's matrix singular; clusters of sliding contacts that lock
// themselves let it point the wrong way. So the solution is reached by proximal steps: r_k+1 solves the
// problem with
//     u = G v + b + g w (r - r_k),
// which is implicit Euler, with step 1/g, on the path that Gauss-Seidel sweeps follow explicitly with step 1.
// For large g every problem is easy; the path may have to be followed far where r drifts along forces that
// hardly move a body. Each proximal problem is solved by Newton steps on H, with dH = H_r dr + H_u du:
//     B = H_r + g w H_u,   (A + G^T B^-1 H_u G) dv = -G^T B^-1 H,   dr = -B^-1 (H + H_u G dv);
// where a contact gives way u_n has give r_n, too, B the part H_u give of it, and rho is 1 / (w + give) for
// u_n: with 1 / w a start that is all but right would count as open. g falls while they converge and grows
// when they do not. As g -> 0 the last steps are Newton's own: they converge fast and leave the slip of
// sticking contacts at round-off, the active-set polish of the sweeps' result. Fails (reports the best r
// found) when the steps given are spent before the path ends. References: Rockafellar (1976), "Monotone
// operators and the proximal point algorithm"; Acary, Bremond, Huber (2018), "On solving contact problems
// with Coulomb friction".
#include "stiction/complementarity/newton.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/detail/turning.h"
#include "stiction/complementarity/residual.h"

namespace stiction::complementarity {
namespace {

constexpr double least_term = 1e-9;        // [-] g: below it round-off of the factors spoils the step
constexpr double warm_term = 1e-6;         // [-] least g to start with
constexpr double first_term = 1e-2;        // [-] g of a poor start
constexpr double most_term = 10;           // [-] g: a step as short as a sweep's
constexpr double enough = 0.3;             // [-] of the first |H| of a proximal problem: solved well enough
constexpr double too_much = 50;            // [-] of the first |H|: it will not be solved, unless |H| is
constexpr double bent = 0.03;              // [-] of the step: what the bend of the law makes of a long one
constexpr int most_inner = 8;              // [-] Newton steps for one proximal problem
constexpr int few_inner = 4;               // [-] Newton steps after which g may fall
constexpr int most_idle = 3;               // [-] proximal steps without gain, once the tolerance holds
constexpr double round_off_begins = 1e-2;  // [-] of the tolerance: one idle step ends it

/// inverse of a row-major 3x3 matrix by cofactors; zero where it is singular.
void invert3(const double a[9], double out[9]) {
  const double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8], c2 = a[3] * a[7] - a[4] * a[6];
  const double determinant = a[0] * c0 + a[1] * c1 + a[2] * c2;
  const double s = determinant != 0 ? 1 / determinant : 0.0;
  out[0] = s * c0, out[1] = s * (a[2] * a[7] - a[1] * a[8]), out[2] = s * (a[1] * a[5] - a[2] * a[4]);
  out[3] = s * c1, out[4] = s * (a[0] * a[8] - a[2] * a[6]), out[5] = s * (a[2] * a[3] - a[0] * a[5]);
  out[6] = s * c2, out[7] = s * (a[1] * a[6] - a[0] * a[7]), out[8] = s * (a[0] * a[4] - a[1] * a[3]);
}

void multiply3(const double a[9], const double b[9], double out[9]) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      out[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
}

struct Law {
  double H[3], H_r[9], H_u[9];
};

void normal_law(double rho, const double r[3], const double u[3], Law& out) {
  const bool pressed = r[0] > rho * u[0];
  out.H[0] = pressed ? rho * u[0] : r[0], out.H[1] = r[1], out.H[2] = r[2];
  (pressed ? out.H_u[0] : out.H_r[0]) = pressed ? rho : 1.0;
  out.H_r[4] = out.H_r[8] = 1;
}

/// In the coordinates (m r_n, r_t) and (u_n / m, u_t): the cone has slope c = mu / m there, and 1 at most,
/// since the derivatives of steep cones are as poor as those of flat ones stretched to 45 degrees.
void cone_law(double mu, double rho, const double r[3], const double u[3], Law& out) {
  const double m = std::fmax(1.0, mu), c = mu / m;
  const double slip = std::sqrt(u[1] * u[1] + u[2] * u[2]);
  const double x[3] = {m * r[0] - rho * (u[0] / m + c * slip), r[1] - rho * u[1], r[2] - rho * u[2]};
  const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  double D[9] = {};  // of the projection
  if (t <= c * x[0]) {
    for (int k = 0; k < 3; ++k) D[4 * k] = 1;
    out.H[0] = m * r[0] - x[0], out.H[1] = rho * u[1], out.H[2] = rho * u[2];
  } else if (c * t <= -x[0]) {
    out.H[0] = m * r[0], out.H[1] = r[1], out.H[2] = r[2];
  } else {
    const double a = 1 / (1 + c * c), d1 = x[1] / t, d2 = x[2] / t;
    const double p = a * (x[0] + c * t), across = c * p / t, along = a * c * c - across;
    out.H[0] = m * r[0] - p, out.H[1] = r[1] - c * p * d1, out.H[2] = r[2] - c * p * d2;
    D[0] = a, D[1] = D[3] = a * c * d1, D[2] = D[6] = a * c * d2;
    D[4] = across + along * d1 * d1, D[8] = across + along * d2 * d2, D[5] = D[7] = along * d1 * d2;
  }
  const double s1 = slip > 0 ? c * u[1] / slip : 0.0, s2 = slip > 0 ? c * u[2] / slip : 0.0;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) out.H_r[3 * i + k] = (i == k ? 1.0 : 0.0) - D[3 * i + k];
    out.H_r[3 * i] *= m;
    out.H_u[3 * i] = rho * D[3 * i] / m;
    out.H_u[3 * i + 1] = rho * (D[3 * i] * s1 + D[3 * i + 1]);
    out.H_u[3 * i + 2] = rho * (D[3 * i] * s2 + D[3 * i + 2]);
  }
}

Law law_of(const ContactRows& c, double w, const double r[3], const double u[3]) {
  Law out = {};
  if (c.kind == RowKind::equality) {
    out.H[0] = u[0] / w, out.H[1] = r[1], out.H[2] = r[2];
    out.H_u[0] = 1 / w, out.H_r[4] = out.H_r[8] = 1;
  } else if (c.kind == RowKind::box) {
    const double x = r[0] - u[0] / w;
    const bool inside = x > c.low && x < c.high;
    out.H[0] = inside ? u[0] / w : r[0] - std::fmin(std::fmax(x, c.low), c.high);
    (inside ? out.H_u[0] : out.H_r[0]) = inside ? 1 / w : 1.0;
    out.H[1] = r[1], out.H[2] = r[2], out.H_r[4] = out.H_r[8] = 1;
  } else if (c.mu == 0) {
    normal_law(1 / w, r, u, out);
  } else {
    cone_law(c.mu, 1 / w, r, u, out);
  }
  return out;
}

/// G of one side of a contact: three rows of `size` numbers.
struct Rows {
  const double* G;
  int size;
};
Rows rows_of(const FrictionProblem& p, const ContactRows& c, int side) {
  if (c.wide[side] < 0) return {c.G[side], width};
  const WideRows& w = p.wide_rows[std::size_t(c.wide[side])];
  return {p.wide_G.data() + w.at, w.size};
}
/// Calls act(block, G of six columns, numbers from row to row) for every block of a contact.
template <class Act>
void for_pieces(const FrictionProblem& p, const ContactRows& c, const Act& act) {
  for (int side = 0; side < 2; ++side) {
    if (c.block[side] < 0) continue;
    const Rows g = rows_of(p, c, side);
    for (int k = 0; k * width < g.size; ++k) act(c.block[side] + k, g.G + k * width, g.size);
  }
}

struct Run {
  const FrictionProblem& p;
  const Island& island;
  const NewtonSettings& s;
  NewtonMemory& m;
  double* r;  // of the whole problem
  NewtonReport report;
  double best = 0;  // [-] residual of m.best

  int contacts() const { return island.contact_end - island.contact_begin; }
  int blocks() const { return island.block_end - island.block_begin; }
  const ContactRows& contact(int i) const { return p.contacts[std::size_t(island.contact_begin + i)]; }
  double* mine() const { return r + 3 * island.contact_begin; }
  bool weighs() const { return !m.weight.empty(); }
  double weight_of(int i) const { return weighs() ? m.weight[std::size_t(i)] : 1.0; }
  /// [1/kg] the inverse mass that proximal terms of contact i count with.
  double soft_of(int i) const { return weighs() ? m.soft[std::size_t(i)] : m.inverse_mass[std::size_t(i)]; }
  /// Errors of a contact count over what it bears and the unit of its lighter side: beside heavy bodies those
  /// of a light one would not show in |H|. And its proximal term is so much softer as it bears more than
  /// moves its body: a light body that is squeezed has to carry the heavy one.
  void weigh() {
    if (m.shares.empty()) return;
    double unit = 0;
    for (int i = 0; i < contacts(); ++i)
      unit = std::fmax(unit, std::fmax(contact(i).unit[0], contact(i).unit[1]));
    for (int i = 0; i < contacts(); ++i) {
      const ContactRows& c = contact(i);
      const double* own = mine() + 3 * i;
      const double w = m.inverse_mass[std::size_t(i)],
                   borne = w * std::sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]);
      double least = unit;
      for (const double side : c.unit)
        if (side > 0) least = std::fmin(least, side);
      m.weight[std::size_t(i)] = w / (least + borne);
      m.soft[std::size_t(i)] = w * least / (least + borne);
    }
  }
  bool spent() const { return report.iterations >= s.max_iterations || s.stop.asked(); }

  /// The independent residual of r; keeps the best r seen; leaves v(r) in m.v.
  double measure() {
    double now = scaled_residual(p, island, r, m.inverse_mass.data(), m.v.data());
    if (weighs())
      now = std::fmax(now, side_error(p, island, r, m.inverse_mass.data(), m.shares, s.noticed, m.v.data()));
    if (now < best) best = now, std::copy(mine(), mine() + m.best.size(), m.best.begin());
    return now;
  }
  void restore() {
    std::copy(m.best.begin(), m.best.end(), mine());
    velocities_from(p, island, r, m.v.data());
  }

  /// |H| of the proximal problem at r and m.v, with B^-1 H_u and B^-1 H of every contact.
  double linearise(double term) {
    double sum = 0;
    for (int i = 0; i < contacts(); ++i) {
      if (turns(p, island, island.contact_begin + i)) {
        sum += linearise_pair(i++, term);
        continue;
      }
      double u[3], B[9], inverse[9];
      const double w = m.inverse_mass[std::size_t(i)];
      law_velocity(p, contact(i), m.v.data(), mine() + 3 * i, u);
      const double soft = soft_of(i), weight = weight_of(i);
      for (int k = 0; k < 3; ++k)
        u[k] += term * soft * (mine()[3 * i + k] - m.centre[std::size_t(3 * i + k)]);
      const double share = contact(i).give > 0 ? w / (w + contact(i).give) : 1.0;
      if (share != 1) u[0] *= share;
      Law law = law_of(contact(i), w, mine() + 3 * i, u);
      if (share != 1)
        for (int k = 0; k < 9; k += 3) law.H_u[k] *= share;
      for (const double h : law.H) sum += weight * weight * h * h;
      for (int k = 0; k < 9; ++k) B[k] = law.H_r[k] + term * soft * law.H_u[k];
      if (const double give = contact(i).give; give > 0)
        for (int k = 0; k < 9; k += 3) B[k] += give * law.H_u[k];
      invert3(B, inverse);
      multiply3(inverse, law.H_u, m.D.data() + 9 * i);
      for (int k = 0; k < 3; ++k)
        m.f[std::size_t(3 * i + k)] =
            inverse[3 * k] * law.H[0] + inverse[3 * k + 1] * law.H[1] + inverse[3 * k + 2] * law.H[2];
    }
    return std::sqrt(sum);
  }

  /// The same for contact i and the turning block behind it; |H|^2.
  double linearise_pair(int i, double term) {
    double u[6], H[6], H_r[36], H_u[36], X[36];
    const double w = m.inverse_mass[std::size_t(i)];
    law_velocity(p, contact(i), m.v.data(), mine() + 3 * i, u);
    local_velocity(p, contact(i + 1), m.v.data(), u + 3);
    const double soft = soft_of(i), weight = weight_of(i);
    for (int k = 0; k < 6; ++k) u[k] += term * soft * (mine()[3 * i + k] - m.centre[std::size_t(3 * i + k)]);
    const double share = contact(i).give > 0 ? w / (w + contact(i).give) : 1.0;
    if (share != 1) u[0] *= share;
    detail::TurningLaw::of(contact(i), contact(i + 1)).linearise(w, mine() + 3 * i, u, H, H_r, H_u);
    if (share != 1)
      for (int k = 0; k < 36; k += 6) H_u[k] *= share;
    double sum = 0;
    for (const double h : H) sum += weight * weight * h * h;
    for (int k = 0; k < 36; ++k) H_r[k] += term * soft * H_u[k];
    if (const double give = contact(i).give; give > 0)
      for (int k = 0; k < 36; k += 6) H_r[k] += give * H_u[k];
    detail::solve_six(H_r, H_u, H, X, m.f.data() + 3 * i);
    double *first = m.D.data() + 9 * i, *second = first + 9, *there = m.coupling.data() + 18 * i,
           *back = there + 9;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        first[3 * a + b] = X[6 * a + b], second[3 * a + b] = X[6 * (a + 3) + b + 3];
        there[3 * a + b] = X[6 * a + b + 3], back[3 * a + b] = X[6 * (a + 3) + b];
      }
    return sum;
  }

  /// A + G^T D G, unless it is what was factorised last.
  bool factorise() {
    if (report.factorisations > 0 && m.D == m.D_factored && m.coupling == m.coupling_factored) return true;
    m.lu.set_zero();
    for (int block = 0; block < blocks(); ++block) {
      const double* a = p.A.data() + std::size_t(island.block_begin + block) * width * width;
      std::copy(a, a + width * width, m.lu.diagonal(block));
    }
    for (int i = island.wide_begin; i < island.wide_end; ++i) add_wide(p.wide[std::size_t(i)]);
    for (int i = 0; i < contacts(); ++i) add_contact(contact(i), m.D.data() + 9 * i);
    for (int i = 0; i < contacts(); ++i) {
      if (!turns(p, island, island.contact_begin + i)) continue;
      add_pieces(contact(i), contact(i + 1), m.coupling.data() + 18 * i);
      add_pieces(contact(i + 1), contact(i), m.coupling.data() + 18 * i + 9);
    }
    ++report.factorisations;
    m.D_factored.clear();
    if (!m.lu.factorise(false, s.stop, s.team)) return false;
    m.D_factored = m.D, m.coupling_factored = m.coupling;
    return true;
  }
  /// The couplings inside of a wide block.
  void add_wide(const WideBlock& w) {
    const int n = w.size(), first = w.first - island.block_begin;
    for (int i = 0; i < w.count; ++i)
      for (int j = 0; j < w.count; ++j) {
        if (i == j) continue;
        double* out = m.lu.off_diagonal(first + i, first + j);
        const double* a = p.wide_A.data() + w.at + std::size_t(i * width * n + j * width);
        for (int row = 0; row < width; ++row)
          for (int k = 0; k < width; ++k) out[row * width + k] += a[row * n + k];
      }
  }
  void add_contact(const ContactRows& c, const double* D) {
    if (D[0] == 0 && D[4] == 0 && D[8] == 0) return;
    if (c.wide[0] >= 0 || c.wide[1] >= 0) return add_pieces(c, c, D);
    for (int t = 0; t < 2; ++t) {
      if (c.block[t] < 0) continue;
      double DG[3 * width];
      for (int row = 0; row < 3; ++row)
        for (int k = 0; k < width; ++k)
          DG[row * width + k] = D[row * 3] * c.G[t][k] + D[row * 3 + 1] * c.G[t][width + k] +
                                D[row * 3 + 2] * c.G[t][2 * width + k];
      for (int side = 0; side < 2; ++side) {
        if (c.block[side] < 0) continue;
        const int i_block = c.block[side] - island.block_begin, j_block = c.block[t] - island.block_begin;
        double* out = side == t ? m.lu.diagonal(i_block) : m.lu.off_diagonal(i_block, j_block);
        for (int a = 0; a < width; ++a)
          for (int row = 0; row < 3; ++row) {
            const double g = c.G[side][row * width + a];
            for (int k = 0; k < width; ++k) out[a * width + k] += g * DG[row * width + k];
          }
      }
    }
  }

  /// G_c^T D G_t piece by piece: six columns of G and the block they belong to.
  void add_pieces(const ContactRows& c, const ContactRows& t, const double* D) {
    for_pieces(p, t, [&](int j_block, const double* h, int h_stride) {
      double DG[3 * width];
      for (int row = 0; row < 3; ++row)
        for (int k = 0; k < width; ++k)
          DG[row * width + k] =
              D[row * 3] * h[k] + D[row * 3 + 1] * h[h_stride + k] + D[row * 3 + 2] * h[2 * h_stride + k];
      for_pieces(p, c, [&](int i_block, const double* g, int stride) {
        const int i = i_block - island.block_begin, j = j_block - island.block_begin;
        double* out = i == j ? m.lu.diagonal(i) : m.lu.off_diagonal(i, j);
        for (int a = 0; a < width; ++a)
          for (int row = 0; row < 3; ++row)
            for (int k = 0; k < width; ++k) out[a * width + k] += g[row * stride + a] * DG[row * width + k];
      });
    });
  }

  /// Newton's step dr at r into m.step; false if the matrix is singular.
  bool find_step() {
    ++report.iterations;
    if (!factorise()) return false;
    const int first = island.block_begin * width;
    std::fill(m.direction.begin(), m.direction.end(), 0.0);
    for (int i = 0; i < contacts(); ++i)
      for (int side = 0; side < 2; ++side) {
        const ContactRows& c = contact(i);
        if (c.block[side] < 0) continue;
        double* x = m.direction.data() + c.block[side] * width - first;
        const Rows g = rows_of(p, c, side);
        for (int row = 0; row < 3; ++row)
          for (int k = 0; k < g.size; ++k) x[k] -= g.G[row * g.size + k] * m.f[std::size_t(3 * i + row)];
      }
    m.lu.solve(m.direction.data());
    for (std::size_t i = 0; i < m.step.size(); ++i) m.step[i] = -m.f[i];
    for (int i = 0; i < contacts(); ++i) {
      const ContactRows& c = contact(i);
      double du[3] = {0, 0, 0};
      for (int side = 0; side < 2; ++side) {
        if (c.block[side] < 0) continue;
        const double* x = m.direction.data() + c.block[side] * width - first;
        const Rows g = rows_of(p, c, side);
        for (int row = 0; row < 3; ++row)
          for (int k = 0; k < g.size; ++k) du[row] += g.G[row * g.size + k] * x[k];
      }
      const double* D = m.D.data() + 9 * i;
      for (int row = 0; row < 3; ++row)
        m.step[std::size_t(3 * i + row)] -=
            D[3 * row] * du[0] + D[3 * row + 1] * du[1] + D[3 * row + 2] * du[2];
      if (turns(p, island, island.contact_begin + i)) step_coupled(i + 1, m.coupling.data() + 18 * i + 9, du);
      if (c.kind == RowKind::turning) step_coupled(i - 1, m.coupling.data() + 18 * (i - 1), du);
    }
    return true;
  }
  /// The part of dr of block i that du of the other block of its pair has.
  void step_coupled(int i, const double* D, const double du[3]) {
    for (int row = 0; row < 3; ++row)
      m.step[std::size_t(3 * i + row)] -=
          D[3 * row] * du[0] + D[3 * row + 1] * du[1] + D[3 * row + 2] * du[2];
  }

  /// Solves the proximal problem around r; the Newton steps it took, 0 if it failed (r is then as before).
  int proximal_step(double term) {
    std::copy(mine(), mine() + m.centre.size(), m.centre.begin());
    weigh();
    double first = 0, length = 0;
    for (int k = 0; k <= most_inner; ++k) {
      const double now = linearise(term);
      if (k == 0) first = now;
      if (k > 0 && now <= enough * first) return k;
      if (!(now <= std::fmax(too_much * first, bent * length)) || k == most_inner || spent() || !find_step())
        break;
      double square = 0;
      for (std::size_t i = 0; i < m.step.size(); ++i) {
        const double change = weight_of(int(i / 3)) * m.step[i];
        mine()[i] += m.step[i], square += change * change;
      }
      length = std::sqrt(square);
      velocities_from(p, island, r, m.v.data());
    }
    std::copy(m.centre.begin(), m.centre.end(), mine());
    velocities_from(p, island, r, m.v.data());
    return 0;
  }

  void follow_path() {
    double term = std::clamp(10 * best, warm_term, first_term);
    for (int idle = 0, streak = 0; best > s.goal && !spent();) {
      const double before = best;
      if (const int steps = proximal_step(term); steps > 0) {
        measure();
        ++streak;
        if (steps <= few_inner) term = std::fmax((streak > 4 ? 0.05 : 0.5) * term, least_term);
      } else {
        if (term >= most_term) break;
        term = std::fmin(4 * term, most_term), streak = 0;
      }
      idle = best <= 0.5 * before ? 0 : idle + 1;
      if (best <= s.tolerance && idle >= (best <= round_off_begins * s.tolerance ? 1 : most_idle)) break;
    }
    restore();
  }
};

void prepare(const FrictionProblem& p, const Island& island, const NewtonSettings& s, NewtonMemory& m) {
  const auto contacts = std::size_t(island.contact_end - island.contact_begin);
  const auto n = std::size_t(island.block_end - island.block_begin) * width;
  m.v.resize(p.v_free.size());
  m.direction.resize(n);
  m.best.resize(3 * contacts), m.centre.resize(3 * contacts), m.step.resize(3 * contacts),
      m.f.resize(3 * contacts);
  m.D.resize(9 * contacts), m.inverse_mass.resize(contacts);
  bool any = false;
  for (int i = island.contact_begin; i < island.contact_end; ++i) any = any || turns(p, island, i);
  m.coupling.resize(any ? 18 * contacts : 0);
  for (std::size_t i = 0; i < contacts; ++i)
    m.inverse_mass[i] = mean_diagonal(p, p.contacts[std::size_t(island.contact_begin) + i]);
  m.shares.clear();
  if (s.noticed > 0 && !side_shares(p, island, m.shares)) m.shares.clear();
  m.weight.resize(m.shares.empty() ? 0 : contacts), m.soft.resize(m.weight.size());
}

}  // namespace

double factorisation_cost(const FrictionProblem& p, const Island& island, NewtonMemory& m) {
  m.pairs.clear();
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    const ContactRows& c = p.contacts[std::size_t(i)];
    if (c.block[0] < 0 || c.block[1] < 0) continue;
    const int a = std::min(c.block[0], c.block[1]) - island.block_begin,
              b = std::max(c.block[0], c.block[1]) - island.block_begin;
    if (c.wide[0] < 0 && c.wide[1] < 0) {
      m.pairs.emplace_back(a, b);
      continue;
    }
    const int first = rows_of(p, c, 0).size / width, second = rows_of(p, c, 1).size / width;
    for (int k = 0; k < first; ++k)
      for (int l = 0; l < second; ++l)
        m.pairs.emplace_back(c.block[0] + k - island.block_begin, c.block[1] + l - island.block_begin);
  }
  for (int i = island.wide_begin; i < island.wide_end; ++i) {
    const WideBlock& w = p.wide[std::size_t(i)];
    for (int k = 0; k < w.count; ++k)
      for (int l = k + 1; l < w.count; ++l)
        m.pairs.emplace_back(w.first + k - island.block_begin, w.first + l - island.block_begin);
  }
  m.lu.analyse(island.block_end - island.block_begin, m.pairs);
  return m.lu.cost();
}

NewtonReport newton(const FrictionProblem& p, const Island& island, const NewtonSettings& s, double* r,
                    NewtonMemory& m) {
  factorisation_cost(p, island, m);
  prepare(p, island, s, m);
  Run run{p, island, s, m, r, {0, 0, -1, false}};
  std::copy(run.mine(), run.mine() + m.best.size(), m.best.begin());
  run.best = HUGE_VAL;
  run.measure();
  run.follow_path();
  run.report.residual = run.best;
  run.report.converged = run.best <= s.tolerance;
  return run.report;
}

}  // namespace stiction::complementarity
