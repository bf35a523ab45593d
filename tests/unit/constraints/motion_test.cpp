// Two bodies that a joint of any kind connects, moved by a step made of discrete gradients: energy, momentum
// and angular momentum stay, and the motion is that of the same joint as coordinates.
//
//     m (v1 - v0) = h m g + G^T lambda           x1 - x0 = h (v0 + v1)/2
//     R1 I W1 - R0 I W0 = G^T lambda             theta = h R0 (W0 + W1)/2,   R1 = cay(theta) R0
//     g(end) = 0                                 G: mean_jacobian;  W: spin in body axes
//
// (v0 + v1)/2 times the first line plus theta/h times the second is the change of the kinetic energy, since
// theta is the same vector in the axes of both ends. So the energy changes by lambda.(g(end) - g(start))/h,
// and by nothing else.
#include <gtest/gtest.h>

#include <array>

#include "support/dense.h"
#include "unit/constraints/fixture.h"
#include "unit/constraints/twin.h"

namespace stiction::constraints {
namespace {

struct Body {
  double mass = 1;
  Vec3 inertia{};  // [kg m^2] in body axes
  Pose pose{};
  Twist velocity{};

  Vec3 body_spin() const { return rotate_back(pose.orientation, velocity.angular); }
  Vec3 spin_momentum() const { return rotate(pose.orientation, times(inertia, body_spin())); }
  double kinetic() const {
    return 0.5 * mass * norm2(velocity.linear) + 0.5 * dot(velocity.angular, spin_momentum());
  }

  Body moved(const Twist& by, double h) const {
    Body out = *this;
    out.pose = displaced(pose, by);
    out.velocity.linear = (2 / h) * by.linear - velocity.linear;
    const Vec3 spin = (2 / h) * rotate_back(pose.orientation, by.angular) - body_spin();
    out.velocity.angular = rotate(out.pose.orientation, spin);
    return out;
  }
  /// What the motion by `by` takes in impulses.
  Twist impulse(const Twist& by, double h, const Vec3& gravity) const {
    const Body end = moved(by, h);
    return {mass * (end.velocity.linear - velocity.linear) - (h * mass) * gravity,
            end.spin_momentum() - spin_momentum()};
  }
};

struct System {
  Body a, b;
  std::vector<Row> rows;
  Vec3 gravity{};
  int iterations = 0;

  double energy() const {
    return a.kinetic() + b.kinetic() - dot(gravity, a.mass * a.pose.position + b.mass * b.pose.position);
  }
  Vec3 momentum() const { return a.mass * a.velocity.linear + b.mass * b.velocity.linear; }
  Vec3 angular_momentum() const {
    Vec3 sum;
    for (const Body* body : {&a, &b})
      sum += body->spin_momentum() + cross(body->pose.position, body->mass * body->velocity.linear);
    return sum;
  }
  double violation() const {
    double worst = 0;
    for (const Row& row : rows) worst = std::fmax(worst, std::fabs(evaluate(row, a.pose, b.pose).value));
    return worst;
  }

  /// Velocities that the joint allows, nearest in the mass metric.
  void project_velocities() {
    const int n = int(rows.size());
    std::vector<Jacobian> g;
    for (const Row& row : rows) g.push_back(evaluate(row, a.pose, b.pose).jacobian);
    const auto response = [](const Body& body, const Twist& impulse) -> Twist {
      const Vec3 turned = rotate_back(body.pose.orientation, impulse.angular);
      const Vec3 spin{turned.x / body.inertia.x, turned.y / body.inertia.y, turned.z / body.inertia.z};
      return {impulse.linear / body.mass, rotate(body.pose.orientation, spin)};
    };
    test::Dense m(n);
    std::vector<double> rhs;
    for (int i = 0; i < n; ++i) {
      rhs.push_back(-dot(g[std::size_t(i)], a.velocity, b.velocity));
      for (int j = 0; j < n; ++j)
        m(i, j) = dot(g[std::size_t(i)], response(a, g[std::size_t(j)].a), response(b, g[std::size_t(j)].b));
    }
    const std::vector<double> lambda = m.solve(rhs);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Twist da = response(a, g[i].a), db = response(b, g[i].b);
      a.velocity.linear += lambda[i] * da.linear, a.velocity.angular += lambda[i] * da.angular;
      b.velocity.linear += lambda[i] * db.linear, b.velocity.angular += lambda[i] * db.angular;
    }
  }

