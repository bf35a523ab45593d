#include "stiction/complementarity/friction_problem.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/detail/faults.h"

namespace stiction::complementarity {
namespace {

double product(int n, const double* a, const double* b) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

void check_wide(const FrictionProblem& p, const ContactRows& c, int side, const std::string& which,
                std::vector<std::string>& wrong) {
  const auto at = std::size_t(c.wide[side]);
  const auto block = std::find_if(p.wide.begin(), p.wide.end(),
                                  [&](const WideBlock& w) { return w.first == c.block[side]; });
  if (at >= p.wide_rows.size() || block == p.wide.end() || p.wide_rows[at].size != block->size() ||
      p.wide_rows[at].at + std::size_t(3 * p.wide_rows[at].size) > std::min(p.wide_G.size(), p.wide_Y.size()))
    wrong.push_back(which + "its rows do not fit a wide block");
}

void check_turning(const FrictionProblem& p, std::size_t i, const std::string& which,
                   std::vector<std::string>& wrong) {
  const ContactRows& c = p.contacts[i];
  if (i == 0 || p.contacts[i - 1].kind != RowKind::cone || p.contacts[i - 1].block[0] != c.block[0] ||
      p.contacts[i - 1].block[1] != c.block[1])
    wrong.push_back(which + "a turning block needs a cone on the same blocks before it");
  if (!(c.rolling >= 0) || !std::isfinite(c.rolling))
    wrong.push_back(which + "rolling must be finite and >= 0");
}

/// v += A^-1 G^T r on the wide blocks of an island.
void add_wide(const FrictionProblem& p, const Island& island, const double* r, double* v) {
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    const ContactRows& c = p.contacts[std::size_t(i)];
    for (int side = 0; side < 2; ++side) {
      if (c.wide[side] < 0) continue;
      const WideRows& w = p.wide_rows[std::size_t(c.wide[side])];
      double* x = v + c.block[side] * width;
      for (int row = 0; row < 3; ++row) {
        const double* y = p.wide_Y.data() + w.at + std::size_t(row * w.size);
        for (int k = 0; k < w.size; ++k) x[k] += y[k] * r[3 * i + row];
      }
    }
  }
}

}  // namespace

std::vector<std::string> validate(const FrictionProblem& p) {
  detail::Faults wrong;
  const int blocks = p.block_count();
  const auto n = std::size_t(blocks) * width;
  detail::check_size(p.v_free.size(), "v_free", n, wrong);
  detail::check_size(p.A.size(), "A", n * width, wrong);
  detail::check_size(p.A_inverse.size(), "A_inverse", n * width, wrong);
  detail::check_finite(p.v_free, "v_free", wrong);
  detail::check_finite(p.A, "A", wrong);
  detail::check_finite(p.A_inverse, "A_inverse", wrong);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const ContactRows& c = p.contacts[i];
    const std::string which = "contact " + std::to_string(i) + ": ";
    for (const int k : c.block)
      if (k < -1 || k >= blocks) wrong.push_back(which + "block " + std::to_string(k) + " does not exist");
    if (c.block[0] == c.block[1]) wrong.push_back(which + "needs two different blocks (or one and none)");
    if (!(c.mu >= 0) || !std::isfinite(c.mu)) wrong.push_back(which + "mu must be finite and >= 0");
    if (!(c.give >= 0) || !std::isfinite(c.give)) wrong.push_back(which + "give must be finite and >= 0");
    if (c.give > 0 && c.kind != RowKind::cone) wrong.push_back(which + "only cones give way");
    if (c.kind == RowKind::turning) check_turning(p, i, which, wrong);
    for (const double x : c.b)
      if (!std::isfinite(x)) wrong.push_back(which + "b must be finite");
    for (int side = 0; side < 2; ++side)
      if (c.block[side] >= 0 && c.wide[side] < 0 &&
          !std::all_of(c.G[side], c.G[side] + 3 * width, [](double x) { return std::isfinite(x); }))
        wrong.push_back(which + "G must be finite");
    for (int side = 0; side < 2; ++side)
      if (c.wide[side] >= 0) check_wide(p, c, side, which, wrong);
  }
  for (const WideBlock& w : p.wide)
    if (w.first < 0 || w.count < 1 || w.first + w.count > blocks ||
        w.at + std::size_t(w.size() * w.size()) > p.wide_A.size())
      wrong.push_back("a wide block lies outside of the blocks or of wide_A");
  return wrong;
}

