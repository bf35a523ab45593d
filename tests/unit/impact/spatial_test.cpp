// Impacts in space: cases with known answers, the closed form in planes, energy, superballs.
//
// The table's numbers come from an independent program in double precision that agrees with Runge-Kutta in
// p_n to 1e-10; 1e-8 is the band.
#include "stiction/impact/spatial.h"

#include <gtest/gtest.h>

#include <array>

#include "stiction/impact/planar.h"
#include "stiction/impact/superball.h"
#include "stiction/math/elementary.h"
#include "support/random.h"
#include "support/size.h"

namespace stiction::impact {
namespace {

/// A free body with principal inertias, touching at an offset from its centre; the normal is z, tangents x,
/// y.
struct Body {
  double mass;
  Vec3 inertia, offset;

  /// Rows: velocity of the contact point along an axis, from (v, omega).
  Vec3 turning_row(const Vec3& axis) const { return cross(offset, axis); }
  Mat3 W() const {
    const std::array<Vec3, 3> axes{Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
    Mat3 out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Vec3 a = turning_row(axes[std::size_t(i)]), b = turning_row(axes[std::size_t(j)]);
        out(i, j) =
            (i == j ? 1 / mass : 0) + a.x * b.x / inertia.x + a.y * b.y / inertia.y + a.z * b.z / inertia.z;
      }
    return out;
  }
  Vec3 contact_velocity(const Vec3& v, const Vec3& omega) const {
    const Vec3 at = v + cross(omega, offset);
    return {at.z, at.x, at.y};
  }
  double energy(const Vec3& v, const Vec3& omega) const {
    return 0.5 * (mass * norm2(v) + dot(omega, times(inertia, omega)));
  }
};

const Body sphere{1, {0.4, 0.4, 0.4}, {0, 0, -1}}, box{2, {0.3, 0.5, 0.6}, {0.4, 0.3, -0.5}},
    rod{1, {0.05, 0.40, 0.42}, {0.7, 0.2, -0.35}}, symmetric_rod{1, {0.05, 0.40, 0.42}, {0.7, 0, -0.35}};

struct Case {
  const char* name;
  const Body* body;
  Vec3 v, omega;
  double mu_k, mu_s, e;
  const char* modes;
  Vec3 impulse, velocity;  // x, y, normal
  double energy, turn;     // [J], [degrees]
};
const std::vector<Case> cases{
    {"T1", &sphere, {3, 4, -1}, {}, .2, .2, .8, "S", {-.216, -.288, 1.8}, {2.244, 2.992, .8}, 11.2468, 0},
    {"T2",
     &sphere,
     {.6, .8, -1},
     {},
     .4,
     .4,
     .8,
     "SK",
     {-6.0 / 35, -8.0 / 35, 1.8},
     {0, 0, .8},
     .6771428571,
     0},
    {"T3",
     &box,
     {1.5, -2, -1},
     {.3, -.2, .5},
     .25,
     .25,
     .6,
     "S",
     {-.2341826170, .1763227391, 1.1815760204},
     {1.6180558507, -.7302590838, .4878534656},
     6.5772743548,
     24.4008328062},
    {"T4",
     &box,
     {.3, .6, -1.2},
     {.2, .4, -.3},
     .9,
     .9,
     .6,
     "SK",
     {-1.5540794821, -1.5607054875, 3.2126257672},
     {0, 0, .8961563227},
     .7140585560,
     0},
    {"T6",
     &symmetric_rod,
     {-.55, 0, -1.5},
     {0, -.6, 0},
     .15,
     .15,
     .7,
     "SR",
     {.0046277811, 0, .8102768465},
     {.1623396076, 0, .7257004994},
     1.2042985723,
     0},
    {"T8",
     &rod,
     {-.55, .05, -1.5},
     {.2, -.6, 0},
     .15,
     .15,
     .7,
     "S",
     {.0289856649, -.0787742642, .6091751245},
     {.1000009161, .5995087662, .7102245014},
     1.2182368315,
     -80.0299855527},
    {"T9",
     &symmetric_rod,
     {-.55, 0, -1.5},
     {0, -.6, 0},
     .15,
     2,
     .7,
     "SK",
     {-.1299255131, 0, .8321880840},
     {0, 0, .6920391101},
     1.2089091224,
     0},
};

class SpatialCases : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, SpatialCases, testing::ValuesIn(cases),
                         [](const auto& c) { return c.param.name; });

TEST_P(SpatialCases, AgreeWithTheTable) {
  const Case& c = GetParam();
  const Vec3 u = c.body->contact_velocity(c.v, c.omega);
  const Outcome o = solve(SpatialImpact{c.body->W(), u, {c.e, c.mu_s, c.mu_k}});
  ASSERT_EQ(o.status, Status::done);
  EXPECT_EQ(modes_of(o), c.modes);
  constexpr double band = 1e-8;
  EXPECT_NEAR(o.impulse.x, c.impulse.z, band);
  EXPECT_NEAR(o.impulse.y, c.impulse.x, band);
  EXPECT_NEAR(o.impulse.z, c.impulse.y, band);
  EXPECT_NEAR(o.velocity.x, c.velocity.z, band);
  EXPECT_NEAR(o.velocity.y, c.velocity.x, band);
  EXPECT_NEAR(o.velocity.z, c.velocity.y, band);
  EXPECT_NEAR(c.body->energy(c.v, c.omega) + o.energy_change(), c.energy, band);
  EXPECT_NEAR(o.released, c.e * c.e * o.stored, 1e-12 * o.stored);
  if (norm2(c.velocity) > c.velocity.z * c.velocity.z && modes_of(o) == "S") {
    const double before = elementary::atan2(u.z, u.y), after = elementary::atan2(o.velocity.z, o.velocity.y);
    double turn = (after - before) * (180 / 3.14159265358979323846);
    turn -= turn > 180 ? 360 : turn < -180 ? -360 : 0;
    EXPECT_NEAR(turn, c.turn, 1e-6);
  }
}

TEST(Spatial, TakesNoStepsWhereSlipIsStraight) {
  const Outcome central = solve(SpatialImpact{sphere.W(), {-1, 0.6, 0.8}, {0.8, 0.4, 0.4}});
  EXPECT_EQ(central.steps, 0);
  const Outcome turning = solve(SpatialImpact{box.W(), {-1, 0.6, 0.8}, {0.8, 0.4, 0.4}});
  EXPECT_GT(turning.steps, 0);
}

// In the plane of t1, W without coupling to t2: all laws, beside the closed form.
TEST(Spatial, AgreesWithTheClosedFormInPlanes) {
  test::Random random(5);
  for (int i = 0; i < test::cases(2000, 20000); ++i) {
    const double nn = random.between(0.2, 3), tt = random.between(0.2, 3), mu = random.between(0, 2);
    const double nt = random.between(-0.98, 0.98) * std::sqrt(nn * tt);
    const Coefficients k{random.unit(), mu * random.between(1, 1.5), mu, Law(random.below(3))};
    const PlanarImpact planar{nn, nt, tt, -random.between(0.1, 2), random.between(-3, 3), k};
    Mat3 W = Mat3::diagonal({nn, tt, random.between(0.2, 3)});
    W(0, 1) = W(1, 0) = nt;
    const Outcome a = solve(planar), b = solve(SpatialImpact{W, {planar.vn, planar.vt, 0}, k});
    ASSERT_EQ(modes_of(a), modes_of(b)) << i;
    ASSERT_STREQ(order_of(a), order_of(b)) << i;
    ASSERT_LE(norm(a.impulse - b.impulse), 1e-11 * norm(a.impulse)) << i;
    ASSERT_EQ(a.lowered, b.lowered) << i;
  }
}

/// Random symmetric positive definite W.
Mat3 random_matrix(test::Random& random) {
  Mat3 A;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A(i, j) = random.between(-1, 1);
  return A * transposed(A) + Mat3::diagonal({0.05, 0.05, 0.05});
}

/// The same slip by plain Runge-Kutta 4 in p_n with fixed steps, up to p_end; good where the least slip on
/// the way is not small.
Vec3 march(const SpatialImpact& in, double p_end, int steps, double& least_slip) {
  const double mu = in.coefficients.friction_kinetic;
  const auto rate = [&](const Vec3& u) {
    const double s = std::sqrt(u.y * u.y + u.z * u.z);
    return in.W * Vec3{1, -mu * u.y / s, -mu * u.z / s};
  };
  Vec3 u = in.u;
  const double h = p_end / steps;
  for (int i = 0; i < steps; ++i) {
    least_slip = std::fmin(least_slip, std::sqrt(u.y * u.y + u.z * u.z));
    const Vec3 a = rate(u), b = rate(u + 0.5 * h * a), c = rate(u + 0.5 * h * b), d = rate(u + h * c);
    u += h / 6 * (a + 2.0 * b + 2.0 * c + d);
  }
  return u;
}

TEST(Spatial, RandomImpactsKeepTheLawsAndAgreeWithRungeKutta) {
  test::Random random(77);
  int marched = 0, stuck = 0, reversed = 0, lowered = 0;
  const int count = test::cases(1000, 20000);
  for (int i = 0; i < count; ++i) {
    const double mu = random.between(0, 1.5);
    const Coefficients k{random.unit(), mu * random.between(1, 1.3), mu, Law(random.below(3))};
    Vec3 u = random.vector(2);
    u.x = -std::fabs(u.x) - 0.1;
    const SpatialImpact in{random_matrix(random), u, k};
    const Outcome o = solve(in);
    ASSERT_EQ(o.status, Status::done) << i;
    // Velocity and impulse belong together, and so do the books.
    const double size = norm(in.u) + norm(o.velocity);
    ASSERT_LE(norm(in.u + in.W * o.impulse - o.velocity), 1e-10 * size) << i;
    const double work = 0.5 * dot(o.impulse, in.u + o.velocity);
    ASSERT_NEAR(o.energy_change(), work, 1e-9 * (o.stored - o.friction)) << i;
    ASSERT_LE(o.energy_change(), 1e-12 * o.stored) << i;
    ASSERT_LE(o.friction, 0) << i;
    ASSERT_LE(std::sqrt(o.impulse.y * o.impulse.y + o.impulse.z * o.impulse.z),
              k.friction_static * o.impulse.x * (1 + 1e-12))
        << i;
    ASSERT_GE(o.velocity.x, 0) << i;
    if (k.law == Law::energetic) {
      ASSERT_NEAR(o.released, k.restitution * k.restitution * o.stored, 1e-12 * o.stored);
    }
    const std::string modes = modes_of(o);
    stuck += modes == "SK", reversed += modes == "SR", lowered += o.lowered;
    if (modes != "S" || i % 10 != 0) continue;
    double least_slip = 1e300;
    const Vec3 marched_u = march(in, o.impulse.x, 20000, least_slip);
    if (least_slip < 0.1) continue;
    ASSERT_LE(norm(marched_u - o.velocity), 1e-8 * size) << i;
    ++marched;
  }
  EXPECT_GT(marched, count / 100);
  EXPECT_GT(stuck, 0);
  EXPECT_GT(lowered, 0);
  RecordProperty("reversed", reversed);
}

// Near a plane of symmetry slip almost stops and swings round: the limit is the reversal of the plane itself.
TEST(Spatial, StaysRegularWhereSlipAlmostVanishes) {
  const Case& t6 = cases[4];
  Vec3 u = t6.body->contact_velocity(t6.v, t6.omega);
  const SpatialImpact straight{t6.body->W(), u, {t6.e, t6.mu_s, t6.mu_k}};
  const Outcome limit = solve(straight);
  for (const double skew : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    SpatialImpact in = straight;
    in.u.z = skew;
    const Outcome o = solve(in);
    ASSERT_EQ(o.status, Status::done);
    // What is left of the skew at the end is of its own size.
    EXPECT_LE(norm(o.velocity - limit.velocity), 10 * skew) << skew;
    EXPECT_LT(o.steps, 2000);
  }
}

// Garwin's ball: e = e_t = 1 keeps the energy, turns slip and approach round, and does so twice to give the
// start.
TEST(Superball, KeepsTheEnergyAndTurnsSlipRound) {
  const SpatialImpact in{sphere.W(), {-1, 0.3, -0.2}, {1, 10, 10}};
  const SuperballOutcome o = solve_superball(in, 1);
  ASSERT_EQ(o.impact.status, Status::done);
  EXPECT_FALSE(o.slips);
  EXPECT_LE(norm(o.impact.velocity + in.u), 1e-15);
  EXPECT_NEAR(o.impact.energy_change(), 0, 1e-15);
  const SuperballOutcome smooth = solve_superball(in, -1);
  EXPECT_LE(norm(smooth.impact.impulse - Vec3{2, 0, 0}), 1e-15);  // 2 m |u_n|, no friction
}

// Walton: |p_t| = min(mu p_n, (1 + e_t) |u_t| / W_tt), with W_tt = 3.5 for this sphere.
TEST(Superball, IsWaltonsLawForSpheres) {
  for (const double slip : {0.05, 0.5, 1.0, 1.5, 2.0, 4.0})
    for (const double et : {-0.5, 0.0, 0.4, 0.9}) {
      const SuperballOutcome o = solve_superball({sphere.W(), {-1, slip, 0}, {0.8, 0.3, 0.3}}, et);
      EXPECT_NEAR(o.impact.impulse.y, -std::fmin(0.3 * 1.8, (1 + et) * slip / 3.5), 1e-14)
          << slip << " " << et;
      EXPECT_NEAR(o.impact.impulse.x, 1.8, 1e-14);
    }
}

TEST(Superball, NeverCreatesEnergyWithAnyBody) {
  test::Random random(11);
  int lowered = 0, slipped = 0, gripped = 0;
  for (int i = 0; i < test::cases(5000, 100000); ++i) {
    Vec3 u = random.vector(2);
    u.x = -std::fabs(u.x) - 0.05;
    const double mu = random.between(0, 2);
    const SpatialImpact in{random_matrix(random), u, {random.unit(), mu, mu}};
    const SuperballOutcome o = solve_superball(in, random.between(-1, 1));
    ASSERT_EQ(o.impact.status, Status::done);
    const double energy = dot(in.u, u);
    ASSERT_LE(0.5 * dot(o.impact.impulse, u + o.impact.velocity), 1e-12 * energy) << i;
    ASSERT_NEAR(o.impact.energy_change(), 0.5 * dot(o.impact.impulse, u + o.impact.velocity),
                1e-9 * energy / 0.05);
    ASSERT_GE(o.impact.velocity.x, 0);
    lowered += o.impact.lowered, slipped += o.slips, gripped += !o.slips && !o.impact.lowered;
  }
  EXPECT_GT(lowered, 0);
  EXPECT_GT(slipped, 0);
  EXPECT_GT(gripped, 0);
  EXPECT_EQ(solve_superball({sphere.W(), {-1, 0, 0}, {}}, 1.5).impact.status, Status::bad_input);
}

TEST(Spatial, RefusesWhatIsNoImpactAndSaysWhy) {
  Mat3 W = Mat3::diagonal({1, 1, 1});
  EXPECT_EQ(solve(SpatialImpact{W, {0, 1, 0}, {}}).status, Status::separating);
  W(0, 1) = 0.5;
  EXPECT_EQ(solve(SpatialImpact{W, {-1, 1, 0}, {}}).status, Status::bad_input);
  EXPECT_EQ(validate(SpatialImpact{W, {-1, 1, 0}, {}}).front(), "W: must be symmetric");
  const SpatialImpact turning{box.W(), {-1, 0.6, 0.8}, {0.8, 0.4, 0.4}};
  const Outcome o = solve(turning, {.max_steps = 3});
  EXPECT_EQ(o.status, Status::step_limit);
  EXPECT_EQ(o.velocity, turning.u);
}

}  // namespace
}  // namespace stiction::impact
