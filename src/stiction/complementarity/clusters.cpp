// In a jam of rolling bodies the residual r - P(r - rho uhat) is carried by few contacts: a handful of bodies
// that wedge each other have lost the solution they were near (a fold: it vanished as the geometry went on)
// and must go a long way to another, while the rest is solved. Newton's path (newton.cpp) then takes a
// hundred steps, each with a factorisation of the whole island, and each place that folds holds up all
// others. Here one Newton step on the island, with proximal term g,
//     u = G v + b + g w (r - r_k),
// alternates with solutions of parts: the contacts that carry `share` of the squared error, with their
// neighbours, fall into connected clusters; each is solved by Newton's path with the impulses of all other
// contacts held,
//     A (v - v_free - A^-1 G_o^T r_o) = G_c^T r_c,     c the cluster, o the others,
// which costs little. What a cluster's new solution upsets outside of it is spread by the next step. g falls
// while both together converge and grows where they do not; a step that makes the residual much worse is
// taken back. No proof of convergence: folds that span most of the island are better left to newton(). The
// best r counts. Reference: Cai, Keyes (2002), "Nonlinearly preconditioned inexact Newton algorithms".
#include "stiction/complementarity/clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stiction/complementarity/residual.h"

namespace stiction::complementarity {
namespace {

constexpr double first_term = 1e-2, least_term = 1e-9, most_term = 10;  // [-] g
constexpr double too_much = 10;     // [-] of the residual before a step: more, and it is taken back
constexpr double part_goal = 0.01;  // [-] of the tolerance: how well a cluster is solved
constexpr int part_steps = 200;     // [-] Newton steps of a cluster

std::size_t at(int i) { return std::size_t(i); }

struct Run {
  const FrictionProblem& p;
  const Island& island;
  const ClusterSettings& s;
  double* r;
  ClusterMemory& m;
  ClusterReport report;

  int contacts() const { return island.contact_end - island.contact_begin; }
  const ContactRows& contact(int i) const { return p.contacts[at(island.contact_begin + i)]; }
  double* mine() const { return r + 3 * island.contact_begin; }

  void prepare() {
    const int n = contacts(), blocks = island.block_end - island.block_begin;
    m.v.resize(p.v_free.size());
    m.error.resize(at(n)), m.inverse_mass.resize(at(n)), m.order.resize(at(n)), m.marked.resize(at(n));
    for (int i = 0; i < n; ++i) m.inverse_mass[at(i)] = mean_diagonal(p, contact(i));
    m.start.assign(at(blocks) + 2, 0);
    for (int i = 0; i < n; ++i)
      for (const int b : contact(i).block)
        if (b >= 0) ++m.start[at(b - island.block_begin) + 2];
    for (std::size_t b = 2; b < m.start.size(); ++b) m.start[b] += m.start[b - 1];
    m.touching.resize(at(m.start.back()));
    for (int i = 0; i < n; ++i)
      for (const int b : contact(i).block)
        if (b >= 0) m.touching[at(m.start[at(b - island.block_begin) + 1]++)] = i;
  }
  template <class Act>
  void for_neighbours(int i, const Act& act) const {
    for (const int b : contact(i).block) {
      if (b < 0) continue;
      const auto k = at(b - island.block_begin);
      for (int e = m.start[k]; e < m.start[k + 1]; ++e) act(m.touching[at(e)]);
    }
  }

  /// The residual of r, with the squared error of every contact; keeps the best r.
  double measure() {
    velocities_from(p, island, r, m.v.data());
    double error = 0, r2 = 0;
    for (int i = 0; i < contacts(); ++i) {
      double u[3], e[3];
      const double* x = mine() + 3 * i;
      local_velocity(p, contact(i), m.v.data(), u);
      natural_map_error(contact(i), m.inverse_mass[at(i)], x, u, e);
      error += m.error[at(i)] = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
      r2 += x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    }
    const double now = error == 0 ? 0.0 : r2 > 0 ? std::sqrt(error) / std::sqrt(r2) : HUGE_VAL;
    if (report.residual < 0 || now < report.residual)
      report.residual = now, m.best.assign(mine(), r + 3 * island.contact_end);
    return now;
  }

  /// m.marked: 1 = in a cluster.
  void mark() {
    double sum = 0, part = 0;
    for (const double e : m.error) sum += e;
    std::iota(m.order.begin(), m.order.end(), 0);
    std::sort(m.order.begin(), m.order.end(), [&](int a, int b) {
      return m.error[at(a)] != m.error[at(b)] ? m.error[at(a)] > m.error[at(b)] : a < b;
    });
    std::fill(m.marked.begin(), m.marked.end(), char(0));
    for (std::size_t k = 0; k < m.order.size() && part < s.share * sum; ++k)
      m.marked[at(m.order[k])] = 1, part += m.error[at(m.order[k])];
    for (int k = 0; k < s.rings; ++k) {
      m.ring = m.marked;
      for (int i = 0; i < contacts(); ++i)
        if (m.ring[at(i)]) for_neighbours(i, [&](int j) { m.marked[at(j)] = 1; });
    }
  }

