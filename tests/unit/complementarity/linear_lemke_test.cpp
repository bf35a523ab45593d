// Lemke's method: a generated suite, rays, cycling examples, contact problems with known answers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "stiction/complementarity/linear/lemke.h"
#include "stiction/complementarity/linear/natural_residual.h"
#include "stiction/complementarity/linear/reformulate.h"
#include "support/lcp_suite.h"
#include "support/size.h"

namespace stiction::complementarity {
namespace {

using test::Random;
constexpr double infinity = std::numeric_limits<double>::infinity();

// What the method promises: round-off of small problems, a little more for large ones.
double promised(int n) { return n <= 100 ? 1e-12 : 1e-10; }

template <class Problem>
void expect_solved(const Problem& p, const std::string& name, LemkeSettings s = {}) {
  s.tolerance = promised(p.n);
  std::vector<double> z;
  const LinearReport report = lemke(p, s, z);
  EXPECT_EQ(report.status, LinearStatus::solved) << name << ", n = " << p.n << ": " << name_of(report.status);
  const double independent = natural_residual(p, z);
  EXPECT_LE(independent, promised(p.n)) << name << ", n = " << p.n;
  EXPECT_GE(report.residual, independent - test::round_off(p, z)) << name << ", n = " << p.n;
}

TEST(Lemke, SolvesRandomProblemsOfEveryClass) {
  Random random(1);
  for (const int n : {1, 2, 3, 5, 8, 13, 21, 34, 55, 70, 100, 150, 250}) {
    const int repeats = n <= 55 ? 10 : 2;
    for (int i = 0; i < repeats; ++i) {
      expect_solved(test::random_spd(random, n), "positive definite");
      expect_solved(test::random_psd(random, n, 0), "semidefinite");
      expect_solved(test::random_psd(random, n, 0.4), "semidefinite, degenerate");
      expect_solved(test::random_monotone(random, n, 0), "monotone");
      expect_solved(test::random_monotone(random, n, 0.4), "monotone, degenerate");
      expect_solved(test::random_copositive(random, n), "strictly copositive");
      expect_solved(test::random_p(random, n), "P-matrix");
    }
  }
}

// Numbers so large that the step to the first bound misses it by more than any tie allows.
TEST(Lemke, SolvesWhateverTheSizeOfTheNumbers) {
  Random random(3);
  for (const double size : {1e6, 1e9, 1e12, 1e15})
    for (int i = 0; i < 20; ++i) {
      Lcp p = test::random_spd(random, 12);
      for (double& q : p.q) q *= size;
      expect_solved(p, "large");
    }
}

TEST(Lemke, SolvesContactProblems) {
  Random random(2);
  for (const int directions : {4, 6, 8, 12, 16}) {
    for (int contacts = 1; contacts <= 40; contacts += contacts < 12 ? 1 : 7) {
      const PolyhedralContacts heap = test::random_heap(random, contacts, directions);
      expect_solved(stewart_trinkle_lcp(heap), "heap");
      if (contacts <= 12) expect_solved(test::with_velocities(heap), "heap with velocities");
    }
    for (const int balls : {1, 2, 4, 10, 20}) {
      const PolyhedralContacts line = test::ball_line(balls, directions, 0.4);
      expect_solved(stewart_trinkle_lcp(line), "line of balls");
      if (balls <= 4) expect_solved(test::with_velocities(line), "line of balls with velocities");
    }
  }
}

// Four contacts on a face: rank-deficient, and degenerate at rest. Ratio 1000: light boxes under heavy ones.
TEST(Lemke, SolvesBoxStacks) {
  for (const int directions : {4, 8, 16})
    for (const int boxes : test::under_sanitizer ? std::vector{1, 3} : std::vector{1, 2, 3, 6, 10})
      for (const double mu : {0.0, 0.2, 1.0})
        for (const double slip : {0.0, 0.05, 1.0})
          for (const double ratio : {1.0, 1000.0}) {
            const PolyhedralContacts stack = test::box_stack(boxes, directions, mu, slip, ratio);
            const std::string name = "stack of " + std::to_string(boxes) + ", mu " + std::to_string(mu) +
                                     ", slip " + std::to_string(slip) + ", ratio " + std::to_string(ratio);
            expect_solved(stewart_trinkle_lcp(stack), name);
            expect_solved(test::frictionless(stack), name + ", no friction");
            if (boxes <= 2) expect_solved(test::with_velocities(stack), name + ", with velocities");
          }
}

// ---- cycling ------------------------------------------------------------------------------------------

// Walks Lemke's path by hand for a small problem with small integers (sums are then exact but for divisions),
// taking every choice at every tie. True if some sequence of choices returns to an earlier basis.
class TieExplorer {
 public:
  explicit TieExplorer(const Lcp& p) : p_(p), n_(std::size_t(p.n)) {}
  bool can_cycle() {
    double worst = 0;
    for (const double x : p_.q) worst = std::fmin(worst, x);
    for (std::size_t r = 0; r < n_; ++r) {
      if (p_.q[r] != worst) continue;
      std::vector<std::size_t> basis(n_);
      for (std::size_t i = 0; i < n_; ++i) basis[i] = i;
      basis[r] = 2 * n_;
      if (walk(basis, n_ + r)) return true;
    }
    return false;
  }

