// Motion of trees in time, by classical Runge-Kutta: what has to stay, stays.
#include <gtest/gtest.h>

#include "stiction/dynamics/rotation.h"
#include "support/tree_state.h"
#include "support/trees.h"

namespace stiction::test {
namespace {

tree::Description weightless(tree::Description d) {
  d.gravity = {};
  return d;
}

// The error of the energy falls with h^4 or faster (a test below); the steps are such that it is near
// round-off. The fastest motion is the spin of the top: (60 rad/s * 5e-5 s)^4 = 8e-11.
TEST(TreeMotion, EnergyStays) {
  tree::Description sprung = random_tree(31, 12);
  for (tree::Link& l : sprung.links) l.stiffness.assign(std::size_t(tree::dof_count(l.joint)), 20.0);
  struct Run {
    const char* name;
    tree::Description description;
    std::vector<double> spin;  // start velocity, empty = at random
    double h, limit;
  };
  const std::vector<Run> runs = {{"pendulum", pendulum(), {3}, 5e-4, 1e-12},
                                 {"double pendulum", double_pendulum(), {2, -3}, 5e-4, 1e-11},
                                 {"top", top(), {1, 2, 60}, 5e-5, 1e-11},
                                 {"humanoid", humanoid(), {}, 5e-4, 1e-10},
                                 {"springs", sprung, {}, 2e-4, 1e-10}};
  for (const Run& run : runs) {
    TreeState s(run.description);
    if (run.spin.empty()) {
      s.randomise(6);
      tree::set_neutral(s.f(), s.q);
    } else {
      s.v = run.spin;
    }
    const double start = s.energy();
    double kinetic = 0, worst = 0;
    for (int block = 0; block < 20; ++block) {
      runge_kutta(s, run.h, int(0.05 / run.h));
      worst = std::max(worst, std::fabs(s.energy() - start));
      kinetic = std::max(kinetic, tree::kinetic_energy(s.f(), s.p(), s.k(), s.v));
    }
    EXPECT_LT(worst / kinetic, run.limit) << run.name;
    RecordProperty(run.name, std::to_string(worst / kinetic * 1e12) + "e-12");
  }
}

// Runge-Kutta's fourth order on tumbling trees, springs included: only with consistent derivatives.
TEST(TreeMotion, FourthOrder) {
  tree::Description d = random_tree(32, 9);
  for (tree::Link& l : d.links) l.stiffness.assign(std::size_t(tree::dof_count(l.joint)), 5.0);
  const auto end = [&](double h) {
    TreeState s(d);
    s.randomise(5);
    runge_kutta(s, h, int(std::lround(0.2 / h)));
    return s.v;
  };
  const std::vector<double> truth = end(1e-4);
  const double coarse = relative_error(end(4e-3), truth), fine = relative_error(end(2e-3), truth);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3) << coarse << " " << fine;
}

// A free-floating tree without gravity keeps its momentum and its angular momentum about any point; with
// gravity the centre of mass falls like a stone.
TEST(TreeMotion, MomentumOfAFloatingTreeStays) {
  TreeState s(weightless(humanoid()));
  s.randomise(3);
  s.move();
  const tree::Momentum a = tree::momentum(s.k(), 0, s.f().link_count());
  runge_kutta(s, 5e-4, 1000);
  s.move();
  const tree::Momentum b = tree::momentum(s.k(), 0, s.f().link_count());
  EXPECT_LT(norm(b.linear - a.linear), 1e-11 * norm(a.linear));
  EXPECT_LT(norm(b.angular - a.angular), 1e-11 * norm(a.angular));
  EXPECT_LT(norm(b.centre - (a.centre + 0.5 / a.mass * a.linear)), 1e-11);

  TreeState heavy(humanoid());
  heavy.randomise(3);
  runge_kutta(heavy, 5e-4, 1000);
  heavy.move();
  const tree::Momentum c = tree::momentum(heavy.k(), 0, heavy.f().link_count());
  EXPECT_LT(norm(c.centre - (b.centre + 0.125 * earth)), 1e-11);
}

// What the dampers take is what is missing.
TEST(TreeMotion, DampersTakeTheirPower) {
  tree::Description d = humanoid();
  for (std::size_t i = 1; i < d.links.size(); ++i)
    d.links[i].damping.assign(std::size_t(tree::dof_count(d.links[i].joint)), 0.5);
  TreeState s(d);
  s.randomise(6);
  tree::set_neutral(s.f(), s.q);
  for (double& x : s.v) x *= 3;
  const double h = 1e-4, start = s.energy();
  double taken = 0;
  for (int i = 0; i < 2500; ++i) {  // Simpson over two steps
    const double a = tree::damping_power(s.p(), s.v);
    runge_kutta(s, h, 1);
    const double b = tree::damping_power(s.p(), s.v);
    runge_kutta(s, h, 1);
    taken += h / 3 * (a + 4 * b + tree::damping_power(s.p(), s.v));
  }
  EXPECT_GT(taken, 1);
  EXPECT_NEAR(s.energy(), start - taken, 1e-9 * taken);
}

// A free body as a tree of one and as the engine steps it (implicit midpoint rule, second order): the
// difference falls by 4 when the step is halved, and what is left after extrapolation is of fourth order.
TEST(TreeMotion, TreeOfOneIsAFreeBody) {
  const Vec3 inertia{0.3, 0.5, 0.6}, spin{0.7, 4.0, -1.1};
  const Quat start = normalized(Quat{0.9, 0.2, -0.3, 0.1});
  tree::Description d{
      .gravity = earth,
      .links = {
          {.name = "body", .joint = tree::JointKind::free, .mass = 2, .inertia = Mat3::diagonal(inertia)}}};
  TreeState s(d);
  s.q = {0.1, 0.2, 0.3, start.w, start.x, start.y, start.z};
  s.v = {1, 2, 3, spin.x, spin.y, spin.z};
  // At the start: Euler's equations.
  s.forward();
  const Vec3 w = rotate_back(start, spin), l = times(inertia, w), torque = cross(l, w);
  const Vec3 rate = rotate(start, {torque.x / inertia.x, torque.y / inertia.y, torque.z / inertia.z});
  EXPECT_LT(norm(rate - Vec3{s.dv[3], s.dv[4], s.dv[5]}), 1e-14 * norm(rate));
  EXPECT_LT(norm(Vec3{s.dv[0], s.dv[1], s.dv[2]} - earth), 1e-14);

  runge_kutta(s, 1e-3, 1000);
  const Quat end{s.q[3], s.q[4], s.q[5], s.q[6]};
  const auto engine = [&](int steps) {
    RotationStep b{start, spin};
    for (int i = 0; i < steps; ++i) b = rotate_freely(inertia, b.orientation, b.spin, 1.0 / steps);
    const Quat turn = b.orientation * conjugate(end);
    return std::pair{logarithm(turn), b.spin - Vec3{s.v[3], s.v[4], s.v[5]}};
  };
  const auto [turn1, spin1] = engine(2000);
  const auto [turn2, spin2] = engine(4000);
  EXPECT_LT(norm(turn1), 1e-5);
  EXPECT_NEAR(norm(turn1) / norm(turn2), 4, 1e-3);
  EXPECT_NEAR(norm(spin1) / norm(spin2), 4, 1e-3);
  EXPECT_LT(norm(4.0 * turn2 - turn1) / 3, 1e-10);
  EXPECT_LT(norm(4.0 * spin2 - spin1) / 3, 1e-10);
  // And it falls: x = x0 + v t + g t^2 / 2, exact for Runge-Kutta.
  EXPECT_LT(norm(Vec3{s.q[0], s.q[1], s.q[2]} - Vec3{1.1, 2.2, 3.3 - 0.5 * 9.81}), 1e-12);
}

// A heavy top in steady precession: with its axis horizontal the rate W satisfies I3 w W = m g l exactly, for
// fast and slow tops (the term with I1 W^2 carries the cosine of the axis against the vertical).
TEST(TreeMotion, TopPrecessesSteadily) {
  TreeState s(top());
  const double m = 0.5, l = 0.1, I3 = 1.2e-3, spin = 60, W = m * 9.81 * l / (I3 * spin);
  const double r = std::sqrt(0.5);
  s.q = {r, 0, r, 0};  // z of the top along world x
  s.v = {spin, 0, W};  // about its axis, and about the vertical
  runge_kutta(s, 2e-5, 50000);
  s.move();
  const Vec3 axis = s.k().pose[0].turn.column(2);
  EXPECT_NEAR(axis.x, std::cos(W), 1e-8);
  EXPECT_NEAR(axis.y, std::sin(W), 1e-8);
  EXPECT_NEAR(axis.z, 0, 1e-8);
}

}  // namespace
}  // namespace stiction::test
