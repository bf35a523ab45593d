// Kinds of joints: rows and coordinates against coordinate joints, counts, independence, names.
#include "stiction/constraints/joint_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "unit/constraints/fixture.h"
#include "unit/constraints/twin.h"

namespace stiction::constraints {
namespace {

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
        if (row.kind != RowKind::twist && row.kind != RowKind::place)
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

// Two links, the second on the first, by a coordinate joint at random q and v: the rows of the same joint as
// a constraint vanish, and so do their rates; the coordinates are q, their rates v.
TEST(JointRows, AgreeWithCoordinateJoints) {
  test::Random random{3};
  for (const TwinKind& kinds : twin_kinds) {
    const Kind kind = kinds.kind;
    for (int n = 0; n < 100; ++n) {
      const Twin twin(kinds, random);
      const Pose a = twin.pose(0), b = twin.pose(1);
      const Twist va = twin.velocity(0), vb = twin.velocity(1);
      Row rows[most_rows], coordinates[most_coordinates];
      const int count = make_rows(kind, twin.frame_a, twin.frame_b, {.pitch = twin.pitch}, rows);
      for (int i = 0; i < count; ++i) {
        const RowValue x = evaluate(rows[i], a, b);
        EXPECT_NEAR(x.value, 0, 1e-14) << name_of(kind) << ": " << row_name(kind, i);
        EXPECT_NEAR(dot(x.jacobian, va, vb), 0, 1e-13) << name_of(kind) << ": " << row_name(kind, i);
      }
      const double *q = twin.tree.q.data() + twin.own_q, *v = twin.tree.v.data() + twin.own_v;
      const int free = make_coordinates(kind, twin.frame_a, twin.frame_b, coordinates);
      for (int i = 0; i < free; ++i) {
        const RowValue x = evaluate(coordinates[i], a, b);
        EXPECT_NEAR(x.value, q[i], 1e-14) << name_of(kind) << ": " << coordinate_name(kind, i);
        EXPECT_NEAR(dot(x.jacobian, va, vb), v[i], 1e-13)
            << name_of(kind) << ": " << coordinate_name(kind, i);
      }
      if (kind == Kind::ball) {
        const Mat3 found = rotation_matrix(relative_orientation(twin.frame_a, twin.frame_b, a, b));
        const Mat3 given = rotation_matrix({q[0], q[1], q[2], q[3]});
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

// Swing q = (cos, x sin, y sin, 0) after twist; as of torsion springs, 2 atan2(z, w) of the quaternion.
TEST(JointRows, TwistIsThatOfSwingAndTwist) {
  test::Random random{8};
  for (int n = 0; n < 200; ++n) {
    const Frame a{random.vector(1), random.rotation()}, b{random.vector(1), random.rotation()};
    const double twist = random.between(-3.1, 3.1), swing = random.between(0, 2.8),
                 way = random.between(-3, 3);
    const Quat turn = exponential(swing * Vec3{std::cos(way), std::sin(way), 0}) * exponential({0, 0, twist});
    const Pose pose_b = as_pose(a) * Pose{random.vector(1), turn} * inverse(as_pose(b));
    const Row row = make_twist(a, b);
    EXPECT_NEAR(evaluate(row, {}, pose_b).value, twist, 1e-13);
    const Quat q = relative_orientation(a, b, {}, pose_b);
    EXPECT_NEAR(std::remainder(2 * std::atan2(q.z, q.w) - twist, 2 * 3.14159265358979323846), 0, 1e-13);
  }
}

// A force at the origin of the frame has no torque about it, and keeps its axes.
TEST(JointRows, EffortAtTheJoint) {
  test::Random random{9};
  const Frame frame{random.vector(1), random.rotation()};
  const Pose body{random.vector(1), random.rotation()};
  const Vec3 force = random.vector(1), torque = random.vector(1);
  const Vec3 in_world = rotate(body.orientation * frame.axes, force);
  const Vec3 arm = rotate(body.orientation, frame.position);
  const Effort e = effort_at(
      frame, body, {in_world, cross(arm, in_world) + rotate(body.orientation * frame.axes, torque)});
  EXPECT_LT(norm(e.force - force), 1e-15);
  EXPECT_LT(norm(e.torque - torque), 1e-15);
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