void velocities_from(const FrictionProblem& p, const Island& island, const double* r, double* v) {
  // gather the generalised impulses in v, then turn each block into a velocity
  for (int i = island.block_begin * width; i < island.block_end * width; ++i) v[i] = 0;
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    const ContactRows& c = p.contacts[std::size_t(i)];
    for (int side = 0; side < 2; ++side) {
      if (c.block[side] < 0 || c.wide[side] >= 0) continue;
      double* x = v + c.block[side] * width;
      for (int row = 0; row < 3; ++row) {
        const double* g = c.G[side] + row * width;
        const double ri = r[3 * i + row];
        for (int k = 0; k < width; ++k) x[k] += g[k] * ri;
      }
    }
  }
  for (int block = island.block_begin; block < island.block_end; ++block) {
    const double* inverse = p.A_inverse.data() + std::size_t(block) * width * width;
    double* x = v + block * width;
    double y[width];
    for (int i = 0; i < width; ++i) {
      double sum = 0;
      for (int k = 0; k < width; ++k) sum += inverse[i * width + k] * x[k];
      y[i] = sum;
    }
    for (int i = 0; i < width; ++i) x[i] = p.v_free[std::size_t(block * width + i)] + y[i];
  }
  if (island.wide_begin < island.wide_end) add_wide(p, island, r, v);
}

void local_velocity(const FrictionProblem& p, const ContactRows& c, const double* v, double u[3]) {
  for (int row = 0; row < 3; ++row) {
    double sum = c.b[row];
    for (int side = 0; side < 2; ++side) {
      if (c.block[side] < 0) continue;
      if (c.wide[side] >= 0) {
        const WideRows& w = p.wide_rows[std::size_t(c.wide[side])];
        sum += product(w.size, p.wide_G.data() + w.at + std::size_t(row * w.size), v + c.block[side] * width);
        continue;
      }
      const double* g = c.G[side] + row * width;
      const double* x = v + c.block[side] * width;
      double part = 0;
      for (int k = 0; k < width; ++k) part += g[k] * x[k];
      sum += part;
    }
    u[row] = sum;
  }
}

double mean_diagonal(const FrictionProblem& p, const ContactRows& c) {
  double trace = 0;
  for (int side = 0; side < 2; ++side) {
    if (c.block[side] < 0) continue;
    if (c.wide[side] >= 0) {
      const WideRows& w = p.wide_rows[std::size_t(c.wide[side])];
      trace += product(3 * w.size, p.wide_G.data() + w.at, p.wide_Y.data() + w.at);
      continue;
    }
    const double* inverse = p.A_inverse.data() + std::size_t(c.block[side]) * width * width;
    for (int row = 0; row < 3; ++row) {
      const double* g = c.G[side] + row * width;
      for (int i = 0; i < width; ++i) {
        double sum = 0;
        for (int k = 0; k < width; ++k) sum += inverse[i * width + k] * g[k];
        trace += g[i] * sum;
      }
    }
  }
  const bool asks_nothing = c.kind == RowKind::box && c.low == c.high;
  return trace > 0 || !asks_nothing ? trace / 3 : 1.0;
}

double kinetic_energy(const FrictionProblem& p, const double* v) {
  return kinetic_energy(p, {0, p.block_count(), 0, 0, 0, int(p.wide.size())}, v);
}

double kinetic_energy(const FrictionProblem& p, const Island& island, const double* v) {
  double total = 0;
  auto wide = p.wide.begin() + island.wide_begin;
  for (int b = island.block_begin; b < island.block_end; ++b) {
    const double* x = v + b * width;
    if (wide != p.wide.end() && wide->first == b) {
      const int n = wide->size();
      for (int i = 0; i < n; ++i)
        total += 0.5 * x[i] * product(n, p.wide_A.data() + wide->at + std::size_t(i * n), x);
      b += wide->count - 1;
      ++wide;
      continue;
    }
    const double* A = p.A.data() + std::size_t(b) * width * width;
    for (int i = 0; i < width; ++i)
      for (int k = 0; k < width; ++k) total += 0.5 * x[i] * A[width * i + k] * x[k];
  }
  return total;
}

}  // namespace stiction::complementarity