  void step(double h) {
    const int n = int(rows.size());
    Twist move[2] = {{h * a.velocity.linear, h * a.velocity.angular},
                     {h * b.velocity.linear, h * b.velocity.angular}};
    std::vector<double> lambda(rows.size(), 0.0);
    double last = 1;
    for (int it = 0; it < 30; ++it) {
      ++iterations;
      const Pose a1 = displaced(a.pose, move[0]), b1 = displaced(b.pose, move[1]);
      std::vector<Jacobian> mean(rows.size());
      std::vector<RowValue> end(rows.size());
      double K[12][12] = {};
      mean_jacobian(rows, a.pose, b.pose, a1, b1, mean.data());
      end_jacobian(rows, a.pose, b.pose, a1, b1, end.data());
      mean_force_derivative(rows, lambda.data(), a.pose, b.pose, a1, b1, K);
      test::Dense m(12 + n);
      std::vector<double> rhs(std::size_t(12 + n));
      for (int side = 0; side < 2; ++side) add_inertia(side, move[side], h, m, rhs);
      for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < 12; ++j) m(i, j) -= K[i][j];
        for (int r = 0; r < n; ++r) {
          const auto row = std::size_t(r);
          m(i, 12 + r) = -entry(mean[row], i), m(12 + r, i) = entry(end[row].jacobian, i);
          rhs[std::size_t(i)] += entry(mean[row], i) * lambda[row];
        }
      }
      for (int r = 0; r < n; ++r) rhs[std::size_t(12 + r)] = -end[std::size_t(r)].value;
      const std::vector<double> x = m.solve(rhs);
      double size = 0;
      for (int i = 0; i < 12; ++i) {
        const Twist part = component(i % 6, x[std::size_t(i)]);
        move[i / 6].linear += part.linear, move[i / 6].angular += part.angular;
        size = std::fmax(size, std::fabs(x[std::size_t(i)]));
      }
      for (std::size_t r = 0; r < rows.size(); ++r) lambda[r] += x[12 + r];
      if (size < 1e-13 && size > 0.1 * last) break;  // round-off
      last = size;
    }
    a = a.moved(move[0], h), b = b.moved(move[1], h);
    for (Row& row : rows) track(row, a.pose, b.pose);
  }

 private:
  /// Derivatives by central differences: Newton's rate is their error, 1e-9.
  void add_inertia(int side, const Twist& move, double h, test::Dense& m, std::vector<double>& rhs) const {
    const Body& body = side == 0 ? a : b;
    const Twist now = body.impulse(move, h, gravity);
    constexpr double d = 1e-6;
    for (int j = 0; j < 6; ++j) {
      const Twist t = component(j, d);
      const Twist up = body.impulse({move.linear + t.linear, move.angular + t.angular}, h, gravity);
      const Twist down = body.impulse({move.linear - t.linear, move.angular - t.angular}, h, gravity);
      for (int i = 0; i < 6; ++i) m(6 * side + i, 6 * side + j) = (entry(up, i) - entry(down, i)) / (2 * d);
      rhs[std::size_t(6 * side + j)] = -entry(now, j);
    }
  }
};

class Motion : public testing::TestWithParam<int> {
 protected:
  Kind kind = static_cast<Kind>(GetParam());
  test::Random random{std::uint64_t(GetParam()) + 99};

  System random_system() {
    const Joint joint(kind, random, 0);
    System s;
    s.rows = joint.rows;
    s.a = {random.between(1, 2),
           Vec3{0.2, 0.2, 0.2} + random.vector(0.1),
           joint.a,
           {random.vector(1), random.vector(3)}};
    s.b = {random.between(1, 2),
           Vec3{0.2, 0.2, 0.2} + random.vector(0.1),
           joint.b,
           {random.vector(1), random.vector(3)}};
    s.project_velocities();
    return s;
  }
};