 private:
  // variables: [0, n) w, [n, 2n) z, 2n t;  w - M z - t = q
  double entry(std::size_t row, std::size_t variable) const {
    if (variable < n_) return variable == row ? 1 : 0;
    return variable < 2 * n_ ? -p_.M[row * n_ + variable - n_] : -1;
  }
  std::vector<double> solve(const std::vector<std::size_t>& basis, const std::vector<double>& rhs) const {
    std::vector<std::vector<double>> a(n_, std::vector<double>(n_ + 1));
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) a[i][j] = entry(i, basis[j]);
      a[i][n_] = rhs[i];
    }
    for (std::size_t c = 0; c < n_; ++c) {
      std::size_t pivot = c;
      for (std::size_t i = c; i < n_; ++i)
        if (std::fabs(a[i][c]) > std::fabs(a[pivot][c])) pivot = i;
      std::swap(a[c], a[pivot]);
      for (std::size_t i = 0; i < n_; ++i) {
        if (i == c) continue;
        const double factor = a[i][c] / a[c][c];
        for (std::size_t j = c; j <= n_; ++j) a[i][j] -= factor * a[c][j];
      }
    }
    std::vector<double> x(n_);
    for (std::size_t i = 0; i < n_; ++i) x[i] = a[i][n_] / a[i][i];
    return x;
  }
  bool walk(const std::vector<std::size_t>& basis, std::size_t entering) {
    std::set<std::size_t> key(basis.begin(), basis.end());
    if (on_path_.count({key, entering})) return true;
    if (!seen_.insert({key, entering}).second) return false;
    on_path_.insert({key, entering});
    std::vector<double> column(n_);
    for (std::size_t i = 0; i < n_; ++i) column[i] = entry(i, entering);
    const std::vector<double> x = solve(basis, p_.q), y = solve(basis, column);
    double step = infinity;
    for (std::size_t i = 0; i < n_; ++i)
      if (y[i] > 1e-9) step = std::fmin(step, x[i] / y[i]);
    bool cycles = false;
    for (std::size_t i = 0; i < n_ && !cycles; ++i) {
      if (!(y[i] > 1e-9) || x[i] / y[i] > step + 1e-9 || basis[i] == 2 * n_) continue;
      std::vector<std::size_t> next(basis);
      next[i] = entering;
      cycles = walk(next, basis[i] < n_ ? basis[i] + n_ : basis[i] - n_);
    }
    on_path_.erase({key, entering});
    return cycles;
  }
  const Lcp& p_;
  std::size_t n_;
  std::set<std::pair<std::set<std::size_t>, std::size_t>> seen_, on_path_;
};

// The first is the classic one (Murty; Kostreva 1979); the others come from an exact search over matrices.
TEST(Lemke, SolvesProblemsOnWhichCarelessTiesCycle) {
  const std::vector<Lcp> problems = {
      {3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}},
      {3, {1, -1, 0, 1, 1, 2, -1, 2, 1}, {-1, -2, -2}},
      {4, {1, 1, 0, -1, 1, 1, 1, 1, 2, 0, 1, 1, 0, -1, 2, 1}, {-1, -1, -1, -1}},
      {4, {1, 1, 2, 2, 0, 1, 1, 0, 0, 2, 1, -1, 2, 0, -1, 1}, {-1, -1, -1, -1}},
  };
  for (const Lcp& p : problems) {
    EXPECT_TRUE(TieExplorer(p).can_cycle());
    expect_solved(p, "cycling example");
  }
  std::vector<double> z;
  lemke(problems[0], {}, z);
  for (const double x : z) EXPECT_NEAR(x, 1.0 / 3, 1e-15);
}

