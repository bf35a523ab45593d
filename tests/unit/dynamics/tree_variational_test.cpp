// The variational integrator of trees: it solves the discrete Euler-Lagrange equations, keeps momentum, goes
// back, is of second order, agrees with Runge-Kutta, and says so when it cannot.
#include <gtest/gtest.h>

#include "allocation_count.h"
#include "stiction/dynamics/tree/variational.h"
#include "stiction/dynamics/variational_rotation.h"
#include "support/tree_state.h"
#include "support/trees.h"

namespace stiction::test {
namespace {

tree::Description weightless(tree::Description d) {
  d.gravity = {};
  return d;
}
tree::Description with_springs(tree::Description d, double stiffness, double armature = 0) {
  for (tree::Link& l : d.links) {
    l.stiffness.assign(std::size_t(tree::dof_count(l.joint)), stiffness);
    l.armature.assign(std::size_t(tree::dof_count(l.joint)), armature);
  }
  return d;
}

struct Mover : TreeState {
  using TreeState::TreeState;
  tree::Variational w{};
  tree::VariationalReport last{};
  std::vector<double> held{};  // empty: no forces but those of the tree

  bool advance(double h, int steps = 1) {
    for (int i = 0; i < steps; ++i) {
      last = tree::advance_variationally(f(), p(), h, held, {}, q, v, w);
      if (!last.done()) return false;
    }
    return true;
  }
};

// The discrete Lagrangian of a step, from the poses of its two ends alone.
double discrete_lagrangian(TreeState& s, const std::vector<double>& q0, const std::vector<double>& q1,
                           double h) {
  tree::Kinematics a, b;
  tree::update_positions(s.f(), s.p(), q0, a), tree::update_positions(s.f(), s.p(), q1, b);
  double kinetic = 0;
  for (int i = 0; i < s.f().link_count(); ++i) {
    const auto at = std::size_t(i);
    const double m = s.p().inertia[at].mass;
    const Vec3 dc = tree::centre_of_mass(b, i) - tree::centre_of_mass(a, i);
    const Quat c = quaternion_of(transposed(a.pose[at].turn) * b.pose[at].turn);  // body axes
    const Vec3 xi = (2 / (h * c.w)) * Vec3{c.x, c.y, c.z}, centre = s.p().inertia[at].moment / m;
    const Vec3 l = s.p().inertia[at].about_origin * xi - point_moments(m, centre) * xi;
    kinetic += 0.5 * h * (m * norm2(dc) / (h * h) + dot(xi, l));
  }
  std::vector<double> mean(s.v.size());
  tree::difference(s.f(), q0, q1, mean);
  for (std::size_t d = 0; d < mean.size(); ++d) kinetic += 0.5 / h * s.p().armature[d] * mean[d] * mean[d];
  const auto potential = [&](const tree::Kinematics& k, const std::vector<double>& q) {
    return tree::gravity_energy(s.f(), s.p(), k) + tree::spring_energy(s.f(), s.p(), q);
  };
  return kinetic - 0.5 * h * (potential(a, q0) + potential(b, q1));
}

// Two steps q0 -> q1 -> q2 make the sum of both Lagrangians stationary in q1, by central differences: error
// e^2 from their curvature, 1e-16 / e from round-off, each times the size of the momenta; e = 1e-5.
TEST(TreeVariational, MakesTheActionStationary) {
  for (const double armature : {0.0, 0.3}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Mover s(with_springs(random_tree(60 + seed, 12, 0.2), 7, armature));
      s.randomise(seed);
      const double h = 0.02, e = 1e-5;
      const std::vector<double> q0 = s.q;
      ASSERT_TRUE(s.advance(h)) << tree::explain(s.last, s.f(), h);
      const std::vector<double> q1 = s.q, v1 = s.v;
      ASSERT_TRUE(s.advance(h));
      const std::vector<double> q2 = s.q;
      s.q = q1, s.v = v1, s.move();
      tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
      std::vector<double> p(s.v.size()), unit(s.v.size()), moved(q1.size());
      tree::multiply(s.f(), s.m.rows, s.v, p);
      double scale = 0;
      for (const double x : p) scale = std::max(scale, std::fabs(x));
      for (std::size_t d = 0; d < unit.size(); ++d) {
        std::fill(unit.begin(), unit.end(), 0), unit[d] = 1;
        double before = 0, after = 0;  // of the first and the second Lagrangian
        for (const double side : {-1.0, 1.0}) {
          tree::integrate(s.f(), q1, unit, side * e, moved);
          before += side * discrete_lagrangian(s, q0, moved, h) / (2 * e);
          after += side * discrete_lagrangian(s, moved, q2, h) / (2 * e);
        }
        EXPECT_LT(std::fabs(before + after), 2e-8 * scale) << d;
        EXPECT_LT(std::fabs(before - p[d]), 2e-8 * scale) << d;  // and v is M^-1 of the momentum
      }
    }
  }
}

// A tree of one free body, not at its origin: the rotation of dynamics/variational_rotation.h, and Verlet.
TEST(TreeVariational, TreeOfOneIsAFreeBody) {
  const Vec3 inertia{0.3, 0.5, 0.6}, spin{0.7, 4.0, -1.1}, centre{0.2, -0.1, 0.3};
  const Quat start = normalized(Quat{0.9, 0.2, -0.3, 0.1});
  Mover s({.gravity = earth,
           .links = {{.name = "body",
                      .joint = tree::JointKind::free,
                      .mass = 2,
                      .centre = centre,
                      .inertia = Mat3::diagonal(inertia)}}});
  const Vec3 c0{0.1, 0.2, 0.3}, u0{1, 2, 3}, o = c0 - rotate(start, centre),
                                             u = u0 - cross(spin, rotate(start, centre));
  s.q = {o.x, o.y, o.z, start.w, start.x, start.y, start.z};
  s.v = {u.x, u.y, u.z, spin.x, spin.y, spin.z};
  const double h = 0.05;
  RotationStep r{start, spin};
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(s.advance(h));
    r = rotate_variationally(inertia, r.orientation, r.spin, h);
  }
  EXPECT_LT(norm(logarithm(Quat{s.q[3], s.q[4], s.q[5], s.q[6]} * conjugate(r.orientation))), 1e-12);
  EXPECT_LT(norm(Vec3{s.v[3], s.v[4], s.v[5]} - r.spin), 1e-12);
  s.move();  // Verlet is exact for a parabola
  EXPECT_LT(norm(tree::centre_of_mass(s.k(), 0) - (c0 + 2.5 * u0 + 3.125 * earth)), 1e-12);
}

