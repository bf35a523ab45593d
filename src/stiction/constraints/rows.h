// Rows: the scalar equations g(q) = 0 that joints are made of, between a body a and a body b. See rows.cpp.
#pragma once

#include <span>

#include "stiction/constraints/pose.h"

namespace stiction::constraints {

struct Curve;

// With p = x + R point, d = p_b - p_a, and e, f turned into world axes by the body they are fixed in:
enum class RowKind : unsigned char {
  point,     // e.d                 e: a world axis
  along,     // e.d                 e fixed in a
  distance,  // (d.d - L^2)/(2 L)   L = size > 0
  angle,     // e.f                 e fixed in a, f in b: the sine of the error of a right angle
  turn,      // atan2(e2.f2, e.f)   e, e2 fixed in a, f, f2 in b; counted over whole turns from `last`
  twist,     // atan2(s, c)         s = e2.f - e.f2, c = e.f + e2.f2: turn about e x e2, of swing and twist;
             //                     counted likewise
  screw,     // e3.d - size turn    e3 = e x e2 fixed in a; size = pitch [m/rad]
  curve,     // n(s).(y - c(s))     y = p_b in coordinates of a; c a curve there (curve.h), s the place on it
             //                     next to y, n one of two normals there
  place,     // s                   the same; a coordinate: rounds of a closed curve are counted from `last`
};

/// One row, g - offset. Vectors in body coordinates but for the axis of `point`; directions of unit length.
struct Row {
  RowKind kind = RowKind::point;
  bool second_normal = false;  // curve: which of the two
  Vec3 point_a{}, point_b{};   // [m] curve: point_a is not used
  Vec3 e{}, f{}, e2{}, f2{};   // [-]
  double size = 0;             // [m] L of distance; [m/rad] pitch of screw
  double offset = 0;           // [m] or [rad], [-]
  double last = 0;             // [rad] turn, twist, screw; [m] curve: where it was in the last accepted state
  const Curve* curve = nullptr;
};
/// Whether the row's value is an angle [rad] (or the sine of one) rather than a length [m].
inline bool is_angular(const Row& row) {
  return row.kind == RowKind::angle || row.kind == RowKind::turn || row.kind == RowKind::twist;
}
/// Whether `last` is of use to the row: it is then part of the state of a joint.
inline bool is_tracked(const Row& row) {
  return row.kind == RowKind::turn || row.kind == RowKind::twist || row.kind == RowKind::screw ||
         row.kind == RowKind::curve || row.kind == RowKind::place;
}

struct RowValue {
  double value = 0;     // [m] or [rad]
  Jacobian jacobian{};  // by velocity of the centres of mass and spin, world axes
};

RowValue evaluate(const Row& row, const Pose& a, const Pose& b);
/// d^2g/dt^2 = G (accelerations) + this, when the bodies move with these velocities.
double acceleration_bias(const Row& row, const Pose& a, const Pose& b, const Twist& velocity_a,
                         const Twist& velocity_b);
/// Puts the angle or curve parameter of an accepted state into `last`. A turn by less than half a revolution
/// from one call to the next is counted without a jump. Does nothing for other rows.
void track(Row& row, const Pose& a, const Pose& b);

// Over a step, from (a0, b0) to (a1, b1). Motions are (x1 - x0, theta) for each body, R1 = cay(theta) R0.

/// The discrete gradient: mean.(motion a, motion b) = g(1) - g(0) to round-off, so that the force of a row
/// that holds at both ends does no work. Keeps momentum and angular momentum.
Jacobian mean_jacobian(const Row& row, const Pose& a0, const Pose& b0, const Pose& a1, const Pose& b1);
/// d g(1) / d motion.
Jacobian end_jacobian(const Row& row, const Pose& a0, const Pose& b0, const Pose& a1, const Pose& b1);
/// Adds d(mean_jacobian^T lambda) / d motion, rows and columns: linear a, angular a, linear b, angular b.
/// Complete but for rows of kind curve and place, where terms that vanish with the length of the step squared
/// are left out.
void mean_force_derivative(const Row& row, double lambda, const Pose& a0, const Pose& b0, const Pose& a1,
                           const Pose& b1, double K[12][12]);

// The same for all rows of a joint at once: they must have the same two points.
void evaluate(std::span<const Row> rows, const Pose& a, const Pose& b, RowValue* out);
void mean_jacobian(std::span<const Row> rows, const Pose& a0, const Pose& b0, const Pose& a1, const Pose& b1,
                   Jacobian* out);
/// value: g(1).
void end_jacobian(std::span<const Row> rows, const Pose& a0, const Pose& b0, const Pose& a1, const Pose& b1,
                  RowValue* out);
void mean_force_derivative(std::span<const Row> rows, const double* lambda, const Pose& a0, const Pose& b0,
                           const Pose& a1, const Pose& b1, double K[12][12]);

/// The angle that differs from `angle` by whole turns and from `previous` by at most half of one.
double unwrapped(double angle, double previous);

}  // namespace stiction::constraints
