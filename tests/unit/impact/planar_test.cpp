// Planar impacts: cases with known answers, random systems beside brute force, what is refused.
//
// The table's numbers come from an independent program (double precision, 15 digits, 1e-12 from a brute-force
// march); 1e-10 is what digits and double precision leave.
#include "stiction/impact/planar.h"

#include <gtest/gtest.h>

#include <array>

#include "stiction/impact/generalised.h"
#include "support/impact_marching.h"
#include "support/random.h"
#include "support/size.h"

namespace stiction::impact {
namespace {

struct Case {
  const char* name;
  int n;
  std::array<double, 9> M;
  std::array<double, 6> J;  // tangent row, normal row
  std::array<double, 3> u;
  double mu_k, mu_s, e;
  const char *order, *modes;
  double pn, pt, vt, vn, stored, friction;
  std::array<double, 3> after;
};

const std::vector<Case> cases{
    {"P01",
     2,
     {1.677462783724934, 0.33873139186246704, 0.33873139186246704, 0.3333333333333333},
     {1.4212208132838322, 0.7311458297268959, -0.041516671414954964, 0.6822212072876137},
     {2.28, -3.49},
     0.39,
     0.39,
     0.5,
     "a-c-e",
     "S",
     2.72361130084862,
     -1.06220840733096,
     1.67628170754387,
     1.23780501212993,
     2.24753314618944,
     -1.25604349888913,
     {0.238592862778043, 1.82889447042626}},
    {"P02",
     2,
     {2.223689213432884, 0.611844606716442, 0.611844606716442, 0.3333333333333333},
     {1.7645909774485653, 0.886626914449487, -0.01624117728341884, 0.46248536687530095},
     {-0.78, -1.36},
     0.49,
     0.49,
     0.6,
     "a-c-e",
     "S",
     0.526853347402663,
     0.258158140227305,
     -1.37765072029332,
     0.369787188401606,
     0.101470634393753,
     -0.511133018277499,
     {-1.16196222522016, 0.758760339329364}},
    {"P03",
     2,
     {1.8661163876642397, 0.43305819383211974, 0.43305819383211974, 0.3333333333333333},
     {1.5478458773763795, 0.7965654722360866, 0.05543087482705267, -0.6045522710579295},
     {-1.34, 3.25},
     0.35,
     0.35,
     0.6,
     "a-b-e",
     "SR",
     2.34413808756664,
     0.62576057939083,
     -0.778676883340024,
     1.10566998915709,
     1.3593944777247,
     -0.306584991245196,
     {0.418394005475877, -1.79054499541769}},
    {"P04",
     2,
     {2.2153565272482543, 0.6076782636241271, 0.6076782636241271, 0.3333333333333333},
     {1.7589080523289211, 0.8632093666488737, -0.06018458785815073, -0.5048461045998575},
     {-3.43, 3.85},
     1.02,
     1.02,
     0.5,
     "a-b-e",
     "SK",
     5.33346342704393,
     3.93365416426481,
     0,
     1.3270220863687,
     4.21614969206148,
     -3.26129566802827,
     {1.37017021483103, -2.79191065000092}},
    {"P06",
     2,
     {1.9341654952912541, 0.467082747645627, 0.467082747645627, 0.3333333333333333},
     {1.5744782425346193, 0.8772005042746815, -0.2366768282580089, 0.4801242290285341},
     {0.04, -1.67},
     0.64,
     0.64,
     0.4,
     "a-c-d-e",
     "SK",
     0.571784724769899,
     0.341360098579111,
     0,
     0.301250693849579,
     0.165411976965281,
     -0.246150023642204,
     {-0.274251482222148, 0.49225118959397}},
    {"P07",
     2,
     {1.8661163876642397, 0.43305819383211974, 0.43305819383211974, 0.3333333333333333},
     {1.5478458773763795, 0.7965654722360866, 0.05543087482705267, -0.6045522710579295},
     {-1.34, 3.25},
     0.35,
     0.6,
     0.6,
     "a-b-e",
     "SK",
     2.70591644217979,
     1.18699033211809,
     0,
     1.07347868807579,
     1.52479489580951,
     -0.0250526295632304,
     {0.872628863652777, -1.69564842585126}},
    {"P09",
     2,
     {2.2153565272482543, 0.6076782636241271, 0.6076782636241271, 0.3333333333333333},
     {1.7589080523289211, 0.8632093666488737, -0.06018458785815073, -0.5048461045998575},
     {-2.065030008024051, 4.207783244423276},
     0.6,
     0.6,
     0.5,
     "a-c-e",
     "K",
     3.59129415476246,
     1.84366629718401,
     0,
     1,
     2.39419610317497,
     -4.44089209850063e-16,
     {1.03251500401203, -2.10389162221164}},
    {"P10",
     2,
     {1.8661163876642397, 0.43305819383211974, 0.43305819383211974, 0.3333333333333333},
     {1.5478458773763795, 0.7965654722360866, 0.05543087482705267, -0.6045522710579295},
     {-1.6257963448104624, 3.159165514297642},
     0.35,
     0.35,
     0.5,
     "a-c-e",
     "R",
     2.40186287170638,
     0.840652005097233,
     -0.905258263531143,
     1,
     1.60124191447092,
     -0.380503587184147,
     {0.254400941215411, -1.63079088520558}},
    {"P11",
     2,
     {1.677462783724934, 0.33873139186246704, 0.33873139186246704, 0.3333333333333333},
     {1.4212208132838322, 0.7311458297268959, -0.041516671414954964, 0.6822212072876137},
     {2.28, -3.49},
     0.0,
     0.0,
     0.5,
     "a-c-e",
     "S",
     2.06159203524598,
     0,
     3.00306300366604,
     1.23780501212993,
     1.70123263612975,
     0,
     {1.14380395591948, 1.8839812239802}},
    {"P12",
     2,
     {1.8661163876642397, 0.43305819383211974, 0.43305819383211974, 0.3333333333333333},
     {1.5478458773763795, 0.7965654722360866, 0.05543087482705267, -0.6045522710579295},
     {-1.34, 3.25},
     0.35,
     0.35,
     0.0,
     "a-b-e",
     "SR",
     1.45891552246116,
     0.315932681603914,
     -0.445037918532407,
     0,
     1.3593944777247,
     -0.117014498967762,
     {-0.274565232141932, -0.0251746486504583}},
    {"P13",
     2,
     {2.2153565272482543, 0.6076782636241271, 0.6076782636241271, 0.3333333333333333},
     {1.7589080523289211, 0.8632093666488737, -0.06018458785815073, -0.5048461045998575},
     {-3.43, 3.85},
     1.02,
     1.02,
     1.0,
     "a-b-e",
     "SK",
     6.92203898104947,
     4.74918279635041,
     0,
     2.6540441727374,
     4.21614969206148,
     -3.26129566802826,
     {2.74034042966205, -5.58382130000184}},
    {"P14",
     2,
     {1.8661163876642397, 0.43305819383211974, 0.43305819383211974, 0.3333333333333333},
     {1.5478458773763795, 0.7965654722360866, 0.05543087482705267, -0.6045522710579295},
     {-1.34, 3.25},
     0.35,
     0.35,
     1.0,
     "a-b-e",
     "SR",
     2.93428646430362,
     0.832312511248774,
     -1.00110285987843,
     1.84278331526182,
     1.3593944777247,
     -0.490393463366901,
     {0.880366830554416, -2.96745855992917}},
    {"G01",
     3,
     {3.0, 0.4, 0.2, 0.4, 2.0, -0.3, 0.2, -0.3, 1.0},
     {1.0, 0.5, 0.2, -0.3, 1.0, 0.8},
     {0.3, -1.0, -2.0},
     0.3,
     0.3,
     0.7,
     "a-b-e",
     "SR",
     2.71385893865587,
     0.0100131498434924,
     0.229067411452392,
     1.78283109107822,
     2.08459779739785,
     -0.169676451296617,
     {-0.419698801536019, 0.938143401336235, 0.898472561601472}},
    {"G02",
     3,
     {3.0, 0.4, 0.2, 0.4, 2.0, -0.3, 0.2, -0.3, 1.0},
     {1.0, 0.5, 0.2, -0.3, 1.0, 0.8},
     {1.2, -1.0, -2.0},
     0.55,
     0.55,
     0.9,
     "a-c-e",
     "S",
     3.80025479225491,
     -2.0901401357402,
     0.528504111194718,
     2.664,
     2.96019846975646,
     -0.865844847716919,
     {-0.417168329273047, 1.24384026065297, 1.61876155070639}},
    {"G03",
     2,
     {3.5714285714285707, -2.1428571428571423, -2.1428571428571423, 1.7857142857142854},
     {1.0, 0.0, 0.0, 1.0},
     {1.0, -0.5},
     2.0,
     2.0,
     0.5,
     "a-b-e",
     "SK",
     4.31409116636396,
     -6.17690939963675,
     0,
     0.715891053163818,
     1.83035714285714,
     -1.25,
     {-8.88178419700125e-16, 0.715891053163817}},
    {"G04",
     2,
     {0.5714285714285714, -0.2857142857142857, -0.2857142857142857, 1.1428571428571428},
     {1.0, 0.0, 0.0, 1.0},
     {0.5, -0.75},
     0.5,
     0.5,
     0.5,
     "a-b-e",
     "SK",
     1.46291004988628,
     -0.615727512471569,
     0,
     0.405046293650491,
     0.375,
     -0.125,
     {0.0, 0.405046293650491}},
    {"G05",
     2,
     {1.1428571428571428, -0.2857142857142857, -0.2857142857142857, 0.5714285714285714},
     {1.0, 0.0, 0.0, 1.0},
     {0.7, -1.0},
     0.5,
     0.5,
     0.5,
     "a-c-e",
     "S",
     0.857142857142857,
     -0.428571428571429,
     0.7,
     0.5,
     0.285714285714286,
     -0.3,
     {0.7, 0.5}},
    {"G06",
     3,
     {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.4},
     {1.0, 0.0, 1.0, 0.0, 1.0, 0.0},
     {5.0, -1.0, 0.0},
     0.2,
     0.2,
     0.8,
     "a-c-e",
     "S",
     1.8,
     -0.36,
     3.74,
     0.8,
     0.5,
     -1.5732,
     {4.64, 0.8, -0.9}},
    {"G07",
     3,
     {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.4},
     {1.0, 0.0, 1.0, 0.0, 1.0, 0.0},
     {1.0, -1.0, 0.0},
     0.4,
     0.4,
     0.8,
     "a-b-e",
     "SK",
     1.8,
     -0.285714285714286,
     0,
     0.8,
     0.5,
     -0.142857142857143,
     {0.714285714285714, 0.8, -0.714285714285714}},
};

Coefficients coefficients_of(const Case& c) { return {c.e, c.mu_s, c.mu_k}; }

PlanarContact contact_of(const Case& c) {
  const std::size_t n = std::size_t(c.n);
  return {{c.M.data(), n * n}, {c.J.data() + n, n}, {c.J.data(), n}, {c.u.data(), n}};
}

class PlanarCases : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, PlanarCases, testing::ValuesIn(cases),
                         [](const auto& c) { return c.param.name; });

TEST_P(PlanarCases, AgreeWithTheTable) {
  const Case& c = GetParam();
  std::array<double, 3> after{};
  std::array<double, 15> room{};
  const Outcome o = solve(contact_of(c), coefficients_of(c), {after.data(), std::size_t(c.n)}, room);
  ASSERT_EQ(o.status, Status::done);
  EXPECT_STREQ(order_of(o), c.order);
  EXPECT_EQ(modes_of(o), c.modes);
  constexpr double band = 1e-10;
  EXPECT_NEAR(o.impulse.x, c.pn, band);
  EXPECT_NEAR(o.impulse.y, c.pt, band);
  EXPECT_NEAR(o.velocity.x, c.vn, band);
  EXPECT_NEAR(o.velocity.y, c.vt, band);
  EXPECT_NEAR(o.stored, c.stored, band);
  EXPECT_NEAR(o.friction, c.friction, band);
  for (std::size_t i = 0; i < std::size_t(c.n); ++i) EXPECT_NEAR(after[i], c.after[i], band);
  EXPECT_NEAR(o.released, c.e * c.e * o.stored, 1e-12 * o.stored);
}

/// A system of n = 2 .. 12 coordinates that approaches.
test::Marching random_system(test::Random& random) {
  const std::size_t n = std::size_t(2 + random.below(11));
  std::vector<double> A(n * n);
  for (double& a : A) a = random.between(-1, 1);
  test::Marching m;
  m.M.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) m.M[i * n + j] += A[i * n + k] * A[j * n + k];
      if (i == j) m.M[i * n + j] += 0.1;
    }
  for (std::vector<double>* row : {&m.tangent, &m.normal, &m.u}) {
    row->resize(n);
    for (double& x : *row) x = random.between(-1, 1);
  }
  if (test::product(m.normal, m.u) > 0)
    for (double& x : m.u) x = -x;
  m.friction_kinetic = random.below(10) == 0 ? 0 : random.between(0, 2);
  m.friction_static = m.friction_kinetic * (random.below(2) == 0 ? 1 : random.between(1, 1.5));
  m.restitution = random.below(10) == 0 ? random.below(2) : random.unit();
  return m;
}