// Spins of 3 rad/s and more, steps of 0.02 s. 200 steps with round-off of 1e-15 each, of energies of some 10
// J.
TEST_P(Motion, KeepsEnergyAndMomenta) {
  for (int n = 0; n < 3; ++n) {
    System s = random_system();
    const double energy = s.energy();
    const Vec3 momentum = s.momentum(), angular = s.angular_momentum();
    double violation = 0;
    for (int i = 0; i < 200; ++i) {
      s.step(0.02);
      violation = std::fmax(violation, s.violation());
    }
    EXPECT_NEAR(s.energy(), energy, 1e-12 * energy) << name_of(kind);
    EXPECT_LT(norm(s.momentum() - momentum), 1e-12 * (1 + norm(momentum))) << name_of(kind);
    EXPECT_LT(norm(s.angular_momentum() - angular), 1e-12 * (1 + norm(angular))) << name_of(kind);
    EXPECT_LT(violation, 1e-13) << name_of(kind);
    EXPECT_LT(s.iterations, 200 * 8) << name_of(kind);
  }
}

TEST_P(Motion, KeepsEnergyUnderGravity) {
  System s = random_system();
  s.gravity = {0, 0, -9.81};
  const double energy = s.energy(), scale = s.a.kinetic() + s.b.kinetic() + 9.81 * 4 * 5;  // 4 kg, some 5 m
  for (int i = 0; i < 50; ++i) s.step(0.02);
  EXPECT_NEAR(s.energy(), energy, 1e-12 * scale) << name_of(kind);
  EXPECT_LT(s.violation(), 1e-13);
}

std::string kind_name(const testing::TestParamInfo<int>& info) {
  return name_of(static_cast<Kind>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Kinds, Motion, testing::Range(0, kind_count), kind_name);

/// Differences in place and orientation of both bodies, 12 numbers.
std::array<double, 12> difference(const System& s, const Twin& twin) {
  std::array<double, 12> out{};
  for (int i = 0; i < 12; ++i) {
    const Twist move = displacement(twin.pose(i / 6), (i < 6 ? s.a : s.b).pose);
    out[std::size_t(i)] = entry(move, i % 6);
  }
  return out;
}
double size_of(const std::array<double, 12>& x) {
  double out = 0;
  for (const double number : x) out = std::fmax(out, std::fabs(number));
  return out;
}

// Against Runge-Kutta 4 with 2000 steps (its own error: 1e-12 and less) on coordinates: half the step, a
// quarter of the difference; extrapolated from both, what is left is of fourth order.
TEST(Motion, IsThatOfCoordinateJoints) {
  for (const TwinKind& kinds : twin_kinds) {
    test::Random random{17};
    Twin twin(kinds, random);
    System start;
    Row rows[most_rows];
    start.rows.assign(rows,
                      rows + make_rows(kinds.kind, twin.frame_a, twin.frame_b, {.pitch = twin.pitch}, rows));
    for (int i = 0; i < 2; ++i) {
      const Mat3& I = twin.links[i].inertia;
      Body& body = i == 0 ? start.a : start.b;
      body.mass = twin.links[i].mass, body.inertia = {I(0, 0), I(1, 1), I(2, 2)};
      body.pose = twin.pose(i), body.velocity = twin.velocity(i);
    }
    constexpr double end = 0.5;
    test::runge_kutta(twin.tree, end / 2000, 2000);
    twin.tree.move();
    std::array<double, 12> error[3];
    for (int level = 0; level < 3; ++level) {
      System s = start;
      const int steps = 20 << level;
      for (int i = 0; i < steps; ++i) s.step(end / steps);
      error[level] = difference(s, twin);
    }
    EXPECT_LT(size_of(error[2]), 1e-3) << name_of(kinds.kind);
    EXPECT_NEAR(size_of(error[0]) / size_of(error[1]), 4, 0.2) << name_of(kinds.kind);
    EXPECT_NEAR(size_of(error[1]) / size_of(error[2]), 4, 0.1) << name_of(kinds.kind);
    for (std::size_t i = 0; i < 12; ++i) error[2][i] = (4 * error[2][i] - error[1][i]) / 3;
    EXPECT_LT(size_of(error[2]), 1e-6) << name_of(kinds.kind);
  }
}

}  // namespace
}  // namespace stiction::constraints