// Linear programs on which the simplex method cycles, with their duals as LCPs: Beale (1955), Marshall and
// Suurballe (1969) as printed by Chvatal. Optimal values: -1/20 and -1.
TEST(Lemke, SolvesCyclingLinearPrograms) {
  struct Program {
    std::vector<double> A, b, c;  // min c x, A x >= b, x >= 0
    double value;
  };
  const Program programs[] = {
      {{-0.25, 60, 0.04, -9, -0.5, 90, 0.02, -3, 0, 0, -1, 0}, {0, 0, -1}, {-0.75, 150, -0.02, 6}, -0.05},
      {{-0.5, 5.5, 2.5, -9, -0.5, 1.5, 0.5, -1, -1, 0, 0, 0}, {0, 0, -1}, {-10, 57, 9, 24}, -1}};
  for (const Program& lp : programs) {
    Lcp p{7, std::vector<double>(49, 0), {}};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        p.M[j * 7 + 4 + i] = -lp.A[i * 4 + j], p.M[(4 + i) * 7 + j] = lp.A[i * 4 + j];
    p.q = lp.c;
    for (const double b : lp.b) p.q.push_back(-b);
    expect_solved(p, "linear program");
    std::vector<double> z;
    lemke(p, {}, z);
    double value = 0;
    for (std::size_t j = 0; j < 4; ++j) value += lp.c[j] * z[j];
    EXPECT_NEAR(value, lp.value, 1e-13);
  }
}

// ---- no solution --------------------------------------------------------------------------------------

TEST(Lemke, ReportsTheRayThatProvesInfeasibility) {
  Random random(3);
  for (int n = 1; n <= 30; ++n) {
    // skew-symmetric plus semidefinite, with a row that says -z_0 - ... - 1 >= 0
    Lcp p{n, test::gram_matrix(random, n, (n + 1) / 2), std::vector<double>(std::size_t(n))};
    for (double& x : p.q) x = random.between(-1, 1);
    for (std::size_t j = 0; j < std::size_t(n); ++j) {
      p.M[j] = j == 0 ? 0 : -random.between(0, 1);
      if (j > 0) p.M[j * std::size_t(n)] = -p.M[j];
    }
    p.q[0] = -1;
    std::vector<double> z;
    const LinearReport report = lemke(p, {}, z);
    ASSERT_EQ(report.status, LinearStatus::ray) << n;
    EXPECT_TRUE(report.proves_infeasible) << n;
    // checked here again: y >= 0, M^T y <= 0, q.y < 0
    double product = 0;
    for (std::size_t j = 0; j < std::size_t(n); ++j) {
      EXPECT_GE(report.ray[j], 0);
      product += p.q[j] * report.ray[j];
      double sum = 0;
      for (std::size_t i = 0; i < std::size_t(n); ++i) sum += p.M[i * std::size_t(n) + j] * report.ray[i];
      EXPECT_LE(sum, 1e-10 * n);
    }
    EXPECT_LT(product, 0);
  }
}

TEST(Lemke, ReportsTheRayOfMinusIdentity) {
  const Lcp p{2, {-1, 0, 0, -1}, {-1, -1}};
  std::vector<double> z;
  const LinearReport report = lemke(p, {}, z);
  EXPECT_EQ(report.status, LinearStatus::ray);
  EXPECT_TRUE(report.proves_infeasible);
  EXPECT_GT(report.residual, 0.4);
}