TEST(Planar, RandomSystemsAgreeWithBruteForce) {
  test::Random random(20110501);
  const int count = test::cases(2000, 100000);
  std::array<int, 5> seen{};
  double worst = 0, worst_ratio = 0;
  for (int i = 0; i < count; ++i) {
    test::Marching march = random_system(random);
    const std::vector<double> before = march.u;
    std::vector<double> after(before.size()), room(scratch_of(before.size()));
    const Coefficients k{march.restitution, march.friction_static, march.friction_kinetic};
    const Outcome o = solve(PlanarContact{march.M, march.normal, march.tangent, march.u}, k, after, room);
    ASSERT_EQ(o.status, Status::done) << i;
    march.run();
    double size = 0, error = 0;
    for (std::size_t j = 0; j < after.size(); ++j) {
      size = std::max({size, std::fabs(march.u[j]), std::fabs(before[j])});
      error = std::max(error, std::fabs(after[j] - march.u[j]));
    }
    worst = std::max(worst, error / size);
    ASSERT_LE(error, 1e-8 * size) << i << " " << order_of(o) << " " << modes_of(o);
    worst_ratio =
        std::max(worst_ratio, std::fabs(o.released - k.restitution * k.restitution * o.stored) / o.stored);
    ASSERT_LE(o.friction, 0) << i;
    ASSERT_LE(o.energy_change(), 1e-14 * o.stored) << i;  // round-off of e = 1
    // The books are those of the velocities: p.(u + u+)/2.
    const double work = 0.5 * (o.impulse.x * (o.velocity.x + test::product(march.normal, before)) +
                               o.impulse.y * (o.velocity.y + test::product(march.tangent, before)));
    ASSERT_NEAR(o.energy_change(), work, 1e-11 * (o.stored - o.friction)) << i;
    const std::string path = std::string(order_of(o)) + modes_of(o);
    const std::array<const char*, 5> paths{"a-c-eS", "a-b-eSK", "a-b-eSR", "a-c-d-eSK", "a-c-d-eSR"};
    for (std::size_t j = 0; j < paths.size(); ++j) seen[j] += path == paths[j];
  }
  EXPECT_LE(worst_ratio, 1e-12);
  for (const int s : seen) EXPECT_GT(s, 0);  // all paths occur
  RecordProperty("worst_relative_difference", std::to_string(worst * 1e12) + "e-12");
}

