// Velocity rows  A(q) v + c(t) = 0.
//
// Slip of b on a at the point p along t (world axes, r = p - x):
//     t.(v_b + w_b x r_b - v_a - w_a x r_a)  ->  (-t, -r_a x t), (t, r_b x t)
//     rolling ball   p = centre - radius n                       t: two tangents of the plane, and n
//     rolling disc   p = centre - radius (n - (n.u) u)/|...|     the point of the rim next to the plane
//     knife edge     p, t fixed in b
//
// What counts is the velocity of the material points at p, although p itself runs along both bodies: that is
// what rolling means, and it makes the rows along the tangents nonholonomic. The row along n is the rate of
// the height exactly: the material point and the lowest point differ by motion along the plane only.
//
// Symbols: x, p, r [m]; v [m/s]; w [rad/s]; n, t, u unit vectors, u the axis of the disc.
// When it fails: a disc that lies flat has no lowest point (not finite). These rows have no exact discrete
// form: a method takes them at the start or in the middle of a step (`middle`, pose.h).
#include "stiction/constraints/velocity_rows.h"

namespace stiction::constraints {
namespace {

Twist turned(const Quat& q, const Twist& t) { return {rotate(q, t.linear), rotate(q, t.angular)}; }

void rows_at(const Plane& plane, const Pose& a, const Pose& b, const Vec3& point, VelocityRow out[3]) {
  Vec3 t[3];
  tangents(plane.normal, t[0], t[1]);
  t[2] = plane.normal;
  for (int i = 0; i < 3; ++i) out[i] = slip_row(a, b, point, rotate(a.orientation, t[i]));
}

double height_of(const Plane& plane, const Pose& a, const Vec3& point) {
  return dot(rotate(a.orientation, plane.normal), point - point_of(a, plane.point));
}

}  // namespace

VelocityRow slip_row(const Pose& a, const Pose& b, const Vec3& point, const Vec3& t) {
  return {{{-t, cross(t, point - a.position)}, {t, cross(point - b.position, t)}}, 0};
}

VelocityRow spin_row(const Vec3& direction) { return {{{{}, -direction}, {{}, direction}}, 0}; }

VelocityRow velocity_row(const Pfaffian& p, const Pose& a, const Pose& b) {
  if (p.axes == Pfaffian::Axes::world) return {p.coefficients, p.drift};
  const Quat& q = p.axes == Pfaffian::Axes::a ? a.orientation : b.orientation;
  return {{turned(q, p.coefficients.a), turned(q, p.coefficients.b)}, p.drift};
}

Vec3 touching_point(const RollingBall& ball, const Pose& a, const Pose& b) {
  return point_of(b, ball.centre) - ball.radius * rotate(a.orientation, ball.plane.normal);
}

Vec3 touching_point(const RollingDisc& disc, const Pose& a, const Pose& b) {
  const Vec3 n = rotate(a.orientation, disc.plane.normal), u = rotate(b.orientation, disc.axis);
  return point_of(b, disc.centre) - disc.radius * normalized(n - dot(n, u) * u);
}

double height(const RollingBall& ball, const Pose& a, const Pose& b) {
  return height_of(ball.plane, a, touching_point(ball, a, b));
}

double height(const RollingDisc& disc, const Pose& a, const Pose& b) {
  return height_of(disc.plane, a, touching_point(disc, a, b));
}

void rolling_rows(const RollingBall& ball, const Pose& a, const Pose& b, VelocityRow out[3]) {
  rows_at(ball.plane, a, b, touching_point(ball, a, b), out);
}

void rolling_rows(const RollingDisc& disc, const Pose& a, const Pose& b, VelocityRow out[3]) {
  rows_at(disc.plane, a, b, touching_point(disc, a, b), out);
}

VelocityRow velocity_row(const KnifeEdge& edge, const Pose& a, const Pose& b) {
  return slip_row(a, b, point_of(b, edge.point), rotate(b.orientation, edge.across));
}

}  // namespace stiction::constraints
