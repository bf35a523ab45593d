// Contacts that resist spin and rolling: the law of six numbers, alone and in problems, beside friction/,
// which has the same laws for spin without rolling (ellipsoid of 4 rows) and rolling without spin (discs of
// 5).
#include "stiction/complementarity/detail/turning.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stiction/complementarity/friction/residual.h"
#include "stiction/complementarity/friction/solve_friction.h"
#include "stiction/complementarity/newton.h"
#include "stiction/complementarity/nsgs.h"
#include "stiction/complementarity/residual.h"
#include "stiction/complementarity/solve.h"
#include "support/friction_problem.h"

namespace stiction::complementarity {
namespace {

using test::ProblemSize;
using test::Random;

/// Levers of 0.1 m against spin and 0.05 m against rolling for every contact; 0 = none.
FrictionProblem turning_problem(Random& random, const ProblemSize& size, double spin, double rolling) {
  const FrictionProblem plain = test::random_problem(random, size);
  FrictionProblem p = plain;
  p.contacts.clear();
  for (const ContactRows& c : plain.contacts) {
    p.contacts.push_back(c);
    ContactRows turning;
    turning.kind = RowKind::turning, turning.rolling = rolling > 0 ? 1 : 0;
    for (int side = 0; side < 2; ++side) {
      turning.block[side] = c.block[side];
      for (int row = 0; row < 3; ++row)  // the directions of the contact, as axes of turning
        for (int k = 0; k < 3; ++k)
          turning.G[side][row * 6 + 3 + k] = (row == 0 ? spin : rolling) * c.G[side][row * 6 + k];
    }
    p.contacts.push_back(turning);
  }
  p.islands[0].contact_end = int(p.contacts.size());
  return p;
}

double residual_of(const FrictionProblem& p, const std::vector<double>& r) {
  std::vector<double> v(p.v_free.size());
  return residual(p, p.islands[0], r.data(), v.data()).natural_map_scaled;
}

/// The numbers of a contact's six that the library's law has.
std::vector<int> kept(bool spin) {
  return spin ? std::vector<int>{0, 1, 2, 3} : std::vector<int>{0, 1, 2, 4, 5};
}

/// The same problem for friction/: W dense, from the answers to unit impulses.
LocalFriction library_form(const FrictionProblem& p, bool spin) {
  const std::vector<int> keep = kept(spin);
  LocalFriction out;
  out.laws.rows = int(keep.size());
  out.laws.law = spin ? FrictionLaw::ellipsoid : FrictionLaw::discs;
  std::vector<int> places;
  std::vector<double> u(3 * p.contacts.size()), base = u, v(p.v_free.size());
  const auto velocities = [&](const std::vector<double>& r, std::vector<double>& to) {
    velocities_from(p, p.islands[0], r.data(), v.data());
    for (std::size_t i = 0; i < p.contacts.size(); ++i)
      local_velocity(p, p.contacts[i], v.data(), &to[3 * i]);
  };
  for (std::size_t i = 0; i < p.contacts.size(); i += 2) {
    out.laws.mu.push_back(p.contacts[i].mu);
    if (!spin) out.laws.mu_rolling.push_back(p.contacts[i + 1].rolling);
    for (const int k : keep) places.push_back(int(3 * i) + k);
  }
  std::vector<double> r(u.size(), 0.0);
  velocities(r, base);
  const std::size_t n = places.size();
  std::vector<double> W(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    r[std::size_t(places[j])] = 1;
    velocities(r, u);
    r[std::size_t(places[j])] = 0;
    for (std::size_t i = 0; i < n; ++i)
      W[i * n + j] = u[std::size_t(places[i])] - base[std::size_t(places[i])];
  }
  out.W.rows = out.W.columns = int(n);
  out.W.start = {0};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) out.W.column.push_back(int(j)), out.W.value.push_back(W[i * n + j]);
    out.W.start.push_back(int(out.W.column.size()));
    out.b.push_back(base[std::size_t(places[i])]);
  }
  return out;
}

std::vector<double> for_library(const std::vector<double>& r, bool spin) {
  std::vector<double> out;
  for (std::size_t i = 0; i < r.size(); i += 6)
    for (const int k : kept(spin)) out.push_back(r[i + std::size_t(k)]);
  return out;
}

std::vector<double> solved(const FrictionProblem& p, double tolerance) {
  Team team;
  std::vector<SolverMemory> memory;
  std::vector<double> r(3 * p.contacts.size(), 0.0);
  const SolveReport report = solve(p, {.tolerance = tolerance}, team, memory, r);
  EXPECT_TRUE(report.converged) << report.residual;
  EXPECT_LE(residual_of(p, r), tolerance);
  return r;
}

struct Levers {
  double spin, rolling;
};
void PrintTo(const Levers& l, std::ostream* out) { *out << "spin " << l.spin << ", rolling " << l.rolling; }
class Turning : public testing::TestWithParam<Levers> {};