// A floating tree keeps both momenta, a hanging one the part about the vertical, a symmetric top also its own
// spin: to round-off, at a step so large that the energy is not.
TEST(TreeVariational, KeepsMomentum) {
  Mover s(weightless(with_springs(humanoid(), 0)));
  s.randomise(3);
  for (double& x : s.v) x *= 2;
  s.move();
  const tree::Momentum moving = tree::momentum(s.k(), 0, s.f().link_count());
  const Vec3 stop = moving.linear / moving.mass;  // else c x P of a long way hides the angular momentum
  s.v[0] -= stop.x, s.v[1] -= stop.y, s.v[2] -= stop.z;
  s.move();
  const tree::Momentum a = tree::momentum(s.k(), 0, s.f().link_count());
  const double energy = s.energy();
  double off = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(s.advance(0.04)) << tree::explain(s.last, s.f(), 0.04);
    off = std::max(off, std::fabs(s.energy() / energy - 1));
  }
  EXPECT_GT(off, 1e-3);
  const tree::Momentum b = tree::momentum(s.k(), 0, s.f().link_count());
  const double scale = std::sqrt(2 * energy * a.mass), linear = norm(b.linear - a.linear) / scale,
               angular = norm(b.angular - a.angular) / norm(a.angular);
  // 1000 steps with an error of 2e-16 each would make 6e-15 at random, 2e-13 if all went the same way.
  EXPECT_LT(linear, 5e-14);
  EXPECT_LT(angular, 5e-14);
  RecordProperty("linear", std::to_string(linear * 1e15) + "e-15");
  RecordProperty("angular", std::to_string(angular * 1e15) + "e-15");

  Mover t(top());
  t.q = {std::cos(0.3), std::sin(0.3), 0, 0}, t.v = {1, 2, 60};
  const auto momenta = [&] {
    t.move();
    const Vec3 pivot = t.k().pose[0].position;
    const tree::Momentum m = tree::momentum(t.k(), 0, 1);
    const Vec3 L = m.angular - cross(pivot, m.linear);
    return std::pair{L.z, dot(L, t.k().pose[0].turn.column(2))};
  };
  const auto [vertical, own] = momenta();
  ASSERT_TRUE(t.advance(0.01, 10000)) << tree::explain(t.last, t.f(), 0.01);
  const auto [vertical_end, own_end] = momenta();
  EXPECT_NEAR(vertical_end / vertical, 1, 1e-12);
  EXPECT_NEAR(own_end / own, 1, 1e-12);
}

