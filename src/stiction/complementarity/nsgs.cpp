// Block Gauss-Seidel on the graph form: v is kept up to date, so that one contact costs the two blocks it
// touches. Fixed points are exactly the solutions. Convergence is linear and slows down with the length of the
// force chains (stacks, piles): the rate is about 1 - O(1/layers^2). It never diverged in our tests with
// relaxation 1, but no proof covers strong normal-tangential coupling; the report tells.
// Reference: Jean (1999), "The non-smooth contact dynamics method".
#include "stiction/complementarity/nsgs.h"

#include <cmath>

#include "stiction/complementarity/local_solver.h"
#include "stiction/complementarity/residual.h"

namespace stiction::complementarity {
namespace {

void prepare(const FrictionProblem& p, const Island& island, NsgsMemory& m) {
  m.contacts.resize(std::size_t(island.contact_end - island.contact_begin));
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    const ContactRows& c = p.contacts[std::size_t(i)];
    NsgsMemory::Contact& k = m.contacts[std::size_t(i - island.contact_begin)];
    for (double& w : k.W) w = 0;
    for (int side = 0; side < 2; ++side) {
      if (c.block[side] < 0) continue;
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
  }
}

void visit(const ContactRows& c, const NsgsMemory::Contact& k, double relaxation, double* r, double* v) {
  double u[3], b[3], next[3];
  local_velocity(c, v, u);
  for (int row = 0; row < 3; ++row)
    b[row] = u[row] - (k.W[row * 3] * r[0] + k.W[row * 3 + 1] * r[1] + k.W[row * 3 + 2] * r[2]);
  if (c.kind == RowKind::equality)
    next[0] = k.W[0] > 0 ? -b[0] / k.W[0] : 0.0, next[1] = next[2] = 0;
  else
    solve_one_contact(k.W, b, c.mu, next);
  double change[3];
  for (int row = 0; row < 3; ++row) change[row] = relaxation * (next[row] - r[row]);
  if (relaxation != 1.0 && c.kind == RowKind::cone) {  // an over-relaxed impulse may leave the cone
    double x[3] = {r[0] + change[0], r[1] + change[1], r[2] + change[2]};
    project_on_cone(c.mu, x, next);
    for (int row = 0; row < 3; ++row) change[row] = next[row] - r[row];
  }
  for (int row = 0; row < 3; ++row) r[row] += change[row];
  for (int side = 0; side < 2; ++side) {
    if (c.block[side] < 0) continue;
    double* x = v + c.block[side] * width;
    for (int row = 0; row < 3; ++row) {
      const double* y = k.Y[side] + row * width;
      for (int a = 0; a < width; ++a) x[a] += y[a] * change[row];
    }
  }
}

}  // namespace

NsgsReport nsgs(const FrictionProblem& p, const Island& island, const NsgsSettings& s, double* r, NsgsMemory& m) {
  NsgsReport report;
  report.sweeps = 0;
  m.v.resize(p.v_free.size());
  report.residual = residual(p, island, r, m.v.data()).natural_map_scaled;
  report.converged = report.residual <= s.tolerance;
  if (report.converged || s.max_sweeps == 0) return report;
  prepare(p, island, m);
  int next_check = 5;
  while (report.sweeps < s.max_sweeps) {
    const bool forward = report.sweeps % 2 == 0;  // symmetric sweeps carry news both ways along a chain
    const int count = island.contact_end - island.contact_begin;
    for (int n = 0; n < count; ++n) {
      const int local = forward ? n : count - 1 - n;
      const int i = island.contact_begin + local;
      visit(p.contacts[std::size_t(i)], m.contacts[std::size_t(local)], s.relaxation, r + 3 * i, m.v.data());
    }
    ++report.sweeps;
    if (report.sweeps == next_check || report.sweeps == s.max_sweeps) {
      next_check += report.sweeps < 40 ? 5 : report.sweeps / 8;
      report.residual = residual(p, island, r, m.v.data()).natural_map_scaled;  // also rids v of drift
      report.converged = report.residual <= s.tolerance;
      if (report.converged || !std::isfinite(report.residual)) break;
    }
  }
  return report;
}

}  // namespace stiction::complementarity
