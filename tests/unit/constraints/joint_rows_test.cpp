// Kinds of joints: rows and coordinates against coordinate joints, counts, independence, names.
#include "stiction/constraints/joint_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "stiction/dynamics/tree/kinematics.h"
#include "unit/constraints/fixture.h"

namespace stiction::constraints {
namespace {

using tree::JointKind;

/// Rank of rows of length 12, by elimination with full pivoting; pivots below 1e-9 count as none.
int rank_of(std::vector<std::vector<double>> m) {
  int rank = 0;
  for (std::size_t done = 0; done < m.size(); ++done) {
    std::size_t row = done, column = 0;
    double best = 0;
    for (std::size_t i = done; i < m.size(); ++i)
      for (std::size_t j = 0; j < 12; ++j)
        if (std::fabs(m[i][j]) > best) best = std::fabs(m[i][j]), row = i, column = j;
    if (best < 1e-9) break;
    ++rank;
    std::swap(m[row], m[done]);
    for (std::size_t i = done + 1; i < m.size(); ++i) {
      const double f = m[i][column] / m[done][column];
      for (std::size_t j = 0; j < 12; ++j) m[i][j] -= f * m[done][j];
    }
  }
  return rank;
}

std::vector<double> numbers_of(const Jacobian& g) {
  std::vector<double> out;
  for (int i = 0; i < 12; ++i) out.push_back(entry(g, i));
  return out;
}

TEST(JointRows, CountsAndIndependence) {
  test::Random random{1};
  constexpr int rows[] = {3, 1, 5, 5, 6, 4, 4, 3, 5, 2, 1, 2},
                coordinates[] = {0, 0, 1, 1, 0, 2, 2, 3, 1, 1, 2, 0};
  for (int k = 0; k < kind_count; ++k) {
    const auto kind = static_cast<Kind>(k);
    EXPECT_EQ(row_count(kind), rows[k]);
    EXPECT_EQ(coordinate_count(kind), coordinates[k]);
    for (int n = 0; n < 20; ++n) {
      const Joint joint(kind, random, 0);
      EXPECT_EQ(int(joint.rows.size()), rows[k]);
      EXPECT_EQ(int(joint.coordinates.size()), coordinates[k]);
      std::vector<std::vector<double>> m;
      for (const Row& row : all_rows(joint))
        m.push_back(numbers_of(evaluate(row, joint.a, joint.b).jacobian));
      EXPECT_EQ(rank_of(m), rows[k] + coordinates[k]) << name_of(kind);
      for (const Row& row : joint.rows)
        EXPECT_NEAR(evaluate(row, joint.a, joint.b).value, 0, 1e-14) << name_of(kind);
    }
  }
}

// To first order the values are the errors they are named after: b off by a small move along, and a small
// turn about, the axes of the frame on a.
TEST(JointRows, ValuesAreErrors) {
  test::Random random{2};
  const Frame a{random.vector(1), random.rotation()}, b{random.vector(1), random.rotation()};
  Row rows[most_rows];
  make_rows(Kind::lock, a, b, {}, rows);
  const Vec3 turn{1e-5, -2e-5, 3e-5}, move{0.1, 0.2, 0.3};
  const Pose pose_b = as_pose(a) * Pose{move, exponential(turn)} * inverse(as_pose(b));
  const Vec3 world = rotate(a.axes, move);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(evaluate(rows[i], {}, pose_b).value, world[i], 1e-15);
    EXPECT_NEAR(evaluate(rows[3 + i], {}, pose_b).value, turn[i], 1e-9);  // second order in the turn
  }
  EXPECT_STREQ(row_name(Kind::lock, 3), "tilt about x");
  EXPECT_STREQ(coordinate_name(Kind::cylindrical, 1), "angle about z");
}

struct Pair {
  Kind kind;
  JointKind coordinate;
};
constexpr Pair pairs[] = {
    {Kind::hinge, JointKind::revolute}, {Kind::prismatic, JointKind::prismatic},
    {Kind::lock, JointKind::fixed},     {Kind::cylindrical, JointKind::cylindrical},
    {Kind::screw, JointKind::screw},    {Kind::universal, JointKind::universal},
    {Kind::planar, JointKind::planar},  {Kind::ball, JointKind::spherical},
};

Mat3 matrix_of(const Quat& q) { return rotation_matrix(q); }

// Two links, the second on the first, by a coordinate joint at random q and v: the rows of the same joint as
// a constraint vanish, and so do their rates; the coordinates are q, their rates v.
TEST(JointRows, AgreeWithCoordinateJoints) {
  test::Random random{3};
  tree::RandomStream stream{4};
  for (const Pair& pair : pairs) {
    for (int n = 0; n < 100; ++n) {
      tree::Link base, link;
      base.name = "base", base.joint = JointKind::free, base.centre = random.vector(0.3);
      link.name = "link", link.parent = 0, link.joint = pair.coordinate;
      link.position = random.vector(1), link.orientation = random.rotation(),
      link.centre = random.vector(0.5);
      link.axis = random.vector(1);
      const Vec3 other = random.vector(1);
      if (n % 2 == 0 && (pair.kind == Kind::universal || pair.kind == Kind::planar))
        link.second_axis = cross(link.axis, other);
      if (pair.kind == Kind::screw) link.pitch = random.between(-0.5, 0.5);
      tree::Compiled made = tree::compile({.gravity = {}, .links = {base, link}}).or_exit();
      const tree::Forest& f = made.forest;
      std::vector<double> q(std::size_t(f.q_count())), v(std::size_t(f.v_count()));
      const auto own_q = std::size_t(f.q_begin[1]), own_v = std::size_t(f.v_begin[1]);
      tree::set_random(JointKind::free, stream, std::span(q).first(own_q));
      tree::set_random(pair.coordinate, stream, std::span(q).subspan(own_q));
      for (double& x : v) x = random.between(-1, 1);
      tree::Kinematics k;
      tree::update_positions(f, made.parameters, q, k), tree::update_velocities(f, v, k);

      const bool has_axis = pair.kind != Kind::ball && pair.kind != Kind::lock;
      const Quat axes = has_axis ? frame_axes(pair.kind, link.axis, link.second_axis) : Quat{};
      const auto body = [&](int i, const Quat& engine, const Vec3& centre) {
        const auto& p = k.pose[std::size_t(i)];
        const Quat turn = normalized(quaternion_of(p.turn) * conjugate(engine));
        return Pose{p.position + rotate(turn, centre), turn};
      };
      const Pose a = body(0, {}, base.centre), b = body(1, axes, link.centre);
      const auto twist = [&](int i, const Pose& pose) {
        const SpatialMotion& m = k.velocity[std::size_t(i)];
        return Twist{m.linear + cross(m.angular, pose.position - k.pose[std::size_t(i)].position), m.angular};
      };
      const Twist va = twist(0, a), vb = twist(1, b);
      const Frame frame_a{link.position - base.centre, normalized(link.orientation * axes)},
          frame_b{-link.centre, axes};
      Row rows[most_rows], coordinates[most_coordinates];
      const int count = make_rows(pair.kind, frame_a, frame_b, {.pitch = link.pitch}, rows);
      for (int i = 0; i < count; ++i) {
        track(rows[i], a, b);
        const RowValue x = evaluate(rows[i], a, b);
        EXPECT_NEAR(x.value, 0, 1e-14) << name_of(pair.kind) << ": " << row_name(pair.kind, i);
        EXPECT_NEAR(dot(x.jacobian, va, vb), 0, 1e-13)
            << name_of(pair.kind) << ": " << row_name(pair.kind, i);
      }
      const int free = make_coordinates(pair.kind, frame_a, frame_b, coordinates);
      for (int i = 0; i < free; ++i) {
        const RowValue x = evaluate(coordinates[i], a, b);
        EXPECT_NEAR(x.value, q[own_q + std::size_t(i)], 1e-14) << coordinate_name(pair.kind, i);
        EXPECT_NEAR(dot(x.jacobian, va, vb), v[own_v + std::size_t(i)], 1e-13)
            << coordinate_name(pair.kind, i);
      }
      if (pair.kind == Kind::ball) {
        const Mat3 found = matrix_of(relative_orientation(frame_a, frame_b, a, b));
        const Mat3 given = matrix_of({q[own_q], q[own_q + 1], q[own_q + 2], q[own_q + 3]});
        for (int i = 0; i < 3; ++i) EXPECT_LT(norm(found.row(i) - given.row(i)), 1e-14);
      }
    }
  }
}

TEST(JointRows, SwingLimitIsTheAngleBetweenTheAxes) {
  const Frame a{{}, exponential({0.3, 0.1, 0})}, b{{0, 0, 1}, exponential({0, 0.2, 0.5})};
  const Row row = make_swing_limit(a, b, 0.7);
  for (const double swing : {0.6, 0.7, 0.8}) {
    const Pose pose_b{{}, a.axes * exponential({swing, 0, 0}) * exponential({0, 0, 2}) * conjugate(b.axes)};
    EXPECT_NEAR(evaluate(row, {}, pose_b).value, std::cos(swing) - std::cos(0.7), 1e-15);
  }
}

TEST(JointRows, FramesOfBodiesMeetWhereTheJointIs) {
  test::Random random{6};
  const Pose a{random.vector(1), random.rotation()}, b{random.vector(1), random.rotation()};
  const Vec3 at = random.vector(1);
  const Quat axes = frame_axes(Kind::universal, {0, 3, 4}, {1, 0, 0});
  EXPECT_LT(norm(rotate(axes, {1, 0, 0}) - Vec3{0, 0.6, 0.8}), 1e-15);
  EXPECT_LT(norm(rotate(axes, {0, 1, 0}) - Vec3{1, 0, 0}), 1e-15);
  Row rows[most_rows];
  for (int i = make_rows(Kind::lock, frame_on(a, at, axes), frame_on(b, at, axes), {}, rows); i-- > 0;)
    EXPECT_NEAR(evaluate(rows[i], a, b).value, 0, 1e-15);
}

}  // namespace
}  // namespace stiction::constraints