TEST(Planar, LawsAgreeWhereThePathHasNoBend) {
  for (const Law law : {Law::energetic, Law::poisson, Law::newton}) {
    const Outcome o = solve(PlanarImpact{1.5, 0.2, 1, -2, 5, {0.6, 0.3, 0.3, law}});
    EXPECT_NEAR(o.velocity.x, 1.2, 1e-15) << name_of(law);
    EXPECT_EQ(o.restitution, 0.6);
    EXPECT_FALSE(o.lowered);
  }
}

// The jam of the table: after it has stuck, Newton's law asks for 0.25 and Poisson's for more than energy
// allows.
TEST(Planar, NewtonAndPoissonNeverGiveBackMoreThanWasStored) {
  test::Random random(7);
  int lowered[2] = {0, 0};
  for (int i = 0; i < test::cases(5000, 100000); ++i) {
    const double nn = random.between(0.2, 3), tt = random.between(0.2, 3);
    const double nt = random.between(-0.99, 0.99) * std::sqrt(nn * tt), mu = random.between(0, 2);
    for (const Law law : {Law::poisson, Law::newton}) {
      const PlanarImpact in{
          nn, nt, tt, -random.between(0.1, 2), random.between(-3, 3), {random.unit(), mu, mu, law}};
      const Outcome o = solve(in);
      ASSERT_EQ(o.status, Status::done);
      ASSERT_LE(o.released, o.stored * (1 + 1e-14));
      ASSERT_LE(o.energy_change(), 1e-14 * o.stored);
      lowered[law == Law::newton] += o.lowered;
      if (o.lowered) {
        ASSERT_NEAR(o.released, o.stored, 1e-12 * o.stored);
        ASSERT_LT(o.restitution, in.coefficients.restitution);
      } else if (law == Law::newton) {
        ASSERT_NEAR(o.velocity.x, -in.coefficients.restitution * in.vn, 1e-12);
      }
    }
  }
  EXPECT_GT(lowered[0], 0);
  EXPECT_GT(lowered[1], 0);
}

TEST(Planar, RefusesWhatIsNoImpactAndSaysWhy) {
  EXPECT_EQ(solve(PlanarImpact{1, 0, 1, 0.1, 2, {}}).status, Status::separating);
  const PlanarImpact bad{1, 2, 1, -1, 0, {1.5, 0.1, 0.2}};
  EXPECT_EQ(solve(bad).status, Status::bad_input);
  EXPECT_EQ(solve(bad).velocity.x, -1);
  const std::vector<std::string> faults = validate(bad);
  ASSERT_EQ(faults.size(), 3u);
  EXPECT_EQ(faults[0].find("W: "), 0u);
  EXPECT_EQ(faults[1].find("restitution: "), 0u);
  EXPECT_EQ(faults[2].find("friction_static: "), 0u);
  EXPECT_EQ(solve(PlanarImpact{1, 0, 1, -1, std::nan(""), {}}).status, Status::bad_input);
}

}  // namespace
}  // namespace stiction::impact
