// Closed forms: M, J, collision matrices and impacts of a double pendulum; chains; joints of every kind by
// hand.
#include <gtest/gtest.h>

#include <array>

#include "support/tree_state.h"
#include "support/trees.h"

namespace stiction::test {
namespace {

struct Pendulum {
  TreeState s;
  Vec3 tip{};
  std::array<double, 6> J{};  // rows x, y, z
  explicit Pendulum(double m = 1, double r = 1) : s(double_pendulum(m, r)), r_(r) {}
  void at(double q1, double q2) {
    s.q = {q1, q2};
    s.move();
    tip = s.k().pose[1].position + s.k().pose[1].turn * transposed_times(s.p().to_engine[1], Vec3{r_, 0, 0});
    tree::contact_jacobian(s.f(), s.k(), 1, tip, Mat3::identity(), J);
    tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
  }
  double M(int i, int j) const { return tree::entry(s.f(), s.m.rows, i, j); }

 private:
  double r_;
};

// D. Morgan 2011, the matrices after equation (2.1):
//   J = r [-s1 - s12, -s12; c1 + c12, c12],   M = m r^2 [c2 + 5/3, c2/2 + 1/3; c2/2 + 1/3, 1/3]
// and the forces of motion and gravity from the same Lagrangian,
//   b = (m r^2/2) s2 [2 u1 u2 + u2^2, -u1^2],   G = -m g r [3/2 c1 + 1/2 c12, 1/2 c12].
TEST(DoublePendulum, MatricesOfTheDocument) {
  const double m = 1.3, r = 0.7, g = 9.81;
  Pendulum p(m, r);
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const double q1 = random.between(-4, 4), q2 = random.between(-4, 4), u1 = random.between(-5, 5),
                 u2 = random.between(-5, 5);
    p.s.v = {u1, u2};
    p.at(q1, q2);
    const double s1 = std::sin(q1), c1 = std::cos(q1), s12 = std::sin(q1 + q2), c12 = std::cos(q1 + q2),
                 s2 = std::sin(q2), c2 = std::cos(q2);
    const double k = m * r * r;
    EXPECT_NEAR(p.M(0, 0), k * (c2 + 5.0 / 3), 1e-14);
    EXPECT_NEAR(p.M(0, 1), k * (c2 / 2 + 1.0 / 3), 1e-14);
    EXPECT_NEAR(p.M(1, 1), k / 3, 1e-14);
    const double truth[] = {r * (-s1 - s12), -r * s12, r * (c1 + c12), r * c12, 0, 0};
    for (std::size_t e = 0; e < 6; ++e) EXPECT_NEAR(p.J[e], truth[e], 1e-14) << e;
    const std::vector<double> bias = p.s.inverse_of({0, 0});
    const double b1 = 0.5 * k * s2 * (2 * u1 * u2 + u2 * u2), b2 = -0.5 * k * s2 * u1 * u1;
    const double g1 = -m * g * r * (1.5 * c1 + 0.5 * c12), g2 = -m * g * r * 0.5 * c12;
    EXPECT_NEAR(bias[0], -(b1 + g1), 1e-12);
    EXPECT_NEAR(bias[1], -(b2 + g2), 1e-12);
  }
}

// Impacts of the double pendulum (m = r = 1) on a floor with normal y. From independent reference code, 15
// digits: m of equation (3.1), -a_tn / a_tt; kinetic energy before; and u1 = u0 + L p.
TEST(DoublePendulum, ImpactsOfTheReference) {
  struct Impact {
    const char* name;
    double q1, q2, u1, u2, m, p_n, p_t, kinetic, end1, end2;
  };
  const Impact cases[] = {
      {"P01", -2.38, 1.56, 2.28, -3.49, -0.576071244132433, 2.72361130084862, -1.06220840733096,
       3.69472450279649, 0.238592862778043, 1.82889447042626},
      {"P02", -2.07, 0.98, -0.78, -1.36, -0.472483274478873, 0.526853347402663, 0.258158140227305,
       1.63375768419775, -1.16196222522016, 0.758760339329364},
      {"P03", -0.85, -1.37, -1.34, 3.25, 0.529013479212785, 2.34413808756664, 0.62576057939083,
       1.54984752537274, 0.418394005475877, -1.79054499541769},
      {"P04", -1.11, -0.99, -3.43, 3.85, 0.513371007144905, 5.33346342704393, 3.93365416426481,
       7.47744536008975, 1.37017021483103, -2.79191065000092},
      {"P06", -2.37, 1.3, 0.04, -1.67, -0.423919031390915, 0.571784724769899, 0.341360098579111,
       0.435162871520172, -0.274251482222148, 0.49225118959397},
  };
  Pendulum p;
  for (const Impact& c : cases) {
    p.s.v = {c.u1, c.u2};
    p.at(c.q1, c.q2);
    EXPECT_NEAR(tree::kinetic_energy(p.s.f(), p.s.p(), p.s.k(), p.s.v), c.kinetic, 2e-14) << c.name;
    ASSERT_EQ(tree::factorise(p.s.f(), p.s.p(), p.s.k(), {}, p.s.d.articulated), -1);
    std::vector<double> L(6);
    const Mat3 axes{{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}};  // normal, tangent, out of the plane
    const Mat3 W =
        tree::impulse_response(p.s.f(), p.s.k(), p.s.d.articulated, 1, p.tip, axes, p.s.d.scratch, L);
    EXPECT_NEAR(-W(1, 0) / W(1, 1), c.m, 1e-13) << c.name;
    EXPECT_NEAR(c.u1 + L[0] * c.p_n + L[2] * c.p_t, c.end1, 1e-13) << c.name;
    EXPECT_NEAR(c.u2 + L[1] * c.p_n + L[3] * c.p_t, c.end2, 1e-13) << c.name;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(W(2, i), 0, 1e-15);  // nothing moves out of the plane
  }
}

// One link on each kind of joint against what is known of it, all from rest under gravity along -z.
TEST(TreeJoints, AccelerationsByHand) {
  using tree::JointKind;
  const double m = 2, g = 9.81;
  const Mat3 inertia = Mat3::diagonal({0.3, 0.4, 0.5});
  const auto start = [&](JointKind kind, const Vec3& axis, double pitch = 0) {
    TreeState s({.gravity = earth,
                 .links = {{.name = "a",
                            .joint = kind,
                            .axis = axis,
                            .pitch = pitch,
                            .mass = m,
                            .centre = {},
                            .inertia = inertia}}});
    EXPECT_EQ(s.forward(), -1);
    return s.dv;
  };
  const double r = std::sqrt(0.5);
  EXPECT_NEAR(start(JointKind::revolute, {0, 0, 1})[0], 0, 1e-15);
  EXPECT_NEAR(start(JointKind::prismatic, {0, 0, 1})[0], -g, 1e-14);
  EXPECT_NEAR(start(JointKind::prismatic, {3, 0, 3})[0], -g * r, 1e-14);  // any length of axis
  EXPECT_NEAR(start(JointKind::cylindrical, {0, 0, 1})[0], -g, 1e-14);
  EXPECT_NEAR(start(JointKind::cylindrical, {0, 0, 1})[1], 0, 1e-14);
  const double pitch = 0.05;  // a nut that slides down its screw: (I + m pitch^2) w' = -m g pitch
  EXPECT_NEAR(start(JointKind::screw, {0, 0, 1}, pitch)[0], -m * g * pitch / (0.5 + m * pitch * pitch),
              1e-13);
  EXPECT_EQ(start(JointKind::fixed, {0, 0, 1}).size(), 0u);
  const std::vector<double> planar = start(JointKind::planar, {1, 0, 0});  // in the y-z plane
  EXPECT_NEAR(std::hypot(planar[0], planar[1]), g, 1e-14);
  const std::vector<double> free = start(JointKind::free, {0, 0, 1});
  EXPECT_NEAR(free[2], -g, 1e-14);
}

// A prismatic joint on a turntable: Coriolis and centrifugal forces. Turntable about z with rate W held by
// its torque, slider at distance d with speed u: slider d'' = d W^2; torque = 2 m d u W.
TEST(TreeJoints, SliderOnATurntable) {
  TreeState s({.gravity = {},
               .links = {{.name = "table", .joint = tree::JointKind::revolute, .mass = 1},
                         {.name = "slider",
                          .parent = 0,
                          .joint = tree::JointKind::prismatic,
                          .axis = {1, 0, 0},
                          .mass = 0.7,
                          .inertia = {}}}});
  const double d = 0.6, u = 1.5, W = 3;
  s.q = {0.8, d}, s.v = {W, u};
  s.move();
  const std::vector<double> tau = s.inverse_of({0, d * W * W});
  EXPECT_NEAR(tau[1], 0, 1e-14);
  EXPECT_NEAR(tau[0], 2 * 0.7 * d * u * W, 1e-14);
}

// Far from the origin and at high common speed nothing is lost: accelerations are those of the tree at the
// origin. Reference points at the joints and equations without linear velocities make it so.
TEST(TreeJoints, FarAndFast) {
  TreeState near(humanoid()), far(humanoid());
  near.randomise(8);
  far.q = near.q, far.v = near.v, far.tau = near.tau;
  far.q[0] += 1e6, far.v[1] += 1e5;
  near.forward(), far.forward();
  EXPECT_LT(relative_error(far.dv, near.dv), 1e-15);
}

// J^T of a wrench is what inverse dynamics takes off for it.
TEST(TreeJoints, LinkWrenchIsAnExternalOne) {
  TreeState s(humanoid());
  s.randomise(3);
  s.move();
  const std::vector<double> zero(s.v.size(), 0.0), without = s.inverse_of(zero);
  for (int link = 0; link < s.f().link_count(); ++link) {
    std::vector<SpatialForce> external(s.f().parent.size());
    external[std::size_t(link)] = {{1, -2, 3}, {-4, 5, 6}};
    const std::vector<double> with = s.inverse_of(zero, external);
    std::vector<double> generalised = with;
    tree::add_link_wrench(s.f(), s.k(), link, external[std::size_t(link)], generalised);
    EXPECT_LT(relative_error(generalised, without), 1e-14);
  }
}

// A description in any order, parents after children, several trees: the same motion, link by link.
TEST(TreeOrder, DoesNotMatter) {
  const tree::Description d = random_tree(41, 30, 0.2);
  tree::Description mixed = d;
  const std::size_t n = d.links.size();
  const auto place = [&](int i) { return i < 0 ? -1 : int(n) - 1 - i; };
  for (std::size_t i = 0; i < n; ++i) {
    mixed.links[std::size_t(place(int(i)))] = d.links[i];
    mixed.links[std::size_t(place(int(i)))].parent = place(d.links[i].parent);
  }
  TreeState a(d), b(mixed);
  a.randomise(2);
  for (int i = 0; i < a.f().link_count(); ++i) {
    const auto from = std::size_t(i), to = std::size_t(b.f().find(a.f().name[from]));
    ASSERT_EQ(a.f().joint[from], b.f().joint[to]);
    std::copy(a.q.begin() + a.f().q_begin[from], a.q.begin() + a.f().q_begin[from + 1],
              b.q.begin() + b.f().q_begin[to]);
    std::copy(a.v.begin() + a.f().v_begin[from], a.v.begin() + a.f().v_begin[from + 1],
              b.v.begin() + b.f().v_begin[to]);
    std::copy(a.tau.begin() + a.f().v_begin[from], a.tau.begin() + a.f().v_begin[from + 1],
              b.tau.begin() + b.f().v_begin[to]);
  }
  a.forward(), b.forward();
  EXPECT_EQ(a.f().trees.size(), b.f().trees.size());
  EXPECT_GT(a.f().trees.size(), 1u);
  for (int i = 0; i < a.f().link_count(); ++i) {
    const auto from = std::size_t(i), to = std::size_t(b.f().find(a.f().name[from]));
    EXPECT_LT(norm(a.k().pose[from].position - b.k().pose[to].position), 1e-14);
    for (int k = 0; k < tree::dof_count(a.f().joint[from]); ++k) {
      const double x = a.dv[std::size_t(a.f().v_begin[from] + k)],
                   y = b.dv[std::size_t(b.f().v_begin[to] + k)];
      EXPECT_NEAR(x, y, 1e-10 * std::max(1.0, std::fabs(x)));
    }
  }
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(b.f().name[std::size_t(b.f().index[i])], mixed.links[i].name);
}

// A chain of ten thousand links: no recursion overflows, and forces come back.
TEST(TreeOrder, LongChain) {
  TreeState s(chain(10000));
  tree::RandomStream random(1);
  for (double& x : s.q) x = random.between(-0.2, 0.2);
  ASSERT_EQ(s.forward(), -1);
  const std::vector<double> back = s.inverse_of(s.dv);
  // The first joint carries 1000 kg over up to 1000 m: forces of 1e6 N m, round-off eps 1e6 sqrt(1e4).
  for (std::size_t d = 0; d < back.size(); ++d) ASSERT_NEAR(back[d], 0, 1e-7) << d;
}

}  // namespace
}  // namespace stiction::test
