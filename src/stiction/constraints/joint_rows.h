// Kinds of joints as rows, and the coordinates that they leave free. See joint_rows.cpp.
#pragma once

#include "stiction/constraints/rows.h"

namespace stiction::constraints {

// How body b may move against body a. A joint has a frame on each body; its axis is z, but for universal.
// Where a kind also exists as a coordinate joint (dynamics/tree/joint.h) its coordinates are the same ones.
enum class Kind : unsigned char {
  ball,            // origins meet                                       any turn
  distance,        // origins are `length` apart
  hinge,           // origins and z meet                                 angle about z
  prismatic,       // same axes, origin of b on z of a                   distance along z
  lock,            // frames meet
  cylindrical,     // z meet                                             distance along z, angle about it
  universal,       // origins meet, y of b at right angles to x of a     angles about x of a and y of b
  planar,          // origin of b in the plane x, y of a, same z         x, y, angle about z
  screw,           // z meet, distance along z = pitch times angle       angle about z
  point_on_line,   // origin of b on z of a                              distance along z
  point_on_plane,  // origin of b in the plane x, y of a                 x, y
  point_on_curve,  // origin of b on a curve in the coordinates of a (the frame on a is not used)
};
inline constexpr int kind_count = 12;
inline constexpr int most_rows = 6, most_coordinates = 3;

const char* name_of(Kind kind);
int row_count(Kind kind);
int coordinate_count(Kind kind);  // those that are numbers: none for ball, distance and point_on_curve
/// "x", "tilt about x": what the row holds, in axes of the frame on a (origins that meet: of the world).
const char* row_name(Kind kind, int row);
const char* coordinate_name(Kind kind, int coordinate);

/// In the coordinates of its body (of the world for the world).
struct Frame {
  Vec3 position{};  // [m]
  Quat axes{};      // from the frame's axes to those of the body
};
struct Numbers {
  double length = 0;             // [m] distance: > 0
  double pitch = 0;              // [m/rad] screw: of either sign
  const Curve* curve = nullptr;  // point_on_curve; must outlive the rows
};

/// Writes row_count(kind) rows, which all have the same two points. Rows that follow an angle or a curve
/// start at 0: call track(), or for a curve set `last` to nearest(curve, point).
int make_rows(Kind kind, const Frame& a, const Frame& b, const Numbers& numbers, Row out[most_rows]);

/// Writes coordinate_count(kind) rows whose values are the joint's coordinates, translations first. Angles
/// are counted from `last` (in (-pi, pi] as made): track() after each accepted step counts whole turns.
int make_coordinates(Kind kind, const Frame& a, const Frame& b, Row out[most_coordinates]);

/// Where the origin of b is along a curve in the coordinates of a [m]: the coordinate that point_on_curve
/// leaves free, with the parameter of the curve (curve.h) as value. `last` as for make_rows.
Row make_curve_place(const Frame& b, const Curve& curve);

/// The largest angle between z of a and z of b, as a row that is to be >= 0: cosine of the angle minus that
/// of `largest` [rad], in (0, pi).
Row make_swing_limit(const Frame& a, const Frame& b, double largest);

/// The turn of b about z of the frame on a, by swing and twist: for ball joints, as long as z of b does not
/// point against z of a. For a hinge it is the hinge's angle.
Row make_twist(const Frame& a, const Frame& b);

/// The orientation of b against a in the axes of the frame on a: the quaternion of a ball joint as a
/// coordinate joint.
Quat relative_orientation(const Frame& a, const Frame& b, const Pose& pose_a, const Pose& pose_b);

/// Axes of a frame for a joint with this axis (and second axis: universal, planar; 0 = any), as columns of a
/// rotation: z = axis; x = second axis. Universal: x = axis, y = second axis. The same as those of coordinate
/// joints. `axis` of any length but 0, `second` not along it.
Quat frame_axes(Kind kind, const Vec3& axis, const Vec3& second);
/// The frame of a body that lies at `at` [m] with these axes, both in world coordinates.
Frame frame_on(const Pose& body, const Vec3& at, const Quat& axes);

struct Effort {
  Vec3 force{}, torque{};  // [N], [N m]; or impulses
};
/// What acts on a body, given as the sum of multipliers times gradients (force and torque about the centre of
/// mass, world axes), as force and torque about the origin of a frame of the body, in the frame's axes.
Effort effort_at(const Frame& frame, const Pose& body, const Twist& on_body);

}  // namespace stiction::constraints