// ---- the falling rod
// ----------------------------------------------------------------------------------------------- Stewart and
// Trinkle's rod right after its first impact: l = 0.5, r = 0.05, m = 1, J = 0.002, mu = 0.6, g = 9.82. Angle
// and spin from free flight and a sticking plastic impact, computed independently.
struct Rod {
  double angle = 118.3714 * 3.14159265358979323846 / 180, omega = 5.144267, mu = 0.6, g = 9.82;
  double n[3] = {0, 1, -0.25 * std::cos(angle)}, d[3] = {1, 0, 0.25 * std::sin(angle) + 0.05};
  double inverse_mass[3] = {1, 1, 500};
  double product(const double* a, const double* b) const {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += a[k] * inverse_mass[k] * b[k];
    return sum;
  }
  double nn = product(n, n), nd = product(n, d), dd = product(d, d);
  double an = -g + 0.25 * std::sin(angle) * omega * omega, at = 0.25 * std::cos(angle) * omega * omega;

  Lcp contact(double normal, double tangential) const {
    return {4,
            {nn, nd, -nd, 0, nd, dd, -dd, 1, -nd, -dd, dd, 1, mu, -1, -1, 0},
            {normal, tangential, -tangential, 0}};
  }
};

TEST(Lemke, PainleveAccelerationsHaveNoSolutionWhileSlidingRight) {
  const Rod rod;
  EXPECT_NEAR(rod.nn, 8.05628, 1e-4);
  EXPECT_NEAR(rod.an, -3.99879, 1e-4);
  // sliding right: friction is -mu times the normal force
  const Lcp right{1, {rod.nn - rod.mu * rod.nd}, {rod.an}};
  EXPECT_NEAR(right.M[0], -1.56520, 1e-4);
  std::vector<double> z;
  const LinearReport report = lemke(right, {}, z);
  EXPECT_EQ(report.status, LinearStatus::ray);
  EXPECT_TRUE(report.proves_infeasible);
  // sliding left it has one, and so it has where it sticks
  const Lcp left{1, {rod.nn + rod.mu * rod.nd}, {rod.an}};
  EXPECT_EQ(lemke(left, {}, z).status, LinearStatus::solved);
  EXPECT_NEAR(z[0], 0.22620, 1e-5);
  EXPECT_EQ(lemke(rod.contact(rod.an, rod.at), {}, z).status, LinearStatus::solved);
  EXPECT_NEAR(z[0], 2.23178, 1e-4);
  EXPECT_NEAR(z[1] - z[2], -0.87187, 1e-4);
}

TEST(Lemke, PainleveImpulsesHaveOne) {
  const Rod rod;
  struct Case {
    double vt, h, cn;
  };
  // normal impulses of the velocity-level step, computed independently
  for (const Case c : {Case{1, 1e-2, 0.442995}, Case{1, 1e-6, 0.360375}, Case{0.1, 1e-2, 0.118665},
                       Case{1e-6, 1e-2, 0.082628}, Case{0, 1e-2, 0.082628}, Case{-1e-3, 1e-2, 0.082268}}) {
    std::vector<double> z;
    const Lcp p = rod.contact(-rod.g * c.h, c.vt);
    EXPECT_EQ(lemke(p, {}, z).status, LinearStatus::solved) << c.vt << " " << c.h;
    EXPECT_NEAR(z[0], c.cn, 2e-5) << c.vt << " " << c.h;
    EXPECT_LE(natural_residual(p, z), 1e-12);
  }
}

// Lying flat both ends have the same friction direction. An updated tableau once called a z with residual
// 0.125 solved here.
TEST(Lemke, RodLyingFlat) {
  for (const double mu : {0.0, 0.3, 0.6})
    for (const double slip : {0.0, -1e-3, -0.0887, 1.0, 1e-12}) {
      PolyhedralContacts rod;
      rod.coordinates = 3, rod.contacts = 2, rod.directions = 2;
      rod.inverse_mass = {1, 0, 0, 0, 1, 0, 0, 0, 500};
      rod.normals = {0, 1, 0.25, 0, 1, -0.25};
      rod.tangents = {1, 0, 0.05, -1, 0, -0.05, 1, 0, 0.05, -1, 0, -0.05};
      rod.friction = {mu, mu}, rod.bias = {0, 0};
      rod.v_free = {slip, -9.82 * 0.0025, 0};
      ASSERT_TRUE(validate(rod).empty());
      const Lcp p = stewart_trinkle_lcp(rod);
      std::vector<double> z;
      EXPECT_EQ(lemke(p, {}, z).status, LinearStatus::solved);
      EXPECT_LE(natural_residual(p, z), 1e-12);
      EXPECT_NEAR(z[0] + z[1], 9.82 * 0.0025,
                  1e-12);  // the sum carries the weight; either alone is not unique
      const std::vector<double> v = velocity_after(rod, z);
      EXPECT_NEAR(v[1], 0, 1e-13);
    }
}