// There and back again, by turning the velocities round and by a negative step.
TEST(TreeVariational, GoesBack) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Mover s(with_springs(random_tree(80 + seed, 10), 5));
    s.randomise(seed);
    const std::vector<double> q = s.q, v = s.v;
    std::vector<double> off(v.size());
    ASSERT_TRUE(s.advance(0.005, 40));
    for (double& x : s.v) x = -x;
    ASSERT_TRUE(s.advance(0.005, 40));
    tree::difference(s.f(), q, s.q, off);
    for (std::size_t d = 0; d < v.size(); ++d) {
      EXPECT_NEAR(off[d], 0, 1e-10);
      EXPECT_NEAR(s.v[d], -v[d], 1e-10 * std::max(1.0, std::fabs(v[d])));
    }
    s.q = q, s.v = v;
    ASSERT_TRUE(s.advance(0.005, 40));
    ASSERT_TRUE(s.advance(-0.005, 40));
    tree::difference(s.f(), q, s.q, off);
    for (std::size_t d = 0; d < v.size(); ++d) {
      EXPECT_NEAR(off[d], 0, 1e-10);
      EXPECT_NEAR(s.v[d], v[d], 1e-10 * std::max(1.0, std::fabs(v[d])));
    }
  }
}

// Against fine Runge-Kutta: the error falls by 4 when the step is halved, and what is left after
// extrapolation by 16 (the method is symmetric: even powers of h only). With dampers: by 4.
TEST(TreeVariational, IsOfSecondOrderAndAgreesWithRungeKutta) {
  for (const double damping : {0.0, 0.4}) {
    tree::Description d = with_springs(random_tree(32, 9), 5, 0.1);
    for (tree::Link& l : d.links) l.damping.assign(std::size_t(tree::dof_count(l.joint)), damping);
    TreeState truth(d);
    truth.randomise(5);
    runge_kutta(truth, 1e-4, 2000);
    const auto off = [&](double h) {
      Mover s(d);
      s.randomise(5);
      EXPECT_TRUE(s.advance(h, int(std::lround(0.2 / h))));
      std::vector<double> both(s.v.size());
      tree::difference(s.f(), truth.q, s.q, both);
      for (std::size_t i = 0; i < s.v.size(); ++i) both.push_back(s.v[i] - truth.v[i]);
      return both;
    };
    const auto largest = [](const std::vector<double>& x) {
      double m = 0;
      for (const double e : x) m = std::max(m, std::fabs(e));
      return m;
    };
    const std::vector<double> a = off(2e-3), b = off(1e-3), c = off(5e-4);
    EXPECT_NEAR(std::log2(largest(a) / largest(b)), 2, 0.02);
    EXPECT_NEAR(std::log2(largest(b) / largest(c)), 2, 0.01);
    std::vector<double> ab, bc;
    for (std::size_t i = 0; i < a.size(); ++i)
      ab.push_back((4 * b[i] - a[i]) / 3), bc.push_back((4 * c[i] - b[i]) / 3);
    if (damping == 0) {
      EXPECT_NEAR(std::log2(largest(ab) / largest(bc)), 4, 0.1);
    }
    EXPECT_LT(largest(bc), 1e-6 * largest({truth.v}));
    RecordProperty(damping == 0 ? "left" : "left_damped", std::to_string(largest(bc) * 1e9) + "e-9");
  }
}

// Given forces act as they do in Runge-Kutta; external wrenches, too.
TEST(TreeVariational, TakesForces) {
  const tree::Description d = weightless(random_tree(33, 6));
  const double h = 1e-3;
  TreeState s(d);
  s.randomise(4);
  tree::set_neutral(s.f(), s.q);
  std::vector<SpatialForce> external(s.f().parent.size());
  external[3] = {{0.1, -0.2, 0.3}, {1, 2, -1}};
  std::vector<double> q = s.q, v = s.v, v0 = s.v, tau = s.tau;
  tree::Variational w;
  ASSERT_TRUE(tree::advance_variationally(s.f(), s.p(), h, tau, external, q, v, w).done());
  s.forward(external);
  std::vector<double> rate(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) rate[i] = (v[i] - v0[i]) / h;
  EXPECT_LT(relative_error(rate, s.dv), 0.1);  // first order in h
  std::vector<double> half(v.size()), qh = s.q, vh = s.v;
  ASSERT_TRUE(tree::advance_variationally(s.f(), s.p(), h / 2, tau, external, qh, vh, w).done());
  for (std::size_t i = 0; i < v.size(); ++i) half[i] = 2 * (vh[i] - v0[i]) / (h / 2) - rate[i];
  EXPECT_LT(relative_error(half, s.dv), 1e-3);
}

