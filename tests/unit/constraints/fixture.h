// Joints of every kind between random frames of two bodies, near a state in which they hold.
#pragma once

#include <cmath>
#include <vector>

#include "stiction/constraints/curve.h"
#include "stiction/constraints/joint_rows.h"
#include "stiction/math/spatial.h"
#include "support/random.h"

namespace stiction::constraints {

inline Pose operator*(const Pose& p, const Pose& q) {
  return {point_of(p, q.position), normalized(p.orientation * q.orientation)};
}
inline Pose inverse(const Pose& p) {
  return {-rotate_back(p.orientation, p.position), conjugate(p.orientation)};
}
inline Pose as_pose(const Frame& f) { return {f.position, f.axes}; }
inline Twist component(int i, double size) {
  Twist t;
  (i < 3 ? t.linear : t.angular)[i % 3] = size;
  return t;
}
inline double entry(const Twist& t, int i) { return (i < 3 ? t.linear : t.angular)[i % 3]; }
/// 12 numbers: linear a, angular a, linear b, angular b.
inline double entry(const Jacobian& g, int i) { return entry(i < 6 ? g.a : g.b, i % 6); }

/// Closed and wavy, about 2 m across.
inline const Curve& wire() {
  static const Curve curve = [] {
    std::vector<Vec3> points;
    for (int i = 0; i < 24; ++i) {
      const double t = 2 * 3.14159265358979 * i / 24;
      points.push_back({std::cos(t), 0.8 * std::sin(t), 0.2 * std::cos(3 * t)});
    }
    return make_spline(points, CurveEnds::closed).or_exit();
  }();
  return curve;
}

struct Joint {
  Kind kind = Kind::ball;
  Frame frame_a{}, frame_b{};
  Numbers numbers{};
  std::vector<Row> rows{}, coordinates{};
  Pose a{}, b{};

  /// Places both bodies so that the joint holds, at random coordinates, and then b out of place by up to
  /// `error` (metres and radians).
  Joint(Kind k, test::Random& random, double error) : kind(k) {
    frame_a = {random.vector(1), random.rotation()}, frame_b = {random.vector(1), random.rotation()};
    numbers = {random.between(0.5, 2), random.between(-0.5, 0.5), &wire()};
    Row made[most_rows];
    rows.assign(made, made + make_rows(kind, frame_a, frame_b, numbers, made));
    coordinates.assign(made, made + make_coordinates(kind, frame_a, frame_b, made));
    a = {random.vector(3), random.rotation()};
    const Pose fault{random.vector(error), exponential(random.vector(error))};
    if (kind == Kind::point_on_curve) {
      // Well within the radius of curvature, which is 0.4 m in places.
      on_curve(random.between(0, wire().length()), random.rotation(), 0.2 * fault.position);
      return;
    }
    b = a * as_pose(frame_a) * free_motion(random) * fault * inverse(as_pose(frame_b));
    for (Row& row : rows) track(row, a, b);
    for (Row& row : coordinates) track(row, a, b);
  }
  /// Puts the point of b on the curve, but for `fault` in coordinates of a.
  void on_curve(double s, const Quat& orientation, const Vec3& fault) {
    b.orientation = orientation;
    b.position = point_of(a, at(wire(), s).position + fault) - rotate(orientation, frame_b.position);
    for (Row& row : rows) row.last = s;
  }

  std::size_t size() const { return rows.size(); }

 private:
  Pose free_motion(test::Random& random) const {
    const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
    const Quat about_z = exponential({0, 0, 3 * x});
    switch (kind) {
      case Kind::ball:
        return {{}, random.rotation()};
      case Kind::distance:
        return {numbers.length * rotate(random.rotation(), {1, 0, 0}), random.rotation()};
      case Kind::hinge:
        return {{}, about_z};
      case Kind::prismatic:
        return {{0, 0, z}, {}};
      case Kind::cylindrical:
        return {{0, 0, z}, about_z};
      case Kind::universal:
        return {{}, exponential({3 * x, 0, 0}) * exponential({0, 3 * y, 0})};
      case Kind::planar:
        return {{y, z, 0}, about_z};
      case Kind::screw:
        return {{0, 0, numbers.pitch * (3 * x)}, about_z};
      case Kind::point_on_line:
        return {{0, 0, z}, random.rotation()};
      case Kind::point_on_plane:
        return {{y, z, 0}, random.rotation()};
      case Kind::lock:
      case Kind::point_on_curve:
        break;
    }
    return {};
  }
};

/// Both ends of a step.
struct Step {
  Pose a0, b0, a1, b1;
  Twist move_a, move_b;
  Step(const Pose& a, const Pose& b, const Twist& by_a, const Twist& by_b)
      : a0(a), b0(b), a1(displaced(a, by_a)), b1(displaced(b, by_b)), move_a(by_a), move_b(by_b) {}
};
/// A turn by up to `angle` [rad] about any axis, as Cayley vector, and a way of up to `angle` metres along
/// each axis.
inline Twist random_move(test::Random& random, double angle) {
  const Vec3 axis = rotate(random.rotation(), {1, 0, 0});
  const Vec3 way = random.vector(angle);
  return {way, (2 * std::tan(0.5 * random.between(0, angle))) * axis};
}
/// Of a point on the wire the end has to be near it as well.
inline Step random_step(const Joint& joint, test::Random& random, double angle) {
  const Twist move_a = random_move(random, angle);
  Twist move_b = random_move(random, angle);
  if (joint.kind == Kind::point_on_curve) {
    Joint end = joint;
    end.a = displaced(joint.a, move_a);
    end.on_curve(joint.rows[0].last + random.between(-0.3, 0.3) * angle,
                 displaced(joint.b, move_b).orientation, random.vector(0.01));
    move_b.linear = end.b.position - joint.b.position;
  }
  return {joint.a, joint.b, move_a, move_b};
}

inline std::vector<Row> all_rows(const Joint& joint) {
  std::vector<Row> rows = joint.rows;
  if (joint.kind == Kind::point_on_curve) {
    rows.push_back(make_curve_place(joint.frame_b, wire()));
    rows.back().last = joint.rows[0].last;
  }
  if (joint.kind == Kind::hinge) {  // near its own axis, where it equals the angle
    rows.push_back(make_twist(joint.frame_a, joint.frame_b));
    track(rows.back(), joint.a, joint.b);
  }
  rows.insert(rows.end(), joint.coordinates.begin(), joint.coordinates.end());
  return rows;
}

}  // namespace stiction::constraints
