// Nonholonomic constraints: rows that bind velocities only. See velocity_rows.cpp.
#pragma once

#include "stiction/constraints/pose.h"

namespace stiction::constraints {

/// jacobian.(velocity a, velocity b) + drift = 0.
struct VelocityRow {
  Jacobian jacobian{};
  double drift = 0;  // [m/s] or [rad/s], c(t): the value at the time asked for
};

/// The velocity of b against a at a point [m] along a direction (unit length), both in world coordinates.
VelocityRow slip_row(const Pose& a, const Pose& b, const Vec3& point, const Vec3& direction);
/// The spin of b against a about a direction (unit length, world axes): for friction and motors of ball
/// joints.
VelocityRow spin_row(const Vec3& direction);

/// Any linear equation between velocities, with coefficients that are constant in the axes of the world, of
/// a, or of b.
struct Pfaffian {
  enum class Axes : unsigned char { world, a, b };
  Axes axes = Axes::world;
  Jacobian coefficients{};  // linear [-], angular [m]; or any common multiple
  double drift = 0;
};
VelocityRow velocity_row(const Pfaffian& p, const Pose& a, const Pose& b);

/// A plane in the coordinates of a.
struct Plane {
  Vec3 point{};          // [m]
  Vec3 normal{0, 0, 1};  // unit length, towards b
};
/// A ball whose centre is a point of b.
struct RollingBall {
  Plane plane{};
  Vec3 centre{};  // [m] in coordinates of b
  double radius = 0;
};
/// A thin disc: its rim rolls.
struct RollingDisc {
  Plane plane{};
  Vec3 centre{};       // [m] in coordinates of b
  Vec3 axis{0, 0, 1};  // unit length, in b
  double radius = 0;
};
/// Where it touches [m], world coordinates. The lowest point of the rim is not defined for a disc that lies
/// flat.
Vec3 touching_point(const RollingBall& ball, const Pose& a, const Pose& b);
Vec3 touching_point(const RollingDisc& disc, const Pose& a, const Pose& b);
/// Height of that point above the plane [m]: the holonomic half of rolling; its gradient is the third row
/// below.
double height(const RollingBall& ball, const Pose& a, const Pose& b);
double height(const RollingDisc& disc, const Pose& a, const Pose& b);
/// No slip along two directions that are fixed in a, and no motion along the normal.
void rolling_rows(const RollingBall& ball, const Pose& a, const Pose& b, VelocityRow out[3]);
void rolling_rows(const RollingDisc& disc, const Pose& a, const Pose& b, VelocityRow out[3]);

/// A blade, a skate, a wheel that does not skid: the point of b does not move against a across the blade.
struct KnifeEdge {
  Vec3 point{};          // [m] in coordinates of b
  Vec3 across{0, 1, 0};  // unit length, in b
};
VelocityRow velocity_row(const KnifeEdge& edge, const Pose& a, const Pose& b);

}  // namespace stiction::constraints