// Cline and Pai's rectangle: the smallest move, in the metric of the mass, that takes four vertices out of
// the floor.
TEST(Lemke, PostStabilisationOfARectangle) {
  Random random(4);
  const double a = 0.1, b = 0.05, inertia = (a * a + b * b) / 12;
  for (int trial = 0; trial < 200; ++trial) {
    const double angle = random.between(-3, 3), height = random.between(-0.02, 0.06);
    Lcp p{4, std::vector<double>(16), std::vector<double>(4)};
    double rows[4][2];
    for (std::size_t i = 0; i < 4; ++i) {
      const double x = (i % 2 ? a : -a) / 2, y = (i / 2 ? b : -b) / 2;
      rows[i][0] = 1, rows[i][1] = x * std::cos(angle) - y * std::sin(angle);
      p.q[i] = height + x * std::sin(angle) + y * std::cos(angle);
    }
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) p.M[i * 4 + j] = 1 + rows[i][1] * rows[j][1] / inertia;
    expect_solved(p, "rectangle");
  }
}

// ---- mixed and boxed ----------------------------------------------------------------------------------

BoxedLcp random_box(Random& random, int n, bool symmetric) {
  const Lcp base = symmetric ? test::random_spd(random, n) : test::random_p(random, n);
  BoxedLcp p = as_boxed(base);
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    const int kind = random.below(5);
    p.lower[i] = kind == 0 || kind == 1 ? -infinity : random.between(-0.3, 0.1);
    p.upper[i] = kind == 0 || kind == 2 ? infinity : random.between(0.1, 0.4);
    if (kind == 3) p.upper[i] = p.lower[i];  // fixed
  }
  return p;
}

TEST(Lemke, SolvesBoxedProblems) {
  Random random(5);
  for (int n = 1; n <= 60; ++n)
    for (const bool symmetric : {true, false}) expect_solved(random_box(random, n, symmetric), "boxed");
}

TEST(Lemke, BoxedAgreesWithTheReformulations) {
  Random random(6);
  for (int n = 1; n <= 30; ++n) {
    const BoxedLcp p = random_box(random, n, true);
    std::vector<double> z, y;
    ASSERT_EQ(lemke(p, {}, z).status, LinearStatus::solved);
    const MixedForm mixed = as_mixed(p);
    ASSERT_TRUE(validate(mixed.problem).empty());
    ASSERT_EQ(lemke(mixed.problem, {}, y).status, LinearStatus::solved);
    const std::optional<LcpForm> plain = as_lcp(p);
    ASSERT_TRUE(plain);
    std::vector<double> v;
    if (plain->problem().n > 0) {
      ASSERT_EQ(lemke(plain->problem(), {}, v).status, LinearStatus::solved);
    }
    // positive definite: z is unique; 1e-9: the conditioning of these matrices
    const std::vector<double> from_mixed = mixed.recover(y), from_lcp = plain->recover(v);
    for (std::size_t i = 0; i < z.size(); ++i) {
      EXPECT_NEAR(z[i], from_mixed[i], 1e-9);
      EXPECT_NEAR(z[i], from_lcp[i], 1e-9);
    }
  }
}

// Equations that say the same twice have no regular starting basis; free unknowns with a zero diagonal
// neither have one that can be built index by index.
TEST(Lemke, FreeRowsThatDependOnEachOther) {
  Random random(7);
  for (int n = 2; n <= 12; ++n) {
    // masses v, constraints J v = 0 twice, one contact each coordinate: [m -J' -J' -I; J; J; I]
    const auto size = std::size_t(2 * n + 2), m = std::size_t(n);
    MixedLcp p{int(size), n + 2, std::vector<double>(size * size, 0), std::vector<double>(size, 0)};
    for (std::size_t i = 0; i < m; ++i) {
      const double j = random.between(-1, 1);
      p.M[i * size + i] = random.between(1, 2), p.q[i] = random.between(-1, 1);
      for (const std::size_t row : {m, m + 1}) p.M[row * size + i] = j, p.M[i * size + row] = -j;
      p.M[(m + 2 + i) * size + i] = 1, p.M[i * size + m + 2 + i] = -1;
    }
    expect_solved(p, "redundant constraints");
  }
  const MixedLcp anti{3, 2, {0, 1, 0, 1, 0, 0, 0, 0, 1}, {1, 2, -3}};
  expect_solved(anti, "zero diagonal");
}