// Steps of any size: the discrete equations are solved to round-off, or it says why not and nothing moved.
TEST(TreeVariational, SolvesOrSaysNo) {
  int done = 0, far = 0, lost = 0;
  for (int i = 0; i < 400; ++i) {
    Mover s(random_tree(std::uint64_t(i), 2 + i % 12));
    s.randomise(std::uint64_t(i));
    const double h = 0.01 * std::pow(2.0, i % 10);  // to 5 s: turns of several radians
    const std::vector<double> q = s.q, v = s.v;
    s.advance(h);
    switch (s.last.status) {
      case tree::VariationalReport::Status::done:
        ++done;
        EXPECT_LT(s.last.residual, 1e-13) << i;
        continue;
      case tree::VariationalReport::Status::turns_too_far:
        ++far;
        break;
      default:
        ++lost;
        EXPECT_EQ(s.last.status, tree::VariationalReport::Status::not_converged) << i;
    }
    EXPECT_GT(h, 0.02) << tree::explain(s.last, s.f(), h);
    EXPECT_EQ(s.q, q);
    EXPECT_EQ(s.v, v);
    EXPECT_NE(tree::explain(s.last, s.f(), h).find("is too large"), std::string::npos);
  }
  EXPECT_GT(done, 150);
  EXPECT_GT(far + lost, 20);
  RecordProperty("done_far_lost",
                 std::to_string(done) + " " + std::to_string(far) + " " + std::to_string(lost));
}

TEST(TreeVariational, NamesWhatIsWrong) {
  Mover s(pendulum());
  s.v = {400};
  EXPECT_FALSE(s.advance(0.01));
  EXPECT_EQ(tree::explain(s.last, s.f(), 0.01),
            "step 0.01 s is too large: 'rod' would turn by half a turn or more");
  EXPECT_EQ(s.v[0], 400);
  s.v = {NAN};
  EXPECT_FALSE(s.advance(0.01));
  EXPECT_EQ(tree::explain(s.last, s.f(), 0.01), "the motion of 'rod' is not finite");
  s.v = {1}, s.held = {1e308};
  EXPECT_FALSE(s.advance(0.01));
  EXPECT_EQ(s.v[0], 1);

  Mover mass(
      {.gravity = earth, .links = {{.name = "bead", .joint = tree::JointKind::revolute, .inertia = Mat3{}}}});
  EXPECT_FALSE(mass.advance(0.01));
  EXPECT_EQ(tree::explain(mass.last, mass.f(), 0.01), "the joint of 'bead' moves no mass");
}

// A tree at rest stays to the bit, fixed links have nothing to solve, and a hanging chain hangs.
TEST(TreeVariational, Rest) {
  Mover s(weightless(humanoid()));
  const std::vector<double> q = s.q;
  ASSERT_TRUE(s.advance(0.01, 3));
  EXPECT_EQ(s.q, q);
  Mover nothing({.gravity = earth, .links = {{.name = "rock"}}});
  EXPECT_TRUE(nothing.advance(0.01));
  Mover hanging(chain(50));
  ASSERT_TRUE(hanging.advance(0.01, 100));
  for (const double x : hanging.q) EXPECT_NEAR(x, 0, 1e-12);
}

// Long chains: as many iterations as short ones.
TEST(TreeVariational, LongChains) {
  for (const int count : {10, 100, 1000}) {
    Mover s(chain(count));
    s.randomise(9);
    for (double& x : s.q) x *= 0.05;
    for (double& x : s.v) x *= 2.0 / count;
    ASSERT_TRUE(s.advance(1e-3, 5)) << tree::explain(s.last, s.f(), 1e-3);
    EXPECT_LT(s.last.iterations, 20);
    EXPECT_LT(s.last.residual, 1e-9);  // round-off grows with the power 1.5 of the length
    RecordProperty("iterations_" + std::to_string(count), s.last.iterations);
    RecordProperty("residual_" + std::to_string(count), std::to_string(s.last.residual * 1e15) + "e-15");
  }
}

TEST(TreeVariational, NoAllocationAfterWarmUp) {
  Mover s(with_springs(random_tree(51, 40, 0.1), 1));
  s.randomise(1);
  ASSERT_TRUE(s.advance(1e-3));
  const long before = allocation_count();
  ASSERT_TRUE(s.advance(1e-3, 5));
  EXPECT_EQ(allocation_count() - before, 0);
}

}  // namespace
}  // namespace stiction::test