TEST_P(Turning, ProblemsAreValidAndSolved) {
  Random random(3);
  for (const ProblemSize size :
       {ProblemSize{.blocks = 1, .contacts = 1}, ProblemSize{.blocks = 3, .contacts = 5},
        ProblemSize{.blocks = 6, .contacts = 24}, ProblemSize{.blocks = 5, .contacts = 12, .gaps = true},
        ProblemSize{.blocks = 4, .contacts = 6, .redundant = true},
        ProblemSize{.blocks = 3, .contacts = 6, .mu = 0}})
    for (int i = 0; i < 10; ++i) {
      const FrictionProblem p = turning_problem(random, size, GetParam().spin, GetParam().rolling);
      ASSERT_EQ(validate(p), std::vector<std::string>{});
      solved(p, 1e-10);
    }
}

TEST_P(Turning, SweepsAndNewtonReachTheSameMotion) {
  Random random(5);
  for (int i = 0; i < 10; ++i) {
    const FrictionProblem p =
        turning_problem(random, {.blocks = 3, .contacts = 4}, GetParam().spin, GetParam().rolling);
    NsgsMemory sweeps;
    std::vector<double> r(3 * p.contacts.size(), 0.0), v(p.v_free.size()), w(v);
    EXPECT_TRUE(nsgs(p, p.islands[0], {.tolerance = 1e-11, .max_sweeps = 20000}, r.data(), sweeps).converged);
    const std::vector<double> other = solved(p, 1e-11);
    velocities_from(p, p.islands[0], r.data(), v.data());
    velocities_from(p, p.islands[0], other.data(), w.data());
    for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(v[k], w[k], 1e-8);
  }
}

/// What is zero at a solution and what the law's derivatives say of it nearby.
TEST_P(Turning, DerivativesAreThoseOfTheLaw) {
  Random random(7);
  const detail::TurningLaw law{0.4, GetParam().rolling > 0 ? 1.0 : 0.0};
  for (int i = 0; i < 100; ++i) {
    double r[6], u[6], H[6], H_r[36], H_u[36];
    for (int k = 0; k < 6; ++k) r[k] = random.between(-1, 1), u[k] = random.between(-1, 1);
    r[0] = random.between(0, 1);
    law.linearise(1.3, r, u, H, H_r, H_u);
    for (int j = 0; j < 12; ++j) {
      constexpr double d = 1e-7;
      double* x = j < 6 ? r + j : u + (j - 6);
      const double* column = j < 6 ? H_r + j : H_u + (j - 6);
      double there[6], unused_r[36], unused_u[36];
      *x += d;
      law.linearise(1.3, r, u, there, unused_r, unused_u);
      *x -= d;
      for (int k = 0; k < 6; ++k) EXPECT_NEAR((there[k] - H[k]) / d, column[6 * k], 1e-5) << i << " " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levers, Turning,
                         testing::Values(Levers{0.1, 0}, Levers{0, 0.05}, Levers{0.1, 0.05}));

// The library judges the answer by its own residual, and finds the same motion from a cold start.
TEST(TurningBesideTheLibrary, AgreesToTheLastDigits) {
  for (const bool spin : {true, false}) {
    Random random(9);
    for (int i = 0; i < 20; ++i) {
      const FrictionProblem p =
          turning_problem(random, {.blocks = 3, .contacts = 5}, spin ? 0.1 : 0.0, spin ? 0.0 : 0.05);
      const std::vector<double> r = solved(p, 1e-12);
      const LocalFriction local = library_form(p, spin);
      EXPECT_LE(friction_residual(local, for_library(r, spin)).natural_map, 1e-10);
      std::vector<double> other(local.b.size(), 0.0);
      solve(local, 1e-12, other);
      const std::vector<double> mine = for_library(r, spin);
      for (std::size_t row = 0; row < local.b.size(); ++row) {
        double u = 0, w = 0;
        for (std::size_t k = 0; k < mine.size(); ++k) {
          const double entry = local.W.value[row * mine.size() + k];
          u += entry * mine[k], w += entry * other[k];
        }
        EXPECT_NEAR(u, w, 1e-10) << "problem " << i;
      }
    }
  }
}

TEST(TurningProblems, ABlockWithoutAConeBeforeItIsRefused) {
  FrictionProblem p;
  test::add_block(p, 1, {1, 1, 1}, {}, {});
  p.contacts.push_back({.block = {-1, 0}, .kind = RowKind::turning, .rolling = -1});
  test::close_island(p);
  EXPECT_EQ(validate(p),
            (std::vector<std::string>{"contact 0: a turning block needs a cone on the same blocks before it",
                                      "contact 0: rolling must be finite and >= 0"}));
}

}  // namespace
}  // namespace stiction::complementarity
