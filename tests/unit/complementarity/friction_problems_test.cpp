// Data of frictional contact: what validate() says; projections against brute force; the measure by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/complementarity/friction/cones.h"
#include "stiction/complementarity/friction/prepared.h"
#include "stiction/complementarity/friction/residual.h"
#include "support/friction_cases.h"

namespace stiction::complementarity {
namespace {

using test::Random;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string only_fault(const std::vector<std::string>& faults) {
  EXPECT_EQ(faults.size(), 1u);
  return faults.empty() ? std::string() : faults[0];
}
template <class Problem, class Change>
std::string fault_after(Problem p, const Change& change) {
  EXPECT_TRUE(validate(p).empty());
  change(p);
  return only_fault(validate(p));
}

TEST(FrictionValidate, NamesTheFieldOfALocalProblem) {
  const LocalFriction p = test::one_mass(1.0, 0.5, {-1, 0.3, 0});
  using L = LocalFriction;
  EXPECT_EQ(fault_after(p, [](L& x) { x.laws.rows = 7; }), "rows: is 7, must be between 2 and 6");
  EXPECT_EQ(fault_after(p, [](L& x) { x.laws.mu.clear(); }), "mu: the problem is empty");
  EXPECT_EQ(fault_after(p, [](L& x) { x.laws.mu[0] = -1; }), "mu[0] must be finite and >= 0");
  EXPECT_EQ(fault_after(p, [](L& x) { x.b[1] = nan; }), "b[1] must be finite");
  EXPECT_EQ(fault_after(p, [](L& x) { x.b.pop_back(); }), "b: has 2 entries, needs 3");
  EXPECT_EQ(fault_after(p, [](L& x) { x.W.value[0] = 0; }),
            "W[0][0]: singular block: contact 0 needs a normal entry > 0");
  EXPECT_EQ(fault_after(p, [](L& x) { x.W.value[2] = -1; }),
            "W[2][2]: singular block: contact 0 has a negative diagonal entry");
  EXPECT_EQ(fault_after(p, [](L& x) { x.W.value[1] = nan; }), "W.value[1] must be finite");
  EXPECT_EQ(fault_after(p, [](L& x) { x.W.column[1] = 3; }), "W.column[1] does not exist");
  EXPECT_EQ(fault_after(p,
                        [](L& x) {
                          x.W.start[1] = 2;
                          x.W.column[1] = 0;
                          x.W.start[2] = 2;
                        }),
            "W.column[1] must be above the one before it in row 0");
  EXPECT_EQ(fault_after(p,
                        [](L& x) {
                          x.W.start[1] = 3;
                          x.W.start[2] = 2;
                        }),
            "W.start[2] is below the one before");
  EXPECT_EQ(fault_after(p, [](L& x) { x.W.columns = 4; }), "W: has 3 rows and 4 columns, must be square");
  EXPECT_EQ(fault_after(p, [](L& x) { x.laws.weights = {1, 0}; }), "weights[1] must be finite and > 0");
  EXPECT_EQ(fault_after(p, [](L& x) { x.laws.law = FrictionLaw::discs; }),
            "mu_rolling: has 0 entries, needs 1");
}

TEST(FrictionValidate, NamesTheFieldOfAGlobalProblem) {
  Random random(3);
  const GlobalFriction p = test::random_global(random, 3, FrictionLaw::ellipsoid, 2, 3);
  using G = GlobalFriction;
  EXPECT_EQ(fault_after(p, [](G& x) { x.f.pop_back(); }), "f: has 11 entries, needs 12");
  EXPECT_EQ(fault_after(p, [](G& x) { x.M.value[0] = 0; }), "M[0][0]: singular block: must be > 0");
  EXPECT_EQ(fault_after(p, [](G& x) { x.H.columns = 10; }),
            "H: has 10 columns, needs one per contact row, 9");
  EXPECT_EQ(fault_after(p, [](G& x) { x.M.value[2] = nan; }), "M.value[2] must be finite");
  EXPECT_EQ(fault_after(p,
                        [](G& x) {
                          for (std::size_t k = 0; k < x.H.column.size(); ++k)
                            if (x.H.column[k] == 3) x.H.value[k] = 0;
                        }),
            "H: singular block: column 3 (normal of contact 1) is zero");
}

/// The smallest distance over a fine grid of points of K; an upper bound of the true distance.
double distance_by_search(const ContactCone& k, const double* x, Random& random) {
  double best = 1e300;
  for (int i = 0; i < 20000; ++i) {
    double y[6] = {random.between(0, 3)}, t[2] = {0, 0};
    for (int j = 1; j < k.rows(); ++j) {
      y[j] = random.between(-3, 3);
      t[j <= k.first ? 0 : 1] += y[j] * y[j];
    }
    double sum = (x[0] - y[0]) * (x[0] - y[0]);
    for (int j = 1; j < k.rows(); ++j) {
      const int disc = j <= k.first ? 0 : 1;
      const double length = std::sqrt(t[disc]), limit = k.mu[disc] * y[0];
      if (length > limit) y[j] *= limit / length;
      sum += (x[j] - y[j]) * (x[j] - y[j]);
    }
    best = std::fmin(best, sum);
  }
  return std::sqrt(best);
}

TEST(FrictionCones, ProjectionIsTheNearestPoint) {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    ContactCone k = test::random_cone(random);
    double x[6], y[6], z[6];
    for (double& v : x) v = random.between(-2, 2);
    project_on(k, x, y);
    // y in K, x - y in the polar cone, orthogonal: what defines the projection
    double t[2] = {0, 0}, g[2] = {0, 0}, product = 0;
    for (int j = 1; j < k.rows(); ++j) {
      const int disc = j <= k.first ? 0 : 1;
      t[disc] += y[j] * y[j], g[disc] += (x[j] - y[j]) * (x[j] - y[j]);
    }
    for (int j = 0; j < k.rows(); ++j) product += y[j] * (x[j] - y[j]);
    EXPECT_NEAR(product, 0, 1e-14);
    double polar = x[0] - y[0];
    for (int disc = 0; disc < 2; ++disc) {
      EXPECT_LE(std::sqrt(t[disc]), k.mu[disc] * y[0] + 1e-14);
      polar += k.mu[disc] * std::sqrt(g[disc]);
    }
    EXPECT_LE(polar, 1e-14);
    project_on(k, y, z);
    for (int j = 0; j < k.rows(); ++j) EXPECT_NEAR(z[j], y[j], 1e-14);
    if (round < 20) {
      double sum = 0;
      for (int j = 0; j < k.rows(); ++j) sum += (x[j] - y[j]) * (x[j] - y[j]);
      EXPECT_LE(std::sqrt(sum), distance_by_search(k, x, random) + 1e-14);
    }
  }
}

TEST(FrictionCones, DerivativeIsThatOfTheProjection) {
  Random random(2);
  int checked = 0;
  for (int round = 0; round < 400; ++round) {
    ContactCone k = test::random_cone(random);
    const int d = k.rows();
    double x[6], y[6], D[36];
    for (double& v : x) v = random.between(-2, 2);
    project_on(k, x, y, D);
    for (int j = 0; j < d; ++j) {
      double plus[6], minus[6], a[6], b[6];
      const double h = 1e-6;
      for (int i = 0; i < d; ++i) plus[i] = minus[i] = x[i];
      plus[j] += h, minus[j] -= h;
      project_on(k, plus, a), project_on(k, minus, b);
      double kink = 0;  // the second difference shows a kink nearby
      for (int i = 0; i < d; ++i) kink = std::fmax(kink, std::fabs(a[i] + b[i] - 2 * y[i]));
      if (kink > 1e-10) continue;
      ++checked;
      for (int i = 0; i < d; ++i) EXPECT_NEAR(D[i * d + j], (a[i] - b[i]) / (2 * h), 1e-8);
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(FrictionResidual, IsZeroWhereTheSolutionIsKnown) {
  // 2 kg at 1 m/s along the floor, pressed with 3 Ns: r_n = 2 * 1.5, slides with mu = 0.1, sticks with mu =
  // 0.9
  const LocalFriction slides = test::one_mass(0.5, 0.1, {-1.5, 1, 0});
  EXPECT_LE(friction_residual(slides, {3, -0.3, 0}).natural_map, 1e-15);
  const LocalFriction sticks = test::one_mass(0.5, 0.9, {-1.5, 1, 0});
  EXPECT_LE(friction_residual(sticks, {3, -2, 0}).natural_map_scaled, 1e-15);
  // r = 0: x = -uhat = (1.5 - 0.1, -1, 0), n = (1.4 + 0.1) / 1.01, so |P| = n sqrt(1.01), |b| = sqrt(3.25)
  const FrictionResidual cold = friction_residual(slides, {0, 0, 0});
  EXPECT_NEAR(cold.natural_map, 1.5 / std::sqrt(1.01) / std::sqrt(3.25), 1e-15);
  EXPECT_TRUE(std::isinf(cold.natural_map_scaled));
}

TEST(FrictionResidual, WeightsAreScaledRows) {
  // weight 2 in the second friction row: |(r_1, r_2 / 2)| <= mu r_n; slip along row 2 gives r_2 = 2 mu r_n
  LocalFriction p = test::one_mass(1.0, 0.25, {-1, 0, 5});
  p.laws.weights = {1, 2};
  EXPECT_LE(friction_residual(p, {1, 0, -0.5}).natural_map, 1e-15);
  EXPECT_GE(friction_residual(p, {1, 0, -0.25}).natural_map, 0.01);
}

TEST(FrictionResidual, DiscsHoldEachOtherNot) {
  // rolling: tangential part slides at its own limit, rolling part sticks
  LocalFriction p = test::one_mass(1.0, 0.1, {-1, 1, 0, 0.05, 0});
  EXPECT_EQ(p.laws.rows, 5);
  p.laws.law = FrictionLaw::discs, p.laws.mu_rolling = {0.2};
  EXPECT_LE(friction_residual(p, {1, -0.1, 0, -0.05, 0}).natural_map, 1e-15);
}

/// Islands that alternate, blocks with gaps, and zeros that are stored: what W r + b is does not change.
TEST(Prepared, IsTheMatrixAsStored) {
  test::Random random(71);
  for (int rows = 2; rows <= 6; ++rows)
    for (int islands = 1; islands <= 3; ++islands) {
      const int contacts = 9, n = rows * contacts;
      LocalFriction p;
      p.laws.rows = rows, p.laws.mu.assign(std::size_t(contacts), 0.5);
      p.W = {n, n, {0}, {}, {}};
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const bool together = (i / rows - j / rows) % islands == 0;
          if (i != j && random.below(3) == 0) continue;
          if (!together && random.below(2)) continue;  // the others are stored as zeros
          p.W.column.push_back(j);
          p.W.value.push_back(i == j ? 2 : together ? random.between(-1, 1) : 0);
        }
        p.W.start.push_back(int(p.W.column.size()));
        p.b.push_back(random.between(-1, 1));
      }
      ASSERT_EQ(validate(p), std::vector<std::string>{});
      friction::Prepared out;
      friction::prepare(p, out);
      ASSERT_EQ(out.islands.size(), std::size_t(islands));
      std::vector<double> r, mine, u(p.b.size()), back;
      for (int i = 0; i < n; ++i) r.push_back(random.between(-1, 1));
      friction::to_places(out, r, mine);
      for (const friction::Range& island : out.islands) {
        EXPECT_GE(island.size(), contacts / islands);
        friction::local_velocities(out, island, mine.data(), u.data());
      }
      friction::from_places(out, u, back);
      for (int i = 0; i < n; ++i) {
        double expected = p.b[std::size_t(i)];
        for (int k = p.W.start[std::size_t(i)]; k < p.W.start[std::size_t(i) + 1]; ++k)
          expected += p.W.value[std::size_t(k)] * r[std::size_t(p.W.column[std::size_t(k)])];
        EXPECT_NEAR(back[std::size_t(i)], expected, 1e-13);
      }
      for (int i = 0; i < contacts; ++i) {  // blocks ascend; the diagonal is where it is said to be
        EXPECT_EQ(out.column[std::size_t(out.diagonal[std::size_t(i)])], i);
        for (int e = out.start[std::size_t(i)] + 1; e < out.start[std::size_t(i) + 1]; ++e)
          EXPECT_LT(out.column[std::size_t(e) - 1], out.column[std::size_t(e)]);
      }
    }
}

TEST(Prepared, ForgetsTheDiagonalOfTheProblemBefore) {
  LocalFriction p = test::one_mass(1, 0.5, {-1, 0, 0});
  friction::Prepared q;
  friction::prepare(p, q);
  EXPECT_EQ(q.diagonal, std::vector<int>{0});
  for (double& x : p.W.value) x = 0;
  friction::prepare(p, q);
  EXPECT_EQ(q.diagonal, std::vector<int>{-1});
  EXPECT_EQ(q.w, std::vector<double>{0});
}

}  // namespace
}  // namespace stiction::complementarity