  void solve_clusters() {
    mark();
    for (int i = 0; i < contacts(); ++i) {
      if (m.marked[at(i)] != 1) continue;
      m.cluster.assign(1, i), m.marked[at(i)] = 2;  // 2: in a cluster that was found
      for (std::size_t k = 0; k < m.cluster.size(); ++k)
        for_neighbours(m.cluster[k], [&](int j) {
          if (m.marked[at(j)] == 1) m.marked[at(j)] = 2, m.cluster.push_back(j);
        });
      std::sort(m.cluster.begin(), m.cluster.end());
      solve_cluster();
    }
  }

  /// m.part: the contacts of m.cluster and their blocks, with the push of the others in v_free. Needs m.v.
  void extract() {
    m.part.clear(), m.part_r.clear(), m.block.clear();
    for (const int i : m.cluster)
      for (const int b : contact(i).block)
        if (b >= 0) m.block.push_back(b);
    std::sort(m.block.begin(), m.block.end());
    m.block.erase(std::unique(m.block.begin(), m.block.end()), m.block.end());
    m.part_push.assign(m.block.size() * at(width), 0.0);
    for (const int i : m.cluster) {
      m.part.contacts.push_back(contact(i));
      ContactRows& c = m.part.contacts.back();
      const double* x = mine() + 3 * i;
      m.part_r.insert(m.part_r.end(), x, x + 3);
      for (int side = 0; side < 2; ++side) {
        if (c.block[side] < 0) continue;
        c.block[side] =
            int(std::lower_bound(m.block.begin(), m.block.end(), c.block[side]) - m.block.begin());
        double* push = m.part_push.data() + c.block[side] * width;
        for (int row = 0; row < 3; ++row)
          for (int k = 0; k < width; ++k) push[k] += c.G[side][row * width + k] * x[row];
      }
    }
    const double* push = m.part_push.data();
    for (const int b : m.block) {
      const double *A = p.A.data() + b * width * width, *inverse = p.A_inverse.data() + b * width * width;
      m.part.A.insert(m.part.A.end(), A, A + width * width);
      m.part.A_inverse.insert(m.part.A_inverse.end(), inverse, inverse + width * width);
      for (int k = 0; k < width; ++k) {
        double v = m.v[at(b * width + k)];
        for (int l = 0; l < width; ++l) v -= inverse[k * width + l] * push[l];
        m.part.v_free.push_back(v);
      }
      push += width;
    }
    m.part.islands.push_back({0, int(m.block.size()), 0, int(m.cluster.size()), 0, 0});
  }

  void solve_cluster() {
    velocities_from(p, island, r, m.v.data());
    extract();
    const double tolerance = part_goal * s.tolerance;
    const NewtonReport one =
        newton(m.part, m.part.islands[0],
               {.goal = 0.1 * tolerance, .tolerance = tolerance, .max_iterations = part_steps},
               m.part_r.data(), m.newton);
    report.iterations += one.iterations;
    for (std::size_t k = 0; k < m.cluster.size(); ++k)
      std::copy_n(m.part_r.data() + 3 * k, 3, mine() + 3 * m.cluster[k]);
  }

  void go(NewtonMemory& whole) {
    prepare();
    double term = first_term, last = measure();
    for (int round = 0, streak = 0; round < s.max_rounds && report.residual > s.tolerance; ++round) {
      m.before.assign(mine(), r + 3 * island.contact_end);
      ++report.iterations, ++report.factorisations;
      const bool regular = newton_step(p, island, term, r, whole);
      if (!regular || !(measure() <= too_much * last)) {
        std::copy(m.before.begin(), m.before.end(), mine());
        term = std::fmin(4 * term, most_term), streak = 0;
        continue;
      }
      if (report.residual <= s.tolerance) break;
      solve_clusters();
      const double now = measure();
      if (now <= 0.5 * last)
        term = std::fmax((++streak > 2 ? 0.1 : 0.5) * term, least_term);
      else if (now > 2 * last)
        term = std::fmin(2 * term, most_term), streak = 0;
      last = now;
    }
    std::copy(m.best.begin(), m.best.end(), mine());
    report.converged = report.residual <= s.tolerance;
  }
};

}  // namespace

ClusterReport newton_with_clusters(const FrictionProblem& p, const Island& island, const ClusterSettings& s,
                                   double* r, NewtonMemory& whole, ClusterMemory& m) {
  Run run{p, island, s, r, m, {}};
  run.go(whole);
  return run.report;
}

}  // namespace stiction::complementarity