// ---- starts, settings, errors -------------------------------------------------------------------------

TEST(Lemke, WarmStartFromTheSolutionNeedsNoPivot) {
  Random random(8);
  for (const int n : {5, 40, 120}) {
    const Lcp p = test::random_spd(random, n);
    std::vector<double> z;
    ASSERT_EQ(lemke(p, {}, z).status, LinearStatus::solved);
    const std::vector<double> cold = z;
    LemkeSettings warm;
    warm.warm_start = true;
    const LinearReport report = lemke(p, warm, z);
    EXPECT_EQ(report.status, LinearStatus::solved);
    EXPECT_EQ(report.pivots, 0);
    for (double& x : z) x += random.between(-0.01, 0.01);
    EXPECT_EQ(lemke(p, warm, z).status, LinearStatus::solved);
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(z[i], cold[i], 1e-9);
  }
}

TEST(Lemke, WarmStartFromAnywhereSolves) {
  Random random(9);
  for (int trial = 0; trial < 60; ++trial) {
    const PolyhedralContacts heap = test::random_heap(random, 1 + trial / 4, 8);
    const Lcp p = stewart_trinkle_lcp(heap);
    std::vector<double> z(std::size_t(p.n));
    for (double& x : z) x = random.between(-0.5, 1);
    LemkeSettings warm;
    warm.tolerance = promised(p.n);
    warm.warm_start = true;
    EXPECT_EQ(lemke(p, warm, z).status, LinearStatus::solved) << trial;
    EXPECT_LE(natural_residual(p, z), promised(p.n));
  }
}

TEST(Lemke, CoveringVectorLeadsToASolutionToo) {
  Random random(10);
  for (int n = 1; n <= 40; n += 3) {
    LemkeSettings s;
    for (int i = 0; i < n; ++i) s.covering.push_back(random.between(0.1, 10));
    expect_solved(test::random_monotone(random, n, 0.2), "own covering vector", s);
  }
}

TEST(Lemke, MemoryOfALargerProblemChangesNothing) {
  Random random(11);
  LemkeMemory memory;
  const Lcp large = test::random_spd(random, 90), small = test::random_monotone(random, 20, 0.3);
  std::vector<double> z, fresh;
  lemke(large, {}, z, memory);
  lemke(small, {}, z, memory);
  lemke(small, {}, fresh);
  EXPECT_EQ(z, fresh);
}

TEST(Lemke, RefusesBadInput) {
  std::vector<double> z;
  EXPECT_EQ(lemke(Lcp{}, {}, z).status, LinearStatus::bad_input);
  EXPECT_EQ(lemke(Lcp{1, {std::nan("")}, {1}}, {}, z).status, LinearStatus::bad_input);
  const Lcp good{1, {1}, {-1}};
  LemkeSettings s;
  s.covering = {-1};
  EXPECT_EQ(lemke(good, s, z).status, LinearStatus::bad_input);
  s.covering.clear();
  s.warm_start = true;
  z = {1, 2};
  EXPECT_EQ(lemke(good, s, z).status, LinearStatus::bad_input);
  s.warm_start = false;
  s.tolerance = 0;
  EXPECT_EQ(lemke(good, s, z).status, LinearStatus::bad_input);
}

TEST(Lemke, ReturnsTheBestPointWhereNothingIsGoodEnough) {
  Random random(12);
  LemkeSettings s;
  s.tolerance = 1e-300;  // nothing is good enough
  s.restarts = 1;
  std::vector<double> z;
  const Lcp p = test::random_spd(random, 20);
  const LinearReport report = lemke(p, s, z);
  EXPECT_NE(report.status, LinearStatus::solved);
  EXPECT_LE(natural_residual(p, z), 1e-14);  // the best point is returned all the same
}

}  // namespace
}  // namespace stiction::complementarity
