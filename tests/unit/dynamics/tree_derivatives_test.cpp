// Kinematics and equations of motion against differences in time and in coordinates.
#include <gtest/gtest.h>

#include "support/tree_state.h"
#include "support/trees.h"

namespace stiction::test {
namespace {

// Central differences: error of order h^2 with third derivatives of some 100 (speeds of 1 rad/s through ten
// joints), round-off eps / h: both near 1e-8 at h = 1e-5 for values of order 1 to 10.
constexpr double h = 1e-5, near = 2e-6;

std::vector<tree::Description> descriptions() {
  return {pendulum(), double_pendulum(), top(), humanoid(), random_tree(21, 20), random_tree(22, 20)};
}

struct LinkPoint {
  int link = 0;
  Vec3 local{};  // in engine axes
  Vec3 world(const tree::Kinematics& k) const {
    const auto& pose = k.pose[std::size_t(link)];
    return pose.position + pose.turn * local;
  }
};

// (q, v) after the time t of motion with constant dv.
void go(const TreeState& from, const std::vector<double>& dv, double t, TreeState& to) {
  std::vector<double> mean(from.v.size());
  for (std::size_t d = 0; d < mean.size(); ++d) {
    mean[d] = from.v[d] + 0.5 * t * dv[d];
    to.v[d] = from.v[d] + t * dv[d];
  }
  tree::integrate(from.f(), from.q, mean, t, to.q);
  to.move();
}

TEST(TreeDerivatives, JacobianIsTheDerivativeOfThePoint) {
  for (const auto& description : descriptions()) {
    TreeState s(description), moved(description);
    Random random(2);
    for (int round = 0; round < 5; ++round) {
      s.randomise(std::uint64_t(round));
      s.move();
      for (int link = 0; link < s.f().link_count(); ++link) {
        const LinkPoint point{link, random.vector(0.3)};
        const Mat3 axes = rotation_matrix(random.rotation());
        const tree::TreeRange& t = s.f().trees[std::size_t(s.f().tree_of[std::size_t(link)])];
        const auto n = std::size_t(t.v_end - t.v_begin);
        std::vector<double> J(3 * n);
        tree::contact_jacobian(s.f(), s.k(), link, point.world(s.k()), axes, J);
        Vec3 velocity;
        for (std::size_t d = 0; d < n; ++d) {
          std::vector<double> unit(s.v.size(), 0.0);
          unit[std::size_t(t.v_begin) + d] = 1;
          tree::integrate(s.f(), s.q, unit, h, moved.q);
          moved.move();
          const Vec3 ahead = point.world(moved.k());
          tree::integrate(s.f(), s.q, unit, -h, moved.q);
          moved.move();
          const Vec3 rate = axes * ((ahead - point.world(moved.k())) / (2 * h));
          for (int r = 0; r < 3; ++r) EXPECT_NEAR(J[std::size_t(r) * n + d], rate[r], near);
          const double v = s.v[std::size_t(t.v_begin) + d];
          velocity += v * Vec3{J[d], J[n + d], J[2 * n + d]};
        }
        EXPECT_LT(norm(axes * tree::point_velocity(s.k(), link, point.world(s.k())) - velocity), 1e-12);
      }
    }
  }
}

TEST(TreeDerivatives, VelocitiesAndAccelerationsInTime) {
  for (const auto& description : descriptions()) {
    TreeState s(description), ahead(description), behind(description);
    Random random(4);
    for (int round = 0; round < 20; ++round) {
      s.randomise(std::uint64_t(round), 3);
      s.move();
      const std::vector<double>& dv = s.tau;  // any rates will do
      go(s, dv, h, ahead), go(s, dv, -h, behind);
      std::vector<SpatialMotion> a(std::size_t(s.f().link_count()));
      tree::accelerations(s.f(), s.k(), dv, a);
      for (int link = 0; link < s.f().link_count(); ++link) {
        const auto i = std::size_t(link);
        const LinkPoint point{link, random.vector(0.3)};
        const Vec3 now = point.world(s.k()), next = point.world(ahead.k()), last = point.world(behind.k());
        EXPECT_LT(norm((next - last) / (2 * h) - tree::point_velocity(s.k(), link, now)), near);
        const Vec3 change =
            tree::point_velocity(ahead.k(), link, next) - tree::point_velocity(behind.k(), link, last);
        EXPECT_LT(norm(change / (2 * h) - tree::point_acceleration(s.k(), link, a[i], now)), 10 * near);
        const Vec3 spin = ahead.k().velocity[i].angular - behind.k().velocity[i].angular;
        EXPECT_LT(norm(spin / (2 * h) - a[i].angular), 10 * near);
        // R' = [w] R, column by column.
        for (int c = 0; c < 3; ++c) {
          const Vec3 axis = ahead.k().pose[i].turn.column(c) - behind.k().pose[i].turn.column(c);
          EXPECT_LT(norm(axis / (2 * h) - cross(s.k().velocity[i].angular, s.k().pose[i].turn.column(c))),
                    near);
        }
      }
    }
  }
}

// d'Alembert: tau_d = sum over links of m (a_c - g).dv_c/dv_d + (dL_c/dt).dw/dv_d, with a_c and L_c' from
// differences in time of velocities and angular momenta. No recursion over forces, no inertia matrix.
TEST(TreeDerivatives, InverseDynamicsIsNewtonAndEuler) {
  struct Body {
    Vec3 velocity, spin, angular_momentum;
  };
  const auto body = [](const tree::Kinematics& k, std::size_t i) {
    const SpatialForce h0 = k.inertia[i] * k.velocity[i];
    const Vec3 c = k.inertia[i].moment / k.inertia[i].mass;
    return Body{moved(k.velocity[i], c).linear, k.velocity[i].angular, h0.torque - cross(c, h0.force)};
  };
  for (const auto& description : descriptions()) {
    TreeState s(description), ahead(description), behind(description), unit(description);
    for (int round = 0; round < 5; ++round) {
      s.randomise(std::uint64_t(round), 3);
      s.move();
      const std::vector<double> dv = s.tau, tau = s.inverse_of(dv);
      go(s, dv, h, ahead), go(s, dv, -h, behind);
      unit.q = s.q;
      double size = 0;
      for (const double x : tau) size = std::max(size, std::fabs(x));
      for (std::size_t d = 0; d < dv.size(); ++d) {
        std::fill(unit.v.begin(), unit.v.end(), 0);
        unit.v[d] = 1;
        unit.move();
        double sum = 0;
        for (std::size_t i = 0; i < s.f().parent.size(); ++i) {
          const Body b = body(ahead.k(), i), a = body(behind.k(), i), u = body(unit.k(), i);
          const Vec3 acceleration = (b.velocity - a.velocity) / (2 * h) - s.p().gravity;
          sum += s.k().inertia[i].mass * dot(acceleration, u.velocity) +
                 dot((b.angular_momentum - a.angular_momentum) / (2 * h), u.spin);
        }
        EXPECT_NEAR(sum, tau[d], near * std::max(1.0, size)) << d;
      }
    }
  }
}

// Gravity and springs are derivatives of their energies, and T = v M v / 2.
TEST(TreeDerivatives, EnergiesAndTheirForces) {
  tree::Description d = random_tree(23, 20);
  Random random(5);
  for (tree::Link& l : d.links) {
    l.stiffness.assign(std::size_t(tree::dof_count(l.joint)), random.between(1, 5));
    if (l.joint == tree::JointKind::planar) l.stiffness = {1, 2, 3};
    if (l.joint == tree::JointKind::revolute) l.rest = {0.4};
    if (l.joint == tree::JointKind::spherical) {
      const Quat r = random.rotation();
      l.rest = {r.w, r.x, r.y, r.z};
    }
  }
  TreeState s(d), other(d);
  for (int round = 0; round < 20; ++round) {
    s.randomise(std::uint64_t(round));
    s.move();
    tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
    std::vector<double> Mv(s.v.size()), spring(s.v.size(), 0.0), zero(s.v.size(), 0.0);
    tree::multiply(s.f(), s.m.rows, s.v, Mv);
    double twice = 0;
    for (std::size_t i = 0; i < Mv.size(); ++i) twice += s.v[i] * Mv[i];
    const double kinetic = tree::kinetic_energy(s.f(), s.p(), s.k(), s.v);
    EXPECT_NEAR(kinetic, 0.5 * twice, 1e-13 * kinetic);
    s.v = zero;
    s.move();
    const std::vector<double> gravity = s.inverse_of(zero);
    tree::add_joint_forces(s.f(), s.p(), s.q, s.v, spring);
    const auto energies = [&](double step, std::size_t dof) {
      std::vector<double> unit(s.v.size(), 0.0);
      unit[dof] = 1;
      tree::integrate(s.f(), s.q, unit, step, other.q);
      other.move();
      return std::pair{tree::gravity_energy(s.f(), s.p(), other.k()),
                       tree::spring_energy(s.f(), s.p(), other.q)};
    };
    for (std::size_t i = 0; i < s.v.size(); ++i) {
      const auto [ga, sa] = energies(h, i);
      const auto [gb, sb] = energies(-h, i);
      EXPECT_NEAR((ga - gb) / (2 * h), gravity[i], 1e-5) << i;  // energies of some 1e3 J: eps 1e3 / h = 2e-8
      EXPECT_NEAR(-(sa - sb) / (2 * h), spring[i], 1e-5) << i;
    }
  }
}

}  // namespace
}  // namespace stiction::test
